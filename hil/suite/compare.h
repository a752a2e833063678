/* Two releases against each other, from the summary.json of their runs: what each run says, run by
 * run paired with its twin, and a verdict on every requirement and metric. docs/comparing.md tells
 * how it is decided. */
#pragma once

#include <stdio.h>

#include "hil/config/rig/suite.h"
#include "hil/suite/statistics.h"
#include "hil/text/json.h"

#define COMPARE_RUNS_MAX     20000 /* of one side */
#define COMPARE_VALUES_MAX   20000 /* of one run */
#define COMPARE_NAME_MAX     160
#define COMPARE_GROUP_MAX    160
#define COMPARE_PAIRS_MAX    1000 /* of one row */
#define COMPARE_ROWS_MAX     20000
#define COMPARE_FIRMWARE_MAX 200
#define COMPARE_SETTINGS_MAX 40

enum compared_kind {
        COMPARED_OUTCOME, /* 1 it passed, 0 it failed */
        COMPARED_ROBUSTNESS, /* distance from failing */
        COMPARED_METRIC,
        COMPARED_HOST /* it tells of the machine that the rig ran on: shown, and in no verdict */
};

/* Which way is better. ZERO: of what has a sign, nearer to 0; what is compared is the distance from 0. NEITHER: any
 * change is for the worse until somebody says otherwise. */
enum compared_better { BETTER_LESS, BETTER_MORE, BETTER_ZERO, BETTER_NEITHER };

struct compared_value {
        char name[COMPARE_NAME_MAX], unit[24];
        int name_len; /* of a metric without its vehicle, which follows in brackets */
        enum compared_kind kind;
        enum compared_better better;
        double value; /* NaN: it is listed, and has no number */
};

enum compared_run { RUN_PASSED, RUN_FAILED, RUN_VOID, RUN_ERROR };

const char *compared_run_name(enum compared_run v);
/* False: it is none of the four. */
bool compared_run_parse(const char *verdict, enum compared_run *v);

struct compared_result {
        char path[512]; /* of the run folder, below the side's */
        char group
                [COMPARE_GROUP_MAX]; /* rig/scenario: only runs of one group are twins */
        uint64_t seed;
        int repeat;
        enum compared_run verdict;
        bool unasked; /* void because nothing was required: its metrics count */
        bool lockstep;
        double sim_time_s; /* that it flew; 0: not known */
        char signal_sha256[65], version[64];
        char firmware
                [COMPARE_FIRMWARE_MAX]; /* as its flight controllers said; "": they did not */
        int values;
        struct compared_value *value;
};

/* "outcome", "robustness", "metric", "host"; "less", "more", "zero", "unknown". */
const char *compared_kind_name(enum compared_kind kind);
const char *compared_better_name(enum compared_better better);

/* One summary.json. False with the reason; on either result the values are freed by the caller. */
bool compared_result_parse(struct compared_result *r, const char *text, size_t len,
                           const char *name, char *why, size_t cap);

/* A summary's firmware, each kind once; "" if it has none. And one kind more in such a list. */
void compared_firmware(const struct json *root, char *text, size_t cap);
void compared_list_firmware(char *text, size_t cap, const char *own);

/* By group, seed and repeat: runs that are equal in these are twins. */
int compared_order(const struct compared_result *x, const struct compared_result *y);

/* Which way is better of a metric of that name, by the words in it. */
enum compared_better compared_better_of(const char *name);

struct compared_side {
        char folder[512];
        int runs;
        struct compared_result *run; /* by group, seed, repeat */
        int unreadable; /* summaries that could not be read; the first, in words: */
        char problem[600];
        struct suite_comparison
                rules; /* as its suite.json has them, or else the usual ones */
};

/* A run folder, or one with run folders below it. False with the reason: no run at all. */
bool compared_side_read(struct compared_side *s, const char *folder, char *why,
                        size_t cap);
void compared_side_free(struct compared_side *s);

/* Runs of the two sides with the same key: group, seed, repeat. */
struct compared_twins {
        const struct compared_result *a, *b;
};
struct compared_walk {
        int a, b; /* runs passed; from 0 on */
};

/* The next twins in the order of their keys; false: no more. */
bool compared_next_twins(const struct compared_side *a, const struct compared_side *b,
                         struct compared_walk *walk, struct compared_twins *twins);
/* It is neither void nor could it not run. */
bool compared_is_usable(const struct compared_result *r);

enum compare_verdict {
        COMPARE_REGRESSED,
        COMPARE_TOO_LITTLE,
        COMPARE_IMPROVED,
        COMPARE_NO_WORSE, /* of a row: it may be better, by how much is open */
        COMPARE_SAME,
        COMPARE_NOT_JUDGED, /* a row of the host's */
        COMPARE_VERDICTS
};

struct compare_row {
        char group[COMPARE_GROUP_MAX], name[COMPARE_NAME_MAX], unit[24];
        enum compared_kind kind;
        enum compared_better better;
        double *a, *b; /* of each pair, NaN where there is none */
        int *times; /* runs that each is the mean of */
        int pairs;
        double mean_a, mean_b; /* of what is compared, as all below: compared_size() */
        struct interval shift; /* candidate less baseline, Hodges and Lehmann's */
        double effect; /* mean difference over the differences' deviation */
        double margin; /* a shift within it is the same */
        double practical; /* the margin, were there no noise: what is certain and beyond it is worse */
        double noise; /* by how much twins differ anyway, from the baseline's side */
        int up, down; /* pairs whose value rose, fell */
        struct flip_result p;
        bool certain; /* that something changed, be it ever so little */
        bool leans; /* to the worse, further than is practical, and the noise alone excuses it */
        bool identical; /* every signal of the group is the same to the bit */
        enum compare_verdict verdict;
        int more; /* pairs that would settle it; -1: no number would */
        char note[200];
};

