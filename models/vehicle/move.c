/* One step of the plant: motors, forces, classical RK4, contact. Rotors whose thrust is quadratic
 * in their speed take the short way; blade elements bring a state of their own, the induced
 * velocity of each rotor. */
#include "models/vehicle/move.h"

#include "models/vehicle/integrate.h"

static double density_at(const struct world *world, double down_m)
{
        return atmosphere_density_kgpm3(
                &world->atmosphere,
                world_altitude_m(world, (struct vec3){ 0.0, 0.0, down_m }));
}

static void air_update(struct air *air, const struct world *world, double down_m)
{
        /* Written so that NaN recomputes too, and shows. */
        if (fabs(down_m - air->down_m) <= 1.0)
                return;
        air->down_m = down_m;
        air->density_kgpm3 = density_at(world, down_m);
        air->slope_kgpm4 =
                density_at(world, down_m + 0.5) - density_at(world, down_m - 0.5);
}

void vehicle_air_init(struct air *air, const struct world *world, double down_m)
{
        air->down_m = (double)INFINITY;
        air_update(air, world, down_m);
}

/* What the rotors do at the start, in the middle and at the end of a step. */
struct rotor_stages {
        double speed_radps[3][ROTORS_MAX];
        struct rotor_load load[3];
};

/* One motor through the step. */
static void turn_rotor(struct rotor_stages *out, struct vehicle *v,
                       const struct vehicle_params *p, int i, double duty)
{
        double start = v->motor[i].speed_radps;
        double target = motor_target_radps(&p->motor[i], duty, v->speed_ratio);
        double end;

        target = motor_aim_radps(&p->motor[i], start, target);
        end = motor_speed_after(start, target, p->reach_full[i]);
        out->speed_radps[0][i] = start;
        out->speed_radps[1][i] = motor_speed_after(start, target, p->reach_half[i]);
        out->speed_radps[2][i] = end;
        v->motor[i].speed_radps = end;
        v->target_radps[i] = target;
        v->angle_turns[i] += motor_turned_turns(start, target, p->reach_full[i],
                                                p->motor[i].tau_s, p->step_s);
}

/* Four of them. */
ALWAYS_INLINE void turn_quad(bool wide, struct rotor_stages *out, struct vehicle *v,
                             const struct vehicle_params *p, int first,
                             const struct motor_command *command)
{
        struct motor_quad_turn t;

        motor_quad_turn(wide, &t, &p->motors[first / QUAD], &command->duty[first],
                        v->speed_ratio, (const double *)&v->motor[first], p->step_s);
        *(quad *)&out->speed_radps[0][first] = t.start_radps;
        *(quad *)&out->speed_radps[1][first] = t.middle_radps;
        *(quad *)&out->speed_radps[2][first] = t.end_radps;
        *(quad *)&v->motor[first] = t.end_radps;
        *(quad *)&v->target_radps[first] = t.target_radps;
        *(quad *)&v->angle_turns[first] += t.turns;
}

/* Turns the motors through the step. Their speeds at its start, middle and end are exact,
 * so RK4 need not integrate them. */
ALWAYS_INLINE void turn_rotors(bool wide, struct rotor_stages *out, struct vehicle *v,
                               const struct vehicle_params *p,
                               const struct motor_command *command)
{
        double drive_nm = 0.0;

        for (int first = 0; first < p->rotors; first += QUAD) {
                int end = first + QUAD < p->rotors ? first + QUAD : p->rotors;

                if (p->motors[first / QUAD].fits)
                        turn_quad(wide, out, v, p, first, command);
                else
                        for (int i = first; i < end; i++)
                                turn_rotor(out, v, p, i, command->duty[i]);
                for (int i = first; i < end; i++)
                        drive_nm += p->gain[i].speed[1] * v->target_radps[i];
        }
        for (int k = 0; k < 3; k++)
                out->load[k] = rotor_load(p->gain, out->speed_radps[k], p->rotors);
        v->drive_nm = drive_nm;
}

static void blades_of(struct blades_forces *out, const struct vehicle_params *p,
                      const struct vehicle *v, const struct body_motion *m, int i,
                      struct mat3 body_to_ned, double speed_radps, double inflow_mps)
{
        const struct rotor_params *r = &p->rotor[i];
        struct vec3 hub_ned_m = mat3_times(body_to_ned, r->pos_body_m);
        struct vec3 hub_mps =
                vec3_add(mat3_transpose_times(body_to_ned, m->airspeed_ned_mps),
                         vec3_cross(m->rate_body_radps, r->pos_body_m));
        double height_m = v->around.surface_down_m - m->down_m - hub_ned_m.z;

