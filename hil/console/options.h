/* Command lines: one table of options for each command, from which come their reading, their help and the errors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What an option becomes in the command's struct. Of one that is given twice the last counts, but for lists. */
enum option_kind {
        OPTION_FLAG, /* bool */
        OPTION_TEXT, /* const char * */
        OPTION_TEXTS, /* const char *[most], int at `count` */
        OPTION_WHOLE, /* int, from min to max */
        OPTION_NUMBER, /* double, from min to max */
        OPTION_PERCENT, /* double, a share of 1; min and max in percent */
        OPTION_OTHER /* what `take` makes of it */
};

struct option_spec {
        const char *name; /* "--seed"; of an operand what it is called, "rig file" */
        /* What stands for its value in the usage; NULL: a flag. "[ADDRESS:PORT]": it may be left out, and is "" then. */
        const char *value;
        const char *help;
        enum option_kind kind;
        size_t at, count;
        double min, max; /* of a text: shorter than max, if that is not 0 */
        int most;
        /* False after a message. */
        bool (*take)(void *of, const struct option_spec *spec, const char *value);
};

/* For the tables. A place in the command's struct, which has to be of this type. */
/* clang-format off */
#define OPTION_AT(type, member, is)                                                      \
        offsetof(struct type, member) +                                                  \
                0 * sizeof(struct {                                                      \
                        _Static_assert(_Generic(((struct type *)0)->member, is: 1, default: 0), #member); \
                        char none;                                                       \
                })
#define FLAG(type, member) .kind = OPTION_FLAG, .at = OPTION_AT(type, member, bool)
#define TEXT(type, member) .kind = OPTION_TEXT, .at = OPTION_AT(type, member, const char *)
#define WHOLE(type, member, from, to)                                                    \
        .kind = OPTION_WHOLE, .at = OPTION_AT(type, member, int), .min = (from), .max = (to)
#define NUMBER(type, member, from, to)                                                   \
        .kind = OPTION_NUMBER, .at = OPTION_AT(type, member, double), .min = (from), .max = (to)
#define PERCENT(type, member, to)                                                        \
        .kind = OPTION_PERCENT, .at = OPTION_AT(type, member, double), .max = (to)
#define TEXTS_UPTO(type, member, counter, entries)                                       \
        .kind = OPTION_TEXTS, .at = OPTION_AT(type, member[0], const char *),            \
        .count = OPTION_AT(type, counter, int), .most = (entries)
#define TEXTS(type, member, counter)                                                     \
        TEXTS_UPTO(type, member, counter, (int)(sizeof(((struct type *)0)->member) / sizeof(char *)))
#define OTHER(function) .kind = OPTION_OTHER, .take = function
/* clang-format on */

struct options {
        const char *command; /* for messages */
        const struct option_spec *specs; /* name NULL at the end */
        /* OPTION_TEXT: one word that is no option, OPTION_TEXTS: several; without a name none is taken. With `help` at least
         * one is needed, and that says what: "a rig file, e.g. rig_configs/default.json". */
        struct option_spec operand;
        const char *usage; /* the line after "usage: hilrig " */
};

/* Reads the words of a command line into the command's struct. An empty operand or value is refused. Returns
 * OPTIONS_READ, or the exit status: 0 when help was asked for and printed, 2 after a message. */
#define OPTIONS_READ -1
int options_read(const struct options *o, int argc, char **argv, void *into);

/* "hilrig COMMAND: " and a line, for each line of what is wrong. */
void options_complain(const char *command, const char *why);

/* Whole numbers and finite decimals, the whole text. */
bool options_u64(const char *text, unsigned long long *out);
bool options_double(const char *text, double *out);
