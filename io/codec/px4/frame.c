/* Sensor samples and sticks in the units and signs of PX4's MAVLink HIL messages. What PX4 makes of
 * each field: its SimulatorMavlink.cpp and mavlink_receiver.cpp; the fields themselves: common.xml. */
#include <math.h>
#include <string.h>

#include "io/codec/standard_height.h"
#include "io/codec/px4/px4.h"

#define GAUSS_PER_TESLA 1e4
#define PA_PER_HPA      100.0
#define ZERO_CELSIUS_K  273.15

/* HIL_SENSOR.fields_updated. PX4 takes a group only with every bit of it. */
#define FIELDS_ACCEL 0x0007U
#define FIELDS_GYRO  0x0038U
#define FIELDS_MAG   0x01C0U
#define FIELDS_BARO  0x1A00U

/* PX4 takes this course for "not known". */
#define NO_COURSE        65535
#define COURSE_FROM_MPS  0.1
#define DISTANCE_MAX_CM  65535
#define ULTRASOUND       1 /* MAV_DISTANCE_SENSOR_ULTRASOUND */
#define DOWNWARD         25 /* MAV_SENSOR_ROTATION_PITCH_270 */
#define VARIANCE_UNKNOWN 255
#define SIGNAL_INVALID   1
#define SIGNAL_PERFECT   100

/* The nearest whole number in the range; 0 for what is no number. */
static int64_t whole(double value, int64_t least, int64_t most)
{
        if (!(value > (double)least))
                return isnan(value) ? 0 : least;
        return value < (double)most ? llround(value) : most;
}

static int32_t degrees_e7(double rad)
{
        return (int32_t)whole(rad * DEG_PER_RAD * 1e7, -1800000000, 1800000000);
}

static int16_t cm_per_s(double mps)
{
        return (int16_t)whole(mps * 100.0, INT16_MIN, INT16_MAX);
}

static uint16_t cm(double metres)
{
        return (uint16_t)whole(metres * 100.0, 0, UINT16_MAX);
}

void codec_px4_hil_sensor(struct mavlink_hil_sensor *m, uint64_t time_us,
                          const struct sensor_frame *frame)
{
        const struct vec3 *accel = &frame->imu.accel_body_mps2;
        const struct vec3 *gyro = &frame->imu.gyro_body_radps;
        const struct vec3 *mag = &frame->mag.field_body_t;

        *m = (struct mavlink_hil_sensor){
                .time_usec = time_us,
                .xacc = (float)accel->x,
                .yacc = (float)accel->y,
                .zacc = (float)accel->z,
                .xgyro = (float)gyro->x,
                .ygyro = (float)gyro->y,
                .zgyro = (float)gyro->z,
                .xmag = (float)(mag->x * GAUSS_PER_TESLA),
                .ymag = (float)(mag->y * GAUSS_PER_TESLA),
                .zmag = (float)(mag->z * GAUSS_PER_TESLA),
        };
        if (frame->fresh & SENSOR_BIT(SENSOR_IMU))
                m->fields_updated |= FIELDS_ACCEL | FIELDS_GYRO;
        if (frame->fresh & SENSOR_BIT(SENSOR_MAG))
                m->fields_updated |= FIELDS_MAG;
        if (frame->fresh & SENSOR_BIT(SENSOR_BARO)) {
                m->fields_updated |= FIELDS_BARO;
                m->abs_pressure = (float)(frame->baro.pressure_pa / PA_PER_HPA);
                m->pressure_alt = (float)standard_height_m(frame->baro.pressure_pa);
                m->temperature = (float)(frame->baro.temperature_k - ZERO_CELSIUS_K);
        }
}

/* PX4 takes eph and epv for the accuracy in cm, alt for the height above sea level, and the time for
 * UTC. */
void codec_px4_hil_gps(struct mavlink_hil_gps *m, const struct codec_origin *origin,
                       const struct gps_sample *gps)
{
        const struct vec3 *vel = &gps->vel_ned_mps;
        double speed_mps = sqrt(vel->x * vel->x + vel->y * vel->y);

        *m = (struct mavlink_hil_gps){
                .time_usec = (uint64_t)(origin->utc_ns + gps->t_ns) / 1000,
                .lat = degrees_e7(gps->lat_rad),
                .lon = degrees_e7(gps->lon_rad),
                .alt = (int32_t)whole(gps->height_m * 1000.0, INT32_MIN, INT32_MAX),
                .eph = cm(gps->h_acc_m),
                .epv = cm(gps->v_acc_m),
                .vel = cm(speed_mps),
                .vn = cm_per_s(vel->x),
                .ve = cm_per_s(vel->y),
                .vd = cm_per_s(vel->z),
                .cog = NO_COURSE,
                .fix_type = (uint8_t)gps->fix,
                .satellites_visible = (uint8_t)whole(gps->satellites, 0, UINT8_MAX),
        };
        if (speed_mps > COURSE_FROM_MPS) {
                double course_cdeg = atan2(vel->y, vel->x) * DEG_PER_RAD * 100.0;

                m->cog = (uint16_t)((whole(course_cdeg, -18000, 18000) + 36000) % 36000);
        }
}

/* The sample has its own gyroscope about x and y; about z the vehicle's turns for it. */
void codec_px4_hil_flow(struct mavlink_hil_optical_flow *m, uint64_t time_us,
                        const struct sensor_frame *frame)
{
        const struct flow_sample *flow = &frame->flow;

        *m = (struct mavlink_hil_optical_flow){
                .time_usec = time_us,
                .integration_time_us =
                        (uint32_t)whole((double)flow->interval_ns * 1e-3, 0, UINT32_MAX),
                .integrated_x = (float)flow->flow_x_rad,
                .integrated_y = (float)flow->flow_y_rad,
                .integrated_xgyro = (float)flow->gyro_x_rad,
                .integrated_ygyro = (float)flow->gyro_y_rad,
                .integrated_zgyro = (float)(frame->imu.gyro_body_radps.z *
                                            (double)flow->interval_ns * 1e-9),
                .distance = -1.0F, /* not measured by this sensor */
                .quality = (uint8_t)whole(flow->quality, 0, UINT8_MAX),
        };
}

void codec_px4_distance(struct mavlink_distance_sensor *m, uint64_t time_us,
                        const struct sonar_sample *sonar)
{
        *m = (struct mavlink_distance_sensor){
                .time_boot_ms = (uint32_t)(time_us / 1000),
                .max_distance = DISTANCE_MAX_CM,
                .current_distance = cm(sonar->range_m),
                .type = ULTRASOUND,
                .orientation = DOWNWARD,
                .covariance = VARIANCE_UNKNOWN,
                .signal_quality = sonar->echo ? SIGNAL_PERFECT : SIGNAL_INVALID,
        };
}

static int16_t deflection(uint16_t us)
{
        return us == 0 ? 0 : (int16_t)whole((us - 1500) * 2.0, -1000, 1000);
}

/* Roll, pitch, throttle, yaw come first. x forward, y right, r clockwise, z 0 to 1000. */
void codec_px4_sticks(struct mavlink_manual_control *m,
                      const uint16_t rc_us[RC_CHANNELS_MAX])
{
        *m = (struct mavlink_manual_control){
                .x = deflection(rc_us[1]),
                .y = deflection(rc_us[0]),
                .z = (int16_t)whole(rc_us[2] - 1000.0, 0, 1000),
                .r = deflection(rc_us[3]),
        };
        for (int i = 4; i < RC_CHANNELS_MAX; i++)
                if (rc_us[i] > 1500)
                        m->buttons = (uint16_t)(m->buttons | 1U << (i - 4));
}
