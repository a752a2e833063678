/* Findings by measurement. */
#include <stdio.h>
#include <string.h>

#include "hil/host/finding.h"
#include "hil/time/clock.h"

static bool was_measured(const struct host *h, struct host_finding *f)
{
        if (h->measured == NULL)
                finding_not_judged(f, "nothing was measured");
        return h->measured != NULL;
}

/* Where the loop may run: on its own CPU, or on any. */
static bool concerns(const struct host *h, const struct lateness *l)
{
        return l->wake.count > 0 && (h->wants->cpu < 0 || h->wants->cpu == l->cpu);
}

static const struct lateness *find_worst(const struct host *h)
{
        const struct lateness *worst = NULL;

        for (int i = 0; i < h->measured->cpus; i++) {
                const struct lateness *l = &h->measured->cpu[i];

                if (concerns(h, l) &&
                    (worst == NULL || l->wake.max_ns > worst->wake.max_ns))
                        worst = l;
        }
        return worst;
}

void check_lateness(const struct host *h, struct host_finding *f)
{
        const struct lateness *worst;
        uint64_t late = 0, count = 0;

        if (!was_measured(h, f))
                return;
        worst = find_worst(h);
        if (worst == NULL) {
                finding_not_judged(f, "CPU %d was not measured", h->wants->cpu);
                return;
        }
        for (int i = 0; i < h->measured->cpus; i++)
                if (concerns(h, &h->measured->cpu[i])) {
                        late += h->measured->cpu[i].late;
                        count += h->measured->cpu[i].wake.count;
                }
        (late > 0 ? finding_change : finding_ok)(
                f,
                "%llu of %llu wake-ups a period (%.0f us) late or more; the worst, on "
                "CPU %d, %.0f us, its p99.9 %.0f us",
                (unsigned long long)late, (unsigned long long)count,
                (double)h->period_ns * 1e-3, worst->cpu,
                (double)worst->wake.max_ns * 1e-3,
                (double)histogram_quantile_ns(&worst->wake, 0.999) * 1e-3);
        if (late > 0)
                finding_advise(f, "what can be changed follows; repeat it on a machine "
                                  "that does nothing else");
}

void check_cyclictest(const struct host *h, struct host_finding *f)
{
        const struct lateness *worst;
        const struct cyclictest *peer;

        if (!was_measured(h, f))
                return;
        worst = find_worst(h);
        peer = worst != NULL ? &h->measured->peer[worst - h->measured->cpu] : NULL;
        if (peer == NULL || peer->count == 0) {
                finding_not_judged(f, "cyclictest (package rt-tests) did not run: %s",
                                   h->measured->peer_said);
                return;
        }
        finding_ok(f,
                   "on CPU %d p99 %.0f us and p99.9 %.0f us, worst %ld us; the rig's "
                   "p99 %.0f us and p99.9 %.0f us, worst %.0f us",
                   worst->cpu, cyclictest_us(peer, 0.99), cyclictest_us(peer, 0.999),
                   peer->max_us, (double)histogram_quantile_ns(&worst->wake, 0.99) * 1e-3,
                   (double)histogram_quantile_ns(&worst->wake, 0.999) * 1e-3,
                   (double)worst->wake.max_ns * 1e-3);
}

void check_requests(const struct host *h, struct host_finding *f)
{
        const struct lateness *worst;
        const char *between;

        if (!was_measured(h, f))
                return;
        worst = find_worst(h);
        if (worst == NULL) {
                finding_not_judged(f, "CPU %d was not measured", h->wants->cpu);
                return;
        }
        between =
                h->measured->missing[0] != '\0' && worst->missing[0] != '\0' ? "; " : "";
        if (h->measured->missing[0] == '\0' && worst->missing[0] == '\0') {
                finding_ok(f, "all was had: priority %d, %s, %s", h->wants->priority,
                           h->wants->lock_memory ? "locked memory" : "memory not locked",
                           h->wants->hold_cpu_latency ? "no deep sleep"
                                                      : "sleep states left alone");
                return;
        }
        finding_change(f, "%s%s%s", h->measured->missing, between, worst->missing);
        finding_advise(f, "give the user what docs/realtime.md names under Permissions");
}

void check_smi(const struct host *h, struct host_finding *f)
{
        if (!was_measured(h, f))
                return;
        if (!h->measured->smis_known) {
                finding_not_judged(f, "%s", h->measured->smis_hidden);
                return;
        }
        (h->measured->smis > 0 ? finding_change : finding_ok)(
                f, "%llu came in %d s", (unsigned long long)h->measured->smis,
                LATENESS_BLOCKS * h->measured->seconds);
        if (h->measured->smis > 0)
                finding_advise(f, "in the firmware's set-up: no USB legacy support, no "
                                  "power management by the firmware; a newer firmware");
}

void check_timers(const struct host *h, struct host_finding *f)
{
        if (!was_measured(h, f))
                return;
        if (h->measured->clock_resolution_ns <= NS_PER_US) {
                finding_ok(f, "they wake to the nanosecond");
                return;
        }
        finding_change(f, "timers fire at ticks of %.3f ms",
                       (double)h->measured->clock_resolution_ns * 1e-6);
        finding_advise(f, "no highres=off and no nohz=off on the kernel's command line");
}
