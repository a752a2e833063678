/* A vehicle in another's wash: what it does to rotors with and without blade elements, and to a flight. */
#include <stdlib.h>

#include "models/vehicle/presence.h"

#include "tests/models/fc/fc_flight.h"
#include "tests/suites.h"

#define STEP_NS     1000000
#define HOVER_RADPS 169.0

static struct world world;
static struct vehicle_params params;
static struct vehicle upper, lower;
static struct presence presence;
static struct neighbours others;
static const struct motor_command hover = { { 0.352, 0.352, 0.352, 0.352 } };

static void fit_blades(void)
{
        params.blades = (struct blades_params){ .radius_m = 0.18,
                                                .blades = 2,
                                                .chord_m = 0.035,
                                                .pitch_rad = 20.0 * M_PI / 180.0,
                                                .lift_slope = 5.7,
                                                .drag_coefficient = 0.012,
                                                .thrust_factor = 0.91,
                                                .torque_factor = 1.0 };
        params.airframe =
                (struct airframe_params){ .angular_nm_per_radps = { 0.02, 0.02, 0.02 } };
}

static void put_hovering(struct vehicle *v, uint32_t index, struct vec3 pos_ned_m)
{
        vehicle_init(v, &params, &world, 1, index, pos_ned_m, 0.0);
        for (int i = 0; i < 4; i++) {
                v->motor[i].speed_radps = HOVER_RADPS;
                v->inflow_mps[i] = params.blades.radius_m > 0.0 ? 3.1 : 0.0;
        }
}

/* Two of a kind, the lower one so far from below the other. */
static void stack(bool blades, struct vec3 off_m)
{
        world = (struct world){ .gravity_mps2 = 9.81,
                                .atmosphere = { 101325.0, 288.15 } };
        craft_plant(&params, &md4_200);
        params.rotor_radius_m = 0.18;
        if (blades)
                fit_blades();
        ck_assert(vehicle_params_prepare(&params, STEP_NS, 1, 0));
        put_hovering(&upper, 0, (struct vec3){ 0.0, 0.0, -50.0 });
        put_hovering(&lower, 1, vec3_add(upper.body.pos_ned_m, off_m));
        vehicle_presence(&presence, &upper, &params, &world, true);
        others = (struct neighbours){ .count = 1,
                                      .at[0] = { upper.body.pos_ned_m,
                                                 params.shape.radius_m, 0, &presence } };
}

/* Of the lower one, in a period of 1 ms, less what it is alone. */
struct change {
        struct vec3 accel, turn;
};

static struct change change_of(bool blades, struct vec3 off_m)
{
        struct vehicle alone;

        stack(blades, off_m);
        alone = lower;
        for (int n = 0; n < 20; n++) {
                vehicle_step(&lower, &params, &world, &others, &hover, 1);
                vehicle_step(&alone, &params, &world, NULL, &hover, 1);
        }
        return (struct change){
                vec3_sub(lower.body.accel_ned_mps2, alone.body.accel_ned_mps2),
                vec3_sub(lower.body.rate_body_radps, alone.body.rate_body_radps)
        };
}

TEST_EACH(below_another_it_is_pushed_down, 2)
{
        for (double below_m = 0.7; below_m < 8.0; below_m *= 2.0) {
                struct change there = change_of(_i, (struct vec3){ 0.0, 0.0, below_m });

                ck_assert_double_gt(there.accel.z, 0.5);
                /* About the axis the places where a disc's air is looked at are not the same for all four. */
                ck_assert_double_lt(hypot(there.turn.x, there.turn.y), 1e-9);
                ck_assert_double_lt(fabs(there.turn.z), 1e-5);
        }
}

TEST_EACH(left_and_right_are_mirror_images, 2)
{
        const struct vec3 left = { 0.0, -0.5, 1.0 }, right = { 0.0, 0.5, 1.0 };
        struct change a = change_of(_i, left), b = change_of(_i, right);

        /* The rotors' turning senses are mirrored, too: that is left out by comparing what they share. */
        ck_assert_double_eq_tol(a.accel.z, b.accel.z, 1e-3);
        ck_assert_double_eq_tol(a.turn.x, -b.turn.x, 1e-3 * fabs(a.turn.x) + 1e-9);
        /* The side that is under the other's rotors is pushed down: on its right, seen from the left. */
        ck_assert_double_gt(a.turn.x, 1e-3);
}

