/* Sources: Betaflight and INAV, src/main/msp/msp.c and src/main/fc/fc_msp.c (MSP_MODE_RANGES), and their mixers'
 * tables. */
#include "io/codec/msp_setup.h"

#include <math.h>
#include <stdio.h>

#define RANGE_BYTES                                                                      \
        4 /* a box's permanent id, the channel from AUX1 on, first and last step of 25 us */
#define BOX_ARM    0
#define SAME_PLACE 0.9 /* cosine of the angle between two directions from the centre */

bool msp_arms_by_switch(const struct msp_frame *ranges)
{
        for (int at = 0; at + RANGE_BYTES <= ranges->len; at += RANGE_BYTES)
                if (ranges->payload[at] == BOX_ARM &&
                    ranges->payload[at + 2] < ranges->payload[at + 3])
                        return true;
        return false;
}

/* The only motor in that direction; -1: none, or more than one. */
static int motor_at(const struct msp_mixer_motor *motor, int motors, struct vec3 pos_m)
{
        double away_m = hypot(pos_m.x, pos_m.y);
        int found = -1;

        for (int i = 0; i < motors; i++) {
                double out = hypot(motor[i].roll, motor[i].pitch);

                if (-motor[i].roll * pos_m.y - motor[i].pitch * pos_m.x <=
                    SAME_PLACE * out * away_m)
                        continue;
                if (found >= 0)
                        return -1;
                found = i;
        }
        return found;
}

static size_t print_order(char *text, size_t cap, size_t used, const uint8_t *order,
                          int rotors)
{
        for (int i = 0; i < rotors && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%d",
                                         i > 0 ? ", " : "[", order[i]);
        if (used < cap)
                used += (size_t)snprintf(text + used, cap - used, "]");
        return used < cap ? used : cap - 1;
}

bool msp_order_differs(const struct codec_setup *setup,
                       const struct msp_mixer_motor *motor, int motors,
                       const char *firmware, char *text, size_t cap)
{
        uint8_t order[ROTORS_MAX];
        bool differs = false;
        size_t used;

        for (int rotor = 0; rotor < setup->rotors; rotor++) {
                int at = motor_at(motor, motors, setup->rotor_pos_body_m[rotor]);

                if (at < 0)
                        return false;
                order[rotor] = (uint8_t)at;
                differs |= setup->motor_order[rotor] != at;
        }
        if (!differs)
                return false;
        used = (size_t)snprintf(text, cap, "fc.motor_order: must be ");
        used = print_order(text, cap, used, order, setup->rotors);
        used += (size_t)snprintf(text + used, cap - used, " by %s's mixer, is ",
                                 firmware);
        print_order(text, cap, used < cap ? used : cap - 1, setup->motor_order,
                    setup->rotors);
        return true;
}
