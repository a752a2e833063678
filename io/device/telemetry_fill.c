/* Telemetry messages in wire units. */
#include <math.h>
#include <string.h>

#include "io/device/telemetry.h"
#include "io/codec/mavlink_values.h"

/* The nearest whole number that the field holds; NaN is 0. */
static double whole(double value, double least, double most)
{
        if (isnan(value))
                return 0.0;
        return nearbyint(fmin(fmax(value, least), most));
}

static int16_t to_i16(double value)
{
        return (int16_t)whole(value, INT16_MIN, INT16_MAX);
}

static uint16_t to_u16(double value)
{
        return (uint16_t)whole(value, 0.0, UINT16_MAX);
}

static int32_t to_i32(double value)
{
        return (int32_t)whole(value, INT32_MIN, INT32_MAX);
}

static uint32_t to_u32(double value)
{
        return (uint32_t)whole(value, 0.0, UINT32_MAX);
}

static uint32_t boot_ms(int64_t t_ns)
{
        return (uint32_t)(t_ns / 1000000);
}

/* 0 to turn - 1; `turn` is the number of the field's units in a full turn. */
static double heading(double angle_rad, double turn)
{
        double part = whole(angle_rad / (2.0 * M_PI) * turn, -1e9, 1e9);

        part = fmod(part, turn);
        return part < 0.0 ? part + turn : part;
}

/* Linear about the origin: 2 dm off a kilometre north and a kilometre east of it, in middle
 * latitudes. */
static void degrees_e7(const struct device_setup *s, struct vec3 from_start_m,
                       int32_t *lat, int32_t *lon)
{
        struct vec3 ned_m = vec3_add(s->start_ned_m, from_start_m);

        *lat = to_i32((s->origin.lat_rad + ned_m.x / s->origin.north_m_per_rad) *
                      DEG_PER_RAD * 1e7);
        *lon = to_i32((s->origin.lon_rad + ned_m.y / s->origin.east_m_per_rad) *
                      DEG_PER_RAD * 1e7);
}

/* Above sea level, which at the origin is the ellipsoid. */
static double height_m(const struct device_setup *s, struct vec3 from_start_m)
{
        return s->origin.height_m - s->start_ned_m.z - from_start_m.z;
}

void telemetry_attitude(struct mavlink_attitude *m, const struct telemetry_pose *p,
                        int64_t t_ns)
{
        struct vec3 euler_rad = quat_to_euler(p->q_body_to_ned);

        *m = (struct mavlink_attitude){
                .time_boot_ms = boot_ms(t_ns),
                .roll = (float)euler_rad.x,
                .pitch = (float)euler_rad.y,
                .yaw = (float)euler_rad.z,
                .rollspeed = (float)p->rate_body_radps.x,
                .pitchspeed = (float)p->rate_body_radps.y,
                .yawspeed = (float)p->rate_body_radps.z,
        };
}

void telemetry_local_position(struct mavlink_local_position_ned *m,
                              const struct telemetry_pose *p, int64_t t_ns)
{
        *m = (struct mavlink_local_position_ned){
                .time_boot_ms = boot_ms(t_ns),
                .x = (float)p->from_start_m.x,
                .y = (float)p->from_start_m.y,
                .z = (float)p->from_start_m.z,
                .vx = (float)p->vel_ned_mps.x,
                .vy = (float)p->vel_ned_mps.y,
                .vz = (float)p->vel_ned_mps.z,
        };
}

void telemetry_global_position(struct mavlink_global_position_int *m,
                               const struct telemetry_pose *p,
                               const struct device_setup *setup, int64_t t_ns)
{
        *m = (struct mavlink_global_position_int){
                .time_boot_ms = boot_ms(t_ns),
                .alt = to_i32(height_m(setup, p->from_start_m) * 1e3),
                .relative_alt = to_i32(-p->from_start_m.z * 1e3),
                .vx = to_i16(p->vel_ned_mps.x * 1e2),
                .vy = to_i16(p->vel_ned_mps.y * 1e2),
                .vz = to_i16(p->vel_ned_mps.z * 1e2),
                .hdg = to_u16(heading(quat_to_euler(p->q_body_to_ned).z, 36000.0)),
        };
        degrees_e7(setup, p->from_start_m, &m->lat, &m->lon);
}

void telemetry_vfr_hud(struct mavlink_vfr_hud *m, const struct telemetry_pose *p,
                       const struct device_setup *setup,
                       const struct motor_command *command)
{
        float speed_mps = (float)hypot(p->vel_ned_mps.x, p->vel_ned_mps.y);
        double duty = 0.0;

        for (int i = 0; i < setup->rotors; i++)
                duty += command->duty[i] / setup->rotors;
        *m = (struct mavlink_vfr_hud){
                .airspeed = speed_mps,
                .groundspeed = speed_mps,
                .alt = (float)height_m(setup, p->from_start_m),
                .climb = (float)-p->vel_ned_mps.z,
                .heading = to_i16(heading(quat_to_euler(p->q_body_to_ned).z, 360.0)),
                .throttle = to_u16(duty * 100.0),
        };
}

static uint8_t type_of(int rotors)
{
        switch (rotors) {
        case 4:
                return MAV_TYPE_QUADROTOR;
        case 6:
                return MAV_TYPE_HEXAROTOR;
        case 8:
                return MAV_TYPE_OCTOROTOR;
        default:
                return MAV_TYPE_GENERIC;
        }
}

