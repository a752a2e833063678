/* Any bytes as what the tools of a board print: parameters before and after a boot, split at the first zero; storage. */
#include <assert.h>
#include <math.h>

#include "hil/health/said.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char *before = malloc(size + 2), names[64];
        const char *after;
        double free_bytes, errors;
        int changes;

        if (before == NULL)
                abort();
        memcpy(before, data, size);
        before[size] = before[size + 1] = '\0';
        after = before + strlen(before) + 1;
        changes = said_lines_changed(before, after, names, sizeof names);
        assert(strlen(names) < sizeof names && (changes > 0 || names[0] == '\0'));
        assert(changes == said_lines_changed(after, before, names, sizeof names));
        assert(said_lines_changed(before, before, names, sizeof names) == 0);
        said_storage(before, &free_bytes, &errors);
        assert(isnan(free_bytes) || free_bytes >= 0.0);
        assert(isnan(errors) || errors >= 0.0);
        free(before);
        return 0;
}
