/* What a version of the firmware is to the processes that fly it: variables of their environment. */
#include <stdlib.h>
#include <string.h>

#include "hil/campaign/campaign.h"

#define NAME_OF_VERSION "HILRIG_VERSION"

void campaign_enter_version(struct campaign_environment *e,
                            const struct campaign_version *v)
{
        *e = (struct campaign_environment){ .version = v };
        setenv(NAME_OF_VERSION, v->name, 1);
        for (int i = 0; i < v->variables; i++) {
                const char *before = getenv(v->variable[i].key);

                e->before[i] = before != NULL ? strdup(before) : NULL;
                setenv(v->variable[i].key, v->variable[i].value, 1);
        }
}

void campaign_leave_version(struct campaign_environment *e)
{
        unsetenv(NAME_OF_VERSION);
        for (int i = 0; i < e->version->variables; i++) {
                const char *key = e->version->variable[i].key;

                if (e->before[i] != NULL)
                        setenv(key, e->before[i], 1);
                else
                        unsetenv(key);
                free(e->before[i]);
        }
}
