/* Recordings written and read back; sigrok-cli reads ours and we read what it wrote; damaged and
 * hostile files end with a reason. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/le.h"
#include "io/log/sr_file.h"
#include "io/log/sr_metadata.h"
#include "io/log/zip_file.h"

#include "tests/suites.h"

static char folder[200], path[256], part[264];
static struct link_error why;

static void setup(void)
{
        const char *tmp = getenv("TMPDIR");

        snprintf(folder, sizeof folder, "%s/hilrig-sr-XXXXXX", tmp ? tmp : "/tmp");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a.sr", folder);
        snprintf(part, sizeof part, "%s.part", path);
        why.text[0] = '\0';
}

static void teardown(void)
{
        char command[300];

        snprintf(command, sizeof command, "rm -rf '%s'", folder);
        ck_assert_int_eq(system(command), 0);
}

FIXTURE(setup, teardown)

static bool have_sigrok(void)
{
        return system("command -v sigrok-cli >/dev/null 2>&1") == 0;
}

/* What a command prints. */
static char *said_by(const char *format, const char *file)
{
        static char text[20000];
        char command[1000];
        FILE *p;
        size_t n;

        snprintf(command, sizeof command, format, file);
        p = popen(command, "r");
        n = fread(text, 1, sizeof text - 1, p);
        text[n] = '\0';
        ck_assert_msg(pclose(p) == 0, "%s: %s", command, text);
        return text;
}

static uint8_t sample_at(uint64_t i)
{
        return (uint8_t)(i / 7 ^ i / 1000);
}

static const struct sr_info four = { .rate_hz = 24e6,
                                     .pads = 4,
                                     .pad_name = { "M1", "M2", "", "a \\ b" } };

static struct sr_writer *begin(const struct sr_info *info)
{
        struct sr_writer *w = sr_create(path, info, &why);

        ck_assert_msg(w != NULL, "%s", why.text);
        return w;
}

/* `count` samples in pieces of an odd length. */
static void put(struct sr_writer *w, uint64_t count)
{
        static uint8_t piece[10007];
        uint64_t at = 0;

        while (at < count) {
                size_t n =
                        count - at < sizeof piece ? (size_t)(count - at) : sizeof piece;

                for (size_t i = 0; i < n; i++)
                        piece[i] = sample_at(at + i);
                ck_assert_msg(sr_write(w, piece, n, &why), "%s", why.text);
                at += n;
        }
}

static void record(const struct sr_info *info, uint64_t count)
{
        struct sr_writer *w = begin(info);

        put(w, count);
        ck_assert_msg(sr_finish(w, &why), "%s", why.text);
}

static struct sr_reader *open_it(const char *name)
{
        struct sr_reader *r = sr_open(name, &why);

        ck_assert_msg(r != NULL, "%s", why.text);
        return r;
}

/* Reads to the end: how many samples, each as written. */
static uint64_t read_all(struct sr_reader *r, uint8_t mask)
{
        static uint8_t samples[5001];
        uint64_t at = 0, wrong = 0;
        long n;

        /* Check takes a note of every assertion. */
        while ((n = sr_read(r, samples, sizeof samples, &why)) > 0)
                for (long i = 0; i < n; i++, at++)
                        wrong += samples[i] != (sample_at(at) & mask);
        ck_assert_uint_eq(wrong, 0);
        ck_assert_msg(n == 0, "%s", why.text);
        return at;
}

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

static bool parses(const char *text, struct sr_info *info)
{
        char capture[SR_CAPTURE_MAX + 1];

        return sr_metadata_parse(text, strlen(text), info, capture, &why);
}

TEST(metadata_of_other_versions_is_understood)
{
        struct sr_info info;

        ck_assert(parses("[global]\r\nsigrok version = 0.2.0\r\n\r\n[device 1]\r\n"
                         "driver=fx2lafw\r\ncapturefile = logic-1\r\nunitsize=1\r\n"
                         "total probes = 3\r\nsamplerate = 500000\r\nprobe1 = SCL\r\n"
                         "probe3=a\\sb\x1b[m",
                         &info));
        ck_assert_double_eq(info.rate_hz, 5e5);
        ck_assert_int_eq(info.pads, 3);
        ck_assert_str_eq(info.pad_name[0], "SCL");
        ck_assert_str_eq(info.pad_name[1], "");
        ck_assert_str_eq(info.pad_name[2], "a b?[m");
        /* The first device is an oscilloscope; no unit size. */
        ck_assert(parses("[device 1]\ntotal analog=2\n[device 2]\ncapturefile=logic-2\n"
                         "total probes=34\nsamplerate=12.5 kHz\n",
                         &info));
        ck_assert_int_eq(info.pads, 8);
        ck_assert_int_eq(info.unit_bytes, 5);
        ck_assert_double_eq(info.rate_hz, 12500);
}

