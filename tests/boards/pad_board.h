/* A board without hardware whose motor pads can be seen: the reference flight controller behind HILP,
 * and what a logic analyzer samples of its outputs meanwhile, in simulated time. After the answer to a
 * sensor frame the samples reach up to the next one. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "hil/reference/fc_board.h"
#include "io/motor/wave.h"

#define PAD_BOARD_EDGES 1024

struct pad_board {
        struct motor_wave_params wave;
        int rotors;
        int dead_pad; /* stays low; -1: none */
        double first_s; /* from the answer to its first frame on the pads, */
        double every_s; /* and from frame to frame until the next answer */

        struct fc_board board;
        int64_t frame_ns; /* simulated time of the newest sensor frame; -1: none yet */
        int64_t sampled; /* samples so far */
        uint8_t levels[MOTOR_PADS_MAX];
};

/* params stay the caller's. */
static inline void pad_board_init(struct pad_board *b, const struct fc_params *params,
                                  enum motor_protocol protocol, double sample_hz)
{
        memset(b, 0, sizeof *b);
        b->wave = (struct motor_wave_params){ .protocol = protocol,
                                              .tick_hz = sample_hz,
                                              .range = { 1000.0, 2000.0, false } };
        b->rotors = params->rotors;
        b->dead_pad = -1;
        b->first_s = 100e-6;
        b->every_s = 250e-6;
        b->frame_ns = -1;
        fc_board_init(&b->board, params, "pad board", 1);
}

/* Bytes from the rig, up to and including the first sensor frame: returns how many. What the board says to
 * them goes to out (FC_BOARD_OUT_MAX). True in *fresh: there was a frame, and the pads are to be
 * seen up to pad_board_until(). */
static inline size_t pad_board_receive(struct pad_board *b, const uint8_t *bytes,
                                       size_t len, int64_t now_ns, uint8_t *out,
                                       size_t *out_len, bool *fresh)
{
        size_t used = fc_board_receive(&b->board, bytes, len, now_ns, out, out_len);

        *fresh = b->board.hilp.frame_seen && b->board.fc.frame_t_ns != b->frame_ns;
        if (*fresh)
                b->frame_ns = b->board.fc.frame_t_ns;
        return used;
}

/* The sample that the next sensor frame's time falls on. */
static inline int64_t pad_board_until(const struct pad_board *b)
{
        int64_t period_ns = (int64_t)b->board.hilp.hello.frame_period_us * 1000;

        return (int64_t)((double)(b->frame_ns + period_ns) * 1e-9 * b->wave.tick_hz);
}

static inline size_t pad_board_frame(const struct pad_board *b, int rotor, double start_s,
                                     struct motor_edge *edge)
{
        double duty = b->board.fc.command.duty[rotor];
        uint16_t value = fc_armed(&b->board.fc) ? motor_wave_value(duty, false) : 0;

        if (rotor == b->dead_pad)
                return 0;
        if (!motor_protocol_is_dshot(b->wave.protocol))
                return motor_wave_pulse(&b->wave, (uint8_t)rotor, start_s, duty, NULL,
                                        edge);
        return motor_wave_dshot(&b->wave, (uint8_t)rotor, start_s, value, false, NULL,
                                edge);
}

static inline int pad_board_in_time(const void *a, const void *b)
{
        const struct motor_edge *x = a, *y = b;

        return x->tick < y->tick ? -1 : x->tick > y->tick ? 1 : (int)x->pad - (int)y->pad;
}

/* How long the longest frame takes. */
static inline double pad_board_frame_s(const struct pad_board *b)
{
        double bit_s = motor_protocol_bit_s(b->wave.protocol);

        return bit_s > 0.0 ? 17.0 * bit_s : 2.1e-3;
}

/* Samples up to this one, at most cap of them, with frames of the newest command. None is cut. */
static inline size_t pad_board_samples_to(struct pad_board *b, int64_t until,
                                          uint8_t *samples, size_t cap)
{
        struct motor_edge edge[PAD_BOARD_EDGES];
        double hz = b->wave.tick_hz, to_s = (double)until / hz;
        size_t count = until > b->sampled ? (size_t)(until - b->sampled) : 0;
        size_t edges = 0;

        if (count > cap)
                count = cap;
        for (double at_s = (double)b->sampled / hz + b->first_s;
             at_s + pad_board_frame_s(b) < to_s; at_s += b->every_s)
                for (int i = 0; i < b->rotors; i++)
                        if (edges + MOTOR_WAVE_EDGES <= PAD_BOARD_EDGES)
                                edges += pad_board_frame(b, i, at_s, edge + edges);
        qsort(edge, edges, sizeof edge[0], pad_board_in_time);
        motor_wave_samples(edge, edges, b->sampled, count, b->levels, samples);
        b->sampled += (int64_t)count;
        return count;
}
