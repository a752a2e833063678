/* Vehicles whose mass changes in flight: what stays, what jumps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/rng.h"
#include "models/faults/vehicle_fault.h"
#include "tests/models/md4_200.h"
#include "tests/models/near.h"
#include "tests/suites.h"

#define STEP_NS 1000000

struct flight {
        struct vehicle_params pristine, params;
        struct world world;
        struct vehicle v;
};

/* Nothing but gravity and rotors. */
static struct vehicle_params smooth(void)
{
        struct vehicle_params p = md4_200();

        p.airframe = (struct airframe_params){ { 0.0, 0.0, 0.0 } };
        return p;
}

static void begin(struct flight *f, const struct vehicle_params *p, double speed_radps)
{
        f->pristine = *p;
        f->world = uniform_air();
        put(&f->v, &f->pristine, &f->world, STEP_NS, 100.0, speed_radps);
        f->params = f->pristine;
}

static void tumble(struct flight *f)
{
        f->v.body.q_body_to_ned = quat_from_euler(0.4, -0.7, 2.0);
        f->v.body.rate_body_radps = (struct vec3){ 2.0, -3.0, 1.5 };
        f->v.body.vel_ned_mps = (struct vec3){ 4.0, -1.0, 0.5 };
}

static void load_with(struct flight *f, const struct vehicle_fault *const *fault,
                      int count)
{
        ck_assert(
                vehicle_faults_recompute(&f->params, &f->v, &f->pristine, fault, count));
}

static void load_one(struct flight *f, const struct vehicle_fault *fault)
{
        load_with(f, &fault, 1);
}

static const struct vehicle_fault shift = { .kind = COM_SHIFT,
                                            .shift_m = { 0.03, -0.02, 0.01 } };
static const struct vehicle_fault added = {
        .kind = ADDED_MASS, .load = { "", 0.3, { 0.1, 0.05, 0.08 }, { 0.1, 0.06, 0.04 } }
};

/* A point of the airframe, by its place from the centre of mass. */
static struct vec3 place(const struct body_state *s, struct vec3 arm_m)
{
        return vec3_add(s->pos_ned_m, quat_rotate(s->q_body_to_ned, arm_m));
}

static struct vec3 speed(const struct body_state *s, struct vec3 arm_m)
{
        return vec3_add(
                s->vel_ned_mps,
                quat_rotate(s->q_body_to_ned, vec3_cross(s->rate_body_radps, arm_m)));
}

static void assert_same_points(const struct flight *f, const struct vehicle *before)
{
        const struct vehicle_params *p = &f->params, *was = &f->pristine;
        const struct body_state *now = &f->v.body, *then = &before->body;

        for (int i = 0; i < p->rotors; i++) {
                struct vec3 a = p->rotor[i].pos_body_m, b = was->rotor[i].pos_body_m;

                assert_near(place(now, a), place(then, b), 1e-13);
                assert_near(speed(now, a), speed(then, b), 1e-14);
        }
        for (int i = 0; i < p->contact.points; i++) {
                struct vec3 a = p->contact.point_body_m[i];
                struct vec3 b = was->contact.point_body_m[i];

                assert_near(place(now, a), place(then, b), 1e-13);
                assert_near(speed(now, a), speed(then, b), 1e-14);
        }
}

TEST(a_shift_moves_no_point_of_the_airframe)
{
        struct vehicle_params p = smooth();
        struct vehicle before;
        struct flight f;

        begin(&f, &p, 150.0);
        tumble(&f);
        before = f.v;
        load_one(&f, &shift);
        assert_same_points(&f, &before);
        ck_assert_mem_eq(&f.v.body.rate_body_radps, &before.body.rate_body_radps,
                         sizeof before.body.rate_body_radps);
        assert_near(f.v.body.pos_ned_m, place(&before.body, shift.shift_m), 1e-13);
        ck_assert_double_eq(f.params.body.mass_kg, f.pristine.body.mass_kg);
        load_with(&f, NULL, 0);
        assert_near(f.v.body.pos_ned_m, before.body.pos_ned_m, 1e-13);
        assert_near(f.v.body.vel_ned_mps, before.body.vel_ned_mps, 1e-14);
}

