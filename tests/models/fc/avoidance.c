/* The ring of sonars and both methods of avoiding obstacles, with obstacles at every bearing and every
 * heading of the vehicle. */
#include <math.h>

#include "models/fc/option.h"

#include "tests/suites.h"

#define DEG (M_PI / 180.0)

static const struct sonar_ring_params ring = {
        .first = 1, .count = 12, .first_angle_rad = 15.0 * DEG, .silent_s = 0.3
};
static const struct avoid_states_params states = {
        .near_m = 1.5, .far_m = 1.5, .slow_ratio = 0.4, .leash_m = 1.5
};
static const struct avoid_levels_params levels = {
        .front_m = 1.5, .sides_m = 4.0, .leash_m = 1.0, .arrived_m = 0.5
};

/* All of them heard, and nothing echoes. */
static struct sonar_ring empty(void)
{
        struct sonar_ring r;
        struct sensor_frame frame = { .fresh_sonars = 0xfffe };

        sonar_ring_init(&r);
        sonar_ring_hear(&r, &ring, &frame, 0.05);
        return r;
}

/* Range of a disc of radius 0.3 m at `centre` for the i-th, with a cone of 30 degrees, level. */
static double range_of(struct vec3 centre, struct vec3 pos, double yaw_rad, int i)
{
        struct vec3 to = vec3_sub(centre, pos);
        double off = sonar_ring_between_rad(yaw_rad + sonar_ring_angle_rad(&ring, i),
                                            atan2(to.y, to.x));

        return off < 15.001 * DEG ? vec3_norm(to) - 0.3 : INFINITY;
}

static struct sonar_ring hearing(struct vec3 centre, struct vec3 pos, double yaw_rad)
{
        struct sonar_ring r = empty();

        for (int i = 0; i < ring.count; i++)
                r.range_m[i] = range_of(centre, pos, yaw_rad, i);
        return r;
}

TEST(without_a_ring_avoiding_is_refused)
{
        struct fc_params given = { 0 }, p = given;
        static struct fc fc;

        ck_assert(!fc_option(&fc, &p, &given, "avoidance_law", "states"));
        ck_assert(fc_option(&fc, &p, &given, "avoidance_law", "off"));
        p.sonar_ring = ring;
        ck_assert(fc_option(&fc, &p, &given, "avoidance_law", "levels"));
        ck_assert_int_eq(p.law.avoidance, AVOIDANCE_LEVELS);
}

TEST(the_ring_looks_where_34_says)
{
        for (int i = 0; i < 12; i++)
                ck_assert_double_eq_tol(sonar_ring_angle_rad(&ring, i),
                                        2.0 * M_PI * i / 12.0 + M_PI / 12.0, 1e-12);
}

/* As printed (algorithm 7), 359 and 1 degrees are 358 apart. */
TEST(toward_a_direction_its_neighbours_count_also_across_north)
{
        ck_assert_double_eq_tol(sonar_ring_between_rad(359.0 * DEG, 1.0 * DEG), 2.0 * DEG,
                                1e-12);
        for (int deg = -720; deg <= 720; deg++) {
                struct sonar_ring r = empty();
                double nearest_m = INFINITY;

                for (int i = 0; i < 12; i++) {
                        double off = sonar_ring_between_rad(
                                sonar_ring_angle_rad(&ring, i), deg * DEG);

                        r.range_m[i] = off < 29.9 * DEG ? 1.0 + 0.1 * i : 0.1;
                        if (off < 29.9 * DEG)
                                nearest_m = fmin(nearest_m, 1.0 + 0.1 * i);
                }
                ck_assert_double_eq(sonar_ring_toward_m(&r, &ring, deg * DEG), nearest_m);
        }
}

TEST(it_hears_its_own_sonars_and_forgets_silent_ones)
{
        struct sensor_frame frame = { .fresh_sonars = 1U << 3 };
        struct sonar_ring r = empty();

        frame.sonar[3] = (struct sonar_sample){ .range_m = 2.5, .echo = true };
        sonar_ring_hear(&r, &ring, &frame, 0.2);
        ck_assert_double_eq(sonar_ring_range_m(&r, &ring, 2), 2.5);
        ck_assert(isinf(sonar_ring_range_m(&r, &ring, 0)));
        sonar_ring_hear(&r, &ring, &frame, 0.2);
        ck_assert(isnan(sonar_ring_range_m(&r, &ring, 0)));
        frame.sonar[3].range_m = NAN;
        sonar_ring_hear(&r, &ring, &frame, 0.0);
        ck_assert_double_eq(r.range_m[2], 2.5);
}

