/* Moving air: the statistics that MIL-F-8785C gives turbulence, whatever the step; the shape of a gust;
 * and nothing but the steady wind where nothing else is asked for. */
#include <math.h>
#include <string.h>

#include "models/world/wind.h"

#include "tests/suites.h"

#define M_PER_FT 0.3048
#define S_NS     INT64_C(1000000000)

enum { U, V, W };

/* Without a mean wind u is north, v east and w down. 30 kt at 20 ft is the standard's "moderate". */
static const struct wind_params moderate = { .turbulence_mps = 30.0 * 0.514444 };

static double component(const struct wind *w, int axis)
{
        return axis == U   ? w->now_ned_mps.x
               : axis == V ? w->now_ned_mps.y
                           : w->now_ned_mps.z;
}

static void step(struct wind *w, double dt_s, double height_m, double speed_mps)
{
        wind_step(w, &moderate, 0, dt_s, height_m, speed_mps);
}

/* Autocorrelations of Dryden's spectra over a lag of a scale lengths: the transforms of sigma^2 2L/pi
 * 1/(1 + (L W)^2) and sigma^2 L/pi (1 + 3 (L W)^2)/(1 + (L W)^2)^2. */
static double correlation(int axis, double a)
{
        return exp(-a) * (axis == U ? 1.0 : 1.0 - 0.5 * a);
}

TEST(scales_are_those_of_the_standard)
{
        double knots20 = 20.0 * 0.514444;
        struct wind_scale top = wind_dryden_scale(knots20, 1000.0 * M_PER_FT);
        struct wind_scale low = wind_dryden_scale(knots20, 100.0 * M_PER_FT);

        /* At 1000 ft turbulence is isotropic: 0.177 + 0.823 = 1. */
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq_tol(top.sigma_mps[i], 0.1 * knots20, 1e-12);
                ck_assert_double_eq_tol(top.length_m[i], 1000.0 * M_PER_FT, 1e-9);
        }
        /* By hand: 0.177 + 0.0823 = 0.2593; 0.2593^1.2 = 0.19794, 0.2593^0.4 = 0.58277. */
        ck_assert_double_eq_tol(low.length_m[W], 100.0 * M_PER_FT, 1e-12);
        ck_assert_double_eq_tol(low.length_m[U] / M_PER_FT, 100.0 / 0.19794, 0.05);
        ck_assert_double_eq_tol(low.sigma_mps[U] / low.sigma_mps[W], 1.0 / 0.58277, 1e-4);
        ck_assert_double_eq(low.length_m[U], low.length_m[V]);
        ck_assert_double_eq(low.sigma_mps[U], low.sigma_mps[V]);
}

TEST(scales_hold_below_10_ft_and_above_1000_ft)
{
        struct wind_scale low = wind_dryden_scale(5.0, 3.0);
        struct wind_scale high = wind_dryden_scale(5.0, 1000.0 * M_PER_FT);
        const double below[] = { -INFINITY, -1.0, 0.0, 2.9, NAN };
        const double above[] = { 304.81, 5000.0, INFINITY };

        for (unsigned i = 0; i < sizeof below / sizeof below[0]; i++) {
                struct wind_scale s = wind_dryden_scale(5.0, below[i]);

                ck_assert_mem_eq(&s, &low, sizeof s);
        }
        for (unsigned i = 0; i < sizeof above / sizeof above[0]; i++) {
                struct wind_scale s = wind_dryden_scale(5.0, above[i]);

                ck_assert_mem_eq(&s, &high, sizeof s);
        }
}

/* The mean square of many short flights' last step, over what it must be. Each flight is a vehicle of
 * its own, so the squares are independent: standard error sqrt(2/FLIGHTS). */
#define FLIGHTS 20000

static void mean_squares(double dt_s, int steps, double height_m, double speed_mps,
                         double faster_mps, double ratio[3])
{
        struct wind_scale scale = wind_dryden_scale(moderate.turbulence_mps, height_m);
        double sum[3] = { 0.0 };

        for (uint32_t flight = 0; flight < FLIGHTS; flight++) {
                struct wind w;

                wind_init(&w, &moderate, 3, flight);
                for (int i = 0; i < steps; i++)
                        step(&w, dt_s, height_m, i & 1 ? faster_mps : speed_mps);
                for (int axis = 0; axis < 3; axis++)
                        sum[axis] += component(&w, axis) * component(&w, axis);
        }
        for (int axis = 0; axis < 3; axis++)
                ratio[axis] = sum[axis] / FLIGHTS /
                              (scale.sigma_mps[axis] * scale.sigma_mps[axis]);
}

