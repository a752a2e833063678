/* Recordings written and read back; sigrok-cli reads ours and we read what it wrote; damaged and
 * hostile files end with a reason. */
#include <fcntl.h>
#include <sys/stat.h>

#include "io/log/zip_file.h"
#include "tests/io/log/sr_stage.h"

FIXTURE(setup, teardown)

TEST(what_is_written_is_read_back)
{
        struct sr_reader *r;

        record(&four, 9000000); /* three chunks */
        ck_assert_int_ne(access(part, F_OK), 0);
        r = open_it(path);
        ck_assert_double_eq(sr_info(r)->rate_hz, 24e6);
        ck_assert_int_eq(sr_info(r)->pads, 4);
        ck_assert_str_eq(sr_info(r)->pad_name[1], "M2");
        ck_assert_str_eq(sr_info(r)->pad_name[2], "D2");
        ck_assert(sr_info(r)->finished);
        ck_assert_uint_eq(sr_info(r)->samples, 9000000);
        ck_assert_uint_eq(read_all(r, 0x0F), 9000000);
        ck_assert_int_eq(sr_read(r, (uint8_t[8]){ 0 }, 8, &why), 0);
        sr_close(r);
}

TEST(a_recording_without_samples_is_a_recording)
{
        struct sr_reader *r;

        record(&four, 0);
        r = open_it(path);
        ck_assert_uint_eq(read_all(r, 0x0F), 0);
        sr_close(r);
}

TEST(sigrok_reads_ours)
{
        char *text;

        if (!have_sigrok())
                return;
        record(&four, 100000);
        text = said_by("sigrok-cli -i '%s' --show", path);
        ck_assert_msg(strstr(text, "Samplerate: 24000000") != NULL, "%s", text);
        ck_assert_msg(strstr(text, "- M2: logic\n- D2: logic\n- a / b: logic") != NULL,
                      "%s", text);

        /* Its own bytes of it. */
        text = said_by("sigrok-cli -i '%s' -O binary | head -c 8000", path);
        for (uint64_t i = 0; i < 8000; i++)
                ck_assert_uint_eq((uint8_t)text[i], sample_at(i) & 0xFF);
        text = said_by("sigrok-cli -i '%s' -O binary | wc -c", path);
        ck_assert_int_eq(atoi(text), 100000);
}

TEST(sigrok_reads_many_chunks)
{
        if (!have_sigrok())
                return;
        record(&four, 9000000);
        ck_assert_int_eq(atoi(said_by("sigrok-cli -i '%s' -O binary | wc -c", path)),
                         9000000);
}

/* A demo device's pattern, by sigrok's own words and by our reader. */
static void compare_demo(const char *device, const char *channels, int pads, int unit)
{
        static uint8_t ours[70000];
        struct sr_reader *r;
        char command[600], *text;
        size_t have = 0;
        long n;

        snprintf(command, sizeof command,
                 "sigrok-cli -d demo:%s --config samplerate=500k --samples 60000 %s "
                 "-o '%%s'",
                 device, channels);
        said_by(command, path);
        r = open_it(path);
        ck_assert_double_eq(sr_info(r)->rate_hz, 500e3);
        ck_assert_int_eq(sr_info(r)->pads, pads);
        ck_assert_int_eq(sr_info(r)->unit_bytes, unit);
        ck_assert_uint_eq(sr_info(r)->samples, 60000);
        while ((n = sr_read(r, ours + have, sizeof ours - have, &why)) > 0)
                have += (size_t)n;
        ck_assert_uint_eq(have, 60000);
        text = said_by("sigrok-cli -i '%s' -O binary | head -c 16000", path);
        for (size_t i = 0; i < 16000; i++)
                if (i % (size_t)unit == 0)
                        ck_assert_uint_eq(ours[i / (size_t)unit], (uint8_t)text[i]);
        sr_close(r);
}

TEST(we_read_what_sigrok_wrote)
{
        if (!have_sigrok())
                return;
        compare_demo("logic_channels=8:analog_channels=0", "", 8, 1);
        compare_demo("logic_channels=12:analog_channels=1", "", 8, 2);
        compare_demo("logic_channels=4:analog_channels=0", "-C D0,D2", 4, 1);
}

