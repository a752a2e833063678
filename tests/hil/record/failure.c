/* The recorder when the ring is full, the disk is full or the process is killed. */
#include "tests/hil/record/record_folder.h"
#include "tests/suites.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* What a log holds, cut or not. */
struct contents {
        int64_t ticks;
        int dropouts;
        uint16_t dropout_ms; /* of the last one */
        bool truncated;
        size_t len;
};

/* Reads a log; the ticks of vehicle 0 must come without a gap unless the log says so. */
static struct contents read_log(const struct folder *f)
{
        struct contents c = { 0 };
        struct ulog_reader r;
        struct ulog_record rec;
        uint8_t *bytes = folder_load(f, "run.ulg", &c.len);

        ck_assert_ptr_nonnull(bytes);
        ck_assert(ulog_open(&r, bytes, c.len));
        while (ulog_next(&r, &rec)) {
                if (rec.type == 'O') {
                        c.dropouts++;
                        c.dropout_ms = le_get_u16(rec.data);
                }
                if (rec.type != 'D' || rec.topic != ulog_topic(&r, "hilrig_tick", 0))
                        continue;
                if (c.dropouts == 0 && le_get_u64(rec.data + 8) != (uint64_t)c.ticks)
                        ck_abort_msg("tick %lld is missing", (long long)c.ticks);
                c.ticks++;
        }
        c.truncated = r.truncated;
        free(bytes);
        return c;
}

static bool push_tick(struct folder *f, int64_t n)
{
        struct tick_record t = tick_of(n, 0);

        return recorder_tick(f->recorder, &t);
}

static void link_to_full(const struct folder *f, const char *name)
{
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", f->path, name);
        ck_assert_int_eq(symlink("/dev/full", path), 0);
}

TEST(in_lockstep_a_full_ring_waits_and_loses_nothing)
{
        struct contents c;
        struct folder f;

        folder_make(&f);
        f.setup.ring_bytes = 65536;
        folder_open(&f);
        for (int64_t n = 0; n < 20000; n++)
                if (!push_tick(&f, n))
                        ck_abort_msg("tick %lld was dropped", (long long)n);
        folder_close(&f);
        c = read_log(&f);
        ck_assert_uint_eq(f.totals.drops, 0);
        ck_assert_int_eq(c.ticks, 20000);
        ck_assert_int_eq(c.dropouts, 0);
        folder_remove(&f);
}

TEST(in_real_time_what_a_full_ring_drops_is_counted)
{
        int64_t accepted = 0;
        struct contents c;
        struct folder f;

        folder_make(&f);
        f.setup.ring_bytes = 4096;
        f.setup.wait = false;
        folder_open(&f);
        for (int64_t n = 0; n < 20000; n++)
                accepted += push_tick(&f, n);
        folder_close(&f);
        c = read_log(&f);
        ck_assert_int_eq(c.ticks, accepted);
        ck_assert_uint_eq(f.totals.drops, (uint64_t)(20000 - accepted));
        ck_assert((c.dropouts > 0) == (accepted < 20000));
        folder_remove(&f);
}

TEST(dropout_lasts_from_the_record_before_to_the_one_after)
{
        static const uint8_t bytes[4096];
        struct contents c;
        struct folder f;

        folder_make(&f);
        f.setup.ring_bytes = 4096;
        folder_open(&f);
        ck_assert(push_tick(&f, 0));
        /* Fits no ring of this size, so it is dropped even in lockstep. */
        ck_assert(!recorder_bytes(f.recorder, 9, WIRE_TO_FC, 0, 0, bytes, sizeof bytes));
        ck_assert(push_tick(&f, 30));
        folder_close(&f);
        c = read_log(&f);
        ck_assert_uint_eq(f.totals.drops, 1);
        ck_assert_int_eq(c.ticks, 2);
        ck_assert_int_eq(c.dropouts, 1);
        ck_assert_uint_eq(c.dropout_ms, 30);
        folder_remove(&f);
}

TEST(records_lost_at_the_very_end_leave_a_dropout_too)
{
        static const uint8_t bytes[4096];
        struct contents c;
        struct folder f;

        folder_make(&f);
        f.setup.ring_bytes = 4096;
        folder_open(&f);
        ck_assert(push_tick(&f, 0));
        ck_assert(!recorder_bytes(f.recorder, 8000000, WIRE_TO_FC, 0, 0, bytes,
                                  sizeof bytes));
        folder_close(&f);
        c = read_log(&f);
        ck_assert_int_eq(c.dropouts, 1);
        ck_assert_uint_eq(c.dropout_ms, 7);
        folder_remove(&f);
}

TEST(folder_that_is_not_there_is_named)
{
        struct recorder_setup setup = { .folder = "/nonexistent/run",
                                        .config_sha256 = "",
                                        .version = "" };
        char why[240];

        ck_assert_ptr_null(recorder_open(&setup, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "/nonexistent/run/run.ulg"));
        ck_assert_ptr_nonnull(strstr(why, "No such file"));
}

