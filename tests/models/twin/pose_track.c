/* An aircraft by its words: exact where it moves as the filter supposes, and honest about how wrong it was. */
#include <math.h>

#include "models/rng.h"
#include "models/twin/pose_track.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static const struct pose_track_params usual = { .accel_mps2 = 3.0,
                                                .turn_accel_radps2 = 10.0,
                                                .position_m = 0.01,
                                                .velocity_mps = 0.1,
                                                .attitude_rad = 0.01,
                                                .rate_radps = 0.1 };

static struct pose_word place_word(int64_t t_ns, int64_t heard_ns, struct vec3 pos_ned_m)
{
        return (struct pose_word){ .said = POSE_PLACE | POSE_ATTITUDE,
                                   .t_ns = t_ns,
                                   .heard_ns = heard_ns,
                                   .pos_ned_m = pos_ned_m,
                                   .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
}

TEST(straight_and_turning_flight_is_extrapolated)
{
        struct pose_track k = { 0 };
        struct pose_surprise s = { 0 };
        struct pose_estimate e;

        /* 2 m/s to the north, half a turn a second about the vertical; words each 50 ms, heard 100 ms later. */
        for (int i = 0; i < 100; i++) {
                int64_t t_ns = i * 50 * MS;
                double t_s = (double)t_ns * 1e-9;
                struct pose_word w = place_word(t_ns, t_ns + 100 * MS,
                                                (struct vec3){ 2.0 * t_s, 0.0, -3.0 });

                w.q_body_to_ned = quat_from_euler(
                        0.0, 0.0, remainder(3.0 * t_s, 6.283185307179586));
                ck_assert(pose_track_hear(&k, &usual, &w, &s));
        }
        ck_assert_double_lt(s.pos_m, 1e-6);
        ck_assert_double_lt(s.attitude_rad, 1e-6);
        e = pose_track_at(&k, &usual, 5050 * MS);
        ck_assert_double_eq_tol(e.pos_ned_m.x, 10.1, 1e-6);
        ck_assert_double_eq_tol(e.vel_ned_mps.x, 2.0, 1e-6);
        ck_assert_double_eq_tol(e.rate_body_radps.z, 3.0, 1e-5);
}

TEST(what_was_shown_is_held_against_the_word)
{
        struct pose_track k = { 0 };
        struct pose_surprise s;
        struct pose_word w;

        for (int i = 0; i <= 40; i++) {
                w = place_word(i * 50 * MS, i * 50 * MS + 100 * MS,
                               (struct vec3){ 2.0 * i * 0.05, 0.0, 0.0 });
                pose_track_hear(&k, &usual, &w, &s);
        }
        /* It stopped at 2 s; at 2.05 s it was still shown where the word of 1.9 s, heard at 2 s, had it go. */
        w = place_word(2050 * MS, 2150 * MS, (struct vec3){ 4.0, 0.0, 0.0 });
        ck_assert(pose_track_hear(&k, &usual, &w, &s));
        ck_assert_double_eq_tol(s.pos_m, 0.1, 1e-4);
        ck_assert_double_gt(s.pos_sigma_m, 0.01);
}

TEST(the_first_word_surprises_nobody)
{
        struct pose_track k = { 0 };
        struct pose_surprise s;
        struct pose_word w =
                place_word(1000 * MS, 1000 * MS, (struct vec3){ 1.0, 2.0, 3.0 });

        ck_assert(pose_track_hear(&k, &usual, &w, &s));
        ck_assert(isnan(s.pos_m) && isnan(s.attitude_rad));
        ck_assert_double_eq(pose_track_at(&k, &usual, 1000 * MS).pos_ned_m.z, 3.0);
}

TEST(an_older_word_changes_nothing)
{
        struct pose_track k = { 0 }, before;
        struct pose_surprise s;
        struct pose_word w =
                place_word(1000 * MS, 1000 * MS, (struct vec3){ 1.0, 0.0, 0.0 });

        pose_track_hear(&k, &usual, &w, &s);
        before = k;
        w = place_word(990 * MS, 1010 * MS, (struct vec3){ 5.0, 0.0, 0.0 });
        ck_assert(!pose_track_hear(&k, &usual, &w, &s));
        ck_assert_mem_eq(&k, &before, sizeof k);
}

/* A source that says attitude and place in different words, of different moments. */
TEST(a_place_older_than_the_attitude_counts)
{
        struct pose_track k = { 0 };
        struct pose_surprise s;

        for (int i = 0; i <= 40; i++) {
                struct pose_word turn = place_word(i * 50 * MS, i * 50 * MS + 30 * MS,
                                                   (struct vec3){ 0 });
                struct pose_word place =
                        place_word(i * 50 * MS - 20 * MS, i * 50 * MS + 30 * MS,
                                   (struct vec3){ 2.0 * (i * 0.05 - 0.02), 0.0, 0.0 });

                turn.said = POSE_ATTITUDE;
                place.said = POSE_PLACE;
                ck_assert(pose_track_hear(&k, &usual, &turn, &s));
                ck_assert(pose_track_hear(&k, &usual, &place, &s));
        }
        ck_assert_double_eq_tol(pose_track_at(&k, &usual, 2100 * MS).pos_ned_m.x, 4.2,
                                1e-3);
}

/* Flown as the filter supposes, the surprise is as large as it expects: the mean square of what is normalised so is
 * 1. */
TEST(surprises_are_as_large_as_expected)
{
        struct rng noise;
        struct pose_track k = { 0 };
        struct vec3 pos = { 0 }, vel = { 0 };
        double sum = 0.0;
        int counted = 0;

        rng_init(&noise, 7, 0, 0, 0);
        for (int i = 0; i < 5000; i++) {
                int64_t t_ns = i * 50 * MS;
                struct vec3 accel =
                        vec3_scale(usual.accel_mps2,
                                   (struct vec3){ rng_normal(&noise), rng_normal(&noise),
                                                  rng_normal(&noise) });
                struct vec3 off =
                        vec3_scale(usual.position_m,
                                   (struct vec3){ rng_normal(&noise), rng_normal(&noise),
                                                  rng_normal(&noise) });
                struct pose_word w = place_word(t_ns, t_ns, vec3_add(pos, off));
                struct pose_surprise s;

                pose_track_hear(&k, &usual, &w, &s);
                if (i > 20) {
                        sum += s.pos_m * s.pos_m / (3.0 * s.pos_sigma_m * s.pos_sigma_m);
                        counted++;
                }
                pos = vec3_axpy(vec3_axpy(pos, 0.05, vel), 0.5 * 0.05 * 0.05, accel);
                vel = vec3_axpy(vel, 0.05, accel);
        }
        ck_assert_double_eq_tol(sum / counted, 1.0, 0.05);
}
