/* The fit of all parameters at once, what the data tell of each, and whether the flight's last part agrees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/sysid/sysid.h"

#define FITTED    0.8 /* of the flight */
#define STRETCH_S 1.0 /* errors of one belong together */
#define CHANGE    0.01 /* of the speed that is asked for, at least */
#define FLOWN_S   10.0 /* at least */

const struct sysid_name sysid_names[SYSID_PARAMETERS] = {
        { "motor lag", "s", 0.25, 0.0, 0.01 },
        { "delay of turning", "s", 0.0, 0.004, 0.0 },
        { "delay of force", "s", 0.0, 0.004, 0.0 },
        { "thrust factor", "N/(rad/s)^2", 0.1, 0.0, 0.005 },
        { "torque factor", "Nm/(rad/s)^2", 0.25, 0.0, 0.005 },
        { "inertia xx", "kg m^2", 0.25, 0.0, 0.005 },
        { "inertia yy", "kg m^2", 0.25, 0.0, 0.005 },
        { "inertia zz", "kg m^2", 0.25, 0.0, 0.005 },
        { "centre of mass x", "m", 0.0, 0.003, 0.0 },
        { "centre of mass y", "m", 0.0, 0.003, 0.0 },
        { "drag x, y", "N/(m/s)", 0.4, 0.0, 0.05 },
        { "drag z", "N/(m/s)", 0.4, 0.0, 0.05 },
        { "damping x", "Nm/(rad/s)", 0.4, 0.0, 0.05 },
        { "damping y", "Nm/(rad/s)", 0.4, 0.0, 0.05 },
        { "damping z", "Nm/(rad/s)", 0.4, 0.0, 0.05 },
        { "bias x", "m/s^2", 0.0, 0.1, 0.0 },
        { "bias y", "m/s^2", 0.0, 0.1, 0.0 },
        { "bias z", "m/s^2", 0.0, 0.1, 0.0 },
};

struct fit {
        double start[SYSID_PARAMETERS], scale[SYSID_PARAMETERS];
        double low[SYSID_PARAMETERS], high[SYSID_PARAMETERS];
        double unit
                [SYSID_PARAMETERS]; /* what one of the fit's is of the vehicle file's */
};

static void begin_ratio(struct fit *f, int i, double start)
{
        f->start[i] = f->scale[i] = start;
        f->low[i] = 0.1 * start;
        f->high[i] = 10.0 * start;
}

static void begin_around(struct fit *f, int i, double start, double scale, double low)
{
        f->start[i] = start;
        f->scale[i] = scale;
        f->low[i] = low;
        f->high[i] = start + 50.0 * scale;
}

/* Where the fit begins, and how far from there a parameter may be expected. */
static void begin(struct fit *f, const struct vehicle_params *p)
{
        const struct airframe_params *air = &p->airframe;
        const double damping[3] = { air->angular_nm_per_radps.x,
                                    air->angular_nm_per_radps.y,
                                    air->angular_nm_per_radps.z };

        for (int i = 0; i < SYSID_PARAMETERS; i++)
                f->unit[i] = 1.0;
        begin_ratio(f, SYSID_TAU, p->motor[0].tau_s);
        for (int i = SYSID_DELAY; i <= SYSID_DELAY_FORCE; i++)
                begin_around(f, i, 0.002, 0.02, -0.01);
        begin_ratio(f, SYSID_THRUST, 1.0);
        f->unit[SYSID_THRUST] = p->rotor[0].thrust_n_per_radps2;
        begin_ratio(f, SYSID_TORQUE, 1.0);
        f->unit[SYSID_TORQUE] = p->rotor[0].torque_nm_per_radps2;
        for (int i = 0; i < 3; i++) {
                double inertia = p->body.inertia_kgm2[i][i];

                begin_ratio(f, SYSID_XX + i, inertia);
                begin_around(f, SYSID_DAMPING_X + i, damping[i],
                             fmax(damping[i], inertia), 0.0);
                begin_around(f, SYSID_BIAS_X + i, 0.0, 0.5, -10.0);
        }
        for (int i = SYSID_CENTRE_X; i <= SYSID_CENTRE_Y; i++)
                begin_around(f, i, 0.0, 0.02, -0.2);
        begin_around(f, SYSID_DRAG_XY, air->linear_n_per_mps.x,
                     fmax(air->linear_n_per_mps.x, 0.1 * p->body.mass_kg), 0.0);
        begin_around(f, SYSID_DRAG_Z, air->linear_n_per_mps.z,
                     fmax(air->linear_n_per_mps.z, 0.1 * p->body.mass_kg), 0.0);
}

