#include "models/vehicle/stability.h"

#include <math.h>

/* What the rotors do at full speed in still air: what they push with, and how that answers to motion. */
struct rotors_full {
        double thrust_n;
        double torque_nm[3]; /* about each axis, those of one half that pushes alone */
        double damping_nm_per_radps[3], drag_n_per_mps[3];
        double inflow_per_s;
};

static double quadratic_thrust_n(const struct rotor_params *r, double speed, double rho)
{
        return r->thrust_n_per_radps2 * rho / r->air_density_ref_kgpm3 * speed * speed;
}

/* Blades at full speed, settled, one quantity moved by so much. */
static struct blades_forces derive_moved(const struct vehicle_params *p, int i,
                                         double rho, struct vec3 air_mps,
                                         double inflow_mps)
{
        double speed = motor_target_radps(&p->motor[i], 1.0, 1.0);
        struct vec3 still = { 0.0, 0.0, 0.0 };
        struct blades_forces f;

        inflow_mps += blades_steady_inflow_mps(&p->blades, speed, still, rho);
        blades_derive(&f, &p->blades, speed, p->rotor[i].spin, air_mps, inflow_mps, 1.0,
                      rho);
        return f;
}

#define NUDGE_MPS 1e-3

static void add_blades(struct rotors_full *out, const struct vehicle_params *p, int i,
                       double rho)
{
        const struct vec3 at = p->rotor[i].pos_body_m;
        const struct vec3 still = { 0.0, 0.0, 0.0 };
        double ratio = p->blades_ratio[i];
        struct blades_forces settled = derive_moved(p, i, rho, still, 0.0);
        struct blades_forces ahead =
                derive_moved(p, i, rho, (struct vec3){ NUDGE_MPS, 0.0, 0.0 }, 0.0);
        struct blades_forces down =
                derive_moved(p, i, rho, (struct vec3){ 0.0, 0.0, NUDGE_MPS }, 0.0);
        struct blades_forces more = derive_moved(p, i, rho, still, NUDGE_MPS);
        double across =
                ratio * (settled.force_body_n.x - ahead.force_body_n.x) / NUDGE_MPS;
        double along = ratio * (settled.force_body_n.z - down.force_body_n.z) / NUDGE_MPS;

        out->thrust_n -= ratio * settled.force_body_n.z;
        out->torque_nm[0] -= 0.5 * ratio * settled.force_body_n.z * fabs(at.y);
        out->torque_nm[1] -= 0.5 * ratio * settled.force_body_n.z * fabs(at.x);
        out->torque_nm[2] += 0.5 * ratio * settled.shaft_nm;
        out->drag_n_per_mps[0] += across;
        out->drag_n_per_mps[1] += across;
        out->drag_n_per_mps[2] += along;
        out->damping_nm_per_radps[0] += along * at.y * at.y + across * at.z * at.z;
        out->damping_nm_per_radps[1] += along * at.x * at.x + across * at.z * at.z;
        out->damping_nm_per_radps[2] += across * (at.x * at.x + at.y * at.y);
        out->inflow_per_s =
                fmax(out->inflow_per_s,
                     (settled.inflow_dot_mps2 - more.inflow_dot_mps2) / NUDGE_MPS);
}

static void add_quadratic(struct rotors_full *out, const struct vehicle_params *p, int i,
                          double rho)
{
        const struct rotor_params *r = &p->rotor[i];
        double speed = motor_target_radps(&p->motor[i], 1.0, 1.0);
        double thrust_n = quadratic_thrust_n(r, speed, rho);
        double torque_nm =
                r->torque_nm_per_radps2 * rho / r->air_density_ref_kgpm3 * speed * speed;

        out->thrust_n += thrust_n;
        out->torque_nm[0] += 0.5 * thrust_n * fabs(r->pos_body_m.y);
        out->torque_nm[1] += 0.5 * thrust_n * fabs(r->pos_body_m.x);
        out->torque_nm[2] += 0.5 * torque_nm;
}

/* Slope of linear v + square v^2 where it reaches that load. */
static double slope_at(double linear, double square, double load)
{
        return sqrt(linear * linear + 4.0 * square * load);
}

/* The largest eigenvalue of the inverse inertia times a diagonal damping: real, since the product is similar
 * to a symmetric matrix. Found by iteration. */
static double fastest_turn(const struct body_params *body, const double damping[3])
{
        double v[3] = { 1.0, 1.0, 1.0 }, size = 0.0;

        for (int round = 0; round < 5000; round++) {
                double w[3] = { 0.0 };

                for (int i = 0; i < 3; i++)
                        for (int k = 0; k < 3; k++)
                                w[i] += body->inverse_kgm2[i][k] * damping[k] * v[k];
                size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) /
                       sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
                if (!(size > 0.0))
                        return 0.0;
                for (int i = 0; i < 3; i++)
                        v[i] = w[i] / size;
        }
        return size;
}

static double component(struct vec3 v, int i)
{
        return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static void find_turn(struct decay_rate *out, const struct vehicle_params *p,
                      const struct rotors_full *rotors)
{
        double damping[3], fastest = 0.0;

        for (int i = 0; i < 3; i++) {
                damping[i] = slope_at(
                        component(p->airframe.angular_nm_per_radps, i),
                        component(p->airframe.angular_quadratic_nm_per_radps2, i),
                        rotors->torque_nm[i]);
                damping[i] += rotors->damping_nm_per_radps[i];
                if (p->body.inverse_kgm2[i][i] * damping[i] > fastest) {
                        fastest = p->body.inverse_kgm2[i][i] * damping[i];
                        out->axis = i;
                }
        }
        out->per_s = fastest_turn(&p->body, damping);
}

static void find_drag(struct decay_rate *out, const struct vehicle_params *p,
                      const struct rotors_full *rotors, double rho)
{
        const double gravity_mps2 = 9.80665;
        double load_n = rotors->thrust_n + p->body.mass_kg * gravity_mps2;

        for (int i = 0; i < 3; i++) {
                double linear = component(p->airframe.linear_n_per_mps, i);
                double square = 0.5 * rho * component(p->airframe.quadratic_area_m2, i);
                double per_s =
                        (slope_at(linear, square, load_n) + rotors->drag_n_per_mps[i]) /
                        p->body.mass_kg;

                if (per_s > out->per_s)
                        *out = (struct decay_rate){ per_s, i };
        }
}

void vehicle_decay_rates(struct decay_rate rate[DECAYS], const struct vehicle_params *p,
                         double air_density_kgpm3)
{
        struct rotors_full rotors = { 0 };

        for (int i = 0; i < p->rotors; i++)
                if (p->blades.radius_m > 0.0)
                        add_blades(&rotors, p, i, air_density_kgpm3);
                else
                        add_quadratic(&rotors, p, i, air_density_kgpm3);
        for (int i = 0; i < DECAYS; i++)
                rate[i] = (struct decay_rate){ 0 };
        find_turn(&rate[DECAY_TURN], p, &rotors);
        find_drag(&rate[DECAY_DRAG], p, &rotors, air_density_kgpm3);
        rate[DECAY_INFLOW].per_s = rotors.inflow_per_s;
}
