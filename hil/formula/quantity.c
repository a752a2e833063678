/* Every quantity in one table: its name is what users write, its function what it is. */
#include "hil/formula/quantity.h"

#include <math.h>
#include <string.h>

static double component(struct vec3 v, int i)
{
        return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static double wrapped_deg(double deg)
{
        return deg - 360.0 * rint(deg / 360.0);
}

static double time_s(const struct observation *o, int i)
{
        (void)i;
        return (double)o->t_ns * 1e-9;
}

static double position(const struct observation *o, int i)
{
        return component(o->truth->body.pos_ned_m, i);
}

static double altitude(const struct observation *o, int i)
{
        (void)i;
        return o->ground_down_m - o->truth->body.pos_ned_m.z;
}

static double height(const struct observation *o, int i)
{
        (void)i;
        return o->truth->around.surface_down_m - o->truth->body.pos_ned_m.z;
}

static double speed(const struct observation *o, int i)
{
        (void)i;
        return vec3_norm(o->truth->body.vel_ned_mps);
}

static double climb(const struct observation *o, int i)
{
        (void)i;
        return -o->truth->body.vel_ned_mps.z;
}

static double velocity(const struct observation *o, int i)
{
        return component(o->truth->body.vel_ned_mps, i);
}

static double acceleration(const struct observation *o, int i)
{
        return component(o->truth->body.accel_ned_mps2, i);
}

static double tilt(const struct observation *o, int i)
{
        struct quat q = o->truth->body.q_body_to_ned;
        /* The angle between the body's z axis and down. */
        double c = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);

        (void)i;
        return DEG_PER_RAD * acos(fmin(fmax(c, -1.0), 1.0));
}

static double attitude(const struct observation *o, int i)
{
        return DEG_PER_RAD * component(quat_to_euler(o->truth->body.q_body_to_ned), i);
}

static double rate(const struct observation *o, int i)
{
        return DEG_PER_RAD * component(o->truth->body.rate_body_radps, i);
}

static double contact(const struct observation *o, int i)
{
        (void)i;
        return o->truth->contact.touching;
}

static double impact(const struct observation *o, int i)
{
        (void)i;
        return o->truth->impact_mps;
}

static double rotor(const struct observation *o, int i)
{
        return o->truth->motor[i].speed_radps;
}

static double voltage(const struct observation *o, int i)
{
        (void)i;
        return o->truth->battery.voltage_v;
}

static double current(const struct observation *o, int i)
{
        (void)i;
        return o->truth->battery.current_a;
}

static double charge(const struct observation *o, int i)
{
        (void)i;
        return o->truth->battery.charge_used_c / 3.6;
}

static double wind(const struct observation *o, int i)
{
        return component(o->truth->around.wind_ned_mps, i);
}

static double sent_accel(const struct observation *o, int i)
{
        return component(o->frame->imu.accel_body_mps2, i);
}

static double sent_gyro(const struct observation *o, int i)
{
        return DEG_PER_RAD * component(o->frame->imu.gyro_body_radps, i);
}

static double satellites(const struct observation *o, int i)
{
        (void)i;
        return o->frame->gps.satellites;
}

static double fix(const struct observation *o, int i)
{
        (void)i;
        return o->frame->gps.fix;
}

static double gps_height(const struct observation *o, int i)
{
        (void)i;
        return o->frame->gps.height_m;
}

static double gps_velocity(const struct observation *o, int i)
{
        return component(o->frame->gps.vel_ned_mps, i);
}

static double pressure(const struct observation *o, int i)
{
        (void)i;
        return o->frame->baro.pressure_pa;
}

static double field(const struct observation *o, int i)
{
        return 1e6 * component(o->frame->mag.field_body_t, i);
}

static double range(const struct observation *o, int i)
{
        return o->frame->sonar[i].range_m;
}

static double sent_voltage(const struct observation *o, int i)
{
        (void)i;
        return o->frame->power.voltage_v;
}

static double sent_current(const struct observation *o, int i)
{
        (void)i;
        return o->frame->power.current_a;
}

static double duty(const struct observation *o, int i)
{
        return o->command->duty[i];
}

static double armed(const struct observation *o, int i)
{
        (void)i;
        return o->report->armed;
}

