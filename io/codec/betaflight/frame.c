/* Betaflight SITL's packets: samples in its units and axes, and the sticks. Little-endian, as on every
 * machine that it runs on. Sources: target.h (structs), sitl.c (updateState). */
#include <math.h>
#include <string.h>

#include "io/codec/betaflight/betaflight.h"
#include "io/le.h"

#define GRAVITY 9.80665
/* Its barometer in 2026.6 (updateState()): pressure by height. */
#define PRESSURE_PER_M    2.25577e-5
#define PRESSURE_EXPONENT 5.25588
#define NOWHERE_DEG       1000.0

/* Its clock runs with that of the packets: one that runs unevenly, as every host's does, makes it lose
 * its receiver. It takes a clock that stands still. */
#define TIMESTAMP_S 1.0

static uint8_t *put(uint8_t *at, double value)
{
        le_put_f64(at, value);
        return at + 8;
}

static uint8_t *put_vec3(uint8_t *at, struct vec3 v)
{
        return put(put(put(at, v.x), v.y), v.z);
}

/* The packet cannot say that there is no fix: before the first one it has where the vehicle is, and
 * when it is lost the last. */
static void follow_gps(struct codec_betaflight *b, const struct sensor_frame *f)
{
        const struct codec_origin *o = &b->setup.origin;

        if (b->setup.sensor_period_ns[SENSOR_GPS] > 0 && f->gps.fix != GPS_NO_FIX) {
                b->gps = f->gps;
                b->gps_known = true;
        }
        if (b->gps_known)
                return;
        b->gps.lat_rad = o->lat_rad + f->pose.pos_ned_m.x / o->north_m_per_rad;
        b->gps.lon_rad = o->lon_rad + f->pose.pos_ned_m.y / o->east_m_per_rad;
        b->gps.height_m = o->height_m - f->pose.pos_ned_m.z;
        b->gps.vel_ned_mps = f->pose.vel_ned_mps;
}

/* From 2026.6 on its barometer's pressure is that of this height. */
static double height_of_pressure(double pa)
{
        double ratio = pa < 0.0 ? 0.0 : pa / BETAFLIGHT_SEA_LEVEL_PA;

        return (1.0 - pow(ratio, 1.0 / PRESSURE_EXPONENT)) / PRESSURE_PER_M;
}

/* Longitude and latitude that come to where the vehicle is when they are mirrored about the first, as 2026.6 does. A place
 * that does not exist tells it that there is no fix. */
static uint8_t *put_mirrored(struct codec_betaflight *b, uint8_t *at, bool lost,
                             double lon_deg, double lat_deg)
{
        if (!b->placed) {
                b->first_lon_deg = lon_deg;
                b->first_lat_deg = lat_deg;
                b->placed = true;
        }
        if (lost)
                return put(put(at, NOWHERE_DEG), NOWHERE_DEG);
        return put(put(at, 2.0 * b->first_lon_deg - lon_deg),
                   2.0 * b->first_lat_deg - lat_deg);
}

/* Of 4.5, which does not read them, the header says north, east, down. */
static uint8_t *put_motion(struct codec_betaflight *b, uint8_t *at,
                           const struct sensor_frame *f)
{
        const struct gps_sample *gps = &b->gps;
        bool fitted = b->setup.sensor_period_ns[SENSOR_GPS] > 0;
        double lon_deg, lat_deg;

        if (b->dialect == BETAFLIGHT_4_5)
                return put_vec3(put_vec3(at, f->pose.vel_ned_mps), f->pose.pos_ned_m);
        follow_gps(b, f);
        lon_deg = DEG_PER_RAD * gps->lon_rad;
        lat_deg = DEG_PER_RAD * gps->lat_rad;
        at = put_vec3(at, (struct vec3){ gps->vel_ned_mps.y, gps->vel_ned_mps.x,
                                         -gps->vel_ned_mps.z });
        if (b->dialect == BETAFLIGHT_2025_12)
                return put(put(put(at, lon_deg), lat_deg), gps->height_m);
        at = put_mirrored(b, at, fitted && b->gps_known && f->gps.fix == GPS_NO_FIX,
                          lon_deg, lat_deg);
        return put(at, height_of_pressure(b->pressure_pa));
}

