/* The codec's frames and a conversation with a board that answers as INAV 9.1.0 does. */
#include <math.h>

#include "tests/boards/inav_pair.h"
#include "tests/suites.h"

#define DEG 0.017453292519943295

static struct codec_setup in_dialect(const char *dialect)
{
        struct codec_setup setup = setup_quad;

        setup.dialect = dialect;
        return setup;
}

TEST(it_asks_who_the_board_is_and_says_so)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        pair_ticks(&p, 20);
        ck_assert_str_eq(p.report.name, "INAV 9.1.0, SITL, MSP 2.5");
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(no_frame_goes_out_before_it_has_been_on_for_6_s)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.uptime_s = 2;
        for (int ms = 0; ms < 5000; ms++) {
                p.board.uptime_s = (uint32_t)(2 + ms / 1000);
                pair_tick(&p, NULL);
                if (p.board.uptime_s < 6) {
                        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
                        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
                        ck_assert_int_eq(p.board.frames, 0);
                }
        }
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        ck_assert_int_gt(p.board.frames, 0);
        pair_end(&p);
}

TEST(without_an_uptime_the_first_answer_counts)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.no_uptime = true;
        pair_ticks(&p, 5500);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_ticks(&p, 1000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_ticks(&p, 3000);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

TEST(another_firmware_is_refused_in_words)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        memcpy(p.board.variant, "BTFL", 4);
        pair_ticks(&p, 2000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig),
                         "the board's firmware is BTFL, not INAV");
        ck_assert(p.report.refused);
        pair_end(&p);
}

TEST(a_version_that_it_refuses_is_told)
{
        static const int has[] = { 2, -1 };
        struct pair p;

        for (size_t k = 0; k < sizeof has / sizeof has[0]; k++) {
                pair_begin(&p, &setup_quad);
                p.board.simulator = has[k];
                pair_ticks(&p, 60);
                ck_assert_str_eq(p.rig->ops->complaint(p.rig),
                                 "INAV 9.1.0 refuses MSP_SIMULATOR version 3: set "
                                 "fc.dialect to \"v2\", or use a build that has it");
                ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
                ck_assert(p.report.refused);
                ck_assert_str_eq(p.text, p.rig->ops->complaint(p.rig));
                ck_assert_uint_eq(p.rig->counts.malformed, 0);
                /* The link is opened again, with another firmware behind it. */
                p.rig->ops->restart(p.rig);
                p.board.simulator = 3;
                pair_ticks(&p, 60);
                ck_assert(!p.report.refused);
                ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
                pair_end(&p);
        }
}

TEST(a_rig_that_is_too_slow_gets_no_frames_and_is_told)
{
        static const struct {
                int64_t period_us;
                int every;
        } rows[] = { { 500, 8 },  { 1000, 4 }, { 2000, 2 },  { 2500, 1 },
                     { 4000, 1 }, { 5000, 1 }, { 10000, 0 }, { 20000, 0 } };

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                struct codec_setup setup = setup_quad;
                struct pair p;

                setup.period_ns = rows[i].period_us * 1000;
                pair_begin(&p, &setup);
                for (int n = 0; n < 100; n++) {
                        p.rig->ops->poll(p.rig, p.t_ns += MS, &p.out);
                        pair_exchange(&p);
                }
                ck_assert_int_eq(p.rig->ops->frame_every(p.rig), rows[i].every);
                ck_assert_int_eq(p.rig->ops->complaint(p.rig)[0] != '\0',
                                 rows[i].every == 0);
                pair_end(&p);
        }
}

static void fill(struct sensor_frame *f)
{
        f->fresh = 0xFF;
        f->imu.accel_body_mps2 = (struct vec3){ 0.1 * 9.80665, 0.2 * 9.80665, -9.80665 };
        f->imu.gyro_body_radps = (struct vec3){ 10 * DEG, 20 * DEG, 30 * DEG };
        f->gps = (struct gps_sample){
                .lat_rad = 47.0707 * DEG,
                .lon_rad = -15.4395 * DEG,
                .height_m = 353.25,
                .vel_ned_mps = { 3.0, -4.0, -1.5 },
                .satellites = 12,
                .fix = GPS_FIX_3D,
        };
        f->baro.pressure_pa = 97123.4;
        f->mag.field_body_t = (struct vec3){ 3e-5, -4e-5, 0.0 };
        f->power = (struct power_sample){ .voltage_v = 16.42, .current_a = 12.34 };
        f->sonar[0] = (struct sonar_sample){ .range_m = 1.234, .echo = true };
}

