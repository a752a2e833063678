#include "models/fc/laws/mixer.h"

/* Rows of the effectiveness matrix: what one newton of each rotor does to each axis
 * (rotor.h has the same cross product). */
static void effectiveness(double row[MIXER_AXES][ROTORS_MAX], const struct fc_params *p)
{
        for (int i = 0; i < p->rotors; i++) {
                row[MIXER_THRUST][i] = 1.0;
                row[MIXER_ROLL][i] = -p->rotor_pos_body_m[i].y;
                row[MIXER_PITCH][i] = p->rotor_pos_body_m[i].x;
                row[MIXER_YAW][i] = -p->rotor_spin[i] * p->torque_nm_per_radps2 /
                                    p->thrust_n_per_radps2;
        }
}

static double dot(const double *a, const double *b, int n)
{
        double sum = 0.0;

        for (int i = 0; i < n; i++)
                sum += a[i] * b[i];
        return sum;
}

/* Removes from each row its components along the rows before, by modified Gram-Schmidt: row = lower
 * * unit. A linearly dependent row gets length 0. */
static void orthogonalise(double unit[MIXER_AXES][ROTORS_MAX],
                          double lower[MIXER_AXES][MIXER_AXES], int n)
{
        for (int k = 0; k < MIXER_AXES; k++) {
                double whole = dot(unit[k], unit[k], n), own;

                for (int j = 0; j < k; j++) {
                        lower[k][j] = dot(unit[k], unit[j], n);
                        for (int i = 0; i < n; i++)
                                unit[k][i] -= lower[k][j] * unit[j][i];
                }
                own = dot(unit[k], unit[k], n);
                lower[k][k] = own > 1e-12 * whole ? sqrt(own) : 0.0;
                for (int i = 0; i < n; i++)
                        unit[k][i] = lower[k][k] > 0.0 ? unit[k][i] / lower[k][k] : 0.0;
        }
}

/* Pseudo-inverse of B = L Q with orthonormal rows of Q: Q^T L^-1, one column per axis by
 * forward substitution. */
void mixer_init(struct mixer *m, const struct fc_params *p)
{
        double unit[MIXER_AXES][ROTORS_MAX] = { 0 };
        double lower[MIXER_AXES][MIXER_AXES] = { 0 };
        double limit = fmin(p->speed_limit_radps, p->speed_full_radps);
        double idle = p->idle_duty * p->speed_full_radps;

        *m = (struct mixer){ .rotors = p->rotors,
                             .min_n = p->thrust_n_per_radps2 * idle * idle,
                             .max_n = p->thrust_n_per_radps2 * limit * limit };
        effectiveness(unit, p);
        orthogonalise(unit, lower, p->rotors);
        for (int axis = 0; axis < MIXER_AXES; axis++) {
                double solved[MIXER_AXES] = { 0 };

                if (lower[axis][axis] <= 0.0)
                        continue;
                for (int k = axis; k < MIXER_AXES; k++) {
                        double rest = (k == axis) - dot(lower[k], solved, k);

                        if (lower[k][k] <= 0.0)
                                continue;
                        solved[k] = rest / lower[k][k];
                        for (int i = 0; i < p->rotors; i++)
                                m->share[axis][i] += solved[k] * unit[k][i];
                }
        }
}

/* Largest factor on `part`, at most 1, with which it fits if the total thrust is free: for every
 * pair of rotors, lifting one to its minimum must not push the other over its maximum. */
static double fit_beside_thrust(const struct mixer *m, const double *part)
{
        const double *c = m->share[MIXER_THRUST];
        double factor = 1.0;

        for (int i = 0; i < m->rotors; i++) {
                for (int j = 0; j < m->rotors; j++) {
                        double spread, room;

                        if (!(c[i] > 0.0) || !(c[j] > 0.0))
                                continue;
                        spread = part[j] / c[j] - part[i] / c[i];
                        room = m->max_n / c[j] - m->min_n / c[i];
                        if (spread * factor > room)
                                factor = fmax(room, 0.0) / spread;
                }
        }
        return factor;
}

/* The total thrust closest to the wanted one that leaves every rotor within its limits. */
static double nearest_thrust(const struct mixer *m, const double *part, double thrust_n)
{
        const double *c = m->share[MIXER_THRUST];
        double low = -INFINITY, high = INFINITY;

        for (int i = 0; i < m->rotors; i++) {
                if (!(c[i] > 0.0))
                        continue;
                low = fmax(low, (m->min_n - part[i]) / c[i]);
                high = fmin(high, (m->max_n - part[i]) / c[i]);
        }
        return fmin(fmax(thrust_n, low), high);
}

/* Largest factor on `part`, at most 1, that keeps sum + part within the limits. */
static double fit_on_top(const struct mixer *m, const double *sum, const double *part)
{
        double factor = 1.0;

        for (int i = 0; i < m->rotors; i++) {
                double left_n = part[i] > 0.0 ? m->max_n - sum[i] : sum[i] - m->min_n;
                double room = fmax(left_n, 0.0);

                if (fabs(part[i]) * factor > room)
                        factor = room / fabs(part[i]);
        }
        return factor;
}

struct mixer_result mixer_step(const struct mixer *m, double thrust_n,
                               struct vec3 torque_nm, double rotor_thrust_n[ROTORS_MAX])
{
        double part[ROTORS_MAX] = { 0 }, yaw[ROTORS_MAX] = { 0 };
        struct mixer_result r;

        for (int i = 0; i < m->rotors; i++) {
                part[i] = m->share[MIXER_ROLL][i] * torque_nm.x +
                          m->share[MIXER_PITCH][i] * torque_nm.y;
                yaw[i] = m->share[MIXER_YAW][i] * torque_nm.z;
        }
        r.roll_pitch = fit_beside_thrust(m, part);
        for (int i = 0; i < m->rotors; i++)
                part[i] *= r.roll_pitch;
        r.thrust_n = nearest_thrust(m, part, thrust_n);
        for (int i = 0; i < m->rotors; i++)
                part[i] += m->share[MIXER_THRUST][i] * r.thrust_n;
        r.yaw = fit_on_top(m, part, yaw);
        for (int i = 0; i < ROTORS_MAX; i++) {
                double sum_n = part[i] + r.yaw * yaw[i];

                /* Except for rounding it is within them already. */
                rotor_thrust_n[i] =
                        i < m->rotors ? fmin(fmax(sum_n, m->min_n), m->max_n) : 0.0;
        }
        return r;
}
