/* From a recorded run to its figures: the latency of each repetition, the frames' times, three delays of the
 * average response, the loop's margins. */
#ifndef HIL_LATENCY_MEASURE_H
#define HIL_LATENCY_MEASURE_H

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

#endif
