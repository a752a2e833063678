/* Faults of the wire: their keys, whether a link can have them, and their words. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

static const char *const does_names[] = {
        [WIRE_DROP] = "drop",
        [WIRE_DUPLICATE] = "duplicate",
        [WIRE_REORDER] = "reorder",
        [WIRE_DELAY] = "delay",
        [WIRE_JITTER] = "jitter",
        [WIRE_TRUNCATE] = "truncate",
        [WIRE_BIT_FLIPS] = "bit_flips",
        [WIRE_GARBAGE] = "garbage",
        [WIRE_BAUD_DRIFT] = "baud_drift",
        [WIRE_SILENCE] = "silence",
        [WIRE_UNPLUG] = "unplug",
        [WIRE_FAULT_KINDS] = NULL,
};

static const char *const direction_names[] = { "to_fc", "from_fc", "both", NULL };

static const struct config_field wire_fault_fields[] = {
        { "does", CONFIG_CHOICE,
          "drop, duplicate: frames. reorder: a frame behind the next. delay, jitter: by "
          "ticks, or up to ticks at random, in order. truncate: to its first bytes. "
          "bit_flips: error_ratio of all bits, or bits of each frame. garbage: bytes of "
          "noise before a frame. baud_drift: the sender's serial clock is off. silence: "
          "nothing passes. unplug: the link is closed until the fault is over.",
          .names = does_names, AT(wire_fault_file, fault.kind) },
        { "direction", CONFIG_CHOICE, "Which way. Left out: both.",
          .names = direction_names, .optional = true, AT(wire_fault_file, direction),
          .absent = "\"both\"" },
        { "probability", CONFIG_NUMBER, "Of each frame. Left out: 1.", ABOVE(0),
          AT_MOST(1), .optional = true, AT(wire_fault_file, fault.probability),
          .absent = "1" },
        { "count", CONFIG_INTEGER, "Stops after this many frames. Left out: no limit.",
          BETWEEN(1, 1000000), .optional = true, AT(wire_fault_file, fault.count) },
        { "frame", CONFIG_NAME,
          "The type of frame, as the codec calls it; on a packet link, of packets that "
          "hold one. Left out: any.",
          .size = sizeof((struct wire_fault_file *)0)->frame, .optional = true,
          AT(wire_fault_file, frame) },
        { "port", CONFIG_INTEGER,
          "Of the vehicle, by its place in ports: the device's wire instead of the "
          "flight controller's. A frame is then a "
          "packet of the device, or what the board said at once; unplugged, the device "
          "has no power and begins anew.",
          BETWEEN(0, PORTS_MAX - 1), .optional = true, AT(wire_fault_file, fault.port),
          .absent = "-1" },
        { "channel", CONFIG_INTEGER,
          "Of the codec, by its place in fc.link. Left out: all.",
          BETWEEN(0, CODEC_CHANNELS_MAX - 1), .optional = true,
          AT(wire_fault_file, fault.channel), .absent = "-1" },
        { "ticks", CONFIG_INTEGER, "delay, jitter: periods of the loop.",
          BETWEEN(1, WIRE_FAULT_TICKS_MAX), .optional = true,
          AT(wire_fault_file, fault.ticks) },
        { "bytes", CONFIG_INTEGER,
          "truncate: how many are left. garbage: how many come, at least 1.",
          BETWEEN(0, WIRE_FAULT_BYTES_MAX), .optional = true,
          AT(wire_fault_file, fault.bytes) },
        { "bits", CONFIG_INTEGER,
          "bit_flips: this many bits of each frame, all different.",
          BETWEEN(1, WIRE_FAULT_BITS_MAX), .optional = true,
          AT(wire_fault_file, fault.bits) },
        { "error_ratio", CONFIG_NUMBER, "bit_flips: of all bits.", ABOVE(0), AT_MOST(0.5),
          .optional = true, AT(wire_fault_file, fault.error_ratio) },
        { "clock_error_percent", CONFIG_NUMBER,
          "baud_drift: how much faster the sender's clock is than the receiver's; from "
          "about 5 on, either way, bytes go wrong.",
          BETWEEN(-100 * WIRE_CLOCK_ERROR_MAX, 100 * WIRE_CLOCK_ERROR_MAX), .scale = 0.01,
          .optional = true, AT(wire_fault_file, fault.clock_error) },
        { NULL },
};

#define ALL_BUT(kinds) (CONFIG_IS(WIRE_FAULT_KINDS) - 1 - (kinds))

static const struct config_rule wire_fault_rules[] = {
        { { "direction" }, { "does" }, .may = ALL_BUT(CONFIG_IS(WIRE_UNPLUG)) },
        { { "probability", "count", "frame" },
          { "does" },
          .may = ALL_BUT(CONFIG_IS(WIRE_SILENCE) | CONFIG_IS(WIRE_UNPLUG)) },
        { { "frame", "channel" }, { "port" }, .may = CONFIG_ABSENT },
        { { "ticks" },
          { "does" },
          .must = CONFIG_IS(WIRE_DELAY) | CONFIG_IS(WIRE_JITTER) },
        { { "bytes" },
          { "does" },
          .must = CONFIG_IS(WIRE_TRUNCATE) | CONFIG_IS(WIRE_GARBAGE) },
        { { "bits", "error_ratio" },
          { "does" },
          .may = CONFIG_IS(WIRE_BIT_FLIPS),
          .least = 1,
          .most = 1 },
        { { "clock_error_percent" }, { "does" }, .must = CONFIG_IS(WIRE_BAUD_DRIFT) },
        { { NULL } },
};

const struct config_table config_wire_fault_table = {
        .name = "wire_fault",
        .about = "What goes wrong on the link between rig and flight controller.",
        .field = wire_fault_fields,
        .rule = wire_fault_rules,
};

static bool check_amounts(const struct wire_fault *fault, const struct json *node,
                          struct config_error *why)
{
        if (fault->kind == WIRE_GARBAGE && fault->bytes < 1)
                return config_refuse_at(why, node, "bytes",
                                        "must be at least 1 with \"does\": \"garbage\", "
                                        "is 0");
        if (fault->kind == WIRE_BAUD_DRIFT && !(fault->clock_error != 0.0))
                return config_refuse_at(why, node, "clock_error_percent",
                                        "must not be 0");
        return true;
}

static bool find_frame(struct wire_fault *out, const struct wire_fault_file *file,
                       const char *codec, const struct json *node,
                       struct config_error *why)
{
        const struct codec_ops *ops = codec_find(codec);
        const char *const *names = ops != NULL ? ops->frame_names : NULL;
        char all[300] = "";
        size_t used = 0;

        out->frame = -1;
        if (file->frame[0] == '\0')
                return true;
        for (int i = 0; names != NULL && names[i] != NULL; i++) {
                if (strcmp(names[i], file->frame) == 0) {
                        out->frame = i;
                        out->frame_name = names[i];
                        return true;
                }
                if (used < sizeof all)
                        used += (size_t)snprintf(all + used, sizeof all - used,
                                                 "%s\"%s\"", used > 0 ? ", " : "",
                                                 names[i]);
        }
        return config_refuse_at(why, node, "frame",
                                "codec %s has no frame \"%s\"; known: %s", codec,
                                file->frame, all);
}

bool config_build_wire_fault(struct wire_fault *out, const struct wire_fault_file *file,
                             const char *codec, const struct json *node,
                             struct config_error *why)
{
        static const unsigned directions[] = { WIRE_BIT(WIRE_TO_FC),
                                               WIRE_BIT(WIRE_FROM_FC), WIRE_BOTH };

        *out = file->fault;
        out->directions = directions[file->direction];
        return check_amounts(out, node, why) && find_frame(out, file, codec, node, why);
}

static bool may_be_unplugged(const struct link_spec *link, const struct json *node,
                             struct config_error *why)
{
        return link->kind != LINK_PTY || link->path[0] != '\0' ||
               config_refuse_at(why, node, "does",
                                "\"unplug\" cannot be with the link \"pty\", which has "
                                "another path each time: use unix-listen");
}

/* As with fc.reconnect: a new pseudo-terminal has another name each time. */
bool config_check_wire_fault(const struct wire_fault *fault,
                             const struct vehicle_config *v, const struct json *node,
                             struct config_error *why)
{
        const struct fc_config *fc = &v->fc;

