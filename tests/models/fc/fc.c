/* The whole reference flight controller around the plant: what a pilot asks is what
 * happens, on every vehicle, with the usual noise; and what happens when things go wrong. */
#include <stdlib.h>

#include "tests/models/fc/fc_flight.h"
#include "tests/suites.h"

static const struct craft *const crafts[] = { &md4_200, &md4_200_thesis, &finken3 };

#define CRAFTS 3
#define SEEDS  (SANITIZED ? 1 : 3)

/* The scenario of every flight here: to 5 m, 3 m north, 3 m east with a quarter turn, down. */
static void ask_scenario(struct flight *f)
{
        double t = flight_s(f);

        if (t < 3.0)
                flight_ask(f, MODE_DISARMED, 0.0, 0.0, 0.0, 0.0);
        else if (t < 4.0)
                flight_ask(f, MODE_ARMED, 0.0, 0.0, 0.0, 0.0);
        else if (t < 15.0)
                flight_ask(f, MODE_GOTO, 0.0, 0.0, -5.0, 0.0);
        else if (t < 24.0)
                flight_ask(f, MODE_GOTO, 3.0, 0.0, -5.0, 0.0);
        else if (t < 33.0)
                flight_ask(f, MODE_GOTO, 3.0, 3.0, -5.0, 90.0 * DEG);
        else
                flight_ask(f, MODE_LAND, 0.0, 0.0, 0.0, 0.0);
}

/* What the flight was like. */
struct flown {
        double height_max_m;
        double height_min_m, height_cruise_max_m; /* from 14 to 32 s */
        double hover_height_rms_m,
                hover_away_rms_m; /* the last 4 s before the first step */
        double first_m, second_m; /* away from the way points at the end of their time */
        double tilt_max_rad, impact_mps;
        double yaw_rad; /* at 32 s */
        double disarmed_s; /* 0: not */
};

static double away_m(const struct flight *f, double north_m, double east_m)
{
        struct vec3 p = f->vehicle.body.pos_ned_m;

        return sqrt((p.x - north_m) * (p.x - north_m) + (p.y - east_m) * (p.y - east_m));
}

static void observe(struct flown *out, const struct flight *f, int *hovered)
{
        double t = flight_s(f), height_m = -f->vehicle.body.pos_ned_m.z;

        out->height_max_m = fmax(out->height_max_m, height_m);
        out->impact_mps = fmax(out->impact_mps, f->vehicle.contact.impact_mps);
        if (t >= 4.0)
                out->tilt_max_rad = fmax(out->tilt_max_rad, flight_tilt_rad(f));
        if (t >= 11.0 && t < 15.0) {
                double d = away_m(f, 0.0, 0.0);

                (*hovered)++;
                out->hover_height_rms_m += (height_m - 5.0) * (height_m - 5.0);
                out->hover_away_rms_m += d * d;
        }
        if (t >= 14.0 && t <= 32.0) {
                out->height_min_m = fmin(out->height_min_m, height_m);
                out->height_cruise_max_m = fmax(out->height_cruise_max_m, height_m);
                out->yaw_rad = quat_to_euler(f->vehicle.body.q_body_to_ned).z;
        }
        if (t < 24.0)
                out->first_m = away_m(f, 3.0, 0.0);
        else if (t < 33.0)
                out->second_m = away_m(f, 3.0, 3.0);
        if (t > 33.0 && out->disarmed_s == 0.0 && !fc_armed(&f->fc))
                out->disarmed_s = t;
}

static struct flown fly_scenario(struct flight *f)
{
        struct flown out = { .height_min_m = INFINITY };
        int hovered = 0;

        while (f->t_ns < 46000 * MS) {
                ask_scenario(f);
                flight_tick(f);
                observe(&out, f, &hovered);
        }
        out.hover_height_rms_m = sqrt(out.hover_height_rms_m / hovered);
        out.hover_away_rms_m = sqrt(out.hover_away_rms_m / hovered);
        return out;
}

/* The bounds are the scenario's requirements; position has the GPS receiver's share of
 * about half a metre in it. */
