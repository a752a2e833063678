/* What this machine does to a run in real time: a table of findings, each judged by files of /proc and /sys or by a
 * measurement, with the figure that tells why, what to do, and what may be written now. What cannot be seen is said to
 * be not judged. */
#pragma once

#include "hil/host/lateness.h"
#include "hil/host/system_file.h"
#include "hil/text/json.h"

/* What the findings are judged by. */
struct host {
        const char *root; /* of /proc and /sys; "": this machine */
        const struct realtime_config *wants; /* of the rig that is to run */
        int64_t period_ns;
        struct cpu_list online;
        const struct lateness_of_host *measured; /* NULL: nothing was measured */
};

enum host_state { HOST_OK, HOST_CHANGE, HOST_NOT_JUDGED };

/* A file of the machine that may be written, until the next boot. */
struct host_change {
        char path[HOST_PATH_MAX];
        char was[80], now[80];
        bool list_of_cpus; /* both are, and may be written in several ways */
};

struct host_finding {
        const char *name;
        enum host_state state;
        char figure[400]; /* why */
        char advice[400]; /* what to do; "" where nothing is */
        struct host_change *change; /* owned */
        int changes;
};

/* One row of the table. */
struct host_check {
        const char *name, *title;
        void (*judge)(const struct host *h, struct host_finding *f);
};
extern const struct host_check host_checks[];

struct host_report {
        int findings;
        struct host_finding *finding; /* owned, in the order of the table */
};

/* Fills in h->online; false: the tree does not say which CPUs there are. */
bool host_look(struct host *h);
/* False: no memory. */
bool host_judge(const struct host *h, struct host_report *r);
void host_report_free(struct host_report *r);

int host_count(const struct host_report *r, enum host_state state);
int host_changes(const struct host_report *r);

/* Writes what the findings may change, reads it back, and says each on out: old and new value, or why not. Returns how
 * many were made. json NULL: none; else an array, to which each is added. */
int host_fix(const struct host *h, const struct host_report *r, FILE *out,
             struct json *json);

/* For people, and for programs. */
void host_print(FILE *out, const struct host *h, const struct host_report *r);
void host_add_json(struct json *object, const struct host *h,
                   const struct host_report *r);
