/* A struct for every arrow in the loop: what the flight controller commands, what the
 * body does, what the sensors say. Plain data, SI units, NED world, forward-right-down
 * body, origin at the centre of mass. Everything else includes this file; it includes
 * nothing but vectors. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "models/vec.h"

/* Most of one vehicle. */
#define ROTORS_MAX 8
#define SONARS_MAX 16

/* Flight controller -> ESC. duty is 0 (stop) to 1 (the full range of the ESC's input), in
 * the order of the vehicle file's rotors. */
struct motor_command {
        double duty[ROTORS_MAX];
};

/* Where the body is and how it moves: the first four are integrated, the rest follow from
 * the forces at the same instant. gravity_mps2 acts along +z of NED. */
struct body_state {
        struct vec3 pos_ned_m;
        struct vec3 vel_ned_mps;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;

        struct vec3 accel_ned_mps2; /* of the centre of mass, gravity included */
        struct vec3 rate_dot_body_radps2;
        double gravity_mps2;
};

/* Sensor samples. t_ns is the simulated time at which the quantity was measured. */
struct imu_sample {
        int64_t t_ns;
        struct vec3 accel_body_mps2; /* specific force: 0, 0, -g at rest and level */
        struct vec3 gyro_body_radps;
};

enum gps_fix { GPS_NO_FIX = 0, GPS_FIX_2D = 2, GPS_FIX_3D = 3 };

struct gps_sample {
        int64_t t_ns;
        double lat_rad, lon_rad; /* WGS-84 */
        double height_m; /* above the ellipsoid */
        struct vec3 vel_ned_mps;
        double h_acc_m, v_acc_m, s_acc_mps; /* the receiver's own 1-sigma estimates */
        int satellites;
        enum gps_fix fix;
        uint32_t
                used_prn; /* which satellites: bit PRN - 1; 0: not known; recorded only */
};

struct baro_sample {
        int64_t t_ns;
        double pressure_pa;
        double temperature_k;
        /* What a part with calibration words puts into its registers (BMP180: UT, UP); 0 and 0
         * of a part that has none. */
        int32_t raw_temperature, raw_pressure;
};

/* A Bosch BMP180's EEPROM, under its data sheet's names, and its mode. */
#define BMP180_OVERSAMPLING_MAX 3

struct bmp180_params {
        int16_t ac1, ac2, ac3;
        uint16_t ac4, ac5, ac6;
        int16_t b1, b2, mb, mc, md;
        int oversampling; /* 0 ultra low power to 3 ultra high resolution */
};

struct mag_sample {
        int64_t t_ns;
        struct vec3 field_body_t;
};

struct sonar_sample {
        int64_t t_ns;
        double range_m; /* along the beam; the reported maximum when nothing echoes */
        bool echo;
};

/* Optical flow over the interval that ends at t_ns, about body x and y, right-handed, as MAVLink's
 * OPTICAL_FLOW_RAD: flow includes the turning of the body; without it, flow - gyro, moving
 * towards +y gives a negative x. */
struct flow_sample {
        int64_t t_ns;
        int64_t interval_ns;
        double flow_x_rad, flow_y_rad;
        double gyro_x_rad, gyro_y_rad; /* its own gyroscope, over the same interval */
        int quality; /* 0 (nothing seen) to 255 */
};

/* The power module between the battery and everything else. */
struct power_sample {
        int64_t t_ns;
        double voltage_v, current_a;
        double charge_used_c; /* since the start, as the module counts it */
};

/* An inertial navigation system's own estimate of its pose (Gruber 5.2.7.3). */
struct ins_sample {
        int64_t t_ns;
        struct vec3 pos_ned_m;
        struct vec3 euler_rad; /* roll, pitch, yaw */
};

/* Another vehicle, as measured from this one. */
struct relative_sample {
        int64_t t_ns;
        double range_m; /* 0 without, and so are the angles */
        /* In body axes: from the nose to the right, and up from the plane of nose and right. */
        double azimuth_rad, elevation_rad;
        int32_t peer; /* its number in the rig, which is its address by radio; -1: nobody is near */
        bool has_range, has_bearing;
};

/* Room for any sensor's sample; each begins with its time. */
union sensor_sample {
        int64_t t_ns;
        struct imu_sample imu;
        struct gps_sample gps;
        struct baro_sample baro;
        struct mag_sample mag;
        struct sonar_sample sonar;
        struct flow_sample flow;
        struct power_sample power;
        struct ins_sample ins;
        struct relative_sample relative;
};

