/* By these the table of messages (mavlink_messages.c) names the fields of a struct. */
#pragma once

#include <stddef.h>

#include "io/codec/mavlink_pack.h"

/* clang-format off */
#define TYPE_OF(value)                    \
        _Generic((value),                 \
                char: MAVLINK_CHAR,       \
                uint8_t: MAVLINK_U8,      \
                int8_t: MAVLINK_I8,       \
                uint16_t: MAVLINK_U16,    \
                int16_t: MAVLINK_I16,     \
                uint32_t: MAVLINK_U32,    \
                int32_t: MAVLINK_I32,     \
                uint64_t: MAVLINK_U64,    \
                int64_t: MAVLINK_I64,     \
                float: MAVLINK_FLOAT)
/* clang-format on */

#define MEMBER(message, field) (((struct mavlink_##message *)0)->field)

#define ONE(message, field)                                                              \
        {                                                                                \
#field, TYPE_OF(MEMBER(message, field)),                                 \
                        offsetof(struct mavlink_##message, field), 0                     \
        }

#define TWO(message, a, b)        ONE(message, a), ONE(message, b)
#define FOUR(message, a, b, c, d) TWO(message, a, b), TWO(message, c, d)

#define ARRAY(message, field)                                                            \
        {                                                                                \
#field, TYPE_OF(MEMBER(message, field)[0]),                              \
                        offsetof(struct mavlink_##message, field),                       \
                        sizeof MEMBER(message, field) / sizeof MEMBER(message, field)[0] \
        }
