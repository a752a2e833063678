/* A run folder as one page to look at: report.html, which needs nothing but itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <stdio.h>

#include "hil/record/log.h"
#include "hil/text/json.h"

/* Reads summary.json, config.json and run.ulg of the folder, whichever are there and
 * whole, and writes report.html beside them. A page without a summary says that the run
 * was cut off. vehicle: the name of one that is to be shown first and whole, or NULL. False with the reason when the page could not be written, or there is
 * nothing of a run in the folder. */
bool report_write(const char *folder, const char *vehicle, char *why, size_t cap);

/* What the page is made of. */
struct report {
        const char *folder;
        struct json *summary, *config; /* NULL: not there, or not readable */
        char *summary_why, *config_why; /* then: why, owned */
        char *config_text; /* as it was in the file, owned */
        bool log_there;
        const char *log_why; /* why it is not, or not readable; NULL: "is missing" */
        struct rig_config *rig; /* as config.json has it; NULL: it does not read, owned */
        struct report_world world;
        struct report_moments moments; /* of the requirements */
        int vehicle; /* to be shown first; -1: whichever */
        struct report_focus
                focus; /* of a fleet: the worst, the median, the best, and who failed */
        struct report_log log;
};

/* The same from memory, into a cleared struct: any bytes at all, NULL for what is not there.
 * Freed in any case. False: no memory. */
struct report_files {
        const char *summary, *config;
        size_t summary_len, config_len;
        const void *log;
        size_t log_len;
        const char *summary_why, *config_why, *log_why; /* of those that are NULL */
        const char *vehicle; /* to be shown first, or NULL */
};
bool report_read(struct report *r, const char *folder, const struct report_files *files);
/* Whatever of a run's files is there; the folder's name must stay. */
bool report_read_folder(struct report *r, const char *folder);
/* What it owns. It is not cleared: most of its pages were never touched. */
void report_free(struct report *r);

/* The page. False: no memory, and there is none of it. */
bool report_page(FILE *out, const struct report *r);

/* "passed", "failed", "void", "error"; "void" without a summary. */
const char *report_verdict(const struct report *r);
const char *report_vehicle_name(const struct report *r, int vehicle);
/* The resolved configuration, of every vehicle but the first with what differs from it alone; freed by the caller. NULL:
 * no memory. */
char *report_brief_config(const struct json *config);
/* What the configuration says of a requirement; NULL: nothing. */
const struct json *report_asked_for(const struct report *r,
                                    const struct json *requirement);
/* When a requirement was at its worst, microseconds; -1: not known. */
int64_t report_worst_us(const struct json *requirement);
bool report_failed(const struct json *requirement);

/* What the top view shows of the world; NULL: no memory. Only where the configuration reads. */
struct json *report_map(const struct report *r);
/* All but the flight. */
struct json *report_document(const struct report *r);
/* The plots' numbers, after the rest of the document. */
void report_put_flight(FILE *out, const struct report *r);
/* Where its vehicles were and what they were asked, as an object of its own: { end_s, vehicles }. */
void report_put_paths(FILE *out, const struct report *r);
