/* A mission flown by its set-points with a vehicle that follows them at once, or does not: what is said of each item. */
#include <math.h>
#include <string.h>

#include "hil/mission/flight.h"

#include "tests/suites.h"

#define TICK_NS   10000000
#define NS_PER_S  1e9
#define LIMIT_M   3.0
#define NOT_GIVEN ((double)NAN)
#define STOPS_MAX 8

struct staged {
        struct route_stop stop[STOPS_MAX];
        struct route route;
        struct mission_flight flight;
        struct mission_seen seen;
        double drift_m; /* to the east of where it is asked to be */
        bool deaf; /* does not move */
        double fastest_mps; /* of the set-point, on the level */
        int modes[8]; /* how often each was asked for */
};

static void stage_stop(struct staged *s, enum mission_command command, double north_m,
                       double up_m, double hold_s)
{
        struct route_stop *stop = &s->stop[s->route.stops++];

        *stop = (struct route_stop){ .item = s->route.stops - 1,
                                     .command = command,
                                     .moves = command != MISSION_DELAY,
                                     .at_ned_m = { north_m, 0.0, -up_m },
                                     .radius_m = 1.0,
                                     .hold_s = hold_s,
                                     .yaw_rad = NOT_GIVEN,
                                     .speed_mps = 2.0,
                                     .needs_s = 5.0 + hold_s };
}

static void stage_open(struct staged *s)
{
        struct mission_limits limits = { LIMIT_M, LIMIT_M, (double)INFINITY };

        s->route.stop = s->stop;
        s->seen.flies_item = s->seen.reached_item = -1;
        ck_assert(mission_flight_open(&s->flight, &s->route, &limits, 0.5));
        s->seen.grounded = true;
}

/* An ideal vehicle: it arms when asked, is where it is asked to be, and is down at once. */
static void follow(struct staged *s, const struct setpoint *to)
{
        if (to->mode == MODE_ARMED)
                s->seen.armed = true;
        if (to->mode == MODE_LAND) {
                s->seen.grounded = true;
                s->seen.armed = false;
        }
        if (to->mode != MODE_GOTO || s->deaf)
                return;
        s->seen.grounded = false;
        s->seen.pos_ned_m = to->pos_ned_m;
        s->seen.pos_ned_m.y += s->drift_m;
        s->seen.yaw_rad = to->yaw_rad;
}

static void fly(struct staged *s, double longest_s)
{
        struct vec3 was = { 0 };
        bool asked = false;

        while (!mission_flight_over(&s->flight, s->seen.t_ns) &&
               (double)s->seen.t_ns < longest_s * NS_PER_S) {
                struct setpoint to;

                while (mission_flight_step(&s->flight, &s->seen) >= 0)
                        ;
                to = mission_flight_ask(&s->flight, &s->seen);
                s->modes[to.mode]++;
                if (asked)
                        s->fastest_mps =
                                fmax(s->fastest_mps, hypot(to.pos_ned_m.x - was.x,
                                                           to.pos_ned_m.y - was.y));
                was = to.pos_ned_m;
                asked = true;
                follow(s, &to);
                s->seen.t_ns += TICK_NS;
        }
}

static void stage_square(struct staged *s)
{
        stage_stop(s, MISSION_TAKEOFF, 0.0, 5.0, 0.0);
        stage_stop(s, MISSION_WAYPOINT, 10.0, 5.0, 3.0);
        stage_stop(s, MISSION_DELAY, 10.0, 5.0, 2.0);
        stage_stop(s, MISSION_RETURN, 0.0, 0.0, 0.0);
        stage_open(s);
}

TEST(a_vehicle_that_follows_meets_each_item)
{
        struct staged s = { 0 };
        struct mission_row *row;
        struct mission_tally t;

        stage_square(&s);
        row = s.flight.row;
        fly(&s, 1000.0);
        t = mission_flight_tally(&s.flight);
        ck_assert_int_eq(t.all, 3);
        ck_assert_int_eq(t.met, 3);
        ck_assert_int_eq(row[2].outcome, MISSION_NOTED);
        /* 10 m at 2 m/s less the radius, then the hold, then the delay. */
        ck_assert_double_eq_tol((double)(row[1].reached_ns - row[1].asked_ns) / NS_PER_S,
                                4.5, 0.05);
        ck_assert_double_eq_tol((double)(row[2].asked_ns - row[1].reached_ns) / NS_PER_S,
                                3.0, 0.02);
        ck_assert_double_eq_tol((double)(row[3].asked_ns - row[2].asked_ns) / NS_PER_S,
                                2.0, 0.02);
        /* It moves every 20 ms. */
        ck_assert_double_eq_tol(s.fastest_mps, 2.0 * 0.02, 1e-6);
        ck_assert_int_gt(s.modes[MODE_LAND], 0);
        ck_assert(!s.seen.armed);
        mission_flight_close(&s.flight);
}

