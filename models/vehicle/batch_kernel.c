/* The step of all lanes, compiled for each set of instructions. Loops over lanes are for the compiler to make vectors of:
 * the same arithmetic in the same order for each lane, whatever it makes of them. */
#include "models/vehicle/batch.h"
#include "models/vehicle/integrate.h"

ALWAYS_INLINE struct vec3 lane_of(const struct batch_vec3 *a, int i)
{
        return (struct vec3){ a->x[i], a->y[i], a->z[i] };
}

/* Of the rotors at one instant, in the order of struct rotor_gain. */
struct load {
        double lift, roll, pitch, drag, momentum, decay;
};

/* As rotor_load() adds a rotor. */
ALWAYS_INLINE void add_load(struct load *sum, const struct batch_rotor *r, int i,
                            double speed_radps)
{
        double square = speed_radps * speed_radps;

        sum->lift += r->gain[0][i] * square;
        sum->roll += r->gain[1][i] * square;
        sum->pitch += r->gain[2][i] * square;
        sum->drag += r->gain[3][i] * square;
        sum->momentum += r->gain[4][i] * speed_radps;
        sum->decay += r->gain[5][i] * speed_radps;
}

ALWAYS_INLINE struct rotor_load rotor_load_of(struct load l)
{
        return (struct rotor_load){ { l.lift, l.roll, l.pitch, l.drag },
                                    { l.momentum, l.decay } };
}

struct instants {
        struct load start, middle, end;
};

ALWAYS_INLINE void turn_rotor(struct batch_state *next, struct instants *load,
                              const struct batch_state *now, const struct batch *b,
                              int rotor, int i)
{
        const struct batch_rotor *r = &b->rotor[rotor];
        double start = now->rotor_radps[rotor][i], target = r->target_radps[i];
        double end = motor_speed_after(start, target, r->reach_full[i]);

        add_load(&load->start, r, i, start);
        add_load(&load->middle, r, i, motor_speed_after(start, target, r->reach_half[i]));
        add_load(&load->end, r, i, end);
        next->rotor_radps[rotor][i] = end;
        next->angle_turns[rotor][i] = now->angle_turns[rotor][i] +
                                      motor_turned_turns(start, target, r->reach_full[i],
                                                         r->tau_s[i], b->step_s);
}

ALWAYS_INLINE void turn_four_rotors(struct batch_state *next, struct instants *load,
                                    const struct batch_state *now, const struct batch *b,
                                    int first, int i)
{
        turn_rotor(next, load, now, b, first, i);
        turn_rotor(next, load, now, b, first + 1, i);
        turn_rotor(next, load, now, b, first + 2, i);
        turn_rotor(next, load, now, b, first + 3, i);
}

/* What integrate() reads of a vehicle and its parameters, from a lane. */
ALWAYS_INLINE void read_lane(struct vehicle *v, struct vehicle_params *p,
                             const struct batch *b, const struct batch_state *now, int i)
{
        struct vec3 inverse = lane_of(&b->inverse_kgm2, i), q = lane_of(&now->q_xyz, i);

        p->off_centre = false;
        p->body.mass_kg = 0.0; /* of one that is off its centre alone */
        p->rotor_radius_m = p->hub_m = 0.0;
        p->step_s = b->step_s;
        p->body.principal = true;
        p->body.per_mass = b->per_mass[i];
        p->body.inverse_kgm2[0][0] = inverse.x;
        p->body.inverse_kgm2[1][1] = inverse.y;
        p->body.inverse_kgm2[2][2] = inverse.z;
        p->body.coupling = lane_of(&b->coupling, i);
        p->drag.linear = lane_of(&b->linear, i);
        p->drag.quadratic = lane_of(&b->quadratic, i);
        p->drag.angular = lane_of(&b->angular, i);
        p->drag.angular_quadratic = lane_of(&b->angular_quadratic, i);
        v->body.q_body_to_ned = (struct quat){ now->q_w[i], q.x, q.y, q.z };
        v->body.rate_body_radps = lane_of(&now->rate_body_radps, i);
        v->body.vel_ned_mps = lane_of(&now->vel_ned_mps, i);
        v->body.pos_ned_m = lane_of(&now->pos_ned_m, i);
        v->body.gravity_mps2 = b->gravity_mps2[i];
        v->air = (struct air){ b->air_down_m[i], b->density_kgpm3[i], b->slope_kgpm4[i] };
        v->around.wind_ned_mps = lane_of(&b->wind_ned_mps, i);
        v->around.force_ned_n = lane_of(&b->force_ned_n, i);
        v->around.torque_body_nm = lane_of(&b->torque_body_nm, i);
        v->around.surface_down_m = (double)INFINITY;
        v->drive_nm = b->drive_nm[i];
}

