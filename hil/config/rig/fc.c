/* The flight controller of a rig's vehicle: its protocol, its links, its order of motors. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/fc/motor_layout.h"

static const char *const when_lost_names[] = { "end", "fly_on", NULL };

static const struct config_field fc_fields[] = {
        { "codec", CONFIG_TEXT, "The protocol it speaks: hilp, ...", .size = 32,
          AT(rig_vehicle_file, config.fc.codec) },
        { "dialect", CONFIG_TEXT,
          "The variant of its protocol, where there are several; `hilrig check` prints "
          "them. Left out: the codec's first.",
          .size = 16, .optional = true, AT(rig_vehicle_file, config.fc.dialect) },
        { "link", CONFIG_TEXTS,
          "How its bytes travel: uart:/dev/ttyACM0@921600, pty, tcp:127.0.0.1:5760, "
          "unix:/run/fc.sock, ...; an array of them for codecs with more channels.",
          .least = 1, .size = 160, AT(rig_vehicle_file, config.fc.link_text),
          .count = offsetof(struct rig_vehicle_file, config.fc.links) },
        { "spawn", CONFIG_BOOL,
          "Start the reference flight controller as a process at the other end.",
          .preset = "false", AT(rig_vehicle_file, config.fc.spawn) },
        { "reference", CONFIG_OBJECT,
          "The reference flight controller's parameters; required with spawn.",
          .table = &config_fc_table, .optional = true, AT(rig_vehicle_file, reference) },
        { "start", CONFIG_OBJECT,
          "The firmware as a process that the rig starts for each run and ends after it. "
          "Left out, or null: somebody else starts it.",
          .table = &config_fc_start_table, .optional = true,
          AT(rig_vehicle_file, config.fc.start),
          .given = offsetof(struct rig_vehicle_file, config.fc.start.used) },
        { "stop", CONFIG_OBJECT,
          "How to end the process that the rig started; not used without start.",
          .table = &config_fc_stop_table, .optional = true,
          AT(rig_vehicle_file, config.fc.stop),
          .given = offsetof(struct rig_vehicle_file, stop_given) },
        { "motor_order", CONFIG_INTEGERS,
          "For each rotor in the vehicle file's order, the flight controller's output "
          "that "
          "drives it, counted from 0. Left out: the firmware's usual order for a "
          "quadrotor in X, with hilp the same order.",
          BETWEEN(0, ROTORS_MAX - 1), .least = 1, .size = ROTORS_MAX, .optional = true,
          AT(rig_vehicle_file, motor_order),
          .count = offsetof(struct rig_vehicle_file, motors) },
        { "options", CONFIG_PAIRS,
          "Settings of its own that it starts with, named as in its firmware; only for "
          "codecs that have them: hilp.",
          .size = FC_OPTIONS_MAX, .stride = sizeof(struct fc_option), .preset = "{}",
          AT(rig_vehicle_file, config.fc.option),
          .count = offsetof(struct rig_vehicle_file, config.fc.options) },
        { "timeout_ms", CONFIG_TIME,
          "It is given up after this long without an answer. In lockstep, only time in "
          "which it could run counts: three times as long while no processor of the host "
          "was idle, ten times at most.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "1000",
          AT(rig_vehicle_file, config.fc.timeout_ns) },
        { "hello_timeout_ms", CONFIG_TIME, "How long to wait for it at the start.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "5000",
          AT(rig_vehicle_file, config.fc.hello_timeout_ns) },
        { "disarm_timeout_ms", CONFIG_TIME,
          "When the run is over: how long it is told to disarm until it confirms that it "
          "has.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "5000",
          AT(rig_vehicle_file, config.fc.disarm_timeout_ns) },
        { "reconnect", CONFIG_BOOL, "Take it back when its link returns.",
          .preset = "false", AT(rig_vehicle_file, config.fc.reconnect) },
        { "when_lost", CONFIG_CHOICE,
          "When it is lost in flight, and not taken back. end: the run ends. fly_on: its "
          "motors stop, the others fly on, and the run is not passed.",
          .names = when_lost_names, .preset = "\"end\"",
          AT(rig_vehicle_file, config.fc.when_lost) },
        { NULL },
};

static const struct config_rule fc_rules[] = {
        { { "reference" }, { "spawn" }, .must = CONFIG_THERE, .may = CONFIG_ABSENT },
        { { "spawn", "start" }, .most = 1 },
        { { NULL } },
};

const struct config_table config_rig_fc_table = {
        .name = "fc",
        .about = "A flight controller and how it is connected.",
        .field = fc_fields,
        .rule = fc_rules,
};

static bool is_known_codec(const char *name, char *all, size_t cap)
{
        size_t used = 0;

        all[0] = '\0';
        for (const char *const *known = codec_names(); *known; known++) {
                if (strcmp(*known, name) == 0)
                        return true;
                if (used < cap)
                        used += (size_t)snprintf(all + used, cap - used, "%s\"%s\"",
                                                 used ? ", " : "", *known);
        }
        return false;
}

/* The one that the file names, or the codec's first. */
static bool build_dialect(struct fc_config *fc, const struct json *node,
                          struct config_error *why)
{
        const char *const *known = codec_find(fc->codec)->dialects;
        char all[200] = "";
        size_t used = 0;