TEST(what_is_not_reached_is_said_and_passed_over)
{
        struct staged s = { 0 };

        s.deaf = true;
        stage_square(&s);
        fly(&s, 1000.0);
        ck_assert_int_eq(s.flight.row[0].outcome, MISSION_UNMET);
        ck_assert_str_eq(s.flight.row[1].why, "not reached in time");
        ck_assert(s.flight.row[1].reached_ns < 0);
        ck_assert_double_eq_tol(s.flight.row[1].error_m, hypot(10.0, 5.0), 1e-9);
        ck_assert_int_le(s.seen.t_ns, (int64_t)(mission_longest_s(&s.route) * NS_PER_S));
        mission_flight_close(&s.flight);
}

/* However long it takes to give the mission to a firmware, a minute is left for it to arm. */
TEST(the_minute_to_arm_begins_when_the_mission_is_held)
{
        struct staged s = { 0 };

        stage_square(&s);
        for (; (double)s.seen.t_ns < 500.0 * NS_PER_S; s.seen.t_ns += TICK_NS) {
                ck_assert_int_eq(mission_flight_step(&s.flight, &s.seen), -1);
                ck_assert(!mission_flight_over(&s.flight, s.seen.t_ns));
        }
        s.seen.given = true;
        for (; (double)s.seen.t_ns < 559.0 * NS_PER_S; s.seen.t_ns += TICK_NS) {
                ck_assert_int_eq(mission_flight_step(&s.flight, &s.seen), -1);
                ck_assert(!mission_flight_over(&s.flight, s.seen.t_ns));
        }
        ck_assert(mission_flight_over(&s.flight, s.seen.t_ns + (int64_t)NS_PER_S));
        mission_flight_close(&s.flight);
}

TEST(beside_its_leg_it_fails_though_it_arrives)
{
        struct staged s = { 0 };

        stage_stop(&s, MISSION_TAKEOFF, 0.0, 5.0, 0.0);
        stage_stop(&s, MISSION_WAYPOINT, 10.0, 5.0, 0.0);
        s.stop[0].radius_m = s.stop[1].radius_m = 6.0;
        stage_open(&s);
        s.drift_m = LIMIT_M + 0.5;
        fly(&s, 1000.0);
        ck_assert_int_eq(s.flight.row[1].outcome, MISSION_UNMET);
        ck_assert_str_eq(s.flight.row[1].why, "left its leg");
        mission_flight_close(&s.flight);
}

/* Whose circle of 5 m goes the given way, and then 20 m to the north. */
static void stage_circle(struct staged *s, bool anticlockwise)
{
        stage_stop(s, MISSION_TAKEOFF, 0.0, 5.0, 0.0);
        stage_stop(s, MISSION_LOITER_TURNS, 0.0, 5.0, 2.0 * M_PI * 5.0 * 0.75 / 2.0);
        stage_stop(s, MISSION_WAYPOINT, 20.0, 5.0, 0.0);
        s->stop[1].circle_m = 5.0;
        s->stop[1].anticlockwise = anticlockwise;
        stage_open(s);
}

TEST(a_circle_is_left_where_it_ends)
{
        for (int anticlockwise = 0; anticlockwise < 2; anticlockwise++) {
                struct staged s = { 0 };

                stage_circle(&s, anticlockwise);
                fly(&s, 1000.0);
                for (int i = 0; i < 3; i++)
                        ck_assert_int_eq(s.flight.row[i].outcome, MISSION_MET);
                /* Three quarters of it from the north on: then in the west, or in the east. */
                ck_assert_double_eq_tol(s.flight.row[2].cross_track_m, 0.0, 0.3);
                mission_flight_close(&s.flight);
                memset(&s, 0, sizeof s);
                stage_circle(&s, anticlockwise);
                while (s.flight.at < 2) {
                        struct setpoint to;

                        mission_flight_step(&s.flight, &s.seen);
                        to = mission_flight_ask(&s.flight, &s.seen);
                        follow(&s, &to);
                        s.seen.t_ns += TICK_NS;
                }
                ck_assert_double_eq_tol(s.flight.watch[s.flight.at].from_ned_m.y,
                                        anticlockwise ? 5.0 : -5.0, 0.3);
                mission_flight_close(&s.flight);
        }
}

