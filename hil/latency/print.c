#include "hil/latency/measure.h"

#include <math.h>

#include "hil/text/terminal.h"

#define MISFIT 3.0 /* standard errors, rms, beyond which a model does not hold */

static double us(double s)
{
        return 1e6 * s;
}

/* A bound that so few samples do not give is a dash. */
static void print_us(FILE *out, double s)
{
        if (isnan(s))
                fprintf(out, " %10s", "-");
        else
                fprintf(out, " %10.1f", us(s));
}

static void print_figure(FILE *out, struct latency_figure f)
{
        print_us(out, f.s);
        print_us(out, f.low_s);
        print_us(out, f.high_s);
}

static struct latency_figure edge(const struct latency_samples *l, bool last)
{
        struct latency_figure f = { NAN, NAN, NAN };

        if (l->count > 0)
                f.s = l->s[last ? l->count - 1 : 0];
        return f;
}

static void print_row(FILE *out, const char *name, struct latency_figure raw,
                      struct latency_figure corrected)
{
        fprintf(out, "  %-6s", name);
        print_figure(out, raw);
        fputs("  ", out);
        print_figure(out, corrected);
        fputc('\n', out);
}

/* What is to be known of the table before its figures are used. */
static void print_notes(FILE *out, const struct latency_result *r)
{
        fprintf(out, "\n  One repetition by itself is known to %.1f us (1 sigma)%s.\n",
                us(r->noise_s),
                r->noise_is_scatter ? ",\n  or better: that is the whole scatter of the "
                                      "repetitions, which may be noise alone"
                                    : "");
        if (r->raw.s[0] < 0.0)
                fputs("  A single repetition can be negative by its own noise: it "
                      "scatters "
                      "about the average,\n  and nothing was answered before it was "
                      "sent.\n",
                      out);
        if (r->fit.misfit > MISFIT)
                fputs("  The response is not that filter with a delay: these figures are "
                      "a "
                      "compromise, as the fit\n  below is; only their differences "
                      "hold.\n",
                      out);
}

static void print_distribution(FILE *out, const struct latency_result *r)
{
        fprintf(out,
                "\n  us            raw     95 %% from        to    corrected     95 %% "
                "from        to\n"
                "  count  %10d                        %10d\n",
                r->raw.count, r->corrected.count);
        print_row(out, "min", edge(&r->raw, false), edge(&r->corrected, false));
        for (int i = 0; i < LATENCY_QUANTILES; i++)
                print_row(out, latency_quantiles[i].name,
                          latency_quantile(&r->raw, latency_quantiles[i].p),
                          latency_quantile(&r->corrected, latency_quantiles[i].p));
        print_row(out, "max", edge(&r->raw, true), edge(&r->corrected, true));
        print_row(out, "mean", latency_mean(&r->raw), latency_mean(&r->corrected));
        print_notes(out, r);
}

static void print_share(FILE *out, const char *name, const struct latency_samples *l)
{
        static const double p[] = { 0.5, 0.99, 0.999, 1.0 };

        if (l->count == 0)
                return;
        fprintf(out, "  %-34s %9d", name, l->count);
        for (size_t i = 0; i < sizeof p / sizeof p[0]; i++)
                print_us(out, latency_quantile(l, p[i]).s);
        fputc('\n', out);
}

static void print_shares(FILE *out, const struct latency_run *run,
                         const struct latency_result *r)
{
        if (!run->realtime) {
                fputs("\n  Lockstep: simulated time stands still while host, link and "
                      "flight "
                      "controller work; they have no share.\n",
                      out);
                return;
        }
        fprintf(out, "\n  %-34s %9s %10s %10s %10s %10s\n", "single frames, us", "count",
                "p50", "p99", "p99.9", "max");
        print_share(out, "handed over -> answered", &r->frames);
        print_share(out, "due -> answered (corrected)", &r->frames_intended);
        print_share(out, "link, there and back (time sync)", &run->link);
        print_share(out, "host, due -> awake", &run->wake);
        print_share(out, "host, due -> handed over", &run->host);
        if (run->bytes_to_fc_s > 0.0)
                fprintf(out,
                        "  serial line, by bytes: %.1f us for a frame, %.1f us for an "
                        "answer\n",
                        us(run->bytes_to_fc_s), us(run->bytes_from_fc_s));
        if (run->link.count == 0)
                fputs("  link: this protocol has no time sync; its share is in the first "
                      "line\n",
                      out);
        if (run->missed > 0)
                fprintf(out, "  %d of %d frames were not sent\n", run->missed, run->due);
}

