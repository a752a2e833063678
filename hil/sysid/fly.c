/* The rig's plant flies the log's commands: of each window of half a second its turning is free, its motion through the air
 * is the log's. What its IMU would have felt is compared with what the log's felt (output error). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/sysid/sysid.h"

/* Blocks before and behind a window into which a delay may reach. */
#define BEFORE 4
#define BEHIND 1
#define STEPS  ((BEFORE + SYSID_WINDOW + BEHIND) * SYSID_FINE)

#define HIGH_M 1000.0 /* no ground there */

struct flight {
        const struct sysid_model *model;
        const double *p;
        struct vehicle_params params;
        struct motor_params asked[ROTORS_MAX]; /* what commands ask of */
        struct vehicle vehicle;
        double full_radps; /* what duty 1 asks for */
        /* At a window's beginning and the end of each of its steps. */
        struct vec3 rate[STEPS + 1], felt[STEPS + 1];
        size_t steps;
};

void sysid_params(const struct sysid_model *m, const double *p, struct vehicle_params *v)
{
        static const int cross[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
        struct airframe_params *air = &v->airframe;

        *v = *m->start;
        for (int i = 0; i < v->rotors; i++) {
                struct rotor_params *r = &v->rotor[i];

                sysid_motor(&v->motor[i], p);
                r->thrust_n_per_radps2 *= p[SYSID_THRUST];
                r->torque_nm_per_radps2 *= p[SYSID_TORQUE];
                r->pos_body_m.x -= p[SYSID_CENTRE_X];
                r->pos_body_m.y -= p[SYSID_CENTRE_Y];
        }
        for (int i = 0; i < 3; i++) {
                int a = cross[i][0], b = cross[i][1];

                v->body.inertia_kgm2[i][i] = p[SYSID_XX + i];
                v->body.inertia_kgm2[a][b] = v->body.inertia_kgm2[b][a] = p[SYSID_XY + i];
        }
        air->linear_n_per_mps.x = air->linear_n_per_mps.y = p[SYSID_DRAG_XY];
        air->linear_n_per_mps.z = p[SYSID_DRAG_Z];
        air->angular_nm_per_radps = track_vector(p + SYSID_DAMPING_X);
        air->quadratic_area_m2.x = air->quadratic_area_m2.y = p[SYSID_AREA_XY];
        air->quadratic_area_m2.z = p[SYSID_AREA_Z];
        v->sensors.imu.lever_arm_body_m = track_vector(p + SYSID_PLACE_X);
}

/* Away from the ground, with speeds as commands: they have the battery, the motors' steps and curve in them. */
static bool prepare(struct flight *f)
{
        struct vehicle_params *v = &f->params;
        double step_s = f->model->samples->block_s / (double)f->model->samples->fine;

        v->body.as_identified = true;
        v->rotor_radius_m = 0.0;
        v->battery.capacity_c = 0.0;
        v->tolerance = (struct tolerance_params){ 0 };
        f->full_radps = 0.0;
        for (int i = 0; i < v->rotors; i++)
                f->full_radps = fmax(f->full_radps, 4.0 * v->motor[i].speed_full_radps);
        for (int i = 0; i < v->rotors; i++) {
                struct motor_params *motor = &v->motor[i];

                f->asked[i] = *motor;
                motor_params_prepare(&f->asked[i], step_s);
                motor->steps = motor->dead_band = motor->thrust_linear = 0.0;
                motor->speed_full_radps = motor->speed_limit_radps = f->full_radps;
        }
        if (!vehicle_params_prepare(v, llround(step_s * 1e9), 0, 0))
                return false;
        vehicle_init(&f->vehicle, v, f->model->world, 0, 0, (struct vec3){ 0 }, 0.0);
        f->vehicle.around.wind_ned_mps = f->vehicle.around.force_ned_n =
                (struct vec3){ 0 };
        f->vehicle.around.torque_body_nm = (struct vec3){ 0.0, 0.0, f->p[SYSID_TWIST] };
        f->vehicle.body.gravity_mps2 = 0.0;
        return true;
}

/* Level, high up, with the log's motion through the air. */
static void place(struct flight *f, size_t block)
{
        struct vehicle *v = &f->vehicle;
        struct vec3 moves = f->model->samples->vel_body_mps[block];

        v->body.pos_ned_m = (struct vec3){ 0.0, 0.0, -HIGH_M };
        v->air = (struct air){ -HIGH_M, f->model->air_density_kgpm3, 0.0 };
        v->body.q_body_to_ned = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        v->body.vel_ned_mps = isfinite(moves.z) ? moves : (struct vec3){ 0 };
}

/* What an IMU at its place and turned as the parameters say would say. */
static void sense(const struct flight *f, struct vec3 *rate, struct vec3 *felt)
{
        const struct body_state *b = &f->vehicle.body;
        struct vec3 arm = f->params.sensors.imu.lever_arm_body_m;
        struct vec3 mount = track_vector(f->p + SYSID_MOUNT_X), w = b->rate_body_radps;
        struct vec3 a = quat_rotate_inverse(b->q_body_to_ned, b->accel_ned_mps2);

        a = vec3_add(a, vec3_add(vec3_cross(b->rate_dot_body_radps2, arm),
                                 vec3_cross(w, vec3_cross(w, arm))));
        w = vec3_sub(w, vec3_cross(mount, w));
        *rate = (struct vec3){ f->p[SYSID_SCALE_X] * w.x, f->p[SYSID_SCALE_Y] * w.y,
                               f->p[SYSID_SCALE_Z] * w.z };
        a = vec3_sub(a, vec3_cross(mount, a));
        *felt = vec3_axpy(track_vector(f->p + SYSID_BIAS_X), f->p[SYSID_SCALE], a);
}

static double target_of(const struct flight *f, size_t step, int rotor)
{
        return f->p[SYSID_SPEED] * sysid_target_radps(f->model->samples, &f->asked[rotor],
                                                      f->p[SYSID_SAG], step, rotor);
}

static void fly_step(struct flight *f, size_t block, size_t step, size_t at)
{
        struct motor_command command = { { 0 } };

        for (int i = 0; i < f->params.rotors; i++)
                command.duty[i] = target_of(f, step, i) / f->full_radps;
        place(f, block);
        vehicle_move(&f->vehicle, &f->params, f->model->world, &command);
        place(f, block);
        vehicle_update_acceleration(&f->vehicle, &f->params);
        sense(f, &f->rate[at + 1], &f->felt[at + 1]);
}

/* Between steps, by the cubic through four. */
static struct vec3 value_at(const struct flight *f, const struct vec3 *of, double step)
{
        size_t at = (size_t)fmax(1.0, fmin((double)f->steps - 2.0, step));
        double u = step - (double)at;
        struct vec3 v = vec3_scale(-u * (u - 1.0) * (u - 2.0) / 6.0, of[at - 1]);

        v = vec3_axpy(v, 0.5 * (u + 1.0) * (u - 1.0) * (u - 2.0), of[at]);
        v = vec3_axpy(v, -0.5 * (u + 1.0) * u * (u - 2.0), of[at + 1]);
        return vec3_axpy(v, (u + 1.0) * u * (u - 1.0) / 6.0, of[at + 2]);
}

/* Of the samples of a block of the window. */
static struct vec3 mean_of(const struct flight *f, const struct vec3 *of, size_t block,
                           double late, int samples)
{
        double fine = (double)f->model->samples->fine;
        struct vec3 sum = { 0 };

        for (int i = 0; i < samples; i++)
                sum = vec3_add(
                        sum,
                        value_at(f, of,
                                 fine * ((double)block + (double)i / samples) - late));
        return vec3_scale(1.0 / samples, sum);
}

static void note(double *out, struct vec3 v)
{
        out[0] = v.x;
        out[1] = v.y;
        out[2] = v.z;
}

/* The rates' means over the window agree: with what rate it began nobody knows. */
static void compare_window(const struct flight *f, size_t first, double *out)
{
        const struct sysid_samples *s = f->model->samples;
        double step_s = s->block_s / (double)s->fine;
        double late[2] = { f->p[SYSID_DELAY_FORCE] / step_s, f->p[SYSID_DELAY] / step_s };
        struct vec3 off = { 0 };

        for (size_t i = 0; i < s->window; i++) {
                double *row = out + (first + i) * SYSID_CHANNELS;
                size_t k = first + i;
                struct vec3 turn =
                        vec3_sub(s->rate_body_radps[k],
                                 mean_of(f, f->rate, BEFORE + i, late[1], s->rates));

                off = vec3_axpy(off, 1.0 / (double)s->window, turn);
                note(row, s->driven[k] ? vec3_sub(s->accel_body_mps2[k],
                                                  mean_of(f, f->felt, BEFORE + i, late[0],
                                                          s->accels))
                                       : sysid_unknown);
                note(row + SYSID_TURN, turn);
        }
        for (size_t i = 0; i < s->window; i++) {
                double *row = out + (first + i) * SYSID_CHANNELS + SYSID_TURN;

                note(row, s->sparse ? sysid_unknown : vec3_sub(track_vector(row), off));
        }
}

/* All of it flies, and its motion is known where that of the log is. */
static bool is_whole(const struct sysid_samples *s, size_t begin)
{
        if (begin == 0 || begin + BEFORE + s->window + BEHIND > s->blocks ||
            !s->flies[begin - 1])
                return false;
        for (size_t k = begin; k < begin + BEFORE + s->window + BEHIND; k++)
                if (!s->flies[k] || (s->moves && !isfinite(s->vel_body_mps[k].z)))
                        return false;
        return true;
}

/* Where a block begins, as the late gyroscope says. */
static struct vec3 rate_at(const struct flight *f, size_t block)
{
        const struct vec3 *mean = f->model->samples->rate_body_radps;
        double part = 0.5 + f->p[SYSID_DELAY] / f->model->samples->block_s +
                      0.5 / f->model->samples->rates;

        return vec3_axpy(mean[block - 1], part, vec3_sub(mean[block], mean[block - 1]));
}

/* From `begin` on; the motors are left as they are when the next window begins. */
static void fly_window(struct flight *f, size_t begin, double *out)
{
        struct motor motor[ROTORS_MAX];
        size_t fine = f->model->samples->fine;

        f->vehicle.body.rate_body_radps = rate_at(f, begin);
        sense(f, &f->rate[0], &f->felt[0]);
        for (size_t at = 0; at < f->steps; at++) {
                if (at == f->model->samples->window * fine)
                        memcpy(motor, f->vehicle.motor, sizeof motor);
                fly_step(f, begin + at / fine, begin * fine + at, at);
        }
        memcpy(f->vehicle.motor, motor, sizeof motor);
        compare_window(f, begin + BEFORE, out);
}

/* Motors alone, where nothing is compared. */
static void spin(struct flight *f, size_t begin, size_t end)
{
        const struct sysid_samples *s = f->model->samples;

        for (size_t step = begin * s->fine; step < end * s->fine; step++)
                for (int i = 0; i < s->rotors; i++) {
                        double *speed = &f->vehicle.motor[i].speed_radps;
                        double target = motor_aim_radps(&f->params.motor[i], *speed,
                                                        target_of(f, step, i));

                        *speed = motor_speed_after(*speed, target,
                                                   f->params.reach_full[i]);
                }
}

void sysid_fly(const void *model, const double *p, double *out)
{
        const struct sysid_model *m = model;
        size_t window = m->samples->window;
        struct flight *f = calloc(1, sizeof *f);
        bool ok = f != NULL;

        for (size_t i = 0; i < m->rows * SYSID_CHANNELS; i++)
                out[i] = (double)NAN;
        if (ok) {
                f->model = m;
                f->p = p;
                f->steps = (BEFORE + m->samples->window + BEHIND) * m->samples->fine;
                sysid_params(m, p, &f->params);
                ok = prepare(f);
        }
        if (ok && m->rows >= 2 * window)
                spin(f, 0, window - BEFORE);
        for (size_t k = window; ok && k + window <= m->rows; k += window)
                if (is_whole(m->samples, k - BEFORE))
                        fly_window(f, k - BEFORE, out);
                else
                        spin(f, k - BEFORE, k - BEFORE + window);
        free(f);
}
