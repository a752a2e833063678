/* Enumerations of MAVLink that the rig uses, by the names and values of common.xml (their entries
 * alone, not all of them). */
#pragma once

/* HEARTBEAT.type, .autopilot, .base_mode, .system_status */
enum {
        MAV_TYPE_GENERIC = 0,
        MAV_TYPE_QUADROTOR = 2,
        MAV_TYPE_GCS = 6,
        MAV_TYPE_HEXAROTOR = 13,
        MAV_TYPE_OCTOROTOR = 14,

        MAV_AUTOPILOT_GENERIC = 0,
        MAV_AUTOPILOT_ARDUPILOTMEGA = 3,
        MAV_AUTOPILOT_INVALID = 8,
        MAV_AUTOPILOT_PX4 = 12,

        MAV_MODE_FLAG_CUSTOM_MODE_ENABLED = 1,
        MAV_MODE_FLAG_AUTO_ENABLED = 4,
        MAV_MODE_FLAG_GUIDED_ENABLED = 8,
        MAV_MODE_FLAG_STABILIZE_ENABLED = 16,
        MAV_MODE_FLAG_HIL_ENABLED = 32,
        MAV_MODE_FLAG_MANUAL_INPUT_ENABLED = 64,
        MAV_MODE_FLAG_SAFETY_ARMED = 128,

        MAV_STATE_UNINIT = 0,
        MAV_STATE_BOOT = 1,
        MAV_STATE_CALIBRATING = 2,
        MAV_STATE_STANDBY = 3,
        MAV_STATE_ACTIVE = 4,
        MAV_STATE_CRITICAL = 5,
        MAV_STATE_EMERGENCY = 6
};

enum {
        MAV_COMP_ID_ALL = 0,
        MAV_COMP_ID_AUTOPILOT1 = 1,
        MAV_COMP_ID_MISSIONPLANNER = 190
};

/* COMMAND_LONG.command, COMMAND_INT.command */
enum {
        MAV_CMD_NAV_LAND = 21,
        MAV_CMD_NAV_TAKEOFF = 22,
        MAV_CMD_CONDITION_YAW = 115,
        MAV_CMD_DO_SET_MODE = 176,
        MAV_CMD_DO_SET_HOME = 179,
        MAV_CMD_DO_FLIGHTTERMINATION = 185,
        MAV_CMD_DO_REPOSITION = 192,
        MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN = 246,
        MAV_CMD_COMPONENT_ARM_DISARM = 400, /* param1: 1 arms; param2: 21196 forces */
        MAV_CMD_RUN_PREARM_CHECKS = 401,
        MAV_CMD_SET_MESSAGE_INTERVAL =
                511, /* param1: id; param2: us, -1 off, 0 default */
        MAV_CMD_REQUEST_MESSAGE = 512 /* param1: id */
};

/* COMMAND_ACK.result */
enum {
        MAV_RESULT_ACCEPTED = 0,
        MAV_RESULT_TEMPORARILY_REJECTED = 1,
        MAV_RESULT_DENIED = 2,
        MAV_RESULT_UNSUPPORTED = 3,
        MAV_RESULT_FAILED = 4,
        MAV_RESULT_IN_PROGRESS = 5,
        MAV_RESULT_CANCELLED = 6
};

/* PARAM_VALUE.param_type, PARAM_SET.param_type */
enum {
        MAV_PARAM_TYPE_UINT8 = 1,
        MAV_PARAM_TYPE_INT8 = 2,
        MAV_PARAM_TYPE_UINT16 = 3,
        MAV_PARAM_TYPE_INT16 = 4,
        MAV_PARAM_TYPE_UINT32 = 5,
        MAV_PARAM_TYPE_INT32 = 6,
        MAV_PARAM_TYPE_REAL32 = 9
};

/* STATUSTEXT.severity */
enum {
        MAV_SEVERITY_EMERGENCY = 0,
        MAV_SEVERITY_ALERT = 1,
        MAV_SEVERITY_CRITICAL = 2,
        MAV_SEVERITY_ERROR = 3,
        MAV_SEVERITY_WARNING = 4,
        MAV_SEVERITY_NOTICE = 5,
        MAV_SEVERITY_INFO = 6,
        MAV_SEVERITY_DEBUG = 7
};

/* SYS_STATUS.onboard_control_sensors_* */
enum {
        MAV_SYS_STATUS_SENSOR_3D_GYRO = 1 << 0,
        MAV_SYS_STATUS_SENSOR_3D_ACCEL = 1 << 1,
        MAV_SYS_STATUS_SENSOR_3D_MAG = 1 << 2,
        MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE = 1 << 3,
        MAV_SYS_STATUS_SENSOR_GPS = 1 << 5,
        MAV_SYS_STATUS_SENSOR_OPTICAL_FLOW = 1 << 6,
        MAV_SYS_STATUS_SENSOR_LASER_POSITION = 1 << 8,
        MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS = 1 << 15,
        MAV_SYS_STATUS_SENSOR_RC_RECEIVER = 1 << 16,
        MAV_SYS_STATUS_SENSOR_BATTERY = 1 << 25,
        MAV_SYS_STATUS_PREARM_CHECK = 1 << 28
};

