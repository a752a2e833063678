/* The BMP180's arithmetic: the data sheet's example, and words that lead back to what
 * they stand for. */
#include <math.h>
#include <stdlib.h>

#include "models/rng.h"
#include "models/sensors/bmp180.h"

#include "tests/suites.h"

/* BST-BMP180-DS000, 3.5: the example's calibration words. */
static const struct bmp180_params example = {
        .ac1 = 408,
        .ac2 = -72,
        .ac3 = -14383,
        .ac4 = 32741,
        .ac5 = 32757,
        .ac6 = 23153,
        .b1 = 6190,
        .b2 = 4,
        .mb = -32768,
        .mc = -8711,
        .md = 2868,
};

static struct bmp180_params at_oversampling(int oversampling)
{
        struct bmp180_params p = example;

        p.oversampling = oversampling;
        return p;
}

/* The same page: UT 27898 and UP 23843 are 15.0 degrees Celsius and 69964 Pa. */
TEST(data_sheet_example_comes_out)
{
        struct bmp180_reading r =
                bmp180_compensate(&example, (struct bmp180_words){ 27898, 23843 });

        ck_assert_int_eq(r.temperature_dc, 150);
        ck_assert_int_eq(r.pressure_pa, 69964);
}

TEST(data_sheet_example_is_found_again)
{
        struct bmp180_words w = bmp180_convert(&example, 69964.0, 15.0);
        struct bmp180_reading r = bmp180_compensate(&example, w);

        /* A tenth of a kelvin spans about twelve words. */
        ck_assert_int_le(abs(w.ut - 27898), 12);
        ck_assert_int_eq(r.temperature_dc, 150);
        ck_assert_int_le(abs(r.pressure_pa - 69964), 2);
}

/* The data sheet's formulas in real numbers, without its shifts' truncation. */
static double exact_b5(const struct bmp180_params *p, double ut)
{
        double x1 = (ut - p->ac6) * p->ac5 / 32768.0;

        return x1 + p->mc * 2048.0 / (x1 + p->md);
}

static double exact_pressure_pa(const struct bmp180_params *p, double b5, double up)
{
        double gain = (double)(1 << p->oversampling);
        double b6 = b5 - 4000.0, square = b6 * b6 / 4096.0;
        double x3 = p->b2 * square / 2048.0 + p->ac2 * b6 / 2048.0;
        double b3 = ((p->ac1 * 4.0 + x3) * gain + 2.0) / 4.0;
        double b4, pa;

        x3 = (p->ac3 * b6 / 8192.0 + p->b1 * square / 65536.0 + 2.0) / 4.0;
        b4 = p->ac4 * (x3 + 32768.0) / 32768.0;
        pa = 2.0 * (up - b3) * (50000.0 / gain) / b4;
        return pa + ((pa / 256.0) * (pa / 256.0) * 3038.0 / 65536.0 -
                     7357.0 * pa / 65536.0 + 3791.0) /
                            16.0;
}

TEST(integers_agree_with_real_numbers)
{
        for (int oss = 0; oss <= 3; oss++) {
                struct bmp180_params p = at_oversampling(oss);

                for (int ut = 25500; ut < 33000; ut += 151)
                        for (int up = 12000 << oss; up < 42000 << oss; up += 457 << oss) {
                                struct bmp180_reading r = bmp180_compensate(
                                        &p, (struct bmp180_words){ ut, up });
                                double b5 = exact_b5(&p, ut);
                                double pa = exact_pressure_pa(&p, b5, up);

                                if (pa < 30000.0 || pa > 110000.0)
                                        continue;
                                ck_assert_double_eq_tol(r.temperature_dc, b5 / 16.0,
                                                        0.65);
                                /* B3, B4, B5 and p >> 8 cost up to 3 Pa each. */
                                ck_assert_double_eq_tol(r.pressure_pa, pa, 12.0);
                        }
        }
}

/* Nearest: no neighbour of the word is nearer. */
static void check_there_and_back(const struct bmp180_params *p, double pa, double celsius)
{
        struct bmp180_words w = bmp180_convert(p, pa, celsius), below = w, above = w;
        struct bmp180_reading r = bmp180_compensate(p, w);
        double error = fabs(r.pressure_pa - pa);
        int low, high;

        ck_assert_int_gt(w.ut, 0);
        ck_assert_int_lt(w.ut, 1 << 16);
        ck_assert_int_gt(w.up, 0);
        ck_assert_int_lt(w.up, 1 << (16 + p->oversampling));
        ck_assert_double_le(fabs(0.1 * r.temperature_dc - celsius), 0.0601);
        below.up--;
        above.up++;
        low = bmp180_compensate(p, below).pressure_pa;
        high = bmp180_compensate(p, above).pressure_pa;
        ck_assert_double_le(error, fabs(low - pa));
        ck_assert_double_le(error, fabs(high - pa));
        ck_assert_double_le(error, fmax(0.5, 0.5 * (high - low)));
}

