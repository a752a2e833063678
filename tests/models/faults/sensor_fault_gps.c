/* Faults of the GPS: metres on the earth, and what fits to them. */
#include "tests/models/faults/sensor_fault_stage.h"
#include "io/sort.h"
#include "tests/suites.h"

#include <stdlib.h>

#include "models/world/earth.h"
#include "models/world/satellites.h"

static struct sensors_params sensors;
static struct faulty faulty;

static void set_up(void)
{
        stage_sensors(&sensors);
        sensors.gps.model = GPS_WHITE;
}

FIXTURE(set_up, NULL)

static struct sensor_fault gps(enum sensor_fault_kind kind, double amount, unsigned axes)
{
        struct sensor_fault p = stage_fault(FAULT_GPS, kind, amount);

        p.axes = axes;
        return p;
}

static struct gps_sample at(int64_t t_ns)
{
        struct sensor_frame f = stage_frame(t_ns);

        fault_apply(&faulty, &sensors, &f);
        ck_assert_int_eq(f.gps.t_ns, t_ns);
        return f.gps;
}

static void begin(struct sensor_fault p, int64_t t_ns)
{
        struct sensor_frame last = stage_frame(t_ns - 1 * MS);

        last.gps.height_m = 100.0;
        last.gps.lat_rad = 0.8;
        fault_begin(&faulty, p, t_ns, &last);
}

/* From where the receiver would have said that it is, in the plane there. */
static struct vec3 moved_m(struct gps_sample g)
{
        struct gps_sample was = stage_frame(0).gps;
        struct earth_origin o = { was.lat_rad, was.lon_rad, was.height_m };
        struct vec3 m = earth_to_ned(
                &o, (struct earth_position){ g.lat_rad, g.lon_rad, was.height_m });

        m.z = was.height_m - g.height_m;
        return m;
}

TEST(a_jump_is_as_many_metres_on_the_earth)
{
        struct vec3 m;

        begin(gps(GPS_JUMP, 1000.0, FAULT_AXIS_X), 0);
        m = moved_m(at(100 * MS));
        ck_assert_double_eq_tol(m.x, 1000.0, 1e-3);
        ck_assert_double_eq_tol(m.y, 0.0, 1e-3);
        ck_assert_double_eq(m.z, 0.0);
        begin(gps(GPS_JUMP, -50.0, FAULT_AXIS_Y | FAULT_AXIS_Z), 0);
        m = moved_m(at(100 * MS));
        ck_assert_double_eq_tol(m.x, 0.0, 1e-3);
        ck_assert_double_eq_tol(m.y, -50.0, 1e-3);
        ck_assert_double_eq(m.z, -50.0);
}

/* Gruber 5.2.7.2: 111200 m to a degree of latitude, 71670 m to one of longitude. */
TEST(a_jump_on_a_flat_earth_uses_its_metres)
{
        struct gps_sample was = stage_frame(0).gps, g;

        sensors.gps.flat_earth = true;
        begin(gps(GPS_JUMP, 1000.0, FAULT_AXIS_X | FAULT_AXIS_Y), 0);
        g = at(100 * MS);
        ck_assert_double_eq_tol((g.lat_rad - was.lat_rad) * 180 / M_PI, 1000.0 / 111200,
                                1e-12);
        ck_assert_double_eq_tol((g.lon_rad - was.lon_rad) * 180 / M_PI, 1000.0 / 71670,
                                1e-12);
}

TEST(a_spoof_starts_without_a_jump_and_moves_as_its_velocity_says)
{
        const struct gps_sample was = stage_frame(0).gps;
        struct gps_sample g;
        struct vec3 m;

        begin(gps(GPS_SPOOF, 2.0, FAULT_AXIS_X | FAULT_AXIS_Z), 1000 * MS);
        g = at(1000 * MS);
        ck_assert_double_eq(g.lat_rad, was.lat_rad);
        ck_assert_double_eq(g.lon_rad, was.lon_rad);
        ck_assert_double_eq(g.height_m, was.height_m);
        for (int s = 1; s < 60; s++) {
                g = at((1000 + 1000 * s) * MS);
                m = moved_m(g);
                ck_assert_double_eq_tol(m.x, 2.0 * s, 1e-6);
                ck_assert_double_eq_tol(m.y, 0.0, 1e-6);
                ck_assert_double_eq_tol(m.z, 2.0 * s, 1e-9);
                ck_assert_double_eq(g.vel_ned_mps.x, was.vel_ned_mps.x + 2.0);
                ck_assert_double_eq(g.vel_ned_mps.y, was.vel_ned_mps.y);
                ck_assert_double_eq(g.vel_ned_mps.z, was.vel_ned_mps.z + 2.0);
                ck_assert_double_eq(g.h_acc_m, was.h_acc_m);
        }
}

