/* What a capture shows, pad by pad, as a table for people, lines for a log, or JSON. */
#ifndef HIL_CAPTURE_TABLE_H
#define HIL_CAPTURE_TABLE_H

#include <stdio.h>

#include "io/capture_words.h"

struct json;

struct capture_row {
        uint8_t pad;
        char name[32]; /* as the recording calls it, or "" */
        enum motor_protocol protocol;
        bool inverted;
        double rate_hz, jitter_s;
        struct motor_pad_counts counts;
        bool has_throttle, has_command, has_erpm, has_extended;
        struct motor_word throttle, command, erpm, extended; /* the newest of each */
};

struct capture_table {
        char source[128];
        double tick_hz;
        double time_s; /* of the capture, up to now */
        struct capture_counts counts;
        uint64_t gaps;
        int rows;
        struct capture_row row[MOTOR_PADS_MAX];
};

/* Rows for the pads of the mask. */
void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask);
/* A word of one of its pads. */
void capture_table_take(struct capture_table *t, const struct motor_word *w);
/* What the decoders have counted up to now. */
void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words);

/* Lines, always the same number for the same pads: that number. `clear`: each ends by clearing what
 * a terminal had there. */
int capture_table_print(FILE *out, const struct capture_table *t, bool clear);
/* A line for each pad that begins with the time. */
void capture_table_print_lines(FILE *out, const struct capture_table *t);
/* On one line. False: out of memory, or it could not be written. */
bool capture_table_print_json(FILE *out, const struct capture_table *t);

/* One word, as a line. */
void capture_word_print(FILE *out, const struct motor_word *w, double tick_hz);
void capture_word_print_json(FILE *out, const struct motor_word *w, double tick_hz);

#endif
