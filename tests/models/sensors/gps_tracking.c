/* What the receiver sees, finds and loses, and what it says meanwhile. */
#include "tests/models/sensors/gps_receiver.h"
#include "tests/suites.h"

FIXTURE(set_up, NULL)

TEST(first_fix_comes_when_it_was_promised)
{
        params.tracking.first_fix_ns = 26 * S;
        params.tracking.reacquire_ns = S;
        use(GPS_SATELLITES);
        ck_assert_int_eq(measure_at(0).satellites, 0);
        ck_assert_int_eq(measure_at(13 * S).satellites, 2);
        ck_assert_int_eq(measure_at(13 * S).fix, GPS_NO_FIX);
        ck_assert_int_eq(measure_at(20 * S).fix, GPS_FIX_2D);
        ck_assert_int_eq(measure_at(26 * S - 1).fix, GPS_FIX_2D);
        ck_assert_int_eq(measure_at(26 * S).fix, GPS_FIX_3D);
        ck_assert_int_eq(measure_at(26 * S).satellites, 4);
        ck_assert_int_eq(measure_at(28 * S).satellites, 6);
}

TEST(without_any_fix_it_is_at_the_origin)
{
        struct gps_sample s;

        params.tracking.first_fix_ns = 26 * S;
        use(GPS_SATELLITES);
        body.pos_ned_m = (struct vec3){ 500.0, 0.0, -50.0 };
        s = measure();
        ck_assert_int_eq(s.fix, GPS_NO_FIX);
        assert_near(ned_of(&s), (struct vec3){ 0.0, 0.0, 0.0 }, 1e-7);
        ck_assert_double_ge(s.h_acc_m, 1000.0);
}

TEST(under_the_ground_there_is_no_fix_and_back_it_takes_its_time)
{
        params.tracking.reacquire_ns = 2 * S;
        use(GPS_SATELLITES);
        ck_assert_int_eq(measure_at(0).fix, GPS_FIX_3D);
        body.pos_ned_m.z = 1.0;
        ck_assert_int_eq(measure_at(1 * S).fix, GPS_NO_FIX);
        body.pos_ned_m.z = -10.0;
        ck_assert_int_eq(measure_at(2 * S).satellites, 0);
        ck_assert_int_eq(measure_at(4 * S - 1).fix, GPS_NO_FIX);
        ck_assert_int_eq(measure_at(4 * S).fix, GPS_FIX_3D);
}

TEST(an_antenna_turned_over_sees_nothing_above)
{
        int level;

        params.tracking.antenna_mask_sin = 0.0;
        use(GPS_SATELLITES);
        level = measure().satellites;
        ck_assert_int_ge(level, 6);
        body.q_body_to_ned = quat_from_euler(M_PI / 3.0, 0.0, 0.0);
        ck_assert_int_lt(measure().satellites, level);
        body.q_body_to_ned = quat_from_euler(M_PI, 0.0, 0.0);
        ck_assert_int_eq(measure().satellites, 0);
}

/* Roofed over by a slab 5 m above; walls alone: tests/models/world/satellites.c. */
TEST(a_roof_takes_the_fix_and_the_noise_goes_on)
{
        struct solid slab = { .shape = SOLID_BOX,
                              .pos_ned_m = { 0.0, 0.0, -16.0 },
                              .axes_to_ned = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                              .size_m = { 500.0, 500.0, 1.0 } };
        const struct surface surface = { 0 };
        struct scene_node node[SCENE_NODES(1)];
        struct scene scene;
        struct gps_sample open, roofed;

        ck_assert(scene_build(&scene, &slab, 1, node, &surface, 1));
        params.errors.range_m = 3.0;
        params.errors.range_jitter_m = 0.5;
        params.errors.rate_mps = 0.1;
        use(GPS_SATELLITES);
        for (int k = 0; k < 9; k++)
                open = measure_at(k * S / 4);
        use(GPS_SATELLITES);
        world.scene = &scene;
        for (int k = 0; k < 8; k++) {
                roofed = measure_at(k * S / 4);
                ck_assert_int_eq(roofed.fix, GPS_NO_FIX);
        }
        world.scene = NULL;
        roofed = measure_at(8 * S / 4);
        ck_assert_double_eq(roofed.lat_rad, open.lat_rad);
        ck_assert_double_eq(roofed.height_m, open.height_m);
        ck_assert_double_eq(roofed.vel_ned_mps.x, open.vel_ned_mps.x);
}

TEST(three_satellites_keep_the_height)
{
        struct gps_sample s;

        use(GPS_SATELLITES);
        measure();
        params.tracking.channels = 3;
        body.pos_ned_m = (struct vec3){ 40.0, 30.0, -10.0 };
        s = measure();
        ck_assert_int_eq(s.fix, GPS_FIX_2D);
        ck_assert_int_eq(__builtin_popcount(s.used_prn), 3);
        for (int i = 0; i < 3; i++)
                ck_assert(s.used_prn >> (gps.tracking.used.satellite[i].prn - 1) & 1);
        assert_near(ned_of(&s), body.pos_ned_m, 1e-7);
        /* Climbed by 5 m, which it does not notice but in the horizontal. */
        body.pos_ned_m.z = -15.0;
        s = measure();
        ck_assert_double_eq_tol(ned_of(&s).z, -10.0, 1e-7);
        ck_assert_double_eq_tol(error_of(&s).x, 5.0 * gps.tracking.used.hold[0], 1e-7);
        ck_assert_double_eq_tol(error_of(&s).y, 5.0 * gps.tracking.used.hold[1], 1e-7);
}

TEST(satellites_rise_and_set)
{
        int least = 99, most = 0;

        use(GPS_SATELLITES);
        for (int64_t t = 0; t < 43200; t += 60) {
                int n = measure_at(t * S).satellites;

                least = n < least ? n : least;
                most = n > most ? n : most;
        }
        ck_assert_int_ge(least, 6);
        ck_assert_int_gt(most, least + 2);
}

TEST(losing_the_fix_does_not_shift_the_noise)
{
        struct gps_sample seen, lost;

        params.sigma_four_m = params.sigma_twelve_m = 1.0;
        params.errors.range_m = 3.0;
        for (int model = GPS_GRUBER; model <= GPS_SATELLITES; model++) {
                use((enum gps_model)model);
                for (int i = 0; i < 10; i++)
                        seen = measure();
                use((enum gps_model)model);
                leave(0);
                for (int i = 0; i < 9; i++)
                        measure();
                leave(SATELLITES_MAX);
                lost = measure();
                ck_assert_double_eq(seen.lat_rad, lost.lat_rad);
        }
}

TEST(vehicles_and_seeds_have_errors_of_their_own)
{
        double lat[3];

        params.errors.range_m = 3.0;
        for (uint32_t i = 0; i < 3; i++) {
                use(GPS_SATELLITES);
                gps_init(&gps, &params, i / 2, i % 2);
                lat[i] = measure().lat_rad;
        }
        ck_assert_double_ne(lat[0], lat[1]);
        ck_assert_double_ne(lat[0], lat[2]);
        gps_init(&gps, &params, 0, 0);
        ck_assert_double_eq(measure().lat_rad, lat[0]);
}
