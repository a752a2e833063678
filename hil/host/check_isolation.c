/* Findings about the CPU of the loop: who else may use it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/finding.h"

static void read_list(const struct host *h, const char *path, struct cpu_list *list)
{
        char text[4096];

        *list = (struct cpu_list){ { false } };
        if (system_file_read(h->root, path, text, sizeof text))
                cpu_list_read(list, text);
}

static void advise_isolation(struct host_finding *f, int cpu)
{
        finding_advise(f,
                       "on the kernel's command line: isolcpus=managed_irq,domain,%d "
                       "nohz_full=%d rcu_nocbs=%d; and realtime.cpu %d",
                       cpu, cpu, cpu, cpu);
}

static void judge_any(const struct host *h, struct host_finding *f,
                      const struct cpu_list *isolated)
{
        char text[400];
        int last = 0;

        if (cpu_list_count(isolated) > 0) {
                cpu_list_write(isolated, text, sizeof text);
                finding_change(f, "CPUs %s are isolated, but realtime.cpu is -1", text);
                finding_advise(f, "realtime.cpu in the rig file: one of them");
                return;
        }
        for (int i = 0; i < HOST_CPUS_MAX; i++)
                if (h->online.has[i])
                        last = i;
        finding_change(f, "realtime.cpu is -1, and no CPU is isolated: the loop runs "
                          "where everything else does");
        advise_isolation(f, last);
}

void check_isolation(const struct host *h, struct host_finding *f)
{
        struct cpu_list isolated, tickless;
        int cpu = h->wants->cpu;

        if (cpu_list_count(&h->online) < 2) {
                finding_not_judged(f, "there is one CPU alone");
                return;
        }
        read_list(h, "/sys/devices/system/cpu/isolated", &isolated);
        read_list(h, "/sys/devices/system/cpu/nohz_full", &tickless);
        if (cpu < 0) {
                judge_any(h, f, &isolated);
        } else if (cpu >= HOST_CPUS_MAX || !h->online.has[cpu]) {
                finding_change(f, "realtime.cpu is %d, which this machine does not have",
                               cpu);
                finding_advise(f, "another realtime.cpu in the rig file");
        } else if (!isolated.has[cpu]) {
                finding_change(
                        f, "realtime.cpu is %d, which everything else may use, too", cpu);
                advise_isolation(f, cpu);
        } else if (!tickless.has[cpu]) {
                finding_change(f, "CPU %d is isolated, but the scheduler's tick stays",
                               cpu);
                finding_advise(f,
                               "nohz_full=%d rcu_nocbs=%d on the kernel's command line",
                               cpu, cpu);
        } else {
                finding_ok(f, "CPU %d is the loop's alone, without the scheduler's tick",
                           cpu);
        }
}

static bool balances(const struct host *h)
{
        glob_t found = system_file_find(h->root, "/proc/[0-9]*/comm");
        bool runs = false;
        char name[40];

        for (size_t i = 0; !runs && i < found.gl_pathc; i++)
                runs = system_file_read(h->root, found.gl_pathv[i], name, sizeof name) &&
                       strcmp(name, "irqbalance") == 0;
        globfree(&found);
        return runs;
}

/* "24" of "/proc/irq/24/smp_affinity_list". */
static void name_interrupt(const char *path, char name[16])
{
        const char *at = path + strlen("/proc/irq/");

        snprintf(name, 16, "%.*s", (int)strcspn(at, "/"), at);
}

/* To the other CPUs that it may use, or else to all others. */
static void plan_move(const struct host *h, struct host_finding *f, const char *path,
                      const struct cpu_list *now)
{
        struct cpu_list others = *now;
        char was[80], to[80];

        others.has[h->wants->cpu] = false;
        if (cpu_list_count(&others) == 0) {
                others = h->online;
                others.has[h->wants->cpu] = false;
        }
        if (cpu_list_count(&others) == 0 || !cpu_list_write(now, was, sizeof was) ||
            !cpu_list_write(&others, to, sizeof to))
                return;
        finding_plan(f, path, was, to);
        f->change[f->changes - 1].list_of_cpus = true;
}

struct interrupts {
        int all, here; /* of them, those that may come to the loop's CPU */
        unsigned long long came;
};

static struct interrupts look_at_interrupts(const struct host *h, struct host_finding *f,
                                            const char *table)
{
        glob_t found = system_file_find(h->root, "/proc/irq/*/smp_affinity_list");
        struct interrupts sum = { 0 };

        for (size_t i = 0; i < found.gl_pathc; i++) {
                const char *path = found.gl_pathv[i];
                struct cpu_list list;
                char name[16];

                read_list(h, path, &list);
                sum.all++;
                if (!list.has[h->wants->cpu])
                        continue;
                name_interrupt(path, name);
                sum.here++;
                sum.came += system_text_interrupts(table, name, h->wants->cpu);
                plan_move(h, f, path, &list);
        }
        globfree(&found);
        return sum;
}

void check_interrupts(const struct host *h, struct host_finding *f)
{
        char *table;
        struct interrupts sum;
        int cpu = h->wants->cpu;

        if (cpu < 0 || cpu >= HOST_CPUS_MAX) {
                finding_not_judged(f, "realtime.cpu is -1: no CPU is to be kept free of "
                                      "them");
                return;
        }
        table = system_file_read_whole(h->root, "/proc/interrupts");
        sum = look_at_interrupts(h, f, table != NULL ? table : "");
        free(table);
        if (sum.all == 0) {
                finding_not_judged(f, "there is no /proc/irq");
        } else if (sum.here == 0) {
                finding_ok(f, "none of %d comes to CPU %d", sum.all, cpu);
        } else {
                finding_change(f, "%d of %d may come to CPU %d; %llu have since boot",
                               sum.here, sum.all, cpu, sum.came);
                finding_advise(f,
                               "irqaffinity= the other CPUs on the kernel's command "
                               "line%s",
                               balances(h) ? "; irqbalance runs and moves them back: "
                                             "IRQBALANCE_BANNED_CPULIST"
                                           : "");
        }
}
