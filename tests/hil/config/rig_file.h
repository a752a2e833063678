/* Rig files that tests read, with one thing set on top. */
#pragma once

#include <string.h>

#include "hil/config/config.h"
#include "tests/suites.h"

#define DEFAULT  "rig_configs/default.json"
#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static struct rig_config rig;
static struct config_error why;

static const char *const good[] = {
        DEFAULT,
        "rig_configs/rigs/lockstep.json",
        "rig_configs/rigs/bench_strict.json",
        "rig_configs/rigs/finken3.json",
        "rig_configs/rigs/md4_200_thesis.json",
        "tests/configs/good_wind.json",
        "tests/configs/good_other_world.json",
        "tests/configs/good_hexa.json",
};

/* A file with one thing set on top, or none. */
static inline bool read_set(const char *path, const char *set)
{
        struct config_overrides o = { .sets = set ? 1 : 0, .set = { set } };

        why.text[0] = '\0';
        /* What an earlier one owned. */
        config_free(&rig);
        return config_read(&rig, path, &o, NULL, &why);
}

static inline void expect_read(const char *path, const char *set)
{
        ck_assert_msg(read_set(path, set), "%s", why.text);
}

static inline void expect_refused(const char *path, const char *set, const char *words)
{
        ck_assert_msg(!read_set(path, set), "was read: %s", set ? set : path);
        ck_assert_msg(strstr(why.text, words) != NULL, "said: %s\nnot: %s", why.text,
                      words);
}
