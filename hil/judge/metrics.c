#include "hil/judge/metrics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* clang-format off */
const struct metric_info metric_info[METRIC_COUNT] = {
        [METRIC_POSITION_ERROR_RMS] = { "position_error_rms_m", "m", "less",
                "RMS distance from the position asked, in the air while goto is asked." },
        [METRIC_POSITION_ERROR_MAX] = { "position_error_max_m", "m", "less",
                "Largest distance from the position asked, in the air while goto is asked." },
        [METRIC_TILT_RMS] = { "tilt_rms_deg", "deg", "less", "RMS tilt in the air." },
        [METRIC_TILT_MAX] = { "tilt_max_deg", "deg", "less", "Largest tilt in the air." },
        [METRIC_BODY_RATE_RMS] = { "body_rate_rms_dps", "deg/s", "less",
                "RMS of the length of the true body rate in the air." },
        [METRIC_ATTITUDE_ERROR_RMS] = { "est_error_rms_deg", "deg", "less",
                "RMS angle between estimated and true attitude in the air." },
        [METRIC_ROLL_ERROR_MEAN] = { "est_roll_error_mean_deg", "deg", "none",
                "Mean of estimated minus true roll in the air." },
        [METRIC_PITCH_ERROR_MEAN] = { "est_pitch_error_mean_deg", "deg", "none",
                "Mean of estimated minus true pitch in the air." },
        [METRIC_NORTH_ERROR_MEAN] = { "est_north_error_mean_m", "m", "none",
                "Mean of estimated minus true position north in the air." },
        [METRIC_EAST_ERROR_MEAN] = { "est_east_error_mean_m", "m", "none",
                "Mean of estimated minus true position east in the air." },
        [METRIC_UP_ERROR_MEAN] = { "est_up_error_mean_m", "m", "none",
                "Mean of estimated minus true height in the air." },
        [METRIC_MOTOR_ACTIVITY] = { "motor_activity_per_s", "1/s", "none",
                "RMS over ticks and rotors of the duty's change per second half a second off the ground." },
        [METRIC_DUTY_MEAN] = { "duty_mean", "", "less", "Mean duty of all rotors half a second off the ground." },
        [METRIC_DUTY_SPREAD_MEAN] = { "duty_spread_mean", "", "none",
                "Mean over ticks of the largest minus the smallest duty half a second off the ground." },
        [METRIC_DUTY_SPREAD_MAX] = { "duty_spread_max", "", "none",
                "Largest difference of two rotors' duties half a second off the ground." },
        [METRIC_ANSWER_GAIN] = { "answer_gain_per_radps", "s/rad", "none",
                "Duties, weighted by lever, that 1 rad/s of a pseudo-random sequence on the gyroscope gives within 10 ms." },
        [METRIC_ANSWER_DELAY] = { "answer_delay_ms", "ms", "less",
                "Centroid of the motors' answer in these 10 ms, from the sample on; a controller's lead counts against it." },
        [METRIC_ANSWER_GAIN_PITCH] = { "answer_gain_pitch_per_radps", "s/rad", "none",
                "The same gain, of the first such sequence about pitch." },
        [METRIC_ANSWER_GAIN_YAW] = { "answer_gain_yaw_per_radps", "s/rad", "none",
                "The same gain, of the first such sequence about yaw." },
        [METRIC_ENERGY] = { "energy_j", "J", "less",
                "What the battery gave in the whole run; 0 without one." },
        [METRIC_IMPACT_MAX] = { "impact_max_mps", "m/s", "less",
                "Hardest impact of the whole run." },
        [METRIC_NEAREST_MIN] = { "nearest_min_m", "m", "more",
                "Least distance to another vehicle in the air." },
        [METRIC_AIRBORNE] = { "airborne_s", "s", "none", "How long it touched nothing." },
        [METRIC_MISSED] = { "missed_periods", "", "less",
                "Periods whose deadline the host missed." },
};
/* clang-format on */

static const char *const source_names[SOURCE_COUNT] = {
        [SOURCE_POSITION_ERROR] = "position_error_m",
        [SOURCE_TILT] = "tilt_deg",
        [SOURCE_ATTITUDE_ERROR] = "est_error_deg",
        [SOURCE_ROLL_ERROR] = "est_roll_error_deg",
        [SOURCE_PITCH_ERROR] = "est_pitch_error_deg",
        [SOURCE_NORTH_ERROR] = "est_north_error_m",
        [SOURCE_EAST_ERROR] = "est_east_error_m",
        [SOURCE_UP_ERROR] = "est_up_error_m",
};

/* What the motors do as it leaves the ground, or bounces off it, is a matter of the very tick. */
#define FLYING_NS INT64_C(500000000)

void metrics_init(struct metrics *m, const struct vehicle_params *p,
                  const struct actions *actions, int64_t period_ns)
{
        *m = (struct metrics){ .rotors = p->rotors,
                               .period_s = (double)period_ns * 1e-9,
                               .touched_ns = -FLYING_NS };
        answer_init(&m->answer, p, actions, period_ns, ANSWER_ANY_AXIS);
        answer_init(&m->answer_pitch, p, actions, period_ns, 1);
        answer_init(&m->answer_yaw, p, actions, period_ns, 2);
        for (int i = 0; i < SOURCE_COUNT; i++) {
                int found = quantity_find(source_names[i]);

                assert(found >= 0);
                m->source[i] = &quantities[found];
        }
}

