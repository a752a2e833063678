/* Findings about memory that is moved, merged or written out while a run needs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/finding.h"

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/enabled"
#define SAME_PAGES "/sys/kernel/mm/ksm/run"
#define BALANCING  "/proc/sys/kernel/numa_balancing"

/* In kB; pages of HugePages_Total. 0: not told. */
static unsigned long long memory_of(const struct host *h, const char *name)
{
        char *text = system_file_read_whole(h->root, "/proc/meminfo");
        uint64_t number = 0;

        if (text == NULL || !system_text_number(text, name, 10, &number))
                number = 0;
        free(text);
        return number;
}

void check_huge_pages(const struct host *h, struct host_finding *f)
{
        char text[200], chosen[40];

        if (!system_file_read(h->root, HUGE_PAGES, text, sizeof text) ||
            !system_text_chosen(text, chosen, sizeof chosen)) {
                finding_not_judged(f, "there is no " HUGE_PAGES);
                return;
        }
        if (strcmp(chosen, "always") != 0) {
                finding_ok(f,
                           "%s; %llu huge pages are reserved, and the rig asks for none",
                           chosen, memory_of(h, "HugePages_Total"));
                return;
        }
        finding_change(
                f,
                "always: the kernel moves memory together behind a program's back; "
                "%llu MiB so far",
                memory_of(h, "AnonHugePages") / 1024);
        finding_advise(f, "transparent_hugepage=madvise on the kernel's command line");
        finding_plan(f, HUGE_PAGES, chosen, "madvise");
}

void check_same_pages(const struct host *h, struct host_finding *f)
{
        long long run, shared = 0;

        if (!system_file_number(h->root, SAME_PAGES, &run)) {
                finding_not_judged(f, "there is no " SAME_PAGES);
                return;
        }
        if (run != 1) {
                finding_ok(f, "does not run");
                return;
        }
        system_file_number(h->root, "/sys/kernel/mm/ksm/pages_shared", &shared);
        finding_change(f, "ksmd looks through memory; %lld pages are shared", shared);
        finding_plan(f, SAME_PAGES, "1", "0");
}

void check_numa(const struct host *h, struct host_finding *f)
{
        struct cpu_list nodes; /* written as such a list is */
        char text[200];
        long long balancing;

        if (!system_file_read(h->root, "/sys/devices/system/node/online", text,
                              sizeof text) ||
            !cpu_list_read(&nodes, text)) {
                finding_not_judged(f, "there is no /sys/devices/system/node");
        } else if (cpu_list_count(&nodes) < 2) {
                finding_ok(f, "one node");
        } else if (!system_file_number(h->root, BALANCING, &balancing)) {
                finding_ok(f, "%d nodes; the kernel cannot move memory by itself",
                           cpu_list_count(&nodes));
        } else if (balancing == 0) {
                finding_ok(f, "%d nodes; memory stays where it is",
                           cpu_list_count(&nodes));
        } else {
                finding_change(
                        f,
                        "%d nodes, and the kernel takes pages away to see who uses "
                        "them (numa_balancing %lld)",
                        cpu_list_count(&nodes), balancing);
                snprintf(text, sizeof text, "%lld", balancing);
                finding_plan(f, BALANCING, text, "0");
        }
}

void check_swap(const struct host *h, struct host_finding *f)
{
        unsigned long long swap_kb = memory_of(h, "SwapTotal"),
                           all_kb = memory_of(h, "MemTotal");

        if (all_kb == 0) {
                finding_not_judged(f, "there is no /proc/meminfo");
        } else if (swap_kb == 0) {
                finding_ok(f, "none");
        } else if (h->wants->lock_memory) {
                finding_ok(f, "%llu MiB; the rig locks its memory", swap_kb / 1024);
        } else {
                finding_change(f, "%llu MiB, and realtime.lock_memory is false",
                               swap_kb / 1024);
                finding_advise(f, "realtime.lock_memory true in the rig file");
        }
}
