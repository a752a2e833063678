/* Sonars: what the cone meets and how loud it comes back, how far a unit hears and how far it
 * reports, and what it hears of others. */
#include <check.h>
#include <string.h>

#include "hil/config_sonar.h"
#include "models/sensors/sonar.h"

#define DEG (3.14159265358979323846 / 180.0)
#define MS  INT64_C(1000000)

#define BOXES 3

static struct sonar_params params;
static struct sonar_unit_params *const unit = &params.unit[0];
static struct sonar ring;
static struct body_state body;
static struct neighbours others;
static double real_range_m[SONARS_MAX];
static struct world world;
static struct surface surface[1];
static struct solid box[BOXES];
static struct scene_node node[SCENE_NODES(BOXES)];
static struct scene scene;
static struct exposure exposure;

static const struct vec3 forward = { 1.0, 0.0, 0.0 }, down = { 0.0, 0.0, 1.0 };

static void ideal_unit(struct sonar_unit_params *u, struct vec3 axis)
{
        *u = (struct sonar_unit_params){ .schedule = { .period_ns = 50 * MS },
                                         .axis_body = axis,
                                         .rays = 25,
                                         .beam_max_m = 7.65,
                                         .incidence_max_rad = 0.5 };
        error_params_ideal(&u->range);
        u->range.min = 0.2;
        u->range.max = 2.65;
}

/* FINken report 3.1.1: a beam of 7.65 m, readings up to 2.65 m. */
static void set_up(void)
{
        params.count = 1;
        ideal_unit(unit, down);
        others.count = 0;
        surface[0] = (struct surface){ .sound_reflection = 1.0 };
        world = (struct world){
                .ground = { .sound_reflection = 1.0 },
                .atmosphere = { 101325.0, 293.15 },
        };
        for (int i = 0; i < SONARS_MAX; i++)
                real_range_m[i] = INFINITY;
        exposure = (struct exposure){ .world = &world,
                                      .others = &others,
                                      .body = &body,
                                      .real_range_m = real_range_m };
}

static struct sonar_sample reading(int i)
{
        struct sonar_sample sample;

        sonar_params_prepare(&params);
        sonar_step(&ring, &params, i, &exposure, &sample);
        return sample;
}

static struct sonar_sample measure(double height_m, struct quat q_body_to_ned)
{
        body = (struct body_state){ .pos_ned_m = { 3.0, 4.0, -height_m },
                                    .q_body_to_ned = q_body_to_ned };
        return reading(0);
}

static struct quat level(void)
{
        return (struct quat){ 1.0, 0.0, 0.0, 0.0 };
}

static struct quat rolled(double angle_rad)
{
        return quat_from_euler(angle_rad, 0.0, 0.7);
}

/* Full boxes, turned about the vertical; the ground is out of the way. */
static void build(int boxes)
{
        world.ground_down_m = 1000.0;
        ck_assert(scene_build(&scene, box, boxes, node, surface, 1));
        world.scene = &scene;
}

static struct solid wall(double north_m, double east_m, double yaw_rad,
                         struct vec3 half_m)
{
        double c = cos(yaw_rad), s = sin(yaw_rad);

        return (struct solid){ .shape = SOLID_BOX,
                               .pos_ned_m = { north_m, east_m, 0.0 },
                               .axes_to_ned = { { c, -s, 0 }, { s, c, 0 }, { 0, 0, 1 } },
                               .size_m = half_m };
}

/* A large wall whose face is so far ahead and turned so much away. */
static void wall_ahead(double face_m, double yaw_rad)
{
        box[0] = wall(face_m + 0.5 * cos(yaw_rad), 0.5 * sin(yaw_rad), yaw_rad,
                      (struct vec3){ 0.5, 100.0, 100.0 });
        build(1);
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
}

static void cone_ahead(double opening_deg)
{
        ideal_unit(unit, forward);
        unit->opening_rad = opening_deg * DEG;
        unit->range.max = unit->beam_max_m;
}

/* A single ray. */

