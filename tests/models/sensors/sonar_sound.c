/* Sonars: how loud an echo is, how fast it comes, and what is heard of others. */
#include "tests/models/sensors/sonar_stage.h"
#include "tests/suites.h"

/* How loud it is. */

/* Farthest wall that is heard. */
static double hearing_m(void)
{
        double near_m = 0.1, far_m = 200.0;

        while (far_m - near_m > 1e-9) {
                double m = 0.5 * (near_m + far_m);

                wall_ahead(m, 0.0);
                if (reading(0).echo)
                        near_m = m;
                else
                        far_m = m;
        }
        return near_m;
}

static void loud(double margin_db, double absorption_dbpm)
{
        cone_ahead(30.0);
        unit->beam_max_m = 300.0;
        unit->margin_db = margin_db;
        unit->absorption_dbpm = absorption_dbpm;
}

FIXTURE(set_up, NULL)

TEST(without_absorption_20_db_are_ten_times_the_distance)
{
        loud(20.0, 0.0);
        ck_assert_double_eq_tol(hearing_m(), 10.0, 1e-6);
        loud(40.0, 0.0);
        ck_assert_double_eq_tol(hearing_m(), 100.0, 1e-6);
}

TEST(absorption_takes_its_decibels_there_and_back)
{
        double r;

        loud(35.0, 1.3);
        r = hearing_m();
        ck_assert_double_eq_tol(35.0 - 20.0 * log10(r) - 2.0 * 1.3 * (r - 1.0), 0.0,
                                1e-6);
        /* rig_configs/parts/sonar_mb1232.json: the data sheet's range. */
        ck_assert_double_eq_tol(r, 7.65, 0.02);
}

TEST(soft_surface_is_heard_less_far)
{
        loud(20.0, 0.0);
        surface[0].sound_reflection = 0.25;
        ck_assert_double_eq_tol(hearing_m(), 2.5, 1e-6);
        surface[0].sound_reflection = 0.0;
        wall_ahead(0.5, 0.0);
        ck_assert(!reading(0).echo);
}

/* A mirror turned away by the cone's half angle is met on the edge: half the power, both ways. */
TEST(edge_of_the_cone_hears_six_decibels_less)
{
        double straight, slanted;

        loud(26.0, 0.0);
        straight = hearing_m();
        loud(20.0, 0.0);
        unit->incidence_max_rad = 1e-3;
        unit->axis_body = (struct vec3){ cos(15.0 * DEG), sin(15.0 * DEG), 0.0 };
        slanted = hearing_m();
        ck_assert_double_eq_tol(straight / slanted, pow(10.0, 12.0 / 20.0), 1e-5);
}

TEST(weak_echo_from_near_leaves_the_strong_one_from_behind)
{
        loud(30.0, 0.0);
        ball_at(0.0, 2.0, 0.01);
        wall_ahead(4.0, 0.0);
        ck_assert_double_eq_tol(reading(0).range_m, 4.0, 1e-9);
        others.at[0].radius_m = 0.5;
        ck_assert_double_eq_tol(reading(0).range_m, 1.5, 1e-9);
}

/* ISO 9613-1:1993, 6.2 to 6.4: what sound of f Hz loses in air of 101325 Pa. */
static double iso_9613_db_per_m(double f, double t_k, double humidity)
{
        double saturation = pow(10.0, -6.8346 * pow(273.16 / t_k, 1.261) + 4.6151);
        double h = 100.0 * humidity * saturation, rel = t_k / 293.15;
        double oxygen = 24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h);
        double nitrogen = 9.0 + 280.0 * h * exp(-4.170 * (pow(rel, -1.0 / 3.0) - 1.0));
        double o = 0.01275 * exp(-2239.1 / t_k) / (oxygen + f * f / oxygen);
        double n;

        nitrogen /= sqrt(rel);
        n = 0.1068 * exp(-3352.0 / t_k) / (nitrogen + f * f / nitrogen);
        return 8.686 * f * f * (1.84e-11 * sqrt(rel) + pow(rel, -2.5) * (o + n));
}

/* 1.3 is the default of absorption_db_per_m. */
TEST(default_absorption_is_that_of_42_khz_at_room_temperature)
{
        /* ISO 9613-1, table 1: 10 kHz (exactly 10^4), 20 degrees, 50 %: 159 dB/km. */
        ck_assert_double_eq_tol(iso_9613_db_per_m(1e4, 293.15, 0.5), 0.159, 0.002);
        ck_assert_double_eq_tol(iso_9613_db_per_m(42e3, 293.15, 0.5), 1.3, 0.1);
        ck_assert_double_eq_tol(iso_9613_db_per_m(42e3, 288.15, 0.7), 1.3, 0.1);
}

/* Temperature. */

TEST(speed_of_sound_is_that_of_an_ideal_gas)
{
        for (double t_k = 230.0; t_k < 320.0; t_k += 5.0)
                ck_assert_double_eq_tol(sonar_speed_of_sound_mps(t_k),
                                        sqrt(1.4 * 287.05287 * t_k), 0.05);
}