TEST(a_killed_recording_reads_to_its_last_chunk)
{
        const struct sr_info slow = { .rate_hz = 5000, .pads = 8 };
        struct sr_writer *w = begin(&slow);
        struct sr_reader *r;

        /* A chunk is a second; the rest of the fourth was never handed over. */
        put(w, 17500);
        r = open_it(part);
        ck_assert(!sr_info(r)->finished);
        ck_assert_uint_eq(read_all(r, 0xFF), 15000);
        sr_close(r);
        ck_assert(sr_finish(w, &why));
}

static void cut_to(const char *from, long len)
{
        char command[700];

        snprintf(command, sizeof command, "head -c %ld '%s' > '%s/cut.sr'", len, from,
                 folder);
        ck_assert_int_eq(system(command), 0);
}

TEST(a_cut_copy_reads_as_far_as_it_goes)
{
        const struct sr_info slow = { .rate_hz = 5000, .pads = 8 };
        char cut[300];
        uint64_t last = 0;
        struct stat st;

        record(&slow, 17500);
        ck_assert_int_eq(stat(path, &st), 0);
        snprintf(cut, sizeof cut, "%s/cut.sr", folder);
        for (long len = 0; len < st.st_size; len += 37) {
                struct sr_reader *r;
                uint64_t n;

                cut_to(path, len);
                r = sr_open(cut, &why);
                if (r == NULL) {
                        ck_assert_msg(strncmp(why.text, cut, strlen(cut)) == 0, "%s",
                                      why.text);
                        ck_assert_uint_eq(last, 0);
                        continue;
                }
                ck_assert(!sr_info(r)->finished);
                n = read_all(r, 0xFF);
                ck_assert_uint_ge(n, last);
                last = n;
                sr_close(r);
        }
        ck_assert_uint_eq(last, 17500);
}

TEST(a_changed_byte_is_noticed)
{
        struct stat st;
        uint8_t byte;
        int fd, noticed = 0, tries = 0;

        record(&four, 50000);
        ck_assert_int_eq(stat(path, &st), 0);
        fd = open(path, O_RDWR);
        for (long at = 300; at < st.st_size - 400; at += 211) {
                static uint8_t samples[60000];
                struct sr_reader *r;
                long n = 0;

                ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
                byte ^= 0x10;
                ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
                r = sr_open(path, &why);
                if (r != NULL)
                        while ((n = sr_read(r, samples, sizeof samples, &why)) > 0)
                                ;
                noticed += r == NULL || n < 0;
                tries++;
                if (r != NULL)
                        sr_close(r);
                byte ^= 0x10;
                ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
        }
        close(fd);
        ck_assert_int_gt(tries, 5);
        ck_assert_int_eq(noticed, tries);
}

/* A session of our own making. */
static void make(const char *metadata, const char *const *names, const char *const *bytes)
{
        struct zip_writer *z = zip_create(path, &why);

        ck_assert_ptr_nonnull(z);
        ck_assert(zip_add(z, "version", "2", 1, &why));
        if (metadata != NULL)
                ck_assert(zip_add(z, "metadata", metadata, strlen(metadata), &why));
        for (; *names != NULL; names++, bytes++)
                ck_assert(zip_add(z, *names, *bytes, strlen(*bytes), &why));
        ck_assert(zip_finish(z, &why));
}

#define META                                                                             \
        "[device 1]\ncapturefile=logic-1\ntotal probes=8\nsamplerate=1 "                 \
        "MHz\nunitsize=1\n"

/* All samples as text; NULL: refused. */
static const char *read_text(void)
{
        static char text[2000];
        struct sr_reader *r = sr_open(path, &why);
        size_t have = 0;
        long n;

        if (r == NULL)
                return NULL;
        while ((n = sr_read(r, (uint8_t *)text + have, sizeof text - 1 - have, &why)) > 0)
                have += (size_t)n;
        sr_close(r);
        text[have] = '\0';
        return n == 0 ? text : NULL;
}