TEST(words_lead_back_over_the_whole_range)
{
        for (int oss = 0; oss <= 3; oss++) {
                struct bmp180_params p = at_oversampling(oss);

                for (double celsius = 0.0; celsius <= 65.0; celsius += 0.83)
                        for (double pa = 30000.0; pa <= 110000.0; pa += 373.7)
                                check_there_and_back(&p, pa, celsius);
        }
}

TEST(words_grow_with_what_they_stand_for)
{
        struct bmp180_params p = at_oversampling(3);
        int last = 0;

        for (double pa = 30000.0; pa <= 110000.0; pa += 11.3) {
                int up = bmp180_convert(&p, pa, 21.0).up;

                ck_assert_int_gt(up, last);
                last = up;
        }
        last = 0;
        for (double celsius = -40.0; celsius < 85.0; celsius += 0.05) {
                int ut = bmp180_convert(&p, 1e5, celsius).ut;

                ck_assert_int_gt(ut, last);
                last = ut;
        }
}

/* At ultra high resolution a word is about a third of a pascal, less than what the
 * arithmetic tells apart. */
TEST(words_are_as_fine_as_the_resolution)
{
        struct bmp180_params p = at_oversampling(3);
        int first = bmp180_convert(&p, 90000.0, 20.0).up;
        int last = bmp180_convert(&p, 90100.0, 20.0).up, distinct = 1, up = first;

        for (double pa = 90000.0; pa <= 90100.0; pa += 0.05) {
                int now = bmp180_convert(&p, pa, 20.0).up;

                distinct += now != up;
                up = now;
        }
        ck_assert_int_gt(distinct, 150);
        ck_assert_int_le(distinct, last - first + 1);
}

TEST(outside_its_range_words_stay_words)
{
        static const double far[] = {
                -INFINITY, -1e300, -1.0, 0.0, 1e7, 1e300, INFINITY
        };

        for (int oss = 0; oss <= 3; oss++) {
                struct bmp180_params p = at_oversampling(oss);

                for (unsigned i = 0; i < sizeof far / sizeof far[0]; i++)
                        for (unsigned k = 0; k < sizeof far / sizeof far[0]; k++) {
                                struct bmp180_words w =
                                        bmp180_convert(&p, far[i], far[k]);

                                ck_assert_int_ge(w.ut, 0);
                                ck_assert_int_lt(w.ut, 1 << 16);
                                ck_assert_int_ge(w.up, 0);
                                ck_assert_int_lt(w.up, 1 << (16 + oss));
                        }
        }
}

static int16_t any_word(struct rng *rng)
{
        return (int16_t)(65536.0 * rng_uniform(rng) - 32768.0);
}

/* Any words at all: the sanitizers watch. */
TEST(no_calibration_divides_by_zero_or_overflows)
{
        struct rng rng;

        rng_init(&rng, 7, 0, 0, 0);
        for (int i = 0; i < 20000; i++) {
                struct bmp180_params p = {
                        any_word(&rng),           any_word(&rng),
                        any_word(&rng),           (uint16_t)any_word(&rng),
                        (uint16_t)any_word(&rng), (uint16_t)any_word(&rng),
                        any_word(&rng),           any_word(&rng),
                        any_word(&rng),           any_word(&rng),
                        any_word(&rng),           i % 4,
                };
                struct bmp180_words w = { (uint16_t)any_word(&rng),
                                          (uint16_t)any_word(&rng) };

                if (i % 3 == 0)
                        p.md = p.mc = p.b1 = 0;
                if (i % 5 == 0)
                        p.ac4 = 0;
                bmp180_compensate(&p, w);
                bmp180_convert(&p, 1e5, 20.0);
                bmp180_params_fit(&p);
        }
}

TEST(only_calibrations_of_a_part_fit)
{
        struct bmp180_params none = { 0 }, odd = example;

        for (int oss = 0; oss <= 3; oss++) {
                struct bmp180_params p = at_oversampling(oss);

                ck_assert(bmp180_params_fit(&p));
                none.oversampling = oss;
                ck_assert(!bmp180_params_fit(&none));
        }
        odd.ac4 = 0;
        ck_assert(!bmp180_params_fit(&odd));
        odd = example;
        odd.mc = 8711;
        ck_assert(!bmp180_params_fit(&odd));
}

/* BST-BMP180-DS000, table 3: 0.06, 0.05, 0.04, 0.03 hPa. */
TEST(noise_is_the_data_sheets)
{
        static const double hpa[] = { 0.06, 0.05, 0.04, 0.03 };

        for (int oss = 0; oss <= 3; oss++)
                ck_assert_double_eq_tol(bmp180_sigma_pa(oss), 100.0 * hpa[oss], 1e-12);
}
