/* The pilot at the sticks, on a body that does what an angle mode makes of them: tilt follows the stick
 * with a lag, thrust grows with the square of the throttle, turns follow the yaw stick. */
#include <math.h>
#include <string.h>

#include "models/vehicle/pilot.h"

#include "tests/suites.h"

#define MS          1000000LL
#define GRAVITY     9.80665
#define DT_S        0.001
#define TILT_LAG_S  0.1
#define MOTOR_LAG_S 0.03

static const struct pilot_params params = {
        .period_ns = 20 * MS,
        .hover_ratio = 0.5,
        .angle_full_rad = M_PI / 3,
        .yaw_full_radps = 3.5,
        .arm_channel = 4,
        .armed_us = 1800,
        .disarmed_us = 1000,
        .hold_channel = -1,
        .position_p_per_s = 0.8,
        .speed_max_mps = 2.0,
        .velocity_p_per_s = 1.5,
        .velocity_i_per_s2 = 0.4,
        .tilt_max_rad = M_PI / 9,
        .height_p_per_s = 1.0,
        .climb_max_mps = 1.5,
        .climb_p_per_s = 2.5,
        .climb_i_per_s2 = 1.0,
        .land_mps = 0.5,
        .heading_p_per_s = 1.5,
        .turn_max_radps = 1.05,
};

struct flight {
        struct pilot_params p;
        struct pilot pilot;
        struct pilot_input asked;
        struct body_state body;
        struct vec3 start_ned_m;
        struct vec3 push_mps2;
        double roll_rad, pitch_rad, yaw_rad, thrust_mps2;
        double hover_ratio; /* the vehicle's true one */
        bool on_ground;
        int64_t t_ns;
};

static void flight_begin(struct flight *f)
{
        memset(f, 0, sizeof *f);
        f->p = params;
        f->hover_ratio = 0.5;
        f->body.q_body_to_ned.w = 1.0;
        f->on_ground = true;
        pilot_init(&f->pilot, &f->p);
}

static double stick(const struct flight *f, int channel)
{
        return (f->pilot.rc_us[channel] - 1500) / 500.0;
}

static bool armed(const struct flight *f)
{
        return f->pilot.rc_us[4] > 1500;
}

static void fly_body(struct flight *f)
{
        double ratio = (f->pilot.rc_us[PILOT_THROTTLE] - 1000) / 1000.0 / f->hover_ratio;
        double wanted_mps2 = armed(f) ? GRAVITY * ratio * ratio : 0.0;
        double lag = DT_S / TILT_LAG_S, full = f->p.angle_full_rad;
        struct body_state *b = &f->body;
        struct vec3 force;

        f->thrust_mps2 += DT_S / MOTOR_LAG_S * (wanted_mps2 - f->thrust_mps2);
        f->roll_rad += lag * (full * stick(f, PILOT_ROLL) - f->roll_rad);
        f->pitch_rad += lag * (-full * stick(f, PILOT_PITCH) - f->pitch_rad);
        f->yaw_rad += DT_S * f->p.yaw_full_radps * stick(f, PILOT_YAW);
        b->q_body_to_ned = quat_from_euler(f->roll_rad, f->pitch_rad, f->yaw_rad);
        force = quat_rotate(b->q_body_to_ned, (struct vec3){ 0, 0, -f->thrust_mps2 });
        force.z += GRAVITY;
        force = vec3_add(force, f->push_mps2);
        b->vel_ned_mps = vec3_axpy(b->vel_ned_mps, DT_S, force);
        if (f->on_ground && b->vel_ned_mps.z >= 0.0)
                b->vel_ned_mps = (struct vec3){ 0 };
        b->pos_ned_m = vec3_axpy(b->pos_ned_m, DT_S, b->vel_ned_mps);
        f->on_ground = b->pos_ned_m.z >= f->start_ned_m.z;
        if (f->on_ground)
                b->pos_ned_m.z = f->start_ned_m.z;
}

static void fly_for(struct flight *f, double s)
{
        for (int64_t end_ns = f->t_ns + (int64_t)(s * 1e9); f->t_ns < end_ns;) {
                f->t_ns += MS;
                pilot_step(&f->pilot, &f->p, &f->body, f->on_ground, &f->asked,
                           f->start_ned_m, f->t_ns);
                fly_body(f);
        }
}