/* As air_update() and contact_possible() ask, without what they do where the answer is no. */
ALWAYS_INLINE int is_free(const struct batch *b, int i, struct vec3 from_ned_m,
                          struct vec3 pos_ned_m)
{
        struct vec3 centre = lane_of(&b->free_ned_m, i);
        struct vec3 from = vec3_sub(from_ned_m, centre), to = vec3_sub(pos_ned_m, centre);

        int near = fabs(from_ned_m.z - b->air_down_m[i]) <= 1.0;
        int free_before = vec3_dot(from, from) < b->room_m2[i];
        int free_after = vec3_dot(to, to) < b->room_m2[i];

        return near & free_before & free_after;
}

ALWAYS_INLINE void write_lane(struct batch_vec3 *a, int i, struct vec3 x)
{
        a->x[i] = x.x;
        a->y[i] = x.y;
        a->z[i] = x.z;
}

ALWAYS_INLINE void move_lane(struct batch_state *next, const struct batch *b,
                             const struct batch_state *now, bool eight, int i)
{
        struct instants sum = { .start = { 0.0 } };
        struct rotor_load start, middle, end;
        struct vehicle_params p;
        struct vehicle v;
        struct quat q;

        turn_four_rotors(next, &sum, now, b, 0, i);
        if (eight)
                turn_four_rotors(next, &sum, now, b, 4, i);
        read_lane(&v, &p, b, now, i);
        start = rotor_load_of(sum.start);
        middle = rotor_load_of(sum.middle);
        end = rotor_load_of(sum.end);
        integrate(&v, &p, &start, &middle, &end);
        q = v.body.q_body_to_ned;
        next->q_w[i] = q.w;
        write_lane(&next->q_xyz, i, (struct vec3){ q.x, q.y, q.z });
        write_lane(&next->rate_body_radps, i, v.body.rate_body_radps);
        write_lane(&next->vel_ned_mps, i, v.body.vel_ned_mps);
        write_lane(&next->pos_ned_m, i, v.body.pos_ned_m);
}

/* One lane's numbers depend on no other's. */
#ifdef __clang__
/* A sanitizer's checks keep the loop as it is written. */
#pragma clang diagnostic ignored "-Wpass-failed"
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)")
#else
#define EACH_LANE _Pragma("GCC ivdep")
#endif

ALWAYS_INLINE void batch_move_lanes_body(struct batch *b)
{
        const struct batch_state *now = &b->state[b->now];
        struct batch_state *next = &b->state[1 - b->now];

        if (b->rotors <= 4) {
                EACH_LANE
                for (int i = 0; i < BATCH_LANES; i++)
                        move_lane(next, b, now, false, i);
        } else {
                EACH_LANE
                for (int i = 0; i < BATCH_LANES; i++)
                        move_lane(next, b, now, true, i);
        }
        for (int i = 0; i < BATCH_LANES; i++) {
                b->moved[i] = -(int64_t)is_free(b, i, lane_of(&now->pos_ned_m, i),
                                                lane_of(&next->pos_ned_m, i));
                b->t_ns[i] += b->moved[i] & b->step_ns;
        }
        b->now = 1 - b->now;
}

ISA_VERSIONS(batch_move_lanes, (struct batch * b), (b))