static void expect_flown(const struct flight *f, const struct flown *o)
{
        ck_assert_double_lt(o->height_max_m, 5.5);
        ck_assert_double_gt(o->height_min_m, 4.5);
        ck_assert_double_lt(o->height_cruise_max_m, 5.5);
        ck_assert_double_lt(o->hover_height_rms_m, 0.3);
        ck_assert_double_lt(o->hover_away_rms_m, 0.8);
        ck_assert_double_lt(o->first_m, 1.0);
        ck_assert_double_lt(o->second_m, 1.0);
        ck_assert_double_lt(o->tilt_max_rad, 35.0 * DEG);
        ck_assert_double_lt(o->impact_mps, 1.0);
        ck_assert_double_lt(fabs(o->yaw_rad - 90.0 * DEG), 5.0 * DEG);
        ck_assert_double_gt(o->disarmed_s, 33.0);
        ck_assert_double_lt(o->disarmed_s, 43.5);
        ck_assert(f->vehicle.contact.touching);
        ck_assert_double_lt(f->vehicle.motor[0].speed_radps, 1.0);
}

TEST_EACH(flies_the_scenario_on_every_vehicle_with_noise, CRAFTS *SEEDS)
{
        struct flight f;
        struct flown o;

        flight_init(&f, crafts[_i / SEEDS], false, 1 * MS, (uint64_t)(_i % SEEDS) + 1,
                    0.3);
        o = fly_scenario(&f);
        expect_flown(&f, &o);
}

TEST_EACH(flies_at_slower_frame_rates, CRAFTS * 2)
{
        const int64_t period_ns[] = { 4 * MS, 5 * MS / 2 };
        struct flight f;
        struct flown o;

        flight_init(&f, crafts[_i / 2], false, period_ns[_i % 2], 4, -2.0);
        o = fly_scenario(&f);
        expect_flown(&f, &o);
}

TEST_EACH(flies_with_a_fifth_of_the_frames_lost, CRAFTS)
{
        struct flight f;
        struct flown o;

        flight_init(&f, crafts[_i], false, 1 * MS, 5, 1.0);
        f.loss_ratio = 0.2;
        o = fly_scenario(&f);
        expect_flown(&f, &o);
}

TEST_EACH(flies_with_a_sonar, CRAFTS)
{
        struct flight f;
        struct flown o;

        flight_init(&f, crafts[_i], false, 1 * MS, 6, 1.0);
        craft_sonar(&f.plant.sensors);
        o = fly_scenario(&f);
        expect_flown(&f, &o);
        ck_assert(f.fc.estimator.sonar_zero_known);
}

/* With the mirrored wind, field and way points, the mirrored vehicle flies the mirrored
 * way. */
TEST_EACH(mirrored_world_gives_the_mirrored_flight, CRAFTS)
{
        struct flight f, g;

        flight_init(&f, crafts[_i], true, 1 * MS, 1, 0.3);
        flight_init(&g, crafts[_i], true, 1 * MS, 1, -0.3);
        f.world.origin.lon_rad = g.world.origin.lon_rad = 0.0;
        g.world.magnetic_field_ned_t.y = -f.world.magnetic_field_ned_t.y;
        g.params.magnetic_declination_rad = -f.params.magnetic_declination_rad;
        for (int i = 0; i < 4; i++) {
                g.params.rotor_pos_body_m[i].y *= -1.0;
                g.params.rotor_spin[i] *= -1.0;
                g.plant.rotor[i].pos_body_m.y *= -1.0;
                g.plant.rotor[i].spin *= -1.0;
                g.plant.contact.point_body_m[i].y *= -1.0;
        }
        vehicle_params_prepare(&g.plant, g.plant.step_ns, 1, 0);
        fc_init(&g.fc, &g.params);
        while (f.t_ns < 30000 * MS) {
                struct vec3 p, q;

                ask_scenario(&f);
                ask_scenario(&g);
                g.fc.mission.asked.pos_ned_m.y *= -1.0;
                g.fc.mission.asked.yaw_rad *= -1.0;
                flight_tick(&f);
                flight_tick(&g);
                p = f.vehicle.body.pos_ned_m;
                q = g.vehicle.body.pos_ned_m;
                ck_assert_double_eq_tol(q.x, p.x, 1e-6);
                ck_assert_double_eq_tol(q.y, -p.y, 1e-6);
                ck_assert_double_eq_tol(q.z, p.z, 1e-6);
        }
        ck_assert_double_gt(f.vehicle.body.pos_ned_m.y, 2.0);
}

