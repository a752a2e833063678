/* Shapes of stimuli. Sine, exponential and logarithm are written out in additions, multiplications and
 * divisions, which IEEE 754 rounds the same everywhere: libm's differ between versions, and between
 * processors of one version. Each is within 4e-16 of what it stands for. */
#include "hil/scenario/stimulus.h"

#include <assert.h>
#include <math.h>

#define HALF_PI 1.57079632679489661923
#define SQRT2   1.41421356237309504880
/* ln 2 in two parts, the first with so few digits that its multiples are exact (fdlibm, e_exp.c). */
#define LN2_HIGH 6.93147180369123816490e-01
#define LN2_LOW  1.90821492927058770002e-10

/* sin(2 pi turns), by Taylor's series of the sine and of the cosine over an eighth of a turn each, so
 * that a peak is 1 and no more. */
static double sine_of(double turns)
{
        double within = turns - floor(turns + 0.5), size = fabs(within); /* to 1/2 */
        double folded = size > 0.25 ? 0.5 - size : size; /* to 1/4 */
        bool steep = folded <= 0.125;
        double x = 4.0 * HALF_PI * (steep ? folded : 0.25 - folded), sum = 1.0;

        for (int n = steep ? 18 : 17; n > 0; n -= 2)
                sum = 1.0 - sum * (x * x) / (double)(n * (n + 1));
        return copysign(steep ? sum * x : sum, within);
}

/* ln x for x > 0, by 2 artanh((m - 1)/(m + 1)) with m near 1. */
static double natural_log(double x)
{
        int exponent;
        double m = frexp(x, &exponent), s, y, sum = 0.0;

        if (m * SQRT2 < 1.0) {
                m *= 2.0;
                exponent--;
        }
        s = (m - 1.0) / (m + 1.0);
        y = s * s;
        for (int n = 25; n > 0; n -= 2)
                sum = sum * y + 1.0 / (double)n;
        return exponent * LN2_HIGH + (2.0 * s * sum + exponent * LN2_LOW);
}

/* e^x - 1, exact near 0 as well; |x| at most some hundred. */
static double grown(double x)
{
        double n = floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
        double r = (x - n * LN2_HIGH) - n * LN2_LOW, sum = 1.0;

        for (int k = 18; k > 1; k--)
                sum = 1.0 + sum * r / (double)k;
        sum *= r;
        return ldexp(1.0, (int)n) - 1.0 + ldexp(sum, (int)n);
}

/* The integral of from_hz (to_hz/from_hz)^(t/T): A. Farina, AES 108th convention (2000), eq. 12. */
static double chirp_cycles(const struct stimulus *s, int64_t since_ns)
{
        double rate = natural_log(s->to_hz / s->from_hz);
        double share = (double)since_ns / (double)s->for_ns;
        double whole = s->from_hz * (double)s->for_ns * 1e-9;

        return rate == 0.0 ? whole * share : whole * (grown(rate * share) / rate);
}

double stimulus_cycles(const struct stimulus *s, int64_t since_ns)
{
        if (s->shape == STIMULUS_CHIRP)
                return chirp_cycles(s, since_ns);
        return s->from_hz * ((double)since_ns * 1e-9);
}

/* Primitive polynomials over GF(2), without their highest term: bit k is x^k. Terms are the taps of P.
 * Alfke, Xilinx application note XAPP052 (1996), table 3. */
#define X(k) (1U << (k))
static const uint32_t polynomial[STIMULUS_BITS_MAX + 1] = {
        [3] = X(2) + 1,
        [4] = X(3) + 1,
        [5] = X(3) + 1,
        [6] = X(5) + 1,
        [7] = X(6) + 1,
        [8] = X(6) + X(5) + X(4) + 1,
        [9] = X(5) + 1,
        [10] = X(7) + 1,
        [11] = X(9) + 1,
        [12] = X(6) + X(4) + X(1) + 1,
        [13] = X(4) + X(3) + X(1) + 1,
        [14] = X(5) + X(3) + X(1) + 1,
        [15] = X(14) + 1,
        [16] = X(15) + X(13) + X(4) + 1,
        [17] = X(14) + 1,
        [18] = X(11) + 1,
        [19] = X(6) + X(2) + X(1) + 1,
        [20] = X(17) + 1,
};

/* One step of the shift register: its state times x. */
static uint32_t shift(uint32_t state, int bits)
{
        uint32_t carried = state >> (bits - 1) & 1U;

        return (state << 1 & (X(bits) - 1)) ^ (carried ? polynomial[bits] : 0);
}

/* Its bits at twice their places. */
static uint64_t spread(uint32_t state)
{
        uint64_t x = state;

        x = (x | x << 16) & 0x0000ffff0000ffff;
        x = (x | x << 8) & 0x00ff00ff00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
        x = (x | x << 2) & 0x3333333333333333;
        return (x | x << 1) & 0x5555555555555555;
}

/* The state that is as many steps on as this one is from 1, squared: over GF(2) a square has the
 * root's coefficients at twice their places. Terms beyond the polynomial's are divided out. */
static uint32_t squared(uint32_t state, int bits)
{
        const uint64_t whole = X(bits) | polynomial[bits];
        uint64_t square = spread(state);

        for (int i = 2 * bits - 2; i >= bits; i--)
                square ^= (square >> i & 1U) * (whole << (i - bits));
        return (uint32_t)square;
}

bool stimulus_chip(int bits, uint64_t chip)
{
        uint32_t left, state = 1;
        int i = bits - 1;

        assert(bits >= STIMULUS_BITS_MIN && bits <= STIMULUS_BITS_MAX);
        left = (uint32_t)(chip % (X(bits) - 1));
        while (i > 0 && (left >> i & 1U) == 0)
                i--; /* 1 squared is 1 */
        /* x^chip by repeated squaring: no state to keep from tick to tick. */
        for (; i >= 0; i--) {
                state = squared(state, bits);
                if (left >> i & 1U)
                        state = shift(state, bits);
        }
        return state & 1U;
}

/* Between -1 and 1; 0 <= since_ns < for_ns. */
static double shape_value(const struct stimulus *s, int64_t since_ns)
{
        switch (s->shape) {
        case STIMULUS_RAMP:
                return (double)since_ns / (double)s->for_ns;
        case STIMULUS_DOUBLET:
                return since_ns < s->for_ns - since_ns ? 1.0 : -1.0;
        case STIMULUS_SINE:
        case STIMULUS_CHIRP:
                return sine_of(stimulus_cycles(s, since_ns));
        case STIMULUS_PRBS:
                return stimulus_chip(s->bits, (uint64_t)(since_ns / s->chip_ns)) ? 1.0
                                                                                 : -1.0;
        default:
                return 1.0;
        }
}

double stimulus_value(const struct stimulus *s, int64_t since_ns)
{
        if (since_ns < 0 || since_ns >= s->for_ns)
                return 0.0;
        return s->amplitude * shape_value(s, since_ns);
}
