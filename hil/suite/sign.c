/* What the settings of a run are, as SHA-256. A rig is read for two seeds; where their texts differ by the seed alone, others are
 * written instead of read, as a campaign has thousands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/rig/rig.h"
#include "hil/record/signal_hash.h"
#include "hil/suite/suite.h"

#define SEED_KEY "\n  \"seed\": "
/* What is above is printed otherwise. */
#define SEED_PLAIN_MAX UINT64_C(999999999999999)

/* The text with `to` in place of the seed at its top, to be freed; NULL: `from` is not there, or no memory. */
static char *with_seed(const char *text, uint64_t from, uint64_t to)
{
        const char *at = strstr(text, SEED_KEY);
        char old[24], *whole;
        size_t len, before, room = strlen(text) + sizeof old;

        len = (size_t)snprintf(old, sizeof old, "%" PRIu64, from);
        if (at == NULL || from > SEED_PLAIN_MAX || to > SEED_PLAIN_MAX)
                return NULL;
        at += strlen(SEED_KEY);
        if (strncmp(at, old, len) != 0 || strchr(",\n", at[len]) == NULL)
                return NULL;
        before = (size_t)(at - text);
        whole = malloc(room);
        if (whole != NULL)
                snprintf(whole, room, "%.*s%" PRIu64 "%s", (int)before, text, to,
                         at + len);
        return whole;
}

static bool read_text(struct suite_signer *g, const struct suite *s,
                      const struct suite_run *r, char **text, char *why, size_t cap)
{
        struct rig_config *config = calloc(1, sizeof *config);
        char *guess = NULL;
        bool ok = config != NULL;

        if (!ok)
                snprintf(why, cap, "out of memory");
        ok = ok && suite_read_rig(s, r, config, text, why, cap);
        if (config != NULL)
                config_free(config);
        free(config);
        if (!ok)
                return false;
        if (g->text == NULL) {
                g->text = strdup(*text);
                g->seed = r->seed;
        } else if (r->seed != g->seed) {
                guess = with_seed(g->text, g->seed, r->seed);
                g->by_seed_alone = guess != NULL && strcmp(guess, *text) == 0;
                free(guess);
        }
        return true;
}

bool suite_sign(struct suite_signer *g, const struct suite *s, struct suite_run *r,
                char *why, size_t cap)
{
        char *text = g->by_seed_alone ? with_seed(g->text, g->seed, r->seed) : NULL;
        bool ok = text != NULL || read_text(g, s, r, &text, why, cap);

        if (ok)
                sha256_hex(text, strlen(text), r->config_sha256);
        free(text);
        return ok;
}

void suite_signer_free(struct suite_signer *g)
{
        free(g->text);
        *g = (struct suite_signer){ 0 };
}
