/* The same vehicle twice: a log of a flight, and what the rig's vehicle does with the commands that its motors got.
 * Open loop: what differs grows, so that the simulated one begins anew from the log's state every so often. It is
 * simulated three times: so, in one go to see when the two are apart, and anew every tenth of a second to see what forces
 * are different before anything else is. */
#pragma once

#include <stdio.h>

#include "hil/config/config.h"
#include "hil/retrace/track.h"
#include "hil/text/json.h"

enum retrace_quantity {
        RETRACE_P,
        RETRACE_Q,
        RETRACE_R,
        RETRACE_ROLL,
        RETRACE_PITCH,
        RETRACE_YAW,
        RETRACE_VEL_NORTH,
        RETRACE_VEL_EAST,
        RETRACE_VEL_DOWN,
        RETRACE_NORTH,
        RETRACE_EAST,
        RETRACE_DOWN,
        RETRACE_AX,
        RETRACE_AY,
        RETRACE_AZ,
        RETRACE_QUANTITIES
};

extern const struct retrace_name {
        const char *name, *unit, *group;
} retrace_names[RETRACE_QUANTITIES];

/* Both at the same moments, `step_s` apart: rates in deg/s, angles in deg, m/s, m, specific force in m/s^2; NaN: not
 * in the log. */
struct retrace_series {
        size_t count;
        double step_s;
        int64_t begin_ns;
        double *log[RETRACE_QUANTITIES], *sim[RETRACE_QUANTITIES]; /* owned */
        bool *begins; /* the simulated one began anew here; owned */
        bool *flies; /* touches nothing; owned */
};

enum retrace_run { RETRACE_ANEW, RETRACE_FREE, RETRACE_CLOSE, RETRACE_RUNS };

struct retrace_job {
        const struct rig_config *rig;
        int vehicle;
        const struct track *track;
        double from_s,
                for_s; /* in the log's time, from its first command on; from_s < 0: at take-off */
        double every_s; /* 0: never anew */
};

/* Of one quantity. */
struct retrace_difference {
        size_t count; /* 0: not in the log */
        double rms, max;
        double spread; /* of the log itself: its standard deviation */
        double fit_percent; /* 100: the same; 0: no better than the log's mean */
        bool lag_known; /* of rates and angles that move enough */
        double lag_s; /* how much later the log is */
        double correlation; /* at that lag */
};

/* When the two were first that far from each other; without beginning anew. */
struct retrace_apart {
        bool judged, happened;
        double after_s;
};

/* What the log's force or turning acceleration is, in parts of the simulated one, and how much later it comes: by least
 * squares, with the standard errors that leaving out each of some stretches gives. */
struct retrace_gain {
        bool known;
        bool sparse; /* the log has it too seldom */
        double gain, gain_error, delay_s, delay_error_s;
        double offset; /* of turning: what the log has besides, all the time, deg/s^2 */
        double explained; /* of the log's variance: of force about 0, of turning about its mean */
};

enum retrace_cause { CAUSE_THRUST, CAUSE_ROLL, CAUSE_PITCH, CAUSE_YAW, RETRACE_CAUSES };

struct retrace_result {
        double begin_s, seconds, every_s; /* begin_s after the log's first command */
        double blind_s; /* of them those in which the log says nothing of the motors: not compared */
        /* Usual time between samples of the log; 0: it has none. */
        double motors_every_s, rates_every_s, forces_every_s;
        struct retrace_difference of[RETRACE_QUANTITIES];
        struct retrace_apart metre, ten_degrees;
        struct retrace_gain cause[RETRACE_CAUSES];
};

/* Flies the whole. False: `why`. */
bool retrace_fly(const struct retrace_job *job,
                 struct retrace_series series[RETRACE_RUNS],
                 struct retrace_result *result, char *why, size_t cap);
void retrace_series_free(struct retrace_series *series);
/* What the log has so seldom that what is fast cannot be told. */
#define RETRACE_SPARSE_S 0.0125

/* compare.c, explain.c */
void retrace_compare(const struct retrace_series *anew, struct retrace_result *result);
void retrace_find_apart(const struct retrace_series *free_run,
                        struct retrace_result *result);
void retrace_explain(const struct retrace_series *close_run,
                     struct retrace_result *result);

/* How it is told. */
void retrace_print(FILE *out, const struct track *t, const struct retrace_result *r);
struct json *retrace_json(const struct track *t, const struct retrace_result *r);
void retrace_page(FILE *out, const char *title, const struct track *t,
                  const struct retrace_result *r,
                  const struct retrace_series series[RETRACE_RUNS]);
