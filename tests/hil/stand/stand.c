/* A stand made of the rig's own motor and battery, with noise and with instruments whose scales are off: what tables of it tell is compared with what it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/stand/stand.h"
#include "models/rng.h"

#include "tests/suites.h"

#define RATE_HZ     200
#define PLANT_STEPS 5 /* between two rows */
#define ROWS_MOST   60000
#define DRAWS       DRAWN(20)

static int64_t t_ns[ROWS_MOST];
static double command[ROWS_MOST][ROTORS_MAX], speed[ROWS_MOST], thrust[ROWS_MOST],
        torque[ROWS_MOST], voltage[ROWS_MOST], current[ROWS_MOST];
static struct track table;
static struct vehicle_params start;

static void make_start(void)
{
        start = (struct vehicle_params){
                .rotors = 1,
                .battery = { .capacity_c = 18000.0,
                             .charge_ratio = 1.0,
                             .resistance_ohm = 0.015,
                             .points = 2,
                             .curve_ratio = { 0.0, 1.0 },
                             .curve_v = { 14.0, 16.4 },
                             .cutoff_v = 12.0,
                             .idle_w = 5.0,
                             .efficiency = 0.5,
                             .reference_v = 15.6 },
        };
        start.motor[0] = (struct motor_params){ .tau_s = 0.03,
                                                .speed_full_radps = 2300.0,
                                                .speed_limit_radps = 1e6 };
        start.rotor[0].thrust_n_per_radps2 = 1.848e-6;
        start.rotor[0].torque_nm_per_radps2 = 2.96e-8;
}

/* The plan's ramp, stairs and steps, one after the other. */
static double command_at(double t, bool steps)
{
        if (t < 10.0)
                return 0.0;
        t -= 10.0;
        if (t < 30.0)
                return 0.005 * floor(t);
        t -= 30.0;
        if (t < 76.0) {
                int k = (int)(t / 4.0);

                return 0.1 * (k < 10 ? k + 1 : 19 - k);
        }
        t -= 76.0;
        return steps && (int)t % 2 == 0 ? 0.6 : 0.3;
}

/* Of thrust, torque, voltage and current. */
static double scale[4];

static void note(int row, double speed_radps, const struct battery *b,
                 const struct vehicle_params *v, struct rng *rng)
{
        double square = speed_radps * speed_radps;

        t_ns[row] = (int64_t)row * (1000000000 / RATE_HZ);
        speed[row] = speed_radps + 3.0 * rng_normal(rng);
        thrust[row] = 0.05 + scale[0] * v->rotor[0].thrust_n_per_radps2 * square +
                      0.03 * rng_normal(rng);
        torque[row] = scale[1] * v->rotor[0].torque_nm_per_radps2 * square +
                      5e-4 * rng_normal(rng);
        voltage[row] = scale[2] * b->voltage_v + 0.01 * rng_normal(rng);
        current[row] = scale[3] * b->current_a + 0.1 * rng_normal(rng);
}

static struct track_samples samples_of(int rows, int columns, double *value)
{
        return (struct track_samples){ (size_t)rows, (size_t)rows, columns, t_ns, value };
}

static void fly(struct vehicle_params *v, uint64_t seed, bool steps)
{
        double dt = 1.0 / (RATE_HZ * PLANT_STEPS);
        struct motor_params *m = &v->motor[0];
        struct battery b;
        struct rng rng;
        double now = 0.0;
        int rows = RATE_HZ * 156;

        rng_init(&rng, seed, 0, 0, 0);
        for (int i = 0; i < 4; i++)
                scale[i] = 1.0 + 0.0025 * rng_normal(&rng);
        battery_init(&b, &v->battery);
        for (int i = 0; i < rows; i++) {
                double u = command_at((double)i / RATE_HZ, steps);

                memset(command[i], 0, sizeof command[i]);
                command[i][0] = u;
                note(i, now, &b, v, &rng);
                for (int k = 0; k < PLANT_STEPS; k++) {
                        double target = motor_target_radps(
                                m, u, battery_speed_ratio(&b, &v->battery));
                        double tau = target < now && m->tau_down_s > 0.0 ? m->tau_down_s
                                                                         : m->tau_s;

                        now = motor_speed_after(now, target, -expm1(-dt / tau));
                        battery_step(&b, &v->battery,
                                     v->rotor[0].torque_nm_per_radps2 * now * now * now,
                                     dt);
                }
        }
        table = (struct track){ .motors = 1 };
        table.of[TRACK_MOTORS] = samples_of(rows, ROTORS_MAX, command[0]);
        table.of[TRACK_SPEED] = samples_of(rows, 1, speed);
        table.of[TRACK_THRUST] = samples_of(rows, 1, thrust);
        table.of[TRACK_TORQUE] = samples_of(rows, 1, torque);
        table.of[TRACK_VOLTAGE] = samples_of(rows, 1, voltage);
        table.of[TRACK_CURRENT] = samples_of(rows, 1, current);
}

static void find(struct stand_result *r)
{
        char why[300] = "";

        ck_assert_msg(stand_find(&table, 1, &start, r, why, sizeof why), "%s", why);
}

