/* The errors of an IMU at rest. */
#include <math.h>
#include <stdlib.h>

#include "hil/rest/rest.h"
#include "models/world/gravity.h"

#define SAMPLES_LEAST 1000
#define LOST_MOST     0.02 /* of a log's samples */
#define NORMAL_95     1.959964
#define DRIFT_SPREAD                                                                     \
        1.9 /* standard deviation of the rig's own drift over B: docs/sensors.md */
#define EARTH_RADPS 7.292115e-5
#define GRAVITY_MPS2                                                                     \
        9.8062 /* at 45 degrees, and half of what it differs by on the ground */
#define GRAVITY_HALF_MPS2 0.027
#define SCALE_SIGMA       0.0025 /* of the accelerometer, as of data sheets' 0.5 % */
#define BIAS_TOLD_MPS2    0.1
#define BIAS_TOLD_RADPS   0.0017
#define RAD_PER_DEG       (1.0 / DEG_PER_RAD)

/* An axis of all logs. */
struct column {
        struct allan allan[NOISE_RECORDS];
        struct noise_records records;
        size_t count;
        double mean, sigma, length_s;
};

/* Those of each log, which all axes of a sensor share. */
struct scatters {
        size_t count[NOISE_RECORDS];
        struct allan_scatter of[NOISE_RECORDS];
};

static double period_of(const struct track_samples *s)
{
        return 1e-9 * (double)(s->t_ns[s->count - 1] - s->t_ns[0]) /
               (double)(s->count - 1);
}

/* Samples have to come at equal times. */
static bool is_regular(const struct track_samples *s)
{
        double period_ns = 1e9 * period_of(s);
        size_t lost = 0;

        for (size_t i = 1; i < s->count; i++)
                lost += (double)(s->t_ns[i] - s->t_ns[i - 1]) > 1.9 * period_ns;
        return (double)lost <= LOST_MOST * (double)s->count;
}

bool rest_imu_check(const struct track *t, enum track_kind kind, char *why, size_t cap)
{
        const struct track_samples *s = &t->of[kind];
        const char *name = kind == TRACK_RATE ? "gyroscope" : "accelerometer";

        if (s->count >= SAMPLES_LEAST && is_regular(s))
                return true;
        if (s->count < SAMPLES_LEAST)
                snprintf(why, cap,
                         "has %zu samples of the %s, of which at least %d are needed",
                         s->count, name, SAMPLES_LEAST);
        else
                snprintf(why, cap,
                         "must have the %s at equal times, but loses more than "
                         "%g %% of its samples",
                         name, 100.0 * LOST_MOST);
        return false;
}

static bool add_column(struct column *c, struct scatters *scatters,
                       const struct track_samples *s, int axis)
{
        double *value = malloc((2 * s->count + 1) * sizeof *value);
        int at = c->records.records;

        if (value == NULL)
                return false;
        for (size_t i = 0; i < s->count; i++)
                value[i] = s->value[i * (size_t)s->columns + (size_t)axis];
        allan_octaves(&c->allan[at], value, s->count, period_of(s), value + s->count);
        if (scatters->count[at] != s->count)
                allan_scatter_make(&scatters->of[at], s->count, c->allan[at].taus);
        scatters->count[at] = s->count;
        c->records.allan[at] = &c->allan[at];
        c->records.scatter[at] = &scatters->of[at];
        c->records.records++;
        for (size_t i = 0; i < s->count; i++) {
                double off = value[i] - c->mean;

                c->count++;
                c->mean += off / (double)c->count;
                c->sigma += off * (value[i] - c->mean);
        }
        c->length_s += period_of(s) * (double)s->count;
        free(value);
        return true;
}

/* What the bias may be off by: the drift stands somewhere, and each noise has its mean. */
static double bias_half(const struct column *c, const struct rest_axis *a)
{
        double t = c->length_s, n = a->noise.n.to, b = a->noise.b.to, k = a->noise.k.to;

        if (!a->noise.described)
                return 3.0 * NORMAL_95 * sqrt(a->allan.variance[a->allan.taus - 1]);
        if (a->instability.told)
                b = a->instability.found;
        if (a->walk.told)
                k = a->walk.found;
        return NORMAL_95 *
               sqrt(n * n / t + DRIFT_SPREAD * DRIFT_SPREAD * b * b + k * k * t / 3.0);
}

