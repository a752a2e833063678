/* A run from the first hello to its end. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* True when the FC has said what it takes. Ends the run when it has not for too long. */
static bool greeted(struct rig *rig, struct rig_vehicle *v, int64_t now_ns,
                    int64_t begin_ns)
{
        struct fc_port *port = &v->port;

        if (v->twin != NULL)
                return loop_twin_met(rig, v, now_ns, begin_ns);
        if (port->state == FC_PORT_CLOSED)
                return true; /* a station of ports alone */
        fc_port_receive(port, now_ns, false);
        loop_notice_refusal(rig, v, false);
        loop_notice_armed(rig, v);
        if (port->state == FC_PORT_READY || port->shipped)
                return true;
        fc_port_poll(port, now_ns);
        if (port->state != FC_PORT_GONE && !port->report.refused &&
            now_ns - begin_ns < v->config->fc.hello_timeout_ns)
                return false;
        port->loss = fc_port_loss(port);
        loop_end_unmet(rig, v);
        return false;
}

/* The captures run already. */
static void pass_over_pads(struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->vehicle[i].pads != NULL)
                        pads_pass_over(rig->vehicle[i].pads, clock_now_ns());
}

/* A millisecond, or until bytes come. A link that is readable and brings none has nobody at its other end yet. */
static void await_words(struct rig *rig, int64_t now_ns, bool *idle)
{
        if (*idle)
                clock_sleep_until(now_ns + NS_PER_MS);
        *idle = !*idle && loop_wait_for_bytes(rig, NS_PER_MS) > 0;
}

/* Asks every FC who it is; simulated time has not begun yet. */
static void greet(struct rig *rig)
{
        int64_t begin_ns = clock_now_ns();
        bool ready = false, idle = false;
        uint64_t heard = 0;

        while (!ready && loop_running(rig)) {
                int64_t now_ns = clock_now_ns();

                ready = true;
                for (int i = 0; i < config_boards(rig->config); i++)
                        if (!greeted(rig, &rig->vehicle[i], now_ns, begin_ns))
                                ready = false;
                pass_over_pads(rig);
                loop_check_stop(rig);
                idle = idle && loop_bytes_received(rig) == heard;
                heard = loop_bytes_received(rig);
                if (!ready)
                        await_words(rig, now_ns, &idle);
        }
}

/* Waking a thread costs about what a vehicle's step does: fewer for each are not worth it. */
#define VEHICLES_PER_THREAD 8

static void open_crew(struct rig *rig)
{
        int threads = rig->config->realtime.threads, vehicles = rig->config->vehicles;
        long cpus = sysconf(_SC_NPROCESSORS_ONLN);

        if (threads == 0)
                threads = vehicles / VEHICLES_PER_THREAD < cpus
                                  ? vehicles / VEHICLES_PER_THREAD
                                  : (int)cpus;
        if (threads > vehicles)
                threads = vehicles;
        if (threads > 1)
                rig->crew = crew_open(threads);
}

static void fly_realtime(struct rig *rig)
{
        realtime_enter(&rig->realtime, &rig->config->realtime);
        if (rig->realtime.missing[0] != '\0')
                loop_say(rig, '4', rig->realtime.missing);
        open_crew(rig);
        pass_over_pads(rig);
        loop_weigh_processes(rig);
        rig->start_ns = clock_now_ns() + rig->config->period_ns;
        pace_realtime_run(rig);
}

/* What they show after the end is of no flight. */
static void end_pads(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                pads_end(rig->vehicle[i].pads);
}

static void stop_pads(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                pads_stop(rig->vehicle[i].pads);
}

static void judge_wiring(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                char why[WIRING_TEXT_MAX], text[WIRING_TEXT_MAX + 80];

                if (v->twin != NULL)
                        continue;
                wiring_decide(&v->wiring);
                wiring_describe(&v->wiring, why, sizeof why);
                snprintf(text, sizeof text, "%s: %s", v->config->name, why);
                if (why[0] != '\0')
                        loop_say(rig, '3', text);
        }
}

/* Of this process, from its exec() on. */
static int64_t processor_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Somebody outside this process is waited for. */
static bool waits_for_others(const struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->config->vehicle[i].fc.links > 0 &&
                    rig->config->vehicle[i].fc.link[0].kind != LINK_INSIDE)
                        return true;
        return false;
}

void rig_run(struct rig *rig)
{
        int boards = config_boards(rig->config);
        bool realtime;

        for (int i = 0; i < boards; i++)
                fc_port_record(&rig->vehicle[i].port, rig->recorder,
                               boards > 1 ? rig->config->vehicle[i].name : NULL,
                               rig->config->log.wire, clock_now_ns());
        /* While flight controllers start. */
        if (rig->config->pace == PACE_LOCKSTEP && waits_for_others(rig)) {
                rig->busy.most_ns = busy_wait_measure();
                /* A nap is rounded up by 50 us otherwise. */
                prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        }
        greet(rig);
        rig->met_ns = clock_now_ns();
        rig->met_cpu_ns = processor_ns();
        if (loop_running(rig))
                loop_find_processes(rig);
        rig->start_ns = clock_now_ns();
        for (int i = 0; i < config_boards(rig->config); i++)
                rig->vehicle[i].port.talk.heard_ns = rig->start_ns;
        realtime = loop_running(rig) && rig->config->pace == PACE_REALTIME;
        if (realtime)
                fly_realtime(rig);
        else if (loop_running(rig)) {
                open_crew(rig);
                pace_lockstep_run(rig);
        }
        crew_close(rig->crew);
        rig->crew = NULL;
        rig->end_ns = clock_now_ns();
        rig->end_cpu_ns = processor_ns();
        loop_conclude_flights(rig);
        end_pads(rig);
        /* Before anything that may take its time. */
        loop_disarm(rig);
        if (realtime) {
                loop_weigh_processes(rig);
                realtime_leave(&rig->realtime);
        }
        stop_pads(rig);
        judge_wiring(rig);
        judge_finish(&rig->judge, loop_sim_ns(rig));
        rig_conclude_page(rig);
        loop_finish(rig, END_COMPLETED, "completed");
}