TEST(a_drift_is_a_spoof_whose_velocity_does_not_know)
{
        struct gps_sample g;

        begin(gps(SENSOR_DRIFT, 2.0, FAULT_AXIS_Y), 0);
        g = at(5000 * MS);
        ck_assert_double_eq_tol(moved_m(g).y, 10.0, 1e-6);
        ck_assert_double_eq(g.vel_ned_mps.y, -4.0);
}

TEST(position_noise_is_in_metres)
{
        enum { COUNT = 5000 };
        double square = 0.0;

        begin(gps(SENSOR_NOISE, 3.0, FAULT_AXIS_Y), 0);
        for (int i = 1; i <= COUNT; i++) {
                struct vec3 m = moved_m(at(100 * i * MS));

                square += m.y * m.y;
                ck_assert_double_eq_tol(m.x, 0.0, 1e-4);
                ck_assert_double_eq(m.z, 0.0);
        }
        ck_assert_double_eq_tol(square / COUNT, 9.0, 5 * 9.0 * sqrt(2.0 / COUNT));
}

TEST(without_a_fix_the_last_position_stays_and_its_accuracy_is_not_known)
{
        struct gps_sample g;

        begin(gps(GPS_LOSS, 0, 0), 1000 * MS);
        for (int i = 10; i < 20; i++) {
                g = at(100 * i * MS);
                ck_assert_int_eq(g.fix, GPS_NO_FIX);
                ck_assert_int_eq(g.satellites, 0);
                ck_assert_uint_eq(g.used_prn, 0);
                ck_assert_double_eq(g.lat_rad, 0.8);
                ck_assert_double_eq(g.height_m, 100.0);
                ck_assert_double_eq(g.h_acc_m, GPS_UNKNOWN_M);
                ck_assert_double_eq(g.v_acc_m, GPS_UNKNOWN_M);
                ck_assert_double_eq(g.s_acc_mps, GPS_UNKNOWN_MPS);
        }
}

TEST(times_jump_and_nothing_else)
{
        struct sensor_fault p = gps(GPS_TIME_JUMP, 0, 0);
        struct sensor_frame f = stage_frame(5000 * MS), was = f;

        p.delay_ns = -2500 * MS;
        begin(p, 5000 * MS);
        fault_apply(&faulty, &sensors, &f);
        ck_assert_int_eq(f.gps.t_ns, 2500 * MS);
        f.gps.t_ns = was.gps.t_ns;
        ck_assert_mem_eq(&f.t_ns, &was.t_ns, sizeof f);
}

static struct gps_sample with_satellites(int count)
{
        struct sensor_fault p = gps(GPS_FEW_SATELLITES, 0, 0);

        p.count = count;
        begin(p, 1000 * MS);
        return at(1000 * MS);
}

TEST(more_satellites_than_there_are_change_nothing)
{
        struct gps_sample g = with_satellites(12), was = stage_frame(1000 * MS).gps;

        ck_assert_mem_eq(&g.t_ns, &was.t_ns, sizeof g);
}

TEST(fewer_satellites_make_a_fix_worse_and_then_none)
{
        double last_m = stage_frame(0).gps.h_acc_m;

        for (int count = 11; count >= 4; count--) {
                struct gps_sample g = with_satellites(count);

                ck_assert_int_eq(g.satellites, count);
                ck_assert_uint_eq(g.used_prn, 0);
                ck_assert_int_eq(g.fix, GPS_FIX_3D);
                ck_assert_double_gt(g.h_acc_m, last_m);
                ck_assert_double_eq_tol(g.v_acc_m / g.h_acc_m, 2.5 / 1.5, 1e-12);
                ck_assert_double_eq_tol(g.s_acc_mps / g.h_acc_m, 0.25 / 1.5, 1e-12);
                last_m = g.h_acc_m;
        }
        for (int count = 3; count >= 0; count--) {
                struct gps_sample g = with_satellites(count);

                ck_assert_int_eq(g.fix, GPS_NO_FIX);
                ck_assert_int_eq(g.satellites, count);
                ck_assert_double_eq(g.h_acc_m, GPS_UNKNOWN_M);
                ck_assert_double_eq(g.lat_rad, 0.8);
        }
}

TEST(three_satellites_place_a_receiver_that_can_on_its_last_height)
{
        struct gps_sample g;

        sensors.gps.model = GPS_SATELLITES;
        g = with_satellites(3);
        ck_assert_int_eq(g.fix, GPS_FIX_2D);
        ck_assert_double_eq(g.height_m, 100.0);
        ck_assert_double_eq(g.vel_ned_mps.z, 0.0);
        ck_assert_double_eq(g.v_acc_m, GPS_UNKNOWN_M);
        ck_assert_double_eq(g.h_acc_m, with_satellites(4).h_acc_m);
}

