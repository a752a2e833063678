/* One twin: words from a source become the motion of a vehicle of the rig, and what its sonars see goes back. Times
 * are simulated ones but where it says host time. Nothing here blocks. */
#pragma once

#include "hil/config/config.h"
#include "hil/time/histogram.h"
#include "io/twin/source.h"
#include "models/twin/attitude_twin.h"
#include "models/twin/overlap.h"
#include "models/twin/pose_track.h"
#include "models/twin/source_clock.h"
#include "models/vehicle/vehicle.h"

/* Without which the law has nothing to show: TWIN_POSITION or TWIN_ATTITUDE. */
static inline uint32_t twin_needs(const struct twin_config *t)
{
        return t->law == TWIN_POSE ? TWIN_POSITION : TWIN_ATTITUDE;
}

/* Of what was shown, against what was said later of the same moment. */
struct twin_error {
        uint64_t count;
        double square_sum, most;
        double expected_sum; /* of the variances that the filter expected */
};

struct twin {
        const struct twin_config *config;
        const struct vehicle_config *vehicle;
        struct twin_source *source; /* NULL: its words come from a record */
        double hover_duty;
        struct vec3 offset_ned_m;
        bool placed; /* offset_ned_m is known */
        struct pose_track track;
        struct attitude_twin attitude;
        struct attitude_twin_ask ask;
        double throttle_ratio; /* as it said last; NAN: it does not say */
        double ground_down_m;
        int64_t height_ns; /* when it last said how high it is: ask.height_m */
        struct source_clock clock;
        bool heard, silent, news; /* news: since it was told */
        int64_t heard_ns, began_ns, told_ns;
        int64_t host_ns; /* host time at which the last word arrived */
        uint64_t impossible, late, silences;
        int64_t silent_ns; /* the longest */
        struct histogram interval,
                delay; /* from word to word; beyond the fastest one's */
        struct histogram answer; /* host time: from a word to what goes back */
        struct twin_error place, turn; /* m, rad */
        struct overlap overlap;
};

/* Reads nothing yet. controller: of law attitude. */
void twin_init(struct twin *t, const struct vehicle_config *vehicle,
               const struct world *world);
/* Connects it to its source. */
bool twin_open(struct twin *t, const struct codec_origin *origin, struct link_error *why);
void twin_close(struct twin *t);

/* The next word that has come by now, in the rig's axes and simulated time; false: none. start_ns: host time of simulated
 * time 0, for sources that are not recorded. */
bool twin_take(struct twin *t, int64_t host_ns, int64_t start_ns, int64_t sim_ns,
               struct twin_word *word);

/* What it made of a word. */
struct twin_heard {
        int64_t delay_ns; /* how old it was, with config->delay_ns */
        struct pose_surprise surprise;
};

/* False: it is not of numbers that can be. One that is older than the newest moves nothing, but was heard: a replay
 * must hear it, too. */
bool twin_hear(struct twin *t, const struct twin_word *word, struct twin_heard *heard);

enum twin_change { TWIN_AS_BEFORE, TWIN_FELL_SILENT, TWIN_IS_BACK };

/* Once a tick, after the words. */
enum twin_change twin_listen(struct twin *t, int64_t sim_ns);

/* The command of the period that ends at end_ns: by law attitude; or what turns the rotors of one that is placed. */
void twin_motor_command(struct twin *t, const struct vehicle *v, int64_t end_ns,
                        double period_s, struct motor_command *command);
/* Law pose: puts the vehicle where it is at end_ns. */
void twin_place(struct twin *t, struct vehicle *v, int64_t end_ns);
/* Nothing sees it: it has not been heard yet, or is silent and leaves then. */
bool twin_is_away(const struct twin *t, int64_t sim_ns);

/* What goes back, where it is due. host_ns() is asked only then. True: it went out. */
bool twin_tell(struct twin *t, int64_t sim_ns, const struct sensor_frame *frame,
               int sonars, int others, const struct twin_other *other,
               int64_t (*host_ns)(void));

/* Both are the same aircraft, and this is what the other is like now. */
void twin_overlap(struct twin *t, int64_t sim_ns, const struct body_state *is,
                  const struct body_state *other);
