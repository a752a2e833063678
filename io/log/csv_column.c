/* The names of columns: with their units, and those that PX4's ulog2csv and Betaflight's blackbox_decode give where they
 * say their unit. */
#include "io/log/csv_column.h"

#include <ctype.h>
#include <string.h>

#define GRAVITY_MPS2 9.80665
#define RAD_PER_DEG  (1.0 / DEG_PER_RAD)

static const struct known {
        const char *name;
        enum csv_part part;
        double scale;
} known[] = {
        { "t_s", CSV_TIME, 1.0 },
        { "time_s", CSV_TIME, 1.0 },
        { "time (s)", CSV_TIME, 1.0 },
        { "t_us", CSV_TIME, 1e-6 },
        { "time_us", CSV_TIME, 1e-6 },
        { "time (us)", CSV_TIME, 1e-6 },
        { "timestamp", CSV_TIME, 1e-6 }, /* PX4's */
        { "north_m", CSV_NORTH, 1.0 },
        { "east_m", CSV_EAST, 1.0 },
        { "down_m", CSV_DOWN, 1.0 },
        { "up_m", CSV_DOWN, -1.0 },
        { "x", CSV_NORTH, 1.0 },
        { "y", CSV_EAST, 1.0 },
        { "z", CSV_DOWN, 1.0 },
        { "vel_north_mps", CSV_VEL_NORTH, 1.0 },
        { "vel_east_mps", CSV_VEL_EAST, 1.0 },
        { "vel_down_mps", CSV_VEL_DOWN, 1.0 },
        { "vel_up_mps", CSV_VEL_DOWN, -1.0 },
        { "vx", CSV_VEL_NORTH, 1.0 },
        { "vy", CSV_VEL_EAST, 1.0 },
        { "vz", CSV_VEL_DOWN, 1.0 },
        { "qw", CSV_QW, 1.0 },
        { "qx", CSV_QX, 1.0 },
        { "qy", CSV_QY, 1.0 },
        { "qz", CSV_QZ, 1.0 },
        { "q[0]", CSV_QW, 1.0 },
        { "q[1]", CSV_QX, 1.0 },
        { "q[2]", CSV_QY, 1.0 },
        { "q[3]", CSV_QZ, 1.0 },
        { "roll_deg", CSV_ROLL, RAD_PER_DEG },
        { "pitch_deg", CSV_PITCH, RAD_PER_DEG },
        { "yaw_deg", CSV_YAW, RAD_PER_DEG },
        { "roll_rad", CSV_ROLL, 1.0 },
        { "pitch_rad", CSV_PITCH, 1.0 },
        { "yaw_rad", CSV_YAW, 1.0 },
        { "p_radps", CSV_P, 1.0 },
        { "q_radps", CSV_Q, 1.0 },
        { "r_radps", CSV_R, 1.0 },
        { "p_dps", CSV_P, RAD_PER_DEG },
        { "q_dps", CSV_Q, RAD_PER_DEG },
        { "r_dps", CSV_R, RAD_PER_DEG },
        { "xyz[0]", CSV_P, 1.0 }, /* PX4's vehicle_angular_velocity */
        { "xyz[1]", CSV_Q, 1.0 },
        { "xyz[2]", CSV_R, 1.0 },
        { "gyroADC[0] (deg/s)", CSV_P, RAD_PER_DEG },
        { "gyroADC[1] (deg/s)", CSV_Q, -RAD_PER_DEG },
        { "gyroADC[2] (deg/s)", CSV_R, -RAD_PER_DEG },
        { "ax_mps2", CSV_AX, 1.0 },
        { "ay_mps2", CSV_AY, 1.0 },
        { "az_mps2", CSV_AZ, 1.0 },
        { "accSmooth[0] (m/s/s)", CSV_AX, 1.0 },
        { "accSmooth[1] (m/s/s)", CSV_AY, -1.0 },
        { "accSmooth[2] (m/s/s)", CSV_AZ, -1.0 },
        { "accSmooth[0] (g)", CSV_AX, GRAVITY_MPS2 },
        { "accSmooth[1] (g)", CSV_AY, -GRAVITY_MPS2 },
        { "accSmooth[2] (g)", CSV_AZ, -GRAVITY_MPS2 },
        { "battery_v", CSV_VOLTAGE, 1.0 },
        { "voltage_v", CSV_VOLTAGE, 1.0 },
        { "vbatLatest (V)", CSV_VOLTAGE, 1.0 },
        { "battery_a", CSV_CURRENT, 1.0 },
        { "current_a", CSV_CURRENT, 1.0 },
        { "amperageLatest (A)", CSV_CURRENT, 1.0 },
        { "armed", CSV_ARMED, 1.0 },
        { "command", CSV_MOTOR, 1.0 },
        { "thrust_n", CSV_THRUST, 1.0 },
        { "torque_nm", CSV_TORQUE, 1.0 },
        { "rpm", CSV_SPEED, 0.10471975511965977 },
        { "baro_pa", CSV_PRESSURE, 1.0 },
        { "baro_pressure_pa", CSV_PRESSURE, 1.0 },
        { "gps_lat_deg", CSV_LAT, 1.0 },
        { "gps_lon_deg", CSV_LON, 1.0 },
        { "gps_height_m", CSV_HEIGHT, 1.0 },
        { "gps_vel_north_mps", CSV_FIX_VEL_NORTH, 1.0 },
        { "gps_vel_east_mps", CSV_FIX_VEL_EAST, 1.0 },
        { "gps_vel_down_mps", CSV_FIX_VEL_DOWN, 1.0 },
};

/* "motor_3" with that many numbers; -1: it is none. */
static int numbered(struct csv_text name, const char *stem, int count)
{
        size_t len = strlen(stem);
        int number = 0;

        if (name.len <= len || name.len > len + 2 || memcmp(name.at, stem, len) != 0)
                return -1;
        for (size_t i = len; i < name.len; i++) {
                if (!isdigit((unsigned char)name.at[i]))
                        return -1;
                number = 10 * number + (name.at[i] - '0');
        }
        return number < count ? number : -1;
}

int csv_find_part(struct csv_text name, double *scale)
{
        int number;

        *scale = 1.0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                if (strlen(known[i].name) == name.len &&
                    memcmp(known[i].name, name.at, name.len) == 0) {
                        *scale = known[i].scale;
                        return (int)known[i].part;
                }
        number = numbered(name, "motor_", ROTORS_MAX);
        if (number >= 0)
                return CSV_MOTOR + number;
        number = numbered(name, "rc_us_", RC_CHANNELS_MAX);
        return number >= 0 ? CSV_RC + number : -1;
}
