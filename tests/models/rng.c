/* The noise: the published block function and quantile, their statistics, and that a
 * stream belongs to one draw alone. */
#include <math.h>
#include <string.h>

#include "models/rng.h"

#include "tests/suites.h"

#define DRAWS 1000000

/* Random123 1.14, tests/kat_vectors, the lines "philox4x32 10". */
static const struct {
        uint32_t counter[4], key[2], block[4];
} known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
};

TEST(philox_gives_the_known_answers)
{
        for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
                uint32_t block[4];

                rng_philox(known[i].counter, known[i].key, block);
                ck_assert_mem_eq(block, known[i].block, sizeof block);
        }
}

/* Wichura 1988, the check values of PPND16. */
TEST(quantile_gives_the_published_values)
{
        ck_assert_double_eq_tol(rng_normal_quantile(0.25), -0.6744897501960817, 1e-15);
        ck_assert_double_eq_tol(rng_normal_quantile(0.001), -3.090232306167814, 4e-15);
        ck_assert_double_eq_tol(rng_normal_quantile(1e-20), -9.262340089798408, 1e-14);
}

TEST(quantile_inverts_the_distribution_function)
{
        for (double x = -37.0; x <= 0.0; x += 0.01) {
                double p = 0.5 * erfc(-x / sqrt(2.0));

                ck_assert_double_eq_tol(rng_normal_quantile(p), x, 2e-14 - 1e-15 * x);
        }
}

TEST(quantile_is_antisymmetric)
{
        /* Multiples of 2^-20: 1 - p is exact. */
        for (int i = 1; i < 1 << 20; i += 7) {
                double p = i * 0x1p-20;

                ck_assert_double_eq(rng_normal_quantile(p),
                                    -rng_normal_quantile(1.0 - p));
        }
        ck_assert_double_eq(rng_normal_quantile(0.5), 0.0);
}

TEST(quantile_is_continuous_where_its_pieces_meet)
{
        const double seam[] = { 0.075, 0.925, 1.3887943864964021e-11 /* exp(-25) */ };

        for (unsigned i = 0; i < 3; i++) {
                double below = rng_normal_quantile(seam[i] * (1.0 - 1e-13));
                double above = rng_normal_quantile(seam[i] * (1.0 + 1e-13));

                ck_assert_double_gt(above, below);
                ck_assert_double_lt(above - below, 3e-12);
        }
}

TEST(uniforms_never_reach_0_or_1)
{
        ck_assert_double_gt(rng_uniform_from(0), 0.0);
        ck_assert_double_lt(rng_uniform_from(UINT64_MAX), 1.0);
        ck_assert_double_eq(rng_uniform_from(0) + rng_uniform_from(UINT64_MAX), 1.0);
        ck_assert(isfinite(rng_normal_quantile(rng_uniform_from(0))));
        ck_assert(isfinite(rng_normal_quantile(rng_uniform_from(UINT64_MAX))));
}

/* Chi-squared with 99 degrees of freedom: mean 99, deviation 14.07; five of them allowed.
 */
TEST(uniforms_fill_the_interval_evenly)
{
        struct rng rng;
        int bin[100] = { 0 };
        double chi2 = 0.0;

        rng_init(&rng, 7, 0, 0, 0);
        for (int i = 0; i < DRAWS; i++)
                bin[(int)(100.0 * rng_uniform(&rng))]++;
        for (int i = 0; i < 100; i++)
                chi2 += (bin[i] - DRAWS / 100.0) * (bin[i] - DRAWS / 100.0) /
                        (DRAWS / 100.0);
        ck_assert_double_lt(fabs(chi2 - 99.0), 5.0 * 14.07);
}

/* Four standard errors of each moment of a normal sample. */
TEST(normals_have_the_moments_of_the_normal_distribution)
{
        struct rng rng;
        double sum[4] = { 0.0 };

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < DRAWS; i++) {
                double x = rng_normal(&rng);

                sum[0] += x;
                sum[1] += x * x;
                sum[2] += x * x * x;
                sum[3] += x * x * x * x;
        }
        ck_assert_double_lt(fabs(sum[0] / DRAWS), 4.0 * sqrt(1.0 / DRAWS));
        ck_assert_double_lt(fabs(sum[1] / DRAWS - 1.0), 4.0 * sqrt(2.0 / DRAWS));
        ck_assert_double_lt(fabs(sum[2] / DRAWS), 4.0 * sqrt(15.0 / DRAWS));
        ck_assert_double_lt(fabs(sum[3] / DRAWS - 3.0), 4.0 * sqrt(96.0 / DRAWS));
}

TEST(normals_have_tails_of_the_right_weight)
{
        struct rng rng;
        const double limit[] = { 1.0, 2.0, 3.0, 4.0 };
        int beyond[4] = { 0 };

        rng_init(&rng, 2, 0, 0, 0);
        for (int i = 0; i < DRAWS; i++) {
                double x = fabs(rng_normal(&rng));

                for (int k = 0; k < 4; k++)
                        beyond[k] += x > limit[k];
        }
        for (int k = 0; k < 4; k++) {
                double expected = DRAWS * erfc(limit[k] / sqrt(2.0));

                ck_assert_double_lt(fabs(beyond[k] - expected), 4.0 * sqrt(expected));
        }
}

