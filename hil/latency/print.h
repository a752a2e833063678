/* A latency measurement as text, as JSON and as tables for other programs. */
#ifndef HIL_LATENCY_PRINT_H
#define HIL_LATENCY_PRINT_H

#include "hil/latency/measure.h"

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

#endif
