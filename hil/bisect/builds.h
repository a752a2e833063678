/* An ordered list of builds: a line each, its name and what is different about it, "NAME [KEY=VALUE]...". A KEY of capitals,
 * digits and underscores is set in the environment, any other is a setting of the rig, as of --set. Words with blanks stand
 * in double quotes, # begins a comment. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define BUILD_WORDS_MAX 16
#define BUILD_NAME_MAX  64

struct build {
        char name[BUILD_NAME_MAX]; /* may name a folder */
        int sets, variables;
        char *set[BUILD_WORDS_MAX], *variable[BUILD_WORDS_MAX];
};

struct builds {
        int count;
        struct build *build; /* owned */
};

/* False with the reason, "FILE: line 3: ..."; freed by the caller on any result. */
bool builds_parse(struct builds *b, const char *file, const char *text, char *why,
                  size_t cap);
/* One more, without anything different. */
bool builds_add(struct builds *b, const char *name, char *why, size_t cap);
void builds_free(struct builds *b);

/* Text that the caller frees: the build's name in place of each "{build}". NULL: no memory. */
char *build_expand(const struct build *b, const char *text);
