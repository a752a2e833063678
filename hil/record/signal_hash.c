/* SHA-256 over the canonical bytes of the signal (docs/run-folder.md, "The signal hash").
 * The only file that knows libnettle. */
#include "hil/record/signal_hash.h"

#include <assert.h>
#include <nettle/sha2.h>
#include <stdlib.h>

#include "io/le.h"

struct signal_hash {
        struct sha256_ctx sha256;
        int rotors;
};

/* Bytes of one tick, in order. */
struct canon {
        size_t len;
        uint8_t bytes[1024];
};

static uint8_t *extend(struct canon *c, size_t len)
{
        uint8_t *p = c->bytes + c->len;

        assert(c->len + len <= sizeof c->bytes);
        c->len += len;
        return p;
}

static void put_u8(struct canon *c, unsigned v)
{
        *extend(c, 1) = (uint8_t)v;
}

static void put_u32(struct canon *c, uint32_t v)
{
        le_put_u32(extend(c, 4), v);
}

static void put_i64(struct canon *c, int64_t v)
{
        le_put_u64(extend(c, 8), (uint64_t)v);
}

static void put_f64(struct canon *c, double v)
{
        le_put_f64(extend(c, 8), v);
}

static void put_vec3(struct canon *c, struct vec3 v)
{
        put_f64(c, v.x);
        put_f64(c, v.y);
        put_f64(c, v.z);
}

static void put_imu(struct canon *c, const struct imu_sample *s)
{
        put_i64(c, s->t_ns);
        put_vec3(c, s->accel_body_mps2);
        put_vec3(c, s->gyro_body_radps);
}

static void put_gps(struct canon *c, const struct gps_sample *s)
{
        put_i64(c, s->t_ns);
        put_f64(c, s->lat_rad);
        put_f64(c, s->lon_rad);
        put_f64(c, s->height_m);
        put_vec3(c, s->vel_ned_mps);
        put_f64(c, s->h_acc_m);
        put_f64(c, s->v_acc_m);
        put_f64(c, s->s_acc_mps);
        put_u32(c, (uint32_t)s->satellites);
        put_u32(c, (uint32_t)s->fix);
}

static void put_baro(struct canon *c, const struct baro_sample *s)
{
        put_i64(c, s->t_ns);
        put_f64(c, s->pressure_pa);
        put_f64(c, s->temperature_k);
        put_u32(c, (uint32_t)s->raw_temperature);
        put_u32(c, (uint32_t)s->raw_pressure);
}

static void put_mag(struct canon *c, const struct mag_sample *s)
{
        put_i64(c, s->t_ns);
        put_vec3(c, s->field_body_t);
}

static void put_sonar(struct canon *c, const struct sonar_sample *s)
{
        put_i64(c, s->t_ns);
        put_f64(c, s->range_m);
        put_u8(c, s->echo);
}

static void put_sonars(struct canon *c, const struct sensor_frame *f)
{
        put_u32(c, f->fresh_sonars);
        for (int i = 0; i < SONARS_MAX; i++)
                if (f->fresh_sonars >> i & 1)
                        put_sonar(c, &f->sonar[i]);
}

static void put_flow(struct canon *c, const struct flow_sample *s)
{
        put_i64(c, s->t_ns);
        put_i64(c, s->interval_ns);
        put_f64(c, s->flow_x_rad);
        put_f64(c, s->flow_y_rad);
        put_f64(c, s->gyro_x_rad);
        put_f64(c, s->gyro_y_rad);
        put_u32(c, (uint32_t)s->quality);
}

static void put_power(struct canon *c, const struct power_sample *s)
{
        put_i64(c, s->t_ns);
        put_f64(c, s->voltage_v);
        put_f64(c, s->current_a);
        put_f64(c, s->charge_used_c);
}

static void put_ins(struct canon *c, const struct ins_sample *s)
{
        put_i64(c, s->t_ns);
        put_vec3(c, s->pos_ned_m);
        put_vec3(c, s->euler_rad);
}

/* Looks at no sample that is not fresh: it may not be there (recorder_tick()). */
static void put_frame(struct canon *c, const struct sensor_frame *f)
{
        put_i64(c, f->t_ns);
        put_u32(c, f->fresh);
        if (f->fresh & SENSOR_BIT(SENSOR_IMU))
                put_imu(c, &f->imu);
        if (f->fresh & SENSOR_BIT(SENSOR_GPS))
                put_gps(c, &f->gps);
        if (f->fresh & SENSOR_BIT(SENSOR_BARO))
                put_baro(c, &f->baro);
        if (f->fresh & SENSOR_BIT(SENSOR_MAG))
                put_mag(c, &f->mag);
        if (f->fresh & SENSOR_BIT(SENSOR_SONAR))
                put_sonars(c, f);
        if (f->fresh & SENSOR_BIT(SENSOR_FLOW))
                put_flow(c, &f->flow);
        if (f->fresh & SENSOR_BIT(SENSOR_POWER))
                put_power(c, &f->power);
        if (f->fresh & SENSOR_BIT(SENSOR_INS))
                put_ins(c, &f->ins);
}

struct signal_hash *signal_hash_create(int rotors)
{
        struct signal_hash *h = malloc(sizeof *h);

        assert(rotors >= 0 && rotors <= ROTORS_MAX);
        if (!h)
                return NULL;
        sha256_init(&h->sha256);
        h->rotors = rotors;
        return h;
}

void signal_hash_add(struct signal_hash *h, const struct tick_record *tick)
{
        struct canon c;

        c.len = 0;
        put_u32(&c, (uint32_t)tick->vehicle);
        for (int i = 0; i < h->rotors; i++)
                put_f64(&c, tick->command.duty[i]);
        put_u8(&c, tick->frame_sent);
        if (tick->frame_sent)
                put_frame(&c, &tick->frame);
        sha256_update(&h->sha256, c.len, c.bytes);
}

static void finish(struct sha256_ctx *sha256, char hex[65])
{
        static const char digit[] = "0123456789abcdef";
        uint8_t digest[SHA256_DIGEST_SIZE];

        sha256_digest(sha256, sizeof digest, digest);
        for (size_t i = 0; i < sizeof digest; i++) {
                hex[2 * i] = digit[digest[i] >> 4];
                hex[2 * i + 1] = digit[digest[i] & 15];
        }
        hex[64] = 0;
}

void signal_hash_finish(struct signal_hash *h, char hex[65])
{
        finish(&h->sha256, hex);
        free(h);
}

void sha256_hex(const void *bytes, size_t len, char hex[65])
{
        struct sha256_ctx sha256;

        sha256_init(&sha256);
        sha256_update(&sha256, len, bytes);
        finish(&sha256, hex);
}
