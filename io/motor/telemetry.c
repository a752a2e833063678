/* GCR and NRZI of the ESC's telemetry. */
#include <math.h>

#include "io/motor/telemetry.h"

#define RUN_MAX                                                                          \
        3 /* bits without a change: a code has at most one 0 at its ends, two inside */
#define TOLERANCE 0.1
#define OFF_MAX   0.375 /* how far an edge may be off the grid, in bits */
#define ERPM_US   60e6
#define NO_NIBBLE 16

static const uint8_t gcr[16] = {
        0x19, 0x1b, 0x12, 0x13, 0x1d, 0x15, 0x16, 0x17,
        0x1a, 0x09, 0x0a, 0x0b, 0x1e, 0x0d, 0x0e, 0x0f,
};

static unsigned nibble_of(unsigned code)
{
        for (unsigned i = 0; i < NO_NIBBLE; i++) {
                if (gcr[i] == code)
                        return i;
        }
        return NO_NIBBLE;
}

static unsigned sum_of_nibbles(unsigned v)
{
        return (v ^ v >> 4 ^ v >> 8 ^ v >> 12) & 15;
}

uint32_t motor_telemetry_encode(uint16_t raw12)
{
        unsigned all = (raw12 & 0xfffU) << 4;
        uint32_t changes = 0, nrzi = 1;

        all |= ~sum_of_nibbles(all) & 15;
        for (int shift = 12; shift >= 0; shift -= 4)
                changes = changes << 5 | gcr[all >> shift & 15];
        for (int i = MOTOR_TELEMETRY_BITS - 2; i >= 0; i--)
                nrzi = nrzi << 1 | ((nrzi ^ changes >> i) & 1);
        return nrzi;
}

bool motor_telemetry_decode(uint32_t nrzi, uint16_t *raw12)
{
        uint32_t changes = nrzi ^ nrzi >> 1;
        unsigned all = 0;

        for (int shift = 15; shift >= 0; shift -= 5) {
                unsigned nibble = nibble_of(changes >> shift & 31);

                if (nibble == NO_NIBBLE)
                        return false;
                all = all << 4 | nibble;
        }
        *raw12 = (uint16_t)(all >> 4);
        return nrzi >> (MOTOR_TELEMETRY_BITS - 1) == 1 && sum_of_nibbles(all) == 15;
}

/* Each edge's position on the grid of bits, from the runs between edges. */
static bool find_places(const int32_t *at, size_t count, double bit_ticks, int *place)
{
        place[0] = 0;
        for (size_t i = 1; i < count; i++) {
                int run = (int)lrint((at[i] - at[i - 1]) / bit_ticks);

                if (run < 1 || run > RUN_MAX)
                        return false;
                place[i] = place[i - 1] + run;
                if (place[i] > MOTOR_TELEMETRY_BITS)
                        return false;
        }
        /* What is left is a run too. */
        return place[count - 1] >= MOTOR_TELEMETRY_BITS - RUN_MAX;
}

/* The straight line through positions and ticks must have the nominal slope, and every edge must be
 * near it. */
static bool keep_to_the_grid(const int32_t *at, size_t count, double bit_ticks,
                             const int *place)
{
        double n = (double)count, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, slope, start;

        for (size_t i = 0; i < count; i++) {
                x += place[i];
                y += at[i];
                xx += (double)place[i] * place[i];
                xy += (double)place[i] * at[i];
        }
        slope = (n * xy - x * y) / (n * xx - x * x);
        start = (y - slope * x) / n;
        if (!(fabs(slope - bit_ticks) <= TOLERANCE * bit_ticks))
                return false;
        for (size_t i = 0; i < count; i++) {
                if (fabs(at[i] - start - slope * place[i]) > OFF_MAX * slope)
                        return false;
        }
        return true;
}

bool motor_telemetry_read(const int32_t *at, size_t count, double bit_ticks,
                          uint32_t *nrzi)
{
        int place[MOTOR_TELEMETRY_EDGES];
        uint32_t changed = 0;

        /* It starts low and ends high. */
        if (count < MOTOR_TELEMETRY_EDGES_MIN || count > MOTOR_TELEMETRY_EDGES ||
            count % 2 != 0)
                return false;
        if (!find_places(at, count, bit_ticks, place) ||
            !keep_to_the_grid(at, count, bit_ticks, place))
                return false;
        for (size_t i = 0; i < count; i++)
                changed |= 1U << MOTOR_TELEMETRY_BITS >> place[i];
        changed >>= 1; /* the line let go behind the last bit is no bit of it */
        *nrzi = 0;
        for (int i = MOTOR_TELEMETRY_BITS - 1; i >= 0; i--)
                *nrzi = *nrzi << 1 | ((*nrzi ^ changed >> i) & 1);
        return true;
}

void motor_telemetry_word(uint16_t raw12, struct motor_word *w)
{
        unsigned type = raw12 >> 8;

        w->raw = raw12;
        if (type != 0 && type % 2 == 0) {
                w->kind = MOTOR_EXTENDED;
                w->extended = (enum motor_extended)type;
                w->value = raw12 & 0xff;
        } else if (raw12 == MOTOR_TELEMETRY_STOPPED) {
                w->kind = MOTOR_ERPM;
                w->erpm = 0.0;
        } else {
                unsigned period_us = (raw12 & 0x1ffU) << (raw12 >> 9);

                w->kind = period_us > 0 ? MOTOR_ERPM : MOTOR_DAMAGED;
                w->erpm = period_us > 0 ? ERPM_US / period_us : 0.0;
        }
}

uint16_t motor_telemetry_from_erpm(double erpm)
{
        unsigned exponent = 0;
        double period_us = rint(ERPM_US / erpm);

        /* The slowest speed that can be encoded, except for "stopped". */
        if (!(erpm > 0.0) || period_us >= 0x1ff << 7)
                return MOTOR_TELEMETRY_STOPPED;
        while (rint(period_us) > 0x1ff) {
                period_us /= 2.0;
                exponent++;
        }
        return (uint16_t)(exponent << 9 | (unsigned)fmax(rint(period_us), 1.0));
}
