/* MAVLink payloads to structs and back, by the table of fields. */
#include <assert.h>
#include <string.h>

#include "io/le.h"
#include "io/codec/mavlink_pack.h"

size_t mavlink_type_size(enum mavlink_type type)
{
        switch (type) {
        case MAVLINK_CHAR:
        case MAVLINK_U8:
        case MAVLINK_I8:
                return 1;
        case MAVLINK_U16:
        case MAVLINK_I16:
                return 2;
        case MAVLINK_U32:
        case MAVLINK_I32:
        case MAVLINK_FLOAT:
                return 4;
        case MAVLINK_U64:
        case MAVLINK_I64:
                return 8;
        }
        return 0;
}

/* One element from the host's order to the wire's. */
static void put(uint8_t *to, const uint8_t *from, size_t size)
{
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;

        switch (size) {
        case 1:
                *to = *from;
                break;
        case 2:
                memcpy(&u16, from, sizeof u16);
                le_put_u16(to, u16);
                break;
        case 4:
                memcpy(&u32, from, sizeof u32);
                le_put_u32(to, u32);
                break;
        default:
                memcpy(&u64, from, sizeof u64);
                le_put_u64(to, u64);
        }
}

static void get(uint8_t *to, const uint8_t *from, size_t size)
{
        uint16_t u16 = 0;
        uint32_t u32 = 0;
        uint64_t u64 = 0;

        switch (size) {
        case 1:
                *to = *from;
                break;
        case 2:
                u16 = le_get_u16(from);
                memcpy(to, &u16, sizeof u16);
                break;
        case 4:
                u32 = le_get_u32(from);
                memcpy(to, &u32, sizeof u32);
                break;
        default:
                u64 = le_get_u64(from);
                memcpy(to, &u64, sizeof u64);
        }
}

static size_t elements(const struct mavlink_field *f)
{
        return f->count > 0 ? f->count : 1;
}

void mavlink_pack(struct mavlink_frame *frame, const struct mavlink_message *message,
                  const void *values)
{
        uint8_t *to = frame->payload;

        for (int i = 0; i < message->field_count; i++) {
                const struct mavlink_field *f = &message->fields[i];
                const uint8_t *from = (const uint8_t *)values + f->offset;
                size_t size = mavlink_type_size(f->type);

                for (size_t n = 0; n < elements(f); n++, to += size, from += size)
                        put(to, from, size);
        }
        assert(to == frame->payload + message->len);
        memset(to, 0, sizeof frame->payload - message->len);
        frame->id = message->id;
        frame->len = message->len;
}

bool mavlink_unpack(const struct mavlink_frame *frame,
                    const struct mavlink_message *message, void *values)
{
        const uint8_t *from = frame->payload;

        if (frame->id != message->id ||
            (frame->version == 1 && frame->len < message->len_v1))
                return false;
        memset(values, 0, message->size);
        for (int i = 0; i < message->field_count; i++) {
                const struct mavlink_field *f = &message->fields[i];
                uint8_t *to = (uint8_t *)values + f->offset;
                size_t size = mavlink_type_size(f->type);

                for (size_t n = 0; n < elements(f); n++, to += size, from += size)
                        get(to, from, size);
        }
        return true;
}

size_t mavlink_send(struct mavlink_sender *s, uint32_t id, const void *values,
                    uint8_t *out)
{
        const struct mavlink_message *message = mavlink_message_find(id);
        struct mavlink_frame frame = { .version = s->version,
                                       .sequence = s->sequence,
                                       .system = s->system,
                                       .component = s->component };

        assert(message != NULL);
        mavlink_pack(&frame, message, values);
        s->sequence++;
        return mavlink_encode(&frame, out);
}