START_TEST(level_range_is_the_height)
{
        for (double h = 0.2; h < 2.65; h += 0.01) {
                struct sonar_sample s = measure(h, level());

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, h, 1e-12);
        }
}
END_TEST

START_TEST(tilted_range_is_along_the_ray)
{
        for (double angle = -0.49; angle < 0.5; angle += 0.02) {
                struct sonar_sample s = measure(1.5, rolled(angle));

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, 1.5 / cos(angle), 1e-12);
        }
}
END_TEST

START_TEST(surface_hit_too_obliquely_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(0.51));

        ck_assert(measure(1.5, rolled(0.49)).echo);
        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
        ck_assert(!measure(1.5, rolled(-0.51)).echo);
        ck_assert(!measure(1.5, quat_from_euler(0.4, 0.4, 0.0)).echo);
}
END_TEST

START_TEST(upside_down_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(M_PI));

        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
}
END_TEST

/* Between the cap and the end of the beam it hears an echo that it does not report. */
START_TEST(reading_is_capped_before_the_beam_ends)
{
        ck_assert_double_eq_tol(measure(2.64, level()).range_m, 2.64, 1e-12);
        ck_assert_double_eq(measure(2.66, level()).range_m, 2.65);
        ck_assert(measure(2.66, level()).echo);
        ck_assert_double_eq(measure(7.6, level()).range_m, 2.65);
        ck_assert(measure(7.6, level()).echo);
        ck_assert_double_eq(measure(7.7, level()).range_m, 2.65);
        ck_assert(!measure(7.7, level()).echo);
}
END_TEST

START_TEST(beam_shorter_than_the_cap_is_what_silence_reads)
{
        unit->beam_max_m = 2.0;
        ck_assert_double_eq(measure(2.5, level()).range_m, 2.0);
        ck_assert(!measure(2.5, level()).echo);
}
END_TEST

START_TEST(landed_sonar_reads_its_minimum)
{
        ck_assert_double_eq(measure(0.05, level()).range_m, 0.2);
        ck_assert(measure(0.05, level()).echo);
        /* Pressed into the ground. */
        ck_assert_double_eq(measure(-0.01, level()).range_m, 0.2);
}
END_TEST

START_TEST(lever_arm_moves_the_sensor)
{
        unit->lever_arm_body_m = (struct vec3){ 0.0, 0.1, 0.05 };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.45, 1e-12);
        /* Rolled right by 0.3: y goes down with the sine, z with the cosine. */
        ck_assert_double_eq_tol(measure(1.5, rolled(0.3)).range_m,
                                (1.5 - 0.1 * sin(0.3) - 0.05 * cos(0.3)) / cos(0.3),
                                1e-12);
}
END_TEST

START_TEST(slanted_axis_sees_the_ground_ahead)
{
        unit->axis_body = (struct vec3){ sin(0.4), 0.0, cos(0.4) };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5 / cos(0.4), 1e-12);
        /* Nose down by 0.4, the beam points straight down. */
        ck_assert_double_eq_tol(measure(1.5, quat_from_euler(0.0, -0.4, 0.0)).range_m,
                                1.5, 1e-12);
}
END_TEST

/* The cone. */

START_TEST(rays_fill_the_cone_and_no_more)
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
END_TEST

/* As long as the wall's foot is in the cone, its distance is the reading, wherever rays are. */
START_TEST(cone_reads_the_nearest_point_of_a_plane)
{
        unit->opening_rad = 30.0 * DEG;
        for (double angle = 0.0; angle < 15.0; angle += 0.7)
                ck_assert_double_eq_tol(measure(1.5, rolled(angle * DEG)).range_m, 1.5,
                                        1e-12);
        for (double angle = 15.1; angle < 40.0; angle += 0.7)
                ck_assert_double_eq_tol(measure(1.5, rolled(angle * DEG)).range_m,
                                        1.5 / cos((angle - 15.0) * DEG), 1e-12);
}
END_TEST

START_TEST(how_many_rays_there_are_does_not_change_a_plane)
{
        unit->opening_rad = 30.0 * DEG;
        for (unit->rays = 2; unit->rays <= SONAR_RAYS_MAX; unit->rays += 7)
                ck_assert_double_eq_tol(measure(1.5, rolled(12.0 * DEG)).range_m, 1.5,
                                        1e-12);
}
END_TEST

