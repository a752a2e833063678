/* Laws of flocks: symmetry, where they are at rest, and what they never do. */
#include <math.h>

#include "models/fc/flock/flock.h"

#include "tests/models/near.h"
#include "tests/suites.h"

static const struct flock_params params = {
        .radius_m = 5.0,
        .speed_max_mps = 1.5,
        .level = true,
        .micklisch = { 2.5, 2.0, 1.0, 1.0, 0.2, 0.3, 0.4, 1.0 },
        .olfati_saber = { 2.0, 1.2, 0.1, 5.0, 5.0, 0.2, 1.0, 2.0, true, 2.0 },
        .vasarhelyi = { 0.0, 3.0, 0.6, 6.0, 3.2, 4.16, 0.05, 0.2, 0.0, 0.3, 3.55, 1.0,
                        2.0, 0.3 },
        .formation = { 3,
                       { { 0.0, 0.0, 0.0 }, { 0.0, 2.0, 0.0 }, { 0.0, 4.0, 0.0 } },
                       0.6,
                       1.0,
                       0.6 },
        .finken = { 1.5, 1.0 },
};

static const struct vec3 target = { 5.0, 5.0, -5.0 };

/* At a place, seeing one other at another, both at rest. */
static struct flock_view view_of(struct vec3 own, struct vec3 other)
{
        return (struct flock_view){ .pos_ned_m = own,
                                    .target_ned_m = target,
                                    .behaviours = FLOCK_BEHAVIOURS,
                                    .others = 1,
                                    .other = { { 1, other, { 0.0, 0.0, 0.0 } } } };
}

typedef struct vec3 law(const struct flock_params *p, const struct flock_view *v);

/* Two about the target, and where they would go. */
static void assert_mirrored(law *of, double half_m)
{
        struct vec3 a = { target.x - half_m, target.y, target.z };
        struct vec3 b = { target.x + half_m, target.y, target.z };
        struct flock_view va = view_of(a, b), vb = view_of(b, a);
        struct vec3 ua = of(&params, &va), ub = of(&params, &vb);

        assert_near(ua, vec3_scale(-1.0, ub), 1e-12);
        ck_assert_double_eq_tol(ua.y, 0.0, 1e-12);
}

TEST(two_about_the_target_do_the_mirrored_same)
{
        for (double half_m = 0.25; half_m < 4.0; half_m += 0.25) {
                assert_mirrored(flock_micklisch, half_m);
                assert_mirrored(flock_olfati_saber, half_m);
                assert_mirrored(flock_vasarhelyi, half_m);
        }
}

TEST(micklisch_pushes_at_less_and_draws_at_more_than_its_balance)
{
        struct vec3 far = { target.x + 4.0, target.y, target.z };
        struct flock_view near =
                view_of(target, vec3_axpy(target, 0.5, (struct vec3){ 1.0, 0.0, 0.0 }));
        struct flock_view away = view_of(target, far);

        near.behaviours = away.behaviours = FLOCK_SEPARATION | FLOCK_COHESION;
        ck_assert_double_lt(flock_micklisch(&params, &near).x, 0.0);
        ck_assert_double_gt(flock_micklisch(&params, &away).x, 0.0);
        away.behaviours = 0;
        assert_near(flock_micklisch(&params, &away), (struct vec3){ 0.0, 0.0, 0.0 },
                    1e-15);
}

TEST(micklisch_brings_the_centre_and_not_itself_to_the_target)
{
        struct vec3 one = { target.x - 2.0, target.y, target.z };
        struct vec3 other = { target.x + 2.0, target.y, target.z };
        struct flock_view v = view_of(one, other);

        v.behaviours = FLOCK_TARGETING;
        assert_near(flock_micklisch(&params, &v), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-12);
}

TEST(micklisch_avoids_what_others_report)
{
        struct flock_view v = view_of(target, target);

        v.others = 0;
        v.obstacles = 1;
        v.obstacle_ned_m[0] = (struct vec3){ target.x, target.y + 1.0, target.z };
        ck_assert_double_lt(flock_micklisch(&params, &v).y, -0.5);
        v.behaviours &= ~(uint32_t)FLOCK_AVOID;
        assert_near(flock_micklisch(&params, &v), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-12);
}

