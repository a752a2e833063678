/* What run.ulg says, topic by topic. ULog allows any alignment, but larger fields stand before
 * smaller ones for readers that assume it. */
#include <math.h>
#include <stddef.h>

#include "hil/record/topics.h"

#define GAUSS_PER_T 1e4

/* PX4's constants for vehicle_status, distance_sensor and battery_status. */
#define HIL_STATE_ON      1
#define TYPE_ROTARY_WING  1
#define SENSOR_ULTRASOUND 1
#define REMAINING_UNKNOWN -1.0

/* Where its struct is in a reader's record. */
#define AS(member)      offsetof(struct topic_record, member)
#define IN(row, member) offsetof(struct row, member), sizeof(((struct row *)0)->member)

/* Logged only, read as well, the same in every record, or put by its writer (record_sensors.c). */
#define PUT(name, type, count, unit, row, member)                                        \
        {                                                                                \
                name, TOPIC_##type, count, unit, false, IN(row, member), 0.0             \
        }
#define READ(name, type, count, unit, row, member)                                       \
        {                                                                                \
                name, TOPIC_##type, count, unit, true, IN(row, member), 0.0              \
        }
#define SCALED(name, type, count, unit, row, member, scale)                              \
        {                                                                                \
                name, TOPIC_##type, count, unit, true, IN(row, member), scale            \
        }
#define FIXED(name, type, count, value)                                                  \
        {                                                                                \
                name, TOPIC_##type, count, "", false, 0, 0, value                        \
        }
#define MADE(name, type, count, unit)                                                    \
        {                                                                                \
                name, TOPIC_##type, count, unit, false, 0, 0, 0.0                        \
        }

#define VALID FIXED("xy_valid z_valid v_xy_valid v_z_valid", BOOL, 4, 1)

