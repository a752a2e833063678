/* Contact with what stands in the world: walls, poles, edges, corners, shells. */
#include <stdlib.h>

#include "tests/models/md4_200.h"
#include "tests/models/world/scene_stage.h"
#include "tests/suites.h"

#define G      9.81
#define HULL_M 0.35

static const struct motor_command stopped;
static const int64_t steps_ns[] = { 100000, 1000000, 5000000 };

static struct stage *stage;
static struct world world;
static struct vehicle_params params;
static struct vehicle vehicle;

/* Gravity off; what stands there is surface 0. */
static void setup(void)
{
        stage = calloc(1, sizeof *stage);
        ck_assert_ptr_nonnull(stage);
        world = calm_world();
        world.gravity_mps2 = 0.0;
        world.ground_down_m = 100.0;
        params = md4_200();
        params.airframe =
                (struct airframe_params){ .quadratic_area_m2 = { 0.0, 0.0, 0.0 } };
}

static void teardown(void)
{
        free(stage);
}

FIXTURE(setup, teardown)

static void made_of(double friction, double restitution)
{
        stage->surface[0].friction = friction;
        stage->surface[0].restitution = restitution;
}

/* A ball about the centre of mass that holds everything. */
static void with_hull(double radius_m)
{
        params.contact = (struct contact_params){ .points = 1, .radius_m = { radius_m } };
}

static void start(int64_t step_ns, struct vec3 pos, struct vec3 vel)
{
        world.scene = stage_build(stage);
        put(&vehicle, &params, &world, step_ns, -pos.z, 0.0);
        vehicle.body.pos_ned_m = pos;
        vehicle.body.vel_ned_mps = vel;
}

static void run(double duration_s)
{
        fly(&vehicle, &params, &world, &stopped, duration_s);
}

static double kinetic_j(void)
{
        struct vec3 rate = vehicle.body.rate_body_radps, vel = vehicle.body.vel_ned_mps;

        return 0.5 * params.body.mass_kg * vec3_dot(vel, vel) +
               0.5 * vec3_dot(rate, body_matrix_times(params.body.inertia_kgm2, rate));
}

static double energy_j(void)
{
        return kinetic_j() -
               params.body.mass_kg * world.gravity_mps2 * vehicle.body.pos_ned_m.z;
}

TEST_EACH(at_a_wall_the_share_e_of_the_speed_comes_back, 5)
{
        const double e = 0.25 * _i;

        with_hull(HULL_M);
        made_of(0.5, e);
        stage_box(stage, ned(3.0, 0.0, 0.0), ned(0.1, 5.0, 5.0));
        start(1000000, ned(0.0, 0.0, 0.0), ned(5.0, 0.0, 0.0));
        while (!vehicle.contact.touching) {
                run(0.001);
                ck_assert_double_lt(vehicle.body.pos_ned_m.x, 2.9 - HULL_M + 1e-9);
        }
        ck_assert_double_eq_tol(vehicle.contact.impact_mps, 5.0, 1e-9);
        ck_assert_int_eq(vehicle.contact.obstacle, 0);
        ck_assert_double_eq_tol(vehicle.body.vel_ned_mps.x, -5.0 * e, 1e-9);
        ck_assert_double_eq_tol(vec3_norm(vehicle.body.rate_body_radps), 0.0, 1e-9);
}

TEST(a_pole_between_two_rotors_stops_the_hull)
{
        with_hull(HULL_M);
        made_of(0.5, 0.0);
        stage_box(stage, ned(50.0, 0.0, 0.0), ned(1.0, 1.0, 1.0));
        stage_add(stage, (struct solid){ .shape = SOLID_CYLINDER,
                                         .pos_ned_m = { 2.0, 2.0, 0.0 },
                                         .axes_to_ned = upright,
                                         .size_m = { 0.02, 0.0, 3.0 } });
        start(1000000, ned(0.0, 0.0, 0.0), ned(3.0, 3.0, 0.0));
        while (!vehicle.contact.touching)
                run(0.001);
        ck_assert_int_eq(vehicle.contact.obstacle, 1);
        run(3.0);
        ck_assert_double_eq_tol(
                vec3_norm(vec3_sub(vehicle.body.pos_ned_m, ned(2.0, 2.0, 0.0))),
                HULL_M + 0.02, 1e-6);
        ck_assert_double_lt(vec3_norm(vehicle.body.vel_ned_mps), 1e-6);
}