/* Ticks until t_s, all the while asking for the same. */
static void fly_until(struct flight *f, double t_s, enum flight_mode mode, double north_m,
                      double east_m, double down_m)
{
        while (flight_s(f) < t_s) {
                flight_ask(f, mode, north_m, east_m, down_m, 0.0);
                flight_tick(f);
        }
}

/* Silence instead of frames; the plant goes on. */
static void fly_silent_until(struct flight *f, double t_s)
{
        while (flight_s(f) < t_s) {
                f->t_ns += f->period_ns;
                f->frame = *vehicle_step(&f->vehicle, &f->plant, &f->world, NULL,
                                         &f->command,
                                         (int)(f->period_ns / f->plant.step_ns));
                fc_silence(&f->fc, &f->params, (double)f->period_ns * 1e-9, &f->command);
        }
}

static double duty_sum(const struct flight *f)
{
        double sum = 0.0;

        for (int i = 0; i < ROTORS_MAX; i++)
                sum += f->command.duty[i];
        return sum;
}

static double height_m(const struct flight *f)
{
        return -f->vehicle.body.pos_ned_m.z;
}

static void take_off(struct flight *f, const struct craft *c, double t_s)
{
        flight_init(f, c, false, 1 * MS, 7, 0.0);
        fly_until(f, t_s, MODE_GOTO, 0.0, 0.0, -4.0);
}