void telemetry_heartbeat(struct mavlink_heartbeat *m, const struct fc_report *report,
                         int rotors)
{
        *m = (struct mavlink_heartbeat){
                .custom_mode = (uint32_t)report->mode,
                .type = type_of(rotors),
                .autopilot = MAV_AUTOPILOT_GENERIC,
                .base_mode = MAV_MODE_FLAG_HIL_ENABLED |
                             (report->armed ? MAV_MODE_FLAG_SAFETY_ARMED : 0),
                .system_status = report->failsafe ? MAV_STATE_CRITICAL
                                 : report->armed  ? MAV_STATE_ACTIVE
                                                  : MAV_STATE_STANDBY,
                .mavlink_version = 3,
        };
}

void telemetry_sys_status(struct mavlink_sys_status *m, const struct sensor_frame *frame,
                          uint32_t seen)
{
        static const struct {
                enum sensor sensor;
                uint32_t bits;
        } table[] = {
                { SENSOR_IMU,
                  MAV_SYS_STATUS_SENSOR_3D_GYRO | MAV_SYS_STATUS_SENSOR_3D_ACCEL },
                { SENSOR_GPS, MAV_SYS_STATUS_SENSOR_GPS },
                { SENSOR_BARO, MAV_SYS_STATUS_SENSOR_ABSOLUTE_PRESSURE },
                { SENSOR_MAG, MAV_SYS_STATUS_SENSOR_3D_MAG },
                { SENSOR_SONAR, MAV_SYS_STATUS_SENSOR_LASER_POSITION },
                { SENSOR_FLOW, MAV_SYS_STATUS_SENSOR_OPTICAL_FLOW },
                { SENSOR_POWER, MAV_SYS_STATUS_SENSOR_BATTERY },
        };
        bool power = (seen & SENSOR_BIT(SENSOR_POWER)) != 0;
        uint32_t bits = MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS;

        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
                if (seen & SENSOR_BIT(table[i].sensor))
                        bits |= table[i].bits;
        *m = (struct mavlink_sys_status){
                .onboard_control_sensors_present = bits,
                .onboard_control_sensors_enabled = bits,
                .onboard_control_sensors_health = bits,
                .voltage_battery =
                        power ? to_u16(frame->power.voltage_v * 1e3) : UINT16_MAX,
                .current_battery =
                        (int16_t)(power ? to_i16(frame->power.current_a * 1e2) : -1),
                .battery_remaining = -1, /* not known */
        };
}

void telemetry_gps(struct mavlink_gps_raw_int *m, const struct gps_sample *gps)
{
        double speed_mps = hypot(gps->vel_ned_mps.x, gps->vel_ned_mps.y);

        *m = (struct mavlink_gps_raw_int){
                .time_usec = (uint64_t)(gps->t_ns / 1000),
                .lat = to_i32(gps->lat_rad * DEG_PER_RAD * 1e7),
                .lon = to_i32(gps->lon_rad * DEG_PER_RAD * 1e7),
                .alt = to_i32(gps->height_m * 1e3),
                .eph = UINT16_MAX, /* dilution is not known */
                .epv = UINT16_MAX,
                .vel = to_u16(speed_mps * 1e2),
                .cog = to_u16(
                        heading(atan2(gps->vel_ned_mps.y, gps->vel_ned_mps.x), 36000.0)),
                .fix_type = (uint8_t)(gps->fix == GPS_FIX_3D   ? GPS_FIX_TYPE_3D_FIX
                                      : gps->fix == GPS_FIX_2D ? GPS_FIX_TYPE_2D_FIX
                                                               : GPS_FIX_TYPE_NO_FIX),
                .satellites_visible = (uint8_t)whole(gps->satellites, 0.0, 254.0),
                .alt_ellipsoid = to_i32(gps->height_m * 1e3),
                .h_acc = to_u32(gps->h_acc_m * 1e3),
                .v_acc = to_u32(gps->v_acc_m * 1e3),
                .vel_acc = to_u32(gps->s_acc_mps * 1e3),
        };
}

void telemetry_servos(struct mavlink_servo_output_raw *m,
                      const struct motor_command *command, int rotors, int64_t t_ns)
{
        *m = (struct mavlink_servo_output_raw){ .time_usec = (uint32_t)(t_ns / 1000) };
        for (int i = 0; i < rotors; i++)
                m->servo_raw[i] = to_u16(1000.0 + 1000.0 * command->duty[i]);
}

void telemetry_rc(struct mavlink_rc_channels *m, const struct pilot_input *input,
                  int64_t t_ns)
{
        *m = (struct mavlink_rc_channels){ .time_boot_ms = boot_ms(t_ns),
                                           .rssi = UINT8_MAX };
        memset(m->chan_raw, 0xFF, sizeof m->chan_raw); /* not used */
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                if (input->rc_us[i] != 0) {
                        m->chan_raw[i] = input->rc_us[i];
                        m->chancount = (uint8_t)(i + 1);
                }
}

void telemetry_home(struct mavlink_home_position *m, const struct device_setup *setup,
                    int64_t t_ns)
{
        struct vec3 start_m = { 0 };

        *m = (struct mavlink_home_position){
                .altitude = to_i32(height_m(setup, start_m) * 1e3),
                .q = { 1.0f },
                .approach_x = NAN,
                .approach_y = NAN,
                .approach_z = NAN,
                .time_usec = (uint64_t)(t_ns / 1000),
        };
        degrees_e7(setup, start_m, &m->latitude, &m->longitude);
}
