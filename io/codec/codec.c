/* Every codec by its name, as rig files give it. */
#include "io/codec/codec.h"

#include <stdio.h>
#include <string.h>

/* A codec is one line in each of the two tables, in the same order. */

static const struct {
        const struct codec_ops *ops;
        struct codec *(*create)(const struct codec_setup *setup);
} known[] = {
        { &codec_hilp_ops, codec_hilp_create },
        { &codec_ardupilot_ops, codec_ardupilot_create },
        { &codec_betaflight_ops, codec_betaflight_create },
        { &codec_inav_ops, codec_inav_create },
        { &codec_px4_ops, codec_px4_create },
};

static const char *const names[] = { "hilp", "ardupilot", "betaflight",
                                     "inav", "px4",       NULL };

#define CODECS ((int)(sizeof known / sizeof known[0]))

_Static_assert(sizeof names / sizeof names[0] == sizeof known / sizeof known[0] + 1,
               "every codec has a name");

static int find(const char *name)
{
        for (int i = 0; i < CODECS; i++)
                if (strcmp(name, names[i]) == 0)
                        return i;
        return -1;
}

struct codec *codec_create(const char *name, const struct codec_setup *setup)
{
        int i = find(name);

        return i < 0 ? NULL : known[i].create(setup);
}

const char *const *codec_names(void)
{
        return names;
}

const struct codec_ops *codec_find(const char *name)
{
        int i = find(name);

        return i < 0 ? NULL : known[i].ops;
}

bool codec_lists(const char *const *dialects, const char *dialect)
{
        for (; dialects != NULL && *dialects != NULL; dialects++)
                if (strcmp(*dialects, dialect) == 0)
                        return true;
        return false;
}

bool codec_is_shipped(const struct codec_ops *ops, const char *dialect)
{
        return codec_lists(ops->shipped_dialects, dialect);
}

const struct codec_carries *codec_carries(const struct codec_ops *ops,
                                          const char *dialect)
{
        int i = 0;

        while (ops->dialects != NULL && dialect[0] != '\0' &&
               strcmp(ops->dialects[i], dialect) != 0)
                i++;
        while (ops->carries[i] == NULL)
                i--;
        return ops->carries[i];
}

const char *fc_severity_name(enum fc_severity severity)
{
        static const char *const name[] = {
                "emergency", "alert",  "critical",    "error",
                "warning",   "notice", "information", "debug"
        };

        return name[severity];
}

void mission_name_reached(const struct mission_progress *p, char *words, size_t cap)
{
        snprintf(words, cap, "reached item %d of %d of its mission", p->reached + 1,
                 p->total);
}

void codec_copy_words(char *to, size_t cap, const void *from, size_t len)
{
        const char *text = from;
        size_t n = 0;

        for (; n < len && n + 1 < cap && text[n] != '\0'; n++)
                to[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
        to[n] = '\0';
}

void codec_setting_heard(struct codec *c, const char *name, const char *value)
{
        struct codec_setting *s = c->setting;
        struct codec_setting heard;

        snprintf(heard.name, sizeof heard.name, "%s", name);
        snprintf(heard.value, sizeof heard.value, "%s", value);
        while (s < c->setting + c->settings && strcmp(s->name, heard.name) != 0)
                s++;
        if (s == c->setting + CODEC_SETTINGS_MAX)
                return;
        c->settings += s == c->setting + c->settings;
        *s = heard;
}
