/* From a recorded run to its figures: the latency of each repetition, the frames' times, three delays of the
 * average response, the loop's margins; and these as text, as JSON and as tables for other programs. */
#pragma once

#include "hil/latency/run.h"

/* One repetition of the stimulus. */
struct latency_repeat {
        double start_s; /* since the stimulus began */
        int segment; /* of the spectra; -1: too few of its frames were sent */
        double s; /* NAN: it could not be measured */
        double corrected_s; /* with the time for which its frames were held back */
        double se_s;
};

struct latency_result {
        struct response_model model;
        struct response spectra;
        struct response_estimate estimate;
        struct response_delay fit, peak, slope;
        struct response_margins margins; /* of the loop, if it closes */
        bool closed; /* it does */

        int repeats; /* that should have been */
        struct latency_repeat *repeat;
        struct latency_samples raw, corrected; /* of the repetitions, sorted */
        struct latency_samples frames, frames_intended; /* real time only, sorted */
        double noise_s; /* median standard error of one repetition */
        bool noise_is_scatter; /* it was larger than the scatter and is taken from that */
        bool found; /* the stimulus is in the motors */
        char why[300]; /* else */
};

/* model: filter and corner as the user said. False: result->why. Freed by latency_result_free() whatever it
 * says. */
bool latency_measure(struct latency_run *run, const struct response_model *model,
                     struct latency_result *result);
void latency_result_free(struct latency_result *result);

/* Tables and a histogram, for people. */
void latency_print(FILE *out, const struct latency_run *run,
                   const struct latency_result *r);
/* All of it; freed by the caller. NULL: no memory. */
char *latency_json(const struct latency_run *run, const struct latency_result *r);
/* One line for each repetition, and one for each line of the frequency response. */
void latency_print_repeats(FILE *out, const struct latency_result *r);
void latency_print_response(FILE *out, const struct latency_result *r);
/* A Bode plot as SVG: gain, phase and coherence over frequency. */
void latency_plot(FILE *out, const struct latency_result *r);

/* How the figures are called. */
#define LATENCY_QUANTILES 4

extern const struct latency_quantile_name {
        const char *name; /* for people */
        const char *key; /* for programs */
        double p;
} latency_quantiles[LATENCY_QUANTILES];

extern const char *const latency_axes[3];

/* "fit behind lag:80". */
void latency_filter_text(const struct response_model *m, char *text, size_t cap);