START_TEST(plane_is_lost_where_its_nearest_point_in_the_cone_is_too_oblique)
{
        unit->opening_rad = 30.0 * DEG;
        unit->incidence_max_rad = 20.0 * DEG;
        ck_assert(measure(1.5, rolled(34.9 * DEG)).echo);
        ck_assert(!measure(1.5, rolled(35.1 * DEG)).echo);
}
END_TEST

/* Two floors: the higher one wins as soon as it reaches into the cone. */
START_TEST(cone_sees_a_block_beside_the_axis)
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
END_TEST

START_TEST(wall_of_a_scene_reads_its_perpendicular_distance)
{
        cone_ahead(30.0);
        for (double yaw = -14.0; yaw < 14.5; yaw += 3.5) {
                wall_ahead(3.0, yaw * DEG);
                ck_assert_double_eq_tol(reading(0).range_m, 3.0 * cos(yaw * DEG), 1e-9);
        }
}
END_TEST

/* Other vehicles. */

static void ball_at(double off_axis_deg, double range_m, double radius_m)
{
        world.ground_down_m = 1000.0;
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        others.count = 1;
        others.at[0].pos_ned_m = (struct vec3){ range_m * cos(off_axis_deg * DEG),
                                                range_m * sin(off_axis_deg * DEG), 0.0 };
        others.at[0].radius_m = radius_m;
}

START_TEST(other_vehicle_in_the_cone_is_met_at_its_hull)
{
        cone_ahead(30.0);
        for (double angle = -14.9; angle < 15.0; angle += 2.1) {
                ball_at(angle, 2.0, 0.3);
                ck_assert_double_eq_tol(reading(0).range_m, 1.7, 1e-12);
        }
}
END_TEST

/* Its edge is asin(0.1/2) = 2.87 degrees beside its centre. */
START_TEST(opening_angle_decides_what_is_seen)
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
END_TEST

START_TEST(other_vehicle_behind_a_wall_is_hidden)
{
        cone_ahead(30.0);
        ball_at(0.0, 3.0, 0.3);
        wall_ahead(2.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 2.0, 1e-12);
        wall_ahead(5.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 2.7, 1e-12);
}
END_TEST

START_TEST(inside_another_vehicle_the_minimum_is_read)
{
        cone_ahead(30.0);
        ball_at(100.0, 0.1, 0.3);
        ck_assert_double_eq(reading(0).range_m, 0.2);
}
END_TEST

/* How loud it is. */

/* Farthest wall that is heard. */
static double hearing_m(void)
{
        double near_m = 0.1, far_m = 200.0;

        while (far_m - near_m > 1e-9) {
                double m = 0.5 * (near_m + far_m);

                wall_ahead(m, 0.0);
                if (reading(0).echo)
                        near_m = m;
                else
                        far_m = m;
        }
        return near_m;
}

static void loud(double margin_db, double absorption_dbpm)
{
        cone_ahead(30.0);
        unit->beam_max_m = 300.0;
        unit->margin_db = margin_db;
        unit->absorption_dbpm = absorption_dbpm;
}

START_TEST(without_absorption_20_db_are_ten_times_the_distance)
{
        loud(20.0, 0.0);
        ck_assert_double_eq_tol(hearing_m(), 10.0, 1e-6);
        loud(40.0, 0.0);
        ck_assert_double_eq_tol(hearing_m(), 100.0, 1e-6);
}
END_TEST

START_TEST(absorption_takes_its_decibels_there_and_back)
{
        double r;

        loud(35.0, 1.3);
        r = hearing_m();
        ck_assert_double_eq_tol(35.0 - 20.0 * log10(r) - 2.0 * 1.3 * (r - 1.0), 0.0,
                                1e-6);
        /* rig_configs/parts/sonar_mb1232.json: the data sheet's range. */
        ck_assert_double_eq_tol(r, 7.65, 0.02);
}
END_TEST

