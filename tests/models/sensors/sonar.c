/* Sonars: what the cone meets and how far away it says that is, also beside what real sonars measured,
 * and its noise. */
#include "tests/models/sensors/sonar_stage.h"
#include "tests/suites.h"

/* A single ray. */

FIXTURE(set_up, NULL)

TEST(level_range_is_the_height)
{
        for (double h = 0.2; h < 2.65; h += 0.01) {
                struct sonar_sample s = measure(h, level());

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, h, 1e-12);
        }
}

TEST(tilted_range_is_along_the_ray)
{
        for (double angle = -0.49; angle < 0.5; angle += 0.02) {
                struct sonar_sample s = measure(1.5, rolled(angle));

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, 1.5 / cos(angle), 1e-12);
        }
}

TEST(surface_hit_too_obliquely_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(0.51));

        ck_assert(measure(1.5, rolled(0.49)).echo);
        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
        ck_assert(!measure(1.5, rolled(-0.51)).echo);
        ck_assert(!measure(1.5, quat_from_euler(0.4, 0.4, 0.0)).echo);
}

TEST(upside_down_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(M_PI));

        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
}

/* Between the cap and the end of the beam it hears an echo that it does not report. */
TEST(reading_is_capped_before_the_beam_ends)
{
        ck_assert_double_eq_tol(measure(2.64, level()).range_m, 2.64, 1e-12);
        ck_assert_double_eq(measure(2.66, level()).range_m, 2.65);
        ck_assert(measure(2.66, level()).echo);
        ck_assert_double_eq(measure(7.6, level()).range_m, 2.65);
        ck_assert(measure(7.6, level()).echo);
        ck_assert_double_eq(measure(7.7, level()).range_m, 2.65);
        ck_assert(!measure(7.7, level()).echo);
}

TEST(beam_shorter_than_the_cap_is_what_silence_reads)
{
        unit->beam_max_m = 2.0;
        ck_assert_double_eq(measure(2.5, level()).range_m, 2.0);
        ck_assert(!measure(2.5, level()).echo);
}

TEST(landed_sonar_reads_its_minimum)
{
        ck_assert_double_eq(measure(0.05, level()).range_m, 0.2);
        ck_assert(measure(0.05, level()).echo);
        /* Pressed into the ground. */
        ck_assert_double_eq(measure(-0.01, level()).range_m, 0.2);
}

TEST(lever_arm_moves_the_sensor)
{
        unit->lever_arm_body_m = (struct vec3){ 0.0, 0.1, 0.05 };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.45, 1e-12);
        /* Rolled right by 0.3: y goes down with the sine, z with the cosine. */
        ck_assert_double_eq_tol(measure(1.5, rolled(0.3)).range_m,
                                (1.5 - 0.1 * sin(0.3) - 0.05 * cos(0.3)) / cos(0.3),
                                1e-12);
}

TEST(slanted_axis_sees_the_ground_ahead)
{
        unit->axis_body = (struct vec3){ sin(0.4), 0.0, cos(0.4) };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5 / cos(0.4), 1e-12);
        /* Nose down by 0.4, the beam points straight down. */
        ck_assert_double_eq_tol(measure(1.5, quat_from_euler(0.0, -0.4, 0.0)).range_m,
                                1.5, 1e-12);
}

/* The cone. */

TEST(rays_fill_the_cone_and_no_more)
{
        cone_ahead(30.0);
        unit->axis_body = (struct vec3){ 0.6, 0.0, 0.8 };
        for (unit->rays = 2; unit->rays <= SONAR_RAYS_MAX; unit->rays++) {
                const struct vec3 *ray = unit->ray_body;
                double least = 1.0;

                sonar_params_prepare(&params);
                ck_assert_double_eq(vec3_dot(ray[0], unit->axis_body), 1.0);
                for (int i = 0; i < unit->rays; i++) {
                        ck_assert_double_eq_tol(vec3_norm(ray[i]), 1.0, 1e-14);
                        least = fmin(least, vec3_dot(ray[i], unit->axis_body));
                }
                ck_assert_double_eq_tol(least, cos(15.0 * DEG), 1e-14);
        }
}

