/* The joystick of a rig's vehicle: which axis or button moves what, and how. */
#include "hil/config/rig/rig.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/table.h"
#include "io/joystick/joystick.h"

static const char played[] = "played:", page[] = "page";

/* In the order of enum joystick_lost. */
static const char *const lost_names[] = { "hold", "centre", "no_channels", NULL };

/* In the order of enum joystick_drives. */
static const char *const drives_names[] = { "channel",  "fly",  "forward", "right",
                                            "up",       "turn", "roll",    "pitch",
                                            "throttle", NULL };

static const struct config_field control_fields[] = {
        { "input", CONFIG_TEXT,
          "Axis or button by its name in the kernel: ABS_X, BTN_TRIGGER; evtest shows "
          "them.",
          .size = 32, AT(joystick_control, input) },
        { "drives", CONFIG_CHOICE,
          "channel: an RC channel. fly, forward, right, up, turn: a set-point. roll, "
          "pitch, "
          "turn, throttle: a twin of source joystick.",
          .names = drives_names, .preset = "\"channel\"", AT(joystick_control, drives) },
        { "channel", CONFIG_INTEGER,
          "RC channel that it moves, 1000 to 2000 us; 0: it drives something else.",
          BETWEEN(0, RC_CHANNELS_MAX), .scale = 1, .shift = -1, .preset = "0",
          AT(joystick_control, channel) },
        { "full", CONFIG_NUMBER,
          "Value at full deflection, except for channels: m/s of forward, right and up, "
          "deg/s of turn, deg of roll and pitch, percent of throttle.",
          BETWEEN(0, 1000), .preset = "0", AT(joystick_control, full) },
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
        { "dead_percent", CONFIG_NUMBER, "Dead zone on each side of the centre.",
          BETWEEN(0, 90), .scale = 0.01, .preset = "0",
          AT(joystick_control, stick.dead_ratio) },
        { "expo_percent", CONFIG_NUMBER,
          "0: straight; 100: cubic, soft around the centre.", BETWEEN(0, 100),
          .scale = 0.01, .preset = "0", AT(joystick_control, stick.expo_ratio) },
        { "invert", CONFIG_BOOL, "Reverse its direction.", .preset = "false",
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
          "/dev/input/eventN, its ids (046d:c216), name:ITS NAME, played:FILE, which "
          "lies beside this file, or page: sticks on the live page.",
          .size = 256, AT(joystick_config, source) },
        { "period_ms", CONFIG_TIME, "How often it is read.", BETWEEN(1, 1000),
          .scale = MS_TO_NS, .preset = "20", AT(joystick_config, period_ns) },
        { "when_lost", CONFIG_CHOICE,
          "Unplugged: hold, the channels stay; centre, each goes to its centre; "
          "no_channels, "
          "none is sent.",
          .names = lost_names, .preset = "\"no_channels\"",
          AT(joystick_config, when_lost) },
        { "controls", CONFIG_OBJECTS, "What moves what.", .table = &control_table,
          .size = JOYSTICK_CONTROLS_MAX, .stride = sizeof(struct joystick_control),
          .least = 1, AT(joystick_config, control),
          .count = offsetof(struct joystick_config, controls) },
        { NULL },
};

const struct config_table config_joystick_table = {
        .name = "joystick",
        .about = "A hand at the sticks of a vehicle.",
        .field = joystick_fields,
};

static bool has_full(enum joystick_drives drives)
{
        return drives != JOYSTICK_CHANNEL && drives != JOYSTICK_FLY;
}

/* What it drives, and that it alone does. */
static bool check_drives(const struct joystick_config *j, int i, const struct json *node,
                         struct config_error *why)
{
        const struct joystick_control *c = &j->control[i];
        const char *what = drives_names[c->drives];

        if ((c->drives == JOYSTICK_CHANNEL) != (c->channel >= 0))
                return config_refuse_at(
                        why, node, "channel",
                        c->channel < 0 ? "must be 1 or more where it drives a "
                                         "channel"
                                       : "must be left out where it drives \"%s\"",
                        what);
        if (has_full(c->drives) != (c->full > 0.0))
                return config_refuse_at(
                        why, node, "full",
                        has_full(c->drives) ? "must be above 0 where it drives \"%s\""
                                            : "must be left out where it drives \"%s\"",
                        what);
        for (int k = 0; k < i; k++)
                if (j->control[k].drives == c->drives &&
                    j->control[k].channel == c->channel)
                        return config_refuse_at(
                                why, node, c->channel < 0 ? "drives" : "channel",
                                c->channel < 0 ? "is driven by %s already"
                                               : "is moved by %s already, is %d",
                                j->control[k].input, c->channel + 1);
        return true;
}

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
        if (!check_drives(j, i, node, why))
                return false;
        if (c->has_min && c->has_max && !(c->stick.least < c->stick.most))
                return config_refuse_at(why, node, "max", "must be above min");
        return true;
}

