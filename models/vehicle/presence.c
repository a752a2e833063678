#include "models/vehicle/presence.h"

/* Vehicle files do not say how thick arms, legs and propellers are: of the md4-200, arms of 20 mm and 260 mm, they
 * are this share of the length from the middle. */
#define THICKNESS 0.04

void vehicle_shape(struct shape *out, const struct vehicle_params *p)
{
        const struct contact_params *c = &p->contact;
        struct vec3 middle = vec3_scale(-1.0, p->centre_body_m);

        *out = (struct shape){ 0 };
        for (int i = 0; i < p->rotors; i++) {
                struct vec3 hub = p->rotor[i].pos_body_m;
                struct shape_part disc = { .at_m = hub,
                                           .axis = { 0.0, 0.0, 1.0 },
                                           .disc_m = p->rotor_radius_m,
                                           .round_m = THICKNESS * p->rotor_radius_m };

                shape_add_rod(out, middle, hub,
                              THICKNESS * vec3_norm(vec3_sub(hub, middle)));
                if (p->rotor_radius_m > 0.0)
                        shape_add(out, &disc);
        }
        for (int i = 0; i < c->points; i++) {
                struct vec3 end = c->point_body_m[i];
                double thick_m = THICKNESS * vec3_norm(vec3_sub(end, middle));

                if (c->radius_m[i] > 0.0)
                        shape_add_rod(out, end, end, c->radius_m[i]);
                else
                        shape_add_rod(out, middle, end, thick_m);
        }
}

/* Per unit of air density. */
static double thrust_m4ps2(const struct rotor_params *r, double speed_radps)
{
        return r->thrust_n_per_radps2 / r->air_density_ref_kgpm3 * speed_radps *
               speed_radps;
}

static void blow(struct wash *w, const struct vehicle *v, const struct vehicle_params *p,
                 const struct world *world)
{
        const struct mat3 m = quat_to_mat3(v->body.q_body_to_ned);
        const struct vec3 down_body = { 0.0, 0.0, 1.0 };

        wash_begin(w, p->rotor_radius_m, mat3_times(m, down_body),
                   vec3_sub(v->body.vel_ned_mps, v->around.wind_ned_mps));
        for (int i = 0; i < p->rotors; i++) {
                struct vec3 hub_ned_m = vec3_add(v->body.pos_ned_m,
                                                 mat3_times(m, p->rotor[i].pos_body_m));
                double induced_mps = v->inflow_mps[i];

                if (!(p->blades.radius_m > 0.0))
                        induced_mps = wash_induced_mps(
                                thrust_m4ps2(&p->rotor[i], v->motor[i].speed_radps),
                                p->rotor_radius_m, w->climb_mps, w->across_mps);
                wash_add_rotor(w, hub_ned_m, induced_mps);
        }
        wash_finish(w, world);
}

void vehicle_presence(struct presence *out, const struct vehicle *v,
                      const struct vehicle_params *p, const struct world *world,
                      bool washes)
{
        out->body_to_ned = quat_to_mat3(v->body.q_body_to_ned);
        out->shape = &p->shape;
        out->sonar = p->sensors.sonar.count > 0 ? &p->sensors.sonar : NULL;
        out->wash.jets = 0;
        if (washes && p->rotor_radius_m > 0.0)
                blow(&out->wash, v, p, world);
}

/* Whose wash there may be. */
struct blowers {
        int count;
        const struct wash *wash[NEIGHBOURS_MAX];
};

static struct vec3 air_at(const struct blowers *blowers, struct vec3 pos_ned_m)
{
        struct vec3 flux = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < blowers->count; i++)
                wash_add_flux(blowers->wash[i], pos_ned_m, &flux);
        return wash_velocity_mps(flux);
}

/* Of those that reach a vehicle, who reach one of its discs. */
static void find_near(struct blowers *near, const struct blowers *all,
                      struct vec3 hub_ned_m, double radius_m)
{
        near->count = 0;
        for (int i = 0; i < all->count; i++)
                if (wash_reaches(all->wash[i], hub_ned_m, radius_m))
                        near->wash[near->count++] = all->wash[i];
}

/* Mean over a disc: its middle and six points at sqrt(2/3) of its radius, which is exact for polynomials up to
 * the fifth power (Abramowitz and Stegun 25.4.61). */
