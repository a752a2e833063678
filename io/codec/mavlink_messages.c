/* The table of messages. Each field's type and number come from the struct's own declaration; the tests
 * compute every CRC_EXTRA from them and from the names. */
#include "io/codec/mavlink_fields.h"
#include "io/codec/mavlink_messages.h"

static const struct mavlink_field heartbeat[] = {
        FOUR(heartbeat, custom_mode, type, autopilot, base_mode),
        TWO(heartbeat, system_status, mavlink_version),
};

static const struct mavlink_field sys_status[] = {
        FOUR(sys_status, onboard_control_sensors_present, onboard_control_sensors_enabled,
             onboard_control_sensors_health, load),
        FOUR(sys_status, voltage_battery, current_battery, drop_rate_comm, errors_comm),
        FOUR(sys_status, errors_count1, errors_count2, errors_count3, errors_count4),
        FOUR(sys_status, battery_remaining, onboard_control_sensors_present_extended,
             onboard_control_sensors_enabled_extended,
             onboard_control_sensors_health_extended),
};

static const struct mavlink_field system_time[] = {
        TWO(system_time, time_unix_usec, time_boot_ms),
};

static const struct mavlink_field ping[] = {
        FOUR(ping, time_usec, seq, target_system, target_component),
};

static const struct mavlink_field param_request_read[] = {
        TWO(param_request_read, param_index, target_system),
        ONE(param_request_read, target_component),
        ARRAY(param_request_read, param_id),
};

static const struct mavlink_field param_request_list[] = {
        TWO(param_request_list, target_system, target_component),
};

static const struct mavlink_field param_value[] = {
        TWO(param_value, param_value, param_count),
        ONE(param_value, param_index),
        ARRAY(param_value, param_id),
        ONE(param_value, param_type),
};

static const struct mavlink_field param_set[] = {
        TWO(param_set, param_value, target_system),
        ONE(param_set, target_component),
        ARRAY(param_set, param_id),
        ONE(param_set, param_type),
};

static const struct mavlink_field gps_raw_int[] = {
        FOUR(gps_raw_int, time_usec, lat, lon, alt),
        FOUR(gps_raw_int, eph, epv, vel, cog),
        FOUR(gps_raw_int, fix_type, satellites_visible, alt_ellipsoid, h_acc),
        FOUR(gps_raw_int, v_acc, vel_acc, hdg_acc, yaw),
};

static const struct mavlink_field attitude[] = {
        FOUR(attitude, time_boot_ms, roll, pitch, yaw),
        TWO(attitude, rollspeed, pitchspeed),
        ONE(attitude, yawspeed),
};

static const struct mavlink_field attitude_quaternion[] = {
        FOUR(attitude_quaternion, time_boot_ms, q1, q2, q3),
        FOUR(attitude_quaternion, q4, rollspeed, pitchspeed, yawspeed),
        ARRAY(attitude_quaternion, repr_offset_q),
};

static const struct mavlink_field local_position_ned[] = {
        FOUR(local_position_ned, time_boot_ms, x, y, z),
        TWO(local_position_ned, vx, vy),
        ONE(local_position_ned, vz),
};

static const struct mavlink_field global_position_int[] = {
        FOUR(global_position_int, time_boot_ms, lat, lon, alt),
        FOUR(global_position_int, relative_alt, vx, vy, vz),
        ONE(global_position_int, hdg),
};

static const struct mavlink_field odometry[] = {
        FOUR(odometry, time_usec, x, y, z),
        ARRAY(odometry, q),
        TWO(odometry, vx, vy),
        FOUR(odometry, vz, rollspeed, pitchspeed, yawspeed),
        ARRAY(odometry, pose_covariance),
        ARRAY(odometry, velocity_covariance),
        FOUR(odometry, frame_id, child_frame_id, reset_counter, estimator_type),
        ONE(odometry, quality),
};

static const struct mavlink_field servo_output_raw[] = {
        FOUR(servo_output_raw, time_usec, servo1_raw, servo2_raw, servo3_raw),
        FOUR(servo_output_raw, servo4_raw, servo5_raw, servo6_raw, servo7_raw),
        FOUR(servo_output_raw, servo8_raw, port, servo9_raw, servo10_raw),
        FOUR(servo_output_raw, servo11_raw, servo12_raw, servo13_raw, servo14_raw),
        TWO(servo_output_raw, servo15_raw, servo16_raw),
};

static const struct mavlink_field mission_request[] = {
        TWO(mission_request, seq, target_system),
        TWO(mission_request, target_component, mission_type),
};

static const struct mavlink_field mission_set_current[] = {
        TWO(mission_set_current, seq, target_system),
        ONE(mission_set_current, target_component),
};

static const struct mavlink_field mission_current[] = {
        FOUR(mission_current, seq, total, mission_state, mission_mode),
        TWO(mission_current, mission_id, fence_id),
        ONE(mission_current, rally_points_id),
};

