#include "hil/suite/suite.h"

#include <fnmatch.h>
#include <string.h>

#include "hil/text/spelling.h"

void suite_only_init(struct suite_only *only, const struct suite_options *o)
{
        *only = (struct suite_only){ .options = o };
        for (int i = 0; i < o->onlys; i++)
                only->word[i].distance = spelling_limit(o->only[i]);
}

static void compare(struct suite_only *only, const char *name)
{
        for (int i = 0; i < only->options->onlys; i++) {
                struct suite_only_word *w = &only->word[i];
                int d = spelling_distance(only->options->only[i], name);

                if (d >= w->distance)
                        continue;
                w->distance = d;
                snprintf(w->nearest, sizeof w->nearest, "%s", name);
        }
}

static void list(struct suite_only *only, const char *group)
{
        const size_t room = sizeof only->cases - sizeof ", ...";
        size_t used = strlen(only->cases);

        if (used + strlen(group) + 2 <= room)
                snprintf(only->cases + used, sizeof only->cases - used, "%s%s",
                         used > 0 ? ", " : "", group);
        else if (used <= room)
                memcpy(only->cases + used, ", ...", sizeof ", ...");
}

/* "default+slow/hover": itself, the rig, the variant, the scenario. */
void suite_only_see(struct suite_only *only, const char *group)
{
        char part[COMPARE_GROUP_MAX];
        const char *slash = strchr(group, '/');
        char *plus;

        list(only, group);
        compare(only, group);
        if (slash == NULL)
                return;
        compare(only, slash + 1);
        snprintf(part, sizeof part, "%.*s", (int)(slash - group), group);
        compare(only, part);
        plus = strchr(part, '+');
        if (plus != NULL)
                compare(only, plus + 1);
}

/* The word stands somewhere in the name, from one slash to another. */
static bool stands_in(const char *word, const char *name)
{
        for (const char *at = name; at != NULL; at = strchr(at, '/')) {
                at += *at == '/';
                if (fnmatch(word, at, FNM_PATHNAME | FNM_LEADING_DIR) == 0)
                        return true;
        }
        return false;
}

/* A variant is a part by itself, too. */
static bool names(const char *word, const char *name)
{
        char parts[COMPARE_GROUP_MAX + 40];
        char *plus;

        snprintf(parts, sizeof parts, "%s", name);
        plus = strchr(parts, '+');
        if (plus != NULL)
                *plus = '/';
        return stands_in(word, name) || stands_in(word, parts);
}

static bool is_chosen_seed(const struct suite_options *o, uint64_t seed)
{
        for (int i = 0; i < o->seeds; i++)
                if (o->seed[i] == seed)
                        return true;
        return o->seeds == 0;
}

bool suite_only_wants(struct suite_only *only, const char *group, uint64_t seed,
                      int repeat)
{
        const struct suite_options *o = only->options;
        char name[COMPARE_GROUP_MAX + 40];
        bool wanted = o->onlys == 0;

        snprintf(name, sizeof name, "%s/%llu-%d", group, (unsigned long long)seed,
                 repeat);
        for (int i = 0; i < o->onlys; i++)
                if (names(o->only[i], name))
                        wanted = only->word[i].found = true;
        return wanted && is_chosen_seed(o, seed);
}

bool suite_only_missed(const struct suite_only *only, char *why, size_t cap)
{
        const struct suite_options *o = only->options;

        for (int i = 0; i < o->onlys; i++) {
                const struct suite_only_word *w = &only->word[i];

                if (w->found)
                        continue;
                if (w->nearest[0] != '\0')
                        snprintf(why, cap,
                                 "--only \"%.100s\": names no run of %s, did you mean "
                                 "\"%s\"?",
                                 o->only[i], o->file, w->nearest);
                else
                        snprintf(why, cap,
                                 "--only \"%.100s\": names no run of %s; it has %s "
                                 "(--list lists every run)",
                                 o->only[i], o->file, only->cases);
                return true;
        }
        return false;
}
