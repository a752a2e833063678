/* What each model costs when it runs: nanoseconds of one CPU a call, for what the first vehicle of a
 * rig file has fitted and for its world. One JSON object a line for each model; how often it runs is
 * in `per_s`, so that their product is its share of a second. */
#ifndef HIL_BENCH_MODELS_H
#define HIL_BENCH_MODELS_H

#include <stdio.h>

/* 0, or -1 after a message. */
int bench_models(FILE *out, const char *config_path);

#endif