TEST(does_not_arm_before_it_is_ready)
{
        struct flight f;

        flight_init(&f, &md4_200, false, 1 * MS, 1, 0.0);
        fly_until(&f, 1.9, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_int_eq(fc_mode(&f.fc), MODE_DISARMED);
        ck_assert_double_eq(duty_sum(&f), 0.0);
        ck_assert_str_eq(f.fc.text, "aligning: keep still");
        fly_until(&f, 3.5, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(fc_armed(&f.fc));
        ck_assert_int_eq(fc_mode(&f.fc), MODE_ARMED);
        ck_assert_double_gt(duty_sum(&f), 0.0);
}

TEST_EACH(says_which_sensor_it_waits_for, 3)
{
        const char *const text[] = { "no magnetometer", "no barometer",
                                     "waiting for GPS fix" };
        struct flight f;

        flight_init(&f, &md4_200, false, 1 * MS, 1, 0.0);
        if (_i == 0)
                f.plant.sensors.mag.schedule.period_ns = 0;
        else if (_i == 1)
                f.plant.sensors.baro.schedule.period_ns = 0;
        else
                f.plant.sensors.gps.satellites = 3;
        fly_until(&f, 5.0, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_str_eq(f.fc.text, text[_i]);
}

TEST(without_gps_it_keeps_height_and_refuses_to_travel)
{
        struct flight f;

        flight_init(&f, &md4_200, false, 1 * MS, 1, 0.0);
        f.plant.sensors.gps.schedule.period_ns = 0;
        fly_until(&f, 15.0, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(fc_armed(&f.fc));
        fly_until(&f, 20.0, MODE_GOTO, 3.0, 0.0, -3.0);
        ck_assert_int_eq(fc_mode(&f.fc), MODE_ARMED);
        ck_assert_str_eq(f.fc.text, "no GPS: refused to fly to a horizontal position");
        fly_until(&f, 32.0, MODE_GOTO, 0.0, 0.0, -3.0);
        ck_assert_double_eq_tol(height_m(&f), 3.0, 0.5);
        ck_assert_double_lt(flight_tilt_rad(&f), 5.0 * DEG);
        fly_until(&f, 45.0, MODE_LAND, 0.0, 0.0, 0.0);
        ck_assert(!fc_armed(&f.fc));
        ck_assert(f.vehicle.contact.touching);
}

TEST_EACH(losing_gps_in_flight_levels_and_finding_it_returns, CRAFTS)
{
        struct flight f;

        take_off(&f, crafts[_i], 16.0);
        f.plant.sensors.gps.satellites = 0;
        fly_until(&f, 26.0, MODE_GOTO, 0.0, 0.0, -4.0);
        ck_assert_str_eq(f.fc.text, "no GPS: holding height and attitude");
        ck_assert_double_eq_tol(height_m(&f), 4.0, 0.6);
        ck_assert_double_lt(flight_tilt_rad(&f), 6.0 * DEG);
        f.plant.sensors.gps.satellites = 9;
        fly_until(&f, 50.0, MODE_GOTO, 0.0, 0.0, -4.0);
        ck_assert_double_lt(away_m(&f, 0.0, 0.0), 1.0);
}

TEST(disarming_in_flight_stops_the_motors_at_once)
{
        struct flight f;

        take_off(&f, &md4_200, 12.0);
        flight_ask(&f, MODE_DISARMED, 0.0, 0.0, 0.0, 0.0);
        flight_tick(&f);
        ck_assert_double_eq(duty_sum(&f), 0.0);
        ck_assert(!fc_armed(&f.fc));
}

TEST(after_landing_it_arms_only_on_a_new_request)
{
        struct flight f;

        take_off(&f, &finken3, 10.0);
        fly_until(&f, 22.0, MODE_LAND, 0.0, 0.0, 0.0);
        ck_assert(!fc_armed(&f.fc));
        fly_until(&f, 25.0, MODE_GOTO, 0.0, 0.0, -4.0);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_double_eq(duty_sum(&f), 0.0);
        fly_until(&f, 26.0, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(fc_armed(&f.fc));
        fly_until(&f, 36.0, MODE_GOTO, 0.0, 0.0, -4.0);
        ck_assert_double_eq_tol(height_m(&f), 4.0, 0.5);
}

TEST(input_that_cannot_be_is_ignored)
{
        const double bad[] = { NAN, INFINITY, -INFINITY, 10001.0, -1e300 };
        struct flight f;
        struct fc before;

        take_off(&f, &md4_200, 8.0);
        before = f.fc;
        for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
                flight_ask(&f, MODE_GOTO, bad[i], 0.0, 0.0, 0.0);
                flight_ask(&f, MODE_GOTO, 0.0, bad[i], 0.0, 0.0);
                flight_ask(&f, MODE_GOTO, 0.0, 0.0, bad[i], 0.0);
                flight_ask(&f, MODE_GOTO, 0.0, 0.0, 0.0, bad[i]);
        }
        flight_ask(&f, (enum flight_mode)17, 0.0, 0.0, 0.0, 0.0);
        ck_assert_mem_eq(&f.fc, &before, sizeof before);
}

TEST_EACH(without_frames_it_sinks_level_and_then_stops, CRAFTS)
{
        struct flight f;
        double from_m;

        take_off(&f, crafts[_i], 16.0);
        from_m = height_m(&f);
        fly_silent_until(&f, 16.4);
        ck_assert(!f.fc.failsafe);
        fly_silent_until(&f, 17.5);
        ck_assert(f.fc.failsafe);
        ck_assert(fc_armed(&f.fc));
        ck_assert_int_eq(fc_mode(&f.fc), MODE_LAND);
        ck_assert_double_gt(duty_sum(&f), 0.0);
        fly_silent_until(&f, 18.0);
        ck_assert_double_lt(height_m(&f), from_m);
        fly_silent_until(&f, 20.6);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_double_eq(duty_sum(&f), 0.0);
        ck_assert_str_eq(f.fc.text, "failsafe: motors stopped");

        /* It does not start again by itself, whatever was asked before. */
        while (flight_s(&f) < 24.0)
                flight_tick(&f);
        ck_assert(!fc_armed(&f.fc));
        ck_assert(!f.fc.failsafe);
}

TEST_EACH(frames_that_return_in_time_bring_the_flight_back, CRAFTS)
{
        struct flight f;

        take_off(&f, crafts[_i], 16.0);
        fly_silent_until(&f, 16.8);
        ck_assert(f.fc.failsafe);
        fly_until(&f, 32.0, MODE_GOTO, 0.0, 0.0, -4.0);
        ck_assert(!f.fc.failsafe);
        ck_assert_int_eq(fc_mode(&f.fc), MODE_GOTO);
        ck_assert_double_eq_tol(height_m(&f), 4.0, 0.6);
        ck_assert_double_lt(away_m(&f, 0.0, 0.0), 1.0);
}

TEST(frames_without_a_new_imu_sample_are_silence)
{
        struct flight f;

        take_off(&f, &md4_200, 12.0);
        while (flight_s(&f) < 13.0) {
                f.t_ns += f.period_ns;
                f.frame.t_ns = f.t_ns;
                fc_step(&f.fc, &f.params, &f.frame, &f.command);
        }
        ck_assert(f.fc.failsafe);
}

TEST(silence_on_the_ground_disarms)
{
        struct flight f;

        flight_init(&f, &md4_200, false, 1 * MS, 1, 0.0);
        fly_until(&f, 4.0, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(fc_armed(&f.fc));
        fly_silent_until(&f, 4.6);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_double_eq(duty_sum(&f), 0.0);

        /* The order to arm is repeated, and does not arm it again before one to disarm. */
        fly_until(&f, 6.0, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(!fc_armed(&f.fc));
        ck_assert_str_eq(f.fc.text, "stopped by its failsafe: disarm first");
        fly_until(&f, 6.1, MODE_DISARMED, 0.0, 0.0, 0.0);
        fly_until(&f, 6.5, MODE_ARMED, 0.0, 0.0, 0.0);
        ck_assert(fc_armed(&f.fc));
}

/* Mostly what was there, sometimes what no sensor says. */
static void spoil(struct rng *rng, double *x)
{
        const double bad[] = { NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e12, 0.0, -1.0 };

        if (rng_uniform(rng) < 0.03)
                *x = bad[(int)(8.0 * rng_uniform(rng))];
}

static void spoil3(struct rng *rng, struct vec3 *v)
{
        spoil(rng, &v->x);
        spoil(rng, &v->y);
        spoil(rng, &v->z);
}

static void spoil_frame(struct rng *rng, struct sensor_frame *s)
{
        spoil3(rng, &s->imu.accel_body_mps2);
        spoil3(rng, &s->imu.gyro_body_radps);
        spoil3(rng, &s->gps.vel_ned_mps);
        spoil(rng, &s->gps.lat_rad);
        spoil(rng, &s->gps.lon_rad);
        spoil(rng, &s->gps.height_m);
        spoil(rng, &s->baro.pressure_pa);
        spoil(rng, &s->baro.temperature_k);
        spoil3(rng, &s->mag.field_body_t);
        spoil(rng, &s->sonar[0].range_m);
        if (rng_uniform(rng) < 0.1)
                s->fresh = (uint32_t)(256.0 * rng_uniform(rng));
        if (rng_uniform(rng) < 0.1)
                s->fresh_sonars = (uint32_t)(65536.0 * rng_uniform(rng));
}

TEST_EACH(commands_stay_commands_whatever_the_sensors_say, 3)
{
        struct flight f;
        struct rng rng;

        take_off(&f, &md4_200, 8.0);
        rng_init(&rng, (uint64_t)_i, 0, 0, 0);
        for (int n = 0; n < DRAWN(20000); n++) {
                f.t_ns += f.period_ns;
                f.frame = *vehicle_step(&f.vehicle, &f.plant, &f.world, NULL, &f.command,
                                        2);
                spoil_frame(&rng, &f.frame);
                fc_step(&f.fc, &f.params, &f.frame, &f.command);
                for (int i = 0; i < ROTORS_MAX; i++) {
                        ck_assert_double_ge(f.command.duty[i], 0.0);
                        ck_assert_double_le(f.command.duty[i], 1.0);
                }
                ck_assert_double_finite(f.fc.estimator.pos_ned_m.x);
                ck_assert_double_finite(f.fc.estimator.q_body_to_ned.w);
        }
}

TEST(one_run_repeats_to_the_bit)
{
        struct flight f, g;

        take_off(&f, &md4_200, 9.0);
        take_off(&g, &md4_200, 9.0);
        ck_assert_mem_eq(&f.command, &g.command, sizeof f.command);
        ck_assert_mem_eq(&f.vehicle.body, &g.vehicle.body, sizeof f.vehicle.body);
}
