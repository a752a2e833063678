/* The MAVLink messages that the rig speaks: a struct in wire units for each, and one table of their
 * fields, from which they are packed and unpacked. Source: the public message definitions minimal.xml,
 * standard.xml, common.xml, and ardupilotmega.xml for EKF_STATUS_REPORT; names, units and enumerations are
 * theirs. Fields stand as on the wire: by size, then the extensions. */
#pragma once

#include "io/codec/mavlink_mission_messages.h"
#include "io/codec/mavlink_pack.h"
#include "io/codec/mavlink_pose_messages.h"

enum mavlink_id {
        MAVLINK_HEARTBEAT = 0,
        MAVLINK_SYS_STATUS = 1,
        MAVLINK_SYSTEM_TIME = 2,
        MAVLINK_PING = 4,
        MAVLINK_PARAM_REQUEST_READ = 20,
        MAVLINK_PARAM_REQUEST_LIST = 21,
        MAVLINK_PARAM_VALUE = 22,
        MAVLINK_PARAM_SET = 23,
        MAVLINK_GPS_RAW_INT = 24,
        MAVLINK_SERVO_OUTPUT_RAW = 36,
        MAVLINK_RC_CHANNELS = 65,
        MAVLINK_REQUEST_DATA_STREAM = 66,
        MAVLINK_MANUAL_CONTROL = 69,
        MAVLINK_RC_CHANNELS_OVERRIDE = 70,
        MAVLINK_VFR_HUD = 74,
        MAVLINK_COMMAND_INT = 75,
        MAVLINK_COMMAND_LONG = 76,
        MAVLINK_COMMAND_ACK = 77,
        MAVLINK_SET_POSITION_TARGET_LOCAL_NED = 84,
        MAVLINK_HIL_ACTUATOR_CONTROLS = 93,
        MAVLINK_HIL_SENSOR = 107,
        MAVLINK_TIMESYNC = 111,
        MAVLINK_HIL_GPS = 113,
        MAVLINK_HIL_OPTICAL_FLOW = 114,
        MAVLINK_HIL_STATE_QUATERNION = 115,
        MAVLINK_DISTANCE_SENSOR = 132,
        MAVLINK_BATTERY_STATUS = 147,
        MAVLINK_AUTOPILOT_VERSION = 148,
        MAVLINK_EKF_STATUS_REPORT = 193,
        MAVLINK_ESTIMATOR_STATUS = 230,
        MAVLINK_HOME_POSITION = 242,
        MAVLINK_EXTENDED_SYS_STATE = 245,
        MAVLINK_STATUSTEXT = 253,
};

struct mavlink_heartbeat {
        uint32_t custom_mode;
        uint8_t type, autopilot, base_mode, system_status, mavlink_version;
};

struct mavlink_sys_status {
        uint32_t onboard_control_sensors_present, onboard_control_sensors_enabled;
        uint32_t onboard_control_sensors_health;
        uint16_t load; /* d% */
        uint16_t voltage_battery; /* mV */
        int16_t current_battery; /* cA */
        uint16_t drop_rate_comm; /* c% */
        uint16_t errors_comm, errors_count1, errors_count2, errors_count3, errors_count4;
        int8_t battery_remaining; /* % */
        /* Version 2 only: */
        uint32_t onboard_control_sensors_present_extended;
        uint32_t onboard_control_sensors_enabled_extended;
        uint32_t onboard_control_sensors_health_extended;
};

struct mavlink_system_time {
        uint64_t time_unix_usec; /* us */
        uint32_t time_boot_ms; /* ms */
};

struct mavlink_ping {
        uint64_t time_usec; /* us */
        uint32_t seq;
        uint8_t target_system, target_component;
};

struct mavlink_param_request_read {
        int16_t param_index;
        uint8_t target_system, target_component;
        char param_id[16];
};

struct mavlink_param_request_list {
        uint8_t target_system, target_component;
};

struct mavlink_param_value {
        float param_value;
        uint16_t param_count, param_index;
        char param_id[16];
        uint8_t param_type;
};

struct mavlink_param_set {
        float param_value;
        uint8_t target_system, target_component;
        char param_id[16];
        uint8_t param_type;
};

