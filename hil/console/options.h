/* Command lines: long options with values, the same way for every command. */
#ifndef HIL_CMD_OPTIONS_H
#define HIL_CMD_OPTIONS_H

#include <stdbool.h>

struct option_spec {
        const char *name; /* "--seed" */
        /* What stands for its value in the usage; NULL: a flag. "[ADDRESS:PORT]": it may be left out, and is "" then. */
        const char *value;
        const char *help;
};

struct options {
        const char *command; /* for messages */
        const struct option_spec *specs; /* name NULL at the end */
        const char *usage; /* the line after "usage: hilrig " */
};

/* Takes the next word: its spec's index with *value set for an option, -1 for an operand (in
 * *value), -2 at the end, -3 after a message (unknown option, missing value) and -4 when help was
 * asked for and printed. An empty operand or value is refused. */
int options_next(const struct options *o, int argc, char **argv, int *at,
                 const char **value);

/* "hilrig COMMAND: " and a line, for each line of what is wrong. */
void options_complain(const char *command, const char *why);

/* Whole numbers and finite decimals, the whole text. */
bool options_u64(const char *text, unsigned long long *out);
bool options_double(const char *text, double *out);
/* The value of option `opt` as a share of 1. False after a message. */
bool options_percent(const struct options *o, int opt, const char *value, double most,
                     double *share);

#endif
