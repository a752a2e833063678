/* An InertialLabs INS at a board's serial port: IMU, compass, barometer, GNSS receiver and its own solution, in one packet of
 * user-defined data 200 times a second. It was set up before: it listens to nothing, and talks from the start. Right, front,
 * up and east, north, up. Sources: the drivers of ArduPilot (AP_ExternalAHRS_InertialLabs.cpp) and PX4
 * (src/drivers/ins/ilabs), and the maker's manual of the INS-P, whose g is 9.8106 m/s^2. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/standard_height.h"
#include "io/device/inertial.h"
#include "io/le.h"

#define RATE_HZ       200
#define BAUD          921600
#define S_NS          1000000000LL
#define G_MPS2        9.8106
#define NO_SPOOFING   1
#define TIME_IS_FINE  12 /* bits 2 and 3 of the second byte of GNSS info */
#define NEW_POSITION  1
#define NEW_VELOCITY  2
#define SOLUTION_GOOD 0
#define WITHOUT_GNSS  2

struct ilabs {
        struct device device;
        int64_t baud;
        struct inertial samples;
        struct inertial_sum sum;
        bool new_gnss; /* since the last packet */
        int64_t due_ns, line_free_ns;
        uint64_t packets, dropped;
};

/* Rounded and saturated; 0 of what is no number. */
static int64_t whole(double value, int64_t least, int64_t most)
{
        if (isnan(value))
                return 0;
        return llrint(fmin(fmax(value, (double)least), (double)most));
}

static void put_i32(uint8_t *out, double value)
{
        le_put_u32(out, (uint32_t)(int32_t)whole(value, -INT32_MAX, INT32_MAX));
}

static void put_i16(uint8_t *out, double value)
{
        le_put_u16(out, (uint16_t)(int16_t)whole(value, -INT16_MAX, INT16_MAX));
}

static void put_u16(uint8_t *out, double value)
{
        le_put_u16(out, (uint16_t)whole(value, 0, UINT16_MAX));
}

/* Front, right, down to right, front, up; so also north, east, down. */
static void put_rfu(uint8_t *out, struct vec3 v, double scale,
                    void (*put)(uint8_t *out, double value), int size)
{
        put(out, v.y * scale);
        put(out + size, v.x * scale);
        put(out + 2 * size, -v.z * scale);
}

static struct gnss_time time_of(const struct ilabs *d)
{
        return gnss_time_of(d->samples.origin.utc_ns + d->samples.t_ns);
}

static void put_time(const struct ilabs *d, uint8_t *out)
{
        le_put_u32(out, time_of(d).itow_ms);
}

static void put_week(const struct ilabs *d, uint8_t *out)
{
        le_put_u16(out, time_of(d).week);
}

static void put_accel(const struct ilabs *d, uint8_t *out)
{
        put_rfu(out, inertial_accel_mps2(&d->samples, &d->sum), 1e6 / G_MPS2, put_i32, 4);
}

static void put_gyro(const struct ilabs *d, uint8_t *out)
{
        put_rfu(out, inertial_gyro_radps(&d->samples, &d->sum), 1e5 * DEG_PER_RAD,
                put_i32, 4);
}

/* Pa/2, and what they are in the standard atmosphere. */
static void put_baro(const struct ilabs *d, uint8_t *out)
{
        put_u16(out, d->samples.pressure_pa / 2.0);
        put_i32(out + 2, 100.0 * standard_height_m(d->samples.pressure_pa));
}

/* nT/10. */
static void put_mag(const struct ilabs *d, uint8_t *out)
{
        put_rfu(out, d->samples.mag_gauss, 1e4, put_i16, 2);
}

static void put_angles(const struct ilabs *d, uint8_t *out)
{
        struct vec3 e = quat_to_euler(d->samples.q_body_to_ned);
        double heading = e.z * DEG_PER_RAD;

        put_u16(out, 100.0 * (heading < 0.0 ? heading + 360.0 : heading));
        put_i16(out + 2, 100.0 * DEG_PER_RAD * e.y);
        put_i16(out + 4, 100.0 * DEG_PER_RAD * e.x);
}

