/* The settings of a flight controller's (FC's) own: what the rig file gives them, with what the scenario makes of
 * them on top. */
#pragma once

#include "hil/config/config.h"
#include "io/codec/codec.h"

/* What the scenario makes of one of them. */
struct fc_option_entry {
        int id; /* the step's */
        const struct fc_option *option;
        int64_t end_ns; /* of simulated time */
};

struct fc_options {
        const struct fc_config *config;
        struct codec *codec; /* that tells the FC; NULL: closed */
        int count;
        struct fc_option_entry entry
                [SCENARIO_STEPS_MAX]; /* in force, in the order in which they began */
};

/* Hands the codec what the rig file gives. */
void fc_options_open(struct fc_options *o, const struct fc_config *config,
                     struct codec *codec);
/* One begins at this tick, and is over at end_ns of simulated time (INT64_MAX: never): then it is what another
 * that is in force makes it, or what the rig file gives it, or nothing. False: the codec has no room for another
 * key. */
bool fc_options_begin(struct fc_options *o, const struct fc_option *option, int id,
                      int64_t end_ns);
/* Ends one that is over at t_ns and returns its id; -1: none is. Before those that begin at t_ns. */
int fc_options_end_due(struct fc_options *o, int64_t t_ns);
/* The key of an option that the FC was told of more than once and never acknowledged; NULL: none. */
const char *fc_options_unheard(const struct fc_options *o);
