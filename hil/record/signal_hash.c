/* SHA-256 over the canonical bytes of the signal (docs/run-folder.md, "The signal hash"). */

#include "hil/record/signal_hash.h"

#include <assert.h>
#include <nettle/sha2.h>
#include <stdlib.h>

#include "io/le.h"
#include "models/sensors/kinds.h"

struct signal_hash {
        struct sha256_ctx sha256;
        int rotors;
};

/* Bytes of one tick, in order; at most those of the structs, the vehicle, and whether it was sent. */
struct canon {
        size_t len;
        uint8_t bytes[sizeof(struct sensor_frame) + sizeof(struct motor_command) + 5];
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

static void put_field(struct canon *c, const char *sample, const struct sensor_field *f)
{
        for (int i = 0; i < f->count; i++) {
                const char *at = sample + f->offset;

                switch (f->type) {
                case FIELD_F64:
                        put_f64(c, ((const double *)(const void *)at)[i]);
                        break;
                case FIELD_I64:
                        put_i64(c, ((const int64_t *)(const void *)at)[i]);
                        break;
                case FIELD_I32:
                        put_u32(c, ((const uint32_t *)(const void *)at)[i]);
                        break;
                case FIELD_BOOL:
                        put_u8(c, ((const bool *)at)[i]);
                        break;
                }
        }
}

static void put_sample(struct canon *c, const struct sensor_frame *f, enum sensor which,
                       int unit)
{
        put_i64(c, sensor_sample_ns(f, which, unit));
        for (const struct sensor_field *field = sensor_kinds[which].field; field->name;
             field++)
                put_field(c, sensor_sample_const(f, which, unit), field);
}

/* Looks at no sample that is not fresh: it may not be there (recorder_tick()). */
static void put_frame(struct canon *c, const struct sensor_frame *f)
{
        put_i64(c, f->t_ns);
        put_u32(c, f->fresh);
        for (enum sensor i = 0; i < SENSOR_COUNT; i++) {
                if (!(f->fresh & SENSOR_BIT(i)))
                        continue;
                if (i == SENSOR_SONAR)
                        put_u32(c, f->fresh_sonars);
                for (int unit = 0; unit < sensor_kinds[i].units_max; unit++)
                        if (sensor_is_fresh(f, i, unit))
                                put_sample(c, f, i, unit);
        }
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

static void digest_to_hex(struct sha256_ctx *sha256, char hex[65])
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
        digest_to_hex(&h->sha256, hex);
        free(h);
}

void sha256_hex(const void *bytes, size_t len, char hex[65])
{
        struct sha256_ctx sha256;

        sha256_init(&sha256);
        sha256_update(&sha256, len, bytes);
        digest_to_hex(&sha256, hex);
}