TEST_EACH(out_of_reach_nothing_changes, 2)
{
        struct vehicle alone;

        stack(_i, (struct vec3){ 0.0, 0.0, -3.0 });
        alone = lower;
        for (int n = 0; n < 20; n++) {
                vehicle_step(&lower, &params, &world, &others, &hover, 1);
                vehicle_step(&alone, &params, &world, NULL, &hover, 1);
        }
        ck_assert_mem_eq(&lower.body, &alone.body, sizeof alone.body);
        ck_assert_mem_eq(lower.inflow_mps, alone.inflow_mps, sizeof alone.inflow_mps);
}

TEST(who_does_not_wash_moves_no_air)
{
        stack(false, (struct vec3){ 0.0, 0.0, 1.0 });
        vehicle_presence(&presence, &upper, &params, &world, false);
        ck_assert_int_eq(presence.wash.jets, 0);
        for (int i = 0; i < 4; i++)
                upper.motor[i].speed_radps = 0.0;
        vehicle_presence(&presence, &upper, &params, &world, true);
        ck_assert_int_eq(presence.wash.jets, 0);
}

static double hover_wash_mps(const struct vehicle_params *p, const struct vehicle *v)
{
        vehicle_presence(&presence, v, p, &world, true);
        ck_assert_int_eq(presence.wash.jets, 4);
        return presence.wash.jet[0].induced_mps;
}

/* sqrt(m g/(2 rho 4 A)), by blade elements within what their fit of the thrust leaves. */
TEST_EACH(in_hover_the_discs_induce_what_carries_the_weight, 2)
{
        double rho, v_mps;

        stack(_i, (struct vec3){ 0.0, 0.0, 1.0 });
        rho = atmosphere_density_kgpm3(&world.atmosphere, 50.0);
        v_mps = sqrt(md4_200.mass_kg * 9.81 / (2.0 * rho * 4.0 * M_PI * 0.18 * 0.18));
        for (int n = 0; n < 300; n++)
                vehicle_step(&upper, &params, &world, NULL, &hover, 1);
        ck_assert_double_eq_tol(hover_wash_mps(&params, &upper), v_mps, 0.05 * v_mps);
}

/* 34 g, rotors of 46 mm whose pitch makes them hover at 1700 rad/s: about a Crazyflie. */
static void make_small(void)
{
        params = (struct vehicle_params){ .rotors = 4, .rotor_radius_m = 0.0231 };
        params.body.mass_kg = 0.034;
        params.body.inertia_kgm2[0][0] = params.body.inertia_kgm2[1][1] = 1.6e-5;
        params.body.inertia_kgm2[2][2] = 2.9e-5;
        params.blades = (struct blades_params){ .radius_m = 0.0231,
                                                .blades = 2,
                                                .chord_m = 0.007,
                                                .pitch_rad = 19.3156 * DEG,
                                                .lift_slope = 5.0,
                                                .drag_coefficient = 0.05,
                                                .thrust_factor = 1.0,
                                                .torque_factor = 1.0 };
        params.airframe.quadratic_area_m2 = (struct vec3){ 0.003, 0.003, 0.004 };
        for (int i = 0; i < 4; i++) {
                double turn_rad = (45.0 + 90.0 * i) * DEG;

                params.motor[i] = (struct motor_params){ .tau_s = 0.03,
                                                         .speed_full_radps = 1700.0,
                                                         .speed_limit_radps = 1700.0 };
                params.rotor[i] =
                        (struct rotor_params){ .pos_body_m = { 0.046 * cos(turn_rad),
                                                               0.046 * sin(turn_rad) },
                                               .spin = i % 2 == 0 ? 1.0 : -1.0,
                                               .inertia_kgm2 = 1e-8,
                                               .air_density_ref_kgpm3 = 1.2 };
        }
        ck_assert(vehicle_params_prepare(&params, STEP_NS / 2, 1, 0));
}