struct mavlink_gps_raw_int {
        uint64_t time_usec; /* us */
        int32_t lat, lon; /* degE7 */
        int32_t alt; /* mm */
        uint16_t eph, epv;
        uint16_t vel; /* cm/s */
        uint16_t cog; /* cdeg */
        uint8_t fix_type, satellites_visible;
        /* Version 2 only: */
        int32_t alt_ellipsoid; /* mm */
        uint32_t h_acc, v_acc; /* mm */
        uint32_t vel_acc; /* mm/s */
        uint32_t hdg_acc; /* degE5 */
        uint16_t yaw; /* cdeg */
};

struct mavlink_servo_output_raw {
        uint32_t time_usec; /* us */
        union { /* us */
                struct {
                        uint16_t servo1_raw, servo2_raw, servo3_raw, servo4_raw;
                        uint16_t servo5_raw, servo6_raw, servo7_raw, servo8_raw;
                };
                uint16_t servo_raw[8];
        };
        uint8_t port;
        /* Version 2 only: */
        union { /* us */
                struct {
                        uint16_t servo9_raw, servo10_raw, servo11_raw, servo12_raw;
                        uint16_t servo13_raw, servo14_raw, servo15_raw, servo16_raw;
                };
                uint16_t servo9_to_16_raw[8];
        };
};

struct mavlink_rc_channels {
        uint32_t time_boot_ms; /* ms */
        union { /* us */
                struct {
                        uint16_t chan1_raw, chan2_raw, chan3_raw, chan4_raw;
                        uint16_t chan5_raw, chan6_raw, chan7_raw, chan8_raw;
                        uint16_t chan9_raw, chan10_raw, chan11_raw, chan12_raw;
                        uint16_t chan13_raw, chan14_raw, chan15_raw, chan16_raw;
                        uint16_t chan17_raw, chan18_raw;
                };
                uint16_t chan_raw[18];
        };
        uint8_t chancount, rssi;
};

struct mavlink_request_data_stream {
        uint16_t req_message_rate; /* Hz */
        uint8_t target_system, target_component, req_stream_id, start_stop;
};

struct mavlink_manual_control {
        int16_t x, y, z, r;
        uint16_t buttons;
        uint8_t target;
        /* Version 2 only: */
        uint16_t buttons2;
        uint8_t enabled_extensions;
        int16_t s, t, aux1, aux2, aux3, aux4, aux5, aux6;
};

struct mavlink_rc_channels_override {
        union { /* us */
                struct {
                        uint16_t chan1_raw, chan2_raw, chan3_raw, chan4_raw;
                        uint16_t chan5_raw, chan6_raw, chan7_raw, chan8_raw;
                };
                uint16_t chan_raw[8];
        };
        uint8_t target_system, target_component;
        /* Version 2 only: */
        union { /* us */
                struct {
                        uint16_t chan9_raw, chan10_raw, chan11_raw, chan12_raw;
                        uint16_t chan13_raw, chan14_raw, chan15_raw, chan16_raw;
                        uint16_t chan17_raw, chan18_raw;
                };
                uint16_t chan9_to_18_raw[10];
        };
};

struct mavlink_vfr_hud {
        float airspeed, groundspeed; /* m/s */
        float alt; /* m */
        float climb; /* m/s */
        int16_t heading; /* deg */
        uint16_t throttle; /* % */
};

struct mavlink_command_int {
        float param1, param2, param3, param4;
        int32_t x, y;
        float z;
        uint16_t command;
        uint8_t target_system, target_component, frame, current, autocontinue;
};

struct mavlink_command_long {
        float param1, param2, param3, param4, param5, param6, param7;
        uint16_t command;
        uint8_t target_system, target_component, confirmation;
};

struct mavlink_command_ack {
        uint16_t command;
        uint8_t result;
        /* Version 2 only: */
        uint8_t progress; /* % */
        int32_t result_param2;
        uint8_t target_system, target_component;
};

struct mavlink_set_position_target_local_ned {
        uint32_t time_boot_ms; /* ms */
        float x, y, z; /* m */
        float vx, vy, vz; /* m/s */
        float afx, afy, afz; /* m/s/s */
        float yaw; /* rad */
        float yaw_rate; /* rad/s */
        uint16_t type_mask;
        uint8_t target_system, target_component, coordinate_frame;
};

struct mavlink_hil_actuator_controls {
        uint64_t time_usec; /* us */
        uint64_t flags;
        float controls[16];
        uint8_t mode;
};

