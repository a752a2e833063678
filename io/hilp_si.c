/* Between SI structs and HILP's counts. Every rounding and every limit of the wire stands
 * here. */
#include "io/hilp_si.h"

#include <math.h>
#include <string.h>

#define NANO       1e9
#define PI         3.14159265358979323846
#define DEG7       1e7 /* GPS angles: 1e-7 degree */
#define CELSIUS_K  273.15
#define QUAT_SCALE 1e4

/* The finest units, so that INT32_MAX counts are 2,147 m/s^2, 107 rad/s, 214 kPa, 2.1
 * T, 2.1 km. */
static const struct hilp_units finest = { 1000, 50, 100000, 1, 1000 };
/* For sensors that do not round. */
static const struct hilp_units plain = { 1000, 1000, 10000000, 1, 1000000 };

static uint32_t unit_nano(double lsb, uint32_t finest_nano, uint32_t plain_nano)
{
        /* Written so that NaN takes the plain unit. */
        if (!(lsb > 0.0))
                return plain_nano;
        if (lsb * NANO >= (double)UINT32_MAX)
                return UINT32_MAX;
        if (lsb * NANO <= finest_nano)
                return finest_nano;
        return (uint32_t)llround(lsb * NANO);
}

void hilp_si_units(struct hilp_units *units, const double sensor_lsb[SENSOR_COUNT],
                   double gyro_lsb_radps)
{
        units->accel = unit_nano(sensor_lsb[SENSOR_IMU], finest.accel, plain.accel);
        units->gyro = unit_nano(gyro_lsb_radps, finest.gyro, plain.gyro);
        units->pressure =
                unit_nano(sensor_lsb[SENSOR_BARO], finest.pressure, plain.pressure);
        units->mag = unit_nano(sensor_lsb[SENSOR_MAG], finest.mag, plain.mag);
        units->range = unit_nano(sensor_lsb[SENSOR_SONAR], finest.range, plain.range);
}

/* Rounded to the nearest, halves away from zero. */
static int64_t saturate(double value, int64_t min, int64_t max)
{
        if (value >= (double)max)
                return max;
        if (value <= (double)min)
                return min;
        return llround(value);
}

static int32_t to_i32(double value)
{
        return isnan(value) ? HILP_INVALID_I32
                            : (int32_t)saturate(value, -INT32_MAX, INT32_MAX);
}

static int16_t to_i16(double value)
{
        return isnan(value) ? HILP_INVALID_I16
                            : (int16_t)saturate(value, -INT16_MAX, INT16_MAX);
}

/* An accuracy that is not known is the worst. */
static uint16_t to_u16(double value)
{
        return isnan(value) ? UINT16_MAX : (uint16_t)saturate(value, 0, UINT16_MAX);
}

static double from_i32(int32_t count)
{
        return count == HILP_INVALID_I32 ? (double)NAN : (double)count;
}

static double from_i16(int16_t count)
{
        return count == HILP_INVALID_I16 ? (double)NAN : (double)count;
}

/* Counts of a unit in nano SI. The product below is a whole number of nano units, so that
 * only the division rounds: the result is the double nearest to the decimal number. */
static int32_t to_counts(double value, uint32_t unit)
{
        return to_i32(value * NANO / unit);
}

static double from_counts(int32_t count, uint32_t unit)
{
        return from_i32(count) * unit / NANO;
}

static void to_counts_xyz(int32_t count[3], struct vec3 v, uint32_t unit)
{
        count[0] = to_counts(v.x, unit);
        count[1] = to_counts(v.y, unit);
        count[2] = to_counts(v.z, unit);
}

static struct vec3 from_counts_xyz(const int32_t count[3], uint32_t unit)
{
        return (struct vec3){ from_counts(count[0], unit), from_counts(count[1], unit),
                              from_counts(count[2], unit) };
}

/* Millimetres and millimetres per second, wherever they stand. */
#define MILLI_IN_NANO 1000000

/* How long before the frame's time; 0 for a sample of the future, saturating at max. */
static uint32_t to_age_us(int64_t frame_ns, int64_t sample_ns, uint32_t max)
{
        int64_t age_us = frame_ns / 1000 - sample_ns / 1000;

        return age_us < 0 ? 0 : age_us > max ? max : (uint32_t)age_us;
}

