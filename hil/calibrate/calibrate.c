/* Readings to windows, windows to positions. */
#include "hil/calibrate/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "io/sort.h"

#define WINDOW_US    500000
#define READINGS_MIN 10
#define STILL_RATIO  3.0
/* A sensor without any noise must be allowed a rounding. */
#define STILL_LEAST_MPS2 0.01
/* Louder than this it was moved, even if it never lay any quieter. */
#define STILL_MOST_MPS2 2.0
#define SAME_POSITION   0.985 /* cosine of 10 degrees */
#define FACE            0.819 /* cosine of 35 degrees */

static bool room_for_one(struct calibration_data *d)
{
        int capacity = d->capacity > 0 ? 2 * d->capacity : 256;
        struct calibration_window *more;

        if (d->count < d->capacity)
                return true;
        more = realloc(d->window, (size_t)capacity * sizeof *more);
        if (more == NULL)
                return false;
        d->window = more;
        d->capacity = capacity;
        return true;
}

static bool close_window(struct calibration_data *d)
{
        struct calibration_window *w;
        double n = d->readings;

        if (d->readings < READINGS_MIN)
                return true;
        if (!room_for_one(d))
                return false;
        w = &d->window[d->count++];
        for (int i = 0; i < 3; i++) {
                double mean = d->sum[i] / n;

                w->mean_mps2[i] = d->first_mps2[i] + mean;
                w->sigma_mps2[i] = sqrt(fmax(d->squares[i] / n - mean * mean, 0.0));
                /* fmax() swallows what is not a number. */
                if (!isfinite(d->squares[i]))
                        w->sigma_mps2[i] = INFINITY;
        }
        w->position = -1;
        return true;
}

static void open_window(struct calibration_data *d, uint64_t t_us, const double a[3])
{
        d->start_us = t_us;
        d->readings = 0;
        memcpy(d->first_mps2, a, sizeof d->first_mps2);
        memset(d->sum, 0, sizeof d->sum);
        memset(d->squares, 0, sizeof d->squares);
}

bool calibration_add(struct calibration_data *d, uint64_t t_us, struct vec3 accel_mps2)
{
        const double a[3] = { accel_mps2.x, accel_mps2.y, accel_mps2.z };

        if (d->readings == 0) {
                open_window(d, t_us, a);
        } else if (t_us < d->start_us || t_us - d->start_us >= WINDOW_US) {
                if (!close_window(d))
                        return false;
                open_window(d, t_us, a);
        }
        d->readings++;
        for (int i = 0; i < 3; i++) {
                double off = a[i] - d->first_mps2[i];

                d->sum[i] += off;
                d->squares[i] += off * off;
        }
        return true;
}

void calibration_free(struct calibration_data *d)
{
        free(d->window);
        d->window = NULL;
        d->count = d->capacity = 0;
}

static double noise(const struct calibration_window *w)
{
        return fmax(w->sigma_mps2[0], fmax(w->sigma_mps2[1], w->sigma_mps2[2]));
}

/* -1: nothing is still. */
static double still_limit(const struct calibration_data *d)
{
        double *noises = malloc((size_t)d->count * sizeof *noises);
        double quiet;

        if (noises == NULL)
                return -1.0;
        for (int i = 0; i < d->count; i++)
                noises[i] = noise(&d->window[i]);
        sort_doubles(noises, (size_t)d->count);
        quiet = noises[d->count / 10];
        free(noises);
        return fmin(fmax(STILL_RATIO * quiet, STILL_LEAST_MPS2), STILL_MOST_MPS2);
}

static double norm(const double a[3])
{
        return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static bool same_position(const double a[3], const double b[3])
{
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] >
               SAME_POSITION * norm(a) * norm(b);
}

int calibration_find_positions(struct calibration_data *d)
{
        const struct calibration_window *last = NULL;
        int positions = 0;
        double limit;

        if (d->count == 0)
                return 0;
        limit = still_limit(d);
        for (int i = 0; i < d->count; i++) {
                struct calibration_window *w = &d->window[i];

                w->position = -1;
                if (!(noise(w) <= limit))
                        continue;
                if (last == NULL || !same_position(last->mean_mps2, w->mean_mps2))
                        positions++;
                w->position = positions - 1;
                last = w;
        }
        return positions;
}

unsigned calibration_missing(const struct calibration_data *d)
{
        unsigned missing = 0x3f;

        for (int i = 0; i < d->count; i++) {
                const struct calibration_window *w = &d->window[i];
                double least = FACE * norm(w->mean_mps2);

                for (int k = 0; k < 3 && w->position >= 0 && least > 0.0; k++) {
                        if (w->mean_mps2[k] > least)
                                missing &= ~(1U << (2 * k));
                        if (w->mean_mps2[k] < -least)
                                missing &= ~(2U << (2 * k));
                }
        }
        return missing;
}
