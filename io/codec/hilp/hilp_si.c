/* What the sensors measured, between SI and HILP's counts. */
#include "io/codec/hilp/hilp_si.h"

#include <string.h>

#include "io/codec/hilp/hilp_count.h"

_Static_assert(HILP_ROTORS_MAX == ROTORS_MAX, "the wire carries a vehicle's rotors");
_Static_assert(HILP_SONARS_MAX == SONARS_MAX, "its sonars");
_Static_assert(HILP_RC_MAX == RC_CHANNELS_MAX, "and its pilot's channels");

#define DEG7      1e7 /* GPS angles: 1e-7 degree */
#define CELSIUS_K 273.15

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

static void to_baro(struct hilp_sensors *wire, const struct hilp_units *units,
                    const struct sensor_frame *frame)
{
        const struct baro_sample *baro = &frame->baro;

        wire->baro.age_us = to_age_us(frame->t_ns, baro->t_ns, UINT32_MAX);
        wire->baro.pressure = to_counts(baro->pressure_pa, units->pressure);
        wire->baro.temperature_cdegc = to_i16((baro->temperature_k - CELSIUS_K) * 1e2);
        wire->baro.raw_temperature = baro->raw_temperature;
        wire->baro.raw_pressure = baro->raw_pressure;
}

static void to_flow(struct hilp_sensors *wire, const struct sensor_frame *frame)
{
        const struct flow_sample *flow = &frame->flow;

        wire->flow.age_us = to_age_us(frame->t_ns, flow->t_ns, UINT32_MAX);
        wire->flow.interval_us = to_age_us(flow->interval_ns, 0, UINT32_MAX);
        wire->flow.flow_10nrad[0] = to_counts(flow->flow_x_rad, TEN_NANO);
        wire->flow.flow_10nrad[1] = to_counts(flow->flow_y_rad, TEN_NANO);
        wire->flow.gyro_10nrad[0] = to_counts(flow->gyro_x_rad, TEN_NANO);
        wire->flow.gyro_10nrad[1] = to_counts(flow->gyro_y_rad, TEN_NANO);
        wire->flow.quality = (uint8_t)saturate(flow->quality, 0, UINT8_MAX);
}

static void to_power(struct hilp_sensors *wire, const struct sensor_frame *frame)
{
        const struct power_sample *power = &frame->power;

        wire->power.age_us = to_age_us(frame->t_ns, power->t_ns, UINT32_MAX);
        wire->power.voltage_uv = to_counts(power->voltage_v, MICRO_IN_NANO);
        wire->power.current_ua = to_counts(power->current_a, MICRO_IN_NANO);
        wire->power.charge_used_mc = to_counts(power->charge_used_c, MILLI_IN_NANO);
}

static void to_ins(struct hilp_sensors *wire, const struct sensor_frame *frame)
{
        wire->ins.age_us = to_age_us(frame->t_ns, frame->ins.t_ns, UINT32_MAX);
        to_counts_xyz(wire->ins.pos_ned_mm, frame->ins.pos_ned_m, MILLI_IN_NANO);
        to_counts_xyz(wire->ins.euler_urad, frame->ins.euler_rad, MICRO_IN_NANO);
}

static void to_relative(struct hilp_sensors *wire, const struct sensor_frame *frame)
{
        const struct relative_sample *r = &frame->relative;
        double none = (double)NAN;

        wire->relative.age_us = to_age_us(frame->t_ns, r->t_ns, UINT32_MAX);
        wire->relative.peer = r->peer < 0 ? HILP_PEER_ALL : (uint16_t)r->peer;
        wire->relative.range_mm =
                to_counts(r->has_range ? r->range_m : none, MILLI_IN_NANO);
        wire->relative.azimuth_urad =
                to_counts(r->has_bearing ? r->azimuth_rad : none, MICRO_IN_NANO);
        wire->relative.elevation_urad =
                to_counts(r->has_bearing ? r->elevation_rad : none, MICRO_IN_NANO);
}

_Static_assert(SENSOR_COUNT == HILP_SENSOR_COUNT,
               "HILP has a bit and a block for each sensor");
_Static_assert(HILP_SENSOR_COUNT <= HILP_FRESH_BITS, "a bit is in `fresh`");
_Static_assert(SENSOR_BIT(SENSOR_IMU) == HILP_IMU && SENSOR_BIT(SENSOR_GPS) == HILP_GPS &&
                       SENSOR_BIT(SENSOR_BARO) == HILP_BARO &&
                       SENSOR_BIT(SENSOR_MAG) == HILP_MAG &&
                       SENSOR_BIT(SENSOR_SONAR) == HILP_SONAR &&
                       SENSOR_BIT(SENSOR_FLOW) == HILP_FLOW &&
                       SENSOR_BIT(SENSOR_POWER) == HILP_POWER &&
                       SENSOR_BIT(SENSOR_INS) == HILP_INS &&
                       SENSOR_BIT(SENSOR_RELATIVE) == HILP_RELATIVE,
               "bits are the same on both sides");