TEST(the_states_are_those_of_38)
{
        ck_assert_int_eq(avoid_states_at(&states, 1.49), AVOID_DANGEROUS);
        ck_assert_int_eq(avoid_states_at(&states, 1.5), AVOID_CLOSE);
        ck_assert_int_eq(avoid_states_at(&states, 2.99), AVOID_CLOSE);
        ck_assert_int_eq(avoid_states_at(&states, 3.0), AVOID_SAFE);
        ck_assert_int_eq(avoid_states_at(&states, INFINITY), AVOID_SAFE);
        ck_assert_int_eq(avoid_states_at(&states, NAN), AVOID_CLOSE);
}

static double away_from(struct vec3 a, struct vec3 b)
{
        return hypot(a.x - b.x, a.y - b.y);
}

/* As printed (algorithm 4), an obstacle behind and a command ahead lead into the obstacle. */
TEST(danger_leads_away_from_the_obstacle_wherever_it_is_and_the_command_goes)
{
        const struct vec3 pos = { 3.0, -2.0, -5.0 };

        for (int at = 0; at < 360; at += 10)
                for (int to = 0; to < 360; to += 10)
                        for (int yaw = -180; yaw < 180; yaw += 40) {
                                struct vec3 thing = { pos.x + 1.2 * cos(at * DEG),
                                                      pos.y + 1.2 * sin(at * DEG),
                                                      pos.z };
                                struct vec3 asked = { pos.x + 8.0 * cos(to * DEG),
                                                      pos.y + 8.0 * sin(to * DEG), -7.0 };
                                struct sonar_ring r = hearing(thing, pos, yaw * DEG);
                                struct vec3 next = avoid_states_step(
                                        &states, &ring, &r, asked, pos, yaw * DEG);
                                struct vec3 way = vec3_sub(next, pos);

                                ck_assert(away_from(next, thing) > 1.2);
                                ck_assert(hypot(way.x, way.y) >=
                                          states.near_m - 0.9 - 1e-9);
                                ck_assert_double_eq(next.z, -7.0);
                        }
}

TEST(close_goes_the_same_way_more_slowly_and_safe_changes_nothing)
{
        struct vec3 pos = { 0.0, 0.0, -5.0 }, asked = { 0.5, 0.0, -6.0 };
        struct sonar_ring r = empty();
        struct vec3 next = avoid_states_step(&states, &ring, &r, asked, pos, 1.0);

        ck_assert_double_eq(next.x, 0.5);
        r.range_m[5] = 2.0;
        next = avoid_states_step(&states, &ring, &r, asked, pos, 1.0);
        ck_assert_double_eq_tol(next.x, 0.4 * 0.5, 1e-12);
        ck_assert_double_eq(next.z, -6.0);
        asked.x = 100.0;
        next = avoid_states_step(&states, &ring, &r, asked, pos, 1.0);
        ck_assert_double_eq_tol(next.x, 0.4 * states.leash_m, 1e-12);
}

TEST(a_silent_sonar_slows_the_states_and_stops_the_levels)
{
        struct vec3 pos = { 0.0, 0.0, -5.0 }, asked = { 10.0, 0.0, -5.0 };
        struct sonar_ring r = empty();

        r.age_s[0] = 1.0;
        ck_assert_double_eq_tol(avoid_states_step(&states, &ring, &r, asked, pos, 0.0).x,
                                0.6, 1e-12);
        ck_assert_double_eq_tol(avoid_levels_step(&levels, &ring, &r, asked, pos, 0.0).x,
                                0.0, 1e-12);
        /* Behind it, the levels do not look. */
        ck_assert_double_eq_tol(avoid_levels_step(&levels, &ring, &r, asked, pos, M_PI).x,
                                1.0, 1e-12);
}

TEST(the_levels_stop_before_what_is_in_front_at_every_bearing_and_heading)
{
        const struct vec3 pos = { -1.0, 4.0, -5.0 };

        for (int to = 0; to < 360; to += 5)
                for (int yaw = -180; yaw < 180; yaw += 20) {
                        struct vec3 asked = { pos.x + 9.0 * cos(to * DEG),
                                              pos.y + 9.0 * sin(to * DEG), -5.0 };
                        struct vec3 thing = { pos.x + 1.6 * cos(to * DEG),
                                              pos.y + 1.6 * sin(to * DEG), -5.0 };
                        struct sonar_ring r = hearing(thing, pos, yaw * DEG);
                        struct vec3 next = avoid_levels_step(&levels, &ring, &r, asked,
                                                             pos, yaw * DEG);

                        ck_assert_double_eq_tol(away_from(next, pos), 0.0, 1e-9);
                        r = empty();
                        next = avoid_levels_step(&levels, &ring, &r, asked, pos,
                                                 yaw * DEG);
                        ck_assert_double_eq_tol(away_from(next, pos), 1.0, 1e-9);
                        ck_assert_double_eq_tol(
                                vec3_dot(vec3_sub(next, pos), vec3_sub(asked, pos)), 9.0,
                                1e-9);
                }
}

