#include "io/codec/mavlink_mission.h"

#include <stdio.h>
#include <string.h>

#define AGAIN_NS  700000000LL
#define TRIES_MAX 15 /* of one message, with nothing new heard */
#define LAST_TRIES                                                                       \
        3 /* of the last item: its answer may be what was lost, and reading back tells */
#define ATTEMPTS_MAX 5 /* of one list */
#define ANSWERS_MORE 200 /* and 20 for each item: asked more often, it asks without end */

/* MAV_MISSION_RESULT */
#define ACCEPTED         MAVLINK_MISSION_ACCEPTED
#define ERROR            1
#define INVALID_SEQUENCE 13
#define CANCELLED        15

static const char *const list_names[MISSION_LISTS] = { "mission", "geofence",
                                                       "rally points" };

static void fail(struct mavlink_mission *m, const char *what)
{
        m->step = MAVLINK_MISSION_OVER;
        m->progress.transfer = MISSION_FAILED;
        snprintf(m->progress.why, sizeof m->progress.why, "%s: %s", list_names[m->list],
                 what);
}

static void enter(struct mavlink_mission *m, enum mavlink_mission_step step, int seq)
{
        bool reading = step > MAVLINK_MISSION_CLEARING;

        m->step = step;
        m->seq = seq;
        m->due = true;
        m->tries = 0;
        m->progress.transfer = reading ? MISSION_CHECKING : MISSION_SENDING;
        m->progress.done = seq;
        m->progress.total = mavlink_mission_count(m, m->list);
}

static void send_list(struct mavlink_mission *m)
{
        m->answers = 0;
        m->furthest = -1;
        m->nacked = false;
        if (m->list == MISSION_LIST_ITEMS)
                m->unkept = 0;
        enter(m,
              mavlink_mission_count(m, m->list) > 0 ? MAVLINK_MISSION_COUNTING
                                                    : MAVLINK_MISSION_CLEARING,
              0);
}

/* The whole list again, or no more. */
static void attempt(struct mavlink_mission *m, const char *what)
{
        if (++m->attempts >= ATTEMPTS_MAX)
                fail(m, what);
        else
                send_list(m);
        m->due = false; /* not at once: it may be busy */
}

static bool gave_all(const struct mavlink_mission *m)
{
        return m->step == MAVLINK_MISSION_GIVING && m->furthest + 1 == m->progress.total;
}

static void hold(struct mavlink_mission *m)
{
        struct mission_progress *p = &m->progress;

        m->step = MAVLINK_MISSION_OVER;
        p->transfer = MISSION_HELD;
        p->done = p->total = m->plan->list[MISSION_LIST_ITEMS].count;
        p->why[0] = '\0';
        if (m->unkept > 0)
                snprintf(
                        p->why, sizeof p->why,
                        "%d parameters of its items are not held by the firmware, or are "
                        "without their fraction",
                        m->unkept);
}

static void next_list(struct mavlink_mission *m)
{
        do
                m->list++;
        while (m->list < MISSION_LISTS && !mavlink_mission_capable(m, m->list));
        m->attempts = 0;
        if (m->list < MISSION_LISTS) {
                send_list(m);
                return;
        }
        m->list = MISSION_LIST_ITEMS;
        if (mavlink_mission_count(m, MISSION_LIST_ITEMS) > 0)
                enter(m, MAVLINK_MISSION_STARTING, 0);
        else
                hold(m);
}

void mavlink_mission_restart(struct mavlink_mission *m)
{
        m->list = MISSION_LIST_ITEMS;
        m->attempts = m->unkept = 0;
        m->progress = (struct mission_progress){ .current = -1, .reached = -1 };
        if (mavlink_mission_possible(m, m->progress.why, sizeof m->progress.why)) {
                send_list(m);
                return;
        }
        m->step = MAVLINK_MISSION_OVER;
        m->progress.transfer = MISSION_FAILED;
}

void mavlink_mission_begin(struct mavlink_mission *m, const struct mission_plan *plan,
                           const struct mavlink_mission_rules *rules, uint8_t system,
                           uint8_t component, const struct mavlink_sender *own)
{
        *m = (struct mavlink_mission){ .plan = plan,
                                       .rules = *rules,
                                       .system = system,
                                       .component = component,
                                       .own_system = own->system,
                                       .own_component = own->component };
        mavlink_mission_restart(m);
}

