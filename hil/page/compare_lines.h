/* Pairs of runs of one rig and scenario as lines of plots: each run, and each side's median. */
#pragma once

#include <stdio.h>

#include "hil/record/overlay.h"
#include "hil/suite/compare.h"

struct compare_lines {
        const char *name; /* of the group */
        double end_s; /* of the longest run, and of the bins of all */
        int pairs, of; /* that are here, and that there are */
        struct overlay_run *
                run; /* of each pair the baseline's, then the candidate's; zeroed: none */
        int numbers_max; /* that are written, about */
        const char *worst; /* in words, which the first pair is; NULL: none */
};

/* Whether there is anything to draw. */
bool compare_lines_any(const struct compare_lines *lines);

/* As a JSON object. Bins are joined until they are few enough; of each stand the least and the most in
 * the order in which they came, or one number and null. Angles change by whole turns, so that runs
 * lie side by side. */
void compare_lines_put(FILE *f, struct compare_lines *lines);

/* The document's "flights": of every rig and scenario some pairs, as run.ulg has them. False: no memory. */
bool compare_plots_put(FILE *f, const struct comparison *c,
                       const struct compared_side side[2]);

/* The document's "pair": both runs in one scene, null where that cannot be. False: no memory. */
bool compare_pair_put(FILE *f, const struct compared_side side[2],
                      const struct compared_twins *t);
