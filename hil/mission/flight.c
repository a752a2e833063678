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
                                      .over_ns = -1,
                                      .watched_ns = -1,
                                      .breached_ns = -1 };
        f->row = calloc((size_t)r->stops + 1, sizeof *f->row);
        f->watch = calloc((size_t)r->stops + 1, sizeof *f->watch);
        if (f->row == NULL || f->watch == NULL) {
                mission_flight_close(f);
                return false;
        }
        for (int i = 0; i <= r->stops; i++) {
                f->row[i].asked_ns = f->row[i].reached_ns = -1;
                f->row[i].error_m = f->row[i].heading_error_rad =
                        f->row[i].cross_track_m = NAN;
                f->watch[i].within_ns = f->watch[i].moved_on_ns = -1;
        }
        f->watch[0].from_ned_m = r->home_ned_m;
        return true;
}

void mission_flight_close(struct mission_flight *f)
{
        free(f->row);
        free(f->watch);
        f->row = NULL;
        f->watch = NULL;
}

static double mission_patience_s(const struct route_stop *s)
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

static void begin_stop(struct mission_flight *f, int i, struct vec3 from_ned_m,
                       const struct mission_seen *seen)
{
        f->ahead = i;
        if (i == f->route->stops)
                f->over_ns = seen->t_ns;
        f->watch[i].from_ned_m = from_ned_m;
        f->watch[i].had_reached = seen->reached_item;
        f->row[i].asked_ns = seen->t_ns;
}

/* From the first stop, that has come to its end, to the next. */
static int go_on(struct mission_flight *f, const struct mission_seen *seen)
{
        int ended = f->at++;
        const struct route_stop *s = &f->route->stop[ended];
        struct vec3 from = f->watch[ended].from_ned_m;

        /* A circle is left where it ends, and a place that was missed is none to leave from. */
        if (s->moves)
                from = s->circle_m > 0.0 || f->row[ended].outcome == MISSION_UNMET
                               ? seen->pos_ned_m
                               : s->at_ned_m;
        f->descends = false;
        if (f->at > f->ahead)
                begin_stop(f, f->at, from, seen);
        return ended;
}

