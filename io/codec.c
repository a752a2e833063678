/* Every codec by its name, as rig files give it. */
#include "io/codec.h"

#include <string.h>

/* A codec is one line in each table, at the same place. */

static const char *const names[] = {
        "hilp",
        NULL,
};

static struct codec *(*const makers[])(const struct codec_setup *setup) = {
        codec_hilp_create,
};

static const char *const *const frame_names[] = {
        codec_hilp_frame_names,
};

_Static_assert(sizeof frame_names / sizeof frame_names[0] ==
                       sizeof makers / sizeof makers[0],
               "every codec has names for its frames");
_Static_assert(sizeof names / sizeof names[0] == sizeof makers / sizeof makers[0] + 1,
               "every codec has a name and a maker");

struct codec *codec_create(const char *name, const struct codec_setup *setup)
{
        for (int i = 0; names[i] != NULL; i++) {
                if (strcmp(name, names[i]) == 0)
                        return makers[i](setup);
        }
        return NULL;
}

const char *const *codec_names(void)
{
        return names;
}

const char *const *codec_frame_names(const char *name)
{
        for (int i = 0; names[i] != NULL; i++) {
                if (strcmp(name, names[i]) == 0)
                        return frame_names[i];
        }
        return NULL;
}
