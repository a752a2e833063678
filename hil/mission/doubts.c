/* What a mission says that is seldom meant, or that a firmware does not take. */
#include "hil/mission/route.h"

#include <math.h>
#include <string.h>

/* INAV's own limit (MAX_WAYPOINTS). */
#define INAV_ITEMS_MAX 120
#define CHORDS         64

/* Of the ring that a stop flies: by chords that lie on its outside. */
static const char *find_ring_crossing(const struct route *r, const struct route_stop *s)
{
        double radius_m = s->circle_m / cos(M_PI / CHORDS);
        const char *crossed = NULL;
        struct vec3 from = s->at_ned_m;

        from.x += radius_m;
        for (int i = 1; i <= CHORDS && crossed == NULL; i++) {
                struct vec3 to = s->at_ned_m;

                to.x += radius_m * cos(2.0 * M_PI * i / CHORDS);
                to.y += radius_m * sin(2.0 * M_PI * i / CHORDS);
                crossed = route_fence_crossed(r, from, to);
                from = to;
        }
        return crossed;
}

static int doubt_fence(FILE *out, const struct route *r)
{
        struct vec3 from = r->home_ned_m;
        int doubts = 0;

        for (int i = 0; i < r->stops; i++) {
                const struct route_stop *s = &r->stop[i];
                bool circles = s->circle_m > 0.0;
                const char *what = "lies", *crossed;

                if (!s->moves)
                        continue;
                crossed = circles ? find_ring_crossing(r, s)
                                  : route_fence_breached(r, s->at_ned_m);
                if (crossed != NULL && circles)
                        what = "its circle leads";
                if (crossed == NULL && !circles) {
                        what = "the leg to it leads";
                        crossed = route_fence_crossed(r, from, s->at_ned_m);
                }
                from = s->at_ned_m;
                if (crossed == NULL)
                        continue;
                fprintf(out, "item %d: %s %s\n", s->item + 1, what, crossed);
                doubts++;
        }
        return doubts;
}

static int doubt_ends(FILE *out, const struct route *r)
{
        bool down = false, flew = false;
        int doubts = 0;

        for (int i = 0; i < r->stops; i++) {
                const struct route_stop *s = &r->stop[i];

                if (s->moves && !flew && s->command != MISSION_TAKEOFF) {
                        fprintf(out,
                                "item %d: the mission does not begin with a take-off\n",
                                s->item + 1);
                        doubts++;
                }
                flew |= s->moves;
                if (s->moves)
                        down = s->command == MISSION_LAND || s->command == MISSION_RETURN;
                if (s->moves && !down && s->at_ned_m.z > r->home_ned_m.z) {
                        fprintf(out, "item %d: lies %.3g m below home\n", s->item + 1,
                                s->at_ned_m.z - r->home_ned_m.z);
                        doubts++;
                }
        }
        if (!down) {
                fprintf(out, "the mission ends without a landing or a return\n");
                doubts++;
        }
        return doubts;
}

static bool firmware_takes(const char *fc, unsigned command)
{
        switch (command) {
        case MISSION_WAYPOINT:
        case MISSION_LAND:
        case MISSION_RETURN:
        case MISSION_JUMP:
        case MISSION_LOITER_TIME:
        case MISSION_LOITER_UNLIMITED:
        case MISSION_TAKEOFF:
        case MISSION_DELAY:
        case MISSION_SPEED:
                return true;
        case MISSION_LOITER_TURNS:
                return strcmp(fc, "ardupilot") == 0 || strcmp(fc, "hilp") == 0;
        case MISSION_PICTURE:
                return strcmp(fc, "inav") != 0;
        default:
                return strcmp(fc, "ardupilot") == 0 || strcmp(fc, "px4") == 0;
        }
}

static int doubt_firmware(FILE *out, const struct mission_plan *p, const char *fc)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS];
        int doubts = 0;

        if (strcmp(fc, "inav") == 0 && items->count > INAV_ITEMS_MAX) {
                fprintf(out, "inav: takes %d items, the mission has %d\n", INAV_ITEMS_MAX,
                        items->count);
                doubts++;
        }
        if (strcmp(fc, "inav") == 0 && p->list[MISSION_LIST_FENCE].count > 0) {
                fprintf(out, "inav: the fence is not sent to it\n");
                doubts++;
        }
        for (int i = 0; i < items->count; i++) {
                unsigned command = items->item[i].command;
                const char *name = mission_command_name(command);

                if (firmware_takes(fc, command))
                        continue;
                fprintf(out, "item %d: %s does not take command %u%s%s\n", i + 1, fc,
                        command, name ? ", " : "", name ? name : "");
                doubts++;
        }
        return doubts;
}

int mission_doubts(FILE *out, const struct mission_plan *p, const struct route *r,
                   const char *fc)
{
        int doubts = doubt_ends(out, r) + doubt_fence(out, r);

        return doubts + (fc != NULL ? doubt_firmware(out, p, fc) : 0);
}
