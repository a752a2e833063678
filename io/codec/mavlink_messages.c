/* The table of messages. Each field's type and number come from the struct's own declaration; the tests
 * compute every CRC_EXTRA from them and from the names. */
#include "io/codec/mavlink_messages.h"

/* clang-format off */
#define TYPE_OF(value)                    \
        _Generic((value),                 \
                char: MAVLINK_CHAR,       \
                uint8_t: MAVLINK_U8,      \
                int8_t: MAVLINK_I8,       \
                uint16_t: MAVLINK_U16,    \
                int16_t: MAVLINK_I16,     \
                uint32_t: MAVLINK_U32,    \
                int32_t: MAVLINK_I32,     \
                uint64_t: MAVLINK_U64,    \
                int64_t: MAVLINK_I64,     \
                float: MAVLINK_FLOAT)
/* clang-format on */

#define MEMBER(message, field) (((struct mavlink_##message *)0)->field)

#define ONE(message, field)                                                              \
        {                                                                                \
#field, TYPE_OF(MEMBER(message, field)),                                 \
                        offsetof(struct mavlink_##message, field), 0                     \
        }

#define ARRAY(message, field)                                                            \
        {                                                                                \
#field, TYPE_OF(MEMBER(message, field)[0]),                              \
                        offsetof(struct mavlink_##message, field),                       \
                        sizeof MEMBER(message, field) / sizeof MEMBER(message, field)[0] \
        }

static const struct mavlink_field heartbeat[] = {
        ONE(heartbeat, custom_mode),   ONE(heartbeat, type),
        ONE(heartbeat, autopilot),     ONE(heartbeat, base_mode),
        ONE(heartbeat, system_status), ONE(heartbeat, mavlink_version),
};

static const struct mavlink_field sys_status[] = {
        ONE(sys_status, onboard_control_sensors_present),
        ONE(sys_status, onboard_control_sensors_enabled),
        ONE(sys_status, onboard_control_sensors_health),
        ONE(sys_status, load),
        ONE(sys_status, voltage_battery),
        ONE(sys_status, current_battery),
        ONE(sys_status, drop_rate_comm),
        ONE(sys_status, errors_comm),
        ONE(sys_status, errors_count1),
        ONE(sys_status, errors_count2),
        ONE(sys_status, errors_count3),
        ONE(sys_status, errors_count4),
        ONE(sys_status, battery_remaining),
        ONE(sys_status, onboard_control_sensors_present_extended),
        ONE(sys_status, onboard_control_sensors_enabled_extended),
        ONE(sys_status, onboard_control_sensors_health_extended),
};

static const struct mavlink_field system_time[] = {
        ONE(system_time, time_unix_usec),
        ONE(system_time, time_boot_ms),
};

static const struct mavlink_field ping[] = {
        ONE(ping, time_usec),
        ONE(ping, seq),
        ONE(ping, target_system),
        ONE(ping, target_component),
};

static const struct mavlink_field param_request_read[] = {
        ONE(param_request_read, param_index),
        ONE(param_request_read, target_system),
        ONE(param_request_read, target_component),
        ARRAY(param_request_read, param_id),
};

static const struct mavlink_field param_request_list[] = {
        ONE(param_request_list, target_system),
        ONE(param_request_list, target_component),
};

static const struct mavlink_field param_value[] = {
        ONE(param_value, param_value), ONE(param_value, param_count),
        ONE(param_value, param_index), ARRAY(param_value, param_id),
        ONE(param_value, param_type),
};

static const struct mavlink_field param_set[] = {
        ONE(param_set, param_value),      ONE(param_set, target_system),
        ONE(param_set, target_component), ARRAY(param_set, param_id),
        ONE(param_set, param_type),
};

static const struct mavlink_field gps_raw_int[] = {
        ONE(gps_raw_int, time_usec),     ONE(gps_raw_int, lat),
        ONE(gps_raw_int, lon),           ONE(gps_raw_int, alt),
        ONE(gps_raw_int, eph),           ONE(gps_raw_int, epv),
        ONE(gps_raw_int, vel),           ONE(gps_raw_int, cog),
        ONE(gps_raw_int, fix_type),      ONE(gps_raw_int, satellites_visible),
        ONE(gps_raw_int, alt_ellipsoid), ONE(gps_raw_int, h_acc),
        ONE(gps_raw_int, v_acc),         ONE(gps_raw_int, vel_acc),
        ONE(gps_raw_int, hdg_acc),       ONE(gps_raw_int, yaw),
};

static const struct mavlink_field attitude[] = {
        ONE(attitude, time_boot_ms), ONE(attitude, roll),      ONE(attitude, pitch),
        ONE(attitude, yaw),          ONE(attitude, rollspeed), ONE(attitude, pitchspeed),
        ONE(attitude, yawspeed),
};

static const struct mavlink_field attitude_quaternion[] = {
        ONE(attitude_quaternion, time_boot_ms),
        ONE(attitude_quaternion, q1),
        ONE(attitude_quaternion, q2),
        ONE(attitude_quaternion, q3),
        ONE(attitude_quaternion, q4),
        ONE(attitude_quaternion, rollspeed),
        ONE(attitude_quaternion, pitchspeed),
        ONE(attitude_quaternion, yawspeed),
        ARRAY(attitude_quaternion, repr_offset_q),
};

static const struct mavlink_field local_position_ned[] = {
        ONE(local_position_ned, time_boot_ms),
        ONE(local_position_ned, x),
        ONE(local_position_ned, y),
        ONE(local_position_ned, z),
        ONE(local_position_ned, vx),
        ONE(local_position_ned, vy),
        ONE(local_position_ned, vz),
};

static const struct mavlink_field global_position_int[] = {
        ONE(global_position_int, time_boot_ms), ONE(global_position_int, lat),
        ONE(global_position_int, lon),          ONE(global_position_int, alt),
        ONE(global_position_int, relative_alt), ONE(global_position_int, vx),
        ONE(global_position_int, vy),           ONE(global_position_int, vz),
        ONE(global_position_int, hdg),
};

static const struct mavlink_field servo_output_raw[] = {
        ONE(servo_output_raw, time_usec),   ONE(servo_output_raw, servo1_raw),
        ONE(servo_output_raw, servo2_raw),  ONE(servo_output_raw, servo3_raw),
        ONE(servo_output_raw, servo4_raw),  ONE(servo_output_raw, servo5_raw),
        ONE(servo_output_raw, servo6_raw),  ONE(servo_output_raw, servo7_raw),
        ONE(servo_output_raw, servo8_raw),  ONE(servo_output_raw, port),
        ONE(servo_output_raw, servo9_raw),  ONE(servo_output_raw, servo10_raw),
        ONE(servo_output_raw, servo11_raw), ONE(servo_output_raw, servo12_raw),
        ONE(servo_output_raw, servo13_raw), ONE(servo_output_raw, servo14_raw),
        ONE(servo_output_raw, servo15_raw), ONE(servo_output_raw, servo16_raw),
};

static const struct mavlink_field rc_channels[] = {
        ONE(rc_channels, time_boot_ms), ONE(rc_channels, chan1_raw),
        ONE(rc_channels, chan2_raw),    ONE(rc_channels, chan3_raw),
        ONE(rc_channels, chan4_raw),    ONE(rc_channels, chan5_raw),
        ONE(rc_channels, chan6_raw),    ONE(rc_channels, chan7_raw),
        ONE(rc_channels, chan8_raw),    ONE(rc_channels, chan9_raw),
        ONE(rc_channels, chan10_raw),   ONE(rc_channels, chan11_raw),
        ONE(rc_channels, chan12_raw),   ONE(rc_channels, chan13_raw),
        ONE(rc_channels, chan14_raw),   ONE(rc_channels, chan15_raw),
        ONE(rc_channels, chan16_raw),   ONE(rc_channels, chan17_raw),
        ONE(rc_channels, chan18_raw),   ONE(rc_channels, chancount),
        ONE(rc_channels, rssi),
};

static const struct mavlink_field request_data_stream[] = {
        ONE(request_data_stream, req_message_rate),
        ONE(request_data_stream, target_system),
        ONE(request_data_stream, target_component),
        ONE(request_data_stream, req_stream_id),
        ONE(request_data_stream, start_stop),
};

static const struct mavlink_field manual_control[] = {
        ONE(manual_control, x),        ONE(manual_control, y),
        ONE(manual_control, z),        ONE(manual_control, r),
        ONE(manual_control, buttons),  ONE(manual_control, target),
        ONE(manual_control, buttons2), ONE(manual_control, enabled_extensions),
        ONE(manual_control, s),        ONE(manual_control, t),
        ONE(manual_control, aux1),     ONE(manual_control, aux2),
        ONE(manual_control, aux3),     ONE(manual_control, aux4),
        ONE(manual_control, aux5),     ONE(manual_control, aux6),
};

static const struct mavlink_field rc_channels_override[] = {
        ONE(rc_channels_override, chan1_raw),
        ONE(rc_channels_override, chan2_raw),
        ONE(rc_channels_override, chan3_raw),
        ONE(rc_channels_override, chan4_raw),
        ONE(rc_channels_override, chan5_raw),
        ONE(rc_channels_override, chan6_raw),
        ONE(rc_channels_override, chan7_raw),
        ONE(rc_channels_override, chan8_raw),
        ONE(rc_channels_override, target_system),
        ONE(rc_channels_override, target_component),
        ONE(rc_channels_override, chan9_raw),
        ONE(rc_channels_override, chan10_raw),
        ONE(rc_channels_override, chan11_raw),
        ONE(rc_channels_override, chan12_raw),
        ONE(rc_channels_override, chan13_raw),
        ONE(rc_channels_override, chan14_raw),
        ONE(rc_channels_override, chan15_raw),
        ONE(rc_channels_override, chan16_raw),
        ONE(rc_channels_override, chan17_raw),
        ONE(rc_channels_override, chan18_raw),
};

static const struct mavlink_field vfr_hud[] = {
        ONE(vfr_hud, airspeed), ONE(vfr_hud, groundspeed), ONE(vfr_hud, alt),
        ONE(vfr_hud, climb),    ONE(vfr_hud, heading),     ONE(vfr_hud, throttle),
};

static const struct mavlink_field command_int[] = {
        ONE(command_int, param1),
        ONE(command_int, param2),
        ONE(command_int, param3),
        ONE(command_int, param4),
        ONE(command_int, x),
        ONE(command_int, y),
        ONE(command_int, z),
        ONE(command_int, command),
        ONE(command_int, target_system),
        ONE(command_int, target_component),
        ONE(command_int, frame),
        ONE(command_int, current),
        ONE(command_int, autocontinue),
};

static const struct mavlink_field command_long[] = {
        ONE(command_long, param1),        ONE(command_long, param2),
        ONE(command_long, param3),        ONE(command_long, param4),
        ONE(command_long, param5),        ONE(command_long, param6),
        ONE(command_long, param7),        ONE(command_long, command),
        ONE(command_long, target_system), ONE(command_long, target_component),
        ONE(command_long, confirmation),
};

static const struct mavlink_field command_ack[] = {
        ONE(command_ack, command),       ONE(command_ack, result),
        ONE(command_ack, progress),      ONE(command_ack, result_param2),
        ONE(command_ack, target_system), ONE(command_ack, target_component),
};

static const struct mavlink_field set_position_target_local_ned[] = {
        ONE(set_position_target_local_ned, time_boot_ms),
        ONE(set_position_target_local_ned, x),
        ONE(set_position_target_local_ned, y),
        ONE(set_position_target_local_ned, z),
        ONE(set_position_target_local_ned, vx),
        ONE(set_position_target_local_ned, vy),
        ONE(set_position_target_local_ned, vz),
        ONE(set_position_target_local_ned, afx),
        ONE(set_position_target_local_ned, afy),
        ONE(set_position_target_local_ned, afz),
        ONE(set_position_target_local_ned, yaw),
        ONE(set_position_target_local_ned, yaw_rate),
        ONE(set_position_target_local_ned, type_mask),
        ONE(set_position_target_local_ned, target_system),
        ONE(set_position_target_local_ned, target_component),
        ONE(set_position_target_local_ned, coordinate_frame),
};

static const struct mavlink_field hil_actuator_controls[] = {
        ONE(hil_actuator_controls, time_usec),
        ONE(hil_actuator_controls, flags),
        ARRAY(hil_actuator_controls, controls),
        ONE(hil_actuator_controls, mode),
};

static const struct mavlink_field hil_sensor[] = {
        ONE(hil_sensor, time_usec),      ONE(hil_sensor, xacc),
        ONE(hil_sensor, yacc),           ONE(hil_sensor, zacc),
        ONE(hil_sensor, xgyro),          ONE(hil_sensor, ygyro),
        ONE(hil_sensor, zgyro),          ONE(hil_sensor, xmag),
        ONE(hil_sensor, ymag),           ONE(hil_sensor, zmag),
        ONE(hil_sensor, abs_pressure),   ONE(hil_sensor, diff_pressure),
        ONE(hil_sensor, pressure_alt),   ONE(hil_sensor, temperature),
        ONE(hil_sensor, fields_updated), ONE(hil_sensor, id),
};

static const struct mavlink_field timesync[] = {
        ONE(timesync, tc1),
        ONE(timesync, ts1),
        ONE(timesync, target_system),
        ONE(timesync, target_component),
};

static const struct mavlink_field hil_gps[] = {
        ONE(hil_gps, time_usec),
        ONE(hil_gps, lat),
        ONE(hil_gps, lon),
        ONE(hil_gps, alt),
        ONE(hil_gps, eph),
        ONE(hil_gps, epv),
        ONE(hil_gps, vel),
        ONE(hil_gps, vn),
        ONE(hil_gps, ve),
        ONE(hil_gps, vd),
        ONE(hil_gps, cog),
        ONE(hil_gps, fix_type),
        ONE(hil_gps, satellites_visible),
        ONE(hil_gps, id),
        ONE(hil_gps, yaw),
};

static const struct mavlink_field hil_optical_flow[] = {
        ONE(hil_optical_flow, time_usec),
        ONE(hil_optical_flow, integration_time_us),
        ONE(hil_optical_flow, integrated_x),
        ONE(hil_optical_flow, integrated_y),
        ONE(hil_optical_flow, integrated_xgyro),
        ONE(hil_optical_flow, integrated_ygyro),
        ONE(hil_optical_flow, integrated_zgyro),
        ONE(hil_optical_flow, time_delta_distance_us),
        ONE(hil_optical_flow, distance),
        ONE(hil_optical_flow, temperature),
        ONE(hil_optical_flow, sensor_id),
        ONE(hil_optical_flow, quality),
};

static const struct mavlink_field hil_state_quaternion[] = {
        ONE(hil_state_quaternion, time_usec),
        ARRAY(hil_state_quaternion, attitude_quaternion),
        ONE(hil_state_quaternion, rollspeed),
        ONE(hil_state_quaternion, pitchspeed),
        ONE(hil_state_quaternion, yawspeed),
        ONE(hil_state_quaternion, lat),
        ONE(hil_state_quaternion, lon),
        ONE(hil_state_quaternion, alt),
        ONE(hil_state_quaternion, vx),
        ONE(hil_state_quaternion, vy),
        ONE(hil_state_quaternion, vz),
        ONE(hil_state_quaternion, ind_airspeed),
        ONE(hil_state_quaternion, true_airspeed),
        ONE(hil_state_quaternion, xacc),
        ONE(hil_state_quaternion, yacc),
        ONE(hil_state_quaternion, zacc),
};

static const struct mavlink_field distance_sensor[] = {
        ONE(distance_sensor, time_boot_ms),   ONE(distance_sensor, min_distance),
        ONE(distance_sensor, max_distance),   ONE(distance_sensor, current_distance),
        ONE(distance_sensor, type),           ONE(distance_sensor, id),
        ONE(distance_sensor, orientation),    ONE(distance_sensor, covariance),
        ONE(distance_sensor, horizontal_fov), ONE(distance_sensor, vertical_fov),
        ARRAY(distance_sensor, quaternion),   ONE(distance_sensor, signal_quality),
};

static const struct mavlink_field battery_status[] = {
        ONE(battery_status, current_consumed),
        ONE(battery_status, energy_consumed),
        ONE(battery_status, temperature),
        ARRAY(battery_status, voltages),
        ONE(battery_status, current_battery),
        ONE(battery_status, id),
        ONE(battery_status, battery_function),
        ONE(battery_status, type),
        ONE(battery_status, battery_remaining),
        ONE(battery_status, time_remaining),
        ONE(battery_status, charge_state),
        ARRAY(battery_status, voltages_ext),
        ONE(battery_status, mode),
        ONE(battery_status, fault_bitmask),
};

static const struct mavlink_field autopilot_version[] = {
        ONE(autopilot_version, capabilities),
        ONE(autopilot_version, uid),
        ONE(autopilot_version, flight_sw_version),
        ONE(autopilot_version, middleware_sw_version),
        ONE(autopilot_version, os_sw_version),
        ONE(autopilot_version, board_version),
        ONE(autopilot_version, vendor_id),
        ONE(autopilot_version, product_id),
        ARRAY(autopilot_version, flight_custom_version),
        ARRAY(autopilot_version, middleware_custom_version),
        ARRAY(autopilot_version, os_custom_version),
        ARRAY(autopilot_version, uid2),
};

static const struct mavlink_field ekf_status_report[] = {
        ONE(ekf_status_report, velocity_variance),
        ONE(ekf_status_report, pos_horiz_variance),
        ONE(ekf_status_report, pos_vert_variance),
        ONE(ekf_status_report, compass_variance),
        ONE(ekf_status_report, terrain_alt_variance),
        ONE(ekf_status_report, flags),
        ONE(ekf_status_report, airspeed_variance),
};

static const struct mavlink_field estimator_status[] = {
        ONE(estimator_status, time_usec),
        ONE(estimator_status, vel_ratio),
        ONE(estimator_status, pos_horiz_ratio),
        ONE(estimator_status, pos_vert_ratio),
        ONE(estimator_status, mag_ratio),
        ONE(estimator_status, hagl_ratio),
        ONE(estimator_status, tas_ratio),
        ONE(estimator_status, pos_horiz_accuracy),
        ONE(estimator_status, pos_vert_accuracy),
        ONE(estimator_status, flags),
};

static const struct mavlink_field home_position[] = {
        ONE(home_position, latitude),   ONE(home_position, longitude),
        ONE(home_position, altitude),   ONE(home_position, x),
        ONE(home_position, y),          ONE(home_position, z),
        ARRAY(home_position, q),        ONE(home_position, approach_x),
        ONE(home_position, approach_y), ONE(home_position, approach_z),
        ONE(home_position, time_usec),
};

static const struct mavlink_field extended_sys_state[] = {
        ONE(extended_sys_state, vtol_state),
        ONE(extended_sys_state, landed_state),
};

static const struct mavlink_field statustext[] = {
        ONE(statustext, severity),
        ARRAY(statustext, text),
        ONE(statustext, id),
        ONE(statustext, chunk_seq),
};

#define MESSAGE(NAME, fields, crc_extra, len_v1, len)                                    \
        {                                                                                \
                MAVLINK_##NAME, #NAME, crc_extra, len, len_v1,                           \
                        sizeof fields / sizeof fields[0],                                \
                        sizeof(struct mavlink_##fields), fields                          \
        }

/* In the order of their ids: CRC_EXTRA, length in version 1, and in version 2. */
static const struct mavlink_message messages[] = {
        MESSAGE(HEARTBEAT, heartbeat, 50, 9, 9),
        MESSAGE(SYS_STATUS, sys_status, 124, 31, 43),
        MESSAGE(SYSTEM_TIME, system_time, 137, 12, 12),
        MESSAGE(PING, ping, 237, 14, 14),
        MESSAGE(PARAM_REQUEST_READ, param_request_read, 214, 20, 20),
        MESSAGE(PARAM_REQUEST_LIST, param_request_list, 159, 2, 2),
        MESSAGE(PARAM_VALUE, param_value, 220, 25, 25),
        MESSAGE(PARAM_SET, param_set, 168, 23, 23),
        MESSAGE(GPS_RAW_INT, gps_raw_int, 24, 30, 52),
        MESSAGE(ATTITUDE, attitude, 39, 28, 28),
        MESSAGE(ATTITUDE_QUATERNION, attitude_quaternion, 246, 32, 48),
        MESSAGE(LOCAL_POSITION_NED, local_position_ned, 185, 28, 28),
        MESSAGE(GLOBAL_POSITION_INT, global_position_int, 104, 28, 28),
        MESSAGE(SERVO_OUTPUT_RAW, servo_output_raw, 222, 21, 37),
        MESSAGE(RC_CHANNELS, rc_channels, 118, 42, 42),
        MESSAGE(REQUEST_DATA_STREAM, request_data_stream, 148, 6, 6),
        MESSAGE(MANUAL_CONTROL, manual_control, 243, 11, 30),
        MESSAGE(RC_CHANNELS_OVERRIDE, rc_channels_override, 124, 18, 38),
        MESSAGE(VFR_HUD, vfr_hud, 20, 20, 20),
        MESSAGE(COMMAND_INT, command_int, 158, 35, 35),
        MESSAGE(COMMAND_LONG, command_long, 152, 33, 33),
        MESSAGE(COMMAND_ACK, command_ack, 143, 3, 10),
        MESSAGE(SET_POSITION_TARGET_LOCAL_NED, set_position_target_local_ned, 143, 53,
                53),
        MESSAGE(HIL_ACTUATOR_CONTROLS, hil_actuator_controls, 47, 81, 81),
        MESSAGE(HIL_SENSOR, hil_sensor, 108, 64, 65),
        MESSAGE(TIMESYNC, timesync, 34, 16, 18),
        MESSAGE(HIL_GPS, hil_gps, 124, 36, 39),
        MESSAGE(HIL_OPTICAL_FLOW, hil_optical_flow, 237, 44, 44),
        MESSAGE(HIL_STATE_QUATERNION, hil_state_quaternion, 4, 64, 64),
        MESSAGE(DISTANCE_SENSOR, distance_sensor, 85, 14, 39),
        MESSAGE(BATTERY_STATUS, battery_status, 154, 36, 54),
        MESSAGE(AUTOPILOT_VERSION, autopilot_version, 178, 60, 78),
        MESSAGE(EKF_STATUS_REPORT, ekf_status_report, 71, 22, 26),
        MESSAGE(ESTIMATOR_STATUS, estimator_status, 163, 42, 42),
        MESSAGE(HOME_POSITION, home_position, 104, 52, 60),
        MESSAGE(EXTENDED_SYS_STATE, extended_sys_state, 130, 2, 2),
        MESSAGE(STATUSTEXT, statustext, 83, 51, 54),
        { .name = NULL },
};

const struct mavlink_message *mavlink_message_all(void)
{
        return messages;
}

const struct mavlink_message *mavlink_message_find(uint32_t id)
{
        size_t low = 0, high = sizeof messages / sizeof messages[0] - 1;

        while (low < high) {
                size_t mid = (low + high) / 2;

                if (messages[mid].id == id)
                        return &messages[mid];
                if (messages[mid].id < id)
                        low = mid + 1;
                else
                        high = mid;
        }
        return NULL;
}
