/* A mission as command lines of the MEXO protocol (Gruber, appendix B), as a client would send them. Its times are
 * absolute, from STARTENGINE on, and a mission's are not: what has to wait for a TimeStamp becomes a delay by a clock
 * that flies at 1 m/s and climbs at 0.5 m/s, and holds become TimeStamps by the same clock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/mission/mission.h"
#include "io/codec/mexo.h"
#include "models/world/earth.h"

#define RAD_PER_DEG (M_PI / 180.0)
#define SPEED_MPS   1.0
#define CLIMB_MPS   0.5

/* Where the flight is by the clock. */
struct clock_flight {
        bool placed;
        struct mexo_place at;
        double now_ms;
};

static void fly_to(struct clock_flight *c, const struct mexo_place *to)
{
        struct earth_origin from = { c->at.lat_deg * RAD_PER_DEG,
                                     c->at.lon_deg * RAD_PER_DEG, c->at.altitude_m };
        struct earth_position place = { to->lat_deg * RAD_PER_DEG,
                                        to->lon_deg * RAD_PER_DEG, to->altitude_m };
        struct vec3 way_m = earth_to_ned(&from, place);

        if (c->placed)
                c->now_ms += 1e3 * fmax(hypot(way_m.x, way_m.y) / SPEED_MPS,
                                        fabs(way_m.z) / CLIMB_MPS);
        c->at = *to;
        c->placed = true;
}

/* Reading */

struct reader {
        struct mission_plan *plan;
        const char *file;
        int line;
        struct mission_error *why;
        struct clock_flight clock;
        bool over; /* its engines were stopped */
};

static bool refuse_line(struct reader *r, const char *what)
{
        snprintf(r->why->text, sizeof r->why->text, "%s: line %d: %s", r->file, r->line,
                 what);
        return false;
}

static struct mission_item *add(struct reader *r, enum mission_command command)
{
        struct mission_item *item = mission_add(r->plan, MISSION_LIST_ITEMS);

        if (item == NULL) {
                refuse_line(r, "is one item too many, at most 5000");
                return NULL;
        }
        item->command = (uint16_t)command;
        item->frame = MISSION_FRAME_NONE;
        for (int i = 0; i < 4; i++)
                item->param[i] = (double)NAN;
        item->lat_deg = item->lon_deg = item->altitude_m = (double)NAN;
        return item;
}

static bool take_power(struct reader *r, const struct mexo_command *c)
{
        struct mission_plan *p = r->plan;

        if (!c->has_place)
                return true;
        p->has_home = true;
        p->home_lat_deg = c->place.lat_deg;
        p->home_lon_deg = c->place.lon_deg;
        p->home_altitude_m = c->place.altitude_m;
        r->clock.at = c->place;
        r->clock.placed = true;
        return true;
}

static bool take_wait(struct reader *r, const struct mexo_command *c)
{
        double left_ms = c->time_stamp_ms - r->clock.now_ms;
        struct mission_item *item;

        if (left_ms < 1.0 || c->verb == MEXO_STOPENGINE || c->verb == MEXO_SHUTDOWN)
                return true;
        item = add(r, MISSION_DELAY);
        if (item == NULL)
                return false;
        item->param[0] = 1e-3 * round(left_ms);
        r->clock.now_ms = c->time_stamp_ms;
        return true;
}

static bool take_place(struct reader *r, const struct mexo_command *c)
{
        bool climbs = c->verb == MEXO_TAKEOFF;
        struct mission_item *item = add(r, climbs ? MISSION_TAKEOFF : MISSION_WAYPOINT);
        struct mexo_place to = climbs ? r->clock.at : c->place;

        if (item == NULL)
                return false;
        to.altitude_m = climbs ? c->height_m : c->place.altitude_m;
        item->frame = MISSION_FRAME_GLOBAL;
        item->altitude_m = to.altitude_m;
        if (!climbs || r->clock.placed) {
                item->lat_deg = to.lat_deg;
                item->lon_deg = to.lon_deg;
                fly_to(&r->clock, &to);
        }
        if (!climbs)
                item->param[3] = c->yaw_deg;
        return true;
}

static bool take_land(struct reader *r)
{
        struct mission_item *item = add(r, MISSION_LAND);

        if (item == NULL)
                return false;
        item->frame = MISSION_FRAME_RELATIVE;
        item->altitude_m = 0.0;
        return true;
}

