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

static bool take_number(const struct options *o, const struct option_spec *s, void *into,
                        const char *value)
{
        unsigned long long n = 0;
        double number = 0.0;
        bool whole = s->kind == OPTION_WHOLE;
        bool ok = whole ? options_u64(value, &n) : options_double(value, &number);

        if (whole)
                number = (double)n;
        if (!ok || number < s->min || number > s->max)
                return terminal_complain(
                        o->command,
                        "%s: must be a %snumber from %.10g to %.10g, is \"%s\"", s->name,
                        whole ? "whole " : "", s->min, s->max, value);
        if (whole)
                *(int *)into = (int)n;
        else
                *(double *)into = s->kind == OPTION_PERCENT ? number / 100.0 : number;
        return true;
}

static bool take_text(const struct options *o, const struct option_spec *s, char *of,
                      const char *value)
{
        const char **into = (const char **)(void *)(of + s->at);

        if (s->max > 0.0 && (double)strlen(value) >= s->max)
                return terminal_complain(o->command,
                                         "%s: must be shorter than %g characters",
                                         s->name, s->max);
        if (s->kind == OPTION_TEXTS) {
                int *count = (int *)(void *)(of + s->count);

                if (*count == s->most)
                        return terminal_complain(o->command, "%s: at most %d", s->name,
                                                 s->most);
                into += (*count)++;
        }
        *into = value;
        return true;
}

static bool take(const struct options *o, const struct option_spec *s, char *of,
                 const char *value)
{
        void *into = of + s->at;

        switch (s->kind) {
        case OPTION_FLAG:
                *(bool *)into = true;
                return true;
        case OPTION_TEXT:
        case OPTION_TEXTS:
                return take_text(o, s, of, value);
        case OPTION_WHOLE:
        case OPTION_NUMBER:
        case OPTION_PERCENT:
                return take_number(o, s, into, value);
        case OPTION_OTHER:
                break;
        }
        return s->take(of, s, value);
}

/* operands: how many were there before. */
static bool take_operand(const struct options *o, char *of, const char *word,
                         int operands)
{
        if (word[0] == '\0')
                return terminal_complain(o->command, "\"\": an empty word names nothing");
        if (o->operand.name == NULL)
                return terminal_complain(o->command, "%s: takes no operands", word);
        if (o->operand.kind == OPTION_TEXT && operands > 0)
                return terminal_complain(o->command, "%s: one %s at a time", word,
                                         o->operand.name);
        return take(o, &o->operand, of, word);
}

/* The value of an option that is the word before argv[*at], or NULL after a message. An empty one is a variable of the
 * shell that is not set. */
static const char *value_of(const struct options *o, const struct option_spec *s,
                            int argc, char **argv, int *at)
{
        const char *equals = argv[*at - 1] + strlen(s->name);
        const char *value = "";

        if (s->value == NULL)
                return value;
        if (*equals == '=')
                value = equals + 1;
        else if (!is_optional(s->value))
                value = *at < argc ? argv[(*at)++] : "";
        else
                return *at < argc && has_optional(argv[*at]) ? argv[(*at)++] : value;
        if (value[0] != '\0')
                return value;
        terminal_complain(o->command, "%s: needs a value (%s)", s->name, s->value);
        return NULL;
}

static const struct option_spec *spec_of(const struct options *o, const char *word)
{
        for (const struct option_spec *s = o->specs; s->name != NULL; s++) {
                size_t len = strlen(s->name);

                if (strncmp(word, s->name, len) == 0 &&
                    (word[len] == '\0' || (word[len] == '=' && s->value != NULL)))
                        return s;
        }
        terminal_complain(o->command, "%s: unknown option; see hilrig %s --help", word,
                          o->command);
        return NULL;
}

int options_read(const struct options *o, int argc, char **argv, void *into)
{
        int operands = 0;

        for (int at = 0; at < argc;) {
                const char *word = argv[at++], *value;
                const struct option_spec *s;

                if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
                        options_print_help(o);
                        return 0;
                }
                if (word[0] != '-' || word[1] == '\0') {
                        if (!take_operand(o, into, word, operands++))
                                return 2;
                        continue;
                }
                s = spec_of(o, word);
                value = s != NULL ? value_of(o, s, argc, argv, &at) : NULL;
                if (value == NULL || !take(o, s, into, value))
                        return 2;
        }
        if (operands > 0 || o->operand.help == NULL)
                return OPTIONS_READ;
        terminal_complain(o->command, "needs %s", o->operand.help);
        return 2;
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
