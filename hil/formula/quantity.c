/* Every quantity in one table: its name is what users write; then where it stands or what works it out, and
 * what it is. */
#include "hil/formula/quantity.h"

#include <stddef.h>
#include <string.h>

#include "hil/formula/worked_out.h"

/* clang-format off */
#define TYPE(of)                                                                         \
        _Generic((of), double: QUANTITY_DOUBLE, bool: QUANTITY_BOOL,                     \
                 uint16_t: QUANTITY_U16, int64_t: QUANTITY_I64, default: QUANTITY_INT)
#define AT(place, row, name, member, factor, about)                                      \
        { name, about, NULL, 0, QUANTITY_##place, TYPE(((struct row *)0)->member),       \
          offsetof(struct row, member), factor }

/* A member of what the observation points to, or of itself, by a factor; or a function. */
#define TRUTH(name, member, by, about)   AT(TRUTH, vehicle, name, member, by, about)
#define FRAME(name, member, by, about)   AT(FRAME, sensor_frame, name, member, by, about)
#define COMMAND(name, member, by, about) AT(COMMAND, motor_command, name, member, by, about)
#define REPORT(name, member, by, about)  AT(REPORT, fc_report, name, member, by, about)
#define INPUT(name, member, by, about)   AT(INPUT, pilot_input, name, member, by, about)
#define TICK(name, member, by, about)    AT(TICK, observation, name, member, by, about)
#define MADE(name, function, i, about)   { name, about, quantity_##function, i, QUANTITY_TRUTH }
#define FLEET(name, function, i, about)   { name, about, quantity_##function, i, QUANTITY_FLEET }
#define MEMBER(name, function, about)    { name, about, quantity_##function, 0, QUANTITY_MEMBER }
#define ASKED(name, i, about)            { name, about, quantity_asked_position, i, QUANTITY_INPUT }

