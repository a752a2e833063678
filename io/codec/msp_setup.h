/* What Betaflight and INAV say alike over MSP of how they are set up: the switch that arms, and where their mixer
 * has its motors. */
#pragma once

#include "io/codec/codec.h"
#include "io/codec/msp.h"

/* A motor of the firmware's mixer: -1 to 1 of roll (right is negative) and of pitch (rear is positive). */
struct msp_mixer_motor {
        double roll, pitch;
};

/* Whether the answer to MSP_MODE_RANGES has a range of any channel in which the vehicle is armed. */
bool msp_arms_by_switch(const struct msp_frame *ranges);

/* True if by the firmware's mixer the motors of setup->motor_order stand elsewhere than the vehicle's rotors; `text`
 * then says which order fits. False, too, where that cannot be told: two rotors in one place, or places unknown. */
bool msp_order_differs(const struct codec_setup *setup,
                       const struct msp_mixer_motor *motor, int motors,
                       const char *firmware, char *text, size_t cap);
