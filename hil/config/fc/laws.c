/* Which laws the reference flight controller flies by. */
#include "hil/config/fc/fc.h"

#include "models/fc/laws/attitude_law.h"

static const struct config_field laws_fields[] = {
        { "attitude", CONFIG_CHOICE,
          "From attitude to torque. cascade: its own. kemper_pid, kemper_pd: Kemper's. "
          "hoffmann: PID when slow, PD when fast. dikmen: sliding mode. finken: the "
          "FINken's.",
          .names = attitude_law_names, .preset = "\"cascade\"",
          AT(fc_file, params.law.attitude) },
        { "position", CONFIG_CHOICE,
          "From where to go to tilt. cascade: its own. thesis: Gruber's, position before "
          "heading. finken: the FINken's setTarget. sticks: none, the RC channels.",
          .names = position_law_names, .preset = "\"cascade\"",
          AT(fc_file, params.law.position) },
        { "height", CONFIG_CHOICE,
          "From height to thrust. cascade: its own. finken: the FINken's height hold.",
          .names = height_law_names, .preset = "\"cascade\"",
          AT(fc_file, params.law.height) },
        { "takeoff", CONFIG_CHOICE,
          "climb: its own. states: Micklisch 5.2. thesis: Gruber's.",
          .names = takeoff_law_names, .preset = "\"climb\"",
          AT(fc_file, params.law.takeoff) },
        { "landing", CONFIG_CHOICE,
          "sink: its own. states: Micklisch 5.3. thesis: Gruber's.",
          .names = landing_law_names, .preset = "\"sink\"",
          AT(fc_file, params.law.landing) },
        { "avoidance", CONFIG_CHOICE,
          "Of obstacles, by a ring of sonars. off: none. states: Micklisch's method 1. "
          "levels: his method 2.",
          .names = avoidance_law_names, .preset = "\"off\"",
          AT(fc_file, params.law.avoidance) },
        { "navigation", CONFIG_CHOICE,
          "Where position and velocity come from. sensors: all that it has. inertial: "
          "the IMU alone, from rest. collective: that and the distances to others, who "
          "tell theirs by radio.",
          .names = navigation_law_names, .preset = "\"sensors\"",
          AT(fc_file, params.law.navigation) },
        { "ground", CONFIG_CHOICE,
          "Height above what is below. estimated: its own. weighted: sonar and pressure "
          "by weights.",
          .names = ground_law_names, .preset = "\"estimated\"",
          AT(fc_file, params.law.ground) },
        { "flock", CONFIG_CHOICE,
          "Among other vehicles. off: alone. micklisch: five behaviours. olfati_saber: a "
          "lattice about a virtual leader. vasarhelyi: repulsion, friction and walls. "
          "formation: a place about the target. finken: away from what sonars hear.",
          .names = flock_law_names, .preset = "\"off\"", AT(fc_file, params.law.flock) },
        { NULL },
};

const struct config_table config_laws_table = {
        .name = "fc_laws",
        .about = "Which law it uses at each stage; the first of each is its own.",
        .field = laws_fields,
};

/* The table that holds a law's gains. */
static const char *table_of(enum attitude_law law)
{
        static const char *const table[ATTITUDE_LAWS] = {
                [ATTITUDE_CASCADE] = "control",  [ATTITUDE_KEMPER_PID] = "kemper",
                [ATTITUDE_KEMPER_PD] = "kemper", [ATTITUDE_HOFFMANN] = "hoffmann",
                [ATTITUDE_DIKMEN] = "dikmen",    [ATTITUDE_FINKEN] = "finken",
        };

        return table[law];
}

/* The first desired height must lead to the second state, and that to the third. */
static bool build_takeoff_states(const struct takeoff_states_params *p,
                                 const struct json *node, struct config_error *why)
{
        if (!(p->tolerance_m < p->height_m))
                return config_refuse_at(why, node, "takeoff_states.tolerance_m",
                                        "must be less than height_m, which is %.15g, is "
                                        "%.15g: it would be there on the ground",
                                        p->height_m, p->tolerance_m);
        if (!(p->off_ground_m < p->height_m - p->tolerance_m))
                return config_refuse_at(
                        why, node, "takeoff_states.off_ground_m",
                        "must be less than height_m - tolerance_m, which is %.15g, is "
                        "%.15g: it leaves the ground before it is there",
                        p->height_m - p->tolerance_m, p->off_ground_m);
        if (!(p->first_m > p->off_ground_m))
                return config_refuse_at(
                        why, node, "takeoff_states.first_m",
                        "must be greater than off_ground_m, which is %.15g, is %.15g: it "
                        "would never leave the first state",
                        p->off_ground_m, p->first_m);
        return true;
}

bool config_build_laws(struct fc_params *p, const struct json *node,
                       struct config_error *why)
{
        enum attitude_law law = p->law.attitude;

        /* Channels are counted from 1 in the file. */
        p->sticks.arm_channel--;
        p->sticks.hold_channel--;
        if (!attitude_law_ready(p, law))
                return config_refuse_at(
                        why, node, table_of(law),
                        "has no gains about every axis, and laws.attitude "
                        "is \"%s\"",
                        attitude_law_names[law]);
        if (p->hoffmann.pd_above_mps < p->hoffmann.pid_below_mps)
                return config_refuse_at(why, node, "hoffmann.pd_above_mps",
                                        "must be at least pid_below_mps, which is %.15g",
                                        p->hoffmann.pid_below_mps);
        return build_takeoff_states(&p->takeoff_states, node, why);
}