TEST(an_added_mass_moves_no_point_either)
{
        struct vehicle_params p = smooth();
        struct vehicle before;
        struct flight f;

        begin(&f, &p, 150.0);
        tumble(&f);
        before = f.v;
        load_one(&f, &added);
        assert_same_points(&f, &before);
}

/* Every sensor with a place of its own, and the box that regions meet. */
TEST(sensors_stay_where_they_are_in_the_airframe)
{
        struct vehicle_params p = smooth();
        struct vec3 arm = { 0.02, 0.01, -0.05 }, must = vec3_sub(arm, shift.shift_m);
        struct flight f;

        p.sensors.imu.lever_arm_body_m = p.sensors.gps.lever_arm_body_m = arm;
        p.sensors.baro.lever_arm_body_m = p.sensors.flow.lever_arm_body_m = arm;
        p.sensors.sonar.count = 3;
        for (int i = 0; i < 3; i++)
                p.sensors.sonar.unit[i].lever_arm_body_m = arm;
        p.surroundings.box_centre_body_m = arm;
        begin(&f, &p, 0.0);
        load_one(&f, &shift);
        assert_near(f.params.sensors.imu.lever_arm_body_m, must, 1e-16);
        assert_near(f.params.sensors.gps.lever_arm_body_m, must, 1e-16);
        assert_near(f.params.sensors.baro.lever_arm_body_m, must, 1e-16);
        assert_near(f.params.sensors.flow.lever_arm_body_m, must, 1e-16);
        for (int i = 0; i < 3; i++)
                assert_near(f.params.sensors.sonar.unit[i].lever_arm_body_m, must, 1e-16);
        assert_near(f.params.surroundings.box_centre_body_m, must, 1e-16);
        assert_near(f.params.sensors.ins.lever_arm_body_m,
                    vec3_scale(-1.0, shift.shift_m), 1e-16);
}

/* m r^2 with the reduced mass for two points; Steiner for the box. */
TEST(an_added_mass_brings_the_inertia_of_two_bodies)
{
        struct vehicle_params p = smooth();
        const double M = MD4_MASS_KG, m = 0.3, reduced = M * m / (M + m);
        const struct vehicle_fault below = {
                .kind = ADDED_MASS,
                .load = { "", m, { 0.0, 0.0, 0.2 }, { 0.1, 0.06, 0.04 } }
        };
        struct flight f;

        begin(&f, &p, 0.0);
        load_one(&f, &below);
        ck_assert_double_eq_tol(f.params.body.mass_kg, M + m, 1e-15);
        ck_assert_double_eq_tol(f.params.centre_body_m.z, 0.2 * m / (M + m), 1e-16);
        ck_assert_double_eq_tol(f.params.body.inertia_kgm2[0][0],
                                MD4_J_XX + reduced * 0.04 +
                                        m / 12.0 * (0.06 * 0.06 + 0.04 * 0.04),
                                1e-15);
        ck_assert_double_eq_tol(f.params.body.inertia_kgm2[2][2],
                                MD4_J_ZZ + m / 12.0 * (0.1 * 0.1 + 0.06 * 0.06), 1e-15);
        ck_assert(f.params.body.principal);
}

/* Of all parts about the world's origin, before: the body's and the load's own; after: the sum's.
 * Turning of a box is that of the body. */
static struct vec3 angular_momentum(const struct body_params *p,
                                    const struct body_state *s)
{
        struct vec3 own = body_matrix_times(p->inertia_kgm2, s->rate_body_radps);

        return vec3_add(vec3_scale(p->mass_kg, vec3_cross(s->pos_ned_m, s->vel_ned_mps)),
                        quat_rotate(s->q_body_to_ned, own));
}

