/* What a live page is told: of each vehicle the newest that a log would hold, so that a flight and its log look alike; what
 * was said; requirements and latency as they stand. Plain data, for rings between threads. */
#pragma once

#include "hil/judge/verdict.h"
#include "hil/record/topics.h"
#include "hil/time/histogram.h"

struct live_vehicle {
        struct tick_record tick; /* the truth is in it */
        struct topic_pose estimate; /* counts from where its flight controller started */
        struct setpoint_record setpoint;
        bool estimated; /* it has said so at all */
        bool arming_unknown; /* a log need not say it */
};

/* All vehicles at one tick. */
struct live_frame {
        uint64_t number; /* those that found no room are counted, too */
        int64_t t_ns;
        int vehicles;
        struct live_vehicle vehicle[];
};

static inline size_t live_frame_size(int vehicles)
{
        return sizeof(struct live_frame) + (size_t)vehicles * sizeof(struct live_vehicle);
}

/* Behind those of struct watched. */
enum live_word { LIVE_VERDICT = WATCHED_KINDS, LIVE_LATENCY, LIVE_HANDS, LIVE_END };

/* One requirement. */
struct live_verdict {
        int requirement;
        enum judge_outcome outcome;
        bool open; /* the flight goes on, and nothing has decided it */
        double value, robustness; /* so far; NaN: not known */
        int64_t at_ns; /* -1: no moment decides it */
        char detail[200];
};

struct live_latency {
        int vehicle;
        struct histogram loop; /* sensor to motor */
};

/* What hands have done to the flight's time, in lockstep. */
struct live_hands {
        bool held;
        double pace; /* simulated time by host time, at most; 0: as fast as it goes */
};

/* What a page asks of the loop, where it may. */
enum live_order_kind {
        LIVE_ABORT, /* the flight ends now, and the boards are disarmed */
        LIVE_HOLD, /* time stands still */
        LIVE_GO,
        LIVE_STEP, /* so many periods, then it stands still */
        LIVE_PACE, /* as in struct live_hands */
        LIVE_LIFT, /* the fault by hand of that step is over */
        LIVE_STICKS, /* they stand so */
        LIVE_FAULT /* a step of the scenario that fires at once */
};

/* Of LIVE_STICKS: those of one vehicle, or some of them. */
#define LIVE_STICKS_MAX 12
struct live_sticks {
        int vehicle, count;
        struct {
                char input[32]; /* "ABS_X" */
                double value; /* as joystick_feed() takes it */
        } at[LIVE_STICKS_MAX];
};

/* Of LIVE_FAULT in one flight. */
#define LIVE_FAULTS_MAX 64

struct live_order {
        enum live_order_kind kind;
        double value; /* of LIVE_STEP, LIVE_PACE and LIVE_LIFT */
        struct live_sticks sticks;
        struct scenario_step step; /* of LIVE_FAULT, but for its moment */
        char *text; /* the same as JSON, the taker's to free */
};

struct live_end {
        enum verdict verdict;
        char reason[900];
};

/* A field of a topic of the log, or one element of it: "hilrig_tick.duty[2]" of a vehicle. */
struct live_quantity {
        char name[96];
        int vehicle, sonar;
        enum record_topic topic;
        int field, element;
};

/* name: "v3.hilrig_tick.duty[2]", or without the vehicle of the first. False: there is none of that name. */
bool live_quantity_find(struct live_quantity *q, const char *name, int vehicles);
/* The names of one vehicle's, one after the other: begin with a zeroed place. False: that was the last. */
struct live_quantity_place {
        int topic, field, element, sonar;
};
bool live_quantity_next(struct live_quantity_place *at, char *name, size_t cap,
                        const char **unit);
/* As the log holds it, rounded as there. NaN: it is not known yet. */
double live_quantity_value(const struct live_quantity *q, const struct live_frame *f);

/* Takes a record of a log in. False: it is none that a frame holds. */
bool live_vehicle_take(struct live_vehicle *v, const struct topic_source *s,
                       const struct ulog_record *record);
