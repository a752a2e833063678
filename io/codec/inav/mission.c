/* The transfer of way-points. */
#include "io/codec/inav/mission.h"

#include <stdio.h>

#include "io/codec/inav/inav.h"
#include "io/le.h"

#define ATTEMPTS   5 /* transfers, of one that comes back otherwise */
#define ASKED_MOST 40 /* of one question */
#define NAVIGATES  3 /* MW_GPS_MODE_NAV */

static void fail(struct inav_mission *m, const char *why)
{
        m->progress.transfer = MISSION_FAILED;
        m->step = INAV_MISSION_OVER;
        snprintf(m->progress.why, sizeof m->progress.why, "%s", why);
}

void inav_mission_restart(struct inav_mission *m)
{
        if (m->count == 0 || m->progress.transfer == MISSION_FAILED)
                return;
        m->step = INAV_MISSION_ASKING;
        m->at = m->asked = 0;
        m->progress.transfer = MISSION_SENDING;
        m->progress.done = 0;
        m->progress.current = m->progress.reached = -1;
}

static void put_waypoint(const struct inav_waypoint *w, int number, uint8_t *out)
{
        out[0] = (uint8_t)number;
        out[1] = w->action;
        le_put_u32(out + 2, (uint32_t)w->lat_e7);
        le_put_u32(out + 6, (uint32_t)w->lon_e7);
        le_put_u32(out + 10, (uint32_t)w->altitude_cm);
        le_put_u16(out + 14, (uint16_t)w->p1);
        le_put_u16(out + 16, (uint16_t)w->p2);
        le_put_u16(out + 18, (uint16_t)w->p3);
        out[20] = w->flag;
}

uint16_t inav_mission_ask(struct inav_mission *m, uint8_t *payload, size_t *len)
{
        *len = 0;
        if (m->step == INAV_MISSION_OVER)
                return 0;
        if (m->asked++ == ASKED_MOST) {
                fail(m, "INAV does not answer what it is asked about its mission");
                return 0;
        }
        switch (m->step) {
        case INAV_MISSION_SETTING:
                put_waypoint(&m->waypoint[m->at], m->at + 1, payload);
                *len = INAV_WAYPOINT_BYTES;
                return INAV_SET_WP;
        case INAV_MISSION_READING:
                payload[0] = (uint8_t)(m->at + 1);
                *len = 1;
                return INAV_WP;
        default:
                return INAV_WP_GETINFO;
        }
}

static void step_on(struct inav_mission *m, enum inav_mission_step step)
{
        m->step = step;
        m->at = m->asked = 0;
        m->progress.transfer = step == INAV_MISSION_OVER      ? MISSION_HELD
                               : step == INAV_MISSION_SETTING ? MISSION_SENDING
                                                              : MISSION_CHECKING;
}

static void send_again(struct inav_mission *m, const char *why)
{
        if (++m->attempts >= ATTEMPTS)
                fail(m, why);
        else
                step_on(m, INAV_MISSION_SETTING);
}

static void take_room(struct inav_mission *m, const struct msp_frame *frame)
{
        char why[sizeof m->progress.why];

        snprintf(why, sizeof why, "INAV has room for %d way-points, the mission needs %d",
                 frame->payload[1], m->count);
        if (frame->payload[1] < m->count)
                fail(m, why);
        else
                step_on(m, INAV_MISSION_SETTING);
}

static void take_verdict(struct inav_mission *m, const struct msp_frame *frame)
{
        if (frame->payload[2] == 0 || frame->payload[3] != m->count)
                send_again(m, "INAV does not take its way-points for a mission");
        else
                step_on(m, INAV_MISSION_OVER);
}

/* As it was set, or a late answer about another one. */
static void take_waypoint(struct inav_mission *m, const struct msp_frame *frame)
{
        uint8_t sent[INAV_WAYPOINT_BYTES];
        char why[sizeof m->progress.why];

        put_waypoint(&m->waypoint[m->at], m->at + 1, sent);
        if (frame->payload[0] != sent[0])
                return;
        snprintf(why, sizeof why, "way-point %d comes back from INAV as another one",
                 m->at + 1);
        if (memcmp(frame->payload, sent, sizeof sent) != 0)
                send_again(m, why);
        else if (m->at + 1 == m->count)
                step_on(m, INAV_MISSION_COUNTING);
        else
                m->at++;
        m->asked = 0;
}

void inav_mission_take(struct inav_mission *m, const struct msp_frame *frame)
{
        static const uint16_t least[] = { [INAV_MISSION_ASKING] = 4,
                                          [INAV_MISSION_READING] = INAV_WAYPOINT_BYTES,
                                          [INAV_MISSION_COUNTING] = 4,
                                          [INAV_MISSION_OVER] = 0 };
        char why[sizeof m->progress.why];

        if (frame->kind == MSP_ERROR) {
                snprintf(why, sizeof why, "INAV refuses MSP command %d", frame->command);
                fail(m, why);
                return;
        }
        if (frame->len < least[m->step])
                return;
        switch (m->step) {
        case INAV_MISSION_ASKING:
                take_room(m, frame);
                break;
        case INAV_MISSION_SETTING:
                m->asked = 0;
                m->progress.done = m->waypoint[m->at].item + 1;
                if (++m->at == m->count)
                        step_on(m, INAV_MISSION_READING);
                break;
        case INAV_MISSION_READING:
                take_waypoint(m, frame);
                break;
        case INAV_MISSION_COUNTING:
                take_verdict(m, frame);
                break;
        default:
                break;
        }
}

bool inav_mission_follow(struct inav_mission *m, const struct msp_frame *frame)
{
        int before = m->progress.current, now;

        if (frame->len < 5 || frame->payload[0] != NAVIGATES || frame->payload[3] == 0 ||
            frame->payload[3] > m->count)
                return false;
        now = m->waypoint[frame->payload[3] - 1].item;
        m->progress.current = now;
        if (now == before || before < 0)
                return false;
        m->progress.reached = before;
        return true;
}
