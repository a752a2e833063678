/* summary.json and what a run prints at its end. */
#pragma once

#include <stdio.h>

#include "hil/rig/rig.h"
#include "hil/text/json.h"

/* Host time when each part of the start was over; the rest is in the rig. 0: never. */
struct summary_start {
        int64_t main_ns; /* the program was loaded, and main() began */
        int64_t read_ns; /* the configuration */
        int64_t opened_ns; /* links, and the run folder */
        int64_t ready_ns; /* flight controllers started, record open */
};

struct summary {
        const char *config_path;
        struct summary_start start;
        char config_sha256[65];
        enum verdict verdict;
        char reason[900]; /* of the verdict, in words */
        struct record_totals record;
};

/* The text of summary.json, freed by the caller; NULL: out of memory. */
char *summary_json(const struct summary *s, const struct rig *rig);

/* For people: verdict, requirements, link, latency. */
void summary_print(FILE *out, const struct summary *s, const struct rig *rig);

/* An object "fleet", and a line for each metric in which less is better; nothing of fewer vehicles. */
void summary_fleet_json(struct json *parent, const struct rig *rig);
void summary_fleet_print(FILE *out, const struct rig *rig);
/* Of how many vehicles the flight controller says what this one's does, itself included; 0: that of one before it
 * says so, too. */
int summary_fleet_alike(const struct rig *rig, int vehicle);

/* JUnit XML: one test case a requirement, and one for the run itself. */
char *summary_junit(const struct summary *s, const struct rig *rig);

/* Of all flight controllers together. */
struct summary_link_totals {
        uint64_t frames_sent, frames_received, crc_errors, lost, bytes_sent,
                bytes_received;
        struct histogram loop, wire;
};
void summary_links_add_up(struct summary_link_totals *sum, const struct rig *rig);
/* The links: arrays "flight_controllers" and "warnings". */
void summary_links_json(struct json *parent, const struct rig *rig);
void summary_warnings_print(FILE *out, const struct rig *rig);

/* The motor pads: after pads_stop(), nothing where none are watched. */
void summary_pads_print(FILE *out, const struct rig_vehicle *v);
/* How far apart a motor is from what is reported for it, and as which rotor it moves. */
void summary_add_difference(struct json *o, const struct motor_comparison *c, int rotors,
                            int i);

/* An array "pads": one object for each vehicle whose pads are watched. */
void summary_pads_json(struct json *parent, const struct rig *rig);

/* An array "twins", where there are any. */
void summary_twins_json(struct json *root, const struct rig *rig);
void summary_twin_print(FILE *out, const struct rig_vehicle *v);

/* The flight controllers' processes: what is to be said of one, and an array "processes", one object for each
 * vehicle. */
void summary_process_print(FILE *out, const struct rig_vehicle *v);
void summary_process_json(struct json *root, const struct rig *rig);

/* What became of a mission, where one was flown: an object "mission" with an array "items"; a line an item. */
void summary_mission_json(struct json *root, const struct rig *rig);
void summary_mission_print(FILE *out, const struct rig *rig);