TEST(part_without_a_thermometer_is_off_by_the_speed_of_sound)
{
        unit->assumed_mps = 344.83;
        world.atmosphere.sea_level_temperature_k = 273.15;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5 * 344.83 / 331.3,
                                1e-4);
        /* 6.5 K a kilometre: MaxBotix' 20.05 sqrt(T) is the speed up there too. */
        world.origin.height_m = 3000.0;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m,
                                1.5 * 344.83 / (20.05 * sqrt(273.15 - 19.5)), 5e-4);
        unit->assumed_mps = 0.0;
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5, 1e-12);
}

/* Cross-talk. */

/* Two forward, side by side in front of a wall; the second pings later. */
static void pair_at_wall(double apart_m, double wall_m, int64_t later_ns)
{
        params.count = 2;
        for (int i = 0; i < 2; i++) {
                ideal_unit(&params.unit[i], forward);
                params.unit[i].opening_rad = 60.0 * DEG;
                params.unit[i].range.max = 7.65;
                params.unit[i].crosstalk = true;
                params.unit[i].lever_arm_body_m.y = (i - 0.5) * apart_m;
        }
        params.unit[1].schedule.phase_ns = later_ns;
        wall_ahead(wall_m, 0.0);
}

static double heard_by(int i)
{
        exposure.t_ns = 1000 * MS + params.unit[i].schedule.phase_ns;
        return reading(i).range_m;
}

TEST(later_ping_hears_the_earlier_one_by_the_mirror_path)
{
        double c_mps = sonar_speed_of_sound_mps(293.15);

        for (double apart_m = 0.1; apart_m < 1.0; apart_m += 0.3) {
                for (int64_t later_ms = 2; later_ms < 12; later_ms += 3) {
                        double path_m = sqrt(4.0 * 3.0 * 3.0 + apart_m * apart_m);
                        double late_m = c_mps * 1e-3 * (double)later_ms;

                        pair_at_wall(apart_m, 3.0, later_ms * MS);
                        ck_assert_double_eq_tol(heard_by(1), 0.5 * (path_m - late_m),
                                                1e-6);
                        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
                }
        }
}

/* The own echo has the shorter way. */
TEST(at_the_same_time_the_own_echo_comes_first)
{
        pair_at_wall(0.3, 3.0, 0);
        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}

/* 2 x 3 m take 17.5 ms; a wall that scatters would throw back more from farther out. */
TEST(after_the_others_echo_has_passed_nothing_is_heard_of_it)
{
        pair_at_wall(0.3, 3.0, 18 * MS);
        params.unit[1].incidence_max_rad = 1e-3;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}

/* 14.57 ms before it pings again, 17.5 after: 2.9 ms are left, 0.5 m. */
TEST(ping_of_the_period_before_is_heard_too)
{
        pair_at_wall(0.3, 3.0, 0);
        params.unit[0].schedule.period_ns = params.unit[1].schedule.period_ns = 15 * MS;
        exposure.t_ns = 1500 * MS;
        ck_assert_double_lt(reading(0).range_m, 0.6);
        ck_assert_double_gt(reading(0).range_m, 0.4);
}

TEST(cones_that_do_not_meet_do_not_talk)
{
        pair_at_wall(0.3, 3.0, 5 * MS);
        for (int i = 0; i < 2; i++)
                params.unit[i].opening_rad = 2.0 * DEG;
        params.unit[1].lever_arm_body_m.y = 1.0;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
}

TEST(unit_without_crosstalk_neither_hears_nor_is_heard)
{
        pair_at_wall(0.3, 3.0, 5 * MS);
        params.unit[0].crosstalk = false;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
        params.unit[0].crosstalk = true;
        params.unit[1].crosstalk = false;
        ck_assert_double_eq_tol(heard_by(1), 3.0, 1e-9);
        params.unit[1].crosstalk = true;
        ck_assert_double_lt(heard_by(1), 2.5);
}

/* One ear looks along a wall that shows it nothing, and hears what its neighbour sent there. */
TEST(foreign_echo_comes_where_there_is_none_of_ones_own)
{
        pair_at_wall(0.2, 3.0, 0);
        for (int i = 0; i < 2; i++)
                params.unit[i].incidence_max_rad = 1e-3;
        params.unit[0].axis_body = (struct vec3){ cos(0.3), -sin(0.3), 0.0 };
        params.unit[1].axis_body = (struct vec3){ cos(0.3), sin(0.3), 0.0 };
        params.unit[0].opening_rad = params.unit[1].opening_rad = 0.64;
        ck_assert_double_eq_tol(heard_by(0), 3.0, 1e-9);
        /* Turned so far out that the wall's foot leaves the cone; the mirror point is nearer in. */
        params.unit[0].opening_rad = params.unit[1].opening_rad = 0.56;
        params.unit[0].lever_arm_body_m.y = 0.15;
        params.unit[1].lever_arm_body_m.y = -0.15;
        ck_assert_double_eq_tol(heard_by(0), 0.5 * sqrt(36.0 + 0.09), 1e-6);
}
