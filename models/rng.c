#include "models/rng.h"

#include <math.h>
#include <string.h>

#include "models/isa.h"

#define PHILOX_M0 0xD2511F53U
#define PHILOX_M1 0xCD9E8D57U
#define PHILOX_W0 0x9E3779B9U
#define PHILOX_W1 0xBB67AE85U

/* Of the counter c in its place. */
ALWAYS_INLINE void philox(uint32_t c[4], uint32_t k0, uint32_t k1)
{
        uint32_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];

#pragma GCC unroll 10
        for (int round = 0; round < 10; round++) {
                uint64_t p0 = (uint64_t)PHILOX_M0 * c0;
                uint64_t p1 = (uint64_t)PHILOX_M1 * c2;

                c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
                c1 = (uint32_t)p1;
                c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
                c3 = (uint32_t)p0;
                k0 += PHILOX_W0;
                k1 += PHILOX_W1;
        }
        c[0] = c0;
        c[1] = c1;
        c[2] = c2;
        c[3] = c3;
}

void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
        memcpy(out, counter, 4 * sizeof *out);
        philox(out, key[0], key[1]);
}

void rng_init(struct rng *rng, uint64_t seed, uint32_t vehicle, uint32_t sensor,
              uint32_t axis)
{
        /* The seed is the key of one block that hashes the rest into the stream's own
         * key. */
        uint32_t who[4] = { vehicle, sensor, axis, 0x68696c72U };
        uint32_t seed_key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
        uint32_t block[4];

        rng_philox(who, seed_key, block);
        *rng = (struct rng){ .key = { block[0], block[1] } };
}

double rng_uniform_from(uint64_t bits)
{
        /* 52 bits, so that the half is exact: with 53 it would round the last cell up
         * to 1. Signed, which the processor converts in one instruction. */
        return ((double)(int64_t)(bits >> 12) + 0.5) * 0x1p-52;
}

double rng_next_block(struct rng *rng)
{
        uint32_t counter[4] = { (uint32_t)rng->counter, (uint32_t)(rng->counter >> 32), 0,
                                0 };
        uint32_t block[4];

        rng_philox(counter, rng->key, block);
        rng->counter++;
        rng->spare = rng_uniform_from((uint64_t)block[2] << 32 | block[3]);
        rng->has_spare = 1;
        return rng_uniform_from((uint64_t)block[0] << 32 | block[1]);
}

/* Below this p, sqrt(-ln p) exceeds 5; a little above, where both ways agree on which it is. */
#define FAR_BELOW 1.4e-11

/* A polynomial of degree 7 over another, whose constant term is 1. */
static inline double ratio(double r, const double over[8], const double under[7])
{
        double num = over[0], den = under[0];

        for (int i = 1; i < 8; i++)
                num = num * r + over[i];
        for (int i = 1; i < 7; i++)
                den = den * r + under[i];
        return num / (den * r + 1.0);
}

/* AS 241, PPND16, away from the middle. Coefficients as published. */
static inline double near_tail(double r)
{
        static const double over[] = {
                7.74545014278341407640e-4, 2.27238449892691845833e-2,
                2.41780725177450611770e-1, 1.27045825245236838258e+0,
                3.64784832476320460504e+0, 5.76949722146069140550e+0,
                4.63033784615654529590e+0, 1.42343711074968357734e+0
        };
        static const double under[] = {
                1.05075007164441684324e-9, 5.47593808499534494600e-4,
                1.51986665636164571966e-2, 1.48103976427480074590e-1,
                6.89767334985100004550e-1, 1.67638483018380384940e+0,
                2.05319162663775882187e+0
        };

        return ratio(r - 1.6, over, under);
}

static inline double far_tail(double r)
{
        static const double over[] = {
                2.01033439929228813265e-7, 2.71155556874348757815e-5,
                1.24266094738807843860e-3, 2.65321895265761230930e-2,
                2.96560571828504891230e-1, 1.78482653991729133580e+0,
                5.46378491116411436990e+0, 6.65790464350110377720e+0
        };
        static const double under[] = {
                2.04426310338993978564e-15, 1.42151175831644588870e-7,
                1.84631831751005468180e-5,  7.86869131145613259100e-4,
                1.48753612908506148525e-2,  1.36929880922735805310e-1,
                5.99832206555887937690e-1
        };

        return ratio(r - 5.0, over, under);
}

/* Natural logarithm of a normal number, by 2 artanh((m - 1)/(m + 1)) with x = m 2^exponent and m
 * within 1/sqrt(2) and sqrt(2). Written out because libm's differs in the last bit from one
 * processor and release to the next, and the noise must not. */
