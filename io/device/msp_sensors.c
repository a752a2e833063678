/* Sensors on a port that speaks MSP version 2: range, optical flow, GPS, compass and barometer,
 * each as its sample comes, and airspeed with the barometer. The messages need no answer: firmware
 * that does not know one of them stays silent. Sources: INAV, msp_protocol_v2_sensor_msg.h;
 * Betaflight, msp.c and opticalflow_mt.c. */
#include "io/device/device.h"

#include <math.h>
#include <stdlib.h>

#include "io/device/gnss_epoch.h"
#include "io/le.h"
#include "io/codec/msp.h"
#include "io/codec/transmit_queue.h"

#define BAUD        115200
#define NO_REPLY    1 /* in an MSP frame's flag */
#define NO_YAW      0xFFFF
#define MG_PER_T    1e7
#define ZERO_C_IN_K 273.15

enum msp_sensor {
        MSP_RANGE = 0x1F01,
        MSP_FLOW = 0x1F02,
        MSP_GPS = 0x1F03,
        MSP_COMPASS = 0x1F04,
        MSP_BARO = 0x1F05,
        MSP_AIRSPEED = 0x1F06
};

struct msp_sensors {
        struct device device;
        struct codec_origin origin;
        struct transmit_queue out;
        struct gnss_epoch epoch;
        int index; /* of the sonar */
};

/* Rounded into the range of an integer; NaN: 0. */
static int32_t to_int(double value, double limit)
{
        if (isnan(value))
                return 0;
        return (int32_t)nearbyint(fmax(fmin(value, limit), -limit));
}

static int16_t to_i16(double value)
{
        return (int16_t)to_int(value, INT16_MAX);
}

static int32_t to_i32(double value)
{
        return to_int(value, INT32_MAX);
}

static uint16_t to_u16(uint32_t value)
{
        return (uint16_t)(value < UINT16_MAX ? value : UINT16_MAX);
}

static void say(struct msp_sensors *m, enum msp_sensor sensor, const uint8_t *payload,
                size_t len)
{
        struct msp_frame frame = { .version = MSP_V2,
                                   .kind = MSP_REQUEST,
                                   .flag = NO_REPLY,
                                   .command = (uint16_t)sensor,
                                   .len = (uint16_t)len };
        uint8_t bytes[MSP_FRAME_MAX];

        memcpy(frame.payload, payload, len);
        /* A second's worth of bytes is already queued: more would only grow stale. */
        if (m->out.len >= m->out.baud / 10)
                m->out.dropped++;
        else if (transmit_queue_put(&m->out, bytes, msp_encode(&frame, bytes)))
                m->device.counts.messages_out++;
}

/* Quality, mm; -1: out of range. */
static void say_range(struct msp_sensors *m, const struct sonar_sample *s)
{
        bool good = s->echo && s->range_m >= 0.0;
        uint8_t payload[5] = { good ? 255 : 0 };

        le_put_u32(payload + 1, good ? (uint32_t)to_i32(s->range_m * 1e3) : UINT32_MAX);
        say(m, MSP_RANGE, payload, sizeof payload);
}

/* Quality; mrad/s, including the turning of the body, in the axes of a sensor that looks down and has
 * its x forward, as INAV's align_opflow expects them by default (CW0FLIP): about minus x and minus y. */
static void say_flow(struct msp_sensors *m, const struct flow_sample *s)
{
        double per_s = s->interval_ns > 0 ? 1e9 / (double)s->interval_ns : 0.0;
        uint8_t payload[9] = { (uint8_t)to_int(fmax(s->quality, 0.0), 255.0) };

        le_put_u32(payload + 1, (uint32_t)to_i32(-s->flow_x_rad * per_s * 1e3));
        le_put_u32(payload + 5, (uint32_t)to_i32(-s->flow_y_rad * per_s * 1e3));
        say(m, MSP_FLOW, payload, sizeof payload);
}

static void put_solution(uint8_t *p, const struct gnss_epoch *e)
{
        p[7] = (uint8_t)e->fix;
        p[8] = (uint8_t)e->satellites;
        le_put_u16(p + 9, to_u16(e->h_acc_mm / 10));
        le_put_u16(p + 11, to_u16(e->v_acc_mm / 10));
        le_put_u16(p + 13, to_u16(e->s_acc_mmps / 10));
        le_put_u16(p + 15, e->hdop);
        le_put_u32(p + 17, (uint32_t)e->lon_e7);
        le_put_u32(p + 21, (uint32_t)e->lat_e7);
        le_put_u32(p + 25, (uint32_t)(e->height_mm / 10));
        for (int i = 0; i < 3; i++)
                le_put_u32(p + 29 + 4 * i, (uint32_t)(e->vel_ned_mmps[i] / 10));
        le_put_u16(p + 41, (uint16_t)(e->heading_e5 / 1000));
        le_put_u16(p + 43, NO_YAW);
}

