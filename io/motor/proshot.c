/* Bursts of edges -> ProShot1000. */
#include <math.h>

#include "io/motor/proshot.h"
#include "io/motor/value.h"

#define NIBBLES   4
#define EDGES     (2 * NIBBLES)
#define TOLERANCE 0.08

/* In nibbles. */
#define SILENCE 1.5
#define OFF_MAX 0.05
#define LOWEST  0.25
#define STEP    (1.0 / 32.0)

#define BETWEEN 0.4 /* how far a width may be off, in steps */

#define MIDDLE  1.5 /* of 0 to 3 */
#define SQUARES 5.0 /* sum of (i - MIDDLE)^2 */

void motor_proshot_init(struct motor_proshot *p, double tick_hz, bool inverted,
                        bool three_d)
{
        p->nibble_ticks = MOTOR_PROSHOT_NIBBLE_S * tick_hz;
        p->inverted = inverted;
        p->three_d = three_d;
        motor_burst_init(&p->burst, SILENCE * p->nibble_ticks);
}

void motor_proshot_gap(struct motor_proshot *p)
{
        motor_burst_gap(&p->burst);
}

/* Ticks of a frame's 8 edges -> its bits. False: not a frame. */
static bool motor_proshot_read(const int32_t *at, double nibble_ticks, uint16_t *raw)
{
        double sum = 0.0, moment = 0.0, begin, nibble;
        unsigned bits = 0;

        for (int i = 0; i < NIBBLES; i++) {
                sum += at[2 * i];
                moment += (i - MIDDLE) * at[2 * i];
        }
        nibble = moment / SQUARES;
        begin = sum / NIBBLES - MIDDLE * nibble;
        if (!(fabs(nibble - nibble_ticks) <= TOLERANCE * nibble_ticks))
                return false;
        for (int i = 0; i < NIBBLES; i++) {
                double off = (at[2 * i] - begin) / nibble - i;
                double steps = ((at[2 * i + 1] - begin) / nibble - i - LOWEST) / STEP;
                double value = rint(steps);

                if (fabs(off) > OFF_MAX || value < 0.0 || value > 15.0 ||
                    fabs(steps - value) > BETWEEN)
                        return false;
                bits = bits << 4 | (unsigned)value;
        }
        *raw = (uint16_t)bits;
        return true;
}

static void read_burst(const struct motor_proshot *p, struct motor_word *w)
{
        const struct motor_burst *b = &p->burst;
        uint16_t raw;

        *w = (struct motor_word){ .start_tick = b->start_tick,
                                  .end_tick = b->last_tick,
                                  .kind = MOTOR_DAMAGED };
        if (b->whole && b->count == EDGES && b->first_level != p->inverted &&
            motor_proshot_read(b->at, p->nibble_ticks, &raw))
                motor_value_unpack(raw, false, p->three_d, w);
}

enum motor_found motor_proshot_quiet(struct motor_proshot *p, int64_t tick,
                                     struct motor_word *w)
{
        if (!motor_burst_quiet(&p->burst, tick))
                return MOTOR_FOUND_NONE;
        read_burst(p, w);
        motor_burst_clear(&p->burst, tick);
        return MOTOR_FOUND_FRAME;
}

enum motor_found motor_proshot_edge(struct motor_proshot *p, int64_t tick, bool level,
                                    struct motor_word *w)
{
        enum motor_found found = motor_proshot_quiet(p, tick, w);

        motor_burst_add(&p->burst, tick, level);
        return found;
}