/* clang-format off */
const struct topic record_topic_table[TOPIC_COUNT] = {
[TOPIC_TICK] = { "hilrig_tick", false, AS(tick), {
        READ("tick", U64, 1, "", tick_record, tick),
        READ("duty", F64, ROTORS_MAX, "", tick_record, command.duty),
        READ("lateness_ns", I32, 1, "ns", tick_record, lateness_ns),
        READ("compute_ns", I32, 1, "ns", tick_record, compute_ns),
        READ("loop_ns", I32, 1, "ns", tick_record, loop_ns),
        READ("vehicle", U8, 1, "", tick_record, vehicle),
        READ("missed", FLAG, 1, "", tick_record, missed),
        READ("frame_sent", FLAG, 1, "", tick_record, frame_sent),
        READ("contact", FLAG, 1, "", tick_record, contact),
        PUT("armed", FLAG, 1, "", tick_record, armed) } },
[TOPIC_ROTORS] = { "hilrig_rotors", false, AS(tick), {
        READ("speed_radps", F32, ROTORS_MAX, "rad/s", tick_record, rotor_speed_radps),
        PUT("inflow_mps", F32, ROTORS_MAX, "m/s", tick_record, inflow_mps) } },
[TOPIC_SURROUNDINGS] = { "hilrig_surroundings", false, AS(tick), {
        READ("wind_ned_mps", F32, 3, "m/s", tick_record, wind_ned_mps),
        READ("battery_v", F32, 1, "V", tick_record, battery_v),
        READ("battery_a", F32, 1, "A", tick_record, current_a),
        READ("height_m", F32, 1, "m", tick_record, height_m),
        PUT("impact_mps", F32, 1, "m/s", tick_record, impact_mps),
        PUT("obstacle", I32, 1, "", tick_record, obstacle) } },
[TOPIC_EVENT] = { "hilrig_event", false, AS(event), {
        READ("impact_mps", F64, 1, "m/s", event_record, impact_mps),
        READ("obstacle", I32, 1, "", event_record, obstacle),
        READ("step", I32, 1, "", event_record, step),
        READ("kind", U8, 1, "", event_record, kind),
        READ("what", CHARS, EVENT_TEXT_MAX, "", event_record, what) } },
[TOPIC_RANGES] = { "hilrig_real_ranges", false, AS(ranges), {
        READ("range_m", F64, SONARS_MAX, "m", ranges_record, range_m) } },
[TOPIC_TWIN] = { "hilrig_twin", false, AS(twin), {
        READ("pos_ned_m", F64, 3, "m", twin_record, word.pos_ned_m),
        READ("vel_ned_mps", F64, 3, "m/s", twin_record, word.vel_ned_mps),
        READ("q", F64, 4, "", twin_record, word.q_body_to_ned),
        READ("rate_body_radps", F64, 3, "rad/s", twin_record, word.rate_body_radps),
        READ("throttle_ratio", F64, 1, "", twin_record, word.throttle_ratio),
        READ("height_m", F64, 1, "m", twin_record, word.height_m),
        READ("arrived_ns", I64, 1, "ns", twin_record, word.arrived_ns),
        READ("measured_ns", I64, 1, "ns", twin_record, word.measured_ns),
        READ("delay_ns", I64, 1, "ns", twin_record, delay_ns),
        READ("wrong_m", F64, 1, "m", twin_record, wrong_m),
        READ("wrong_rad", F64, 1, "rad", twin_record, wrong_rad),
        READ("said", U32, 1, "", twin_record, word.said) } },
[TOPIC_PADS] = { "hilrig_pads", false, AS(pads), {
        PUT("measured", F32, ROTORS_MAX, "", topic_pads, pads.measured),
        PUT("reported", F32, ROTORS_MAX, "", topic_pads, pads.reported),
        READ("age_s", F32, ROTORS_MAX, "s", topic_pads, age_s),
        PUT("words", U32, ROTORS_MAX, "", topic_pads, pads.words),
        PUT("silent", FLAG, ROTORS_MAX, "", topic_pads, pads.silent) } },
[TOPIC_ACTUATOR_OUTPUTS] = { "actuator_outputs", false, 0, {
        PUT("output", F32, 16, "", topic_motors, output),
        PUT("noutputs", U8, 1, "", topic_motors, outputs) } },
[TOPIC_VEHICLE_STATUS] = { "vehicle_status", false, 0, {
        PUT("arming_state", U8, 1, "", topic_status, arming_state),
        FIXED("hil_state", U8, 1, HIL_STATE_ON),
        FIXED("vehicle_type", U8, 1, TYPE_ROTARY_WING),
        FIXED("is_vtol", BOOL, 1, 0) } },
[TOPIC_ATTITUDE_TRUTH] = { "vehicle_attitude_groundtruth", true, AS(pose), {
        READ("q", F32, 4, "", topic_pose, state.q_body_to_ned) } },
[TOPIC_POSITION_TRUTH] = { "vehicle_local_position_groundtruth", true, AS(pose), {
        READ("x y z", F32, 3, "m", topic_pose, state.pos_ned_m),
        READ("vx vy vz", F32, 3, "m/s", topic_pose, state.vel_ned_mps),
        READ("ax ay az", F32, 3, "m/s^2", topic_pose, state.accel_ned_mps2),
        PUT("heading", F32, 1, "rad", topic_pose, heading_rad),
        VALID } },
[TOPIC_RATE_TRUTH] = { "vehicle_angular_velocity_groundtruth", true, AS(pose), {
        READ("xyz", F32, 3, "rad/s", topic_pose, state.rate_body_radps),
        PUT("xyz_derivative", F32, 3, "rad/s^2", topic_pose, state.rate_dot_body_radps2) } },
[TOPIC_SENSOR_COMBINED] = { "sensor_combined", false, AS(tick), {
        READ("gyro_rad", F32, 3, "rad/s", tick_record, frame.imu.gyro_body_radps),
        MADE("gyro_integral_dt", U32, 1, "us"),
        FIXED("accelerometer_timestamp_relative", I32, 1, 0),
        READ("accelerometer_m_s2", F32, 3, "m/s^2", tick_record, frame.imu.accel_body_mps2),
        MADE("accelerometer_integral_dt", U32, 1, "us") } },
[TOPIC_RATE] = { "vehicle_angular_velocity", true, AS(tick), {
        READ("xyz", F32, 3, "rad/s", tick_record, frame.imu.gyro_body_radps) } },
[TOPIC_GPS] = { "vehicle_gps_position", true, AS(tick), {
        SCALED("latitude_deg", F64, 1, "deg", tick_record, frame.gps.lat_rad, DEG_PER_RAD),
        SCALED("longitude_deg", F64, 1, "deg", tick_record, frame.gps.lon_rad, DEG_PER_RAD),
        /* The rig's earth has no geoid: mean sea level is the ellipsoid. */
        PUT("altitude_msl_m", F64, 1, "m", tick_record, frame.gps.height_m),
        READ("altitude_ellipsoid_m", F64, 1, "m", tick_record, frame.gps.height_m),
        PUT("s_variance_m_s", F32, 1, "m/s", tick_record, frame.gps.s_acc_mps),
        READ("eph", F32, 1, "m", tick_record, frame.gps.h_acc_m),
        READ("epv", F32, 1, "m", tick_record, frame.gps.v_acc_m),
        MADE("vel_m_s", F32, 1, "m/s"),
        READ("vel_n_m_s vel_e_m_s vel_d_m_s", F32, 3, "m/s", tick_record, frame.gps.vel_ned_mps),
        MADE("cog_rad", F32, 1, "rad"),
        READ("fix_type", U8, 1, "", tick_record, frame.gps.fix),
        READ("satellites_used", U8, 1, "", tick_record, frame.gps.satellites),
        MADE("vel_ned_valid", BOOL, 1, "") } },
[TOPIC_SATELLITES] = { "hilrig_satellites", true, AS(tick), {
        READ("used_prn", U32, 1, "", tick_record, frame.gps.used_prn) } },
[TOPIC_AIR_DATA] = { "vehicle_air_data", true, AS(tick), {
        MADE("baro_alt_meter", F32, 1, "m"),
        READ("baro_pressure_pa", F32, 1, "Pa", tick_record, frame.baro.pressure_pa),
        MADE("ambient_temperature", F32, 1, "deg C") } },
[TOPIC_MAG] = { "sensor_mag", true, AS(tick), {
        SCALED("x y z", F32, 3, "gauss", tick_record, frame.mag.field_body_t, GAUSS_PER_T) } },
[TOPIC_DISTANCE] = { "distance_sensor", false, AS(tick), {
        READ("current_distance", F32, 1, "m", tick_record, frame.sonar[0].range_m),
        READ("signal_quality", PERCENT, 1, "%", tick_record, frame.sonar[0].echo),
        FIXED("type", U8, 1, SENSOR_ULTRASOUND) } },
[TOPIC_BARO_RAW] = { "hilrig_baro_raw", true, AS(tick), {
        PUT("raw_temperature", I32, 1, "", tick_record, frame.baro.raw_temperature),
        PUT("raw_pressure", I32, 1, "", tick_record, frame.baro.raw_pressure) } },
/* PX4's sign for an axis without a gyroscope, and for no distance, is NaN. */
[TOPIC_FLOW] = { "sensor_optical_flow", true, AS(tick), {
        MADE("pixel_flow", F32, 2, "rad"),
        MADE("delta_angle", F32, 3, "rad"),
        FIXED("distance_m", F32, 1, NAN),
        MADE("integration_timespan_us", U32, 1, "us"),
        FIXED("delta_angle_available", BOOL, 1, 1),
        FIXED("distance_available", BOOL, 1, 0),
        PUT("quality", U8, 1, "", tick_record, frame.flow.quality) } },
[TOPIC_BATTERY] = { "battery_status", false, AS(tick), {
        READ("voltage_v", F32, 1, "V", tick_record, frame.power.voltage_v),
        READ("current_a", F32, 1, "A", tick_record, frame.power.current_a),
        MADE("discharged_mah", F32, 1, "mAh"),
        FIXED("remaining", F32, 1, REMAINING_UNKNOWN),
        FIXED("connected", BOOL, 1, 1) } },
[TOPIC_INS] = { "hilrig_ins", true, AS(tick), {
        PUT("x y z", F32, 3, "m", tick_record, frame.ins.pos_ned_m),
        PUT("roll pitch yaw", F32, 3, "rad", tick_record, frame.ins.euler_rad) } },
[TOPIC_RELATIVE] = { "hilrig_relative", true, AS(tick), {
        PUT("range", F32, 1, "m", tick_record, frame.relative.range_m),
        PUT("azimuth", F32, 1, "rad", tick_record, frame.relative.azimuth_rad),
        PUT("elevation", F32, 1, "rad", tick_record, frame.relative.elevation_rad),
        PUT("peer", I32, 1, "", tick_record, frame.relative.peer),
        MADE("has_range", BOOL, 1, ""),
        MADE("has_bearing", BOOL, 1, "") } },
[TOPIC_ATTITUDE] = { "vehicle_attitude", true, AS(pose), {
        READ("q", F32, 4, "", topic_pose, state.q_body_to_ned) } },
[TOPIC_POSITION] = { "vehicle_local_position", true, AS(pose), {
        READ("x y z", F32, 3, "m", topic_pose, state.pos_ned_m),
        READ("vx vy vz", F32, 3, "m/s", topic_pose, state.vel_ned_mps),
        PUT("heading", F32, 1, "rad", topic_pose, heading_rad),
        VALID } },
[TOPIC_SETPOINT] = { "hilrig_setpoint", false, AS(setpoint), {
        READ("pos_ned_m", F64, 3, "m", setpoint_record, setpoint.pos_ned_m),
        READ("yaw_rad", F64, 1, "rad", setpoint_record, setpoint.yaw_rad),
        READ("mode", U8, 1, "", setpoint_record, setpoint.mode) } },
/* PX4's sign for "not controlled" is NaN. */
[TOPIC_SETPOINT_POSITION] = { "vehicle_local_position_setpoint", false, 0, {
        PUT("x y z", F32, 3, "m", topic_course, pos_ned_m),
        PUT("yaw", F32, 1, "rad", topic_course, yaw_rad),
        FIXED("yawspeed vx vy vz", F32, 4, NAN),
        FIXED("acceleration", F32, 3, NAN),
        FIXED("thrust", F32, 3, NAN) } },
[TOPIC_TIMESYNC] = { "timesync_status", false, AS(sync), {
        PUT("observed_offset", I64, 1, "us", topic_sync, offset_us),
        READ("round_trip_time", U32, 1, "us", topic_sync, round_trip_us) } },
};
/* clang-format on */
