/* What is said of an option or a value that a flight controller does not have. */
#include "hil/config/fc/fc.h"
#include "hil/config/fc/option_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/spelling.h"
#include "models/fc/option.h"

static const struct fc_option_row *find_option(const char *key)
{
        const struct fc_option_row *row;

        for (int i = 0; (row = fc_option_row(i)) != NULL; i++)
                if (strcmp(row->key, key) == 0)
                        return row;
        return NULL;
}

static bool has_value(const struct fc_option_row *row, const char *value)
{
        for (int i = 0; row->values[i] != NULL; i++)
                if (strcmp(row->values[i], value) == 0)
                        return true;
        return false;
}

/* The beginning of a name is as good as a slip of one letter. */
static int word_distance(const char *word, const char *name)
{
        size_t len = strlen(word);

        return len > 2 && strncmp(word, name, len) == 0 ? 1
                                                        : spelling_distance(word, name);
}

static const char *key_like(const char *word)
{
        const struct fc_option_row *row;
        const char *nearest = NULL;
        int least = spelling_limit(word);

        for (int i = 0; (row = fc_option_row(i)) != NULL; i++) {
                int d = word_distance(word, row->key);

                if (d >= least)
                        continue;
                least = d;
                nearest = row->key;
        }
        return nearest;
}

static const char *value_like(const struct fc_option_row *row, const char *word)
{
        const char *nearest = NULL;
        int least = spelling_limit(word);

        for (int i = 0; row->values[i] != NULL; i++) {
                int d = word_distance(word, row->values[i]);

                if (d >= least)
                        continue;
                least = d;
                nearest = row->values[i];
        }
        return nearest;
}

static void say_keys(char *text, size_t cap)
{
        const struct fc_option_row *row;
        size_t used = 0;

        for (int i = 0; (row = fc_option_row(i)) != NULL && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%s", i ? ", " : "",
                                         row->key);
}

static void say_values(const struct fc_option_row *row, char *text, size_t cap)
{
        size_t used = 0;

        for (int i = 0; row->values[i] != NULL && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s\"%s\"",
                                         i == 0                       ? ""
                                         : row->values[i + 1] != NULL ? ", "
                                                                      : " or ",
                                         row->values[i]);
}

static void say_unknown(const char *key, char *text, size_t cap)
{
        const char *meant = key_like(key);
        char all[300];

        say_keys(all, sizeof all);
        if (meant != NULL)
                snprintf(text, cap, "unknown option, did you mean \"%s\"?", meant);
        else
                snprintf(text, cap, "unknown option; it has %s", all);
}

static void say_wrong(const struct fc_option_row *row, const char *value, char *text,
                      size_t cap)
{
        const char *meant = value_like(row, value);
        char all[300];

        say_values(row, all, sizeof all);
        snprintf(text, cap, "must be %s, is \"%s\"", all, value);
        if (meant != NULL)
                snprintf(text, cap, "must be %s, is \"%s\", did you mean \"%s\"?", all,
                         value, meant);
}

/* Each setting that has a condition on its parameters refuses by itself. */
static void say_unready(const struct fc_option_row *row, const char *value, char *text,
                        size_t cap)
{
        if (strcmp(row->key, "avoidance_law") == 0)
                snprintf(text, cap,
                         "\"%s\" needs a ring of sonars, which its parameters do not "
                         "have (sonar_ring.count)",
                         value);
        else
                snprintf(text, cap,
                         "\"%s\" needs gains about every axis, which its parameters do "
                         "not have",
                         value);
}

static bool is_taken(const struct fc_params *given, const char *key, const char *value)
{
        struct fc_params *p = malloc(sizeof *p);
        struct fc *fc = calloc(1, sizeof *fc);
        bool taken = true;

        if (p != NULL && fc != NULL) {
                *p = *given;
                taken = fc_option(fc, p, given, key, value);
        }
        free(p);
        free(fc);
        return taken;
}

enum fc_option_fault fc_option_check(const struct fc_params *given, const char *key,
                                     const char *value, char *why, size_t cap)
{
        const struct fc_option_row *row = find_option(key);

        if (row == NULL) {
                say_unknown(key, why, cap);
                return FC_OPTION_KEY;
        }
        if (value[0] == '\0')
                return FC_OPTION_TAKEN;
        if (!has_value(row, value)) {
                say_wrong(row, value, why, cap);
                return FC_OPTION_VALUE;
        }
        if (is_taken(given, key, value))
                return FC_OPTION_TAKEN;
        say_unready(row, value, why, cap);
        return FC_OPTION_VALUE;
}

/* Its parameters are not known here: another process has them. */
static void explain_reference(const char *key, const char *value, char *text, size_t cap)
{
        const struct fc_option_row *row = find_option(key);

        if (row == NULL)
                say_unknown(key, text, cap);
        else if (!has_value(row, value))
                say_wrong(row, value, text, cap);
        else
                say_unready(row, value, text, cap);
}

void fc_option_explain(const char *board, const char *key, const char *value, char *text,
                       size_t cap)
{
        const struct fc_option_row *row = find_option(key);
        char all[300];

        if (strncmp(board, FC_OPTION_REFERENCE, strlen(FC_OPTION_REFERENCE)) == 0) {
                explain_reference(key, value, text, cap);
                return;
        }
        if (row == NULL) {
                snprintf(text, cap,
                         "it has no such option, or not this value; its firmware's "
                         "documentation has those it knows");
                return;
        }
        say_values(row, all, sizeof all);
        snprintf(text, cap,
                 "it has no such option, or not this value; the reference flight "
                 "controller's %s is %s",
                 key, all);
}
