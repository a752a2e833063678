/* What the reference flight controller must know about its own airframe, and its gains. Constant
 * for a run. */
#pragma once

#include "models/fc/laws/avoid/avoid_levels.h"
#include "models/fc/laws/avoid/avoid_states.h"
#include "models/fc/flock/flock.h"
#include "models/fc/laws/height_fusion.h"
#include "models/fc/laws/landing_states.h"
#include "models/fc/laws/landing_thesis.h"
#include "models/fc/laws/laws.h"
#include "models/fc/laws/position_thesis.h"
#include "models/fc/laws/avoid/sonar_ring.h"
#include "models/fc/laws/takeoff_states.h"
#include "models/fc/laws/takeoff_thesis.h"
#include "models/signals.h"

/* Faults of a firmware that a rig must catch, planted one at a time; see models/fc/planted.h. */
enum planted_test {
        PLANTED_NONE,
        PLANTED_STUCK_TASK, /* attitude control stops: its last torque stays */
        PLANTED_LATE_LOOP, /* every output is PLANTED_LATE_FRAMES frames old */
        PLANTED_SWAPPED_MOTOR, /* outputs 0 and 1 */
        PLANTED_WRONG_SIGN, /* of the roll rate */
        PLANTED_SLOW_FILTER, /* on the gyroscope, at PLANTED_CUTOFF_HZ */
        PLANTED_TESTS
};

/* Defects that are planted on purpose; see models/fc/planted.h. */
struct planted_params {
        enum planted_test test;
        double delay_s; /* of every output */
        double gain_ratio; /* of the rate loop; 1: as it should be */
        struct vec3 gyro_bias_radps, accel_bias_mps2; /* on top of the sensor's reading */
        double gps_stale_s; /* how much older every fix is than its time */
};

/* Attitude laws, see models/fc/NAME.h. Vectors: x roll, y pitch, z yaw. */
struct kemper_params {
        struct vec3 p_nm_per_rad, i_nm_per_rads, d_nm_per_radps;
};

struct hoffmann_params {
        struct vec3 p_nm_per_rad, i_nm_per_rads, d_nm_per_radps;
        struct vec3 a_kgm2; /* on the angular acceleration, */
        double accel_tau_s; /* that a low-pass smooths */
        double pid_below_mps, pd_above_mps;
};

struct dikmen_params {
        struct vec3 inertia_kgm2; /* principal */
        struct vec3 surface_per_s; /* c */
        struct vec3 reach_radps2, reach_per_s; /* k1, k2 */
        struct vec3 width_radps; /* of the boundary layer; 0: none */
};

/* The FINken's PID. Time is in seconds here; the original counts steps of 50 ms. */
struct finken_gains {
        double p, i_per_s, d_s;
};

struct finken_params {
        /* Attitude */
        struct finken_gains roll_pitch,
                yaw; /* sine of the tilt, rad -> share of the stream */
        double d_tau_s; /* smooths their derivatives */
        /* Throttle and height */
        double stream_full_mps; /* air stream at a throttle of 100 % */
        double stream_hover_mps; /* at which the thrust is the weight */
        double curve_below, curve_above; /* a and b of the throttle curve, %; 0: none */
        double height_p_per_s; /* stream over height error */
        double climb_p; /* stream over climb */
        /* To a target */
        struct finken_gains horizontal; /* m -> rad of tilt */
        struct finken_gains vertical; /* m -> % of throttle */
        double target_tau_s; /* smooths their derivatives */
};

/* The meaning of a pilot's sticks. Channels: index, -1: none. */
struct sticks_params {
        double angle_full_rad; /* tilt of a full stick */
        double yaw_full_radps; /* yaw rate of a full stick, */
        double yaw_full_rad; /* or heading, if not 0 */
        double takeoff_percent; /* throttle from which take-off is intended */
        int arm_channel; /* none: by the set-point's mode */
        int hold_channel; /* holds the height at which it was switched on */
};

/* Filters on the gyroscope's rates before control, and the cascade's D. 0: off. */
struct filter_params {
        double gyro_lowpass_hz; /* Butterworth, second order */
        double gyro_notch_hz, gyro_notch_width_hz;
        struct vec3 rate_d_kgm2;
        double rate_d_tau_s;
};

/* See models/fc/collective.h. Standard deviations; of position in each axis. */
struct collective_params {
        double start_m; /* of where it takes off */
        double drift_mps2; /* of white acceleration by which dead reckoning errs, a square root of Hz */
        double range_m; /* of a distance */
        double gate; /* a distance is not believed that is off by more than so many */
};

struct fc_params {
        /* Airframe */
        double mass_kg;
        int rotors;
        struct vec3 rotor_pos_body_m[ROTORS_MAX];
        double rotor_spin
                [ROTORS_MAX]; /* +1 clockwise seen from above, -1 the other way */
        double thrust_n_per_radps2;
        double torque_nm_per_radps2;
        double speed_full_radps; /* rotor speed that duty 1 asks for */
        double speed_limit_radps; /* rotor speed beyond which a command saturates */
        double motor_tau_s; /* its lag */
        double motor_tau_wanted_s; /* the lag that remains with the lead; motor_tau_s: no lead */
        double idle_duty; /* armed on the ground */
        double magnetic_declination_rad; /* east positive: true = magnetic + declination */
        double linear_drag_per_s; /* drag acceleration per velocity, fed forward */

        /* Estimator */
        double accel_gain_per_s; /* tilt correction from the accelerometer */
        double mag_gain_per_s; /* heading correction from the magnetometer */
        double gyro_bias_gain_per_s2;
        double baro_tau_s; /* time constant of height from baro, */
        double sonar_tau_s; /* and from sonar while it hears the ground */
        double sonar_min_m; /* trusted from here: it is blind below */
        double sonar_max_m; /* trusted up to here; 0: not used */
        double gps_pos_tau_s, gps_vel_tau_s;
        double gps_delay_s; /* age of a fix on top of what its sample states */

        /* Control. Angles and rates: x roll, y pitch, z yaw. */
        struct vec3 attitude_p_per_s;
        struct vec3 rate_max_radps;
        struct vec3 rate_p_nm_per_radps;
        struct vec3 rate_i_nm_per_rad;
        struct vec3 rate_damping_nm_per_radps; /* airframe damping, fed forward */
        struct vec3 torque_max_nm;
        double tilt_max_rad;
        double position_p_per_s;
        double speed_max_mps;
        double velocity_p_per_s, velocity_i_per_s2;
        double altitude_p_per_s;
        double climb_max_mps, descend_max_mps, land_mps;
        double climb_p_per_s, climb_i_per_s2;

        /* Safety */
        double failsafe_after_s; /* without sensor frames: land blind, then stop */
        double failsafe_descend_s; /* how long it descends before the motors stop */

        struct law_params law;
        struct height_fusion_params height_fusion;
        struct takeoff_states_params takeoff_states;
        struct takeoff_thesis_params takeoff_thesis;
        struct landing_states_params landing_states;
        struct landing_thesis_params landing_thesis;
        struct position_thesis_params position_thesis;
        struct sonar_ring_params sonar_ring;
        struct avoid_states_params avoid_states;
        struct avoid_levels_params avoid_levels;
        struct flock_params flock;
        struct collective_params collective;
        struct filter_params filter;
        struct kemper_params kemper;
        struct hoffmann_params hoffmann;
        struct dikmen_params dikmen;
        struct finken_params finken;
        struct sticks_params sticks;
        struct planted_params planted;
};
