/* cyclictest (package rt-tests) as a judge beside the rig's own figures: run, and its histogram read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CYCLICTEST_BINS 100000 /* microseconds of its histogram */

/* What it measured of one of its threads, over all of its runs. */
struct cyclictest {
        uint32_t bin[CYCLICTEST_BINS + 1]; /* the last: beyond */
        uint64_t count;
        long max_us;
};

struct cyclictest_setup {
        const int *cpu; /* of each thread; NULL: one thread, on any */
        int threads;
        int priority; /* of SCHED_FIFO; 0: none */
        int64_t period_ns;
        int seconds;
};

/* Adds a line of its output: "<us> <count>...", "# Histogram Overflows: <n>...", "# Max Latencies: <us>...", with a
 * number for each thread. What is neither is copied to said, as its last words. */
void cyclictest_read_line(struct cyclictest *c, int threads, const char *line, char *said,
                          size_t cap);

/* Runs it for so long and adds what it measures to c, one for each thread. False with what it said. */
bool cyclictest_run(struct cyclictest *c, const struct cyclictest_setup *setup,
                    char *said, size_t cap);

/* p in 0..1, in microseconds; 0 if it measured nothing. */
double cyclictest_us(const struct cyclictest *c, double p);
