/* What is written, read back and said; and what a measurement makes of findings. */
#include "tests/hil/host/made_up_tree.h"
#include "tests/suites.h"

#include "hil/host/smi.h"

PROCESS_EACH

static char *said;
static size_t said_len;

/* In a tree of one CPU with two things to change. */
static void put_two(void)
{
        put("/sys/devices/system/cpu/online", "0-1");
        put("/sys/kernel/mm/ksm/run", "1");
        put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
}

static int fix(struct json *json)
{
        FILE *out = open_memstream(&said, &said_len);
        int made = host_fix(&host, &report, out, json);

        fclose(out);
        return made;
}

FIXTURE(begin_tree, end_tree)

TEST(a_change_is_written_and_said_with_both_values)
{
        struct json *json = json_new_array();
        char text[80];

        put_two();
        judge_tree();
        ck_assert_int_eq(host_changes(&report), 2);
        ck_assert_int_eq(fix(json), 2);
        ck_assert_ptr_nonnull(strstr(said, "changed /sys/kernel/mm/ksm/run: 1 -> 0\n"));
        ck_assert_ptr_nonnull(strstr(said, "enabled: always -> madvise\n"));
        ck_assert_int_eq(json->count, 2);
        ck_assert_str_eq(json_string(json, "1.was"), "1");
        ck_assert_str_eq(json_string(json, "1.is"), "0");
        ck_assert_ptr_null(json_member(json_item(json, 1), "error"));
        ck_assert(system_file_read(root, "/sys/kernel/mm/ksm/run", text, sizeof text));
        ck_assert_str_eq(text, "0");
        judge_tree();
        expect("same_pages", HOST_OK, "does not run");
        free(said);
        json_free(json);
}

TEST(a_change_that_cannot_be_made_says_why_and_what_stays)
{
        struct json *json = json_new_array();
        char path[HOST_PATH_MAX];

        put_two();
        judge_tree();
        /* Meanwhile the file has gone: nobody, root included, may write it. */
        system_file_path(root, "/sys/kernel/mm/ksm/run", path);
        ck_assert_int_eq(remove(path), 0);
        ck_assert_int_eq(fix(json), 1);
        ck_assert_ptr_nonnull(strstr(said, "not changed /sys/kernel/mm/ksm/run: No such "
                                           "file or directory"));
        ck_assert_str_eq(json_string(json, "1.error"), "No such file or directory");
        free(said);
        json_free(json);
}

TEST(nothing_is_written_where_nothing_is_to_be_changed)
{
        put("/sys/devices/system/cpu/online", "0-1");
        judge_tree();
        ck_assert_int_eq(fix(NULL), 0);
        ck_assert_str_eq(said, "");
        free(said);
}

static struct lateness cpu[2];
static struct cyclictest peer[2];
static struct lateness_of_host measured;

static void begin_measured(void)
{
        begin_tree();
        put("/sys/devices/system/cpu/online", "0-1");
        memset(cpu, 0, sizeof cpu);
        memset(peer, 0, sizeof peer);
        measured = (struct lateness_of_host){ .wants = &wants,
                                              .period_ns = 1000000,
                                              .seconds = 2,
                                              .cpus = 2,
                                              .cpu = cpu,
                                              .peer = peer,
                                              .smis_known = true,
                                              .clock_resolution_ns = 1 };
        host.measured = &measured;
        cpu[1].cpu = 1;
        for (int i = 0; i < 1000; i++) {
                histogram_add(&cpu[0].wake, 20000);
                histogram_add(&cpu[1].wake, 30000);
        }
}

FIXTURE(begin_measured, end_tree)

TEST(wake_ups_that_are_on_time_are_no_finding)
{
        judge_tree();
        expect("lateness", HOST_OK, "0 of 2000 wake-ups");
        expect("requests", HOST_OK, "priority 80");
        expect("smi", HOST_OK, "0 came in 8 s");
        expect("timers", HOST_OK, "nanosecond");
        expect("cyclictest", HOST_NOT_JUDGED, "did not run");
}

TEST(a_late_wake_up_counts_where_the_loop_may_run)
{
        histogram_add(&cpu[1].wake, 5000000);
        cpu[1].late = 1;
        measured.smis = 3;
        measured.clock_resolution_ns = 4000000;
        snprintf(cpu[1].missing, sizeof cpu[1].missing, "SCHED_FIFO 80 not had");
        snprintf(measured.missing, sizeof measured.missing, "memory not locked");
        judge_tree();
        expect("lateness", HOST_CHANGE, "1 of 2001");
        expect("lateness", HOST_CHANGE, "on CPU 1, 5000 us");
        expect("smi", HOST_CHANGE, "3 came");
        expect("timers", HOST_CHANGE, "4.000 ms");
        expect("requests", HOST_CHANGE, "memory not locked; SCHED_FIFO 80 not had");
        wants.cpu = 0;
        measured.missing[0] = '\0';
        judge_tree();
        expect("lateness", HOST_OK, "0 of 1000");
        expect("requests", HOST_OK, "priority 80");
        wants.cpu = 7;
        judge_tree();
        expect("lateness", HOST_NOT_JUDGED, "CPU 7 was not measured");
        expect("requests", HOST_NOT_JUDGED, "CPU 7 was not measured");
}

static void put_count(int at, uint64_t count)
{
        unsigned char registers[0x40] = { 0 };
        char path[40];

        memcpy(registers + 0x34, &count, sizeof count);
        snprintf(path, sizeof path, "/dev/cpu/%d/msr", at);
        put_bytes(path, registers, sizeof registers);
}

/* Register 0x34, MSR_SMI_COUNT, of Intel's manual; the device's offset is the register's number. */
TEST(smis_are_counted_by_intels_register_alone)
{
        uint64_t count;
        char why[200];

        ck_assert(host_look(&host));
        put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD");
        ck_assert(!smi_count(root, &host.online, &count, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "only Intel"));
        put("/proc/cpuinfo", "vendor_id\t: GenuineIntel");
        ck_assert(!smi_count(root, &host.online, &count, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "/dev/cpu/0/msr: No such file"));
        put_count(0, 17);
        put_count(1, 18);
        ck_assert(smi_count(root, &host.online, &count, why, sizeof why));
        ck_assert_uint_eq(count, 18);
        put("/dev/cpu/1/msr", "short");
        ck_assert(!smi_count(root, &host.online, &count, why, sizeof why));
}
