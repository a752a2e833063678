/* Files of a test in a folder of its own below /tmp. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "tests/suites.h"

/* folder: "/tmp/NAMEXXXXXX", of which mkdtemp() makes its name. */
static inline void scratch_make(char *folder)
{
        ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void scratch_put(const char *path, const char *text)
{
        FILE *f = fopen(path, "w");

        ck_assert_ptr_nonnull(f);
        fputs(text, f);
        fclose(f);
}

/* With all that is in it. */
static inline void scratch_remove(const char *folder)
{
        char command[300];

        snprintf(command, sizeof command, "rm -rf '%s'", folder);
        ck_assert_int_eq(system(command), 0);
}