        if (v->washed)
                hub_mps = vec3_sub(hub_mps, mat3_transpose_times(body_to_ned,
                                                                 v->hub_air_ned_mps[i]));
        blades_derive(out, &p->blades, speed_radps, r->spin, hub_mps, inflow_mps,
                      ground_effect_inflow_ratio(ground_effect_tilted_ratio(
                              p->blades.radius_m, height_m, body_to_ned.z.z)),
                      density_of(&v->air, m->down_m));
}

/* All rotors from blade elements, and how their induced velocities change. */
static void find_effort(struct effort *out, double *inflow_dot,
                        const struct vehicle_params *p, const struct vehicle *v,
                        const struct body_motion *m, const double *speed_radps,
                        const double *inflow_mps)
{
        struct mat3 body_to_ned = quat_to_mat3(m->q_body_to_ned);

        *out = (struct effort){ 0 };
        for (int i = 0; i < p->rotors; i++) {
                struct blades_forces f;
                struct vec3 force, torque;

                blades_of(&f, p, v, m, i, body_to_ned, speed_radps[i], inflow_mps[i]);
                force = vec3_scale(p->blades_ratio[i], f.force_body_n);
                torque = vec3_axpy(vec3_cross(p->rotor[i].pos_body_m, force),
                                   p->blades_ratio[i], f.torque_body_nm);
                out->felt_body_mps2 =
                        vec3_axpy(out->felt_body_mps2, p->body.per_mass, force);
                out->torque_body_nm = vec3_add(out->torque_body_nm, torque);
                inflow_dot[i] = f.inflow_dot_mps2;
        }
}

/* RK4's stages at which the rotors are at the start, in the middle, there again, at the end; and how
 * far along the last derivative each is. */
static const int stage_of[4] = { 0, 1, 1, 2 };
static const double share_of[4] = { 0.0, 0.5, 0.5, 1.0 };

/* The same with the induced velocities. */
static void integrate_blades(struct vehicle *v, const struct vehicle_params *p,
                             const struct rotor_stages *rotors)
{
        const double g = v->body.gravity_mps2;
        struct body_motion start = motion_of(v), m = start;
        struct body_motion_rate k[4];
        double inflow_dot[4][ROTORS_MAX], inflow[ROTORS_MAX];
        struct effort effort;

        for (int n = 0; n < 4; n++) {
                double dt_s = share_of[n] * p->step_s;

                for (int i = 0; i < p->rotors; i++)
                        inflow[i] = v->inflow_mps[i] +
                                    (n > 0 ? dt_s * inflow_dot[n - 1][i] : 0.0);
                if (n > 0)
                        body_advance(&m, &start, &k[n - 1], g, dt_s);
                find_effort(&effort, inflow_dot[n], p, v, &m,
                            rotors->speed_radps[stage_of[n]], inflow);
                derive(&k[n], p, v, &m, &rotors->load[stage_of[n]], &effort);
        }
        body_finish(&v->body, k, p->step_s);
        for (int i = 0; i < p->rotors; i++)
                v->inflow_mps[i] +=
                        p->step_s / 6.0 *
                        (inflow_dot[0][i] + 2.0 * (inflow_dot[1][i] + inflow_dot[2][i]) +
                         inflow_dot[3][i]);
}

static void touch(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct body_state *before)
{
        if (contact_possible(&v->free, &p->contact, world, before->pos_ned_m,
                             v->body.pos_ned_m))
                contact_step(&v->contact, &p->contact, &p->body, world, before, &v->body,
                             p->step_s);
        else if (v->contact.touching)
                v->contact = (struct contact){ .obstacle = -2 };
}

ALWAYS_INLINE void vehicle_move_body(bool wide, struct vehicle *v,
                                     const struct vehicle_params *p,
                                     const struct world *world,
                                     const struct motor_command *command)
{
        const struct body_state before = v->body;
        struct rotor_stages rotors;

        air_update(&v->air, world, v->body.pos_ned_m.z);
        turn_rotors(wide, &rotors, v, p, command);
        v->t_ns += p->step_ns;
        /* The rotors' air moves in a jig too. */
        if (p->blades.radius_m > 0.0)
                integrate_blades(v, p, &rotors);
        else if (!v->held)
                integrate(v, p, &rotors.load[0], &rotors.load[1], &rotors.load[2]);
        if (v->held) {
                v->body = before;
                return;
        }
        touch(v, p, world, &before);
}

ISA_VERSIONS_OF(vehicle_move,
                (struct vehicle * v, const struct vehicle_params *p,
                 const struct world *world, const struct motor_command *command),
                (v, p, world, command), (wide, v, p, world, command))

