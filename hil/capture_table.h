/* What a capture shows, pad by pad, as a table for people, lines for a log, or JSON. */
#ifndef HIL_CAPTURE_TABLE_H
#define HIL_CAPTURE_TABLE_H

#include <stdio.h>

#include "hil/capture_guess.h"

struct json;

struct capture_row {
        uint8_t pad;
        char name[32]; /* as the recording calls it, or "" */
        enum motor_protocol protocol;
        bool inverted;
        double rate_hz, jitter_s;
        enum motor_protocol looks_like; /* though another was asked for; MOTOR_UNKNOWN */
        bool looks_inverted;
        double looks_rate_hz;
        struct motor_pad_counts counts;
        bool has_throttle, has_command, has_erpm, has_extended;
        struct motor_word throttle, command, erpm, extended; /* the newest of each */
};

struct capture_table {
        char source[128];
        double tick_hz;
        enum motor_protocol asked; /* of all pads; MOTOR_UNKNOWN: it is recognised */
        bool sampled; /* and not timed by a capture board */
        double time_s; /* of the capture, up to now */
        struct capture_counts counts;
        uint64_t gaps;
        int rows;
        struct capture_row row[MOTOR_PADS_MAX];
};

/* Rows for the pads of the mask. `asked`: protocol of all of them, as the user says, or MOTOR_UNKNOWN. */
void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask,
                        enum motor_protocol asked);
/* A word of one of its pads. */
void capture_table_take(struct capture_table *t, const struct motor_word *w);
/* What the decoders have counted up to now, and what pads look like that are not as asked; guess is
 * NULL where nothing was. */
void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words,
                          const struct capture_guess *guess);
/* Why there is nothing to be read of a pad whose level changes, in a few words. False: something is, or it rests. */
bool capture_table_note(const struct capture_table *t, const struct capture_row *r,
                        char *text, size_t cap);

/* Lines: a row for each pad, then what is to be said of some. Returns how many. `clear`: clears what a
 * terminal had there, and below. */
int capture_table_print(FILE *out, const struct capture_table *t, bool clear);
/* A line for each pad that begins with the time. */
void capture_table_print_lines(FILE *out, const struct capture_table *t);
/* On one line. False: out of memory, or it could not be written. */
bool capture_table_print_json(FILE *out, const struct capture_table *t);

/* One word, as a line. */
void capture_word_print(FILE *out, const struct motor_word *w, double tick_hz);
void capture_word_print_json(FILE *out, const struct motor_word *w, double tick_hz);

#endif
