/* Bursts of edges -> DShot. */
#include <math.h>

#include "io/motor/telemetry.h"
#include "io/motor/dshot.h"
#include "io/motor/value.h"

#define BITS           16
#define EDGES          (2 * BITS)
#define SILENCE        2.2 /* bits; a frame that misses one is silent for 1.75 */
#define SILENCE_BI     2.7 /* telemetry is silent for 2.4 */
#define TELEMETRY_BIT  0.8
#define TELEMETRY_LATE 60e-6 /* s; 30 are agreed */
#define TOLERANCE      0.08

/* In bits. */
#define OFF_MAX     0.25 /* where a bit begins, off the line */
#define HIGH_MIN    0.1
#define HIGH_MAX    0.95
#define FROM_MIDDLE 0.02
#define APART       0.08 /* the longest zero and the shortest one */
#define ALIKE       0.2
#define THIRD       (1.0 / 3.0)

/* For bits that are all alike: zeros of any firmware, and half a bit. */
#define ZERO_LEAST  THIRD
#define ZERO_MOST   0.375
#define ALIKE_SLACK 0.04
#define HALF_FROM   0.46
#define HALF_TO     0.56

#define MIDDLE  7.5 /* of 0 to 15 */
#define SQUARES 340.0 /* sum of (i - MIDDLE)^2 */

void motor_dshot_init(struct motor_dshot *d, double bit_ticks, double tick_hz,
                      bool inverted, bool three_d)
{
        d->bit_ticks = bit_ticks;
        d->telemetry_ticks = TELEMETRY_LATE * tick_hz +
                             MOTOR_TELEMETRY_BITS * TELEMETRY_BIT * bit_ticks;
        d->inverted = inverted;
        d->three_d = three_d;
        motor_burst_init(&d->burst, (inverted ? SILENCE_BI : SILENCE) * bit_ticks + 1.0);
        motor_dshot_gap(d);
}

void motor_dshot_gap(struct motor_dshot *d)
{
        motor_burst_gap(&d->burst);
        d->telemetry_due = d->inverted;
        d->telemetry_until = INT64_MAX;
}

/* The straight line through the beginnings of the bits. */
static void fit(const int32_t *at, double *begin, double *bit)
{
        double sum = 0.0, moment = 0.0;

        for (int i = 0; i < BITS; i++) {
                sum += at[2 * i];
                moment += (i - MIDDLE) * at[2 * i];
        }
        *bit = moment / SQUARES;
        *begin = sum / BITS - MIDDLE * *bit;
}

/* How long each bit is high, in bits. False: not a frame. */
static bool measure(const int32_t *at, double bit_ticks, double *high)
{
        double begin, bit, per_bit;

        fit(at, &begin, &bit);
        if (!(fabs(bit - bit_ticks) <= TOLERANCE * bit_ticks))
                return false;
        per_bit = 1.0 / bit;
        for (int i = 0; i < BITS; i++) {
                double off = (at[2 * i] - begin) * per_bit - i;

                high[i] = (at[2 * i + 1] - begin) * per_bit - i;
                if (fabs(off) > OFF_MAX || high[i] < HIGH_MIN || high[i] > HIGH_MAX)
                        return false;
        }
        return true;
}

/* The threshold between zeros and ones: half a bit to begin with, then the middle between the means
 * of both. If these are too close together the bits are all alike, and the threshold is a third of
 * a bit away. */
static double find_middle(const double *high)
{
        double sum[2] = { 0.0, 0.0 }, mean, zero, one;
        int count[2] = { 0, 0 };

        for (int i = 0; i < BITS; i++) {
                bool is_one = high[i] > 0.5;

                sum[is_one] += high[i];
                count[is_one]++;
        }
        zero = sum[0] / (count[0] > 0 ? count[0] : 1);
        one = sum[1] / (count[1] > 0 ? count[1] : 1);
        if (count[0] > 0 && count[1] > 0 && one - zero > ALIKE)
                return 0.5 * (zero + one);
        mean = (sum[0] + sum[1]) / BITS;
        return mean < 0.5 ? mean + 0.5 * THIRD : mean - 0.5 * THIRD;
}

