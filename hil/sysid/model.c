/* The equations of motion against blocks of samples. The mean rate of a block less that of the block before is the
 * turning acceleration averaged with a triangle over both, exactly: so the rotors' loads are averaged as well. */
#include <math.h>

#include "hil/sysid/sysid.h"

/* Of all rotors: per factor of thrust, of torque, and what their inertia does. */
enum load {
        LOAD_THRUST, /* N */
        LOAD_ROLL, /* Nm */
        LOAD_PITCH,
        LOAD_DRAG,
        LOAD_REACTION,
        LOAD_MOMENTUM, /* Nms */
        LOADS
};

struct loads {
        double mean[LOADS], rising[LOADS], falling[LOADS]; /* of a block */
};

struct rotors {
        struct motor_params motor[ROTORS_MAX];
        double speed_radps[ROTORS_MAX];
        double reach, step_s, late; /* in steps */
};

static double target_at(const struct sysid_samples *s, const struct rotors *r,
                        double step, int rotor)
{
        size_t last = s->blocks * s->fine - 1, at, next;
        double whole = floor(step), part = step - whole;

        if (whole < 0.0)
                whole = part = 0.0;
        at = (size_t)whole;
        if (at > last)
                at = last;
        next = at < last ? at + 1 : last;
        return (1.0 - part) * sysid_target_radps(s, &r->motor[rotor], 1.0, at, rotor) +
               part * sysid_target_radps(s, &r->motor[rotor], 1.0, next, rotor);
}

/* One fine step of all rotors, and what they load the body with. */
static void turn_rotors(const struct sysid_model *m, struct rotors *r, size_t step,
                        double load[LOADS])
{
        double lift;

        for (int i = 0; i < LOADS; i++)
                load[i] = 0.0;
        for (int i = 0; i < m->samples->rotors; i++) {
                const struct rotor_params *p = &m->start->rotor[i];
                double was = r->speed_radps[i], square, thrust;
                double target = target_at(m->samples, r, (double)step - r->late, i);

                target = motor_aim_radps(&r->motor[i], was, target);
                r->speed_radps[i] = motor_speed_after(was, target, r->reach);
                lift = m->air_density_kgpm3 / p->air_density_ref_kgpm3;
                square = 0.5 * (was * was + r->speed_radps[i] * r->speed_radps[i]);
                thrust = lift * p->thrust_n_per_radps2 * square;
                load[LOAD_THRUST] += thrust;
                load[LOAD_ROLL] -= p->pos_body_m.y * thrust;
                load[LOAD_PITCH] += p->pos_body_m.x * thrust;
                load[LOAD_DRAG] -= p->spin * lift * p->torque_nm_per_radps2 * square;
                load[LOAD_REACTION] -=
                        p->spin * p->inertia_kgm2 * (r->speed_radps[i] - was) / r->step_s;
                load[LOAD_MOMENTUM] +=
                        p->spin * p->inertia_kgm2 * 0.5 * (was + r->speed_radps[i]);
        }
}

static struct loads load_block(const struct sysid_model *m, struct rotors *r,
                               size_t block)
{
        struct loads l = { .mean = { 0 } };
        size_t fine = m->samples->fine;

        for (size_t j = 0; j < fine; j++) {
                double load[LOADS], part = 1.0 / (double)fine;
                double rise = ((double)j + 0.5) * part * part;

                turn_rotors(m, r, block * fine + j, load);
                for (int i = 0; i < LOADS; i++) {
                        l.mean[i] += part * load[i];
                        l.rising[i] += rise * load[i];
                        l.falling[i] += (part - rise) * load[i];
                }
        }
        return l;
}

/* What the accelerometer should have felt. */
static struct vec3 feel(const struct sysid_model *m, const double *p,
                        const struct loads *l, size_t k)
{
        const struct sysid_samples *s = m->samples;
        const struct airframe_params *air = &m->start->airframe;
        struct vec3 arm = m->start->sensors.imu.lever_arm_body_m;
        struct vec3 w = s->rate_body_radps[k], v = s->vel_body_mps[k], drag, felt;
        struct vec3 turn =
                vec3_scale(0.5 / s->block_s, vec3_sub(s->rate_body_radps[k + 1],
                                                      s->rate_body_radps[k - 1]));

        drag = airframe_drag(
                (struct vec3){ p[SYSID_DRAG_XY], p[SYSID_DRAG_XY], p[SYSID_DRAG_Z] },
                vec3_scale(0.5 * m->air_density_kgpm3, air->quadratic_area_m2), v);
        if (!isfinite(drag.z))
                drag.z = 0.0;
        felt = vec3_scale(-1.0 / m->start->body.mass_kg, drag);
        felt.z -= p[SYSID_THRUST] * l->mean[LOAD_THRUST] / m->start->body.mass_kg;
        felt = vec3_add(
                felt, vec3_add(vec3_cross(turn, arm), vec3_cross(w, vec3_cross(w, arm))));
        return vec3_add(
                felt, (struct vec3){ p[SYSID_BIAS_X], p[SYSID_BIAS_Y], p[SYSID_BIAS_Z] });
}

