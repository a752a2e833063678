/* Least squares of each relation by itself: thrust and torque over the square of the speed, the speed over the command with
 * its lag, the voltage over the current, the electrical power over that of the shaft. */
#include "hil/stand/stand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/stand/rows.h"

#define STRETCHES      12 /* of each table */
#define ROWS_LEAST     12
#define TURNS_PART     0.02 /* of the highest speed: less stands still */
#define INTERVAL_MOST  0.0101 /* s: lags need 100 samples a second */
#define LATE           0.25 /* rows by which nobody knows when a command counts */
#define NOT_LOOKED_FOR NAN

/* Of thrust and torque alone. */
static void over_square(const void *of, const double *p, double *out)
{
        const struct stand_fit *f = of;

        for (size_t i = 0; i < f->rows; i++) {
                const struct stand_row *r = &f->row[i];
                double load = f->of == STAND_THRUST ? r->thrust_n : r->torque_nm;

                out[i] = load - p[0] * r->speed_radps * r->speed_radps - p[1];
        }
}

static double target_of(const struct stand_fit *f, const double *p,
                        const struct stand_row *r)
{
        const struct battery_params *battery = &f->start->battery;
        struct motor_params motor = f->start->motor[0];
        double ratio = battery->reference_v > 0.0 && r->voltage_v == r->voltage_v
                               ? r->voltage_v / battery->reference_v
                               : 1.0;

        motor.speed_full_radps = p[0];
        motor.speed_limit_radps = INFINITY;
        motor.thrust_linear = 1.0 - p[1];
        motor.dead_band = f->dead_band;
        return motor_target_radps(&motor, r->command, ratio);
}

/* The speed that the commands make from the first one on: full speed, expo, lag up, lag down. A command holds until the
 * next; rows far apart are of what has settled. */
static void speeds(const void *of, const double *p, double *out)
{
        const struct stand_fit *f = of;
        double speed = 0.0;

        for (size_t i = 0; i < f->rows; i++) {
                const struct stand_row *r = &f->row[i];

                if (i == 0 || r->table != r[-1].table) {
                        speed = r->speed_radps;
                } else {
                        bool apart = r->dt_s >= STAND_SETTLED_S;
                        double target = target_of(f, p, apart ? r : &r[-1]);
                        double tau = target < speed ? p[3] : p[2];

                        speed = motor_speed_after(speed, target, -expm1(-r->dt_s / tau));
                }
                out[i] = r->speed_radps - speed;
        }
}

bool stand_solve(const struct stand_fit *f, least_residuals residuals, int count,
                 const double *start, const double *scale, const double *low,
                 const double *high, double *found, double *half)
{
        int *stretch = malloc(f->rows * sizeof *stretch);
        struct least_problem p = { .parameters = count,
                                   .channels = 1,
                                   .rows = f->rows,
                                   .stretch = stretch,
                                   .start = start,
                                   .scale = scale,
                                   .low = low,
                                   .high = high,
                                   .residuals = residuals,
                                   .of = f };
        struct least_result *r = calloc(1, sizeof *r);
        char why[200];
        bool ok = stretch != NULL && r != NULL;

        for (size_t i = 0; ok && i < f->rows; i++)
                stretch[i] = (int)(i * STRETCHES / f->rows);
        ok = ok && least_squares(&p, r, why, sizeof why);
        for (int i = 0; ok && i < count; i++) {
                found[i] = r->value[i];
                half[i] = r->half[i];
        }
        free(stretch);
        free(r);
        return ok;
}

void stand_take(struct stand_result *r, enum stand_parameter of, double found,
                double half)
{
        const struct stand_name *n = &stand_names[of];

        r->found[of] = found;
        r->half[of] = hypot(half, n->considered * found);
        r->told[of] = r->half[of] <= n->part * fabs(found) + n->amount;
}

static bool has(const struct stand_fit *f, size_t member)
{
        size_t count = 0;

        for (size_t i = 0; i < f->rows; i++) {
                double value;

                memcpy(&value, (const char *)&f->row[i] + member, sizeof value);
                count += value == value;
        }
        return f->rows >= ROWS_LEAST && count > f->rows / 2;
}
#define HAS(f, member) has(f, offsetof(struct stand_row, member))

static void find_load(struct stand_fit *f, enum stand_parameter of, double start,
                      struct stand_result *r)
{
        const double begin[2] = { start, 0.0 };
        const double scale[2] = { 10.0 * start, of == STAND_THRUST ? 1.0 : 0.1 };
        const double low[2] = { 1e-3 * start, -1e3 }, high[2] = { 1e3 * start, 1e3 };
        double found[2], half[2];

        f->of = of;
        if (stand_solve(f, over_square, 2, begin, scale, low, high, found, half))
                stand_take(r, of, found[0], half[0]);
}

static double highest_speed(const struct stand_fit *f)
{
        double most = 0.0;

        for (size_t i = 0; i < f->rows; i++)
                most = fmax(most, f->row[i].speed_radps);
        return most;
}

