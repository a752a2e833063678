/* The topics of run.ulg, in one table (topic_table.c) that the writer and every reader share: PX4's
 * names and fields where PX4 has them, so that its tools show a run. docs/run-folder.md lists
 * every field with its unit. */
#pragma once

#include "hil/config/config.h"
#include "hil/record/record.h"
#include "io/log/ulog.h"
#include "io/log/ulog_message.h"

enum record_topic {
        TOPIC_TICK,
        TOPIC_ROTORS,
        TOPIC_SURROUNDINGS,
        TOPIC_EVENT,
        TOPIC_RANGES,
        TOPIC_TWIN,
        TOPIC_PADS,
        TOPIC_ACTUATOR_OUTPUTS,
        TOPIC_VEHICLE_STATUS,
        TOPIC_ATTITUDE_TRUTH,
        TOPIC_POSITION_TRUTH,
        TOPIC_RATE_TRUTH,
        TOPIC_SENSOR_COMBINED,
        TOPIC_RATE,
        TOPIC_GPS,
        TOPIC_SATELLITES,
        TOPIC_AIR_DATA,
        TOPIC_MAG,
        TOPIC_DISTANCE,
        TOPIC_BARO_RAW,
        TOPIC_FLOW,
        TOPIC_BATTERY,
        TOPIC_INS,
        TOPIC_RELATIVE,
        TOPIC_ATTITUDE,
        TOPIC_POSITION,
        TOPIC_SETPOINT,
        TOPIC_SETPOINT_POSITION,
        TOPIC_TIMESYNC,
        TOPIC_COUNT
};

/* What stands in the log for what stands in a struct. */
enum topic_type {
        TOPIC_F32, /* double */
        TOPIC_F64, /* double */
        TOPIC_U8, /* integers, here and below, of any size and enums */
        TOPIC_I32,
        TOPIC_U32,
        TOPIC_I64,
        TOPIC_U64,
        TOPIC_BOOL, /* bool, the next two as well */
        TOPIC_FLAG,
        TOPIC_PERCENT,
        TOPIC_CHARS
};

struct topic_field {
        const char *name; /* "x y z": so many fields, side by side */
        enum topic_type type;
        int count; /* of one field's array, or of the fields side by side */
        const char *unit;
        bool read; /* a reader needs it: without it the topic cannot be read */
        size_t offset, size; /* in the topic's struct; size 0: it has none there */
        double number; /* what the struct's is multiplied by (0: 1); without one, what is logged */
};

#define TOPIC_FIELDS_MAX 16

struct topic {
        const char *name;
        bool sampled; /* the sample's time follows the record's */
        size_t place; /* of its struct in topic_record; of one that nobody reads 0 */
        struct topic_field field[TOPIC_FIELDS_MAX]; /* in the log's order */
};

extern const struct topic record_topic_table[TOPIC_COUNT];

/* The structs of topics that are not one of record.h: of tick_record, all of the truth and of the
 * sensors. */
struct topic_motors {
        double output[16];
        int outputs;
};
struct topic_status {
        int arming_state;
};
struct topic_pads {
        struct pads_record pads;
        double age_s[ROTORS_MAX]; /* NaN: not known */
};
struct topic_pose {
        struct body_state state; /* of an estimate: attitude, position, velocity */
        double heading_rad;
};
struct topic_course {
        struct vec3 pos_ned_m;
        double yaw_rad;
};
struct topic_sync {
        int64_t offset_us, round_trip_us;
};

/* The newest record of each struct that is read. */
struct topic_record {
        struct tick_record tick;
        struct event_record event;
        struct ranges_record ranges;
        struct twin_record twin;
        struct setpoint_record setpoint;
        struct topic_pads pads;
        struct topic_pose pose;
        struct topic_sync sync;
};

/* Each sonar is an instance of TOPIC_DISTANCE, which are as many as a byte counts: so many vehicles share a
 * topic of that name, the next as many have one of their own. */
#define SONAR_TOPIC_VEHICLES 16
#define SONAR_TOPICS         (VEHICLES_MAX / SONAR_TOPIC_VEHICLES)

/* What the topic is called for that vehicle. */
void topic_name(enum record_topic topic, int vehicle, char *name, size_t cap);
/* "name:type field;..." as ULog declares it. */
void topic_format(enum record_topic topic, int vehicle, char *format, size_t cap);
/* Its fields behind what the message has already. */
void topic_encode(enum record_topic topic, const void *from, struct ulog_message *m);

/* ULog counts in microseconds from the start of the run. */
static inline uint64_t record_us(int64_t t_ns)
{
        return t_ns > 0 ? (uint64_t)t_ns / 1000 : 0;
}

/* Where a topic of a log has its fields. */
struct topic_source {
        int topic; /* enum record_topic; -1: none of ours */
        bool unread; /* it lacks what readers need */
        int vehicle, sonar;
        size_t sample_at, offset[TOPIC_FIELDS_MAX];
        size_t text_len; /* of its text, if it has one */
};

/* Reads the records of a log, any bytes at all, with the sources of what they are about. */
struct topic_reader {
        struct ulog_reader ulog;
        int known; /* sources */
        struct topic_source source[ULOG_TOPICS_MAX];
};

/* NULL: no memory. *readable: a ULog file at all. Freed with free(). */
struct topic_reader *topic_reader_open(const void *bytes, size_t len, bool *readable);
/* Why the bytes are not readable, to stand after the file's name. */
const char *topic_reader_refusal(const void *bytes, size_t len);
/* *source: of a data record of ours, readable or not; otherwise NULL. False at the end. */
bool topic_reader_next(struct topic_reader *r, struct ulog_record *record,
                       const struct topic_source **source);

/* The fields that readers need into the topic's struct there; the rest of it stays. */
void topic_decode(const struct topic_source *s, const uint8_t *data,
                  struct topic_record *to);
/* When a sampled topic's quantity was measured; -1: no time of a flight. */
int64_t topic_sample_us(const struct topic_source *s, const uint8_t *data);