/* Offsets from the fix on, as INAV's reader has them; forward, left, up. */
static void expect_body(const struct pair *p)
{
        ck_assert_int_eq(p->board.body[0], 2);
        ck_assert_int_eq(p->board.body[1], 12);
        ck_assert_int_eq(body_i32(p, 2), 470707000);
        ck_assert_int_eq(body_i32(p, 6), -154395000);
        ck_assert_int_eq(body_i32(p, 10), 35325);
        ck_assert_int_eq(body_i16(p, 14), 500);
        ck_assert_int_eq(body_i16(p, 16), 3069); /* atan2(-4, 3) */
        ck_assert_int_eq(body_i16(p, 18), 300);
        ck_assert_int_eq(body_i16(p, 20), -400);
        ck_assert_int_eq(body_i16(p, 22), -150);
        ck_assert_int_eq(body_i16(p, 30), 100);
        ck_assert_int_eq(body_i16(p, 32), -200);
        ck_assert_int_eq(body_i16(p, 34), 1000);
        ck_assert_int_eq(body_i16(p, 36), 160);
        ck_assert_int_eq(body_i16(p, 38), -320);
        ck_assert_int_eq(body_i16(p, 40), -480);
        ck_assert_int_eq(body_i32(p, 42), 97123);
        ck_assert_int_eq(body_i16(p, 46), 9600);
        ck_assert_int_eq(body_i16(p, 48), 12800);
        ck_assert_int_eq(body_i16(p, 50), 0);
        ck_assert_int_eq(p->board.body[52], 164);
}

TEST(version_3_has_every_field_at_its_place)
{
        struct pilot_input input = { .rc_us = { 1600, 1400, 1300, 1550 } };
        struct pair p;

        pair_ready(&p, &setup_quad);
        fill(&p.frame);
        pair_tick(&p, &input);
        pair_ticks(&p, 4);
        ck_assert_uint_eq(p.board.len, 80);
        ck_assert_uint_eq(p.board.flags & 0xFFEFU, 0x1CAF);
        expect_body(&p);
        ck_assert_uint_eq(le_get_u16(p.board.body + 55), 123);
        ck_assert_uint_eq(le_get_u16(p.board.body + 57), 123);
        /* Not armed: sticks that would keep it from arming wait. */
        ck_assert_uint_eq(p.board.rc_us[0], 1500);
        ck_assert_uint_eq(p.board.rc_us[2], 1000);
        ck_assert_uint_eq(le_get_u16(p.board.body + 75), 1023);
        pair_end(&p);
}

TEST(version_2_has_every_field_at_its_place)
{
        struct codec_setup setup = in_dialect("v2");
        struct pair p;

        pair_ready(&p, &setup);
        fill(&p.frame);
        pair_ticks(&p, 5);
        ck_assert_uint_eq(p.board.len, 58);
        ck_assert_uint_eq(p.board.flags & 0xFFEFU, 0xAF);
        expect_body(&p);
        ck_assert_uint_eq(p.board.body[55], 0);
        pair_end(&p);
}

TEST(a_vehicle_without_power_module_keeps_the_byte)
{
        struct codec_setup setup = setup_quad;
        struct pair p;

        setup.sensor_period_ns[SENSOR_POWER] = 0;
        setup.sonars = 0;
        pair_ready(&p, &setup);
        fill(&p.frame);
        pair_ticks(&p, 4);
        ck_assert_uint_eq(p.board.len, 80);
        ck_assert_uint_eq(p.board.flags & 0xFFEFU, 0x08AF);
        ck_assert_uint_eq(p.board.body[52], 126);
        pair_end(&p);
}

TEST(no_frame_but_the_last_lacks_bit_0)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        for (int n = 0; n < 3000; n++) {
                p.frame.fresh = n % 100 == 0 ? 0xFF : 1;
                pair_tick(&p, NULL);
        }
        ck_assert_int_eq(p.board.reboots + p.board.stops, 0);
        p.rig->ops->goodbye(p.rig, &p.out);
        ck_assert_int_gt(p.out.count, 1);
        pair_exchange(&p);
        ck_assert_int_eq(p.board.reboots, 0);
        ck_assert_int_gt(p.board.stops, 0);
        pair_end(&p);
}

static void pair_armed(struct pair *p, const struct pilot_input *input)
{
        pair_ready(p, &setup_quad);
        pair_tick(p, input);
        pair_ticks(p, 1000);
        ck_assert(p->report.armed);
}

