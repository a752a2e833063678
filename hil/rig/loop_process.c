/* Flight controllers that are processes of this machine: which they are, whether they still live, and whether the
 * host let them run while they were silent. */
#include "hil/rig/loop.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hil/process/peer.h"
#include "hil/rig/spawn.h"

#define SILENT_NS (20 * NS_PER_MS) /* shorter ones are looked into by nobody */
#define LOOK_NS   (20 * NS_PER_MS)
#define ENDING_NS (20 * NS_PER_MS) /* from the end of a link to that of its process */

static struct child *child_of(struct rig *rig, const struct rig_vehicle *v)
{
        struct child *c = &rig->child[v->port.vehicle];

        return c->pid > 0 ? c : NULL;
}

/* A script, or a program that starts the firmware, says nothing about it. */
static bool has_children(pid_t pid)
{
        char path[64], text[8] = "";
        FILE *f;
        bool any;

        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
        f = fopen(path, "re");
        any = f != NULL && fgets(text, sizeof text, f) != NULL;
        if (f != NULL)
                fclose(f);
        return any;
}

static pid_t find_process(struct rig *rig, const struct rig_vehicle *v)
{
        const struct child *c = child_of(rig, v);
        pid_t pid = 0;

        for (int i = 0; pid == 0 && i < v->config->fc.links; i++)
                pid = peer_process(v->port.links.link[i]);
        if (pid == 0 && c != NULL && !has_children(c->pid))
                pid = c->pid;
        return pid;
}

static void learn_process(struct rig *rig, struct rig_vehicle *v)
{
        const struct child *c = child_of(rig, v);

        v->process = find_process(rig, v);
        v->watched = v->process > 0;
        v->process_fd = -1;
        /* Of one that the rig has started it learns more. */
        if (v->process > 0 && (c == NULL || c->pid != v->process))
                v->process_fd = (int)syscall(SYS_pidfd_open, v->process, 0);
}

void loop_find_processes(struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                learn_process(rig, &rig->vehicle[i]);
}

void loop_find_late_process(struct rig *rig, struct rig_vehicle *v, int64_t now_ns)
{
        if (v->met_late || !v->port.shipped || v->port.talk.arming.words == 0)
                return;
        v->met_late = true;
        if (v->process > 0)
                return;
        learn_process(rig, v);
        if (v->process > 0)
                standstill_look(&v->flight, v->process, now_ns);
}

static bool has_own_processor(const struct rig_vehicle *v)
{
        enum link_kind kind = v->config->fc.link[0].kind;

        return kind == LINK_UART || kind == LINK_USB;
}

/* How long of the silence no processor of this host was idle. */
static void look_at_host(struct rig_vehicle *v, int64_t now_ns)
{
        int64_t since_ns = now_ns - v->port.talk.heard_ns - SILENT_NS, idle_ns;

        if (v->standstill.looked_ns == 0)
                v->idle_ns = host_idle_ns();
        idle_ns = host_idle_ns() - v->idle_ns;
        v->crowded_ns = idle_ns < since_ns ? since_ns - idle_ns : 0;
}

void loop_watch_process(struct rig_vehicle *v, int64_t now_ns)
{
        struct fc_talk *talk = &v->port.talk;
        struct standstill *s = &v->standstill;

        if (v->process <= 0 && has_own_processor(v))
                return;
        if (v->port.state != FC_PORT_READY || !fc_port_owes(&v->port) ||
            now_ns - talk->heard_ns < SILENT_NS) {
                standstill_begin(s);
                v->crowded_ns = 0;
                return;
        }
        if (now_ns - s->looked_ns < LOOK_NS)
                return;
        look_at_host(v, now_ns);
        if (v->process > 0)
                standstill_look(s, v->process, now_ns);
        else
                s->looked_ns = now_ns;
        /* Where its process is not known: it could run as long as a processor was idle. */
        talk->held_ns = v->process > 0 ? standstill_ns(s) : v->crowded_ns;
        if (v->process <= 0 || talk->held_ns <= v->held_ns)
                return;
        v->held_ns = talk->held_ns;
        standstill_describe(s, v->held, sizeof v->held);
}

