#include <math.h>
#include <stdlib.h>

#include "models/plant/rotor.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define SPEED_RADPS 150.0

static const struct vec3 still;

/* Force through and torque about the centre of mass, body frame. */
struct wrench {
        struct vec3 force_body_n;
        struct vec3 torque_body_nm;
};

/* Force and torque of rotor i turning alone, at the density where its factors hold. */
static struct wrench of_rotor(int i, double speed_radps, double density_ratio)
{
        struct vehicle_params p = md4_200();
        const struct rotor_params *r = &p.rotor[i];
        struct rotor_gain gain = rotor_gain(r, MD4_TAU_S, 1.0 / MD4_MASS_KG);
        struct rotor_load load = rotor_load(&gain, &speed_radps, 1);
        double rho = density_ratio * r->air_density_ref_kgpm3;
        /* What keeps the speed as it is. */
        double drive_nm = load.speed[1];

        return (struct wrench){
                .force_body_n = { 0.0, 0.0, MD4_MASS_KG * rho * load.square[0] },
                .torque_body_nm = rotor_torque(&load, drive_nm, still, rho, rho),
        };
}

/* Gruber 3.9, columns front, right, back, left. Its pitch row is printed for the nose
 * going down; r x F and 3.15 have it going up. */
TEST_EACH(forces_and_torques_have_the_signs_of_the_thesis_matrix, 4)
{
        const double roll[4] = { 0.0, -1.0, 0.0, 1.0 };
        const double pitch[4] = { 1.0, 0.0, -1.0, 0.0 };
        const double yaw[4] = { -1.0, 1.0, -1.0, 1.0 };
        const double thrust = MD4_T_F * SPEED_RADPS * SPEED_RADPS;
        const double drag = MD4_Q_F * SPEED_RADPS * SPEED_RADPS;
        struct wrench w = of_rotor(_i, SPEED_RADPS, 1.0);

        ck_assert_double_eq(w.force_body_n.x, 0.0);
        ck_assert_double_eq(w.force_body_n.y, 0.0);
        ck_assert_double_eq_tol(w.force_body_n.z, -thrust, 1e-12);
        ck_assert_double_eq_tol(w.torque_body_nm.x, roll[_i] * MD4_ARM_M * thrust, 1e-12);
        ck_assert_double_eq_tol(w.torque_body_nm.y, pitch[_i] * MD4_ARM_M * thrust,
                                1e-12);
        ck_assert_double_eq_tol(w.torque_body_nm.z, yaw[_i] * drag, 1e-12);
}

TEST_EACH(torque_is_the_lever_arm_times_the_force, 4)
{
        struct vehicle_params p = md4_200();
        struct wrench w = of_rotor(_i, SPEED_RADPS, 1.0);
        struct vec3 moment = vec3_cross(p.rotor[_i].pos_body_m, w.force_body_n);

        ck_assert_double_eq_tol(w.torque_body_nm.x, moment.x, 1e-12);
        ck_assert_double_eq_tol(w.torque_body_nm.y, moment.y, 1e-12);
}

TEST(thrust_and_drag_grow_with_the_square_of_the_speed)
{
        struct wrench one = of_rotor(0, 70.0, 1.0), two = of_rotor(0, 140.0, 1.0);

        ck_assert_double_eq_tol(two.force_body_n.z, 4.0 * one.force_body_n.z, 1e-12);
        ck_assert_double_eq_tol(two.torque_body_nm.z, 4.0 * one.torque_body_nm.z, 1e-12);
}

TEST(thrust_and_drag_are_proportional_to_the_density)
{
        struct wrench thin = of_rotor(1, 150.0, 0.5), dense = of_rotor(1, 150.0, 1.0);

        ck_assert_double_eq_tol(dense.force_body_n.z, 2.0 * thin.force_body_n.z, 1e-12);
        ck_assert_double_eq_tol(dense.torque_body_nm.z, 2.0 * thin.torque_body_nm.z,
                                1e-12);
}

TEST_EACH(a_standing_rotor_does_nothing, 4)
{
        struct wrench w = of_rotor(_i, 0.0, 1.0);

        ck_assert_double_eq(vec3_norm(w.force_body_n), 0.0);
        ck_assert_double_eq(vec3_norm(w.torque_body_nm), 0.0);
}

TEST(the_load_of_many_rotors_is_the_sum_of_each)
{
        struct vehicle_params p = md4_200();
        const double speed[4] = { 100.0, 120.0, 150.0, 90.0 };
        struct rotor_gain gain[4];
        struct rotor_load all;
        struct vec3 sum = { 0.0, 0.0, 0.0 };
        double lift = 0.0, rho = p.rotor[0].air_density_ref_kgpm3;

        for (int i = 0; i < 4; i++) {
                struct wrench w = of_rotor(i, speed[i], 1.0);

                gain[i] = rotor_gain(&p.rotor[i], MD4_TAU_S, 1.0 / MD4_MASS_KG);
                sum = vec3_add(sum, w.torque_body_nm);
                lift += w.force_body_n.z;
        }
        all = rotor_load(gain, speed, 4);
        ck_assert_double_eq_tol(MD4_MASS_KG * rho * all.square[0], lift, 1e-12);
        ck_assert_double_eq_tol(rho * all.square[1], sum.x, 1e-12);
        ck_assert_double_eq_tol(rho * all.square[2], sum.y, 1e-12);
        ck_assert_double_eq_tol(rho * all.square[3], sum.z, 1e-12);
}

/* Footnote to Gruber 3.9 has w x h: the torque on the rotor. The body gets its reaction. */
TEST_EACH(turning_a_spinning_rotor_twists_the_body_across, 4)
{
        struct vehicle_params p = md4_200();
        struct rotor_gain gain = rotor_gain(&p.rotor[_i], MD4_TAU_S, 1.0);
        double speed = SPEED_RADPS;
        struct rotor_load load = rotor_load(&gain, &speed, 1);
        struct vec3 w = { 0.7, -0.4, 2.0 };
        struct vec3 h = { 0.0, 0.0,
                          p.rotor[_i].spin * p.rotor[_i].inertia_kgm2 * SPEED_RADPS };
        /* In a vacuum the rest of the torque is gone. */
        struct vec3 torque = rotor_torque(&load, load.speed[1], w, 0.0, 0.0);
        struct vec3 reaction = vec3_scale(-1.0, vec3_cross(w, h));

        ck_assert_double_eq_tol(torque.x, reaction.x, 1e-15);
        ck_assert_double_eq_tol(torque.y, reaction.y, 1e-15);
        ck_assert_double_eq_tol(torque.z, 0.0, 1e-15);
}

/* A rotor that speeds up clockwise turns the body the other way: J_P dOmega/dt, with
 * dOmega/dt = (target - Omega)/tau. */
TEST_EACH(speeding_up_a_rotor_turns_the_body_the_other_way, 4)
{
        struct vehicle_params p = md4_200();
        const struct rotor_params *r = &p.rotor[_i];
        struct rotor_gain gain = rotor_gain(r, MD4_TAU_S, 1.0);
        double speed = 100.0, target = 160.0;
        struct rotor_load load = rotor_load(&gain, &speed, 1);
        struct vec3 torque = rotor_torque(&load, gain.speed[1] * target, still, 0.0, 0.0);

        ck_assert_double_eq_tol(torque.z,
                                -r->spin * r->inertia_kgm2 * (target - speed) / MD4_TAU_S,
                                1e-15);
}