static bool take_command(struct reader *r, const struct mexo_command *c)
{
        if (c->verb == MEXO_STOPENGINE || c->verb == MEXO_SHUTDOWN)
                return r->over = true;
        if (r->over)
                return refuse_line(r, "comes after the end of the flight");
        if (!take_wait(r, c))
                return false;
        switch (c->verb) {
        case MEXO_POWER:
                return take_power(r, c);
        case MEXO_TAKEOFF:
        case MEXO_GOTOWAYPOINT:
                return take_place(r, c);
        case MEXO_LAND:
                return take_land(r);
        case MEXO_TAKEPICTURE:
                return add(r, MISSION_PICTURE) != NULL;
        case MEXO_CLEAR:
                return refuse_line(r, "CLEAR empties a server's queue at once: it can be "
                                      "sent, but not be a part of a mission");
        case MEXO_FORMATION:
                return refuse_line(r, "FORMATION is not defined: no mission can fly it");
        default: /* STARTENGINE, HOLD, and EXECUTETASKS, which does nothing */
                return true;
        }
}

bool mission_is_mexo(const char *text, size_t len)
{
        struct mexo_refusal why;
        struct mexo_command c;
        size_t n = 0;

        while (n < len && n < MEXO_LINE_MAX && text[n] != '\r' && text[n] != '\n')
                n++;
        return mexo_parse(text, n, &c, &why);
}

bool mission_read_mexo(struct mission_plan *p, const char *file, const char *text,
                       size_t len, struct mission_error *why)
{
        struct reader r = { .plan = p, .file = file, .why = why };
        const char *end = text + len;

        while (text < end) {
                const char *stop = text;
                struct mexo_refusal refusal;
                struct mexo_command c;

                while (stop < end && *stop != '\r' && *stop != '\n')
                        stop++;
                r.line++;
                if (stop - text > MEXO_LINE_MAX)
                        return refuse_line(&r, "must have at most 512 characters");
                if (stop > text && !mexo_parse(text, (size_t)(stop - text), &c, &refusal))
                        return refuse_line(&r, refusal.text);
                if (stop > text && !take_command(&r, &c))
                        return false;
                /* CR LF and LF CR are one end. */
                text = stop + 1;
                if (text < end && (*text == '\r' || *text == '\n') && *text != *stop)
                        text++;
        }
        return p->list[MISSION_LIST_ITEMS].count > 0 ||
               refuse_line(&r, "must be a mission: nothing here flies");
}

/* Writing */

struct writer {
        const struct mission_plan *plan;
        struct mission_losses *losses;
        FILE *out;
        struct clock_flight clock;
        double yaw_deg;
        bool down; /* the last item lands */
};

static void print(struct writer *w, const struct mexo_command *c)
{
        char line[MEXO_LINE_MAX + 3];
        size_t len = mexo_print(c, line, sizeof line);

        fwrite(line, 1, len, w->out);
}

static void print_verb(struct writer *w, enum mexo_verb verb)
{
        struct mexo_command c = { .verb = verb };

        print(w, &c);
}

static double altitude_of(const struct writer *w, const struct mission_item *item)
{
        bool above_sea = item->frame == MISSION_FRAME_GLOBAL ||
                         item->frame == MISSION_FRAME_GLOBAL_INT;

        if (!isfinite(item->altitude_m))
                return w->clock.at.altitude_m;
        return item->altitude_m + (above_sea ? 0.0 : w->plan->home_altitude_m);
}

static void print_way(struct writer *w, struct mexo_place to)
{
        struct mexo_command c = { .verb = MEXO_GOTOWAYPOINT,
                                  .place = to,
                                  .yaw_deg = w->yaw_deg };

        print(w, &c);
        fly_to(&w->clock, &to);
        w->down = false;
}

static void print_hold(struct writer *w, double hold_s)
{
        struct mexo_command c = { .verb = MEXO_HOLD };

        if (!(hold_s > 0.0))
                return;
        w->clock.now_ms += 1e3 * hold_s;
        c.time_stamp_ms = fmin(round(w->clock.now_ms), 1e9);
        print(w, &c);
}