/* Without the leader two at rest attract at more than d, repel at less, and out of range do nothing. */
TEST(olfati_saber_is_at_rest_at_the_lattice_distance)
{
        struct flock_params p = params;
        double d_m = p.olfati_saber.distance_m;

        p.olfati_saber.informed = false;
        for (double m = 0.5; m < 3.0; m += 0.05) {
                struct flock_view v = view_of(
                        target, (struct vec3){ target.x + m, target.y, target.z });
                double u = flock_olfati_saber(&p, &v).x;

                if (m < d_m - 1e-9)
                        ck_assert_double_lt(u, 0.0);
                else if (m < d_m + 1e-9)
                        ck_assert_double_eq_tol(u, 0.0, 1e-9);
                else if (m < d_m * p.olfati_saber.range_ratio - 1e-9)
                        ck_assert_double_gt(u, 0.0);
                else
                        ck_assert_double_eq_tol(u, 0.0, 1e-9);
        }
}

TEST(vasarhelyi_brakes_towards_a_wall_and_follows_a_faster_neighbour)
{
        struct flock_params p = params;
        struct flock_view v =
                view_of(target, (struct vec3){ target.x, target.y + 4.0, target.z });
        struct vec3 still;

        p.vasarhelyi.cohesion_per_s = 0.0;
        still = flock_vasarhelyi(&p, &v);
        assert_near(still, (struct vec3){ 0.0, 0.0, 0.0 },
                    1e-12); /* beyond r0, both at rest */
        v.other[0].vel_ned_mps.x = 2.0;
        ck_assert_double_gt(flock_vasarhelyi(&p, &v).x, 0.0);
        p.vasarhelyi.arena_m = 10.0;
        v.others = 0;
        v.pos_ned_m.x = target.x + 9.8;
        v.vel_ned_mps.x = 1.0;
        ck_assert_double_lt(flock_vasarhelyi(&p, &v).x, -0.5);
        v.pos_ned_m.x = target.x;
        assert_near(flock_vasarhelyi(&p, &v), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-12);
}

TEST(a_formation_is_at_rest_in_its_places_and_only_there)
{
        struct flock_view v = view_of(target, target);

        v.address = 1;
        v.pos_ned_m.y += 2.0;
        v.other[0].address = 2;
        v.other[0].pos_ned_m.y += 4.0;
        assert_near(flock_formation(&params, &v), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-12);
        /* One that lags draws the others back. */
        v.other[0].pos_ned_m.x -= 1.0;
        ck_assert_double_lt(flock_formation(&params, &v).x, -0.1);
        v.address = 3; /* it has no place */
        assert_near(flock_formation(&params, &v), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-15);
}

TEST(finken_flies_away_from_what_its_sonars_hear)
{
        struct flock_view v = { .sonars = 2,
                                .sonar_ned = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } },
                                .sonar_m = { 0.5, INFINITY } };

        assert_near(flock_finken(&params, &v), (struct vec3){ -1.0, 0.0, 0.0 }, 1e-12);
}

/* Whatever the target asks: never faster towards another than what is left allows. */
TEST(no_law_flies_into_another)
{
        struct flock_params p = params;
        enum flock_law laws[] = { FLOCK_MICKLISCH, FLOCK_OLFATI_SABER, FLOCK_VASARHELYI,
                                  FLOCK_FORMATION };

        p.safe_m = 1.0;
        p.safe_per_s = 1.0;
        for (int l = 0; l < 4; l++)
                for (double m = 0.4; m < 4.0; m += 0.1) {
                        struct flocking f = { 0 };
                        struct vec3 other = { target.x - 3.0, target.y, target.z };
                        struct flock_view v = view_of(
                                (struct vec3){ other.x - m, other.y, other.z }, other);
                        struct vec3 u = flock_step(&f, laws[l], &p, &v, 0.01);

                        ck_assert_double_le(u.x, 0.5 * (m - p.safe_m) + 1e-12);
                        ck_assert_double_le(vec3_norm(u), p.speed_max_mps + 1.0);
                        ck_assert_double_eq(u.z, 0.0);
                }
}