static void put_velocity(const struct ilabs *d, uint8_t *out)
{
        put_rfu(out, d->samples.gps.vel_ned_mps, 100.0, put_i32, 4);
}

static void put_position(const struct ilabs *d, uint8_t *out)
{
        struct inertial_place p = inertial_place(&d->samples);

        put_i32(out, 1e7 * DEG_PER_RAD * p.lat_rad);
        put_i32(out + 4, 1e7 * DEG_PER_RAD * p.lon_rad);
        put_i32(out + 8, 100.0 * p.height_m);
}

static void put_velocity_sigma(const struct ilabs *d, uint8_t *out)
{
        memset(out, (int)whole(1e3 * d->samples.gps.s_acc_mps, 0, UINT8_MAX), 3);
}

static void put_position_sigma(const struct ilabs *d, uint8_t *out)
{
        put_u16(out, 1e3 * d->samples.gps.h_acc_m);
        put_u16(out + 2, 1e3 * d->samples.gps.h_acc_m);
        put_u16(out + 4, 1e3 * d->samples.gps.v_acc_m);
}

/* None of its faults ever occurs. */
static void put_status(const struct ilabs *d, uint8_t *out)
{
        (void)d;
        le_put_u16(out, 0);
}

static bool has_fix(const struct ilabs *d)
{
        return d->samples.epoch.fix == GPS_FIX_3D;
}

/* 0 none, 1 in two dimensions, 2 in three. */
static void put_extended(const struct ilabs *d, uint8_t *out)
{
        out[0] = has_fix(d) ? 2 : d->samples.epoch.fix == GPS_FIX_2D;
        out[1] = NO_SPOOFING;
}

static void put_satellites(const struct ilabs *d, uint8_t *out)
{
        out[0] = (uint8_t)d->samples.epoch.satellites;
}

static void put_gnss_position(const struct ilabs *d, uint8_t *out)
{
        const struct gnss_epoch *e = &d->samples.epoch;

        le_put_u32(out, (uint32_t)e->lat_e7);
        le_put_u32(out + 4, (uint32_t)e->lon_e7);
        put_i32(out + 8, e->height_mm / 10.0);
}

static void put_gnss_velocity(const struct ilabs *d, uint8_t *out)
{
        const struct gnss_epoch *e = &d->samples.epoch;

        put_i32(out, e->speed_mmps / 10.0);
        put_u16(out + 4, e->heading_e5 / 1e3);
        put_i32(out + 6, -e->vel_ned_mmps[2] / 10.0);
}

static void put_gnss_time(const struct ilabs *d, uint8_t *out)
{
        le_put_u32(out, d->samples.epoch.time.itow_ms);
}

/* A single point's position; its time is known. */
static void put_gnss_info(const struct ilabs *d, uint8_t *out)
{
        out[0] = 0;
        out[1] = d->samples.epoch.time_known ? TIME_IS_FINE : 0;
}

static void put_new(const struct ilabs *d, uint8_t *out)
{
        out[0] = d->new_gnss ? NEW_POSITION | NEW_VELOCITY : 0;
}

static void put_temperature(const struct ilabs *d, uint8_t *out)
{
        put_i16(out, 10.0 * d->samples.temperature_c);
}

static void put_dops(const struct ilabs *d, uint8_t *out)
{
        const struct gnss_epoch *e = &d->samples.epoch;
        const uint16_t dop[5] = { e->gdop, e->pdop, e->hdop, e->vdop, e->tdop };

        for (int i = 0; i < 5; i++)
                put_u16(out + 2 * i, 10.0 * dop[i]);
}

static void put_solution(const struct ilabs *d, uint8_t *out)
{
        out[0] = has_fix(d) ? SOLUTION_GOOD : WITHOUT_GNSS;
}