/* Pushes until the writing thread has met the error; the test's time-out ends it otherwise. */
static int64_t push_until_failed(struct folder *f)
{
        int64_t n = 0;

        for (; !recorder_failed(f->recorder); n++) {
                push_tick(f, n);
                recorder_bytes(f->recorder, n, WIRE_TO_FC, 0, 0, "x", 1);
                if (n % 64 == 0)
                        sched_yield();
        }
        return n;
}

TEST_EACH(full_disk_is_noticed_and_named_and_nothing_blocks, 2)
{
        static const char *const names[] = { "run.ulg", "wire.cap" };
        const char *name = names[_i], *other = names[1 - _i];
        struct folder f;
        size_t len = 0;
        int64_t n;

        folder_make(&f);
        link_to_full(&f, name);
        folder_open(&f);
        n = push_until_failed(&f);
        /* Far more than the ring holds: the thread must go on taking entries. */
        for (int64_t i = 0; i < 50000; i++)
                if (!push_tick(&f, n + i))
                        ck_abort_msg("tick was dropped");
        folder_close(&f);
        ck_assert_ptr_nonnull(strstr(f.totals.failure, name));
        ck_assert_ptr_nonnull(strstr(f.totals.failure, "No space left on device"));
        ck_assert_uint_eq(f.totals.drops, 0);
        /* The other file does not suffer. */
        free(folder_load(&f, other, &len));
        ck_assert_uint_gt(len, 100);
        folder_remove(&f);
}

TEST(disk_that_fills_up_only_at_the_end_is_reported_by_close)
{
        struct folder f;

        folder_make(&f);
        link_to_full(&f, "run.ulg");
        folder_open(&f);
        folder_close(&f);
        ck_assert_ptr_nonnull(strstr(f.totals.failure, "No space left on device"));
        folder_remove(&f);
}

TEST_EACH(log_is_cut_after_its_last_whole_record_when_the_disk_fills_up, 3)
{
        struct rlimit before, limit;
        struct contents c;
        struct folder f;

        /* A limit that falls inside a record writes a part and then fails, as a full disk does. */
        signal(SIGXFSZ, SIG_IGN);
        folder_make(&f);
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
        limit = before;
        limit.rlim_cur = 300001 + (rlim_t)_i;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        folder_open(&f);
        push_until_failed(&f);
        folder_close(&f);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);

        c = read_log(&f);
        ck_assert_ptr_nonnull(strstr(f.totals.failure, "run.ulg: could not be written"));
        ck_assert(!c.truncated);
        ck_assert_uint_le(c.len, limit.rlim_cur);
        /* No record that had gone out whole is thrown away: the longest is below 256 bytes. */
        ck_assert_uint_gt(c.len, limit.rlim_cur - 256);
        ck_assert_int_gt(c.ticks, 0);
        folder_remove(&f);
}

static off_t log_size(const struct folder *f)
{
        char path[PATH_MAX];
        struct stat st;

        snprintf(path, sizeof path, "%s/run.ulg", f->path);
        return stat(path, &st) == 0 ? st.st_size : 0;
}

/* Records until it is killed; says through the pipe when something has reached the kernel. */
static void record_for_ever(struct folder *f, int told)
{
        char why[240];
        bool said = false;

        f->recorder = recorder_open(&f->setup, why, sizeof why);
        if (!f->recorder)
                _exit(1);
        for (int64_t n = 0;; n++) {
                push_tick(f, n);
                if (said || log_size(f) < 10000)
                        continue;
                said = write(told, "y", 1) == 1;
        }
}

TEST(killed_rig_leaves_a_log_that_reads)
{
        struct contents c;
        struct folder f;
        int told[2], status;
        char answer = 0;
        pid_t child;

        folder_make(&f);
        ck_assert_int_eq(pipe(told), 0);
        child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
                record_for_ever(&f, told[1]);
        close(told[1]);
        ck_assert_int_eq(read(told[0], &answer, 1), 1);
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        close(told[0]);

        c = read_log(&f);
        ck_assert_int_gt(c.ticks, 0);
        folder_remove(&f);
}

TEST(hash_does_not_depend_on_the_disk)
{
        struct folder good, full;

        folder_make(&good);
        folder_make(&full);
        link_to_full(&full, "run.ulg");
        folder_open(&good);
        folder_open(&full);
        for (int64_t n = 0; n < 5000; n++) {
                push_tick(&good, n);
                push_tick(&full, n);
        }
        folder_close(&good);
        folder_close(&full);
        ck_assert_str_eq(good.totals.failure, "");
        ck_assert_str_ne(full.totals.failure, "");
        ck_assert_str_eq(good.totals.signal_sha256, full.totals.signal_sha256);
        folder_remove(&good);
        folder_remove(&full);
}
