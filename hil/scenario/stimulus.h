/* A shape over time that a scenario adds to an input of the loop: step, ramp, doublet, sine, chirp,
 * pseudo-random binary sequence. A pure function of the time since it began: no state, and no call of
 * libm, so that every compiler and machine gives the same bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum stimulus_shape {
        STIMULUS_STEP, /* amplitude, as long as it lasts */
        STIMULUS_RAMP, /* from 0 to amplitude at its end */
        STIMULUS_DOUBLET, /* +amplitude for the first half, -amplitude for the second */
        STIMULUS_SINE, /* from_hz, from 0 upwards */
        STIMULUS_CHIRP, /* a sine from from_hz to to_hz, exponential in time (phase is continuous) */
        STIMULUS_PRBS, /* +-amplitude: a maximum-length sequence of `bits`, one chip each chip_ns */
        STIMULUS_SHAPES
};

/* What it is added to. */
enum stimulus_input {
        STIMULUS_RC, /* channel's pulse, us */
        STIMULUS_NORTH, /* set-point, m */
        STIMULUS_EAST,
        STIMULUS_UP,
        STIMULUS_YAW, /* set-point, rad */
        STIMULUS_GYRO, /* what the gyroscope says, axis, rad/s */
        STIMULUS_ACCEL, /* what the accelerometer says, axis, m/s^2 */
        STIMULUS_WIND, /* along axis of NED, m/s, on top of the world's */
        STIMULUS_FORCE, /* on the centre of mass, axis of NED, N */
        STIMULUS_TORQUE, /* body axis, N m */
        STIMULUS_DUTY, /* a rotor's command, on top of the flight controller's, 0 to 1 */
        STIMULUS_INPUTS
};

#define STIMULUS_BITS_MIN 3
#define STIMULUS_BITS_MAX 20

struct stimulus {
        enum stimulus_input input;
        int index; /* RC channel, axis or rotor, from 0; 0 where the input has only one */
        enum stimulus_shape shape;
        double amplitude; /* in the input's unit */
        int64_t for_ns; /* how long it lasts; > 0 */
        double from_hz, to_hz; /* > 0 where the shape has them */
        int bits; /* of a PRBS: 2^bits - 1 chips before it repeats */
        int64_t chip_ns; /* of a PRBS; > 0 */
};

/* Its value since_ns after it began; 0 before that and from for_ns on. Takes a microsecond at most, of a
 * chip of 20 bits, and does not depend on the time. */
double stimulus_value(const struct stimulus *s, int64_t since_ns);

/* Cycles of a chirp, or of a sine, since it began: what its instantaneous frequency adds up to. */
double stimulus_cycles(const struct stimulus *s, int64_t since_ns);

/* One chip of the maximum-length sequence of `bits`; chip counts from 0 and may be any number of
 * periods on. A period has 2^(bits-1) chips that are true, one more than are false. */
bool stimulus_chip(int bits, uint64_t chip);
