/* What the sensors delivered, in the log: the IMU as often as the truth, every other sample once. */
#include <math.h>

#include "hil/record/record_topics.h"
#include "models/sensors/kinds.h"
#include "models/world/atmosphere.h"

#define GAUSS_PER_T      1e4
#define KELVIN_AT_0_DEGC 273.15
#define C_PER_MAH        3.6
#define NEVER_NS         INT64_MIN

/* PX4's constants for distance_sensor and battery_status. */
#define SENSOR_ULTRASOUND 1
#define REMAINING_UNKNOWN -1.0

void record_sensors_begin(struct record_vehicle *v)
{
        v->imu_fresh_ns = v->imu_logged_ns = NEVER_NS;
        for (int i = 0; i < SENSOR_COUNT; i++)
                for (int unit = 0; unit < sensor_kinds[i].units_max; unit++)
                        v->sample_ns[i][unit] = NEVER_NS;
}

void record_sensors_imu(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        const struct imu_sample *s = &tick->frame.imu;
        struct ulog_message m;

        /* PX4's time of this topic is the gyroscope's, and it must not go backwards. */
        if (v->imu_fresh_ns <= v->imu_logged_ns)
                return;
        v->imu_logged_ns = v->imu_fresh_ns;
        record_begin(&m, s->t_ns);
        ulog_put_vec3_f32(&m, s->gyro_body_radps);
        ulog_put_u32(&m, v->imu_dt_us);
        ulog_put_i32(&m, 0);
        ulog_put_vec3_f32(&m, s->accel_body_mps2);
        ulog_put_u32(&m, v->imu_dt_us);
        record_write_topic(t, tick->vehicle, TOPIC_SENSOR_COMBINED, &m);

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_vec3_f32(&m, s->gyro_body_radps);
        record_write_topic(t, tick->vehicle, TOPIC_RATE, &m);
}

static void write_gps(struct record_topics *t, const struct tick_record *tick)
{
        const struct gps_sample *s = &tick->frame.gps;
        struct vec3 v = s->vel_ned_mps;
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f64(&m, DEG_PER_RAD * s->lat_rad);
        ulog_put_f64(&m, DEG_PER_RAD * s->lon_rad);
        /* The rig's earth has no geoid: mean sea level is the ellipsoid. */
        ulog_put_f64(&m, s->height_m);
        ulog_put_f64(&m, s->height_m);
        ulog_put_f32(&m, s->s_acc_mps);
        ulog_put_f32(&m, s->h_acc_m);
        ulog_put_f32(&m, s->v_acc_m);
        ulog_put_f32(&m, sqrt(v.x * v.x + v.y * v.y));
        ulog_put_vec3_f32(&m, v);
        ulog_put_f32(&m, atan2(v.y, v.x));
        ulog_put_u8(&m, (unsigned)s->fix);
        ulog_put_u8(&m, s->satellites > 0 ? (unsigned)s->satellites : 0);
        ulog_put_u8(&m, s->fix == GPS_FIX_3D);
        record_write_topic(t, tick->vehicle, TOPIC_GPS, &m);

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_u32(&m, s->used_prn);
        record_write_topic(t, tick->vehicle, TOPIC_SATELLITES, &m);
}

static void write_baro(struct record_topics *t, const struct tick_record *tick)
{
        static const struct atmosphere isa = { 101325.0, 288.15 };
        const struct baro_sample *s = &tick->frame.baro;
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f32(&m, atmosphere_altitude_m(&isa, s->pressure_pa));
        ulog_put_f32(&m, s->pressure_pa);
        ulog_put_f32(&m, s->temperature_k - KELVIN_AT_0_DEGC);
        record_write_topic(t, tick->vehicle, TOPIC_AIR_DATA, &m);
        if (s->raw_temperature == 0 && s->raw_pressure == 0)
                return;

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_i32(&m, s->raw_temperature);
        ulog_put_i32(&m, s->raw_pressure);
        record_write_topic(t, tick->vehicle, TOPIC_BARO_RAW, &m);
}

static void write_mag(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, tick->frame.mag.t_ns);
        ulog_put_vec3_f32(&m, vec3_scale(GAUSS_PER_T, tick->frame.mag.field_body_t));
        record_write_topic(t, tick->vehicle, TOPIC_MAG, &m);
}

static void write_sonar(struct record_topics *t, const struct tick_record *tick, int unit)
{
        const struct sonar_sample *s = &tick->frame.sonar[unit];
        struct ulog_message m;

        record_begin(&m, tick->t_ns);
        ulog_put_f32(&m, s->range_m);
        ulog_put_u8(&m, s->echo ? 100 : 0);
        ulog_put_u8(&m, SENSOR_ULTRASOUND);
        record_write_sonar(t, tick->vehicle, unit, &m);
}

