/* What a capture shows, pad by pad, as a table for people, lines for a log, or JSON. Filled in
 * capture_table.c, put into words in capture_note.c, printed in capture_print.c, capture_json.c and
 * capture_word.c. */
#pragma once

#include <stdio.h>

#include "hil/capture/guess.h"
#include "hil/capture/page.h"

struct json;

struct capture_row {
        uint8_t pad;
        char name[32]; /* as the recording calls it, or "" */
        enum motor_protocol protocol; /* MOTOR_UNKNOWN: none, or none any more */
        bool inverted;
        bool ambiguous; /* taken for normal; inverted pulses would fit as well, motor_pad_ambiguous() */
        double rate_hz, jitter_s; /* 0: not known, or it is silent */
        /* Of its last frame that was good. */
        enum motor_protocol was;
        bool was_inverted;
        double was_rate_hz;
        bool heard; /* there was one, up to this tick: */
        int64_t heard_tick;
        double age_s; /* since then, up to now; 0 where there was none */
        bool silent; /* recognised, and for longer than between any two frames without one */
        enum motor_protocol looks_like; /* though another was asked for; MOTOR_UNKNOWN */
        bool looks_inverted;
        double looks_rate_hz;
        struct motor_pad_counts counts;
        bool has_throttle, has_command, has_erpm, has_extended;
        struct motor_word throttle, command, erpm, extended; /* the newest of each */
        uint16_t has_telemetry; /* 1 << enum motor_extended */
        double telemetry[16]; /* by enum motor_extended, the newest of each: C, V, A */
};

struct capture_table {
        char source[128];
        double tick_hz;
        enum motor_protocol asked; /* of all pads; MOTOR_UNKNOWN: it is recognised */
        bool sampled; /* and not timed by a capture board */
        bool board; /* a capture board */
        bool begun;
        int64_t first_tick, until_tick; /* of the capture, up to now; and in seconds: */
        double time_s;
        double stood_s; /* of host time in which a device gave none, before that */
        double still_s; /* of host time since a device last gave a block; 0: it goes on, or is a file */
        struct capture_counts counts;
        uint64_t gaps;
        int rows;
        struct capture_row row[MOTOR_PADS_MAX];
};

/* Rows for the pads of the mask. `asked`: protocol of all of them, as the user says, or MOTOR_UNKNOWN. */
void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask,
                        enum motor_protocol asked);
/* A block, before its words: the capture's time, and gaps. */
void capture_table_block(struct capture_table *t, const struct capture_block *block);
/* A word of one of its pads. */
void capture_table_take(struct capture_table *t, const struct motor_word *w);
/* What the decoders have counted up to now, and what pads look like that are not as asked; guess is
 * NULL where nothing was. */
void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words,
                          const struct capture_guess *guess);
/* A pad is silent after so much of the capture's time without a good frame, or four of its periods. It is what
 * a rig takes for a stopped motor. */
#define CAPTURE_SILENT_S 0.1

/* That a pad fell silent, and when; or why there is nothing to be read of one whose level changes. False: there is
 * nothing to be said, or it rests. */
bool capture_table_note(const struct capture_table *t, const struct capture_row *r,
                        char *text, size_t cap);

/* What a device lost, and how it stood still, in a line. False: nothing of it. */
bool capture_table_device_note(const struct capture_table *t, char *text, size_t cap);
/* Its level has not changed, as far as anybody knows. */
bool capture_row_rests(const struct capture_row *r);

/* Lines: a row for each pad, then what is to be said of some. None is longer than the view is wide, nor are there more
 * than leave its last row to the cursor: columns that say less are left out, names are cut. Returns how many. */
int capture_table_print(FILE *out, const struct capture_table *t,
                        const struct capture_view *view);
/* A line for each pad that begins with the time. */
void capture_table_print_lines(FILE *out, const struct capture_table *t);
/* On one line. False: out of memory, or it could not be written. */
bool capture_table_print_json(FILE *out, const struct capture_table *t);

/* Of MOTOR_EXTENDED: degree Celsius, V, A, or what else it counts. */
double capture_word_telemetry(const struct motor_word *w);
/* One word, as a line. */
void capture_word_print(FILE *out, const struct motor_word *w, double tick_hz);
void capture_word_print_json(FILE *out, const struct motor_word *w, double tick_hz);
