/* The rig of a run, with its scenario or mission and its settings; and, where it is refused, by which of them. */
#include "hil/suite/suite.h"

#include <string.h>

/* Whether a setting is of what a message begins with: "a.b=1" of "a.b.c: must be". */
static bool is_about(const char *set, const char *said)
{
        size_t len = strcspn(set, "=");

        return len > 0 && strncmp(set, said, len) == 0 &&
               (said[len] == ':' || said[len] == '.');
}

/* To a rig every setting is one of the command line; the last of that key may be the suite's own. */
static void blame(const struct suite *s, const struct suite_run *r,
                  const struct config_overrides *o, const struct config_error *error,
                  char *why, size_t cap)
{
        size_t used = 0;

        for (const char *said = error->text; *said != '\0' && used < cap;) {
                size_t len = strcspn(said, "\n"), skip;
                char where[400] = "";

                skip = strncmp(said, "--set", 5) == 0 ? 5 + strspn(said + 5, ": ") : 0;
                for (int i = 0; skip > 0 && i < o->sets; i++)
                        if (is_about(o->set[i], said + skip))
                                suite_set_origin(s, r, i, where, sizeof where);
                skip = where[0] != '\0' ? skip : 0;
                used += (size_t)snprintf(
                        why + used, cap - used, "%s%s%s%.*s", used > 0 ? "\n" : "", where,
                        where[0] != '\0' ? ": " : "", (int)(len - skip), said + skip);
                said += len + (said[len] == '\n');
        }
}

bool suite_is_mission(const char *file)
{
        size_t len = strlen(file);

        return len < 5 || strcmp(file + len - 5, ".json") != 0;
}

bool suite_read_rig(const struct suite *s, const struct suite_run *r,
                    struct rig_config *config, char **resolved, char *why, size_t cap)
{
        bool mission = r->scenario != NULL && suite_is_mission(r->scenario);
        struct config_overrides o = { .scenario = mission ? NULL : r->scenario,
                                      .mission = mission ? r->scenario : NULL };
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        struct config_error error;

        o.sets = suite_run_sets(s, r, text);
        for (int i = 0; i < o.sets; i++)
                o.set[i] = text[i];
        if (config_read(config, r->rig, &o, resolved, &error))
                return true;
        blame(s, r, &o, &error, why, cap);
        return false;
}