TEST(in_a_corner_of_three_walls_all_of_the_motion_stops)
{
        with_hull(HULL_M);
        made_of(0.3, 0.0);
        stage_box(stage, ned(3.0, 0.0, 0.0), ned(1.0, 5.0, 5.0));
        stage_box(stage, ned(0.0, 3.0, 0.0), ned(5.0, 1.0, 5.0));
        stage_box(stage, ned(0.0, 0.0, 3.0), ned(5.0, 5.0, 1.0));
        start(1000000, ned(0.0, 0.0, 0.0), ned(4.0, 3.0, 2.0));
        run(5.0);
        /* Friction may stop it on its way along a wall. */
        ck_assert_double_le(vehicle.body.pos_ned_m.x, 2.0 - HULL_M + 1e-9);
        ck_assert_double_le(vehicle.body.pos_ned_m.y, 2.0 - HULL_M + 1e-9);
        ck_assert_double_le(vehicle.body.pos_ned_m.z, 2.0 - HULL_M + 1e-9);
        made_of(0.0, 0.0);
        start(1000000, ned(0.0, 0.0, 0.0), ned(4.0, 3.0, 2.0));
        run(5.0);
        ck_assert_double_lt(vec3_norm(vehicle.body.vel_ned_mps), 1e-9);
        ck_assert_double_eq_tol(vehicle.body.pos_ned_m.x, 2.0 - HULL_M, 1e-9);
        ck_assert_double_eq_tol(vehicle.body.pos_ned_m.y, 2.0 - HULL_M, 1e-9);
        ck_assert_double_eq_tol(vehicle.body.pos_ned_m.z, 2.0 - HULL_M, 1e-9);
}

/* Sliding friction takes mu times the normal impulse, and no more. */
TEST(along_a_wall_friction_takes_its_share)
{
        const double mu = 0.2;

        with_hull(HULL_M);
        made_of(mu, 0.0);
        stage_box(stage, ned(3.0, 0.0, 0.0), ned(1.0, 50.0, 5.0));
        start(1000000, ned(1.5, 0.0, 0.0), ned(1.0, 4.0, 0.0));
        run(1.0);
        ck_assert_double_eq_tol(vehicle.body.vel_ned_mps.x, 0.0, 1e-9);
        ck_assert_double_eq_tol(vehicle.body.vel_ned_mps.y, 4.0 - mu * 1.0, 1e-9);
        /* The same impulse turns it: J w = mu m v r. */
        ck_assert_double_eq_tol(vec3_norm(vehicle.body.rate_body_radps),
                                mu * 1.0 * MD4_MASS_KG * HULL_M / MD4_J_ZZ, 1e-9);
}

/* Of triangles: a room that must hold what flies in it. */
static void room(double half)
{
        struct vec3 c[8];

        for (int i = 0; i < 8; i++)
                c[i] = ned(i & 1 ? half : -half, i & 2 ? half : -half,
                           i & 4 ? half : -half);
        stage_quad(stage, c[0], c[1], c[3], c[2]);
        stage_quad(stage, c[4], c[5], c[7], c[6]);
        stage_quad(stage, c[0], c[1], c[5], c[4]);
        stage_quad(stage, c[2], c[3], c[7], c[6]);
        stage_quad(stage, c[0], c[2], c[6], c[4]);
        stage_quad(stage, c[1], c[3], c[7], c[5]);
}

TEST_EACH(a_ball_at_20_mps_does_not_leave_a_room_of_triangles, 10)
{
        struct rng rng;

        with_hull(0.05);
        made_of(0.0, 1.0);
        room(1.0);
        rng_init(&rng, (uint64_t)_i, 0, 0, 0);
        start(1000000, somewhere(&rng, 0.9), vec3_scale(20.0, any_direction(&rng)));
        for (int n = 0; n < DRAWN(5000); n++) {
                run(0.001);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.x), 0.95 + 1e-6);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.y), 0.95 + 1e-6);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.z), 0.95 + 1e-6);
                ck_assert_double_eq_tol(vec3_norm(vehicle.body.vel_ned_mps), 20.0, 1e-6);
        }
}

