/* ArduPilot's DataFlash format (.bin): messages that describe themselves, over a whole file in memory, any bytes at
 * all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DATAFLASH_FIELDS_MAX 16

/* What an FMT message says of a type of message. */
struct dataflash_format {
        char name[5]; /* "": not described */
        uint8_t size; /* with the three bytes of its head */
        int fields;
        char type[DATAFLASH_FIELDS_MAX];
        char label[DATAFLASH_FIELDS_MAX][17];
        uint8_t offset[DATAFLASH_FIELDS_MAX];
};

struct dataflash {
        const uint8_t *bytes;
        size_t len, at;
        uint64_t
                skipped; /* stretches of bytes that are no message, and formats that make no sense */
        struct dataflash_format format[256];
};

struct dataflash_message {
        const struct dataflash_format *format;
        int type;
        const uint8_t *body; /* behind the head */
};

bool dataflash_is(const uint8_t *bytes, size_t len);
void dataflash_open(struct dataflash *d, const uint8_t *bytes, size_t len);
/* The next message, also those that describe; false at the end. */
bool dataflash_next(struct dataflash *d, struct dataflash_message *m);
/* Which field has that label; -1: none. */
int dataflash_field(const struct dataflash_format *format, const char *label);
/* As a number, multiplied as its type says; NAN: it is text. */
double dataflash_number(const struct dataflash_message *m, int field);
/* Bytes of a text of at most 64, not terminated; NULL: it is none. */
const uint8_t *dataflash_text(const struct dataflash_message *m, int field, size_t *len);
