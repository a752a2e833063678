#include "models/rng.h"

#include <math.h>
#include <string.h>

#include "models/isa.h"

#define PHILOX_M0 0xD2511F53U
#define PHILOX_M1 0xCD9E8D57U
#define PHILOX_W0 0x9E3779B9U
#define PHILOX_W1 0xBB67AE85U

void rng_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
        uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
        uint32_t k0 = key[0], k1 = key[1];

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
        out[0] = c0;
        out[1] = c1;
        out[2] = c2;
        out[3] = c3;
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

/* Two at once: the steps of one wait for each other, and the other fills the gaps. */
typedef double pair __attribute__((vector_size(16)));
typedef uint64_t word_pair __attribute__((vector_size(16)));

static inline pair both(double x)
{
        return (pair){ x, x };
}

/* AS 241, PPND16, away from the middle. Coefficients as published. */
static inline pair near_tail(pair r)
{
        pair num = both(7.74545014278341407640e-4);
        pair den = both(1.05075007164441684324e-9);

        r -= both(1.6);
        num = num * r + both(2.27238449892691845833e-2);
        num = num * r + both(2.41780725177450611770e-1);
        num = num * r + both(1.27045825245236838258e+0);
        num = num * r + both(3.64784832476320460504e+0);
        num = num * r + both(5.76949722146069140550e+0);
        num = num * r + both(4.63033784615654529590e+0);
        num = num * r + both(1.42343711074968357734e+0);
        den = den * r + both(5.47593808499534494600e-4);
        den = den * r + both(1.51986665636164571966e-2);
        den = den * r + both(1.48103976427480074590e-1);
        den = den * r + both(6.89767334985100004550e-1);
        den = den * r + both(1.67638483018380384940e+0);
        den = den * r + both(2.05319162663775882187e+0);
        return num / (den * r + both(1.0));
}

static double far_tail(double r)
{
        double num = 2.01033439929228813265e-7;
        double den = 2.04426310338993978564e-15;

        r -= 5.0;
        num = num * r + 2.71155556874348757815e-5;
        num = num * r + 1.24266094738807843860e-3;
        num = num * r + 2.65321895265761230930e-2;
        num = num * r + 2.96560571828504891230e-1;
        num = num * r + 1.78482653991729133580e+0;
        num = num * r + 5.46378491116411436990e+0;
        num = num * r + 6.65790464350110377720e+0;
        den = den * r + 1.42151175831644588870e-7;
        den = den * r + 1.84631831751005468180e-5;
        den = den * r + 7.86869131145613259100e-4;
        den = den * r + 1.48753612908506148525e-2;
        den = den * r + 1.36929880922735805310e-1;
        den = den * r + 5.99832206555887937690e-1;
        return num / (den * r + 1.0);
}

/* x = m 2^exponent, m within 1/sqrt(2) and sqrt(2); x is a normal number. */
static inline double split(double x, double *exponent)
{
        uint64_t bits;
        double m;

        memcpy(&bits, &x, sizeof bits);
        /* Cut between binades at 1/sqrt(2). */
        bits -= 0x3fe6a09e667f3bcdU;
        *exponent = (double)(int)((int64_t)bits >> 52);
        bits = (bits & 0x000fffffffffffffU) + 0x3fe6a09e667f3bcdU;
        memcpy(&m, &bits, sizeof m);
        return m;
}

/* Natural logarithm, by 2 artanh((m - 1)/(m + 1)) with m near 1. Written out because libm's
 * differs in the last bit from one processor and release to the next, and the noise must
 * not. */
static inline pair natural_log(const double x[2])
{
        const pair ln2_high = both(0x1.62e42fefa38p-1);
        const pair ln2_low = both(0x1.ef35793c7673p-45);
        double of[2];
        pair m = { split(x[0], &of[0]), split(x[1], &of[1]) };
        pair exponent = { of[0], of[1] };
        pair s = (m - both(1.0)) / (m + both(1.0));
        pair s2 = s * s;
        pair sum = both(1.0 / 21.0);

        for (int k = 19; k >= 3; k -= 2)
                sum = sum * s2 + both(1.0 / k);
        return exponent * ln2_high +
               (exponent * ln2_low + (both(2.0) * s + both(2.0) * s * s2 * sum));
}

/* Of two uniforms. */
static inline void tails(const double p[2], double out[2])
{
        double nearer[2] = { p[0] < 0.5 ? p[0] : 1.0 - p[0],
                             p[1] < 0.5 ? p[1] : 1.0 - p[1] };
        pair log = natural_log(nearer);
        pair r = { sqrt(-log[0]), sqrt(-log[1]) };
        pair x = near_tail(r);

        for (int i = 0; i < 2; i++) {
                double y = r[i] <= 5.0 ? x[i] : far_tail(r[i]);

                out[i] = p[i] < 0.5 ? -y : y;
        }
}

