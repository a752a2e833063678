/* Releases in their order: every requirement's margin and every metric along them, and where they change. Reads run folders,
 * flies nothing. docs/history.md tells how it is decided. */
#pragma once

#include "hil/history/changes.h"
#include "hil/suite/compare.h"
#include "hil/text/json.h"

#define HISTORY_RELEASES_MAX 1000
#define HISTORY_NAME_MAX     256

struct history_release {
        char name[HISTORY_NAME_MAX], folder[512];
        struct compared_side side;
        char firmware[COMPARE_FIRMWARE_MAX], version[64]; /* the rig's; "several" */
        int count[4]; /* of enum compared_run */
};

/* What of a row at a release. */
struct history_point {
        int flights; /* that tell of it; 0: nothing below is known */
        double mean, least, most;
        double level; /* the mean, freed of what each seed has of its own */
};

struct history_row {
        char group[COMPARE_GROUP_MAX], name[COMPARE_NAME_MAX], unit[24];
        enum compared_kind kind;
        enum compared_better better;
        struct history_point *point; /* owned, [releases] */
        double noise; /* of a flight about its seed's and its release's level */
        struct history_changes changes;
        bool newly_worse; /* with a change for the worse that was not found without the newest release */
};

struct history_options {
        const char *folder;
        const char *const
                *order; /* names of folders in it; NULL: all, by their version */
        int ordered;
        double doubt; /* chance of any false alarm in all rows together */
        double margin; /* a shift of less than this share of a row's mean is none */
};

struct history {
        int releases, rows;
        struct history_release *release; /* owned */
        struct history_row *row; /* owned; by group, kind and name */
        int left_out; /* releases without a finished flight */
        int unreadable; /* summaries; the first, in words: */
        char problem[600];
};

/* False with the reason; freed by the caller on any result. */
bool history_read(struct history *h, const struct history_options *o, char *why,
                  size_t cap);
void history_free(struct history *h);

/* By version: numbers count as numbers, and what stands behind a hyphen comes before what has none, as 4.6.0-rc1 comes
 * before 4.6.0 (semver.org, 11). */
int history_order(const char *a, const char *b);

enum history_turn { HISTORY_WORSE, HISTORY_BETTER, HISTORY_OTHER };
enum history_turn history_turn(const struct history_row *row,
                               const struct history_change *change);
const char *history_turn_name(enum history_turn turn);
/* An outcome that was both, in flights of one release: how many releases. */
int history_wavers(const struct history *h, const struct history_row *row);
/* Rows that are: it may have begun with an earlier release than the newest, if that alone did not show it. */
int history_newly_worse(const struct history *h);

/* All freed by the caller; NULL: no memory. */
struct json *history_document(const struct history *h);
/* The page: changes, releases, and every row as a curve. */
char *history_html(const struct history *h);

/* The rows of a history: every requirement and metric of its flights, at each release freed of what each seed has of its own.
 * After the flights have been read. False: no memory. */
bool history_make_rows(struct history *h);