/* Where the vehicle truly is, for firmware that takes its attitude or position from the simulator and
 * not from sensors. */
struct pose_sample {
        struct vec3 pos_ned_m; /* from the world's origin */
        struct vec3 vel_ned_mps;
        struct quat q_body_to_ned;
        double dynamic_pressure_pa; /* at a pitot tube without errors that points to the nose */
};

enum sensor {
        SENSOR_IMU,
        SENSOR_GPS,
        SENSOR_BARO,
        SENSOR_MAG,
        SENSOR_SONAR,
        SENSOR_FLOW,
        SENSOR_POWER,
        SENSOR_INS,
        SENSOR_RELATIVE,
        SENSOR_COUNT
};

#define SENSOR_BIT(sensor) (1U << (sensor))

_Static_assert(SENSOR_COUNT <= 32, "sensor_frame.fresh has a bit for each sensor");
_Static_assert(SONARS_MAX <= 32, "sensor_frame.fresh_sonars has a bit for each sonar");

/* What leaves the rig at one tick. Samples whose bit is not in `fresh` are the previous
 * ones. */
struct sensor_frame {
        int64_t t_ns;
        uint32_t fresh; /* SENSOR_BIT(...) of every sample that is new in this frame */
        uint32_t fresh_sonars; /* 1 << i of every sonar that is; fresh has SENSOR_SONAR */
        struct imu_sample imu;
        struct gps_sample gps;
        struct baro_sample baro;
        struct mag_sample mag;
        struct sonar_sample sonar[SONARS_MAX]; /* in the order of the vehicle file */
        struct flow_sample flow;
        struct power_sample power;
        struct ins_sample ins;
        struct relative_sample relative;
        struct pose_sample
                pose; /* new in every frame; no sensor, and not part of the signal's hash */
};

/* Pilot or ground station -> flight controller. */
#define RC_CHANNELS_MAX 16

enum flight_mode {
        MODE_DISARMED, /* motors stopped */
        MODE_ARMED, /* motors idle on the ground */
        MODE_GOTO, /* fly to pos_ned_m and hold it; on the ground: take off first */
        MODE_LAND, /* descend where it is, disarm on the ground */
        MODE_COUNT, /* that can be asked for; what a firmware does of its own accord is also: */
        MODE_RETURN = MODE_COUNT, /* back to where it started */
        MODE_OTHER,
        MODE_MISSION /* along the way-points that it was given before: of a firmware that can hold them */
};

struct setpoint {
        enum flight_mode mode;
        struct vec3 pos_ned_m; /* relative to where the flight controller started */
        double yaw_rad; /* clockwise from north */
};

struct pilot_input {
        struct setpoint setpoint;
        uint16_t rc_us[RC_CHANNELS_MAX]; /* 1000 to 2000; 0: channel not sent */
};

/* A packet by radio between vehicles: the boards' own bytes, which the rig does not read. */
#define PEER_BYTES_MAX 222
#define PEER_ALL       UINT16_MAX /* whoever hears it */

struct peer_packet {
        uint16_t
                peer; /* address of the one that it is for or, when heard, that sent it */
        int16_t power_dbm; /* as heard */
        uint8_t len;
        uint8_t bytes[PEER_BYTES_MAX];
};

/* What a flight controller believes, for the log: never an input of the plant. */
struct fc_estimate {
        struct quat q_body_to_ned;
        struct vec3 pos_ned_m;
        struct vec3 vel_ned_mps;
};

/* What a message from outside says of an aircraft that has a twin here; the rest of it is zero. */
enum twin_said {
        TWIN_POSITION = 1 << 0,
        TWIN_VELOCITY = 1 << 1,
        TWIN_ATTITUDE = 1 << 2,
        TWIN_RATE = 1 << 3,
        TWIN_THROTTLE = 1 << 4,
        TWIN_HEIGHT = 1 << 5, /* by its own sonar */
        TWIN_TIME = 1 << 6, /* measured_ns */
        TWIN_RANGES = 1 << 7 /* its own sonars' */
};

/* In the source's own frame turned to north, east, down. */
struct twin_word {
        uint32_t said; /* enum twin_said */
        int64_t arrived_ns; /* host time; of a log: the time in it */
        int64_t measured_ns; /* by the source's own clock, whose zero is its own */
        struct vec3 pos_ned_m, vel_ned_mps;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;
        double throttle_ratio; /* 0 to 1 */
        double height_m;
        double range_m[SONARS_MAX]; /* INFINITY: nothing */
};
