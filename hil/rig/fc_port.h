/* One flight controller (FC) as the loop sees it: its codec and the links below it. Sends
 * sensor frames, takes in what the FC says, measures how long an answer took, notices
 * when nobody answers. Blocks nowhere. */
#ifndef HIL_RIG_FC_PORT_H
#define HIL_RIG_FC_PORT_H

#include "hil/config/config.h"
#include "hil/time/histogram.h"
#include "hil/record/record.h"
#include "io/codec/codec.h"
#include "io/link/link.h"
#include "io/wire/wire_faults.h"

/* Bytes of the last call's packets that a full link has not taken yet. While there are any, no further
 * frame is sent: the FC never sees half of one, and none that waited behind others. */
#define FC_OUTBOX_BYTES 4096
#define FC_SENT_MAX     1024
#define FC_RANGES_NS    500000000

enum fc_port_state {
        FC_PORT_CLOSED,
        FC_PORT_GREETING, /* open, the FC has not yet said what it takes */
        FC_PORT_READY,
        FC_PORT_GONE /* the link broke, or nothing came for the time-out */
};

struct fc_outbox {
        size_t len;
        uint8_t bytes[FC_OUTBOX_BYTES];
};

/* What the scenario makes of one of the FC's own settings. */
struct fc_option_entry {
        int id; /* the step's */
        const struct fc_option *option;
        int64_t end_ns; /* of simulated time */
};

struct fc_port {
        const struct fc_config *config;
        int vehicle;
        struct codec *codec;
        struct link *link[CODEC_CHANNELS_MAX];
        int64_t beside_ns; /* simulated time of the last look at optional ones, in lockstep */
        int64_t retried_ns; /* host time of the last try to open those that are not there */
        uint32_t fell_silent; /* 1 << channel, until the loop has said so */
        bool silent
                [CODEC_CHANNELS_MAX]; /* an optional one that broke: left alone until reopened */
        /* NULL: the links are as they are; else each is a link_faulty around the real one. */
        struct wire_faults *faults;
        bool lockstep;
        bool mute; /* its motors are seen on their pads: it need not report them, and is not missed */
        uint64_t answers_heard; /* of faults->talk.answers */
        uint64_t bytes_tapped; /* that the FC's ends of faulty wires have got */
        int unplugged; /* faults in force that hold links unplugged */
        bool replugged; /* by a fault that is over: to be taken back even without fc.reconnect */
        struct fc_outbox outbox[CODEC_CHANNELS_MAX];
        int options;
        struct fc_option_entry option
                [SCENARIO_STEPS_MAX]; /* in force, in the order in which they began */
        struct recorder *recorder; /* NULL: do not record */
        bool record_wire; /* every byte too, as its receiver gets it */
        int64_t start_ns; /* host time at which the record's time began */

        enum fc_port_state state;
        struct fc_report report;
        struct motor_command command; /* the newest; all zero before the first */
        uint32_t next_number; /* of the next sensor frame */
        uint32_t answered_number; /* the newest that has been answered, plus 1; 0: none */
        int64_t sent_ns[FC_SENT_MAX]; /* by number, modulo */
        int64_t owed_ns; /* host time since when motors are due; 0: none are */
        int64_t longest_owed_ns; /* that they ever were, while the FC was ready */
        int64_t heard_ns; /* host time of the last motor message, or since when one is due */
        /* What real sonars measured, for the next tick on; INFINITY: nothing. Forgotten when the
         * board has not told it anew for FC_RANGES_NS of simulated time. */
        double real_range_m[SONARS_MAX];
        int64_t ranges_ns;
        bool blocked; /* the last frame was not sent: the link was full */
        bool excused; /* the newest frame will not be waited for any longer */
        int64_t sim_ns; /* simulated time of the tick that the loop is in */
        int64_t loop_ns; /* newest sensor-to-motor time not yet taken, 0: none */
        struct histogram loop;
        struct histogram wire; /* the link's share of it, by time sync */
        uint64_t bytes_sent, bytes_received;
        uint64_t frames_sent, frames_blocked; /* blocked: the link was full */
        uint32_t restarts; /* of the board, seen while it was ready */
};

/* Opens links and codec. False: why says what and where; nothing stays open. */
bool fc_port_open(struct fc_port *port, const struct fc_config *config,
                  const struct codec_setup *setup, int vehicle, struct link_error *why);
