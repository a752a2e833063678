/* Lockstep: the next tick waits for every flight controller's answer to this one, as far as the wire
 * let this one through. Host time only decides when nobody answers any more. */
#include "hil/rig/loop.h"
#include "hil/time/busy_wait.h"

#include <stdio.h>

/* Host time that an FC was given. A host that stood still as a whole gave it none: what is longer than
 * the loop's own sleep counts as that. */
struct waiting {
        int64_t begin_ns, last_ns, waited_ns;
};

#define SLEEP_NS (10 * NS_PER_MS)

/* No simulated time is lost by waiting, and an FC that shares a busy host may get no processor for a second:
 * while the host keeps it from running, it has so many times fc.timeout_ms. */
#define PATIENCE 10

/* Of a host without an idle processor other things come late, too, which nothing tells of: the kernel's threads that carry a
 * pseudo-terminal's bytes, a processor of a virtual machine that its own host took away. */
#define PATIENCE_CROWDED 3

static bool given_up_on(const struct rig_vehicle *v, const struct waiting *w)
{
        int64_t timeout_ns = v->config->fc.timeout_ns;
        bool crowded = loop_was_crowded(v, w->waited_ns);
        /* Only of a silence it is known how long the host kept it from running. */
        bool could_run = fc_port_owes(&v->port) &&
                         w->waited_ns - v->port.talk.held_ns >
                                 (crowded ? PATIENCE_CROWDED : 1) * timeout_ns;

        return could_run || w->waited_ns > PATIENCE * timeout_ns;
}

static struct waiting waiting_from(int64_t now_ns)
{
        return (struct waiting){ now_ns, now_ns, 0 };
}

static void waiting_go_on(struct waiting *w)
{
        int64_t now_ns = clock_now_ns(), since_ns = now_ns - w->last_ns;

        w->waited_ns += since_ns < 2 * SLEEP_NS ? since_ns : 2 * SLEEP_NS;
        w->last_ns = now_ns;
}

/* How much more host time the FCs are to have for this tick's frame, whatever they answer. */
static int64_t rest_ns(struct rig *rig, int64_t waited_ns)
{
        int64_t most_ns = 0;

        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                int64_t ns = v->sent ? fc_port_rest_ns(&v->port, waited_ns) : 0;

                v->rests = ns > 0;
                most_ns = ns > most_ns ? ns : most_ns;
        }
        return most_ns;
}

static void receive_answers(struct rig *rig, const struct waiting *w)
{
        int64_t waited_ns = w->waited_ns;

        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (!loop_is_awaited(v))
                        continue;
                fc_port_receive(&v->port, w->last_ns, true);
                if (waited_ns > 0)
                        loop_watch_process(v, w->last_ns);
                if (!v->lost && given_up_on(v, w) && !fc_port_settled(&v->port)) {
                        loop_notice_held(rig, v, waited_ns);
                        fc_port_give_up(&v->port);
                }
                loop_notice_gone(rig, v);
        }
        loop_take_pads(rig, w->last_ns);
        loop_check_pads(rig, waited_ns);
}

/* For how long a look would find nothing, or nothing that the next tick may begin with. */
static int64_t sleep_before_look_ns(struct rig *rig, int64_t now_ns, bool awaited)
{
        int64_t least_ns = rest_ns(rig, 0);
        bool idle = awaited && least_ns == 0 && loop_pads_reached(rig);
        int64_t sleep_ns = busy_wait_begin(&rig->busy, now_ns, idle ? SLEEP_NS : 0);

        return least_ns > sleep_ns ? least_ns : sleep_ns;
}

/* Returns when every FC has answered this tick's frame, or is gone. Bytes that a link did not take
 * are waited for too: the next frame must not find it full, or it would depend on the host. Whether the run is to stop
 * is system calls: they are made when a long sleep has brought no answer, and now and then between ticks. */
