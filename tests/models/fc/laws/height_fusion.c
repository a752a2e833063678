/* The weights of sonar and pressure: (35) to (37) of Micklisch, Hilliard and ElAarag. */
#include <math.h>

#include "models/fc/laws/height_fusion.h"

#include "tests/suites.h"

static const struct height_fusion_params paper = { .sonar_below_m = 5.0,
                                                   .pressure_below_m = 15.0,
                                                   .sonar_max_m = 6.0,
                                                   .sonar_offset_m = 1.0 };

static struct height_fusion fuse(double pressure_m, double sonar_m, bool echo)
{
        struct height_fusion out;

        height_fusion_step(&paper, pressure_m, sonar_m, echo, &out);
        return out;
}

TEST(two_sensors_that_agree_give_what_they_say)
{
        for (double h = 0.0; h < 30.0; h += 0.1)
                ck_assert_double_eq_tol(fuse(h, h, true).height_m, h, 1e-12);
}

TEST(the_weights_are_those_of_36_and_37)
{
        struct height_fusion at_2m = fuse(2.0, 2.0, true);

        ck_assert_double_eq_tol(at_2m.sonar_weight, sqrt(36.0 - 1.0) / 6.0, 1e-15);
        for (double h = 0.0; h < 20.0; h += 0.01) {
                struct height_fusion at = fuse(h, h, true);

                ck_assert(at.sonar_weight >= 0.0 && at.sonar_weight <= 1.0);
                ck_assert_double_eq_tol(at.sonar_weight + at.pressure_weight, 1.0, 1e-15);
        }
}

TEST(the_sonars_weight_falls_with_the_height_and_is_none_beyond_its_range)
{
        double before = 1.0;

        for (double h = 0.0; h < 10.0; h += 0.01) {
                double w = fuse(h, h, true).sonar_weight;

                ck_assert(w <= before);
                before = w;
                if (h >= paper.sonar_max_m)
                        ck_assert_double_eq(w, 0.0);
        }
}

/* "It is used to give the ultrasonic sensor greater weight when it detects a value at a relatively high
 * altitude." */
TEST(the_offset_gives_the_sonar_more_weight_high_up)
{
        struct height_fusion_params without = paper;
        struct height_fusion out;

        without.sonar_offset_m = 0.0;
        for (double h = 0.1; h < paper.sonar_below_m; h += 0.1) {
                height_fusion_step(&without, h, h, true, &out);
                ck_assert_double_gt(fuse(h, h, true).sonar_weight, out.sonar_weight);
        }
}

TEST(above_its_threshold_the_sonar_has_no_weight)
{
        struct height_fusion_params far = paper;
        struct height_fusion out;

        far.sonar_max_m = 100.0;
        height_fusion_step(&far, 5.01, 5.01, true, &out);
        ck_assert_double_eq(out.sonar_weight, 0.0);
        height_fusion_step(&far, 4.99, 4.99, true, &out);
        ck_assert(out.sonar_weight > 0.9);
}

TEST(without_an_echo_the_pressure_is_all_there_is)
{
        struct height_fusion out = fuse(3.0, NAN, false);

        ck_assert_double_eq(out.height_m, 3.0);
        ck_assert_double_eq(out.pressure_weight, 1.0);
        ck_assert_int_eq(out.main, HEIGHT_BY_PRESSURE);
}

TEST(over_a_high_roof_the_roof_counts)
{
        struct height_fusion out = fuse(20.0, 2.0, true);

        ck_assert_double_eq(out.height_m, 2.0);
        ck_assert_int_eq(out.main, HEIGHT_BY_SONAR);
        ck_assert_double_eq(fuse(20.0, 8.0, true).height_m, 20.0);
}

TEST(the_main_sensor_is_the_one_with_the_higher_weight)
{
        struct height_fusion_params near = paper;
        struct height_fusion out;

        /* W_u = 1/2 at O_u = M_u sqrt(3)/2 + R_u = 4.494 m. */
        near.sonar_max_m = 4.9;
        near.sonar_offset_m = 0.25;
        height_fusion_step(&near, 4.4, 4.4, true, &out);
        ck_assert_int_eq(out.main, HEIGHT_BY_SONAR);
        height_fusion_step(&near, 4.6, 4.6, true, &out);
        ck_assert_int_eq(out.main, HEIGHT_BY_PRESSURE);
}