static void end_stop(struct mission_row *row, enum mission_outcome outcome,
                     const char *why)
{
        row->outcome = outcome;
        row->why = why;
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

static void conclude_stop(struct mission_flight *f, int i,
                          const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[i];
        struct mission_row *row = &f->row[i];
        const char *fault;

        row->error_m = distance_m(s, seen->pos_ned_m);
        if (isfinite(s->yaw_rad))
                row->heading_error_rad =
                        remainder(seen->yaw_rad - s->yaw_rad, 2.0 * M_PI);
        fault = find_fault(f, s, row);
        end_stop(row, fault ? MISSION_UNMET : MISSION_MET, fault);
}

static bool held_enough(const struct route_stop *s, double held_s)
{
        return held_s >= HOLD_LEAST_RATIO * s->hold_s - HOLD_SLACK_S;
}

static void watch_place(struct mission_flight *f, int i, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[i];
        struct mission_watch *w = &f->watch[i];
        struct mission_row *row = &f->row[i];
        double off_m = distance_m(s, seen->pos_ned_m);
        bool within = off_m <= s->radius_m;

        if (row->reached_ns < 0) {
                row->error_m = fmin(off_m, isnan(row->error_m) ? INFINITY : row->error_m);
                row->cross_track_m =
                        fmax(row->cross_track_m,
                             s->circle_m > 0.0 ? 0.0
                                               : cross_track_m(w->from_ned_m, s->at_ned_m,
                                                               seen->pos_ned_m));
                if (within)
                        row->reached_ns = seen->t_ns;
        }
        if (!within) {
                if (w->within_ns >= 0 && held_enough(s, row->held_s))
                        conclude_stop(f, i, seen);
                w->within_ns = -1;
                return;
        }
        if (w->within_ns < 0)
                w->within_ns = seen->t_ns;
        row->held_s = fmin((double)(seen->t_ns - w->within_ns) / NS_PER_S, s->hold_s);
        if (row->held_s >= s->hold_s)
                conclude_stop(f, i, seen);
}

static void watch_landing(struct mission_flight *f, int i,
                          const struct mission_seen *seen)
{
        struct mission_row *row = &f->row[i];

        row->error_m = distance_m(&f->route->stop[i], seen->pos_ned_m);
        if (!seen->grounded || seen->armed)
                return;
        row->reached_ns = seen->t_ns;
        conclude_stop(f, i, seen);
}

/* The first behind stop i that has this item; -1: none. */
static int find_later(const struct mission_flight *f, int i, int item)
{
        for (i++; i < f->route->stops; i++)
                if (f->route->stop[i].item == item)
                        return i;
        return -1;
}

/* The stop that its firmware is on the way to: a later one than i when it says that it flies there, or has reached i or one
 * behind it. */
static int find_next(const struct mission_flight *f, int i,
                     const struct mission_seen *seen)
{
        int own = f->route->stop[i].item, next = i, later;

        if (seen->reached_item >= 0 && seen->reached_item != f->watch[i].had_reached) {
                later = seen->reached_item == own ? i
                                                  : find_later(f, i, seen->reached_item);
                next = later >= i ? later + 1 : next;
        }
        if (seen->flies_item >= 0 && seen->flies_item != own) {
                later = find_later(f, i, seen->flies_item);
                next = later > next ? later : next;
        }
        return next;
}

/* A landing is over when it is on the ground, and one that is where it should be has not gone on, whatever is said: some say
 * that a return is reached when it begins, or a place when its hold begins. */
static void watch_going_on(struct mission_flight *f, int i,
                           const struct mission_seen *seen)
{
        struct mission_watch *w = &f->watch[i];
        int next = i;

        if (!comes_down(&f->route->stop[i]) && w->within_ns < 0)
                next = find_next(f, i, seen);
        if (next == i)
                w->moved_on_ns = -1;
        else if (w->moved_on_ns < 0)
                w->moved_on_ns = seen->t_ns;
        while (f->ahead < next && f->ahead < f->route->stops - 1)
                begin_stop(f, f->ahead + 1, seen->pos_ned_m, seen);
}

static void watch_moving(struct mission_flight *f, int i, const struct mission_seen *seen)
{
        if (f->row[i].outcome != MISSION_OPEN)
                return;
        if (comes_down(&f->route->stop[i]))
                watch_landing(f, i, seen);
        else
                watch_place(f, i, seen);
        if (f->row[i].outcome == MISSION_OPEN)
                watch_going_on(f, i, seen);
}

/* Has the first stop come to its end without having been met? */
static void give_up(struct mission_flight *f, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        const struct mission_watch *w = &f->watch[f->at];
        struct mission_row *row = &f->row[f->at];
        double past_s = (double)(seen->t_ns - row->asked_ns) / NS_PER_S;
        const char *left = "did not stay for as long as asked";

        if (w->moved_on_ns >= 0 &&
            (double)(seen->t_ns - w->moved_on_ns) >= MOVED_ON_S * NS_PER_S)
                end_stop(row, MISSION_UNMET,
                         row->reached_ns >= 0
                                 ? left
                                 : "its firmware went on without having been there");
        else if (past_s >= mission_patience_s(s))
                end_stop(row, MISSION_UNMET,
                         comes_down(s)          ? "did not come down and disarm in time"
                         : row->reached_ns >= 0 ? left
                                                : "not reached in time");
}

static void wait_there(struct mission_flight *f, const struct mission_seen *seen)
{
        const struct route_stop *s = &f->route->stop[f->at];
        struct mission_row *row = &f->row[f->at];

        if ((double)(seen->t_ns - row->asked_ns) / NS_PER_S < s->hold_s)
                return;
        row->reached_ns = seen->t_ns;
        row->held_s = s->hold_s;
        end_stop(row, MISSION_NOTED, NULL);
}

static int watch_stops(struct mission_flight *f, const struct mission_seen *seen)
{
        for (int i = f->at; i <= f->ahead; i++)
                if (f->route->stop[i].moves)
                        watch_moving(f, i, seen);
        if (!f->route->stop[f->at].moves)
                wait_there(f, seen);
        else if (f->row[f->at].outcome == MISSION_OPEN)
                give_up(f, seen);
        return f->row[f->at].outcome != MISSION_OPEN ? go_on(f, seen) : -1;
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
                        begin_stop(f, 0, f->route->home_ned_m, seen);
                return -1;
        }
        watch_fence(f, seen);
        return f->at < f->route->stops ? watch_stops(f, seen) : -1;
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
