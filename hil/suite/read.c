/* A suite's file, with what the command line sets on top. */
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/config/table.h"
#include "hil/suite/suite.h"

/* The kind of file that was taken for a suite; NULL: it may be one. */
static const char *other_kind(const struct json *root)
{
        static const char *const own[] = { "rigs", "scenarios", "seeds", "repeats" };
        const char *kind = config_kind_name(root);

        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
                if (json_member(root, own[i]) != NULL)
                        return NULL;
        return kind != NULL && strcmp(kind, config_suite_table.kind) != 0 ? kind : NULL;
}

static void explain_kind(const char *path, const char *kind, char *why, size_t cap)
{
        if (strcmp(kind, "rig") == 0 || strcmp(kind, "scenario") == 0)
                snprintf(why, cap,
                         "%s: this looks like a %s; a suite names it in "
                         "\"%ss\": [{ \"file\": ... }]",
                         path, kind, kind);
        else
                snprintf(why, cap,
                         "%s: this looks like a file of the kind \"%s\"; a "
                         "suite names rigs",
                         path, kind);
}

static bool read_file(struct suite *s, const char *path, char *why, size_t cap)
{
        struct config_error error, unread;
        struct json_error json_error;
        struct json *root;
        const char *kind;
        char *text;
        size_t len;

        if (config_read_suite(&s->file, path, &error))
                return true;
        text = config_load_named(path, &len, &unread);
        root = text != NULL ? json_parse(text, len, path, &json_error) : NULL;
        kind = root != NULL && json_is(root, JSON_OBJECT) ? other_kind(root) : NULL;
        if (kind != NULL)
                explain_kind(path, kind, why, cap);
        else
                snprintf(why, cap, "%s", error.text);
        json_free(root);
        free(text);
        return false;
}

static bool takes_seed(const char *set)
{
        return strncmp(set, "seed=", 5) == 0;
}

/* Every run has a seed of its own, and a folder called after it. */
static bool seeds_are_free(const struct suite *s, char *why, size_t cap)
{
        const struct suite_options *o = &s->options;
        const struct suite_file *f = &s->file;

        for (int i = 0; i < o->sets; i++)
                if (takes_seed(o->set[i])) {
                        snprintf(why, cap,
                                 "--set %.60s: each run has a seed of its own; --seed "
                                 "%.40s flies that one",
                                 o->set[i], o->set[i] + 5);
                        return false;
                }
        for (int i = -1; i < f->variants; i++) {
                const struct suite_sets *sets = i < 0 ? &f->set : &f->variant[i].set;

                for (int k = 0; k < sets->count; k++)
                        if (takes_seed(sets->text[k])) {
                                snprintf(why, cap,
                                         "%s: set: must leave the seed to \"seeds\", "
                                         "is with \"%.60s\"",
                                         o->file, sets->text[k]);
                                return false;
                        }
        }
        return true;
}

/* Another number of seeds than the file's: of a list its first ones. */
static bool take_seed_count(struct suite *s, char *why, size_t cap)
{
        int n = s->options.seed_count;

        if (n == 0)
                return true;
        if (s->file.seeds.list_given && n > s->file.seeds.listed) {
                snprintf(why, cap, "--seeds %d: %s lists %d seeds", n, s->options.file,
                         s->file.seeds.listed);
                return false;
        }
        *(s->file.seeds.list_given ? &s->file.seeds.listed : &s->file.seeds.count) = n;
        return true;
}

bool suite_read(struct suite *s, char *why, size_t cap)
{
        return read_file(s, s->options.file, why, cap) && seeds_are_free(s, why, cap) &&
               take_seed_count(s, why, cap);
}
