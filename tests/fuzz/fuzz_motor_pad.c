/* Any edges, pulses and frames of a capture board, with gaps and well-formed frames among them, into
 * one pad: a word that is used has a right CRC and a duty that a motor can have, and the counts are
 * those of the words. */
#include <assert.h>
#include <math.h>

#include "io/motor/pad.h"
#include "io/motor/value.h"
#include "io/motor/wave.h"
#include "tests/fuzz/fuzz.h"

#define WAVES_MAX 32

/* Below: an edge after so many ticks. */
enum step { EDGE_LATER = 0xf0, QUIET, GAP, PULSE, FRAME, WAVE, ANSWER, BACK };

struct rig {
        struct motor_pad pad;
        struct motor_wave_params wave;
        int64_t tick;
        bool level;
        int waves;
        uint64_t used, refused;
};

static void check_bits(const struct motor_word *w)
{
        struct motor_word again = { 0 };

        if (motor_protocol_is_pulse(w->protocol)) {
                assert(w->kind == MOTOR_THROTTLE || w->kind == MOTOR_ODD);
                assert(w->width_s >= 0.0);
                return;
        }
        if (w->kind == MOTOR_ERPM || w->kind == MOTOR_EXTENDED) {
                assert(w->inverted && w->raw <= 0xfff && isfinite(w->erpm));
                return;
        }
        motor_value_unpack(w->raw, w->inverted && motor_protocol_is_dshot(w->protocol),
                           false, &again);
        assert(w->kind == MOTOR_DAMAGED ||
               (w->kind == again.kind && w->value == again.value));
}

static void take(struct rig *r, const struct motor_word *w, size_t n)
{
        assert(n <= MOTOR_PAD_WORDS);
        for (size_t i = 0; i < n; i++) {
                bool refused = w[i].kind == MOTOR_DAMAGED || w[i].kind == MOTOR_ODD;

                assert(w[i].pad == 3 && w[i].protocol != MOTOR_UNKNOWN);
                assert(r->pad.p.polarity == MOTOR_POLARITY_AUTO ||
                       (r->pad.p.polarity == MOTOR_POLARITY_INVERTED) == w[i].inverted);
                assert(w[i].start_tick <= w[i].end_tick);
                assert(w[i].duty >= -1.0 && w[i].duty <= 1.0);
                check_bits(&w[i]);
                r->refused += refused;
                r->used += !refused;
        }
}

static void edge(struct rig *r, int64_t after, bool level)
{
        struct motor_word w[MOTOR_PAD_WORDS];

        r->tick += after;
        r->level = level;
        take(r, w, motor_pad_edge(&r->pad, r->tick, level, w));
}

/* A frame or an answer as it should be. */
static void wave(struct rig *r, uint16_t value, bool answer)
{
        struct motor_edge out[MOTOR_WAVE_EDGES];
        double start_s = (double)(r->tick + 200) / r->wave.tick_hz;
        size_t n;

        if (answer)
                n = motor_wave_telemetry(&r->wave, 3, start_s, value & 0xfff, NULL, out);
        else if (motor_protocol_is_pulse(r->wave.protocol))
                n = motor_wave_pulse(&r->wave, 3, start_s, value / 65535.0, NULL, out);
        else if (motor_protocol_is_dshot(r->wave.protocol))
                n = motor_wave_dshot(&r->wave, 3, start_s, value & 0x7ff, value >> 15,
                                     NULL, out);
        else
                n = motor_wave_proshot(&r->wave, 3, start_s, value & 0x7ff, value >> 15,
                                       NULL, out);
        assert(n <= MOTOR_WAVE_EDGES);
        for (size_t i = 0; i < n; i++)
                edge(r, out[i].tick - r->tick, out[i].level);
}

static void step(struct rig *r, uint8_t what, uint16_t v)
{
        struct motor_word w[MOTOR_PAD_WORDS];

        switch (what) {
        case EDGE_LATER:
                edge(r, v, !r->level);
                break;
        case QUIET:
                r->tick += v;
                take(r, w, motor_pad_quiet(&r->pad, r->tick, w));
                break;
        case GAP:
                motor_pad_gap(&r->pad);
                r->level = v % 2;
                break;
        case PULSE:
                take(r, w, motor_pad_pulse(&r->pad, v >> 15, r->tick, v & 0x7fff, w));
                r->tick += v;
                break;
        case FRAME:
                take(r, w,
                     motor_pad_frame(
                             &r->pad,
                             (enum motor_protocol)(MOTOR_DSHOT150 + (v >> 14) - 1), v & 1,
                             r->tick, r->tick + 100,
                             motor_value_pack(v & 0x7ff, false, v >> 12 & 1), w));
                break;
        case WAVE:
        case ANSWER:
                if (r->waves++ < WAVES_MAX)
                        wave(r, v, what == ANSWER);
                break;
        default:
                r->tick = r->tick > v ? r->tick - v : 0;
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const double rates_hz[] = { 24e6, 8e6, 1e6, 100e3 };
        struct motor_pad_params p = { .tick_hz = 24e6 };
        const struct motor_pad_counts *c;
        struct rig r = { .tick = 0 };

        if (size < 3)
                return 0;
        p.tick_hz = rates_hz[data[0] % 4];
        p.glitch_s = data[0] & 0x80 ? 2.0 / p.tick_hz : 0.0;
        p.range = (struct motor_range){ data[0] & 0x10 ? 1100 : 0,
                                        data[0] & 0x10 ? 1900 : 0, data[0] & 0x20 };
        p.polarity = (enum motor_polarity)((data[0] >> 2 & 3) % MOTOR_POLARITIES);
        p.protocol = (enum motor_protocol)(data[1] % MOTOR_PROTOCOLS);
        r.wave.protocol = (enum motor_protocol)(1 + data[2] / 2 % (MOTOR_PROTOCOLS - 1));
        r.wave.inverted = data[2] & 1;
        r.wave.tick_hz = p.tick_hz;
        motor_pad_init(&r.pad, &p, 3);
        for (size_t at = 3; at < size;) {
                uint8_t what = data[at++];

                if (what < EDGE_LATER) {
                        edge(&r, what, !r.level);
                } else if (at + 2 <= size) {
                        step(&r, what, (uint16_t)(data[at] | data[at + 1] << 8));
                        at += 2;
                }
        }
        c = motor_pad_counted(&r.pad);
        assert(c->throttles + c->stops + c->commands + c->telemetry == r.used);
        assert(c->damaged + c->odd + c->telemetry_damaged == r.refused);
        assert(motor_pad_rate_hz(&r.pad) >= 0.0 && motor_pad_jitter_s(&r.pad) >= 0.0);
        return 0;
}
