#include "models/rng.h"

#include <math.h>
#include <string.h>

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

/* AS 241, PPND16, away from the middle. Coefficients as published. */
static double near_tail(double r)
{
        double num = 7.74545014278341407640e-4;
        double den = 1.05075007164441684324e-9;

        r -= 1.6;
        num = num * r + 2.27238449892691845833e-2;
        num = num * r + 2.41780725177450611770e-1;
        num = num * r + 1.27045825245236838258e+0;
        num = num * r + 3.64784832476320460504e+0;
        num = num * r + 5.76949722146069140550e+0;
        num = num * r + 4.63033784615654529590e+0;
        num = num * r + 1.42343711074968357734e+0;
        den = den * r + 5.47593808499534494600e-4;
        den = den * r + 1.51986665636164571966e-2;
        den = den * r + 1.48103976427480074590e-1;
        den = den * r + 6.89767334985100004550e-1;
        den = den * r + 1.67638483018380384940e+0;
        den = den * r + 2.05319162663775882187e+0;
        return num / (den * r + 1.0);
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

/* Natural logarithm of a normal number, by 2 artanh((m - 1)/(m + 1)) with m near 1.
 * Written out because libm's differs in the last bit from one processor and release to
 * the next, and the noise must not. */
static double natural_log(double x)
{
        const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
        uint64_t bits;
        double m, s, s2, sum;
        int exponent;

        memcpy(&bits, &x, sizeof bits);
        /* Cut between binades at 1/sqrt(2), so that m lies between it and sqrt(2). */
        bits -= 0x3fe6a09e667f3bcdU;
        exponent = (int)((int64_t)bits >> 52);
        bits = (bits & 0x000fffffffffffffU) + 0x3fe6a09e667f3bcdU;
        memcpy(&m, &bits, sizeof m);

        s = (m - 1.0) / (m + 1.0);
        s2 = s * s;
        sum = 1.0 / 21.0;
        for (int k = 19; k >= 3; k -= 2)
                sum = sum * s2 + 1.0 / k;
        return exponent * ln2_high +
               (exponent * ln2_low + (2.0 * s + 2.0 * s * s2 * sum));
}

double rng_normal_tail(double p)
{
        double q = p - 0.5;
        double r = sqrt(-natural_log(q < 0.0 ? p : 1.0 - p));
        double x = r <= 5.0 ? near_tail(r) : far_tail(r);

        return q < 0.0 ? -x : x;
}