        if (fault->port >= v->ports)
                return config_refuse_at(
                        why, node, "port",
                        "must be less than %d, the number of ports, is %d", v->ports,
                        fault->port);
        if (fault->port >= 0)
                return fault->kind != WIRE_UNPLUG ||
                       may_be_unplugged(&v->port[fault->port].link, node, why);
        if (fault->channel >= fc->links)
                return config_refuse_at(
                        why, node, "channel",
                        "must be less than %d, the number of links, is %d", fc->links,
                        fault->channel);
        for (int i = 0; i < fc->links && fault->kind == WIRE_UNPLUG; i++)
                if (!may_be_unplugged(&fc->link[i], node, why))
                        return false;
        return true;
}

static const char *const deeds[] = {
        [WIRE_DROP] = "drops",
        [WIRE_DUPLICATE] = "doubles",
        [WIRE_REORDER] = "reorders",
        [WIRE_DELAY] = "delays",
        [WIRE_JITTER] = "jitters",
        [WIRE_TRUNCATE] = "truncates",
        [WIRE_BIT_FLIPS] = "flips bits of",
        [WIRE_GARBAGE] = "puts noise before",
        [WIRE_BAUD_DRIFT] = "drifts the baud rate of",
        [WIRE_SILENCE] = "silences",
        [WIRE_UNPLUG] = "unplugs",
};

