/* Two routes to the md4-200's drag and damping: the numbers of its file, and the blade elements of
 * md4_200_blades.json, for hubs that move at 1 m/s about hover; and what follows from them in flight. */
#include <stdlib.h>

#include "hil/config/config.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define STEP_NS   1000000
#define HUB_MPS   1.0
#define HOVER_RHO 1.2 /* where the blades' thrust factor was fitted */
#define GRAVITY   9.81

static struct vehicle_params lumped, blades;
static struct rig_config rig;

static struct vehicle_params read_vehicle(const char *path)
{
        const struct config_overrides none = { 0 };
        struct config_error why = { .text = "" };
        struct vehicle_params p;

        ck_assert_msg(config_read(&rig, path, &none, NULL, &why), "%s", why.text);
        p = rig.vehicle[0].params;
        /* Neither the battery's voltage nor the command's steps are in the way of a trim. */
        p.battery = (struct battery_params){ 0 };
        for (int i = 0; i < p.rotors; i++)
                p.motor[i].steps = 0;
        config_free(&rig);
        return p;
}

static void read_both(void)
{
        lumped = read_vehicle("rig_configs/rigs/lockstep.json");
        blades = read_vehicle("rig_configs/rigs/md4_200_blades.json");
        blades_params_prepare(&blades.blades);
}

FIXTURE(read_both, NULL)

struct loads {
        struct vec3 force_n, torque_nm;
};

/* Of all rotors, whose inflow has settled, while the vehicle moves so through the air. */
static struct loads rotor_loads(double speed_radps, struct vec3 vel, struct vec3 rate)
{
        struct loads sum = { 0 };

        for (int i = 0; i < blades.rotors; i++) {
                struct vec3 hub = blades.rotor[i].pos_body_m;
                struct vec3 air = vec3_add(vel, vec3_cross(rate, hub));
                double inflow = blades_steady_inflow_mps(&blades.blades, speed_radps, air,
                                                         HOVER_RHO);
                struct blades_forces f;

                blades_derive(&f, &blades.blades, speed_radps, blades.rotor[i].spin, air,
                              inflow, 1.0, HOVER_RHO);
                sum.force_n = vec3_add(sum.force_n, f.force_body_n);
                sum.torque_nm = vec3_add(
                        sum.torque_nm,
                        vec3_add(f.torque_body_nm, vec3_cross(hub, f.force_body_n)));
        }
        return sum;
}

/* By bisection: thrust grows with the speed. */
static double blades_hover_radps(void)
{
        double low = 50.0, high = 400.0, weight = blades.body.mass_kg * GRAVITY;

        for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (low + high);
                struct loads l =
                        rotor_loads(middle, (struct vec3){ 0 }, (struct vec3){ 0 });

                *(-l.force_n.z < weight ? &low : &high) = middle;
        }
        return low;
}

TEST(drag_and_damping_are_the_rotors)
{
        const struct airframe_params *a = &lumped.airframe;
        const double speed = blades_hover_radps(), arm = blades.rotor[0].pos_body_m.x;
        const struct vec3 still = { 0 };
        struct loads slide = rotor_loads(speed, (struct vec3){ HUB_MPS, 0, 0 }, still);
        struct loads climb = rotor_loads(speed, (struct vec3){ 0, 0, -HUB_MPS }, still);
        struct loads sink = rotor_loads(speed, (struct vec3){ 0, 0, HUB_MPS }, still);
        struct loads turn =
                rotor_loads(speed, still, (struct vec3){ 0, 0, HUB_MPS / arm });
        struct loads roll =
                rotor_loads(speed, still, (struct vec3){ HUB_MPS / arm, 0, 0 });
        double heave = (climb.force_n.z - sink.force_n.z) / (2.0 * HUB_MPS);

        ck_assert_double_eq_tol(a->linear_n_per_mps.x, -slide.force_n.x / HUB_MPS, 0.001);
        ck_assert_double_eq(a->linear_n_per_mps.y, a->linear_n_per_mps.x);
        ck_assert_double_eq_tol(a->linear_n_per_mps.z, heave, 0.005);
        ck_assert_double_eq_tol(a->angular_nm_per_radps.x,
                                -roll.torque_nm.x * arm / HUB_MPS, 0.0002);
        ck_assert_double_eq(a->angular_nm_per_radps.y, a->angular_nm_per_radps.x);
        ck_assert_double_eq_tol(a->angular_nm_per_radps.z,
                                -turn.torque_nm.z * arm / HUB_MPS, 0.0001);
}