static void print_place(struct writer *w, const struct mission_item *item)
{
        struct mexo_place to = w->clock.at;
        double yaw_deg = item->command == MISSION_WAYPOINT ? item->param[3] : (double)NAN;

        if (mission_place_given(item)) {
                to.lat_deg = item->lat_deg;
                to.lon_deg = item->lon_deg;
        }
        /* A landing begins as high as it is. */
        if (item->command != MISSION_LAND)
                to.altitude_m = altitude_of(w, item);
        if (isfinite(yaw_deg)) {
                w->yaw_deg = fmod(fmod(yaw_deg, 360.0) + 360.0, 360.0);
        }
        print_way(w, to);
}

static void print_take_off(struct writer *w, const struct mission_item *item)
{
        struct mexo_command c = { .verb = MEXO_TAKEOFF,
                                  .height_m = altitude_of(w, item) };
        struct mexo_place to = w->clock.at;

        to.altitude_m = c.height_m;
        print(w, &c);
        fly_to(&w->clock, &to);
        w->down = false;
        if (mission_place_given(item) &&
            (item->lat_deg != to.lat_deg || item->lon_deg != to.lon_deg))
                print_place(w, item);
}

static void print_land(struct writer *w)
{
        print_verb(w, MEXO_LAND);
        w->down = true;
}

static void print_item(struct writer *w, int n, const struct mission_item *item)
{
        struct mexo_command picture = { .verb = MEXO_TAKEPICTURE, .tilt_deg = 90.0 };
        const char *name = mission_command_name(item->command);
        struct mexo_place home = { w->plan->home_lat_deg, w->plan->home_lon_deg,
                                   w->clock.at.altitude_m };

        switch (item->command) {
        case MISSION_TAKEOFF:
                print_take_off(w, item);
                break;
        case MISSION_WAYPOINT:
        case MISSION_LOITER_TIME:
                print_place(w, item);
                print_hold(w, mission_param(item, 0));
                break;
        case MISSION_LOITER_UNLIMITED:
                print_place(w, item);
                break;
        case MISSION_DELAY:
                print_hold(w, mission_param(item, 0));
                break;
        case MISSION_PICTURE:
                print(w, &picture);
                break;
        case MISSION_LAND:
                if (mission_place_given(item))
                        print_place(w, item);
                print_land(w);
                break;
        case MISSION_RETURN:
                if (w->plan->has_home)
                        print_way(w, home);
                print_land(w);
                break;
        case MISSION_SPEED:
                mission_lose(w->losses, false, "item %d, speed", n + 1);
                break;
        default:
                mission_lose(w->losses, true, "item %d, command %u%s%s", n + 1,
                             item->command, name ? ", " : "", name ? name : "");
        }
}

static void print_begin(struct writer *w)
{
        struct mexo_command power = { .verb = MEXO_POWER, .name = "Drone1" };
        const struct mission_plan *p = w->plan;

        power.has_place = p->has_home;
        power.place = (struct mexo_place){ p->home_lat_deg, p->home_lon_deg,
                                           p->home_altitude_m };
        w->clock.at = power.place;
        w->clock.placed = p->has_home;
        print(w, &power);
        print_verb(w, MEXO_STARTENGINE);
        if (!p->has_home)
                mission_lose(w->losses, true,
                             "home: is not given, and heights above it have no altitude");
}

char *mission_write_mexo(const struct mission_plan *p, struct mission_losses *losses)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS];
        struct writer w = { .plan = p, .losses = losses };
        char *text = NULL;
        size_t len;

        w.out = open_memstream(&text, &len);
        if (w.out == NULL)
                return NULL;
        print_begin(&w);
        for (int i = 0; i < items->count; i++)
                print_item(&w, i, &items->item[i]);
        if (w.down) {
                print_verb(&w, MEXO_STOPENGINE);
                print_verb(&w, MEXO_SHUTDOWN);
        }
        if (p->list[MISSION_LIST_FENCE].count > 0)
                mission_lose(losses, true, "the fence (%d corners and circles)",
                             p->list[MISSION_LIST_FENCE].count);
        if (p->list[MISSION_LIST_RALLY].count > 0)
                mission_lose(losses, true, "%d rally points",
                             p->list[MISSION_LIST_RALLY].count);
        if (fclose(w.out) == 0)
                return text;
        free(text);
        return NULL;
}
