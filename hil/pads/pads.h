/* The motor pads of one vehicle's board in the loop. A thread of its own reads the capture and
 * decodes it; the loop takes the newest words, at a tick, as the motor command in place of what the
 * flight controller reports or beside it. Commands have the time of their last edge. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "hil/config/config.h"
#include "hil/judge/motor_comparison.h"
#include "hil/pads/decode.h"
#include "hil/time/ring.h"

enum pads_state {
        PADS_LIVE,
        PADS_GONE /* unplugged or failed; tried again, if the configuration allows */
};

/* From a command's last edge to the tick that it drives, part by part: of the commands that a tick took. Of those
 * that come together the newest alone drives anything, so that one which was held up and overtaken is in
 * none of these parts. The ticks that it should have driven fly with an older one, which `age` shows: it counts at every
 * tick, whether there is something new or not. */
struct pads_latency {
        struct histogram fill; /* waiting in the device until its block was full */
        struct histogram
                transfer; /* until the host had the block, but for the least there is */
        struct histogram decode; /* until the words were out */
        struct histogram wait; /* until the loop's next tick */
        struct histogram whole;
        struct histogram
                age; /* at each tick, of the command in force, from its last edge; not of a motor that
                      * stands because its pad is silent */
        uint64_t
                overtaken; /* commands behind which a newer one came before a tick took them */
};

struct pads_rotor {
        bool silent; /* now */
        uint64_t silences; /* how often it fell silent */
        int64_t silent_ns; /* simulated time of the last */
        bool news; /* of that, until the loop has said so */
        int64_t ready_ns; /* host time at which its newest word was decoded */
};

struct pads {
        const struct pads_config *config;
        bool reconnect;
        int priority;

        /* The thread's. */
        struct capture *capture; /* NULL: gone */
        struct pads_decode decode;
        bool pending; /* decode.now did not fit into the ring yet */
        int64_t lost_ns; /* host time at which the capture was */
        int refusals; /* tries since then that could not open it */
        pthread_t thread;

        /* Between the two. */
        struct ring ring;
        void *ring_memory;
        int event_fd; /* readable when something is in the ring, or the state has changed */
        _Atomic bool stop;
        _Atomic int state; /* enum pads_state */
        _Atomic uint64_t losses; /* of the capture */
        _Atomic uint64_t
                misfits; /* captures in its place that are not like it, and were not taken; each is
                                   * tried again and again, and counted once */
        _Atomic int64_t other_hz; /* of the last of them: ticks a second, rounded, */
        _Atomic int other_pads; /* and inputs */
        _Atomic bool
                refused; /* it could not be opened for a while; why is in refusal until the loop, which
                               * says so, makes this false */
        char refusal[sizeof(((struct link_error *)NULL)->text)];
        _Atomic int64_t skip_tick; /* to go on from here, what is missing is lost; -1 */

        /* The loop's. */
        struct pads_snapshot now;
        int64_t taken_ns; /* host time at which the loop looked last */
        int64_t news_ns; /* and at which there was something new */
        struct motor_command command;
        struct pads_rotor rotor[ROTORS_MAX];
        struct motor_comparison comparison; /* of the rotors */
        struct pads_latency latency;
        uint64_t losses_said, misfits_said;
        bool gone_said; /* and not yet that it is back */
        bool joined; /* the thread has ended */
};

/* Opens the capture and starts the thread; priority: its SCHED_FIFO one, 0: ordinary. NULL with a
 * reason. */
struct pads *pads_open(const struct pads_config *config, bool reconnect, int priority,
                       struct link_error *why);
/* Also without anything opened (NULL). Before this the thread's part must not be looked at. */
void pads_close(struct pads *p);
/* The thread ends as soon as it looks; nothing waits for it. */
void pads_end(struct pads *p);
/* Ends the thread; everything may be looked at from then on. */
void pads_stop(struct pads *p);

/* Takes in what has been decoded. sim_ns: of the tick that is over. In real time a capture that has
 * shown nothing at all for the time of silence, and 50 ms, leaves every motor stopped. */
void pads_take(struct pads *p, int64_t now_ns, int64_t sim_ns);
/* Before the first tick: lets what was decoded by now go by, so that the first command is no old one. */
void pads_pass_over(struct pads *p, int64_t now_ns);
/* Lockstep: everything up to this simulated time has been taken. */
bool pads_reached(const struct pads *p, int64_t sim_ns);
/* Lockstep: nothing more comes although it should: the stream is started anew, and what is missing up to
 * this simulated time is a gap. */
void pads_skip(struct pads *p, int64_t sim_ns);
enum pads_state pads_state(const struct pads *p);
/* Compares with what the flight controller reports at this tick. */
void pads_compare(struct pads *p, const struct motor_command *reported);

/* For pads_open(): the thread (pads_thread.c) that reads p->capture, which is open, and opens it again when it was
 * lost. False with a reason. */
bool pads_thread_start(struct pads *p, struct link_error *why);
