/* Numbers in ascending order; what is no number has no place of its own. */
#pragma once

#include <stdlib.h>

static inline int sort_ascending(const void *a, const void *b)
{
        double x = *(const double *)a, y = *(const double *)b;

        return (x > y) - (x < y);
}

static inline void sort_doubles(double *value, size_t count)
{
        qsort(value, count, sizeof *value, sort_ascending);
}
