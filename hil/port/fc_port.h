/* One flight controller (FC) as the loop sees it: its codec and the links below it. Sends
 * sensor frames, takes in what the FC says, notices when nobody answers. Blocks nowhere. Its parts are subjects
 * of their own: the links, the faults of their wires, the talk of frames and answers, the FC's options. */
#pragma once

#include "hil/port/fc_links.h"
#include "hil/port/fc_options.h"
#include "hil/port/fc_talk.h"

#define FC_RANGES_NS 500000000

enum fc_port_state {
        FC_PORT_CLOSED,
        FC_PORT_GREETING, /* open, the FC has not yet said what it takes */
        FC_PORT_READY,
        FC_PORT_GONE /* given up: fc_port.loss says why */
};

/* Why an FC is given up, or was last. */
enum fc_loss {
        FC_LOSS_NONE,
        FC_LOSS_GONE, /* the link was closed at the other end, or broke */
        FC_LOSS_UNPLUGGED, /* by a fault of the scenario */
        FC_LOSS_SILENT, /* the link is open, and nothing came */
        FC_LOSS_MALFORMED, /* bytes came, but no valid message, or mostly wrong ones */
        FC_LOSS_OUT_OF_STEP, /* motors came, but for other frames than those that wait */
        FC_LOSS_NO_MOTORS, /* valid messages came, but no motors */
        FC_LOSS_NO_HELLO, /* or, at the start, no hello */
        FC_LOSS_REFUSED /* it cannot fly this vehicle, or is not what the rig file says */
};

/* The most serious of its words since it was armed, and the first of those; "": it gave no warning. */
struct fc_gravest {
        bool counts; /* it has been armed */
        enum fc_severity severity;
        int64_t t_ns; /* of simulated time */
        char text[sizeof((struct fc_report *)NULL)->text];
};

/* Packets that the board sends by radio, until the loop takes them; more than these between two ticks are lost. */
#define FC_PEERS_MAX 8

struct fc_peers {
        int count;
        struct peer_packet packet[FC_PEERS_MAX];
        uint64_t dropped;
};

/* What has come so far. */
struct fc_heard {
        uint64_t bytes, messages;
        uint64_t wrong; /* messages: by their checksum, or impossible */
        uint64_t astray, motors;
};

struct fc_port {
        const struct fc_config *config;
        int vehicle;
        bool lockstep;
        bool shipped; /* it may say nothing before its sensors come, and its motors now and then */
        bool mute; /* its motors are seen on their pads: it need not report them, and is not missed */
        enum fc_port_state state;
        enum fc_loss loss;
        struct fc_heard heard; /* when the silence began that talk.heard_ns tells of */
        uint64_t motors_heard; /* motor messages */
        struct codec *codec;
        struct fc_links links;
        struct fc_talk talk;
        struct fc_options options;
        struct recorder *recorder; /* of what the FC says; NULL: none */
        const char *name; /* before what it says, in the record; NULL: it is alone */

        struct fc_report report;
        struct fc_gravest gravest;
        struct motor_command command; /* the newest; all zero before the first */
        int64_t sim_ns; /* simulated time of the tick that the loop is in */
        int64_t beside_ns; /* of the last look at optional channels, in lockstep */
        /* What real sonars measured, for the next tick on; INFINITY: nothing. Forgotten when the
         * board has not told it anew for FC_RANGES_NS of simulated time. */
        double real_range_m[SONARS_MAX];
        int64_t ranges_ns;
        struct fc_peers peers;
        uint32_t restarts; /* of the board, seen while it was ready */
        int64_t reopened_ns; /* host time of the last try to reach one that is to be told goodbye */
};

/* Opens links and codec. False: why says what and where; nothing stays open. */
bool fc_port_open(struct fc_port *port, const struct fc_config *config,
                  const struct codec_setup *setup, int vehicle, struct link_error *why);
/* Puts what the FC says into the record, whose time begins now; with `wire` every byte, too. Its words follow
 * `name`, unless that is NULL. */
void fc_port_record(struct fc_port *port, struct recorder *recorder, const char *name,
                    bool wire, int64_t now_ns);
/* The flight is over, and its faults with it. An FC that had only fallen silent is listened to again. */
void fc_port_leave(struct fc_port *port);
/* Tells the FC to disarm. A lost link is tried again now and then. */
void fc_port_goodbye(struct fc_port *port, int64_t now_ns);
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

/* What its radio has heard, before the tick's frame. Packets that the link does not take are lost. */
void fc_port_hear_peers(struct fc_port *port, int64_t now_ns,
                        const struct peer_packet *packet, int count);

/* Lockstep, while waiting, waited_ns after the newest frame was sent: how much more host time the FC is to have
 * for it, though it may have answered. One that has had the most that its codec gives is excused from answering. */
int64_t fc_port_rest_ns(struct fc_port *port, int64_t waited_ns);

/* Every frame sent so far has been answered. With faulty wires: of the frames that reached the FC whole
 * the newest, and its answer came back to the wire's near end, whatever the wire then made of it. */
bool fc_port_answered(const struct fc_port *port);
/* A frame waits for its answer, or for the link. */
static inline bool fc_port_owes(const struct fc_port *port)
{
        return port->talk.blocked || !fc_port_answered(port);
}
/* And the links have taken every byte that is due, and given what they had. */
bool fc_port_settled(const struct fc_port *port);

/* Marks the FC as gone when it has owed motors for its time-out, not counting how long the host kept it from
 * running, or a hello for that one's; or whatever it said. */
void fc_port_check_silence(struct fc_port *port, int64_t now_ns);
void fc_port_give_up(struct fc_port *port);
/* Why it would be given up now. */
enum fc_loss fc_port_loss(const struct fc_port *port);
struct fc_heard fc_port_heard(const struct fc_port *port);
/* "silent"; "" for FC_LOSS_NONE. */
const char *fc_loss_name(enum fc_loss loss);
/* port->loss with what was and was not heard; of `when` " at 1.2 s" comes "silent at 1.2 s: ...". */
void fc_port_describe_loss(const struct fc_port *port, const char *when, char *text,
                           size_t cap);

/* The link came back: opens again and starts over with hello. False: not yet; never while it is
 * unplugged. */
bool fc_port_reopen(struct fc_port *port, int64_t now_ns);
/* The FC is gone because a fault holds its link unplugged. */
static inline bool fc_port_unplugged(const struct fc_port *port)
{
        return port->links.faults.unplugged > 0;
}
/* A gone FC is to be taken back. */
static inline bool fc_port_may_return(const struct fc_port *port)
{
        return port->config->reconnect || port->links.faults.replugged;
}

/* A fault of its wires, which fc_links_make_faulty() has prepared for, begins and is over at end_ns of simulated
 * time (INT64_MAX: never). `id` is its own, 0 or more, and what it draws depends on seed, vehicle and id alone.
 * False: too many are in force. */
bool fc_port_fault_begin(struct fc_port *port, const struct wire_fault *fault, int id,
                         uint64_t seed, int64_t end_ns);
/* The loop has come to this tick: what faulty wires delayed until now goes on its way, before the tick's own
 * frame. After faults that end and begin at it. */
void fc_port_tick(struct fc_port *port, int64_t tick, int64_t now_ns);

/* What an FC says (fc_news.c): takes what is fresh in port->report. */
void fc_news_take(struct fc_port *port, int64_t now_ns);
/* Its real sonars see nothing any more. */
void fc_news_forget_ranges(struct fc_port *port);
/* From now on it owes an answer, or gave the one that it owed. */
void fc_port_begin_silence(struct fc_port *port, int64_t now_ns);
