/* The small texts of /proc and /sys, as the kernel's documentation and machines have them. */
#include <stdlib.h>
#include <string.h>

#include "hil/host/system_text.h"

#include "tests/suites.h"

static struct cpu_list list;
static char text[400];

/* Documentation/admin-guide/kernel-parameters.rst, "CPU lists". */
TEST(a_list_of_cpus_is_read_as_the_kernel_documents_it)
{
        static const struct {
                const char *text, *same;
                int count;
        } row[] = { { "0", "0", 1 },
                    { "1,2,10-20,100-2000:2/25", NULL, -1 },
                    { "1,2,10-20,100-200:2/25\n", NULL, 2 + 11 + 9 },
                    { "0-3,8-11", "0-3,8-11", 8 },
                    { "3,1,2", "1-3", 3 },
                    { "", "", 0 },
                    { " (null)\n", "", 0 },
                    { "0-31:2/4", "0-1,4-5,8-9,12-13,16-17,20-21,24-25,28-29", 16 } };

        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
                ck_assert_int_eq(cpu_list_read(&list, row[i].text), row[i].count >= 0);
                ck_assert_int_eq(cpu_list_count(&list),
                                 row[i].count > 0 ? row[i].count : 0);
                ck_assert(cpu_list_write(&list, text, sizeof text));
                if (row[i].same != NULL)
                        ck_assert_str_eq(text, row[i].same);
        }
}

TEST(what_is_no_list_of_cpus_is_refused_and_leaves_an_empty_one)
{
        static const char *const wrong[] = { "a",
                                             "0-",
                                             "3-1",
                                             "0,,1",
                                             "0,",
                                             "1024",
                                             "-1",
                                             "0-3:1",
                                             "0-3:1/0",
                                             "0-3:3/2",
                                             "99999999999999999999",
                                             "0 1" };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                ck_assert_msg(!cpu_list_read(&list, wrong[i]), "%s", wrong[i]);
                ck_assert_int_eq(cpu_list_count(&list), 0);
        }
        ck_assert(cpu_list_read(&list, "0-9,100-200"));
        ck_assert(!cpu_list_write(&list, text, 5));
}

TEST(a_choice_is_what_stands_in_brackets)
{
        ck_assert(system_text_chosen("always [madvise] never", text, sizeof text));
        ck_assert_str_eq(text, "madvise");
        /* /sys/kernel/debug/sched/preempt has parentheses. */
        ck_assert(system_text_chosen("none voluntary (full)", text, sizeof text));
        ck_assert_str_eq(text, "full");
        ck_assert(!system_text_chosen("always madvise never", text, sizeof text));
        ck_assert(!system_text_chosen("always [madvise", text, sizeof text));
        ck_assert(!system_text_chosen("[madvise]", text, 4));
}

TEST(words_and_options_are_whole_words)
{
        ck_assert(system_text_has("conservative performance\n", "performance"));
        ck_assert(!system_text_has("performance_plus", "performance"));
        ck_assert(!system_text_has("SMP PREEMPT_DYNAMIC", "PREEMPT"));
        ck_assert(
                system_text_option("quiet preempt=full isolcpus=3", "preempt", text, 40));
        ck_assert_str_eq(text, "full");
        ck_assert(!system_text_option("nopreempt=full preempt", "preempt", text, 40));
}

static const char limits[] =
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max locked memory         8388608              8388608              bytes     \n"
        "Max realtime priority     0                    0                    \n"
        "Max realtime timeout      unlimited            unlimited            us        "
        "\n";

TEST(numbers_are_found_by_the_name_of_their_line)
{
        uint64_t n;

        ck_assert(system_text_number(limits, "Max locked memory", 10, &n));
        ck_assert_uint_eq(n, 8388608);
        ck_assert(system_text_number(limits, "Max realtime priority", 10, &n));
        ck_assert_uint_eq(n, 0);
        ck_assert(system_text_number(limits, "Max realtime timeout", 10, &n));
        ck_assert_uint_eq(n, UINT64_MAX);
        ck_assert(system_text_number("Name:\tx\nCapEff:\t000001ffffffffff\n", "CapEff",
                                     16, &n));
        ck_assert_uint_eq(n, 0x1ffffffffff);
        ck_assert(!system_text_number(limits, "Max realtime", 10, &n));
        ck_assert(!system_text_number("SwapTotal: lots\n", "SwapTotal", 10, &n));
}

static const char interrupts[] =
        "           CPU0       CPU2       CPU3       \n"
        "  8:          1          0         77   IO-APIC    8-edge      rtc0\n"
        " 24:    1000000         22         33  PCI-MSI 12-edge      nvme0q1\n"
        "LOC:       5000       6000       7000   Local timer interrupts\n"
        "ERR:          9\n";

TEST(interrupts_are_counted_in_the_column_of_the_cpu)
{
        ck_assert_uint_eq(system_text_interrupts(interrupts, "24", 0), 1000000);
        /* CPU 1 is off-line: the columns are not the numbers. */
        ck_assert_uint_eq(system_text_interrupts(interrupts, "24", 2), 22);
        ck_assert_uint_eq(system_text_interrupts(interrupts, "8", 3), 77);
        ck_assert_uint_eq(system_text_interrupts(interrupts, "LOC", 3), 7000);
        ck_assert_uint_eq(system_text_interrupts(interrupts, "24", 1), 0);
        ck_assert_uint_eq(system_text_interrupts(interrupts, "ERR", 3), 0);
        ck_assert_uint_eq(system_text_interrupts(interrupts, "25", 0), 0);
}