_Static_assert(SONARS_MAX == HILP_SONARS_MAX, "HILP has an index for each sonar");
_Static_assert(ROTORS_MAX == HILP_ROTORS_MAX, "HILP has an output for each rotor");
_Static_assert(BMP180_OVERSAMPLING_MAX == HILP_BARO_OVERSAMPLING_MAX,
               "HILP has each mode");
_Static_assert(RC_CHANNELS_MAX == HILP_RC_MAX, "HILP has a place for each channel");

/* Sonars count by the sonar. */
static uint16_t to_fresh(const struct sensor_frame *frame)
{
        uint32_t fresh = frame->fresh & (SENSOR_BIT(SENSOR_COUNT) - 1);

        if (frame->fresh_sonars == 0)
                fresh &= ~(uint32_t)HILP_SONAR;
        return (uint16_t)fresh;
}

void hilp_si_to_sensors(struct hilp_sensors *wire, const struct hilp_units *units,
                        uint32_t number, const struct sensor_frame *frame)
{
        memset(wire, 0, sizeof *wire);
        wire->number = number;
        wire->time_us = (uint64_t)(frame->t_ns / 1000);
        wire->fresh = to_fresh(frame);

        if (wire->fresh & HILP_IMU) {
                wire->imu.age_us =
                        (uint16_t)to_age_us(frame->t_ns, frame->imu.t_ns, UINT16_MAX);
                to_counts_xyz(wire->imu.accel, frame->imu.accel_body_mps2, units->accel);
                to_counts_xyz(wire->imu.gyro, frame->imu.gyro_body_radps, units->gyro);
        }
        if (wire->fresh & HILP_GPS)
                to_gps(wire, frame);
        if (wire->fresh & HILP_BARO)
                to_baro(wire, units, frame);
        if (wire->fresh & HILP_MAG) {
                wire->mag.age_us = to_age_us(frame->t_ns, frame->mag.t_ns, UINT32_MAX);
                to_counts_xyz(wire->mag.field, frame->mag.field_body_t, units->mag);
        }
        if (wire->fresh & HILP_FLOW)
                to_flow(wire, frame);
        if (wire->fresh & HILP_POWER)
                to_power(wire, frame);
        if (wire->fresh & HILP_INS)
                to_ins(wire, frame);
        if (wire->fresh & HILP_RELATIVE)
                to_relative(wire, frame);
}

