/* The settings without which INAV does not fly by the rig, asked for once, in its greeting. One that it does not tell is
 * not blamed. Sources: INAV 9.1.0, src/main/fc/fc_msp.c (mspSettingInfoCommand(), MSP2_COMMON_MOTOR_MIXER), settings.yaml. */
#include <stdio.h>
#include <string.h>

#include "io/codec/inav/inav.h"
#include "io/codec/msp_setup.h"
#include "io/le.h"

#define MIXER_BYTES                                                                      \
        8 /* throttle, roll, pitch, yaw: 1000 more than 1000 times 1 and each of them */
#define MIXER_ZERO 2000
/* Behind a setting's name: group, type, section, mode, least, most, index, profile and their number. */
#define INFO_BYTES    17
#define LOOKUP_MODE   0x40
#define MODE_AT       4
#define LEAST_AT      5
#define MOST_AT       9
#define NAME_CAP      40
#define PLATFORM      "MULTIROTOR"
#define TYPE_AND_SAVE "type \"set %s = %s\" and \"save\""

/* The words of a setting's value. */
struct choice {
        char is[NAME_CAP];
        bool known; /* the firmware has the one that is wanted */
};

static bool read_choice(const struct msp_frame *m, const char *wanted, struct choice *c)
{
        const char *text = (const char *)m->payload;
        size_t name = strnlen(text, m->len) + 1, at = name + INFO_BYTES;
        int least, most, value;

        *c = (struct choice){ 0 };
        if (at + 1 >= m->len || (m->payload[name + MODE_AT] & LOOKUP_MODE) == 0)
                return false;
        least = (int)le_get_u32(m->payload + name + LEAST_AT);
        most = (int)le_get_u32(m->payload + name + MOST_AT);
        value = m->payload[m->len - 1];
        for (int i = least; i <= most && i <= UINT8_MAX && at < m->len; i++) {
                size_t len = strnlen(text + at, m->len - at);

                if (i == value)
                        snprintf(c->is, sizeof c->is, "%.*s", (int)len, text + at);
                c->known |= strlen(wanted) == len && memcmp(text + at, wanted, len) == 0;
                at += len + 1;
        }
        return c->is[0] != '\0';
}

static void refuse_choice(struct codec_inav *i, const struct msp_frame *m,
                          const char *setting, const char *wanted)
{
        struct choice c;

        if (!read_choice(m, wanted, &c))
                return;
        codec_copy_words(c.is, sizeof c.is, c.is, strlen(c.is));
        codec_setting_heard(&i->codec, setting, c.is);
        if (!c.known || strcmp(c.is, wanted) == 0)
                return;
        snprintf(i->refusal, sizeof i->refusal, "%s is %s: " TYPE_AND_SAVE, setting, c.is,
                 setting, wanted);
}

#define RECEIVER_V2 "MSP"
#define RECEIVER_V3 "SIM (SITL)"

/* With the receiver of the other dialect it may be that which is wrong. */
static void judge_receiver(struct codec_inav *i, const struct msp_frame *m)
{
        size_t len;
        struct choice c;

        if (i->setup.receiver)
                return;
        refuse_choice(i, m, "receiver_type", i->v2 ? RECEIVER_V2 : RECEIVER_V3);
        len = strlen(i->refusal);
        if (len > 0 && codec_inav_has_v3(i) &&
            read_choice(m, i->v2 ? RECEIVER_V3 : RECEIVER_V2, &c) &&
            strcmp(c.is, i->v2 ? RECEIVER_V3 : RECEIVER_V2) == 0)
                snprintf(i->refusal + len, sizeof i->refusal - len,
                         ", or set fc.dialect to \"%s\"", i->v2 ? "v3" : "v2");
}

static void judge_platform(struct codec_inav *i, const struct msp_frame *m)
{
        if (i->setup.rotors >= 4)
                refuse_choice(i, m, "platform_type", PLATFORM);
}

static double mixer_share(const struct msp_frame *m, int motor, int column)
{
        return (le_get_u16(m->payload + MIXER_BYTES * motor + 2 * column) - MIXER_ZERO) *
               1e-3;
}

static void judge_mixer(struct codec_inav *i, const struct msp_frame *m)
{
        struct msp_mixer_motor motor[ROTORS_MAX];
        int motors = 0;

        while (motors < ROTORS_MAX && MIXER_BYTES * (motors + 1) <= m->len &&
               mixer_share(m, motors, 0) > 0.0) {
                motor[motors].roll = mixer_share(m, motors, 1);
                motor[motors].pitch = mixer_share(m, motors, 2);
                motors++;
        }
        if (m->len >= MIXER_BYTES * ROTORS_MAX && motors != i->setup.rotors)
                snprintf(i->refusal, sizeof i->refusal,
                         "its mixer has %d motors, and the vehicle %d rotors: set its "
                         "mixer with \"mmix\"",
                         motors, i->setup.rotors);
        else
                msp_order_differs(&i->setup, motor, motors, "INAV", i->refusal,
                                  sizeof i->refusal);
}

/* Of MSP_MODE_RANGES: box, channel behind the first four, first and last step of 25 us from 900. */
#define RANGE_BYTES 4

/* The channel and the middle of the first range that makes it fly its mission; not that which arms. */
static void find_mission_switch(struct codec_inav *i, const struct msp_frame *m)
{
        i->mission_channel = 0;
        for (int at = 0; at + RANGE_BYTES <= m->len && i->mission_channel == 0;
             at += RANGE_BYTES) {
                const uint8_t *range = m->payload + at;

                if (range[0] != INAV_BOX_MISSION || range[1] == 0 ||
                    range[1] >= INAV_RC_CHANNELS - 4 || range[2] >= range[3])
                        continue;
                i->mission_channel = 4 + range[1];
                i->mission_us = (uint16_t)(900 + 25 * (range[2] + range[3]) / 2);
        }
}

static void judge_ranges(struct codec_inav *i, const struct msp_frame *m)
{
        find_mission_switch(i, m);
        if (m->len > 0 && !msp_arms_by_switch(m))
                snprintf(i->refusal, sizeof i->refusal,
                         "no switch arms it: type \"aux 0 0 0 1700 2100\" and \"save\"");
        else if (m->len > 0 && i->setup.mission != NULL && i->mission_channel == 0)
                snprintf(i->refusal, sizeof i->refusal,
                         "no switch flies its mission: type \"aux 4 28 3 1700 2100\" and "
                         "\"save\"");
}

static const struct {
        enum inav_command command;
        const char *name; /* of a setting; NULL: the command asks for one thing */
        void (*judge)(struct codec_inav *i, const struct msp_frame *m);
} settings[] = {
        { INAV_SETTING_INFO, "platform_type", judge_platform },
        { INAV_MOTOR_MIXER, NULL, judge_mixer },
        { INAV_SETTING_INFO, "receiver_type", judge_receiver },
        { INAV_MODE_RANGES, NULL, judge_ranges },
};

_Static_assert(sizeof settings / sizeof settings[0] == INAV_SETTINGS, "as many as asked");

enum inav_command codec_inav_setting(int index, const char **name)
{
        *name = settings[index].name;
        return settings[index].command;
}

void codec_inav_judge_setting(struct codec_inav *i, int index, const struct msp_frame *m)
{
        settings[index].judge(i, m);
}
