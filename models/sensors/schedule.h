/* When a sensor measures, and how long its sample is on its way. Integer nanoseconds of
 * simulated time; no sums of doubles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct schedule_params {
        int64_t period_ns; /* 0: the sensor is not fitted */
        int64_t phase_ns; /* of the first sample, 0 <= phase < period */
        int64_t delay_ns; /* from measurement to delivery, < DELAY_SLOTS periods */
};

/* True once for every period: at the first call whose t_ns has reached phase + n period.
 * Samples that a coarse t_ns skipped are not made up for. */
struct schedule {
        int64_t next_ns;
};

void schedule_init(struct schedule *s, const struct schedule_params *p);

static inline bool schedule_due(struct schedule *s, const struct schedule_params *p,
                                int64_t t_ns)
{
        if (p->period_ns <= 0 || t_ns < s->next_ns)
                return false;
        s->next_ns += p->period_ns;
        /* Stays on phase + n period, however late the call was. */
        if (t_ns >= s->next_ns)
                s->next_ns += p->period_ns * (1 + (t_ns - s->next_ns) / p->period_ns);
        return true;
}

/* Samples in flight between measurement and delivery, oldest first. */
#define DELAY_SLOTS      64
#define DELAY_SAMPLE_MAX 128

struct delay_line {
        unsigned first, count;
        struct {
                int64_t due_ns;
                unsigned char sample[DELAY_SAMPLE_MAX];
        } slot[DELAY_SLOTS];
};

/* The caller has checked delay_ns < DELAY_SLOTS * period_ns; the oldest is lost
 * otherwise. */
void delay_push(struct delay_line *d, int64_t due_ns, const void *sample, size_t size);

/* Takes every sample that is due by t_ns; the newest of them goes to `sample`. False:
 * none. */
bool delay_pop(struct delay_line *d, int64_t t_ns, void *sample, size_t size);
