/* INAV's sticks and arm switch. Switches (docs/firmware_inav.md): AUX1 high arms, AUX2 high is ANGLE, AUX3
 * ALTHOLD and POSHOLD. It arms when the switch goes up with nothing in the way, and blocks itself when it
 * was up before (updateArmingStatus() in fc_core.c), so the switch waits and is tried again. */
#include "io/codec/inav/inav.h"

#define LOW    1000
#define CENTRE 1500
#define HIGH   1800

#define THROTTLE 2
#define ARM      4
#define ANGLE    5

#define HELD_NS    1000000000 /* up without arming: tried again */
#define LOWERED_NS 300000000

bool codec_inav_can_arm(const struct codec_inav *i)
{
        bool held =
                i->setup.mission == NULL || i->mission.progress.transfer == MISSION_HELD;

        return i->status_known && held &&
               (i->arming_flags & INAV_BLOCKERS & ~INAV_ARM_SWITCH) == 0;
}

bool codec_inav_flies_mission(const struct codec_inav *i)
{
        return i->armed && i->mission_channel > 0 &&
               i->mission.progress.transfer == MISSION_HELD &&
               i->input.setpoint.mode == MODE_MISSION;
}

/* The pilot's own switch counts before the mode. */
bool codec_inav_wanted(const struct codec_inav *i)
{
        uint16_t us = i->input.rc_us[ARM];

        return us != 0 ? us >= CENTRE : i->input.setpoint.mode != MODE_DISARMED;
}

static void turn_switch(struct codec_inav *i, int64_t t_ns, bool on)
{
        if (i->switch_on != on)
                i->switch_ns = t_ns;
        i->switch_on = on;
}

/* Once it has been armed, what it disarms by itself stays disarmed. */
static void keep_switch(struct codec_inav *i, int64_t t_ns)
{
        int64_t since_ns = t_ns - i->switch_ns;

        i->was_armed =
                codec_inav_wanted(i) && (i->was_armed || (i->armed && i->switch_on));
        if (!codec_inav_wanted(i))
                turn_switch(i, t_ns, false);
        else if (i->was_armed)
                turn_switch(i, t_ns, true);
        else if (i->switch_on)
                turn_switch(i, t_ns, codec_inav_can_arm(i) && since_ns < HELD_NS);
        else
                turn_switch(i, t_ns, codec_inav_can_arm(i) && since_ns >= LOWERED_NS);
}

void codec_inav_rc(struct codec_inav *i, int64_t t_ns, uint16_t rc_us[INAV_RC_CHANNELS])
{
        const uint16_t *given_us = i->input.rc_us;

        keep_switch(i, t_ns);
        for (int channel = 0; channel < INAV_RC_CHANNELS; channel++)
                rc_us[channel] = channel < ARM && channel != THROTTLE ? CENTRE : LOW;
        rc_us[ANGLE] = HIGH;
        for (int channel = 0; channel < INAV_RC_CHANNELS; channel++)
                if (given_us[channel] != 0 && !codec_inav_flies_mission(i))
                        rc_us[channel] = given_us[channel];
        rc_us[ARM] = !i->switch_on ? LOW : given_us[ARM] != 0 ? given_us[ARM] : HIGH;
        if (codec_inav_flies_mission(i)) {
                rc_us[THROTTLE] = CENTRE;
                rc_us[i->mission_channel] = i->mission_us;
        }
        /* Sticks that would keep it from arming wait until it is. */
        if (!i->armed) {
                rc_us[0] = rc_us[1] = rc_us[3] = CENTRE;
                rc_us[THROTTLE] = LOW;
        }
}
