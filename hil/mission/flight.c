/* What became of each item, in truth: in order, within its radius, for as long as it asks. */
#include "hil/mission/flight.h"

#include <math.h>
#include <stdlib.h>

#define NS_PER_S 1000000000.0
/* Twice what the leg takes, and what a firmware needs to think about it. */
#define PATIENCE_RATIO 2.0
#define PATIENCE_S     20.0
#define ARMS_WITHIN_S  60.0
/* To a firmware that holds it, with words that are lost. */
#define GIVEN_WITHIN_S 0.5
/* A firmware counts its hold from when it believes to be there. */
#define HOLD_LEAST_RATIO 0.9
#define HOLD_SLACK_S     0.5
/* Behind a stop that its firmware takes for reached, on the way to the next; then it was missed. */
#define MOVED_ON_S 2.0
/* After the last item. */
#define ENDS_AFTER_S 1.0

bool mission_flight_open(struct mission_flight *f, const struct route *r,
                         const struct mission_limits *limits, double yaw_rad)
{
        *f = (struct mission_flight){ .route = r,
                                      .limits = *limits,
                                      .yaw_rad = yaw_rad,
                                      .given_ns = -1,
                                      .within_ns = -1,
                                      .over_ns = -1,
                                      .watched_ns = -1,
                                      .breached_ns = -1,
                                      .from_ned_m = r->home_ned_m };
        f->row = calloc((size_t)r->stops + 1, sizeof *f->row);
        for (int i = 0; f->row != NULL && i < r->stops; i++) {
                f->row[i].asked_ns = f->row[i].reached_ns = -1;
                f->row[i].error_m = f->row[i].heading_error_rad =
                        f->row[i].cross_track_m = NAN;
        }
        return f->row != NULL;
}

void mission_flight_close(struct mission_flight *f)
{
        free(f->row);
        f->row = NULL;
}

double mission_patience_s(const struct route_stop *s)
{
        return PATIENCE_RATIO * s->needs_s + PATIENCE_S;
}

double mission_longest_s(const struct route *r)
{
        double sum_s = ARMS_WITHIN_S + ENDS_AFTER_S + GIVEN_WITHIN_S * r->stops;

        for (int i = 0; i < r->stops; i++)
                sum_s += mission_patience_s(&r->stop[i]);
        return sum_s;
}

static bool comes_down(const struct route_stop *s)
{
        return s->command == MISSION_LAND || s->command == MISSION_RETURN;
}

/* Of what a leg is flown for, not of what only waits. */
static double distance_m(const struct route_stop *s, struct vec3 pos)
{
        struct vec3 off = vec3_sub(pos, s->at_ned_m);
        double level_m = hypot(off.x, off.y);

        if (comes_down(s))
                return level_m;
        return hypot(level_m - s->circle_m, off.z);
}

static double cross_track_m(struct vec3 from, struct vec3 to, struct vec3 pos)
{
        struct vec3 leg = vec3_sub(to, from), off = vec3_sub(pos, from);
        double length2 = vec3_dot(leg, leg);
        double part = length2 > 0.0 ? vec3_dot(off, leg) / length2 : 0.0;

        part = fmin(fmax(part, 0.0), 1.0);
        return vec3_norm(vec3_sub(off, vec3_scale(part, leg)));
}

static void begin_stop(struct mission_flight *f, const struct mission_seen *seen)
{
        int64_t t_ns = seen->t_ns;

        f->begin_ns = t_ns;
        f->had_reached = seen->reached_item;
        f->within_ns = f->moved_on_ns = -1;
        f->descends = false;
        if (f->at < f->route->stops)
                f->row[f->at].asked_ns = t_ns;
        else
                f->over_ns = t_ns;
}

static int end_stop(struct mission_flight *f, enum mission_outcome outcome,
                    const char *why, const struct mission_seen *seen)
{
        int ended = f->at;
        const struct route_stop *s = &f->route->stop[ended];

        f->row[ended].outcome = outcome;
        f->row[ended].why = why;
        /* A circle is left where it ends, and a place that was missed is none to leave from. */
        if (s->moves)
                f->from_ned_m = s->circle_m > 0.0 || outcome == MISSION_UNMET
                                        ? seen->pos_ned_m
                                        : s->at_ned_m;
        f->at++;
        begin_stop(f, seen);
        return ended;
}

static const char *find_fault(const struct mission_flight *f, const struct route_stop *s,
                              const struct mission_row *row)
{
        if (comes_down(s))
                return row->error_m > f->limits.landing_m ? "came down too far away"
                                                          : NULL;
        if (row->cross_track_m > f->limits.cross_track_m)
                return "left its leg";
        if (fabs(row->heading_error_rad) > f->limits.heading_rad)
                return "wrong heading";
        return NULL;
}

static int conclude_stop(struct mission_flight *f, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        struct mission_row *row = &f->row[f->at];
        const char *fault;

        row->error_m = distance_m(s, seen->pos_ned_m);
        if (isfinite(s->yaw_rad))
                row->heading_error_rad =
                        remainder(seen->yaw_rad - s->yaw_rad, 2.0 * M_PI);
        fault = find_fault(f, s, row);
        return end_stop(f, fault ? MISSION_UNMET : MISSION_MET, fault, seen);
}

static bool held_enough(const struct route_stop *s, double held_s)
{
        return held_s >= HOLD_LEAST_RATIO * s->hold_s - HOLD_SLACK_S;
}

