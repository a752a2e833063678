#include "models/sensors/bmp180.h"

#include <math.h>

/* A 32-bit processor's result. Only words of no real part make it differ from x. */
static int32_t wrap(int64_t x)
{
        return (int32_t)(uint32_t)(uint64_t)x;
}

static int32_t words_max(const struct bmp180_params *p)
{
        return (1 << (16 + p->oversampling)) - 1;
}

/* The names X1 to B7 are the data sheet's. */
static int32_t x1_of(const struct bmp180_params *p, int32_t ut)
{
        return wrap((int64_t)(ut - p->ac6) * p->ac5) >> 15;
}

static int32_t b5_of(const struct bmp180_params *p, int32_t ut)
{
        int32_t x1 = x1_of(p, ut);
        int32_t below = x1 + p->md;

        return x1 + (below ? p->mc * 2048 / below : 0);
}

static int32_t temperature_dc(int32_t b5)
{
        return (b5 + 8) >> 4;
}

/* What the pressure takes from the temperature. */
struct terms {
        int32_t b3;
        uint32_t b4;
};

static struct terms terms_of(const struct bmp180_params *p, int32_t b5)
{
        int32_t b6 = b5 - 4000;
        int32_t square = wrap((int64_t)b6 * b6) >> 12;
        int32_t x1 = wrap((int64_t)p->b2 * square) >> 11;
        int32_t x2 = wrap((int64_t)p->ac2 * b6) >> 11;
        int32_t b3 = ((p->ac1 * 4 + x1 + x2) * (1 << p->oversampling) + 2) / 4;
        int32_t x3;

        x1 = wrap((int64_t)p->ac3 * b6) >> 13;
        x2 = wrap((int64_t)p->b1 * square) >> 16;
        x3 = (x1 + x2 + 2) >> 2;
        return (struct terms){ b3, p->ac4 * (uint32_t)(x3 + 32768) >> 15 };
}

static int32_t pressure_pa(const struct bmp180_params *p, struct terms t, int32_t up)
{
        uint32_t b7 = ((uint32_t)up - (uint32_t)t.b3) * (50000U >> p->oversampling);
        int32_t pa, x1, x2;

        if (t.b4 == 0)
                return 0;
        pa = (int32_t)(b7 < 0x80000000U ? b7 * 2 / t.b4 : b7 / t.b4 * 2);
        x1 = wrap((int64_t)(pa >> 8) * (pa >> 8));
        x1 = wrap((int64_t)x1 * 3038) >> 16;
        x2 = wrap((int64_t)pa * -7357) >> 16;
        return wrap((int64_t)pa + ((x1 + x2 + 3791) >> 4));
}

struct bmp180_reading bmp180_compensate(const struct bmp180_params *p,
                                        struct bmp180_words words)
{
        int32_t b5 = b5_of(p, words.ut);

        return (struct bmp180_reading){ temperature_dc(b5),
                                        pressure_pa(p, terms_of(p, b5), words.up) };
}

/* The smallest word whose B5 is at least this. Below the pole of MC / (X1 + MD) it is as
 * cold as can be. */
static int32_t first_warm(const struct bmp180_params *p, double b5)
{
        int32_t low = 0, high = UINT16_MAX;

        while (low < high) {
                int32_t ut = low + (high - low) / 2;

                if (x1_of(p, ut) + p->md > 0 && b5_of(p, ut) >= b5)
                        high = ut;
                else
                        low = ut + 1;
        }
        return low;
}

static int32_t word_for_temperature(const struct bmp180_params *p, double celsius)
{
        double b5 = 160.0 * celsius;
        int32_t ut = first_warm(p, b5);

        if (ut > 0 && x1_of(p, ut - 1) + p->md > 0 &&
            b5 - b5_of(p, ut - 1) < b5_of(p, ut) - b5)
                ut--;
        return ut;
}

/* The smallest word whose pressure is at least this. Words under B3 would be less than no
 * pressure. */
static int32_t first_dense(const struct bmp180_params *p, struct terms t, double pa)
{
        int32_t low = t.b3 > 0 ? t.b3 : 0, high = words_max(p);

        while (low < high) {
                int32_t up = low + (high - low) / 2;

                if (pressure_pa(p, t, up) >= pa)
                        high = up;
                else
                        low = up + 1;
        }
        return low < high ? low : high;
}

/* At fine resolution several words give the same whole pascal; the fraction chooses among
 * them, so that the words follow the pressure as finely as the part does. */
static int32_t word_for_pressure(const struct bmp180_params *p, struct terms t, double pa)
{
        double whole = floor(pa + 0.5);
        int32_t from = first_dense(p, t, whole), upto = first_dense(p, t, whole + 1.0);

        if (upto > from)
                return from + (int32_t)((pa + 0.5 - whole) * (upto - from));
        if (from > 0 && pa - pressure_pa(p, t, from - 1) < pressure_pa(p, t, from) - pa &&
            from - 1 >= t.b3)
                return from - 1;
        return from;
}

struct bmp180_words bmp180_convert(const struct bmp180_params *p, double pressure,
                                   double temperature_c)
{
        struct bmp180_words words;

        words.ut = word_for_temperature(p, temperature_c);
        words.up = word_for_pressure(p, terms_of(p, b5_of(p, words.ut)), pressure);
        return words;
}

double bmp180_sigma_pa(int oversampling)
{
        static const double sigma_pa[] = { 6.0, 5.0, 4.0, 3.0 };

        return sigma_pa[oversampling];
}

static bool is_near(int32_t a, int32_t b, int32_t distance)
{
        return a - b <= distance && b - a <= distance;
}

/* There and back at one point, with room to both sides of the words. */
static bool fits_at(const struct bmp180_params *p, int pa, int celsius)
{
        struct bmp180_words w = bmp180_convert(p, pa, celsius);
        struct bmp180_reading r = bmp180_compensate(p, w);
        struct bmp180_words below = w, above = w;
        int32_t step_pa;

        /* At fine resolution several words make a pascal. */
        below.up -= 8;
        above.up += 8;
        step_pa = bmp180_compensate(p, above).pressure_pa -
                  bmp180_compensate(p, below).pressure_pa;
        return w.ut > 0 && w.ut < UINT16_MAX && w.up > 8 && w.up < words_max(p) - 8 &&
               is_near(r.temperature_dc, 10 * celsius, 1) && step_pa > 0 &&
               is_near(r.pressure_pa, pa, 1 + step_pa / 16);
}

bool bmp180_params_fit(const struct bmp180_params *p)
{
        for (int celsius = -40; celsius <= 85; celsius += 5)
                for (int pa = 30000; pa <= 110000; pa += 5000)
                        if (!fits_at(p, pa, celsius))
                                return false;
        return true;
}
