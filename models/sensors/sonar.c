#include "models/sensors/sonar.h"

#include "models/sensors/sonar_crosstalk.h"

#define GOLDEN_ANGLE_RAD 2.39996322972865332

/* Streams of noise: unit i draws from axis i. */

/* Even over the cone's cross-section, the last on its edge: a sunflower's seeds (Vogel 1979). */
static void lay_rays(struct sonar_unit_params *u)
{
        struct vec3 axis = u->axis_body;
        struct vec3 aside = fabs(axis.z) < 0.9 ? (struct vec3){ 0.0, 0.0, 1.0 }
                                               : (struct vec3){ 1.0, 0.0, 0.0 };
        struct vec3 right = vec3_cross(axis, aside), down;

        right = vec3_scale(1.0 / vec3_norm(right), right);
        down = vec3_cross(axis, right);
        for (int k = 0; k < u->rays; k++) {
                double share = u->rays > 1 ? (double)k / (u->rays - 1) : 0.0;
                double off_rad = 0.5 * u->opening_rad * sqrt(share);
                double turn_rad = k * GOLDEN_ANGLE_RAD;
                struct vec3 ray = vec3_scale(cos(off_rad), axis);

                ray = vec3_axpy(ray, sin(off_rad) * cos(turn_rad), right);
                u->ray_body[k] = vec3_axpy(ray, sin(off_rad) * sin(turn_rad), down);
        }
}

void sonar_params_prepare(struct sonar_params *p)
{
        for (int i = 0; i < p->count; i++) {
                struct sonar_unit_params *u = &p->unit[i];

                if (u->opening_rad <= 0.0 || u->rays < 1)
                        u->rays = 1;
                u->cos_half = u->rays > 1 ? cos(0.5 * u->opening_rad) : 1.0;
                u->cos_incidence_max = cos(u->incidence_max_rad);
                lay_rays(u);
        }
}

void sonar_init(struct sonar *ring, const struct sonar_params *p, uint64_t seed,
                uint32_t vehicle)
{
        for (int i = 0; i < p->count; i++)
                rng_init(&ring->rng[i], seed, vehicle, SENSOR_SONAR, (uint32_t)i);
}

double sonar_speed_of_sound_mps(double temperature_k)
{
        return 331.3 * sqrt(temperature_k / 273.15);
}

static double sound_mps(const struct exposure *e)
{
        double altitude_m = world_altitude_m(e->world, e->body->pos_ned_m);

        return sonar_speed_of_sound_mps(
                atmosphere_temperature_k(&e->world->atmosphere, altitude_m));
}

/* How far away the source of the first sound seems that is heard; INFINITY: none. */
static double first_sound_m(const struct sonar_params *p, int i, const struct exposure *e)
{
        struct sonar_view view = sonar_view(&p->unit[i], e->body->pos_ned_m,
                                            quat_to_mat3(e->body->q_body_to_ned));
        bool alone = p->count < 2 && (e->others == NULL || e->others->count == 0);
        struct sonar_points points;
        struct sonar_crosstalk heard;
        double own_m;

        if (!p->unit[i].crosstalk || alone)
                return sonar_cone_echo(&view, e, NULL).range_m;
        own_m = sonar_cone_echo(&view, e, &points).range_m;
        heard = sonar_crosstalk(p, i, &view, e, &points, sound_mps(e));
        if (own_m > p->unit[i].range.min && own_m < heard.deaf_m)
                own_m = sonar_cone_beyond_m(&view, &points, heard.deaf_m);
        return fmin(own_m, heard.ghost_m);
}

/* Mixed reality: the nearer of the two is what a collision avoidance must see (FINken report 3.3.3).
 * The real reading brings its own errors, so it comes in behind those of the virtual one. */
static void join_real(struct sonar_sample *out, const struct sonar_unit_params *u,
                      double real_m)
{
        if (!(real_m >= 0.0 && real_m < out->range_m))
                return;
        out->range_m = fmax(real_m, u->range.min);
        out->echo = true;
}

void sonar_step(struct sonar *ring, const struct sonar_params *p, int i,
                const struct exposure *e, struct sonar_sample *out)
{
        const struct sonar_unit_params *u = &p->unit[i];
        double silence_m = fmin(u->beam_max_m, u->range.max);
        double heard_m = first_sound_m(p, i, e);

        out->echo = heard_m <= u->beam_max_m;
        out->range_m = out->echo ? heard_m : silence_m;
        if (out->echo && u->assumed_mps > 0.0)
                out->range_m *= u->assumed_mps / sound_mps(e);
        /* Drawn without an echo too: sample n has noise n, whatever was heard before. */
        error_apply(&u->range, &ring->rng[i], 1, &out->range_m);
        if (!out->echo)
                out->range_m = silence_m;
        if (e->real_range_m != NULL)
                join_real(out, u, e->real_range_m[i]);
}