static int watch_place(struct mission_flight *f, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        struct mission_row *row = &f->row[f->at];
        double off_m = distance_m(s, seen->pos_ned_m);
        bool within = off_m <= s->radius_m;

        if (row->reached_ns < 0) {
                row->error_m = fmin(off_m, isnan(row->error_m) ? INFINITY : row->error_m);
                row->cross_track_m =
                        fmax(row->cross_track_m,
                             s->circle_m > 0.0 ? 0.0
                                               : cross_track_m(f->from_ned_m, s->at_ned_m,
                                                               seen->pos_ned_m));
                if (within)
                        row->reached_ns = seen->t_ns;
        }
        if (!within) {
                if (f->within_ns >= 0 && held_enough(s, row->held_s))
                        return conclude_stop(f, seen);
                f->within_ns = -1;
                return -1;
        }
        if (f->within_ns < 0)
                f->within_ns = seen->t_ns;
        row->held_s = fmin((double)(seen->t_ns - f->within_ns) / NS_PER_S, s->hold_s);
        return row->held_s >= s->hold_s ? conclude_stop(f, seen) : -1;
}

static int watch_landing(struct mission_flight *f, const struct mission_seen *seen)
{
        struct mission_row *row = &f->row[f->at];

        row->error_m = distance_m(&f->route->stop[f->at], seen->pos_ned_m);
        if (!seen->grounded || seen->armed)
                return -1;
        row->reached_ns = seen->t_ns;
        return conclude_stop(f, seen);
}

static bool is_later(const struct mission_flight *f, int item)
{
        for (int i = f->at + 1; i < f->route->stops; i++)
                if (f->route->stop[i].item == item)
                        return true;
        return false;
}

/* By what its firmware says: that it flies to a later stop, or has reached one or this. */
static bool is_past(const struct mission_flight *f, const struct mission_seen *seen)
{
        int own = f->route->stop[f->at].item;

        if (seen->reached_item >= 0 && seen->reached_item != f->had_reached &&
            (seen->reached_item == own || is_later(f, seen->reached_item)))
                return true;
        return seen->flies_item >= 0 && seen->flies_item != own &&
               is_later(f, seen->flies_item);
}

/* A landing is over when it is on the ground, and one that is where it should be has not gone on, whatever is said: some say
 * that a return is reached when it begins, or a place when its hold begins. */
static bool has_moved_on(struct mission_flight *f, const struct mission_seen *seen)
{
        if (comes_down(&f->route->stop[f->at]) || f->within_ns >= 0 ||
            !is_past(f, seen)) {
                f->moved_on_ns = -1;
                return false;
        }
        if (f->moved_on_ns < 0)
                f->moved_on_ns = seen->t_ns;
        return (double)(seen->t_ns - f->moved_on_ns) >= MOVED_ON_S * NS_PER_S;
}

static int watch_stop(struct mission_flight *f, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        struct mission_row *row = &f->row[f->at];
        double past_s = (double)(seen->t_ns - f->begin_ns) / NS_PER_S;
        int ended;

        if (!s->moves) {
                if (past_s < s->hold_s)
                        return -1;
                row->reached_ns = seen->t_ns;
                row->held_s = s->hold_s;
                return end_stop(f, MISSION_NOTED, NULL, seen);
        }
        ended = comes_down(s) ? watch_landing(f, seen) : watch_place(f, seen);
        if (ended >= 0)
                return ended;
        if (has_moved_on(f, seen))
                return end_stop(
                        f, MISSION_UNMET,
                        row->reached_ns >= 0
                                ? "did not stay for as long as asked"
                                : "its firmware went on without having been there",
                        seen);
        if (past_s < mission_patience_s(s))
                return -1;
        return end_stop(f, MISSION_UNMET,
                        comes_down(s)          ? "did not come down and disarm in time"
                        : row->reached_ns >= 0 ? "did not stay for as long as asked"
                                               : "not reached in time",
                        seen);
}

static void watch_fence(struct mission_flight *f, const struct mission_seen *seen)
{
        if (f->breached_ns >= 0 || f->route->fences == 0 || f->watched_ns == seen->t_ns)
                return;
        f->watched_ns = seen->t_ns;
        f->breach = route_fence_breached(f->route, seen->pos_ned_m);
        if (f->breach != NULL)
                f->breached_ns = seen->t_ns;
}

int mission_flight_step(struct mission_flight *f, const struct mission_seen *seen)
{
        if (!f->begun) {
                f->begun = seen->armed;
                if (f->given_ns < 0 && seen->given)
                        f->given_ns = seen->t_ns;
                if (f->begun)
                        begin_stop(f, seen);
                return -1;
        }
        watch_fence(f, seen);
        return f->at < f->route->stops ? watch_stop(f, seen) : -1;
}

bool mission_flight_over(const struct mission_flight *f, int64_t t_ns)
{
        if (!f->begun)
                return f->given_ns >= 0 &&
                       (double)(t_ns - f->given_ns) >= ARMS_WITHIN_S * NS_PER_S;
        return f->over_ns >= 0 && (double)(t_ns - f->over_ns) >= ENDS_AFTER_S * NS_PER_S;
}

struct mission_tally mission_flight_tally(const struct mission_flight *f)
{
        struct mission_tally t = { 0 };

        for (int i = 0; i < f->route->stops; i++) {
                t.all += f->route->stop[i].moves;
                t.met += f->row[i].outcome == MISSION_MET;
                t.unmet += f->row[i].outcome == MISSION_UNMET;
        }
        if (f->route->fences > 0) {
                t.all++;
                t.unmet += f->breached_ns >= 0;
                /* Kept all the way only by who went all the way. */
                t.met += f->breached_ns < 0 && f->over_ns >= 0;
        }
        return t;
}

const char *mission_outcome_name(enum mission_outcome outcome)
{
        static const char *const word[] = { "not judged", "passed", "FAILED", "" };

        return word[outcome];
}
