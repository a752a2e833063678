/* The autopilot's side of MAVLink's mission protocol, written from its description in the developer guide: takes and
 * gives lists of items, asks again for what does not come, gives a transfer up after 8 s. */
#pragma once

#include <string.h>

#include "io/codec/mavlink_messages.h"
#include "io/codec/mission.h"

#define AUTOPILOT_ITEMS_MAX (MISSION_ITEMS_MAX + 1)
#define AUTOPILOT_OUT_MAX   64

struct mission_autopilot {
        struct mavlink_sender sender;
        int items_max; /* of one list */
        bool by_request; /* asks by MISSION_REQUEST */
        uint16_t refused_command; /* answered "unsupported"; 0: none */

        int count[MISSION_LISTS];
        struct mavlink_mission_item_int item[MISSION_LISTS][AUTOPILOT_ITEMS_MAX];
        uint16_t current;

        bool receiving;
        uint8_t list, peer_system, peer_component;
        int coming, seq;
        struct mavlink_mission_item_int draft[AUTOPILOT_ITEMS_MAX];
        int64_t asked_ns, heard_ns;

        int out_count; /* said since the test took them */
        struct mavlink_frame out[AUTOPILOT_OUT_MAX];
};

static inline void autopilot_say(struct mission_autopilot *a, uint32_t id,
                                 const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        enum mavlink_found found;
        size_t len = mavlink_send(&a->sender, id, values, bytes);

        if (a->out_count < AUTOPILOT_OUT_MAX)
                mavlink_find(bytes, len, &a->out[a->out_count++], &found);
}

static inline void autopilot_ack(struct mission_autopilot *a, uint8_t list, uint8_t type)
{
        struct mavlink_mission_ack m = { .target_system = a->peer_system,
                                         .target_component = a->peer_component,
                                         .type = type,
                                         .mission_type = list };

        autopilot_say(a, MAVLINK_MISSION_ACK, &m);
}

static inline void autopilot_ask(struct mission_autopilot *a, int64_t t_ns)
{
        struct mavlink_mission_request m = { (uint16_t)a->seq, a->peer_system,
                                             a->peer_component, a->list };

        a->asked_ns = t_ns;
        autopilot_say(
                a, a->by_request ? MAVLINK_MISSION_REQUEST : MAVLINK_MISSION_REQUEST_INT,
                &m);
}

static inline void autopilot_poll(struct mission_autopilot *a, int64_t t_ns)
{
        if (!a->receiving)
                return;
        if (t_ns - a->heard_ns > 8000000000LL) {
                a->receiving = false;
                autopilot_ack(a, a->list, 15);
        } else if (t_ns - a->asked_ns > 500000000LL)
                autopilot_ask(a, t_ns);
}

static inline void autopilot_take_item(struct mission_autopilot *a, int64_t t_ns,
                                       const struct mavlink_mission_item_int *item)
{
        if (!a->receiving || item->seq != a->seq || item->mission_type != a->list) {
                autopilot_ack(a, item->mission_type, 13);
                return;
        }
        if (item->command == a->refused_command && a->refused_command != 0) {
                a->receiving = false;
                autopilot_ack(a, a->list, 3);
                return;
        }
        a->heard_ns = t_ns;
        a->draft[a->seq++] = *item;
        if (a->seq < a->coming) {
                autopilot_ask(a, t_ns);
                return;
        }
        a->receiving = false;
        a->count[a->list] = a->coming;
        memcpy(a->item[a->list], a->draft, (size_t)a->coming * sizeof a->draft[0]);
        autopilot_ack(a, a->list, 0);
}

static inline void autopilot_take_count(struct mission_autopilot *a, int64_t t_ns,
                                        const struct mavlink_mission_count *m)
{
        if (m->count > a->items_max) {
                autopilot_ack(a, m->mission_type, 4);
                return;
        }
        a->receiving = true;
        a->list = m->mission_type;
        a->coming = m->count;
        a->seq = 0;
        a->heard_ns = t_ns;
        autopilot_ask(a, t_ns);
}

static inline void autopilot_give(struct mission_autopilot *a,
                                  const struct mavlink_mission_request *r)
{
        struct mavlink_mission_item_int item;

        if (r->mission_type >= MISSION_LISTS || r->seq >= a->count[r->mission_type])
                return;
        item = a->item[r->mission_type][r->seq];
        item.target_system = a->peer_system;
        item.target_component = a->peer_component;
        autopilot_say(a, MAVLINK_MISSION_ITEM_INT, &item);
}

static inline void autopilot_take(struct mission_autopilot *a, int64_t t_ns,
                                  const struct mavlink_frame *frame)
{
        union {
                struct mavlink_mission_count count;
                struct mavlink_mission_item_int item;
                struct mavlink_mission_request_list list;
                struct mavlink_mission_request request;
                struct mavlink_mission_set_current current;
        } as;
        struct mavlink_mission_count held = { 0 };
        struct mavlink_mission_current current;

        if (mavlink_message_find(frame->id)->size > sizeof as)
                return;
        mavlink_unpack(frame, mavlink_message_find(frame->id), &as);
        a->peer_system = frame->system;
        a->peer_component = frame->component;
        switch (frame->id) {
        case MAVLINK_MISSION_COUNT:
                if (as.count.mission_type < MISSION_LISTS)
                        autopilot_take_count(a, t_ns, &as.count);
                break;
        case MAVLINK_MISSION_ITEM_INT:
                autopilot_take_item(a, t_ns, &as.item);
                break;
        case MAVLINK_MISSION_CLEAR_ALL:
                a->count[as.list.mission_type % MISSION_LISTS] = 0;
                autopilot_ack(a, as.list.mission_type, 0);
                break;
        case MAVLINK_MISSION_REQUEST_LIST:
                held.count = (uint16_t)a->count[as.list.mission_type % MISSION_LISTS];
                held.target_system = frame->system;
                held.target_component = frame->component;
                held.mission_type = as.list.mission_type;
                autopilot_say(a, MAVLINK_MISSION_COUNT, &held);
                break;
        case MAVLINK_MISSION_REQUEST_INT:
                autopilot_give(a, &as.request);
                break;
        case MAVLINK_MISSION_SET_CURRENT:
                a->current = as.current.seq;
                current = (struct mavlink_mission_current){ .seq = a->current };
                autopilot_say(a, MAVLINK_MISSION_CURRENT, &current);
                break;
        default:
                break;
        }
}
