/* MAVLink messages that say where an aircraft is and how it points; part of mavlink_messages.h. Source: common.xml. */
#pragma once

#include <stdint.h>

enum mavlink_pose_id {
        MAVLINK_ATTITUDE = 30,
        MAVLINK_ATTITUDE_QUATERNION = 31,
        MAVLINK_LOCAL_POSITION_NED = 32,
        MAVLINK_GLOBAL_POSITION_INT = 33,
        MAVLINK_ODOMETRY = 331,
};

struct mavlink_attitude {
        uint32_t time_boot_ms; /* ms */
        float roll, pitch, yaw; /* rad */
        float rollspeed, pitchspeed, yawspeed; /* rad/s */
};

struct mavlink_attitude_quaternion {
        uint32_t time_boot_ms; /* ms */
        float q1, q2, q3, q4;
        float rollspeed, pitchspeed, yawspeed; /* rad/s */
        /* Version 2 only: */
        float repr_offset_q[4];
};

struct mavlink_local_position_ned {
        uint32_t time_boot_ms; /* ms */
        float x, y, z; /* m */
        float vx, vy, vz; /* m/s */
};

struct mavlink_global_position_int {
        uint32_t time_boot_ms; /* ms */
        int32_t lat, lon; /* degE7 */
        int32_t alt, relative_alt; /* mm */
        int16_t vx, vy, vz; /* cm/s */
        uint16_t hdg; /* cdeg */
};

struct mavlink_odometry {
        uint64_t time_usec; /* us, since boot or 1970 */
        float x, y, z; /* m, in frame_id */
        float q[4]; /* w x y z, child_frame_id to frame_id */
        float vx, vy, vz; /* m/s, in child_frame_id */
        float rollspeed, pitchspeed, yawspeed; /* rad/s */
        float pose_covariance[21], velocity_covariance[21];
        uint8_t frame_id, child_frame_id; /* MAV_FRAME */
        /* Version 2 only: */
        uint8_t reset_counter, estimator_type;
        int8_t quality; /* % */
};
