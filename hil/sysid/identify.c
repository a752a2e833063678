/* The fit of all parameters at once, what the data tell of each, and whether the flight's last part agrees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/sysid/sysid.h"

#define FITTED  0.8 /* of the flight */
#define CHANGE  0.01 /* of the command, at least */
#define FLOWN_S 10.0 /* at least */
#define TRUST   0.0025 /* 1 sigma of the sensors' scales, as of data sheets' 0.5 % */
/* What a vehicle file may say. */
#define EXPO_MIN  (-1.0)
#define EXPO_MAX  1.5
#define TRUST_SAG 0.05 /* 1 sigma of the battery's resistance */
#define CROSS     0.03 /* of a moment of inertia: an element beside them is told */

struct fit {
        double start[SYSID_PARAMETERS], scale[SYSID_PARAMETERS];
        double low[SYSID_PARAMETERS], high[SYSID_PARAMETERS];
        /* What one of the fit's is of the vehicle file's. */
        double unit[SYSID_PARAMETERS]; /* 0: the vehicle has none of it */
};

static void begin_ratio(struct fit *f, int i, double start)
{
        f->start[i] = f->scale[i] = start;
        f->low[i] = 0.1 * start;
        f->high[i] = 10.0 * start;
}

/* Either side of `start`. */
static void begin_around(struct fit *f, int i, double start, double scale)
{
        f->start[i] = start;
        f->scale[i] = scale;
        f->low[i] = start - 20.0 * scale;
        f->high[i] = start + 20.0 * scale;
}

/* Not below 0. */
static void begin_above(struct fit *f, int i, double start, double scale)
{
        begin_around(f, i, start, fmax(start, scale));
        f->low[i] = 0.0;
}