TEST(chunks_come_in_the_order_of_their_numbers)
{
        static const char *const sorted_by_name[] = {
                "logic-1-1", "logic-1-10", "logic-1-2", "logic-1-3",
                "logic-1-4", "logic-1-5",  "logic-1-6", "logic-1-7",
                "logic-1-8", "logic-1-9",  NULL
        };
        static const char *const bytes[] = { "a", "J", "b", "c", "d",
                                             "e", "f", "g", "h", "i" };

        make(META, sorted_by_name, bytes);
        ck_assert_str_eq(read_text(), "abcdefghiJ");
}

TEST(one_entry_without_a_number_is_a_recording)
{
        static const char *const names[] = { "analog-1-9-1", "logic-1", "logic-2-1",
                                             "logic-10", NULL };
        static const char *const bytes[] = { "no", "yes", "no", "no" };

        make(META, names, bytes);
        ck_assert_str_eq(read_text(), "yes");
}

#define WIDE                                                                             \
        "[device 1]\ncapturefile=logic-1\ntotal probes=16\nsamplerate=1 "                \
        "MHz\nunitsize=2\n"

TEST(a_chunk_that_ends_within_a_sample_is_damage)
{
        static const char *const names[] = { "logic-1-1", "logic-1-2", NULL };
        static const char *const whole[] = { "a1b2", "c3" };
        static const char *const straddling[] = { "a1b", "2c3" };
        static const char *const half[] = { "a1b2", "c" };

        make(WIDE, names, whole);
        ck_assert_str_eq(read_text(), "abc");
        make(WIDE, names, straddling);
        ck_assert(read_text() == NULL);
        ck_assert_ptr_nonnull(
                strstr(why.text, ": chunk 1 ends within a sample of 2 bytes"));
        make(WIDE, names, half);
        ck_assert(read_text() == NULL);
        ck_assert_ptr_nonnull(
                strstr(why.text, ": chunk 2 ends within a sample of 2 bytes"));
}

TEST(what_is_no_recording_is_refused_by_name)
{
        static const char *const none[] = { NULL };
        static const char *const gap[] = { "logic-1-1", "logic-1-3", NULL };
        static const char *const twice[] = { "logic-1", "logic-1-1", NULL };
        static const char *const bytes[] = { "a", "b" };

        ck_assert(sr_open("/nonexistent.sr", &why) == NULL);
        ck_assert_str_eq(why.text, "/nonexistent.sr: No such file or directory");
        ck_assert(sr_open(folder, &why) == NULL);
        ck_assert(strstr(why.text, "is not a file") != NULL);
        ck_assert(sr_open("/dev/zero", &why) == NULL);
        ck_assert(sr_open(__FILE__, &why) == NULL);
        ck_assert(strstr(why.text, "is not a zip archive") != NULL);
        make(NULL, none, bytes);
        ck_assert(read_text() == NULL);
        ck_assert(strstr(why.text, "without `metadata`") != NULL);
        make(META, none, bytes);
        ck_assert(read_text() == NULL);
        ck_assert(strstr(why.text, "has no logic samples") != NULL);
        make(META, gap, bytes);
        ck_assert(read_text() == NULL);
        ck_assert_msg(strstr(why.text, "chunks is missing") != NULL, "%s", why.text);
        make(META, twice, bytes);
        ck_assert(read_text() == NULL);
        ck_assert(strncmp(why.text, path, strlen(path)) == 0);
}

/* All directory entries of an archive at one local entry: each opens to the same megabytes. */
TEST(a_bomb_is_bounded)
{
        struct zip_writer *z = zip_create(path, &why);
        size_t len = 4 << 20;
        char *zeros = calloc(1, len);
        static uint8_t samples[65536];
        uint64_t total = 0;
        struct sr_reader *r;
        struct stat st;
        long n;

        ck_assert(zip_add(z, "metadata", META, strlen(META), &why));
        for (int i = 1; i <= 100; i++) {
                char name[40];

                snprintf(name, sizeof name, "logic-1-%d", i);
                ck_assert(zip_add(z, name, zeros, i == 1 ? len : 0, &why));
        }
        ck_assert(zip_finish(z, &why));
        ck_assert_int_eq(stat(path, &st), 0);
        r = open_it(path);
        while ((n = sr_read(r, samples, sizeof samples, &why)) > 0)
                total += (uint64_t)n;
        ck_assert_uint_le(total, ((uint64_t)st.st_size + 65536) * 1100);
        sr_close(r);
        free(zeros);
}
