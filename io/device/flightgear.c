/* Shows the flight in FlightGear: its native FDM packet, version 24, 408 bytes, big-endian, 60 a
 * second, with the vehicle's true pose. Knows nothing about FlightGear's own ground. Layout and
 * units: FlightGear, src/Network/net_fdm.hxx and native_fdm.cxx; start it with --fdm=null
 * --native-fdm=socket,in,60,127.0.0.1,5501,udp. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/be.h"
#include "io/device/device.h"

#define FDM_VERSION   24
#define FDM_BYTES     408
#define FDM_PERIOD_NS (1000000000LL / 60)

#define FT_PER_M    (1.0 / 0.3048)
#define KNOT_MPS    (1852.0 / 3600.0)
#define ENGINES_MAX 4
#define RUNNING     2
/* Propeller speed at full duty, for the eye only. */
#define RPM_FULL     6000.0
#define VISIBILITY_M 20000.0

/* Offsets of the fields. Those in between stay 0: no fuel, no gear, no control surfaces. */
enum field {
        VERSION = 0,
        LONGITUDE = 8, /* f64, rad */
        LATITUDE = 16,
        ALTITUDE = 24, /* m above sea level */
        AGL = 32, /* f32 from here on; m above ground */
        PHI = 36, /* rad: roll, pitch, true heading */
        PHIDOT = 56, /* rad/s, of the three */
        VCAS = 68, /* knots */
        CLIMB_RATE = 72, /* ft/s */
        V_NORTH = 76, /* ft/s: north, east, down */
        V_BODY = 88, /* ft/s: forward, right, down */
        A_PILOT = 100, /* ft/s2: forward, right, down */
        NUM_ENGINES = 120, /* u32 */
        ENG_STATE = 124, /* u32[4]: off, cranking, running */
        RPM = 140, /* f32[4] */
        CUR_TIME = 356, /* u32, seconds since 1970 */
        VISIBILITY = 364 /* f32, m */
};

struct flightgear {
        struct device device;
        struct device_setup setup;
        int64_t next_ns; /* simulated time of the next packet */
        int64_t last_ns; /* of the one before; -1: none */
        struct vec3 euler_rad; /* in it */
};

static void put_f32(uint8_t *p, double v)
{
        be_put_f32(p, (float)v);
}

static void put_xyz(uint8_t *p, struct vec3 v)
{
        put_f32(p, v.x);
        put_f32(p + 4, v.y);
        put_f32(p + 8, v.z);
}

/* The rate at which an angle went from one value to the other, the shorter way round. */
static double turn_rate(double from_rad, double to_rad, double dt_s)
{
        return remainder(to_rad - from_rad, 2.0 * M_PI) / dt_s;
}

static struct vec3 euler_rates(const struct flightgear *g, struct vec3 to_rad,
                               int64_t t_ns)
{
        double dt_s = (double)(t_ns - g->last_ns) * 1e-9;
        struct vec3 from_rad = g->euler_rad;

        if (g->last_ns < 0)
                return (struct vec3){ 0 };
        return (struct vec3){ turn_rate(from_rad.x, to_rad.x, dt_s),
                              turn_rate(from_rad.y, to_rad.y, dt_s),
                              turn_rate(from_rad.z, to_rad.z, dt_s) };
}

static void put_position(uint8_t *p, const struct codec_origin *o, struct vec3 pos_ned_m)
{
        be_put_f64(p + LONGITUDE, o->lon_rad + pos_ned_m.y / o->east_m_per_rad);
        be_put_f64(p + LATITUDE, o->lat_rad + pos_ned_m.x / o->north_m_per_rad);
        be_put_f64(p + ALTITUDE, o->height_m - pos_ned_m.z);
        put_f32(p + AGL, -pos_ned_m.z);
}

static void put_motion(uint8_t *p, const struct sensor_frame *frame)
{
        const struct pose_sample *pose = &frame->pose;
        struct vec3 vel_fps = vec3_scale(FT_PER_M, pose->vel_ned_mps);

        put_f32(p + VCAS, vec3_norm(pose->vel_ned_mps) / KNOT_MPS);
        put_f32(p + CLIMB_RATE, -vel_fps.z);
        put_xyz(p + V_NORTH, vel_fps);
        put_xyz(p + V_BODY, quat_rotate_inverse(pose->q_body_to_ned, vel_fps));
        put_xyz(p + A_PILOT, vec3_scale(FT_PER_M, frame->imu.accel_body_mps2));
}

static void put_engines(uint8_t *p, const struct motor_command *command, int rotors)
{
        int engines = rotors < ENGINES_MAX ? rotors : ENGINES_MAX;

        be_put_u32(p + NUM_ENGINES, (uint32_t)engines);
        for (int i = 0; i < engines; i++) {
                be_put_u32(p + ENG_STATE + 4 * i, command->duty[i] > 0.0 ? RUNNING : 0);
                put_f32(p + RPM + 4 * i, command->duty[i] * RPM_FULL);
        }
}

static void flightgear_feed(struct device *d, const struct device_feed *feed,
                            struct packets *out)
{
        struct flightgear *g = (struct flightgear *)d;
        const struct pose_sample *pose = &feed->frame->pose;
        struct vec3 euler_rad = quat_to_euler(pose->q_body_to_ned);
        int64_t utc_ns = g->setup.origin.utc_ns + feed->t_ns;
        struct packet *packet;
        uint8_t *p;

        if (feed->t_ns < g->next_ns || out->count == CODEC_PACKETS_MAX)
                return;
        packet = &out->packet[out->count++];
        packet->channel = 0;
        packet->len = FDM_BYTES;
        p = packet->bytes;
        memset(p, 0, FDM_BYTES);
        be_put_u32(p + VERSION, FDM_VERSION);
        put_position(p, &g->setup.origin, pose->pos_ned_m);
        put_xyz(p + PHI, euler_rad);
        put_xyz(p + PHIDOT, euler_rates(g, euler_rad, feed->t_ns));
        put_motion(p, feed->frame);
        put_engines(p, feed->command, g->setup.rotors);
        be_put_u32(p + CUR_TIME, (uint32_t)(utc_ns / 1000000000));
        put_f32(p + VISIBILITY, VISIBILITY_M);

        g->euler_rad = euler_rad;
        g->last_ns = feed->t_ns;
        g->next_ns = feed->t_ns - feed->t_ns % FDM_PERIOD_NS + FDM_PERIOD_NS;
        d->counts.messages_out++;
}

static void flightgear_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_flightgear_ops = {
        .name = "flightgear",
        .what = "FlightGear's native FDM packets: the truth, to look at",
        .feed = flightgear_feed,
        .destroy = flightgear_destroy,
};

struct device *device_flightgear_create(const struct device_setup *setup)
{
        struct flightgear *g = calloc(1, sizeof *g);

        if (g == NULL)
                return NULL;
        g->device.ops = &device_flightgear_ops;
        g->setup = *setup;
        g->last_ns = -1;
        return &g->device;
}
