/* That the limits told are those of the integrator: a little below them what is disturbed comes to rest, a little
 * above it grows. */
#include <math.h>
#include <stdlib.h>

#include "hil/config/config.h"
#include "models/vehicle/stability.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define STEP_NS 1000000
#define STEPS   60

static const struct motor_command stopped;
static const double sea_level_kgpm3 = 1.225;

static void find_rates(struct decay_rate rate[DECAYS], struct vehicle_params *p,
                       int64_t step_ns)
{
        ck_assert(vehicle_params_prepare(p, step_ns, 1, 0));
        vehicle_decay_rates(rate, p, sea_level_kgpm3);
}

/* By how much a disturbance of 0.1 grows, the vehicle falling with its motors off. */
static double growth(const struct vehicle_params *p, bool turning)
{
        struct world w = uniform_air();
        struct vehicle v;

        vehicle_init(&v, p, &w, 1, 0, (struct vec3){ 0, 0, -1000 }, 0.0);
        if (turning)
                v.body.rate_body_radps.x = 0.1;
        else
                v.body.vel_ned_mps.x = 0.1;
        for (int i = 0; i < STEPS; i++)
                vehicle_move(&v, p, &w, &stopped);
        return fabs(turning ? v.body.rate_body_radps.x : v.body.vel_ned_mps.x) / 0.1;
}

TEST(a_turn_is_stable_up_to_the_limit_and_no_further)
{
        for (int i = 0; i < 2; i++) {
                double share = i == 0 ? 0.97 : 1.03;
                struct vehicle_params p = md4_200();
                double j = MD4_B_OMEGA * STEP_NS * 1e-9 / (share * RK4_REAL_LIMIT);
                struct decay_rate rate[DECAYS];

                p.body.as_identified = true;
                p.body.inertia_kgm2[0][0] = j;
                p.body.inertia_kgm2[1][1] = 1.01 * j;
                find_rates(rate, &p, STEP_NS);
                ck_assert_int_eq(rate[DECAY_TURN].axis, 0);
                ck_assert_double_eq_tol(rate[DECAY_TURN].per_s * STEP_NS * 1e-9,
                                        share * RK4_REAL_LIMIT, 1e-6);
                ck_assert(i == 0 ? growth(&p, true) < 0.1 : growth(&p, true) > 10.0);
        }
}

TEST(drag_is_stable_up_to_the_limit_and_no_further)
{
        for (int i = 0; i < 2; i++) {
                double share = i == 0 ? 0.97 : 1.03;
                struct vehicle_params p = md4_200();
                struct decay_rate rate[DECAYS];

                p.airframe.linear_n_per_mps.x =
                        share * RK4_REAL_LIMIT * MD4_MASS_KG / (STEP_NS * 1e-9);
                find_rates(rate, &p, STEP_NS);
                ck_assert_int_eq(rate[DECAY_DRAG].axis, 0);
                ck_assert_double_eq_tol(rate[DECAY_DRAG].per_s * STEP_NS * 1e-9,
                                        share * RK4_REAL_LIMIT, 1e-6);
                ck_assert(i == 0 ? growth(&p, false) < 0.1 : growth(&p, false) > 10.0);
        }
}

/* Of a body that falls at the speed at which its drag carries it and holds the rotors' thrust besides. */
TEST(quadratic_drag_is_judged_at_the_fastest_fall)
{
        struct vehicle_params p = md4_200();
        struct decay_rate rate[DECAYS];
        double area_m2 = 0.05, load_n = MD4_MASS_KG * 9.80665, fall_mps;

        p.airframe.linear_n_per_mps = (struct vec3){ 0 };
        p.airframe.quadratic_area_m2.z = area_m2;
        for (int i = 0; i < 4; i++)
                p.rotor[i].thrust_n_per_radps2 = 0.0;
        find_rates(rate, &p, STEP_NS);
        fall_mps = sqrt(load_n / (0.5 * sea_level_kgpm3 * area_m2));
        ck_assert_int_eq(rate[DECAY_DRAG].axis, 2);
        ck_assert_double_eq_tol(rate[DECAY_DRAG].per_s,
                                sea_level_kgpm3 * area_m2 * fall_mps / MD4_MASS_KG, 1e-9);
}

/* In a jig, weightless and too heavy to be moved within a step, at full speed: how far the induced velocity is from its rest after a disturbance of 1 mm/s. */
static double inflow_growth(const struct vehicle_params *p, const struct world *w)
{
        struct motor_command full = { { 1.0, 1.0, 1.0, 1.0 } };
        double speed = motor_target_radps(&p->motor[0], 1.0, 1.0);
        double rest =
                blades_steady_inflow_mps(&p->blades, speed, (struct vec3){ 0 }, 1.0);
        struct vehicle v;

        vehicle_init(&v, p, w, 1, 0, (struct vec3){ 0, 0, -1000 }, 0.0);
        vehicle_hold(&v, (struct quat){ 1, 0, 0, 0 });
        v.speed_ratio = 1.0;
        v.around.surface_down_m = (double)INFINITY;
        v.body.gravity_mps2 = 0.0;
        for (int i = 0; i < 4; i++) {
                v.motor[i].speed_radps = speed;
                v.inflow_mps[i] = rest + 1e-3;
        }
        for (int i = 0; i < STEPS; i++)
                vehicle_move(&v, p, w, &full);
        return fabs(v.inflow_mps[0] - rest) / 1e-3;
}

TEST(the_air_through_the_rotors_is_stable_up_to_the_limit_and_no_further)
{
        const struct config_overrides none = { 0 };
        static struct rig_config config;
        struct decay_rate rate[DECAYS];
        struct config_error why;
        char *resolved;

        ck_assert_msg(config_read(&config, "rig_configs/rigs/md4_200_blades.json", &none,
                                  &resolved, &why),
                      "%s", why.text);
        free(resolved);
        find_rates(rate, &config.vehicle[0].params, STEP_NS);
        ck_assert_double_gt(rate[DECAY_INFLOW].per_s, 0.0);
        for (int i = 0; i < 2; i++) {
                struct vehicle_params p = config.vehicle[0].params;
                double step_s =
                        (i == 0 ? 0.95 : 1.1) * RK4_REAL_LIMIT / rate[DECAY_INFLOW].per_s;

                p.body.mass_kg = 1e9;
                ck_assert(vehicle_params_prepare(&p, (int64_t)(step_s * 1e9), 1, 0));
                ck_assert(i == 0 ? inflow_growth(&p, &config.world) < 0.5
                                 : inflow_growth(&p, &config.world) > 2.0);
        }
        config_free(&config);
}