TEST(momentum_of_body_and_load_together_is_kept)
{
        struct vehicle_params p = smooth();
        const struct load *l = &added.load;
        const struct inertia_part box = { .shape = INERTIA_CUBOID,
                                          .mass_kg = l->mass_kg,
                                          .size_m = { l->size_m.x, l->size_m.y,
                                                      l->size_m.z } };
        struct vec3 own = inertia_of_part(&box);
        struct body_params load = { .mass_kg = l->mass_kg,
                                    .inertia_kgm2 = { { own.x, 0.0, 0.0 },
                                                      { 0.0, own.y, 0.0 },
                                                      { 0.0, 0.0, own.z } } };
        struct body_state beside;
        struct vec3 line, turn;
        struct flight f;

        begin(&f, &p, 0.0);
        tumble(&f);
        beside = f.v.body;
        beside.pos_ned_m = place(&f.v.body, l->at_m);
        beside.vel_ned_mps = speed(&f.v.body, l->at_m);
        line = vec3_axpy(vec3_scale(p.body.mass_kg, f.v.body.vel_ned_mps), l->mass_kg,
                         beside.vel_ned_mps);
        turn = vec3_add(angular_momentum(&p.body, &f.v.body),
                        angular_momentum(&load, &beside));
        load_one(&f, &added);
        assert_near(vec3_scale(f.params.body.mass_kg, f.v.body.vel_ned_mps), line, 1e-14);
        assert_near(angular_momentum(&f.params.body, &f.v.body), turn, 1e-12);
}

TEST(afterwards_free_rotation_keeps_its_angular_momentum)
{
        const struct vehicle_fault *fault[] = { &shift, &added };
        const struct motor_command stopped = { { 0.0 } };
        struct vehicle_params p = smooth();
        struct vec3 spin, start_mps;
        struct flight f;

        begin(&f, &p, 0.0);
        tumble(&f);
        load_with(&f, fault, 2);
        spin = quat_rotate(
                f.v.body.q_body_to_ned,
                body_matrix_times(f.params.body.inertia_kgm2, f.v.body.rate_body_radps));
        start_mps = f.v.body.vel_ned_mps;
        fly(&f.v, &f.params, &f.world, &stopped, 2.0);
        assert_near(quat_rotate(f.v.body.q_body_to_ned,
                                body_matrix_times(f.params.body.inertia_kgm2,
                                                  f.v.body.rate_body_radps)),
                    spin, 1e-9);
        start_mps.z += 2.0 * 9.81;
        assert_near(f.v.body.vel_ned_mps, start_mps, 1e-9);
}

/* Thrust for 1.3 times the mass needs the root of 1.3 times the speed. */
TEST(hover_thrust_scales_with_the_mass)
{
        struct vehicle_params p = smooth();
        const struct vehicle_fault third = {
                .kind = ADDED_MASS, .load = { "", 0.3 * MD4_MASS_KG, { 0.0, 0.0, 0.05 } }
        };
        double hover = sqrt(1.3) * md4_200_hover_radps();
        struct motor_command c = all_at(hover);
        struct flight f;

        p.motor[0].speed_limit_radps = p.motor[1].speed_limit_radps = 300.0;
        p.motor[2].speed_limit_radps = p.motor[3].speed_limit_radps = 300.0;
        begin(&f, &p, hover);
        load_one(&f, &third);
        ck_assert_double_lt(vec3_norm(f.v.body.accel_ned_mps2), 1e-9);
        fly(&f.v, &f.params, &f.world, &c, 5.0);
        ck_assert_double_lt(vec3_norm(f.v.body.vel_ned_mps), 1e-9);
}

/* On the ground, motors off, where contact is not asked again as long as it stays the same. */
TEST(the_ground_carries_a_load_that_is_put_on_a_vehicle_that_stands_still)
{
        struct vehicle_params p = smooth();
        const struct vehicle_fault heavier = { .kind = ADDED_MASS,
                                               .load = { "", 0.3, { 0.0, 0.0, 0.0 } } };
        const struct motor_command stopped = { 0 };
        double carried_n = 0.0;
        struct flight f;

        begin(&f, &p, 0.0);
        f.world.ground_down_m = f.v.body.pos_ned_m.z + MD4_FOOT_M + 0.001;
        fly(&f.v, &f.params, &f.world, &stopped, 3.0);
        ck_assert(f.v.contact.still);
        load_one(&f, &heavier);
        fly(&f.v, &f.params, &f.world, &stopped, 0.1);
        for (int i = 0; i < f.v.contact.touches; i++)
                carried_n += f.v.contact.touch[i].impulse_ns[0] / f.params.step_s;
        ck_assert_double_eq_tol(carried_n, (MD4_MASS_KG + 0.3) * 9.81, 1e-9);
}

