/* A scenario: what is asked of the vehicles, what is done to them, when, and what must be true of the
 * flight for it to have passed. Times are simulated time. */
#pragma once

#include <stdint.h>

#include "hil/scenario/fc_option.h"
#include "hil/formula/requirement.h"
#include "hil/scenario/stimulus.h"
#include "io/wire/fault.h"
#include "models/faults/sensor_fault.h"
#include "models/signals.h"
#include "models/faults/vehicle_fault.h"

/* What a scenario does to the host itself, to see whether the rig notices and says so. */
enum host_fault_kind {
        HOST_STALL, /* the loop does nothing for `by_ns` of host time, as if it were not scheduled */
        HOST_CLOCK_STEP, /* its clock jumps by `by_ns`, forwards or back */
        HOST_FAULT_KINDS
};

struct host_fault {
        enum host_fault_kind kind;
        int64_t by_ns;
};

#define SCENARIO_STEPS_MAX        256
#define SCENARIO_REQUIREMENTS_MAX 64
#define SCENARIO_PAYLOADS_MAX     8
#define SCENARIO_VEHICLES_MAX     256
#define SCENARIO_TRACKS_MAX       8 /* beside the steps of the scenario itself */

/* When a step fires: at the first tick that is not before its time, not before the step above it in its
 * track, and at which its condition holds. */
enum setpoint_from { FROM_START, FROM_ORIGIN };

enum scenario_trigger {
        TRIGGER_TIME, /* at t_ns */
        TRIGGER_AFTER, /* t_ns after the step above it fired; the first one: after the start */
        TRIGGER_WHEN /* when the condition holds of the tick before, at t_ns (latest) even so */
};

/* A jig takes the vehicle where it is, turns it and holds it so until another step lets it go. */
enum scenario_jig { JIG_AS_BEFORE, JIG_HOLD, JIG_RELEASE };

/* What a step does besides piloting and the jig. */
enum scenario_action {
        ACTION_NONE,
        ACTION_STIMULUS,
        ACTION_SENSOR_FAULT,
        ACTION_VEHICLE_FAULT,
        ACTION_WIRE_FAULT,
        ACTION_HOST_FAULT,
        ACTION_FC_OPTION
};

struct scenario_step {
        char name[64]; /* "" where the file gives none */
        int track; /* 0: of the scenario itself */
        enum scenario_trigger trigger;
        int64_t t_ns; /* INT64_MAX of TRIGGER_WHEN: waits for ever */
        struct formula *when; /* of TRIGGER_WHEN, owned */
        int vehicle; /* -1: those that are chosen, or every one */
        bool chooses;
        uint32_t chosen[SCENARIO_VEHICLES_MAX / 32]; /* a bit for each */

        bool flies; /* setpoint is news */
        struct setpoint setpoint;
        enum setpoint_from
                from; /* of its position; FROM_ORIGIN: z counts from the ground plane */
        bool sends_rc; /* rc_us is news */
        uint16_t rc_us[RC_CHANNELS_MAX]; /* 0: not sent */
        bool ends; /* the run */
        enum scenario_jig jig;
        struct quat q_body_to_ned; /* of JIG_HOLD */

        enum scenario_action action;
        int64_t for_ns; /* how long the action lasts; INT64_MAX: to the end */
        union {
                struct stimulus stimulus;
                struct sensor_fault sensor_fault;
                struct vehicle_fault vehicle_fault;
                struct wire_fault wire_fault;
                struct host_fault host_fault;
                struct fc_option fc_option;
        };
};

struct scenario {
        char name[64];
        int64_t duration_ns;
        int steps;
        /* Numbered throughout: those of the scenario itself, then those of each track. Those of one track
         * are in the order in which they fire. */
        struct scenario_step step[SCENARIO_STEPS_MAX];
        int tracks; /* beside track 0 */
        int reserve; /* steps that may yet be added while it flies, behind all others */
        int requirements;
        struct requirement requirement[SCENARIO_REQUIREMENTS_MAX];
};

static inline bool scenario_step_is_for(const struct scenario_step *s, int vehicle)
{
        if (s->chooses)
                return (s->chosen[vehicle / 32] & 1U << vehicle % 32) != 0;
        return s->vehicle < 0 || s->vehicle == vehicle;
}
/* Its only one, or the first of those that it is for. */
static inline int scenario_step_first(const struct scenario_step *s)
{
        int vehicle = 0;

        while (vehicle < SCENARIO_VEHICLES_MAX - 1 && !scenario_step_is_for(s, vehicle))
                vehicle++;
        return vehicle;
}

/* Frees formulas and sequences; the rest is plain data. */
void scenario_free(struct scenario *s);

/* Which steps have fired, track by track. Starts zeroed but for the scenario. */
struct timeline {
        const struct scenario *scenario;
        struct {
                int next; /* none of its steps before this one has yet to fire */
                int64_t fired_ns; /* when the one above the next did */
        } track[SCENARIO_TRACKS_MAX + 1];
};

/* The step that fires at t_ns, or -1; of several tracks, of the first one. Asked again until it says -1:
 * several may fire at one tick. value: of the tick before, as the conditions' names number them; NULL: there
 * was none, and no condition holds. */
int timeline_due(struct timeline *t, int64_t t_ns, const double *value);

/* How many steps have yet to fire; *first: the first of them, where there are any. */
int timeline_left(const struct timeline *t, int *first);

/* What a replay knows of a run: the step fired. False: it is not the next one of its track. */
bool timeline_fire(struct timeline *t, int step, int64_t t_ns);
