#include "hil/host/lateness.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/smi.h"
#include "hil/rig/realtime.h"
#include "hil/time/clock.h"

#define CLOCK_READS 20000

struct waiter {
        pthread_t thread;
        struct realtime_config wants;
        int64_t period_ns, end_ns;
        struct lateness *of;
};

static void wait_for_periods(const struct waiter *w)
{
        int64_t deadline_ns = clock_now_ns() + w->period_ns;

        while (deadline_ns < w->end_ns) {
                int64_t late_ns = clock_sleep_until(deadline_ns) - deadline_ns;

                histogram_add(&w->of->wake, late_ns);
                w->of->late += late_ns >= w->period_ns;
                /* As the loop does: periods that have passed are not made up for. */
                deadline_ns +=
                        (1 + (late_ns > 0 ? late_ns / w->period_ns : 0)) * w->period_ns;
        }
}

/* The scheduler's class and the CPU end with the thread. */
static void *wait_on_cpu(void *at)
{
        struct waiter *w = at;
        struct realtime rt;

        realtime_enter(&rt, &w->wants);
        memcpy(w->of->missing, rt.missing, sizeof w->of->missing);
        wait_for_periods(w);
        return NULL;
}

/* All CPUs at once, so that a machine with many takes no longer than one with few. */
static bool wait_on_all(struct lateness_of_host *m, struct waiter *w)
{
        int64_t end_ns = clock_now_ns() + m->seconds * NS_PER_S;
        int started = 0;

        for (; started < m->cpus; started++) {
                w[started] = (struct waiter){ .period_ns = m->period_ns,
                                              .end_ns = end_ns,
                                              .of = &m->cpu[started] };
                w[started].wants.cpu = m->cpu[started].cpu;
                w[started].wants.priority = m->wants->priority;
                if (pthread_create(&w[started].thread, NULL, wait_on_cpu, &w[started]))
                        break;
        }
        for (int i = 0; i < started; i++)
                pthread_join(w[i].thread, NULL);
        return started == m->cpus;
}

static bool measure_block(struct lateness_of_host *m)
{
        struct waiter *w = calloc((size_t)m->cpus, sizeof *w);
        struct realtime_config process = *m->wants;
        struct realtime rt;
        bool ok;

        if (w == NULL)
                return false;
        process.cpu = -1;
        process.priority = 0;
        realtime_enter(&rt, &process);
        memcpy(m->missing, rt.missing, sizeof m->missing);
        ok = wait_on_all(m, w);
        realtime_leave(&rt);
        free(w);
        return ok;
}

static void measure_peer(struct lateness_of_host *m)
{
        struct cyclictest_setup setup = { .threads = m->cpus,
                                          .priority = m->wants->priority,
                                          .period_ns = m->period_ns,
                                          .seconds = m->seconds };
        int *cpu = calloc((size_t)m->cpus, sizeof *cpu);

        for (int i = 0; cpu != NULL && i < m->cpus; i++)
                cpu[i] = m->cpu[i].cpu;
        setup.cpu = cpu;
        if (cpu != NULL &&
            !cyclictest_run(m->peer, &setup, m->peer_said, sizeof m->peer_said))
                for (int i = 0; i < m->cpus; i++)
                        m->peer[i].count = 0;
        else
                m->peer_said[0] = '\0';
        free(cpu);
}

static void measure_clock(struct lateness_of_host *m)
{
        struct timespec resolution = { .tv_sec = 1 };
        int64_t begin_ns = clock_now_ns(), end_ns = begin_ns;

        for (int i = 0; i < CLOCK_READS; i++)
                end_ns = clock_now_ns();
        m->clock_read_ns = (double)(end_ns - begin_ns) / CLOCK_READS;
        clock_getres(CLOCK_MONOTONIC, &resolution);
        m->clock_resolution_ns = resolution.tv_sec * NS_PER_S + resolution.tv_nsec;
}

static bool prepare(struct lateness_of_host *m, const struct cpu_list *cpus)
{
        m->cpus = cpu_list_count(cpus);
        m->cpu = calloc((size_t)m->cpus + 1, sizeof *m->cpu);
        m->peer = calloc((size_t)m->cpus + 1, sizeof *m->peer);
        if (m->cpus == 0 || m->cpu == NULL || m->peer == NULL)
                return false;
        for (int i = 0, at = 0; i < HOST_CPUS_MAX; i++)
                if (cpus->has[i])
                        m->cpu[at++].cpu = i;
        return true;
}

bool lateness_measure(struct lateness_of_host *m, const struct cpu_list *cpus)
{
        uint64_t before = 0;
        bool peer = true;

        if (!prepare(m, cpus))
                return false;
        measure_clock(m);
        m->smis_known =
                smi_count("", cpus, &before, m->smis_hidden, sizeof m->smis_hidden);
        for (int i = 0; i < LATENESS_BLOCKS; i++) {
                bool ours = i % 4 == 0 || i % 4 == 3;

                if (ours && !measure_block(m))
                        return false;
                if (!ours && peer) {
                        measure_peer(m);
                        peer = m->peer_said[0] == '\0';
                }
        }
        m->smis_known = m->smis_known && smi_count("", cpus, &m->smis, m->smis_hidden,
                                                   sizeof m->smis_hidden);
        m->smis -= m->smis_known ? before : 0;
        return true;
}

void lateness_free(struct lateness_of_host *m)
{
        free(m->cpu);
        free(m->peer);
        m->cpu = NULL;
        m->peer = NULL;
}
