/* What captures the motor pads of a rig's vehicle, and what is done with them. */
#include "hil/config/rig/rig.h"

#include <string.h>

#include "hil/config/load.h"
#include "hil/config/table.h"
#include "io/capture/fx2lafw.h"

static const char *const use_names[] = { "drive", "watch", NULL };
/* In the order of enum motor_polarity. */
static const char *const polarity_names[] = { "auto", "normal", "inverted", NULL };
static const char *const clock_names[] = { "device", "simulated", NULL };
/* In the order of enum motor_protocol. */
static const char *const protocol_names[] = { "auto",      "PWM",       "ONESHOT125",
                                              "ONESHOT42", "MULTISHOT", "PROSHOT1000",
                                              "DSHOT150",  "DSHOT300",  "DSHOT600",
                                              "DSHOT1200", NULL };

static const struct config_field pads_fields[] = {
        { "source", CONFIG_TEXT,
          "What captures them: fx2, fx2:1-4.2, fx2:0925:3881, "
          "board:uart:/dev/ttyACM1@921600.",
          .size = 160, AT(pads_file, pads.source_text) },
        { "rate_mhz", CONFIG_NUMBER, "Samples per second of an analyzer, in millions.",
          ABOVE(0), AT_MOST(1000), .scale = 1e6, .preset = "24", AT(pads_file, rate_hz) },
        { "use", CONFIG_CHOICE,
          "drive: the pads move the vehicle, in place of what the flight controller "
          "reports; "
          "watch: they are only compared with it.",
          .names = use_names, .preset = "\"drive\"", AT(pads_file, use) },
        { "rotors", CONFIG_INTEGERS,
          "For each rotor in the vehicle file's order, the analyzer's input, from 0. "
          "Left out: "
          "0, 1, 2, ...",
          BETWEEN(0, MOTOR_PADS_MAX - 1), .least = 1, .size = ROTORS_MAX,
          .optional = true, AT(pads_file, rotor),
          .count = offsetof(struct pads_file, rotors) },
        { "protocol", CONFIG_CHOICE, "What the flight controller speaks to its ESCs.",
          .names = protocol_names, .preset = "\"auto\"", AT(pads_file, pads.protocol) },
        { "polarity", CONFIG_CHOICE,
          "Which level the pads rest at, low (normal) or high (inverted). auto tells it "
          "of "
          "DShot; of pulses only where no other fits, else they are taken for normal.",
          .names = polarity_names, .preset = "\"auto\"", AT(pads_file, pads.polarity) },
        { "low_us", CONFIG_NUMBER,
          "PWM pulse that stops a motor; faster relatives of PWM scale with it.",
          ABOVE(0), AT_MOST(3000), .preset = "1000", AT(pads_file, pads.range.low) },
        { "high_us", CONFIG_NUMBER, "PWM pulse of full throttle.", ABOVE(0),
          AT_MOST(3000), .preset = "2000", AT(pads_file, pads.range.high) },
        { "three_d", CONFIG_BOOL,
          "Both directions, with stop in the middle: a motor that turns backwards counts "
          "as stopped.",
          .preset = "false", AT(pads_file, pads.range.three_d) },
        { "glitch_ns", CONFIG_NUMBER, "Pulses shorter than this are noise; 0: none are.",
          BETWEEN(0, 10000), .scale = 1e-9, .preset = "0", AT(pads_file, pads.glitch_s) },
        { "silence_ms", CONFIG_TIME,
          "A pad without a valid frame for this long means a stopped motor, as for an "
          "ESC.",
          BETWEEN(1, 60000), .scale = MS_TO_NS, .preset = "100",
          AT(pads_file, pads.silence_ns) },
        { "clock", CONFIG_CHOICE,
          "device: an analyzer, whose time runs on; simulated: an emulated one, whose "
          "samples "
          "count simulated time. Lockstep needs the second.",
          .names = clock_names, .preset = "\"device\"", AT(pads_file, clock) },
        { "gaps_max", CONFIG_INTEGER,
          "Most gaps in the capture while the pads drive; more make the run void.",
          BETWEEN(0, 1000000), .preset = "0", AT(pads_file, pads.gaps_max) },
        { NULL },
};

const struct config_table config_pads_table = {
        .name = "pads",
        .about = "The board's motor outputs as its ESCs would see them, by a logic "
                 "analyzer or a "
                 "capture board.",
        .field = pads_fields,
};