static double hover_radps(const struct vehicle_params *p)
{
        if (p->blades.radius_m > 0.0)
                return blades_hover_radps();
        return sqrt(p->body.mass_kg * GRAVITY * p->rotor[0].air_density_ref_kgpm3 /
                    (4.0 * HOVER_RHO * p->rotor[0].thrust_n_per_radps2));
}

static struct world air_of_hover(void)
{
        struct world w = uniform_air();

        w.gravity_mps2 = GRAVITY;
        w.atmosphere.sea_level_pressure_pa *=
                HOVER_RHO / atmosphere_density_kgpm3(&w.atmosphere, 0.0);
        return w;
}

static void put_hovering(struct vehicle *v, struct vehicle_params *p,
                         const struct world *w)
{
        double speed = hover_radps(p);

        put(v, p, w, STEP_NS, 1000.0, speed);
        for (int i = 0; i < p->rotors && p->blades.radius_m > 0.0; i++)
                v->inflow_mps[i] = blades_steady_inflow_mps(
                        &p->blades, speed, (struct vec3){ 0 }, HOVER_RHO);
}

TEST(both_hover_at_nearly_one_rotor_speed)
{
        struct world w = air_of_hover();

        ck_assert_double_eq_tol(hover_radps(&lumped) / hover_radps(&blades), 1.0, 0.03);
        for (int k = 0; k < 2; k++) {
                struct vehicle_params *p = k ? &blades : &lumped;
                struct motor_command c = all_at(hover_radps(p));
                struct vehicle v;

                put_hovering(&v, p, &w);
                fly(&v, p, &w, &c, 2.0);
                ck_assert_double_lt(vec3_norm(v.body.vel_ned_mps), 0.01);
                ck_assert_double_lt(vec3_norm(v.body.rate_body_radps), 1e-9);
        }
}

/* Of linear v + quadratic v^2 = force. */
static double speed_at(double linear, double quadratic, double force_n)
{
        return (sqrt(linear * linear + 4.0 * quadratic * force_n) - linear) /
               (2.0 * quadratic);
}

static struct vec3 terminal_speed(struct vehicle_params *p, double tilt_rad)
{
        struct world w = air_of_hover();
        struct motor_command c = all_at(hover_radps(p) / sqrt(cos(tilt_rad)));
        struct vehicle v;

        put_hovering(&v, p, &w);
        v.body.q_body_to_ned = quat_from_euler(0.0, -tilt_rad, 0.0);
        fly(&v, p, &w, &c, 60.0);
        ck_assert_double_lt(vec3_norm(v.body.rate_body_radps), 1e-9);
        return quat_rotate_inverse(v.body.q_body_to_ned, v.body.vel_ned_mps);
}

TEST(tilted_it_ends_at_the_speed_that_its_drag_allows)
{
        const struct airframe_params *a = &lumped.airframe;
        const double tilts_deg[] = { 5.0, 15.0, 36.0 };
        double weight = lumped.body.mass_kg * GRAVITY;

        for (int i = 0; i < 3; i++) {
                double tilt = tilts_deg[i] * M_PI / 180.0;
                double expected = speed_at(a->linear_n_per_mps.x,
                                           0.5 * HOVER_RHO * a->quadratic_area_m2.x,
                                           weight * sin(tilt));

                ck_assert_double_eq_tol(terminal_speed(&lumped, tilt).x, expected, 1e-3);
                /* Blades in fast flight: more through the disk, so more drag. */
                ck_assert_double_gt(expected, terminal_speed(&blades, tilt).x);
                ck_assert_double_lt(expected, 1.3 * terminal_speed(&blades, tilt).x);
        }
}

/* Turn rate, its front motor lost at 0 s. */
static double rate_without_a_motor(struct vehicle_params *p, double at_s)
{
        struct world w = air_of_hover();
        struct motor_command c = all_at(hover_radps(p));
        struct vehicle v;

        put_hovering(&v, p, &w);
        c.duty[0] = 0.0;
        fly(&v, p, &w, &c, at_s);
        return vec3_norm(v.body.rate_body_radps);
}

TEST(a_lost_motor_tumbles_it_as_blade_elements_do)
{
        for (int tenth = 1; tenth <= 10; tenth++) {
                double ratio = rate_without_a_motor(&lumped, 0.1 * tenth) /
                               rate_without_a_motor(&blades, 0.1 * tenth);

                ck_assert_double_eq_tol(ratio, 1.0, tenth <= 3 ? 0.06 : 0.2);
        }
        ck_assert_double_gt(rate_without_a_motor(&lumped, 1.0), 4.0 * M_PI);
}
