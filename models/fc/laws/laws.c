#include "models/fc/laws/laws.h"

#include <stddef.h>

const char *const attitude_law_names[] = {
        [ATTITUDE_CASCADE] = "cascade",
        [ATTITUDE_KEMPER_PID] = "kemper_pid",
        [ATTITUDE_KEMPER_PD] = "kemper_pd",
        [ATTITUDE_HOFFMANN] = "hoffmann",
        [ATTITUDE_DIKMEN] = "dikmen",
        [ATTITUDE_FINKEN] = "finken",
        [ATTITUDE_LAWS] = NULL,
};

const char *const position_law_names[] = {
        [POSITION_CASCADE] = "cascade", [POSITION_THESIS] = "thesis",
        [POSITION_FINKEN] = "finken",   [POSITION_STICKS] = "sticks",
        [POSITION_LAWS] = NULL,
};

const char *const height_law_names[] = {
        [HEIGHT_CASCADE] = "cascade",
        [HEIGHT_FINKEN] = "finken",
        [HEIGHT_LAWS] = NULL,
};

const char *const takeoff_law_names[] = {
        [TAKEOFF_CLIMB] = "climb",
        [TAKEOFF_STATES] = "states",
        [TAKEOFF_THESIS] = "thesis",
        [TAKEOFF_LAWS] = NULL,
};

const char *const landing_law_names[] = {
        [LANDING_SINK] = "sink",
        [LANDING_STATES] = "states",
        [LANDING_THESIS] = "thesis",
        [LANDING_LAWS] = NULL,
};

const char *const avoidance_law_names[] = {
        [AVOIDANCE_OFF] = "off",
        [AVOIDANCE_STATES] = "states",
        [AVOIDANCE_LEVELS] = "levels",
        [AVOIDANCE_LAWS] = NULL,
};

const char *const navigation_law_names[] = {
        [NAVIGATION_SENSORS] = "sensors",
        [NAVIGATION_INERTIAL] = "inertial",
        [NAVIGATION_COLLECTIVE] = "collective",
        [NAVIGATION_LAWS] = NULL,
};

const char *const ground_law_names[] = {
        [GROUND_ESTIMATED] = "estimated",
        [GROUND_WEIGHTED] = "weighted",
        [GROUND_LAWS] = NULL,
};
