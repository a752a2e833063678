/* The packed fields of one ULog data record, appended one after the other in the format's order. */
#pragma once

#include <assert.h>
#include <string.h>

#include "io/le.h"
#include "models/vec.h"

#define ULOG_MESSAGE_MAX 256

struct ulog_message {
        size_t len;
        uint8_t bytes[ULOG_MESSAGE_MAX];
};

static inline uint8_t *ulog_message_extend(struct ulog_message *m, size_t len)
{
        uint8_t *p = m->bytes + m->len;

        assert(m->len + len <= sizeof m->bytes);
        m->len += len;
        return p;
}

static inline void ulog_put_u8(struct ulog_message *m, unsigned v)
{
        *ulog_message_extend(m, 1) = (uint8_t)v;
}

static inline void ulog_put_u32(struct ulog_message *m, uint32_t v)
{
        le_put_u32(ulog_message_extend(m, 4), v);
}

static inline void ulog_put_i32(struct ulog_message *m, int32_t v)
{
        ulog_put_u32(m, (uint32_t)v);
}

static inline void ulog_put_u64(struct ulog_message *m, uint64_t v)
{
        le_put_u64(ulog_message_extend(m, 8), v);
}

static inline void ulog_put_f32(struct ulog_message *m, double v)
{
        le_put_f32(ulog_message_extend(m, 4), (float)v);
}

static inline void ulog_put_f64(struct ulog_message *m, double v)
{
        le_put_f64(ulog_message_extend(m, 8), v);
}

/* char[size], filled with zeros after the text. */
static inline void ulog_put_chars(struct ulog_message *m, const char *text, size_t size)
{
        uint8_t *p = ulog_message_extend(m, size);

        memset(p, 0, size);
        memcpy(p, text, strnlen(text, size));
}

static inline void ulog_put_vec3_f32(struct ulog_message *m, struct vec3 v)
{
        ulog_put_f32(m, v.x);
        ulog_put_f32(m, v.y);
        ulog_put_f32(m, v.z);
}