/* Gruber 5.2.7.2: linear between 4 satellites and 12. */
TEST(grubers_receiver_follows_grubers_rule)
{
        struct gps_sample g;

        sensors.gps.model = GPS_GRUBER;
        sensors.gps.sigma_four_m = 1.75;
        sensors.gps.sigma_twelve_m = 0.25;
        g = with_satellites(8);
        ck_assert_double_eq_tol(g.h_acc_m, 1.0 * M_SQRT2, 1e-12);
        ck_assert_double_eq_tol(g.v_acc_m, 1.0, 1e-12);
        ck_assert_double_eq(g.s_acc_mps, 0.25);
        ck_assert_int_eq(with_satellites(3).fix, GPS_NO_FIX);
}

/* Root mean square of the position's error over some runs, and how alike neighbours are. */
static void few_errors(int count, double *north_m, double *down_m, double *alike)
{
        enum { COUNT = 8000 };
        double n2 = 0.0, d2 = 0.0, pairs = 0.0, last = 0.0;
        struct sensor_fault p = gps(GPS_FEW_SATELLITES, 0, 0);

        p.count = count;
        begin(p, 0);
        for (int i = 1; i <= COUNT; i++) {
                struct vec3 m = moved_m(at(100 * i * MS));

                n2 += m.x * m.x;
                d2 += m.z * m.z;
                pairs += m.x * last;
                last = m.x;
        }
        *north_m = sqrt(n2 / COUNT);
        *down_m = sqrt(d2 / COUNT);
        *alike = pairs / n2;
}

TEST(errors_grow_with_the_accuracies)
{
        struct gps_sample was = stage_frame(0).gps, g = with_satellites(5);
        double h_m = sqrt((g.h_acc_m * g.h_acc_m - was.h_acc_m * was.h_acc_m) / 2);
        double v_m = sqrt(g.v_acc_m * g.v_acc_m - was.v_acc_m * was.v_acc_m);
        double north_m, down_m, alike;

        /* Five standard errors of a deviation: sigma/sqrt(2 n). */
        few_errors(5, &north_m, &down_m, &alike);
        ck_assert_double_eq_tol(north_m, h_m, 5 * h_m / sqrt(16000));
        ck_assert_double_eq_tol(down_m, v_m, 5 * v_m / sqrt(16000));
        ck_assert_double_eq_tol(alike, 0.0, 5 / sqrt(8000));
        /* A data sheet's receiver errs slowly. */
        sensors.gps.model = GPS_SATELLITES;
        sensors.gps.errors =
                (struct gps_errors_params){ .range_m = 1.0, .range_tau_s = 2.0 };
        gps_params_prepare(&sensors.gps);
        few_errors(5, &north_m, &down_m, &alike);
        ck_assert_double_eq_tol(alike, exp(-0.1 / 2.0), 0.02);
        /* 40 samples to an independent one. */
        ck_assert_double_eq_tol(north_m, h_m, 5 * h_m / sqrt(400));
}

/* HDOP of m satellites at random out of a sky. */
static double hdop_of(const struct sky *sky, int m, struct rng *rng)
{
        struct sky few = *sky;

        few.count = 0;
        for (int i = 0; i < sky->count; i++)
                if (rng_uniform(rng) * (sky->count - i) < m - few.count)
                        few.satellite[few.count++] = sky->satellite[i];
        satellites_geometry(&few);
        return few.hdop;
}

static double median_hdop(int of, int m)
{
        static double hdop[400];
        struct rng rng;
        int found = 0;

        rng_init(&rng, 5, 0, 0, 0);
        while (found < 400) {
                struct earth_origin o = { 2.0 * rng_uniform(&rng) - 1.0,
                                          6.0 * rng_uniform(&rng), 0.0 };
                double t_s = 1.4e9 + 1e6 * rng_uniform(&rng);
                struct sky sky;

                satellites_above(&sky, &almanac_shipped, &o, (struct vec3){ 0 }, t_s,
                                 0.09);
                if (sky.count == of)
                        hdop[found++] = hdop_of(&sky, m, &rng);
        }
        sort_doubles(hdop, 400);
        return 0.5 * (hdop[199] + hdop[200]);
}

TEST(accuracies_grow_as_the_geometry_of_the_almanacs_satellites_does)
{
        double ten = median_hdop(10, 10);

        for (int m = 4; m < 10; m++) {
                double grown = with_satellites(m).h_acc_m / with_satellites(10).h_acc_m;

                ck_assert_double_eq_tol(grown / (median_hdop(10, m) / ten), 1.0, 0.2);
        }
}