/* Tells the FC to disarm: the run is over, however it ended. True: again, some ms later, for it
 * has not said that it is, or nobody can hear it say so. */
bool fc_port_goodbye(struct fc_port *port, int64_t now_ns);
/* Closes everything. Without a goodbye before it, the FC is left to its own fail-safe. */
void fc_port_close(struct fc_port *port);

/* Takes what waits on the links, up to a bound that a well-behaved board does not reach.
 * `until_answer`: stops after the answer to the newest frame, so that lockstep never takes in more
 * than its tick's bytes. A board that has restarted is greeted again, its motors off. */
void fc_port_receive(struct fc_port *port, int64_t now_ns, bool until_answer);

/* What the codec wants to say by itself (hello, time sync, polls), and what the links had
 * not taken. */
void fc_port_poll(struct fc_port *port, int64_t now_ns);

/* Sends one tick's frame; input NULL when unchanged. False when it was not sent. */
bool fc_port_send(struct fc_port *port, int64_t now_ns, const struct sensor_frame *frame,
                  const struct pilot_input *input);

/* Lockstep: how much host time the newest frame may take. Called while waiting, waited_ns after it was
 * sent. False: the FC is to have more of it, though it may have answered. */
bool fc_port_patient(struct fc_port *port, int64_t waited_ns);

/* Every frame sent so far has been answered. With faulty wires: of the frames that reached the FC whole
 * the newest, and its answer came back to the wire's near end, whatever the wire then made of it. */
bool fc_port_answered(const struct fc_port *port);
/* And the links have taken every byte that is due, and given what they had. */
bool fc_port_settled(const struct fc_port *port);

/* Marks the FC as gone when it has owed motors for its time-out, or a hello for that one's; or
 * whatever it said. */
void fc_port_check_silence(struct fc_port *port, int64_t now_ns);
void fc_port_give_up(struct fc_port *port);

/* The link came back: opens again and starts over with hello. False: not yet; never while it is
 * unplugged. */
bool fc_port_reopen(struct fc_port *port, int64_t now_ns);

/* Wire faults (fc_port_wire.c). Prepares for so many different ones, 0 or more; once, after
 * fc_port_open(). False: no memory. */
bool fc_port_wire_open(struct fc_port *port, int faults);
/* One begins, and is over at end_ns of simulated time (INT64_MAX: never). `id` is its own, 0 or more,
 * and what it draws depends on seed, vehicle and id alone. False: too many are in force. */
bool fc_port_wire_begin(struct fc_port *port, const struct wire_fault *fault, int id,
                        uint64_t seed, int64_t end_ns);
/* Ends one that is over at t_ns and returns its id; -1: none is. Before those that begin at t_ns. */
int fc_port_wire_end_due(struct fc_port *port, int64_t t_ns);
/* The loop has come to this tick: what was delayed until now goes on its way, before the tick's own
 * frame. After faults that end and begin at it. */
void fc_port_tick(struct fc_port *port, int64_t tick, int64_t now_ns);
/* In force. */
int fc_port_wire_faults(const struct fc_port *port);
/* What the fault of that id has done so far. */
struct wire_fault_counts fc_port_wire_counts(const struct fc_port *port, int id);

/* Settings of the FC's own (fc_port_option.c). One begins at this tick, and is over at end_ns of
 * simulated time (INT64_MAX: never): then it is what another that is in force makes it, or what the
 * rig file gives it, or nothing. False: the codec has no room for another key. */
bool fc_port_option_begin(struct fc_port *port, const struct fc_option *option, int id,
                          int64_t end_ns);
/* Ends one that is over at t_ns and returns its id; -1: none is. Before those that begin at t_ns. */
int fc_port_option_end_due(struct fc_port *port, int64_t t_ns);
/* The key of an option that the FC was told of more than once and never acknowledged; NULL: none. */
const char *fc_port_option_unheard(const struct fc_port *port);

/* Frames that were to be delayed and for which there was no room. */
uint64_t fc_port_wire_lost(const struct fc_port *port);

/* The FC is gone because a fault holds its link unplugged. */
bool fc_port_unplugged(const struct fc_port *port);
/* A gone FC is to be taken back. */
bool fc_port_may_return(const struct fc_port *port);

/* Frames sent and not answered. */
uint32_t fc_port_unanswered(const struct fc_port *port);

#endif