static double can_arm(const struct observation *o, int i)
{
        (void)i;
        return o->report->can_arm;
}

static double failsafe(const struct observation *o, int i)
{
        (void)i;
        return o->report->failsafe;
}

static double mode(const struct observation *o, int i)
{
        (void)i;
        return o->report->mode;
}

/* A flight controller that has not yet said what it believes has a quaternion of zeros. */
static bool estimates(const struct observation *o)
{
        struct quat q = o->report->estimate.q_body_to_ned;

        return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

static struct vec3 from_start(const struct observation *o)
{
        return vec3_sub(o->truth->body.pos_ned_m, o->start_ned_m);
}

static double est_attitude(const struct observation *o, int i)
{
        struct vec3 euler = quat_to_euler(o->report->estimate.q_body_to_ned);

        return estimates(o) ? DEG_PER_RAD * component(euler, i) : NAN;
}

static double est_position(const struct observation *o, int i)
{
        double x = component(o->report->estimate.pos_ned_m, i);

        return !estimates(o) ? NAN : i == 2 ? -x : x;
}

static double est_attitude_error(const struct observation *o, int i)
{
        struct vec3 truth = quat_to_euler(o->truth->body.q_body_to_ned);

        return wrapped_deg(est_attitude(o, i) - DEG_PER_RAD * component(truth, i));
}

static double est_position_error(const struct observation *o, int i)
{
        double truth = component(from_start(o), i);

        return est_position(o, i) - (i == 2 ? -truth : truth);
}

static double est_error(const struct observation *o, int i)
{
        struct quat est = o->report->estimate.q_body_to_ned;
        struct quat turn =
                quat_multiply(quat_conjugate(o->truth->body.q_body_to_ned), est);
        double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);

        (void)i;
        return estimates(o) ? 2.0 * DEG_PER_RAD * atan2(sine, fabs(turn.w)) : NAN;
}

static double asked_mode(const struct observation *o, int i)
{
        (void)i;
        return o->input->setpoint.mode;
}

static double asked_position(const struct observation *o, int i)
{
        double x = component(o->input->setpoint.pos_ned_m, i);

        return i == 2 ? 0.0 - x : x;
}

static double asked_yaw(const struct observation *o, int i)
{
        (void)i;
        return DEG_PER_RAD * o->input->setpoint.yaw_rad;
}

static double goto_error(const struct observation *o, int i)
{
        double truth = component(from_start(o), i);
        double asked = component(o->input->setpoint.pos_ned_m, i);

        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return i == 2 ? asked - truth : truth - asked;
}

static double yaw_error(const struct observation *o, int i)
{
        double yaw_rad = quat_to_euler(o->truth->body.q_body_to_ned).z;

        (void)i;
        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return wrapped_deg(DEG_PER_RAD * (yaw_rad - o->input->setpoint.yaw_rad));
}

static double position_error(const struct observation *o, int i)
{
        (void)i;
        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return vec3_norm(vec3_sub(from_start(o), o->input->setpoint.pos_ned_m));
}

static double pulse(const struct observation *o, int i)
{
        return o->input->rc_us[i];
}

static double faults(const struct observation *o, int i)
{
        (void)i;
        return o->faults;
}

static double loop(const struct observation *o, int i)
{
        (void)i;
        return (double)o->loop_ns * 1e-3;
}

static double lateness(const struct observation *o, int i)
{
        (void)i;
        return (double)o->lateness_ns * 1e-3;
}

static double missed(const struct observation *o, int i)
{
        (void)i;
        return o->missed;
}

static double sent(const struct observation *o, int i)
{
        (void)i;
        return o->frame_sent;
}

