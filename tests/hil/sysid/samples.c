/* Which blocks of a log are a flight, and in which the thrust is what was asked for. */
#include <stdlib.h>

#include "hil/sysid/samples.h"

#include "tests/suites.h"

#define STEPS 12000 /* of a millisecond */

static int64_t t_ns[STEPS];
static double still[3 * STEPS], motors[ROTORS_MAX * STEPS];

/* Of a hover in which one motor has `command` from `from_ms` on for a tenth of a second. */
static void make(struct sysid_samples *s, int from_ms, double command)
{
        static const int output[ROTORS_MAX] = { 0, 1, 2, 3 };
        const struct track_samples imu = { STEPS, STEPS, 3, t_ns, still };
        const struct track t = { .of = { [TRACK_RATE] = imu,
                                         [TRACK_ACCEL] = imu,
                                         [TRACK_MOTORS] = { STEPS, STEPS, ROTORS_MAX,
                                                            t_ns, motors } },
                                 .motors = 4 };
        struct vehicle_params start = { .rotors = 4 };
        char why[200];

        start.sensors.imu.q_body_to_sensor.w = 1.0;
        for (int i = 0; i < 4; i++)
                start.motor[i] =
                        (struct motor_params){ .tau_s = 0.03, .speed_full_radps = 2e3 };
        for (int i = 0; i < STEPS; i++) {
                t_ns[i] = i * INT64_C(1000000);
                for (int m = 0; m < 4; m++)
                        motors[ROTORS_MAX * i + m] = 0.5;
                if (i >= from_ms && i < from_ms + 100)
                        motors[ROTORS_MAX * i + 2] = command;
        }
        ck_assert_msg(
                sysid_samples_make(s, &t, 1, &start, 1.225, output, why, sizeof why),
                "%s", why);
        ck_assert_double_eq_tol(s->block_s, 0.01, 1e-12);
}

TEST(samples_do_not_believe_a_rotor_that_is_let_go_until_half_a_second_later)
{
        struct sysid_samples s;

        make(&s, 5000, 0.02);
        for (size_t k = 300; k < 900; k++) {
                ck_assert(s.flies[k]);
                ck_assert_msg(s.driven[k] == (k < 500 || k >= 560), "block %zu", k);
        }
        sysid_samples_free(&s);
}

TEST(samples_believe_a_rotor_that_only_slows_down)
{
        struct sysid_samples s;

        make(&s, 5000, 0.2);
        for (size_t k = 300; k < 900; k++)
                ck_assert(s.flies[k] && s.driven[k]);
        sysid_samples_free(&s);
}