/* As printed (algorithm 9) the push changes its side where the commanded x is negative, and the
 * commanded position is turned about the world's origin. */
TEST(the_levels_push_to_the_middle_whatever_the_way_and_wherever_the_vehicle_is)
{
        for (int to = 0; to < 360; to += 5)
                for (int yaw = -180; yaw < 180; yaw += 20) {
                        struct vec3 pos = { 20.0 * sin(to), -30.0, -5.0 };
                        struct vec3 ahead = { cos(to * DEG), sin(to * DEG), 0.0 };
                        struct vec3 right = { -ahead.y, ahead.x, 0.0 };
                        struct vec3 asked = vec3_axpy(pos, 7.0, ahead), way;
                        struct sonar_ring r = empty();

                        for (int i = 0; i < 12; i++) {
                                double at = yaw * DEG + sonar_ring_angle_rad(&ring, i);

                                if (fabs(sin(at - to * DEG)) > 0.8)
                                        r.range_m[i] =
                                                sin(at - to * DEG) > 0.0 ? 2.6 : 1.2;
                        }
                        way = vec3_sub(avoid_levels_step(&levels, &ring, &r, asked, pos,
                                                         yaw * DEG),
                                       pos);
                        ck_assert_double_eq_tol(vec3_dot(way, right), 0.7, 1e-9);
                }
}

TEST(one_wall_alone_or_one_too_far_away_pushes_nowhere)
{
        struct vec3 pos = { 0.0, 0.0, -5.0 }, asked = { 10.0, 0.0, -5.0 };
        struct sonar_ring r = empty();

        r.range_m[2] = 2.0;
        ck_assert_double_eq_tol(avoid_levels_step(&levels, &ring, &r, asked, pos, 0.0).y,
                                0.0, 1e-12);
        r.range_m[8] = 4.1;
        ck_assert_double_eq_tol(avoid_levels_step(&levels, &ring, &r, asked, pos, 0.0).y,
                                0.0, 1e-12);
        r.range_m[8] = 3.0;
        ck_assert_double_eq_tol(avoid_levels_step(&levels, &ring, &r, asked, pos, 0.0).y,
                                -0.5, 1e-12);
}

/* A vehicle that follows its position law at no more than 1 m/s, asked to fly through an obstacle that
 * stands anywhere on the way. Nearest distance to its surface. */
static double fly_at(double bearing_rad, double yaw_rad, bool by_levels, double beside_m)
{
        struct vec3 ahead = { cos(bearing_rad), sin(bearing_rad), 0.0 };
        struct vec3 right = { -ahead.y, ahead.x, 0.0 };
        struct vec3 thing = vec3_axpy(vec3_scale(6.0, ahead), beside_m, right);
        struct vec3 asked = vec3_scale(12.0, ahead), pos = { 0.0, 0.0, 0.0 }, next, v;
        double least_m = INFINITY;

        for (int k = 0; k < 3000; k++) {
                struct sonar_ring r = hearing(thing, pos, yaw_rad);
                double speed;

                next = by_levels ? avoid_levels_step(&levels, &ring, &r, asked, pos,
                                                     yaw_rad)
                                 : avoid_states_step(&states, &ring, &r, asked, pos,
                                                     yaw_rad);
                v = vec3_scale(0.7, vec3_sub(next, pos));
                speed = vec3_norm(v);
                pos = vec3_axpy(pos, speed > 1.0 ? 0.01 / speed : 0.01, v);
                least_m = fmin(least_m, vec3_norm(vec3_sub(thing, pos)) - 0.3);
        }
        return least_m;
}

TEST(neither_method_flies_into_an_obstacle_at_any_bearing)
{
        for (int at = 0; at < 360; at += 15)
                for (int yaw = 0; yaw < 360; yaw += 65) {
                        ck_assert(fly_at(at * DEG, yaw * DEG, false, 0.0) > 1.3);
                        ck_assert(fly_at(at * DEG, yaw * DEG, true, 0.0) > 1.3);
                        ck_assert(fly_at(at * DEG, yaw * DEG, false, 0.6) > 1.3);
                        ck_assert(fly_at(at * DEG, yaw * DEG, true, 0.4) > 1.3);
                }
}