static double correlation(struct rng a, struct rng b)
{
        double sum = 0.0;

        for (int i = 0; i < DRAWS; i++)
                sum += rng_normal(&a) * rng_normal(&b);
        return sum / DRAWS;
}

TEST(streams_are_independent)
{
        struct rng one, other[5];

        rng_init(&one, 1, 0, 0, 0);
        rng_init(&other[0], 2, 0, 0, 0);
        rng_init(&other[1], 1, 1, 0, 0);
        rng_init(&other[2], 1, 0, 1, 0);
        rng_init(&other[3], 1, 0, 0, 1);
        /* Itself, one draw later. */
        other[4] = one;
        rng_normal(&other[4]);
        for (int i = 0; i < 5; i++)
                ck_assert_double_lt(fabs(correlation(one, other[i])),
                                    4.0 / sqrt((double)DRAWS));
}

TEST(every_draw_has_a_key_of_its_own)
{
        struct rng rng[2 * 8 * 5 * 6];
        int n = 0;

        for (uint64_t seed = 0; seed < 2; seed++)
                for (uint32_t vehicle = 0; vehicle < 8; vehicle++)
                        for (uint32_t sensor = 0; sensor < 5; sensor++)
                                for (uint32_t axis = 0; axis < 6; axis++)
                                        rng_init(&rng[n++], seed << 32, vehicle, sensor,
                                                 axis);
        for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                        ck_assert_mem_ne(rng[i].key, rng[j].key, sizeof rng[i].key);
}

TEST(a_copy_replays_the_stream)
{
        struct rng rng, copy;

        rng_init(&rng, 3, 1, 4, 1);
        for (int i = 0; i < 1001; i++)
                rng_normal(&rng);
        copy = rng;
        for (int i = 0; i < 1001; i++)
                ck_assert_double_eq(rng_normal(&rng), rng_normal(&copy));
}

TEST(one_uniform_gives_one_normal)
{
        struct rng uniform, normal;

        rng_init(&uniform, 5, 9, 2, 6);
        normal = uniform;
        for (int i = 0; i < 1001; i++)
                ck_assert_double_eq(rng_normal(&normal),
                                    rng_normal_quantile(rng_uniform(&uniform)));
}

static void agree(struct rng_bundle *bundle, struct rng alone[RNG_STREAMS], int steps)
{
        for (int n = 0; n < steps; n++) {
                const double *drawn = rng_bundle_next(bundle);

                for (int i = 0; i < RNG_STREAMS; i++)
                        ck_assert_double_eq(drawn[i], rng_normal(&alone[i]));
        }
}

TEST(bundle_gives_each_stream_its_own_normals)
{
        struct rng_bundle bundle;
        struct rng alone[RNG_STREAMS];

        rng_bundle_init(&bundle, 5, 9, 2, 6);
        for (uint32_t i = 0; i < RNG_STREAMS; i++)
                rng_init(&alone[i], 5, 9, 2, 6 + i);
        agree(&bundle, alone, 100003);
        /* Over the counter's middle. */
        rng_bundle_init(&bundle, 5, 9, 2, 6);
        bundle.counter = 0xfffffffe;
        for (int i = 0; i < RNG_STREAMS; i++)
                alone[i] = (struct rng){ .key = { bundle.key[0][i], bundle.key[1][i] },
                                         .counter = 0xfffffffe };
        agree(&bundle, alone, 100);
}

TEST(stream_goes_on_after_2_to_the_32_blocks)
{
        const uint32_t counter[4] = { 0, 1, 0, 0 };
        struct rng rng;
        uint32_t block[4];

        rng_init(&rng, 5, 9, 2, 6);
        rng.counter = 0xffffffff;
        rng_uniform(&rng);
        rng_uniform(&rng);
        rng_philox(counter, rng.key, block);
        ck_assert_double_eq(rng_uniform(&rng),
                            rng_uniform_from((uint64_t)block[0] << 32 | block[1]));
}

/* FNV-1a over the bits of 10000 normals; the number comes from the same algorithms
 * written in Python. Another compiler, level or processor must agree. */
TEST(noise_is_the_same_bits_on_every_machine)
{
        uint64_t hash = 0xcbf29ce484222325U;
        struct rng rng;

        rng_init(&rng, 42, 1, 2, 3);
        for (int i = 0; i < 10000; i++) {
                double x = rng_normal(&rng);
                uint64_t bits;

                memcpy(&bits, &x, sizeof bits);
                hash = (hash ^ bits) * 0x100000001b3U;
        }
        ck_assert_uint_eq(hash, 0x8a39626ceb561cfU);
}
