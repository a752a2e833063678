#include "models/sensors/flow.h"

#include <math.h>

/* Streams. */
enum { FLOW_X, FLOW_Y, GYRO, STREAMS = GYRO + 3 };

void flow_init(struct flow *flow, const struct flow_params *p, uint64_t seed,
               uint32_t vehicle)
{
        (void)p;
        *flow = (struct flow){ 0 };
        for (uint32_t i = 0; i < STREAMS; i++)
                rng_init(&flow->rng[i], seed, vehicle, SENSOR_FLOW, i);
}

/* Where the camera is and what it looks at. */
struct view {
        struct vec3 pos_ned_m;
        struct quat q_sensor_to_ned;
        double per_range; /* 0: nothing in sight */
        double texture;
};

static struct view view_ground(const struct flow_params *p, const struct exposure *e)
{
        struct quat q = e->body->q_body_to_ned;
        struct view v = { .q_sensor_to_ned =
                                  quat_multiply(q, quat_conjugate(p->q_body_to_sensor)) };
        struct vec3 axis_ned =
                quat_rotate(v.q_sensor_to_ned, (struct vec3){ 0.0, 0.0, 1.0 });
        struct world_hit hit;

        v.pos_ned_m = vec3_add(e->body->pos_ned_m, quat_rotate(q, p->lever_arm_body_m));
        hit = world_hit(e->world, v.pos_ned_m, axis_ned, p->range_max_m);
        if (hit.surface && hit.range_m > 0.0 && hit.range_m >= p->range_min_m &&
            hit.range_m <= p->range_max_m &&
            -vec3_dot(axis_ned, hit.normal_ned) >= cos(p->incidence_max_rad)) {
                v.per_range = 1.0 / hit.range_m;
                v.texture = hit.surface->texture;
        }
        return v;
}

/* The rotation vector of a unit quaternion, the shorter way round. */
static struct vec3 turn_of(struct quat q)
{
        struct vec3 v = { q.x, q.y, q.z };
        double sine = vec3_norm(v);

        if (sine < 1e-9)
                return vec3_scale(q.w < 0.0 ? -2.0 : 2.0, v);
        return vec3_scale(
                2.0 * (q.w < 0.0 ? atan2(-sine, -q.w) : atan2(sine, q.w)) / sine, v);
}

/* Halfway between two attitudes. */
static struct quat between(struct quat a, struct quat b)
{
        double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;

        return quat_normalise(quat_axpy(a, dot < 0.0 ? -1.0 : 1.0, b));
}

/* How the picture moved since the last sample by the camera's own motion past the point
 * on its axis: the turning comes on top. Exact for a straight flight over level ground;
 * otherwise its error falls with the square of the interval. */
static void move(const struct flow *last, const struct view *now, double rad[2])
{
        struct quat q = between(last->q_sensor_to_ned, now->q_sensor_to_ned);
        struct vec3 m = quat_rotate_inverse(q, vec3_sub(now->pos_ned_m, last->pos_ned_m));
        double per_range = 0.5 * (last->per_range + now->per_range);

        rad[0] = -m.y * per_range;
        rad[1] = m.x * per_range;
}

/* 0 to 1: how well the picture shows where it has gone. Half where the smear is what
 * halves it. */
static double clearness(const struct flow_params *p, double texture, const double rad[2],
                        double dt_s)
{
        double rate2 = (rad[0] * rad[0] + rad[1] * rad[1]) / (dt_s * dt_s);

        if (p->blur_radps <= 0.0)
                return texture;
        return texture / (1.0 + rate2 / (p->blur_radps * p->blur_radps));
}

static int quality_of(const struct flow_params *p, double clear)
{
        double quality = 255.0 * (clear < 1.0 ? clear : 1.0);

        /* NaN fails the test too. */
        return quality >= p->quality_min ? (int)(quality + 0.5) : 0;
}

/* Whole counts, as many as fit into what has come together. */
static double count(double *left_rad, double rad, double lsb_rad)
{
        double sum = *left_rad + rad, counted;

        if (lsb_rad <= 0.0)
                return rad;
        counted = lsb_rad * rint(sum / lsb_rad);
        *left_rad = sum - counted;
        return counted;
}

/* Camera to counts, one axis. */
static double report(struct flow *flow, const struct flow_params *p, int axis, double rad,
                     double noise_rad, double dt_s)
{
        double most = p->rate_max_radps * dt_s;
        double v = p->scale[axis] * rad + noise_rad;

        v = v > most ? most : v < -most ? -most : v;
        return count(&flow->left_rad[axis], v, p->lsb_rad);
}

static void see(struct flow *flow, const struct flow_params *p, const struct view *now,
                struct vec3 turn, double dt_s, struct flow_sample *out)
{
        double noise[2] = { 0.0, 0.0 }, rad[2], clear;

        for (int i = 0; i < 2 && p->sigma_rad != 0.0; i++)
                noise[i] = p->sigma_rad * rng_normal(&flow->rng[FLOW_X + i]);
        move(flow, now, rad);
        rad[0] += turn.x;
        rad[1] += turn.y;
        clear = clearness(p, now->texture, rad, dt_s);
        if (flow->per_range > 0.0 && now->per_range > 0.0)
                out->quality = quality_of(p, clear);
        if (out->quality == 0) {
                flow->left_rad[0] = flow->left_rad[1] = 0.0;
                return;
        }
        /* Fewer features to average over. */
        clear = sqrt(clear);
        out->flow_x_rad = report(flow, p, 0, rad[0], noise[0] / clear, dt_s);
        out->flow_y_rad = report(flow, p, 1, rad[1], noise[1] / clear, dt_s);
}

static void feel_turn(struct flow *flow, const struct flow_params *p, struct vec3 turn,
                      double dt_s, struct flow_sample *out)
{
        double rate[3] = { turn.x / dt_s, turn.y / dt_s, turn.z / dt_s };

        if (!p->has_gyro)
                return;
        error_apply(&p->gyro, &flow->rng[GYRO], 3, rate);
        out->gyro_x_rad = rate[0] * dt_s;
        out->gyro_y_rad = rate[1] * dt_s;
}

void flow_step(struct flow *flow, const struct flow_params *p, const struct exposure *e,
               struct flow_sample *out)
{
        struct view now = view_ground(p, e);
        int64_t t_ns = out->t_ns;

        *out = (struct flow_sample){ .t_ns = t_ns };
        if (!p->has_gyro)
                out->gyro_x_rad = out->gyro_y_rad = NAN;
        if (flow->started && e->t_ns > flow->t_ns) {
                struct quat dq = quat_multiply(quat_conjugate(flow->q_sensor_to_ned),
                                               now.q_sensor_to_ned);
                struct vec3 turn = turn_of(dq);
                double dt_s = 1e-9 * (double)(e->t_ns - flow->t_ns);

                out->interval_ns = e->t_ns - flow->t_ns;
                see(flow, p, &now, turn, dt_s, out);
                feel_turn(flow, p, turn, dt_s, out);
        }
        flow->started = true;
        flow->t_ns = e->t_ns;
        flow->pos_ned_m = now.pos_ned_m;
        flow->q_sensor_to_ned = now.q_sensor_to_ned;
        flow->per_range = now.per_range;
}
