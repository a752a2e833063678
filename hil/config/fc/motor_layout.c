/* In which order firmwares count the motors of a quadrotor in X. */
#include "hil/config/fc/fc.h"
#include "hil/config/fc/motor_layout.h"

#include <string.h>

static const struct motor_layout layouts[] = {
        { "betaflight",
          "Betaflight SITL's packet",
          "Betaflight, src/main/target/SITL/sitl.c: motors 2, 3, 4, 1 of quad X",
          { { 1, 1, -1 }, { -1, -1, -1 }, { 1, -1, 1 }, { -1, 1, 1 } } },
        { "inav",
          "INAV quad X",
          "INAV, docs/Mixer.md: rear right, front right, rear left, front left",
          { { -1, 1, 1 }, { 1, 1, -1 }, { -1, -1, -1 }, { 1, -1, 1 } } },
        { "ardupilot",
          "ArduPilot quad X",
          "ArduPilot, Connect ESCs and Motors: front right, rear left, front left, rear "
          "right",
          { { 1, 1, -1 }, { -1, -1, -1 }, { 1, -1, 1 }, { -1, 1, 1 } } },
        { "px4",
          "PX4 quad X",
          "PX4, Airframes Reference: front right, rear left, front left, rear right",
          { { 1, 1, -1 }, { -1, -1, -1 }, { 1, -1, 1 }, { -1, 1, 1 } } },
};

const struct motor_layout *motor_layout_of(const char *codec)
{
        for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
                if (strcmp(layouts[i].codec, codec) == 0)
                        return &layouts[i];
        return NULL;
}

static int sign(double x)
{
        return (x > 0.0) - (x < 0.0);
}

enum motor_layout_fit motor_layout_order(const struct motor_layout *layout,
                                         const struct vehicle_params *p,
                                         uint8_t order[ROTORS_MAX])
{
        int same = 0, found = 0;

        if (p->rotors != 4)
                return MOTOR_LAYOUT_NOT_X;
        for (int i = 0; i < 4; i++) {
                const struct rotor_params *rotor = &p->rotor[i];

                for (int m = 0; m < 4; m++) {
                        if (layout->motor[m].ahead != sign(rotor->pos_body_m.x) ||
                            layout->motor[m].right != sign(rotor->pos_body_m.y))
                                continue;
                        order[i] = (uint8_t)m;
                        found |= 1 << m;
                        same += layout->motor[m].spin == sign(rotor->spin);
                }
        }
        if (found != 0xF)
                return MOTOR_LAYOUT_NOT_X;
        return same == 4 ? MOTOR_LAYOUT_FITS : MOTOR_LAYOUT_OTHER_SPIN;
}
