#include <math.h>
#include <stdlib.h>

#include "models/plant/inertia.h"

#include "tests/suites.h"

static const struct quat straight = { 1.0, 0.0, 0.0, 0.0 };

static struct inertia_part part(enum inertia_shape shape, double mass_kg, double a,
                                double b, double c, struct vec3 pos_m)
{
        return (struct inertia_part){ shape, mass_kg, { a, b, c }, pos_m, straight };
}

static double trace(const double m[3][3])
{
        return m[0][0] + m[1][1] + m[2][2];
}

/* Four of a part around the down axis, as on the arms of a plus. */
static void add_around(struct inertia_sum *sum, struct inertia_part p)
{
        for (int k = 0; k < 4; k++) {
                struct inertia_part turned = p;
                struct quat turn = quat_from_euler(0.0, 0.0, k * M_PI / 2.0);

                turned.pos_m = quat_rotate(turn, p.pos_m);
                turned.q_part_to_body = quat_multiply(turn, p.q_part_to_body);
                inertia_add(sum, &turned);
        }
}

/* Gruber 4.1: base, arms, motors, propellers; heights count squared, so their signs are free. */
static struct inertia_sum md4_200(double propeller_size_m)
{
        struct inertia_sum sum = { 0 };
        struct inertia_part base =
                part(INERTIA_CYLINDER, 0.780, 0.0825, 0.100, 0.0, (struct vec3){ 0 });
        struct inertia_part arm = part(INERTIA_CYLINDER, 0.020, 0.010, 0.160, 0.0,
                                       (struct vec3){ 0.150, 0.0, 0.025 });

        arm.q_part_to_body = quat_from_euler(0.0, M_PI / 2.0, 0.0);
        inertia_add(&sum, &base);
        add_around(&sum, arm);
        add_around(&sum, part(INERTIA_CYLINDER, 0.025, 0.030, 0.030, 0.0,
                              (struct vec3){ 0.260, 0.0, -0.015 }));
        add_around(&sum, part(INERTIA_PROPELLER, 0.011, propeller_size_m, 0.0, 0.0,
                              (struct vec3){ 0.260, 0.0, 0.0 }));
        return sum;
}

/* The parts of Gruber 4.1, whose own moments he prints too. */
TEST(single_parts_are_those_of_the_thesis)
{
        struct inertia_part motor =
                part(INERTIA_CYLINDER, 0.025, 0.030, 0.030, 0.0, (struct vec3){ 0 });
        struct inertia_part base =
                part(INERTIA_CYLINDER, 0.780, 0.0825, 0.100, 0.0, (struct vec3){ 0 });
        struct inertia_part arm =
                part(INERTIA_CYLINDER, 0.020, 0.010, 0.160, 0.0, (struct vec3){ 0 });
        struct inertia_part propeller =
                part(INERTIA_PROPELLER, 0.011, 0.180, 0.0, 0.0, (struct vec3){ 0 });

        ck_assert_double_eq_tol(inertia_of_part(&motor).x, 7.5e-6, 1e-9);
        ck_assert_double_eq_tol(inertia_of_part(&motor).z, 1.125e-5, 1e-9);
        ck_assert_double_eq_tol(inertia_of_part(&base).x, 1.977e-3, 5e-7);
        ck_assert_double_eq_tol(inertia_of_part(&base).z, 2.654e-3, 5e-7);
        ck_assert_double_eq_tol(inertia_of_part(&arm).y, 4.317e-5, 5e-9);
        ck_assert_double_eq_tol(inertia_of_part(&arm).z, 1.0e-6, 1e-12);
        /* m R^2/3: docs/errata.md. */
        ck_assert_double_eq_tol(inertia_of_part(&propeller).z, 1.188e-4, 5e-9);
        ck_assert_double_eq_tol(inertia_of_part(&propeller).x, 0.594e-4, 5e-9);
}