static const struct mavlink_field mission_request_list[] = {
        TWO(mission_request_list, target_system, target_component),
        ONE(mission_request_list, mission_type),
};

static const struct mavlink_field mission_count[] = {
        FOUR(mission_count, count, target_system, target_component, mission_type),
        ONE(mission_count, opaque_id),
};

static const struct mavlink_field mission_item_reached[] = {
        ONE(mission_item_reached, seq),
};

static const struct mavlink_field mission_ack[] = {
        FOUR(mission_ack, target_system, target_component, type, mission_type),
        ONE(mission_ack, opaque_id),
};

static const struct mavlink_field mission_item_int[] = {
        FOUR(mission_item_int, param1, param2, param3, param4),
        FOUR(mission_item_int, x, y, z, seq),
        FOUR(mission_item_int, command, target_system, target_component, frame),
        TWO(mission_item_int, current, autocontinue),
        ONE(mission_item_int, mission_type),
};

static const struct mavlink_field rc_channels[] = {
        FOUR(rc_channels, time_boot_ms, chan1_raw, chan2_raw, chan3_raw),
        FOUR(rc_channels, chan4_raw, chan5_raw, chan6_raw, chan7_raw),
        FOUR(rc_channels, chan8_raw, chan9_raw, chan10_raw, chan11_raw),
        FOUR(rc_channels, chan12_raw, chan13_raw, chan14_raw, chan15_raw),
        FOUR(rc_channels, chan16_raw, chan17_raw, chan18_raw, chancount),
        ONE(rc_channels, rssi),
};

static const struct mavlink_field request_data_stream[] = {
        FOUR(request_data_stream, req_message_rate, target_system, target_component,
             req_stream_id),
        ONE(request_data_stream, start_stop),
};

static const struct mavlink_field manual_control[] = {
        FOUR(manual_control, x, y, z, r),
        FOUR(manual_control, buttons, target, buttons2, enabled_extensions),
        FOUR(manual_control, s, t, aux1, aux2),
        FOUR(manual_control, aux3, aux4, aux5, aux6),
};

static const struct mavlink_field rc_channels_override[] = {
        FOUR(rc_channels_override, chan1_raw, chan2_raw, chan3_raw, chan4_raw),
        FOUR(rc_channels_override, chan5_raw, chan6_raw, chan7_raw, chan8_raw),
        FOUR(rc_channels_override, target_system, target_component, chan9_raw,
             chan10_raw),
        FOUR(rc_channels_override, chan11_raw, chan12_raw, chan13_raw, chan14_raw),
        FOUR(rc_channels_override, chan15_raw, chan16_raw, chan17_raw, chan18_raw),
};

static const struct mavlink_field vfr_hud[] = {
        FOUR(vfr_hud, airspeed, groundspeed, alt, climb),
        TWO(vfr_hud, heading, throttle),
};

static const struct mavlink_field command_int[] = {
        FOUR(command_int, param1, param2, param3, param4),
        FOUR(command_int, x, y, z, command),
        FOUR(command_int, target_system, target_component, frame, current),
        ONE(command_int, autocontinue),
};

static const struct mavlink_field command_long[] = {
        FOUR(command_long, param1, param2, param3, param4),
        FOUR(command_long, param5, param6, param7, command),
        TWO(command_long, target_system, target_component),
        ONE(command_long, confirmation),
};

static const struct mavlink_field command_ack[] = {
        FOUR(command_ack, command, result, progress, result_param2),
        TWO(command_ack, target_system, target_component),
};

static const struct mavlink_field set_position_target_local_ned[] = {
        FOUR(set_position_target_local_ned, time_boot_ms, x, y, z),
        FOUR(set_position_target_local_ned, vx, vy, vz, afx),
        FOUR(set_position_target_local_ned, afy, afz, yaw, yaw_rate),
        FOUR(set_position_target_local_ned, type_mask, target_system, target_component,
             coordinate_frame),
};

static const struct mavlink_field hil_actuator_controls[] = {
        TWO(hil_actuator_controls, time_usec, flags),
        ARRAY(hil_actuator_controls, controls),
        ONE(hil_actuator_controls, mode),
};

static const struct mavlink_field hil_sensor[] = {
        FOUR(hil_sensor, time_usec, xacc, yacc, zacc),
        FOUR(hil_sensor, xgyro, ygyro, zgyro, xmag),
        FOUR(hil_sensor, ymag, zmag, abs_pressure, diff_pressure),
        FOUR(hil_sensor, pressure_alt, temperature, fields_updated, id),
};

static const struct mavlink_field timesync[] = {
        FOUR(timesync, tc1, ts1, target_system, target_component),
};

static const struct mavlink_field hil_gps[] = {
        FOUR(hil_gps, time_usec, lat, lon, alt),
        FOUR(hil_gps, eph, epv, vel, vn),
        FOUR(hil_gps, ve, vd, cog, fix_type),
        TWO(hil_gps, satellites_visible, id),
        ONE(hil_gps, yaw),
};

