/* Crossover and margins of a loop gain that is known at some lines only, and with noise. */
#include "hil/latency/response.h"

#include <math.h>
#include <stdlib.h>

#include "models/vec.h"

#define KNOWN                                                                            \
        (1.0 / 3.0) /* standard error of a line that is used, as a share of the gain */
#define HALF      0.12 /* half width of the smoothing, in the logarithm of the frequency */
#define NEAREST   4 /* lines that it takes in, at least */
#define STEP      0.002
#define DB_PER_LN 8.685889638065037

struct curve {
        int count;
        double at[RESPONSE_LINES_MAX]; /* ln Hz */
        double gain[RESPONSE_LINES_MAX]; /* ln |L| */
        double phase[RESPONSE_LINES_MAX]; /* rad, without jumps */
        double weight[RESPONSE_LINES_MAX];
};

static void draw_curve(struct curve *c, const struct response_estimate *e)
{
        c->count = 0;
        for (int k = 0; k < e->lines; k++) {
                const struct response_line *l = &e->line[k];
                double size = cabs(l->loop);
                int n = c->count;

                if (!(l->loop_variance <= KNOWN * KNOWN * size * size) || !(size > 0.0))
                        continue;
                c->at[n] = log(l->hz);
                c->gain[n] = log(size);
                c->phase[n] =
                        n > 0 ? response_unwrap(c->phase[n - 1], l->loop) : carg(l->loop);
                c->weight[n] = 1.0 / (l->loop_variance / (size * size) + 1e-8);
                c->count++;
        }
}

/* Half width at a place: HALF, or as far as to the NEAREST-th line. */
static double width_at(const struct curve *c, double at)
{
        double nearest[NEAREST];

        for (int i = 0; i < NEAREST; i++)
                nearest[i] = INFINITY;
        for (int k = 0; k < c->count; k++) {
                double off = fabs(c->at[k] - at);

                for (int i = 0; i < NEAREST; i++)
                        if (off < nearest[i]) {
                                double other = nearest[i];

                                nearest[i] = off;
                                off = other;
                        }
        }
        return fmax(HALF, 1.01 * nearest[NEAREST - 1]);
}

/* Local straight lines (Cleveland 1979) through gain and phase. */
static void smooth(const struct curve *c, double at, double *gain, double *phase)
{
        double width = width_at(c, at);
        double w = 0.0, wx = 0.0, wxx = 0.0, wg = 0.0, wxg = 0.0, wp = 0.0, wxp = 0.0;

        for (int k = 0; k < c->count; k++) {
                double x = c->at[k] - at, part = fabs(x) / width, q, v;

                if (part >= 1.0)
                        continue;
                q = 1.0 - part * part * part;
                v = c->weight[k] * q * q * q;
                w += v;
                wx += v * x;
                wxx += v * x * x;
                wg += v * c->gain[k];
                wxg += v * x * c->gain[k];
                wp += v * c->phase[k];
                wxp += v * x * c->phase[k];
        }
        *gain = (wxx * wg - wx * wxg) / (w * wxx - wx * wx);
        *phase = (wxx * wp - wx * wxp) / (w * wxx - wx * wx);
}

/* Distance from -180 degrees, -pi to pi. */
static double margin_rad(double phase)
{
        return remainder(phase + M_PI, 2.0 * M_PI);
}

static void note_crossover(struct response_margins *m, double at, double phase)
{
        double margin_deg = DEG_PER_RAD * margin_rad(phase);

        if (m->crosses && fabs(margin_deg) >= fabs(m->phase_margin_deg))
                return;
        m->crosses = true;
        m->crossover_hz = exp(at);
        m->phase_margin_deg = margin_deg;
        m->delay_margin_s =
                (margin_deg > 0.0 ? margin_deg : 0.0) / 360.0 / m->crossover_hz;
}

static void note_turn(struct response_margins *m, double at, double gain)
{
        double margin_db = -DB_PER_LN * gain;

        if (m->turns && fabs(margin_db) >= fabs(m->gain_margin_db))
                return;
        m->turns = true;
        m->turn_hz = exp(at);
        m->gain_margin_db = margin_db;
}

/* Where between two places a straight line passes 0. */
static double zero_share(double before, double after)
{
        return before / (before - after);
}

bool response_margins(const struct response_estimate *e, struct response_margins *out)
{
        struct curve c;
        double gain0, phase0;

        *out = (struct response_margins){ 0 };
        draw_curve(&c, e);
        if (c.count < NEAREST)
                return false;
        smooth(&c, c.at[0], &gain0, &phase0);
        for (double at = c.at[0] + STEP; at < c.at[c.count - 1]; at += STEP) {
                double gain, phase, part;
                double turn0 = margin_rad(phase0), turn;

                smooth(&c, at, &gain, &phase);
                turn = margin_rad(phase);
                if (gain0 > 0.0 && gain <= 0.0) {
                        part = zero_share(gain0, gain);
                        note_crossover(out, at - STEP * (1.0 - part),
                                       phase0 + part * (phase - phase0));
                }
                if (turn0 * turn <= 0.0 && fabs(turn0 - turn) < 1.0 && turn0 != turn) {
                        part = zero_share(turn0, turn);
                        note_turn(out, at - STEP * (1.0 - part),
                                  gain0 + part * (gain - gain0));
                }
                gain0 = gain;
                phase0 = phase;
        }
        return out->crosses;
}

bool response_margins_jackknife(const struct response *s, struct response_margins *out)
{
        struct response_estimate e;
        struct response_spread phase = { 0 }, delay = { 0 }, gain = { 0 };
        int groups = response_groups(s);

        if (!response_estimate(s, 0, 0, &e) || !response_margins(&e, out))
                return false;
        for (int g = 0; g < groups; g++) {
                struct response_margins without;

                if (!response_estimate_without(s, g, groups, &e) ||
                    !response_margins(&e, &without))
                        continue;
                response_spread_add(&phase,
                                    without.phase_margin_deg - out->phase_margin_deg);
                response_spread_add(&delay, without.delay_margin_s - out->delay_margin_s);
                if (out->turns && without.turns)
                        response_spread_add(&gain,
                                            without.gain_margin_db - out->gain_margin_db);
        }
        out->phase_margin_se_deg = response_spread_error(&phase);
        out->delay_margin_se_s = response_spread_error(&delay);
        out->gain_margin_se_db = response_spread_error(&gain);
        return true;
}
