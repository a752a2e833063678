/* Findings about what the user may ask for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/finding.h"

/* Numbers of capability(7). */
#define MAY_LOCK 14 /* CAP_IPC_LOCK */
#define MAY_NICE 23 /* CAP_SYS_NICE */

#define RUNTIME "/proc/sys/kernel/sched_rt_runtime_us"

static bool may(const struct host *h, int capability)
{
        char *text = system_file_read_whole(h->root, "/proc/self/status");
        uint64_t has = 0;

        if (text == NULL || !system_text_number(text, "CapEff", 16, &has))
                has = 0;
        free(text);
        return (has >> capability & 1) != 0;
}

static bool find_limit(const struct host *h, struct host_finding *f, const char *name,
                       uint64_t *limit)
{
        char *text = system_file_read_whole(h->root, "/proc/self/limits");
        bool found = text != NULL && system_text_number(text, name, 10, limit);

        if (!found)
                finding_not_judged(f, "/proc/self/limits does not say");
        free(text);
        return found;
}

void check_priority_limit(const struct host *h, struct host_finding *f)
{
        uint64_t limit = 0;

        if (h->wants->priority == 0) {
                finding_ok(f, "realtime.priority is 0: none is asked for");
        } else if (may(h, MAY_NICE)) {
                finding_ok(f, "CAP_SYS_NICE: any");
        } else if (find_limit(h, f, "Max realtime priority", &limit)) {
                if (limit >= (uint64_t)h->wants->priority) {
                        finding_ok(f, "%llu, and realtime.priority is %d",
                                   (unsigned long long)limit, h->wants->priority);
                        return;
                }
                finding_change(f, "%llu, but realtime.priority is %d",
                               (unsigned long long)limit, h->wants->priority);
                finding_advise(f, "the group hilrig (docs/realtime.md, Permissions), or "
                                  "LimitRTPRIO=90 in a service's unit");
        }
}

void check_memory_limit(const struct host *h, struct host_finding *f)
{
        uint64_t limit = 0;

        if (!h->wants->lock_memory) {
                finding_ok(f, "realtime.lock_memory is false: none is locked");
        } else if (may(h, MAY_LOCK)) {
                finding_ok(f, "CAP_IPC_LOCK: any");
        } else if (find_limit(h, f, "Max locked memory", &limit)) {
                if (limit == UINT64_MAX) {
                        finding_ok(f, "unlimited");
                        return;
                }
                finding_change(f, "%.0f MiB, but all of the rig's memory is to be locked",
                               (double)limit / (1024.0 * 1024.0));
                finding_advise(f, "the group hilrig (docs/realtime.md, Permissions), or "
                                  "LimitMEMLOCK=infinity in a service's unit");
        }
}

/* Real-time threads get no more than this of each period. The loop sleeps for most of its own. */
void check_throttling(const struct host *h, struct host_finding *f)
{

        long long runtime_us, period_us = 1000000;
        char was[40];

        if (!system_file_number(h->root, RUNTIME, &runtime_us)) {
                finding_not_judged(f, "there is no " RUNTIME);
                return;
        }
        system_file_number(h->root, "/proc/sys/kernel/sched_rt_period_us", &period_us);
        if (runtime_us < 0) {
                finding_ok(f, "all of the time");
                return;
        }
        if (runtime_us >= period_us / 2) {
                finding_ok(f, "%lld of %lld us", runtime_us, period_us);
                return;
        }
        finding_change(f, "%lld of %lld us", runtime_us, period_us);
        snprintf(was, sizeof was, "%lld", runtime_us);
        finding_plan(f, RUNTIME, was, period_us == 1000000 ? "950000" : "-1");
}
