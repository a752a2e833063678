/* How late this machine wakes a thread that asks for what a rig's loop asks for: on each CPU, in blocks that alternate
 * with cyclictest's. Nothing here judges. */
#pragma once

#include "hil/config/config.h"
#include "hil/host/cyclictest.h"
#include "hil/host/system_text.h"
#include "hil/time/histogram.h"

#define LATENESS_BLOCKS 4 /* ours, theirs, theirs, ours; then again */

/* Wake-ups on one CPU. */
struct lateness {
        int cpu;
        struct histogram wake; /* from the deadline to the wake-up */
        uint64_t late; /* wake-ups by a whole period or more */
        char missing[400]; /* of priority and CPU, what was not had; "": nothing */
};

struct lateness_of_host {
        const struct realtime_config *wants; /* but for its CPU */
        int64_t period_ns;
        int seconds; /* of each block */
        int cpus;
        struct lateness *cpu; /* owned */
        char missing[400]; /* of locked memory and sleep states, what was not had */
        struct cyclictest *peer; /* of each CPU, owned; count 0: it did not run */
        char peer_said[200]; /* why it did not */
        /* System-management interrupts of all CPUs meanwhile; known: the processor counts them and shows it. */
        bool smis_known;
        uint64_t smis;
        char smis_hidden[200]; /* why not known */
        double clock_read_ns; /* to read the clock once */
        int64_t clock_resolution_ns;
};

/* Measures on the CPUs of the list. False: no memory, or no thread could be started. */
bool lateness_measure(struct lateness_of_host *m, const struct cpu_list *cpus);
void lateness_free(struct lateness_of_host *m);
