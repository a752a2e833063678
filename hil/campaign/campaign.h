/* A campaign: the suites of several firmware versions as one list of numbered flights, each a process of its own in a folder
 * of its own, DIR/VERSION/RIG[+FAULT]/SCENARIO/SEED-REPEAT. A flight counts once its record, flight.json, stands whole on
 * the disk beside its summary; what does not is moved aside and flown again. docs/farm.md. */
#pragma once

#include <stdio.h>

#include "hil/config/rig/campaign.h"
#include "hil/farm/farm.h"
#include "hil/suite/suite.h"

#define CAMPAIGN_ASIDE                                                                   \
        ".aside" /* folder of what did not count; no reader of runs looks into it */

/* One flight of it, flown as a job of Slurm. */
struct campaign_job {
        int number; /* 0: it is none */
        int attempts; /* at that flight before */
        char plan[20]; /* by which it was submitted */
};

struct campaign_options {
        const char *file, *out; /* out NULL: a new folder below runs/ */
        const char *farm; /* in place of the file's; NULL: that */
        int jobs; /* 0: the file's */
        bool fly_again; /* what counts already with other settings */
        bool slurm; /* flights are jobs of Slurm */
        struct campaign_job job; /* of them: plans that flight alone */
        int sets;
        const char *set[SUITE_CLI_SETS_MAX];
};

struct campaign_flight {
        int number; /* from 1 on, in the order of the versions */
        int version;
        struct suite_run *run; /* of that version's suite */
        int attempts; /* that have ended, the one that counts among them */
        char board[NAME_MAX_LEN]; /* that it flew on at last; "": none */
        bool summary; /* it left a whole one */
};

enum campaign_stop {
        CAMPAIGN_GOES_ON,
        CAMPAIGN_INTERRUPTED,
        CAMPAIGN_DISK_FULL,
        CAMPAIGN_NO_BOARD, /* none is left on which what is open could fly */
        /* Of a job alone: */
        CAMPAIGN_AGAIN, /* its flight is to be flown again */
        CAMPAIGN_BUSY, /* somebody else has the flight, or the boards */
        CAMPAIGN_CHANGED /* its flight is not what was submitted */
};

struct campaign {
        struct campaign_options options;
        struct campaign_file file;
        struct farm_file farm; /* without boards: none is asked for */
        char farm_path[600];
        char folder[400];
        int folder_fd; /* while it is taken, else -1 */
        int flights, jobs;
        struct suite *suite; /* owned, of each version */
        struct campaign_flight *flight; /* owned */
        int moved_aside; /* folders, in this session */
        enum campaign_stop stop;
        char stop_reason[300]; /* in words; "": it was not stopped */
};

/* Reads the file, the farm and every rig in every combination; touches no folder. False with the reason; freed by the
 * caller on any result. */
bool campaign_plan(struct campaign *c, const struct campaign_options *o, char *why,
                   size_t cap);
/* Makes the folder and takes it; flights with a record there count, folders without are moved aside. False with the reason:
 * also where flights count that had other settings, unless they may be flown again. */
bool campaign_open(struct campaign *c, char *why, size_t cap);
void campaign_free(struct campaign *c);

/* "1.4/default+gain_low/own/3-1" */
const char *campaign_flight_name(const struct campaign *c,
                                 const struct campaign_flight *f);
bool campaign_is_open(const struct campaign_flight *f);

/* Flies what is open, and prints how it goes. Comes back early with `stop`. False with the reason: no process could be had,
 * or a record could not be written for another reason than a full disk. */
bool campaign_fly(struct campaign *c, FILE *out, char *why, size_t cap);
/* The same as jobs of Slurm: slurm.h. */
bool campaign_fly_slurm(struct campaign *c, FILE *out, char *why, size_t cap);
/* One of these jobs, in the folder that the campaign holds. */
bool campaign_fly_job(struct campaign *c, FILE *out, char *why, size_t cap);

/* Variables of this process' environment, for what it plans and starts: those of the version, and HILRIG_VERSION, its
 * name. What was there before returns by the second. */
struct campaign_environment {
        const struct campaign_version *version;
        char *before[CAMPAIGN_VARIABLES_MAX]; /* owned; NULL: it was not set */
};
void campaign_enter_version(struct campaign_environment *e,
                            const struct campaign_version *v);
void campaign_leave_version(struct campaign_environment *e);

/* record.c: what makes a flight count. */

/* Brings the summary to the disk, then the record. False with the reason; *full: the disk was. */
bool campaign_record_write(const struct campaign *c, const struct campaign_flight *f,
                           bool *full, char *why, size_t cap);
enum campaign_record { RECORD_NONE, RECORD_COUNTS, RECORD_OTHER_SETTINGS };
/* RECORD_COUNTS: the flight's run is kept, with what the record says. */
enum campaign_record campaign_record_read(struct campaign_flight *f);
/* Out of the way, where it is there. False with the reason. */
bool campaign_move_aside(struct campaign *c, const struct campaign_flight *f, char *why,
                         size_t cap);
/* Whether less of the disk is free than the campaign leaves alone. */
bool campaign_disk_is_full(const struct campaign *c, char *why, size_t cap);

/* result.c */
struct suite_count campaign_count(const struct campaign *c);
/* As suite_exit_status(), over all versions. */
int campaign_exit_status(const struct campaign *c);
const char *campaign_verdict_name(const struct campaign *c);

/* One rig with one fault and one scenario: what its flights came to in each version. */
struct campaign_cell {
        int count[4]; /* of enum compared_run */
        int open;
};
/* The group of a suite's run: each once, in their order; NULL: no memory. Freed by the caller; the names are not. */
const char **campaign_groups(const struct campaign *c, int *groups);
struct campaign_cell campaign_cell(const struct campaign *c, int version,
                                   const char *group);
/* It both passed and failed. */
bool campaign_is_flaky(const struct campaign_cell *cell);

/* Texts that the caller frees; NULL: no memory. */
struct json *campaign_document(const struct campaign *c);
char *campaign_json(const struct campaign *c);
char *campaign_html(const struct campaign *c);
char *campaign_junit(const struct campaign *c);
