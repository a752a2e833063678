/* The signal of a motor pad generated from values, with a real flight controller's imperfections:
 * for synthetic captures, an emulated analyzer and the benchmark of the decoders. */
#pragma once

#include <stddef.h>

#include "io/motor/signal.h"

struct motor_wave_params {
        enum motor_protocol protocol;
        bool inverted; /* bidirectional DShot */
        double tick_hz; /* of the capturing device */
        double clock_error_ppm; /* how much faster the flight controller's bit clock is */
        double jitter_s; /* every edge is moved by up to this much either way, uniformly */
        double high_zero, high_one; /* share of a bit that is high; 0: 3/8 and 3/4 */
        struct motor_range range;
};

#define MOTOR_WAVE_EDGES 50 /* most of one frame and its telemetry */

/* The edges of one frame that starts at start_s (of the capture), as ticks rounded up to the next
 * sample, on pad `pad`. The caller draws the random numbers: `jitter` holds MOTOR_WAVE_EDGES of
 * them from -1 to 1, or is NULL. Returns the number of edges, without those of levels that no
 * sample falls into. */
size_t motor_wave_dshot(const struct motor_wave_params *p, uint8_t pad, double start_s,
                        uint16_t value, bool telemetry, const double *jitter,
                        struct motor_edge *out);
size_t motor_wave_proshot(const struct motor_wave_params *p, uint8_t pad, double start_s,
                          uint16_t value, bool telemetry, const double *jitter,
                          struct motor_edge *out);
/* duty 0 to 1 (-1 to 1 with range.three_d). */
size_t motor_wave_pulse(const struct motor_wave_params *p, uint8_t pad, double start_s,
                        double duty, const double *jitter, struct motor_edge *out);
/* An ESC's telemetry of 12 bits, at 5/4 of the bit rate; start_s is its first falling edge. */
size_t motor_wave_telemetry(const struct motor_wave_params *p, uint8_t pad,
                            double start_s, uint16_t raw12, const double *jitter,
                            struct motor_edge *out);

/* Duty -> the 11 bits of DShot: 48 + duty * 1999, 0 for "stop" below 0 (without three_d). */
uint16_t motor_wave_value(double duty, bool three_d);

/* Edges of all pads, in order of time, -> samples of ticks first to first + count - 1. levels: the
 * level of each of the MOTOR_PADS_MAX pads before, 0 or 1; updated to the level after. Returns how
 * many edges were used. */
size_t motor_wave_samples(const struct motor_edge *edges, size_t count_edges,
                          int64_t first, size_t count, uint8_t *levels, uint8_t *samples);
