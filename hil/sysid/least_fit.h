/* What the fit of least.c leaves, and the intervals that it gives. */
#pragma once

#include "hil/sysid/least.h"

#define LEAST_HUBER 2.0 /* residuals beyond so many sigma count linearly */

struct least_fit {
        const struct least_problem *p;
        double *residual; /* rows x channels */
        double *slope; /* parameters x rows x channels, per scale; those that are considered behind the others */
        double sigma[LEAST_CHANNELS];
};

static inline int least_all(const struct least_problem *p)
{
        return p->parameters + p->considered;
}

static inline size_t least_cells(const struct least_problem *p)
{
        return p->rows * (size_t)p->channels;
}

static inline double least_sigma(const struct least_fit *f, size_t cell)
{
        return f->sigma[cell % (size_t)f->p->channels];
}

/* The halves of r->value's 95 % intervals. False: the values have none. */
bool least_intervals(const struct least_fit *f, struct least_result *r);
