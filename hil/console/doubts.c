#include "hil/console/announce.h"

#include "models/vehicle/stability.h"

#define THRUST_TO_WEIGHT_LEAST 1.1

/* The longest plant step that is stable and divides the period; 0: none. */
static double stable_step_us(const struct rig_config *c, double per_s)
{
        for (int64_t n = 1; n <= c->period_ns; n++) {
                int64_t step_ns = c->period_ns / n;

                if (c->period_ns % n == 0 &&
                    (double)step_ns * 1e-9 * per_s <= RK4_REAL_LIMIT)
                        return (double)step_ns * 1e-3;
        }
        return 0.0;
}

static void doubt_decay(FILE *out, const struct rig_config *c, const char *vehicle,
                        const struct decay_rate *rate, const char *what, const char *keys)
{
        double step_s = (double)c->plant_step_ns * 1e-9;

        if (rate->per_s * step_s <= RK4_REAL_LIMIT)
                return;
        fprintf(out,
                "warning: %s: %s decays at %.4g 1/s, by %.3g in a plant step of %.6g us, "
                "and "
                "the integrator is stable up to %g: give plant_step_us %.6g or less, or "
                "change %s\n",
                vehicle, what, rate->per_s, rate->per_s * step_s, step_s * 1e6,
                RK4_REAL_LIMIT, stable_step_us(c, rate->per_s), keys);
}

static void doubt_plant(FILE *out, const struct rig_config *c, const char *vehicle,
                        const struct vehicle_params *p)
{
        static const char *const turns[] = { "its roll rate", "its pitch rate",
                                             "its yaw rate" };
        static const char *const moves[] = { "its speed ahead", "its speed sideways",
                                             "its speed up and down" };
        struct decay_rate rate[DECAYS];

        vehicle_decay_rates(rate, p,
                            atmosphere_density_kgpm3(
                                    &c->world.atmosphere,
                                    world_altitude_m(&c->world, (struct vec3){ 0 })));
        doubt_decay(out, c, vehicle, &rate[DECAY_TURN], turns[rate[DECAY_TURN].axis],
                    "inertia_kgm2 or the airframe's angular_damping_nm_per_radps and "
                    "angular_quadratic_nm_per_radps2");
        doubt_decay(out, c, vehicle, &rate[DECAY_DRAG], moves[rate[DECAY_DRAG].axis],
                    "mass_kg or the airframe's linear_drag_n_per_mps and drag_area_m2");
        doubt_decay(out, c, vehicle, &rate[DECAY_INFLOW], "the air through its rotors",
                    "the rotors' blades");
}

static void doubt_thrust(FILE *out, const struct rig_config *c, const char *vehicle,
                         const struct vehicle_params *p)
{
        double ratio = vehicle_full_thrust_n(p, &c->world) /
                       (p->body.mass_kg * c->world.gravity_mps2);

        if (ratio < THRUST_TO_WEIGHT_LEAST)
                fprintf(out,
                        "warning: %s: thrust to weight is %.3g, below %g it hardly "
                        "climbs: "
                        "mass_kg, the motor's speed_full_rpm and speed_limit_rpm, the "
                        "rotors' thrust\n",
                        vehicle, ratio, THRUST_TO_WEIGHT_LEAST);
}

void print_doubts(FILE *out, const struct rig_config *c)
{
        for (int i = 0; i < c->vehicles; i++) {
                const struct vehicle_config *v = &c->vehicle[i];
                struct vehicle_params p = v->params;

                if (!vehicle_params_prepare(&p, c->plant_step_ns, c->seed, (uint32_t)i))
                        continue;
                doubt_plant(out, c, v->name, &p);
                doubt_thrust(out, c, v->name, &v->params);
        }
}
