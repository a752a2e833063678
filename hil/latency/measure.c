#include "hil/latency/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SETTLE_S     0.5 /* before the first repetition that counts */
#define MOST_S       0.25 /* latency that is looked for */
#define SENT_SHARE   0.9 /* of a repetition's frames; with fewer it is not measured */
#define CHIRP_STEP   0.25 /* of a part of a chirp, from one to the next */
#define CLEAR        5.0 /* standard errors by which coherence must exceed what chance gives */
#define CLOSED       0.1 /* loop gain beyond which the loop counts as closed, */
#define CLOSED_LINES 0.05 /* at this share of the lines */
#define REPEATS_MIN  4

static bool refuse_result(struct latency_result *r, const char *why)
{
        snprintf(r->why, sizeof r->why, "%s", why);
        return false;
}

static bool is_sequence(const struct latency_run *run)
{
        return run->stimulus.shape == STIMULUS_PRBS;
}

/* Up to half the chip rate, or the chirp's end. */
static int lines_of(const struct latency_run *run)
{
        const struct stimulus *s = &run->stimulus;
        double top_hz = is_sequence(run) ? 0.5e9 / (double)s->chip_ns
                                         : fmax(s->from_hz, s->to_hz);
        double most_hz = fmin(top_hz, 0.5 / run->period_s);
        double lines = ceil(most_hz * run->repeat_s) - 1.0;

        return (int)fmin(lines, RESPONSE_LINES_MAX);
}

static int tick_of(const struct latency_run *run, double at_s)
{
        return (int)lround(at_s / run->period_s);
}

/* As many of its frames were sent as of all. */
static bool is_whole(const struct latency_run *run, double from_s)
{
        int first = tick_of(run, from_s), last = tick_of(run, from_s + run->repeat_s);
        double share = (double)(run->due - run->missed) / run->due;
        int sent = 0, due = 0;

        for (int i = first; i < last && i < run->ticks; i++) {
                sent += !isnan(run->frame[i].sent_s);
                due += !isnan(run->frame[i].due_s);
        }
        return sent > 0 && sent >= SENT_SHARE * share * due;
}

static bool add_repeat(const struct latency_run *run, struct latency_result *r,
                       double start_s)
{
        struct latency_repeat *one = &r->repeat[r->repeats++];

        *one = (struct latency_repeat){ start_s, -1, NAN, NAN, NAN };
        if (!is_whole(run, start_s))
                return true;
        one->segment = r->spectra.segments;
        return response_add(&r->spectra, &run->r, &run->u, &run->y, start_s) ||
               refuse_result(r, "out of memory");
}

static bool add_repeats(const struct latency_run *run, struct latency_result *r)
{
        double repeat_s = run->repeat_s;
        double step_s = is_sequence(run) ? repeat_s : CHIRP_STEP * repeat_s;
        double begin_s = is_sequence(run) ? ceil(SETTLE_S / repeat_s) * repeat_s : 0.0;
        double room_s = run->ticks * run->period_s - begin_s - repeat_s;
        int repeats = room_s < 0.0 ? 0 : (int)floor(room_s / step_s + 1e-6) + 1;

        if (!response_begin(&r->spectra, lines_of(run), repeat_s,
                            is_sequence(run) ? RESPONSE_WHOLE : RESPONSE_HANN))
                return refuse_result(r, "a repetition of its stimulus is too short for a "
                                        "frequency response");
        if (repeats < REPEATS_MIN)
                return refuse_result(r,
                                     "its stimulus lasted for too few repetitions; 4 are "
                                     "needed after the first half second");
        r->repeat = calloc((size_t)repeats, sizeof *r->repeat);
        if (r->repeat == NULL)
                return refuse_result(r, "out of memory");
        for (int i = 0; i < repeats; i++)
                if (!add_repeat(run, r, begin_s + i * step_s))
                        return false;
        if (r->spectra.segments >= REPEATS_MIN)
                return true;
        return refuse_result(r, "the host was too late in nearly every repetition");
}

static bool add_frames(const struct latency_run *run, struct latency_result *r,
                       double *wait_s)
{
        bool ok = latency_round_trips(run->frame, run->ticks, &r->frames) &&
                  latency_intended(run->frame, run->ticks, wait_s, &r->frames_intended);

        latency_sort(&r->frames);
        latency_sort(&r->frames_intended);
        return ok;
}

/* By chance the coherence of a line is 1 / segments, with as much for its standard deviation. */
static bool is_heard(const struct response_estimate *e)
{
        double sum = 0.0, chance = 1.0 / e->segments;

        for (int k = 0; k < e->lines; k++)
                sum += e->line[k].coherence / e->lines;
        return sum > chance + CLEAR * chance / sqrt(e->lines);
}

static bool is_closed(const struct response_estimate *e)
{
        int lines = 0;

        for (int k = 0; k < e->lines; k++) {
                const struct response_line *l = &e->line[k];

                lines += cabs(l->loop) > CLOSED &&
                         cabs(l->loop) > CLEAR * sqrt(l->loop_variance);
        }
        return lines >= fmax(3.0, CLOSED_LINES * e->lines);
}

static double most_delay(const struct latency_run *run)
{
        return is_sequence(run) ? fmin(0.5 * run->repeat_s, MOST_S) : MOST_S;
}

/* No command knows of a frame sooner than the quickest quarter of the answers come. */
static bool is_possible(const struct latency_run *run, struct latency_result *r)
{
        double least_s;

        if (!run->realtime || r->frames.count == 0)
                return true;
        least_s = latency_quantile(&r->frames, 0.25).s;
        if (!(r->fit.s + 1.96 * r->fit.se_s < least_s))
                return true;
        snprintf(
                r->why, sizeof r->why,
                "the fit says %.0f us, and three of four answers took more than %.0f us: "
                "nothing was measured; a quieter host, another --filter?",
                1e6 * r->fit.s, 1e6 * least_s);
        return false;
}

