/* A retraced flight in text and as JSON. */
#include <math.h>

#include "hil/retrace/retrace.h"
#include "hil/text/terminal.h"

static const char *const cause_names[RETRACE_CAUSES] = { "thrust per mass",
                                                         "roll torque per inertia",
                                                         "pitch torque per inertia",
                                                         "yaw torque per inertia" };

/* Not "-0.0". */
static double milliseconds(double s)
{
        return fabs(s) < 0.00005 ? 0.0 : 1e3 * s;
}

static void print_quantity(FILE *out, int i, const struct retrace_difference *d)
{
        const struct retrace_name *n = &retrace_names[i];

        if (d->count == 0) {
                fprintf(out, "  %-15s %-6s %9s\n", n->name, n->unit, "not in the log");
                return;
        }
        fprintf(out, "  %-15s %-6s %9.4g %9.4g %9.4g %8.1f", n->name, n->unit, d->rms,
                d->max, d->spread, d->fit_percent);
        if (i > RETRACE_YAW)
                fputc('\n', out);
        else if (d->lag_known)
                fprintf(out, " %9.1f %6.3f\n", milliseconds(d->lag_s), d->correlation);
        else
                fputs("   not judged\n", out);
}

static void print_apart(FILE *out, const char *what, const struct retrace_apart *a,
                        const struct retrace_result *r)
{
        if (!a->judged)
                fprintf(out, "  %-16s not judged: not in the log\n", what);
        else if (a->happened)
                fprintf(out, "  %-16s after %.2f s\n", what, a->after_s);
        else
                fprintf(out, "  %-16s never in %.2f s\n", what, r->seconds);
}

static void print_unknown(FILE *out, const struct retrace_gain *g)
{
        if (g->sparse)
                fputs("not judged: the log has it too seldom\n", out);
        else if (g->explained > 0.0)
                fprintf(out, "not judged: a gain and a delay explain %.0f %% of it\n",
                        100.0 * g->explained);
        else
                fputs("not judged: too little of it, or not in the log\n", out);
}

static void print_cause(FILE *out, int i, const struct retrace_gain *g)
{
        fprintf(out, "  %-25s ", cause_names[i]);
        if (!g->known) {
                print_unknown(out, g);
                return;
        }
        fprintf(out, "%7.4f +- %-7.2g ", g->gain, g->gain_error);
        if (g->sparse)
                fprintf(out, "     not judged  %5.1f\n", 100.0 * g->explained);
        else
                fprintf(out, "%7.1f +- %-6.1f %5.1f", milliseconds(g->delay_s),
                        1e3 * g->delay_error_s, 100.0 * g->explained);
        if (!g->sparse && i != CAUSE_THRUST)
                fprintf(out, "  and %+.1f deg/s^2",
                        fabs(g->offset) < 0.05 ? 0.0 : g->offset);
        if (!g->sparse)
                fputc('\n', out);
}

static void print_intervals(FILE *out, const struct retrace_result *r)
{
        if (r->motors_every_s > RETRACE_SPARSE_S)
                fprintf(out,
                        "the log has its motors every %.3g ms: what they did in between "
                        "nobody knows, and lags and turning are not judged\n\n",
                        1e3 * r->motors_every_s);
        else if (r->rates_every_s > RETRACE_SPARSE_S)
                fprintf(out,
                        "the log has its rates every %.3g ms: turning is not judged\n\n",
                        1e3 * r->rates_every_s);
}