static void ask(struct flight *f, enum flight_mode mode, struct vec3 at, double yaw_rad)
{
        f->asked.setpoint = (struct setpoint){ mode, at, yaw_rad };
}

/* Arms, takes off to 5 m and waits there. */
static void take_off(struct flight *f)
{
        ask(f, MODE_ARMED, (struct vec3){ 0 }, 0.0);
        fly_for(f, 1.0);
        ask(f, MODE_GOTO, (struct vec3){ 0, 0, -5 }, 0.0);
        fly_for(f, 20.0);
}

static double away_m(const struct flight *f, struct vec3 at)
{
        return vec3_norm(vec3_sub(f->body.pos_ned_m, vec3_add(f->start_ned_m, at)));
}

TEST(sticks_rest_before_anything_is_asked)
{
        struct flight f;

        flight_begin(&f);
        fly_for(&f, 1.0);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_ROLL], 1500);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_PITCH], 1500);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_YAW], 1500);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1000);
        ck_assert_int_eq(f.pilot.rc_us[4], 1000);
}

TEST(armed_on_the_ground_the_throttle_stays_low)
{
        struct flight f;

        flight_begin(&f);
        ask(&f, MODE_ARMED, (struct vec3){ 0 }, 0.0);
        fly_for(&f, 2.0);
        ck_assert_int_eq(f.pilot.rc_us[4], 1800);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1000);
        ck_assert(f.on_ground);
}

TEST(takes_off_without_overshooting_by_half_a_metre_and_holds)
{
        double highest_m = 0.0;
        struct flight f;

        flight_begin(&f);
        ask(&f, MODE_GOTO, (struct vec3){ 0, 0, -5 }, 0.0);
        for (int i = 0; i < 2000; i++) {
                fly_for(&f, 0.01);
                highest_m = fmax(highest_m, -f.body.pos_ned_m.z);
        }
        ck_assert_double_le(highest_m, 5.5);
        for (int i = 0; i < 1000; i++) {
                fly_for(&f, 0.01);
                ck_assert_double_le(away_m(&f, (struct vec3){ 0, 0, -5 }), 0.03);
        }
}

TEST(goes_to_a_place_from_any_heading)
{
        const struct vec3 at = { 4, -3, -6 };
        struct flight f;

        for (int eighth = 0; eighth < 8; eighth++) {
                double yaw_rad = remainder(eighth * M_PI / 4, 2 * M_PI);

                flight_begin(&f);
                f.start_ned_m = (struct vec3){ 10, 20, -2 };
                f.body.pos_ned_m = f.start_ned_m;
                f.yaw_rad = yaw_rad;
                ask(&f, MODE_GOTO, at, yaw_rad);
                fly_for(&f, 40.0);
                ck_assert_double_le(away_m(&f, at), 0.05);
                ck_assert_double_le(vec3_norm(f.body.vel_ned_mps), 0.03);
                ck_assert_double_le(fabs(remainder(f.yaw_rad - yaw_rad, 2 * M_PI)), 0.01);
        }
}

TEST(wrong_hover_throttle_is_learnt)
{
        struct flight f;

        for (int i = 0; i < 5; i++) {
                flight_begin(&f);
                f.hover_ratio = 0.4 + 0.05 * i;
                take_off(&f);
                fly_for(&f, 20.0);
                ck_assert_double_le(away_m(&f, (struct vec3){ 0, 0, -5 }), 0.05);
        }
}

TEST(steady_push_leaves_no_error)
{
        struct flight f;

        flight_begin(&f);
        take_off(&f);
        f.push_mps2 = (struct vec3){ 0.7, -1.0, 0.3 };
        fly_for(&f, 1.0);
        ck_assert_double_ge(away_m(&f, (struct vec3){ 0, 0, -5 }), 0.1);
        fly_for(&f, 40.0);
        ck_assert_double_le(away_m(&f, (struct vec3){ 0, 0, -5 }), 0.05);
}

TEST(tilt_turn_and_speed_stay_within_their_limits)
{
        struct flight f;

        flight_begin(&f);
        take_off(&f);
        ask(&f, MODE_GOTO, (struct vec3){ 50, 50, -5 }, M_PI - 0.01);
        for (int i = 0; i < 1500; i++) {
                double before_rad = f.yaw_rad;

                fly_for(&f, 0.01);
                ck_assert_double_le(hypot(stick(&f, PILOT_ROLL), stick(&f, PILOT_PITCH)),
                                    1.001 * 2.0 / 6.0 * sqrt(2.0));
                ck_assert_double_le(fabs(f.yaw_rad - before_rad), 0.0106);
                ck_assert_double_le(hypot(f.body.vel_ned_mps.x, f.body.vel_ned_mps.y),
                                    2.3);
        }
}

