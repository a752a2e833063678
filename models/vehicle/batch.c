/* Vehicles into the lanes of a batch and out of them, and the step of those that cannot go with the others. */
#include "models/vehicle/batch.h"

#include <string.h>

void batch_init(struct batch *b, int64_t step_ns)
{
        memset(b, 0, sizeof *b);
        b->step_ns = step_ns;
        b->step_s = (double)step_ns * 1e-9;
        for (int i = 0; i < BATCH_LANES; i++)
                b->room_m2[i] = -1.0;
}

static void set(struct batch_vec3 *a, int lane, struct vec3 x)
{
        a->x[lane] = x.x;
        a->y[lane] = x.y;
        a->z[lane] = x.z;
}

static struct vec3 get(const struct batch_vec3 *a, int lane)
{
        return (struct vec3){ a->x[lane], a->y[lane], a->z[lane] };
}

static void take_rotor(struct batch_rotor *r, int lane, const struct vehicle_params *p,
                       int rotor)
{
        const struct rotor_gain *g = &p->gain[rotor];

        r->tau_s[lane] = p->motor[rotor].tau_s;
        r->reach_half[lane] = p->reach_half[rotor];
        r->reach_full[lane] = p->reach_full[rotor];
        for (int j = 0; j < 4; j++)
                r->gain[j][lane] = g->square[j];
        for (int j = 0; j < 2; j++)
                r->gain[4 + j][lane] = g->speed[j];
}

/* Zeros add nothing to a sum, to the bit. */
static void leave_out_rotor(struct batch_rotor *r, int lane)
{
        for (int j = 0; j < 6; j++)
                r->gain[j][lane] = 0.0;
        r->target_radps[lane] = 0.0;
}

static void take_params(struct batch *b, int lane, const struct vehicle_params *p)
{
        const struct body_params *body = &p->body;

        b->per_mass[lane] = body->per_mass;
        set(&b->inverse_kgm2, lane,
            (struct vec3){ body->inverse_kgm2[0][0], body->inverse_kgm2[1][1],
                           body->inverse_kgm2[2][2] });
        set(&b->coupling, lane, body->coupling);
        set(&b->linear, lane, p->drag.linear);
        set(&b->quadratic, lane, p->drag.quadratic);
        set(&b->angular, lane, p->drag.angular);
        set(&b->angular_quadratic, lane, p->drag.angular_quadratic);
        if (p->rotors > b->rotors)
                b->rotors = p->rotors;
        for (int r = 0; r < p->rotors; r++)
                take_rotor(&b->rotor[r], lane, p, r);
        for (int r = p->rotors; r < ROTORS_MAX; r++)
                leave_out_rotor(&b->rotor[r], lane);
}

static bool slows_down_otherwise(const struct vehicle_params *p)
{
        for (int i = 0; i < p->rotors; i++)
                if (p->motor[i].down_ratio != 0.0)
                        return true;
        return false;
}

static bool goes_with_others(const struct vehicle *v, const struct vehicle_params *p)
{
        return p->body.principal && !p->off_centre && !(p->blades.radius_m > 0.0) &&
               !slows_down_otherwise(p) && !v->held && !v->contact.touching &&
               v->around.surface_down_m == (double)INFINITY;
}

/* The square of how far from the centre of the space that was found empty the vehicle may be, as contact_possible() asks. */
static double room_m2(const struct vehicle *v, const struct vehicle_params *p)
{
        double room_m = v->free.radius_m - (p->contact.reach_m + WORLD_SKIN_M);

        return goes_with_others(v, p) && room_m > 0.0 ? room_m * room_m : -1.0;
}

static void take_state(struct batch *b, int lane)
{
        const struct vehicle *v = b->vehicle[lane];
        const struct vehicle_params *p = b->params[lane];
        struct batch_state *now = &b->state[b->now];
        struct quat q = v->body.q_body_to_ned;

        b->t_ns[lane] = v->t_ns;
        now->q_w[lane] = q.w;
        set(&now->q_xyz, lane, (struct vec3){ q.x, q.y, q.z });
        set(&now->rate_body_radps, lane, v->body.rate_body_radps);
        set(&now->vel_ned_mps, lane, v->body.vel_ned_mps);
        set(&now->pos_ned_m, lane, v->body.pos_ned_m);
        b->air_down_m[lane] = v->air.down_m;
        b->density_kgpm3[lane] = v->air.density_kgpm3;
        b->slope_kgpm4[lane] = v->air.slope_kgpm4;
        set(&b->free_ned_m, lane, v->free.centre_ned_m);
        b->room_m2[lane] = room_m2(v, p);
        for (int r = 0; r < ROTORS_MAX; r++) {
                now->rotor_radps[r][lane] = v->motor[r].speed_radps;
                now->angle_turns[r][lane] = v->angle_turns[r];
        }
}

void batch_take(struct batch *b, int lane, struct vehicle *v,
                const struct vehicle_params *p)
{
        b->vehicle[lane] = v;
        b->params[lane] = p;
        take_params(b, lane, p);
        take_state(b, lane);
        b->gravity_mps2[lane] = v->body.gravity_mps2;
        set(&b->wind_ned_mps, lane, v->around.wind_ned_mps);
        set(&b->force_ned_n, lane, v->around.force_ned_n);
        set(&b->torque_body_nm, lane, v->around.torque_body_nm);
}

void batch_command(struct batch *b, int lane, const struct motor_command *command)
{
        const struct vehicle_params *p = b->params[lane];
        double drive_nm = 0.0;

        b->command[lane] = command;
        for (int r = 0; r < p->rotors; r++) {
                double target = motor_target_radps(&p->motor[r], command->duty[r],
                                                   b->vehicle[lane]->speed_ratio);

                b->rotor[r].target_radps[lane] = target;
                drive_nm += p->gain[r].speed[1] * target;
        }
        b->drive_nm[lane] = drive_nm;
}

static void put_state(const struct batch *b, int lane, const struct batch_state *s)
{
        struct vehicle *v = b->vehicle[lane];
        struct vec3 q = get(&s->q_xyz, lane);

        v->t_ns = b->t_ns[lane];
        v->body.q_body_to_ned = (struct quat){ s->q_w[lane], q.x, q.y, q.z };
        v->body.rate_body_radps = get(&s->rate_body_radps, lane);
        v->body.vel_ned_mps = get(&s->vel_ned_mps, lane);
        v->body.pos_ned_m = get(&s->pos_ned_m, lane);
        for (int r = 0; r < b->params[lane]->rotors; r++) {
                v->motor[r].speed_radps = s->rotor_radps[r][lane];
                v->angle_turns[r] = s->angle_turns[r][lane];
        }
}

void batch_put(const struct batch *b, int lane)
{
        struct vehicle *v = b->vehicle[lane];

        put_state(b, lane, &b->state[b->now]);
        /* A vehicle that moved by itself has its own. */
        if (!b->moved[lane])
                return;
        v->drive_nm = b->drive_nm[lane];
        for (int r = 0; r < b->params[lane]->rotors; r++)
                v->target_radps[r] = b->rotor[r].target_radps[lane];
}

void batch_move(struct batch *b, const struct world *world)
{
        batch_move_lanes(b);
        for (int i = 0; i < BATCH_LANES; i++) {
                if (b->moved[i] || b->vehicle[i] == NULL)
                        continue;
                put_state(b, i, &b->state[1 - b->now]);
                vehicle_move(b->vehicle[i], b->params[i], world, b->command[i]);
                take_state(b, i);
        }
}