static const struct mavlink_field hil_optical_flow[] = {
        FOUR(hil_optical_flow, time_usec, integration_time_us, integrated_x,
             integrated_y),
        FOUR(hil_optical_flow, integrated_xgyro, integrated_ygyro, integrated_zgyro,
             time_delta_distance_us),
        FOUR(hil_optical_flow, distance, temperature, sensor_id, quality),
};

static const struct mavlink_field hil_state_quaternion[] = {
        ONE(hil_state_quaternion, time_usec),
        ARRAY(hil_state_quaternion, attitude_quaternion),
        FOUR(hil_state_quaternion, rollspeed, pitchspeed, yawspeed, lat),
        FOUR(hil_state_quaternion, lon, alt, vx, vy),
        FOUR(hil_state_quaternion, vz, ind_airspeed, true_airspeed, xacc),
        TWO(hil_state_quaternion, yacc, zacc),
};

static const struct mavlink_field distance_sensor[] = {
        FOUR(distance_sensor, time_boot_ms, min_distance, max_distance, current_distance),
        FOUR(distance_sensor, type, id, orientation, covariance),
        TWO(distance_sensor, horizontal_fov, vertical_fov),
        ARRAY(distance_sensor, quaternion),
        ONE(distance_sensor, signal_quality),
};

static const struct mavlink_field battery_status[] = {
        TWO(battery_status, current_consumed, energy_consumed),
        ONE(battery_status, temperature),
        ARRAY(battery_status, voltages),
        FOUR(battery_status, current_battery, id, battery_function, type),
        TWO(battery_status, battery_remaining, time_remaining),
        ONE(battery_status, charge_state),
        ARRAY(battery_status, voltages_ext),
        TWO(battery_status, mode, fault_bitmask),
};

static const struct mavlink_field autopilot_version[] = {
        FOUR(autopilot_version, capabilities, uid, flight_sw_version,
             middleware_sw_version),
        FOUR(autopilot_version, os_sw_version, board_version, vendor_id, product_id),
        ARRAY(autopilot_version, flight_custom_version),
        ARRAY(autopilot_version, middleware_custom_version),
        ARRAY(autopilot_version, os_custom_version),
        ARRAY(autopilot_version, uid2),
};

static const struct mavlink_field ekf_status_report[] = {
        FOUR(ekf_status_report, velocity_variance, pos_horiz_variance, pos_vert_variance,
             compass_variance),
        TWO(ekf_status_report, terrain_alt_variance, flags),
        ONE(ekf_status_report, airspeed_variance),
};

static const struct mavlink_field estimator_status[] = {
        FOUR(estimator_status, time_usec, vel_ratio, pos_horiz_ratio, pos_vert_ratio),
        FOUR(estimator_status, mag_ratio, hagl_ratio, tas_ratio, pos_horiz_accuracy),
        TWO(estimator_status, pos_vert_accuracy, flags),
};

static const struct mavlink_field home_position[] = {
        FOUR(home_position, latitude, longitude, altitude, x),
        TWO(home_position, y, z),
        ARRAY(home_position, q),
        FOUR(home_position, approach_x, approach_y, approach_z, time_usec),
};

static const struct mavlink_field extended_sys_state[] = {
        TWO(extended_sys_state, vtol_state, landed_state),
};

static const struct mavlink_field statustext[] = {
        ONE(statustext, severity),
        ARRAY(statustext, text),
        TWO(statustext, id, chunk_seq),
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
        MESSAGE(MISSION_REQUEST, mission_request, 230, 4, 5),
        MESSAGE(MISSION_SET_CURRENT, mission_set_current, 28, 4, 4),
        MESSAGE(MISSION_CURRENT, mission_current, 28, 2, 18),
        MESSAGE(MISSION_REQUEST_LIST, mission_request_list, 132, 2, 3),
        MESSAGE(MISSION_COUNT, mission_count, 221, 4, 9),
        MESSAGE(MISSION_CLEAR_ALL, mission_request_list, 232, 2, 3),
        MESSAGE(MISSION_ITEM_REACHED, mission_item_reached, 11, 2, 2),
        MESSAGE(MISSION_ACK, mission_ack, 153, 3, 8),
        MESSAGE(MISSION_REQUEST_INT, mission_request, 196, 4, 5),
        MESSAGE(RC_CHANNELS, rc_channels, 118, 42, 42),
        MESSAGE(REQUEST_DATA_STREAM, request_data_stream, 148, 6, 6),
        MESSAGE(MANUAL_CONTROL, manual_control, 243, 11, 30),
        MESSAGE(RC_CHANNELS_OVERRIDE, rc_channels_override, 124, 18, 38),
        MESSAGE(MISSION_ITEM_INT, mission_item_int, 38, 37, 38),
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
        MESSAGE(ODOMETRY, odometry, 91, 230, 233),
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