/* The first control of these; -1: it has none. */
static int find_driver(const struct joystick_config *j, enum joystick_drives first,
                       enum joystick_drives last)
{
        for (int i = 0; i < j->controls; i++)
                if (j->control[i].drives >= first && j->control[i].drives <= last)
                        return i;
        return -1;
}

bool config_joystick_pilots(const struct joystick_config *j)
{
        return j->used && find_driver(j, JOYSTICK_FLY, JOYSTICK_UP) >= 0;
}

/* A twin is told what it does; what has a flight controller is asked. */
static bool check_vehicle(const struct vehicle_config *v, const struct json *list,
                          struct config_error *why)
{
        bool of_twin = v->twin.used && strcmp(v->twin.source, "joystick") == 0;
        int wrong = of_twin ? find_driver(&v->joystick, JOYSTICK_CHANNEL, JOYSTICK_UP)
                            : find_driver(&v->joystick, JOYSTICK_ROLL, JOYSTICK_THROTTLE);

        if (v->twin.used && !of_twin)
                return config_refuse(why, list->parent, NULL,
                                     "a twin is flown by a joystick if its source is "
                                     "\"joystick\", is \"%s\"",
                                     v->twin.source);
        if (wrong >= 0)
                return config_refuse_at(
                        why, json_item(list, wrong), "drives",
                        of_twin ? "must be roll, pitch, turn or throttle for a "
                                  "twin, is \"%s\""
                                : "is for a twin of source \"joystick\", is \"%s\"",
                        drives_names[v->joystick.control[wrong].drives]);
        wrong = find_driver(&v->joystick, JOYSTICK_FORWARD, JOYSTICK_TURN);
        if (of_twin || wrong < 0 ||
            find_driver(&v->joystick, JOYSTICK_FLY, JOYSTICK_FLY) >= 0)
                return true;
        return config_refuse_at(why, json_item(list, wrong), "drives",
                                "needs a control that drives \"fly\", is \"%s\"",
                                drives_names[v->joystick.control[wrong].drives]);
}

/* To m/s, rad/s, rad, ratio. */
static void scale_full(struct joystick_config *j)
{
        for (int i = 0; i < j->controls; i++)
                switch (j->control[i].drives) {
                case JOYSTICK_TURN:
                case JOYSTICK_ROLL:
                case JOYSTICK_PITCH:
                        j->control[i].full *= RAD_PER_DEG;
                        break;
                case JOYSTICK_THROTTLE:
                        j->control[i].full *= 0.01;
                        break;
                default:
                        break;
                }
}

/* A file to be played lies beside the one that names it. */
static bool build_source(struct joystick_config *j, const struct json *node,
                         struct config_error *why)
{
        const struct json *source = json_at(node, "joystick.source");
        size_t scheme = strlen(played);
        char *beside = NULL;
        bool fits = true;

        if (strncmp(j->source, played, scheme) == 0)
                beside = config_file_beside(source->file ? source->file : "",
                                            j->source + scheme);
        if (beside != NULL)
                fits = (size_t)snprintf(j->source, sizeof j->source, "%s%s", played,
                                        beside) < sizeof j->source;
        free(beside);
        return fits ||
               config_refuse(why, source, NULL,
                             "must be shorter than %zu characters with its folder",
                             sizeof j->source);
}

bool config_joystick_on_page(const struct joystick_config *j)
{
        return j->used && strcmp(j->source, page) == 0;
}

const char *config_joystick_drives_name(enum joystick_drives drives)
{
        return drives_names[drives];
}

void config_resolve_joystick(struct json *resolved, const struct vehicle_config *v)
{
        struct json *joystick = json_member(resolved, "joystick");
        bool plays = strncmp(v->joystick.source, played, strlen(played)) == 0;
        char *whole = plays ? realpath(v->joystick.source + strlen(played), NULL) : NULL;
        char text[PATH_MAX + sizeof played];

        if (whole == NULL)
                return;
        snprintf(text, sizeof text, "%s%s", played, whole);
        json_free(json_detach(json_member(joystick, "source")));
        json_add_string(joystick, "source", text);
        free(whole);
}

bool config_build_joystick(struct vehicle_config *v, enum pace pace,
                           const struct json *node, struct config_error *why)
{
        struct joystick_config *j = &v->joystick;
        const struct json *list = json_at(node, "joystick.controls");
        bool ok;

        if (!j->used)
                return true;
        ok = build_source(j, node, why);
        if (ok && pace == PACE_LOCKSTEP && strcmp(j->source, page) != 0 &&
            strncmp(j->source, played, strlen(played)) != 0)
                ok = config_refuse_at(
                        why, node, "joystick.source",
                        "must be \"played:FILE\" or \"page\" in lockstep, where time "
                        "does not wait for a hand, is \"%s\"",
                        j->source);
        for (int i = 0; i < j->controls; i++)
                ok = check_control(j, i, json_item(list, i), why) && ok;
        ok = ok && check_vehicle(v, list, why);
        scale_full(j);
        return ok;
}
