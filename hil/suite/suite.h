/* A suite: scenarios x rigs x seeds x repeats, each a run of its own process in a folder of its own,
 * DIR/RIG/SCENARIO/SEED-REPEAT. What is finished there is not flown again. docs/suites.md. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include "hil/suite/compare.h"
#include "hil/config/rig/suite.h"
#include "hil/judge/verdict.h"

#define SUITE_RUNS_MAX     COMPARE_RUNS_MAX
#define SUITE_CLI_SETS_MAX 12
#define SUITE_ONLY_MAX     32
#define SUITE_SEED_MAX     32

enum suite_state {
        SUITE_WAITING,
        SUITE_FLYING,
        SUITE_KEPT, /* finished before, with the same configuration and version */
        SUITE_FLOWN
};

struct suite_run {
        const struct suite_variant *variant; /* NULL: none */
        char *rig,
                *scenario; /* files; scenario NULL: the rig's own; it may be a mission's */
        char group[COMPARE_GROUP_MAX], folder[512];
        uint64_t seed;
        int repeat;
        bool alone; /* not beside any other run */
        const char *
                board; /* the family of boards that a campaign's rig asks for; "": none */
        char old_firmware
                [32]; /* its codec: it must be new for each flight, and is not; "": not so */
        int vehicles; /* that get a link of their own; 0: as configured */
        int64_t duration_ns; /* of the scenario */
        char config_sha256[65];
        enum suite_state state;
        pid_t child;
        int64_t start_ns;
        int tries; /* begun so often; 0: kept */
        bool refused; /* the FC has not the settings that it needs: begun again it has not, either */
        enum compared_run verdict; /* once kept or flown */
        bool other_settings; /* finished before, with another configuration: not flown over unasked */
        int requirements, failed;
        double wall_s;
        char reason[300]; /* in words; of a failed run which requirements */
        char firmware[COMPARE_FIRMWARE_MAX]; /* as it said; "": it did not */
};

struct suite_options {
        const char *file, *out; /* out NULL: a new folder below runs/ */
        int repeats, jobs; /* 0: the file's */
        bool fly_again; /* over what finished with other settings */
        bool list; /* plan alone: no folder is made or looked into */
        int just; /* read the settings of this run alone, counted from 1 on; 0: of all; -1: of none */
        int sets;
        const char *set[SUITE_CLI_SETS_MAX];
        int onlys; /* a part of the suite: struct suite_only; 0: all of it */
        const char *only[SUITE_ONLY_MAX];
        int seed_count; /* so many, from the file's first on; 0: as many as it has */
        int seeds; /* these instead of the file's; 0: those */
        uint64_t seed[SUITE_SEED_MAX];
};

struct suite {
        struct suite_options options;
        struct suite_file file;
        struct suite_sets extra; /* of a campaign's version: after the file's */
        char folder[512];
        int folder_fd; /* while it is taken, else -1 */
        int runs, jobs;
        int left_out; /* of the file's, by --only and --seed: in no count, and in no verdict */
        struct suite_run *run;
        bool interrupted;
};

/* Reads the file alone, by the options. False with the reason, as below. */
bool suite_read(struct suite *s, char *why, size_t cap);

/* Reads the file and every rig in every combination: what is wrong is said before anything flies.
 * Makes the folder and looks what is finished there; with other settings, that is refused unless it
 * may be flown again, and so is a folder with results of runs that are left out. False with the reason;
 * freed by the caller on any result. */
bool suite_plan(struct suite *s, const struct suite_options *o, char *why, size_t cap);
/* The same of a file that has been read already, of which s->file and s->extra are, with runs in folders below s->folder:
 * none is made or looked into. */
bool suite_plan_runs(struct suite *s, const struct suite_options *o, char *why,
                     size_t cap);
void suite_free(struct suite *s);

/* Whether what a run flies is a mission's file: one whose name does not end in .json. */
bool suite_is_mission(const char *file);
/* What a run flies; the caller's to free are *resolved and config_free(config). False: why names file and key, and which of the
 * suite's settings it was. */
bool suite_read_rig(const struct suite *s, const struct suite_run *r,
                    struct rig_config *config, char **resolved, char *why, size_t cap);
/* The SHA-256 of what a run's process writes as its configuration, for runs that differ by nothing but seed and repeat: begins
 * with zeroes, and is freed at the end. False with the reason: the rig is refused. */
struct suite_signer {
        char *text; /* owned: of the first one, which has this seed */
        uint64_t seed;
        bool by_seed_alone; /* seen with a second one */
};
bool suite_sign(struct suite_signer *g, const struct suite *s, struct suite_run *r,
                char *why, size_t cap);
void suite_signer_free(struct suite_signer *g);
/* The settings with which a run is started, in text[0..]; returns how many. */
#define SUITE_ARGS_MAX OVERRIDES_MAX
#define SUITE_ARG_MAX  640
int suite_run_sets(const struct suite *s, const struct suite_run *r,
                   char (*text)[SUITE_ARG_MAX]);
/* The words of the process that flies it, NULL at the end; text holds some of them, and has room for more settings
 * behind these: returns how many words there are. */
#define SUITE_WORDS_MAX (2 * SUITE_ARGS_MAX + 8)
int suite_run_words(const struct suite *s, const struct suite_run *r,
                    char (*text)[SUITE_ARG_MAX], char *word[SUITE_WORDS_MAX]);