/* Rms over the rows from `first` on of what residuals add up to in SYSID_AHEAD_S. */
static void look_ahead(const struct sysid_model *m, size_t first, const double *residual,
                       double rms[SYSID_CHANNELS])
{
        size_t long_rows = (size_t)lround(SYSID_AHEAD_S / m->samples->block_s);

        for (int c = 0; c < SYSID_CHANNELS; c++) {
                double squares = 0.0;
                size_t n = 0;

                for (size_t k = first; long_rows > 0 && k + long_rows <= m->rows;
                     k += long_rows) {
                        double sum = 0.0;

                        for (size_t i = k; i < k + long_rows; i++)
                                sum += residual[i * SYSID_CHANNELS + (size_t)c];
                        if (!isfinite(sum))
                                continue;
                        squares += sum * sum;
                        n++;
                }
                rms[c] = n > 0 ? m->samples->block_s * sqrt(squares / (double)n)
                               : (double)NAN;
        }
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
                at[i] = r->told[i] ? r->found[i] / f->unit[i] : f->start[i];
        sysid_residuals(m, at, residual);
        look_ahead(m, first, residual, r->error_new);
        /* Delays and the accelerometer's bias stand in no vehicle file: both have them. */
        for (int i = 0; i < SYSID_BIAS_X; i++)
                if (i != SYSID_DELAY && i != SYSID_DELAY_FORCE)
                        at[i] = f->start[i];
        sysid_residuals(m, at, residual);
        look_ahead(m, first, residual, r->error_start);
        free(residual);
        for (int c = 0; c < SYSID_CHANNELS; c++) {
                worse = worse || r->error_new[c] > 1.01 * r->error_start[c];
                better = better || r->error_new[c] < r->error_start[c];
        }
        r->better = better && !worse;
        return true;
}

/* Where the fitted part of the flight ends. */
static size_t split(const struct sysid_samples *s, struct sysid_result *r)
{
        size_t flown = 0, seen = 0, k = 0;

        for (size_t i = 0; i < s->blocks; i++)
                flown += s->flies[i];
        for (; k < s->blocks && (double)seen < FITTED * (double)flown; k++)
                seen += s->flies[k];
        r->flown_s = (double)seen * s->block_s;
        r->held_s = (double)(flown - seen) * s->block_s;
        return k;
}

static void judge(const struct fit *f, const struct least_result *least,
                  struct sysid_result *r)
{
        for (int i = 0; i < SYSID_PARAMETERS; i++) {
                const struct sysid_name *n = &sysid_names[i];

                r->start[i] = f->unit[i] * f->start[i];
                r->found[i] = f->unit[i] * least->value[i];
                r->half[i] = hypot(f->unit[i] * least->half[i], n->method * r->found[i]);
                r->told[i] = r->half[i] <= n->part * fabs(r->found[i]) + n->amount &&
                             least->value[i] < f->high[i];
        }
        r->start[SYSID_DELAY] = r->start[SYSID_DELAY_FORCE] = 0.0;
}

/* Of the first rotor's asked speed in flight: the spread over the mean. */
static double measure_change(const struct sysid_samples *s)
{
        double sum = 0.0, squares = 0.0, n = 0.0;

        for (size_t k = 0; k < s->blocks; k++) {
                double asked = s->target_radps[k * SYSID_FINE * (size_t)s->rotors];

                if (!s->flies[k])
                        continue;
                sum += asked;
                squares += asked * asked;
                n += 1.0;
        }
        return sum > 0.0 ? sqrt(fmax(0.0, squares * n / (sum * sum) - 1.0)) : 0.0;
}

bool sysid_identify(const struct sysid_samples *samples,
                    const struct vehicle_params *start, double air_density_kgpm3,
                    struct sysid_result *r, char *why, size_t cap)
{
        struct sysid_model m = { samples, start, air_density_kgpm3, 0 };
        struct fit f;
        struct least_result least;
        struct least_problem p = {
                .parameters = SYSID_PARAMETERS,
                .channels = SYSID_CHANNELS,
                .stretch = (size_t)lround(STRETCH_S / samples->block_s),
                .start = f.start,
                .scale = f.scale,
                .low = f.low,
                .high = f.high,
                .residuals = sysid_residuals,
                .of = &m,
        };

        *r = (struct sysid_result){ .better = false };
        p.rows = m.rows = split(samples, r);
        if (r->flown_s + r->held_s < FLOWN_S) {
                snprintf(why, cap,
                         "has %.1f s of flight, of which at least %.0f s are needed",
                         r->flown_s + r->held_s, FLOWN_S);
                return false;
        }
        if (measure_change(samples) < CHANGE) {
                snprintf(why, cap,
                         "tells nothing: its motors' commands hardly change in flight");
                return false;
        }
        begin(&f, start);
        if (!least_squares(&p, &least, why, cap))
                return false;
        judge(&f, &least, r);
        m.rows = samples->blocks;
        if (!compare(&m, p.rows, &f, r)) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        return true;
}

void sysid_apply(struct vehicle_params *p, const struct sysid_result *r)
{
        double thrust = r->found[SYSID_THRUST] / r->start[SYSID_THRUST];
        double torque = r->found[SYSID_TORQUE] / r->start[SYSID_TORQUE];

        for (int i = 0; i < p->rotors; i++) {
                if (r->told[SYSID_TAU])
                        p->motor[i].tau_s = r->found[SYSID_TAU];
                if (r->told[SYSID_THRUST])
                        p->rotor[i].thrust_n_per_radps2 *= thrust;
                if (r->told[SYSID_TORQUE])
                        p->rotor[i].torque_nm_per_radps2 *= torque;
        }
}