void loop_weigh_processes(struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                int64_t before_ns = v->flight.looked_ns;

                if (v->process <= 0)
                        continue;
                standstill_look(&v->flight, v->process, clock_now_ns());
                if (before_ns > 0)
                        v->flight_ns = v->flight.looked_ns - before_ns;
        }
}

/* What else a host without an idle processor was late with in lockstep, nothing tells. */
static bool host_explains(const struct rig *rig, const struct rig_vehicle *v,
                          int64_t silent_ns)
{
        int64_t timeout_ns = v->config->fc.timeout_ns, held_ns = v->port.talk.held_ns;
        bool realtime = rig->config->pace == PACE_REALTIME;

        return silent_ns > (realtime ? 2 : 1) * timeout_ns &&
               held_ns > rig->config->realtime.stall_max_ns &&
               (silent_ns - held_ns <= timeout_ns ||
                (!realtime && loop_was_crowded(v, silent_ns)));
}

void loop_notice_held(struct rig *rig, struct rig_vehicle *v, int64_t silent_ns)
{
        char text[300], because[120];

        if (v->port.state != FC_PORT_READY || !host_explains(rig, v, silent_ns))
                return;
        if (v->process > 0)
                snprintf(because, sizeof because, "because its process %d %s",
                         (int)v->process, v->held);
        else
                snprintf(because, sizeof because,
                         "while this host had no processor to spare for %.3f s",
                         (double)v->port.talk.held_ns * 1e-9);
        snprintf(text, sizeof text,
                 "%s: its flight controller did not answer for %.3f s at %.3f s, %s",
                 v->config->name, (double)silent_ns * 1e-9,
                 (double)loop_sim_ns(rig) * 1e-9, because);
        fc_port_give_up(&v->port);
        v->gone_ns = loop_sim_ns(rig);
        v->retry_ns = 0;
        loop_say(rig, '3', text);
        if (!fc_port_may_return(&v->port))
                loop_lose_board(rig, v, FC_LOST_HELD, text);
}

/* Of one that somebody else has started: nobody else learns how it ended. */
static bool peer_ended(struct rig_vehicle *v, char *text, size_t cap)
{
        struct pollfd p = { .fd = v->process_fd, .events = POLLIN };

        if (v->process <= 0 || v->process_fd <= 0 || poll(&p, 1, 0) <= 0)
                return false;
        snprintf(text, cap, "its process %d has ended", (int)v->process);
        close(v->process_fd);
        v->process_fd = -1;
        v->process = 0;
        return true;
}

static bool process_ended(struct rig *rig, struct rig_vehicle *v, char *text, size_t cap)
{
        struct child *c = child_of(rig, v);

        if (peer_ended(v, text, cap) && (c == NULL || !child_await(c, ENDING_NS)))
                return true;
        if (c == NULL || v->ended_known || !child_look(c))
                return false;
        v->ended_known = true;
        v->process = 0;
        rig_describe_end(c, text, cap);
        return true;
}

static void notice_ended(struct rig *rig, struct rig_vehicle *v)
{
        char how[400], text[sizeof rig->end_reason];

        if (!process_ended(rig, v, how, sizeof how) || !loop_running(rig) || v->lost)
                return;
        snprintf(text, sizeof text, "%s: %s gone at %.3f s: %s", v->config->name,
                 v->config->fc.link_text[0], (double)loop_sim_ns(rig) * 1e-9, how);
        loop_say(rig, '3', text);
        if (v->config->fc.reconnect)
                return;
        v->failed = true;
        fc_port_give_up(&v->port);
        v->gone_ns = loop_sim_ns(rig);
        if (rig->start_ns == 0)
                loop_finish(rig, END_NO_HELLO, text);
        else
                loop_lose_board(rig, v, FC_LOST, text);
}

void loop_check_processes(struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                notice_ended(rig, &rig->vehicle[i]);
}

void loop_explain_gone(struct rig *rig, struct rig_vehicle *v, char *text, size_t cap)
{
        struct child *c = child_of(rig, v);
        size_t used = strlen(text);
        char how[400];

        if (c != NULL)
                child_await(c, ENDING_NS);
        if (!process_ended(rig, v, how, sizeof how))
                return;
        v->failed = true;
        snprintf(text + used, cap - used, ": %s", how);
}
