/* Sonars among vehicles: what shape another one has in the beam. */
#include "tests/models/sensors/sonar_stage.h"
#include "tests/suites.h"

static struct shape shape;
static struct presence presence;

/* Arms of 0.26 m and rotors of 0.18 m; north of the sonar, which looks north, and so high above it. */
static void quad_ahead(double range_m, double up_m, struct quat q)
{
        shape = (struct shape){ 0 };
        shape_add_rod(&shape, (struct vec3){ 0 }, (struct vec3){ 0 }, 0.08);
        for (int i = 0; i < 4; i++) {
                struct shape_part disc = { .at_m = { 0.26 * cos(i * M_PI_2),
                                                     0.26 * sin(i * M_PI_2), 0.0 },
                                           .axis = { 0.0, 0.0, 1.0 },
                                           .disc_m = 0.18,
                                           .round_m = 0.007 };

                shape_add(&shape, &disc);
        }
        cone_ahead(30.0);
        ball_at(0.0, range_m, shape.radius_m);
        others.at[0].pos_ned_m.z = -up_m;
        presence.shape = &shape;
        presence.body_to_ned = quat_to_mat3(q);
        others.at[0].presence = &presence;
}

/* Of the places in the cone, by looking at many. */
static double nearest_m(void)
{
        double nearest = INFINITY;
        struct vec3 from = mat3_transpose_times(presence.body_to_ned,
                                                vec3_scale(-1.0, others.at[0].pos_ned_m));

        for (double off = 0.0; off <= 15.0 * DEG; off += 0.125 * DEG)
                for (double turn = 0.0; turn < 2.0 * M_PI; turn += 0.5 * DEG) {
                        struct vec3 dir = { cos(off), sin(off) * cos(turn),
                                            sin(off) * sin(turn) };

                        dir = mat3_transpose_times(presence.body_to_ned, dir);
                        for (int i = 0; i < shape.parts; i++)
                                nearest =
                                        fmin(nearest, shape_part_ray_m(&shape.part[i],
                                                                       from, dir, 10.0));
                }
        return nearest;
}

FIXTURE(set_up, NULL)

TEST_EACH(reading_is_the_nearest_place_of_the_shape, 3)
{
        const double yaw[3] = { 0.0, 45.0 * DEG, 20.0 * DEG };
        struct quat q = quat_from_euler(0.0, 0.0, yaw[_i]);

        quad_ahead(2.0, 0.0, q);
        ck_assert_double_eq_tol(reading(0).range_m, nearest_m(), 1e-3);
        quad_ahead(2.0, 0.3, quat_from_euler(0.3, 0.2, yaw[_i]));
        ck_assert_double_eq_tol(reading(0).range_m, nearest_m(), 5e-3);
}

TEST(from_between_its_arms_it_is_farther_than_its_sphere)
{
        quad_ahead(2.0, 0.0, quat_from_euler(0.0, 0.0, 45.0 * DEG));
        ck_assert_double_gt(reading(0).range_m, 2.0 - shape.radius_m + 0.05);
        others.at[0].presence = NULL;
        ck_assert_double_eq_tol(reading(0).range_m, 2.0 - shape.radius_m, 1e-9);
}

/* Above and below the discs' edges there is nothing, where the sphere is. */
TEST(a_level_quad_is_missed_by_a_beam_that_passes_above_it)
{
        quad_ahead(3.0, -1.2, level());
        ck_assert(!reading(0).echo);
        others.at[0].presence = NULL;
        ck_assert(reading(0).echo);
}

static double heard_up_to_m(struct quat q)
{
        double low = 0.5, high = 7.0;

        while (high - low > 0.01) {
                double middle = 0.5 * (low + high);

                quad_ahead(middle, 0.0, q);
                unit->margin_db = 40.0;
                if (reading(0).echo)
                        low = middle;
                else
                        high = middle;
        }
        return low;
}

TEST(level_it_is_heard_less_far_than_with_its_discs_turned_to_the_sonar)
{
        double side_m = heard_up_to_m(level());
        double face_m = heard_up_to_m(quat_from_euler(0.0, M_PI_2, 0.0));

        ck_assert_double_gt(face_m, 1.2 * side_m);
}

TEST(inside_the_shape_the_distance_is_none)
{
        quad_ahead(0.05, 0.0, level());
        ck_assert(reading(0).echo);
        ck_assert_double_eq(reading(0).range_m, unit->range.min);
}

/* Another vehicle of the same kind, `apart_m` to the north, looking south at this one, which looks north at it. What
 * its shape throws back is left out: a rod of no size behind it. */
static struct sonar_params theirs;

static void face_to_face(double apart_m)
{
        params.count = 1;
        cone_ahead(30.0);
        unit->crosstalk = true;
        shape = (struct shape){ 0 };
        shape_add_rod(&shape, (struct vec3){ -0.3, 0, 0 }, (struct vec3){ -0.3, 0, 0 },
                      0.05);
        ball_at(0.0, apart_m, 0.35);
        presence.shape = &shape;
        presence.body_to_ned = quat_to_mat3(quat_from_euler(0.0, 0.0, M_PI));
        others.at[0].presence = &presence;
        theirs = params;
        sonar_params_prepare(&theirs);
        presence.sonar = &theirs;
}

static double sound_mps(void)
{
        return sonar_speed_of_sound_mps(293.15);
}