/* As people count the plan's items: from 1; 0 is home. */
static int shown(const struct mavlink_mission *m)
{
        return m->seq + (m->rules.home_first && m->list == MISSION_LIST_ITEMS ? 0 : 1);
}

static void give_up(struct mavlink_mission *m)
{
        char what[100];

        if (gave_all(m)) {
                enter(m, MAVLINK_MISSION_LISTING, 0);
                return;
        }
        switch (m->step) {
        case MAVLINK_MISSION_GIVING:
                snprintf(what, sizeof what, "it asked for no item after item %d",
                         shown(m));
                break;
        case MAVLINK_MISSION_READING:
                snprintf(what, sizeof what, "it did not give item %d back", shown(m));
                break;
        default:
                snprintf(what, sizeof what, "it did not answer %s",
                         m->step == MAVLINK_MISSION_COUNTING  ? "that items come"
                         : m->step == MAVLINK_MISSION_LISTING ? "how many it holds"
                         : m->step == MAVLINK_MISSION_CLEARING
                                 ? "that it is to be cleared"
                                 : "with which item it is to begin");
        }
        if (m->nacked)
                snprintf(what + strlen(what), sizeof what - strlen(what),
                         "; its last word: %s", mavlink_mission_result_name(m->nack));
        fail(m, what);
}

bool mavlink_mission_poll(struct mavlink_mission *m, int64_t t_ns,
                          struct mavlink_mission_words *say)
{
        if (!mavlink_mission_under_way(m))
                return false;
        if (!m->due && t_ns >= m->again_ns) {
                m->due = true;
                if (++m->tries >= (gave_all(m) ? LAST_TRIES : TRIES_MAX))
                        give_up(m);
        }
        if (!m->due || !mavlink_mission_under_way(m))
                return false;
        m->due = false;
        m->again_ns = t_ns + AGAIN_NS;
        mavlink_mission_say(m, say);
        if (m->step == MAVLINK_MISSION_THANKING)
                next_list(m);
        return true;
}

/* Asked for an item: also for one that was given, whose bytes were lost. */
static void take_request(struct mavlink_mission *m,
                         const struct mavlink_mission_request *r)
{
        bool giving = m->step == MAVLINK_MISSION_GIVING;

        if ((!giving && m->step != MAVLINK_MISSION_COUNTING) ||
            r->mission_type != m->list || r->seq >= m->progress.total)
                return;
        if (++m->answers > 20 * m->progress.total + ANSWERS_MORE) {
                fail(m, "it asks for its items without end");
                return;
        }
        if (giving && r->seq == m->seq)
                m->due = true;
        else
                enter(m, MAVLINK_MISSION_GIVING, r->seq);
        if (m->furthest < r->seq)
                m->furthest = r->seq;
}

static void take_ack(struct mavlink_mission *m, const struct mavlink_mission_ack *a)
{
        char what[100];
        bool sending =
                m->step == MAVLINK_MISSION_COUNTING || m->step == MAVLINK_MISSION_GIVING;

        if (a->mission_type != m->list)
                return;
        m->nacked = a->type != ACCEPTED;
        m->nack = a->type;
        /* Of a doubled item; and what it says while it is read is no refusal. */
        if (a->type == INVALID_SEQUENCE ||
            (!sending && m->step != MAVLINK_MISSION_CLEARING))
                return;
        if (a->type == ACCEPTED) {
                if (!sending || gave_all(m))
                        enter(m, MAVLINK_MISSION_LISTING, 0);
                return;
        }
        if (m->step == MAVLINK_MISSION_GIVING)
                snprintf(what, sizeof what, "refused at item %d: %s", shown(m),
                         mavlink_mission_result_name(a->type));
        else
                snprintf(what, sizeof what, "refused: %s",
                         mavlink_mission_result_name(a->type));
        if (a->type == ERROR || a->type == CANCELLED)
                attempt(m, what);
        else
                fail(m, what);
}

