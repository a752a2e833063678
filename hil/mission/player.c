/* Set-points that fly a mission item by item, as a ground station guides a vehicle: the set-point moves along the leg at the
 * leg's speed. */
#include "hil/mission/flight.h"

#include <math.h>

#define NS_PER_S 1000000000.0
/* Sensors settle. */
#define ARMS_AT_S 3.0
/* How often a set-point that moves is a new one. */
#define MOVES_EACH_NS 20000000
/* Over the place where it is to land: within that part of the radius, or for so long. */
#define OVER_PLACE_RATIO 0.5
#define OVER_PLACE_S     5.0

static double since_begin_s(const struct mission_flight *f,
                            const struct mission_seen *seen)
{
        int64_t past_ns = seen->t_ns - f->row[f->at].asked_ns;

        return (double)(past_ns - past_ns % MOVES_EACH_NS) / NS_PER_S;
}

/* Where along the way to `to`; *late_s: for how long it has been there. */
static struct vec3 move_along(const struct mission_flight *f, struct vec3 to,
                              double speed_mps, double past_s, double *late_s)
{
        struct vec3 from = f->watch[f->at].from_ned_m, leg = vec3_sub(to, from);
        double lasts_s = vec3_norm(leg) / speed_mps;

        *late_s = past_s - lasts_s;
        if (past_s >= lasts_s)
                return to;
        return vec3_add(from, vec3_scale(past_s / lasts_s, leg));
}

static void ask_landing(struct mission_flight *f, const struct route_stop *s,
                        const struct mission_seen *seen, struct setpoint *to)
{
        struct vec3 over = s->at_ned_m, off = vec3_sub(seen->pos_ned_m, s->at_ned_m);
        double late_s;

        /* At the height at which it flies. */
        over.z = fmin(f->watch[f->at].from_ned_m.z, s->at_ned_m.z);
        to->pos_ned_m =
                move_along(f, over, s->speed_mps, since_begin_s(f, seen), &late_s);
        f->descends |=
                late_s >= 0.0 && (hypot(off.x, off.y) <= OVER_PLACE_RATIO * s->radius_m ||
                                  late_s >= OVER_PLACE_S);
        to->mode = f->descends ? MODE_LAND : MODE_GOTO;
}

static struct vec3 ask_circle(struct mission_flight *f, const struct route_stop *s,
                              const struct mission_seen *seen)
{
        const struct mission_watch *w = &f->watch[f->at];
        struct vec3 at = s->at_ned_m, from = vec3_sub(w->from_ned_m, s->at_ned_m);
        double late_s, angle_rad;

        if (w->within_ns < 0)
                f->circled_rad =
                        hypot(from.x, from.y) > 0.0 ? atan2(from.y, from.x) : 0.0;
        angle_rad = f->circled_rad;
        if (w->within_ns >= 0) {
                int64_t past_ns = seen->t_ns - w->within_ns;

                past_ns -= past_ns % MOVES_EACH_NS;
                angle_rad += (s->anticlockwise ? -1.0 : 1.0) * s->speed_mps /
                             s->circle_m * (double)past_ns / NS_PER_S;
        }
        at.x += s->circle_m * cos(angle_rad);
        at.y += s->circle_m * sin(angle_rad);
        return w->within_ns >= 0
                       ? at
                       : move_along(f, at, s->speed_mps, since_begin_s(f, seen), &late_s);
}

struct setpoint mission_flight_ask(struct mission_flight *f,
                                   const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        struct setpoint to = { .mode = MODE_GOTO,
                               .pos_ned_m = f->watch[f->at].from_ned_m,
                               .yaw_rad = f->yaw_rad };
        double late_s;

        if (!f->begun) {
                to.mode = (double)seen->t_ns < ARMS_AT_S * NS_PER_S ? MODE_DISARMED
                                                                    : MODE_ARMED;
                return to;
        }
        if (f->at == f->route->stops) {
                /* It stays as the last item has left it. */
                to.mode = seen->armed ? MODE_GOTO : MODE_DISARMED;
                return to;
        }
        if (isfinite(s->yaw_rad))
                to.yaw_rad = f->yaw_rad = s->yaw_rad;
        if (s->command == MISSION_LAND || s->command == MISSION_RETURN)
                ask_landing(f, s, seen, &to);
        else if (s->circle_m > 0.0)
                to.pos_ned_m = ask_circle(f, s, seen);
        else if (s->command == MISSION_TAKEOFF)
                to.pos_ned_m = s->at_ned_m;
        else if (s->moves)
                to.pos_ned_m = move_along(f, s->at_ned_m, s->speed_mps,
                                          since_begin_s(f, seen), &late_s);
        if (!seen->armed && s->command == MISSION_TAKEOFF)
                to.mode = MODE_ARMED;
        return to;
}