static int64_t flight_ns(double way_m)
{
        return (int64_t)(way_m / sound_mps() * 1e9);
}

TEST(face_to_face_they_read_half_the_distance)
{
        face_to_face(4.0);
        ck_assert_double_eq_tol(reading(0).range_m, 2.0, 1e-9);
        /* Out of the cone of either there is nothing to hear. */
        presence.body_to_ned = quat_to_mat3(level());
        ck_assert_double_gt(reading(0).range_m, 3.0);
}

TEST(what_they_read_of_each_other_is_symmetric)
{
        double here;
        struct presence back = presence;

        face_to_face(3.0);
        unit->schedule.phase_ns = theirs.unit[0].schedule.phase_ns = 3 * MS;
        exposure.t_ns = 3 * MS;
        here = reading(0).range_m;
        /* Seen from the other one. */
        back = presence;
        back.body_to_ned = quat_to_mat3(level());
        back.sonar = &params;
        others.at[0].pos_ned_m = (struct vec3){ 0 };
        others.at[0].presence = &back;
        body.pos_ned_m = (struct vec3){ 3.0, 0.0, 0.0 };
        body.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI);
        ck_assert_double_eq_tol(reading(0).range_m, here, 1e-9);
        ck_assert_double_eq_tol(here, 1.5, 1e-9);
}

TEST(a_ghost_is_half_of_arrival_less_own_ping)
{
        face_to_face(4.0);
        /* 4 ms after this one. */
        theirs.unit[0].schedule.phase_ns = 4 * MS;
        ck_assert_double_eq_tol(reading(0).range_m, 0.5 * (4.0 + 4e-3 * sound_mps()),
                                1e-6);
        /* And as much before. */
        theirs.unit[0].schedule.phase_ns = 0;
        unit->schedule.phase_ns = 4 * MS;
        exposure.t_ns = 4 * MS;
        ck_assert_double_eq_tol(reading(0).range_m, 0.5 * (4.0 - 4e-3 * sound_mps()),
                                1e-6);
}

TEST(another_frequency_is_not_heard)
{
        double alone;

        face_to_face(4.0);
        theirs.unit[0].frequency_hz = 42e3;
        alone = reading(0).range_m;
        ck_assert_double_eq_tol(alone, 4.25, 1e-6);
        theirs.unit[0].frequency_hz = 40e3;
        theirs.unit[0].crosstalk = false;
        ck_assert_double_eq(reading(0).range_m, alone);
}

TEST(who_pings_when_nobody_listens_is_not_heard)
{
        double alone_m = 4.25;

        face_to_face(4.0);
        unit->schedule.period_ns = theirs.unit[0].schedule.period_ns = 120 * MS;
        theirs.unit[0].schedule.phase_ns = 60 * MS;
        ck_assert_double_eq_tol(reading(0).range_m, alone_m, 1e-6);
        theirs.unit[0].schedule.phase_ns = 0;
        unit->schedule.phase_ns = exposure.t_ns = 60 * MS;
        ck_assert_double_eq_tol(reading(0).range_m, alone_m, 1e-6);
}

TEST(a_wall_between_them_silences_both)
{
        face_to_face(4.0);
        box[0] = wall(2.5, 0.0, 0.0, (struct vec3){ 0.1, 5.0, 5.0 });
        build(1);
        ck_assert_double_eq_tol(reading(0).range_m, 2.4, 1e-9);
}

/* Side by side, both look at one wall: by the mirror's way, as within a vehicle. */
TEST(by_way_of_a_wall_they_hear_each_other)
{
        face_to_face(4.0);
        box[0] = wall(3.5, 0.0, 0.0, (struct vec3){ 0.5, 100.0, 100.0 });
        build(1);
        others.at[0].pos_ned_m = (struct vec3){ 0.0, 1.0, 0.0 };
        presence.body_to_ned = quat_to_mat3(level());
        unit->schedule.phase_ns = exposure.t_ns = 5 * MS;
        ck_assert_double_eq_tol(reading(0).range_m,
                                0.5 * (sqrt(36.0 + 1.0) - 5e-3 * sound_mps()), 1e-6);
        presence.sonar = NULL;
        ck_assert_double_eq_tol(reading(0).range_m, 3.0, 1e-9);
}

/* Their ping arrives while this one's own still rings, and rings on: what comes back from near is lost. */
TEST(a_foreign_ping_that_rings_deafens)
{
        face_to_face(0.6);
        presence.shape = &(struct shape){ 0 };
        box[0] = wall(0.5 + 0.8, 0.0, 0.0, (struct vec3){ 0.5, 0.2, 0.2 });
        box[1] = wall(0.5 + 2.0, 0.0, 0.0, (struct vec3){ 0.5, 9.0, 9.0 });
        build(2);
        unit->range.min = 0.5;
        /* Believed to be from 0.3 m: within its own ringing. Deaf up to 0.8 m. */
        ck_assert_double_eq_tol(reading(0).range_m, 0.8, 1e-9);
        /* A little later: up to 0.85 m, beyond all of the near wall. */
        theirs.unit[0].schedule.phase_ns = flight_ns(0.1);
        /* Past the near wall, 14 degrees off the axis. */
        ck_assert_double_eq_tol(reading(0).range_m, 2.05, 0.05);
        presence.sonar = NULL;
        ck_assert_double_eq_tol(reading(0).range_m, 0.8, 1e-9);
}