TEST(a_place_that_was_missed_is_none_to_leave_from)
{
        struct staged s = { 0 };

        stage_stop(&s, MISSION_WAYPOINT, 100.0, 5.0, 0.0);
        stage_stop(&s, MISSION_WAYPOINT, 0.0, 5.0, 0.0);
        stage_open(&s);
        s.seen.armed = s.deaf = true;
        s.seen.pos_ned_m = (struct vec3){ -20.0, 0.0, -5.0 };
        while (s.flight.at == 0) {
                mission_flight_step(&s.flight, &s.seen);
                s.seen.t_ns += TICK_NS;
        }
        ck_assert_double_eq(s.flight.watch[s.flight.at].from_ned_m.x, -20.0);
        mission_flight_close(&s.flight);
}

/* It turned 2 m before the first place, which it counted as reached, and flies to the second. */
TEST_EACH(a_place_that_its_firmware_passed_over_is_missed_and_the_next_is_judged, 2)
{
        struct staged s = { 0 };
        bool says_reached = _i;

        stage_stop(&s, MISSION_WAYPOINT, 10.0, 5.0, 0.0);
        stage_stop(&s, MISSION_WAYPOINT, 0.0, 5.0, 0.0);
        stage_open(&s);
        s.seen.armed = true;
        for (int i = 0; i < 2000; i++) {
                double north_m = i < 400 ? 0.02 * i : fmax(8.0 - 0.02 * (i - 400), 0.0);

                s.seen.pos_ned_m = (struct vec3){ north_m, 0.0, -5.0 };
                s.seen.flies_item = says_reached ? -1 : i >= 400;
                s.seen.reached_item = says_reached && i >= 400 ? 0 : -1;
                mission_flight_step(&s.flight, &s.seen);
                s.seen.t_ns += TICK_NS;
        }
        ck_assert_int_eq(s.flight.row[0].outcome, MISSION_UNMET);
        ck_assert_str_eq(s.flight.row[0].why,
                         "its firmware went on without having been there");
        ck_assert_double_eq_tol(s.flight.row[0].error_m, 2.0, 0.03);
        ck_assert_int_eq(s.flight.row[1].outcome, MISSION_MET);
        mission_flight_close(&s.flight);
}

/* A place each 0.5 s, the second of which it passes by: its neighbours are judged at their own times. */
TEST(one_missed_among_places_close_by_is_one_missed)
{
        struct staged s = { 0 };

        for (int i = 0; i < STOPS_MAX; i++)
                stage_stop(&s, MISSION_WAYPOINT, 4.0 * (i + 1), 5.0, 0.0);
        s.route.home_ned_m.z = -5.0;
        stage_open(&s);
        s.seen.armed = true;
        for (; s.seen.t_ns < 10000000000; s.seen.t_ns += TICK_NS) {
                double north_m = 8.0 * (double)s.seen.t_ns / NS_PER_S;

                s.seen.pos_ned_m =
                        (struct vec3){ north_m, fabs(north_m - 8.0) < 2.0 ? 1.5 : 0.0,
                                       -5.0 };
                s.seen.flies_item = (int)fmin(north_m / 4.0, STOPS_MAX - 1.0);
                mission_flight_step(&s.flight, &s.seen);
        }
        for (int i = 0; i < STOPS_MAX; i++) {
                const struct mission_row *row = &s.flight.row[i];

                ck_assert_int_eq(row->outcome, i == 1 ? MISSION_UNMET : MISSION_MET);
                if (i != 1) /* 1 m before the place, at 8 m/s */
                        ck_assert_double_eq_tol((double)row->reached_ns / NS_PER_S,
                                                0.5 * i + 0.375, 0.02);
        }
        ck_assert_double_eq_tol(s.flight.row[1].error_m, 1.5, 1e-9);
        mission_flight_close(&s.flight);
}

/* Its firmware says of each item that it is reached as soon as it begins. */
TEST(a_hold_and_a_landing_are_not_over_because_its_firmware_says_so)
{
        struct staged s = { 0 };

        stage_stop(&s, MISSION_WAYPOINT, 0.0, 5.0, 20.0);
        stage_stop(&s, MISSION_RETURN, 0.0, 0.0, 0.0);
        stage_open(&s);
        s.seen.armed = true;
        for (int i = 0; i < 4500; i++) {
                bool down = i >= 4000;

                s.seen.pos_ned_m = (struct vec3){ 0.0, 0.0, down ? 0.0 : -5.0 };
                s.seen.grounded = down;
                s.seen.armed = !down;
                s.seen.reached_item = i < 1 ? -1 : s.flight.at;
                mission_flight_step(&s.flight, &s.seen);
                s.seen.t_ns += TICK_NS;
        }
        ck_assert_int_eq(s.flight.row[0].outcome, MISSION_MET);
        ck_assert_double_eq(s.flight.row[0].held_s, 20.0);
        ck_assert_int_eq(s.flight.row[1].outcome, MISSION_MET);
        mission_flight_close(&s.flight);
}

