/* What run.ulg says: each record of the loop as ULog topics, with PX4's names and fields
 * where PX4 has them, so that its tools show a run. docs/run-folder.md lists every field
 * with its unit. */
#ifndef HIL_RECORD_RECORD_TOPICS_H
#define HIL_RECORD_RECORD_TOPICS_H

#include "hil/config/config.h"
#include "hil/record/record.h"
#include "io/log/ulog.h"

enum record_topic {
        TOPIC_TICK,
        TOPIC_ROTORS,
        TOPIC_SURROUNDINGS,
        TOPIC_EVENT,
        TOPIC_RANGES,
        TOPIC_PADS,
        TOPIC_ACTUATOR_OUTPUTS,
        TOPIC_VEHICLE_STATUS,
        TOPIC_ATTITUDE_TRUTH,
        TOPIC_POSITION_TRUTH,
        TOPIC_RATE_TRUTH,
        TOPIC_SENSOR_COMBINED,
        TOPIC_RATE,
        TOPIC_GPS,
        TOPIC_AIR_DATA,
        TOPIC_MAG,
        TOPIC_DISTANCE,
        TOPIC_BARO_RAW,
        TOPIC_FLOW,
        TOPIC_BATTERY,
        TOPIC_INS,
        TOPIC_ATTITUDE,
        TOPIC_POSITION,
        TOPIC_SETPOINT,
        TOPIC_SETPOINT_POSITION,
        TOPIC_TIMESYNC,
        TOPIC_COUNT
};

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
/* A line of text, too. */
void record_topics_event(struct record_topics *t, const struct event_record *e);

/* ULog counts in microseconds from the start of the run. */
static inline uint64_t record_us(int64_t t_ns)
{
        return t_ns > 0 ? (uint64_t)t_ns / 1000 : 0;
}

#endif
