/* A pilot's sticks -> requests to mission, attitude and thrust, as in the FINken: roll, pitch, throttle
 * and yaw (RC channels 1 to 4), angles in proportion to the sticks, yaw as a rate or, as in the FINken,
 * as a heading. The throttle goes through the FINken's curve to the air stream (finken_height.h),
 * unless the hold channel is on: then the height law keeps the height at which it was switched on.
 *
 * Armed by its own channel or, without one, by the set-point's mode. It flies from takeoff_percent of
 * throttle on; once in the air it stays so until it is disarmed. Channels that stop coming keep their
 * last value; until the first one comes, set-points count. */
#pragma once

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

/* Stores what was received. */
void sticks_hear(struct sticks *s, const struct pilot_input *input);

/* -1 to 1; 0 in the middle, within 5 us of it, and for a channel never heard. */
double sticks_deflection(const struct sticks *s, int channel);

/* 0 to 100. */
double sticks_throttle_percent(const struct sticks *s);

/* Whether it is meant to fly. */
bool sticks_up(const struct sticks *s, const struct sticks_params *p);

/* The sticks' request to the mission; down_m: the vehicle's position. False: no stick was ever heard. */
bool sticks_setpoint(struct sticks *s, const struct sticks_params *p, double down_m,
                     struct setpoint *out);

/* The desired attitude. yaw_rad: the vehicle's heading, which is the desired one on the ground
 * (hold). */
struct quat sticks_attitude(struct sticks *s, const struct sticks_params *p,
                            double yaw_rad, double dt_s, bool hold);
