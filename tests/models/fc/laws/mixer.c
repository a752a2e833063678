/* The mixer against rotors summed up here, for plus, X and six rotors. */
#include <stdlib.h>

#include "models/fc/laws/mixer.h"
#include "models/rng.h"

#include "tests/suites.h"

#define TORQUE_PER_THRUST_M 0.02
#define ARM_M               0.26
#define ROTOR_MAX_N         4.0

/* n rotors on a circle, the first at angle_rad from the nose, turning alternately. */
static struct fc_params ring(int n, double angle_rad)
{
        struct fc_params p = { .rotors = n,
                               .thrust_n_per_radps2 = 1e-4,
                               .torque_nm_per_radps2 = 1e-4 * TORQUE_PER_THRUST_M,
                               .speed_full_radps = 400.0,
                               .speed_limit_radps = 200.0,
                               .idle_duty = 0.05 };

        for (int i = 0; i < n; i++) {
                double a = angle_rad + 2.0 * M_PI * i / n;

                p.rotor_pos_body_m[i] =
                        (struct vec3){ ARM_M * cos(a), ARM_M * sin(a), 0.0 };
                p.rotor_spin[i] = i % 2 == 0 ? 1.0 : -1.0;
        }
        return p;
}

static struct fc_params airframe(int which)
{
        if (which == 0)
                return ring(4, 0.0);
        return which == 1 ? ring(4, M_PI / 4.0) : ring(6, 0.3);
}

struct outcome {
        double thrust_n;
        struct vec3 torque_nm;
};

/* r x (0, 0, -f), and the drag torque against the spin. */
static struct outcome sum_up(const struct fc_params *p, const double *rotor_n)
{
        struct outcome o = { 0 };

        for (int i = 0; i < p->rotors; i++) {
                struct vec3 force = { 0.0, 0.0, -rotor_n[i] };

                o.thrust_n += rotor_n[i];
                o.torque_nm =
                        vec3_add(o.torque_nm, vec3_cross(p->rotor_pos_body_m[i], force));
                o.torque_nm.z -= p->rotor_spin[i] * TORQUE_PER_THRUST_M * rotor_n[i];
        }
        return o;
}

static double between(struct rng *rng, double low, double high)
{
        return low + (high - low) * rng_uniform(rng);
}

static struct mixer_result mix(const struct fc_params *p, double thrust_n,
                               struct vec3 torque_nm, double *rotor_n)
{
        struct mixer m;

        mixer_init(&m, p);
        return mixer_step(&m, thrust_n, torque_nm, rotor_n);
}

TEST_EACH(mixer_gives_the_wanted_wrench_while_nothing_saturates, 3)
{
        struct fc_params p = airframe(_i);
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int n = 0; n < 500; n++) {
                struct vec3 want = { between(&rng, -0.2, 0.2), between(&rng, -0.2, 0.2),
                                     between(&rng, -0.02, 0.02) };
                double thrust_n = between(&rng, 7.0, 9.0), rotor_n[ROTORS_MAX];
                struct mixer_result r = mix(&p, thrust_n, want, rotor_n);
                struct outcome got = sum_up(&p, rotor_n);

                ck_assert_double_eq(r.roll_pitch, 1.0);
                ck_assert_double_eq(r.yaw, 1.0);
                ck_assert_double_eq_tol(got.thrust_n, thrust_n, 1e-12);
                ck_assert_double_eq_tol(got.torque_nm.x, want.x, 1e-12);
                ck_assert_double_eq_tol(got.torque_nm.y, want.y, 1e-12);
                ck_assert_double_eq_tol(got.torque_nm.z, want.z, 1e-12);
        }
}

TEST(mixer_takes_the_smallest_thrusts_that_do_it)
{
        struct fc_params p = ring(6, 0.3);
        struct rng rng;

        rng_init(&rng, 2, 0, 0, 0);
        for (int n = 0; n < 500; n++) {
                double any_n[ROTORS_MAX] = { 0 }, rotor_n[ROTORS_MAX];
                double squares_any = 0.0, squares = 0.0;
                struct outcome want;

                for (int i = 0; i < 6; i++)
                        any_n[i] = between(&rng, 1.8, 2.2);
                want = sum_up(&p, any_n);
                mix(&p, want.thrust_n, want.torque_nm, rotor_n);
                for (int i = 0; i < 6; i++) {
                        squares_any += any_n[i] * any_n[i];
                        squares += rotor_n[i] * rotor_n[i];
                }
                ck_assert_double_le(squares, squares_any * (1.0 + 1e-12));
        }
}

