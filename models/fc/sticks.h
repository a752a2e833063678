/* A pilot's sticks -> what mission, attitude and thrust are asked for, in the FINken's way: roll, pitch, throttle
 * and yaw (RC channels 1 to 4), angles in proportion to the sticks, yaw as a turn or, as the FINken has it, as
 * a heading. The throttle goes through the FINken's curve to the air stream (finken_height.h), unless the hold
 * channel is on: then the height law keeps the height at which it was switched on.
 *
 * Armed by its own channel or, without one, by the set-point's mode. It flies from takeoff_percent of
 * throttle on; once in the air it stays so until it is disarmed. Channels that do not come any more keep
 * their last value; until the first comes, set-points count. */
#ifndef MODELS_FC_STICKS_H
#define MODELS_FC_STICKS_H

#include "models/fc/laws/params.h"

enum sticks_channel { STICKS_ROLL, STICKS_PITCH, STICKS_THROTTLE, STICKS_YAW };

struct sticks {
        uint16_t rc_us[RC_CHANNELS_MAX]; /* 0: never heard */
        enum flight_mode mode; /* of the last set-point */
        bool holding;
        double hold_down_m;
        bool yaw_known;
        double yaw_rad; /* asked for */
};

/* Takes in what came over the wire. */
void sticks_hear(struct sticks *s, const struct pilot_input *input);

/* -1 to 1; 0 in the middle, within 5 us of it, and for a channel never heard. */
double sticks_deflection(const struct sticks *s, int channel);

/* 0 to 100. */
double sticks_throttle_percent(const struct sticks *s);

/* Whether it is meant to fly. */
bool sticks_up(const struct sticks *s, const struct sticks_params *p);

/* What the sticks ask of the mission; down_m: where it is. False: no stick was ever heard. */
bool sticks_setpoint(struct sticks *s, const struct sticks_params *p, double down_m,
                     struct setpoint *out);

/* The attitude wanted. yaw_rad: its own heading, which on the ground (hold) is the one wanted. */
struct quat sticks_attitude(struct sticks *s, const struct sticks_params *p,
                            double yaw_rad, double dt_s, bool hold);

#endif