/* 2026.6 wants it from body to west, north, down: a quarter turn more. */
static struct quat attitude(const struct codec_betaflight *b, struct quat q)
{
        static const double c = 0.70710678118654752;
        static const struct quat quarter = { c, 0.0, 0.0, c };

        return b->dialect == BETAFLIGHT_2026_6 ? quat_multiply(quarter, q) : q;
}

/* It turns all three signs of the acceleration, and wants to have x forward, y left, z up after that;
 * of the rates it turns y and z, from 2026.6 on y alone. Attitude is the quaternion alone. */
void codec_betaflight_fdm(struct codec_betaflight *b, const struct sensor_frame *frame,
                          uint8_t out[BETAFLIGHT_FDM_BYTES])
{
        struct vec3 accel = frame->imu.accel_body_mps2;
        struct vec3 rate = frame->imu.gyro_body_radps;
        struct quat q = attitude(b, frame->pose.q_body_to_ned);
        uint8_t *at = put(out, TIMESTAMP_S);

        if (frame->fresh & SENSOR_BIT(SENSOR_BARO))
                b->pressure_pa = frame->baro.pressure_pa;
        if (b->dialect == BETAFLIGHT_2026_6)
                rate.z = -rate.z;
        at = put_vec3(at, rate);
        at = put_vec3(at, (struct vec3){ -accel.x, accel.y, accel.z });
        at = put(put(put(put(at, q.w), q.x), q.y), q.z);
        at = put_motion(b, at, frame);
        put(at, b->pressure_pa);
}

void codec_betaflight_fdm_at_rest(struct codec_betaflight *b,
                                  uint8_t out[BETAFLIGHT_FDM_BYTES])
{
        struct sensor_frame rest = {
                .imu = { .accel_body_mps2 = { 0.0, 0.0, -GRAVITY } },
                .pose = { .pos_ned_m = b->setup.start_ned_m,
                          .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } },
        };

        codec_betaflight_fdm(b, &rest, out);
}

/* It does not read the time of these. */
void codec_betaflight_rc_packet(const uint16_t rc_us[BETAFLIGHT_RC_CHANNELS],
                                uint8_t out[BETAFLIGHT_RC_BYTES])
{
        put(out, TIMESTAMP_S);
        for (int i = 0; i < BETAFLIGHT_RC_CHANNELS; i++)
                le_put_u16(out + 8 + 2 * i, rc_us[i]);
}

enum { SENSORS, STICKS, MOTORS, MOTORS_RAW, MSP_ASK, MSP_ANSWER };

const char *const codec_betaflight_frame_names[] = {
        [SENSORS] = "sensors",       [STICKS] = "sticks",   [MOTORS] = "motors",
        [MOTORS_RAW] = "motors_raw", [MSP_ASK] = "msp_ask", [MSP_ANSWER] = "msp_answer",
        [MSP_ANSWER + 1] = NULL,
};

/* Its packets have no mark: their length is what tells them. */
static int packet_type(size_t len)
{
        switch (len) {
        case BETAFLIGHT_FDM_BYTES:
                return SENSORS;
        case BETAFLIGHT_RC_BYTES:
                return STICKS;
        case BETAFLIGHT_SERVO_BYTES:
                return MOTORS;
        case BETAFLIGHT_RAW_BYTES:
                return MOTORS_RAW;
        default:
                return -1;
        }
}

size_t codec_betaflight_frame_find(const uint8_t *bytes, size_t len,
                                   struct codec_frame *frame)
{
        enum msp_found found = MSP_NOISE;
        struct msp_frame m;
        size_t n = 0;

        *frame = (struct codec_frame){ .type = -1 };
        if (len == 0)
                return 0;
        n = msp_find(bytes, len, &m, &found);
        if (found == MSP_FRAME) {
                frame->type = m.kind == MSP_REQUEST ? MSP_ASK : MSP_ANSWER;
                frame->unpaced = true;
                return n;
        }
        if (bytes[0] == '$')
                return n;
        frame->type = packet_type(len);
        /* Nothing on the wire is numbered. */
        frame->asks = frame->type == SENSORS;
        frame->answers = frame->type == MOTORS;
        return frame->type >= 0 ? len : n;
}