static void print_delays(FILE *out, const struct latency_run *run,
                         const struct latency_result *r)
{
        char filter[40];

        if (!run->held) {
                fputs("\n  No delay is told: in flight the response has the phase of the "
                      "whole controller in it.\n  --jig measures the delay.\n",
                      out);
                return;
        }
        latency_filter_text(&r->model, filter, sizeof filter);
        fprintf(out, "\n  delay of the average response, us\n");
        fprintf(out, "  %-34s %10.1f +- %.1f, misfit %.2f\n", filter, us(r->fit.s),
                us(1.96 * r->fit.se_s), r->fit.misfit);
        if (r->fit.misfit > MISFIT)
                fputs("  The response is not that filter with a delay: this fit is a "
                      "compromise.\n",
                      out);
        if (r->peak.found)
                fprintf(out, "  %-34s %10.1f\n", "peak of the cross-correlation",
                        us(r->peak.s));
        if (r->slope.found)
                fprintf(out, "  %-34s %10.1f\n", "slope of the phase", us(r->slope.s));
}

static void print_loop(FILE *out, const struct latency_result *r)
{
        const struct response_margins *m = &r->margins;

        if (!r->closed)
                return;
        fputs("\n  open loop, broken at the gyroscope\n", out);
        if (!m->crosses) {
                fputs("  its gain does not fall through 1 where it is known\n", out);
                return;
        }
        fprintf(out,
                "  crossover at %.3f Hz, phase margin %.1f +- %.1f degrees, room for "
                "%.1f +- %.1f ms more delay\n",
                m->crossover_hz, m->phase_margin_deg, 1.96 * m->phase_margin_se_deg,
                1e3 * m->delay_margin_s, 1.96e3 * m->delay_margin_se_s);
        if (m->turns)
                fprintf(out,
                        "  -180 degrees at %.3f Hz: its gain may %s by %.1f +- %.1f dB\n",
                        m->turn_hz, m->gain_margin_db < 0.0 ? "fall" : "rise",
                        fabs(m->gain_margin_db), 1.96 * m->gain_margin_se_db);
        else
                fputs("  -180 degrees are not reached where it is known\n", out);
}

void latency_print(FILE *out, const struct latency_run *run,
                   const struct latency_result *r)
{
        struct latency_bins bins;

        terminal_print(
                out,
                "sensor-to-motor latency of %s, %s, %s: %d repetitions of %.6g ms, %.4g "
                "deg/s\n",
                run->config->vehicle[run->vehicle].name, latency_axes[run->axis],
                run->realtime ? "realtime" : "lockstep", r->repeats, 1e3 * run->repeat_s,
                DEG_PER_RAD * run->stimulus.amplitude);
        if (!run->u_recorded)
                fputs("The gyroscope is not in the log at every tick: the stimulus "
                      "stands "
                      "for it.\n",
                      out);
        if (r->raw.count > 0)
                print_distribution(out, r);
        print_shares(out, run, r);
        print_delays(out, run, r);
        print_loop(out, r);
        if (r->raw.count == 0)
                return;
        fputs("\n  raw, us, and how many\n", out);
        latency_bin(&r->raw, &bins);
        latency_print_bins(out, &bins);
}

void latency_print_repeats(FILE *out, const struct latency_result *r)
{
        fputs("start_s,latency_us,corrected_us,standard_error_us\n", out);
        for (int i = 0; i < r->repeats; i++) {
                const struct latency_repeat *one = &r->repeat[i];
                const double figure[3] = { one->s, one->corrected_s, one->se_s };

                fprintf(out, "%.6f", one->start_s);
                for (int k = 0; k < 3; k++)
                        if (isnan(figure[k]))
                                fputc(',', out);
                        else
                                fprintf(out, ",%.3f", us(figure[k]));
                fputc('\n', out);
        }
}

static void print_bode(FILE *out, double complex z, double variance)
{
        fprintf(out, ",%.4f,%.3f,%.3g", 20.0 * log10(cabs(z)), DEG_PER_RAD * carg(z),
                sqrt(variance) / cabs(z));
}

void latency_print_response(FILE *out, const struct latency_result *r)
{
        fputs("hz,motors_db,motors_deg,motors_relative_error,coherence,open_loop_db,open_"
              "loop_deg,open_loop_relative_error,closed_loop_db,closed_loop_deg\n",
              out);
        for (int k = 0; k < r->estimate.lines; k++) {
                const struct response_line *l = &r->estimate.line[k];
                double complex closed = l->loop / (1.0 + l->loop);

                fprintf(out, "%.6g", l->hz);
                print_bode(out, l->gain, l->variance);
                fprintf(out, ",%.5f", l->coherence);
                if (r->closed) {
                        print_bode(out, l->loop, l->loop_variance);
                        fprintf(out, ",%.4f,%.3f\n", 20.0 * log10(cabs(closed)),
                                DEG_PER_RAD * carg(closed));
                } else {
                        fputs(",,,,,\n", out);
                }
        }
}
