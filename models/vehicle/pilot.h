/* A pilot at the sticks, for firmware that is flown by nothing else: sees where the vehicle truly is,
 * and moves the sticks of an angle mode as the set-point asks. Take-off, holding a place and a
 * heading, landing. Two cascades (position over velocity to tilt, height over climb to throttle)
 * with integrals, so that neither a wrong hover throttle nor steady wind leaves an error. */
#pragma once

#include "models/signals.h"

/* The first four channels, in the order that Betaflight, INAV, ArduPilot and PX4 take by default. */
enum pilot_channel { PILOT_ROLL, PILOT_PITCH, PILOT_THROTTLE, PILOT_YAW };

struct pilot_params {
        int64_t period_ns; /* how often the sticks move; 0: no pilot */
        double hover_ratio; /* throttle at which it hovers, 0 to 1 */
        double angle_full_rad; /* tilt that a full stick asks for */
        double yaw_full_radps; /* turn that a full stick asks for */
        int arm_channel; /* index; -1: none */
        int armed_us, disarmed_us;
        /* While the scenario gives this channel 1500 us or more the firmware holds place and height
         * itself, and the sticks stay in the middle but for the heading; -1: none. */
        int hold_channel;

        double position_p_per_s, speed_max_mps, velocity_p_per_s, velocity_i_per_s2;
        double tilt_max_rad;
        double height_p_per_s, climb_max_mps, climb_p_per_s, climb_i_per_s2;
        double land_mps;
        double heading_p_per_s, turn_max_radps;
};

struct pilot {
        int64_t next_ns; /* of the sticks' next move */
        enum flight_mode mode; /* asked at the last move */
        struct vec3 hold_ned_m; /* where LAND began */
        struct vec3 velocity_integral_mps2; /* north, east */
        double climb_integral_mps2;
        int still; /* moves for which a landing has stood on the ground */
        uint16_t rc_us[RC_CHANNELS_MAX]; /* the sticks as they are */
};

void pilot_init(struct pilot *pilot, const struct pilot_params *p);

/* At t_ns: moves the sticks if it is time to. asked: the scenario's set-point, and the channels that it
 * moves itself (not 0), which win. start_ned_m: what set-points count from. on_ground: the gear
 * touches. True when a stick has moved. */
bool pilot_step(struct pilot *pilot, const struct pilot_params *p,
                const struct body_state *truth, bool on_ground,
                const struct pilot_input *asked, struct vec3 start_ned_m, int64_t t_ns);