TEST(turns_the_short_way)
{
        struct flight f;

        flight_begin(&f);
        f.yaw_rad = 170 * M_PI / 180;
        ask(&f, MODE_GOTO, (struct vec3){ 0, 0, -5 }, -170 * M_PI / 180);
        fly_for(&f, 10.0);
        ck_assert_double_eq_tol(f.yaw_rad, 190 * M_PI / 180, 0.01);
}

TEST(lands_where_it_was_softly_and_disarms)
{
        double touched_mps = 0.0;
        struct vec3 at;
        struct flight f;

        flight_begin(&f);
        take_off(&f);
        at = f.body.pos_ned_m;
        ask(&f, MODE_LAND, (struct vec3){ 99, 99, -99 }, 0.0);
        for (int i = 0; i < 15000 && !f.on_ground; i++) {
                touched_mps = f.body.vel_ned_mps.z;
                fly_for(&f, 0.001);
        }
        ck_assert(f.on_ground);
        ck_assert_double_le(touched_mps, 0.6);
        ck_assert_double_le(hypot(f.body.pos_ned_m.x - at.x, f.body.pos_ned_m.y - at.y),
                            0.1);
        fly_for(&f, 0.1);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1000);
        ck_assert(armed(&f));
        fly_for(&f, 1.0);
        ck_assert_int_eq(f.pilot.rc_us[4], 1000);
}

TEST(bounce_of_the_gear_does_not_start_the_landing_over)
{
        struct flight f;

        flight_begin(&f);
        take_off(&f);
        ask(&f, MODE_LAND, (struct vec3){ 0 }, 0.0);
        fly_for(&f, 30.0);
        f.on_ground = false;
        f.body.pos_ned_m.z = -0.05;
        fly_for(&f, 0.3);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1000);
        ck_assert_int_eq(f.pilot.rc_us[4], 1000);
}

TEST(disarmed_in_flight_drops_the_throttle_at_once)
{
        struct flight f;

        flight_begin(&f);
        take_off(&f);
        ask(&f, MODE_DISARMED, (struct vec3){ 0 }, 0.0);
        fly_for(&f, 0.02);
        ck_assert_int_eq(f.pilot.rc_us[4], 1000);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1000);
}

TEST(channels_of_the_scenario_win)
{
        struct flight f;

        flight_begin(&f);
        f.asked.rc_us[PILOT_ROLL] = 1600;
        f.asked.rc_us[4] = 1750;
        f.asked.rc_us[5] = 1900;
        fly_for(&f, 0.1);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_ROLL], 1600);
        ck_assert_int_eq(f.pilot.rc_us[4], 1750);
        ck_assert_int_eq(f.pilot.rc_us[5], 1900);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_PITCH], 1500);
}

TEST(sticks_rest_while_the_firmware_holds_by_itself)
{
        struct flight f;

        flight_begin(&f);
        f.p.hold_channel = 6;
        take_off(&f);
        ask(&f, MODE_GOTO, (struct vec3){ 5, 0, -5 }, 1.0);
        f.asked.rc_us[6] = 1800;
        fly_for(&f, 0.5);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_ROLL], 1500);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_PITCH], 1500);
        ck_assert_int_eq(f.pilot.rc_us[PILOT_THROTTLE], 1500);
        ck_assert_int_ne(f.pilot.rc_us[PILOT_YAW], 1500);
}

TEST(sticks_move_at_their_own_period_only)
{
        int moves = 0;
        struct flight f;

        flight_begin(&f);
        ask(&f, MODE_GOTO, (struct vec3){ 5, 5, -5 }, 1.0);
        for (int i = 0; i < 1000; i++) {
                struct pilot before = f.pilot;

                fly_for(&f, 0.001);
                moves += memcmp(before.rc_us, f.pilot.rc_us, sizeof before.rc_us) != 0;
        }
        ck_assert_int_le(moves, 50);
        ck_assert_int_ge(moves, 45);
}