        if (fc->dialect[0] == '\0') {
                if (known != NULL)
                        snprintf(fc->dialect, sizeof(fc->dialect), "%s", known[0]);
                return true;
        }
        for (int i = 0; known != NULL && known[i] != NULL; i++) {
                if (strcmp(known[i], fc->dialect) == 0)
                        return true;
                if (used < sizeof(all))
                        used += (size_t)snprintf(all + used, sizeof(all) - used,
                                                 "%s\"%s\"", used ? ", " : "", known[i]);
        }
        return config_refuse_at(why, node, "fc.dialect",
                                "the codec \"%s\" has no \"%s\"; known: %s", fc->codec,
                                fc->dialect, known ? all : "none");
}

/* A link for each channel, but for the last ones that may be left out. */
static bool check_links(const struct fc_config *fc, const struct json *node,
                        struct config_error *why)
{
        const struct codec_ops *ops = codec_find(fc->codec);
        int least = ops->channels;
        char most[16] = "";

        while (least > 0 && ops->channel[least - 1].optional)
                least--;
        if (fc->links >= least && fc->links <= ops->channels)
                return true;
        if (least < ops->channels)
                snprintf(most, sizeof(most), " to %d", ops->channels);
        return config_refuse_at(why, node, "fc.link",
                                "must name %d%s link%s with the codec \"%s\", one a "
                                "channel, names %d",
                                least, most, ops->channels == 1 ? "" : "s", ops->name,
                                fc->links);
}

static bool build_links(struct fc_config *fc, const struct json *node,
                        struct config_error *why)
{
        struct link_error link_why;
        char path[32];

        for (int i = 0; i < fc->links; i++) {
                snprintf(path, sizeof(path),
                         json_is(json_at(node, "fc.link"), JSON_ARRAY) ? "fc.link.%d"
                                                                       : "fc.link",
                         i);
                if (!link_spec_parse(&fc->link[i], fc->link_text[i], &link_why))
                        return config_refuse_at(why, node, path, "%s",
                                                link_why.text + link_why.reason);
                /* One that the rig starts itself is there, or nobody comes. */
                if (!fc->spawn)
                        fc->link[i].patience_ms =
                                (int)(fc->hello_timeout_ns / (int64_t)MS_TO_NS);
        }
        return check_links(fc, node, why);
}

/* What nobody said: the order that the firmware has unless it is told otherwise. */
static bool usual_motor_order(struct fc_config *fc, const struct vehicle_params *p,
                              const struct json *node, struct config_error *why)
{
        const struct motor_layout *layout = motor_layout_of(fc->codec);

        for (int i = 0; i < p->rotors; i++)
                fc->motor_order[i] = (uint8_t)i;
        if (layout == NULL ||
            motor_layout_order(layout, p, fc->motor_order) == MOTOR_LAYOUT_FITS)
                return true;
        return config_refuse_at(
                why, node, "fc.motor_order",
                "is required, and missing: the vehicle is no quadrotor in "
                "X whose rotors turn as %s has them",
                layout->name);
}

