/* What a recorded run says about the way from the gyroscope to the motors of one vehicle: the stimulus,
 * each tick's frame and answer in host time, what was sent and what came back. */
#pragma once

#include "hil/config/config.h"
#include "hil/judge/answer.h"
#include "hil/latency/latency.h"
#include "hil/latency/response.h"

#define LATENCY_TICKS_MAX 20000000 /* 5.5 hours at 1 kHz */

struct latency_run {
        /* Asked for */
        const char *folder;
        int vehicle;

        /* Of config.json */
        struct rig_config *config;
        struct stimulus stimulus;
        int step; /* of the scenario, which gives it */
        int axis; /* 0 roll, 1 pitch, 2 yaw */
        double period_s; /* of a tick */
        double repeat_s; /* of the stimulus */
        bool realtime;

        /* Of run.ulg, while the stimulus lasted. Times are from its first tick. */
        int ticks;
        struct latency_frame *frame;
        struct wave r, u, y; /* rad/s, rad/s, sum of duties */
        bool u_recorded; /* else u is the stimulus alone */
        int due,
                missed; /* frames: that should have been sent, and of them those that were not */
        bool held; /* a jig held the vehicle; else it flew */
        double fell_s; /* flying: when it touched the ground or was on its side; NAN: it did not */
        struct latency_samples link; /* round trips of time sync */
        struct latency_samples wake,
                host; /* from a tick's time to the wake-up, to the frame handed over */
        double bytes_to_fc_s,
                bytes_from_fc_s; /* a frame's and an answer's time on a serial line; 0: none */

        bool asked_nothing; /* its verdict is void for that alone */

        char why[700];
};

/* False: why says so. Frees nothing that latency_run_close() does not. */
bool latency_run_open(struct latency_run *run, const char *folder, int vehicle);
void latency_run_close(struct latency_run *run);

/* Between run.c and log.c: run->why, with the folder before what it says. Returns false. */
bool latency_refuse_run(struct latency_run *run, const char *what);

/* log.c for run.c: the ticks of a run's log while a stimulus lasted. The log's bytes may be any. */

/* One tick as the log has it. */
struct latency_tick {
        struct latency_frame frame;
        double wake_s, duty, gyro_radps; /* NAN: not in the log */
        double pad_age_s; /* of the newest command on a pad that drives; NAN: none does, or it is not known */
        bool fell; /* it touches the ground, or is on its side */
};

struct latency_log {
        struct latency_run *run;
        const uint8_t *bytes;
        size_t len;
        int64_t fired_ns; /* when the stimulus began; -1: not known */
        struct latency_tick *tick;
        int gyros; /* ticks that have one */
        int pads; /* that have driving pads */
        struct answer_axes axes;
};

/* All but the last: false with run->why. */
bool latency_log_open(struct latency_log *log, struct latency_run *run);
/* When the stimulus began, by the event that says so, or by the scenario's time where none does. */
bool latency_log_find_begin(struct latency_log *log);
/* run->ticks, log->tick and the time-sync round trips in run->link. */
bool latency_log_read(struct latency_log *log);
void latency_log_close(struct latency_log *log);
