/* Suite files: which rigs fly which scenarios with which seeds. */
#pragma once

#include "hil/config/config.h"

#define SUITE_RIGS_MAX      32
#define SUITE_SCENARIOS_MAX 64
#define SUITE_VARIANTS_MAX  32
#define SUITE_SEEDS_MAX     1000
#define SUITE_SETS_MAX      CODEC_CHANNELS_MAX
#define SUITE_PATH_MAX      256
#define SUITE_MARGINS_MAX   64
#define SUITE_ROW_MAX       100

/* Settings on top of a rig file: "key.path=value" each. */
struct suite_sets {
        int count;
        char text[SUITE_SETS_MAX][SUITE_PATH_MAX];
};

/* How the runs are compared with a baseline's. */
struct suite_comparison {
        double alpha; /* chance of any false alarm */
        double doubt; /* chance that a row that moved by its margin is called the same */
        int margins;
        /* What counts as the same; negative: not said. */
        struct suite_margin {
                char row[SUITE_ROW_MAX]; /* a requirement or metric, with its vehicle or for all; "": of every row */
                double ratio; /* of the baseline's mean */
                double floor; /* in the row's unit, even where that mean is 0 */
                double spread; /* by how much twins differ anyway */
        } margin[SUITE_MARGINS_MAX];
};

struct suite_file {
        char name[NAME_MAX_LEN];
        int rigs, scenarios, variants;
        struct suite_path {
                char file[SUITE_PATH_MAX]; /* as the suite file has it, seen from there */
                char board
                        [NAME_MAX_LEN]; /* of a campaign's rig: what family of boards it asks for; "": none */
        } rig[SUITE_RIGS_MAX], scenario[SUITE_SCENARIOS_MAX];
        struct suite_variant {
                char name[NAME_MAX_LEN];
                struct suite_sets set;
                char must_fail[NAME_MAX_LEN]; /* a requirement; "": none */
        } variant[SUITE_VARIANTS_MAX];
        struct {
                uint64_t first;
                int count, listed;
                uint16_t list[SUITE_SEEDS_MAX];
                bool list_given;
        } seeds;
        int repeats, pace, jobs;
        int tries; /* of a run that could not run */
        struct suite_sets set;
        struct suite_comparison comparison;
        bool plain_too; /* a campaign's: every rig as it is, and changed by each variant besides */
};

enum { SUITE_LOCKSTEP, SUITE_REALTIME, SUITE_AS_RIG };

struct config_table;
extern const struct config_table config_suite_table, config_comparison_table;
/* Of a struct suite_path, of a struct suite_variant, and of a struct suite_file. */
extern const struct config_table config_suite_scenario_table, config_suite_variant_table,
        config_suite_seeds_table;
/* By enum, NULL at the end. */
extern const char *const config_suite_paces[];

/* What no single key shows: names and seeds that stand there twice, of the variants at `key`. */
bool config_check_suite(const struct suite_file *suite, const char *key,
                        const struct json *root, struct config_error *why);

/* Reads a suite file. False with the reason. */
bool config_read_suite(struct suite_file *suite, const char *path,
                       struct config_error *why);
