#include "hil/console/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/terminal.h"

static void options_print_help(const struct options *o)
{
        printf("usage: hilrig %s\n\n", o->usage);
        for (const struct option_spec *s = o->specs; s->name != NULL; s++) {
                char left[64];

                snprintf(left, sizeof left, "%s %s", s->name, s->value ? s->value : "");
                printf("  %-24s %s\n", left, s->help);
        }
}

void options_complain(const char *command, const char *why)
{
        while (*why != '\0') {
                int len = (int)strcspn(why, "\n");

                terminal_complain(command, "%.*s", len, why);
                why += len + (why[len] == '\n');
        }
}

/* An empty one is a variable of the shell that is not set. */
static int take_value(const struct options *o, int i, const char *given,
                      const char **value)
{
        *value = given;
        if (given[0] != '\0')
                return i;
        terminal_complain(o->command, "%s: needs a value (%s)", o->specs[i].name,
                          o->specs[i].value);
        return -3;
}

/* "[ADDRESS:PORT]", and not "[METRIC=]PERCENT". */
static bool is_optional(const char *value)
{
        return value[0] == '[' && value[strcspn(value, "]")] == ']' &&
               value[strcspn(value, "]") + 1] == '\0';
}

/* A value that need not be there follows only where it looks like one; behind = it may be anything. */
static bool has_optional(const char *word)
{
        return word[0] != '\0' && word[strspn(word, "0123456789.:")] == '\0';
}

int options_next(const struct options *o, int argc, char **argv, int *at,
                 const char **value)
{
        const char *word;

        if (*at >= argc)
                return -2;
        word = argv[(*at)++];
        *value = word;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
                options_print_help(o);
                return -4;
        }
        if (word[0] == '\0') {
                terminal_complain(o->command, "\"\": an empty word names nothing");
                return -3;
        }
        if (word[0] != '-' || word[1] == '\0')
                return -1;
        for (int i = 0; o->specs[i].name != NULL; i++) {
                size_t len = strlen(o->specs[i].name);

                if (strncmp(word, o->specs[i].name, len) != 0)
                        continue;
                if (word[len] == '=' && o->specs[i].value != NULL)
                        return take_value(o, i, word + len + 1, value);
                if (word[len] != '\0')
                        continue;
                if (o->specs[i].value == NULL)
                        return i;
                if (is_optional(o->specs[i].value)) {
                        *value = *at < argc && has_optional(argv[*at]) ? argv[(*at)++]
                                                                       : "";
                        return i;
                }
                return take_value(o, i, *at < argc ? argv[(*at)++] : "", value);
        }
        terminal_complain(o->command, "%s: unknown option; see hilrig %s --help", word,
                          o->command);
        return -3;
}

bool options_u64(const char *text, unsigned long long *out)
{
        char *end;

        errno = 0;
        *out = strtoull(text, &end, 10);
        return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

bool options_double(const char *text, double *out)
{
        char *end;

        *out = strtod(text, &end);
        return end != text && *end == '\0' && isfinite(*out);
}

bool options_percent(const struct options *o, int opt, const char *value, double most,
                     double *share)
{
        double percent;

        if (options_double(value, &percent) && percent >= 0.0 && percent <= most) {
                *share = percent / 100.0;
                return true;
        }
        return terminal_complain(o->command,
                                 "%s: must be a number from 0 to %g, is \"%s\"",
                                 o->specs[opt].name, most, value);
}