START_TEST(soft_surface_is_heard_less_far)
{
        loud(20.0, 0.0);
        surface[0].sound_reflection = 0.25;
        ck_assert_double_eq_tol(hearing_m(), 2.5, 1e-6);
        surface[0].sound_reflection = 0.0;
        wall_ahead(0.5, 0.0);
        ck_assert(!reading(0).echo);
}
END_TEST

/* A mirror turned away by the cone's half angle is met on the edge: half the power, both ways. */
START_TEST(edge_of_the_cone_hears_six_decibels_less)
{
        double straight, slanted;

        loud(26.0, 0.0);
        straight = hearing_m();
        loud(20.0, 0.0);
        unit->incidence_max_rad = 1e-3;
        unit->axis_body = (struct vec3){ cos(15.0 * DEG), sin(15.0 * DEG), 0.0 };
        slanted = hearing_m();
        ck_assert_double_eq_tol(straight / slanted, pow(10.0, 12.0 / 20.0), 1e-5);
}
END_TEST

START_TEST(weak_echo_from_near_leaves_the_strong_one_from_behind)
{
        loud(30.0, 0.0);
        ball_at(0.0, 2.0, 0.01);
        wall_ahead(4.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 4.0, 1e-9);
        others.at[0].radius_m = 0.5;
        ck_assert_double_eq_tol(reading(0).range_m, 1.5, 1e-9);
}
END_TEST

/* ISO 9613-1:1993, 6.2 to 6.4: what sound of f Hz loses in air of 101325 Pa. */
static double iso_9613_db_per_m(double f, double t_k, double humidity)
{
        double saturation = pow(10.0, -6.8346 * pow(273.16 / t_k, 1.261) + 4.6151);
        double h = 100.0 * humidity * saturation, rel = t_k / 293.15;
        double oxygen = 24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h);
        double nitrogen = 9.0 + 280.0 * h * exp(-4.170 * (pow(rel, -1.0 / 3.0) - 1.0));
        double o = 0.01275 * exp(-2239.1 / t_k) / (oxygen + f * f / oxygen);
        double n;

        nitrogen /= sqrt(rel);
        n = 0.1068 * exp(-3352.0 / t_k) / (nitrogen + f * f / nitrogen);
        return 8.686 * f * f * (1.84e-11 * sqrt(rel) + pow(rel, -2.5) * (o + n));
}

/* 1.3 is the default of absorption_db_per_m. */
START_TEST(default_absorption_is_that_of_42_khz_at_room_temperature)
{
        /* ISO 9613-1, table 1: 10 kHz (exactly 10^4), 20 degrees, 50 %: 159 dB/km. */
        ck_assert_double_eq_tol(iso_9613_db_per_m(1e4, 293.15, 0.5), 0.159, 0.002);
        ck_assert_double_eq_tol(iso_9613_db_per_m(42e3, 293.15, 0.5), 1.3, 0.1);
        ck_assert_double_eq_tol(iso_9613_db_per_m(42e3, 288.15, 0.7), 1.3, 0.1);
}
END_TEST

/* Temperature. */

START_TEST(speed_of_sound_is_that_of_an_ideal_gas)
{
        for (double t_k = 230.0; t_k < 320.0; t_k += 5.0)
                ck_assert_double_eq_tol(sonar_speed_of_sound_mps(t_k),
                                        sqrt(1.4 * 287.05287 * t_k), 0.05);
}
END_TEST

START_TEST(part_without_a_thermometer_is_off_by_the_speed_of_sound)
{
        unit->assumed_mps = 344.83;
        world.atmosphere.sea_level_temperature_k = 273.15;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5 * 344.83 / 331.3,
                                1e-4);
        /* 6.5 K a kilometre: MaxBotix' 20.05 sqrt(T) is the speed up there too. */
        world.origin.height_m = 3000.0;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m,
                                1.5 * 344.83 / (20.05 * sqrt(273.15 - 19.5)), 5e-4);
        unit->assumed_mps = 0.0;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5, 1e-12);
}
END_TEST

/* Cross-talk. */

