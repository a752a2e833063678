/* Source "joystick": what a hand at the vehicle's own joystick asks for, as an aircraft would say it. Its words come from
 * the loop, which reads the joystick. */
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/source.h"

static struct twin_source *hand_open(const struct twin_setup *setup,
                                     struct link_error *why)
{
        struct twin_source *s = calloc(1, sizeof *s);

        (void)setup;
        if (s == NULL) {
                snprintf(why->text, sizeof why->text, "joystick: no memory");
                return NULL;
        }
        *s = (struct twin_source){ .ops = &twin_hand_ops, .fd = -1 };
        return s;
}

static bool hand_take(struct twin_source *source, int64_t now_ns, struct twin_word *word)
{
        (void)source;
        (void)now_ns;
        (void)word;
        return false;
}

static void hand_close(struct twin_source *source)
{
        free(source);
}

const struct twin_source_ops twin_hand_ops = {
        .name = "joystick",
        .what = "a hand at the vehicle's joystick",
        .recorded = true,
        .open = hand_open,
        .take = hand_take,
        .close = hand_close,
};
