/* The voltage between the samples of a log that has it ten times a second, filtered or not. */
#include <math.h>
#include <string.h>

#include "hil/sysid/supply.h"
#include "models/rng.h"

#include "tests/suites.h"

#define STEPS   60000 /* of a millisecond */
#define EVERY   100 /* steps from one sample of the log to the next */
#define SIGMA_V 0.01

static struct vehicle_params start;
static double flown_v[STEPS];
static int64_t log_ns[STEPS / EVERY];
static double log_v[STEPS / EVERY];
static const struct track flight = { .of[TRACK_VOLTAGE] = { STEPS / EVERY, STEPS / EVERY,
                                                            1, log_ns, log_v } };

/* A hover of 300 W with sags of single commands, most of them between two samples. */
static void command(int step, double *target_radps)
{
        bool pulse = step % 370 < 40;

        for (int i = 0; i < start.rotors; i++)
                target_radps[i] =
                        1000.0 + 80.0 * sin(2e-3 * step) + (pulse ? 300.0 : 0.0);
}

static void make_start(void)
{
        start = (struct vehicle_params){
                .rotors = 4,
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
        for (int i = 0; i < start.rotors; i++) {
                start.motor[i].tau_s = 0.03;
                start.rotor[i].torque_nm_per_radps2 = 2.96e-8;
                start.rotor[i].inertia_kgm2 = 8e-6;
                start.rotor[i].air_density_ref_kgpm3 = 1.225;
        }
}

/* A flight of which the log says `offset_v` more, through a filter of `filter_s`. */
static void fly(double offset_v, double filter_s)
{
        double target[ROTORS_MAX], filtered_v = 0.0;
        struct supply u;
        struct rng rng;

        make_start();
        rng_init(&rng, 1, 0, 0, 0);
        supply_init(&u, &start, 1.225);
        for (int i = 0; i < STEPS; i++) {
                double v = u.battery.voltage_v;

                flown_v[i] = v;
                filtered_v += i > 0 && filter_s > 0.0 ? 1e-3 / filter_s * (v - filtered_v)
                                                      : v - filtered_v;
                if (i % EVERY == 0) {
                        log_ns[i / EVERY] = (int64_t)i * 1000000;
                        log_v[i / EVERY] =
                                filtered_v + offset_v + SIGMA_V * rng_normal(&rng);
                }
                command(i, target);
                supply_drain(&u, target, 1e-3);
        }
}

/* What is found of it, against the flight with `offset_v` added: the worst error, of the last three quarters. */
static double worst_v(double offset_v)
{
        double target[ROTORS_MAX], worst = 0.0;
        struct supply u;

        supply_init(&u, &start, 1.225);
        for (int i = 0; i < STEPS; i++) {
                double v = supply_ratio(&u, &flight, (int64_t)i * 1000000) *
                           start.battery.reference_v;

                if (i > STEPS / 4)
                        worst = fmax(worst, fabs(v - flown_v[i] - offset_v));
                command(i, target);
                supply_drain(&u, target, 1e-3);
        }
        return worst;
}

/* Of the noise one sixth is left by the low-pass. */
TEST(sags_between_the_log_s_samples_are_the_model_s)
{
        fly(0.05, 0.0);
        ck_assert_double_lt(worst_v(0.05), 0.6 * SIGMA_V);
}

TEST(a_firmware_s_filter_is_no_lesser_sag)
{
        fly(0.0, 0.3);
        ck_assert_double_lt(worst_v(0.0), 0.03);
}

TEST(without_samples_it_is_the_model_alone)
{
        fly(0.0, 0.0);
        memset(log_v, 0, sizeof log_v);
        ck_assert_double_lt(worst_v(0.0), 1e-12);
}

/* Against a battery with a twentieth more of it, with and without the log's voltage. */
TEST_EACH(the_share_of_the_resistance_is_what_more_of_it_would_take, 2)
{
        struct vehicle_params other;
        struct supply u, v;
        double worst = 0.0, most = 0.0, target[ROTORS_MAX];

        fly(0.05, 0.0);
        if (_i == 1)
                memset(log_v, 0, sizeof log_v);
        other = start;
        other.battery.resistance_ohm *= 1.05;
        supply_init(&u, &start, 1.225);
        supply_init(&v, &other, 1.225);
        for (int i = 0; i < STEPS; i++) {
                double is = supply_ratio(&u, &flight, (int64_t)i * 1000000);
                double with = supply_ratio(&v, &flight, (int64_t)i * 1000000);
                double takes = 0.05 * supply_sag_ratio(&u);

                worst = fmax(worst, fabs(is - with - takes));
                most = fmax(most, fabs(takes));
                command(i, target);
                supply_drain(&u, target, 1e-3);
                supply_drain(&v, target, 1e-3);
        }
        ck_assert_double_gt(most, 1e-3);
        ck_assert_double_lt(worst, 0.12 * most);
}