static bool measure_average(const struct latency_run *run, struct latency_result *r)
{
        double most_s = most_delay(run);

        if (!response_estimate(&r->spectra, 0, 0, &r->estimate) ||
            !is_heard(&r->estimate))
                return refuse_result(
                        r, "the motors do not answer to the stimulus: armed? enough "
                           "amplitude? the right axis?");
        r->found = true;
        if (run->realtime && r->frames.count > 0)
                r->model.transport_s = latency_quantile(&r->frames, 0.5).s;
        r->model.period_s = run->period_s;
        r->closed = run->u_recorded && is_closed(&r->estimate);
        if (r->closed)
                response_margins_jackknife(&r->spectra, &r->margins);
        if (!run->held)
                return r->margins.crosses || !is_sequence(run) ||
                       refuse_result(r,
                                     "a vehicle that flies shows no delay, and the gain "
                                     "of its loop does not fall through 1 where it is "
                                     "known: more amplitude or repetitions, or --jig");
        response_fit_jackknife(&r->spectra, &r->model, most_s, &r->fit);
        if (response_peak(&r->estimate, most_s, &r->peak))
                response_slope(&r->estimate, r->peak.s, &r->slope);
        return is_possible(run, r);
}

/* What lies on the ground or on its side shows neither a delay nor a loop. */
static bool stays_up(const struct latency_run *run, struct latency_result *r)
{
        if (run->held || isnan(run->fell_s))
                return true;
        snprintf(r->why, sizeof r->why,
                 "%s touched the ground, or was on its side, %.3f s after the stimulus "
                 "began: nothing was measured",
                 run->config->vehicle[run->vehicle].name, run->fell_s);
        return false;
}

/* By how much longer a repetition's frames waited from when they were due than it took from when they were
 * sent: what the host, or a board that said nothing, held back. */
static double held_back(const struct latency_run *run, const struct latency_repeat *one,
                        const double *wait_s, double usual_s)
{
        int first = tick_of(run, one->start_s);
        int last = tick_of(run, one->start_s + run->repeat_s);
        double waits = 0.0, trips = 0.0;
        int waited = 0, tripped = 0;

        for (int i = first; i < last && i < run->ticks; i++) {
                const struct latency_frame *f = &run->frame[i];

                if (!isnan(wait_s[i])) {
                        waits += wait_s[i];
                        waited++;
                }
                if (!isnan(f->answer_s) && f->answers >= 0) {
                        trips += f->answer_s - run->frame[f->answers].sent_s;
                        tripped++;
                }
        }
        if (waited == 0)
                return NAN;
        return waits / waited -
               (one->segment >= 0 && tripped > 0 ? trips / tripped : usual_s);
}

/* The residual's noise may be tied to the stimulus and then says more of other shifts than of this one. */
static void state_noise(struct latency_result *r, struct latency_samples *errors)
{
        double scale = latency_error_scale(&r->raw, errors);

        latency_sort(errors);
        r->noise_s = scale * latency_quantile(errors, 0.5).s;
        r->noise_is_scatter = scale < 1.0;
        for (int i = 0; i < r->repeats; i++)
                r->repeat[i].se_s *= scale;
}

static bool measure_repeats(const struct latency_run *run, struct latency_result *r,
                            const double *wait_s)
{
        double usual_s = r->frames.count > 0 ? latency_mean(&r->frames).s : 0.0;
        struct latency_samples errors = { 0 };
        bool ok = true;

        for (int i = 0; ok && i < r->repeats; i++) {
                struct latency_repeat *one = &r->repeat[i];
                double shift_s;

                if (one->segment >= 0 &&
                    response_shift(&r->spectra, &r->estimate, one->segment,
                                   most_delay(run), &shift_s, &one->se_s))
                        one->s = r->fit.s + shift_s;
                one->corrected_s = isnan(one->s) ? r->fit.s : one->s;
                if (run->realtime)
                        one->corrected_s += held_back(run, one, wait_s, usual_s);
                ok = latency_add(&r->raw, one->s) &&
                     latency_add(&r->corrected, one->corrected_s) &&
                     latency_add(&errors, one->se_s);
        }
        latency_sort(&r->raw);
        latency_sort(&r->corrected);
        state_noise(r, &errors);
        latency_free(&errors);
        return ok;
}

bool latency_measure(struct latency_run *run, const struct response_model *model,
                     struct latency_result *r)
{
        double *wait_s = calloc((size_t)run->ticks, sizeof *wait_s);
        bool ok = wait_s != NULL;

        *r = (struct latency_result){
                .model = *model,
                .fit = { .s = NAN, .se_s = NAN, .gain = NAN, .misfit = NAN }
        };
        if (ok && run->realtime)
                ok = add_frames(run, r, wait_s);
        if (!ok)
                refuse_result(r, "out of memory");
        latency_sort(&run->link);
        latency_sort(&run->wake);
        latency_sort(&run->host);
        ok = ok && stays_up(run, r) && add_repeats(run, r) && measure_average(run, r);
        /* A chirp is one repetition: it has an average response and no distribution. */
        if (ok && run->held && is_sequence(run) && !measure_repeats(run, r, wait_s))
                ok = refuse_result(r, "out of memory");
        free(wait_s);
        return ok;
}

void latency_result_free(struct latency_result *r)
{
        response_free(&r->spectra);
        free(r->repeat);
        latency_free(&r->raw);
        latency_free(&r->corrected);
        latency_free(&r->frames);
        latency_free(&r->frames_intended);
}
