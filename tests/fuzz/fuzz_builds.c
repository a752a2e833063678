/* Any bytes as a list of builds: refused with a reason on one line, or names that may be folders, each once, and KEY=VALUE
 * words. */
#include <assert.h>

#include "hil/bisect/builds.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct builds *b)
{
        for (int i = 0; i < b->count; i++) {
                const struct build *one = &b->build[i];
                char *text = build_expand(one, "x{build}y{build");

                assert(one->name[0] != '\0' && one->name[0] != '.' &&
                       strchr(one->name, '/') == NULL);
                for (int k = 0; k < one->sets; k++)
                        assert(strchr(one->set[k], '=') != NULL);
                for (int k = 0; k < one->variables; k++)
                        assert(strchr(one->variable[k], '=') > one->variable[k]);
                assert(text != NULL && strlen(text) == strlen(one->name) + 8);
                free(text);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct builds b = { 0 };
        char *text = malloc(size + 1), why[300] = "";

        if (text == NULL)
                abort();
        memcpy(text, data, size);
        text[size] = '\0';
        if (builds_parse(&b, "f", text, why, sizeof why))
                check(&b);
        else
                assert(why[0] != '\0' && strchr(why, '\n') == NULL);
        builds_free(&b);
        free(text);
        return 0;
}
