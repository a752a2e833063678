#include "models/sensors/imu.h"

#include "models/quad.h"

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

        white = limits || white == 0.0 ? sigma : sqrt(sigma * sigma + white * white);
        p->limited[axis / 3][axis % 3] = limits ? density * sqrt(half_hz) : 0.0;
        p->white[axis / 3][axis % 3] = white;
        p->whitens |= white != 0.0;
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
        p->white[0] = p->white[1] = p->limited[0] = p->limited[1] = (quad){ 0.0 };
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
        p->accel_noise.on &= any_of((const double *)&p->limited[0]);
        p->gyro_noise.on &= any_of((const double *)&p->limited[1]);
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

static void prepare_columns(struct imu_params *p)
{
        const struct imu_axes_params *axes[2] = { &p->accel_axes, &p->gyro_axes };
        const quad none = { 0.0 };

        for (int j = 0; j < 3; j++) {
                p->scale[0][j] = p->scale[1][j] = p->g_scale[j] = none;
                for (int i = 0; i < 3; i++) {
                        p->scale[0][j][i] = p->accel.scale[i][j];
                        p->scale[1][j][i] = p->gyro.scale[i][j];
                        p->g_scale[j][i] = p->g_sensitivity[i][j];
                }
        }
        for (int k = 0; k < 2; k++) {
                p->scale_per_k[k] = p->bias_per_k[k] = none;
                for (int i = 0; i < 3; i++) {
                        p->scale_per_k[k][i] = axes[k]->scale_per_k[i];
                        p->bias_per_k[k][i] = axes[k]->bias_per_k[i];
                }
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
        prepare_columns(p);
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
                        normal[i / 3][2 * (i % 3) + k] =
                                p->limited[i / 3][i % 3] * drawn[i];
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

/* Simulated-IMU document, steps 1 and 2, in the sensor's axes. */
ALWAYS_INLINE void expose(bool wide, const struct imu_params *p, const struct exposure *e,
                          quad *force, quad *rate)
{
        const struct body_state *b = e->body;
        const struct vibration *v = e->vibration;
        const struct quat q = p->q_body_to_sensor;
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
        /* Most are mounted straight. */
        if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0) {
                felt = quat_rotate(q, felt);
                w = quat_rotate(q, w);
        }
        quad_put(wide, force, felt.x, felt.y, felt.z, 0.0);
        quad_put(wide, rate, w.x, w.y, w.z, 0.0);
}

/* One quantity through its bandwidth, from rest in its first value. */
ALWAYS_INLINE void band(bool wide, struct lowpass *l, const struct lowpass_params *p,
                        bool first, const quad *in, quad *out)
{
        if (!p->on) {
                *out = *in;
                return;
        }
        if (first)
                lowpass_settle(l, p, in);
        lowpass_step(wide, l, p, in, out);
}

ALWAYS_INLINE void imu_follow_body(bool wide, struct imu *imu, const struct imu_params *p,
                                   const struct exposure *e)
{
        bool first = !imu->followed;
        quad force, rate;

        expose(wide, p, e, &force, &rate);
        band(wide, &imu->accel_band, &p->accel_band, first, &force, &imu->force);
        band(wide, &imu->gyro_band, &p->gyro_band, first, &rate, &imu->rate);
        if (p->g_sensitive)
                band(wide, &imu->force_band, &p->gyro_band, first, &force,
                     &imu->gyro_force);
        imu->followed = true;
}

ISA_VERSIONS_OF(imu_follow,
                (struct imu * imu, const struct imu_params *p, const struct exposure *e),
                (imu, p, e), (wide, imu, p, e))

/* How much warmer than the reference it is; on to the next sample. */
static double warm(struct imu *imu, const struct imu_params *p, const struct exposure *e)
{
        double air_k = atmosphere_temperature_k(
                &e->world->atmosphere, world_altitude_m(e->world, e->body->pos_ned_m));
        double over_k = air_k + imu->heat_k - IMU_REFERENCE_K;

        imu->heat_k += p->warming * (p->self_heating_k - imu->heat_k);
        return over_k;
}

ALWAYS_INLINE void add_noise(bool wide, struct imu *imu, const struct imu_params *p,
                             quad value[2])
{
        const double *drawn;
        quad out;

        if (p->whitens) {
                drawn = rng_bundle_next(&imu->white);
                value[0] += p->white[0] * *(const quad *)drawn;
                value[1] += p->white[1] * *(const quad *)(drawn + 3);
        }
        if (!p->accel_noise.on && !p->gyro_noise.on)
                return;
        drawn = rng_bundle_next(&imu->limited);
        out = p->limited[0] * *(const quad *)drawn;
        lowpass_step(wide, &imu->accel_noise, &p->accel_noise, &out, &out);
        value[0] += out;
        out = p->limited[1] * *(const quad *)(drawn + 3);
        lowpass_step(wide, &imu->gyro_noise, &p->gyro_noise, &out, &out);
        value[1] += out;
}

/* Steeper on one side, and curved; past the range the curve adds what it does at its end. */
static void bend(const struct imu_axes_params *p, double full_scale, quad *value)
{
        for (int i = 0; i < 3; i++) {
                double x = fmax(-1.0, fmin((*value)[i] / full_scale, 1.0));
                double curve = (p->square[i] + p->cube[i] * x) * (x * x);

                (*value)[i] += 0.5 * p->asymmetry[i] * fabs((*value)[i]);
                if (curve != 0.0)
                        (*value)[i] += full_scale * curve;
        }
}

static void stay_dead(const double dead_zone[3], quad *value)
{
        for (int i = 0; i < 3; i++)
                if (fabs((*value)[i]) < dead_zone[i])
                        (*value)[i] = 0.0;
}

/* Scale and misalignment; what specific force does to the gyroscope. */
ALWAYS_INLINE void scale(bool wide, const quad column[3], const quad *in, quad *out)
{
        quad x, y, z;

        quad_scale(wide, &x, (*in)[0], &column[0]);
        quad_scale(wide, &y, (*in)[1], &column[1]);
        quad_scale(wide, &z, (*in)[2], &column[2]);
        *out = x + y + z;
}

ALWAYS_INLINE void shift(bool wide, const double bias[3], const double turn_on[3],
                         const double drift[3], quad *value)
{
        quad always, run, now;

        quad_put(wide, &always, bias[0], bias[1], bias[2], 0.0);
        quad_put(wide, &run, turn_on[0], turn_on[1], turn_on[2], 0.0);
        quad_put(wide, &now, drift[0], drift[1], drift[2], 0.0);
        *value += always + (run + now);
}

ALWAYS_INLINE void measure(bool wide, struct imu *imu, const struct imu_params *p,
                           double over_k, quad out[2])
{
        quad steeper, more, felt;

        scale(wide, p->scale[0], &imu->force, &out[0]);
        scale(wide, p->scale[1], &imu->rate, &out[1]);
        for (int k = 0; p->thermal && k < 2; k++) {
                quad_scale(wide, &steeper, over_k, &p->scale_per_k[k]);
                quad_scale(wide, &more, over_k, &p->bias_per_k[k]);
                out[k] += out[k] * steeper + more;
        }
        if (p->bends[0])
                bend(&p->accel_axes, -p->accel.min, &out[0]);
        if (p->bends[1])
                bend(&p->gyro_axes, -p->gyro.min, &out[1]);
        if (p->g_sensitive) {
                scale(wide, p->g_scale, &imu->gyro_force, &felt);
                out[1] += felt;
        }
        shift(wide, p->accel.bias, imu->turn_on, imu->drift.sum, &out[0]);
        shift(wide, p->gyro.bias, imu->turn_on + 3, imu->drift.sum + 3, &out[1]);
}

ALWAYS_INLINE void imu_step_body(bool wide, struct imu *imu, const struct imu_params *p,
                                 const struct exposure *e, struct imu_sample *out)
{
        quad value[2];
        double over_k = p->thermal ? warm(imu, p, e) : 0.0;

        if (!imu_follows(p) || !imu->followed)
                imu_follow(imu, p, e);
        drift_step(&imu->drift, &p->drift);
        measure(wide, imu, p, over_k, value);
        add_noise(wide, imu, p, value);
        if (p->has_dead_zone[0])
                stay_dead(p->accel_axes.dead_zone, &value[0]);
        if (p->has_dead_zone[1])
                stay_dead(p->gyro_axes.dead_zone, &value[1]);
        error_output_axes(wide, &p->accel, &value[0]);
        error_output_axes(wide, &p->gyro, &value[1]);
        out->accel_body_mps2 = quad_vec3(&value[0]);
        out->gyro_body_radps = quad_vec3(&value[1]);
}

ISA_VERSIONS_OF(imu_step,
                (struct imu * imu, const struct imu_params *p, const struct exposure *e,
                 struct imu_sample *out),
                (imu, p, e, out), (wide, imu, p, e, out))
