/* Several who reckon by their IMUs and measure distances: what is exact stays exact, what distances show is found, what they
 * cannot show is less the more there are. */
#include <math.h>

#include "models/fc/collective.h"
#include "models/rng.h"

#include "tests/suites.h"

#define MS      INT64_C(1000000)
#define STEP_MS 10
#define MOST    8
#define SEEDS   (SANITIZED ? 3 : 12)

static const struct collective_params params = {
        .start_m = 0.02, .drift_mps2 = 0.005, .range_m = 0.05, .gate = 4.0
};

/* All hover at their places; each errs by a random walk of the velocity. */
static struct fleet {
        int count;
        struct collective c[MOST];
        struct peers k[MOST];
        struct fc_estimator e[MOST];
        struct vec3 true_ned_m[MOST], off_m[MOST], off_mps[MOST];
        struct rng drift, noise;
        int64_t t_ns;
        bool talk;
        double outlier_m; /* in every tenth range */
        int measured;
} f;

static const struct earth_origin origin = { 0.9, 0.2, 100.0 };

static void begin(int count, uint64_t seed)
{
        f = (struct fleet){ .count = count, .talk = true, .t_ns = 1000 * MS };
        rng_init(&f.drift, seed, 0, 0, 0);
        rng_init(&f.noise, seed, 0, 0, 1);
        for (int i = 0; i < count; i++) {
                collective_init(&f.c[i]);
                peers_init(&f.k[i]);
                f.k[i].radio = true;
                f.k[i].address = i;
                f.k[i].radios = count;
                f.e[i] = (struct fc_estimator){ .aligned = true,
                                                .origin_known = true,
                                                .origin = origin };
                /* The corners of a cube of 4 m, so that no direction is special. */
                f.true_ned_m[i] = (struct vec3){ 4.0 * (i & 1), 4.0 * (i >> 1 & 1),
                                                 -4.0 * (i >> 2 & 1) };
        }
}

static void wander(int i)
{
        double sigma = params.drift_mps2 * sqrt(1e-3 * STEP_MS);
        struct vec3 push = { rng_normal(&f.drift), rng_normal(&f.drift),
                             rng_normal(&f.drift) };

        f.off_m[i] = vec3_axpy(f.off_m[i], 1e-3 * STEP_MS, f.off_mps[i]);
        f.off_mps[i] = vec3_axpy(f.off_mps[i], sigma, push);
}

static struct relative_sample measure(int i, int other)
{
        double range_m = vec3_norm(vec3_sub(f.true_ned_m[i], f.true_ned_m[other]));

        range_m += params.range_m * rng_normal(&f.noise);
        if (++f.measured % 10 == 0)
                range_m += f.outlier_m;
        return (struct relative_sample){
                .t_ns = f.t_ns, .peer = other, .has_range = true, .range_m = range_m
        };
}

static void tell_the_others(int i)
{
        struct peer_word word;

        if (!f.talk || !collective_say(&f.c[i], &f.e[i], &f.k[i], 0.1, f.t_ns, &word))
                return;
        ck_assert_int_eq(word.says, PEER_SAYS_RANGES);
        for (int k = 0; k < f.count; k++)
                if (k != i)
                        collective_hear(&f.c[k], &params, &f.e[k], i, &word.ranges);
}

/* One period: every one measures another every 50 ms. */
static void step(bool on_ground, double drift)
{
        f.t_ns += STEP_MS * MS;
        for (int i = 0; i < f.count; i++) {
                struct sensor_frame frame = { .t_ns = f.t_ns };

                if (!on_ground && drift > 0.0)
                        wander(i);
                f.e[i].pos_ned_m = vec3_add(f.true_ned_m[i], f.off_m[i]);
                f.e[i].vel_ned_mps = f.off_mps[i];
                if (f.count > 1 && f.t_ns / (STEP_MS * MS) % 5 == 0) {
                        int turn = (int)(f.t_ns / (5 * STEP_MS * MS)) % (f.count - 1);

                        frame.fresh = SENSOR_BIT(SENSOR_RELATIVE);
                        frame.relative = measure(i, (i + 1 + turn) % f.count);
                }
                collective_step(&f.c[i], &params, &f.k[i], &frame, on_ground,
                                1e-3 * STEP_MS, &f.e[i]);
        }
        for (int i = 0; i < f.count; i++)
                tell_the_others(i);
}

