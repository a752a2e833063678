/* The table of findings, and what becomes of it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/host/finding.h"

const struct host_check host_checks[] = {
        { "lateness", "wake-ups on time", check_lateness },
        { "cyclictest", "cyclictest's figures beside the rig's", check_cyclictest },
        { "requests", "what the rig asks the system for", check_requests },
        { "smi", "interrupts that the firmware takes", check_smi },
        { "load", "other work", check_load },
        { "hypervisor", "a machine of its own", check_hypervisor },
        { "preemption", "the kernel's preemption", check_preemption },
        { "clock_source", "clock", check_clock_source },
        { "timers", "high-resolution timers", check_timers },
        { "timer_slack", "slack of sleeping threads", check_timer_slack },
        { "rtprio", "limit of the priority", check_priority_limit },
        { "memlock", "limit of locked memory", check_memory_limit },
        { "throttling", "share of real-time threads", check_throttling },
        { "governor", "frequency governor", check_governor },
        { "turbo", "turbo", check_turbo },
        { "sleep_states", "sleep states of the CPUs", check_sleep_states },
        { "siblings", "hyper-threads beside the loop", check_siblings },
        { "isolation", "a CPU for the loop", check_isolation },
        { "interrupts", "interrupts on the loop's CPU", check_interrupts },
        { "huge_pages", "transparent huge pages", check_huge_pages },
        { "same_pages", "merging of same pages", check_same_pages },
        { "numa", "memory that moves between nodes", check_numa },
        { "swap", "swap", check_swap },
        { "usb_suspend", "USB devices that fall asleep", check_usb_suspend },
        { "serial_latency", "latency timers of FTDI adapters", check_serial_latency },
};
static const int host_checks_count = sizeof host_checks / sizeof host_checks[0];

static void write_finding(struct host_finding *f, enum host_state state,
                          const char *format, va_list args)
{
        f->state = state;
        vsnprintf(f->figure, sizeof f->figure, format, args);
}

void finding_ok(struct host_finding *f, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        write_finding(f, HOST_OK, format, args);
        va_end(args);
}

void finding_change(struct host_finding *f, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        write_finding(f, HOST_CHANGE, format, args);
        va_end(args);
}

void finding_not_judged(struct host_finding *f, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        write_finding(f, HOST_NOT_JUDGED, format, args);
        va_end(args);
}

void finding_advise(struct host_finding *f, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        vsnprintf(f->advice, sizeof f->advice, format, args);
        va_end(args);
}

void finding_plan(struct host_finding *f, const char *path, const char *was,
                  const char *now)
{
        struct host_change *more = realloc(f->change,
                                           (size_t)(f->changes + 1) * sizeof *more),
                           *c;

        if (more == NULL)
                return;
        f->change = more;
        c = &more[f->changes++];
        *c = (struct host_change){ .list_of_cpus = false };
        snprintf(c->path, sizeof c->path, "%s", path);
        snprintf(c->was, sizeof c->was, "%s", was);
        snprintf(c->now, sizeof c->now, "%s", now);
}

bool host_look(struct host *h)
{
        char text[4096];

        return system_file_read(h->root, "/sys/devices/system/cpu/online", text,
                                sizeof text) &&
               cpu_list_read(&h->online, text) && cpu_list_count(&h->online) > 0;
}

bool host_judge(const struct host *h, struct host_report *r)
{
        *r = (struct host_report){ .finding = calloc((size_t)host_checks_count,
                                                     sizeof *r->finding) };
        if (r->finding == NULL)
                return false;
        r->findings = host_checks_count;
        for (int i = 0; i < r->findings; i++) {
                r->finding[i].name = host_checks[i].name;
                host_checks[i].judge(h, &r->finding[i]);
        }
        return true;
}

void host_report_free(struct host_report *r)
{
        for (int i = 0; i < r->findings; i++)
                free(r->finding[i].change);
        free(r->finding);
        *r = (struct host_report){ .findings = 0 };
}

int host_count(const struct host_report *r, enum host_state state)
{
        int count = 0;

        for (int i = 0; i < r->findings; i++)
                count += r->finding[i].state == state;
        return count;
}

int host_changes(const struct host_report *r)
{
        int count = 0;

        for (int i = 0; i < r->findings; i++)
                count += r->finding[i].changes;
        return count;
}