static bool build_rotors(struct pads_config *p, const struct pads_file *file, int rotors,
                         const struct json *node, struct config_error *why)
{
        bool used[MOTOR_PADS_MAX] = { false };

        if (file->rotors != 0 && file->rotors != rotors)
                return config_refuse_at(
                        why, node, "pads.rotors",
                        "must have %d entries, one for each rotor, has %d", rotors,
                        file->rotors);
        for (int i = 0; i < rotors; i++) {
                p->pad_of_rotor[i] = (uint8_t)(file->rotors == 0 ? i : file->rotor[i]);
                if (used[p->pad_of_rotor[i]])
                        return config_refuse_at(why, node, "pads.rotors",
                                                "has input %d twice", p->pad_of_rotor[i]);
                used[p->pad_of_rotor[i]] = true;
        }
        p->rotors = rotors;
        return true;
}

/* A real analyzer's time runs on while simulated time waits. */
static bool check_clock(const struct pads_config *p, enum pace pace,
                        const struct json *node, struct config_error *why)
{
        if (pace == PACE_LOCKSTEP && !p->simulated_clock)
                return config_refuse_at(
                        why, node, "pads.clock",
                        "must be \"simulated\" in lockstep: the signals of a real board "
                        "run on "
                        "while simulated time waits; fly it with \"pace\": \"realtime\"");
        if (pace == PACE_REALTIME && p->simulated_clock)
                return config_refuse_at(
                        why, node, "pads.clock",
                        "must be \"device\" in real time, is \"simulated\"");
        return true;
}

/* A capture board has a port of its own. */
static bool check_port(const struct pads_config *p, const struct fc_config *fc,
                       const struct json *node, struct config_error *why)
{
        const char *link = p->source_text + strcspn(p->source_text, ":");

        if (p->source.kind != CAPTURE_BOARD)
                return true;
        for (int i = 0; i < fc->links; i++)
                if (strcmp(link + 1, fc->link_text[i]) == 0)
                        return config_refuse_at(
                                why, node, "pads.source",
                                "is the flight controller's own link, %s: a "
                                "capture board needs another",
                                link + 1);
        return true;
}

/* What an analyzer can do, emulated or not; a capture board has a rate of its own. */
static bool check_rate(const struct pads_config *p, const struct json *node,
                       struct config_error *why)
{
        double nearest_hz;
        uint8_t ignored[3];

        if (p->source.kind != CAPTURE_FX2 ||
            fx2lafw_start_encode(ignored, p->source.rate_hz, &nearest_hz))
                return true;
        return config_refuse_at(why, node, "pads.rate_mhz",
                                "must be " FX2LAFW_RATES
                                ", is %.10g; the nearest is %.10g",
                                p->source.rate_hz * 1e-6, nearest_hz * 1e-6);
}

bool config_build_pads(struct pads_config *p, const struct pads_file *file,
                       const struct vehicle_config *v, enum pace pace,
                       const struct json *node, struct config_error *why)
{
        struct link_error reason;
        bool ok;

        *p = file->pads;
        if (!p->used)
                return true;
        if (!config_is_sound(json_member(node, "pads")))
                return false;
        if (!capture_spec_parse(&p->source, p->source_text, &reason))
                return config_refuse_at(why, node, "pads.source", "%s",
                                        reason.text + reason.reason);
        if (p->source.kind == CAPTURE_SR)
                return config_refuse_at(
                        why, node, "pads.source",
                        "must be an analyzer or a capture board, is \"%.80s\": a "
                        "recording does not follow the flight; hilrig capture reads it",
                        p->source_text);
        p->source.rate_hz = file->rate_hz;
        p->drives = file->use == 0;
        p->simulated_clock = file->clock == 1;
        p->source.simulated = p->simulated_clock;
        if (!(p->range.high > p->range.low))
                return config_refuse_at(why, node, "pads.high_us",
                                        "must be above low_us, %g, is %g", p->range.low,
                                        p->range.high);
        ok = check_rate(p, node, why);
        ok = (v->params.rotors == 0 ||
              build_rotors(p, file, v->params.rotors, node, why)) &&
             ok;
        ok = check_clock(p, pace, node, why) && ok;
        return check_port(p, &v->fc, node, why) && ok;
}