void hilp_si_to_sonars(struct hilp_sonars *wire, const struct hilp_units *units,
                       uint32_t number, const struct sensor_frame *frame)
{
        memset(wire, 0, sizeof *wire);
        wire->number = number;
        wire->time_us = (uint64_t)(frame->t_ns / 1000);
        for (int i = 0; i < SONARS_MAX; i++) {
                const struct sonar_sample *sonar = &frame->sonar[i];
                struct hilp_sonar *to;

                if (!(frame->fresh_sonars >> i & 1))
                        continue;
                to = &wire->sonar[wire->count++];
                to->index = (uint8_t)i;
                to->age_us = to_age_us(frame->t_ns, sonar->t_ns, UINT32_MAX);
                to->range = to_counts(sonar->range_m, units->range);
                to->echo = sonar->echo;
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

static void from_baro(struct sensor_frame *frame, const struct hilp_units *units,
                      const struct hilp_sensors *wire)
{
        struct baro_sample *baro = &frame->baro;

        baro->t_ns = frame->t_ns - (int64_t)wire->baro.age_us * 1000;
        baro->pressure_pa = from_counts(wire->baro.pressure, units->pressure);
        baro->temperature_k = from_i16(wire->baro.temperature_cdegc) / 1e2 + CELSIUS_K;
        baro->raw_temperature = wire->baro.raw_temperature;
        baro->raw_pressure = wire->baro.raw_pressure;
}

static void from_flow(struct sensor_frame *frame, const struct hilp_sensors *wire)
{
        struct flow_sample *flow = &frame->flow;

        flow->t_ns = frame->t_ns - (int64_t)wire->flow.age_us * 1000;
        flow->interval_ns = (int64_t)wire->flow.interval_us * 1000;
        flow->flow_x_rad = from_counts(wire->flow.flow_10nrad[0], TEN_NANO);
        flow->flow_y_rad = from_counts(wire->flow.flow_10nrad[1], TEN_NANO);
        flow->gyro_x_rad = from_counts(wire->flow.gyro_10nrad[0], TEN_NANO);
        flow->gyro_y_rad = from_counts(wire->flow.gyro_10nrad[1], TEN_NANO);
        flow->quality = wire->flow.quality;
}

static void from_power(struct sensor_frame *frame, const struct hilp_sensors *wire)
{
        struct power_sample *power = &frame->power;

        power->t_ns = frame->t_ns - (int64_t)wire->power.age_us * 1000;
        power->voltage_v = from_counts(wire->power.voltage_uv, MICRO_IN_NANO);
        power->current_a = from_counts(wire->power.current_ua, MICRO_IN_NANO);
        power->charge_used_c = from_counts(wire->power.charge_used_mc, MILLI_IN_NANO);
}

static void from_ins(struct sensor_frame *frame, const struct hilp_sensors *wire)
{
        frame->ins.t_ns = frame->t_ns - (int64_t)wire->ins.age_us * 1000;
        frame->ins.pos_ned_m = from_counts_xyz(wire->ins.pos_ned_mm, MILLI_IN_NANO);
        frame->ins.euler_rad = from_counts_xyz(wire->ins.euler_urad, MICRO_IN_NANO);
}

static void from_relative(struct sensor_frame *frame, const struct hilp_sensors *wire)
{
        struct relative_sample *r = &frame->relative;
        double range_m = from_counts(wire->relative.range_mm, MILLI_IN_NANO);
        double azimuth_rad = from_counts(wire->relative.azimuth_urad, MICRO_IN_NANO);
        double elevation_rad = from_counts(wire->relative.elevation_urad, MICRO_IN_NANO);

        r->t_ns = frame->t_ns - (int64_t)wire->relative.age_us * 1000;
        r->peer = wire->relative.peer == HILP_PEER_ALL ? -1 : wire->relative.peer;
        r->has_range = r->peer >= 0 && !isnan(range_m);
        r->has_bearing = r->peer >= 0 && !isnan(azimuth_rad) && !isnan(elevation_rad);
        r->range_m = r->has_range ? range_m : 0.0;
        r->azimuth_rad = r->has_bearing ? azimuth_rad : 0.0;
        r->elevation_rad = r->has_bearing ? elevation_rad : 0.0;
}

void hilp_si_from_sensors(struct sensor_frame *frame, const struct hilp_units *units,
                          const struct hilp_sensors *wire)
{
        frame->t_ns = (int64_t)wire->time_us * 1000;
        frame->fresh = wire->fresh & ~(uint32_t)HILP_SONAR;
        frame->fresh_sonars = 0;

        if (wire->fresh & HILP_IMU) {
                frame->imu.t_ns = frame->t_ns - (int64_t)wire->imu.age_us * 1000;
                frame->imu.accel_body_mps2 =
                        from_counts_xyz(wire->imu.accel, units->accel);
                frame->imu.gyro_body_radps = from_counts_xyz(wire->imu.gyro, units->gyro);
        }
        if (wire->fresh & HILP_GPS)
                from_gps(frame, wire);
        if (wire->fresh & HILP_BARO)
                from_baro(frame, units, wire);
        if (wire->fresh & HILP_MAG) {
                frame->mag.t_ns = frame->t_ns - (int64_t)wire->mag.age_us * 1000;
                frame->mag.field_body_t = from_counts_xyz(wire->mag.field, units->mag);
        }
        if (wire->fresh & HILP_FLOW)
                from_flow(frame, wire);
        if (wire->fresh & HILP_POWER)
                from_power(frame, wire);
        if (wire->fresh & HILP_INS)
                from_ins(frame, wire);
        if (wire->fresh & HILP_RELATIVE)
                from_relative(frame, wire);
}

uint32_t hilp_si_from_sonars(struct sensor_frame *frame, const struct hilp_units *units,
                             const struct hilp_sonars *wire)
{
        int64_t frame_ns = (int64_t)wire->time_us * 1000;
        uint32_t heard = 0;

        for (int i = 0; i < wire->count; i++) {
                const struct hilp_sonar *from = &wire->sonar[i];
                struct sonar_sample *sonar = &frame->sonar[from->index];

                sonar->t_ns = frame_ns - (int64_t)from->age_us * 1000;
                sonar->range_m = from_counts(from->range, units->range);
                sonar->echo = from->echo != 0;
                heard |= 1U << from->index;
        }
        return heard;
}
