/* What flight_ulog.c, which chooses the topics of a ULog, and flight_ulog_topics.c, which reads them, share. */
#pragma once

#include "io/log/flight_reader.h"
#include "io/log/ulog.h"

/* What a topic says. */
enum what {
        WHAT_POSITION,
        WHAT_ATTITUDE,
        WHAT_RATE,
        WHAT_COMBINED,
        WHAT_ACCEL,
        WHAT_MOTORS,
        WHAT_PULSES,
        WHAT_DUTY,
        WHAT_BATTERY,
        WHAT_STATUS,
        WHAT_ARMED,
        WHAT_RC,
        WHAT_PRESSURE,
        WHAT_FIX
};

struct flight_ulog {
        struct flight_log log;
        struct ulog_reader ulog;
        bool measured, sensors; /* as struct flight_open says */
        int vehicle; /* of an own run: the instance of its topics */
        int rotors; /* of an own run: most of any vehicle */
        uint32_t said; /* 1 << i: what subjects[i] would say, one before it says */
        uint32_t combined; /* enum flight_log_has that only sensor_combined says */
        int64_t tick_ns; /* of the vehicle's tick before */
        short subject[ULOG_TOPICS_MAX]; /* -1: not looked at yet; SUBJECTS: none */
};

/* Takes what a record says into *s, and in s->has what that was. */
void flight_ulog_read(struct flight_ulog *f, enum what what, const struct ulog_record *r,
                      struct flight_log_sample *s);
/* PX4 also says when it was measured, which is what counts. -1: no time of a flight. */
int64_t flight_ulog_time(const struct flight_ulog *f, const struct ulog_record *r);