static const struct load parcel = {
        "parcel", 0.25, { 0.0, 0.0, 0.06 }, { 0.1, 0.1, 0.05 }
};

static void begin_with_parcel(struct flight *f, double speed_radps)
{
        struct vehicle_params p = smooth();

        ck_assert(loading_put_on(&p, &(const struct load *){ &parcel }, 1));
        begin(f, &p, speed_radps);
}

static const struct vehicle_fault drop = {
        .kind = PAYLOAD_DROP,
        .load = { "parcel", 0.25, { 0.0, 0.0, 0.06 }, { 0.1, 0.1, 0.05 } }
};

TEST(a_drop_jumps_by_the_missing_weight)
{
        double hover = sqrt((1.0 + 0.25 / MD4_MASS_KG)) * md4_200_hover_radps();
        double thrust_n;
        struct flight f;

        begin_with_parcel(&f, hover);
        vehicle_update_acceleration(&f.v, &f.params);
        ck_assert_double_lt(vec3_norm(f.v.body.accel_ned_mps2), 1e-9);
        thrust_n = f.params.body.mass_kg * (f.v.body.accel_ned_mps2.z - 9.81);
        load_one(&f, &drop);
        ck_assert_double_eq_tol(f.v.body.accel_ned_mps2.z, -0.25 * 9.81 / MD4_MASS_KG,
                                1e-9);
        ck_assert_double_eq_tol(f.params.body.mass_kg *
                                        (f.v.body.accel_ned_mps2.z - 9.81),
                                thrust_n, 1e-13);
        ck_assert_double_eq(f.v.body.accel_ned_mps2.x, 0.0);
}

TEST(after_the_drop_it_is_the_vehicle_of_the_file)
{
        struct vehicle_params bare = smooth();
        const struct vehicle_fault *twice[] = { &drop, &drop };
        struct flight f;

        begin_with_parcel(&f, 100.0);
        ck_assert_double_gt(f.pristine.centre_body_m.z, 0.01);
        /* Nothing falls off twice. */
        load_with(&f, twice, 2);
        ck_assert_double_eq_tol(f.params.body.mass_kg, bare.body.mass_kg, 1e-15);
        assert_near(f.params.centre_body_m, (struct vec3){ 0.0, 0.0, 0.0 }, 1e-16);
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        ck_assert_double_eq_tol(f.params.body.inertia_kgm2[i][j],
                                                bare.body.inertia_kgm2[i][j], 1e-16);
        for (int i = 0; i < bare.rotors; i++)
                assert_near(f.params.rotor[i].pos_body_m, bare.rotor[i].pos_body_m,
                            1e-16);
}

static void assert_inertia(const struct body_params *a, const struct body_params *b)
{
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        ck_assert_double_eq_tol(a->inertia_kgm2[i][j],
                                                b->inertia_kgm2[i][j], 1e-15);
}

/* Whichever came first, and however far the shift. */
TEST(a_drop_under_a_shift_leaves_the_shifted_vehicle_of_the_file)
{
        const double way_m[] = { 0.02, -0.02, -0.05, -0.12, 1.0, -10.0 };
        const struct vehicle_params bare = smooth();

        for (size_t i = 0; i < sizeof way_m / sizeof way_m[0]; i++) {
                const struct vehicle_fault slid = { .kind = COM_SHIFT,
                                                    .shift_m = { 0.01, 0.0, way_m[i] } };
                const struct vehicle_fault *list[] = { &slid, &drop, &slid };
                struct flight f;

                for (int first = 0; first < 2; first++) {
                        begin_with_parcel(&f, 100.0);
                        load_one(&f, list[first]);
                        load_with(&f, list + first, 2);
                        assert_near(f.params.centre_body_m, slid.shift_m, 1e-15);
                        assert_inertia(&f.params.body, &bare.body);
                        for (int k = 0; k < bare.rotors; k++)
                                assert_near(vec3_add(f.params.rotor[k].pos_body_m,
                                                     slid.shift_m),
                                            bare.rotor[k].pos_body_m, 1e-14);
                }
                load_one(&f, &drop);
                assert_near(f.params.centre_body_m, (struct vec3){ 0.0, 0.0, 0.0 },
                            1e-15);
        }
}