static void wait_for_answers(struct rig *rig)
{
        struct waiting w = waiting_from(clock_now_ns());
        bool awaited = !loop_all_settled(rig);
        int64_t look_ns = w.begin_ns + sleep_before_look_ns(rig, w.begin_ns, awaited);
        bool slept = look_ns > w.begin_ns;

        for (; loop_running(rig); waiting_go_on(&w)) {
                int64_t left_ns = look_ns - w.last_ns;

                if (left_ns > 0) {
                        loop_wait_for_awaited(rig,
                                              left_ns < SLEEP_NS ? left_ns : SLEEP_NS);
                        waiting_go_on(&w);
                        /* Timers are late, too. */
                        if (look_ns < w.last_ns)
                                look_ns = w.last_ns;
                }
                receive_answers(rig, &w);
                left_ns = rest_ns(rig, w.waited_ns);
                if (left_ns == 0 && loop_all_settled(rig) && loop_pads_reached(rig)) {
                        /* Of a tick without a frame nothing is learned. */
                        if (awaited)
                                busy_wait_learn(&rig->busy, w.last_ns - w.begin_ns,
                                                slept);
                        return;
                }
                if (left_ns == 0 && busy_wait_again(&rig->busy, look_ns)) {
                        slept = false;
                        continue;
                }
                for (int i = 0; i < config_boards(rig->config); i++)
                        fc_port_poll(&rig->vehicle[i].port, w.last_ns);
                if (w.waited_ns >= SLEEP_NS)
                        loop_check_stop(rig);
                loop_wait_for_awaited(rig, left_ns > 0 && left_ns < SLEEP_NS ? left_ns
                                                                             : SLEEP_NS);
                slept = true;
        }
}

static bool push_wires(struct rig *rig, const struct waiting *w)
{
        bool pushed = true;

        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (v->port.state == FC_PORT_GONE || fc_links_pushed(&v->port.links))
                        continue;
                if (!fc_links_push(&v->port.links, w->last_ns) || given_up_on(v, w))
                        fc_port_give_up(&v->port);
                loop_notice_gone(rig, v);
                pushed = false;
        }
        return pushed;
}

/* What faulty wires release at the tick's beginning is handed over before its own frame: else that would
 * find the link full, or not, as the host has it. */
static void wait_for_wires(struct rig *rig, int64_t now_ns)
{
        struct waiting w = waiting_from(now_ns);

        for (; loop_running(rig) && !push_wires(rig, &w); waiting_go_on(&w)) {
                if (busy_wait_again(&rig->busy, w.begin_ns))
                        continue;
                loop_check_stop(rig);
                clock_sleep_until(clock_now_ns() + 100 * NS_PER_US);
        }
}

static void give_up_waiting(struct rig *rig, struct rig_vehicle *v)
{
        char text[300];

        snprintf(text, sizeof text, "%s: lost at %.3f s and did not return",
                 v->config->name, (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '3', text);
        loop_lose_board(rig, v, FC_LOST, text);
}

/* For one that a fault holds unplugged the time goes on, and for one that is lost. */
static bool is_waited_for(const struct rig_vehicle *v)
{
        return v->port.state != FC_PORT_READY && v->port.state != FC_PORT_CLOSED &&
               !v->lost && !fc_port_unplugged(&v->port);
}

/* Simulated time stands still until a lost FC is back, if it may come back. */
static void wait_for_return(struct rig *rig, struct rig_vehicle *v)
{
        int64_t begin_ns = clock_now_ns();
        int64_t now_ns = begin_ns;

        while (loop_running(rig) && v->port.state != FC_PORT_READY && !v->lost) {
                loop_try_reopen(v, now_ns);
                fc_port_poll(&v->port, now_ns);
                fc_port_receive(&v->port, now_ns, false);
                loop_notice_gone(rig, v);
                loop_check_stop(rig);
                if (now_ns - begin_ns > v->config->fc.hello_timeout_ns)
                        give_up_waiting(rig, v);
                clock_sleep_until(now_ns + 10 * NS_PER_MS);
                now_ns = clock_now_ns();
        }
}

void pace_lockstep_run(struct rig *rig)
{
        while (rig->tick < rig->ticks && loop_running(rig)) {
                struct lateness late = { 0 };

                loop_hold_for_page(rig);
                if (!loop_running(rig))
                        return;
                for (int i = 0; i < config_boards(rig->config); i++)
                        if (is_waited_for(&rig->vehicle[i]))
                                wait_for_return(rig, &rig->vehicle[i]);
                late.wake_ns = clock_now_ns();
                loop_begin_tick(rig, &late);
                wait_for_wires(rig, late.wake_ns);
                loop_fly_tick(rig, &late);
                wait_for_answers(rig);
                if (rig->tick % 64 == 0)
                        loop_check_stop(rig);
        }
}
