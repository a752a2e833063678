/* Take-off and landing of the documents, as the state machines and controllers that they are. */
#include <math.h>

#include "models/fc/laws/landing_states.h"
#include "models/fc/laws/landing_thesis.h"
#include "models/fc/laws/takeoff_states.h"
#include "models/fc/laws/takeoff_thesis.h"

#include "tests/suites.h"

static const struct takeoff_states_params up = { .spool_s = 0.8,
                                                 .first_m = 10.0,
                                                 .off_ground_m = 1.65,
                                                 .height_m = 5.0,
                                                 .tolerance_m = 0.25 };

TEST(takeoff_wants_10_m_on_the_ground_then_5_m_and_stays_there)
{
        struct takeoff_states s = { 0 };
        struct takeoff_aim aim = takeoff_states_step(&s, &up, 0.0, 0.01);

        ck_assert_double_eq(aim.height_m, 10.0);
        aim = takeoff_states_step(&s, &up, 1.7, 0.01);
        ck_assert_double_eq(aim.height_m, 5.0);
        ck_assert(!aim.done);
        aim = takeoff_states_step(&s, &up, 4.8, 0.01);
        ck_assert_double_eq(aim.height_m, 5.0);
        ck_assert(aim.done);
}

TEST(takeoff_spools_up_slowly_and_only_on_the_ground)
{
        struct takeoff_states s = { 0 };
        double before = 0.0;

        for (int i = 1; i <= 80; i++) {
                double share = takeoff_states_step(&s, &up, 0.0, 0.01).share;

                ck_assert(share > before && share <= 1.0);
                ck_assert_double_eq_tol(share, i / 80.0, 1e-9);
                before = share;
        }
        s = (struct takeoff_states){ 0 };
        takeoff_states_step(&s, &up, 0.0, 0.01);
        ck_assert_double_eq(takeoff_states_step(&s, &up, 2.0, 0.01).share, 1.0);
}

TEST(takeoff_never_goes_back_to_an_earlier_state)
{
        struct takeoff_states s = { 0 };

        takeoff_states_step(&s, &up, 2.0, 0.01);
        ck_assert_double_eq(takeoff_states_step(&s, &up, 0.5, 0.01).height_m, 5.0);
        takeoff_states_step(&s, &up, 5.2, 0.01);
        ck_assert(takeoff_states_step(&s, &up, 4.0, 0.01).done);
        ck_assert(takeoff_states_step(&s, &up, NAN, 0.01).done);
}

TEST(the_thesis_climbs_in_proportion_and_is_done_within_its_tolerance)
{
        struct takeoff_thesis_params p = { .gain_per_s = 0.7, .tolerance_m = 0.3 };
        bool done;

        ck_assert_double_eq_tol(takeoff_thesis_mps(&p, 5.0, 0.0, &done), 3.5, 1e-12);
        ck_assert(!done);
        ck_assert_double_eq_tol(takeoff_thesis_mps(&p, 5.0, 6.0, &done), -0.7, 1e-12);
        ck_assert(!done);
        takeoff_thesis_mps(&p, 5.0, 4.8, &done);
        ck_assert(done);
        takeoff_thesis_mps(&p, 5.0, NAN, &done);
        ck_assert(!done);
}

static const struct landing_states_params down = { 1.0, 0.5, 0.1, 4.0, 2.0, 0.1 };

static double below_at(double height_m, bool sure)
{
        struct landing_states s = { LANDING_HIGH };

        landing_states_step(&s, &down, height_m, sure);
        return landing_states_below_m(&s, &down);
}

TEST(landing_wants_4_then_2_then_a_tenth_of_a_metre_below_then_no_motors)
{
        ck_assert_double_eq(below_at(30.0, true), 4.0);
        ck_assert_double_eq(below_at(1.0, true), 4.0);
        ck_assert_double_eq(below_at(0.99, true), 2.0);
        ck_assert_double_eq(below_at(0.5, true), 2.0);
        ck_assert_double_eq(below_at(0.49, true), 0.1);
        ck_assert_double_eq(below_at(0.1, true), 0.1);
        ck_assert_double_eq(below_at(0.09, true), 0.0);
}

TEST(landing_turns_no_motor_off_by_a_height_that_is_not_sure)
{
        ck_assert_double_eq(below_at(0.05, false), 0.1);
        ck_assert_double_eq(below_at(-3.0, false), 0.1);
        ck_assert_double_eq(below_at(NAN, true), 4.0);
}

TEST(landing_follows_the_height_until_the_motors_are_off)
{
        struct landing_states s = { LANDING_HIGH };

        landing_states_step(&s, &down, 0.3, true);
        landing_states_step(&s, &down, 3.0, true);
        ck_assert_int_eq(s.state, LANDING_HIGH);
        landing_states_step(&s, &down, 0.05, true);
        landing_states_step(&s, &down, 3.0, true);
        ck_assert_int_eq(s.state, LANDING_OFF);
}

/* A vehicle that follows the desired position as a proportional law without lag would. */
TEST(landing_meets_the_ground_at_the_speed_of_its_last_state)
{
        for (double from_m = 10.0; from_m <= 30.0; from_m += 10.0) {
                struct landing_states s = { LANDING_HIGH };
                double height_m = from_m, speed_mps = 0.0, t_s = 0.0;

                while (s.state != LANDING_OFF) {
                        landing_states_step(&s, &down, height_m, true);
                        speed_mps = landing_states_below_m(&s, &down);
                        height_m -= 0.001 * speed_mps;
                        t_s += 0.001;
                        if (s.state == LANDING_FLARE)
                                ck_assert_double_eq(speed_mps, 0.1);
                }
                ck_assert_double_eq_tol(t_s, (from_m - 1.0) / 4.0 + 0.25 + 4.0, 0.02);
        }
}

static const struct landing_thesis_params slow = { .sink_mps = 0.5,
                                                   .every_s = 0.1,
                                                   .zero_mps = 0.2 };

TEST(the_thesis_sinks_until_ten_measurements_show_no_velocity)
{
        struct landing_thesis s = { 0 };
        double down_m = -5.0;

        for (int i = 0; i < 10000; i++) {
                ck_assert_double_eq(landing_thesis_step(&s, &slow, down_m, 0.001), -0.5);
                if (down_m < 0.0)
                        down_m += 0.0005;
        }
        ck_assert_double_eq_tol(down_m, 0.0, 1e-3);
        for (int i = 0; i < 1100 && !s.landed; i++)
                landing_thesis_step(&s, &slow, 0.0, 0.001);
        ck_assert(s.landed);
        ck_assert_double_eq(landing_thesis_step(&s, &slow, 0.0, 0.001), 0.0);
}

TEST(the_thesis_does_not_land_on_nine_measurements_or_in_a_slow_descent)
{
        struct landing_thesis s = { 0 };

        for (int i = 0; i < 890; i++)
                landing_thesis_step(&s, &slow, 0.0, 0.001);
        ck_assert(!s.landed);
        s = (struct landing_thesis){ 0 };
        for (int i = 0; i < 20000; i++)
                landing_thesis_step(&s, &slow, 0.00025 * i, 0.001);
        ck_assert(!s.landed);
}

TEST(a_measurement_that_is_none_is_no_landing)
{
        struct landing_thesis s = { 0 };

        for (int i = 0; i < 5000; i++)
                landing_thesis_step(&s, &slow, NAN, 0.001);
        ck_assert(!s.landed);
}
