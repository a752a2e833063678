/* Findings about how fast the CPUs run and how deep they sleep. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hil/host/finding.h"

#define CPUS         "/sys/devices/system/cpu"
#define LATENCY_FILE "/dev/cpu_dma_latency"
#define AWAKE_US     20 /* what a state may take to leave */

/* "/sys/devices/system/cpu/cpu3/FILE" */
static bool read_of(const struct host *h, int cpu, const char *file, char *text,
                    size_t cap)
{
        char path[HOST_PATH_MAX];

        snprintf(path, sizeof path, CPUS "/cpu%d/%s", cpu, file);
        return system_file_read(h->root, path, text, cap);
}

static bool number_of(const struct host *h, int cpu, const char *file, long long *number)
{
        char path[HOST_PATH_MAX];

        snprintf(path, sizeof path, CPUS "/cpu%d/%s", cpu, file);
        return system_file_number(h->root, path, number);
}

static void plan_governor(const struct host *h, struct host_finding *f, int cpu,
                          const char *was)
{
        char path[HOST_PATH_MAX], available[400];

        if (!read_of(h, cpu, "cpufreq/scaling_available_governors", available,
                     sizeof available) ||
            !system_text_has(available, "performance"))
                return;
        snprintf(path, sizeof path, CPUS "/cpu%d/cpufreq/scaling_governor", cpu);
        finding_plan(f, path, was, "performance");
}

void check_governor(const struct host *h, struct host_finding *f)
{
        int known = 0, slow = 0, first = 0;
        char governor[40], name[40] = "";
        long long now_khz = 0, max_khz = 0;

        for (int i = 0; i < HOST_CPUS_MAX; i++) {
                if (!h->online.has[i] ||
                    !read_of(h, i, "cpufreq/scaling_governor", governor, sizeof governor))
                        continue;
                known++;
                if (strcmp(governor, "performance") == 0)
                        continue;
                if (slow++ == 0) {
                        first = i;
                        memcpy(name, governor, sizeof name);
                }
                plan_governor(h, f, i, governor);
        }
        if (known == 0) {
                finding_not_judged(f, "there is no cpufreq: the clock is fixed, or the "
                                      "host of this virtual machine sets it");
                return;
        }
        if (slow == 0) {
                finding_ok(f, "performance on all %d CPUs", known);
                return;
        }
        number_of(h, first, "cpufreq/scaling_cur_freq", &now_khz);
        number_of(h, first, "cpufreq/cpuinfo_max_freq", &max_khz);
        finding_change(f, "%s on %d of %d CPUs; CPU %d runs at %lld of %lld MHz", name,
                       slow, known, first, now_khz / 1000, max_khz / 1000);
        finding_advise(f, "performance: sudo cpupower frequency-set -g performance");
}

void check_turbo(const struct host *h, struct host_finding *f)
{
        long long off = 0, on = 0, base_khz = 0, max_khz = 0;

        if (system_file_number(h->root, CPUS "/intel_pstate/no_turbo", &off)) {
                on = off == 0;
        } else if (!system_file_number(h->root, CPUS "/cpufreq/boost", &on)) {
                finding_not_judged(f, "neither intel_pstate nor cpufreq/boost is there");
                return;
        }
        if (on == 0) {
                finding_ok(f, "off: a step takes the same time whatever else runs");
                return;
        }
        number_of(h, 0, "cpufreq/cpuinfo_max_freq", &max_khz);
        if (number_of(h, 0, "cpufreq/base_frequency", &base_khz) && base_khz > 0)
                finding_ok(f, "on: %lld MHz where one CPU works, %lld where all do",
                           max_khz / 1000, base_khz / 1000);
        else
                finding_ok(f, "on: how long a step takes depends on what else runs");
}

struct sleep_state {
        char name[32];
        long long exit_us;
        int cpu;
};

/* The state of all CPUs that takes longest to leave, of those that are not switched off. */
static bool find_deepest(const struct host *h, struct sleep_state *deepest)
{
        bool found = false;

        *deepest = (struct sleep_state){ .exit_us = -1 };
        for (int i = 0; i < HOST_CPUS_MAX; i++)
                for (int s = 0; h->online.has[i] && s < 32; s++) {
                        char file[60];
                        long long exit_us, off = 0;

                        snprintf(file, sizeof file, "cpuidle/state%d/latency", s);
                        if (!number_of(h, i, file, &exit_us))
                                break;
                        found = true;
                        snprintf(file, sizeof file, "cpuidle/state%d/disable", s);
                        number_of(h, i, file, &off);
                        if (off != 0 || exit_us <= deepest->exit_us)
                                continue;
                        deepest->exit_us = exit_us;
                        deepest->cpu = i;
                        snprintf(file, sizeof file, "cpuidle/state%d/name", s);
                        read_of(h, i, file, deepest->name, sizeof deepest->name);
                }
        return found;
}

void check_sleep_states(const struct host *h, struct host_finding *f)
{
        struct sleep_state deepest;
        char device[HOST_PATH_MAX];
        bool held;

        system_file_path(h->root, LATENCY_FILE, device);
        held = access(device, W_OK) == 0;
        if (!find_deepest(h, &deepest)) {
                finding_not_judged(f, "there is no cpuidle: how deep the CPUs sleep is "
                                      "not to be seen");
                return;
        }
        if (deepest.exit_us <= AWAKE_US) {
                finding_ok(f, "the deepest in use, %s, takes %lld us to leave",
                           deepest.name, deepest.exit_us);
                return;
        }
        if (h->wants->hold_cpu_latency && held) {
                finding_ok(f, "%s takes %lld us to leave; a run holds them off",
                           deepest.name, deepest.exit_us);
                return;
        }
        finding_change(f, "%s takes %lld us to leave, and %s", deepest.name,
                       deepest.exit_us,
                       held ? "realtime.hold_cpu_latency is false"
                            : LATENCY_FILE " may not be written");
        if (held)
                finding_advise(f, "realtime.hold_cpu_latency true in the rig file");
        else
                finding_advise(f, "the group hilrig and its rule of udev (docs/"
                                  "realtime.md, Permissions)");
}

void check_siblings(const struct host *h, struct host_finding *f)
{
        struct cpu_list siblings;
        char text[400];
        int cpu = h->wants->cpu;
        long long active = 0;

        if (!system_file_number(h->root, CPUS "/smt/active", &active)) {
                finding_not_judged(f, "there is no " CPUS "/smt");
        } else if (active == 0) {
                finding_ok(f, "none: each CPU is a core");
        } else if (cpu < 0) {
                finding_ok(f,
                           "there are some, and realtime.cpu is -1: the loop has no CPU "
                           "of its own anyway");
        } else if (!read_of(h, cpu, "topology/thread_siblings_list", text, sizeof text) ||
                   !cpu_list_read(&siblings, text)) {
                finding_not_judged(f, "which share a core with CPU %d is not told", cpu);
        } else if (cpu_list_count(&siblings) < 2) {
                finding_ok(f, "CPU %d has its core to itself", cpu);
        } else {
                finding_change(f, "CPUs %s are one core, and realtime.cpu is %d", text,
                               cpu);
                finding_advise(
                        f, "isolate them together, or switch them off: echo off > " CPUS
                           "/smt/control");
        }
}