/* As long as the wall's foot is in the cone, its distance is the reading, wherever rays are. */
TEST(cone_reads_the_nearest_point_of_a_plane)
{
        unit->opening_rad = 30.0 * DEG;
        for (double angle = 0.0; angle < 15.0; angle += 0.7)
                ck_assert_double_eq_tol(measure(1.5, rolled(angle * DEG)).range_m, 1.5,
                                        1e-12);
        for (double angle = 15.1; angle < 40.0; angle += 0.7)
                ck_assert_double_eq_tol(measure(1.5, rolled(angle * DEG)).range_m,
                                        1.5 / cos((angle - 15.0) * DEG), 1e-12);
}

TEST(how_many_rays_there_are_does_not_change_a_plane)
{
        unit->opening_rad = 30.0 * DEG;
        for (unit->rays = 2; unit->rays <= SONAR_RAYS_MAX; unit->rays += 7)
                ck_assert_double_eq_tol(measure(1.5, rolled(12.0 * DEG)).range_m, 1.5,
                                        1e-12);
}

TEST(plane_is_lost_where_its_nearest_point_in_the_cone_is_too_oblique)
{
        unit->opening_rad = 30.0 * DEG;
        unit->incidence_max_rad = 20.0 * DEG;
        ck_assert(measure(1.5, rolled(34.9 * DEG)).echo);
        ck_assert(!measure(1.5, rolled(35.1 * DEG)).echo);
}

/* Two floors: the higher one wins as soon as it reaches into the cone. */
TEST(cone_sees_a_block_beside_the_axis)
{
        double edge_m = 2.0 * tan(15.0 * DEG);

        cone_ahead(30.0);
        unit->rays = SONAR_RAYS_MAX;
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        for (int inside = 0; inside < 2; inside++) {
                double from_m = edge_m + (inside ? -0.15 : 0.02);

                box[0] = wall(4.5, 0.0, 0.0, (struct vec3){ 0.5, 9.0, 9.0 });
                box[1] = wall(2.0 + 0.2, from_m + 1.0, 0.0,
                              (struct vec3){ 0.2, 1.0, 1.0 });
                build(2);
                if (inside)
                        ck_assert_double_lt(reading(0).range_m, 2.3);
                else
                        ck_assert_double_eq_tol(reading(0).range_m, 4.0, 1e-12);
        }
}

TEST(wall_of_a_scene_reads_its_perpendicular_distance)
{
        cone_ahead(30.0);
        for (double yaw = -14.0; yaw < 14.5; yaw += 3.5) {
                wall_ahead(3.0, yaw * DEG);
                ck_assert_double_eq_tol(reading(0).range_m, 3.0 * cos(yaw * DEG), 1e-9);
        }
}

/* Other vehicles. */

TEST(other_vehicle_in_the_cone_is_met_at_its_hull)
{
        cone_ahead(30.0);
        for (double angle = -14.9; angle < 15.0; angle += 2.1) {
                ball_at(angle, 2.0, 0.3);
                ck_assert_double_eq_tol(reading(0).range_m, 1.7, 1e-12);
        }
}

/* Its edge is asin(0.1/2) = 2.87 degrees beside its centre. */
TEST(opening_angle_decides_what_is_seen)
{
        double edge_deg = asin(0.1 / 2.0) / DEG;

        cone_ahead(30.0);
        ball_at(15.0 + edge_deg - 0.01, 2.0, 0.1);
        ck_assert(reading(0).echo);
        ck_assert_double_eq_tol(reading(0).range_m, sqrt(4.0 - 0.01), 0.01);
        ball_at(15.0 + edge_deg + 0.01, 2.0, 0.1);
        ck_assert(!reading(0).echo);
        ball_at(180.0, 2.0, 0.1);
        ck_assert(!reading(0).echo);
}

