/* The reference flight controller: sees sensor frames and pilot input, gives motor commands.
 * Estimator -> mission -> position -> altitude -> attitude -> rate -> mixer, one file each; this is
 * the chain. It knows no truth, no clock and no link: time comes with the sensor frames. */
#ifndef MODELS_FC_FC_H
#define MODELS_FC_FC_H

#include "models/signals.h"

/* What it must know of its own airframe, and its gains. Constant for a run. */
struct fc_params {
        /* Airframe */
        double mass_kg;
        int rotors;
        struct vec3 rotor_pos_body_m[ROTORS_MAX];
        double rotor_spin[ROTORS_MAX];    /* +1 clockwise seen from above, -1 the other way */
        double thrust_n_per_radps2;
        double torque_nm_per_radps2;
        double speed_full_radps;          /* rotor speed that duty 1 asks for */
        double speed_limit_radps;         /* rotor speed beyond which a command saturates */
        double motor_tau_s;               /* its lag, which the mixer leads; 0: no lead */
        double idle_duty;                 /* armed on the ground */
        double magnetic_declination_rad;  /* east positive: true = magnetic + declination */
        double linear_drag_per_s;         /* drag acceleration per velocity, fed forward */

        /* Estimator */
        double accel_gain_per_s;     /* tilt correction from the accelerometer */
        double mag_gain_per_s;       /* heading correction from the magnetometer */
        double gyro_bias_gain_per_s2;
        double baro_tau_s;           /* time constant of height from baro, */
        double sonar_tau_s;          /* and from sonar where it hears the ground */
        double sonar_max_m;          /* trust it up to here; 0: not used */
        double gps_pos_tau_s, gps_vel_tau_s;
        double gps_delay_s;          /* age of a fix that its sample does not state */

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
        double failsafe_after_s;     /* without sensor frames: land blind, then stop */
        double failsafe_descend_s;   /* how long it descends before the motors stop */
};

#define FC_HISTORY 128 /* past estimates, for fixes that arrive late */

struct fc_estimator {
        bool aligned;              /* attitude found from accelerometer and magnetometer */
        int align_samples;
        struct vec3 align_accel, align_mag, align_gyro;
        int64_t t_ns;              /* of the last IMU sample */
        struct quat q_body_to_ned;
        struct vec3 gyro_bias_radps;
        struct vec3 rate_body_radps;
        struct vec3 accel_ned_mps2; /* without gravity */
        struct vec3 accel_bias_ned_mps2;
        struct vec3 pos_ned_m;     /* from where it was switched on */
        struct vec3 vel_ned_mps;
        double baro_zero_pa;       /* pressure on the ground at the start */
        int baro_samples;
        bool gps_origin;           /* the first good fix gives it */
        int gps_samples;
        double origin_lat_rad, origin_lon_rad, origin_height_m;
        double sonar_ground_m;     /* down coordinate of the ground under the sonar */
        bool sonar_ground_known;
        struct {
                int64_t t_ns;
                struct vec3 pos_ned_m, vel_ned_mps;
        } history[FC_HISTORY];
        unsigned history_next;
        int64_t history_t_ns;
};

enum fc_phase {
        FC_PHASE_STARTING, /* estimator not ready */
        FC_PHASE_READY,    /* disarmed */
        FC_PHASE_IDLE,     /* armed on the ground */
        FC_PHASE_FLYING,
        FC_PHASE_LANDING,
        FC_PHASE_FAILSAFE
};

struct fc {
        struct fc_estimator estimator;
        enum fc_phase phase;
        double phase_s;            /* time in this phase */
        struct setpoint target;    /* what it flies to now */
        struct setpoint asked;     /* the last valid input */
        struct vec3 velocity_integral_mps2;
        struct vec3 rate_integral_nm;
        double climb_integral_mps2;
        double thrust_n;           /* asked of the rotors together */
        struct vec3 torque_nm;
        double rotor_target_radps[ROTORS_MAX]; /* before the motor's lead */
        double rotor_model_radps[ROTORS_MAX];  /* where the motor should be by now */
        double landed_s;           /* how long it has looked landed */
        double silent_s;           /* since the last sensor frame */
        bool failsafe;
        char text[100];            /* why it will not arm, and news; "" when nothing is new */
};

void fc_init(struct fc *fc, const struct fc_params *p);

/* One sensor frame in, one motor command out. The time step comes from the frames' IMU times. */
void fc_step(struct fc *fc, const struct fc_params *p, const struct sensor_frame *frame,
             struct motor_command *out);

/* RC or set-point as it came over the wire; refuses what cannot be (NaN, unknown mode). */
void fc_input(struct fc *fc, const struct pilot_input *input);

/* No sensor frame for another dt_s of the board's own time. */
void fc_silence(struct fc *fc, const struct fc_params *p, double dt_s,
                struct motor_command *out);

bool fc_armed(const struct fc *fc);
enum flight_mode fc_mode(const struct fc *fc);

#endif