/* Rounding adds white noise of a twelfth of the step's square to each sample; it is no part of the density. */
static void find_noise(struct column *c, struct rest_axis *a)
{
        const struct allan *longest = c->records.allan[0];
        double amount[ALLAN_NOISES], rounding;
        bool hidden;

        for (int i = 1; i < c->records.records; i++)
                if (c->records.allan[i]->count > longest->count)
                        longest = c->records.allan[i];
        rounding = a->lsb * a->lsb / 12.0 * longest->period_s;
        a->allan = *longest;
        a->mean = c->mean;
        a->sigma = sqrt(c->sigma / ((double)c->count - 1.0));
        noise_find(&c->records, &a->noise);
        noise_amounts(&a->noise, longest->period_s, amount);
        for (int i = 0; a->noise.described && i < longest->taus; i++)
                a->freedom[i] =
                        allan_freedom(c->records.scatter[longest - c->allan], i, amount);
        hidden = !a->noise.described || a->sigma < REST_STEP_HIDES * a->lsb;
        a->white = (struct rest_value){ sqrt(2.0) * rest_less(a->noise.n.found, rounding),
                                        sqrt(2.0) * rest_less(a->noise.n.from, rounding),
                                        sqrt(2.0) * rest_less(a->noise.n.to, rounding),
                                        !hidden && a->noise.n.told };
        a->instability = a->noise.b;
        a->walk = a->noise.k;
        if (hidden)
                a->white.to = a->instability.to = a->walk.to = INFINITY;
        a->instability.told &= !hidden;
        a->walk.told &= !hidden;
}

static void set_bias(struct rest_value *bias, double found, double half, double most)
{
        *bias = (struct rest_value){ found, found - half, found + half, half <= most };
}

static void find_gyro_bias(const struct column *c, struct rest_axis *a)
{
        set_bias(&a->bias, c->mean, bias_half(c, a) + EARTH_RADPS, BIAS_TOLD_RADPS);
}

/* Rest tells the bias along gravity alone, as far as the scale is right, unless somebody says that the vehicle was level: what
 * is felt across may be a tilt, or the bias. Of a vehicle that does not stand nearly upright no axis is along gravity. */
static void find_accel_bias(const struct column *c, const struct rest_known *known,
                            struct rest_result *r)
{
        struct rest_axis *a = r->axis[REST_ACCEL];
        double across = hypot(a[0].mean, a[1].mean), force = hypot(across, a[2].mean);
        double if_level = r->gravity_mps2 + a[2].mean,
               if_tilted = r->gravity_mps2 - force;
        double tilt = r->gravity_mps2 * sin(known->level_deg * RAD_PER_DEG);
        double scale = NORMAL_95 * SCALE_SIGMA * r->gravity_mps2;
        bool level = known->level_deg >= 0.0, upright = a[2].mean < -0.9 * force;

        for (int i = 0; i < 2; i++)
                set_bias(&a[i].bias, a[i].mean,
                         bias_half(&c[i], &a[i]) + (level ? tilt : INFINITY),
                         BIAS_TOLD_MPS2);
        set_bias(&a[2].bias, level ? if_level : 0.5 * (if_level + if_tilted),
                 hypot(bias_half(&c[2], &a[2]), scale) + r->gravity_half_mps2 +
                         (level ? 0.5 * tilt * tilt / r->gravity_mps2
                                : 0.5 * (if_level - if_tilted)) +
                         (upright ? 0.0 : INFINITY),
                 BIAS_TOLD_MPS2);
}

static bool find_half(const struct track *tracks, int logs, enum rest_half half,
                      const struct rest_known *known, struct scatters *scatters,
                      struct rest_result *r)
{
        enum track_kind kind = half == REST_GYRO ? TRACK_RATE : TRACK_ACCEL;
        struct column *c = calloc(3, sizeof *c);
        bool ok = c != NULL;

        for (int i = 0; ok && i < 3; i++) {
                struct rest_axis *a = &r->axis[half][i];

                for (int l = 0; ok && l < logs; l++)
                        ok = add_column(&c[i], scatters, &tracks[l].of[kind], i);
                a->lsb = rest_step(&tracks[0].of[kind], i);
                if (!ok)
                        break;
                find_noise(&c[i], a);
                if (half == REST_GYRO)
                        find_gyro_bias(&c[i], a);
                r->length_s = c[i].length_s;
        }
        if (ok && half == REST_ACCEL)
                find_accel_bias(c, known, r);
        free(c);
        return ok;
}

static void find_gravity(const struct track *t, struct rest_result *r)
{
        const struct track_samples *s = &t->of[TRACK_FIX];

        r->gravity_mps2 = GRAVITY_MPS2;
        r->gravity_half_mps2 = GRAVITY_HALF_MPS2;
        if (s->count == 0)
                return;
        r->gravity_mps2 = gravity_mps2(s->value[0] * RAD_PER_DEG, s->value[2]);
        r->gravity_half_mps2 = 0.001; /* of the ground's own mass */
}

bool rest_imu_find(const struct track *tracks, int logs, const struct rest_known *known,
                   struct rest_result *r)
{
        struct scatters *scatters = calloc(1, sizeof *scatters);
        bool ok = scatters != NULL;

        find_gravity(&tracks[0], r);
        for (int h = 0; ok && h < REST_HALVES; h++)
                ok = find_half(tracks, logs, (enum rest_half)h, known, scatters, r);
        free(scatters);
        r->has_imu = ok;
        return ok;
}
