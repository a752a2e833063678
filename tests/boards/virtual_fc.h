/* A flight controller whose latency is known: from the gyroscope about one axis to the motors a pure delay, a
 * first-order lag and a mixer, exact for a held input, so that any fraction of a period can be planted. It
 * speaks HILP as a board does. */
#pragma once

#include <math.h>
#include <string.h>

#include "io/codec/hilp/hilp_board.h"

#define VIRTUAL_FC_HELD 1024 /* samples that wait for their delay */

struct virtual_fc {
        int64_t delay_ns;
        double corner_hz; /* of the lag; 0: none */
        int axis; /* 0 roll, 1 pitch, 2 yaw */
        double duty_per_radps; /* small: the motors must not reach their limits */

        int64_t t_ns; /* up to where `state` has come */
        double state;
        uint32_t pushed, taken;
        struct {
                int64_t t_ns;
                double value;
        } held[VIRTUAL_FC_HELD];
        double input; /* the delayed one that is in force */

        struct hilp_board board;
        bool over; /* it was told goodbye, and is disarmed */
        int frames, arms_after; /* so many frames it is not armed, whatever it is told */
};

static inline void virtual_fc_init(struct virtual_fc *fc, int64_t delay_ns,
                                   double corner_hz)
{
        *fc = (struct virtual_fc){ .delay_ns = delay_ns,
                                   .corner_hz = corner_hz,
                                   .duty_per_radps = 0.3 };
        hilp_board_init(&fc->board, "virtual board", 4, 1, 1);
}

/* Exact over any time while the input does not change. */
static inline void virtual_fc_relax(struct virtual_fc *fc, int64_t to_ns)
{
        double dt_s = (double)(to_ns - fc->t_ns) * 1e-9;

        if (fc->corner_hz > 0.0)
                fc->state -= expm1(-2.0 * M_PI * fc->corner_hz * dt_s) *
                             (fc->input - fc->state);
        else
                fc->state = fc->input;
        fc->t_ns = to_ns;
}

/* A sample at t_ns, held until the next; returns what is at the output at t_ns. */
static inline double virtual_fc_step(struct virtual_fc *fc, int64_t t_ns, double value)
{
        fc->held[fc->pushed % VIRTUAL_FC_HELD].t_ns = t_ns + fc->delay_ns;
        fc->held[fc->pushed++ % VIRTUAL_FC_HELD].value = value;
        while (fc->taken < fc->pushed &&
               fc->held[fc->taken % VIRTUAL_FC_HELD].t_ns <= t_ns) {
                virtual_fc_relax(fc, fc->held[fc->taken % VIRTUAL_FC_HELD].t_ns);
                fc->input = fc->held[fc->taken++ % VIRTUAL_FC_HELD].value;
        }
        virtual_fc_relax(fc, t_ns);
        return fc->state;
}

/* A plus of four rotors: front, right, back, left. */
static inline void virtual_fc_mix(const struct virtual_fc *fc, double rate,
                                  struct motor_command *out)
{
        static const double sign[3][4] = { { 0, -1, 0, 1 },
                                           { 1, 0, -1, 0 },
                                           { -1, 1, -1, 1 } };

        memset(out, 0, sizeof *out);
        for (int i = 0; i < 4; i++)
                out->duty[i] = 0.5 + sign[fc->axis][i] * fc->duty_per_radps * rate;
}

/* Bytes from the rig; what the board says to them goes to out. What does not fit into cap is not
 * taken in any more. */
static inline size_t virtual_fc_receive(struct virtual_fc *fc, const uint8_t *bytes,
                                        size_t len, uint64_t now_us, uint8_t *out,
                                        size_t cap)
{
        size_t used = 0, said = 0;

        while (used < len && said + 2 * HILP_FRAME_MAX <= cap) {
                struct hilp_board_news news;
                struct motor_command command;
                const double *gyro;

                used += hilp_board_receive(&fc->board, bytes + used, len - used, now_us,
                                           &news);
                memcpy(out + said, news.out, news.out_len);
                said += news.out_len;
                if (news.event == HILP_BOARD_GOODBYE || news.event == HILP_BOARD_HELLO)
                        fc->over = news.event == HILP_BOARD_GOODBYE;
                if (news.event != HILP_BOARD_SENSORS)
                        continue;
                if (fc->frames <= fc->arms_after)
                        fc->frames++;
                gyro = &news.sensors.imu.gyro_body_radps.x;
                virtual_fc_mix(fc, virtual_fc_step(fc, news.sensors.t_ns, gyro[fc->axis]),
                               &command);
                said += hilp_board_motors(&fc->board, &command, 4,
                                          !fc->over && fc->frames > fc->arms_after, false,
                                          MODE_GOTO, out + said);
        }
        return said;
}