static inline double natural_log(double x)
{
        const double ln2_high = 0x1.62e42fefa38p-1;
        const double ln2_low = 0x1.ef35793c7673p-45;
        uint64_t bits;
        double m, exponent, s, s2, sum = 1.0 / 21.0;

        memcpy(&bits, &x, sizeof bits);
        /* Cut between binades at 1/sqrt(2). */
        bits -= 0x3fe6a09e667f3bcdU;
        exponent = (double)((int32_t)(bits >> 32) >> 20);
        bits = (bits & 0x000fffffffffffffU) + 0x3fe6a09e667f3bcdU;
        memcpy(&m, &bits, sizeof m);
        s = (m - 1.0) / (m + 1.0);
        s2 = s * s;
        sum = sum * s2 + 1.0 / 19.0;
        sum = sum * s2 + 1.0 / 17.0;
        sum = sum * s2 + 1.0 / 15.0;
        sum = sum * s2 + 1.0 / 13.0;
        sum = sum * s2 + 1.0 / 11.0;
        sum = sum * s2 + 1.0 / 9.0;
        sum = sum * s2 + 1.0 / 7.0;
        sum = sum * s2 + 1.0 / 5.0;
        sum = sum * s2 + 1.0 / 3.0;
        return exponent * ln2_high +
               (exponent * ln2_low + (2.0 * s + 2.0 * s * s2 * sum));
}

/* Where the tail's polynomials are about: 1.6 for the near, from 5 on for the far one. */
static inline double tail_root(double p)
{
        double other = 1.0 - p;

        return sqrt(-natural_log(p < other ? p : other));
}

double rng_normal_tail(double p)
{
        double r = tail_root(p);
        double x = r <= 5.0 ? near_tail(r) : far_tail(r);

        return p < 0.5 ? -x : x;
}

enum { BLOCKS = RNG_AHEAD / 2, HALF = BLOCKS * RNG_STREAMS, COUNT = 2 * HALF };

void rng_bundle_init(struct rng_bundle *b, uint64_t seed, uint32_t vehicle,
                     uint32_t sensor, uint32_t axis)
{
        *b = (struct rng_bundle){ .left = 0 };
        for (uint32_t i = 0; i < HALF; i++) {
                struct rng rng;

                rng_init(&rng, seed, vehicle, sensor, axis + i % RNG_STREAMS);
                b->key[0][i] = rng.key[0];
                b->key[1][i] = rng.key[1];
                b->block[i] = i / RNG_STREAMS;
        }
}

/* All uniforms of the next RNG_AHEAD steps. */
ALWAYS_INLINE void draw(struct rng_bundle *b, double p[COUNT])
{
        for (int i = 0; i < HALF; i++) {
                uint64_t block = b->counter + b->block[i];
                uint32_t c[4] = { (uint32_t)block, (uint32_t)(block >> 32), 0, 0 };

                philox(c, b->key[0][i], b->key[1][i]);
                p[i] = rng_uniform_from((uint64_t)c[0] << 32 | c[1]);
                p[HALF + i] = rng_uniform_from((uint64_t)c[2] << 32 | c[3]);
        }
        b->counter += BLOCKS;
}

/* Tails are found by so many at once. */
#define ABREAST 8

/* Of the uniforms in their places `at`, of which there are a multiple of ABREAST. */
ALWAYS_INLINE void find_tails(double *normal, const double *p, const int *at, int count)
{
        double tail[COUNT], x[COUNT];

        for (int i = 0; i < count; i++)
                tail[i] = p[at[i]];
        for (int i = 0; i < count; i++)
                x[i] = near_tail(tail_root(tail[i]));
        for (int i = 0; i < count; i++)
                x[i] = tail[i] < 0.5 ? -x[i] : x[i];
        for (int i = 0; i < count; i++)
                normal[at[i]] = tail[i] < FAR_BELOW || tail[i] > 1.0 - FAR_BELOW
                                        ? rng_normal_tail(tail[i])
                                        : x[i];
}

ALWAYS_INLINE void rng_bundle_refill_body(struct rng_bundle *b)
{
        double p[COUNT];
        int tail[COUNT + 1], count = 0;

        draw(b, p);
        /* All as if they lay in the middle; then those again that do not, which no branch
         * could foresee. */
        for (int i = 0; i < COUNT; i++)
                b->ahead[i] = rng_normal_middle(p[i] - 0.5);
        for (int i = 0; i < COUNT; i++) {
                tail[count] = i;
                count += !(fabs(p[i] - 0.5) <= 0.425);
        }
        for (; count % ABREAST != 0; count++)
                tail[count] = tail[count - 1];
        find_tails(b->ahead, p, tail, count);
        b->left = RNG_AHEAD;
}

_Static_assert(COUNT % ABREAST == 0, "all of them may be tails");

ISA_VERSIONS(rng_bundle_refill, (struct rng_bundle * b), (b))
