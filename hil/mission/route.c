/* Jumps written out, places in NED, and how long each leg needs. */
#include "hil/mission/route.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAD_PER_DEG (M_PI / 180.0)

struct walk {
        const struct mission_plan *plan;
        const struct route_setup *setup;
        int *jumped; /* how often each item has */
        struct vec3 at_ned_m;
        double speed_mps;
        char *why;
        size_t cap;
};

static bool refuse_item(const struct walk *w, int item, const char *what)
{
        unsigned command = w->plan->list[MISSION_LIST_ITEMS].item[item].command;
        const char *name = mission_command_name(command);
        char number[30];

        snprintf(number, sizeof number, "command %u", command);
        snprintf(w->why, w->cap, "item %d (%s): %s", item + 1, name ? name : number,
                 what);
        return false;
}

bool route_home(const struct mission_plan *p, struct earth_position *home)
{
        *home = (struct earth_position){ p->home_lat_deg * RAD_PER_DEG,
                                         p->home_lon_deg * RAD_PER_DEG,
                                         p->home_altitude_m };
        if (p->has_home)
                return true;
        for (int i = 0; i < p->list[MISSION_LIST_ITEMS].count; i++) {
                const struct mission_item *item = &p->list[MISSION_LIST_ITEMS].item[i];

                if (!mission_has_place(item) || !mission_place_given(item))
                        continue;
                home->lat_rad = item->lat_deg * RAD_PER_DEG;
                home->lon_rad = item->lon_deg * RAD_PER_DEG;
                home->height_m = 0.0;
                return true;
        }
        return false;
}

/* MAV_FRAME has each of them with whole numbers on the wire, too. */
static bool place_stop(const struct walk *w, const struct mission_item *item,
                       struct vec3 *at)
{
        const struct route_setup *s = w->setup;
        double up_m = isfinite(item->altitude_m) ? item->altitude_m : 0.0;

        *at = w->at_ned_m;
        if (mission_place_given(item)) {
                struct earth_position p = { item->lat_deg * RAD_PER_DEG,
                                            item->lon_deg * RAD_PER_DEG,
                                            s->origin.height_m };
                struct vec3 there = earth_to_ned(&s->origin, p);

                at->x = there.x;
                at->y = there.y;
        }
        switch (item->frame) {
        case MISSION_FRAME_GLOBAL:
        case MISSION_FRAME_GLOBAL_INT:
                at->z = s->origin.height_m - up_m;
                return true;
        case MISSION_FRAME_RELATIVE:
        case 6:
        case MISSION_FRAME_TERRAIN:
        case 11:
                at->z = s->home_ned_m.z - up_m;
                return true;
        default:
                return false;
        }
}

static double travel_s(const struct route_setup *s, struct vec3 from, struct vec3 to,
                       double speed_mps)
{
        return hypot(to.x - from.x, to.y - from.y) / speed_mps +
               fabs(to.z - from.z) / s->climb_mps;
}

static bool make_stop(struct walk *w, int number, struct route_stop *stop)
{
        const struct mission_item *item = &w->plan->list[MISSION_LIST_ITEMS].item[number];
        struct vec3 from = w->at_ned_m;
        char what[100];

        *stop = (struct route_stop){ .item = number,
                                     .command = (enum mission_command)item->command,
                                     .at_ned_m = from,
                                     .radius_m = w->setup->radius_m,
                                     .yaw_rad = NAN,
                                     .speed_mps = w->speed_mps };
        stop->moves = mission_has_place(item);
        if (mission_command_name(item->command) == NULL)
                return refuse_item(w, number, "cannot be flown from set-points");
        if (stop->moves && !place_stop(w, item, &stop->at_ned_m)) {
                snprintf(what, sizeof what,
                         "its frame must be 0, 3 or 10: above the sea, home or the "
                         "ground, is %d",
                         item->frame);
                return refuse_item(w, number, what);
        }
        /* It ends on the ground, whatever altitude it names. */
        if (item->command == MISSION_LAND)
                stop->at_ned_m.z = w->setup->home_ned_m.z;
        if (item->command == MISSION_RETURN) {
                stop->at_ned_m = w->setup->home_ned_m;
                stop->moves = true;
        }
        if (item->command == MISSION_WAYPOINT && mission_param(item, 1) > 0.0)
                stop->radius_m = mission_param(item, 1);
        if (item->command == MISSION_WAYPOINT || item->command == MISSION_LOITER_TIME ||
            item->command == MISSION_DELAY)
                stop->hold_s = fmax(mission_param(item, 0), 0.0);
        if (item->command == MISSION_WAYPOINT || item->command == MISSION_TAKEOFF)
                stop->yaw_rad = item->param[3] * RAD_PER_DEG;
        /* Of the air or the ground; that of climb and descent is not flown. */
        if (item->command == MISSION_SPEED && mission_param(item, 0) <= 1.0 &&
            mission_param(item, 1) > 0.0)
                stop->speed_mps = w->speed_mps = mission_param(item, 1);
        if (item->command == MISSION_LOITER_TURNS) {
                stop->circle_m = fabs(mission_param(item, 2));
                stop->anticlockwise = mission_param(item, 2) < 0.0;
                if (!(stop->circle_m > 0.0))
                        return refuse_item(w, number,
                                           "param 3, its radius, must be given");
                stop->hold_s = 2.0 * M_PI * stop->circle_m *
                               fmax(mission_param(item, 0), 0.0) / w->speed_mps;
        }
        if (!(stop->hold_s <= 86400.0))
                return refuse_item(w, number, "lasts for more than a day");
        stop->length_m = vec3_norm(vec3_sub(stop->at_ned_m, from));
        stop->needs_s =
                travel_s(w->setup, from, stop->at_ned_m, stop->speed_mps) + stop->hold_s;
        w->at_ned_m = stop->at_ned_m;
        return true;
}

