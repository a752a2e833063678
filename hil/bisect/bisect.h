/* The first bad one of an ordered list of builds, by as few flights as it takes: both ends first, by what differs between
 * them, then wherever a look tells most. Flies nothing itself. */
#pragma once

#include "hil/bisect/change.h"
#include "hil/bisect/evidence.h"

#define BISECT_BUILDS_MAX 4096

enum bisect_flown {
        BISECT_FLOWN,
        BISECT_CANNOT, /* this build does not fly: it is passed over */
        BISECT_STOPPED, /* by the user */
        BISECT_BROKE /* nothing can be flown */
};

/* Who flies. The runs of all seeds of a build so far, of which the first `seeds` are wanted; why says what is wrong, in
 * words, with anything but BISECT_FLOWN. The side is freed by the caller on any result. */
struct bisect_pilot {
        enum bisect_flown (*fly)(void *self, int build, int seeds,
                                 struct compared_side *side, char *why, size_t cap);
        void *self;
};

struct bisect_options {
        int builds;
        const char *const *name; /* [builds] */
        struct bisect_wish wish; /* its alpha is half of that which is asked for */
        double alpha; /* chance of naming a wrong build, the other half */
        int seeds; /* of each end, and at most of any build */
        int at_once; /* seeds of a look */
        int flights_max; /* 0: no limit but the seeds */
        struct bisect_pilot pilot;
        FILE *out; /* a line a look; NULL: none */
};

enum bisect_verdict {
        BISECT_FOUND,
        BISECT_ENDS_ALIKE, /* or no less alike than all builds are */
        BISECT_OPEN, /* stopped, or no flight is left that would tell */
        BISECT_FAILED /* why */
};

struct bisect_result {
        enum bisect_verdict verdict;
        struct bisect_row row; /* unless the ends are alike */
        struct bisect_range
                range; /* the likeliest; where it is open, that in which it lies, if at all */
        int flights; /* all, those of the ends included */
        int unseen; /* builds that did not fly */
        double no_change; /* probability that the builds merely scatter */
        double *level,
                *bad; /* owned, [builds]: what was seen, NAN: nothing; probability that each is bad. NULL: the
                                ends are alike, or it failed */
        int *seeds; /* owned, [builds]: flown of each */
        char why[400];
};

/* Fewest seeds for which the ends can differ at all. */
int bisect_fewest_seeds(double alpha);
/* Freed by the caller on any result. */
void bisect_run(const struct bisect_options *o, struct bisect_result *r);
void bisect_result_free(struct bisect_result *r);
const char *bisect_verdict_name(enum bisect_verdict v);