/* Ticks of a frame's 32 edges -> its bits. False: not a frame. */
static bool motor_dshot_read(const int32_t *at, double bit_ticks, uint16_t *raw)
{
        double high[BITS], middle, longest_zero = 0.0, shortest_one = 1.0;
        unsigned bits = 0;

        if (!measure(at, bit_ticks, high))
                return false;
        middle = find_middle(high);
        for (int i = 0; i < BITS; i++) {
                bool one = high[i] > middle;

                bits = bits << 1 | one;
                if (one && high[i] < shortest_one)
                        shortest_one = high[i];
                if (!one && high[i] > longest_zero)
                        longest_zero = high[i];
        }
        *raw = (uint16_t)bits;
        return middle - longest_zero >= FROM_MIDDLE &&
               shortest_one - middle >= FROM_MIDDLE &&
               shortest_one - longest_zero >= APART;
}

/* Whether 16 bits that are all alike are high for a time that fits neither zeros nor ones: zeros
 * are for 1/3 (Betaflight's bit banging), 0.35 (its timers, INAV and PX4) or 3/8 of a bit, ones for
 * twice that. A clock of 16 beats would be a frame of stop or full throttle with a right CRC. */
static bool motor_dshot_doubtful(const int32_t *at, double bit_ticks, uint16_t raw)
{
        double high[BITS], mean = 0.0, slack = ALIKE_SLACK + 0.5 / bit_ticks;

        if ((raw != 0 && raw != 0xffff) || !measure(at, bit_ticks, high))
                return false;
        for (int i = 0; i < BITS; i++)
                mean += high[i] / BITS;
        if (raw == 0)
                return mean < ZERO_LEAST - slack ||
                       mean > fmin(ZERO_MOST + slack, HALF_FROM);
        return mean < fmax(2.0 * ZERO_LEAST - slack, HALF_TO) ||
               mean > 2.0 * ZERO_MOST + slack;
}

static void read_telemetry(const struct motor_dshot *d, struct motor_word *w)
{
        uint16_t raw12;
        uint32_t nrzi;

        if (motor_telemetry_read(d->burst.at, d->burst.count,
                                 TELEMETRY_BIT * d->bit_ticks, &nrzi) &&
            motor_telemetry_decode(nrzi, &raw12))
                motor_telemetry_word(raw12, w);
}

static enum motor_found read_burst(struct motor_dshot *d, struct motor_word *w)
{
        const struct motor_burst *b = &d->burst;
        bool begins_well = b->whole && b->first_level != d->inverted;
        uint16_t raw;

        *w = (struct motor_word){ .start_tick = b->start_tick,
                                  .end_tick = b->last_tick,
                                  .kind = MOTOR_DAMAGED };
        if (d->telemetry_due && b->count <= MOTOR_TELEMETRY_EDGES &&
            b->start_tick <= d->telemetry_until) {
                if (begins_well)
                        read_telemetry(d, w);
                return MOTOR_FOUND_TELEMETRY;
        }
        d->doubtful = false;
        if (begins_well && b->count == EDGES &&
            motor_dshot_read(b->at, d->bit_ticks, &raw)) {
                motor_value_unpack(raw, d->inverted, d->three_d, w);
                d->doubtful = motor_dshot_doubtful(b->at, d->bit_ticks, raw);
        }
        d->telemetry_due = d->inverted && b->count > MOTOR_TELEMETRY_EDGES;
        d->telemetry_until = b->last_tick + (int64_t)d->telemetry_ticks;
        return MOTOR_FOUND_FRAME;
}

enum motor_found motor_dshot_quiet(struct motor_dshot *d, int64_t tick,
                                   struct motor_word *w)
{
        enum motor_found found;

        if (!motor_burst_quiet(&d->burst, tick))
                return MOTOR_FOUND_NONE;
        found = read_burst(d, w);
        motor_burst_clear(&d->burst, tick);
        return found;
}

enum motor_found motor_dshot_edge(struct motor_dshot *d, int64_t tick, bool level,
                                  struct motor_word *w)
{
        enum motor_found found = motor_dshot_quiet(d, tick, w);

        motor_burst_add(&d->burst, tick, level);
        return found;
}
