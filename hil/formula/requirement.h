/* What must be true of a flight for it to have passed. */
#pragma once

#include "hil/formula/figure.h"
#include "hil/formula/formula.h"

enum requirement_form {
        REQUIRE_ALWAYS, /* min <= signal <= max at every tick of the window */
        REQUIRE_EVENTUALLY, /* at one tick of it at least */
        REQUIRE_FORMULA, /* the formula holds, judged from time 0 */
        REQUIRE_METRIC /* min <= figure of the signal over the window <= max */
};

struct requirement {
        char name[64];
        int vehicle; /* whose quantities plain names are */
        enum requirement_form form;
        char text
                [FORMULA_TEXT_MAX]; /* of the formula or the signal, as the user wrote it */
        struct formula *formula; /* owned; the signal is a number */
        struct figure_setup figure; /* of REQUIRE_METRIC */
        double min, max; /* infinite where not given; not of REQUIRE_FORMULA */
        int64_t from_ns, to_ns; /* both ends included; of REQUIRE_FORMULA the whole run */
};

/* What it owns; the rest is plain data. Zeroed is allowed. */
void requirement_free(struct requirement *r);