/* Of the time between the middles of the block before and this one. */
static struct vec3 turn_between(const struct sysid_model *m, const double *p,
                                const struct loads *before, const struct loads *now,
                                size_t k)
{
        const struct sysid_samples *s = m->samples;
        struct vec3 w = vec3_scale(
                0.5, vec3_add(s->rate_body_radps[k - 1], s->rate_body_radps[k]));
        struct vec3 moment = { p[SYSID_XX] * w.x, p[SYSID_YY] * w.y, p[SYSID_ZZ] * w.z };
        struct vec3 damping = { p[SYSID_DAMPING_X], p[SYSID_DAMPING_Y],
                                p[SYSID_DAMPING_Z] };
        struct vec3 torque;
        double l[LOADS];

        for (int i = 0; i < LOADS; i++)
                l[i] = before->rising[i] + now->falling[i];
        torque.x = p[SYSID_THRUST] * (l[LOAD_ROLL] + p[SYSID_CENTRE_Y] * l[LOAD_THRUST]) -
                   w.y * l[LOAD_MOMENTUM];
        torque.y =
                p[SYSID_THRUST] * (l[LOAD_PITCH] - p[SYSID_CENTRE_X] * l[LOAD_THRUST]) +
                w.x * l[LOAD_MOMENTUM];
        torque.z = p[SYSID_TORQUE] * l[LOAD_DRAG] + l[LOAD_REACTION];
        torque = vec3_sub(
                torque,
                airframe_drag(damping, m->start->airframe.angular_quadratic_nm_per_radps2,
                              w));
        torque = vec3_sub(torque, vec3_cross(w, moment));
        return (struct vec3){ torque.x / p[SYSID_XX], torque.y / p[SYSID_YY],
                              torque.z / p[SYSID_ZZ] };
}

static void note(double *out, struct vec3 is, struct vec3 should)
{
        out[0] = is.x - should.x;
        out[1] = is.y - should.y;
        out[2] = is.z - should.z;
}

static void begin_rotors(const struct sysid_model *m, const double *p, double delay_s,
                         struct rotors *r)
{
        r->step_s = m->samples->block_s / (double)m->samples->fine;
        r->reach = -expm1(-r->step_s / p[SYSID_TAU]);
        r->late = delay_s / r->step_s;
        for (int i = 0; i < m->samples->rotors; i++) {
                r->motor[i] = m->start->motor[i];
                sysid_motor(&r->motor[i], p);
                motor_params_prepare(&r->motor[i], r->step_s);
                r->speed_radps[i] =
                        sysid_target_radps(m->samples, &r->motor[i], 1.0, 0, i);
        }
}

/* Thrust and torque are factors here: of what the rotors of START have. */
void sysid_equation(const void *model, const double *p, double *out)
{
        const struct sysid_model *m = model;
        const struct sysid_samples *s = m->samples;
        struct loads before = { .mean = { 0 } };
        struct rotors turning, forcing;

        begin_rotors(m, p, p[SYSID_DELAY], &turning);
        begin_rotors(m, p, p[SYSID_DELAY_FORCE], &forcing);
        for (size_t k = 0; k < m->rows; k++) {
                struct loads now = load_block(m, &turning, k);
                struct loads felt = load_block(m, &forcing, k);
                double *row = out + k * SYSID_CHANNELS;

                note(row, sysid_unknown, sysid_unknown);
                note(row + SYSID_TURN, sysid_unknown, sysid_unknown);
                if (k > 0 && k + 1 < s->blocks && s->flies[k - 1] && s->flies[k] &&
                    s->flies[k + 1]) {
                        struct vec3 change = vec3_sub(s->rate_body_radps[k],
                                                      s->rate_body_radps[k - 1]);

                        if (s->driven[k])
                                note(row, s->accel_body_mps2[k], feel(m, p, &felt, k));
                        if (!s->sparse)
                                note(row + SYSID_TURN,
                                     vec3_scale(1.0 / s->block_s, change),
                                     turn_between(m, p, &before, &now, k));
                }
                before = now;
        }
}