/* Two forward, side by side in front of a wall; the second pings later. */
static void pair_at_wall(double apart_m, double wall_m, int64_t later_ns)
{
        params.count = 2;
        for (int i = 0; i < 2; i++) {
                ideal_unit(&params.unit[i], forward);
                params.unit[i].opening_rad = 60.0 * DEG;
                params.unit[i].range.max = 7.65;
                params.unit[i].crosstalk = true;
                params.unit[i].lever_arm_body_m.y = (i - 0.5) * apart_m;
        }
        params.unit[1].schedule.phase_ns = later_ns;
        wall_ahead(wall_m, 0.0);
}

static double heard_by(int i)
{
        exposure.t_ns = 1000 * MS + params.unit[i].schedule.phase_ns;
        return reading(i).range_m;
}

START_TEST(later_ping_hears_the_earlier_one_by_the_mirror_path)
{
        double c_mps = sonar_speed_of_sound_mps(293.15);

        for (double apart_m = 0.1; apart_m < 1.0; apart_m += 0.3) {
                for (int64_t later_ms = 2; later_ms < 12; later_ms += 3) {
                        double path_m = sqrt(4.0 * 3.0 * 3.0 + apart_m * apart_m);
                        double late_m = c_mps * 1e-3 * (double)later_ms;

                        pair_at_wall(apart_m, 3.0, later_ms * MS);
                        ck_assert_double_eq_tol(heard_by(1), 0.5 * (path_m - late_m),
                                                1e-6);
                        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
                }
        }
}
END_TEST

/* The own echo has the shorter way. */
START_TEST(at_the_same_time_the_own_echo_comes_first)
{
        pair_at_wall(0.3, 3.0, 0);
        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}
END_TEST

/* 2 x 3 m take 17.5 ms; a wall that scatters would throw back more from farther out. */
START_TEST(after_the_others_echo_has_passed_nothing_is_heard_of_it)
{
        pair_at_wall(0.3, 3.0, 18 * MS);
        params.unit[1].incidence_max_rad = 1e-3;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}
END_TEST

/* 14.57 ms before it pings again, 17.5 after: 2.9 ms are left, 0.5 m. */
START_TEST(ping_of_the_period_before_is_heard_too)
{
        pair_at_wall(0.3, 3.0, 0);
        params.unit[0].schedule.period_ns = params.unit[1].schedule.period_ns = 15 * MS;
        exposure.t_ns = 1500 * MS;
        ck_assert_double_lt(reading(0).range_m, 0.6);
        ck_assert_double_gt(reading(0).range_m, 0.4);
}
END_TEST

START_TEST(cones_that_do_not_meet_do_not_talk)
{
        pair_at_wall(0.3, 3.0, 5 * MS);
        for (int i = 0; i < 2; i++)
                params.unit[i].opening_rad = 2.0 * DEG;
        params.unit[1].lever_arm_body_m.y = 1.0;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}
END_TEST

START_TEST(unit_without_crosstalk_neither_hears_nor_is_heard)
{
        pair_at_wall(0.3, 3.0, 5 * MS);
        params.unit[0].crosstalk = false;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
        params.unit[0].crosstalk = true;
        params.unit[1].crosstalk = false;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
        params.unit[1].crosstalk = true;
        ck_assert_double_lt(heard_by(1), 2.5);
}
END_TEST

/* One ear looks along a wall that shows it nothing, and hears what its neighbour sent there. */
START_TEST(foreign_echo_comes_where_there_is_none_of_ones_own)
{
        pair_at_wall(0.2, 3.0, 0);
        for (int i = 0; i < 2; i++)
                params.unit[i].incidence_max_rad = 1e-3;
        params.unit[0].axis_body = (struct vec3){ cos(0.3), -sin(0.3), 0.0 };
        params.unit[1].axis_body = (struct vec3){ cos(0.3), sin(0.3), 0.0 };
        params.unit[0].opening_rad = params.unit[1].opening_rad = 0.64;
        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
        /* Turned so far out that the wall's foot leaves the cone; the mirror point is nearer in. */
        params.unit[0].opening_rad = params.unit[1].opening_rad = 0.56;
        params.unit[0].lever_arm_body_m.y = 0.15;
        params.unit[1].lever_arm_body_m.y = -0.15;
        ck_assert_double_eq_tol(heard_by(0), 0.5 * sqrt(36.0 + 0.09), 1e-6);
}
END_TEST