/* The item that follows a jump. */
static int follow_jump(struct walk *w, int number)
{
        const struct mission_list *items = &w->plan->list[MISSION_LIST_ITEMS];
        double to = mission_param(&items->item[number], 0),
               times = mission_param(&items->item[number], 1);

        if (!(to >= 1.0 && to <= items->count) || to != floor(to)) {
                refuse_item(w, number, "must name an item of the mission");
                return -1;
        }
        if (times < 0.0) {
                refuse_item(w, number, "has no end");
                return -1;
        }
        if (w->jumped[number] >= times)
                return number + 1;
        w->jumped[number]++;
        return (int)to - 1;
}

static bool walk_items(struct route *r, struct walk *w)
{
        const struct mission_list *items = &w->plan->list[MISSION_LIST_ITEMS];
        int steps = 0;

        for (int i = 0; i >= 0 && i < items->count;) {
                if (r->stops == ROUTE_STOPS_MAX || steps++ > 4 * ROUTE_STOPS_MAX)
                        return refuse_item(w, i, "jumps make more than 10000 items");
                if (items->item[i].command == MISSION_JUMP) {
                        i = follow_jump(w, i);
                        if (i < 0)
                                return false;
                        continue;
                }
                if (!make_stop(w, i, &r->stop[r->stops]))
                        return false;
                r->stops++;
                if (items->item[i].command == MISSION_LOITER_UNLIMITED)
                        return i == items->count - 1 ||
                               refuse_item(w, i,
                                           "must be the last: what follows would "
                                           "never be flown");
                i++;
        }
        return true;
}

static void make_fence(struct route *r, const struct mission_list *list,
                       const struct route_setup *s)
{
        int left = 0;

        for (int i = 0; i < list->count; i++) {
                const struct mission_item *item = &list->item[i];
                struct earth_position p = { item->lat_deg * RAD_PER_DEG,
                                            item->lon_deg * RAD_PER_DEG,
                                            s->origin.height_m };
                struct vec3 at = earth_to_ned(&s->origin, p);
                struct route_fence *f = &r->fence[r->fences];

                if (item->command == MISSION_FENCE_RETURN_POINT)
                        continue;
                *f = (struct route_fence){ .command = (enum mission_command)item->command,
                                           .north_m = at.x,
                                           .east_m = at.y };
                if (item->command == MISSION_FENCE_CIRCLE_INSIDE ||
                    item->command == MISSION_FENCE_CIRCLE_OUTSIDE) {
                        f->radius_m = mission_param(item, 0);
                } else if (left == 0) {
                        left = (int)fmin(fmax(mission_param(item, 0), 1.0),
                                         list->count - i);
                        f->corners = left;
                }
                left -= left > 0;
                r->fences++;
        }
}

bool route_make(struct route *r, const struct mission_plan *p,
                const struct route_setup *s, char *why, size_t cap)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS],
                                  *fence = &p->list[MISSION_LIST_FENCE];
        struct walk w = { p,
                          s,
                          calloc((size_t)items->count + 1, sizeof *w.jumped),
                          s->home_ned_m,
                          s->speed_mps,
                          why,
                          cap };
        struct route_stop *fits;
        bool ok;

        *r = (struct route){ .home_ned_m = s->home_ned_m };
        r->stop = malloc(ROUTE_STOPS_MAX * sizeof *r->stop);
        r->fence = calloc((size_t)fence->count + 1, sizeof *r->fence);
        ok = w.jumped != NULL && r->stop != NULL && r->fence != NULL;
        if (!ok)
                snprintf(why, cap, "out of memory");
        ok = ok && walk_items(r, &w);
        free(w.jumped);
        if (!ok)
                return false;
        fits = realloc(r->stop, ((size_t)r->stops + 1) * sizeof *r->stop);
        if (fits != NULL)
                r->stop = fits;
        make_fence(r, fence, s);
        return true;
}

void route_free(struct route *r)
{
        free(r->stop);
        free(r->fence);
        *r = (struct route){ 0 };
}
