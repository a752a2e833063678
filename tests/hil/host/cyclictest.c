/* cyclictest's output, as rt-tests 2.4 prints it with -q -h. */
#include <stdlib.h>
#include <string.h>

#include "hil/host/cyclictest.h"

#include "tests/suites.h"

static struct cyclictest c[2];
static char said[80];

static void read_lines(const char *const *line, int lines, int threads)
{
        memset(c, 0, sizeof c);
        said[0] = '\0';
        for (int i = 0; i < lines; i++)
                cyclictest_read_line(c, threads, line[i], said, sizeof said);
}

TEST(each_thread_has_a_column)
{
        static const char *const line[] = { "# /dev/cpu_dma_latency set to 0us\n",
                                            "# Histogram\n",
                                            "000020 000090\t000001\n",
                                            "000021 000009\t000002\n",
                                            "099999 000001\t000000\n",
                                            "# Total: 000000100 000000003\n",
                                            "# Min Latencies: 00020 00020\n",
                                            "# Max Latencies: 99999 00021\n",
                                            "# Histogram Overflows: 00000 00007\n" };

        read_lines(line, 9, 2);
        ck_assert_uint_eq(c[0].count, 100);
        ck_assert_int_eq(c[0].max_us, 99999);
        ck_assert_double_eq(cyclictest_us(&c[0], 0.5), 20);
        ck_assert_double_eq(cyclictest_us(&c[0], 0.95), 21);
        ck_assert_double_eq(cyclictest_us(&c[0], 0.995), 99999);
        /* Beyond the histogram, and yet counted. */
        ck_assert_uint_eq(c[1].count, 10);
        ck_assert_int_eq(c[1].max_us, 21);
        ck_assert_double_eq(cyclictest_us(&c[1], 0.9), CYCLICTEST_BINS);
        ck_assert_str_eq(said, "");
}

TEST(its_last_words_are_kept)
{
        static const char *const line[] = {
                "WARN: High resolution timers not available\n",
                "sh: 1: cyclictest: not found\n", "\n"
        };

        read_lines(line, 3, 1);
        ck_assert_str_eq(said, "sh: 1: cyclictest: not found");
        ck_assert_uint_eq(c[0].count, 0);
        ck_assert_double_eq(cyclictest_us(&c[0], 0.5), 0);
}

TEST(figures_that_cannot_be_are_left_out)
{
        static const char *const line[] = { "100000 5\n", "-1 5\n", "20 -5\n",
                                            "20 99999999999999\n",
                                            "# Max Latencies: -3\n" };

        read_lines(line, 5, 1);
        ck_assert_uint_eq(c[0].count, 0);
        ck_assert_int_eq(c[0].max_us, 0);
}
