/* A recording that the disk has no room for, or that another left behind. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/io/log/sr_stage.h"

FIXTURE(setup, teardown)

TEST(a_full_disk_is_told_and_leaves_what_was_written)
{
        const struct rlimit none = { 0, RLIM_INFINITY };
        const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
        struct sr_writer *w;

        signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
        w = sr_create(path, &four, &why);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &all), 0);
        ck_assert(w == NULL);
        ck_assert_msg(strstr(why.text, "a.sr.part: File too large") != NULL, "%s",
                      why.text);
        ck_assert_int_ne(access(part, F_OK), 0);
        snprintf(path, sizeof path, "%s/none/a.sr", folder);
        w = sr_create(path, &four, &why);
        ck_assert(w == NULL);
        ck_assert(strstr(why.text, "No such file or directory") != NULL);
}

TEST(what_is_left_of_a_killed_recording_is_not_written_over)
{
        const struct sr_info slow = { .rate_hz = 5000, .pads = 8 };
        struct sr_writer *w = begin(&slow);
        struct sr_reader *r;
        char whole[300];

        put(w, 17500);
        ck_assert(sr_create(path, &slow, &why) == NULL);
        ck_assert_msg(strstr(why.text, "a.sr.part: is there, of a recording that was not "
                                       "finished: remove it, or --from it") != NULL,
                      "%s", why.text);
        r = open_it(part);
        ck_assert_uint_eq(read_all(r, 0xFF), 15000);
        sr_close(r);
        ck_assert(sr_finish(w, &why));
        /* Nor is what it links to. */
        snprintf(whole, sizeof whole, "%s/b.sr", folder);
        ck_assert_int_eq(symlink(whole, part), 0);
        ck_assert(sr_create(path, &slow, &why) == NULL);
        ck_assert_int_ne(access(whole, F_OK), 0);
}

TEST(a_disk_that_fills_up_leaves_what_was_written)
{
        const struct rlimit small = { 20000, 20000 };
        static uint8_t noise[200000];
        struct sr_writer *w = begin(&four);
        struct sr_info slow = { .rate_hz = 5000, .pads = 8 };
        struct sr_reader *r;
        uint8_t got[4096];
        uint64_t total = 0;
        bool ok = true;
        long n;

        ck_assert(sr_finish(w, &why));
        signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (size_t i = 0; i < sizeof noise; i++)
                noise[i] = (uint8_t)((i * 2654435761U) >> 13);
        w = begin(&slow);
        for (int i = 0; i < 10 && ok; i++)
                ok = sr_write(w, noise, sizeof noise, &why);
        ck_assert(!ok);
        ck_assert_msg(strstr(why.text, "a.sr.part: File too large") != NULL, "%s",
                      why.text);
        ck_assert(!sr_write(w, noise, 1, &why));
        ck_assert(!sr_finish(w, &why));
        ck_assert(strstr(why.text, "File too large") != NULL);
        r = open_it(part);
        while ((n = sr_read(r, got, sizeof got, &why)) > 0) {
                ck_assert_mem_eq(got, noise + total, (size_t)n);
                total += (uint64_t)n;
        }
        ck_assert_uint_ge(total, 5000);
        sr_close(r);
}