TEST(variance_depends_neither_on_the_step_nor_on_the_speed)
{
        static const struct {
                double dt_s;
                int steps;
                double height_m, speed_mps, faster_mps;
        } way[] = {
                { 0.0001, 8, 20.0, 5.0, 5.0 },   { 0.001, 8, 20.0, 5.0, 5.0 },
                { 0.004, 8, 20.0, 15.0, 15.0 },  { 0.25, 8, 20.0, 5.0, 5.0 },
                { 1.0, 8, 20.0, 5.0, 5.0 },      { 20.0, 8, 20.0, 5.0, 5.0 },
                { 1000.0, 2, 20.0, 50.0, 50.0 }, { 0.5, 8, 3.0, 0.0, 25.0 },
                { 0.004, 1, 300.0, 0.0, 0.0 },
        };

        for (unsigned i = 0; i < sizeof way / sizeof way[0]; i++) {
                double ratio[3];

                mean_squares(way[i].dt_s, way[i].steps, way[i].height_m, way[i].speed_mps,
                             way[i].faster_mps, ratio);
                for (int axis = 0; axis < 3; axis++)
                        ck_assert_double_lt(fabs(ratio[axis] - 1.0),
                                            4.0 * sqrt(2.0 / FLIGHTS));
        }
}

/* The product of a flight's first and last air, n steps apart, against Dryden's autocorrelation: its
 * standard error is sqrt(1 + r^2) over the root of the number of flights. */
static void assert_correlations(double dt_s, int steps, double height_m, double speed_mps)
{
        struct wind_scale scale = wind_dryden_scale(moderate.turbulence_mps, height_m);
        double sum[3] = { 0.0 };

        for (uint32_t flight = 0; flight < FLIGHTS; flight++) {
                struct wind w, first;

                wind_init(&w, &moderate, 4, flight);
                step(&w, 0.0, height_m, speed_mps);
                first = w;
                for (int i = 0; i < steps; i++)
                        step(&w, dt_s, height_m, speed_mps);
                for (int axis = 0; axis < 3; axis++)
                        sum[axis] += component(&first, axis) * component(&w, axis);
        }
        for (int axis = 0; axis < 3; axis++) {
                double way = speed_mps * dt_s * steps / scale.length_m[axis];
                double r = correlation(axis, way);
                double sigma = scale.sigma_mps[axis];

                ck_assert_double_lt(fabs(sum[axis] / FLIGHTS / (sigma * sigma) - r),
                                    4.0 * sqrt((1.0 + r * r) / FLIGHTS));
        }
}

TEST(autocorrelation_is_that_of_the_dryden_spectra)
{
        for (double seconds = 0.5; seconds < 60.0; seconds *= 2.0) {
                assert_correlations(seconds, 1, 20.0, 5.0);
                assert_correlations(seconds / 4.0, 4, 20.0, 5.0);
        }
        assert_correlations(0.05, 40, 20.0, 5.0);
}

/* A quarter of the step gives the same process: not only at its ends but between any two times. */
TEST(a_step_equals_four_quarters_in_law)
{
        double one[3], four[3];

        mean_squares(0.8, 1, 10.0, 8.0, 8.0, one);
        mean_squares(0.2, 4, 10.0, 8.0, 8.0, four);
        for (int axis = 0; axis < 3; axis++)
                ck_assert_double_lt(fabs(one[axis] - four[axis]), 6.0 / sqrt(FLIGHTS));
}

#define LENGTH   65536
#define SEGMENTS 32

/* |Fourier sum|^2 at one frequency of one long flight, over segments of it; Hann's window keeps the low
 * frequencies' power out. */
static double power(const double *x, double omega_dt)
{
        double total = 0.0;
        int n = LENGTH / SEGMENTS;

        for (int s = 0; s < SEGMENTS; s++) {
                double re = 0.0, im = 0.0;

                for (int i = 0; i < n; i++) {
                        double window = 1.0 - cos(6.283185307179586 * (i + 0.5) / n);

                        re += window * x[s * n + i] * cos(omega_dt * i);
                        im += window * x[s * n + i] * sin(omega_dt * i);
                }
                total += re * re + im * im;
        }
        return total;
}

/* Far above V/L every spectrum falls with the square of the frequency: 20 dB a decade. Averaged over 16
 * neighbouring frequencies each, 32 segments: some 250 independent values, so 9 % for a ratio. */
