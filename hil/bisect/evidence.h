/* What tells a bad build from a good one, and what flights of another build say of it. Flights of one seed are twins: they
 * share noise, so that their difference is far sharper than the flights themselves. */
#pragma once

#include "hil/suite/compare.h"

/* A row of the summary that differs between the ends. */
struct bisect_row {
        char group[COMPARE_GROUP_MAX], name[COMPARE_NAME_MAX], unit[24];
        enum compared_kind kind;
        enum compared_better better;
        int pairs;
        double good; /* mean of the good end */
        double shift; /* mean of bad less good, of each seed */
        double deviation; /* of these differences, no less than a tenth of the shift */
        double chance; /* of such a row among all when the ends were the same */
        bool worse; /* the bad end's; false: it is better, or nobody says which way is */
};

enum bisect_ends { BISECT_DIFFER, BISECT_ALIKE, BISECT_NO_SUCH_ROW, BISECT_NO_MEMORY };

struct bisect_wish {
        const char *
                row; /* of this name alone, a requirement's or a metric's; NULL: whichever tells them apart best */
        double alpha; /* chance that the ends, were they the same, are told apart */
        double margin; /* a shift of less than this share of the good end's mean is none */
};

/* By sign flips of all rows together (hil/suite/statistics.h). The row is written for BISECT_DIFFER alone. */
enum bisect_ends bisect_compare_ends(const struct compared_side *good,
                                     const struct compared_side *bad,
                                     const struct bisect_wish *wish,
                                     struct bisect_row *row);

/* The row's mean over the first `seeds` twins of the good end that this build has flown, less the good end's own over the
 * same ones. NAN: there is none. */
double bisect_level(const struct bisect_row *row, const struct compared_side *good,
                    const struct compared_side *flown, int seeds);
