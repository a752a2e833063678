/* Betaflight's flags in words. Sources: src/main/fc/runtime_config.h (armingDisableFlags_e) of 4.5.6,
 * 2025.12.5 and 2026.6.2; src/main/msp/msp_box.c (boxes). */
#include <stdio.h>
#include <string.h>

#include "io/codec/betaflight/betaflight.h"

#define NO_RECEIVER 2 /* the bit */
#define SHARED      25 /* flags that every version has at the same bit */

/* By bit. */
static const char *const blocker[SHARED] = {
        "no gyroscope",
        "failsafe",
        "no receiver signal",
        "arm switch was on after a failsafe",
        "failsafe switch on",
        "runaway take-off",
        "crash detected",
        "throttle not low",
        "not level (or set small_angle = 180)",
        "starting (boot grace)",
        "prearm switch off",
        "processor overloaded",
        "gyroscope calibrating",
        "command line open",
        "menu open",
        "Bluetooth module",
        "configurator connected (MSP)",
        "paralysed",
        "no GPS position",
        "GPS rescue switch on",
        "no DShot telemetry",
        "reboot required",
        "DShot by bits failed",
        "accelerometer not calibrated",
        "motor protocol is none (set motor_pwm_protocol = PWM)",
};

/* A version is told by how many flags it says that it has; the last is always the arm switch's. */
struct tail {
        int count;
        const char *word[5];
};

static const struct tail tails[] = {
        { 26, { "arm switch was on too early" } },
        { 29,
          { "turtle switch on", "altitude hold switch on", "position hold switch on",
            "arm switch was on too early" } },
        { 30,
          { "turtle switch on", "altitude hold switch on", "position hold switch on",
            "autopilot switch on", "arm switch was on too early" } },
};

struct box {
        int id;
        const char *name;
};

static const struct box boxes[] = {
        { 1, "ANGLE" },       { 2, "HORIZON" },
        { 3, "ALT HOLD" },    { BETAFLIGHT_BOX_FAILSAFE, "FAILSAFE" },
        { 11, "POS HOLD" },   { 35, "TURTLE" },
        { 46, "GPS RESCUE" }, { 56, "AUTOPILOT" },
};

/* Appends what there is room for, after ": " or ", ". */
static void list(char *text, size_t cap, bool first, const char *item)
{
        size_t len = strlen(text);

        snprintf(text + len, cap - len, "%s%s", first ? ": " : ", ", item);
}

uint32_t codec_betaflight_blocks(const struct codec_betaflight *b)
{
        int last = b->arming_flags_count - 1;

        return last >= 0 && last < 32 ? b->arming_flags & ~(UINT32_C(1) << last)
                                      : b->arming_flags;
}

static const char *word_of(int bit, int count)
{
        if (bit < SHARED)
                return blocker[bit];
        for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
                if (tails[i].count == count && bit < count)
                        return tails[i].word[bit - SHARED];
        return NULL;
}

void codec_betaflight_blockers(const struct codec_betaflight *b, char *text, size_t cap)
{
        uint32_t flags = codec_betaflight_blocks(b);
        bool first = true;

        text[0] = '\0';
        if (flags == 0)
                return;
        snprintf(text, cap, "cannot arm");
        for (int bit = 0; bit < 32; bit++) {
                const char *word = word_of(bit, b->arming_flags_count);
                char number[24];

                if ((flags >> bit & 1) == 0)
                        continue;
                snprintf(number, sizeof number, "flag %d", bit);
                if (bit == NO_RECEIVER && b->deaf)
                        word = "no receiver signal (type \"feature RX_UDP\")";
                list(text, cap, first, word != NULL ? word : number);
                first = false;
        }
}

bool codec_betaflight_box(const struct codec_betaflight *b, int permanent_id)
{
        for (int at = 0; at < b->boxes; at++)
                if (b->box_id[at] == permanent_id)
                        return (b->box_flags >> at & 1) != 0;
        return false;
}

void codec_betaflight_modes(const struct codec_betaflight *b, char *text, size_t cap)
{
        bool first = true;

        snprintf(text, cap, "flight modes");
        for (size_t at = 0; at < sizeof boxes / sizeof boxes[0]; at++) {
                if (codec_betaflight_box(b, boxes[at].id)) {
                        list(text, cap, first, boxes[at].name);
                        first = false;
                }
        }
        if (first)
                list(text, cap, true, "none (ACRO)");
}
