/* What a scenario's steps do to one vehicle while it flies: jigs, stimuli, faults of its sensors and of
 * its own. The loop and a replay do it alike; what a step does to the pilot, the wire or the host is the
 * loop's alone. */
#pragma once

#include "hil/scenario/scenario.h"
#include "models/vehicle/vehicle.h"

/* A step's action on one vehicle. */
struct action {
        int step;
        const struct scenario_step *of;
        bool on; /* in force */
        int64_t begin_ns, end_ns;
        union {
                struct sensor_fault_state sensor;
                struct vehicle_fault_state vehicle;
        };
};

struct actions {
        int count;
        struct action *list; /* one for each step that acts, in their order */
        int in_force; /* of any kind */
        bool stimulates; /* some of `list` are stimuli */
        bool impossible; /* the loads of its vehicle faults together belonged to no body */
};

/* False: no memory. */
bool actions_open(struct actions *a, const struct scenario *s, int vehicle);
void actions_close(struct actions *a);
/* A step that was added while it flies, of the scenario's reserve; allocates nothing. */
void action_admit(struct actions *a, const struct scenario *s, int step, int vehicle);

/* That of a step is over at t_ns, unless it is sooner. */
void action_lift(struct actions *a, int step, int64_t t_ns);

/* The vehicle whose actions these are. */
struct action_target {
        struct actions *actions;
        const struct vehicle_params *pristine; /* prepared, without any fault */
        struct vehicle_params *params; /* what it flies with */
        struct vehicle *vehicle;
        const struct sensor_frame *last; /* what was sent last */
        uint64_t seed;
        uint32_t index;
};

/* Step `step` has fired at t_ns, the end of the period that begins. */
void action_begin(const struct action_target *at, const struct scenario *s, int step,
                  int64_t t_ns);

/* Ends one action whose time is over and says which step's it was; -1: none is left to end. */
int action_end_due(const struct action_target *at, int64_t t_ns);

/* Before the vehicle moves through the period that ends at t_ns: what pushes it, and what becomes of the
 * flight controller's command on its way to the motors. */
void actions_before(const struct action_target *at, int64_t t_ns,
                    struct motor_command *command);

/* After it: what becomes of the sensors' frame on its way to the flight controller. */
void actions_after(const struct action_target *at, int64_t t_ns,
                   struct sensor_frame *frame);

/* What faults do to its radio: *lost, and the loudest noise at it; -INFINITY: none. */
void actions_radio(const struct actions *a, bool *lost, double *noise_dbm);

/* What stimuli add to one of the pilot's inputs: set-points and RC channels. */
double actions_pilot(const struct actions *a, enum stimulus_input input, int index,
                     int64_t t_ns);