/* The centre of all that is there moves, by the whole way, and the inertia about it stays. */
TEST(a_shift_moves_whatever_the_vehicle_carries)
{
        const struct vehicle_fault *both[] = { &shift, &added };
        struct flight alone, together;

        begin_with_parcel(&alone, 100.0);
        load_one(&alone, &added);
        begin_with_parcel(&together, 100.0);
        load_with(&together, both, 2);
        assert_near(vec3_sub(together.params.centre_body_m, alone.params.centre_body_m),
                    shift.shift_m, 1e-16);
        assert_inertia(&together.params.body, &alone.params.body);
}

/* The same weight forward on an arm: m g x of moment, nose down. */
TEST(a_shift_forward_lowers_the_nose)
{
        struct vehicle_params p = smooth();
        const struct vehicle_fault forward = { .kind = COM_SHIFT,
                                               .shift_m = { 0.01, 0.0, 0.0 } };
        struct flight f;

        begin(&f, &p, md4_200_hover_radps());
        load_one(&f, &forward);
        ck_assert_double_eq_tol(f.v.body.rate_dot_body_radps2.y,
                                -MD4_MASS_KG * 9.81 * 0.01 / MD4_J_XX, 1e-9);
        ck_assert_double_eq_tol(f.v.body.rate_dot_body_radps2.x, 0.0, 1e-12);
}

/* The air holds the airframe where the file's centre of mass is: with the mass below it, an
 * airflow from ahead turns the nose up. */
TEST(drag_acts_where_it_did)
{
        struct vehicle_params p = md4_200();
        const struct vehicle_fault down = { .kind = COM_SHIFT,
                                            .shift_m = { 0.0, 0.0, 0.05 } };
        struct flight f;

        begin(&f, &p, 0.0);
        f.v.body.vel_ned_mps.x = 3.0;
        load_one(&f, &down);
        ck_assert_double_eq_tol(f.v.body.rate_dot_body_radps2.y,
                                0.05 * 3.0 * MD4_MASS_KG * MD4_DRAG_PER_S / MD4_J_XX,
                                1e-9);
        ck_assert_double_eq_tol(f.v.body.accel_ned_mps2.x, -3.0 * MD4_DRAG_PER_S, 1e-12);
}

TEST(what_no_body_has_is_refused)
{
        struct vehicle_params p = smooth();
        struct vehicle_params before = p;
        const struct vehicle_fault heavier = { .kind = PAYLOAD_DROP,
                                               .load = { "x", 2.0, { 0.0, 0.0, 0.0 } } };
        const struct vehicle_fault wide = { .kind = PAYLOAD_DROP,
                                            .load = { "x", 0.5, { 0.3, 0.0, 0.0 } } };
        struct inertia_sum sum;

        ck_assert(!vehicle_fault_possible(&heavier, &p));
        ck_assert(!vehicle_fault_possible(&wide, &p));
        ck_assert(vehicle_fault_possible(&added, &p));
        ck_assert(vehicle_fault_possible(&shift, &p));
        loading_init(&sum, &p);
        loading_add(&sum, &heavier.load, -1.0);
        ck_assert(!loading_apply(&p, &sum, (struct vec3){ 0.0, 0.0, 0.0 }));
        ck_assert_mem_eq(&p, &before, sizeof p);
}

/* On its feet, it stays on them. */
TEST(on_the_ground_a_load_lifts_and_sinks_nothing)
{
        const struct motor_command stopped = { { 0.0 } };
        struct vehicle_params p = smooth();
        struct vec3 foot;
        struct flight f;

        begin(&f, &p, 0.0);
        f.v.body.pos_ned_m.z = -MD4_FOOT_M;
        fly(&f.v, &f.params, &f.world, &stopped, 1.0);
        foot = place(&f.v.body, f.params.contact.point_body_m[0]);
        load_one(&f, &added);
        fly(&f.v, &f.params, &f.world, &stopped, 1.0);
        assert_near(place(&f.v.body, f.params.contact.point_body_m[0]), foot, 1e-9);
        ck_assert(f.v.contact.touching);
}
