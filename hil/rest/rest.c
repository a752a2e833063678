/* From logs to the errors of the sensors; barometer and GPS receiver as white noise and a Gauss-Markov process. */
#include "hil/rest/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RAD_PER_DEG (1.0 / DEG_PER_RAD)

double rest_less(double sigma, double square)
{
        return sqrt(fmax(0.0, sigma * sigma - square));
}

static void add_markov(struct markov_records *m, const struct track_samples *s,
                       const double *value, int axis)
{
        if (m->records < MARKOV_RECORDS && s->count > 0)
                m->record[m->records++] =
                        (struct markov_record){ s->count, s->t_ns, value + axis,
                                                s->columns };
}

/* Standard deviation of the samples about the mean of each record. */
static double spread_of(const struct markov_records *m)
{
        double squares = 0.0, count = 0.0;

        for (int i = 0; i < m->records; i++) {
                const struct markov_record *r = &m->record[i];
                double mean = 0.0;

                for (size_t k = 0; k < r->count; k++)
                        mean += (r->value[k * (size_t)r->stride] - mean) /
                                (double)(k + 1);
                for (size_t k = 0; k < r->count; k++) {
                        double off = r->value[k * (size_t)r->stride] - mean;

                        squares += off * off;
                }
                count += (double)r->count - 1.0;
        }
        return count > 0.0 ? sqrt(squares / count) : 0.0;
}

static void find_baro(const struct track *tracks, int logs, struct rest_result *r)
{
        struct markov_records m = { .records = 0 };
        struct rest_value *white = &r->baro.white;
        double rounding;

        for (int i = 0; i < logs; i++)
                add_markov(&m, &tracks[i].of[TRACK_PRESSURE],
                           tracks[i].of[TRACK_PRESSURE].value, 0);
        if (m.records == 0)
                return;
        r->has_baro = markov_find(&m, &r->baro);
        r->baro_sigma_pa = spread_of(&m);
        r->baro_lsb_pa = rest_step(&tracks[0].of[TRACK_PRESSURE], 0);
        rounding = r->baro_lsb_pa * r->baro_lsb_pa / 12.0;
        white->told &= white->found > REST_STEP_HIDES * r->baro_lsb_pa;
        white->found = rest_less(white->found, rounding);
        white->from = rest_less(white->from, rounding);
        white->to = rest_less(white->to, rounding);
}

/* Metres north, east and down of the first fix, by the radii of curvature of WGS-84. NULL: out of memory. */
static double *fix_in_metres(const struct track_samples *s)
{
        double lat = s->value[0] * RAD_PER_DEG, sine = sin(lat), e2 = 6.69437999014e-3;
        double w = sqrt(1.0 - e2 * sine * sine), normal = 6378137.0 / w;
        double meridian = normal * (1.0 - e2) / (w * w);
        double *out = malloc(s->count * 3 * sizeof *out);

        for (size_t i = 0; out != NULL && i < s->count; i++) {
                const double *v = s->value + 3 * i;

                out[3 * i] = (v[0] - s->value[0]) * RAD_PER_DEG * meridian;
                out[3 * i + 1] = (v[1] - s->value[1]) * RAD_PER_DEG * normal * cos(lat);
                out[3 * i + 2] = s->value[2] - v[2];
        }
        return out;
}

static bool find_fixes(const struct track *tracks, int logs, struct rest_result *r)
{
        struct markov_records m[REST_FIXES] = { { .records = 0 } };
        double *metres[NOISE_RECORDS] = { NULL };
        bool ok = true;

        for (int i = 0; ok && i < logs; i++) {
                const struct track_samples *s = &tracks[i].of[TRACK_FIX];
                const struct track_samples *v = &tracks[i].of[TRACK_FIX_VELOCITY];

                for (int k = 0; k < 3; k++)
                        add_markov(&m[REST_VELOCITY], v, v->value, k);
                if (s->count == 0)
                        continue;
                metres[i] = fix_in_metres(s);
                ok = metres[i] != NULL;
                for (int k = 0; ok && k < 3; k++)
                        add_markov(&m[k < 2 ? REST_HORIZONTAL : REST_VERTICAL], s,
                                   metres[i], k);
        }
        for (int k = 0; ok && k < REST_FIXES; k++) {
                r->has_fix[k] = m[k].records > 0 && markov_find(&m[k], &r->fix[k]);
                r->fix_sigma[k] = spread_of(&m[k]);
        }
        for (int i = 0; i < logs; i++)
                free(metres[i]);
        return ok;
}

bool rest_find(const struct track *tracks, int logs, const struct rest_known *known,
               struct rest_result *r, char *why, size_t cap)
{
        bool imu = false;

        *r = (struct rest_result){ .length_s = 0.0 };
        snprintf(why, cap, "out of memory");
        for (int i = 0; i < logs; i++)
                imu |= tracks[i].of[TRACK_RATE].count > 0 ||
                       tracks[i].of[TRACK_ACCEL].count > 0;
        for (int i = 0; imu && i < logs; i++)
                if (!rest_imu_check(&tracks[i], TRACK_RATE, why, cap) ||
                    !rest_imu_check(&tracks[i], TRACK_ACCEL, why, cap))
                        return false;
        if ((imu && !rest_imu_find(tracks, logs, known, r)) ||
            !find_fixes(tracks, logs, r))
                return false;
        find_baro(tracks, logs, r);
        if (r->has_imu || r->has_baro || r->has_fix[REST_HORIZONTAL])
                return true;
        snprintf(why, cap, "says nothing of an IMU, a barometer or a GPS receiver");
        return false;
}
