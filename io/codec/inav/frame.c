/* INAV's MSP_SIMULATOR frame: samples in its units and axes. Source: INAV 9.1.0, fc_msp.c,
 * readMspSimulatorValues() and mspProcessSimulatorCommand(); runtime_config.h, simulatorFlags_t. */
#include <math.h>
#include <string.h>

#include "io/codec/inav/inav.h"
#include "io/le.h"

#define GRAVITY 9.80665 /* what it takes for 1 g */

/* simulatorFlags_t. Bit 0 stands in every frame but the one that stops: others without it reboot the
 * board. Without bits 5 and 7 fields are left out and everything behind them moves. */
#define ENABLE      (1U << 0)
#define BATTERY     (1U << 1)
#define MUTE        (1U << 2)
#define USE_IMU     (1U << 3) /* attitude from acc and gyro, not from us */
#define NEW_GPS     (1U << 4)
#define VOLTAGE     (1U << 5)
#define EXTENDED    (1U << 7)
#define GPS_TIMEOUT (1U << 8)
#define CURRENT     (1U << 10)
#define RC_INPUT    (1U << 11)
#define RANGEFINDER (1U << 12)

/* Positions are fused at each flag, so more of them would make GPS better than it is. */
#define GPS_PERIOD_NS  90000000
#define GPS_TIMEOUT_NS 1500000000

#define FULL_BATTERY                                                                     \
        126 /* in 0.1 V: what it takes for none given (SIMULATOR_FULL_BATTERY) */
#define MAG_SCALE 16000.0 /* of a unit vector; 20 of it are one of its own */
#define NO_RANGE  0xFFFF
#define RSSI_FULL 1023

/* The nearest whole number within bounds; 0 of what is none. */
static int32_t whole(double value, double least, double most)
{
        if (isnan(value))
                return 0;
        return (int32_t)lrint(fmin(fmax(value, least), most));
}

static uint8_t *put_u8(uint8_t *at, double value)
{
        *at = (uint8_t)whole(value, 0.0, UINT8_MAX);
        return at + 1;
}

static uint8_t *put_u16(uint8_t *at, double value)
{
        le_put_u16(at, (uint16_t)whole(value, 0.0, UINT16_MAX));
        return at + 2;
}

static uint8_t *put_i16(uint8_t *at, double value)
{
        le_put_u16(at, (uint16_t)whole(value, INT16_MIN, INT16_MAX));
        return at + 2;
}

static uint8_t *put_i32(uint8_t *at, double value)
{
        le_put_u32(at, (uint32_t)whole(value, INT32_MIN, INT32_MAX));
        return at + 4;
}

/* INAV's body axes are forward, left, up. */
static uint8_t *put_flu(uint8_t *at, double scale, struct vec3 frd)
{
        at = put_i16(at, scale * frd.x);
        at = put_i16(at, -scale * frd.y);
        return put_i16(at, -scale * frd.z);
}

/* 1 is a fix in two dimensions, 2 in three (gps.h, gpsFixType_e). */
static double fix_type(enum gps_fix fix)
{
        return fix == GPS_FIX_3D ? 2.0 : fix == GPS_FIX_2D ? 1.0 : 0.0;
}

static uint8_t *put_gps(uint8_t *at, const struct gps_sample *gps)
{
        double north = gps->vel_ned_mps.x, east = gps->vel_ned_mps.y;
        double course = DEG_PER_RAD * atan2(east, north);

        at = put_u8(at, fix_type(gps->fix));
        at = put_u8(at, gps->satellites);
        at = put_i32(at, 1e7 * DEG_PER_RAD * gps->lat_rad);
        at = put_i32(at, 1e7 * DEG_PER_RAD * gps->lon_rad);
        at = put_i32(at, 100.0 * gps->height_m);
        at = put_i16(at, 100.0 * hypot(north, east));
        at = put_i16(at, 10.0 * (course < 0.0 ? course + 360.0 : course));
        at = put_i16(at, 100.0 * north);
        at = put_i16(at, 100.0 * east);
        return put_i16(at, 100.0 * gps->vel_ned_mps.z);
}

/* All zero says that there is none. */
static uint8_t *put_mag(uint8_t *at, struct vec3 field_t)
{
        double norm = vec3_norm(field_t);

        return put_flu(at, norm > 0.0 ? MAG_SCALE / norm : 0.0, field_t);
}

static bool has(const struct codec_inav *i, enum sensor sensor)
{
        return i->setup.sensor_period_ns[sensor] > 0;
}

/* Fresh flag and time-out of GPS. */
static uint32_t gps_flags(struct codec_inav *i, const struct sensor_frame *f)
{
        bool fresh = (f->fresh & SENSOR_BIT(SENSOR_GPS)) != 0;

        if (fresh || i->gps_fresh_ns < 0)
                i->gps_fresh_ns = f->t_ns;
        if (!has(i, SENSOR_GPS) || f->t_ns - i->gps_fresh_ns > GPS_TIMEOUT_NS)
                return GPS_TIMEOUT;
        if (!fresh || (i->gps_sent_ns >= 0 && f->t_ns - i->gps_sent_ns < GPS_PERIOD_NS))
                return 0;
        i->gps_sent_ns = f->t_ns;
        return NEW_GPS;
}

