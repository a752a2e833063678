/* Sticks: ends, centre, dead zone, expo and inversion, by their properties. */
#include <math.h>

#include "models/vehicle/stick.h"
#include "tests/suites.h"

static const struct stick_params shapes[] = {
        { -32768, 0, 32767, 0, 0, false }, { 0, 127.5, 255, 0.05, 0.5, false },
        { 100, 300, 350, 0.2, 1, true },   { 0, 0, 1, 0, 0, false },
        { 0, 0, 1, 0, 0, true },           { 0, 0, 1023, 0.1, 0.3, false },
};

#define SHAPES (sizeof shapes / sizeof shapes[0])

TEST(ends_reach_the_ends_and_beyond_them_nothing_changes)
{
        for (size_t i = 0; i < SHAPES; i++) {
                const struct stick_params *p = &shapes[i];
                uint16_t low = p->inverted ? 2000 : 1000;

                ck_assert_uint_eq(stick_us(p, p->least), low);
                ck_assert_uint_eq(stick_us(p, p->most), 3000 - low);
                ck_assert_uint_eq(stick_us(p, p->least - 1e6), low);
                ck_assert_uint_eq(stick_us(p, p->most + 1e6), 3000 - low);
                if (p->centre > p->least)
                        ck_assert_uint_eq(stick_us(p, p->centre), 1500);
        }
}

TEST(no_reading_turns_a_stick_back)
{
        for (size_t i = 0; i < SHAPES; i++) {
                const struct stick_params *p = &shapes[i];
                double span = p->most - p->least, sign = p->inverted ? -1.0 : 1.0;

                for (int k = -10; k < 110; k++) {
                        double a = stick_value(p, p->least + span * k / 100.0);
                        double b = stick_value(p, p->least + span * (k + 1) / 100.0);

                        ck_assert_double_ge(sign * (b - a), -1e-12);
                }
        }
}

TEST(the_dead_zone_does_nothing_and_begins_without_a_step)
{
        struct stick_params p = { -100, 0, 100, 0.1, 0, false };

        for (int raw = -10; raw <= 10; raw++)
                ck_assert_double_eq(stick_value(&p, raw), 0.0);
        ck_assert_double_lt(stick_value(&p, 10.001), 1e-4);
        ck_assert_double_gt(stick_value(&p, 10.001), 0.0);
}

TEST(expo_is_softer_inside_odd_and_reaches_the_end)
{
        struct stick_params straight = { -100, 0, 100, 0, 0, false }, soft = straight;

        soft.expo_ratio = 0.6;
        for (int raw = 1; raw < 100; raw++) {
                ck_assert_double_lt(stick_value(&soft, raw), stick_value(&straight, raw));
                ck_assert_double_eq_tol(stick_value(&soft, raw),
                                        -stick_value(&soft, -raw), 1e-15);
        }
        ck_assert_double_eq(stick_value(&soft, 100), 1.0);
}