/* What was NaN was not there. */
static void add_to_metric(struct metrics *m, enum metric which, double value)
{
        if (isnan(value))
                return;
        m->sum[which].sum += value;
        m->sum[which].count++;
}

static void add_square(struct metrics *m, enum metric which, double value)
{
        add_to_metric(m, which, value * value);
}

static void keep_largest(struct metrics *m, enum metric which, double value)
{
        struct metric_sum *s = &m->sum[which];

        if (isnan(value))
                return;
        if (s->count == 0 || value > s->sum)
                s->sum = value;
        s->count++;
}

static void keep_least(struct metrics *m, enum metric which, double value)
{
        struct metric_sum *s = &m->sum[which];

        if (s->count == 0 || value < s->sum)
                s->sum = value;
        s->count++;
}

static double source_value(const struct metrics *m, enum metric_source which,
                           const struct observation *o)
{
        return quantity_value(m->source[which], o);
}

static void observe_motion(struct metrics *m, const struct observation *o)
{
        double position_m = source_value(m, SOURCE_POSITION_ERROR, o);
        double tilt_deg = source_value(m, SOURCE_TILT, o);
        double rate_radps = vec3_norm(o->truth->body.rate_body_radps);

        add_square(m, METRIC_POSITION_ERROR_RMS, position_m);
        keep_largest(m, METRIC_POSITION_ERROR_MAX, position_m);
        add_square(m, METRIC_TILT_RMS, tilt_deg);
        keep_largest(m, METRIC_TILT_MAX, tilt_deg);
        add_square(m, METRIC_BODY_RATE_RMS, rate_radps * DEG_PER_RAD);
}

static void observe_estimate(struct metrics *m, const struct observation *o)
{
        add_square(m, METRIC_ATTITUDE_ERROR_RMS,
                   source_value(m, SOURCE_ATTITUDE_ERROR, o));
        for (int i = 0; i < METRIC_UP_ERROR_MEAN - METRIC_ROLL_ERROR_MEAN + 1; i++)
                add_to_metric(
                        m, (enum metric)(METRIC_ROLL_ERROR_MEAN + i),
                        source_value(m, (enum metric_source)(SOURCE_ROLL_ERROR + i), o));
}

static void observe_duties(struct metrics *m, const double *duty)
{
        double most = -INFINITY, least = INFINITY;

        for (int i = 0; i < m->rotors; i++) {
                most = fmax(most, duty[i]);
                least = fmin(least, duty[i]);
                add_to_metric(m, METRIC_DUTY_MEAN, duty[i]);
                if (m->duties_known)
                        add_square(m, METRIC_MOTOR_ACTIVITY,
                                   (duty[i] - m->last[i]) / m->period_s);
        }
        add_to_metric(m, METRIC_DUTY_SPREAD_MEAN, most - least);
        keep_largest(m, METRIC_DUTY_SPREAD_MAX, most - least);
        memcpy(m->last, duty, sizeof m->last);
        m->duties_known = true;
}

void metrics_observe(struct metrics *m, const struct observation *o)
{
        const struct battery *b = &o->truth->battery;
        bool flies = !o->truth->contact.touching;

        add_to_metric(m, METRIC_ENERGY, b->voltage_v * b->current_a * m->period_s);
        add_to_metric(m, METRIC_AIRBORNE, flies ? m->period_s : 0.0);
        add_to_metric(m, METRIC_MISSED, o->missed);
        keep_largest(m, METRIC_IMPACT_MAX, o->truth->impact_mps);
        answer_observe(&m->answer, o->t_ns, o->command);
        answer_observe(&m->answer_pitch, o->t_ns, o->command);
        answer_observe(&m->answer_yaw, o->t_ns, o->command);
        if (flies) {
                observe_motion(m, o);
                observe_estimate(m, o);
                if (o->t_ns - m->touched_ns >= FLYING_NS)
                        observe_duties(m, o->command->duty);
                if (o->fleet != NULL)
                        keep_least(m, METRIC_NEAREST_MIN,
                                   o->fleet->member[o->member].nearest_m);
        } else {
                m->touched_ns = o->t_ns;
                m->duties_known = false;
        }
}

double metrics_value(const struct metrics *m, enum metric which)
{
        const struct metric_sum *s = &m->sum[which];

        if (which == METRIC_ANSWER_GAIN)
                return answer_gain_s(&m->answer);
        if (which == METRIC_ANSWER_DELAY)
                return 1e3 * answer_delay_s(&m->answer);
        if (which == METRIC_ANSWER_GAIN_PITCH)
                return answer_gain_s(&m->answer_pitch);
        if (which == METRIC_ANSWER_GAIN_YAW)
                return answer_gain_s(&m->answer_yaw);
        if (s->count == 0)
                return NAN;
        switch (which) {
        case METRIC_POSITION_ERROR_RMS:
        case METRIC_TILT_RMS:
        case METRIC_BODY_RATE_RMS:
        case METRIC_ATTITUDE_ERROR_RMS:
        case METRIC_MOTOR_ACTIVITY:
                return sqrt(s->sum / (double)s->count);
        case METRIC_POSITION_ERROR_MAX:
        case METRIC_TILT_MAX:
        case METRIC_DUTY_SPREAD_MAX:
        case METRIC_NEAREST_MIN:
        case METRIC_IMPACT_MAX:
        case METRIC_ENERGY:
        case METRIC_AIRBORNE:
        case METRIC_MISSED:
                return s->sum;
        default:
                return s->sum / (double)s->count;
        }
}
