/* Fields of a HILP payload: each function either writes or reads one, so that a layout is
 * written once and the two directions cannot disagree. Belongs to hilp.c and hilp_layout.c
 * alone. */
#pragma once

#include <string.h>

#include "io/codec/hilp/hilp.h"

/* A payload being written or read, field by field. A read past its end gives 0 and clears `fits`. */
struct hilp_wire {
        uint8_t bytes[HILP_PAYLOAD_MAX];
        size_t at, len;
        int writing, fits;
};

static inline void uint_field(struct hilp_wire *w, uint64_t *value, size_t size)
{
        if (size > w->len - w->at) {
                w->fits = 0;
                *value = 0;
                return;
        }
        if (w->writing) {
                for (size_t i = 0; i < size; i++)
                        w->bytes[w->at + i] = (uint8_t)(*value >> (8 * i) & 0xFF);
        } else {
                *value = 0;
                for (size_t i = 0; i < size; i++)
                        *value |= (uint64_t)w->bytes[w->at + i] << (8 * i);
        }
        w->at += size;
}

static inline void u8(struct hilp_wire *w, uint8_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 1);
        *value = (uint8_t)wide;
}

static inline void u16(struct hilp_wire *w, uint16_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 2);
        *value = (uint16_t)wide;
}

static inline void u32(struct hilp_wire *w, uint32_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 4);
        *value = (uint32_t)wide;
}

static inline void u64(struct hilp_wire *w, uint64_t *value)
{
        uint_field(w, value, 8);
}

/* Two's complement, which the intN_t types are: the bits are copied, nothing is
 * converted. */
static inline void i16(struct hilp_wire *w, int16_t *value)
{
        uint16_t bits;

        memcpy(&bits, value, sizeof bits);
        u16(w, &bits);
        memcpy(value, &bits, sizeof bits);
}

static inline void i32(struct hilp_wire *w, int32_t *value)
{
        uint32_t bits;

        memcpy(&bits, value, sizeof bits);
        u32(w, &bits);
        memcpy(value, &bits, sizeof bits);
}

static inline void i32_xyz(struct hilp_wire *w, int32_t *value)
{
        for (int i = 0; i < 3; i++)
                i32(w, &value[i]);
}

/* Length of a string within its array, which need not end in a zero. */
static inline size_t text_len(const char *text, size_t max)
{
        size_t n = 0;

        while (n < max && text[n] != '\0')
                n++;
        return n;
}

/* size bytes of characters; what follows a zero among them is nothing. */
static inline void chars(struct hilp_wire *w, char *text, size_t size)
{
        uint8_t *at = w->bytes + w->at;
        size_t used = 0;

        if (size > w->len - w->at) {
                w->fits = 0;
                return;
        }
        if (w->writing) {
                memset(at, 0, size);
                memcpy(at, text, text_len(text, size));
        } else {
                while (used < size && at[used] != 0)
                        used++;
                memcpy(text, at, used);
                text[used] = '\0';
        }
        w->at += size;
}

/* Walks over all fields of a message; clears `fits` for an unknown type. */
void hilp_walk(struct hilp_wire *w, struct hilp_message *m);
