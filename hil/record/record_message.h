/* How the files that write topics begin a record and hand it over: record_truth.c,
 * record_sensors.c, record_said.c. A record's fields are put in its format's order; ULog allows
 * any alignment, but larger fields stand before smaller ones for readers that assume it. */
#ifndef HIL_RECORD_RECORD_MESSAGE_H
#define HIL_RECORD_RECORD_MESSAGE_H

#include "hil/record/record_topics.h"
#include "io/log/ulog_message.h"

/* A message that has begun with its time, and with its sample's time where PX4's has one.
 */
static inline void record_begin(struct ulog_message *m, int64_t t_ns)
{
        m->len = 0;
        ulog_put_u64(m, record_us(t_ns));
}

static inline void record_begin_sample(struct ulog_message *m, int64_t t_ns,
                                       int64_t sample_ns)
{
        record_begin(m, t_ns);
        ulog_put_u64(m, record_us(sample_ns));
}

/* Subscribes at a topic's first record, so that a log lists only what it holds. */
void record_write_topic(struct record_topics *t, int vehicle, enum record_topic topic,
                        const struct ulog_message *m);
/* Each sonar is an instance of TOPIC_DISTANCE of its own. */
void record_write_sonar(struct record_topics *t, int vehicle, int sonar,
                        const struct ulog_message *m);

/* record_sensors.c for record_truth.c: what a vehicle remembers, to begin with; the samples of a
 * tick; the newest IMU sample, unless it is in the log already. */
void record_sensors_begin(struct record_vehicle *v);
void record_sensors_tick(struct record_topics *t, const struct tick_record *tick);
void record_sensors_imu(struct record_topics *t, const struct tick_record *tick);

#endif
