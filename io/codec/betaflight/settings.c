/* The settings without which Betaflight's SITL does not fly, asked for once, before the first packet. One that it does
 * not tell is not blamed. Sources: 4.5.5 and 2026.12, src/main/msp/msp.c; src/main/drivers/motor.c
 * (checkMotorProtocolEnabled()); src/main/rx/rx.c (rxInit()). */
#include <stdio.h>

#include "io/codec/betaflight/betaflight.h"
#include "io/codec/msp_setup.h"
#include "io/le.h"

#define FEATURE_RX_UDP (1U << 1) /* of versions that have a receiver of that kind: */
#define RX_UDP_SINCE   26
#define MIXER_QUAD_X   3
#define PROTOCOL_AT    3
#define COUNT_AT       6

/* motorProtocolTypes_e, and the first that SITL has no outputs for. */
static const char *const protocols[] = { "PWM",       "ONESHOT125", "ONESHOT42",
                                         "MULTISHOT", "BRUSHED",    "DSHOT150",
                                         "DSHOT300",  "DSHOT600",   "PROSHOT1000",
                                         "DISABLED" };
#define PROTOCOLS             ((int)(sizeof protocols / sizeof protocols[0]))
#define FIRST_WITHOUT_OUTPUTS 5

static void judge_protocol(struct codec_betaflight *b, const struct msp_frame *m)
{
        int which = m->len > PROTOCOL_AT ? m->payload[PROTOCOL_AT] : PROTOCOLS;

        if (which >= PROTOCOLS)
                return;
        codec_setting_heard(&b->codec, "motor_pwm_protocol", protocols[which]);
        if (which >= FIRST_WITHOUT_OUTPUTS)
                snprintf(b->refusal, sizeof b->refusal,
                         "motor_pwm_protocol is %s, with which SITL drives no motor: "
                         "type \"set motor_pwm_protocol = PWM\" and \"save\"",
                         protocols[which]);
}

static void judge_motor_count(struct codec_betaflight *b, const struct msp_frame *m)
{
        if (m->len > COUNT_AT && m->payload[COUNT_AT] != b->setup.rotors)
                snprintf(b->refusal, sizeof b->refusal,
                         "its mixer has %d motors, and the vehicle %d rotors%s",
                         m->payload[COUNT_AT], b->setup.rotors,
                         b->setup.rotors == 4 ? ": type \"mixer QUADX\" and \"save\""
                                              : "");
}

/* Motors 2, 3, 4, 1. */
static void judge_mixer(struct codec_betaflight *b, const struct msp_frame *m)
{
        static const struct msp_mixer_motor quad_x[BETAFLIGHT_OUTPUTS] = {
                { -1.0, -1.0 },
                { 1.0, 1.0 },
                { 1.0, -1.0 },
                { -1.0, 1.0 },
        };

        if (m->len > 0 && m->payload[0] == MIXER_QUAD_X)
                msp_order_differs(&b->setup, quad_x, BETAFLIGHT_OUTPUTS, "Betaflight",
                                  b->refusal, sizeof b->refusal);
}

static void judge_ranges(struct codec_betaflight *b, const struct msp_frame *m)
{
        if (m->len > 0 && !msp_arms_by_switch(m))
                snprintf(b->refusal, sizeof b->refusal,
                         "no switch arms it: type \"aux 0 0 0 1700 2100 0 0\" and "
                         "\"save\"");
}

/* Said with what keeps it from arming, and not before: a receiver of another kind may be at a port of its own. */
static void judge_features(struct codec_betaflight *b, const struct msp_frame *m)
{
        b->deaf = m->len >= 4 && b->version[0] >= RX_UDP_SINCE &&
                  (le_get_u32(m->payload) & FEATURE_RX_UDP) == 0;
}

static const struct {
        enum betaflight_command command;
        void (*judge)(struct codec_betaflight *b, const struct msp_frame *m);
} settings[] = {
        { BETAFLIGHT_ADVANCED_CONFIG, judge_protocol },
        { BETAFLIGHT_MOTOR_CONFIG, judge_motor_count },
        { BETAFLIGHT_MIXER_CONFIG, judge_mixer },
        { BETAFLIGHT_MODE_RANGES, judge_ranges },
        { BETAFLIGHT_FEATURE_CONFIG, judge_features },
};

int codec_betaflight_settings(void)
{
        return (int)(sizeof settings / sizeof settings[0]);
}

enum betaflight_command codec_betaflight_setting(int index)
{
        return settings[index].command;
}

/* One that flies has them right, whatever they look like. */
void codec_betaflight_judge_setting(struct codec_betaflight *b, int index,
                                    const struct msp_frame *m)
{
        if (b->phase != BETAFLIGHT_READY)
                settings[index].judge(b, m);
}
