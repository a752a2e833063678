/* Betaflight's blackbox format (.bbl, .bfl; INAV's too): a header of text, then frames that are predicted from those
 * before. Over a whole file in memory, any bytes at all. Encodings 4 and 5, which no firmware writes, are refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLACKBOX_FIELDS_MAX 128

enum blackbox_kind {
        BLACKBOX_INTRA, /* main frames, by themselves */
        BLACKBOX_INTER, /* main frames, from those before */
        BLACKBOX_GPS,
        BLACKBOX_HOME,
        BLACKBOX_SLOW,
        BLACKBOX_KINDS
};

struct blackbox_fields {
        int count;
        char name[BLACKBOX_FIELDS_MAX][24]; /* of main frames: BLACKBOX_INTRA's */
        uint8_t predictor[BLACKBOX_FIELDS_MAX], encoding[BLACKBOX_FIELDS_MAX];
};

struct blackbox_header {
        int version; /* of the data */
        int intra_interval, inter_num, inter_denom;
        int64_t minthrottle, vbat_reference, motor_low, motor_high;
        int motor_protocol; /* as the firmware counts them; -1: not said */
        double gyro_scale, accel_1g; /* 0: not said */
        bool high_resolution;
        char firmware[120];
};

struct blackbox {
        const uint8_t *bytes;
        size_t len, at;
        struct blackbox_header header;
        struct blackbox_fields fields[BLACKBOX_KINDS];
        int time, motor0, home[2]; /* indices of fields; -1 */
        uint64_t
                skipped; /* stretches of bytes that are no frame, frames that follow on none */
        bool valid; /* the next frame may be predicted from these */
        bool resumed; /* the log said that it goes on at another time */
        bool ended;
        int64_t past[2][BLACKBOX_FIELDS_MAX];
        int64_t last_us, candidate_us; /* -1: none */
        int64_t turns_us; /* of the 32 bits of its clock */
        int64_t home_at[BLACKBOX_FIELDS_MAX];
        bool home_known;
};

struct blackbox_frame {
        enum blackbox_kind kind; /* INTRA for all main frames */
        int64_t t_us; /* of a main frame, or the last one */
        int64_t value[BLACKBOX_FIELDS_MAX];
};

bool blackbox_is(const uint8_t *bytes, size_t len);
/* How many logs a file has. */
int blackbox_logs(const uint8_t *bytes, size_t len);
/* Reads the header of the log with that number, from 1. NULL: it is open; else what is wrong with it. */
const char *blackbox_open(struct blackbox *b, const uint8_t *bytes, size_t len,
                          int number);
/* The next frame that can be believed; false at the end. */
bool blackbox_next(struct blackbox *b, struct blackbox_frame *frame);
/* -1: none of that name. */
int blackbox_field(const struct blackbox *b, enum blackbox_kind kind, const char *name);

/* blackbox_header.c */
const char *blackbox_read_header(struct blackbox *b);
/* blackbox_value.c: one group of fields, from `field` on, as they were encoded; how many; 0: it ran out, or they are
 * of no known encoding. */
struct blackbox_bytes {
        const uint8_t *at, *end;
};
int blackbox_read_group(struct blackbox_bytes *from, const struct blackbox_fields *fields,
                        int field, int version, int64_t value[8]);
bool blackbox_read_unsigned(struct blackbox_bytes *from, uint32_t *value);
bool blackbox_knows_encoding(int encoding);
