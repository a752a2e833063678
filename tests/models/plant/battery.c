#include <math.h>
#include <stdlib.h>

#include "models/plant/battery.h"

#include "tests/suites.h"

static const struct battery_params pack = {
        .capacity_c = 2.3 * 3600.0,
        .charge_ratio = 1.0,
        .resistance_ohm = 0.08,
        .points = 4,
        .curve_ratio = { 0.0, 0.1, 0.5, 1.0 },
        .curve_v = { 10.6, 14.0, 15.0, 16.4 },
        .cutoff_v = 12.0,
        .idle_w = 5.0,
        .efficiency = 0.4,
        .reference_v = 14.8,
};

static struct battery full(const struct battery_params *p)
{
        struct battery b;

        battery_init(&b, p);
        return b;
}

TEST(the_terminals_sag_by_current_times_resistance)
{
        for (double shaft_w = 0.0; shaft_w < 200.0; shaft_w += 10.0) {
                struct battery b = full(&pack);

                battery_step(&b, &pack, shaft_w, 0.001);
                ck_assert_double_eq(b.voltage_v, 16.4 - 0.08 * b.current_a);
                ck_assert_double_eq_tol(b.voltage_v * b.current_a, 5.0 + shaft_w / 0.4,
                                        1e-9);
        }
}

/* Chemistry gives what the load, the avionics and the resistance take. */
TEST(energy_is_conserved)
{
        struct battery b = full(&pack);
        double chemical_j = 0.0, load_j = 0.0, heat_j = 0.0;

        for (int i = 0; i < 2000; i++) {
                double shaft_w = 30.0 + 20.0 * sin(0.1 * i);
                double source_v =
                        battery_open_circuit_v(&pack, 1.0 - b.charge_used_c / 8280.0);

                battery_step(&b, &pack, shaft_w, 0.1);
                chemical_j += source_v * b.current_a * 0.1;
                load_j += (5.0 + shaft_w / 0.4) * 0.1;
                heat_j += 0.08 * b.current_a * b.current_a * 0.1;
        }
        ck_assert_double_eq_tol(chemical_j, load_j + heat_j, 1e-6 * chemical_j);
}

TEST(it_gives_no_more_than_e_squared_over_four_r)
{
        struct battery b = full(&pack);

        battery_step(&b, &pack, 1e6, 0.001);
        ck_assert_double_eq(b.voltage_v, 8.2);
        ck_assert_double_eq_tol(b.voltage_v * b.current_a, 16.4 * 16.4 / (4.0 * 0.08),
                                1e-9);
        b = full(&pack);
        battery_step(&b, &pack, (double)INFINITY, 0.001);
        ck_assert_double_eq(b.voltage_v, 8.2);
}

TEST(below_the_cutoff_it_is_empty_for_good)
{
        struct battery b = full(&pack);

        ck_assert_double_gt(battery_speed_ratio(&b, &pack), 1.0);
        for (int i = 0; i < 6; i++)
                battery_step(&b, &pack, 1e6, 0.1);
        ck_assert_int_eq(b.empty, 1);
        ck_assert_double_eq(battery_speed_ratio(&b, &pack), 0.0);
        for (int i = 0; i < 100; i++)
                battery_step(&b, &pack, 0.0, 0.1);
        ck_assert_double_gt(b.voltage_v, pack.cutoff_v);
        ck_assert_double_eq(battery_speed_ratio(&b, &pack), 0.0);
}

TEST(a_short_sag_is_no_empty_battery)
{
        struct battery b = full(&pack);

        for (int i = 0; i < 100; i++) {
                battery_step(&b, &pack, i % 5 < 4 ? 1e6 : 10.0, 0.1);
                ck_assert_int_eq(b.empty, 0);
        }
}

TEST(charge_and_voltage_only_fall_under_a_steady_load)
{
        struct battery b = full(&pack), before;
        int seconds = 0;

        battery_step(&b, &pack, 30.0, 1.0);
        while (!b.empty) {
                before = b;
                battery_step(&b, &pack, 30.0, 1.0);
                ck_assert_double_gt(b.charge_used_c, before.charge_used_c);
                ck_assert_double_lt(b.voltage_v, before.voltage_v);
                ck_assert_int_lt(++seconds, 3600);
        }
        /* 80 W of some 33 Wh. */
        ck_assert_int_gt(seconds, 1200);
        ck_assert_int_lt(seconds, 1800);
}

TEST(with_no_charge_left_it_is_empty_whatever_the_cutoff)
{
        struct battery_params p = pack;
        struct battery b;

        p.cutoff_v = 0.0;
        p.charge_ratio = 1e-6;
        battery_init(&b, &p);
        battery_step(&b, &p, 30.0, 1.0);
        ck_assert_int_eq(b.empty, 1);
}

TEST(without_a_battery_the_supply_is_ideal)
{
        const struct battery_params none = { 0 };
        struct battery b;

        battery_init(&b, &none);
        battery_step(&b, &none, 1e6, 1.0);
        ck_assert_double_eq(battery_speed_ratio(&b, &none), 1.0);
        ck_assert_double_eq(b.voltage_v, 0.0);
        ck_assert_double_eq(b.current_a, 0.0);
}

TEST(at_the_reference_voltage_the_ratio_is_1)
{
        struct battery_params p = pack;
        struct battery b;

        p.charge_ratio = 0.1 + 0.4 * 0.8;
        battery_init(&b, &p);
        ck_assert_double_eq_tol(b.voltage_v, 14.8, 1e-12);
        ck_assert_double_eq_tol(battery_speed_ratio(&b, &p), 1.0, 1e-12);
}

TEST(the_open_circuit_voltage_goes_through_its_points_and_stays_between)
{
        for (int i = 0; i < pack.points; i++)
                ck_assert_double_eq_tol(
                        battery_open_circuit_v(&pack, pack.curve_ratio[i]),
                        pack.curve_v[i], 1e-12);
        ck_assert_double_eq_tol(battery_open_circuit_v(&pack, 0.3), 14.5, 1e-12);
        ck_assert_double_eq(battery_open_circuit_v(&pack, -1.0), 10.6);
        ck_assert_double_eq(battery_open_circuit_v(&pack, 2.0), 16.4);
}

TEST(an_ideal_source_needs_no_resistance)
{
        struct battery_params p = pack;
        struct battery b;

        p.resistance_ohm = 0.0;
        battery_init(&b, &p);
        battery_step(&b, &p, 30.0, 0.001);
        ck_assert_double_eq(b.voltage_v, 16.4);
        ck_assert_double_eq_tol(b.current_a, 80.0 / 16.4, 1e-12);
}

TEST(what_is_no_number_and_what_the_wind_gives_is_no_load)
{
        struct battery b = full(&pack), still = full(&pack);

        battery_step(&still, &pack, 0.0, 0.1);
        battery_step(&b, &pack, (double)NAN, 0.1);
        ck_assert_double_eq(b.current_a, still.current_a);
        b = full(&pack);
        battery_step(&b, &pack, -50.0, 0.1);
        ck_assert_double_eq(b.current_a, still.current_a);
}
