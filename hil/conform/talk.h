/* The conformance test's end of a HILP conversation: says what it is told to say, right or wrong, and waits for
 * what comes back (hil/conform/heard.h counts it). It judges nothing. */
#pragma once

#include "hil/conform/heard.h"
#include "hil/conform/scene.h"
#include "hil/conform/wire.h"

#define CONFORM_WINDOW                                                                   \
        1024 /* frames that may be under way, and the newest answers kept */
#define CONFORM_BATCH      548 /* bytes in one write: a datagram */
#define CONFORM_TEXT_LINES 4

struct conform_talk {
        struct conform_wire *wire;
        int64_t patience_ns; /* an answer may take so long of the host's time */
        int64_t quiet_ns; /* nothing more comes after so long */
        int rotors; /* that the vehicle has */
        struct conform_scene scene;
        struct vec3 rest_rad; /* how it stands when a conversation begins */

        /* What we say */
        struct hilp_hello hello;
        uint8_t sequence;
        uint32_t next_number; /* of the next sensor frame */
        uint64_t frames; /* ever */
        int64_t flown_ns; /* of the host's time, in conform_talk_fly() */
        uint64_t flown; /* frames in it */
        /* How late this thread was, the worst and in all: it woke up behind its time, or did not run. */
        int64_t late_ns, late_sum_ns;
        int64_t left_ns; /* when it last came back from the wire; 0: not yet */
        struct {
                uint32_t number;
                bool open, answered;
        } window[CONFORM_WINDOW]; /* by number */
        size_t batched;
        uint8_t batch[CONFORM_BATCH];

        /* What the board says */
        struct hilp_hello_ack board; /* its answer to the last hello */
        int64_t greeted_ns; /* when the first of those came */
        struct hilp_receiver receiver;
        uint8_t odd[HILP_FRAME_MAX]; /* its newest frame, still stuffed, right or wrong */
        size_t odd_len;
        struct hilp_sequence order;
        uint8_t last_of_type[HILP_TYPE_MAX + 1]; /* sequence numbers */
        bool heard_type[HILP_TYPE_MAX + 1];
        bool any_answer;
        uint32_t newest_answer;
        struct conform_heard heard;
        struct hilp_motors motors; /* the newest that answered a frame */
        char text[CONFORM_TEXT_LINES][HILP_TEXT_MAX + 1]; /* its last words */
        int text_lines; /* ever */
};

void conform_talk_init(struct conform_talk *t, struct conform_wire *wire, int rotors,
                       int64_t period_ns);

/* How late the thread was counts from now on. */
void conform_talk_punctual(struct conform_talk *t);

/* Counts begin anew, answers to frames sent so far are nobody's. */
void conform_talk_forget(struct conform_talk *t);

/* Gathers messages, which go with the next that is said. Whatever is possible is encoded. */
void conform_talk_batch(struct conform_talk *t, struct hilp_message *m);
void conform_talk_say(struct conform_talk *t, struct hilp_message *m);
/* As they are. False: the board is gone. */
bool conform_talk_bytes(struct conform_talk *t, const uint8_t *bytes, size_t len);
/* A payload with a CRC of its own, stuffed into out; returns the length on the wire. */
size_t conform_talk_frame(const uint8_t *payload, size_t len, uint16_t crc, uint8_t *out);

/* Takes what comes until then. */
void conform_talk_listen(struct conform_talk *t, int64_t until_ns);
/* Until a count of t->heard has reached so much. False: it has not within the time-out. */
bool conform_talk_await(struct conform_talk *t, const uint32_t *count, uint32_t enough,
                        int64_t timeout_ns);
/* What comes by itself, for the time in which nothing should. */
void conform_talk_quiet(struct conform_talk *t);

/* HELLO until it is answered, for so long at most, then PARTS. Simulated time, noise and frame numbers begin
 * anew, and so do the counts. False: no answer. */
bool conform_talk_hello(struct conform_talk *t, bool lockstep, int64_t timeout_ns);

/* The next sensor frame of the scene as a message; frame numbers go on from t->next_number. */
void conform_talk_sensors(struct conform_talk *t, struct hilp_message *m);
/* Notes that it is said, and that its answer is due. */
void conform_talk_expect(struct conform_talk *t, uint32_t number);
/* Sensor frames of the scene, each sent when the one before is answered. False: one was not within
 * t->patience_ns, t->next_number - 1. */
bool conform_talk_fly(struct conform_talk *t, int frames);
/* From a frame to its answer, on average over all of them; 0: too few to say. */
double conform_talk_answer_s(const struct conform_talk *t);
/* One frame without waiting for its answer. */
void conform_talk_send_frame(struct conform_talk *t);
/* Everything sent has been answered, or the time-out is over. */
bool conform_talk_settle(struct conform_talk *t);

/* What is asked of it, for the next frame: set-point and channels alike. up_m of HILP_MODE_GOTO. */
void conform_talk_ask(struct conform_talk *t, enum hilp_mode mode, double up_m);