/* Mixed reality. */

START_TEST(nearer_of_real_and_virtual_is_read)
{
        real_range_m[0] = 1.0;
        ck_assert_double_eq(measure(1.5, level()).range_m, 1.0);
        ck_assert_double_eq_tol(measure(0.7, level()).range_m, 0.7, 1e-12);
        ck_assert_double_eq(measure(50.0, level()).range_m, 1.0);
        ck_assert(measure(50.0, level()).echo);
        real_range_m[0] = 0.1;
        ck_assert_double_eq(measure(1.5, level()).range_m, 0.2);
}
END_TEST

START_TEST(senseless_real_reading_is_not_believed)
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
END_TEST

/* Noise. */

START_TEST(noise_does_not_depend_on_the_echoes)
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
END_TEST

START_TEST(silence_is_not_noisy)
{
        unit->range.sigma[0] = 0.5;
        for (int i = 0; i < 100; i++) {
                struct sonar_sample s = measure(50.0, level());

                ck_assert(!s.echo);
                ck_assert_double_eq(s.range_m, 2.65);
        }
}
END_TEST

START_TEST(noise_and_rounding_act_on_the_echo)
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
END_TEST

/* A unit's noise is its own, however many there are beside it. */
START_TEST(units_of_a_ring_have_noise_of_their_own)
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
END_TEST

/* From the vehicle file. */

static struct config_error why;

/* `text` holds the keys "sonar" and "sonars" as the object "sensors" of a vehicle does. */
static bool read_keys(const char *text)
{
        struct sonars_file file = { .listed = 0 };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        const struct json *first = json_member(root, "sonar");
        const struct json *list = json_member(root, "sonars");
        bool ok = root != NULL;

        if (ok && first != NULL)
                ok = config_table_read(&config_sonar_table, first, &file.first, NULL,
                                       &why);
        for (; ok && json_item(list, file.listed) != NULL; file.listed++)
                ok = config_table_read(&config_sonar_listed_table,
                                       json_item(list, file.listed),
                                       &file.list[file.listed], NULL, &why);
        memset(&params, 0, sizeof params);
        ok = ok && config_build_sonars(&params, &file, root, &why);
        json_free(root);
        return ok;
}

#define REQUIRED "\"rate_hz\":20,\"beam_max_m\":4,\"reported_max_m\":4"

/* Micklisch 34: psi = 2 pi i/c + 2 pi/(2 c), y forward and x to the right: l cos psi, l sin psi. */
START_TEST(ring_stands_where_micklisch_puts_it)
{
        ck_assert_msg(read_keys("{\"sonars\":[{" REQUIRED ",\"lever_arm_m\":[1,2,3],"
                                "\"ring\":{\"count\":12,\"radius_m\":0.25}}]}"),
                      "%s", why.text);
        ck_assert_int_eq(params.count, 12);
        for (int i = 0; i < 12; i++) {
                const struct sonar_unit_params *u = &params.unit[i];
                double psi_rad = (15.0 + 30.0 * i) * DEG;

                ck_assert_double_eq_tol(u->axis_body.x, cos(psi_rad), 1e-12);
                ck_assert_double_eq_tol(u->axis_body.y, sin(psi_rad), 1e-12);
                ck_assert_double_eq_tol(u->axis_body.z, 0.0, 1e-12);
                ck_assert_double_eq_tol(u->lever_arm_body_m.x, 1.0 + 0.25 * cos(psi_rad),
                                        1e-12);
                ck_assert_double_eq_tol(u->lever_arm_body_m.y, 2.0 + 0.25 * sin(psi_rad),
                                        1e-12);
                ck_assert_double_eq(u->lever_arm_body_m.z, 3.0);
                ck_assert_int_eq(u->schedule.phase_ns, 50 * MS * i / 12);
                ck_assert(u->crosstalk);
        }
}
END_TEST

