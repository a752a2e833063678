/* How a check writes down what it found. */
#pragma once

#include "hil/host/host.h"

void finding_ok(struct host_finding *f, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void finding_change(struct host_finding *f, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void finding_not_judged(struct host_finding *f, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void finding_advise(struct host_finding *f, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
/* What may be written to change it; one that there is no memory for is left out. */
void finding_plan(struct host_finding *f, const char *path, const char *was,
                  const char *now);

/* The checks, by their subject. */
void check_lateness(const struct host *h, struct host_finding *f);
void check_cyclictest(const struct host *h, struct host_finding *f);
void check_requests(const struct host *h, struct host_finding *f);
void check_smi(const struct host *h, struct host_finding *f);
void check_timers(const struct host *h, struct host_finding *f);

void check_load(const struct host *h, struct host_finding *f);
void check_hypervisor(const struct host *h, struct host_finding *f);
void check_preemption(const struct host *h, struct host_finding *f);
void check_clock_source(const struct host *h, struct host_finding *f);
void check_timer_slack(const struct host *h, struct host_finding *f);

void check_priority_limit(const struct host *h, struct host_finding *f);
void check_memory_limit(const struct host *h, struct host_finding *f);
void check_throttling(const struct host *h, struct host_finding *f);

void check_governor(const struct host *h, struct host_finding *f);
void check_turbo(const struct host *h, struct host_finding *f);
void check_sleep_states(const struct host *h, struct host_finding *f);
void check_siblings(const struct host *h, struct host_finding *f);
void check_isolation(const struct host *h, struct host_finding *f);
void check_interrupts(const struct host *h, struct host_finding *f);

void check_huge_pages(const struct host *h, struct host_finding *f);
void check_same_pages(const struct host *h, struct host_finding *f);
void check_numa(const struct host *h, struct host_finding *f);
void check_swap(const struct host *h, struct host_finding *f);

void check_usb_suspend(const struct host *h, struct host_finding *f);
void check_serial_latency(const struct host *h, struct host_finding *f);
