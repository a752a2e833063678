/* A recording made beside a capture: whole, with gaps filled so that its time is right, and failures
 * told. And the table beside it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/capture/live.h"
#include "hil/capture/recorder.h"

#include "tests/scratch.h"

#define COUNT 10000

static char folder[200], path[256];
static struct link_error why;
static uint8_t ramp[COUNT];

static void setup(void)
{
        const char *tmp = getenv("TMPDIR");

        snprintf(folder, sizeof folder, "%s/hilrig-rec-XXXXXX", tmp ? tmp : "/tmp");
        scratch_make(folder);
        snprintf(path, sizeof path, "%s/a.sr", folder);
        for (int i = 0; i < COUNT; i++)
                ramp[i] = (uint8_t)(i % 251);
}

static void teardown(void)
{
        scratch_remove(folder);
}

FIXTURE(setup, teardown)

static struct capture_recorder *start(double rate_hz)
{
        const struct sr_info info = { .rate_hz = rate_hz, .pads = 8 };
        struct capture_recorder *r = capture_recorder_start(path, &info, &why);

        ck_assert_msg(r != NULL, "%s", why.text);
        return r;
}

static bool put(struct capture_recorder *r, int64_t tick, size_t count)
{
        const struct capture_block b = { .first_tick = tick,
                                         .samples = ramp,
                                         .count = count,
                                         .until_tick = tick + (int64_t)count };

        return capture_recorder_put(r, &b, true);
}

static size_t read_back(uint8_t *out, size_t cap)
{
        struct sr_reader *r = sr_open(path, &why);
        size_t have = 0;
        long n;

        ck_assert_msg(r != NULL, "%s", why.text);
        while ((n = sr_read(r, out + have, cap - have, &why)) > 0)
                have += (size_t)n;
        ck_assert_int_eq(n, 0);
        sr_close(r);
        return have;
}

TEST(what_is_put_is_recorded)
{
        static uint8_t got[4 * COUNT];
        struct capture_recorder *r = start(24e6);
        struct capture_recorded done;

        ck_assert(put(r, 500, COUNT));
        ck_assert(put(r, 500 + COUNT, 1));
        ck_assert(put(r, 501 + COUNT, COUNT));
        ck_assert(capture_recorder_finish(r, &done, &why));
        ck_assert_uint_eq(done.samples, 2 * COUNT + 1);
        ck_assert_uint_eq(done.gaps + done.lost, 0);
        ck_assert_uint_eq(read_back(got, sizeof got), 2 * COUNT + 1);
        ck_assert_mem_eq(got, ramp, COUNT);
        ck_assert_uint_eq(got[COUNT], ramp[0]);
        ck_assert_mem_eq(got + COUNT + 1, ramp, COUNT);
}

TEST(a_gap_holds_the_level_before_it)
{
        static uint8_t got[8 * COUNT];
        struct capture_recorder *r = start(24e6);
        struct capture_recorded done;

        ck_assert(put(r, 0, 100));
        ck_assert(put(r, 100 + 3 * COUNT, COUNT));
        ck_assert(capture_recorder_finish(r, &done, &why));
        ck_assert_uint_eq(done.gaps, 1);
        ck_assert_int_eq(done.filled_ticks, 3 * COUNT);
        ck_assert_uint_eq(read_back(got, sizeof got), 100 + 4 * COUNT);
        for (int i = 100; i < 100 + 3 * COUNT; i++)
                ck_assert_uint_eq(got[i], ramp[99]);
        ck_assert_mem_eq(got + 100 + 3 * COUNT, ramp, COUNT);
}

TEST(a_gap_of_minutes_is_not_filled)
{
        static uint8_t got[4 * COUNT];
        struct capture_recorder *r = start(1000);
        struct capture_recorded done;

        ck_assert(put(r, 0, 100));
        ck_assert(put(r, 100 + 60000, 100));
        ck_assert(capture_recorder_finish(r, &done, &why));
        ck_assert_uint_eq(done.gaps, 1);
        ck_assert_int_eq(done.filled_ticks, 0);
        ck_assert_uint_eq(read_back(got, sizeof got), 200);
}

TEST(a_file_that_cannot_be_written_is_told_by_name)
{
        const struct sr_info info = { .rate_hz = 1e6, .pads = 8 };

        snprintf(path, sizeof path, "%s/none/a.sr", folder);
        ck_assert(capture_recorder_start(path, &info, &why) == NULL);
        ck_assert(strstr(why.text, "none/a.sr.part: No such file") != NULL);
}

TEST(a_name_that_is_taken_in_the_end_is_told)
{
        struct capture_recorder *r = start(1e6);
        struct capture_recorded done;
        char part[300];

        ck_assert(put(r, 0, 100));
        ck_assert_int_eq(mkdir(path, 0755), 0);
        ck_assert(!capture_recorder_finish(r, &done, &why));
        ck_assert(strncmp(why.text, path, strlen(path)) == 0);
        snprintf(part, sizeof part, "%s.part", path);
        ck_assert_int_eq(access(part, R_OK), 0);
}

static const struct capture_table table = {
        .source = "x.sr",
        .tick_hz = 24e6,
        .time_s = 1.5,
        .rows = 2,
        .row = { { .pad = 0,
                   .name = "M1",
                   .protocol = MOTOR_DSHOT600,
                   .inverted = true,
                   .rate_hz = 8000,
                   .has_throttle = true,
                   .throttle = { .protocol = MOTOR_DSHOT600,
                                 .kind = MOTOR_THROTTLE,
                                 .value = 1046,
                                 .duty = 0.499 },
                   .counts = { .throttles = 7, .damaged = 1, .odd = 2, .commands = 3 } },
                 { .pad = 3 } }
};

/* All that `print` leaves in a file. */
static char *text_of(void (*print)(FILE *out))
{
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        print(out);
        fclose(out);
        return text;
}

static void print_table(FILE *out)
{
        ck_assert_int_eq(capture_table_print(out, &table, &(struct capture_view){ 0 }),
                         4);
}

static void print_lines(FILE *out)
{
        capture_table_print_lines(out, &table);
}

static void print_json(FILE *out)
{
        ck_assert(capture_table_print_json(out, &table));
}

TEST(the_table_shows_each_pad)
{
        char *text = text_of(print_table);

        ck_assert_msg(strstr(text,
                             "0 M1            DSHOT600 inverted       8000.0         "
                             "1046  0.4990      0.00          7       3        3") !=
                              NULL,
                      "%s", text);
        ck_assert(strstr(text, "3               no edges ") != NULL);
        free(text);
        text = text_of(print_lines);
        ck_assert(strncmp(text, "1.50 s  pad 0 M1  DSHOT600 inverted  8000.0 Hz", 46) ==
                  0);
        free(text);
        text = text_of(print_json);
        ck_assert(strstr(text, "\"protocol\": \"DSHOT600\", \"inverted\": true") != NULL);
        ck_assert(strstr(text, "\"protocol\": null") != NULL);
        free(text);
}

TEST(no_live_table_is_no_trouble)
{
        struct capture_live *l;
        FILE *out = tmpfile();

        capture_live_set(NULL, &table);
        capture_live_stop(NULL);
        l = capture_live_start(out, CAPTURE_LIVE_TABLE);
        while (!capture_live_set(l, &table))
                continue;
        capture_live_stop(l);
        fclose(out);
}