static void to_gps(struct hilp_sensors *wire, const struct sensor_frame *frame)
{
        const struct gps_sample *gps = &frame->gps;

        wire->gps.age_us = to_age_us(frame->t_ns, gps->t_ns, UINT32_MAX);
        wire->gps.lat_1e7deg = to_i32(gps->lat_rad * (180.0 * DEG7 / PI));
        wire->gps.lon_1e7deg = to_i32(gps->lon_rad * (180.0 * DEG7 / PI));
        wire->gps.height_mm = to_i32(gps->height_m * 1e3);
        to_counts_xyz(wire->gps.vel_ned_mmps, gps->vel_ned_mps, MILLI_IN_NANO);
        wire->gps.h_acc_cm = to_u16(gps->h_acc_m * 1e2);
        wire->gps.v_acc_cm = to_u16(gps->v_acc_m * 1e2);
        wire->gps.s_acc_cmps = to_u16(gps->s_acc_mps * 1e2);
        wire->gps.fix = (uint8_t)gps->fix;
        wire->gps.satellites = (uint8_t)saturate(gps->satellites, 0, UINT8_MAX);
}

void hilp_si_to_sensors(struct hilp_sensors *wire, const struct hilp_units *units,
                        uint32_t number, const struct sensor_frame *frame)
{
        memset(wire, 0, sizeof *wire);
        wire->number = number;
        wire->time_us = (uint64_t)(frame->t_ns / 1000);
        wire->fresh = (uint8_t)(frame->fresh & (SENSOR_BIT(SENSOR_COUNT) - 1));

        if (wire->fresh & HILP_IMU) {
                wire->imu.age_us =
                        (uint16_t)to_age_us(frame->t_ns, frame->imu.t_ns, UINT16_MAX);
                to_counts_xyz(wire->imu.accel, frame->imu.accel_body_mps2, units->accel);
                to_counts_xyz(wire->imu.gyro, frame->imu.gyro_body_radps, units->gyro);
        }
        if (wire->fresh & HILP_GPS)
                to_gps(wire, frame);
        if (wire->fresh & HILP_BARO) {
                wire->baro.age_us = to_age_us(frame->t_ns, frame->baro.t_ns, UINT32_MAX);
                wire->baro.pressure = to_counts(frame->baro.pressure_pa, units->pressure);
                wire->baro.temperature_cdegc =
                        to_i16((frame->baro.temperature_k - CELSIUS_K) * 1e2);
        }
        if (wire->fresh & HILP_MAG) {
                wire->mag.age_us = to_age_us(frame->t_ns, frame->mag.t_ns, UINT32_MAX);
                to_counts_xyz(wire->mag.field, frame->mag.field_body_t, units->mag);
        }
        if (wire->fresh & HILP_SONAR) {
                wire->sonar.age_us =
                        to_age_us(frame->t_ns, frame->sonar.t_ns, UINT32_MAX);
                wire->sonar.range = to_counts(frame->sonar.range_m, units->range);
                wire->sonar.echo = frame->sonar.echo;
        }
}

static void from_gps(struct sensor_frame *frame, const struct hilp_sensors *wire)
{
        struct gps_sample *gps = &frame->gps;

        gps->t_ns = frame->t_ns - (int64_t)wire->gps.age_us * 1000;
        gps->lat_rad = from_i32(wire->gps.lat_1e7deg) / (180.0 * DEG7 / PI);
        gps->lon_rad = from_i32(wire->gps.lon_1e7deg) / (180.0 * DEG7 / PI);
        gps->height_m = from_i32(wire->gps.height_mm) / 1e3;
        gps->vel_ned_mps = from_counts_xyz(wire->gps.vel_ned_mmps, MILLI_IN_NANO);
        gps->h_acc_m = wire->gps.h_acc_cm / 1e2;
        gps->v_acc_m = wire->gps.v_acc_cm / 1e2;
        gps->s_acc_mps = wire->gps.s_acc_cmps / 1e2;
        gps->fix = (enum gps_fix)wire->gps.fix;
        gps->satellites = wire->gps.satellites;
}

