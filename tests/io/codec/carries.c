/* What each codec declares that its frames carry, against the bytes that it writes. */
#include <math.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"
#include "io/codec/betaflight/betaflight.h"
#include "io/codec/hilp/hilp_si.h"
#include "io/codec/inav/inav.h"
#include "io/codec/px4/px4.h"
#include "tests/suites.h"

#define BYTES_MAX 4096

static const struct codec_setup setup = {
        .period_ns = 1000000,
        .origin = { .north_m_per_rad = 6e6, .east_m_per_rad = 4e6 },
        .sensor_period_ns = { [SENSOR_IMU] = 1,
                              [SENSOR_GPS] = 1,
                              [SENSOR_BARO] = 1,
                              [SENSOR_MAG] = 1,
                              [SENSOR_SONAR] = 1,
                              [SENSOR_FLOW] = 1,
                              [SENSOR_POWER] = 1,
                              [SENSOR_INS] = 1,
                              [SENSOR_RELATIVE] = 1 },
        .sonars = SONARS_MAX,
        .rotors = 4,
};

static struct sensor_frame usual(void)
{
        struct sensor_frame f = {
                .t_ns = 1000000000,
                .fresh = SENSOR_BIT(SENSOR_COUNT) - 1,
                .fresh_sonars = (1U << SONARS_MAX) - 1,
                .imu = { .accel_body_mps2 = { 1, 2, -9 },
                         .gyro_body_radps = { 1, 2, 3 } },
                .gps = { .t_ns = 900000000,
                         .lat_rad = 0.8,
                         .lon_rad = 0.2,
                         .height_m = 300,
                         .vel_ned_mps = { 1, 2, 3 },
                         .satellites = 9,
                         .fix = GPS_FIX_3D },
                .baro = { .pressure_pa = 96000, .temperature_k = 290 },
                .mag = { .field_body_t = { 2e-5, 1e-5, 4e-5 } },
                .flow = { .flow_x_rad = 0.01, .flow_y_rad = 0.02 },
                .power = { .voltage_v = 11, .current_a = 4 },
                .ins = { .pos_ned_m = { 1, 2, 3 }, .euler_rad = { 0.1, 0.2, 0.3 } },
                .pose = { .q_body_to_ned = { 1, 0, 0, 0 } },
        };

        for (int i = 0; i < SONARS_MAX; i++)
                f.sonar[i] = (struct sonar_sample){ .range_m = 2, .echo = true };
        return f;
}

static size_t put(uint8_t *out, size_t at, const void *what, size_t len)
{
        memcpy(out + at, what, len);
        return at + len;
}

static size_t write_px4(const struct sensor_frame *f, uint8_t *out)
{
        struct mavlink_hil_sensor sensor;
        struct mavlink_hil_gps gps;
        struct mavlink_hil_optical_flow flow;
        struct mavlink_distance_sensor distance;
        size_t at = 0;

        codec_px4_hil_sensor(&sensor, 1, f);
        codec_px4_hil_gps(&gps, &setup.origin, &f->gps);
        codec_px4_hil_flow(&flow, 1, f);
        codec_px4_distance(&distance, 1, &f->sonar[0]);
        at = put(out, at, &sensor, sizeof sensor);
        at = put(out, at, &gps, sizeof gps);
        at = put(out, at, &flow, sizeof flow);
        return put(out, at, &distance, sizeof distance);
}

static size_t write_hilp(const struct sensor_frame *f, uint8_t *out)
{
        const double lsb[SENSOR_COUNT] = { 0 };
        struct hilp_sensors sensors;
        struct hilp_sonars sonars;
        struct hilp_units units;

        hilp_si_units(&units, lsb, 0.0);
        hilp_si_to_sensors(&sensors, &units, 1, f);
        hilp_si_to_sonars(&sonars, &units, 1, f);
        return put(out, put(out, 0, &sensors, sizeof sensors), &sonars, sizeof sonars);
}

/* The usual frame, then this one: what is held over does not count as carried. */
static size_t write_frame(const char *codec, const char *dialect,
                          const struct sensor_frame *f, uint8_t *out)
{
        const uint16_t rc_us[INAV_RC_CHANNELS] = { 0 };
        struct sensor_frame first = usual();

        if (codec_is_shipped(codec_find(codec), dialect))
                return 0; /* it sends none */
        if (strcmp(codec, "ardupilot") == 0) {
                struct codec_ardupilot a = { .setup = setup };

                return codec_ardupilot_text(&a, 1, f, (char *)out);
        }
        if (strcmp(codec, "betaflight") == 0) {
                struct codec_setup of = setup;
                struct codec *c;

                of.dialect = dialect;
                c = codec_betaflight_create(&of);
                codec_betaflight_fdm(codec_betaflight_self(c), &first, out);
                codec_betaflight_fdm(codec_betaflight_self(c), f, out);
                c->ops->destroy(c);
                return BETAFLIGHT_FDM_BYTES;
        }
        if (strcmp(codec, "inav") == 0) {
                struct codec_inav i = { .setup = setup };

                i.v2 = strcmp(dialect, "v2") == 0;
                codec_inav_frame(&i, &first, rc_us, out);
                return codec_inav_frame(&i, f, rc_us, out);
        }
        return strcmp(codec, "px4") == 0 ? write_px4(f, out) : write_hilp(f, out);
}