double rng_normal_tail(double p)
{
        const double same[2] = { p, p };
        double x[2];

        tails(same, x);
        return x[0];
}

void rng_bundle_init(struct rng_bundle *b, uint64_t seed, uint32_t vehicle,
                     uint32_t sensor, uint32_t axis)
{
        *b = (struct rng_bundle){ .left = 0 };
        for (uint32_t i = 0; i < RNG_STREAMS; i++) {
                struct rng rng;

                rng_init(&rng, seed, vehicle, sensor, axis + i);
                memcpy(b->key[i], rng.key, sizeof rng.key);
        }
}

/* Of the lower halves of a. gcc 12 does not see that one instruction does it. */
static inline word_pair widening_product(word_pair a, uint32_t factor)
{
#if defined(__SSE2__) && !defined(__clang__)
        typedef int halves __attribute__((vector_size(16)));

        return (word_pair)__builtin_ia32_pmuludq128(
                (halves)a, (halves)(word_pair){ factor, factor });
#else
        return (a & 0xffffffffU) * (word_pair){ factor, factor };
#endif
}

static inline word_pair twice(uint32_t x)
{
        return (word_pair){ x, x };
}

/* The uniforms that rng_uniform_from() makes of 64 bits each, without a conversion: below
 * the exponent of 1 the 52 bits are a fraction already. */
static inline pair uniforms_from(word_pair high, word_pair low)
{
        word_pair bits = high << 32 | (low & 0xffffffffU);
        pair one_and = (pair)(bits >> 12 | UINT64_C(0x3ff0000000000000));

        return one_and - both(1.0) + both(0x1p-53);
}

/* Two blocks of a stream, as rng_philox(): the four uniforms that they give, in turn, stride
 * apart. The words stand in the lower halves; what the upper ones hold does not matter. */
static inline void draw_two_blocks(const uint32_t key[2], uint64_t counter, double *out,
                                   int stride)
{
        word_pair blocks = { counter, counter + 1 };
        word_pair c0 = blocks, c1 = blocks >> 32, c2 = { 0 }, c3 = { 0 };
        uint32_t k0 = key[0], k1 = key[1];
        pair first, second;

        for (int round = 0; round < 10; round++) {
                word_pair p0 = widening_product(c0, PHILOX_M0);
                word_pair p1 = widening_product(c2, PHILOX_M1);

                c0 = p1 >> 32 ^ c1 ^ twice(k0);
                c1 = p1;
                c2 = p0 >> 32 ^ c3 ^ twice(k1);
                c3 = p0;
                k0 += PHILOX_W0;
                k1 += PHILOX_W1;
        }
        first = uniforms_from(c0, c1);
        second = uniforms_from(c2, c3);
        out[0] = first[0];
        out[stride] = second[0];
        out[2 * stride] = first[1];
        out[3 * stride] = second[1];
}

ALWAYS_INLINE void rng_bundle_refill_body(struct rng_bundle *b)
{
        enum { COUNT = RNG_AHEAD * RNG_STREAMS };
        double p[COUNT], *normal = &b->ahead[0][0];
        int tail[COUNT + 1], count = 0;

        for (int i = 0; i < RNG_AHEAD; i += 4) {
                for (int k = 0; k < RNG_STREAMS; k++)
                        draw_two_blocks(b->key[k], b->counter, &p[i * RNG_STREAMS + k],
                                        RNG_STREAMS);
                b->counter += 2;
        }
        /* All as if they lay in the middle; then those again that do not, which no branch
         * could foresee. */
        for (int i = 0; i < COUNT; i++)
                normal[i] = rng_normal_middle(p[i] - 0.5);
        for (int i = 0; i < COUNT; i++) {
                tail[count] = i;
                count += !(fabs(p[i] - 0.5) <= 0.425);
        }
        /* Of an odd number the last one twice. */
        tail[count] = tail[count > 0 ? count - 1 : 0];
        for (int i = 0; i < count; i += 2) {
                const double at[2] = { p[tail[i]], p[tail[i + 1]] };
                double x[2];

                tails(at, x);
                normal[tail[i]] = x[0];
                normal[tail[i + 1]] = x[1];
        }
        b->left = RNG_AHEAD;
}

ISA_VERSIONS(rng_bundle_refill, (struct rng_bundle * b), (b))
