/* Writing run.ulg: each record of the loop as the topics of topics.h. */
#pragma once

#include "hil/record/topics.h"

/* What one vehicle's topics remember from record to record. */
struct record_vehicle {
        uint16_t id[TOPIC_COUNT]; /* 1 + the ULog id; 0: not yet subscribed */
        uint16_t sonar_id[SONARS_MAX]; /* of TOPIC_DISTANCE */
        int64_t truth_next_ns; /* earliest times of the next thinned records */
        int64_t estimate_next_ns;
        int64_t pads_next_ns;
        int64_t status_next_ns;
        bool armed; /* as last logged */
        int64_t sample_ns[SENSOR_COUNT][SONARS_MAX]; /* of each unit's newest sample */
        int64_t imu_fresh_ns; /* of the newest sample */
        int64_t imu_logged_ns;
        uint32_t imu_dt_us; /* between the newest two */
};

struct record_topics {
        struct ulog_writer ulog;
        int rotors;
        int vehicles;
        int64_t truth_period_ns;
        struct record_vehicle vehicle[VEHICLES_MAX];
};

/* Header, information keys, formats and one opening line of text. */
void record_topics_begin(struct record_topics *t, FILE *file,
                         const struct recorder_setup *setup);
void record_topics_tick(struct record_topics *t, const struct tick_record *tick);
void record_topics_estimate(struct record_topics *t, const struct estimate_record *e);
void record_topics_setpoint(struct record_topics *t, const struct setpoint_record *s);
void record_topics_sync(struct record_topics *t, const struct sync_record *s);
void record_topics_pads(struct record_topics *t, const struct pads_record *p);
void record_topics_ranges(struct record_topics *t, const struct ranges_record *ranges);
void record_topics_twin(struct record_topics *t, const struct twin_record *twin);
/* A line of text, too. */
void record_topics_event(struct record_topics *t, const struct event_record *e);

/* A message that has begun with its time, and with its sample's time where PX4's has one. */
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
/* A whole record out of the topic's struct; where it has a sample's time, that is t_ns too. */
void record_write_struct(struct record_topics *t, int vehicle, enum record_topic topic,
                         int64_t t_ns, const void *from);

/* record_sensors.c for record_truth.c: what a vehicle remembers, to begin with; the samples of a
 * tick; the newest IMU sample, unless it is in the log already. */
void record_sensors_begin(struct record_vehicle *v);
void record_sensors_tick(struct record_topics *t, const struct tick_record *tick);
void record_sensors_imu(struct record_topics *t, const struct tick_record *tick);