/* Each of 0 to rotors - 1 once. */
static bool build_motor_order(struct fc_config *fc, const struct rig_vehicle_file *file,
                              const struct vehicle_params *p, const struct json *node,
                              struct config_error *why)
{
        bool used[ROTORS_MAX] = { false };
        int rotors = p->rotors;

        if (file->motors == 0)
                return usual_motor_order(fc, p, node, why);
        if (file->motors != rotors)
                return config_refuse_at(
                        why, node, "fc.motor_order",
                        "must have %d entries, one for each rotor, has %d", rotors,
                        file->motors);
        for (int i = 0; i < rotors; i++) {
                unsigned output = file->motor_order[i];

                if (output >= (unsigned)rotors || used[output])
                        return config_refuse_at(why, node, "fc.motor_order",
                                                "must hold each of 0 to %d once",
                                                rotors - 1);
                used[output] = true;
                fc->motor_order[i] = (uint8_t)output;
        }
        return true;
}

static bool build_reference(struct fc_config *fc, const struct rig_vehicle_file *file,
                            int rotors, const struct json *node, struct config_error *why)
{
        const struct json *reference =
                config_member(json_member(node, "fc"), "reference");

        if (fc->spawn && strcmp(fc->codec, "hilp") != 0)
                return config_refuse_at(
                        why, node, "fc.spawn",
                        "needs \"codec\": \"hilp\", which the reference flight "
                        "controller speaks, is with \"%s\"",
                        fc->codec);
        if (!reference)
                return true;
        if (!config_build_fc(&fc->reference, &file->reference, reference, why))
                return false;
        if (fc->spawn && fc->reference.rotors != rotors)
                return config_refuse_at(why, node, "fc.reference",
                                        "has %d rotors, the vehicle has %d",
                                        fc->reference.rotors, rotors);
        return true;
}

static bool check_inside(const struct fc_config *fc, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < fc->links; i++)
                if (fc->link[i].kind == LINK_INSIDE && !fc->spawn)
                        return config_refuse_at(
                                why, node, "fc.link",
                                "\"inside\" is the reference flight controller "
                                "within the rig's own process: needs fc.spawn");
        return true;
}

/* A new pseudo-terminal has another name each time: nobody would find the way back. */
static bool check_reconnect(const struct fc_config *fc, const struct json *node,
                            struct config_error *why)
{
        for (int i = 0; i < fc->links; i++)
                if (fc->reconnect && fc->link[i].kind == LINK_PTY &&
                    fc->link[i].path[0] == '\0')
                        return config_refuse_at(
                                why, node, "fc.reconnect",
                                "cannot be with the link \"pty\", which has "
                                "another path each time: use unix-listen");
        return true;
}

bool config_build_rig_fc(struct fc_config *fc, const struct rig_vehicle_file *file,
                         const struct vehicle_params *p, const struct json *node,
                         struct config_error *why)
{
        char known[200];
        bool ok;

        if (!config_is_sound(json_member(node, "fc")))
                return false;
        if (!is_known_codec(fc->codec, known, sizeof(known)))
                return config_refuse_at(why, node, "fc.codec",
                                        "no codec is called \"%s\"; known: %s", fc->codec,
                                        known);
        ok = build_dialect(fc, node, why);
        ok = build_links(fc, node, why) && check_inside(fc, node, why) &&
             check_reconnect(fc, node, why) && ok;
        if (p == NULL)
                return false;
        ok = build_motor_order(fc, file, p, node, why) && ok;
        return build_reference(fc, file, p->rotors, node, why) && ok &&
               config_build_fc_start(fc, file->stop_given, json_member(node, "fc"),
                                     why) &&
               config_check_options(fc, node, why);
}
