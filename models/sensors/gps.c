#include "models/sensors/gps.h"

void gps_init(struct gps *gps, uint64_t seed, uint32_t vehicle)
{
        for (uint32_t i = 0; i < 6; i++)
                rng_init(&gps->rng[i], seed, vehicle, SENSOR_GPS, i);
}

static struct vec3 measure(const struct error_params *p, struct rng *rng, struct vec3 ned)
{
        double value[3] = { ned.x, ned.y, ned.z };

        error_apply(p, rng, 3, value);
        return (struct vec3){ value[0], value[1], value[2] };
}

/* What the receiver believes of itself: the sigmas it was given. */
static void estimate_accuracy(struct gps_sample *out, const struct gps_params *p)
{
        const double *pos = p->position.sigma, *vel = p->velocity.sigma;

        out->h_acc_m = sqrt(pos[0] * pos[0] + pos[1] * pos[1]);
        out->v_acc_m = pos[2];
        out->s_acc_mps = sqrt(vel[0] * vel[0] + vel[1] * vel[1] + vel[2] * vel[2]);
}

void gps_step(struct gps *gps, const struct gps_params *p, const struct world *world,
              const struct body_state *truth, struct gps_sample *out)
{
        struct quat q = truth->q_body_to_ned;
        struct vec3 arm_m = p->lever_arm_body_m;
        struct vec3 swing_mps = vec3_cross(truth->rate_body_radps, arm_m);
        struct vec3 pos_ned_m = vec3_add(truth->pos_ned_m, quat_rotate(q, arm_m));
        struct vec3 vel_ned_mps = vec3_add(truth->vel_ned_mps, quat_rotate(q, swing_mps));
        struct earth_position at;

        pos_ned_m = measure(&p->position, &gps->rng[0], pos_ned_m);
        at = p->flat_earth ? earth_from_ned_flat(&world->origin, pos_ned_m)
                           : earth_from_ned(&world->origin, pos_ned_m);

        out->lat_rad = at.lat_rad;
        out->lon_rad = at.lon_rad;
        out->height_m = at.height_m;
        out->vel_ned_mps = measure(&p->velocity, &gps->rng[3], vel_ned_mps);
        estimate_accuracy(out, p);
        out->satellites = p->satellites;
        out->fix = p->satellites < 4 ? GPS_NO_FIX : GPS_FIX_3D;
}
