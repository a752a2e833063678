#include "models/vehicle.h"

#include <string.h>

bool vehicle_params_prepare(struct vehicle_params *p, int64_t step_ns)
{
        if (!body_params_prepare(&p->body))
                return false;
        p->step_ns = step_ns;
        p->step_s = (double)step_ns * 1e-9;
        p->drag = airframe_gain(&p->airframe, p->body.per_mass);
        for (int i = 0; i < p->rotors; i++) {
                p->gain[i] =
                        rotor_gain(&p->rotor[i], p->motor[i].tau_s, p->body.per_mass);
                p->reach_half[i] = motor_reach(&p->motor[i], 0.5 * p->step_s);
                p->reach_full[i] = motor_reach(&p->motor[i], p->step_s);
        }
        contact_params_prepare(&p->contact);
        return true;
}

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

void vehicle_init(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, uint64_t seed, uint32_t index,
                  struct vec3 pos_ned_m, double yaw_rad)
{
        memset(v, 0, sizeof *v);
        v->body.pos_ned_m = pos_ned_m;
        v->body.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw_rad);
        v->body.gravity_mps2 = world->gravity_mps2;
        v->air.down_m = INFINITY;
        air_update(&v->air, world, pos_ned_m.z);
        sensors_init(&v->sensors, &p->sensors, seed, index);
        vehicle_update_acceleration(v, p, world);
}

/* What acts on the body while it moves so, contact apart. Inlined by force: compilers
 * that call it pass its results through memory, four times a step. */
static inline __attribute__((always_inline)) void derive(
        struct body_motion_rate *d, const struct vehicle_params *p,
        const struct world *world, const struct air *air, const struct body_motion *m,
        const struct rotor_load *load, double drive_nm)
{
        struct mat3 body_to_ned = quat_to_mat3(m->q_body_to_ned);
        double rho = air->density_kgpm3 + air->slope_kgpm4 * (m->down_m - air->down_m);
        struct vec3 felt = airframe_felt(
                &p->drag, mat3_transpose_times(body_to_ned, m->airspeed_ned_mps), rho);
        struct vec3 torque =
                vec3_add(rotor_torque(load, drive_nm, m->rate_body_radps, rho),
                         airframe_torque(&p->drag, m->rate_body_radps));

        felt.z += rho * load->square[0][0];
        body_derive(d, &p->body, m, body_to_ned, felt, torque);
        d->sink_mps = m->airspeed_ned_mps.z + world->wind_ned_mps.z;
}

static inline struct body_motion motion_of(const struct body_state *s,
                                           const struct world *world)
{
        return (struct body_motion){
                .q_body_to_ned = s->q_body_to_ned,
                .rate_body_radps = s->rate_body_radps,
                .airspeed_ned_mps = vec3_sub(s->vel_ned_mps, world->wind_ned_mps),
                .down_m = s->pos_ned_m.z,
        };
}

/* What the rotors do through a step. */
struct rotor_loads {
        struct rotor_load start, middle, end;
        double drive_nm; /* what the commands add to the angular momentum */
};

/* Turns the motors through the step. Their speeds at its start, middle and end are exact,
 * so RK4 need not integrate them. */
static inline void turn_rotors(struct rotor_loads *out, struct vehicle *v,
                               const struct vehicle_params *p,
                               const struct motor_command *command)
{
        double start[ROTORS_MAX], middle[ROTORS_MAX], end[ROTORS_MAX];

        out->drive_nm = 0.0;
        for (int i = 0; i < p->rotors; i++) {
                double target = motor_target_radps(&p->motor[i], command->duty[i]);

                start[i] = v->motor[i].speed_radps;
                middle[i] = motor_speed_after(start[i], target, p->reach_half[i]);
                end[i] = motor_speed_after(start[i], target, p->reach_full[i]);
                v->motor[i].speed_radps = end[i];
                out->drive_nm += p->gain[i].speed[1] * target;
        }
        out->start = rotor_load(p->gain, start, p->rotors);
        out->middle = rotor_load(p->gain, middle, p->rotors);
        out->end = rotor_load(p->gain, end, p->rotors);
        v->drive_nm = out->drive_nm;
}

/* Classical RK4. */
static inline void integrate(struct body_state *body, const struct vehicle_params *p,
                             const struct world *world, const struct air *air,
                             const struct rotor_loads *load)
{
        const double g = body->gravity_mps2, half_s = 0.5 * p->step_s;
        struct body_motion start = motion_of(body, world), m;
        struct body_motion_rate k[4];

        derive(&k[0], p, world, air, &start, &load->start, load->drive_nm);
        body_advance(&m, &start, &k[0], g, half_s);
        derive(&k[1], p, world, air, &m, &load->middle, load->drive_nm);
        body_advance(&m, &start, &k[1], g, half_s);
        derive(&k[2], p, world, air, &m, &load->middle, load->drive_nm);
        body_advance(&m, &start, &k[2], g, p->step_s);
        derive(&k[3], p, world, air, &m, &load->end, load->drive_nm);
        body_finish(body, k, p->step_s);
}

static void touch_ground(struct vehicle *v, const struct vehicle_params *p,
                         const struct world *world, const struct body_state *before)
{
        if (contact_possible(&p->contact, world, v->body.pos_ned_m))
                contact_step(&v->contact, &p->contact, &p->body, world, before, &v->body,
                             p->step_s);
        else if (v->contact.touching)
                v->contact = (struct contact){ 0 };
}

void vehicle_move(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command)
{
        const struct body_state before = v->body;
        struct rotor_loads load;

        air_update(&v->air, world, v->body.pos_ned_m.z);
        turn_rotors(&load, v, p, command);
        integrate(&v->body, p, world, &v->air, &load);
        touch_ground(v, p, world, &before);
        v->t_ns += p->step_ns;
}

void vehicle_update_acceleration(struct vehicle *v, const struct vehicle_params *p,
                                 const struct world *world)
{
        struct body_motion m = motion_of(&v->body, world);
        struct rotor_load load;
        struct body_motion_rate d;
        double speed_radps[ROTORS_MAX];

        if (v->contact.touching) {
                v->body.accel_ned_mps2 = v->contact.mean_accel_ned_mps2;
                v->body.rate_dot_body_radps2 = v->contact.mean_rate_dot_body_radps2;
                return;
        }
        /* The rotors' acceleration jumps with the command: this is its limit from the
         * left. */
        for (int i = 0; i < p->rotors; i++)
                speed_radps[i] = v->motor[i].speed_radps;
        load = rotor_load(p->gain, speed_radps, p->rotors);
        derive(&d, p, world, &v->air, &m, &load, v->drive_nm);
        v->body.accel_ned_mps2 = d.felt_ned_mps2;
        v->body.accel_ned_mps2.z += v->body.gravity_mps2;
        v->body.rate_dot_body_radps2 = d.rate_dot_body_radps2;
}

void vehicle_step(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command,
                  int steps, struct sensor_frame *out)
{
        uint32_t fresh = 0;

        for (int i = 0; i < steps; i++) {
                vehicle_move(v, p, world, command);
                /* At the period's end for the record, however slow the IMU is. */
                if (i == steps - 1 ||
                    sensors_need_acceleration(&v->sensors, &p->sensors, v->t_ns))
                        vehicle_update_acceleration(v, p, world);
                sensors_step(&v->sensors, &p->sensors, world, &v->body, v->t_ns);
                fresh |= v->sensors.latest.fresh;
        }
        *out = v->sensors.latest;
        out->fresh = fresh;
}
