/* Rows of numbers over time, thinned for a page while they stream in: of each stretch of
 * time the rows with the smallest and the largest value of every column stay, as they
 * were, so that no spike is lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_COLUMNS_MAX 9
#define REPORT_MOMENTS_MAX 64

/* Times about which rows are kept whole, at most so far on either side and as far as there is
 * room, which they share evenly. */
struct report_moments {
        int count;
        int64_t around_us;
        int64_t t_us[REPORT_MOMENTS_MAX];
};

/* What will come, as far as is known: rows, and the first and last of their times. */
struct report_extent {
        uint64_t rows;
        int64_t first_us, last_us;
};

struct report_table {
        int columns;
        size_t rows, room;
        int64_t *t_us; /* rising, owned */
        double *value; /* rows of `columns`, owned; NaN: none */
        uint64_t seen, refused; /* refused: time ran backwards, or makes no sense */
        bool thinned;
        size_t whole_left; /* rows that may still be kept whole */
        int64_t around_us; /* a moment, for which there is room */

        /* The stretch being gathered: per column the row with the least and the most. */
        struct report_extent extent;
        size_t stretches;
        size_t stretch;
        size_t gathered;
        int64_t pick_t_us[2 * REPORT_COLUMNS_MAX];
        double pick[2 * REPORT_COLUMNS_MAX][REPORT_COLUMNS_MAX];
        bool picked[2 * REPORT_COLUMNS_MAX];
        int64_t last_t_us;
        double last[REPORT_COLUMNS_MAX];
};

/* At most about rows_max rows stay, and as many again about the moments (NULL: none). False: no
 * memory. */
bool report_table_begin(struct report_table *t, int columns,
                        const struct report_extent *extent,
                        const struct report_moments *moments, size_t rows_max);
void report_table_add(struct report_table *t, const struct report_moments *moments,
                      int64_t t_us, const double *value);
void report_table_end(struct report_table *t);
void report_table_free(struct report_table *t);
