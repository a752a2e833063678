/* The faults that a scenario puts on the wires to one flight controller (FC), or to a device at one of its ports, as they
 * begin and end. Without any, each of these finds nothing amiss. */
#pragma once

#include "io/link/link.h"
#include "io/wire/fault.h"

struct fc_faults {
        struct wire_faults *all; /* NULL: the wires are as they are */
        struct link *const *link; /* each a link_faulty, borrowed */
        int links;
        uint64_t answers_heard; /* of all->talk.answers */
        int unplugged; /* faults in force that hold links unplugged */
        bool replugged; /* by a fault that is over: to be taken back even without fc.reconnect */
};

/* A new conversation with the FC. */
void fc_faults_start_over(struct fc_faults *f);
/* The FC has said what it takes. */
void fc_faults_be_ready(struct fc_faults *f);
/* The run is over, and its faults with it. */
void fc_faults_finish(struct fc_faults *f);
void fc_faults_close(struct fc_faults *f);

/* As fc_port_fault_begin(). */
bool fc_faults_begin(struct fc_faults *f, const struct wire_fault *fault, int id,
                     uint64_t seed, int64_t end_ns);
/* It is over at t_ns, if it is in force. */
void fc_faults_lift(struct fc_faults *f, int id, int64_t t_ns);
/* Ends one that is over at t_ns and returns its id; -1: none is. Before those that begin at t_ns. */
int fc_faults_end_due(struct fc_faults *f, int64_t t_ns);

/* A frame reached the FC whole, and its answer has not come back to the wire's near end. */
bool fc_faults_awaiting(const struct fc_faults *f);
/* Nobody will answer. */
void fc_faults_stop_awaiting(struct fc_faults *f);
/* Answers came back since the last call, whatever the wire then made of them. */
bool fc_faults_heard(struct fc_faults *f);

int fc_faults_in_force(const struct fc_faults *f);
/* What the fault of that id has done so far. */
struct wire_fault_counts fc_faults_counts(const struct fc_faults *f, int id);
/* Frames that were to be delayed and for which there was no room. */
uint64_t fc_faults_lost(const struct fc_faults *f);