TEST(the_md4_200_has_the_moments_of_the_errata)
{
        struct inertia_sum sum = md4_200(0.180);

        ck_assert_double_eq_tol(sum.mass_kg, 1.004, 1e-12);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[0][0], 8.173e-3, 5e-7);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[1][1], 8.173e-3, 5e-7);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[2][2], 14.882e-3, 5e-7);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[0][1], 0.0, 1e-15);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[0][2], 0.0, 1e-15);
}

/* 4.1 prints 0.953e-3 for the propeller, which a disk of its own density has with a radius of
 * sqrt(3 J/m). What comes out are the printed formulas' own sums. */
TEST(with_the_printed_propeller_it_has_the_sums_of_the_printed_formulas)
{
        struct inertia_sum sum = md4_200(sqrt(3.0 * 0.9533e-3 / 0.011));

        ck_assert_double_eq_tol(sum.about_origin_kgm2[0][0], 9.843e-3, 2e-6);
        ck_assert_double_eq_tol(sum.about_origin_kgm2[2][2], 18.219e-3, 2e-6);
}

/* Micklisch (21) to (23): two thin rods that cross, in the middle of a cuboid. */
TEST(crossing_rods_and_a_cuboid_are_those_of_the_paper)
{
        const double m_r = 0.2, m_c = 0.8, l = 0.5, w = 0.12, h = 0.06, side = 0.15;
        struct inertia_sum sum = { 0 };
        struct inertia_part rod =
                part(INERTIA_CYLINDER, m_r / 2.0, 0.0, l, 0.0, (struct vec3){ 0 });
        struct inertia_part box =
                part(INERTIA_CUBOID, m_c, side, w, h, (struct vec3){ 0 });

        rod.q_part_to_body = quat_from_euler(0.0, M_PI / 2.0, 0.0);
        inertia_add(&sum, &rod);
        rod.q_part_to_body = quat_from_euler(M_PI / 2.0, 0.0, 0.0);
        inertia_add(&sum, &rod);
        inertia_add(&sum, &box);
        inertia_finish(&sum);
        ck_assert_double_eq_tol(sum.about_centre_kgm2[0][0],
                                m_r * l * l / 24.0 + m_c * (w * w + h * h) / 12.0, 1e-15);
        ck_assert_double_eq_tol(sum.about_centre_kgm2[1][1],
                                m_r * l * l / 24.0 + m_c * (side * side + h * h) / 12.0,
                                1e-15);
        ck_assert_double_eq_tol(sum.about_centre_kgm2[2][2],
                                m_r * l * l / 12.0 + m_c * (w * w + side * side) / 12.0,
                                1e-15);
}

TEST(a_cuboid_is_the_sum_of_its_pieces)
{
        struct inertia_sum whole = { 0 }, pieces = { 0 };
        struct inertia_part big =
                part(INERTIA_CUBOID, 1.2, 0.6, 0.4, 0.2, (struct vec3){ 1, -2, 3 });

        inertia_add(&whole, &big);
        for (int i = 0; i < 24; i++) {
                int column = i % 4, row = i / 4 % 2, layer = i / 8;
                struct vec3 at = { 1.0 + 0.15 * column - 0.225, -2.0 + 0.2 * row - 0.1,
                                   3.0 + 0.2 / 3.0 * layer - 0.2 / 3.0 };
                struct inertia_part piece =
                        part(INERTIA_CUBOID, 0.05, 0.15, 0.2, 0.2 / 3.0, at);

                inertia_add(&pieces, &piece);
        }
        inertia_finish(&whole);
        inertia_finish(&pieces);
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        ck_assert_double_eq_tol(pieces.about_centre_kgm2[i][j],
                                                whole.about_centre_kgm2[i][j], 1e-13);
        ck_assert_double_eq_tol(pieces.centre_m.z, 3.0, 1e-12);
}