START_TEST(ring_that_is_not_staggered_pings_at_once)
{
        ck_assert(read_keys("{\"sonars\":[{" REQUIRED ",\"phase_us\":7000,\"crosstalk\":"
                            "false,\"ring\":{\"count\":3,\"stagger\":false}}]}"));
        for (int i = 0; i < 3; i++) {
                ck_assert_int_eq(params.unit[i].schedule.phase_ns, 7 * MS);
                ck_assert(!params.unit[i].crosstalk);
        }
}
END_TEST

START_TEST(the_single_sonar_is_the_first_and_talks_to_nobody)
{
        ck_assert_msg(read_keys("{\"sonars\":[{" REQUIRED
                                ",\"ring\":{\"count\":2}},{" REQUIRED
                                ",\"axis\":[0.5,0,0]}],\"sonar\":{" REQUIRED "}}"),
                      "%s", why.text);
        ck_assert_int_eq(params.count, 4);
        ck_assert_double_eq(params.unit[0].axis_body.z, 1.0);
        ck_assert(!params.unit[0].crosstalk);
        ck_assert(params.unit[1].crosstalk);
        ck_assert_double_eq(params.unit[3].axis_body.x, 1.0);
        /* Nothing that a small file does not ask for. */
        ck_assert_double_eq(params.unit[0].opening_rad, 0.0);
        ck_assert_double_eq(params.unit[0].margin_db, 0.0);
        ck_assert_double_eq(params.unit[0].assumed_mps, 0.0);
}
END_TEST

START_TEST(numbers_beside_a_part_replace_its_own)
{
        const struct sonar_unit_params *u = params.unit;

        ck_assert_msg(
                read_keys("{\"sonar\":{\"rate_hz\":20,\"reported_max_m\":2.65,\"part\":{"
                          "\"opening_deg\":30,\"beam_max_m\":7.65,\"reported_max_m\":"
                          "7.65,\"lsb_m\":0.01}}}"),
                "%s", why.text);
        ck_assert_double_eq(u->beam_max_m, 7.65);
        ck_assert_double_eq_tol(u->range.max, 2.65, 1e-12);
        ck_assert_double_eq(u->range.lsb, 0.01);
        ck_assert_double_eq_tol(u->opening_rad, 30.0 * DEG, 1e-12);
        ck_assert_int_eq(u->rays, 25);
}
END_TEST

/* What is read, and what is said of it. */
static const char *const wrong[][2] = {
        { "{\"sonar\":{" REQUIRED ",\"axis\":[0,0,0]}}",
          "x: sonar.axis: must have a direction" },
        { "{\"sonar\":{" REQUIRED ",\"reported_min_m\":4}}",
          "x: sonar.reported_min_m: must be less than reported_max_m, which is 4" },
        { "{\"sonar\":{" REQUIRED ",\"phase_us\":50000}}",
          "x: sonar.phase_us: must be less than the period, which is 50000" },
        { "{\"sonars\":[{" REQUIRED "},{" REQUIRED ",\"ring\":{\"count\":16}}]}",
          "x: sonars.1: must leave at most 16 sonars, with it there are 17" },
        { "{\"sonars\":[{" REQUIRED ",\"ring\":{\"count\":17}}]}",
          "x: sonars.0.ring.count: must be" },
        { "{\"sonars\":[{" REQUIRED ",\"rays\":65}]}", "x: sonars.0.rays: must be" },
        { "{\"sonar\":{" REQUIRED ",\"ring\":{\"count\":2}}}",
          "x: sonar.ring: unknown key" },
        { "{\"sonar\":{\"rate_hz\":20}}",
          "x: sonar.beam_max_m: is required, and missing" },
};

START_TEST(wrong_sonars_are_refused_by_their_key)
{
        ck_assert(!read_keys(wrong[_i][0]));
        ck_assert_msg(strncmp(why.text, wrong[_i][1], strlen(wrong[_i][1])) == 0, "%s",
                      why.text);
}
END_TEST

