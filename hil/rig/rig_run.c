/* A run from the first hello to its end. */
#include "hil/rig/loop.h"

#include <stdio.h>

/* True when the FC has said what it takes. Ends the run when it has not for too long. */
static bool greeted(struct rig *rig, struct rig_vehicle *v, int64_t now_ns,
                    int64_t begin_ns)
{
        struct fc_port *port = &v->port;
        char text[300];

        fc_port_receive(port, now_ns, false);
        loop_notice_refusal(rig, v, false);
        if (port->state == FC_PORT_READY)
                return true;
        fc_port_poll(port, now_ns);
        if (port->state != FC_PORT_GONE &&
            now_ns - begin_ns < v->config->fc.hello_timeout_ns)
                return false;
        snprintf(text, sizeof text, "%s: %s: %s", v->config->name,
                 port->links.link[0]->name,
                 port->state == FC_PORT_GONE ? "gone before it answered"
                                             : port->codec->ops->complaint(port->codec));
        loop_finish(rig, END_NO_HELLO, text);
        return false;
}

/* The captures run already. */
static void pass_over_pads(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                if (rig->vehicle[i].pads != NULL)
                        pads_pass_over(rig->vehicle[i].pads, clock_now_ns());
}

/* Asks every FC who it is; simulated time has not begun yet. */
static void greet(struct rig *rig)
{
        int64_t begin_ns = clock_now_ns();
        bool ready = false;

        while (!ready && loop_running(rig)) {
                int64_t now_ns = clock_now_ns();

                ready = true;
                for (int i = 0; i < rig->config->vehicles; i++)
                        if (!greeted(rig, &rig->vehicle[i], now_ns, begin_ns))
                                ready = false;
                pass_over_pads(rig);
                loop_check_stop(rig);
                if (!ready)
                        clock_sleep_until(now_ns + NS_PER_MS);
        }
}

static void fly_realtime(struct rig *rig)
{
        realtime_enter(&rig->realtime, &rig->config->realtime);
        if (rig->realtime.missing[0] != '\0')
                loop_say(rig, '4', rig->realtime.missing);
        pass_over_pads(rig);
        rig->start_ns = clock_now_ns() + rig->config->period_ns;
        pace_realtime_run(rig);
        realtime_leave(&rig->realtime);
}

#define GOODBYES    10
#define GOODBYE_GAP (20 * NS_PER_MS)

/* Never leaves a board armed if it can be reached: the word may be lost, and a board may refuse it
 * while it flies. */
static void say_goodbye(struct rig *rig)
{
        for (int n = 0; n < GOODBYES; n++) {
                bool armed = false;

                for (int i = 0; i < rig->config->vehicles; i++) {
                        struct fc_port *port = &rig->vehicle[i].port;

                        if (n > 0)
                                fc_port_receive(port, clock_now_ns(), false);
                        armed |= fc_port_goodbye(port, clock_now_ns());
                }
                if (!armed)
                        return;
                clock_sleep_until(clock_now_ns() + GOODBYE_GAP);
        }
}

/* What they show after the end is of no flight. One that is being opened anew may take seconds, which the
 * goodbye does not wait for. */
static void stop_pads(struct rig *rig, bool all)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct pads *p = rig->vehicle[i].pads;

                if (p != NULL && (all || pads_state(p) == PADS_LIVE))
                        pads_stop(p);
        }
}

static void judge_wiring(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                char why[WIRING_TEXT_MAX], text[WIRING_TEXT_MAX + 80];

                wiring_decide(&v->wiring);
                wiring_describe(&v->wiring, why, sizeof why);
                snprintf(text, sizeof text, "%s: %s", v->config->name, why);
                if (why[0] != '\0')
                        loop_say(rig, '3', text);
        }
}

void rig_run(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                fc_port_record(&rig->vehicle[i].port, rig->recorder,
                               rig->config->log.wire, clock_now_ns());
        greet(rig);
        if (loop_running(rig))
                loop_find_processes(rig);
        rig->start_ns = clock_now_ns();
        for (int i = 0; i < rig->config->vehicles; i++)
                rig->vehicle[i].port.talk.heard_ns = rig->start_ns;
        if (loop_running(rig) && rig->config->pace == PACE_LOCKSTEP)
                pace_lockstep_run(rig);
        else if (loop_running(rig))
                fly_realtime(rig);
        rig->end_ns = clock_now_ns();
        stop_pads(rig, false);
        say_goodbye(rig);
        stop_pads(rig, true);
        judge_wiring(rig);
        judge_finish(&rig->judge, loop_sim_ns(rig));
        loop_finish(rig, END_COMPLETED, "completed");
}