const struct quantity quantities[] = {
        { "time_s", "Simulated time at the end of the tick.", time_s, 0 },
        { "north_m", "True position, north of the world's origin.", position, 0 },
        { "east_m", "True position, east of the world's origin.", position, 1 },
        { "altitude_m", "True height of the centre of mass above the ground plane.",
          altitude, 0 },
        { "height_m",
          "True height above the surface straight below, whatever it is; infinite where "
          "there is none near.",
          height, 0 },
        { "speed_mps", "True speed over ground, in any direction.", speed, 0 },
        { "climb_mps", "True vertical speed, up positive.", climb, 0 },
        { "vel_north_mps", "True velocity north.", velocity, 0 },
        { "vel_east_mps", "True velocity east.", velocity, 1 },
        { "vel_down_mps", "True velocity down.", velocity, 2 },
        { "accel_north_mps2",
          "True acceleration north, gravity included, as the IMU met it last.",
          acceleration, 0 },
        { "accel_east_mps2", "True acceleration east, as the IMU met it last.",
          acceleration, 1 },
        { "accel_down_mps2",
          "True acceleration down, gravity included, as the IMU met it last.",
          acceleration, 2 },
        { "tilt_deg", "True angle between the body's z axis and down.", tilt, 0 },
        { "roll_deg", "True roll, right side down positive.", attitude, 0 },
        { "pitch_deg", "True pitch, nose up positive.", attitude, 1 },
        { "yaw_deg", "True heading, clockwise from north, -180 to 180.", attitude, 2 },
        { "roll_rate_dps", "True body rate about x.", rate, 0 },
        { "pitch_rate_dps", "True body rate about y.", rate, 1 },
        { "yaw_rate_dps", "True body rate about z.", rate, 2 },
        { "contact", "1 while the vehicle touches anything, else 0.", contact, 0 },
        { "impact_mps", "Speed into what it touched, at the hardest point of the tick.",
          impact, 0 },
        { "rotor_radps_0", "True speed of rotor 0.", rotor, 0 },
        { "rotor_radps_1", "True speed of rotor 1.", rotor, 1 },
        { "rotor_radps_2", "True speed of rotor 2.", rotor, 2 },
        { "rotor_radps_3", "True speed of rotor 3.", rotor, 3 },
        { "rotor_radps_4", "True speed of rotor 4.", rotor, 4 },
        { "rotor_radps_5", "True speed of rotor 5.", rotor, 5 },
        { "rotor_radps_6", "True speed of rotor 6.", rotor, 6 },
        { "rotor_radps_7", "True speed of rotor 7.", rotor, 7 },
        { "battery_v", "True voltage at the battery's terminals; 0 without a battery.",
          voltage, 0 },
        { "battery_a", "True current from the battery.", current, 0 },
        { "charge_used_mah", "True charge taken from the battery since the start.",
          charge, 0 },
        { "wind_north_mps", "True motion of the air towards north at the vehicle.", wind,
          0 },
        { "wind_east_mps", "True motion of the air towards east at the vehicle.", wind,
          1 },
        { "wind_down_mps", "True motion of the air downwards at the vehicle.", wind, 2 },
        { "accel_x_mps2",
          "Newest accelerometer sample, specific force along body x, as sent.",
          sent_accel, 0 },
        { "accel_y_mps2",
          "Newest accelerometer sample, specific force along body y, as sent.",
          sent_accel, 1 },
        { "accel_z_mps2",
          "Newest accelerometer sample, specific force along body z, as sent.",
          sent_accel, 2 },
        { "gyro_x_dps", "Newest gyroscope sample about body x, as sent.", sent_gyro, 0 },
        { "gyro_y_dps", "Newest gyroscope sample about body y, as sent.", sent_gyro, 1 },
        { "gyro_z_dps", "Newest gyroscope sample about body z, as sent.", sent_gyro, 2 },
        { "gps_satellites", "Satellites of the newest GPS sample, as sent.", satellites,
          0 },
        { "gps_fix",
          "Fix of the newest GPS sample, as sent: 0 none, 2 in the plane, 3 in space.",
          fix, 0 },
        { "gps_height_m", "Height above the ellipsoid of the newest GPS sample, as sent.",
          gps_height, 0 },
        { "gps_north_mps", "Velocity north of the newest GPS sample, as sent.",
          gps_velocity, 0 },
        { "gps_east_mps", "Velocity east of the newest GPS sample, as sent.",
          gps_velocity, 1 },
        { "gps_down_mps", "Velocity down of the newest GPS sample, as sent.",
          gps_velocity, 2 },
        { "baro_pa", "Pressure of the newest barometer sample, as sent.", pressure, 0 },
        { "mag_x_ut", "Newest magnetometer sample along body x, as sent.", field, 0 },
        { "mag_y_ut", "Newest magnetometer sample along body y, as sent.", field, 1 },
        { "mag_z_ut", "Newest magnetometer sample along body z, as sent.", field, 2 },
        { "sonar_0_m", "Newest range of sonar 0, as sent.", range, 0 },
        { "sonar_1_m", "Newest range of sonar 1, as sent.", range, 1 },
        { "sonar_2_m", "Newest range of sonar 2, as sent.", range, 2 },
        { "sonar_3_m", "Newest range of sonar 3, as sent.", range, 3 },
        { "sonar_4_m", "Newest range of sonar 4, as sent.", range, 4 },
        { "sonar_5_m", "Newest range of sonar 5, as sent.", range, 5 },
        { "sonar_6_m", "Newest range of sonar 6, as sent.", range, 6 },
        { "sonar_7_m", "Newest range of sonar 7, as sent.", range, 7 },
        { "sonar_8_m", "Newest range of sonar 8, as sent.", range, 8 },
        { "sonar_9_m", "Newest range of sonar 9, as sent.", range, 9 },
        { "sonar_10_m", "Newest range of sonar 10, as sent.", range, 10 },
        { "sonar_11_m", "Newest range of sonar 11, as sent.", range, 11 },
        { "sonar_12_m", "Newest range of sonar 12, as sent.", range, 12 },
        { "sonar_13_m", "Newest range of sonar 13, as sent.", range, 13 },
        { "sonar_14_m", "Newest range of sonar 14, as sent.", range, 14 },
        { "sonar_15_m", "Newest range of sonar 15, as sent.", range, 15 },
        { "power_v", "Voltage of the newest power-module sample, as sent.", sent_voltage,
          0 },
        { "power_a", "Current of the newest power-module sample, as sent.", sent_current,
          0 },
        { "duty_0", "Command to rotor 0 in this tick, 0 to 1.", duty, 0 },
        { "duty_1", "Command to rotor 1 in this tick, 0 to 1.", duty, 1 },
        { "duty_2", "Command to rotor 2 in this tick, 0 to 1.", duty, 2 },
        { "duty_3", "Command to rotor 3 in this tick, 0 to 1.", duty, 3 },
        { "duty_4", "Command to rotor 4 in this tick, 0 to 1.", duty, 4 },
        { "duty_5", "Command to rotor 5 in this tick, 0 to 1.", duty, 5 },
        { "duty_6", "Command to rotor 6 in this tick, 0 to 1.", duty, 6 },
        { "duty_7", "Command to rotor 7 in this tick, 0 to 1.", duty, 7 },
        { "armed", "1 while the flight controller says that it is armed, else 0.", armed,
          0 },
        { "can_arm", "1 while the flight controller says that it can be armed, else 0.",
          can_arm, 0 },
        { "failsafe",
          "1 while the flight controller says that it is in fail-safe, else 0.", failsafe,
          0 },
        { "mode",
          "Mode that the flight controller says: 0 disarmed, 1 armed, 2 goto, 3 land.",
          mode, 0 },
        { "est_roll_deg",
          "Roll that the flight controller estimates; NaN before it says one.",
          est_attitude, 0 },
        { "est_pitch_deg",
          "Pitch that the flight controller estimates; NaN before it says one.",
          est_attitude, 1 },
        { "est_yaw_deg",
          "Yaw that the flight controller estimates; NaN before it says one.",
          est_attitude, 2 },
        { "est_north_m",
          "Position north from the start that the flight controller estimates; NaN "
          "before "
          "it says one.",
          est_position, 0 },
        { "est_east_m",
          "Position east from the start that the flight controller estimates; NaN before "
          "it says one.",
          est_position, 1 },
        { "est_up_m",
          "Height above the start that the flight controller estimates; NaN before it "
          "says one.",
          est_position, 2 },
        { "est_roll_error_deg", "Estimated minus true roll, -180 to 180.",
          est_attitude_error, 0 },
        { "est_pitch_error_deg", "Estimated minus true pitch, -180 to 180.",
          est_attitude_error, 1 },
        { "est_yaw_error_deg", "Estimated minus true yaw, -180 to 180.",
          est_attitude_error, 2 },
        { "est_north_error_m", "Estimated minus true position north, from the start.",
          est_position_error, 0 },
        { "est_east_error_m", "Estimated minus true position east, from the start.",
          est_position_error, 1 },
        { "est_up_error_m", "Estimated minus true height above the start.",
          est_position_error, 2 },
        { "est_error_deg", "Angle of the turn from the true to the estimated attitude.",
          est_error, 0 },
        { "setpoint_mode",
          "Mode that the pilot asks: 0 disarmed, 1 armed, 2 goto, 3 land.", asked_mode,
          0 },
        { "setpoint_north_m", "Position that the pilot asks, north from the start.",
          asked_position, 0 },
        { "setpoint_east_m", "Position that the pilot asks, east from the start.",
          asked_position, 1 },
        { "setpoint_up_m", "Height above the start that the pilot asks.", asked_position,
          2 },
        { "setpoint_yaw_deg", "Heading that the pilot asks, clockwise from north.",
          asked_yaw, 0 },
        { "north_error_m", "True minus asked position north; NaN unless goto is asked.",
          goto_error, 0 },
        { "east_error_m", "True minus asked position east; NaN unless goto is asked.",
          goto_error, 1 },
        { "up_error_m", "True minus asked height; NaN unless goto is asked.", goto_error,
          2 },
        { "yaw_error_deg",
          "True minus asked heading, -180 to 180; NaN unless goto is asked.", yaw_error,
          0 },
        { "position_error_m",
          "Distance from the position that the pilot asks; NaN unless goto is asked.",
          position_error, 0 },
        { "rc_0_us", "Pulse of RC channel 0 that the pilot asks; 0: not sent.", pulse,
          0 },
        { "rc_1_us", "Pulse of RC channel 1 that the pilot asks; 0: not sent.", pulse,
          1 },
        { "rc_2_us", "Pulse of RC channel 2 that the pilot asks; 0: not sent.", pulse,
          2 },
        { "rc_3_us", "Pulse of RC channel 3 that the pilot asks; 0: not sent.", pulse,
          3 },
        { "rc_4_us", "Pulse of RC channel 4 that the pilot asks; 0: not sent.", pulse,
          4 },
        { "rc_5_us", "Pulse of RC channel 5 that the pilot asks; 0: not sent.", pulse,
          5 },
        { "rc_6_us", "Pulse of RC channel 6 that the pilot asks; 0: not sent.", pulse,
          6 },
        { "rc_7_us", "Pulse of RC channel 7 that the pilot asks; 0: not sent.", pulse,
          7 },
        { "rc_8_us", "Pulse of RC channel 8 that the pilot asks; 0: not sent.", pulse,
          8 },
        { "rc_9_us", "Pulse of RC channel 9 that the pilot asks; 0: not sent.", pulse,
          9 },
        { "rc_10_us", "Pulse of RC channel 10 that the pilot asks; 0: not sent.", pulse,
          10 },
        { "rc_11_us", "Pulse of RC channel 11 that the pilot asks; 0: not sent.", pulse,
          11 },
        { "rc_12_us", "Pulse of RC channel 12 that the pilot asks; 0: not sent.", pulse,
          12 },
        { "rc_13_us", "Pulse of RC channel 13 that the pilot asks; 0: not sent.", pulse,
          13 },
        { "rc_14_us", "Pulse of RC channel 14 that the pilot asks; 0: not sent.", pulse,
          14 },
        { "rc_15_us", "Pulse of RC channel 15 that the pilot asks; 0: not sent.", pulse,
          15 },
        { "faults", "Faults of the scenario in force.", faults, 0 },
        { "loop_us", "Sensor-to-motor time that was measured in this tick; 0: none was.",
          loop, 0 },
        { "lateness_us", "How late the host woke up for this tick.", lateness, 0 },
        { "missed", "1 in a tick whose deadline had passed, else 0.", missed, 0 },
        { "frame_sent", "1 in a tick whose sensor frame went out, else 0.", sent, 0 },
};

const int quantity_count = (int)(sizeof quantities / sizeof quantities[0]);

int quantity_find(const char *name)
{
        for (int i = 0; i < quantity_count; i++)
                if (strcmp(quantities[i].name, name) == 0)
                        return i;
        return -1;
}
