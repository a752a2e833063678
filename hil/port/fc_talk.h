/* What the rig and one flight controller (FC) said to each other: which sensor frames have been answered, how
 * long that took, and since when an answer is due. */
#pragma once

#include <stdbool.h>

#include "hil/time/histogram.h"
#include "io/codec/codec.h"

#define FC_SENT_MAX 1024

/* Whether it is armed, as it said last. */
struct fc_arming {
        bool armed;
        uint32_t words; /* how often it has said so; 0: nobody knows */
        bool answers; /* in the answer to a particular sensor frame: */
        uint32_t frame; /* its number */
};

struct fc_talk {
        uint32_t next_number; /* of the next sensor frame */
        uint32_t answered_number; /* the newest that has been answered, plus 1; 0: none */
        int64_t sent_ns[FC_SENT_MAX]; /* by number, modulo */
        int64_t first_ns; /* host time of the first frame; 0: none was sent */
        int64_t owed_ns; /* host time since when motors are due; 0: none are */
        int64_t longest_owed_ns; /* that they ever were, while the FC was ready */
        int64_t heard_ns; /* host time of the last motor message, or since when one is due */
        int64_t held_ns; /* of the time since then: the host kept the FC's process from running */
        bool blocked; /* the last frame was not sent: the link was full */
        bool excused; /* the newest frame will not be waited for any longer */
        bool over; /* the flight is: nothing is counted any more */
        struct fc_arming arming;
        int64_t loop_ns; /* newest sensor-to-motor time not yet taken, 0: none */
        struct histogram loop;
        struct histogram wire; /* the link's share of it, by time sync */
        uint64_t frames_sent, frames_blocked; /* blocked: the link was full */
};

/* A board that starts will not answer what was sent before. */
void fc_talk_start_over(struct fc_talk *t, int64_t now_ns);
/* The next frame is on its way. */
void fc_talk_sent(struct fc_talk *t, int64_t now_ns);
/* Motors came, to the frame that the report says, or to all. */
void fc_talk_motors(struct fc_talk *t, const struct fc_report *r, int64_t now_ns);

/* It said whether it is armed. */
void fc_talk_arming(struct fc_talk *t, const struct fc_report *r);

/* Every frame sent so far has been answered, or is not waited for. */
bool fc_talk_answered(const struct fc_talk *t);
/* Frames sent and not answered. */
uint32_t fc_talk_unanswered(const struct fc_talk *t);