/* As the rig does it: frames go on, and every 20 ms a goodbye. Returns the goodbyes until it is disarmed. */
static int say_goodbyes(struct pair *p, struct pilot_input *input, int most)
{
        int said = 0;

        input->setpoint.mode = MODE_DISARMED;
        do {
                pair_tick(p, input);
                p->rig->ops->goodbye(p->rig, &p->out);
                pair_exchange(p);
                pair_ticks(p, 19);
        } while (++said < most && p->report.armed);
        return said;
}

TEST(goodbye_lowers_the_arm_switch_before_it_ends_the_simulation)
{
        struct pilot_input input = { .setpoint.mode = MODE_GOTO };
        struct pair p;

        pair_armed(&p, &input);
        p.rig->ops->goodbye(p.rig, &p.out);
        pair_exchange(&p);
        ck_assert_int_eq(p.board.stops, 0);
        say_goodbyes(&p, &input, 100);
        ck_assert_int_eq(p.board.rc_us[4], 1000);
        /* Said once more, when it is. */
        p.rig->ops->goodbye(p.rig, &p.out);
        pair_exchange(&p);
        ck_assert_int_gt(p.board.stops, 0);
        pair_ticks(&p, 1000);
        ck_assert_uint_eq(p.board.arming_flags & (1U << 2 | 1U << 4), 0);
        pair_end(&p);
}

/* In a fail-safe the switch is not heeded; the end of the simulation is. */
TEST(goodbye_ends_the_simulation_of_a_board_that_does_not_heed_its_switch)
{
        struct pilot_input input = { .setpoint.mode = MODE_GOTO };
        struct pair p;

        pair_armed(&p, &input);
        p.board.stuck = true;
        ck_assert_int_gt(say_goodbyes(&p, &input, 100), 20);
        ck_assert(!p.report.armed);
        ck_assert_int_gt(p.board.stops, 0);
        /* No frame begins it anew. */
        p.board.frames = 0;
        pair_ticks(&p, 1000);
        ck_assert_int_eq(p.board.frames, 0);
        pair_end(&p);
}

/* It arms again at the end of a simulation in which it never saw its switch go down. */
TEST(goodbye_goes_back_to_the_switch_of_a_board_that_heard_nothing_of_it)
{
        /* In goodbyes: silent before the first, which nobody asks it for then; and for longer than the switch has. */
        static const int before[] = { 20, 0 }, meanwhile[] = { 3, 33 };

        for (int i = 0; i < 2; i++) {
                struct pilot_input input = { .setpoint.mode = MODE_GOTO };
                struct pair p;

                pair_armed(&p, &input);
                p.board.deaf = true;
                pair_ticks(&p, 20 * before[i]);
                say_goodbyes(&p, &input, meanwhile[i]);
                ck_assert(p.report.armed);
                p.board.deaf = false;
                say_goodbyes(&p, &input, 100);
                ck_assert(!p.report.armed);
                ck_assert_int_eq(p.board.rc_us[4], 1000);
                ck_assert_int_eq(p.board.reboots, 0);
                p.rig->ops->goodbye(p.rig, &p.out);
                pair_exchange(&p);
                p.board.frames = 0;
                pair_ticks(&p, 1000);
                ck_assert_int_eq(p.board.frames, 0);
                ck_assert_uint_eq(p.board.arming_flags & (1U << 2 | 1U << 4), 0);
                pair_end(&p);
        }
}

TEST(the_gps_flag_comes_at_10_hz_at_most)
{
        struct pair p;
        int flags = 0, seen = 0;

        pair_ready(&p, &setup_quad);
        for (int n = 0; n < 2000; n++) {
                int before = p.board.frames;

                p.frame.fresh = SENSOR_BIT(SENSOR_GPS); /* 250 fixes a second */
                pair_tick(&p, NULL);
                if (p.board.frames > before) {
                        flags += p.board.flags >> 4 & 1;
                        seen++;
                }
        }
        ck_assert_int_eq(seen, 500);
        ck_assert_int_ge(flags, 19);
        ck_assert_int_le(flags, 22);
        pair_end(&p);
}

TEST(a_gps_that_says_nothing_has_timed_out)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        p.frame.fresh = SENSOR_BIT(SENSOR_GPS);
        pair_ticks(&p, 4);
        p.frame.fresh = 0;
        pair_ticks(&p, 1400);
        ck_assert_int_eq(p.board.flags >> 8 & 1, 0);
        pair_ticks(&p, 200);
        ck_assert_int_eq(p.board.flags >> 8 & 1, 1);
        p.frame.fresh = SENSOR_BIT(SENSOR_GPS);
        pair_ticks(&p, 4);
        ck_assert_int_eq(p.board.flags >> 8 & 1, 0);
        pair_end(&p);
}

