#include "hil/bisect/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A build is not looked at for the first time, or again, for the sake of places that are less probable than this. */
#define ASIDE   0.01
#define SETTLED 0.05
/* Looks that may go to builds that have been looked at: what remains open then is how builds differ, and not flights. */
#define AGAIN_MOST 24

struct search {
        const struct bisect_options *o;
        struct bisect_result *r;
        struct bisect_change change;
        struct compared_side good;
        bool *spent;
        int again; /* looks at builds that had been looked at */
};

int bisect_fewest_seeds(double alpha)
{
        return statistics_fewest_pairs(alpha);
}

void bisect_result_free(struct bisect_result *r)
{
        free(r->bad);
        free(r->level);
        free(r->seeds);
        r->bad = r->level = NULL;
        r->seeds = NULL;
}

const char *bisect_verdict_name(enum bisect_verdict v)
{
        static const char *const name[] = { "found", "ends alike", "open", "failed" };

        return name[v];
}

static bool end(struct search *s, enum bisect_verdict verdict, const char *format,
                const char *what)
{
        s->r->verdict = verdict;
        snprintf(s->r->why, sizeof s->r->why, format, what);
        return false;
}

static enum bisect_flown fly(struct search *s, int build, int seeds,
                             struct compared_side *side)
{
        enum bisect_flown flown = s->o->pilot.fly(s->o->pilot.self, build, seeds, side,
                                                  s->r->why, sizeof s->r->why);

        if (flown == BISECT_FLOWN) {
                /* A seed may be flown in several ways. */
                s->r->flights += (seeds - s->r->seeds[build]) * side->runs / seeds;
                s->r->seeds[build] = seeds;
        }
        return flown;
}

static bool fly_end(struct search *s, int build, struct compared_side *side)
{
        switch (fly(s, build, s->o->seeds, side)) {
        case BISECT_FLOWN:
                return true;
        case BISECT_STOPPED:
                return end(s, BISECT_OPEN, "%s", "stopped");
        default:
                s->r->verdict = BISECT_FAILED;
                return false;
        }
}

static void note_ends(struct search *s, const struct compared_side *bad)
{
        const struct bisect_row *row = &s->r->row;

        s->change.level[0] = 0.0;
        s->change.level[s->o->builds - 1] =
                bisect_level(row, &s->good, bad, s->o->at_once);
        bisect_change_solve(&s->change);
}

static bool compare_ends(struct search *s)
{
        struct compared_side bad = { 0 };
        enum bisect_ends ends = BISECT_ALIKE;
        bool flown = fly_end(s, 0, &s->good) && fly_end(s, s->o->builds - 1, &bad);

        if (flown)
                ends = bisect_compare_ends(&s->good, &bad, &s->o->wish, &s->r->row);
        if (flown && ends == BISECT_DIFFER)
                note_ends(s, &bad);
        compared_side_free(&bad);
        if (!flown)
                return false;
        switch (ends) {
        case BISECT_DIFFER:
                return true;
        case BISECT_ALIKE:
                return end(s, BISECT_ENDS_ALIKE, "%s",
                           "the first and the last build fly alike");
        case BISECT_NO_SUCH_ROW:
                return end(s, BISECT_FAILED,
                           "no flight has a requirement or metric \"%s\"",
                           s->o->wish.row);
        default:
                return end(s, BISECT_FAILED, "%s", "out of memory");
        }
}

static void tell(const struct search *s, int build, enum bisect_flown flown)
{
        if (s->o->out == NULL)
                return;
        fprintf(s->o->out, "%5d  build %d of %d, %s: ", s->r->flights, build + 1,
                s->o->builds, s->o->name[build]);
        if (flown == BISECT_FLOWN)
                fprintf(s->o->out, "%+.3g  bad: %.4f, no change: %.4f\n",
                        s->change.level[build], bisect_change_behind(&s->change, build),
                        s->change.probability[0]);
        else
                fprintf(s->o->out, "does not fly: %s\n", s->r->why);
}

