/* The ticks of a run's log while a stimulus lasted, for latency_run.c. The log's bytes may be any. */
#ifndef HIL_LATENCY_LOG_H
#define HIL_LATENCY_LOG_H

#include "hil/latency/run.h"

/* One tick as the log has it. */
struct latency_tick {
        struct latency_frame frame;
        double wake_s, duty, gyro_radps; /* NAN: not in the log */
};

struct latency_log {
        struct latency_run *run;
        const uint8_t *bytes;
        size_t len;
        int64_t fired_ns; /* when the stimulus began; -1: not known */
        struct latency_tick *tick;
        int gyros; /* ticks that have one */
        double weight[ROTORS_MAX]; /* of each rotor's duty */
};

/* All but the last: false with run->why. */
bool latency_log_open(struct latency_log *log, struct latency_run *run);
/* When the stimulus began, by the event that says so, or by the scenario's time where none does. */
bool latency_log_find_begin(struct latency_log *log);
/* run->ticks, log->tick and the time-sync round trips in run->link. */
bool latency_log_read(struct latency_log *log);
void latency_log_close(struct latency_log *log);

#endif
