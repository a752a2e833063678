#include "models/vehicle/vehicle.h"

#include <string.h>

#include "models/plant/ground_effect.h"
#include "models/vehicle/batch.h"
#include "models/vehicle/move.h"
#include "models/vehicle/presence.h"

/* From so much change of the voltage by one of its own on. */
#define SWING_FROM 0.5

static void prepare_rotors(struct vehicle_params *p, uint64_t seed, uint32_t index)
{
        const bool blades = p->blades.radius_m > 0.0;
        const double radius_m = p->rotor_radius_m;

        blades_params_prepare(&p->blades);
        /* Blade elements give the forces themselves: what is left to scatter is a factor. */
        for (int i = 0; blades && i < p->rotors; i++)
                p->rotor[i].thrust_n_per_radps2 = p->rotor[i].torque_nm_per_radps2 =
                        p->blades_ratio[i] > 0.0 ? p->blades_ratio[i] : 1.0;
        tolerance_apply(&p->tolerance, p->motor, p->rotor, p->rotors, seed, index);
        /* What scattered is in motor and rotor now: preparing again changes nothing. */
        p->tolerance = (struct tolerance_params){ 0 };
        p->shake = (struct vibration_gain){ 0 };
        for (int i = 0; i < ROTORS_MAX / QUAD; i++)
                p->motors[i] = (struct motor_quad){ .fits = true };
        memset(p->spin_up_nms, 0, sizeof p->spin_up_nms);
        memset(p->drag_kgm2, 0, sizeof p->drag_kgm2);
        p->disks_m2 = p->hub_m = 0.0;
        for (int i = 0; i < p->rotors; i++) {
                p->blades_ratio[i] = p->rotor[i].thrust_n_per_radps2;
                if (blades)
                        p->rotor[i].thrust_n_per_radps2 =
                                p->rotor[i].torque_nm_per_radps2 = 0.0;
                p->gain[i] =
                        rotor_gain(&p->rotor[i], p->motor[i].tau_s, p->body.per_mass);
                p->spin_up_nms[i] = fabs(p->gain[i].speed[1]);
                p->drag_kgm2[i] = fabs(p->gain[i].square[3]);
                vibration_gain_add(&p->shake, &p->vibration, &p->body, i,
                                   p->rotor[i].pos_body_m, p->rotor[i].spin);
                vibration_gain_unbalance(&p->shake, &p->body, i, p->rotor[i].pos_body_m,
                                         p->rotor[i].spin, p->unbalance_kgm[i]);
                motor_params_prepare(&p->motor[i], p->step_s);
                p->reach_half[i] = motor_reach(&p->motor[i], 0.5 * p->step_s);
                p->reach_full[i] = motor_reach(&p->motor[i], p->step_s);
                motor_quad_add(&p->motors[i / QUAD], i % QUAD, &p->motor[i],
                               p->reach_half[i], p->reach_full[i]);
                p->disks_m2 += 3.14159265358979323846 * radius_m * radius_m;
                p->hub_m -= p->rotor[i].pos_body_m.z / p->rotors;
        }
}

bool vehicle_params_prepare(struct vehicle_params *p, int64_t step_ns, uint64_t seed,
                            uint32_t index)
{
        if (!body_params_prepare(&p->body))
                return false;
        p->step_ns = step_ns;
        p->step_s = (double)step_ns * 1e-9;
        p->off_centre = vec3_norm(p->centre_body_m) > 0.0;
        p->drag = airframe_gain(&p->airframe, p->body.per_mass);
        prepare_rotors(p, seed, index);
        contact_params_prepare(&p->contact);
        vehicle_shape(&p->shape, p);
        sensors_params_prepare(&p->sensors, step_ns);
        return true;
}

void vehicle_init(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, uint64_t seed, uint32_t index,
                  struct vec3 pos_ned_m, double yaw_rad)
{
        memset(v, 0, sizeof *v);
        v->body.pos_ned_m = pos_ned_m;
        v->body.q_body_to_ned = quat_from_euler(0.0, 0.0, yaw_rad);
        v->body.gravity_mps2 = world_gravity_mps2(world, pos_ned_m.z);
        v->contact.obstacle = v->obstacle = -2;
        for (int i = 0; i < SONARS_MAX; i++)
                v->real_range_m[i] = (double)INFINITY;
        for (int i = 0; i < p->rotors; i++)
                v->angle_turns[i] = tolerance_angle_turns(seed, index, i);
        battery_init(&v->battery, &p->battery);
        v->speed_ratio = battery_speed_ratio(&v->battery, &p->battery);
        vehicle_air_init(&v->air, world, pos_ned_m.z);
        surroundings_init(&v->around, &p->surroundings, world, &v->body, seed, index);
        sensors_init(&v->sensors, &p->sensors, seed, index);
        vehicle_update_acceleration(v, p);
}