/* RMS over all of how far they are off; alone: by their IMUs. */
static double off_m(bool alone)
{
        double sum = 0.0;

        for (int i = 0; i < f.count; i++) {
                struct vec3 off =
                        alone ? f.off_m[i] : vec3_sub(f.e[i].pos_ned_m, f.true_ned_m[i]);

                sum += vec3_dot(off, off);
        }
        return sqrt(sum / f.count);
}

static void fly(int count, uint64_t seed, double seconds, double drift)
{
        begin(count, seed);
        for (int i = 0; i < 50; i++)
                step(true, drift);
        for (int i = 0; i < seconds * 1000.0 / STEP_MS; i++)
                step(false, drift);
}

TEST(alone_or_mute_it_is_dead_reckoning)
{
        fly(1, 1, 10.0, 1.0);
        ck_assert_double_eq_tol(off_m(false), off_m(true), 1e-12);
        begin(3, 1);
        f.talk = false;
        for (int i = 0; i < 500; i++)
                step(false, 1.0);
        ck_assert_double_eq_tol(off_m(false), off_m(true), 1e-12);
        ck_assert_double_gt(off_m(true), 0.0);
}

/* Who reckons exactly is moved by no more than noise of the ranges moves it. */
TEST(exact_reckoning_stays_exact)
{
        fly(8, 2, 20.0, 0.0);
        ck_assert_double_lt(off_m(false), 2.0 * params.range_m);
}

/* Mean square over the seeds. */
static double mean_off_m(int count, bool alone)
{
        double sum = 0.0;

        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                double off;

                fly(count, seed, 20.0, 1.0);
                off = off_m(alone);
                sum += off * off;
        }
        return sqrt(sum / SEEDS);
}

/* Of eight in a cube all but the mean and the turn is seen: 6 of 24 errors stay. */
TEST(the_more_there_are_the_less_each_is_off)
{
        double two = mean_off_m(2, false) / mean_off_m(2, true);
        double four = mean_off_m(4, false) / mean_off_m(4, true);
        double eight = mean_off_m(8, false) / mean_off_m(8, true);

        ck_assert_double_lt(two, 1.0);
        ck_assert_double_lt(four, two);
        ck_assert_double_lt(eight, four);
        ck_assert_double_lt(eight, 0.6);
        ck_assert_double_gt(eight, 0.35); /* sqrt(1/8) of it is the mean's */
}

/* The distances between them are right, whatever the group as a whole does. */
TEST(their_shape_is_right)
{
        double sum = 0.0;
        int pairs = 0;

        fly(8, 3, 30.0, 1.0);
        for (int i = 0; i < f.count; i++)
                for (int k = 0; k < i; k++) {
                        double is =
                                vec3_norm(vec3_sub(f.e[i].pos_ned_m, f.e[k].pos_ned_m));
                        double truly =
                                vec3_norm(vec3_sub(f.true_ned_m[i], f.true_ned_m[k]));

                        sum += (is - truly) * (is - truly);
                        pairs++;
                }
        ck_assert_double_lt(sqrt(sum / pairs), 2.0 * params.range_m);
        ck_assert_double_gt(off_m(true), 0.2);
}

TEST(a_range_by_a_longer_way_is_not_believed)
{
        double with, without;

        begin(8, 4);
        f.outlier_m = 5.0;
        for (int i = 0; i < 50; i++)
                step(true, 1.0);
        for (int i = 0; i < 2000; i++)
                step(false, 1.0);
        with = off_m(false);
        fly(8, 4, 20.0, 1.0);
        without = off_m(false);
        ck_assert_double_lt(with, without + 2.0 * params.range_m);
}

TEST(a_ninth_finds_no_place_and_changes_nothing)
{
        struct peer_ranges stranger = { .reckoned = { .t_ns = 0,
                                                      .at = { 0.9, 0.2, 100.0 } } };

        fly(8, 5, 1.0, 1.0);
        stranger.reckoned.t_ns = f.t_ns;
        collective_hear(&f.c[0], &params, &f.e[0], 99, &stranger);
        ck_assert_int_eq(f.c[0].members, 8);
        for (int m = 0; m < 8; m++)
                ck_assert_int_ne(f.c[0].member[m].address, 99);
}