TEST(spectra_fall_with_the_square_of_the_frequency)
{
        static double x[3][LENGTH];
        struct wind w;

        wind_init(&w, &moderate, 5, 0);
        for (int i = 0; i < LENGTH; i++) {
                step(&w, 0.01, 3.0, 10.0);
                for (int axis = 0; axis < 3; axis++)
                        x[axis][i] = component(&w, axis);
        }
        for (int axis = 0; axis < 3; axis++) {
                double low = 0.0, high = 0.0;

                /* V/L is 3.3 rad/s for w: 40 rad/s is far above, 120 far below pi/dt. */
                for (int k = 0; k < 16; k++) {
                        low += power(x[axis], 0.40 * (1.0 + 0.02 * (k - 8)));
                        high += power(x[axis], 1.20 * (1.0 + 0.02 * (k - 8)));
                }
                /* Sampling folds 1/sin^2 for 1/w^2: (sin 0.6/sin 0.2)^2 = 8.08. */
                ck_assert_double_lt(fabs(low / high / 8.08 - 1.0), 0.4);
        }
}

TEST(components_and_vehicles_are_independent)
{
        double cross[6] = { 0.0 };
        struct wind_scale s = wind_dryden_scale(moderate.turbulence_mps, 20.0);

        for (uint32_t flight = 0; flight < FLIGHTS; flight++) {
                struct wind a, b;
                double u, v, w;

                wind_init(&a, &moderate, flight, 0);
                wind_init(&b, &moderate, flight, 1);
                for (int i = 0; i < 3; i++) {
                        step(&a, 0.5, 20.0, 5.0);
                        step(&b, 0.5, 20.0, 5.0);
                }
                u = component(&a, U) / s.sigma_mps[U];
                v = component(&a, V) / s.sigma_mps[V];
                w = component(&a, W) / s.sigma_mps[W];
                cross[0] += u * v;
                cross[1] += v * w;
                cross[2] += w * u;
                cross[3] += u * component(&b, U) / s.sigma_mps[U];
                cross[4] += v * component(&b, V) / s.sigma_mps[V];
                cross[5] += w * component(&b, W) / s.sigma_mps[W];
        }
        for (int i = 0; i < 6; i++)
                ck_assert_double_lt(fabs(cross[i]) / FLIGHTS, 4.0 / sqrt(FLIGHTS));
}

TEST(turbulence_turns_with_the_mean_wind)
{
        struct wind_params turned = moderate;
        struct wind north, east;

        wind_init(&north, &moderate, 6, 0);
        turned.steady_ned_mps = (struct vec3){ 0.0, 4.0, 1.0 };
        wind_init(&east, &turned, 6, 0);
        for (int i = 0; i < 50; i++) {
                wind_step(&north, &moderate, 0, 0.1, 20.0, 5.0);
                wind_step(&east, &turned, 0, 0.1, 20.0, 5.0);
                /* Along north has become along east; across east, across south. */
                ck_assert_double_eq_tol(east.now_ned_mps.y - 4.0, north.now_ned_mps.x,
                                        1e-12);
                ck_assert_double_eq_tol(east.now_ned_mps.x, -north.now_ned_mps.y, 1e-12);
                ck_assert_double_eq_tol(east.now_ned_mps.z - 1.0, north.now_ned_mps.z,
                                        1e-12);
        }
}

TEST(a_copy_and_a_second_run_give_the_same_air)
{
        struct wind a, b, other;
        int same = 0;

        wind_init(&a, &moderate, 7, 2);
        b = a;
        wind_init(&other, &moderate, 8, 2);
        for (int i = 0; i < 1000; i++) {
                step(&a, 0.001, 5.0, 2.0);
                step(&b, 0.001, 5.0, 2.0);
                step(&other, 0.001, 5.0, 2.0);
                ck_assert_mem_eq(&a.now_ned_mps, &b.now_ned_mps, sizeof a.now_ned_mps);
                same += a.now_ned_mps.x == other.now_ned_mps.x;
        }
        ck_assert_int_eq(same, 0);
}

TEST(standing_air_does_not_jump)
{
        struct wind w;
        struct vec3 before;

        wind_init(&w, &moderate, 9, 0);
        step(&w, 0.0, 20.0, 0.0);
        before = w.now_ned_mps;
        step(&w, 0.0, 20.0, 0.0);
        ck_assert_mem_eq(&before, &w.now_ned_mps, sizeof before);
        /* Over a way of d the mean square change is 2 sigma^2 d/L, for v and w 3 d/L; 6 deviations. */
        step(&w, 1e-6, 20.0, 0.0);
        ck_assert_double_lt(vec3_norm(vec3_sub(w.now_ned_mps, before)),
                            6.0 * 2.7 * sqrt(3.0 * 3.0 * 0.5e-6 / 20.0));
}