static void add_all(TCase *tc)
{
        tcase_add_test(tc, level_range_is_the_height);
        tcase_add_test(tc, tilted_range_is_along_the_ray);
        tcase_add_test(tc, surface_hit_too_obliquely_sends_no_echo);
        tcase_add_test(tc, upside_down_sends_no_echo);
        tcase_add_test(tc, reading_is_capped_before_the_beam_ends);
        tcase_add_test(tc, beam_shorter_than_the_cap_is_what_silence_reads);
        tcase_add_test(tc, landed_sonar_reads_its_minimum);
        tcase_add_test(tc, lever_arm_moves_the_sensor);
        tcase_add_test(tc, slanted_axis_sees_the_ground_ahead);
        tcase_add_test(tc, rays_fill_the_cone_and_no_more);
        tcase_add_test(tc, cone_reads_the_nearest_point_of_a_plane);
        tcase_add_test(tc, how_many_rays_there_are_does_not_change_a_plane);
        tcase_add_test(tc,
                       plane_is_lost_where_its_nearest_point_in_the_cone_is_too_oblique);
        tcase_add_test(tc, cone_sees_a_block_beside_the_axis);
        tcase_add_test(tc, wall_of_a_scene_reads_its_perpendicular_distance);
        tcase_add_test(tc, other_vehicle_in_the_cone_is_met_at_its_hull);
        tcase_add_test(tc, opening_angle_decides_what_is_seen);
        tcase_add_test(tc, other_vehicle_behind_a_wall_is_hidden);
        tcase_add_test(tc, inside_another_vehicle_the_minimum_is_read);
        tcase_add_test(tc, without_absorption_20_db_are_ten_times_the_distance);
        tcase_add_test(tc, absorption_takes_its_decibels_there_and_back);
        tcase_add_test(tc, soft_surface_is_heard_less_far);
        tcase_add_test(tc, edge_of_the_cone_hears_six_decibels_less);
        tcase_add_test(tc, weak_echo_from_near_leaves_the_strong_one_from_behind);
        tcase_add_test(tc, default_absorption_is_that_of_42_khz_at_room_temperature);
        tcase_add_test(tc, speed_of_sound_is_that_of_an_ideal_gas);
        tcase_add_test(tc, part_without_a_thermometer_is_off_by_the_speed_of_sound);
        tcase_add_test(tc, later_ping_hears_the_earlier_one_by_the_mirror_path);
        tcase_add_test(tc, at_the_same_time_the_own_echo_comes_first);
        tcase_add_test(tc, after_the_others_echo_has_passed_nothing_is_heard_of_it);
        tcase_add_test(tc, ping_of_the_period_before_is_heard_too);
        tcase_add_test(tc, cones_that_do_not_meet_do_not_talk);
        tcase_add_test(tc, unit_without_crosstalk_neither_hears_nor_is_heard);
        tcase_add_test(tc, foreign_echo_comes_where_there_is_none_of_ones_own);
        tcase_add_test(tc, nearer_of_real_and_virtual_is_read);
        tcase_add_test(tc, senseless_real_reading_is_not_believed);
        tcase_add_test(tc, noise_does_not_depend_on_the_echoes);
        tcase_add_test(tc, silence_is_not_noisy);
        tcase_add_test(tc, noise_and_rounding_act_on_the_echo);
        tcase_add_test(tc, units_of_a_ring_have_noise_of_their_own);
        tcase_add_test(tc, ring_stands_where_micklisch_puts_it);
        tcase_add_test(tc, ring_that_is_not_staggered_pings_at_once);
        tcase_add_test(tc, the_single_sonar_is_the_first_and_talks_to_nobody);
        tcase_add_test(tc, numbers_beside_a_part_replace_its_own);
        tcase_add_loop_test(tc, wrong_sonars_are_refused_by_their_key, 0,
                            (int)(sizeof(wrong) / sizeof(wrong[0])));
}

int main(void)
{
        Suite *suite = suite_create("sonar");
        TCase *tc = tcase_create("sonar");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_checked_fixture(tc, set_up, NULL);
        add_all(tc);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
