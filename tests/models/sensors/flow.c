/* Optical flow: what a camera over the ground sees of turning and of moving. */
#include <math.h>

#include "models/sensors/flow.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct flow_params params;
static struct flow flow;
static struct world world;
static struct body_state body;
static struct exposure exposure;

static const struct quat level = { 1.0, 0.0, 0.0, 0.0 };

static void set_up(void)
{
        params = (struct flow_params){
                .schedule.period_ns = 10 * MS,
                .q_body_to_sensor = level,
                .range_min_m = 0.08,
                .range_max_m = 30.0,
                .incidence_max_rad = 1.0,
                .rate_max_radps = 100.0,
                .quality_min = 1,
                .scale = { 1.0, 1.0 },
                .has_gyro = true,
        };
        error_params_ideal(&params.gyro);
        world = (struct world){ .ground.texture = 1.0 };
        body = (struct body_state){ .pos_ned_m = { 0.0, 0.0, -2.0 },
                                    .q_body_to_ned = level };
        exposure = (struct exposure){ .world = &world, .body = &body };
        flow_init(&flow, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static struct flow_sample look_at(int64_t t_ns)
{
        struct flow_sample sample = { .t_ns = t_ns };

        exposure.t_ns = t_ns;
        flow_step(&flow, &params, &exposure, &sample);
        return sample;
}

/* From one pose to another in an interval. */
static struct flow_sample see_move(struct vec3 from_m, struct quat from, struct vec3 to_m,
                                   struct quat to, int64_t interval_ns)
{
        flow_init(&flow, &params, 1, 0);
        body.pos_ned_m = from_m;
        body.q_body_to_ned = from;
        look_at(0);
        body.pos_ned_m = to_m;
        body.q_body_to_ned = to;
        return look_at(interval_ns);
}

static const struct vec3 at_2m = { 0.0, 0.0, -2.0 };

TEST(the_first_sample_covers_no_time)
{
        struct flow_sample s = look_at(5 * MS);

        ck_assert_int_eq(s.interval_ns, 0);
        ck_assert_int_eq(s.quality, 0);
        ck_assert_double_eq(s.flow_x_rad, 0.0);
        ck_assert_double_eq(s.gyro_x_rad, 0.0);
        ck_assert_int_eq(s.t_ns, 5 * MS);
}

TEST(at_rest_nothing_moves)
{
        look_at(0);
        for (int64_t t_ns = 10 * MS; t_ns < 1000 * MS; t_ns += 10 * MS) {
                struct flow_sample s = look_at(t_ns);

                ck_assert_int_eq(s.interval_ns, 10 * MS);
                ck_assert_int_eq(s.quality, 255);
                ck_assert_double_eq(s.flow_x_rad, 0.0);
                ck_assert_double_eq(s.flow_y_rad, 0.0);
                ck_assert_double_eq(s.gyro_x_rad, 0.0);
                ck_assert_double_eq(s.gyro_y_rad, 0.0);
        }
}

TEST(moving_is_distance_over_height)
{
        for (double h = 0.1; h < 25.0; h *= 1.7) {
                struct vec3 from_m = { 3.0, -1.0, -h };
                struct vec3 to_m = { 3.05, -0.98, -h };
                struct flow_sample s = see_move(from_m, level, to_m, level, 10 * MS);

                ck_assert_double_eq_tol(s.flow_x_rad, -0.02 / h, 1e-12);
                ck_assert_double_eq_tol(s.flow_y_rad, 0.05 / h, 1e-12);
                ck_assert_double_eq(s.gyro_x_rad, 0.0);
        }
}

/* MAVLink OPTICAL_FLOW_RAD: a right-handed turn about an axis gives a positive flow about
 * it; moving towards +x a positive one about y, towards +y a negative one about x. */
TEST(signs_are_mavlinks)
{
        struct vec3 forward_m = { 0.1, 0.0, -2.0 }, right_m = { 0.0, 0.1, -2.0 };
        struct flow_sample s;

        s = see_move(at_2m, level, forward_m, level, 10 * MS);
        ck_assert_double_gt(s.flow_y_rad, 0.0);
        ck_assert_double_eq(s.flow_x_rad, 0.0);
        s = see_move(at_2m, level, right_m, level, 10 * MS);
        ck_assert_double_lt(s.flow_x_rad, 0.0);
        ck_assert_double_eq(s.flow_y_rad, 0.0);
        s = see_move(at_2m, level, at_2m, quat_from_euler(0.02, 0.0, 0.0), 10 * MS);
        ck_assert_double_gt(s.flow_x_rad, 0.0);
        s = see_move(at_2m, level, at_2m, quat_from_euler(0.0, 0.02, 0.0), 10 * MS);
        ck_assert_double_gt(s.flow_y_rad, 0.0);
}

/* Where the camera is turned on the vehicle, its axes are what counts. */
TEST(mounting_turns_the_axes)
{
        struct vec3 forward_m = { 0.1, 0.0, -2.0 };
        struct flow_sample s;

        /* Its x points right: forward is towards its -y. */
        params.q_body_to_sensor = quat_conjugate(quat_from_euler(0.0, 0.0, M_PI / 2.0));
        s = see_move(at_2m, level, forward_m, level, 10 * MS);
        ck_assert_double_eq_tol(s.flow_x_rad, 0.05, 1e-12);
        ck_assert_double_eq_tol(s.flow_y_rad, 0.0, 1e-12);
}

TEST(turning_on_the_spot_is_what_the_gyroscope_says)
{
        for (double a = -0.3; a < 0.3; a += 0.07) {
                struct quat from = quat_from_euler(0.1, -0.2, 0.8);
                struct quat by = quat_from_euler(0.3 * a, -0.2 * a, a);
                struct flow_sample s =
                        see_move(at_2m, from, at_2m, quat_multiply(from, by), 20 * MS);

                ck_assert_double_eq_tol(s.flow_x_rad, s.gyro_x_rad, 1e-15);
                ck_assert_double_eq_tol(s.flow_y_rad, s.gyro_y_rad, 1e-15);
        }
}

/* A steady turn about one axis of the body, as long as half a turn and in either sign of
 * the quaternion. */
TEST(gyroscope_integrates_the_rate)
{
        for (double a = 1e-7; a < 3.0; a *= 3.1) {
                struct quat by = { cos(0.5 * a), 0.6 * sin(0.5 * a), -0.8 * sin(0.5 * a),
                                   0.0 };
                struct flow_sample s = see_move(at_2m, level, at_2m, by, 10 * MS), t;

                ck_assert_double_eq_tol(s.gyro_x_rad, 0.6 * a, 1e-14);
                ck_assert_double_eq_tol(s.gyro_y_rad, -0.8 * a, 1e-14);
                by = (struct quat){ -by.w, -by.x, -by.y, -by.z };
                t = see_move(at_2m, level, at_2m, by, 10 * MS);
                ck_assert_double_eq_tol(t.gyro_x_rad, s.gyro_x_rad, 1e-15);
        }
}

/* On an arm the camera moves when the body turns. */
TEST(lever_arm_adds_its_own_motion)
{
        const double a = 1e-3;
        struct flow_sample s;

        params.lever_arm_body_m = (struct vec3){ 0.5, 0.0, 0.0 };
        /* Turning right in place: the nose with the camera moves to +y by 0.5 m a. */
        s = see_move(at_2m, level, at_2m, quat_from_euler(0.0, 0.0, a), 10 * MS);
        ck_assert_double_eq_tol(s.flow_x_rad, -0.5 * a / 2.0, 1e-9);
        ck_assert_double_eq_tol(s.gyro_x_rad, 0.0, 1e-12);
}

/* Tilted, the axis is longer and the motion across it shorter: both by the cosine. */
TEST(tilt_stretches_the_distance)
{
        struct vec3 to_m = { 0.04, 0.0, -2.0 };

        for (double a = -0.8; a < 0.8; a += 0.1) {
                struct quat q = quat_from_euler(0.0, a, 0.0);
                struct flow_sample s = see_move(at_2m, q, to_m, q, 10 * MS);

                ck_assert_double_eq_tol(s.flow_y_rad, 0.02 * cos(a) * cos(a), 1e-12);
        }
}

/* A path that climbs, turns and weaves, sampled at a period: half a minute's angles. */
static void fly(int64_t period_ns, double sum[4])
{
        flow_init(&flow, &params, 1, 0);
        for (int i = 0; i < 4; i++)
                sum[i] = 0.0;
        for (int64_t t_ns = 0; t_ns <= 30000 * MS; t_ns += period_ns) {
                double t = 1e-9 * (double)t_ns;
                struct flow_sample s;

                body.pos_ned_m = (struct vec3){ 1.5 * t, 2.0 * sin(0.4 * t),
                                                -3.0 - 1.5 * sin(0.3 * t) };
                body.q_body_to_ned = quat_from_euler(
                        0.2 * sin(0.5 * t), 0.15 * cos(0.6 * t), 0.3 * sin(0.2 * t));
                s = look_at(t_ns);
                sum[0] += s.flow_x_rad;
                sum[1] += s.flow_y_rad;
                sum[2] += s.gyro_x_rad;
                sum[3] += s.gyro_y_rad;
        }
}

TEST(angles_add_up_to_the_same_at_every_rate)
{
        double fine[4], coarse[4], coarser[4];

        fly(1 * MS, fine);
        fly(20 * MS, coarse);
        fly(100 * MS, coarser);
        for (int i = 0; i < 4; i++) {
                ck_assert_double_eq_tol(coarse[i], fine[i], 1e-4);
                ck_assert_double_eq_tol(coarser[i], fine[i], 2e-3);
        }
        /* It did move. */
        ck_assert_double_gt(fabs(fine[1]), 5.0);
}

TEST(flow_less_gyroscope_gives_the_velocity)
{
        const double v = 1.2, h = 2.0;
        struct vec3 to_m = { v * 0.01, 0.0, -h };
        struct quat to = quat_from_euler(0.0, 0.03, 0.0);
        struct flow_sample s = see_move(at_2m, level, to_m, to, 10 * MS);

        ck_assert_double_eq_tol((s.flow_y_rad - s.gyro_y_rad) / 0.01 * h, v, 0.001);
}

static int quality_at(double height_m, double tilt_rad)
{
        struct vec3 at_m = { 0.0, 0.0, -height_m };
        struct quat q = quat_from_euler(tilt_rad, 0.0, 0.0);

        return see_move(at_m, q, at_m, q, 10 * MS).quality;
}

TEST(sees_only_within_its_range_and_tilt)
{
        ck_assert_int_eq(quality_at(0.079, 0.0), 0);
        ck_assert_int_eq(quality_at(0.081, 0.0), 255);
        ck_assert_int_eq(quality_at(29.9, 0.0), 255);
        ck_assert_int_eq(quality_at(30.1, 0.0), 0);
        ck_assert_int_eq(quality_at(2.0, 0.99), 255);
        ck_assert_int_eq(quality_at(2.0, 1.01), 0);
        ck_assert_int_eq(quality_at(2.0, M_PI), 0);
}

TEST(without_quality_there_is_no_flow_but_a_gyroscope)
{
        struct vec3 high_m = { 0.0, 0.0, -40.0 }, moved_m = { 1.0, 1.0, -40.0 };
        struct flow_sample s = see_move(high_m, level, moved_m,
                                        quat_from_euler(0.02, 0.0, 0.0), 10 * MS);

        ck_assert_int_eq(s.quality, 0);
        ck_assert_double_eq(s.flow_x_rad, 0.0);
        ck_assert_double_eq(s.flow_y_rad, 0.0);
        ck_assert_double_eq_tol(s.gyro_x_rad, 0.02, 1e-12);
        ck_assert_int_eq(s.interval_ns, 10 * MS);
}

/* Into sight between two samples: the first of them has nothing to compare with. */
TEST(both_ends_of_the_interval_must_be_in_sight)
{
        struct vec3 high_m = { 0.0, 0.0, -31.0 }, low_m = { 0.0, 0.0, -29.0 };

        ck_assert_int_eq(see_move(high_m, level, low_m, level, 10 * MS).quality, 0);
        ck_assert_int_eq(see_move(low_m, level, high_m, level, 10 * MS).quality, 0);
        body.pos_ned_m = low_m;
        look_at(20 * MS);
        ck_assert_int_eq(look_at(30 * MS).quality, 255);
}

TEST(quality_falls_with_texture_and_smear)
{
        struct vec3 to_m = { 0.06, 0.0, -2.0 };

        world.ground.texture = 0.5;
        ck_assert_int_eq(quality_at(2.0, 0.0), 128);
        world.ground.texture = 0.0;
        ck_assert_int_eq(quality_at(2.0, 0.0), 0);
        /* 0.03 rad in 10 ms: the rate at which it is halved. */
        world.ground.texture = 1.0;
        params.blur_radps = 3.0;
        ck_assert_int_eq(see_move(at_2m, level, to_m, level, 10 * MS).quality, 128);
        params.quality_min = 130;
        ck_assert_int_eq(see_move(at_2m, level, to_m, level, 10 * MS).quality, 0);
}

TEST(flow_saturates_at_its_rate)
{
        struct vec3 to_m = { 1.0, -1.0, -2.0 };
        struct flow_sample s;

        params.rate_max_radps = 7.4;
        s = see_move(at_2m, level, to_m, level, 10 * MS);
        ck_assert_double_eq_tol(s.flow_x_rad, 0.074, 1e-15);
        ck_assert_double_eq_tol(s.flow_y_rad, 0.074, 1e-15);
}

/* A drift of a tenth of a count a sample is not lost. */
TEST(counts_keep_what_they_round_off)
{
        const double count_rad = 1.0 / 385.0;
        double sum = 0.0;

        params.lsb_rad = count_rad;
        body.pos_ned_m = at_2m;
        look_at(0);
        for (int i = 1; i <= 1000; i++) {
                struct flow_sample s;

                body.pos_ned_m.x = 0.1 * count_rad * 2.0 * i;
                s = look_at(i * 10 * MS);
                ck_assert_double_eq_tol(remainder(s.flow_y_rad, count_rad), 0.0, 1e-15);
                sum += s.flow_y_rad;
        }
        ck_assert_double_eq_tol(sum, 100.0 * count_rad, 0.51 * count_rad);
}

TEST(scale_errors_are_of_the_flow_alone)
{
        struct flow_sample s;

        params.scale[0] = 1.1;
        params.scale[1] = 0.8;
        s = see_move(at_2m, level, at_2m, quat_from_euler(0.02, 0.0, 0.0), 10 * MS);
        ck_assert_double_eq_tol(s.flow_x_rad, 1.1 * s.gyro_x_rad, 1e-15);
        s = see_move(at_2m, level, at_2m, quat_from_euler(0.0, 0.02, 0.0), 10 * MS);
        ck_assert_double_eq_tol(s.flow_y_rad, 0.8 * s.gyro_y_rad, 1e-15);
}

/* Averages over n features: half the quality, sqrt(2) times the noise. */
TEST(noise_has_its_sigma_and_grows_with_less_texture)
{
        static const double texture[] = { 1.0, 0.5 };
        const int n = 50000;

        params.sigma_rad = 1e-3;
        for (int k = 0; k < 2; k++) {
                double xx = 0.0, yy = 0.0, xy = 0.0;

                world.ground.texture = texture[k];
                flow_init(&flow, &params, 4, 0);
                look_at(0);
                for (int i = 1; i <= n; i++) {
                        struct flow_sample s = look_at(i * 10 * MS);

                        xx += s.flow_x_rad * s.flow_x_rad * 1e6 / n;
                        yy += s.flow_y_rad * s.flow_y_rad * 1e6 / n;
                        xy += s.flow_x_rad * s.flow_y_rad * 1e6 / n;
                }
                ck_assert_double_eq_tol(xx * texture[k], 1.0, 4.0 * sqrt(2.0 / n));
                ck_assert_double_eq_tol(yy * texture[k], 1.0, 4.0 * sqrt(2.0 / n));
                ck_assert_double_lt(fabs(xy * texture[k]), 4.0 / sqrt(n));
        }
}

TEST(gyroscope_errors_are_of_the_mean_rate)
{
        const int n = 20000;
        double sum = 0.0, square = 0.0;

        params.gyro.bias[0] = 0.01;
        params.gyro.sigma[0] = 0.02;
        look_at(0);
        for (int i = 1; i <= n; i++) {
                double rate = look_at(i * 10 * MS).gyro_x_rad / 0.01;

                sum += rate / n;
                square += (rate - 0.01) * (rate - 0.01) / n;
        }
        ck_assert_double_eq_tol(sum, 0.01, 4.0 * 0.02 / sqrt(n));
        ck_assert_double_eq_tol(sqrt(square), 0.02, 0.0005);
}

TEST(without_a_gyroscope_its_angles_are_nan)
{
        struct flow_sample s;

        params.has_gyro = false;
        s = see_move(at_2m, level, (struct vec3){ 0.1, 0.0, -2.0 }, level, 10 * MS);
        ck_assert(isnan(s.gyro_x_rad) && isnan(s.gyro_y_rad));
        ck_assert_double_eq_tol(s.flow_y_rad, 0.05, 1e-12);
}

/* Sample n has noise n, whatever was in sight before. */
TEST(noise_does_not_depend_on_what_was_seen)
{
        struct flow other;

        params.sigma_rad = 1e-3;
        flow_init(&flow, &params, 8, 3);
        other = flow;
        for (int i = 0; i < 50; i++) {
                struct flow_sample blind, seeing;
                struct flow kept;

                body.pos_ned_m.z = i < 25 ? -100.0 : -2.0;
                blind = look_at(i * 10 * MS);
                kept = flow;
                flow = other;
                body.pos_ned_m.z = -2.0;
                seeing = look_at(i * 10 * MS);
                other = flow;
                flow = kept;
                if (i > 25)
                        ck_assert(blind.flow_x_rad == seeing.flow_x_rad);
                else
                        ck_assert_int_eq(blind.quality, 0);
        }
}

/* A plant that has blown up is not seen, and breaks nothing. */
TEST(nan_is_not_seen)
{
        struct vec3 nowhere_m = { NAN, NAN, NAN };
        struct flow_sample s = see_move(at_2m, level, nowhere_m, level, 10 * MS);

        ck_assert_int_eq(s.quality, 0);
}