TEST(air_is_finite_whatever_the_vehicle_does)
{
        const double odd[] = { 0.0, -1.0, 1e300, INFINITY, NAN };
        struct wind w;

        wind_init(&w, &moderate, 10, 0);
        for (int i = 0; i < 5; i++)
                for (int j = 0; j < 5; j++) {
                        step(&w, 0.001, odd[i], odd[j]);
                        ck_assert(isfinite(vec3_norm(w.now_ned_mps)));
                }
}

TEST(without_turbulence_the_air_is_the_steady_wind_and_nothing_is_drawn)
{
        const struct wind_params steady = { .steady_ned_mps = { 3.0, -2.0, 0.5 } };
        struct wind w, begun;

        wind_init(&w, &steady, 11, 0);
        begun = w;
        ck_assert_mem_eq(&w.now_ned_mps, &steady.steady_ned_mps, sizeof(struct vec3));
        for (int i = 0; i < 10; i++)
                wind_step(&w, &steady, i * S_NS, 1.0, 10.0, 5.0);
        ck_assert_mem_eq(&w, &begun, sizeof w);
}

static struct vec3 gust_at(const struct wind_params *p, int64_t t_ns)
{
        struct wind w;

        wind_init(&w, p, 12, 0);
        wind_step(&w, p, t_ns, 0.001, 10.0, 0.0);
        return w.now_ned_mps;
}

static const struct wind_params one_gust = {
        .steady_ned_mps = { 1.0, 2.0, 0.0 },
        .gusts = 1,
        .gust = { { 2 * S_NS, 4 * S_NS, { 8.0, 0.0, -2.0 } } },
};

TEST(gust_rises_from_nothing_to_its_amplitude_and_back)
{
        struct vec3 steady = one_gust.steady_ned_mps, peak;
        const int64_t outside[] = { 0, 2 * S_NS - 1, 2 * S_NS, 6 * S_NS, 99 * S_NS };

        for (unsigned i = 0; i < sizeof outside / sizeof outside[0]; i++) {
                struct vec3 air = gust_at(&one_gust, outside[i]);

                ck_assert_mem_eq(&air, &steady, sizeof air);
        }
        peak = gust_at(&one_gust, 4 * S_NS);
        ck_assert_double_eq(peak.x, 9.0);
        ck_assert_double_eq(peak.y, 2.0);
        ck_assert_double_eq(peak.z, -2.0);
}

/* A/2 (1 - cos): mean A/2, mean square 3/8 A^2, symmetric about its middle. Sums over equal steps are
 * exact for a trigonometric polynomial. */
TEST(gust_has_the_form_1_minus_cosine)
{
        double sum = 0.0, square = 0.0;

        for (int i = 0; i < 100; i++) {
                int64_t in = i * 4 * (S_NS / 100);
                double x = gust_at(&one_gust, 2 * S_NS + in).x - 1.0;
                double mirror = gust_at(&one_gust, 6 * S_NS - in).x - 1.0;

                ck_assert_double_eq_tol(x, 4.0 * (1.0 - cos(6.283185307179586 * i / 100)),
                                        1e-13);
                ck_assert_double_eq_tol(x, mirror, 1e-13);
                sum += x;
                square += x * x;
        }
        ck_assert_double_eq_tol(sum / 100.0, 4.0, 1e-12);
        ck_assert_double_eq_tol(square / 100.0, 0.375 * 64.0, 1e-12);
}

TEST(gusts_that_overlap_add_up)
{
        struct wind_params two = one_gust, other = one_gust;

        other.gust[0] = (struct gust){ 3 * S_NS, S_NS, { 0.0, 5.0, 1.0 } };
        two.gusts = 2;
        two.gust[1] = other.gust[0];
        for (int64_t t = 0; t < 8 * S_NS; t += S_NS / 16) {
                struct vec3 sum =
                        vec3_sub(vec3_add(gust_at(&one_gust, t), gust_at(&other, t)),
                                 one_gust.steady_ned_mps);
                struct vec3 both = gust_at(&two, t);

                ck_assert_double_lt(vec3_norm(vec3_sub(both, sum)), 1e-14);
        }
}
