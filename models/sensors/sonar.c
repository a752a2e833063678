#include "models/sensors/sonar.h"

void sonar_init(struct sonar *sonar, uint64_t seed, uint32_t vehicle)
{
        rng_init(&sonar->rng[0], seed, vehicle, SENSOR_SONAR, 0);
}

/* Whether the beam reaches the surface, and its sound comes back to where it left. */
static bool echoes(const struct sonar_params *p, const struct world_hit *hit,
                   struct vec3 dir_ned)
{
        double cos_incidence = -vec3_dot(dir_ned, hit->normal_ned);

        return hit->range_m <= p->beam_max_m &&
               cos_incidence >= cos(p->incidence_max_rad);
}

void sonar_step(struct sonar *sonar, const struct sonar_params *p,
                const struct world *world, const struct body_state *truth,
                struct sonar_sample *out)
{
        struct quat q = truth->q_body_to_ned;
        struct vec3 pos_ned_m =
                vec3_add(truth->pos_ned_m, quat_rotate(q, p->lever_arm_body_m));
        struct vec3 dir_ned = quat_rotate(q, p->axis_body);
        struct world_hit hit = world_hit(world, pos_ned_m, dir_ned);
        double silence_m = fmin(p->beam_max_m, p->range.max);

        out->echo = echoes(p, &hit, dir_ned);
        out->range_m = out->echo ? hit.range_m : silence_m;
        /* Drawn without an echo too: sample n has noise n, whatever was heard before. */
        error_apply(&p->range, sonar->rng, 1, &out->range_m);
        if (!out->echo)
                out->range_m = silence_m;
}