static double around(struct rng *rng, double most)
{
        return exp((2.0 * rng_uniform(rng) - 1.0) * log(most));
}

static void draw(struct vehicle_params *v, uint64_t seed, double truth[STAND_PARAMETERS])
{
        struct rng rng;

        make_start();
        *v = start;
        rng_init(&rng, seed, 0, 0, 9);
        v->motor[0].tau_s *= around(&rng, 1.5);
        v->motor[0].tau_down_s = v->motor[0].tau_s * (1.0 + rng_uniform(&rng));
        v->motor[0].speed_full_radps *= around(&rng, 1.2);
        v->motor[0].thrust_linear = 0.6 * rng_uniform(&rng);
        v->motor[0].dead_band = 0.02 + 0.08 * rng_uniform(&rng);
        v->rotor[0].thrust_n_per_radps2 *= around(&rng, 1.3);
        v->rotor[0].torque_nm_per_radps2 *= around(&rng, 1.3);
        v->battery.resistance_ohm *= around(&rng, 2.0);
        v->battery.efficiency = 0.4 + 0.4 * rng_uniform(&rng);
        truth[STAND_THRUST] = v->rotor[0].thrust_n_per_radps2;
        truth[STAND_TORQUE] = v->rotor[0].torque_nm_per_radps2;
        truth[STAND_SPEED] = v->motor[0].speed_full_radps;
        truth[STAND_EXPO] = 1.0 - v->motor[0].thrust_linear;
        truth[STAND_DEAD_BAND] = v->motor[0].dead_band;
        truth[STAND_TAU] = v->motor[0].tau_s;
        truth[STAND_TAU_DOWN] = v->motor[0].tau_down_s;
        truth[STAND_RESISTANCE] = v->battery.resistance_ohm;
        truth[STAND_EFFICIENCY] = v->battery.efficiency;
}

/* Of 20 at 95 % fewer than 15 come once in 3000 times. */
TEST(stand_intervals_hold_the_truth)
{
        int held[STAND_PARAMETERS] = { 0 }, told[STAND_PARAMETERS] = { 0 };

        for (uint64_t seed = 1; seed <= DRAWS; seed++) {
                struct vehicle_params v;
                struct stand_result r;
                double truth[STAND_PARAMETERS];

                draw(&v, seed, truth);
                fly(&v, seed, true);
                find(&r);
                for (int i = 0; i < STAND_PARAMETERS; i++) {
                        told[i] += r.told[i];
                        held[i] += fabs(r.found[i] - truth[i]) <= r.half[i];
                }
        }
        for (int i = 0; i < STAND_PARAMETERS; i++) {
                ck_assert_msg(told[i] >= DRAWS - DRAWN(2), "%s told %d",
                              stand_names[i].name, told[i]);
                ck_assert_msg(held[i] >= DRAWS - DRAWN(5), "%s held %d",
                              stand_names[i].name, held[i]);
        }
}

TEST(stand_stops_when_all_is_known)
{
        double truth[STAND_PARAMETERS];
        struct vehicle_params v;
        struct stand_result r;

        draw(&v, 3, truth);
        fly(&v, 3, true);
        find(&r);
        ck_assert_int_eq(stand_next(&r), STAND_PLAN);
        table.of[TRACK_TORQUE].count = 0;
        find(&r);
        ck_assert(!r.told[STAND_TORQUE] && !r.told[STAND_EFFICIENCY]);
        ck_assert(isnan(r.found[STAND_TORQUE]));
        ck_assert_int_eq(stand_next(&r), STAND_STAIRS);
}

/* Ten rows a second tell the curve and no lag. */
TEST(stand_tells_no_lag_from_few_rows)
{
        double truth[STAND_PARAMETERS];
        struct vehicle_params v;
        struct stand_result r;
        size_t rows;

        draw(&v, 3, truth);
        fly(&v, 3, true);
        rows = table.of[TRACK_SPEED].count / 20;
        for (size_t i = 0; i < rows; i++) {
                t_ns[i] = t_ns[20 * i];
                memcpy(command[i], command[20 * i], sizeof command[i]);
                speed[i] = speed[20 * i];
                thrust[i] = thrust[20 * i];
        }
        for (int k = 0; k < TRACK_KINDS; k++)
                if (table.of[k].count > 0)
                        table.of[k].count = rows;
        table.of[TRACK_TORQUE].count = table.of[TRACK_VOLTAGE].count =
                table.of[TRACK_CURRENT].count = 0;
        find(&r);
        ck_assert(!r.told[STAND_TAU] && !r.told[STAND_TAU_DOWN]);
        ck_assert(r.told[STAND_THRUST]);
}

TEST(stand_needs_rows)
{
        struct vehicle_params v;
        struct stand_result r;
        double truth[STAND_PARAMETERS];
        char why[300] = "";

        draw(&v, 3, truth);
        fly(&v, 3, true);
        table.of[TRACK_SPEED].count = 0;
        table.of[TRACK_THRUST].count = 10;
        ck_assert(!stand_find(&table, 1, &start, &r, why, sizeof why));
        ck_assert(strstr(why, "must have columns command and rpm or thrust_n") != NULL);
}