/* Even a point, though it has no size: with a step that takes it 20 cm. */
TEST_EACH(a_point_does_not_leave_a_room_of_triangles_either, 10)
{
        struct rng rng;

        params.contact = (struct contact_params){ .points = 1 };
        made_of(0.0, 1.0);
        room(1.0);
        rng_init(&rng, (uint64_t)_i, 0, 0, 0);
        start(10000000, somewhere(&rng, 0.9), vec3_scale(20.0, any_direction(&rng)));
        for (int n = 0; n < DRAWN(5000); n++) {
                run(0.01);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.x), 1.0);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.y), 1.0);
                ck_assert_double_le(fabs(vehicle.body.pos_ned_m.z), 1.0);
        }
}

/* A hilly field, of triangles of a quarter of a metre. */
static void field(void)
{
        const double size = 0.25;

        for (int i = -8; i < 8; i++) {
                for (int k = -8; k < 8; k++) {
                        struct vec3 c[4];

                        for (int q = 0; q < 4; q++) {
                                double n = size * (i + (q == 1 || q == 2));
                                double e = size * (k + (q >= 2));

                                c[q] = ned(n, e, 0.1 * sin(1.7 * n) * cos(1.3 * e));
                        }
                        stage_quad(stage, c[0], c[1], c[2], c[3]);
                }
        }
}

static void expect_still(double seconds)
{
        struct body_state settled = vehicle.body;

        run(seconds);
        ck_assert(vehicle.contact.touching);
        ck_assert_double_lt(vec3_norm(vehicle.body.vel_ned_mps), 1e-6);
        ck_assert_double_lt(vec3_norm(vehicle.body.rate_body_radps), 1e-6);
        ck_assert_double_lt(
                vec3_norm(vec3_sub(vehicle.body.pos_ned_m, settled.pos_ned_m)), 1e-6);
}

TEST_EACH(dropped_onto_a_field_of_triangles_it_comes_to_rest_on_its_feet, 3)
{
        made_of(0.8, 0.0);
        field();
        world.gravity_mps2 = G;
        start(steps_ns[_i], ned(0.1, 0.2, -1.5), ned(0.3, 0.1, 0.0));
        run(8.0);
        ck_assert_double_lt(fabs(vehicle.body.pos_ned_m.z + MD4_FOOT_M), 0.12);
        ck_assert_int_ge(vehicle.contact.touches, 3);
        expect_still(20.0);
}

TEST_EACH(on_a_step_with_two_feet_it_rests, 3)
{
        made_of(0.8, 0.0);
        world.gravity_mps2 = G;
        world.ground_down_m = 0.0;
        world.ground.friction = 0.8;
        stage_box(stage, ned(2.0, 0.0, -0.02), ned(2.0, 2.0, 0.02));
        start(steps_ns[_i], ned(0.0, 0.0, -0.25), ned(0.0, 0.0, 0.0));
        run(6.0);
        /* Two feet are 4 cm higher than the others, 30 cm away. */
        ck_assert_double_eq_tol(quat_to_euler(vehicle.body.q_body_to_ned).y,
                                asin(0.04 / 0.30), 0.02);
        expect_still(20.0);
}

TEST(over_the_edge_of_a_platform_it_topples_and_comes_to_rest_below)
{
        made_of(0.6, 0.0);
        world.gravity_mps2 = G;
        world.ground_down_m = 0.0;
        stage_box(stage, ned(2.0, 0.0, -0.25), ned(2.0, 2.0, 0.25));
        start(1000000, ned(-0.03, 0.0, -1.0), ned(0.0, 0.0, 0.0));
        run(12.0);
        ck_assert_double_gt(vehicle.body.pos_ned_m.z, -0.5);
        expect_still(5.0);
}

TEST_EACH(on_a_slope_friction_holds_as_far_as_its_cone, 3)
{
        const double slope = 20.0 * M_PI / 180.0, mu = 0.3 + 0.15 * _i;
        double slides_mps2 = G * (sin(slope) - mu * cos(slope));
        struct vec3 at;

        made_of(mu, 0.0);
        world.gravity_mps2 = G;
        for (int i = 0; i < 4; i++)
                params.contact.point_body_m[i].z = 0.02;
        stage_add(stage, (struct solid){ .shape = SOLID_BOX,
                                         .axes_to_ned = quat_to_mat3(
                                                 quat_from_euler(0.0, slope, 0.0)),
                                         .size_m = { 50.0, 50.0, 1.0 } });
        at = vec3_scale(-1.0225,
                        mat3_times(stage->solid[0].axes_to_ned, ned(0.0, 0.0, 1.0)));
        start(1000000, at, ned(0.0, 0.0, 0.0));
        vehicle.body.q_body_to_ned = quat_from_euler(0.0, slope, 0.0);
        run(2.0);
        if (slides_mps2 > 0.0)
                ck_assert_double_eq_tol(vec3_norm(vehicle.body.vel_ned_mps),
                                        2.0 * slides_mps2, 0.02);
        else
                expect_still(10.0);
}

