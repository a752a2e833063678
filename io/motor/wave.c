/* Values -> edges -> samples. */
#include <math.h>
#include <string.h>

#include "io/motor/telemetry.h"
#include "io/motor/value.h"
#include "io/motor/wave.h"

#define HIGH_ZERO     0.375
#define HIGH_ONE      0.75
#define NIBBLE_S      4e-6
#define NIBBLE_LOW_S  1e-6
#define NIBBLE_STEP   0.125e-6
#define TELEMETRY_BIT 0.8 /* of a DShot bit */

/* Edges of one frame as they are generated. */
struct pen {
        const struct motor_wave_params *p;
        const double *jitter;
        uint8_t pad;
        double start_s;
        size_t drawn, kept;
        struct motor_edge *out;
};

/* A level without a sample in it is invisible, and so are both of its edges. */
static void draw(struct pen *pen, double after_s, bool level)
{
        double off_s =
                pen->jitter != NULL ? pen->p->jitter_s * pen->jitter[pen->drawn] : 0.0;
        double slow = 1.0 / (1.0 + 1e-6 * pen->p->clock_error_ppm);
        int64_t tick =
                (int64_t)ceil((pen->start_s + after_s * slow + off_s) * pen->p->tick_hz);

        pen->drawn++;
        if (pen->kept > 0 && tick <= pen->out[pen->kept - 1].tick)
                pen->kept--;
        else
                pen->out[pen->kept++] = (struct motor_edge){ tick, pen->pad, level };
}

static struct pen pen_at(const struct motor_wave_params *p, uint8_t pad, double start_s,
                         const double *jitter, struct motor_edge *out)
{
        return (struct pen){ p, jitter, pad, start_s, 0, 0, out };
}

static double share(double given, double usual)
{
        return given > 0.0 ? given : usual;
}

size_t motor_wave_dshot(const struct motor_wave_params *p, uint8_t pad, double start_s,
                        uint16_t value, bool telemetry, const double *jitter,
                        struct motor_edge *out)
{
        struct pen pen = pen_at(p, pad, start_s, jitter, out);
        unsigned raw = motor_value_pack(value, telemetry, p->inverted);
        double bit_s = motor_protocol_bit_s(p->protocol);
        double high_one = share(p->high_one, HIGH_ONE);
        double high_zero = share(p->high_zero, HIGH_ZERO);

        for (int i = 0; i < 16; i++) {
                bool one = raw >> (15 - i) & 1;

                draw(&pen, i * bit_s, !p->inverted);
                draw(&pen, (i + (one ? high_one : high_zero)) * bit_s, p->inverted);
        }
        return pen.kept;
}

size_t motor_wave_proshot(const struct motor_wave_params *p, uint8_t pad, double start_s,
                          uint16_t value, bool telemetry, const double *jitter,
                          struct motor_edge *out)
{
        struct pen pen = pen_at(p, pad, start_s, jitter, out);
        unsigned raw = motor_value_pack(value, telemetry, false);

        for (int i = 0; i < 4; i++) {
                unsigned nibble = raw >> (12 - 4 * i) & 15;

                draw(&pen, i * NIBBLE_S, !p->inverted);
                draw(&pen, i * NIBBLE_S + NIBBLE_LOW_S + nibble * NIBBLE_STEP,
                     p->inverted);
        }
        return pen.kept;
}

size_t motor_wave_pulse(const struct motor_wave_params *p, uint8_t pad, double start_s,
                        double duty, const double *jitter, struct motor_edge *out)
{
        struct pen pen = pen_at(p, pad, start_s, jitter, out);

        draw(&pen, 0.0, !p->inverted);
        draw(&pen, motor_value_width_s(p->protocol, &p->range, duty), p->inverted);
        return pen.kept;
}

size_t motor_wave_telemetry(const struct motor_wave_params *p, uint8_t pad,
                            double start_s, uint16_t raw12, const double *jitter,
                            struct motor_edge *out)
{
        struct pen pen = pen_at(p, pad, start_s, jitter, out);
        uint32_t nrzi = motor_telemetry_encode(raw12);
        double bit_s = TELEMETRY_BIT * motor_protocol_bit_s(p->protocol);
        bool level = true;

        for (int i = 0; i <= MOTOR_TELEMETRY_BITS; i++) {
                /* A one is low; behind the last bit the line is let go. */
                bool next = i == MOTOR_TELEMETRY_BITS || (nrzi >> (20 - i) & 1) == 0;

                if (next != level)
                        draw(&pen, i * bit_s, next);
                level = next;
        }
        return pen.kept;
}

uint16_t motor_wave_value(double duty, bool three_d)
{
        double full = MOTOR_VALUE_MAX - MOTOR_VALUE_LOWEST;
        double one_way = MOTOR_VALUE_MAX - MOTOR_VALUE_FORWARD;

        if (!three_d)
                return duty >= 0.0 ? (uint16_t)lrint(MOTOR_VALUE_LOWEST +
                                                     fmin(duty, 1.0) * full)
                                   : 0;
        if (duty < 0.0)
                return (uint16_t)lrint(MOTOR_VALUE_LOWEST - fmax(duty, -1.0) * one_way);
        return (uint16_t)lrint(MOTOR_VALUE_FORWARD +
                               fmin(fmax(duty, 0.0), 1.0) * one_way);
}

static uint8_t pack(const uint8_t *levels)
{
        unsigned all = 0;

        for (int i = 0; i < MOTOR_PADS_MAX; i++)
                all |= (levels[i] != 0 ? 1U : 0U) << i;
        return (uint8_t)all;
}

size_t motor_wave_samples(const struct motor_edge *edges, size_t count_edges,
                          int64_t first, size_t count, uint8_t *levels, uint8_t *samples)
{
        int64_t end = first + (int64_t)count;
        size_t used = 0, done = 0;
        uint8_t all = pack(levels);

        while (used < count_edges && edges[used].tick < end) {
                const struct motor_edge *e = &edges[used++];

                if (e->tick > first + (int64_t)done) {
                        size_t until = (size_t)(e->tick - first);

                        memset(samples + done, all, until - done);
                        done = until;
                }
                levels[e->pad] = e->level;
                all = (uint8_t)((all & ~(1U << e->pad)) | (unsigned)e->level << e->pad);
        }
        memset(samples + done, all, count - done);
        return used;
}
