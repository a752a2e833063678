/* Betaflight's sticks and arm switch. Channel 5 (AUX1) high arms: docs/firmware_betaflight.md. It arms when
 * the switch goes up with nothing in the way, and blocks itself when it was up before (updateArmingStatus()
 * in src/main/fc/core.c), so the switch waits and is tried again. */
#include "io/codec/betaflight/betaflight.h"

#define LOW    1000
#define CENTRE 1500
#define HIGH   1800

#define HELD_NS    2000000000 /* up without arming: tried again */
#define LOWERED_NS 500000000
/* Without its MSP port nobody tells: its gyroscope was calibrated after 2 to 14 s (seen). */
#define CALIBRATED_NS 15000000000

bool codec_betaflight_can_arm(const struct codec_betaflight *b, int64_t t_ns)
{
        if (b->phase != BETAFLIGHT_READY)
                return false;
        if (codec_betaflight_msp_answers(b, t_ns))
                return b->status_known && codec_betaflight_blocks(b) == 0;
        return t_ns - b->since_ns >= CALIBRATED_NS;
}

/* The pilot's own switch counts before the mode. */
bool codec_betaflight_wanted(const struct codec_betaflight *b)
{
        uint16_t us = b->input.rc_us[BETAFLIGHT_ARM];

        return us != 0 ? us >= CENTRE : b->input.setpoint.mode != MODE_DISARMED;
}

void codec_betaflight_take_input(struct codec_betaflight *b,
                                 const struct pilot_input *input)
{
        b->input = *input;
        if (!codec_betaflight_wanted(b))
                b->was_armed = false;
}

static void turn_switch(struct codec_betaflight *b, int64_t t_ns, bool on)
{
        if (b->switch_on != on)
                b->switch_ns = t_ns;
        b->switch_on = on;
}

/* Once it has been armed, what it disarms by itself stays disarmed. */
static void keep_switch(struct codec_betaflight *b, int64_t t_ns)
{
        int64_t since_ns = t_ns - b->switch_ns;
        bool can = codec_betaflight_can_arm(b, t_ns);

        b->was_armed |= b->armed && codec_betaflight_wanted(b);
        if (!codec_betaflight_wanted(b) || b->phase != BETAFLIGHT_READY)
                turn_switch(b, t_ns, false);
        else if (b->was_armed)
                turn_switch(b, t_ns, true);
        else if (b->switch_on)
                turn_switch(b, t_ns, can && since_ns < HELD_NS);
        else
                turn_switch(b, t_ns, can && since_ns >= LOWERED_NS);
}

void codec_betaflight_rc(struct codec_betaflight *b, int64_t t_ns,
                         uint16_t rc_us[BETAFLIGHT_RC_CHANNELS])
{
        const uint16_t *given_us = b->input.rc_us;

        keep_switch(b, t_ns);
        for (int i = 0; i < BETAFLIGHT_RC_CHANNELS; i++) {
                rc_us[i] = i < BETAFLIGHT_ARM && i != BETAFLIGHT_THROTTLE ? CENTRE : LOW;
                if (given_us[i] != 0)
                        rc_us[i] = given_us[i];
        }
        rc_us[BETAFLIGHT_ARM] = !b->switch_on                   ? LOW
                                : given_us[BETAFLIGHT_ARM] != 0 ? given_us[BETAFLIGHT_ARM]
                                                                : HIGH;
        /* A throttle that would keep it from arming waits until it is. */
        if (!b->was_armed)
                rc_us[BETAFLIGHT_THROTTLE] = LOW;
}
