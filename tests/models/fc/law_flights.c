/* Every attitude law in flight, with the usual noise, on the quadrotor of 1 kg: a step in all three directions, a far
 * one that saturates tilt and torque, gusts of moment, lost frames. */
#include <stdlib.h>

#include "tests/models/fc/fc_laws.h"
#include "tests/suites.h"

#define LAWS ATTITUDE_LAWS

/* GPS of the open sky would hide what the attitude does. */
static void place_well(struct flight *f)
{
        sigma3(&f->plant.sensors.gps.position, 0.02);
        sigma3(&f->plant.sensors.gps.velocity, 0.02);
        f->plant.sensors.gps.schedule = every(100 * MS, 50 * MS);
        f->params.gps_pos_tau_s = 1.0;
}

static void begin(struct flight *f, enum attitude_law law, uint64_t seed, double yaw_rad)
{
        flight_init(f, &quad_x_1kg, false, 1 * MS, seed, yaw_rad);
        law_gains(&f->params);
        f->params.law.attitude = law;
        f->params.finken.yaw = (struct finken_gains){ 1.07, 0.2, 0.4 };
        place_well(f);
}

/* Until to_s: armed, then hovering 2 m over the origin. */
static void hover(struct flight *f, double to_s)
{
        while (flight_s(f) < to_s) {
                double t = flight_s(f);

                if (t < 3.0)
                        flight_ask(f, MODE_DISARMED, 0.0, 0.0, 0.0, 0.0);
                else if (t < 4.0)
                        flight_ask(f, MODE_ARMED, 0.0, 0.0, 0.0, 0.0);
                else
                        flight_ask(f, MODE_GOTO, 0.0, 0.0, -2.0, 0.0);
                flight_tick(f);
        }
}

struct went {
        double beyond_m; /* farthest past the target along each axis */
        double away_m; /* largest distance in the last second */
        double tilt_rad, yaw_off_rad; /* largest; at the end */
};

static struct went go(struct flight *f, double x, double y, double up, double yaw_rad,
                      double for_s)
{
        struct went w = { 0.0 };
        double end_s = flight_s(f) + for_s;

        while (flight_s(f) < end_s) {
                struct vec3 at = f->vehicle.body.pos_ned_m;
                struct vec3 off = { at.x - x, at.y - y, -at.z - up };

                flight_ask(f, MODE_GOTO, x, y, -up, yaw_rad);
                flight_tick(f);
                w.beyond_m = fmax(w.beyond_m, fmax(off.x, fmax(off.y, off.z)));
                w.tilt_rad = fmax(w.tilt_rad, flight_tilt_rad(f));
                if (flight_s(f) > end_s - 1.0)
                        w.away_m = fmax(w.away_m, vec3_norm(off));
        }
        w.yaw_off_rad = fabs(remainder(
                quat_to_euler(f->vehicle.body.q_body_to_ned).z - yaw_rad, 2.0 * M_PI));
        return w;
}

TEST_EACH(a_step_of_one_metre_each_way_arrives_and_settles, 2 * LAWS)
{
        struct flight f;
        struct went w;

        begin(&f, (enum attitude_law)(_i % LAWS), (uint64_t)(_i / LAWS) + 1, 0.0);
        hover(&f, 12.0);
        w = go(&f, 1.0, 1.0, 3.0, 0.0, 10.0);
        ck_assert_double_lt(w.beyond_m, 0.35);
        ck_assert_double_lt(w.away_m, 0.3);
        ck_assert_double_lt(w.tilt_rad, 25.0 * DEG);
}

/* Half a turn while flying 12 m at the largest tilt, and straight back: what integrals wound up on the way would
 * show as a long way past the target. */
TEST_EACH(a_far_target_and_half_a_turn_leave_nothing_wound_up, LAWS)
{
        struct flight f;
        struct went w;

        begin(&f, (enum attitude_law)_i, 5, 0.0);
        f.params.speed_max_mps = 6.0;
        f.params.rate_max_radps = (struct vec3){ 12.0, 12.0, 6.0 };
        hover(&f, 12.0);
        w = go(&f, 12.0, 9.0, 4.0, 180.0 * DEG, 14.0);
        ck_assert_double_lt(w.away_m, 0.8);
        ck_assert_double_lt(w.beyond_m, 3.0);
        ck_assert_double_lt(w.tilt_rad, 35.0 * DEG);
        ck_assert_double_lt(w.yaw_off_rad, 6.0 * DEG);
}

TEST_EACH(flies_with_a_tenth_of_the_frames_lost_and_at_400_hz, 2 * LAWS)
{
        struct flight f;
        struct went w;

        begin(&f, (enum attitude_law)(_i % LAWS), 9, 0.5);
        if (_i >= LAWS) {
                f.period_ns = 5 * MS / 2;
                f.plant.sensors.imu.schedule = every(5 * MS / 2, 0);
                vehicle_params_prepare(&f.plant, MS / 2, 9, 0);
                vehicle_init(&f.vehicle, &f.plant, &f.world, 9, 0,
                             (struct vec3){ 0.0, 0.0, 0.0 }, 0.5);
        } else {
                f.loss_ratio = 0.1;
        }
        hover(&f, 12.0);
        w = go(&f, 1.0, 1.0, 3.0, 0.0, 10.0);
        ck_assert_double_lt(w.away_m, 0.4);
        ck_assert_double_lt(w.tilt_rad, 25.0 * DEG);
}

/* From one law to the next while it hovers. */
TEST(changes_its_law_in_flight)
{
        struct flight f;
        struct went w;

        begin(&f, ATTITUDE_CASCADE, 3, 0.0);
        hover(&f, 12.0);
        for (int law = ATTITUDE_CASCADE; law < LAWS; law++) {
                f.params.law.attitude = (enum attitude_law)law;
                w = go(&f, 0.0, 0.0, 2.0, 0.0, 2.0);
                ck_assert_double_lt(w.tilt_rad, 12.0 * DEG);
                ck_assert_double_lt(w.away_m, 0.4);
        }
}

/* The FINken's own chain, attitude, height and target, on the FINken. */
TEST_EACH(a_finken_flies_to_its_target_by_its_own_laws, 2)
{
        struct flight f;
        struct went w;

        flight_init(&f, &finken3, false, 1 * MS, (uint64_t)_i + 1, 0.4);
        f.params.finken = law_params(ATTITUDE_FINKEN).finken;
        f.params.finken.yaw = (struct finken_gains){ 0.4, 0.02, 0.0955 };
        f.params.law = (struct law_params){ .attitude = ATTITUDE_FINKEN,
                                            .height = HEIGHT_FINKEN,
                                            .position = POSITION_FINKEN };
        place_well(&f);
        hover(&f, 14.0);
        w = go(&f, 1.0, 1.0, 3.0, 0.0, 14.0);
        /* There is no integral: what the rotors' tolerance asks for stays. */
        ck_assert_double_lt(w.away_m, 0.6);
        ck_assert_double_lt(w.beyond_m, 0.6);
}
