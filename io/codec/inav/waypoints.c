/* Items of a plan to INAV's way-points. INAV knows no take-off, speed or delay of their own: they become the first
 * way-point's height, the speed of each way-point, and a hold. */
#include "io/codec/inav/mission.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define LAST        0xA5
#define SPEED_LEAST 50 /* cm/s; less counts as none */
#define ABOVE_SEA   1
#define HOLD_MOST_S INT16_MAX

/* What the items so far add up to. */
struct builder {
        struct inav_mission *m;
        const struct codec_setup *setup;
        int item;
        double lat_deg, lon_deg, altitude_m; /* of the last place */
        bool above_sea;
        double speed_mps; /* NAN: its own */
        bool heads; /* it was told where to look */
        int first[INAV_WAYPOINTS_MAX +
                  1]; /* way-point with a place that an item begins with; -1 */
};

static bool refuse(struct builder *b, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

static bool refuse(struct builder *b, const char *format, ...)
{
        struct mission_progress *p = &b->m->progress;
        va_list arguments;
        int len = snprintf(p->why, sizeof p->why, "item %d: ", b->item + 1);

        va_start(arguments, format);
        vsnprintf(p->why + len, sizeof p->why - (size_t)len, format, arguments);
        va_end(arguments);
        p->transfer = MISSION_FAILED;
        return false;
}

static bool add(struct builder *b, enum inav_action action, double p1, double p2)
{
        struct inav_waypoint *w = &b->m->waypoint[b->m->count];

        if (b->m->count == INAV_WAYPOINTS_MAX)
                return refuse(b, "INAV holds %d way-points, and the mission needs more",
                              INAV_WAYPOINTS_MAX);
        *w = (struct inav_waypoint){ .action = (uint8_t)action,
                                     .p1 = (int16_t)lrint(p1),
                                     .p2 = (int16_t)lrint(p2),
                                     .item = b->item };
        b->m->count++;
        return true;
}

static bool add_place(struct builder *b, enum inav_action action, double hold_s)
{
        double speed_cmps = isnan(b->speed_mps) ? 0.0 : 100.0 * b->speed_mps;
        bool holds = action == INAV_ACTION_HOLD;
        struct inav_waypoint *w = &b->m->waypoint[b->m->count];

        if (!add(b, action, holds ? hold_s : speed_cmps, holds ? speed_cmps : 0.0))
                return false;
        w->lat_e7 = (int32_t)lrint(1e7 * b->lat_deg);
        w->lon_e7 = (int32_t)lrint(1e7 * b->lon_deg);
        w->altitude_cm = (int32_t)lrint(100.0 * b->altitude_m);
        w->p3 = b->above_sea ? ABOVE_SEA : 0;
        return true;
}

/* A place that an item does not give is the last one. */
static bool take_place(struct builder *b, const struct mission_item *item)
{
        bool lands = item->command == MISSION_LAND;

        if (isfinite(item->lat_deg) && isfinite(item->lon_deg) &&
            (item->lat_deg != 0.0 || item->lon_deg != 0.0)) {
                b->lat_deg = item->lat_deg;
                b->lon_deg = item->lon_deg;
        }
        /* That of a landing is the ground's: it comes there as high as it was. */
        if (isnan(item->altitude_m) || lands)
                return true;
        if (fabs(item->altitude_m) > 20000.0)
                return refuse(b, "an altitude of %g m is out of reach", item->altitude_m);
        b->altitude_m = item->altitude_m;
        b->above_sea = item->frame == MISSION_FRAME_GLOBAL ||
                       item->frame == MISSION_FRAME_GLOBAL_INT;
        return true;
}

static bool take_heading(struct builder *b, const struct mission_item *item)
{
        double deg = item->command == MISSION_WAYPOINT ? item->param[3] : (double)NAN;

        if (!isfinite(deg)) {
                if (!b->heads)
                        return true;
                b->heads = false;
                return add(b, INAV_ACTION_HEADING, -1.0, 0.0);
        }
        b->heads = true;
        deg = fmod(rint(deg), 360.0);
        return add(b, INAV_ACTION_HEADING, deg < 0.0 ? deg + 360.0 : deg, 0.0);
}

static bool take_hold(struct builder *b, double hold_s)
{
        if (hold_s > HOLD_MOST_S)
                return refuse(b, "INAV holds at most %d s, not %g", HOLD_MOST_S, hold_s);
        b->first[b->item] = b->m->count;
        return hold_s >= 0.5 ? add_place(b, INAV_ACTION_HOLD, hold_s)
                             : add_place(b, INAV_ACTION_WAYPOINT, 0.0);
}

static bool take_speed(struct builder *b, const struct mission_item *item)
{
        double mps = item->param[1];

        if ((item->param[0] != 0.0 && item->param[0] != 1.0) || !(mps > 0.0))
                return true;
        if (100.0 * mps < SPEED_LEAST || mps > 20.0)
                return refuse(b, "INAV flies its way-points at 0.5 to 20 m/s, not %g",
                              mps);
        b->speed_mps = mps;
        return true;
}

/* To a way-point with a place, not beside the jump itself. */
static bool take_jump(struct builder *b, const struct mission_item *item)
{
        int target = -1;

        for (int i = 0; i < b->item && target < 0; i++)
                if (i + 1 >= item->param[0])
                        target = b->first[i];
        if (target < 0 || target + 1 >= b->m->count)
                return refuse(b,
                              "INAV jumps back by two way-points or more, not to item %g",
                              item->param[0]);
        return add(b, INAV_ACTION_JUMP, target + 1,
                   fmax(-1.0, fmin(item->param[1], INT16_MAX)));
}

static bool take_item(struct builder *b, const struct mission_item *item)
{
        if (!take_place(b, item))
                return false;
        switch (item->command) {
        case MISSION_WAYPOINT:
                return take_heading(b, item) && take_hold(b, fmax(0.0, item->param[0]));
        case MISSION_TAKEOFF:
        case MISSION_LOITER_UNLIMITED:
                return take_hold(b, 0.0);
        case MISSION_LOITER_TIME:
        case MISSION_DELAY:
                return take_hold(b, fmax(0.0, item->param[0]));
        case MISSION_SPEED:
                return take_speed(b, item);
        case MISSION_JUMP:
                return take_jump(b, item);
        case MISSION_RETURN:
                return add(b, INAV_ACTION_RETURN, 1.0, 0.0);
        case MISSION_LAND:
                b->first[b->item] = b->m->count;
                return add_place(b, INAV_ACTION_LAND, 0.0);
        default:
                return refuse(b, "INAV has no way-point for command %u", item->command);
        }
}

static void begin_at_start(struct builder *b)
{
        const struct codec_origin *o = &b->setup->origin;
        struct vec3 at = b->setup->start_ned_m;

        b->lat_deg = DEG_PER_RAD * (o->lat_rad + at.x / o->north_m_per_rad);
        b->lon_deg = DEG_PER_RAD * (o->lon_rad + at.y / o->east_m_per_rad);
}

void inav_mission_begin(struct inav_mission *m, const struct codec_setup *setup)
{
        const struct mission_list *items = &setup->mission->list[MISSION_LIST_ITEMS];
        struct builder b = { .m = m, .setup = setup, .speed_mps = (double)NAN };

        *m = (struct inav_mission){
                .progress = { .total = items->count, .current = -1, .reached = -1 },
                .step = INAV_MISSION_OVER
        };
        begin_at_start(&b);
        if (items->count > INAV_WAYPOINTS_MAX) {
                refuse(&b, "INAV holds %d way-points, the mission has %d items",
                       INAV_WAYPOINTS_MAX, items->count);
                return;
        }
        for (; b.item < items->count; b.item++) {
                b.first[b.item] = -1;
                if (!take_item(&b, &items->item[b.item]))
                        return;
        }
        if (m->count == 0) {
                b.item = 0;
                refuse(&b, "nothing in this mission is a way-point to INAV");
                return;
        }
        m->waypoint[m->count - 1].flag = LAST;
        inav_mission_restart(m);
}
