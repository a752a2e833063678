/* The reference flight controller: sees sensor frames and pilot input, gives motor commands.
 * Estimator -> mission -> position -> altitude -> attitude -> rate -> mixer, one file each; this is
 * the chain. It knows no truth, no clock and no link: time comes with the sensor frames. */
#ifndef MODELS_FC_FC_H
#define MODELS_FC_FC_H

#include "models/fc/params.h"
#include "models/signals.h"

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
