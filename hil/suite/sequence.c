/* How many seeds a comparison takes: said before they fly, and flown until every row is decided. */
#include <stdlib.h>
#include <string.h>

#include "hil/suite/suite.h"

/* Each look takes half of what chance of an error is left, whatever the looks before it showed: alpha spending (Lan
 * and DeMets, Biometrika 70, 1983) by Bonferroni's bound, which holds however the looks depend on each other. With
 * the tenth seed the first can decide; after the last, half of what is left is less than the drawn ways can show. */
bool suite_look(int look, int most, struct suite_look *out)
{
        int seeds = 10 << look;

        if (look >= SUITE_LOOKS_MAX || (look > 0 && seeds / 2 >= most))
                return false;
        *out = (struct suite_look){ .seeds = seeds < most ? seeds : most,
                                    .part = 1.0 / (2 << look) };
        return true;
}

uint64_t suite_seed(const struct suite_file *f, int i)
{
        return f->seeds.list_given ? f->seeds.list[i] : f->seeds.first + (uint64_t)i;
}

static bool has_flown(const struct compared_side *side, uint64_t seed)
{
        for (int i = 0; i < side->runs; i++)
                if (side->run[i].seed == seed)
                        return true;
        return false;
}

int suite_seeds_of(const struct suite *s, const struct compared_side *baseline)
{
        const struct suite_file *f = &s->file;
        int most = f->seeds.list_given         ? f->seeds.listed
                   : s->options.seed_count > 0 ? s->options.seed_count
                                               : SUITE_SEEDS_MAX;
        int n = 0;

        while (n < most && has_flown(baseline, suite_seed(f, n)))
                n++;
        return n;
}

int suite_first_look(const struct suite *s, int most)
{
        struct suite_look l;
        int flown = 0, look = 0;

        for (int i = 0; i < s->runs; i++)
                for (int k = flown; s->run[i].state == SUITE_KEPT && k < most; k++)
                        if (suite_seed(&s->file, k) == s->run[i].seed)
                                flown = k + 1;
        while (suite_look(look, most, &l) && l.seeds < flown)
                look++;
        return look;
}

/* In lockstep a repeat is the same flight again. */
static int planned_pairs(const struct suite *s)
{
        int n = 0;

        for (int i = 0; i < s->runs; i++) {
                bool seen = s->file.pace == SUITE_LOCKSTEP && s->run[i].repeat > 1;

                for (int k = 0; k < i && !seen; k++)
                        seen = s->run[k].seed == s->run[i].seed &&
                               s->run[k].repeat == s->run[i].repeat;
                n += !seen;
        }
        return n;
}

static void foretell_rows(const struct comparison *c, int pairs, char *text, size_t cap)
{
        const struct compare_row *row;
        int asked;

        row = compare_outlook(c, pairs, &asked);
        if (row != NULL)
                snprintf(text, cap,
                         ". By the baseline's own runs %s of %s asks for about %d pairs "
                         "to be called the same",
                         row->name, row->group, asked);
}

bool suite_foretell(const struct suite *s, const struct compared_side *baseline,
                    double part, char *text, size_t cap)
{
        const struct compare_options o = { .rules = s->file.comparison, .part = part };
        struct comparison *c = calloc(1, sizeof *c);
        int pairs = planned_pairs(s), every = compare_fewest(&o);
        size_t used;
        bool ok = c != NULL && compare_sides(c, &o, baseline, baseline, text, cap);

        if (ok) {
                snprintf(text, cap,
                         "to be compared with %s: %d independent pair%s; it takes %d to "
                         "decide every row, and fewer than %d can decide none%s",
                         baseline->folder, pairs, pairs == 1 ? "" : "s", every,
                         compare_fewest_any(&o), pairs < every ? ": too few" : "");
                used = strlen(text);
                foretell_rows(c, pairs, text + used, cap - used);
                comparison_free(c);
        }
        free(c);
        return ok;
}