/* GPS_RAW_INT.fix_type, HIL_GPS.fix_type */
enum {
        GPS_FIX_TYPE_NO_GPS = 0,
        GPS_FIX_TYPE_NO_FIX = 1,
        GPS_FIX_TYPE_2D_FIX = 2,
        GPS_FIX_TYPE_3D_FIX = 3
};

/* EXTENDED_SYS_STATE.landed_state */
enum {
        MAV_LANDED_STATE_UNDEFINED = 0,
        MAV_LANDED_STATE_ON_GROUND = 1,
        MAV_LANDED_STATE_IN_AIR = 2,
        MAV_LANDED_STATE_TAKEOFF = 3,
        MAV_LANDED_STATE_LANDING = 4
};

/* SET_POSITION_TARGET_LOCAL_NED.coordinate_frame, COMMAND_INT.frame, ODOMETRY's frames */
enum {
        MAV_FRAME_GLOBAL = 0,
        MAV_FRAME_LOCAL_NED = 1,
        MAV_FRAME_GLOBAL_RELATIVE_ALT = 3,
        MAV_FRAME_BODY_FRD = 12,
        MAV_FRAME_LOCAL_FRD = 20 /* x forward as it stood at first: not north */
};

/* SET_POSITION_TARGET_LOCAL_NED.type_mask: what is not commanded */
enum {
        POSITION_TARGET_TYPEMASK_X_IGNORE = 1 << 0,
        POSITION_TARGET_TYPEMASK_Y_IGNORE = 1 << 1,
        POSITION_TARGET_TYPEMASK_Z_IGNORE = 1 << 2,
        POSITION_TARGET_TYPEMASK_VX_IGNORE = 1 << 3,
        POSITION_TARGET_TYPEMASK_VY_IGNORE = 1 << 4,
        POSITION_TARGET_TYPEMASK_VZ_IGNORE = 1 << 5,
        POSITION_TARGET_TYPEMASK_AX_IGNORE = 1 << 6,
        POSITION_TARGET_TYPEMASK_AY_IGNORE = 1 << 7,
        POSITION_TARGET_TYPEMASK_AZ_IGNORE = 1 << 8,
        POSITION_TARGET_TYPEMASK_FORCE_SET = 1 << 9,
        POSITION_TARGET_TYPEMASK_YAW_IGNORE = 1 << 10,
        POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE = 1 << 11
};

/* REQUEST_DATA_STREAM.req_stream_id */
enum {
        MAV_DATA_STREAM_ALL = 0,
        MAV_DATA_STREAM_RAW_SENSORS = 1,
        MAV_DATA_STREAM_EXTENDED_STATUS = 2,
        MAV_DATA_STREAM_RC_CHANNELS = 3,
        MAV_DATA_STREAM_POSITION = 6,
        MAV_DATA_STREAM_EXTRA1 = 10,
        MAV_DATA_STREAM_EXTRA2 = 11,
        MAV_DATA_STREAM_EXTRA3 = 12
};

/* HIL_SENSOR.fields_updated */
enum {
        HIL_SENSOR_UPDATED_XACC = 1 << 0,
        HIL_SENSOR_UPDATED_YACC = 1 << 1,
        HIL_SENSOR_UPDATED_ZACC = 1 << 2,
        HIL_SENSOR_UPDATED_XGYRO = 1 << 3,
        HIL_SENSOR_UPDATED_YGYRO = 1 << 4,
        HIL_SENSOR_UPDATED_ZGYRO = 1 << 5,
        HIL_SENSOR_UPDATED_XMAG = 1 << 6,
        HIL_SENSOR_UPDATED_YMAG = 1 << 7,
        HIL_SENSOR_UPDATED_ZMAG = 1 << 8,
        HIL_SENSOR_UPDATED_ABS_PRESSURE = 1 << 9,
        HIL_SENSOR_UPDATED_DIFF_PRESSURE = 1 << 10,
        HIL_SENSOR_UPDATED_PRESSURE_ALT = 1 << 11,
        HIL_SENSOR_UPDATED_TEMPERATURE = 1 << 12
};

/* EKF_STATUS_REPORT.flags, and ESTIMATOR_STATUS.flags as far as the bits are the same */
enum {
        ESTIMATOR_ATTITUDE = 1 << 0,
        ESTIMATOR_VELOCITY_HORIZ = 1 << 1,
        ESTIMATOR_VELOCITY_VERT = 1 << 2,
        ESTIMATOR_POS_HORIZ_REL = 1 << 3,
        ESTIMATOR_POS_HORIZ_ABS = 1 << 4,
        ESTIMATOR_POS_VERT_ABS = 1 << 5,
        ESTIMATOR_CONST_POS_MODE = 1 << 7
};

/* DISTANCE_SENSOR.type, .orientation */
enum {
        MAV_DISTANCE_SENSOR_LASER = 0,
        MAV_DISTANCE_SENSOR_ULTRASOUND = 1,
        MAV_SENSOR_ROTATION_NONE =
                0, /* forwards; from here on clockwise, each by 45 degrees */
        MAV_SENSOR_ROTATION_PITCH_90 = 24, /* upwards */
        MAV_SENSOR_ROTATION_PITCH_270 = 25 /* downwards */
};
