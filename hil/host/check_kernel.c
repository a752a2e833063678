/* Findings about the kernel and what it runs on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/finding.h"

#define DYNAMIC "/sys/kernel/debug/sched/preempt"
#define CLOCKS  "/sys/devices/system/clocksource/clocksource0/"

void check_load(const struct host *h, struct host_finding *f)
{
        int cpus = cpu_list_count(&h->online);
        char text[200];
        double load;

        if (!system_file_read(h->root, "/proc/loadavg", text, sizeof text) ||
            sscanf(text, "%lf", &load) != 1) {
                finding_not_judged(f, "there is no /proc/loadavg");
                return;
        }
        /* The measurement itself is a small part of one. */
        (load > 0.5 * cpus ? finding_change
                           : finding_ok)(f, "load of the last minute %.2f on %d CPU%s",
                                         load, cpus, cpus > 1 ? "s" : "");
        if (load > 0.5 * cpus)
                finding_advise(f, "end other work before a run; /proc/pressure/cpu tells "
                                  "how long threads wait");
}

static bool is_guest(const struct host *h)
{
        char *cpuinfo = system_file_read_whole(h->root, "/proc/cpuinfo"), text[100];
        bool guest = cpuinfo != NULL && system_text_has(cpuinfo, "hypervisor");

        free(cpuinfo);
        return guest ||
               system_file_read(h->root, "/sys/hypervisor/type", text, sizeof text) ||
               system_file_read(h->root, "/proc/device-tree/hypervisor/compatible", text,
                                sizeof text);
}

/* Time that others had the CPUs, of all time since boot; negative: not told. */
static double stolen_percent(const struct host *h)
{
        unsigned long long part[8] = { 0 }, sum = 0;
        char text[400];

        if (!system_file_read(h->root, "/proc/stat", text, sizeof text) ||
            sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &part[0],
                   &part[1], &part[2], &part[3], &part[4], &part[5], &part[6],
                   &part[7]) != 8)
                return -1.0;
        for (int i = 0; i < 8; i++)
                sum += part[i];
        return sum > 0 ? 100.0 * (double)part[7] / (double)sum : -1.0;
}

void check_hypervisor(const struct host *h, struct host_finding *f)
{
        double stolen = stolen_percent(h);

        if (!is_guest(h)) {
                char one[2];

                if (system_file_read(h->root, "/proc/cpuinfo", one, sizeof one))
                        finding_ok(f, "none shows itself");
                else
                        finding_not_judged(f, "there is no /proc/cpuinfo");
                return;
        }
        if (stolen >= 0.0)
                finding_change(f,
                               "a virtual machine; its host had the CPUs for %.2f %% of "
                               "the time since boot",
                               stolen);
        else
                finding_change(f, "a virtual machine");
        finding_advise(f, "fly in real time on the host itself: what it takes away, "
                          "nothing inside can prevent");
}

/* The mode of a kernel that can change it: by debugfs, which root sees, else by its command line. */
static bool find_mode(const struct host *h, char *mode, size_t cap, bool *writable)
{
        char text[2048];

        *writable = system_file_read(h->root, DYNAMIC, text, sizeof text) &&
                    system_text_chosen(text, mode, cap);
        return *writable ||
               (system_file_read(h->root, "/proc/cmdline", text, sizeof text) &&
                system_text_option(text, "preempt", mode, cap));
}

static void judge_full(const struct host *h, struct host_finding *f, const char *what)
{
        uint64_t late = 0;

        for (int i = 0; h->measured != NULL && i < h->measured->cpus; i++)
                late += h->measured->cpu[i].late;
        if (late == 0) {
                finding_ok(f, "%s", what);
                return;
        }
        finding_change(f, "%s; %llu wake-ups were a period late or more", what,
                       (unsigned long long)late);
        finding_advise(f, "a kernel with PREEMPT_RT, when the rest is as it should be: "
                          "apt install linux-image-rt-amd64");
}

static void judge_dynamic(const struct host *h, struct host_finding *f)
{
        bool writable = false;
        char mode[40], what[100];

        if (!find_mode(h, mode, sizeof mode, &writable)) {
                judge_full(h, f,
                           "PREEMPT_DYNAMIC; " DYNAMIC " is not to be read, so the "
                           "mode is not known");
                return;
        }
        snprintf(what, sizeof what, "PREEMPT_DYNAMIC, %s", mode);
        if (strcmp(mode, "full") == 0) {
                judge_full(h, f, what);
                return;
        }
        finding_change(f, "%s: the kernel gives a CPU up only at certain places", what);
        finding_advise(f, "preempt=full on the kernel's command line");
        if (writable)
                finding_plan(f, DYNAMIC, mode, "full");
}

void check_preemption(const struct host *h, struct host_finding *f)
{
        char version[600];
        long long realtime = 0;

        if (!system_file_read(h->root, "/proc/version", version, sizeof version)) {
                finding_not_judged(f, "there is no /proc/version");
                return;
        }
        system_file_number(h->root, "/sys/kernel/realtime", &realtime);
        if (realtime == 1 || system_text_has(version, "PREEMPT_RT")) {
                finding_ok(f, "PREEMPT_RT");
        } else if (system_text_has(version, "PREEMPT_DYNAMIC")) {
                judge_dynamic(h, f);
        } else if (system_text_has(version, "PREEMPT")) {
                judge_full(h, f, "PREEMPT");
        } else {
                finding_change(f, "none: what a system call has begun, it ends");
                finding_advise(f, "another kernel: apt install linux-image-rt-amd64");
        }
}

static bool is_fast(const char *source)
{
        return system_text_has("tsc arch_sys_counter kvm-clock "
                               "hyperv_clocksource_tsc_page riscv_clocksource xen",
                               source);
}

void check_clock_source(const struct host *h, struct host_finding *f)
{
        char current[64], available[200] = "", cost[60] = "";

        if (!system_file_read(h->root, CLOCKS "current_clocksource", current,
                              sizeof current)) {
                finding_not_judged(f, "there is no " CLOCKS);
                return;
        }
        system_file_read(h->root, CLOCKS "available_clocksource", available,
                         sizeof available);
        if (h->measured != NULL)
                snprintf(cost, sizeof cost, ", %.0f ns to read it",
                         h->measured->clock_read_ns);
        if (is_fast(current)) {
                finding_ok(f, "%s%s", current, cost);
                return;
        }
        finding_change(f, "%s%s: reading it is a system call", current, cost);
        if (system_text_has(available, "tsc"))
                finding_plan(f, CLOCKS "current_clocksource", current, "tsc");
        else
                finding_advise(f, "the kernel has given up the CPU's own counter; why, "
                                  "dmesg says (clocksource)");
}

void check_timer_slack(const struct host *h, struct host_finding *f)
{
        long long slack_ns;

        if (!system_file_number(h->root, "/proc/self/timerslack_ns", &slack_ns)) {
                finding_not_judged(f, "there is no /proc/self/timerslack_ns");
                return;
        }
        finding_ok(f, "%.1f us for other threads; the loop asks for 1 ns",
                   (double)slack_ns * 1e-3);
}