static void clutter(struct rng *rng)
{
        for (int i = 0; i < 150; i++)
                stage_add(stage, any_solid(rng, (enum solid_shape)(i % 4), 2.0, 0.6));
        for (int i = 0; i < stage->solids; i++)
                stage->solid[i].surface = i % 2;
}

TEST(whatever_it_hits_the_impulses_add_no_energy)
{
        struct body_state before;
        struct rng rng;
        int touched = 0;

        rng_init(&rng, 11, 0, 0, 0);
        made_of(0.7, 0.0);
        stage->surface[1].friction = 2.0;
        params.contact.points = 9;
        params.contact.radius_m[8] = 0.2;
        clutter(&rng);
        start(1000000, ned(0.0, 0.0, 0.0), ned(0.0, 0.0, 0.0));
        for (int n = 0; n < DRAWN(4000); n++) {
                double before_j;

                vehicle.body.pos_ned_m = somewhere(&rng, 2.0);
                vehicle.body.vel_ned_mps = somewhere(&rng, 5.0);
                vehicle.body.rate_body_radps = somewhere(&rng, 6.0);
                vehicle.body.q_body_to_ned = quat_from_euler(
                        between(&rng, -3.0, 3.0), 0.4, between(&rng, -3.0, 3.0));
                before = vehicle.body;
                vehicle.contact = (struct contact){ 0 };
                before_j = kinetic_j();
                contact_step(&vehicle.contact, &params.contact, &params.body, &world,
                             &before, &vehicle.body, 0.001);
                ck_assert_double_le(kinetic_j(), before_j * (1.0 + 1e-12));
                touched += vehicle.contact.touching;
        }
        ck_assert_int_gt(touched, DRAWN(1000));
}

/* But for what lifts it out where turning or two solids at once carried it in. */
TEST_EACH(falling_through_clutter_it_gains_no_energy, 3)
{
        const double weight_n = params.body.mass_kg * G;
        const double dt_s = (double)steps_ns[_i] * 1e-9;
        struct rng rng;

        rng_init(&rng, 12, 0, 0, 0);
        made_of(0.4, 0.0);
        stage->surface[1].friction = 0.8;
        world.gravity_mps2 = G;
        params.contact.points = 9;
        params.contact.radius_m[8] = 0.1;
        clutter(&rng);
        for (int n = 0; n < DRAWN(20); n++) {
                double gained_j = 0.0;

                start(steps_ns[_i], ned(0.2 * n - 2.0, 0.1, -3.5), ned(0.0, 0.0, 0.0));
                vehicle.body.rate_body_radps = somewhere(&rng, 3.0);
                while (vehicle.t_ns < 2000000000) {
                        double before_j = energy_j();

                        vehicle_move(&vehicle, &params, &world, &stopped);
                        if (vehicle.contact.touching)
                                gained_j += fmax(0.0, energy_j() - before_j);
                }
                /* Of a fall through some metres. */
                ck_assert_double_lt(gained_j, weight_n * (dt_s > 1e-3 ? 0.1 : 0.002));
        }
}

TEST(what_cannot_be_touched_does_not_touch)
{
        struct contact_free room_left = { 0 };
        struct rng rng;
        struct vec3 pos = ned(-4.0, 0.0, 0.0);
        int skipped = 0, asked = 0;

        rng_init(&rng, 13, 0, 0, 0);
        clutter(&rng);
        contact_params_prepare(&params.contact);
        start(1000000, pos, ned(0.0, 0.0, 0.0));
        for (int n = 0; n < 20000; n++) {
                struct vec3 centre = room_left.centre_ned_m, from = pos;
                bool possible;

                pos = vec3_add(pos, somewhere(&rng, 0.03));
                possible =
                        contact_possible(&room_left, &params.contact, &world, from, pos);
                asked += vec3_norm(vec3_sub(centre, room_left.centre_ned_m)) > 0.0;
                skipped += !possible;
                if (!possible)
                        ck_assert_double_gt(world_free_m(&world, pos, 9.0),
                                            params.contact.reach_m);
        }
        ck_assert_int_gt(skipped, 2000);
        ck_assert_int_lt(asked, 5000);
}
