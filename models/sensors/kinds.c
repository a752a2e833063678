#include "models/sensors/kinds.h"

#include <stddef.h>
#include <string.h>

#include "models/sensors/sensors.h"

/* From a sensor's own types to those of the table. */
#define SENSOR_CALLS(what)                                                               \
        static void init_##what(struct sensors *s, const struct sensors_params *p,       \
                                uint64_t seed, uint32_t vehicle)                         \
        {                                                                                \
                what##_init(&s->what, &p->what, seed, vehicle);                          \
        }                                                                                \
        static void step_##what(struct sensors *s, const struct sensors_params *p,       \
                                int unit, const struct exposure *e,                      \
                                union sensor_sample *out)                                \
        {                                                                                \
                (void)unit;                                                              \
                what##_step(&s->what, &p->what, e, &out->what);                          \
        }

SENSOR_CALLS(imu)
SENSOR_CALLS(gps)
SENSOR_CALLS(baro)
SENSOR_CALLS(mag)
SENSOR_CALLS(flow)
SENSOR_CALLS(power)
SENSOR_CALLS(ins)
SENSOR_CALLS(relative)

static void init_sonar(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                       uint32_t vehicle)
{
        sonar_init(&s->sonar, &p->sonar, seed, vehicle);
}

static void step_sonar(struct sensors *s, const struct sensors_params *p, int unit,
                       const struct exposure *e, union sensor_sample *out)
{
        sonar_step(&s->sonar, &p->sonar, unit, e, &out->sonar);
}

/* A row's name, places and calls; first_schedule is a member of struct sensors_params. */
#define SENSOR(what, units, first_schedule)                                              \
        .name = #what, .units_max = (units),                                             \
        .sample_offset = offsetof(struct sensor_frame, what),                            \
        .sample_size = sizeof(struct what##_sample),                                     \
        .schedule_offset = offsetof(struct sensors_params, first_schedule),              \
        .init = init_##what, .step = step_##what

#define FIELD(what, member) #member, offsetof(struct what##_sample, member)

const struct sensor_kind sensor_kinds[SENSOR_COUNT] = {
        [SENSOR_IMU] = { SENSOR(imu, 1, imu.schedule), .needs_acceleration = true,
                         .field = { { FIELD(imu, accel_body_mps2), "m/s^2", 3,
                                      FIELD_F64 },
                                    { FIELD(imu, gyro_body_radps), "rad/s", 3,
                                      FIELD_F64 } } },
        [SENSOR_GPS] = { SENSOR(gps, 1, gps.schedule),
                         .recorded_size = sizeof(((struct gps_sample *)NULL)->used_prn),
                         .field = { { FIELD(gps, lat_rad), "rad", 1, FIELD_F64 },
                                    { FIELD(gps, lon_rad), "rad", 1, FIELD_F64 },
                                    { FIELD(gps, height_m), "m", 1, FIELD_F64 },
                                    { FIELD(gps, vel_ned_mps), "m/s", 3, FIELD_F64 },
                                    { FIELD(gps, h_acc_m), "m", 1, FIELD_F64 },
                                    { FIELD(gps, v_acc_m), "m", 1, FIELD_F64 },
                                    { FIELD(gps, s_acc_mps), "m/s", 1, FIELD_F64 },
                                    { FIELD(gps, satellites), "1", 1, FIELD_I32 },
                                    { FIELD(gps, fix), "1", 1, FIELD_I32 } } },
        [SENSOR_BARO] = { SENSOR(baro, 1, baro.schedule),
                          .field = { { FIELD(baro, pressure_pa), "Pa", 1, FIELD_F64 },
                                     { FIELD(baro, temperature_k), "K", 1, FIELD_F64 },
                                     { FIELD(baro, raw_temperature), "1", 1, FIELD_I32 },
                                     { FIELD(baro, raw_pressure), "1", 1, FIELD_I32 } } },
        [SENSOR_MAG] = { SENSOR(mag, 1, mag.schedule),
                         .field = { { FIELD(mag, field_body_t), "T", 3, FIELD_F64 } } },
        [SENSOR_SONAR] = { SENSOR(sonar, SONARS_MAX, sonar.unit[0].schedule),
                           .schedule_stride = sizeof(struct sonar_unit_params),
                           .field = { { FIELD(sonar, range_m), "m", 1, FIELD_F64 },
                                      { FIELD(sonar, echo), "1", 1, FIELD_BOOL } } },
        [SENSOR_FLOW] = { SENSOR(flow, 1, flow.schedule),
                          .field = { { FIELD(flow, interval_ns), "ns", 1, FIELD_I64 },
                                     { FIELD(flow, flow_x_rad), "rad", 1, FIELD_F64 },
                                     { FIELD(flow, flow_y_rad), "rad", 1, FIELD_F64 },
                                     { FIELD(flow, gyro_x_rad), "rad", 1, FIELD_F64 },
                                     { FIELD(flow, gyro_y_rad), "rad", 1, FIELD_F64 },
                                     { FIELD(flow, quality), "1", 1, FIELD_I32 } } },
        [SENSOR_POWER] = { SENSOR(power, 1, power.schedule),
                           .field = { { FIELD(power, voltage_v), "V", 1, FIELD_F64 },
                                      { FIELD(power, current_a), "A", 1, FIELD_F64 },
                                      { FIELD(power, charge_used_c), "C", 1,
                                        FIELD_F64 } } },
        [SENSOR_INS] = { SENSOR(ins, 1, ins.schedule),
                         .field = { { FIELD(ins, pos_ned_m), "m", 3, FIELD_F64 },
                                    { FIELD(ins, euler_rad), "rad", 3, FIELD_F64 } } },
        [SENSOR_RELATIVE] = { SENSOR(relative, 1, relative.schedule),
                              .field = { { FIELD(relative, range_m), "m", 1, FIELD_F64 },
                                         { FIELD(relative, azimuth_rad), "rad", 1,
                                           FIELD_F64 },
                                         { FIELD(relative, elevation_rad), "rad", 1,
                                           FIELD_F64 },
                                         { FIELD(relative, peer), "1", 1, FIELD_I32 },
                                         { FIELD(relative, has_range), "1", 1,
                                           FIELD_BOOL },
                                         { FIELD(relative, has_bearing), "1",
                                           1, FIELD_BOOL } } },
};

_Static_assert(sizeof(union sensor_sample) <= DELAY_SAMPLE_MAX,
               "a delay line holds any sample");
_Static_assert(sizeof(enum gps_fix) == sizeof(int32_t), "FIELD_I32 holds a fix");

int sensor_units(const struct sensors_params *p, enum sensor which)
{
        return which == SENSOR_SONAR ? p->sonar.count
                                     : sensor_schedule(p, which, 0)->period_ns > 0;
}

void sensor_sample_copy(struct sensor_frame *to, const struct sensor_frame *from,
                        enum sensor which, int unit)
{
        memcpy(sensor_sample(to, which, unit), sensor_sample_const(from, which, unit),
               sensor_kinds[which].sample_size);
}

void sensor_set_fresh(struct sensor_frame *f, enum sensor which, int unit, bool fresh)
{
        uint32_t bit = SENSOR_BIT(which);

        if (which == SENSOR_SONAR) {
                f->fresh_sonars &= ~(1U << unit);
                f->fresh_sonars |= (uint32_t)fresh << unit;
                fresh = f->fresh_sonars != 0;
        }
        f->fresh = fresh ? f->fresh | bit : f->fresh & ~bit;
}