static void write_flow(struct record_topics *t, const struct tick_record *tick)
{
        const struct flow_sample *s = &tick->frame.flow;
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f32(&m, s->flow_x_rad);
        ulog_put_f32(&m, s->flow_y_rad);
        ulog_put_f32(&m, s->gyro_x_rad);
        ulog_put_f32(&m, s->gyro_y_rad);
        /* PX4's sign for an axis without a gyroscope, and for no distance. */
        ulog_put_f32(&m, (double)NAN);
        ulog_put_f32(&m, (double)NAN);
        ulog_put_u32(&m, (uint32_t)record_us(s->interval_ns));
        ulog_put_u8(&m, 1);
        ulog_put_u8(&m, 0);
        ulog_put_u8(&m, (unsigned)s->quality);
        record_write_topic(t, tick->vehicle, TOPIC_FLOW, &m);
}

static void write_power(struct record_topics *t, const struct tick_record *tick)
{
        const struct power_sample *s = &tick->frame.power;
        struct ulog_message m;

        record_begin(&m, tick->t_ns);
        ulog_put_f32(&m, s->voltage_v);
        ulog_put_f32(&m, s->current_a);
        ulog_put_f32(&m, s->charge_used_c / C_PER_MAH);
        ulog_put_f32(&m, REMAINING_UNKNOWN);
        ulog_put_u8(&m, 1);
        record_write_topic(t, tick->vehicle, TOPIC_BATTERY, &m);
}

static void write_ins(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, tick->frame.ins.t_ns);
        ulog_put_vec3_f32(&m, tick->frame.ins.pos_ned_m);
        ulog_put_vec3_f32(&m, tick->frame.ins.euler_rad);
        record_write_topic(t, tick->vehicle, TOPIC_INS, &m);
}

static void write_relative(struct record_topics *t, const struct tick_record *tick)
{
        const struct relative_sample *s = &tick->frame.relative;
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f32(&m, s->range_m);
        ulog_put_f32(&m, s->azimuth_rad);
        ulog_put_f32(&m, s->elevation_rad);
        ulog_put_i32(&m, s->peer);
        ulog_put_u8(&m, s->has_range);
        ulog_put_u8(&m, s->has_bearing);
        record_write_topic(t, tick->vehicle, TOPIC_RELATIVE, &m);
}

/* The IMU is thinned with the truth; here its newest sample is only taken note of. */
static void note_imu(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        int64_t t_ns = tick->frame.imu.t_ns;

        if (v->imu_fresh_ns != NEVER_NS)
                v->imu_dt_us = (uint32_t)record_us(t_ns - v->imu_fresh_ns);
        v->imu_fresh_ns = t_ns;
}

/* A sample stays fresh until its frame is sent, which is some ticks for a board that takes few
 * frames: it is logged once. */
static bool is_new(int64_t *logged_ns, int64_t sample_ns)
{
        if (sample_ns <= *logged_ns)
                return false;
        *logged_ns = sample_ns;
        return true;
}

/* By enum sensor, but for the sonars; each in PX4's topic, where PX4 has one. */
static void (*const write_sample[SENSOR_COUNT])(struct record_topics *t,
                                                const struct tick_record *tick) = {
        [SENSOR_IMU] = note_imu,    [SENSOR_GPS] = write_gps,
        [SENSOR_BARO] = write_baro, [SENSOR_MAG] = write_mag,
        [SENSOR_FLOW] = write_flow, [SENSOR_POWER] = write_power,
        [SENSOR_INS] = write_ins,   [SENSOR_RELATIVE] = write_relative,
};

static void write_unit(struct record_topics *t, const struct tick_record *tick,
                       enum sensor which, int unit)
{
        if (!sensor_is_fresh(&tick->frame, which, unit) ||
            !is_new(&t->vehicle[tick->vehicle].sample_ns[which][unit],
                    sensor_sample_ns(&tick->frame, which, unit)))
                return;
        if (which == SENSOR_SONAR)
                write_sonar(t, tick, unit);
        else
                write_sample[which](t, tick);
}

/* Looks at no sample that is not fresh: it may not be there (recorder_tick()). */
void record_sensors_tick(struct record_topics *t, const struct tick_record *tick)
{
        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                if (tick->frame.fresh & SENSOR_BIT(i))
                        for (int unit = 0; unit < sensor_kinds[i].units_max; unit++)
                                write_unit(t, tick, i, unit);
}
