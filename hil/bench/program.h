/* This program, or another, run to its end as a process of its own, with what it took. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct program_cost {
        int64_t begin_ns; /* host time before it was started */
        int64_t wall_ns; /* until it had ended */
        int64_t user_ns,
                system_ns; /* of the processor, with the processes that it waited for */
        int status; /* exit status; -1: ended by a signal */
};

/* argv[0] is its path; its standard output goes to `file`, its standard error nowhere. False after a message. */
bool program_run(char *const *argv, const char *file, struct program_cost *cost);

/* The path of this program. */
#define PROGRAM_SELF "/proc/self/exe"