/* clang-format off */
static const struct field {
        uint8_t type, size;
        void (*put)(const struct ilabs *d, uint8_t *out);
} fields[] = {
        { 0x01,  4, put_time },           { 0x3C,  2, put_week },
        { 0x23, 12, put_accel },          { 0x21, 12, put_gyro },
        { 0x25,  6, put_baro },           { 0x24,  6, put_mag },
        { 0x07,  6, put_angles },         { 0x12, 12, put_velocity },
        { 0x10, 12, put_position },       { 0x58,  3, put_velocity_sigma },
        { 0x57,  6, put_position_sigma }, { 0x53,  2, put_status },
        { 0x4A,  2, put_extended },       { 0x3B,  1, put_satellites },
        { 0x30, 12, put_gnss_position },  { 0x32, 10, put_gnss_velocity },
        { 0x3E,  4, put_gnss_time },      { 0x36,  2, put_gnss_info },
        { 0x41,  1, put_new },            { 0x52,  2, put_temperature },
        { 0x5A,  2, put_status },         { 0x42, 10, put_dops },
        { 0x54,  1, put_solution },
};
/* clang-format on */

#define FIELDS (sizeof fields / sizeof fields[0])

/* AA 55, type 1, data 0x95, the length without AA 55, how many fields, their types, the fields, the sum of all from the type
 * on. */
static void write_packet(const struct ilabs *d, struct packet *p)
{
        uint8_t *out = p->bytes;
        uint16_t sum = 0;
        size_t len = 7 + FIELDS;

        memcpy(out, "\xAA\x55\x01\x95", 4);
        out[6] = FIELDS;
        for (size_t i = 0; i < FIELDS; i++) {
                out[7 + i] = fields[i].type;
                fields[i].put(d, out + len);
                len += fields[i].size;
        }
        le_put_u16(out + 4, (uint16_t)len);
        for (size_t i = 2; i < len; i++)
                sum = (uint16_t)(sum + out[i]);
        le_put_u16(out + len, sum);
        p->len = (uint16_t)(len + 2);
        p->channel = 0;
}

/* A packet leaves as a whole when its first byte is due, and not at all while the one before is still on the line. */
static void ilabs_feed(struct device *device, const struct device_feed *feed,
                       struct packets *out)
{
        struct ilabs *d = (struct ilabs *)device;
        struct packet *p = &out->packet[out->count];

        inertial_take(&d->samples, feed, &d->sum, 1);
        d->new_gnss |= (feed->frame->fresh & SENSOR_BIT(SENSOR_GPS)) != 0;
        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_IMU)) == 0 ||
            !inertial_is_due(&d->due_ns, d->samples.t_ns, S_NS / RATE_HZ))
                return;
        if (feed->t_ns < d->line_free_ns || out->count == CODEC_PACKETS_MAX) {
                d->dropped++;
                return;
        }
        write_packet(d, p);
        out->count++;
        d->line_free_ns = feed->t_ns + (p->len * 10 * S_NS + d->baud - 1) / d->baud;
        d->packets++;
        d->device.counts.messages_out++;
        d->new_gnss = false;
        d->sum = (struct inertial_sum){ 0 };
}

static void ilabs_tell(const struct device *device, char *text, size_t cap)
{
        const struct ilabs *d = (const struct ilabs *)device;

        snprintf(text, cap,
                 "%" PRIu64 " packets at %d Hz, %" PRIu64 " found no room on the line",
                 d->packets, RATE_HZ, d->dropped);
}

static void ilabs_destroy(struct device *device)
{
        free(device);
}

const struct device_ops device_inertiallabs_ops = {
        .name = "inertiallabs",
        .carries = { .of = { [SAMPLE_ACCEL] = CARRIES_VALUE,
                             [SAMPLE_GYRO] = CARRIES_VALUE,
                             [SAMPLE_BARO] = CARRIES_VALUE,
                             [SAMPLE_MAG] = CARRIES_VALUE,
                             [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX } },
        .what = "inertial unit with GNSS, InertialLabs INS: IMU, compass, barometer, "
                "position, "
                "200 Hz",
        .imu_hz = RATE_HZ,
        .baud = BAUD,
        .feed = ilabs_feed,
        .tell = ilabs_tell,
        .destroy = ilabs_destroy,
};

struct device *device_inertiallabs_create(const struct device_setup *setup)
{
        struct ilabs *d = calloc(1, sizeof *d);

        if (d == NULL)
                return NULL;
        d->device.ops = &device_inertiallabs_ops;
        d->baud = setup->baud > 0 ? setup->baud : BAUD;
        inertial_init(&d->samples, &setup->origin, true);
        return &d->device;
}
