/* A sleep that ends shortly before an answer is expected. A processor that has slept for long comes back late: some microseconds
 * where it sleeps lightly, 60 and more where it may sleep deeply. Who sleeps until the answer itself wakes it loses that with each
 * answer; who naps, and looks for the answer then, loses it while the other side still works.
 *
 * The length is learned: longer by a step after each answer that had to be looked for, shorter by half a step after each
 * that lay there, so that two of three lie there however late the wake-ups are. And whether naps pay is measured, in rounds:
 * answers are slept for, then napped for, and the rest has what was faster. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Answers of a round; of which the first are slept for, and those after them, up to the second number, napped for. */
#define NAP_ROUND 1024
#define NAP_SLEPT 32
#define NAP_TRIED 160

struct nap {
        int round; /* answers since it began */
        bool now; /* the answer that is waited for is napped for */
        int64_t length_ns; /* of the next; 0: not known */
        double slept_ns,
                napped_ns; /* what an answer takes either way, lately; 0: not known */
        uint64_t taken; /* answers that were napped for, in all */
};

/* Before each wait for an answer: how long to nap; 0: sleep until it comes. look_ns: for how long it is looked for after a nap. */
int64_t nap_begin(struct nap *n, int64_t look_ns);

/* After it: how long the answer took, and whether it lay there at the first look. */
void nap_learn(struct nap *n, int64_t waited_ns, bool lay_there);

/* What was learned is of other answers. */
void nap_forget(struct nap *n);
