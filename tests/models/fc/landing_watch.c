/* What carries a landing vehicle: the ground or the rotors. */
#include "models/fc/landing_watch.h"

#include "tests/suites.h"

#define GRAVITY_MPS2 9.80665

static struct landing_watch after(double felt_mps2, double for_s, double dt_s)
{
        struct landing_watch w = { 0 };

        landing_watch_step(&w, GRAVITY_MPS2, dt_s);
        for (double t = 0.0; t < for_s; t += dt_s)
                landing_watch_step(&w, felt_mps2, dt_s);
        return w;
}

TEST(what_stands_neither_sinks_nor_falls)
{
        struct landing_watch w = after(GRAVITY_MPS2 - 0.5, 10.0, 0.001);

        ck_assert(!landing_watch_sinks(&w));
        ck_assert(!landing_watch_falls(&w));
}

TEST(what_falls_is_known_to_within_a_twentieth_of_a_second)
{
        for (double dt_s = 0.0005; dt_s < 0.01; dt_s *= 2.0) {
                struct landing_watch w = after(0.0, 0.05, dt_s);

                ck_assert(landing_watch_sinks(&w));
                ck_assert(landing_watch_falls(&w));
        }
}

TEST(what_sinks_faster_and_faster_sinks_and_does_not_fall)
{
        struct landing_watch w = after(0.85 * GRAVITY_MPS2, 1.0, 0.001);

        ck_assert(landing_watch_sinks(&w));
        ck_assert(!landing_watch_falls(&w));
}

TEST(a_single_shake_is_no_fall)
{
        struct landing_watch w = after(GRAVITY_MPS2, 0.1, 0.001);

        landing_watch_step(&w, -4.0 * GRAVITY_MPS2, 0.001);
        ck_assert(!landing_watch_falls(&w));
}