static void begin_body(struct fit *f, const struct vehicle_params *p)
{
        static const int cross[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
        const double(*inertia)[3] = p->body.inertia_kgm2;
        const struct vec3 *damping = &p->airframe.angular_nm_per_radps,
                          *arm = &p->sensors.imu.lever_arm_body_m;
        const double damp[3] = { damping->x, damping->y, damping->z },
                     place[3] = { arm->x, arm->y, arm->z };

        for (int i = 0; i < 3; i++) {
                double moment = inertia[i][i];

                begin_ratio(f, SYSID_XX + i, moment);
                begin_above(f, SYSID_DAMPING_X + i, damp[i], moment);
                begin_around(f, SYSID_BIAS_X + i, 0.0, 0.1);
                begin_around(f, SYSID_XY + i, inertia[cross[i][0]][cross[i][1]],
                             0.05 * inertia[0][0]);
                begin_around(f, SYSID_PLACE_X + i, place[i], 0.02);
                begin_around(f, SYSID_MOUNT_X + i, 0.0, 0.02);
        }
}

/* Where the fit begins, and how far from there a parameter may be expected. */
static void begin(struct fit *f, const struct vehicle_params *p)
{
        const struct airframe_params *air = &p->airframe;
        const struct motor_params *motor = &p->motor[0];
        double drag = 0.1 * p->body.mass_kg;

        for (int i = 0; i < SYSID_PARAMETERS; i++)
                f->unit[i] = 1.0;
        begin_ratio(f, SYSID_TAU, motor->tau_s);
        begin_ratio(f, SYSID_TAU_DOWN,
                    motor->tau_down_s > 0.0 ? motor->tau_down_s : motor->tau_s);
        begin_around(f, SYSID_EXPO, 1.0 - motor->thrust_linear, 0.5);
        f->low[SYSID_EXPO] = EXPO_MIN;
        f->high[SYSID_EXPO] = EXPO_MAX;
        begin_around(f, SYSID_DELAY, 0.002, 0.01);
        begin_around(f, SYSID_DELAY_FORCE, 0.002, 0.01);
        begin_ratio(f, SYSID_THRUST, 1.0);
        f->unit[SYSID_THRUST] = p->rotor[0].thrust_n_per_radps2;
        begin_ratio(f, SYSID_TORQUE, 1.0);
        f->unit[SYSID_TORQUE] = p->rotor[0].torque_nm_per_radps2;
        begin_body(f, p);
        begin_around(f, SYSID_CENTRE_X, 0.0, 0.02);
        begin_around(f, SYSID_CENTRE_Y, 0.0, 0.02);
        begin_above(f, SYSID_DRAG_XY, air->linear_n_per_mps.x, drag);
        begin_above(f, SYSID_DRAG_Z, air->linear_n_per_mps.z, drag);
        begin_around(f, SYSID_TWIST, 0.0, 0.01);
        begin_above(f, SYSID_AREA_XY, air->quadratic_area_m2.x, 0.01);
        /* No flight tells them from thrust, lag and inertia: how far they are trusted is in the intervals of those. */
        for (int k = SYSID_SPEED; k <= SYSID_SCALE_Z; k++)
                begin_around(f, k, 1.0, TRUST);
        begin_around(f, SYSID_SAG, 1.0, TRUST_SAG);
        f->unit[SYSID_SAG] = p->battery.resistance_ohm;
        begin_above(f, SYSID_AREA_Z, air->quadratic_area_m2.z, 0.01);
}

/* Rms over the windows from row `first` on. */
static void measure(const struct sysid_model *m, size_t first, const double *residual,
                    double rms[SYSID_CHANNELS])
{
        size_t window = m->samples->window;

        first = (first + window - 1) / window * window;
        for (int c = 0; c < SYSID_CHANNELS; c++) {
                double squares = 0.0, n = 0.0;

                for (size_t k = first; k + window <= m->rows; k += window) {
                        double sum = 0.0, sum_squares = 0.0;

                        for (size_t i = k; i < k + window; i++) {
                                double e = residual[i * SYSID_CHANNELS + (size_t)c];

                                sum += e * m->samples->block_s;
                                sum_squares += e * e / (double)window;
                        }
                        if (!isfinite(sum))
                                continue;
                        squares += c < SYSID_TURN ? sum * sum : sum_squares;
                        n += 1.0;
                }
                rms[c] = n > 0.0 ? sqrt(squares / n) : (double)NAN;
        }
}

/* In a new vehicle file as it is in START. */
static bool stays(const struct sysid_result *r, int i)
{
        return !r->told[i] && !sysid_names[i].aside;
}

static bool compare(const struct sysid_model *m, size_t first, const struct fit *f,
                    struct sysid_result *r)
{
        double *residual = calloc(m->rows * SYSID_CHANNELS, sizeof *residual);
        double at[SYSID_PARAMETERS];
        bool worse = false, better = false;

        if (residual == NULL)
                return false;
        for (int i = 0; i < SYSID_PARAMETERS; i++)
                at[i] = f->unit[i] > 0.0 ? r->kept[i] / f->unit[i] : f->start[i];
        sysid_fly(m, at, residual);
        measure(m, first, residual, r->error_new);
        for (int i = 0; i < SYSID_PARAMETERS; i++)
                if (!sysid_names[i].aside)
                        at[i] = f->start[i];
        sysid_fly(m, at, residual);
        measure(m, first, residual, r->error_start);
        free(residual);
        for (int c = 0; c < SYSID_CHANNELS; c++) {
                worse = worse || r->error_new[c] > SYSID_WORSE * r->error_start[c];
                better = better || r->error_new[c] < r->error_start[c];
        }
        r->better = better && !worse;
        return true;
}

/* Where the fitted part of the flight ends: at the end of a window. */
static size_t split(const struct sysid_samples *s, struct sysid_result *r)
{
        size_t flown = 0, seen = 0, k = 0;

        for (size_t i = 0; i < s->blocks; i++)
                flown += s->flies[i];
        while (k < s->blocks &&
               ((s->held_from > 0 ? k < s->held_from
                                  : (double)seen < FITTED * (double)flown) ||
                k % s->window != 0))
                seen += s->flies[k++];
        r->flown_s = (double)seen * s->block_s;
        r->held_s = (double)(flown - seen) * s->block_s;
        r->window_s = (double)s->window * s->block_s;
        r->sparse = s->sparse;
        return k;
}

static bool is_told(int i, double half, double found, double moment)
{
        const struct sysid_name *n = &sysid_names[i];

        if (i >= SYSID_XY && i <= SYSID_YZ)
                return half <= CROSS * moment;
        return half <= n->part * fabs(found) + n->amount;
}

/* Told by what happens between commands that come seldom. */
static bool is_fast(int i)
{
        return i == SYSID_TAU || i == SYSID_TAU_DOWN || i == SYSID_DELAY ||
               i == SYSID_DELAY_FORCE;
}

static void judge(const struct fit *f, const struct least_result *least,
                  const struct sysid_samples *samples, struct sysid_result *r)
{
        for (int i = 0; i < SYSID_PARAMETERS; i++) {
                r->start[i] = f->unit[i] * f->start[i];
                r->found[i] = f->unit[i] * least->value[i];
                r->half[i] = f->unit[i] * least->half[i];
                r->told[i] = is_told(i, r->half[i], r->found[i], r->found[SYSID_XX]) &&
                             least->value[i] < f->high[i] && f->unit[i] > 0.0 &&
                             (!samples->sparse || !is_fast(i));
        }
        r->start[SYSID_DELAY] = r->start[SYSID_DELAY_FORCE] = 0.0;
}

/* Of the first rotor's command in flight: the spread over the mean. */
static double measure_change(const struct sysid_samples *s)
{
        double sum = 0.0, squares = 0.0, n = 0.0;

        for (size_t k = 0; k < s->blocks; k++) {
                double asked = s->duty[k * s->fine * (size_t)s->rotors];

                if (!s->flies[k])
                        continue;
                sum += asked;
                squares += asked * asked;
                n += 1.0;
        }
        return sum > 0.0 ? sqrt(fmax(0.0, squares * n / (sum * sum) - 1.0)) : 0.0;
}

static bool says_enough(const struct sysid_model *m, double flown_s, char *why,
                        size_t cap)
{
        if (flown_s < FLOWN_S)
                snprintf(why, cap,
                         "has %.1f s of flight, of which at least %.0f s are needed",
                         flown_s, FLOWN_S);
        else if (measure_change(m->samples) < CHANGE)
                snprintf(why, cap,
                         "tells nothing: its motors' commands hardly change in flight");
        else
                return true;
        return false;
}

static struct least_problem problem_of(const struct sysid_model *m, const struct fit *f)
{
        return (struct least_problem){
                .parameters = SYSID_SPEED,
                .considered = SYSID_PARAMETERS - SYSID_SPEED,
                .channels = SYSID_CHANNELS,
                .rows = m->rows,
                .stretch = m->samples->stretch,
                .start = f->start,
                .scale = f->scale,
                .low = f->low,
                .high = f->high,
                .residuals = sysid_fly,
                .of = m,
        };
}

bool sysid_guess(const struct sysid_model *model, double *guess, char *why, size_t cap)
{
        struct sysid_model m = *model;
        struct sysid_result r;
        struct least_result least;
        struct least_problem p;
        struct fit f;

        m.rows = split(m.samples, &r);
        if (!says_enough(&m, r.flown_s + r.held_s, why, cap))
                return false;
        begin(&f, m.start);
        p = problem_of(&m, &f);
        p.parameters = SYSID_BY_EQUATION;
        p.considered = 0;
        p.residuals = sysid_equation;
        p.rough = true;
        if (!least_squares(&p, &least, why, cap))
                return false;
        memcpy(guess, f.start, sizeof f.start);
        memcpy(guess, least.value, SYSID_BY_EQUATION * sizeof *guess);
        return true;
}

/* All parameters by the plant, from `guess` on; m->rows is set. */
static bool fit_plant(const struct sysid_model *m, const double *guess, bool rough,
                      struct fit *f, struct least_result *least, char *why, size_t cap)
{
        struct least_problem p;

        begin(f, m->start);
        p = problem_of(m, f);
        p.begin = guess;
        p.rough = rough;
        return least_squares(&p, least, why, cap);
}

/* What is told was found beside values of the rest that START does not have: with those of START it is found again, as far
 * as that settles. */
static void fit_beside_start(const struct sysid_model *m, const struct least_result *all,
                             const struct fit *f, struct sysid_result *r)
{
        struct least_problem p = problem_of(m, f);
        struct least_result least;
        double begin[SYSID_PARAMETERS];
        bool held[SYSID_PARAMETERS];
        char why[200];

        p.begin = begin;
        p.held = held;
        p.rough = true;
        for (int i = 0; i < SYSID_PARAMETERS; i++) {
                held[i] = stays(r, i);
                begin[i] = held[i] ? f->start[i] : all->value[i];
                r->kept[i] = f->unit[i] * begin[i];
        }
        if (!least_squares(&p, &least, why, sizeof why))
                return;
        for (int i = 0; i < SYSID_PARAMETERS; i++)
                if (!held[i])
                        r->kept[i] = f->unit[i] * least.value[i];
}

bool sysid_refine(const struct sysid_model *model, double *guess, char *why, size_t cap)
{
        struct sysid_model m = *model;
        struct sysid_result r;
        struct least_result least;
        struct fit f;

        m.rows = split(m.samples, &r);
        if (!fit_plant(&m, guess, true, &f, &least, why, cap))
                return false;
        memcpy(guess, least.value, SYSID_SPEED * sizeof *guess);
        return true;
}

bool sysid_identify(const struct sysid_model *model, const double *guess,
                    struct sysid_result *r, char *why, size_t cap)
{
        struct sysid_model m = *model;
        struct least_result least;
        struct fit f;
        size_t fitted;

        *r = (struct sysid_result){ .better = false };
        fitted = m.rows = split(m.samples, r);
        if (!fit_plant(&m, guess, false, &f, &least, why, cap))
                return false;
        if (least.stretches < LEAST_STRETCHES) {
                snprintf(why, cap,
                         "tells nothing: it has %zu stretches of flight, of which at "
                         "least %d "
                         "are needed",
                         least.stretches, LEAST_STRETCHES);
                return false;
        }
        judge(&f, &least, m.samples, r);
        fit_beside_start(&m, &least, &f, r);
        m.rows = m.samples->blocks;
        if (compare(&m, fitted, &f, r))
                return true;
        snprintf(why, cap, "out of memory");
        return false;
}