struct mavlink_hil_sensor {
        uint64_t time_usec; /* us */
        float xacc, yacc, zacc; /* m/s/s */
        float xgyro, ygyro, zgyro; /* rad/s */
        float xmag, ymag, zmag; /* gauss */
        float abs_pressure, diff_pressure; /* hPa */
        float pressure_alt;
        float temperature; /* degC */
        uint32_t fields_updated;
        /* Version 2 only: */
        uint8_t id;
};

struct mavlink_timesync {
        int64_t tc1, ts1; /* ns */
        /* Version 2 only: */
        uint8_t target_system, target_component;
};

struct mavlink_hil_gps {
        uint64_t time_usec; /* us */
        int32_t lat, lon; /* degE7 */
        int32_t alt; /* mm */
        uint16_t eph, epv;
        uint16_t vel; /* cm/s */
        int16_t vn, ve, vd; /* cm/s */
        uint16_t cog; /* cdeg */
        uint8_t fix_type, satellites_visible;
        /* Version 2 only: */
        uint8_t id;
        uint16_t yaw; /* cdeg */
};

struct mavlink_hil_optical_flow {
        uint64_t time_usec; /* us */
        uint32_t integration_time_us; /* us */
        float integrated_x, integrated_y, integrated_xgyro, integrated_ygyro; /* rad */
        float integrated_zgyro; /* rad */
        uint32_t time_delta_distance_us; /* us */
        float distance; /* m */
        int16_t temperature; /* cdegC */
        uint8_t sensor_id, quality;
};

struct mavlink_hil_state_quaternion {
        uint64_t time_usec; /* us */
        float attitude_quaternion[4];
        float rollspeed, pitchspeed, yawspeed; /* rad/s */
        int32_t lat, lon; /* degE7 */
        int32_t alt; /* mm */
        int16_t vx, vy, vz; /* cm/s */
        uint16_t ind_airspeed, true_airspeed; /* cm/s */
        int16_t xacc, yacc, zacc; /* mG */
};

struct mavlink_distance_sensor {
        uint32_t time_boot_ms; /* ms */
        uint16_t min_distance, max_distance, current_distance; /* cm */
        uint8_t type, id, orientation;
        uint8_t covariance; /* cm^2 */
        /* Version 2 only: */
        float horizontal_fov, vertical_fov; /* rad */
        float quaternion[4];
        uint8_t signal_quality; /* % */
};

struct mavlink_battery_status {
        int32_t current_consumed; /* mAh */
        int32_t energy_consumed; /* hJ */
        int16_t temperature; /* cdegC */
        uint16_t voltages[10]; /* mV */
        int16_t current_battery; /* cA */
        uint8_t id, battery_function, type;
        int8_t battery_remaining; /* % */
        /* Version 2 only: */
        int32_t time_remaining; /* s */
        uint8_t charge_state;
        uint16_t voltages_ext[4]; /* mV */
        uint8_t mode;
        uint32_t fault_bitmask;
};

struct mavlink_autopilot_version {
        uint64_t capabilities, uid;
        uint32_t flight_sw_version, middleware_sw_version, os_sw_version, board_version;
        uint16_t vendor_id, product_id;
        uint8_t flight_custom_version[8], middleware_custom_version[8];
        uint8_t os_custom_version[8];
        /* Version 2 only: */
        uint8_t uid2[18];
};

struct mavlink_ekf_status_report {
        float velocity_variance, pos_horiz_variance, pos_vert_variance, compass_variance;
        float terrain_alt_variance;
        uint16_t flags;
        /* Version 2 only: */
        float airspeed_variance;
};

struct mavlink_estimator_status {
        uint64_t time_usec; /* us */
        float vel_ratio, pos_horiz_ratio, pos_vert_ratio, mag_ratio, hagl_ratio;
        float tas_ratio;
        float pos_horiz_accuracy, pos_vert_accuracy; /* m */
        uint16_t flags;
};

struct mavlink_home_position {
        int32_t latitude, longitude; /* degE7 */
        int32_t altitude; /* mm */
        float x, y, z; /* m */
        float q[4];
        float approach_x, approach_y, approach_z; /* m */
        /* Version 2 only: */
        uint64_t time_usec; /* us */
};

struct mavlink_extended_sys_state {
        uint8_t vtol_state, landed_state;
};

struct mavlink_statustext {
        uint8_t severity;
        char text[50];
        /* Version 2 only: */
        uint16_t id;
        uint8_t chunk_seq;
};