static struct vec3 air_in_disc(const struct blowers *blowers, struct vec3 hub_ned_m,
                               struct mat3 body_to_ned, double radius_m)
{
        struct vec3 air = vec3_scale(0.25, air_at(blowers, hub_ned_m));
        const double r = sqrt(2.0 / 3.0) * radius_m;

        if (!(radius_m > 0.0))
                return vec3_scale(4.0, air);
        for (int k = 0; k < 6; k++) {
                /* Multiples of 60 degrees. */
                static const double c[6] = { 1.0, 0.5, -0.5, -1.0, -0.5, 0.5 };
                static const double s[6] = { 0.0, 1.0, 1.0, 0.0, -1.0, -1.0 };
                struct vec3 out_body = { r * c[k], r * s[k] * 0.86602540378443865, 0.0 };
                struct vec3 at = vec3_add(hub_ned_m, mat3_times(body_to_ned, out_body));

                air = vec3_axpy(air, 0.125, air_at(blowers, at));
        }
        return air;
}

/* Without blade elements: the torque of what the hubs' drags differ by. */
static void turn_by_drag(struct vehicle *v, const struct vehicle_params *p,
                         struct mat3 body_to_ned)
{
        struct vec3 share = vec3_scale(1.0 / p->rotors, p->airframe.linear_n_per_mps);

        for (int i = 0; i < p->rotors; i++) {
                struct vec3 air =
                        mat3_transpose_times(body_to_ned, v->hub_air_ned_mps[i]);
                struct vec3 force_n = vec3_times(share, air);

                v->around.torque_body_nm =
                        vec3_add(v->around.torque_body_nm,
                                 vec3_cross(p->rotor[i].pos_body_m, force_n));
        }
}

/* The air at each hub, and its mean. False: there is none. */
static bool find_hub_air(struct vehicle *v, const struct vehicle_params *p,
                         const struct blowers *blowers, struct mat3 body_to_ned,
                         struct vec3 *mean)
{
        bool any = false;

        *mean = (struct vec3){ 0.0, 0.0, 0.0 };
        for (int i = 0; i < p->rotors; i++) {
                struct vec3 arm = mat3_times(body_to_ned, p->rotor[i].pos_body_m);
                struct vec3 hub_ned_m = vec3_add(v->body.pos_ned_m, arm);
                struct blowers near;

                v->hub_air_ned_mps[i] = (struct vec3){ 0.0, 0.0, 0.0 };
                find_near(&near, blowers, hub_ned_m, p->rotor_radius_m);
                if (near.count == 0)
                        continue;
                any = true;
                v->hub_air_ned_mps[i] =
                        air_in_disc(&near, hub_ned_m, body_to_ned, p->rotor_radius_m);
                *mean = vec3_axpy(*mean, 1.0 / p->rotors, v->hub_air_ned_mps[i]);
        }
        return any;
}

bool vehicle_feel_wash(struct vehicle *v, const struct vehicle_params *p,
                       const struct neighbours *others)
{
        struct blowers blowers;
        struct vec3 mean;
        struct mat3 m;

        blowers.count = 0;
        for (int i = 0; i < others->count; i++) {
                const struct presence *other = others->at[i].presence;

                if (other != NULL &&
                    wash_reaches(&other->wash, v->body.pos_ned_m, p->shape.radius_m))
                        blowers.wash[blowers.count++] = &other->wash;
        }
        if (blowers.count == 0)
                return false;
        m = quat_to_mat3(v->body.q_body_to_ned);
        if (!find_hub_air(v, p, &blowers, m, &mean))
                return false;
        for (int i = 0; i < p->rotors; i++)
                v->hub_air_ned_mps[i] = vec3_sub(v->hub_air_ned_mps[i], mean);
        v->around.wind_ned_mps = vec3_add(v->around.wind_ned_mps, mean);
        if (!(p->blades.radius_m > 0.0))
                turn_by_drag(v, p, m);
        return true;
}

void presence_order(int *by_north, const double *north_m, int count)
{
        for (int i = 1; i < count; i++)
                for (int k = i; k > 0 && north_m[by_north[k]] < north_m[by_north[k - 1]];
                     k--) {
                        int south = by_north[k];

                        by_north[k] = by_north[k - 1];
                        by_north[k - 1] = south;
                }
}
