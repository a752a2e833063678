/* What joystick.c (devices, hands on a page) and file.c (what is played and kept) share. */
#pragma once

#include "io/joystick/joystick.h"

#include <libevdev-1.0/libevdev/libevdev.h>

#define INPUTS_MAX 64

struct input {
        struct joystick_code of;
        struct joystick_range range;
        int32_t fed; /* of a page's: where it is, */
        bool moved; /* since the last look */
};

struct joystick {
        char source[256], name[128];
        struct libevdev *device; /* NULL: played, or lost */
        int fd;
        bool played, fed;
        int64_t fed_ns; /* host time; INT64_MIN: not yet */
        enum joystick_state state;
        int64_t retry_ns;
        int looked; /* nodes, since it was lost or looked for last */
        int inputs;
        struct input input[INPUTS_MAX];
        int next; /* of those that are played */
        int events;
        bool overrun;
        struct joystick_event event[JOYSTICK_EVENTS_MAX];
};

/* In place of an input: that it was unplugged, or is back. */
static const struct joystick_code no_input = { EV_SYN, 0 };

static inline bool is_same_input(struct joystick_code a, struct joystick_code b)
{
        return a.type == b.type && a.code == b.code;
}

struct input *joystick_find_input(struct joystick *j, struct joystick_code of);
bool joystick_add_input(struct joystick *j, struct joystick_code of,
                        struct joystick_range range);

/* Events to be played, into *j. False: why names file and line. */
bool joystick_read_file(struct joystick *j, const char *path, char *why, size_t cap);
/* As joystick_read(), of these. */
int joystick_read_played(struct joystick *j, int64_t t_ns, struct joystick_event *out,
                         int cap);