static uint32_t frame_flags(struct codec_inav *i, const struct sensor_frame *f)
{
        uint32_t flags = ENABLE | BATTERY | MUTE | USE_IMU | VOLTAGE | EXTENDED;

        flags |= gps_flags(i, f);
        if (i->v2)
                return flags;
        flags |= RC_INPUT;
        flags |= has(i, SENSOR_POWER) ? CURRENT : 0;
        flags |= i->setup.sonars > 0 ? RANGEFINDER : 0;
        return flags;
}

/* What both dialects have, between flags and tail. */
static uint8_t *put_body(const struct codec_inav *i, uint8_t *at,
                         const struct sensor_frame *f)
{
        at = put_gps(at, &f->gps);
        memset(at, 0, 6); /* the attitude: its own is used */
        at += 6;
        at = put_flu(at, 1000.0 / GRAVITY, f->imu.accel_body_mps2);
        at = put_flu(at, 16.0 * DEG_PER_RAD, f->imu.gyro_body_radps);
        at = put_i32(at, f->baro.pressure_pa);
        at = put_mag(at, f->mag.field_body_t);
        at = put_u8(at, has(i, SENSOR_POWER) ? 10.0 * f->power.voltage_v : FULL_BATTERY);
        return put_u16(at, 0.0); /* airspeed: read because of EXTENDED, and dropped */
}

static uint8_t *put_v3_tail(uint8_t *at, const struct sensor_frame *f,
                            const uint16_t rc_us[INAV_RC_CHANNELS])
{
        const struct sonar_sample *down = &f->sonar[0];

        at = put_u16(at, down->echo ? 100.0 * down->range_m : NO_RANGE);
        at = put_u16(at, 10.0 * f->power.current_a);
        for (int channel = 0; channel < INAV_RC_CHANNELS; channel++)
                at = put_u16(at, rc_us[channel]);
        return put_u16(at, RSSI_FULL);
}

size_t codec_inav_frame(struct codec_inav *i, const struct sensor_frame *frame,
                        const uint16_t rc_us[INAV_RC_CHANNELS],
                        uint8_t out[INAV_FRAME_BYTES])
{
        uint32_t flags = frame_flags(i, frame);
        uint8_t *at = out;

        *at++ = i->v2 ? 2 : 3;
        *at++ = (uint8_t)flags;
        if (!i->v2)
                *at++ = (uint8_t)(flags >> 8);
        at = put_body(i, at, frame);
        if (i->v2)
                *at++ = (uint8_t)(flags >> 8);
        else
                at = put_v3_tail(at, frame, rc_us);
        return (size_t)(at - out);
}

size_t codec_inav_stop(const struct codec_inav *i, uint8_t out[INAV_FRAME_BYTES])
{
        memset(out, 0, 3);
        out[0] = i->v2 ? 2 : 3;
        return i->v2 ? 2 : 3;
}

/* What a message is called. */
enum {
        SENSORS,
        SENSORS_REPLY,
        MOTORS_POLL,
        MOTORS,
        RC,
        RC_REPLY,
        POLL,
        REPLY,
        REFUSAL,
        STOP
};

const char *const codec_inav_frame_names[] = {
        [SENSORS] = "sensors",
        [SENSORS_REPLY] = "sensors_reply",
        [MOTORS_POLL] = "motors_poll",
        [MOTORS] = "motors",
        [RC] = "rc",
        [RC_REPLY] = "rc_reply",
        [POLL] = "poll",
        [REPLY] = "reply",
        [REFUSAL] = "refusal",
        [STOP] = "stop",
        [STOP + 1] = NULL,
};

static int frame_type(const struct msp_frame *m)
{
        bool ask = m->kind == MSP_REQUEST;

        if (m->kind == MSP_ERROR)
                return REFUSAL;
        if (m->command == INAV_SIMULATOR)
                return !ask ? SENSORS_REPLY : m->len > 3 ? SENSORS : STOP;
        if (m->command == INAV_MOTOR)
                return ask ? MOTORS_POLL : MOTORS;
        if (m->command == INAV_SET_RAW_RC)
                return ask ? RC : RC_REPLY;
        return ask ? POLL : REPLY;
}

size_t codec_inav_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        enum msp_found found;
        struct msp_frame m;
        size_t n = msp_find(bytes, len, &m, &found);

        *frame = (struct codec_frame){ .type = -1 };
        if (found != MSP_FRAME)
                return n;
        /* Nothing on the wire is numbered: at most one frame is under way. */
        frame->type = frame_type(&m);
        frame->asks = frame->type == SENSORS;
        frame->answers = frame->type == MOTORS;
        frame->unpaced = frame->type >= POLL;
        return n;
}