static void describe_amount(const struct wire_fault *f, char *text, size_t cap)
{
        text[0] = '\0';
        if (f->ticks > 0)
                snprintf(text, cap, " by %s%d ticks",
                         f->kind == WIRE_JITTER ? "up to " : "", f->ticks);
        if (f->kind == WIRE_TRUNCATE)
                snprintf(text, cap, " to %d bytes", f->bytes);
        if (f->kind == WIRE_GARBAGE)
                snprintf(text, cap, ", %d bytes", f->bytes);
        if (f->bits > 0)
                snprintf(text, cap, ", %d each", f->bits);
        if (f->error_ratio > 0.0)
                snprintf(text, cap, ", %.3g of all", f->error_ratio);
        if (f->kind == WIRE_BAUD_DRIFT)
                snprintf(text, cap, ", %+.3g %%", 100.0 * f->clock_error);
}

void wire_fault_describe(const struct wire_fault *fault, char *text, size_t cap)
{
        static const char *const ways[] = { "", " to the FC", " from the FC", "" };
        char amount[40], chance[40] = "", limit[40] = "", channel[40] = "";
        const char *what = fault->frame_name != NULL ? fault->frame_name : "frames";

        describe_amount(fault, amount, sizeof amount);
        if (fault->probability < 1.0)
                snprintf(chance, sizeof chance, ", %.3g %% of them",
                         100.0 * fault->probability);
        if (fault->count > 0)
                snprintf(limit, sizeof limit, ", at most %d", fault->count);
        if (fault->channel >= 0)
                snprintf(channel, sizeof channel, ", channel %d", fault->channel);
        if (fault->port >= 0)
                snprintf(channel, sizeof channel, ", port %d", fault->port);
        if (fault->kind == WIRE_SILENCE || fault->kind == WIRE_UNPLUG)
                what = "the wire";
        snprintf(text, cap, "%s %s%s%s%s%s%s", deeds[fault->kind], what,
                 ways[fault->directions & WIRE_BOTH], amount, chance, limit, channel);
}
