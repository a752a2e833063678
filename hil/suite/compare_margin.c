/* What counts as the same, row by row: the largest of a share of the baseline's mean, a step in the row's unit, and
 * a multiple of what twins differ by anyway. */
#include "hil/suite/compare.h"

#include <math.h>
#include <string.h>

#define USUAL_RATIO  0.02
#define USUAL_SPREAD 2.0

/* A smaller step of a quantity in that unit matters to nobody, even where the baseline's mean is 0. */
static const struct {
        const char *unit;
        double floor;
} floors[] = {
        { "m", 5e-3 },     { "mps", 1e-2 }, { "m/s", 1e-2 },   { "mps2", 5e-2 },
        { "rad", 2e-4 },   { "deg", 1e-2 }, { "radps", 2e-3 }, { "rad/s", 2e-3 },
        { "deg/s", 1e-1 }, { "s", 1e-2 },   { "ms", 5e-2 },    { "us", 1.0 },
        { "V", 1e-2 },     { "A", 5e-2 },   { "%", 1e-1 },
};

/* The largest value of a flight is one moment's: it says less than a mean of all of them. Of an impact a tenth of a
 * degree decides 30 %: the foot that touches second hits harder, unless both do so at once. */
static const struct suite_margin built_in[] = {
        { "position_error_max_m", 0.1, 0.02, -1.0 },
        { "tilt_max_deg", 0.1, 0.5, -1.0 },
        { "duty_spread_max", 0.1, 0.01, -1.0 },
        { "impact_max_mps", 0.35, 0.05, -1.0 },
        { "duty_mean", -1.0, 2e-3, -1.0 },
        { "airborne_s", -1.0, 0.1, -1.0 },
};

void compare_usual_rules(struct suite_comparison *rules)
{
        memset(rules, 0, sizeof *rules);
        rules->alpha = COMPARE_ALPHA;
        rules->doubt = COMPARE_DOUBT;
}

/* Differences of twins have less noise than this share of what runs that are not paired would have: it is theirs. */
#define PAIRED 0.7
/* An erratic candidate makes no margin much wider. */
#define ERRATIC 1.5

/* Values of the pairs that the baseline passed, or of all if these are few. */
static int pack_calm(const struct comparison *c, const struct compare_row *row, double *v)
{
        int n = 0;

        for (int all = 0; n < 3 && all < 2; all++) {
                n = 0;
                for (int i = 0; i < row->pairs; i++)
                        if ((all || !c->column[i].failed) && isfinite(row->a[i]) &&
                            isfinite(row->b[i]))
                                v[n++] = compared_size(row, row->a[i]);
        }
        return n;
}

double compare_noise(const struct comparison *c, const struct compare_row *row,
                     const double *difference, int n, double *scratch)
{
        double own = statistics_deviation(scratch, pack_calm(c, row, scratch));
        double other, apart, paired;
        int others = 0;

        for (int i = 0; i < row->pairs; i++)
                if (isfinite(row->a[i]) && isfinite(row->b[i]))
                        scratch[others++] = compared_size(row, row->b[i]);
        other = fmin(statistics_deviation(scratch, others), ERRATIC * own);
        apart = hypot(own, other);
        paired = statistics_deviation(difference, n);
        return paired < PAIRED * apart ? paired : apart;
}

/* "tilt_max_deg" is also "tilt_max_deg (left)". */
static bool is_of(const char *of, const char *row)
{
        size_t len = strlen(of);

        return strncmp(of, row, len) == 0 &&
               (row[len] == '\0' || strncmp(row + len, " (", 2) == 0);
}

static void take_margin(struct suite_margin *to, const struct suite_margin *from)
{
        to->ratio = from->ratio >= 0.0 ? from->ratio : to->ratio;
        to->floor = from->floor >= 0.0 ? from->floor : to->floor;
        to->spread = from->spread >= 0.0 ? from->spread : to->spread;
}

double compare_margin(const struct suite_comparison *rules, const struct compare_row *row,
                      double noise)
{
        struct suite_margin m = { .ratio = USUAL_RATIO, .spread = USUAL_SPREAD };

        if (row->kind == COMPARED_OUTCOME)
                return 0.0;
        for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++)
                if (strcmp(row->unit, floors[i].unit) == 0)
                        m.floor = floors[i].floor;
        for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
                if (is_of(built_in[i].row, row->name))
                        take_margin(&m, &built_in[i]);
        /* What is said of a row wins over what is said of all, and the later over the earlier. */
        for (int pass = 0; pass < 2; pass++)
                for (int i = 0; i < rules->margins; i++)
                        if (pass == 0 ? rules->margin[i].row[0] == '\0'
                                      : rules->margin[i].row[0] != '\0' &&
                                                is_of(rules->margin[i].row, row->name))
                                take_margin(&m, &rules->margin[i]);
        return fmax(fmax(m.ratio * fabs(row->mean_a), m.floor), m.spread * noise);
}