TEST(what_is_too_much_for_a_field_stays_at_its_end)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        fill(&p.frame);
        p.frame.imu.gyro_body_radps = (struct vec3){ 1e9, 1e9, (double)NAN };
        p.frame.imu.accel_body_mps2 = (struct vec3){ -1e9, (double)INFINITY, 0 };
        p.frame.baro.pressure_pa = -(double)INFINITY;
        p.frame.mag.field_body_t = (struct vec3){ 0 };
        p.frame.sonar[0].echo = false;
        pair_ticks(&p, 4);
        ck_assert_int_eq(body_i16(&p, 30), INT16_MIN);
        ck_assert_int_eq(body_i16(&p, 32), INT16_MIN);
        ck_assert_int_eq(body_i16(&p, 36), INT16_MAX);
        ck_assert_int_eq(body_i16(&p, 38), INT16_MIN);
        ck_assert_int_eq(body_i16(&p, 40), 0);
        ck_assert_int_eq(body_i32(&p, 42), INT32_MIN);
        ck_assert_int_eq(body_i16(&p, 46), 0);
        ck_assert_uint_eq(le_get_u16(p.board.body + 55), 0xFFFF);
        pair_end(&p);
}

TEST(motors_are_asked_for_3_ms_after_each_frame)
{
        struct pair p;
        int64_t frame_ns = 0;
        int frames = 0, polls = 0;

        pair_ready(&p, &setup_quad);
        pair_ticks(&p, 8);
        for (int n = 0; n < 4000; n++) {
                int frames_before = p.board.frames, polls_before = p.board.polls;

                pair_tick(&p, NULL);
                if (p.board.frames > frames_before) {
                        ck_assert_int_eq(frames, polls);
                        frame_ns = p.t_ns;
                        frames++;
                }
                if (p.board.polls > polls_before) {
                        ck_assert_int_eq(p.t_ns - frame_ns, 2 * MS);
                        ck_assert_uint_eq(p.report.answered_frame, p.number - 1);
                        ck_assert(p.news & FC_MOTORS);
                        polls++;
                }
        }
        ck_assert_int_eq(frames, 1000);
        ck_assert_int_eq(polls, 1000);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

TEST(motors_come_in_the_order_of_the_rotors)
{
        struct pair p;

        pair_ready(&p, &setup_quad);
        p.board.motor_us[3] = 2200;
        pair_ticks(&p, 8);
        ck_assert_double_eq_tol(p.report.motors.duty[0], 0.2, 1e-12);
        ck_assert_double_eq_tol(p.report.motors.duty[1], 0.1, 1e-12);
        ck_assert_double_eq_tol(p.report.motors.duty[2], 0.3, 1e-12);
        ck_assert_double_eq_tol(p.report.motors.duty[3], 1.0, 1e-12);
        ck_assert_double_eq(p.report.motors.duty[4], 0.0);
        pair_end(&p);
}

TEST(its_attitude_is_told_with_our_signs)
{
        struct pair p;
        struct vec3 euler;

        pair_ready(&p, &setup_quad);
        p.board.attitude[0] = 100;
        p.board.attitude[1] = 200; /* nose down */
        p.board.attitude[2] = 900;
        pair_ticks(&p, 40);
        euler = quat_to_euler(p.report.estimate.q_body_to_ned);
        ck_assert_double_eq_tol(euler.x, 10 * DEG, 1e-9);
        ck_assert_double_eq_tol(euler.y, -20 * DEG, 1e-9);
        ck_assert_double_eq_tol(euler.z, 90 * DEG, 1e-9);
        ck_assert_double_nan(p.report.estimate.pos_ned_m.x);
        ck_assert_double_nan(p.report.estimate.vel_ned_mps.z);
        pair_end(&p);
}

TEST(version_2_sends_the_sticks_by_themselves_all_the_time)
{
        struct codec_setup setup = in_dialect("v2");
        struct pair p;
        int64_t last_ns;

        pair_ready(&p, &setup);
        pair_ticks(&p, 50);
        last_ns = p.t_ns;
        for (int n = 0; n < 4000; n++) {
                int before = p.board.rc_frames;

                pair_tick(&p, NULL);
                if (p.board.rc_frames > before)
                        last_ns = p.t_ns;
                ck_assert_int_lt(p.t_ns - last_ns, 100 * MS);
        }
        ck_assert_uint_eq(p.board.rc_us[0], 1500);
        ck_assert_uint_eq(p.board.rc_us[5], 1800);
        pair_end(&p);
}
