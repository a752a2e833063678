/* What the motors answer to a stimulus on a gyroscope: the duties' share in the torque about its axis,
 * by which `hilrig latency` weighs them too.
 *
 * And the metrics of it: what the motors answer to a pseudo-random sequence that a scenario adds to a gyroscope: how much, and
 * how late. Summed up while it flies, nothing allocated. The flight's first such stimulus counts, on a given axis or
 * on any.
 * Of a sequence that runs for two periods or more whole periods count, so that the figures are exact
 * where there is no noise. What else moves the motors in flight comes on top, and is much the same with
 * the same seed: for comparing releases. `hilrig latency` says how exact its figures are. */
#pragma once

#include "hil/scenario/action.h"

/* Duties weighed by the torque that a rotor has about a body axis: by its arm, about yaw by its spin.
 * The largest weight is 1; positive where more duty turns the vehicle the positive way. */
struct answer_axes {
        int rotors;
        double weight[3][ROTORS_MAX];
};

void answer_weigh_rotors(struct answer_axes *axes, const struct vehicle_params *p);
double answer_torque(const struct answer_axes *axes, int axis, const double *duty);

/* The step adds such a shape to a gyroscope. */
bool answer_is_to(const struct scenario_step *step, enum stimulus_shape shape);
/* How long a pseudo-random sequence takes before it repeats itself. */
double answer_repeat_s(int bits, int64_t chip_ns);

/* An answer counts for so long after a chip has ended, in whole chips, at most ANSWER_LAGS_MAX ticks after
 * it began. */
#define ANSWER_NS       INT64_C(10000000)
#define ANSWER_LAGS_MAX 128

#define ANSWER_ANY_AXIS (-1)

struct answer {
        int64_t period_ns;
        int axis; /* of the gyroscope, or ANSWER_ANY_AXIS */
        const struct actions *actions; /* NULL: none */
        const struct scenario_step *of; /* the stimulus; NULL: not yet begun */
        int chip, lags; /* ticks */
        int64_t from, to; /* the chips that count: from <= index < to */
        struct answer_axes axes;
        int newest;
        double pulse
                [ANSWER_LAGS_MAX]; /* ring by tick: a chip's height where it began, else 0 */
        double product[ANSWER_LAGS_MAX], level[ANSWER_LAGS_MAX]; /* sums, by lag */
        int pulses[ANSWER_LAGS_MAX];
        double height[ANSWER_LAGS_MAX], energy[ANSWER_LAGS_MAX];
};

/* actions must stay where they are. */
void answer_init(struct answer *a, const struct vehicle_params *p,
                 const struct actions *actions, int64_t period_ns, int axis);
/* One tick that ended at t_ns, and the command that drove it. */
void answer_observe(struct answer *a, int64_t t_ns, const struct motor_command *command);

/* The sum of the duties, each with its share of the largest lever about the stimulus's axis, for a rate
 * of 1 rad/s, positive where it acts against the rate: the impulse response summed up over its first
 * ANSWER_NS. NaN: there was no such stimulus. */
double answer_gain_s(const struct answer *a);
/* Where the centroid of that impulse response is, after the sample: negative where the flight controller
 * leads more than it delays. NaN: likewise. */
double answer_delay_s(const struct answer *a);
