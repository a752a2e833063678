/* With which settings a run of a suite is started, and where each is written. */
#include <string.h>

#include "hil/suite/suite.h"

/* Pace and seed, the suite's, the version's, the variant's, the command line's, a link for each vehicle. */
_Static_assert(2 + 3 * SUITE_SETS_MAX + SUITE_CLI_SETS_MAX + VEHICLES_MAX <=
                       SUITE_ARGS_MAX,
               "a run has room for all settings of its suite");

static const char *pace_of(const struct suite *s)
{
        return s->file.pace == SUITE_LOCKSTEP   ? "lockstep"
               : s->file.pace == SUITE_REALTIME ? "realtime"
                                                : NULL;
}

static int add_sets(char (*text)[SUITE_ARG_MAX], int n, const struct suite_sets *sets)
{
        for (int i = 0; i < sets->count; i++)
                snprintf(text[n++], SUITE_ARG_MAX, "%s", sets->text[i]);
        return n;
}

int suite_run_sets(const struct suite *s, const struct suite_run *r,
                   char (*text)[SUITE_ARG_MAX])
{
        int n = 0;

        if (pace_of(s) != NULL)
                snprintf(text[n++], SUITE_ARG_MAX, "pace=\"%s\"", pace_of(s));
        snprintf(text[n++], SUITE_ARG_MAX, "seed=%llu", (unsigned long long)r->seed);
        n = add_sets(text, n, &s->file.set);
        n = add_sets(text, n, &s->extra);
        if (r->variant != NULL)
                n = add_sets(text, n, &r->variant->set);
        for (int i = 0; i < s->options.sets; i++)
                snprintf(text[n++], SUITE_ARG_MAX, "%s", s->options.set[i]);
        for (int v = 0; v < r->vehicles; v++)
                snprintf(text[n++], SUITE_ARG_MAX, "vehicles.%d.fc.link=\"inside\"", v);
        return n;
}

void suite_set_origin(const struct suite *s, const struct suite_run *r, int i,
                      char *where, size_t cap)
{
        const char *file = s->options.file;

        where[0] = '\0';
        if (pace_of(s) != NULL && i-- == 0)
                snprintf(where, cap, "%s", file);
        else if (i-- == 0)
                snprintf(where, cap, "%s%s", s->options.seeds > 0 ? "" : file,
                         s->options.seeds > 0 ? "--seed" : ": seeds");
        else if (i < s->file.set.count + s->extra.count)
                snprintf(where, cap, "%s: set", file);
        else if (r->variant != NULL &&
                 i - s->file.set.count - s->extra.count < r->variant->set.count)
                snprintf(where, cap, "%s: variant %s: set", file, r->variant->name);
}

int suite_run_words(const struct suite *s, const struct suite_run *r,
                    char (*text)[SUITE_ARG_MAX], char *word[SUITE_WORDS_MAX])
{
        int n = 0, sets = suite_run_sets(s, r, text);

        word[n++] = "hilrig";
        word[n++] = "run";
        word[n++] = r->rig;
        word[n++] = "--out";
        word[n++] = (char *)(uintptr_t)r->folder;
        if (r->scenario != NULL) {
                word[n++] = suite_is_mission(r->scenario) ? "--mission" : "--scenario";
                word[n++] = r->scenario;
        }
        for (int i = 0; i < sets; i++) {
                word[n++] = "--set";
                word[n++] = text[i];
        }
        word[n] = NULL;
        return n;
}