/* Between the largest command that leaves the rotor at rest, and the smallest that turns it. */
static void find_dead_band(struct stand_fit *f, struct stand_result *r)
{
        double stands = 0.0, turns = 1.0, limit = TURNS_PART * highest_speed(f);
        bool stood = false;

        for (size_t i = 0; i < f->rows; i++) {
                const struct stand_row *at = &f->row[i];

                if (!at->settled)
                        continue;
                if (at->speed_radps > limit)
                        turns = fmin(turns, at->command);
                else if (at->command >= stands)
                        stands = at->command, stood = true;
        }
        if (!stood || turns < stands)
                return;
        stand_take(r, STAND_DEAD_BAND, 0.5 * (stands + turns), 0.5 * (turns - stands));
        f->dead_band = turns;
}

static void find_speed(struct stand_fit *f, double interval_s, struct stand_result *r)
{
        const struct motor_params *m = &f->start->motor[0];
        double down = m->tau_down_s > 0.0 ? m->tau_down_s : m->tau_s;
        const double begin[4] = { m->speed_full_radps, 1.0 - m->thrust_linear, m->tau_s,
                                  down };
        const double scale[4] = { m->speed_full_radps, 1.0, m->tau_s, down };
        const double low[4] = { 0.05 * m->speed_full_radps, -0.9, 1e-4, 1e-4 };
        const double high[4] = { 20.0 * m->speed_full_radps, 1.5, 5.0, 5.0 };
        double found[4], half[4];

        find_dead_band(f, r);
        if (!stand_solve(f, speeds, 4, begin, scale, low, high, found, half))
                return;
        for (int i = 0; i < 4; i++)
                stand_take(r,
                           (const enum stand_parameter[]){ STAND_SPEED, STAND_EXPO,
                                                           STAND_TAU, STAND_TAU_DOWN }[i],
                           found[i], i < 2 ? half[i] : hypot(half[i], LATE * interval_s));
        if (interval_s > INTERVAL_MOST)
                r->told[STAND_TAU] = r->told[STAND_TAU_DOWN] = false;
}

static void find_all(struct stand_fit *f, double interval_s, struct stand_result *r)
{
        const struct rotor_params *rotor = &f->start->rotor[0];
        bool speed = HAS(f, speed_radps), volt = HAS(f, voltage_v),
             ampere = HAS(f, current_a);

        if (speed && HAS(f, thrust_n))
                find_load(f, STAND_THRUST, rotor->thrust_n_per_radps2, r);
        if (speed && HAS(f, torque_nm))
                find_load(f, STAND_TORQUE, rotor->torque_nm_per_radps2, r);
        if (speed)
                find_speed(f, interval_s, r);
        if (volt && ampere)
                stand_find_resistance(f, r);
        if (speed && volt && ampere && HAS(f, torque_nm))
                stand_find_efficiency(f, r);
}

static void note_start(struct stand_result *r, const struct vehicle_params *v)
{
        const struct motor_params *m = &v->motor[0];
        const double start[STAND_PARAMETERS] = { v->rotor[0].thrust_n_per_radps2,
                                                 v->rotor[0].torque_nm_per_radps2,
                                                 m->speed_full_radps,
                                                 1.0 - m->thrust_linear,
                                                 m->dead_band,
                                                 m->tau_s,
                                                 m->tau_down_s > 0.0 ? m->tau_down_s
                                                                     : m->tau_s,
                                                 v->battery.resistance_ohm,
                                                 v->battery.efficiency };

        *r = (struct stand_result){ .length_s = 0.0 };
        for (int i = 0; i < STAND_PARAMETERS; i++) {
                r->start[i] = start[i];
                r->found[i] = r->half[i] = NOT_LOOKED_FOR;
        }
}

bool stand_find(const struct track *tables, int count, const struct vehicle_params *start,
                struct stand_result *r, char *why, size_t cap)
{
        struct stand_fit f = { .start = start, .dead_band = 0.0 };
        struct stand_row *row;

        note_start(r, start);
        for (int i = 0; i < count; i++) {
                if (stand_rows_of(&tables[i])->count < ROWS_LEAST ||
                    tables[i].of[TRACK_MOTORS].count == 0) {
                        snprintf(why, cap,
                                 "must have columns command and rpm or thrust_n, and %d "
                                 "rows of them",
                                 ROWS_LEAST);
                        return false;
                }
                f.rows += stand_rows_of(&tables[i])->count;
                r->interval_s = fmax(r->interval_s, stand_interval_s(&tables[i]));
        }
        row = malloc((f.rows + 1) * sizeof *row);
        if (row == NULL) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        f.rows = 0;
        for (int i = 0; i < count; i++) {
                stand_add_rows(&tables[i], i, row + f.rows);
                f.rows += stand_rows_of(&tables[i])->count;
                r->length_s += stand_interval_s(&tables[i]) *
                               (double)stand_rows_of(&tables[i])->count;
        }
        f.row = row;
        find_all(&f, r->interval_s, r);
        free(row);
        return true;
}