void retrace_print(FILE *out, const struct track *t, const struct retrace_result *r)
{
        terminal_print(out, "%s%s%s, %llu records skipped\n", t->format,
                       t->firmware[0] != '\0' ? ", " : "", t->firmware,
                       (unsigned long long)(t->skipped));
        fprintf(out, "%.3f s of flight, from %.3f s after its first command on; ",
                r->seconds, r->begin_s);
        if (r->every_s > 0.0)
                fprintf(out, "simulated anew from the log every %.3g s\n\n", r->every_s);
        else
                fputs("simulated in one go\n\n", out);
        print_intervals(out, r);
        if (r->blind_s > 0.0)
                fprintf(out,
                        "for %.1f s the log says nothing of its motors: not compared "
                        "there, and no more in one go\n\n",
                        r->blind_s);
        fputs("  the log less the simulation      RMS       max  the log's   fit %   lag "
              "ms\n"
              "                                                  spread\n",
              out);
        for (int i = 0; i < RETRACE_QUANTITIES; i++)
                print_quantity(out, i, &r->of[i]);
        fputs("\nfirst apart, simulated in one go\n", out);
        print_apart(out, "by 1 m", &r->metre, r);
        print_apart(out, "by 10 degrees", &r->ten_degrees, r);
        fputs("\nwhat would explain it             log / sim            delay ms        "
              "explained %\n",
              out);
        for (int i = 0; i < RETRACE_CAUSES; i++)
                print_cause(out, i, &r->cause[i]);
        if (r->cause[CAUSE_THRUST].known)
                fprintf(out,
                        "  %.1f %% %s thrust than the vehicle file has, or %.1f %% %s "
                        "mass: a flight alone cannot tell\n",
                        100.0 * fabs(r->cause[CAUSE_THRUST].gain - 1.0),
                        r->cause[CAUSE_THRUST].gain >= 1.0 ? "more" : "less",
                        100.0 * fabs(1.0 - 1.0 / r->cause[CAUSE_THRUST].gain),
                        r->cause[CAUSE_THRUST].gain >= 1.0 ? "less" : "more");
}

static void add_difference(struct json *to, int i, const struct retrace_difference *d)
{
        struct json *one = json_add_object(to, retrace_names[i].name);

        json_add_string(one, "unit", retrace_names[i].unit);
        json_add_u64(one, "samples", d->count);
        if (d->count == 0)
                return;
        json_add_number(one, "rms", d->rms);
        json_add_number(one, "max", d->max);
        json_add_number(one, "spread", d->spread);
        json_add_number(one, "fit_percent", d->fit_percent);
        if (i > RETRACE_YAW)
                return;
        json_add_number(one, "correlation", d->correlation);
        json_add_number(one, "lag_s", d->lag_known ? d->lag_s : (double)NAN);
}

static void add_apart(struct json *to, const char *key, const struct retrace_apart *a)
{
        struct json *one = json_add_object(to, key);

        json_add_bool(one, "judged", a->judged);
        json_add_number(one, "after_s", a->happened ? a->after_s : (double)NAN);
}

static void add_cause(struct json *to, int i, const struct retrace_gain *g)
{
        struct json *one = json_add_object(to, cause_names[i]);

        json_add_bool(one, "judged", g->known);
        if (!g->known)
                return;
        json_add_number(one, "gain", g->gain);
        json_add_number(one, "gain_error", g->gain_error);
        json_add_number(one, "delay_s", g->sparse ? (double)NAN : g->delay_s);
        json_add_number(one, "delay_error_s", g->sparse ? (double)NAN : g->delay_error_s);
        json_add_number(one, "offset_dps2", g->offset);
        json_add_number(one, "explained", g->explained);
}

struct json *retrace_json(const struct track *t, const struct retrace_result *r)
{
        struct json *root = json_new_object(), *part;

        json_add_string(root, "format", t->format);
        json_add_string(root, "firmware", t->firmware);
        json_add_u64(root, "skipped", t->skipped);
        json_add_u64(root, "disordered", t->disordered);
        json_add_number(root, "begin_s", r->begin_s);
        json_add_number(root, "seconds", r->seconds);
        json_add_number(root, "every_s", r->every_s);
        json_add_number(root, "blind_s", r->blind_s);
        json_add_number(root, "motors_every_s", r->motors_every_s);
        json_add_number(root, "rates_every_s", r->rates_every_s);
        json_add_number(root, "forces_every_s", r->forces_every_s);
        part = json_add_object(root, "differences");
        for (int i = 0; i < RETRACE_QUANTITIES; i++)
                add_difference(part, i, &r->of[i]);
        part = json_add_object(root, "apart");
        add_apart(part, "by_1_m", &r->metre);
        add_apart(part, "by_10_deg", &r->ten_degrees);
        part = json_add_object(root, "explanations");
        for (int i = 0; i < RETRACE_CAUSES; i++)
                add_cause(part, i, &r->cause[i]);
        return root;
}
