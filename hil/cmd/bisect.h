/* What `hilrig bisect` was asked for, and who flies it. */
#pragma once

#include "hil/bisect/bisect.h"
#include "hil/bisect/builds.h"
#include "hil/suite/suite.h"

struct bisect_command {
        const char *suite, *builds_file, *git, *range, *prepare, *out, *json, *row;
        double alpha, margin;
        int seeds, jobs, flights_max;
        int sets;
        const char *set[SUITE_CLI_SETS_MAX];
        struct builds builds;
        bool *prepared; /* owned, of each build */
        char folder[400]; /* of all flights */
};

/* A struct bisect_pilot's: `self` is a struct bisect_command. The build is prepared, its suite planned in a folder of its
 * own, and flown as far as it is not finished there. */
enum bisect_flown bisect_fly_build(void *self, int build, int seeds,
                                   struct compared_side *side, char *why, size_t cap);

/* A file of builds. False with the reason. */
bool bisect_read_builds(struct builds *b, const char *file, char *why, size_t cap);

/* The commits of "DIR A..B", oldest first, A included, as builds. False with the reason. */
bool bisect_list_commits(struct builds *b, const char *dir, const char *range, char *why,
                         size_t cap);
