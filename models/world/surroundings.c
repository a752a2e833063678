#include "models/world/surroundings.h"

static void feel_regions(struct surroundings *s, const struct surroundings_params *p,
                         const struct world *world, const struct body_state *body)
{
        const struct region_body box = { body->pos_ned_m, body->q_body_to_ned,
                                         p->box_centre_body_m, p->box_half_m };
        struct region_effect effect;

        region_effect(&effect, world->region, world->regions, &box);
        s->wind_ned_mps = vec3_add(s->wind.now_ned_mps, effect.wind_ned_mps);
        s->force_ned_n = effect.force_ned_n;
        s->torque_body_nm =
                quat_rotate_inverse(body->q_body_to_ned, effect.torque_ned_nm);
}

/* Only near the ground plane, or where there may be an obstacle: a ray costs more than a step. */
static double find_surface_m(const struct surroundings_params *p,
                             const struct world *world, struct vec3 pos_ned_m)
{
        double height_m = world->ground_down_m - pos_ned_m.z;

        if (world->scene != NULL && p->ground_effect_m > 0.0)
                height_m = world_height_m(world, pos_ned_m);
        return height_m < p->ground_effect_m ? pos_ned_m.z + height_m : (double)INFINITY;
}

static void find_air(struct surroundings *s, const struct surroundings_params *p,
                     const struct world *world, const struct body_state *body)
{
        s->surface_down_m = find_surface_m(p, world, body->pos_ned_m);
        s->wind_ned_mps = s->wind.now_ned_mps;
        s->force_ned_n = s->torque_body_nm = (struct vec3){ 0 };
        if (world->regions > 0)
                feel_regions(s, p, world, body);
}

void surroundings_init(struct surroundings *s, const struct surroundings_params *p,
                       const struct world *world, const struct body_state *body,
                       uint64_t seed, uint32_t vehicle)
{
        *s = (struct surroundings){ 0 };
        wind_init(&s->wind, &world->wind, seed, vehicle);
        find_air(s, p, world, body);
}

void surroundings_step(struct surroundings *s, const struct surroundings_params *p,
                       const struct world *world, const struct body_state *body,
                       int64_t t_ns, double dt_s)
{
        double airspeed_mps = 0.0;

        /* Turbulence alone asks how fast it passes. */
        if (world->wind.turbulence_mps > 0.0)
                airspeed_mps = vec3_norm(
                        vec3_sub(body->vel_ned_mps, world->wind.steady_ned_mps));
        wind_step(&s->wind, &world->wind, t_ns, dt_s,
                  world->ground_down_m - body->pos_ned_m.z, airspeed_mps);
        find_air(s, p, world, body);
}