/* One for each element of an array. */
#define ROTOR(i)                                                                         \
        TRUTH("rotor_radps_" #i, motor[i].speed_radps, 1.0, "True speed of rotor " #i ".")
#define SONAR(i)                                                                         \
        FRAME("sonar_" #i "_m", sonar[i].range_m, 1.0,                                   \
              "Newest range of sonar " #i ", as sent.")
#define DUTY(i)                                                                          \
        COMMAND("duty_" #i, duty[i], 1.0, "Command to rotor " #i " in this tick, 0 to 1.")
#define PULSE(i)                                                                         \
        INPUT("rc_" #i "_us", rc_us[i], 1.0,                                             \
              "Pulse of RC channel " #i " that the pilot asks; 0: not sent.")
#define EIGHT(x)   x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)
#define SIXTEEN(x) EIGHT(x), x(8), x(9), x(10), x(11), x(12), x(13), x(14), x(15)

_Static_assert(ROTORS_MAX == 8, "every rotor is a quantity");
_Static_assert(SONARS_MAX == 16, "every sonar is one");
_Static_assert(RC_CHANNELS_MAX == 16, "every channel is one");

const struct quantity quantities[] = {
        TICK("time_s", t_ns, 1e-9,
             "Simulated time at the end of the tick."),
        TRUTH("north_m", body.pos_ned_m.x, 1.0,
             "True position, north of the world's origin."),
        TRUTH("east_m", body.pos_ned_m.y, 1.0,
             "True position, east of the world's origin."),
        MADE("altitude_m", altitude, 0,
             "True height of the centre of mass above the ground plane."),
        MADE("height_m", height, 0,
             "True height above the surface straight below, whatever it is; infinite where there is none near."),
        MADE("speed_mps", speed, 0,
             "True speed over ground, in any direction."),
        TRUTH("climb_mps", body.vel_ned_mps.z, -1.0,
             "True vertical speed, up positive."),
        TRUTH("vel_north_mps", body.vel_ned_mps.x, 1.0,
             "True velocity north."),
        TRUTH("vel_east_mps", body.vel_ned_mps.y, 1.0,
             "True velocity east."),
        TRUTH("vel_down_mps", body.vel_ned_mps.z, 1.0,
             "True velocity down."),
        TRUTH("accel_north_mps2", body.accel_ned_mps2.x, 1.0,
             "True acceleration north, gravity included, as the IMU met it last."),
        TRUTH("accel_east_mps2", body.accel_ned_mps2.y, 1.0,
             "True acceleration east, as the IMU met it last."),
        TRUTH("accel_down_mps2", body.accel_ned_mps2.z, 1.0,
             "True acceleration down, gravity included, as the IMU met it last."),
        MADE("tilt_deg", tilt, 0,
             "True angle between the body's z axis and down."),
        MADE("roll_deg", attitude, 0,
             "True roll, right side down positive."),
        MADE("pitch_deg", attitude, 1,
             "True pitch, nose up positive."),
        MADE("yaw_deg", attitude, 2,
             "True heading, clockwise from north, -180 to 180."),
        TRUTH("roll_rate_dps", body.rate_body_radps.x, DEG_PER_RAD,
             "True body rate about x."),
        TRUTH("pitch_rate_dps", body.rate_body_radps.y, DEG_PER_RAD,
             "True body rate about y."),
        TRUTH("yaw_rate_dps", body.rate_body_radps.z, DEG_PER_RAD,
             "True body rate about z."),
        TRUTH("contact", contact.touching, 1.0,
             "1 while the vehicle touches the ground or an obstacle, else 0."),
        TRUTH("impact_mps", impact_mps, 1.0,
             "Speed into the ground or the obstacle that it touched, at the hardest point "
             "of the tick."),
        EIGHT(ROTOR),
        TRUTH("battery_v", battery.voltage_v, 1.0,
             "True voltage at the battery's terminals; 0 without a battery."),
        TRUTH("battery_a", battery.current_a, 1.0,
             "True current from the battery."),
        MADE("charge_used_mah", charge, 0,
             "True charge taken from the battery since the start."),
        TRUTH("wind_north_mps", around.wind_ned_mps.x, 1.0,
             "True motion of the air towards north at the vehicle."),
        TRUTH("wind_east_mps", around.wind_ned_mps.y, 1.0,
             "True motion of the air towards east at the vehicle."),
        TRUTH("wind_down_mps", around.wind_ned_mps.z, 1.0,
             "True motion of the air downwards at the vehicle."),
        FRAME("accel_x_mps2", imu.accel_body_mps2.x, 1.0,
             "Newest accelerometer sample, specific force along body x, as sent."),
        FRAME("accel_y_mps2", imu.accel_body_mps2.y, 1.0,
             "Newest accelerometer sample, specific force along body y, as sent."),
        FRAME("accel_z_mps2", imu.accel_body_mps2.z, 1.0,
             "Newest accelerometer sample, specific force along body z, as sent."),
        FRAME("gyro_x_dps", imu.gyro_body_radps.x, DEG_PER_RAD,
             "Newest gyroscope sample about body x, as sent."),
        FRAME("gyro_y_dps", imu.gyro_body_radps.y, DEG_PER_RAD,
             "Newest gyroscope sample about body y, as sent."),
        FRAME("gyro_z_dps", imu.gyro_body_radps.z, DEG_PER_RAD,
             "Newest gyroscope sample about body z, as sent."),
        FRAME("gps_satellites", gps.satellites, 1.0,
             "Satellites of the newest GPS sample, as sent."),
        FRAME("gps_fix", gps.fix, 1.0,
             "Fix of the newest GPS sample, as sent: 0 none, 2 in the plane, 3 in space."),
        FRAME("gps_height_m", gps.height_m, 1.0,
             "Height above the ellipsoid of the newest GPS sample, as sent."),
        FRAME("gps_north_mps", gps.vel_ned_mps.x, 1.0,
             "Velocity north of the newest GPS sample, as sent."),
        FRAME("gps_east_mps", gps.vel_ned_mps.y, 1.0,
             "Velocity east of the newest GPS sample, as sent."),
        FRAME("gps_down_mps", gps.vel_ned_mps.z, 1.0,
             "Velocity down of the newest GPS sample, as sent."),
        FRAME("baro_pa", baro.pressure_pa, 1.0,
             "Pressure of the newest barometer sample, as sent."),
        FRAME("mag_x_ut", mag.field_body_t.x, 1e6,
             "Newest magnetometer sample along body x, as sent."),
        FRAME("mag_y_ut", mag.field_body_t.y, 1e6,
             "Newest magnetometer sample along body y, as sent."),
        FRAME("mag_z_ut", mag.field_body_t.z, 1e6,
             "Newest magnetometer sample along body z, as sent."),
        SIXTEEN(SONAR),
        FRAME("power_v", power.voltage_v, 1.0,
             "Voltage of the newest power-module sample, as sent."),
        FRAME("power_a", power.current_a, 1.0,
             "Current of the newest power-module sample, as sent."),
        EIGHT(DUTY),
        REPORT("armed", armed, 1.0,
             "1 while the flight controller says that it is armed, else 0."),
        REPORT("can_arm", can_arm, 1.0,
             "1 while the flight controller says that it can be armed, else 0."),
        REPORT("failsafe", failsafe, 1.0,
             "1 while the flight controller says that it is in fail-safe, else 0."),
        REPORT("mode", mode, 1.0,
             "Mode that the flight controller says: 0 disarmed, 1 armed, 2 goto, 3 land, 4 return to its start, 5 another."),
        MADE("est_roll_deg", est_attitude, 0,
             "Roll that the flight controller estimates; NaN before it says one."),
        MADE("est_pitch_deg", est_attitude, 1,
             "Pitch that the flight controller estimates; NaN before it says one."),
        MADE("est_yaw_deg", est_attitude, 2,
             "Yaw that the flight controller estimates; NaN before it says one."),
        MADE("est_north_m", est_position, 0,
             "Position north from the start that the flight controller estimates; NaN before it says one."),
        MADE("est_east_m", est_position, 1,
             "Position east from the start that the flight controller estimates; NaN before it says one."),
        MADE("est_up_m", est_position, 2,
             "Height above the start that the flight controller estimates; NaN before it says one."),
        MADE("est_roll_error_deg", est_attitude_error, 0,
             "Estimated minus true roll, -180 to 180."),
        MADE("est_pitch_error_deg", est_attitude_error, 1,
             "Estimated minus true pitch, -180 to 180."),
        MADE("est_yaw_error_deg", est_attitude_error, 2,
             "Estimated minus true yaw, -180 to 180."),
        MADE("est_north_error_m", est_position_error, 0,
             "Estimated minus true position north, from the start."),
        MADE("est_east_error_m", est_position_error, 1,
             "Estimated minus true position east, from the start."),
        MADE("est_up_error_m", est_position_error, 2,
             "Estimated minus true height above the start."),
        MADE("est_error_deg", est_error, 0,
             "Angle of the turn from the true to the estimated attitude."),
        INPUT("setpoint_mode", setpoint.mode, 1.0,
             "Mode that the pilot asks: 0 disarmed, 1 armed, 2 goto, 3 land."),
        ASKED("setpoint_north_m", 0,
             "Position that the pilot asks, north from the start."),
        ASKED("setpoint_east_m", 1,
             "Position that the pilot asks, east from the start."),
        ASKED("setpoint_up_m", 2,
             "Height above the start that the pilot asks."),
        INPUT("setpoint_yaw_deg", setpoint.yaw_rad, DEG_PER_RAD,
             "Heading that the pilot asks, clockwise from north."),
        MADE("north_error_m", goto_error, 0,
             "True minus asked position north; NaN unless goto is asked."),
        MADE("east_error_m", goto_error, 1,
             "True minus asked position east; NaN unless goto is asked."),
        MADE("up_error_m", goto_error, 2,
             "True minus asked height; NaN unless goto is asked."),
        MADE("yaw_error_deg", yaw_error, 0,
             "True minus asked heading, -180 to 180; NaN unless goto is asked."),
        MADE("position_error_m", position_error, 0,
             "Distance from the position that the pilot asks; NaN unless goto is asked."),
        SIXTEEN(PULSE),
        MEMBER("nearest_m", nearest,
             "True distance to the nearest other vehicle, between centres of mass; of those in the air, or of all where none is, as all that follows of fleets; NaN of a single vehicle."),
        MEMBER("centre_distance_m", centre_distance,
             "True distance to the fleet's centre."),
        FLEET("fleet_separation_m", fleet_figure, 0,
             "True distance of the two vehicles that are nearest to each other."),
        FLEET("fleet_north_m", fleet_centre, 0,
             "Mean of all vehicles' true positions, north of the world's origin."),
        FLEET("fleet_east_m", fleet_centre, 1,
             "Mean of all vehicles' true positions, east of the world's origin."),
        FLEET("fleet_altitude_m", fleet_centre, 2,
             "Mean of all vehicles' true heights above the ground plane."),
        FLEET("fleet_radius_m", fleet_figure, 1,
             "True distance from the fleet's centre of the vehicle that is farthest from it."),
        FLEET("fleet_speed_mps", fleet_figure, 2,
             "True speed of the fleet's centre."),
        FLEET("fleet_order", fleet_figure, 3,
             "Length of the mean of the vehicles' directions of motion: 1 when all move one way, near 0 when none agrees; NaN when none moves."),
        FLEET("fleet_lattice_m", fleet_figure, 4,
             "Largest difference of a vehicle's nearest_m from the mean of all vehicles' nearest_m."),
        FLEET("fleet_range_m", fleet_figure, 5,
             "Shortest range at which each vehicle reaches each other by way of others: the longest link of their shortest tree."),
        TICK("faults", faults, 1.0,
             "Faults of the scenario in force."),
        TICK("loop_us", loop_ns, 1e-3,
             "Sensor-to-motor time that was measured in this tick; 0: none was."),
        TICK("lateness_us", lateness_ns, 1e-3,
             "How late the host woke up for this tick."),
        TICK("missed", missed, 1.0,
             "1 in a tick whose deadline had passed, else 0."),
        TICK("frame_sent", frame_sent, 1.0,
             "1 in a tick whose sensor frame went out, else 0."),
};
/* clang-format on */

const int quantity_count = (int)(sizeof quantities / sizeof quantities[0]);

int quantity_find(const char *name)
{
        for (int i = 0; i < quantity_count; i++)
                if (strcmp(quantities[i].name, name) == 0)
                        return i;
        return -1;
}

bool quantity_of_state(const struct quantity *q)
{
        return q->place == QUANTITY_REPORT || strcmp(q->name, "contact") == 0;
}

bool quantity_of_flight(const struct quantity *q)
{
        return (q->place == QUANTITY_TRUTH || q->place == QUANTITY_COMMAND ||
                q->place == QUANTITY_MEMBER || q->place == QUANTITY_FLEET) &&
               !quantity_of_state(q);
}

static double read_number(enum quantity_type type, const void *at)
{
        switch (type) {
        case QUANTITY_BOOL:
                return *(const bool *)at;
        case QUANTITY_INT:
                return *(const int *)at;
        case QUANTITY_U16:
                return *(const uint16_t *)at;
        case QUANTITY_I64:
                return (double)*(const int64_t *)at;
        case QUANTITY_DOUBLE:
                break;
        }
        return *(const double *)at;
}

double quantity_value(const struct quantity *q, const struct observation *o)
{
        const void *const place[] = {
                [QUANTITY_TICK] = o,           [QUANTITY_TRUTH] = o->truth,
                [QUANTITY_FRAME] = o->frame,   [QUANTITY_COMMAND] = o->command,
                [QUANTITY_REPORT] = o->report, [QUANTITY_INPUT] = o->input,
                [QUANTITY_MEMBER] = o->fleet,  [QUANTITY_FLEET] = o->fleet,
        };

        if (q->of != NULL)
                return q->of(o, q->index);
        return q->factor *
               read_number(q->type, (const char *)place[q->place] + q->offset);
}