TEST(channels_that_the_samples_have_no_room_for_are_none)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=1024\n"
                         "samplerate=1 MHz\nunitsize=1\n",
                         &info));
        ck_assert_int_eq(info.pads, 8);
        ck_assert_int_eq(info.more_pads, 0);
        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=13\n"
                         "samplerate=1 MHz\nunitsize=2\n",
                         &info));
        ck_assert_int_eq(info.more_pads, 5);
}

/* sigrok names those that are in use. */
TEST(channels_without_a_name_were_not_recorded_where_others_have_one)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=4\nsamplerate=1 MHz\n"
                         "probe1=D0\nprobe3=D2\n",
                         &info));
        ck_assert_uint_eq(sr_recorded(&info), 0x5);
        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=4\nsamplerate=1 MHz\n",
                         &info));
        ck_assert_uint_eq(sr_recorded(&info), 0xF);
}

/* Cut between characters; what is no UTF-8, or controls a terminal of it, is none of the name. */
TEST(names_are_text_and_nothing_else)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1 MHz\n"
                         "probe1=Mot\xc3\xb6r\xe2\x86\x92"
                         "1\n"
                         "probe2=\xc2\x9b"
                         "31m\xff\xc3\n"
                         "probe3=123456789012345678901234567890\xc3\xb6\n"
                         "probe4=\xed\xa0\x80\xf0\x9f\x98\x80\xc0\xaf\n",
                         &info));
        ck_assert_str_eq(info.pad_name[0], "Mot\xc3\xb6r\xe2\x86\x92"
                                           "1");
        ck_assert_str_eq(info.pad_name[1], "??31m??");
        ck_assert_str_eq(info.pad_name[2], "123456789012345678901234567890");
        ck_assert_str_eq(info.pad_name[3], "???\xf0\x9f\x98\x80??");
}

TEST(metadata_that_says_nothing_usable_is_refused)
{
        static const char *const text[] = {
                "",
                "[device 1]\n",
                "[device 1]\ncapturefile=logic-1\ntotal probes=8\n",
                "[device 1]\ncapturefile=logic-1\nsamplerate=1 MHz\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=0 Hz\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=-5\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1e300\n",
                "[device 1]\ncapturefile=l\ntotal probes=2000\nsamplerate=1\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=0\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=-1\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=1e9\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=0x10\n",
                "[device 1]\nnonsense\n",
        };
        struct sr_info info;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                why.text[0] = '\0';
                ck_assert_msg(!parses(text[i], &info), "%s", text[i]);
                ck_assert_msg(why.text[0] != '\0', "%s", text[i]);
        }
}

TEST(rates_are_understood_as_sigrok_writes_them)
{
        ck_assert_double_eq(sr_rate_parse("24 MHz"), 24e6);
        ck_assert_double_eq(sr_rate_parse("24MHz"), 24e6);
        ck_assert_double_eq(sr_rate_parse("1 Hz"), 1);
        ck_assert_double_eq(sr_rate_parse("200 kHz"), 2e5);
        ck_assert_double_eq(sr_rate_parse("24m"), 24e6);
        ck_assert_double_eq(sr_rate_parse("1 GHz"), 1e9);
        ck_assert_double_eq(sr_rate_parse("48000"), 48000);
        ck_assert_double_eq(sr_rate_parse("fast"), 0);
        ck_assert_double_eq(sr_rate_parse("0x10"), 0);
        ck_assert_double_eq(sr_rate_parse("0.5 MHz"), 5e5);
        ck_assert_double_eq(sr_rate_parse("1 MHzz"), 0);
        ck_assert_double_eq(sr_rate_parse(""), 0);
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