static void say_gps(struct msp_sensors *m, const struct gps_sample *s)
{
        const struct gnss_time *t = &m->epoch.time;
        uint8_t payload[52] = { 0 };

        gnss_epoch_take(&m->epoch, s, m->origin.utc_ns + s->t_ns);
        le_put_u16(payload + 1, t->week);
        le_put_u32(payload + 3, t->itow_ms);
        put_solution(payload, &m->epoch);
        le_put_u16(payload + 45, t->year);
        payload[47] = t->month;
        payload[48] = t->day;
        payload[49] = t->hour;
        payload[50] = t->minute;
        payload[51] = t->second;
        say(m, MSP_GPS, payload, sizeof payload);
}

/* Instance, ms, mG forward, right, down. */
static void say_compass(struct msp_sensors *m, const struct mag_sample *s)
{
        uint8_t payload[11] = { 0 };

        le_put_u32(payload + 1, (uint32_t)(s->t_ns / 1000000));
        le_put_u16(payload + 5, (uint16_t)to_i16(s->field_body_t.x * MG_PER_T));
        le_put_u16(payload + 7, (uint16_t)to_i16(s->field_body_t.y * MG_PER_T));
        le_put_u16(payload + 9, (uint16_t)to_i16(s->field_body_t.z * MG_PER_T));
        say(m, MSP_COMPASS, payload, sizeof payload);
}

/* Instance, ms, Pa, 0.01 degrees Celsius. */
static void say_baro(struct msp_sensors *m, const struct baro_sample *s)
{
        uint8_t payload[11] = { 0 };

        le_put_u32(payload + 1, (uint32_t)(s->t_ns / 1000000));
        le_put_f32(payload + 5, (float)s->pressure_pa);
        le_put_u16(payload + 9,
                   (uint16_t)to_i16((s->temperature_k - ZERO_C_IN_K) * 100.0));
        say(m, MSP_BARO, payload, sizeof payload);
}

/* Instance, ms, dynamic pressure in Pa, 0.01 degrees Celsius: with the barometer's temperature. */
static void say_airspeed(struct msp_sensors *m, const struct pose_sample *pose,
                         const struct baro_sample *s)
{
        uint8_t payload[11] = { 0 };

        le_put_u32(payload + 1, (uint32_t)(s->t_ns / 1000000));
        le_put_f32(payload + 5, (float)pose->dynamic_pressure_pa);
        le_put_u16(payload + 9,
                   (uint16_t)to_i16((s->temperature_k - ZERO_C_IN_K) * 100.0));
        say(m, MSP_AIRSPEED, payload, sizeof payload);
}

static void msp_feed(struct device *d, const struct device_feed *feed,
                     struct packets *out)
{
        struct msp_sensors *m = (struct msp_sensors *)d;
        const struct sensor_frame *f = feed->frame;

        m->out.now_ns = feed->t_ns;
        if ((f->fresh & SENSOR_BIT(SENSOR_SONAR)) != 0 &&
            (f->fresh_sonars >> m->index & 1) != 0)
                say_range(m, &f->sonar[m->index]);
        if ((f->fresh & SENSOR_BIT(SENSOR_FLOW)) != 0)
                say_flow(m, &f->flow);
        if ((f->fresh & SENSOR_BIT(SENSOR_GPS)) != 0)
                say_gps(m, &f->gps);
        if ((f->fresh & SENSOR_BIT(SENSOR_MAG)) != 0)
                say_compass(m, &f->mag);
        if ((f->fresh & SENSOR_BIT(SENSOR_BARO)) != 0) {
                say_baro(m, &f->baro);
                say_airspeed(m, &f->pose, &f->baro);
        }
        transmit_queue_send(&m->out, feed->t_ns, out);
}

static void msp_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_msp_sensors_ops = {
        .name = "msp_sensors",
        .heard_first = true,
        .carries = { .of = { [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME,
                             [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
                             [SAMPLE_MAG] = CARRIES_VALUE,
                             [SAMPLE_SONAR] = CARRIES_VALUE,
                             [SAMPLE_FLOW] = CARRIES_VALUE } },
        .what = "range, flow, GPS, compass, barometer and airspeed over MSPv2",
        .baud = BAUD,
        .feed = msp_feed,
        .destroy = msp_destroy,
};

struct device *device_msp_sensors_create(const struct device_setup *setup)
{
        struct msp_sensors *m = calloc(1, sizeof *m);

        if (m == NULL)
                return NULL;
        m->device.ops = &device_msp_sensors_ops;
        m->origin = setup->origin;
        m->index = setup->index;
        m->out.baud = setup->baud > 0 ? setup->baud : BAUD;
        return &m->device;
}
