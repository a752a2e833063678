#include "models/sensors/imu.h"

#include "models/isa.h"

/* The sensor's noise streams; a number stays with its use for ever. Six of each. */
enum {
        AXIS_WHITE = 0,
        AXIS_TURN_ON = 8,
        AXIS_FLICKER = 16,
        AXIS_WALK = 24,
        AXIS_LIMITED = 32
};

/* Of the second-order Butterworth: pi/(2 sqrt(2)). */
#define NOISE_PER_BANDWIDTH 1.1107207345395915

/* White noise of one axis. A bandwidth below half of the sensor's rate limits it,
 * sample by sample. Above, what it lets through is folded, and white again; without
 * one, the noise fills half of the rate. */
static void split_noise(struct imu_params *p, int axis, double sigma, double density,
                        double bandwidth_hz, bool limits, double rate_hz)
{
        double half_hz = 0.5 * rate_hz;
        double open_hz = fmax(half_hz, NOISE_PER_BANDWIDTH * bandwidth_hz);
        double white = density * sqrt(open_hz);

        p->limited[axis] = limits ? density * sqrt(half_hz) : 0.0;
        p->white[axis] =
                limits || white == 0.0 ? sigma : sqrt(sigma * sigma + white * white);
        p->whitens |= p->white[axis] != 0.0;
}

/* Whether any of three is not 0. */
static bool any_of(const double axes[3])
{
        return axes[0] != 0.0 || axes[1] != 0.0 || axes[2] != 0.0;
}

static void prepare_noise(struct imu_params *p, double sample_s)
{
        const struct imu_axes_params *a = &p->accel_axes, *g = &p->gyro_axes;

        lowpass_params_prepare(&p->accel_noise, a->bandwidth_hz, sample_s);
        lowpass_params_prepare(&p->gyro_noise, g->bandwidth_hz, sample_s);
        p->whitens = false;
        for (int i = 0; i < 3; i++) {
                split_noise(p, i, p->accel.sigma[i], a->density[i], a->bandwidth_hz,
                            p->accel_noise.on, 1.0 / sample_s);
                split_noise(p, i + 3, p->gyro.sigma[i], g->density[i], g->bandwidth_hz,
                            p->gyro_noise.on, 1.0 / sample_s);
                p->drift.instability[i] = a->instability[i];
                p->drift.instability[i + 3] = g->instability[i];
                p->drift.walk[i] = a->walk[i];
                p->drift.walk[i + 3] = g->walk[i];
        }
        drift_params_prepare(&p->drift, sample_s);
        /* A filter without noise would cost as much as one with. */
        p->accel_noise.on &= any_of(p->limited);
        p->gyro_noise.on &= any_of(p->limited + 3);
}

static void prepare_temperature(struct imu_params *p, double sample_s)
{
        p->warming = p->warm_up_s > 0.0 ? -expm1(-sample_s / p->warm_up_s) : 1.0;
        p->thermal = false;
        for (int i = 0; i < 3; i++)
                p->thermal |= p->accel_axes.scale_per_k[i] != 0.0 ||
                              p->accel_axes.bias_per_k[i] != 0.0 ||
                              p->gyro_axes.scale_per_k[i] != 0.0 ||
                              p->gyro_axes.bias_per_k[i] != 0.0;
}

static void prepare_bends(struct imu_params *p)
{
        const struct imu_axes_params *axes[2] = { &p->accel_axes, &p->gyro_axes };

        for (int k = 0; k < 2; k++) {
                p->bends[k] = any_of(axes[k]->asymmetry) || any_of(axes[k]->square) ||
                              any_of(axes[k]->cube);
                p->has_dead_zone[k] = any_of(axes[k]->dead_zone);
        }
}

void imu_params_prepare(struct imu_params *p, double step_s)
{
        /* A sensor that is faster than the plant measures at every step of it. */
        double sample_s = fmax((double)p->schedule.period_ns / 1e9, step_s);

        lowpass_params_prepare(&p->accel_band, p->accel_axes.bandwidth_hz, step_s);
        lowpass_params_prepare(&p->gyro_band, p->gyro_axes.bandwidth_hz, step_s);
        prepare_noise(p, sample_s);
        prepare_temperature(p, sample_s);
        prepare_bends(p);
        p->g_sensitive = false;
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        p->g_sensitive |= p->g_sensitivity[i][j] != 0.0;
}