void vehicle_hold(struct vehicle *v, struct quat q_body_to_ned)
{
        v->held = true;
        v->body.q_body_to_ned = q_body_to_ned;
        v->body.vel_ned_mps = v->body.rate_body_radps = (struct vec3){ 0 };
        v->contact = (struct contact){ .obstacle = -2 };
}

void vehicle_release(struct vehicle *v)
{
        v->held = false;
}

struct pose_sample vehicle_pose(const struct vehicle *v)
{
        struct vec3 through_air = vec3_sub(v->body.vel_ned_mps, v->around.wind_ned_mps);
        double ahead_mps =
                fmax(quat_rotate_inverse(v->body.q_body_to_ned, through_air).x, 0.0);

        return (struct pose_sample){
                .pos_ned_m = v->body.pos_ned_m,
                .vel_ned_mps = v->body.vel_ned_mps,
                .q_body_to_ned = v->body.q_body_to_ned,
                .dynamic_pressure_pa = 0.5 * v->air.density_kgpm3 * ahead_mps * ahead_mps,
        };
}

double vehicle_full_thrust_n(const struct vehicle_params *p, const struct world *world)
{
        double rho = atmosphere_density_kgpm3(
                &world->atmosphere, world_altitude_m(world, (struct vec3){ 0 }));
        struct blades_params blades = p->blades;
        double sum_n = 0.0;

        blades_params_prepare(&blades);
        for (int i = 0; i < p->rotors; i++) {
                const struct rotor_params *r = &p->rotor[i];
                double speed = motor_target_radps(&p->motor[i], 1.0, 1.0);
                struct blades_forces f;

                if (blades.radius_m > 0.0) {
                        blades_derive(&f, &blades, speed, r->spin, (struct vec3){ 0 },
                                      blades_steady_inflow_mps(&blades, speed,
                                                               (struct vec3){ 0 }, rho),
                                      1.0, rho);
                        sum_n -= f.force_body_n.z;
                } else {
                        sum_n += r->thrust_n_per_radps2 * rho / r->air_density_ref_kgpm3 *
                                 speed * speed;
                }
        }
        return sum_n;
}

/* What is as it is for a whole period. */
static void begin_period(struct vehicle *v, const struct vehicle_params *p,
                         const struct world *world, const struct neighbours *others,
                         double period_s)
{
        surroundings_step(&v->around, &p->surroundings, world, &v->body, v->t_ns,
                          period_s);
        v->around.wind_ned_mps = vec3_add(v->around.wind_ned_mps, v->push.wind_ned_mps);
        v->around.force_ned_n = vec3_add(v->around.force_ned_n, v->push.force_ned_n);
        v->around.torque_body_nm =
                vec3_add(v->around.torque_body_nm, v->push.torque_body_nm);
        v->washed = others->count > 0 && vehicle_feel_wash(v, p, others);
        v->body.gravity_mps2 = world_gravity_mps2(world, v->body.pos_ned_m.z);
}

/* The voltage limits what the motors take, and what they take the voltage. If each followed the other from period to
 * period, a weak battery would swing between empty and unloaded: `share` of the voltage where both agree. */
static double agreed_share(const struct vehicle *v, const struct vehicle_params *p)
{
        const struct battery *b = &v->battery;
        double low = 0.0, high = 2.0;

        if (!battery_falls_by(b, &p->battery, vehicle_shaft_slope_w(v, p), SWING_FROM))
                return 1.0;
        for (int i = 0; i < 40; i++) {
                double share = 0.5 * (low + high);
                double given_v =
                        battery_voltage_v(b, &p->battery, vehicle_shaft_w(v, p, share));

                if (given_v > share * b->voltage_v)
                        low = share;
                else
                        high = share;
        }
        return low;
}

/* What the rotors took counts for the whole period; the voltage holds for the next. */
static void drain(struct vehicle *v, const struct vehicle_params *p, double period_s)
{
        if (!(p->battery.capacity_c > 0.0))
                return;
        battery_step(&v->battery, &p->battery, vehicle_shaft_w(v, p, agreed_share(v, p)),
                     period_s);
        v->speed_ratio = battery_speed_ratio(&v->battery, &p->battery);
}

