#include "models/vehicle.h"

#include <string.h>

bool vehicle_params_prepare(struct vehicle_params *p, int64_t step_ns)
{
        p->step_ns = step_ns;
        p->step_s = (double)step_ns * 1e-9;
        for (int i = 0; i < p->rotors; i++) {
                p->reach_half[i] = motor_reach(&p->motor[i], 0.5 * p->step_s);
                p->reach_full[i] = motor_reach(&p->motor[i], p->step_s);
        }
        contact_params_prepare(&p->contact);
        return body_params_prepare(&p->body);
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

/* Rotor speeds at one instant, and how fast they change. */
struct rotor_speeds {
        double speed_radps[ROTORS_MAX];
        double accel_radps2[ROTORS_MAX];
};

/* Everything that acts on the body in one state, contact apart. */
static void sum_wrench(struct wrench *w, const struct vehicle *v,
                       const struct vehicle_params *p, const struct world *world,
                       const struct body_state *s, const struct rotor_speeds *rotors)
{
        struct vec3 air_ned = vec3_sub(s->vel_ned_mps, world->wind_ned_mps);
        double rho = v->air.density_kgpm3 +
                     v->air.slope_kgpm4 * (s->pos_ned_m.z - v->air.down_m);

        *w = (struct wrench){ 0 };
        for (int i = 0; i < p->rotors; i++)
                rotor_add_wrench(w, &p->rotor[i], rotors->speed_radps[i],
                                 rotors->accel_radps2[i], s->rate_body_radps,
                                 rho / p->rotor[i].air_density_ref_kgpm3);
        airframe_add_wrench(w, &p->airframe,
                            quat_rotate_inverse(s->q_body_to_ned, air_ned),
                            s->rate_body_radps, rho);
}

static void derive(struct body_derivative *d, const struct vehicle *v,
                   const struct vehicle_params *p, const struct world *world,
                   const struct body_state *s, const struct rotor_speeds *rotors)
{
        struct wrench w;

        sum_wrench(&w, v, p, world, s, rotors);
        body_derive(d, &p->body, s, &w);
}

/* Speeds at the start, the middle and the end of the step: exact, so RK4 need not
 * integrate them. */
static void motor_speeds(struct rotor_speeds out[3], struct vehicle *v,
                         const struct vehicle_params *p,
                         const struct motor_command *command)
{
        for (int i = 0; i < p->rotors; i++) {
                const struct motor_params *m = &p->motor[i];
                double target = motor_target_radps(m, command->duty[i]);
                double speed = v->motor[i].speed_radps;

                out[0].speed_radps[i] = speed;
                out[1].speed_radps[i] =
                        motor_speed_after(speed, target, p->reach_half[i]);
                out[2].speed_radps[i] =
                        motor_speed_after(speed, target, p->reach_full[i]);
                for (int k = 0; k < 3; k++)
                        out[k].accel_radps2[i] =
                                (target - out[k].speed_radps[i]) / m->tau_s;
                v->motor[i].speed_radps = out[2].speed_radps[i];
                v->rotor_accel_radps2[i] = out[2].accel_radps2[i];
        }
}

/* (k1 + 2 k2 + 2 k3 + k4)/6 of each component. */
#define WEIGHTED(member)                                                                 \
        ((k[0].member + 2.0 * k[1].member + 2.0 * k[2].member + k[3].member) / 6.0)

static void mean_derivative(struct body_derivative *d, const struct body_derivative k[4])
{
        d->vel_ned_mps = (struct vec3){ WEIGHTED(vel_ned_mps.x), WEIGHTED(vel_ned_mps.y),
                                        WEIGHTED(vel_ned_mps.z) };
        d->accel_ned_mps2 =
                (struct vec3){ WEIGHTED(accel_ned_mps2.x), WEIGHTED(accel_ned_mps2.y),
                               WEIGHTED(accel_ned_mps2.z) };
        d->q_dot = (struct quat){ WEIGHTED(q_dot.w), WEIGHTED(q_dot.x), WEIGHTED(q_dot.y),
                                  WEIGHTED(q_dot.z) };
        d->rate_dot_body_radps2 = (struct vec3){ WEIGHTED(rate_dot_body_radps2.x),
                                                 WEIGHTED(rate_dot_body_radps2.y),
                                                 WEIGHTED(rate_dot_body_radps2.z) };
}

void vehicle_move(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command)
{
        struct rotor_speeds rotors[3];
        struct body_derivative k[4], mean;
        struct body_state stage = v->body;

        air_update(&v->air, world, v->body.pos_ned_m.z);
        motor_speeds(rotors, v, p, command);

        derive(&k[0], v, p, world, &v->body, &rotors[0]);
        body_advance(&stage, &v->body, &k[0], 0.5 * p->step_s);
        derive(&k[1], v, p, world, &stage, &rotors[1]);
        body_advance(&stage, &v->body, &k[1], 0.5 * p->step_s);
        derive(&k[2], v, p, world, &stage, &rotors[1]);
        body_advance(&stage, &v->body, &k[2], p->step_s);
        derive(&k[3], v, p, world, &stage, &rotors[2]);

        mean_derivative(&mean, k);
        body_advance(&v->body, &v->body, &mean, p->step_s);
        v->body.q_body_to_ned = quat_normalise(v->body.q_body_to_ned);
        contact_step(&v->contact, &p->contact, &p->body, world, &v->body, p->step_s);
        v->t_ns += p->step_ns;
}

void vehicle_update_acceleration(struct vehicle *v, const struct vehicle_params *p,
                                 const struct world *world)
{
        struct rotor_speeds rotors = { 0 };
        struct body_derivative d;

        /* The rotors' acceleration jumps with the command: this is its limit from the
         * left. */
        for (int i = 0; i < p->rotors; i++) {
                rotors.speed_radps[i] = v->motor[i].speed_radps;
                rotors.accel_radps2[i] = v->rotor_accel_radps2[i];
        }
        derive(&d, v, p, world, &v->body, &rotors);
        v->body.accel_ned_mps2 = vec3_add(d.accel_ned_mps2, v->contact.accel_ned_mps2);
        v->body.rate_dot_body_radps2 =
                vec3_add(d.rate_dot_body_radps2, v->contact.rate_dot_body_radps2);
}

void vehicle_step(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command,
                  int steps, struct sensor_frame *out)
{
        uint32_t fresh = 0;

        for (int i = 0; i < steps; i++) {
                vehicle_move(v, p, world, command);
                if (sensors_need_acceleration(&v->sensors, v->t_ns))
                        vehicle_update_acceleration(v, p, world);
                sensors_step(&v->sensors, &p->sensors, world, &v->body, v->t_ns);
                fresh |= v->sensors.latest.fresh;
        }
        *out = v->sensors.latest;
        out->fresh = fresh;
}