static void settle_noise(struct imu *imu, const struct imu_params *p)
{
        double normal[2][6];

        if (!p->accel_noise.on && !p->gyro_noise.on)
                return;
        /* Of each axis the first two draws. */
        for (int k = 0; k < 2; k++) {
                const double *drawn = rng_bundle_next(&imu->limited);

                for (int i = 0; i < 6; i++)
                        normal[i / 3][2 * (i % 3) + k] = p->limited[i] * drawn[i];
        }
        if (p->accel_noise.on)
                lowpass_settle_noise(&imu->accel_noise, &p->accel_noise, normal[0]);
        if (p->gyro_noise.on)
                lowpass_settle_noise(&imu->gyro_noise, &p->gyro_noise, normal[1]);
}

void imu_init(struct imu *imu, const struct imu_params *p, uint64_t seed,
              uint32_t vehicle)
{
        *imu = (struct imu){ 0 };
        rng_bundle_init(&imu->white, seed, vehicle, SENSOR_IMU, AXIS_WHITE);
        rng_bundle_init(&imu->limited, seed, vehicle, SENSOR_IMU, AXIS_LIMITED);
        for (uint32_t i = 0; i < 6; i++) {
                double sigma =
                        i < 3 ? p->accel_axes.turn_on[i] : p->gyro_axes.turn_on[i - 3];
                struct rng once;

                rng_init(&once, seed, vehicle, SENSOR_IMU, AXIS_TURN_ON + i);
                imu->turn_on[i] = sigma * rng_normal(&once);
        }
        drift_init(&imu->drift, &p->drift, seed, vehicle, SENSOR_IMU, AXIS_FLICKER,
                   AXIS_WALK);
        settle_noise(imu, p);
        imu->heat_k = p->warm_up_s > 0.0 ? 0.0 : p->self_heating_k;
}

static void to_sensor(const struct imu_params *p, struct vec3 body, double out[3])
{
        struct vec3 v = quat_rotate(p->q_body_to_sensor, body);

        out[0] = v.x;
        out[1] = v.y;
        out[2] = v.z;
}

/* Simulated-IMU document, steps 1 and 2, in the sensor's axes. */
static void expose(const struct imu_params *p, const struct exposure *e, double force[3],
                   double rate[3])
{
        const struct body_state *b = e->body;
        const struct vibration *v = e->vibration;
        struct vec3 felt_ned = b->accel_ned_mps2, felt;
        struct vec3 w = b->rate_body_radps, w_dot = b->rate_dot_body_radps2;
        struct vec3 arm_m = p->lever_arm_body_m;

        felt_ned.z -= b->gravity_mps2;
        felt = quat_rotate_inverse(b->q_body_to_ned, felt_ned);
        if (v) {
                felt = vec3_add(felt, v->accel_body_mps2);
                w = vec3_add(w, v->rate_body_radps);
                w_dot = vec3_add(w_dot, v->rate_dot_body_radps2);
        }
        felt = vec3_add(felt, vec3_add(vec3_cross(w, vec3_cross(w, arm_m)),
                                       vec3_cross(w_dot, arm_m)));
        to_sensor(p, felt, force);
        to_sensor(p, w, rate);
}

/* One quantity through its bandwidth, from rest in its first value. */
ALWAYS_INLINE void band(struct lowpass *l, const struct lowpass_params *p, bool first,
                        const double in[3], double out[3])
{
        if (!p->on) {
                for (int i = 0; i < 3; i++)
                        out[i] = in[i];
                return;
        }
        if (first)
                lowpass_settle(l, p, in);
        lowpass_step(l, p, in, out);
}

ALWAYS_INLINE void imu_follow_body(struct imu *imu, const struct imu_params *p,
                                   const struct exposure *e)
{
        bool first = !imu->followed;
        double force[3], rate[3];

        expose(p, e, force, rate);
        band(&imu->accel_band, &p->accel_band, first, force, imu->force);
        band(&imu->gyro_band, &p->gyro_band, first, rate, imu->rate);
        if (p->g_sensitive)
                band(&imu->force_band, &p->gyro_band, first, force, imu->gyro_force);
        imu->followed = true;
}

ISA_VERSIONS(imu_follow,
             (struct imu * imu, const struct imu_params *p, const struct exposure *e),
             (imu, p, e))

