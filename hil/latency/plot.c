/* The Bode plot of a latency measurement: one SVG file that needs nothing else. */
#include "hil/latency/measure.h"

#include <math.h>

#define WIDTH 800
#define LEFT  60
#define RIGHT 780
#define PANEL 200 /* height of one, and the room to the next */
#define GAP   30
#define TOP   30
#define KNOWN 1.0 /* relative standard error up to which a line is drawn */

enum panel { PANEL_GAIN, PANEL_PHASE, PANEL_COHERENCE, PANELS };

struct plot {
        FILE *out;
        const struct latency_result *r;
        double low_hz, high_hz;
        double low[PANELS], high[PANELS];
};

static const char style[] =
        "<style>text{font:12px sans-serif;fill:#222}.g{stroke:#ccc}.m{fill:none;stroke:"
        "#1565c0;stroke-width:1.5}.l{fill:none;stroke:#c62828;stroke-width:1.5}.c{fill:"
        "none;stroke:#2e7d32;stroke-width:1.5}@media(prefers-color-scheme:dark){svg{"
        "background:#121212}text{fill:#ddd}.g{stroke:#444}.m{stroke:#64b5f6}.l{stroke:"
        "#ef9a9a}.c{stroke:#81c784}}</style>\n";

static double x_of(const struct plot *p, double hz)
{
        return LEFT + (RIGHT - LEFT) * log(hz / p->low_hz) / log(p->high_hz / p->low_hz);
}

static double y_of(const struct plot *p, enum panel panel, double v)
{
        double top = TOP + (double)panel * (PANEL + GAP);
        double part = (v - p->low[panel]) / (p->high[panel] - p->low[panel]);

        return top + PANEL * (1.0 - fmin(fmax(part, 0.0), 1.0));
}

static void grid_line(const struct plot *p, double x0, double y0, double x1, double y1)
{
        fprintf(p->out,
                "<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                x0, y0, x1, y1);
}

static void grid(const struct plot *p, enum panel panel, double step, const char *name)
{
        double top = y_of(p, panel, p->high[panel]);

        fprintf(p->out, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT, top - 6, name);
        for (double v = p->low[panel]; v <= p->high[panel] + 1e-9; v += step) {
                double y = y_of(p, panel, v);

                grid_line(p, LEFT, y, RIGHT, y);
                fprintf(p->out,
                        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                        LEFT - 6, y + 4, v);
        }
        for (double decade = pow(10.0, floor(log10(p->low_hz))); decade <= p->high_hz;
             decade *= 10.0)
                for (int i = 1; i < 10; i++) {
                        double x = x_of(p, i * decade);

                        if (i * decade < p->low_hz || i * decade > p->high_hz)
                                continue;
                        grid_line(p, x, top, x, top + PANEL);
                        if (panel == PANEL_COHERENCE && (i == 1 || i == 2 || i == 5))
                                fprintf(p->out,
                                        "<text x=\"%.1f\" y=\"%.1f\" "
                                        "text-anchor=\"middle\">%g</text>\n",
                                        x, top + PANEL + 16, i * decade);
                }
}

static double value(enum panel panel, double complex z, double coherence)
{
        if (panel == PANEL_GAIN)
                return 20.0 * log10(cabs(z));
        return panel == PANEL_PHASE ? DEG_PER_RAD * carg(z) : coherence;
}

/* A pen that is lifted where a line is not known, and where the phase jumps round. */
static void curve(const struct plot *p, enum panel panel, bool loop, const char *class)
{
        double before = NAN;

        fprintf(p->out, "<path class=\"%s\" d=\"", class);
        for (int k = 0; k < p->r->estimate.lines; k++) {
                const struct response_line *l = &p->r->estimate.line[k];
                double complex z = loop ? l->loop : l->gain;
                double variance = loop ? l->loop_variance : l->variance;
                double v = value(panel, z, l->coherence);

                if (!isfinite(v) ||
                    (panel != PANEL_COHERENCE && sqrt(variance) > KNOWN * cabs(z))) {
                        before = NAN;
                        continue;
                }
                fprintf(p->out, "%c%.1f %.1f",
                        isnan(before) ||
                                        (panel == PANEL_PHASE && fabs(v - before) > 180.0)
                                ? 'M'
                                : 'L',
                        x_of(p, l->hz), y_of(p, panel, v));
                before = v;
        }
        fputs("\"/>\n", p->out);
}

static void span_gain(struct plot *p)
{
        double low = INFINITY, high = -INFINITY;

        for (int k = 0; k < p->r->estimate.lines; k++) {
                const struct response_line *l = &p->r->estimate.line[k];
                double motors = value(PANEL_GAIN, l->gain, 0.0);
                double loop = p->r->closed ? value(PANEL_GAIN, l->loop, 0.0) : motors;

                if (!isfinite(motors) || !isfinite(loop))
                        continue;
                low = fmin(low, fmin(motors, loop));
                high = fmax(high, fmax(motors, loop));
        }
        /* An axis of whole 20 dB, and not below -80 under its top. */
        p->high[PANEL_GAIN] = isfinite(high) ? 20.0 * ceil(high / 20.0 + 1e-6) : 0.0;
        p->low[PANEL_GAIN] = isfinite(low) ? 20.0 * floor(low / 20.0) : -80.0;
        p->low[PANEL_GAIN] = fmax(p->low[PANEL_GAIN], p->high[PANEL_GAIN] - 80.0);
}

void latency_plot(FILE *out, const struct latency_result *r)
{
        const struct response_estimate *e = &r->estimate;
        struct plot p = { .out = out,
                          .r = r,
                          .low_hz = e->line[0].hz,
                          .high_hz = e->line[e->lines - 1].hz * 1.001,
                          .low = { 0.0, -180.0, 0.0 },
                          .high = { 0.0, 180.0, 1.0 } };

        span_gain(&p);
        fprintf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n%s",
                WIDTH, TOP + PANELS * (PANEL + GAP) + 10, style);
        grid(&p, PANEL_GAIN, 20.0,
             r->closed ? "gain, dB: motors per rad/s blue, open loop red"
                       : "gain from gyroscope to motors, dB per rad/s");
        grid(&p, PANEL_PHASE, 90.0, "phase, degrees");
        grid(&p, PANEL_COHERENCE, 0.25, "coherence with the stimulus; Hz below");
        for (enum panel panel = PANEL_GAIN; panel <= PANEL_PHASE; panel++) {
                curve(&p, panel, false, "m");
                if (r->closed)
                        curve(&p, panel, true, "l");
        }
        curve(&p, PANEL_COHERENCE, false, "c");
        fputs("</svg>\n", out);
}
