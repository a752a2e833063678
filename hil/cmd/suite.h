/* `hilrig suite` as it is asked for. */
#pragma once

#include "hil/suite/suite.h"

struct suite_command {
        struct suite_options options;
        const char *baseline, *html, *junit; /* NULL: none */
        bool until_decided;
};

/* Flies, and compares. Exit status. */
int suite_command_run(const struct suite_command *c);