/* Of a thousand comparisons of a firmware with itself no more than ten may raise an alarm: what is counted keeps to
 * 1 %, not only what is expected. */
#define COMPARE_ALPHA 0.008
#define COMPARE_DOUBT 0.05
/* With which `more` finds what seems to be there. */
#define COMPARE_POWER 0.9

struct compare_options {
        struct suite_comparison rules;
        double part; /* of both chances of an error that this comparison may use up; 1: it is the only one */
};

/* A value of the configuration that the runs of the two sides do not have in common, as JSON; "": it is not there. */
struct compare_setting {
        char key[120], a[80], b[80];
};

struct compare_settings {
        int differ; /* those for which there is no room count, too */
        struct compare_setting of[COMPARE_SETTINGS_MAX];
};

struct comparison {
        struct compare_options options;
        char folder_a[512], folder_b[512], version_a[64], version_b[64];
        char firmware_a[COMPARE_FIRMWARE_MAX], firmware_b[COMPARE_FIRMWARE_MAX];
        struct compare_settings rig, firmware;
        int firmware_read; /* settings that both sides' firmware has told */
        int runs_a, runs_b;
        int twins; /* runs that have a twin */
        int alone; /* that have none, both sides */
        int unusable; /* twins of which one is void or could not run: in nothing below */
        int identical; /* twins with the same signal */
        int newly_failing, newly_passing;
        char failing[512]; /* the first of them */
        int columns; /* independent pairs: seeds, in real time repeats too */
        struct compare_column {
                uint64_t seed;
                int repeat; /* 0: the mean of all */
                bool failed; /* a run of it, in the baseline: it tells nothing of how runs differ anyway */
        } column[COMPARE_PAIRS_MAX];
        int rows, capacity;
        struct compare_row *row;
        int one_sided; /* quantities that only one side knows */
        int count[COMPARE_VERDICTS]; /* rows of each verdict */
        int leaning; /* rows that lean to the worse */
        int more; /* pairs that would settle the most rows; -1: no number would */
        enum compare_verdict verdict;
};

/* Fewest pairs with which every row can be decided, and with which any can. */
int compare_fewest(const struct compare_options *o);
int compare_fewest_any(const struct compare_options *o);

/* False: no memory, or more than the limits above, in words. */
bool compare_sides(struct comparison *c, const struct compare_options *o,
                   const struct compared_side *a, const struct compared_side *b,
                   char *why, size_t cap);
void comparison_free(struct comparison *c);

/* Rows from pairs, in c->row: numbers, then verdicts. compare_sides() ends with it. */
bool compare_judge(struct comparison *c);

void compare_usual_rules(struct suite_comparison *rules);
/* By how much a row's twins would differ if nothing had changed: the deviation of their differences where twins
 * resemble each other, else what the runs of each side give. scratch: row->pairs doubles. */
double compare_noise(const struct comparison *c, const struct compare_row *row,
                     const double *difference, int n, double *scratch);
/* What counts as the same for a row whose means are known, with so much noise. */
double compare_margin(const struct suite_comparison *rules, const struct compare_row *row,
                      double noise);

/* What flew on each side: folders, versions, firmware, and the settings that differ. compare_sides() begins with it. */
void compare_describe(struct comparison *c, const struct compared_side *a,
                      const struct compared_side *b);

/* A new row for `columns` pairs, all NaN; NULL: no memory, or too many. */
struct compare_row *compare_add_row(struct comparison *c, int columns);
/* What it owns; the row itself is c's. */
void compare_free_row(struct compare_row *row);

/* What is compared of a value: itself, or its distance from 0. */
double compared_size(const struct compare_row *row, double value);

/* What a baseline alone tells before anything else flies, of a comparison of it with itself: the row whose margin asks
 * for the most pairs before it can be called the same, if these are more than will fly; NULL: none does. */
const struct compare_row *compare_outlook(const struct comparison *c, int pairs,
                                          int *asked);

const char *compare_verdict_name(enum compare_verdict v);
/* 0 same or improved, 1 regressed, 3 too little data. */
int compare_exit_status(enum compare_verdict v);
/* Candidate less baseline as harm: positive is worse. Of a row whose better side is not known, either is. */
double compare_harm(const struct compare_row *row, double shift);
/* The pair that fared worst in the row that did, and that row; false: there is none. */
bool compare_worst(const struct comparison *c, const struct compare_row **row, int *pair);
/* Of a single pair there is none. */
bool compare_has_effect(const struct compare_row *row);
/* The row keeps the verdict open: there is too little data for it, or it leans to the worse beside an improvement. */
bool compare_is_open(const struct comparison *c, const struct compare_row *row);
/* The row that the headline names; NULL: nothing changed by more than what counts as the same. */
const struct compare_row *compare_largest(const struct comparison *c);
/* The whole verdict in a sentence or two. */
void compare_explain(const struct comparison *c, char *text, size_t cap);

void compare_print(FILE *out, const struct comparison *c);
/* Freed by the caller; NULL: no memory. The text is the document's. */
struct json *compare_document(const struct comparison *c);
char *compare_json(const struct comparison *c);
/* With the flights over each other, from the logs of the two sides that were compared; NULL: without. */
char *compare_html(const struct comparison *c, const struct compared_side side[2]);
