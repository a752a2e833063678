#include "hil/text/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *variables_expand(const char *text, char *missing, size_t cap)
{
        char *out = strdup(""), *longer;
        const char *at = text, *end, *value;

        missing[0] = '\0';
        while (out != NULL && *at != '\0') {
                int len = (int)strcspn(at, "$");

                value = at[len] == '$' ? "$" : "";
                end = strncmp(at + len, "${", 2) == 0 ? strchr(at + len, '}') : NULL;
                if (end == at + len + 2)
                        end = NULL; /* no name */
                if (end != NULL) {
                        snprintf(missing, cap, "%.*s", (int)(end - at) - len - 2,
                                 at + len + 2);
                        value = getenv(missing);
                }
                if (value == NULL) {
                        free(out);
                        return NULL;
                }
                missing[0] = '\0';
                if (asprintf(&longer, "%s%.*s%s", out, len, at, value) < 0)
                        longer = NULL;
                free(out);
                out = longer;
                at += len;
                at += end != NULL ? end - at + 1 : *at != '\0';
        }
        return out;
}
