/* The encodings of blackbox fields. */
#include "io/log/blackbox.h"

enum encoding {
        SIGNED_VB = 0,
        UNSIGNED_VB = 1,
        NEG_14BIT = 3,
        TAG8_8SVB = 6,
        TAG2_3S32 = 7,
        TAG8_4S16 = 8,
        NONE = 9,
        TAG2_3SVARIABLE = 10
};

bool blackbox_knows_encoding(int encoding)
{
        return encoding == SIGNED_VB || encoding == UNSIGNED_VB ||
               encoding == NEG_14BIT ||
               (encoding >= TAG8_8SVB && encoding <= TAG2_3SVARIABLE);
}

static bool take_byte(struct blackbox_bytes *from, uint32_t *byte)
{
        if (from->at == from->end)
                return false;
        *byte = *from->at++;
        return true;
}

/* Seven bits a byte, the lowest first. */
bool blackbox_read_unsigned(struct blackbox_bytes *from, uint32_t *value)
{
        uint32_t byte = 0x80;

        *value = 0;
        for (unsigned shift = 0; byte & 0x80; shift += 7) {
                if (shift > 28 || !take_byte(from, &byte))
                        return false;
                *value |= (byte & 0x7F) << shift;
        }
        return true;
}

/* The sign in the lowest bit. */
static bool take_signed(struct blackbox_bytes *from, int64_t *value)
{
        uint32_t zigzag;

        if (!blackbox_read_unsigned(from, &zigzag))
                return false;
        *value = (int32_t)((zigzag >> 1) ^ -(zigzag & 1));
        return true;
}

static int64_t sign_extend(uint32_t value, unsigned bits)
{
        uint32_t sign = 1U << (bits - 1);

        value &= (sign << 1) - 1;
        return (int64_t)(value ^ sign) - (int64_t)sign;
}

/* 1 to 4 bytes, little-endian. */
static bool take_sized(struct blackbox_bytes *from, unsigned bytes, int64_t *value)
{
        uint32_t word = 0, byte;

        for (unsigned i = 0; i < bytes; i++) {
                if (!take_byte(from, &byte))
                        return false;
                word |= byte << 8 * i;
        }
        *value = bytes == 4 ? (int32_t)word : sign_extend(word, 8 * bytes);
        return true;
}

/* Three fields, whose sizes are in the first byte. */
static bool take_tag2(struct blackbox_bytes *from, bool variable, int64_t value[8])
{
        static const uint8_t plain[2][3] = { { 2, 2, 2 }, { 4, 4, 4 } };
        static const uint8_t uneven[3][3] = { { 2, 2, 2 }, { 5, 5, 4 }, { 8, 7, 7 } };
        uint32_t word, byte;
        unsigned selector, bytes, shift;

        if (!take_byte(from, &word))
                return false;
        selector = word >> 6;
        if (selector == 3) {
                for (int i = 0; i < 3; i++)
                        if (!take_sized(from, 1 + (word >> 2 * i & 3), &value[i]))
                                return false;
                return true;
        }
        bytes = selector;
        for (unsigned i = 0; i < bytes; i++) {
                if (!take_byte(from, &byte))
                        return false;
                word = word << 8 | byte;
        }
        /* Plain fields of 6 bits each fill the low bits of a byte of their own. */
        if (!variable && selector == 2) {
                for (int i = 0; i < 3; i++)
                        value[i] = sign_extend(word >> 8 * (2 - i), 6);
                return true;
        }
        shift = 0;
        for (int i = 2; i >= 0; i--) {
                unsigned bits = variable ? uneven[selector][i] : plain[selector][i];

                value[i] = sign_extend(word >> shift, bits);
                shift += bits;
        }
        return true;
}

/* Halves of bytes: in version 2 the higher one comes first, and fields need not begin at a byte. */
struct nibbles {
        struct blackbox_bytes *from;
        uint32_t byte;
        bool half;
};

static bool take_nibbles(struct nibbles *n, unsigned count, uint32_t *value)
{
        *value = 0;
        for (unsigned i = 0; i < count; i++) {
                if (!n->half && !take_byte(n->from, &n->byte))
                        return false;
                *value = *value << 4 | (n->half ? n->byte & 15 : n->byte >> 4);
                n->half = !n->half;
        }
        return true;
}

static bool take_tag8_4s16(struct blackbox_bytes *from, int64_t value[8])
{
        struct nibbles n = { .from = from };
        uint32_t tag, word;

        if (!take_byte(from, &tag))
                return false;
        for (int i = 0; i < 4; i++, tag >>= 2) {
                static const uint8_t size[4] = { 0, 1, 2, 4 };
                unsigned count = size[tag & 3];

                if (!take_nibbles(&n, count, &word))
                        return false;
                value[i] = count > 0 ? sign_extend(word, 4 * count) : 0;
        }
        return true;
}

/* In version 1 two fields of half a byte share one, the lower half first. */
static bool take_tag8_4s16_v1(struct blackbox_bytes *from, int64_t value[8])
{
        uint32_t tag, byte;

        if (!take_byte(from, &tag))
                return false;
        for (int i = 0; i < 4; i++, tag >>= 2) {
                value[i] = 0;
                if ((tag & 3) == 1) {
                        if (!take_byte(from, &byte))
                                return false;
                        value[i] = sign_extend(byte, 4);
                        if (i < 3)
                                value[++i] = sign_extend(byte >> 4, 4);
                        tag >>= 2;
                } else if ((tag & 3) > 1 && !take_sized(from, (tag & 3) - 1, &value[i])) {
                        return false;
                }
        }
        return true;
}

/* A bit for each field that is not 0; a field that is alone has none. */
static bool take_tag8_8svb(struct blackbox_bytes *from, int count, int64_t value[8])
{
        uint32_t tag = 1;

        if (count > 1 && !take_byte(from, &tag))
                return false;
        for (int i = 0; i < 8; i++, tag >>= 1) {
                value[i] = 0;
                if ((tag & 1) && !take_signed(from, &value[i]))
                        return false;
        }
        return true;
}

int blackbox_read_group(struct blackbox_bytes *from, const struct blackbox_fields *fields,
                        int field, int version, int64_t value[8])
{
        int encoding = fields->encoding[field], left = fields->count - field, run = 1;
        uint32_t word;

        switch (encoding) {
        case SIGNED_VB:
                return take_signed(from, value);
        case UNSIGNED_VB:
                value[0] = blackbox_read_unsigned(from, &word) ? (int64_t)word : -1;
                return value[0] >= 0;
        case NEG_14BIT:
                if (!blackbox_read_unsigned(from, &word))
                        return 0;
                value[0] = -sign_extend(word, 14);
                return 1;
        case TAG8_8SVB:
                while (run < 8 && run < left && fields->encoding[field + run] == encoding)
                        run++;
                return take_tag8_8svb(from, run, value) ? run : 0;
        case TAG2_3S32:
        case TAG2_3SVARIABLE:
                return left >= 3 && take_tag2(from, encoding == TAG2_3SVARIABLE, value)
                               ? 3
                               : 0;
        case TAG8_4S16:
                if (left < 4)
                        return 0;
                return (version < 2 ? take_tag8_4s16_v1(from, value)
                                    : take_tag8_4s16(from, value))
                               ? 4
                               : 0;
        case NONE:
                value[0] = 0;
                return 1;
        default:
                return 0;
        }
}
