/* A suite's file, with what the command line sets on top. */
#include <stdlib.h>
#include <string.h>

#include "hil/json.h"
#include "hil/suite.h"

/* The kind of file that was taken for a suite, by a key that only that kind has. */
static const char *kind_of(const struct json *root)
{
        if (json_member(root, "rigs") != NULL)
                return NULL;
        if (json_member(root, "steps") != NULL || json_member(root, "duration_s") != NULL)
                return "scenario";
        return json_member(root, "vehicles") != NULL ? "rig" : NULL;
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
        text = config_load_text(path, &len, &unread);
        root = text != NULL ? json_parse(text, len, path, &json_error) : NULL;
        kind = kind_of(root);
        if (kind != NULL)
                snprintf(why, cap,
                         "%s: this looks like a %s; a suite names it in "
                         "\"%ss\": [{ \"file\": ... }]",
                         path, kind, kind);
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

bool suite_read(struct suite *s, char *why, size_t cap)
{
        return read_file(s, s->options.file, why, cap) && seeds_are_free(s, why, cap);
}