static void put_small(struct vehicle *v, double down_m)
{
        vehicle_init(v, &params, &world, 1, 0, (struct vec3){ 0.0, 0.0, down_m }, 0.0);
        for (int i = 0; i < 4; i++) {
                v->motor[i].speed_radps = 1700.0;
                v->inflow_mps[i] = 4.52;
        }
}

/* Held at rest there while the inflow settles: what it lacks to hover. */
static double force_g(double below_m)
{
        const struct motor_command full = { { 1.0, 1.0, 1.0, 1.0 } };

        put_small(&upper, -50.0);
        put_small(&lower, -50.0 + below_m);
        vehicle_presence(&presence, &upper, &params, &world, true);
        others = (struct neighbours){
                .count = 1, .at[0] = { upper.body.pos_ned_m, 0.1, 0, &presence }
        };
        for (int n = 0; n < 400; n++) {
                struct body_state before = lower.body;

                vehicle_step(&lower, &params, &world, &others, &full, 1);
                before.accel_ned_mps2 = lower.body.accel_ned_mps2;
                lower.body = before;
        }
        return 1e3 * params.body.mass_kg * lower.body.accel_ned_mps2.z / 9.81;
}

/* The table of docs/fleets.md: Neural-Swarm's fig. 3 (Shi et al. 2020) beside it. */
TEST_EACH(between_crazyflies_the_force_is_two_to_four_times_the_measured_mean, 4)
{
        const double here_g[4] = { 24.0, 20.0, 16.0, 14.0 };
        const double measured_g[4] = { 10.0, 8.0, 6.0, 4.0 };
        double g;

        world = (struct world){ .gravity_mps2 = 9.81,
                                .atmosphere = { 101325.0, 288.15 } };
        make_small();
        g = force_g(0.2 + 0.1 * _i);
        ck_assert_double_eq_tol(g, here_g[_i], 1.0);
        ck_assert_double_gt(g, 2.0 * measured_g[_i]);
        ck_assert_double_lt(g, 4.0 * measured_g[_i]);
}

/* The reference flight controller, 3 m below a vehicle that stands in the air as if nailed to it. */
TEST(who_crosses_below_another_sinks_and_recovers)
{
        struct flight *f = calloc(1, sizeof *f);
        struct vehicle_params above;
        double lowest_m = 0.0;

        ck_assert_ptr_nonnull(f);
        flight_init(f, &md4_200, true, 4 * MS, 1, 0.0);
        f->plant.rotor_radius_m = 0.18;
        ck_assert(vehicle_params_prepare(&f->plant, MS / 2, 1, 0));
        above = f->plant;
        vehicle_init(&upper, &above, &f->world, 1, 1, (struct vec3){ 3.0, 0.0, -13.0 },
                     0.0);
        for (int i = 0; i < 4; i++)
                upper.motor[i].speed_radps = HOVER_RADPS;
        vehicle_presence(&presence, &upper, &above, &f->world, true);
        others = (struct neighbours){ .count = 1,
                                      .at[0] = { upper.body.pos_ned_m,
                                                 above.shape.radius_m, 1, &presence } };
        f->others = &others;
        while (flight_s(f) < 45.0) {
                bool crossing = flight_s(f) > 20.0;
                double down_m;

                flight_ask(f, MODE_GOTO, crossing ? 6.0 : 0.0, 0.0, -10.0, 0.0);
                flight_tick(f);
                down_m = f->vehicle.body.pos_ned_m.z + 10.0;
                lowest_m = crossing ? fmax(lowest_m, down_m) : 0.0;
        }
        ck_assert_double_gt(lowest_m, 0.15);
        ck_assert_double_lt(lowest_m, 5.0);
        ck_assert_double_lt(fabs(f->vehicle.body.pos_ned_m.z + 10.0), 0.2);
        ck_assert_double_lt(fabs(f->vehicle.body.pos_ned_m.x - 6.0), 0.5);
        free(f);
}
