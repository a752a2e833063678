/* What the kinds of `hilrig identify` share. */
#pragma once

#include "hil/config/config.h"

struct identify_request {
        const char *const *log;
        int logs;
        const char *start, *out; /* NULL: not given */
        double level_deg, until_s; /* below 0: not given */
        bool json;
        char *why; /* CONFIG_ERROR_TEXT of it */
};

/* The whole path of a file of the user or of an installed one, owned by the caller; NULL: q->why. */
char *identify_find_file(const struct identify_request *q, const char *name);
/* The default rig with that vehicle, and a flight controller that nobody starts. `resolved`, owned by the caller, has
 * every default. False: q->why. */
bool identify_read_vehicle(const struct identify_request *q, const char *file,
                           struct rig_config *rig, char **resolved);
/* Leaves the file at q->out, and refuses what the rig would refuse. Frees `root`. */
bool identify_write_vehicle(const struct identify_request *q, struct json *root);

/* On the standard output. Frees `root`. */
bool identify_print_json(struct json *root);

/* Exit statuses. */
int identify_rest(const struct identify_request *q);
int identify_bench(const struct identify_request *q);