/* Where the i-th of them is written, for a message: "suite.json: set"; "": on the command line, or
 * nowhere. */
void suite_set_origin(const struct suite *s, const struct suite_run *r, int i,
                      char *where, size_t cap);

/* Reads what a run left in its folder. False: nothing finished; or, with must_match, nothing that
 * passed or failed with this configuration and version, and other_settings tells of the first. */
bool suite_result_read(struct suite_run *r, bool must_match);

/* The same of one that has ended, as of waitpid(); without a whole summary its last words tell why. True: there was one. */
bool suite_result_end(struct suite_run *r, int status);

/* Flies what waits, and prints how it goes. Comes back early, with `interrupted`, on SIGINT, SIGTERM
 * or SIGHUP. False with the reason: no process could be had. */
bool suite_fly(struct suite *s, FILE *out, char *why, size_t cap);

struct suite_count {
        int verdict[4]; /* of enum compared_run */
        int kept, open; /* open: neither kept nor flown */
        int asked_nothing;
};
/* It is void for no other reason than that nothing was required of it. */
bool suite_asked_nothing(const struct suite_run *r);

struct suite_count suite_count(const struct suite *s);
/* Every kind of firmware that flew. */
void suite_firmware(const struct suite *s, char *text, size_t cap);
/* 0 all passed, 1 some failed, 2 some could not run, 3 some void, or interrupted. */
int suite_exit_status(const struct suite *s);
const char *suite_verdict_name(const struct suite *s);

/* How much longer: wall time so far, scaled by simulated time flown and left. Negative: unknown. */
double suite_remaining_s(const struct suite *s, double elapsed_s);

/* sequence.c: flown until every row of a comparison is decided. The i-th look at the rows, from 0 on, comes after so
 * many seeds and uses up so much of both chances of an error. False: all seeds have been looked at. */
#define SUITE_LOOKS_MAX 5
struct suite_look {
        int seeds;
        double part;
};
bool suite_look(int look, int most, struct suite_look *out);
/* How many of the suite's seeds, from the first on, the baseline has flown. */
int suite_seeds_of(const struct suite *s, const struct compared_side *baseline);
/* The look that is the next, by what is in the folder of a suite that is planned with all of these seeds. */
int suite_first_look(const struct suite *s, int most);
uint64_t suite_seed(const struct suite_file *f, int i);

/* What a comparison of the planned runs with the baseline can decide, in words. False: it cannot be had, and why. */
bool suite_foretell(const struct suite *s, const struct compared_side *baseline,
                    double part, char *text, size_t cap);

/* Texts that the caller frees; NULL: no memory. Links of the page start with `prefix`. */
struct json *suite_document(const struct suite *s);
/* results.c for result.c: of each scenario a table, what was required and measured by rig. */
void suite_add_results(struct json *root, const struct suite *s);
char *suite_json(const struct suite *s);
char *suite_html(const struct suite *s, const char *prefix);
char *suite_junit(const struct suite *s);
/* Its part of a larger one. */
void suite_put_junit(FILE *f, const struct suite *s);

/* folder.c for plan.c: the folder of a suite, and whether what is in it may become part of this one. */

/* Before the runs are planned, whose names begin with it: makes the folder below runs/, or takes the one
 * that is given as it is written. False with the reason, as of the others. */
bool suite_folder_name(struct suite *s, char *why, size_t cap);

/* After that: the folder is there and can be written, and those above it; it is this suite's until suite_free(). */
bool suite_folder_make(struct suite *s, char *why, size_t cap);

/* No plan came about: an empty folder that was made for it goes. */
void suite_folder_drop(const struct suite *s);

/* What finished there with these settings is kept. With others it is somebody's result: refused, unless it
 * may be flown again. */
bool suite_folder_look(struct suite *s, char *why, size_t cap);

/* Whether a run that is not asked for has left a result there. The suite's page would lose it. */
bool suite_folder_holds(const struct suite *s, const char *group, uint64_t seed,
                        int repeat);

/* only.c for plan.c: a part of a suite, what --only and --seed ask for. A run is called
 * RIG[+VARIANT]/SCENARIO/SEED-REPEAT, as its folder is; --only gives one or several parts of that in a row,
 * with the shell's wildcards. */

#define SUITE_CASES_TEXT 400

/* What was seen of the suite while it was planned. */
struct suite_only {
        const struct suite_options *options;
        struct suite_only_word {
                bool found; /* it names a run */
                int distance; /* of what is nearest to it so far */
                char nearest[COMPARE_GROUP_MAX];
        } word[SUITE_ONLY_MAX];
        char cases[SUITE_CASES_TEXT]; /* their names, as many as have room */
};

void suite_only_init(struct suite_only *only, const struct suite_options *o);

/* A case of the suite, RIG[+VARIANT]/SCENARIO: known from now on, for whom a word is spelt wrongly. */
void suite_only_see(struct suite_only *only, const char *group);

/* Whether this run of a case is asked for. */
bool suite_only_wants(struct suite_only *only, const char *group, uint64_t seed,
                      int repeat);

/* The first word that names no run, with what may have been meant. False: each names some. */
bool suite_only_missed(const struct suite_only *only, char *why, size_t cap);