TEST(other_vehicle_behind_a_wall_is_hidden)
{
        cone_ahead(30.0);
        ball_at(0.0, 3.0, 0.3);
        wall_ahead(2.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 2.0, 1e-12);
        wall_ahead(5.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 2.7, 1e-12);
}

TEST(inside_another_vehicle_the_minimum_is_read)
{
        cone_ahead(30.0);
        ball_at(100.0, 0.1, 0.3);
        ck_assert_double_eq(reading(0).range_m, 0.2);
}

/* Mixed reality. */

TEST(nearer_of_real_and_virtual_is_read)
{
        real_range_m[0] = 1.0;
        ck_assert_double_eq(measure(1.5, level()).range_m, 1.0);
        ck_assert_double_eq_tol(measure(0.7, level()).range_m, 0.7, 1e-12);
        ck_assert_double_eq(measure(50.0, level()).range_m, 1.0);
        ck_assert(measure(50.0, level()).echo);
        real_range_m[0] = 0.1;
        ck_assert_double_eq(measure(1.5, level()).range_m, 0.2);
}

TEST(senseless_real_reading_is_not_believed)
{
        static const double senseless[] = { NAN, -1.0, INFINITY, 9.0 };

        for (int i = 0; i < 4; i++) {
                real_range_m[0] = senseless[i];
                ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5, 1e-12);
                ck_assert(!measure(50.0, level()).echo);
        }
        exposure.real_range_m = NULL;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5, 1e-12);
}

/* Noise. */

TEST(noise_does_not_depend_on_the_echoes)
{
        struct sonar other;
        struct sonar_sample a, b;

        sonar_init(&ring, &params, 1, 0);
        other = ring;
        unit->range.sigma[0] = 0.01;
        for (int i = 0; i < 7; i++) {
                measure(50.0, level());
                measure(1.0, level());
                sonar_step(&other, &params, 0, &exposure, &b);
                sonar_step(&other, &params, 0, &exposure, &b);
        }
        a = measure(1.0, level());
        sonar_step(&other, &params, 0, &exposure, &b);
        ck_assert_double_eq(a.range_m, b.range_m);
}

TEST(silence_is_not_noisy)
{
        unit->range.sigma[0] = 0.5;
        for (int i = 0; i < 100; i++) {
                struct sonar_sample s = measure(50.0, level());

                ck_assert(!s.echo);
                ck_assert_double_eq(s.range_m, 2.65);
        }
}

TEST(noise_and_rounding_act_on_the_echo)
{
        const int n = 50000;
        double sum = 0.0, square = 0.0;

        sonar_init(&ring, &params, 1, 0);
        unit->range.sigma[0] = 0.02;
        unit->range.lsb = 0.001;
        for (int i = 0; i < n; i++) {
                double error = measure(1.5, level()).range_m - 1.5;

                sum += error;
                square += error * error;
        }
        ck_assert_double_lt(fabs(sum / n), 4.0 * 0.02 / sqrt(n));
        ck_assert_double_eq_tol(square / n / (0.02 * 0.02), 1.0, 4.0 * sqrt(2.0 / n));
}

/* A unit's noise is its own, however many there are beside it. */
TEST(units_of_a_ring_have_noise_of_their_own)
{
        struct sonar_sample first[2];

        for (int count = 1; count <= 2; count++) {
                params.count = count;
                ideal_unit(&params.unit[1], down);
                unit->range.sigma[0] = params.unit[1].range.sigma[0] = 0.01;
                sonar_init(&ring, &params, 1, 0);
                first[count - 1] = measure(1.5, level());
        }
        ck_assert_double_eq(first[0].range_m, first[1].range_m);
        ck_assert_double_ne(reading(1).range_m, first[1].range_m);
}
