/* Which topics of the log feed which tables of the report. */
#ifndef HIL_RECORD_LOG_TOPICS_H
#define HIL_RECORD_LOG_TOPICS_H

#include "hil/record/log.h"
#include "io/log/ulog.h"

#define REPORT_FIELDS_MAX 8

enum report_topic {
        REPORT_TOPIC_TICK,
        REPORT_TOPIC_ROTORS,
        REPORT_TOPIC_AROUND,
        REPORT_TOPIC_EVENT,
        REPORT_TOPIC_ATTITUDE_TRUTH,
        REPORT_TOPIC_POSITION_TRUTH,
        REPORT_TOPIC_RATE_TRUTH,
        REPORT_TOPIC_IMU,
        REPORT_TOPIC_GPS,
        REPORT_TOPIC_BARO,
        REPORT_TOPIC_MAG,
        REPORT_TOPIC_SONAR,
        REPORT_TOPIC_BATTERY,
        REPORT_TOPIC_ATTITUDE,
        REPORT_TOPIC_POSITION,
        REPORT_TOPIC_SETPOINT,
        REPORT_TOPIC_COUNT
};

/* Where a topic of this log has what is read of it. */
struct report_source {
        int topic; /* enum report_topic, -1: none that is read */
        bool unread; /* it should be, but is not as expected */
        int vehicle, sonar;
        size_t offset[REPORT_FIELDS_MAX];
        size_t text_len; /* of its text, if it has one */
        struct report_extent extent;
};

struct report_source report_source_find(const struct ulog_reader *r, int topic);

/* The n-th table that the topic feeds; -1: no more. */
int report_topic_table(const struct report_source *s, int n);

/* One record into its tables, events and counts. */
struct report_filling {
        struct report_log *log;
        const struct report_world *world;
        const struct report_moments *moments;
};

void report_topic_add(struct report_filling *f, const struct report_source *s,
                      const struct ulog_record *record);

#endif