ALWAYS_INLINE void vehicle_update_acceleration_body(struct vehicle *v,
                                                    const struct vehicle_params *p)
{
        struct body_motion m = motion_of(v);
        double speed_radps[ROTORS_MAX], inflow_dot[ROTORS_MAX];
        struct body_motion_rate d;
        struct rotor_load load;
        struct effort effort;

        /* The rotors' acceleration jumps with the command: this is its limit from the
         * left. */
        for (int i = 0; i < p->rotors; i++)
                speed_radps[i] = v->motor[i].speed_radps;
        load = rotor_load(p->gain, speed_radps, p->rotors);
        if (p->blades.radius_m > 0.0) {
                find_effort(&effort, inflow_dot, p, v, &m, speed_radps, v->inflow_mps);
                derive(&d, p, v, &m, &load, &effort);
                v->thrust_n = -effort.felt_body_mps2.z * p->body.mass_kg;
        } else {
                derive(&d, p, v, &m, &load, NULL);
                v->thrust_n =
                        -density_of(&v->air, m.down_m) * load.square[0] * p->body.mass_kg;
        }
        if (v->held) {
                v->body.accel_ned_mps2 = v->body.rate_dot_body_radps2 =
                        (struct vec3){ 0 };
        } else if (v->contact.touching) {
                v->body.accel_ned_mps2 = v->contact.mean_accel_ned_mps2;
                v->body.rate_dot_body_radps2 = v->contact.mean_rate_dot_body_radps2;
        } else {
                v->body.accel_ned_mps2 = d.felt_ned_mps2;
                v->body.accel_ned_mps2.z += v->body.gravity_mps2;
                v->body.rate_dot_body_radps2 = d.rate_dot_body_radps2;
        }
        v->body.accel_ned_mps2 =
                vec3_axpy(v->body.accel_ned_mps2, 1.0 / p->step_s, v->jolt_ned_mps);
        v->body.rate_dot_body_radps2 = vec3_axpy(v->body.rate_dot_body_radps2,
                                                 1.0 / p->step_s, v->jolt_body_radps);
}

ISA_VERSIONS(vehicle_update_acceleration,
             (struct vehicle * v, const struct vehicle_params *p), (v, p))

/* Aerodynamic torque of one rotor with blades against its motor. */
static double blades_drag_nm(const struct vehicle *v, const struct vehicle_params *p,
                             int i)
{
        struct body_motion m = motion_of(v);
        struct blades_forces f;

        blades_of(&f, p, v, &m, i, quat_to_mat3(m.q_body_to_ned), v->motor[i].speed_radps,
                  v->inflow_mps[i]);
        return p->blades_ratio[i] * f.shaft_nm;
}

/* With blades: what each of four takes against its rotor's drag. */
static void find_drags(quad *drag_nm, const struct vehicle *v,
                       const struct vehicle_params *p, int first)
{
        for (int i = 0; i < QUAD; i++)
                (*drag_nm)[i] =
                        first + i < p->rotors ? blades_drag_nm(v, p, first + i) : 0.0;
}

double vehicle_shaft_w(const struct vehicle *v, const struct vehicle_params *p,
                       double share)
{
        const double rho = density_of(&v->air, v->body.pos_ned_m.z);
        const quad none = { 0.0 };
        double sum_w = 0.0;

        for (int i = 0; i < p->rotors; i += QUAD) {
                const quad speed = *(const quad *)&v->motor[i];
                quad asked, drag_nm, torque_nm, w;

                quad_scale(false, &asked, share, (const quad *)&v->target_radps[i]);
                quad_scale(false, &drag_nm, rho, (const quad *)&p->drag_kgm2[i]);
                drag_nm = drag_nm * speed * speed;
                if (p->blades.radius_m > 0.0)
                        find_drags(&drag_nm, v, p, i);
                torque_nm = *(const quad *)&p->spin_up_nms[i] * (asked - speed) + drag_nm;
                quad_if_less(false, &torque_nm, &none, &torque_nm, &torque_nm, &none);
                w = speed * torque_nm;
                for (int k = 0; k < QUAD; k++)
                        sum_w += w[k];
        }
        return sum_w;
}

double vehicle_shaft_slope_w(const struct vehicle *v, const struct vehicle_params *p)
{
        double sum_w = 0.0;

        for (int i = 0; i < p->rotors; i += QUAD) {
                quad w = *(const quad *)&p->spin_up_nms[i] *
                         *(const quad *)&v->target_radps[i] * *(const quad *)&v->motor[i];

                for (int k = 0; k < QUAD; k++)
                        sum_w += w[k];
        }
        return sum_w;
}