static struct vec3 all(double value)
{
        return (struct vec3){ value, value, value };
}

/* sonar: which one */
static void set_sample(struct sensor_frame *f, enum codec_sample sample, int sonar,
                       double value)
{
        switch (sample) {
        case SAMPLE_ACCEL:
                f->imu.accel_body_mps2 = all(value);
                break;
        case SAMPLE_GYRO:
                f->imu.gyro_body_radps = all(value);
                break;
        case SAMPLE_GPS:
                f->gps.lat_rad = f->gps.lon_rad = f->gps.height_m = value;
                f->gps.vel_ned_mps = all(value);
                break;
        case SAMPLE_BARO:
                f->baro.pressure_pa = value;
                break;
        case SAMPLE_MAG:
                f->mag.field_body_t = all(value);
                break;
        case SAMPLE_SONAR:
                f->sonar[sonar].range_m = value;
                break;
        case SAMPLE_FLOW:
                f->flow.flow_x_rad = f->flow.flow_y_rad = value;
                break;
        case SAMPLE_VOLTAGE:
                f->power.voltage_v = value;
                break;
        case SAMPLE_CURRENT:
                f->power.current_a = value;
                break;
        default:
                f->ins.pos_ned_m = f->ins.euler_rad = all(value);
        }
}

struct variant {
        const char *codec, *dialect;
        const struct codec_carries *carries;
};

static bool differ(const struct variant *v, const struct sensor_frame *a,
                   const struct sensor_frame *b)
{
        uint8_t x[BYTES_MAX], y[BYTES_MAX];
        size_t n = write_frame(v->codec, v->dialect, a, x);

        return n != write_frame(v->codec, v->dialect, b, y) || memcmp(x, y, n) != 0;
}

static void check_sample(const struct variant *v, enum codec_sample sample)
{
        struct sensor_frame was = usual(), now = usual(), zero = usual();
        unsigned carried = v->carries->of[sample];

        set_sample(&now, sample, 0, 0.5);
        ck_assert_msg(differ(v, &was, &now) == !!(carried & CARRIES_VALUE),
                      "%s %s: sample %d", v->codec, v->dialect, sample);
        set_sample(&zero, sample, 0, 0.0);
        set_sample(&now, sample, 0, (double)NAN);
        ck_assert_msg(differ(v, &zero, &now) == !!(carried & CARRIES_NAN),
                      "%s %s: sample %d that is not a number", v->codec, v->dialect,
                      sample);
}

static void check_variant(const struct variant *v)
{
        const struct codec_carries *c = v->carries;
        struct sensor_frame was = usual(), now = usual();

        for (int i = 0; i < CODEC_SAMPLES; i++)
                check_sample(v, (enum codec_sample)i);
        now.gps.fix = GPS_NO_FIX;
        now.gps.satellites = 0;
        ck_assert_msg(differ(v, &was, &now) == !!(c->of[SAMPLE_GPS] & CARRIES_FIX),
                      "%s %s: fix", v->codec, v->dialect);
        now = was;
        now.gps.t_ns -= 100000000;
        ck_assert_msg(differ(v, &was, &now) == !!(c->of[SAMPLE_GPS] & CARRIES_TIME),
                      "%s %s: time", v->codec, v->dialect);
        now = was;
        now.mag.field_body_t = vec3_scale(2.0, was.mag.field_body_t);
        ck_assert_msg(differ(v, &was, &now) == ((c->of[SAMPLE_MAG] & CARRIES_VALUE) &&
                                                !(c->of[SAMPLE_MAG] & CARRIES_DIRECTION)),
                      "%s %s: length", v->codec, v->dialect);
        for (int i = 0; i < SONARS_MAX; i++) {
                now = was;
                set_sample(&now, SAMPLE_SONAR, i, 0.5);
                ck_assert_msg(differ(v, &was, &now) == (i < c->sonars), "%s %s: sonar %d",
                              v->codec, v->dialect, i);
        }
}

TEST(frames_carry_what_their_codec_declares_and_nothing_else)
{
        static const char *const none[] = { "", NULL };
        int variants = 0;

        for (const char *const *name = codec_names(); *name != NULL; name++) {
                const struct codec_ops *ops = codec_find(*name);
                const char *const *d = ops->dialects != NULL ? ops->dialects : none;

                for (; *d != NULL; d++, variants++)
                        check_variant(
                                &(struct variant){ *name, *d, codec_carries(ops, *d) });
                ck_assert_ptr_eq(codec_carries(ops, ""), ops->carries[0]);
        }
        ck_assert_int_eq(variants, 14);
}