void hilp_si_from_sensors(struct sensor_frame *frame, const struct hilp_units *units,
                          const struct hilp_sensors *wire)
{
        frame->t_ns = (int64_t)wire->time_us * 1000;
        frame->fresh = wire->fresh;

        if (wire->fresh & HILP_IMU) {
                frame->imu.t_ns = frame->t_ns - (int64_t)wire->imu.age_us * 1000;
                frame->imu.accel_body_mps2 =
                        from_counts_xyz(wire->imu.accel, units->accel);
                frame->imu.gyro_body_radps = from_counts_xyz(wire->imu.gyro, units->gyro);
        }
        if (wire->fresh & HILP_GPS)
                from_gps(frame, wire);
        if (wire->fresh & HILP_BARO) {
                frame->baro.t_ns = frame->t_ns - (int64_t)wire->baro.age_us * 1000;
                frame->baro.pressure_pa =
                        from_counts(wire->baro.pressure, units->pressure);
                frame->baro.temperature_k =
                        from_i16(wire->baro.temperature_cdegc) / 1e2 + CELSIUS_K;
        }
        if (wire->fresh & HILP_MAG) {
                frame->mag.t_ns = frame->t_ns - (int64_t)wire->mag.age_us * 1000;
                frame->mag.field_body_t = from_counts_xyz(wire->mag.field, units->mag);
        }
        if (wire->fresh & HILP_SONAR) {
                frame->sonar.t_ns = frame->t_ns - (int64_t)wire->sonar.age_us * 1000;
                frame->sonar.range_m = from_counts(wire->sonar.range, units->range);
                frame->sonar.echo = wire->sonar.echo != 0;
        }
}

void hilp_si_to_input(struct hilp_input *wire, const struct pilot_input *input)
{
        memset(wire, 0, sizeof *wire);
        wire->mode = (uint8_t)input->setpoint.mode;
        to_counts_xyz(wire->pos_ned_mm, input->setpoint.pos_ned_m, MILLI_IN_NANO);
        /* Turned into -pi..pi, which 16 bits hold. */
        wire->yaw_mrad = to_i16(remainder(input->setpoint.yaw_rad, 2.0 * PI) * 1e3);

        /* Up to the last channel that has a value. */
        for (int i = 0; i < RC_CHANNELS_MAX; i++) {
                wire->rc_us[i] = input->rc_us[i];
                if (input->rc_us[i] != 0)
                        wire->channels = (uint8_t)(i + 1);
        }
}

void hilp_si_from_input(struct pilot_input *input, const struct hilp_input *wire)
{
        memset(input, 0, sizeof *input);
        input->setpoint.mode = (enum flight_mode)wire->mode;
        input->setpoint.pos_ned_m = from_counts_xyz(wire->pos_ned_mm, MILLI_IN_NANO);
        input->setpoint.yaw_rad = from_i16(wire->yaw_mrad) / 1e3;
        for (int i = 0; i < wire->channels && i < RC_CHANNELS_MAX; i++)
                input->rc_us[i] = wire->rc_us[i];
}

void hilp_si_to_state(struct hilp_state *wire, const struct fc_estimate *estimate)
{
        struct quat q = estimate->q_body_to_ned;

        memset(wire, 0, sizeof *wire);
        wire->q_1e4[0] = to_i16(q.w * QUAT_SCALE);
        wire->q_1e4[1] = to_i16(q.x * QUAT_SCALE);
        wire->q_1e4[2] = to_i16(q.y * QUAT_SCALE);
        wire->q_1e4[3] = to_i16(q.z * QUAT_SCALE);
        to_counts_xyz(wire->pos_ned_mm, estimate->pos_ned_m, MILLI_IN_NANO);
        wire->vel_ned_cmps[0] = to_i16(estimate->vel_ned_mps.x * 1e2);
        wire->vel_ned_cmps[1] = to_i16(estimate->vel_ned_mps.y * 1e2);
        wire->vel_ned_cmps[2] = to_i16(estimate->vel_ned_mps.z * 1e2);
}

void hilp_si_from_state(struct fc_estimate *estimate, const struct hilp_state *wire)
{
        struct quat q = { from_i16(wire->q_1e4[0]), from_i16(wire->q_1e4[1]),
                          from_i16(wire->q_1e4[2]), from_i16(wire->q_1e4[3]) };

        estimate->q_body_to_ned = quat_normalise(q);
        estimate->pos_ned_m = from_counts_xyz(wire->pos_ned_mm, MILLI_IN_NANO);
        estimate->vel_ned_mps = (struct vec3){ from_i16(wire->vel_ned_cmps[0]) / 1e2,
                                               from_i16(wire->vel_ned_cmps[1]) / 1e2,
                                               from_i16(wire->vel_ned_cmps[2]) / 1e2 };
}

uint16_t hilp_si_to_duty(double duty)
{
        return isnan(duty) ? 0 : (uint16_t)saturate(duty * UINT16_MAX, 0, UINT16_MAX);
}

double hilp_si_from_duty(uint16_t duty)
{
        return (double)duty / UINT16_MAX;
}
