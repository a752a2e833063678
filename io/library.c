#include "io/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(void (*)(void)) == sizeof(void *), "dlsym() returns functions");

static bool refuse_library(const char *file, char *why, size_t cap)
{
        const char *said = dlerror();

        snprintf(why, cap, "%s: cannot be loaded (%s)", file,
                 said != NULL ? said : "no reason was given");
        return false;
}

bool library_load(void *functions, const char *const *name, size_t count,
                  const char *file, char *why, size_t cap)
{
        void *last;

        /* The last one is there when all are. */
        memcpy(&last, (char *)functions + (count - 1) * sizeof last, sizeof last);
        if (last != NULL)
                return true;
        if (dlopen(file, RTLD_NOW | RTLD_GLOBAL) == NULL)
                return refuse_library(file, why, cap);
        for (size_t i = 0; i < count; i++) {
                void *found = dlsym(RTLD_DEFAULT, name[i]);

                if (found == NULL)
                        return refuse_library(file, why, cap);
                memcpy((char *)functions + i * sizeof found, &found, sizeof found);
        }
        return true;
}