/* A look at one build. False: no more can be had. */
static bool look(struct search *s, int build)
{
        struct compared_side side = { 0 };
        int seeds = s->r->seeds[build] + s->o->at_once;
        enum bisect_flown flown;

        if (seeds > s->o->seeds)
                seeds = s->o->seeds;
        flown = fly(s, build, seeds, &side);
        if (flown == BISECT_FLOWN) {
                s->change.level[build] = bisect_level(&s->r->row, &s->good, &side, seeds);
                s->spent[build] = seeds == s->o->seeds;
                bisect_change_solve(&s->change);
        } else if (flown == BISECT_CANNOT) {
                s->change.unseen[build] = true;
                s->r->unseen++;
        }
        compared_side_free(&side);
        if (flown == BISECT_STOPPED)
                return end(s, BISECT_OPEN, "%s", "stopped");
        if (flown == BISECT_BROKE) {
                s->r->verdict = BISECT_FAILED;
                return false;
        }
        tell(s, build, flown);
        return true;
}

static bool is_open(const struct search *s, int build, double least)
{
        double behind = bisect_change_behind(&s->change, build);

        return fmin(behind, 1.0 - behind) > least;
}

/* The most open one that has not been looked at; -1: all have. */
static int choose_new(const struct search *s)
{
        bool *looked_at = malloc((size_t)s->o->builds * sizeof *looked_at);
        int next = -1;

        for (int i = 0; looked_at != NULL && i < s->o->builds; i++)
                looked_at[i] = s->r->seeds[i] > 0;
        if (looked_at != NULL)
                next = bisect_change_next(&s->change, looked_at);
        free(looked_at);
        return next;
}

/* What is open first, then what is still open once more, then builds whose side is known, by which to learn how much builds
 * differ anyway. */
static int choose(struct search *s)
{
        int fresh = choose_new(s), again = bisect_change_next(&s->change, s->spent);

        if (fresh >= 0 && is_open(s, fresh, ASIDE))
                return fresh;
        if (again >= 0 && is_open(s, again, SETTLED) && s->again < AGAIN_MOST) {
                s->again++;
                return again;
        }
        return fresh;
}

/* True: it is over. */
static bool is_decided(struct search *s)
{
        s->r->range = bisect_change_best(&s->change);
        s->r->no_change = s->change.probability[0];
        if (s->r->range.probability >= 1.0 - s->o->alpha) {
                s->r->verdict = BISECT_FOUND;
                s->r->why[0] = '\0';
                return true;
        }
        return s->r->no_change >= 1.0 - s->o->alpha &&
               !end(s, BISECT_ENDS_ALIKE, "%s",
                    "the builds scatter as much as the first and the last differ");
}

static void search(struct search *s)
{
        while (!is_decided(s)) {
                int next = choose(s);

                if (next < 0) {
                        end(s, BISECT_OPEN, "%s",
                            "what is left to fly would not tell more");
                        return;
                }
                if (s->o->flights_max > 0 && s->r->flights >= s->o->flights_max) {
                        end(s, BISECT_OPEN, "%s", "the most flights have been flown");
                        return;
                }
                if (!look(s, next))
                        return;
        }
}

static void leave(struct search *s)
{
        size_t builds = (size_t)s->o->builds;

        if (s->r->verdict == BISECT_OPEN)
                s->r->range = bisect_change_within(&s->change, 1.0 - s->o->alpha);
        s->r->bad = calloc(builds, sizeof *s->r->bad);
        for (int i = 0; s->r->bad != NULL && i < s->o->builds; i++)
                s->r->bad[i] = bisect_change_behind(&s->change, i);
        s->r->level = s->change.level;
        s->change.level = NULL;
}

void bisect_run(const struct bisect_options *o, struct bisect_result *r)
{
        struct search s = { .o = o, .r = r };
        size_t builds = (size_t)o->builds;

        *r = (struct bisect_result){ .verdict = BISECT_FAILED, .why = "out of memory" };
        r->seeds = calloc(builds, sizeof *r->seeds);
        s.spent = calloc(builds, sizeof *s.spent);
        if (r->seeds != NULL && s.spent != NULL &&
            bisect_change_open(&s.change, o->builds) && compare_ends(&s)) {
                search(&s);
                leave(&s);
        }
        bisect_change_close(&s.change);
        compared_side_free(&s.good);
        free(s.spent);
}
