/* Programs that power, flash and ask boards: put together from words, looked for, run to their end or to their time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOOL_WORDS_MAX 64
#define TOOL_WORD_MAX  700
#define TOOL_SAID_MAX  4000

struct tool {
        int words; /* 0: none */
        char word[TOOL_WORDS_MAX][TOOL_WORD_MAX];
};

/* One word more. */
__attribute__((format(printf, 2, 3))) void tool_add(struct tool *t, const char *format,
                                                    ...);

/* Whether its program is there: a path, or found in PATH. False with a sentence that names it, and its package in Debian where
 * that is known. */
bool tool_is_there(const struct tool *t, char *why, size_t cap);

/* Runs it and keeps what it prints, as much as has room; what it leaves running in its process group is ended with it. False with the reason: it
 * could not be started, ended with another status than 0, or was still running after the time, and was killed. */
bool tool_run(const struct tool *t, int64_t timeout_ns, char said[TOOL_SAID_MAX],
              char *why, size_t cap);
/* The same, all that it prints in a file, made anew. */
bool tool_run_into(const struct tool *t, int64_t timeout_ns, const char *file, char *why,
                   size_t cap);