static void take_count(struct mavlink_mission *m, const struct mavlink_mission_count *c)
{
        int total = mavlink_mission_count(m, m->list);
        char what[100];

        if (m->step != MAVLINK_MISSION_LISTING || c->mission_type != m->list)
                return;
        /* Where home comes first it is there without a mission, too. */
        if (c->count == total || (total == 0 && c->count == 1 && m->rules.home_first &&
                                  m->list == MISSION_LIST_ITEMS)) {
                if (total == 0)
                        enter(m, MAVLINK_MISSION_THANKING, 0);
                else
                        enter(m, MAVLINK_MISSION_READING,
                              m->rules.home_first && m->list == MISSION_LIST_ITEMS);
                return;
        }
        snprintf(what, sizeof what, "it holds %d items, not %d", c->count, total);
        attempt(m, what);
}

static void take_item(struct mavlink_mission *m,
                      const struct mavlink_mission_item_int *held)
{
        struct mavlink_mission_item_int sent;
        char field[80], what[120];
        int unkept = 0;

        if (m->step != MAVLINK_MISSION_READING || held->mission_type != m->list ||
            held->seq != m->seq)
                return;
        mavlink_mission_item(m, m->list, m->seq, &sent);
        if (!mavlink_mission_same(&sent, held, &unkept, field, sizeof field)) {
                snprintf(what, sizeof what, "item %d came back with %s", shown(m), field);
                attempt(m, what);
                return;
        }
        m->unkept += unkept;
        if (m->seq + 1 < m->progress.total)
                enter(m, MAVLINK_MISSION_READING, m->seq + 1);
        else
                enter(m, MAVLINK_MISSION_THANKING, m->seq + 1);
}

/* It says so now and then, and when it is told where to begin. */
static void take_current(struct mavlink_mission *m,
                         const struct mavlink_mission_current *c)
{
        int current = c->seq - m->rules.home_first;

        if (m->step == MAVLINK_MISSION_STARTING && current == 0)
                hold(m);
        if (m->progress.transfer == MISSION_HELD)
                m->progress.current = current;
}

static bool take_reached(struct mavlink_mission *m, uint16_t seq)
{
        int reached = seq - m->rules.home_first;

        if (m->progress.transfer != MISSION_HELD || reached < 0 ||
            reached >= m->progress.total || reached == m->progress.reached)
                return false;
        m->progress.reached = reached;
        return true;
}

static bool is_to_us(const struct mavlink_mission *m, uint8_t system, uint8_t component)
{
        return (system == 0 || system == m->own_system) &&
               (component == 0 || component == m->own_component);
}

bool mavlink_mission_take(struct mavlink_mission *m, const struct mavlink_frame *frame)
{
        union {
                struct mavlink_mission_request request;
                struct mavlink_mission_ack ack;
                struct mavlink_mission_count count;
                struct mavlink_mission_item_int item;
                struct mavlink_mission_current current;
                struct mavlink_mission_item_reached reached;
        } as;
        const struct mavlink_message *message = mavlink_message_find(frame->id);

        if (m->plan == NULL || frame->system != m->system ||
            frame->component != m->component || message == NULL ||
            message->size > sizeof as || !mavlink_unpack(frame, message, &as))
                return false;
        switch (frame->id) {
        case MAVLINK_MISSION_REQUEST:
        case MAVLINK_MISSION_REQUEST_INT:
                if (is_to_us(m, as.request.target_system, as.request.target_component))
                        take_request(m, &as.request);
                return false;
        case MAVLINK_MISSION_ACK:
                if (is_to_us(m, as.ack.target_system, as.ack.target_component))
                        take_ack(m, &as.ack);
                return false;
        case MAVLINK_MISSION_COUNT:
                if (is_to_us(m, as.count.target_system, as.count.target_component))
                        take_count(m, &as.count);
                return false;
        case MAVLINK_MISSION_ITEM_INT:
                if (is_to_us(m, as.item.target_system, as.item.target_component))
                        take_item(m, &as.item);
                return false;
        case MAVLINK_MISSION_CURRENT:
                take_current(m, &as.current);
                return false;
        case MAVLINK_MISSION_ITEM_REACHED:
                return take_reached(m, as.reached.seq);
        default:
                return false;
        }
}
