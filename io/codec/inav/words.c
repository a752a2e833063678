/* INAV's flags in words. Sources: INAV 9.1.0, runtime_config.h (armingFlag_e), fc_msp_box.c (boxes). */
#include <stdio.h>
#include <string.h>

#include "io/codec/inav/inav.h"

/* By bit. */
static const char *const blocker[32] = {
        [6] = "geozone",
        [7] = "failsafe",
        [8] = "not level",
        [9] = "sensors calibrating",
        [10] = "processor overloaded",
        [11] = "navigation unsafe (no position yet?)",
        [12] = "compass not calibrated",
        [13] = "accelerometer not calibrated",
        [14] = "arm switch was on too early",
        [15] = "hardware failure",
        [16] = "failsafe switch on",
        [18] = "no radio link",
        [19] = "throttle not low",
        [20] = "command line open",
        [21] = "menu open",
        [22] = "OSD menu open",
        [23] = "roll or pitch stick not centred",
        [24] = "servo autotrim on",
        [25] = "out of memory",
        [26] = "invalid setting",
        [27] = "motor output error",
        [28] = "prearm switch off",
        [29] = "DShot beeper active",
        [30] = "landed with the arm switch on",
};

struct box {
        int id;
        const char *name;
};

static const struct box boxes[] = {
        { 1, "ANGLE" },       { 2, "HORIZON" },
        { 3, "NAV ALTHOLD" }, { 5, "HEADING HOLD" },
        { 10, "NAV RTH" },    { 11, "NAV POSHOLD" },
        { 12, "MANUAL" },     { 28, "NAV WP" },
        { 53, "NAV CRUISE" }, { INAV_BOX_FAILSAFE, "FAILSAFE" },
};

/* Appends what there is room for, after ": " or ", ". */
static void list(char *text, size_t cap, bool first, const char *item)
{
        size_t len = strlen(text);

        snprintf(text + len, cap - len, "%s%s", first ? ": " : ", ", item);
}

void codec_inav_blockers(uint32_t arming_flags, char *text, size_t cap)
{
        bool first = true;

        text[0] = '\0';
        if ((arming_flags & INAV_BLOCKERS) == 0)
                return;
        snprintf(text, cap, "cannot arm");
        for (int bit = 0; bit < 32; bit++) {
                if ((arming_flags & INAV_BLOCKERS) >> bit & 1 && blocker[bit] != NULL) {
                        list(text, cap, first, blocker[bit]);
                        first = false;
                }
        }
}

bool codec_inav_box(const struct codec_inav *i, int permanent_id)
{
        for (int at = 0; at < i->boxes; at++)
                if (i->box_id[at] == permanent_id)
                        return (i->box_flags >> at & 1) != 0;
        return false;
}

void codec_inav_modes(const struct codec_inav *i, char *text, size_t cap)
{
        bool first = true;

        snprintf(text, cap, "flight modes");
        for (size_t at = 0; at < sizeof boxes / sizeof boxes[0]; at++) {
                if (codec_inav_box(i, boxes[at].id)) {
                        list(text, cap, first, boxes[at].name);
                        first = false;
                }
        }
        if (first)
                list(text, cap, true, "none");
}