/* How much warmer than the reference it is; on to the next sample. */
static double warm(struct imu *imu, const struct imu_params *p, const struct exposure *e)
{
        double air_k = atmosphere_temperature_k(
                &e->world->atmosphere, world_altitude_m(e->world, e->body->pos_ned_m));
        double over_k = air_k + imu->heat_k - IMU_REFERENCE_K;

        imu->heat_k += p->warming * (p->self_heating_k - imu->heat_k);
        return over_k;
}

static void add_noise(struct imu *imu, const struct imu_params *p, double value[6])
{
        const double *drawn;
        double in[6], out[6];

        if (p->whitens) {
                drawn = rng_bundle_next(&imu->white);
                for (int i = 0; i < 6; i++)
                        value[i] += p->white[i] * drawn[i];
        }
        if (!p->accel_noise.on && !p->gyro_noise.on)
                return;
        drawn = rng_bundle_next(&imu->limited);
        for (int i = 0; i < 6; i++)
                in[i] = p->limited[i] * drawn[i];
        lowpass_step(&imu->accel_noise, &p->accel_noise, in, out);
        lowpass_step(&imu->gyro_noise, &p->gyro_noise, in + 3, out + 3);
        for (int i = 0; i < 6; i++)
                value[i] += out[i];
}

/* Scale and misalignment, then what specific force does to a gyroscope. */
static double scaled(const double m[3], const double v[3])
{
        return m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
}

/* Steeper on one side, and curved; past the range the curve adds what it does at its end. */
static void bend(const struct imu_axes_params *p, double full_scale, double value[3])
{
        for (int i = 0; i < 3; i++) {
                double x = fmax(-1.0, fmin(value[i] / full_scale, 1.0));
                double curve = (p->square[i] + p->cube[i] * x) * (x * x);

                value[i] += 0.5 * p->asymmetry[i] * fabs(value[i]);
                if (curve != 0.0)
                        value[i] += full_scale * curve;
        }
}

static void stay_dead(const double dead_zone[3], double value[3])
{
        for (int i = 0; i < 3; i++)
                if (fabs(value[i]) < dead_zone[i])
                        value[i] = 0.0;
}

static void measure(struct imu *imu, const struct imu_params *p, double over_k,
                    double out[6])
{
        for (int i = 0; i < 3; i++) {
                out[i] = scaled(p->accel.scale[i], imu->force);
                out[i + 3] = scaled(p->gyro.scale[i], imu->rate);
        }
        if (p->thermal)
                for (int i = 0; i < 3; i++) {
                        out[i] += out[i] * (p->accel_axes.scale_per_k[i] * over_k) +
                                  p->accel_axes.bias_per_k[i] * over_k;
                        out[i + 3] +=
                                out[i + 3] * (p->gyro_axes.scale_per_k[i] * over_k) +
                                p->gyro_axes.bias_per_k[i] * over_k;
                }
        if (p->bends[0])
                bend(&p->accel_axes, -p->accel.min, out);
        if (p->bends[1])
                bend(&p->gyro_axes, -p->gyro.min, out + 3);
        if (p->g_sensitive)
                for (int i = 0; i < 3; i++)
                        out[i + 3] += scaled(p->g_sensitivity[i], imu->gyro_force);
        for (int i = 0; i < 3; i++) {
                out[i] += p->accel.bias[i] + (imu->turn_on[i] + imu->drift.sum[i]);
                out[i + 3] +=
                        p->gyro.bias[i] + (imu->turn_on[i + 3] + imu->drift.sum[i + 3]);
        }
}

ALWAYS_INLINE void imu_step_body(struct imu *imu, const struct imu_params *p,
                                 const struct exposure *e, struct imu_sample *out)
{
        double value[6];
        double over_k = p->thermal ? warm(imu, p, e) : 0.0;

        if (!imu_follows(p) || !imu->followed)
                imu_follow(imu, p, e);
        drift_step(&imu->drift, &p->drift);
        measure(imu, p, over_k, value);
        add_noise(imu, p, value);
        if (p->has_dead_zone[0])
                stay_dead(p->accel_axes.dead_zone, value);
        if (p->has_dead_zone[1])
                stay_dead(p->gyro_axes.dead_zone, value + 3);
        error_output_axes(&p->accel, value);
        error_output_axes(&p->gyro, value + 3);
        out->accel_body_mps2 = (struct vec3){ value[0], value[1], value[2] };
        out->gyro_body_radps = (struct vec3){ value[3], value[4], value[5] };
}

ISA_VERSIONS(imu_step,
             (struct imu * imu, const struct imu_params *p, const struct exposure *e,
              struct imu_sample *out),
             (imu, p, e, out))