TEST_EACH(yaw_gives_way_before_roll_pitch_and_thrust, 3)
{
        struct fc_params p = airframe(_i);
        double rotor_n[ROTORS_MAX];
        struct mixer_result r = mix(&p, 8.0, (struct vec3){ 0.15, -0.1, 2.0 }, rotor_n);
        struct outcome got = sum_up(&p, rotor_n);

        ck_assert_double_eq_tol(got.thrust_n, 8.0, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.x, 0.15, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.y, -0.1, 1e-12);
        ck_assert_double_lt(r.yaw, 1.0);
        ck_assert_double_gt(got.torque_nm.z, 0.02);
        ck_assert_double_eq_tol(got.torque_nm.z, 2.0 * r.yaw, 1e-12);
}

TEST_EACH(total_thrust_sinks_to_keep_roll_and_pitch, 3)
{
        struct fc_params p = airframe(_i);
        double rotor_n[ROTORS_MAX];
        double all_n = p.rotors * ROTOR_MAX_N;
        struct mixer_result r = mix(&p, all_n, (struct vec3){ 0.3, 0.2, 0.0 }, rotor_n);
        struct outcome got = sum_up(&p, rotor_n);

        ck_assert_double_eq_tol(got.torque_nm.x, 0.3, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.y, 0.2, 1e-12);
        ck_assert_double_lt(got.thrust_n, all_n - 0.5);
        ck_assert_double_eq_tol(got.thrust_n, r.thrust_n, 1e-12);
}

TEST_EACH(total_thrust_rises_to_keep_roll_and_pitch, 3)
{
        struct fc_params p = airframe(_i);
        double rotor_n[ROTORS_MAX];
        struct outcome got;

        mix(&p, 0.0, (struct vec3){ -0.3, 0.2, 0.0 }, rotor_n);
        got = sum_up(&p, rotor_n);
        ck_assert_double_eq_tol(got.torque_nm.x, -0.3, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.y, 0.2, 1e-12);
}

TEST_EACH(roll_and_pitch_shrink_together, 3)
{
        struct fc_params p = airframe(_i);
        double rotor_n[ROTORS_MAX];
        struct mixer_result r = mix(&p, 8.0, (struct vec3){ 6.0, -3.0, 0.0 }, rotor_n);
        struct outcome got = sum_up(&p, rotor_n);

        ck_assert_double_gt(r.roll_pitch, 0.0);
        ck_assert_double_lt(r.roll_pitch, 1.0);
        ck_assert_double_eq_tol(got.torque_nm.x, 6.0 * r.roll_pitch, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.y, -3.0 * r.roll_pitch, 1e-12);
}

TEST_EACH(no_rotor_leaves_its_limits_whatever_is_asked, 3)
{
        struct fc_params p = airframe(_i);
        struct mixer m;
        struct rng rng;

        mixer_init(&m, &p);
        rng_init(&rng, 3, 0, 0, 0);
        ck_assert_double_eq_tol(m.min_n, 1e-4 * 20.0 * 20.0, 1e-15);
        ck_assert_double_eq_tol(m.max_n, ROTOR_MAX_N, 1e-12);
        for (int n = 0; n < 5000; n++) {
                struct vec3 want = { between(&rng, -9.0, 9.0), between(&rng, -9.0, 9.0),
                                     between(&rng, -9.0, 9.0) };
                double rotor_n[ROTORS_MAX];

                mixer_step(&m, between(&rng, -10.0, 40.0), want, rotor_n);
                for (int i = 0; i < ROTORS_MAX; i++) {
                        ck_assert_double_ge(rotor_n[i], i < p.rotors ? m.min_n : 0.0);
                        ck_assert_double_le(rotor_n[i], i < p.rotors ? m.max_n : 0.0);
                }
        }
}

TEST(an_axis_that_no_rotor_acts_on_gets_nothing)
{
        struct fc_params p = ring(4, 0.0);
        double rotor_n[ROTORS_MAX];
        struct outcome got;

        p.torque_nm_per_radps2 = 0.0;
        mix(&p, 8.0, (struct vec3){ 0.1, 0.1, 5.0 }, rotor_n);
        got = sum_up(&p, rotor_n);
        ck_assert_double_eq_tol(got.thrust_n, 8.0, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.x, 0.1, 1e-12);
        ck_assert_double_eq_tol(got.torque_nm.z, 0.0, 1e-12);
}
