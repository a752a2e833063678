/* Numbers are the steps of the algorithm in Gruber 5.2.7.3. */
#include "models/sensors/ins.h"

/* Streams of the sensor. */
enum { AXIS_TURN = 0, AXIS_WAY = 3, AXIS_A = 6, AXES = 7 };

void ins_init(struct ins *ins, const struct ins_params *p, uint64_t seed,
              uint32_t vehicle)
{
        (void)p;
        *ins = (struct ins){ 0 };
        for (uint32_t i = 0; i < AXES; i++)
                rng_init(&ins->rng[i], seed, vehicle, SENSOR_INS, i);
        ins->a = rng_uniform(&ins->rng[AXIS_A]) - 0.5;
}

static struct vec3 noise(struct ins *ins, int axis, double mean, double sigma)
{
        return (struct vec3){ mean + sigma * rng_normal(&ins->rng[axis]),
                              mean + sigma * rng_normal(&ins->rng[axis + 1]),
                              mean + sigma * rng_normal(&ins->rng[axis + 2]) };
}

/* Steps 1 and 2: the body's own turn since the last sample, each of its components longer by
 * its noise. Half the rotation vector is taken as its sine: a third of a per mille of the
 * noise at 0.1 rad a sample, and no error at all without noise. */
static void turn(struct ins *ins, struct quat q_now, struct vec3 n)
{
        struct quat d = quat_multiply(quat_conjugate(ins->q_true), q_now);
        double sign = d.w < 0.0 ? -1.0 : 1.0;
        struct vec3 v = { sign * d.x * (1.0 + n.x), sign * d.y * (1.0 + n.y),
                          sign * d.z * (1.0 + n.z) };
        double rest = 1.0 - vec3_dot(v, v);
        struct quat noisy = { sqrt(rest > 0.0 ? rest : 0.0), v.x, v.y, v.z };

        ins->q_estimate = quat_normalise(quat_multiply(ins->q_estimate, noisy));
        ins->q_true = q_now;
}

/* Steps 3 to 5. */
static void move(struct ins *ins, struct vec3 now_ned_m, struct vec3 n)
{
        struct vec3 way_m = vec3_sub(now_ned_m, ins->pos_true_ned_m);

        ins->pos_estimate_ned_m =
                vec3_axpy(vec3_add(ins->pos_estimate_ned_m, way_m), vec3_norm(way_m), n);
        ins->pos_true_ned_m = now_ned_m;
}

void ins_step(struct ins *ins, const struct ins_params *p, const struct exposure *e,
              struct ins_sample *out)
{
        /* As the text says: a constant shift of the mean. The printed recursion, mu a/p, would be
         * nothing after two samples. */
        double shift = p->drifting ? ins->a / p->precision : 0.0;
        struct vec3 turn_noise =
                noise(ins, AXIS_TURN, p->drifting ? shift / p->precision : 0.0, p->sigma);
        struct vec3 way_noise = noise(ins, AXIS_WAY, shift, p->sigma);
        struct vec3 place_ned_m =
                vec3_add(e->body->pos_ned_m,
                         quat_rotate(e->body->q_body_to_ned, p->lever_arm_body_m));

        if (!ins->started) {
                ins->q_true = ins->q_estimate = e->body->q_body_to_ned;
                ins->pos_true_ned_m = ins->pos_estimate_ned_m = place_ned_m;
                ins->started = true;
        }
        turn(ins, e->body->q_body_to_ned, turn_noise);
        move(ins, place_ned_m, way_noise);
        out->pos_ned_m = ins->pos_estimate_ned_m;
        out->euler_rad = quat_to_euler(ins->q_estimate);
}