TEST(a_tube_is_a_cylinder_less_its_hole)
{
        /* Masses as the areas: 9 pi and 4 pi. */
        struct inertia_part full =
                part(INERTIA_CYLINDER, 0.9, 0.03, 0.2, 0.0, (struct vec3){ 0 });
        struct inertia_part hole =
                part(INERTIA_CYLINDER, 0.4, 0.02, 0.2, 0.0, (struct vec3){ 0 });
        struct inertia_part tube =
                part(INERTIA_TUBE, 0.5, 0.03, 0.02, 0.2, (struct vec3){ 0 });

        ck_assert_double_eq_tol(inertia_of_part(&tube).x,
                                inertia_of_part(&full).x - inertia_of_part(&hole).x,
                                1e-15);
        ck_assert_double_eq_tol(inertia_of_part(&tube).z,
                                inertia_of_part(&full).z - inertia_of_part(&hole).z,
                                1e-15);
}

TEST(turning_a_part_keeps_trace_and_symmetry)
{
        for (int i = 0; i < 20; i++) {
                struct inertia_sum straight_sum = { 0 }, turned_sum = { 0 };
                struct inertia_part p =
                        part(INERTIA_CUBOID, 0.7, 0.3, 0.2, 0.1, (struct vec3){ 0 });

                inertia_add(&straight_sum, &p);
                p.q_part_to_body = quat_from_euler(0.3 * i, 0.17 * i, -0.5 * i);
                inertia_add(&turned_sum, &p);
                ck_assert_double_eq_tol(trace(turned_sum.about_origin_kgm2),
                                        trace(straight_sum.about_origin_kgm2), 1e-15);
                for (int j = 0; j < 9; j++)
                        ck_assert_double_eq(turned_sum.about_origin_kgm2[j / 3][j % 3],
                                            turned_sum.about_origin_kgm2[j % 3][j / 3]);
        }
}

TEST(a_cube_and_a_ball_are_the_same_from_every_side)
{
        for (int i = 0; i < 20; i++) {
                struct inertia_sum sum = { 0 };
                struct inertia_part p = part(i % 2 ? INERTIA_CUBOID : INERTIA_SPHERE, 0.6,
                                             0.2, 0.2, 0.2, (struct vec3){ 0 });
                double must = i % 2 ? 0.6 * 0.04 / 6.0 : 0.4 * 0.6 * 0.04;

                p.q_part_to_body = quat_from_euler(0.3 * i, 0.17 * i, -0.5 * i);
                inertia_add(&sum, &p);
                for (int j = 0; j < 9; j++)
                        ck_assert_double_eq_tol(sum.about_origin_kgm2[j / 3][j % 3],
                                                j % 4 == 0 ? must : 0.0, 1e-15);
        }
}

/* Wherever the drawing's origin is, the moments about the centre of mass are the same. */
TEST(moving_the_origin_changes_nothing_about_the_centre)
{
        struct inertia_sum here = { 0 }, there = { 0 };
        const struct vec3 away = { 3.0, -2.0, 7.0 };
        struct inertia_part a =
                part(INERTIA_CUBOID, 0.7, 0.3, 0.2, 0.1, (struct vec3){ 0.1, 0.2, 0.3 });
        struct inertia_part b =
                part(INERTIA_POINT, 0.2, 0, 0, 0, (struct vec3){ -1, 0, 1 });

        inertia_add(&here, &a);
        inertia_add(&here, &b);
        a.pos_m = vec3_add(a.pos_m, away);
        b.pos_m = vec3_add(b.pos_m, away);
        inertia_add(&there, &a);
        inertia_add(&there, &b);
        inertia_finish(&here);
        inertia_finish(&there);
        for (int i = 0; i < 9; i++)
                ck_assert_double_eq_tol(there.about_centre_kgm2[i / 3][i % 3],
                                        here.about_centre_kgm2[i / 3][i % 3], 1e-12);
        ck_assert_double_eq_tol(there.centre_m.x - here.centre_m.x, away.x, 1e-12);
}
