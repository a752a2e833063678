/* Where a twin's telemetry comes from: an aircraft that flies elsewhere, its ground station, a motion-capture
 * system, or a log of one of them. A source owns what it is connected by; it never blocks, and allocates nothing
 * after it was opened but for peers that come and go. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/codec/codec.h"
#include "io/link/link.h"
#include "models/signals.h"

/* What goes back: to the real aircraft what its twin's sonars see, to the ground station where the simulated
 * vehicles are. */
struct twin_other {
        const char *name;
        int number; /* of the vehicle in the rig, from 0 */
        struct pose_sample pose;
        struct vec3 vel_ned_mps;
};

struct twin_told {
        int64_t t_ns; /* simulated time */
        int sonars;
        double range_m
                [SONARS_MAX]; /* in the order of the vehicle file; INFINITY: nothing */
        int others;
        const struct twin_other *other;
};

struct twin_setup {
        const char *where; /* link, bus or path, as the rig file says it */
        const char *aircraft; /* name or number, as the source calls it */
        const char *messages,
                *conf; /* ivy: paths of the user's messages.xml, conf.xml; NULL: none */
        struct codec_origin origin;
        int sonars; /* at most SONARS_MAX */
        const struct vec3 *sonar_axis_body; /* of each, where it looks */
        uint32_t needs; /* enum twin_said: a log without is refused */
        int patience_ms; /* how long to try when nobody is there to be connected to */
        bool paced; /* who tells sees to how often: the source holds nothing back */
};

struct twin_counts {
        uint64_t words; /* understood, of this aircraft */
        uint64_t overheard; /* valid, and not of it */
        uint64_t errors; /* malformed, too long, not numbers */
        uint64_t told; /* messages that went out */
        uint64_t dropped; /* in either direction, because a buffer or link was full */
};

struct twin_source;

struct twin_source_ops {
        const char *name; /* as in a rig file: "ivy" */
        const char *what; /* in a few words */
        bool recorded; /* goes by simulated time: lockstep is possible */
        /* NULL with a reason: what and where. */
        struct twin_source *(*open)(const struct twin_setup *setup,
                                    struct link_error *why);
        /* The next word that has come by now_ns (recorded: of simulated time); false: none for now. Bounded work. */
        bool (*take)(struct twin_source *s, int64_t now_ns, struct twin_word *word);
        /* NULL: nothing goes back. */
        void (*tell)(struct twin_source *s, int64_t now_ns, const struct twin_told *told);
        void (*close)(struct twin_source *s);
};

struct twin_source {
        const struct twin_source_ops *ops;
        struct twin_counts counts;
        int fd; /* readable when something waits; -1: ask each tick */
        bool gone; /* it is over: the end of a log, or closed for good */
};

/* All sources, NULL at the end. */
const struct twin_source_ops *const *twin_source_all(void);
/* By name; NULL with a reason: what and where. */
struct twin_source *twin_source_open(const char *name, const struct twin_setup *setup,
                                     struct link_error *why);

/* The sources, one file each. */
struct twin_source *twin_ivy_open(const struct twin_setup *setup, struct link_error *why);
extern const struct twin_source_ops twin_ivy_ops;
struct twin_source *twin_mavlink_open(const struct twin_setup *setup,
                                      struct link_error *why);
extern const struct twin_source_ops twin_mavlink_ops;
struct twin_source *twin_natnet_open(const struct twin_setup *setup,
                                     struct link_error *why);
extern const struct twin_source_ops twin_natnet_ops;
struct twin_source *twin_vrpn_open(const struct twin_setup *setup,
                                   struct link_error *why);
extern const struct twin_source_ops twin_vrpn_ops;
struct twin_source *twin_log_open(const struct twin_setup *setup, struct link_error *why);
extern const struct twin_source_ops twin_log_ops;
extern const struct twin_source_ops twin_hand_ops;