TEST(items_are_reached_in_their_order)
{
        struct staged s = { 0 };

        stage_stop(&s, MISSION_WAYPOINT, 10.0, 5.0, 0.0);
        stage_stop(&s, MISSION_WAYPOINT, 0.0, 5.0, 0.0);
        stage_open(&s);
        s.seen.armed = s.deaf = true;
        s.seen.pos_ned_m.z = -5.0;
        for (; s.seen.t_ns < 10000000000; s.seen.t_ns += TICK_NS)
                mission_flight_step(&s.flight, &s.seen);
        /* It has been at the second place all the time. */
        ck_assert_int_eq(s.flight.at, 0);
        ck_assert(s.flight.row[1].asked_ns < 0);
        mission_flight_close(&s.flight);
}

TEST(a_hold_that_is_broken_begins_anew)
{
        struct staged s = { 0 };

        stage_stop(&s, MISSION_WAYPOINT, 0.0, 5.0, 4.0);
        stage_stop(&s, MISSION_WAYPOINT, 50.0, 5.0, 0.0);
        stage_open(&s);
        s.seen.armed = true;
        for (int i = 0; i < 900; i++) {
                s.seen.pos_ned_m = (struct vec3){ i == 200 ? 3.0 : 0.0, 0.0, -5.0 };
                mission_flight_step(&s.flight, &s.seen);
                s.seen.t_ns += TICK_NS;
        }
        ck_assert_int_eq(s.flight.row[0].outcome, MISSION_MET);
        ck_assert_double_eq_tol((double)s.flight.row[1].asked_ns / NS_PER_S, 6.01, 0.02);
        mission_flight_close(&s.flight);
}

TEST(a_fence_is_kept_all_the_way_or_not)
{
        struct staged s = { 0 };
        struct route_fence fence[] = {
                { .command = MISSION_FENCE_POLYGON_INSIDE, 3, 0.0, -5.0, -5.0 },
                { .command = MISSION_FENCE_POLYGON_INSIDE, 0, 0.0, -5.0, 5.0 },
                { .command = MISSION_FENCE_POLYGON_INSIDE, 0, 0.0, 30.0, 0.0 },
                { .command = MISSION_FENCE_CIRCLE_OUTSIDE, 0, 2.0, 5.0, 0.0 },
        };
        struct vec3 home = { 0.0, 0.0, 0.0 }, there = { 10.0, 0.0, -5.0 },
                    away = { 40.0, 0.0, 0.0 };

        s.route.fences = 3;
        s.route.fence = fence;
        stage_square(&s);
        fly(&s, 1000.0);
        ck_assert_int_eq(mission_flight_tally(&s.flight).met, 4);
        mission_flight_close(&s.flight);
        ck_assert_ptr_null(route_fence_crossed(&s.route, home, there));
        ck_assert_ptr_nonnull(route_fence_breached(&s.route, away));
        memset(&s, 0, sizeof s);
        s.route.fences = 4;
        s.route.fence = fence;
        stage_square(&s);
        fly(&s, 1000.0);
        ck_assert_int_eq(mission_flight_tally(&s.flight).unmet, 1);
        ck_assert_str_eq(s.flight.breach, "inside a circle that it is to stay out of");
        ck_assert_ptr_nonnull(route_fence_crossed(&s.route, home, there));
        mission_flight_close(&s.flight);
}

TEST(a_way_that_leaves_the_fence_between_its_ends_is_found)
{
        /* A square with a notch of 2 cm, 100 m long. */
        struct route_fence fence[] = {
                { .command = MISSION_FENCE_POLYGON_INSIDE, 7, 0.0, -100.0, -100.0 },
                { .north_m = -100.0, .east_m = -0.01 },
                { .north_m = 0.0, .east_m = 0.0 },
                { .north_m = -100.0, .east_m = 0.01 },
                { .north_m = -100.0, .east_m = 100.0 },
                { .north_m = 100.0, .east_m = 100.0 },
                { .north_m = 100.0, .east_m = -100.0 },
        };
        struct route r = { .fences = 7, .fence = fence };
        struct vec3 west = { -50.0, -90.0, 0.0 }, east = { -50.0, 90.0, 0.0 },
                    north = { 50.0, 90.0, 0.0 };

        ck_assert_ptr_null(route_fence_breached(&r, west));
        ck_assert_ptr_null(route_fence_breached(&r, east));
        ck_assert_str_eq(route_fence_crossed(&r, west, east),
                         "outside a polygon that it is to stay in");
        ck_assert_ptr_null(route_fence_crossed(&r, east, north));
}
