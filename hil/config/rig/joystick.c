/* The joystick of a rig's vehicle: which axis or button moves which RC channel, and how. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/table.h"
#include "io/joystick/joystick.h"

#define PLAYED "played:"

/* In the order of enum joystick_lost. */
static const char *const lost_names[] = { "hold", "centre", "no_channels", NULL };

static const struct config_field control_fields[] = {
        { "input", CONFIG_TEXT,
          "Axis or button by its name in the kernel: ABS_X, BTN_TRIGGER; evtest shows "
          "them.",
          .size = 32, AT(joystick_control, input) },
        { "channel", CONFIG_INTEGER, "RC channel that it moves, 1000 to 2000 us.",
          BETWEEN(1, RC_CHANNELS_MAX), .scale = 1, .shift = -1,
          AT(joystick_control, channel) },
        { "min", CONFIG_NUMBER, "Reading at one end; left out: what the device says.",
          BETWEEN(-2147483648.0, 2147483647.0), .optional = true,
          AT(joystick_control, stick.least),
          .given = offsetof(struct joystick_control, has_min) },
        { "centre", CONFIG_NUMBER,
          "Reading in the middle; left out: half-way, of a button min.",
          BETWEEN(-2147483648.0, 2147483647.0), .optional = true,
          AT(joystick_control, stick.centre),
          .given = offsetof(struct joystick_control, has_centre) },
        { "max", CONFIG_NUMBER,
          "Reading at the other end; left out: what the device says.",
          BETWEEN(-2147483648.0, 2147483647.0), .optional = true,
          AT(joystick_control, stick.most),
          .given = offsetof(struct joystick_control, has_max) },
        { "dead_percent", CONFIG_NUMBER, "Of each side, around the centre, does nothing.",
          BETWEEN(0, 90), .scale = 0.01, .preset = "0",
          AT(joystick_control, stick.dead_ratio) },
        { "expo_percent", CONFIG_NUMBER,
          "0: straight; 100: cubic, soft around the centre.", BETWEEN(0, 100),
          .scale = 0.01, .preset = "0", AT(joystick_control, stick.expo_ratio) },
        { "invert", CONFIG_BOOL, "The other way round.", .preset = "false",
          AT(joystick_control, stick.inverted) },
        { NULL },
};

static const struct config_table control_table = {
        .name = "joystick_control",
        .about = "An axis or a button of a joystick.",
        .field = control_fields,
};

static const struct config_field joystick_fields[] = {
        { "source", CONFIG_TEXT,
          "/dev/input/eventN, its ids (046d:c216), name:ITS NAME, or played:FILE, which "
          "lies beside this file.",
          .size = 256, AT(joystick_config, source) },
        { "period_ms", CONFIG_TIME, "How often it is read.", BETWEEN(1, 1000),
          .scale = MS_TO_NS, .preset = "20", AT(joystick_config, period_ns) },
        { "when_lost", CONFIG_CHOICE,
          "Unplugged: hold, the channels stay; centre, each goes to its centre; "
          "no_channels, "
          "none is sent.",
          .names = lost_names, .preset = "\"no_channels\"",
          AT(joystick_config, when_lost) },
        { "controls", CONFIG_OBJECTS, "What moves which channel.",
          .table = &control_table, .size = JOYSTICK_CONTROLS_MAX,
          .stride = sizeof(struct joystick_control), .least = 1,
          AT(joystick_config, control),
          .count = offsetof(struct joystick_config, controls) },
        { NULL },
};

const struct config_table config_joystick_table = {
        .name = "joystick",
        .about = "A hand at the sticks of a vehicle.",
        .field = joystick_fields,
};

static bool check_control(const struct joystick_config *j, int i, const struct json *node,
                          struct config_error *why)
{
        const struct joystick_control *c = &j->control[i];
        struct joystick_code code;

        if (!joystick_code_from_name(c->input, &code))
                return config_refuse_at(
                        why, node, "input",
                        "no axis or button is called \"%s\"; evtest shows "
                        "those of a device",
                        c->input);
        for (int k = 0; k < i; k++)
                if (j->control[k].channel == c->channel)
                        return config_refuse_at(why, node, "channel",
                                                "is moved by %s already, is %d",
                                                j->control[k].input, c->channel + 1);
        if (c->has_min && c->has_max && !(c->stick.least < c->stick.most))
                return config_refuse_at(why, node, "max", "must be above min");
        return true;
}

/* What is played lies beside the file that names it. */
static bool find_played(struct joystick_config *j, const struct json *source,
                        struct config_error *why)
{
        char *path = config_file_beside(source->file ? source->file : "",
                                        j->source + strlen(PLAYED));
        size_t room = sizeof j->source - strlen(PLAYED);
        bool fits = path != NULL && strlen(path) < room;

        if (fits)
                snprintf(j->source + strlen(PLAYED), room, "%s", path);
        free(path);
        return fits ||
               config_refuse(why, source, NULL,
                             "must be shorter than %zu characters with its folder",
                             sizeof j->source);
}

bool config_build_joystick(struct joystick_config *j, enum pace pace,
                           const struct json *node, struct config_error *why)
{
        const struct json *list = json_at(node, "joystick.controls");
        bool ok = true;

        if (!j->used)
                return true;
        if (strncmp(j->source, PLAYED, strlen(PLAYED)) == 0)
                ok = find_played(j, json_at(node, "joystick.source"), why);
        else if (pace == PACE_LOCKSTEP)
                ok = config_refuse_at(
                        why, node, "joystick.source",
                        "must be \"played:FILE\" in lockstep, where time does "
                        "not wait for a hand, is \"%s\"",
                        j->source);
        for (int i = 0; i < j->controls; i++)
                ok = check_control(j, i, json_item(list, i), why) && ok;
        return ok;
}

void config_resolve_joystick(struct json *resolved, const struct joystick_config *j)
{
        struct json *joystick = json_member(resolved, "joystick");
        bool played = strncmp(j->source, PLAYED, strlen(PLAYED)) == 0;
        char *whole = played ? realpath(j->source + strlen(PLAYED), NULL) : NULL, *text;

        if (whole != NULL && asprintf(&text, PLAYED "%s", whole) >= 0) {
                json_free(json_detach(json_member(joystick, "source")));
                json_add_string(joystick, "source", text);
                free(text);
        }
        free(whole);
}