static void note_contact(struct vehicle *v)
{
        const struct contact *c = &v->contact;

        if (!c->touching || (v->obstacle != -2 && c->impact_mps <= v->impact_mps))
                return;
        v->impact_mps = c->impact_mps;
        v->obstacle = c->obstacle;
}

static void feel_vibration(struct vibration *shake, const struct vehicle *v,
                           const struct vehicle_params *p)
{
        _Static_assert(sizeof v->motor == sizeof(double[ROTORS_MAX]),
                       "motors' speeds stand side by side");

        if (p->vibration.harmonics == 0 && !p->shake.unbalanced) {
                *shake = (struct vibration){ 0 };
                return;
        }
        vibration_find(shake, &p->vibration, &p->shake, p->rotors,
                       &v->motor[0].speed_radps, v->angle_turns);
}

static double ground_effect(const struct vehicle *v, const struct vehicle_params *p)
{
        double height_m = v->around.surface_down_m - v->body.pos_ned_m.z + p->hub_m;

        return ground_effect_tilted_ratio(p->rotor_radius_m, height_m,
                                          quat_to_mat3(v->body.q_body_to_ned).z.z) -
               1.0;
}

/* What the IMU has no use for: the others are due seldom. */
static void expose_others(struct exposure *e, const struct vehicle *v,
                          const struct vehicle_params *p)
{
        e->airspeed_body_mps = quat_rotate_inverse(
                v->body.q_body_to_ned,
                vec3_sub(v->body.vel_ned_mps, v->around.wind_ned_mps));
        e->ground_effect = ground_effect(v, p);
        e->disk_loading_pa = p->disks_m2 > 0.0 ? v->thrust_n / p->disks_m2 : 0.0;
}

static void begin_step(struct vehicle *v, const struct vehicle_params *p,
                       const struct world *world, const struct neighbours *others,
                       double period_s)
{
        begin_period(v, p, world, others, period_s);
        v->sensors.latest.fresh = v->sensors.latest.fresh_sonars = 0;
        v->impact_mps = 0.0;
        v->obstacle = -2;
}

/* What a plant step did to the vehicle, and what its sensors make of it; after a period's last one what its battery
 * gives in the next. What waits long for divisions comes before what waits for nothing. */
static void feel_move(struct vehicle *v, const struct vehicle_params *p,
                      const struct world *world, const struct neighbours *others,
                      bool last, double period_s)
{
        bool feels = sensors_need_acceleration(&v->sensors, &p->sensors, v->t_ns);
        struct vibration shake;
        struct exposure e = {
                .t_ns = v->t_ns,
                .world = world,
                .others = others,
                .body = &v->body,
                .vibration = &shake,
                .voltage_v = v->battery.voltage_v,
                .current_a = v->battery.current_a,
                .real_range_m = v->real_range_m,
        };

        note_contact(v);
        if (last)
                drain(v, p, period_s);
        if (feels)
                feel_vibration(&shake, v, p);
        /* At the period's end for the record, however slow the IMU is. */
        if (last || feels)
                vehicle_update_acceleration(v, p);
        v->jolt_ned_mps = v->jolt_body_radps = (struct vec3){ 0 };
        if (sensors_others_due(&v->sensors, v->t_ns))
                expose_others(&e, v, p);
        sensors_step(&v->sensors, &p->sensors, &e);
}

const struct sensor_frame *vehicle_step(struct vehicle *v, const struct vehicle_params *p,
                                        const struct world *world,
                                        const struct neighbours *others,
                                        const struct motor_command *command, int steps)
{
        static const struct neighbours none;

        if (others == NULL)
                others = &none;
        begin_step(v, p, world, others, steps * p->step_s);
        for (int i = 0; i < steps; i++) {
                vehicle_move(v, p, world, command);
                feel_move(v, p, world, others, i == steps - 1, steps * p->step_s);
        }
        return &v->sensors.latest;
}

void vehicles_step(const struct vehicle_turn *turn, int count, const struct world *world,
                   int steps)
{
        struct batch b;

        batch_init(&b, turn[0].p->step_ns);
        for (int i = 0; i < count; i++) {
                const struct vehicle_turn *t = &turn[i];

                begin_step(t->v, t->p, world, t->others, steps * b.step_s);
                batch_take(&b, i, t->v, t->p);
                batch_command(&b, i, t->command);
        }
        for (int n = 0; n < steps; n++) {
                batch_move(&b, world);
                for (int i = 0; i < count; i++) {
                        batch_put(&b, i);
                        feel_move(turn[i].v, turn[i].p, world, turn[i].others,
                                  n == steps - 1, steps * b.step_s);
                }
        }
}
