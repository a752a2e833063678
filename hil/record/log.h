/* What a report needs of run.ulg: tables of numbers for the plots, what happened and when,
 * how late the host was. Any bytes may be in the log; a cut one reads to its cut. */
#pragma once

#include "hil/config/config.h"
#include "hil/record/log_table.h"
#include "hil/record/topics.h"
#include "models/world/world.h"

/* The tables behind the plots; page_flight.js knows them by report_table_name(). */
enum report_table_id {
        REPORT_TICK, /* us: lateness, compute, loop; 1: it touches something */
        REPORT_DUTY, /* 0 to 1 */
        REPORT_ROTORS, /* rad/s */
        REPORT_AROUND, /* height m, battery V and A, wind m/s north east down */
        REPORT_ATTITUDE_TRUTH, /* deg: roll, pitch, yaw */
        REPORT_ATTITUDE,
        REPORT_POSITION_TRUTH, /* m: north, east, up */
        REPORT_VELOCITY_TRUTH, /* m/s: the same */
        REPORT_POSITION, /* both */
        REPORT_SETPOINT, /* m north, east, up; yaw deg */
        REPORT_RATE_TRUTH, /* deg/s */
        REPORT_GYRO, /* deg/s */
        REPORT_ACCEL_TRUTH, /* specific force, m/s^2 */
        REPORT_ACCEL,
        REPORT_GPS, /* as the position; satellites; 1-sigma across and up, as it says */
        REPORT_SATELLITES, /* used: bits of PRN 1 to 16, 17 to 32 */
        REPORT_BARO, /* m up, hPa */
        REPORT_MAG_TRUTH, /* uT */
        REPORT_MAG,
        REPORT_BATTERY, /* V, A */
        REPORT_TWIN_WRONG, /* m, deg; and how old its word was, ms */
        REPORT_SONAR, /* m; the first of SONARS_MAX */
        REPORT_TABLES = REPORT_SONAR + SONARS_MAX
};

const char *report_table_name(int id);
int report_table_columns(int id);

/* What the truth is worked out from where the log does not hold it. */
struct report_world {
        bool known; /* else: no truth for those sensors */
        struct world world; /* its scene is not used */
        bool flat_gps[VEHICLES_MAX];
};

struct report_vehicle {
        bool few; /* it has the tables of where it was alone, with few rows */
        struct report_table table[REPORT_TABLES];
        struct quat q; /* newest true attitude */
        bool q_known;
        struct vec3 start_ned_m; /* first true position: where estimates count from */
        bool start_known;
};

/* As in the log, but for the last. */
enum report_event_kind {
        REPORT_COLLISION,
        REPORT_MEETING,
        REPORT_STEP,
        REPORT_ACTION_BEGINS, /* a stimulus or a fault */
        REPORT_ACTION_OVER,
        REPORT_OWN_WAY, /* the flight controller left what was asked of its own accord */
        REPORT_BOARD_LOST,
        REPORT_TWIN,
        REPORT_SETPOINT_CHANGED /* worked out, where the log names no steps */
};

struct report_event {
        int64_t t_us;
        int kind, vehicle, index;
        double impact_mps;
        char what[128];
};

struct report_line {
        int64_t t_us;
        char level;
        char text[200];
};

#define REPORT_EVENTS_MAX 1000
#define REPORT_LINES_MAX  500
#define REPORT_UNREAD_MAX 8
#define REPORT_BINS       240 /* of 1/8 octave from 100 ns: to 100 s */

enum report_latency { REPORT_LOOP, REPORT_WAKE, REPORT_COMPUTE, REPORT_LATENCIES };

struct report_delays {
        uint64_t count, bin[REPORT_BINS];
        int64_t max_ns, max_at_us;
};

/* Lower edge of a bin, ns; and the bin of a duration. */
double report_bin_ns(int bin);
int report_bin(double ns);

struct report_log {
        bool readable; /* a ULog file at all */
        bool truncated;
        uint64_t skipped, dropouts, refused;
        int unread; /* topics with other fields than the plots and events need */
        char unread_topic[REPORT_UNREAD_MAX][ULOG_NAME_MAX];
        int vehicles;
        int with_tables; /* vehicles before it have some: those behind it lie in memory that nobody touched */
        int rotors;
        char version[80], config_sha256[80];
        bool steps_named; /* the log says what was asked by its steps */
        int64_t end_us; /* time of the last tick */
        uint64_t ticks, missed, not_sent;
        struct report_delays delay[REPORT_LATENCIES];
        struct report_vehicle vehicle[VEHICLES_MAX];
        int events, lines;
        uint64_t events_more, lines_more; /* that found no room */
        struct report_event event[REPORT_EVENTS_MAX];
        struct report_line line[REPORT_LINES_MAX];
};

/* Of many vehicles these are shown whole, the others by where they were. */
#define REPORT_FOCUS_MAX 6
struct report_focus {
        int count;
        int vehicle[REPORT_FOCUS_MAX];
};

/* Into a cleared struct, freed in any case. False: no memory. */
bool report_log_read(struct report_log *log, const void *bytes, size_t len,
                     const struct report_world *world,
                     const struct report_moments *moments,
                     const struct report_focus *focus);
void report_log_free(struct report_log *log);

/* log.c for log_rows.c: records on their way into the tables, events and counts. */
struct report_filling {
        struct report_log *log;
        const struct report_world *world;
        const struct report_moments *moments;
        struct topic_record in;
};

/* The n-th table that the topic feeds; -1: no more. */
int report_topic_table(const struct topic_source *s, int n);
void report_topic_add(struct report_filling *f, const struct topic_source *s,
                      const struct ulog_record *record);
