/* Standard figures of every flight, for comparing firmware: of one vehicle, summed up while it flies,
 * nothing allocated. Those of the air count the ticks in which the vehicle touches nothing, whatever
 * its flight controller calls them. */
#pragma once

#include "hil/judge/answer.h"
#include "hil/formula/quantity.h"

enum metric {
        METRIC_POSITION_ERROR_RMS, /* in the air, while goto is asked */
        METRIC_POSITION_ERROR_MAX,
        METRIC_TILT_RMS, /* in the air */
        METRIC_TILT_MAX,
        METRIC_BODY_RATE_RMS,
        METRIC_ATTITUDE_ERROR_RMS, /* estimate against truth, in the air */
        METRIC_ROLL_ERROR_MEAN, /* estimate minus truth, in the air: signed */
        METRIC_PITCH_ERROR_MEAN,
        METRIC_NORTH_ERROR_MEAN,
        METRIC_EAST_ERROR_MEAN,
        METRIC_UP_ERROR_MEAN,
        METRIC_MOTOR_ACTIVITY, /* RMS of the rate at which duties change, in the air */
        METRIC_DUTY_MEAN, /* in the air */
        METRIC_DUTY_SPREAD_MEAN, /* largest minus smallest duty of a tick, in the air */
        METRIC_DUTY_SPREAD_MAX,
        METRIC_ANSWER_GAIN, /* to the first pseudo-random sequence on the gyroscope */
        METRIC_ANSWER_DELAY,
        METRIC_ANSWER_GAIN_PITCH, /* to the first on this axis */
        METRIC_ANSWER_GAIN_YAW,
        METRIC_ENERGY, /* from the battery, the whole run */
        METRIC_IMPACT_MAX, /* the whole run */
        METRIC_NEAREST_MIN, /* to another vehicle, in the air */
        METRIC_AIRBORNE, /* how long it touched nothing */
        METRIC_MISSED, /* periods */
        METRIC_COUNT
};

struct metric_info {
        const char *name; /* "tilt_rms_deg" */
        const char *unit; /* "deg"; "" of what has none */
        const char *
                better; /* "less", "more"; "none": neither. Means that have a sign are of these:
                               nearer to 0 is better */
        const char *about;
};

extern const struct metric_info metric_info[METRIC_COUNT];

/* Quantities that metrics are made of. */
enum metric_source {
        SOURCE_POSITION_ERROR,
        SOURCE_TILT,
        SOURCE_ATTITUDE_ERROR,
        SOURCE_ROLL_ERROR,
        SOURCE_PITCH_ERROR,
        SOURCE_NORTH_ERROR,
        SOURCE_EAST_ERROR,
        SOURCE_UP_ERROR,
        SOURCE_COUNT
};

struct metrics {
        const struct quantity *source[SOURCE_COUNT];
        int rotors;
        double period_s;
        struct answer answer, answer_pitch, answer_yaw;
        struct metric_sum {
                double sum;
                int64_t count;
        } sum[METRIC_COUNT];
        int64_t touched_ns;
        bool duties_known; /* last[] is of the tick before */
        double last[ROTORS_MAX];
};

/* actions: what the scenario does to the vehicle; they stay where they are. NULL: nothing. */
void metrics_init(struct metrics *m, const struct vehicle_params *p,
                  const struct actions *actions, int64_t period_ns);
/* One tick. */
void metrics_observe(struct metrics *m, const struct observation *o);
/* NaN: there was nothing that it could be made of. */
double metrics_value(const struct metrics *m, enum metric which);
