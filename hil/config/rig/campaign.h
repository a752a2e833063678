/* Campaign files: a suite's flights with each of several firmware versions, as it is and with faults planted. */
#pragma once

#include "hil/config/rig/suite.h"

#define CAMPAIGN_VERSIONS_MAX  64
#define CAMPAIGN_VARIABLES_MAX 8
#define CAMPAIGN_PAIR_MAX      (2 * SUITE_PATH_MAX)

struct campaign_version {
        char name[NAME_MAX_LEN];
        struct suite_sets set;
        char executable
                [SUITE_PATH_MAX]; /* of the first vehicle's firmware; "": the rig's */
        int variables; /* of the environment */
        struct campaign_variable {
                char key[SUITE_PATH_MAX], value[SUITE_PATH_MAX];
        } variable[CAMPAIGN_VARIABLES_MAX];
        char image[SUITE_PATH_MAX]; /* that a board is flashed with; "": none */
        char says
                [NAME_MAX_LEN]; /* that the board's answer then has in it; "": not looked at */
};

struct campaign_file {
        struct suite_file
                suite; /* the first: its tables serve both. Its variants are the faults */
        int versions;
        struct campaign_version version[CAMPAIGN_VERSIONS_MAX];
        char farm[SUITE_PATH_MAX]; /* "": none */
        int64_t time_limit_ns; /* of a flight, in host time */
        int attempts; /* at a flight that ends void */
        int reserve_mb; /* of the disk, that is left alone */
};

extern const struct config_table config_campaign_table;

/* False with the reason. */
bool config_read_campaign(struct campaign_file *campaign, const char *path,
                          struct config_error *why);
