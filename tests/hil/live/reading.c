/* A recorded run as documents: what the recorder wrote comes out again, once, in its order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/live/recording.h"
#include "hil/time/ring.h"
#include "tests/hil/record/record_folder.h"

#include "tests/suites.h"

#define TICKS 1000

static struct folder folder;
static struct vehicle_config vehicle[2];
static struct rig_config rig = { .name = "rig", .vehicles = 2, .vehicle = vehicle };
static struct live_recording recording;
static char scene[] = "{\"kind\":\"scene\"}";
static uint8_t *log_bytes;
static uint64_t memory[8192];
static struct ring watched;

static void record(void)
{
        struct event_record event = {
                .t_ns = 401 * PERIOD_NS, .kind = EVENT_STEP, .step = 3, .obstacle = -2
        };

        snprintf(event.what, sizeof event.what, "go to \"there\"");
        for (int64_t n = 0; n < TICKS; n++)
                for (int v = 0; v < 2; v++) {
                        struct tick_record t = tick_of(n, v);

                        if (n == 400 && v == 0) {
                                recorder_event(folder.recorder, &event);
                                recorder_text(folder.recorder, event.t_ns, '4', "a word");
                        }
                        recorder_tick(folder.recorder, &t);
                }
}

static void open_recording(void)
{
        size_t len;

        folder_make(&folder);
        folder.setup.truth_period_ns = PERIOD_NS;
        ring_init(&watched, memory, sizeof memory);
        folder.setup.watched = &watched;
        folder_open(&folder);
        record();
        folder_close(&folder);
        log_bytes = folder_load(&folder, "run.ulg", &len);
        vehicle[0].params.rotors = vehicle[1].params.rotors = 4;
        recording = (struct live_recording){ .rig = &rig,
                                             .scene = scene,
                                             .log = log_bytes,
                                             .log_len = len,
                                             .frame_ns = 100 * PERIOD_NS };
}

static void close_recording(void)
{
        folder_remove(&folder);
        free(log_bytes);
}

FIXTURE(open_recording, close_recording)

static struct json *hear(struct live_reading *r, const struct live_asked *asked)
{
        struct json_error why;
        char *text = live_reading_next(r, asked);
        struct json *document;

        if (text == NULL)
                return NULL;
        document = json_parse(text, strlen(text), NULL, &why);
        ck_assert_msg(document != NULL, "%s: %s", why.text, text);
        free(text);
        return document;
}

static bool is_kind(const struct json *d, const char *kind)
{
        return strcmp(json_string(d, "kind"), kind) == 0;
}

/* Of the tick that the frame is of. */
static void check_frame(const struct json *d)
{
        int64_t n = llround(json_number(d, "time_s") * 1e3) - 1;

        for (int v = 0; v < 2; v++) {
                struct tick_record t = tick_of(n, v);
                const struct json *is = json_item(json_member(d, "vehicles"), v);
                char name[40];

                ck_assert_double_eq(json_number(is, "p.0"), t.truth.pos_ned_m.x);
                ck_assert_double_eq_tol(json_number(is, "motors.3"), t.command.duty[3],
                                        1e-8 * t.command.duty[3]);
                ck_assert_int_eq(json_bool(is, "contact", false), t.contact);
                ck_assert_int_eq(json_bool(is, "armed", false), t.armed);
                snprintf(name, sizeof name, "v%d.hilrig_tick.duty[1]", v);
                ck_assert_double_eq(json_member(json_member(d, "values"), name)->number,
                                    t.command.duty[1]);
        }
}

static void ask(struct live_asked *asked)
{
        asked->count = 2;
        ck_assert(live_quantity_find(&asked->quantity[0], "v0.hilrig_tick.duty[1]", 2));
        ck_assert(live_quantity_find(&asked->quantity[1], "v1.hilrig_tick.duty[1]", 2));
}

TEST(the_log_comes_frame_by_frame_with_its_words_between)
{
        struct live_asked asked;
        struct live_reading *r = live_reading_open(&recording);
        int frames = 0, steps = 0, words = 0, ends = 0, after_step = 0;
        struct json *d;

        ask(&asked);
        ck_assert_ptr_nonnull(r);
        d = hear(r, &asked);
        ck_assert(is_kind(d, "scene"));
        json_free(d);
        for (; (d = hear(r, &asked)) != NULL; json_free(d)) {
                ck_assert_int_eq(ends, 0);
                if (is_kind(d, "frame")) {
                        check_frame(d);
                        frames++;
                        after_step += steps;
                } else if (is_kind(d, "event")) {
                        const char *what = json_string(d, "what");

                        steps += strcmp(what, "go to \"there\"") == 0;
                        words += strcmp(what, "a word") == 0;
                }
                ends += is_kind(d, "end");
        }
        /* At 0.001, 0.1, 0.2 s and so on, and the last one. */
        ck_assert_int_eq(frames, 11);
        ck_assert_int_eq(steps, 1);
        ck_assert_int_eq(words, 1);
        ck_assert_int_eq(ends, 1);
        ck_assert_int_eq(after_step, 6);
        live_reading_close(r);
}

TEST(asked_again_it_gives_the_frames_alone)
{
        struct live_asked none = { 0 }, asked;
        struct live_reading *r = live_reading_open(&recording);
        int frames = 0;
        struct json *d;

        ask(&asked);
        for (int i = 0; i < 4; i++)
                json_free(hear(r, &none));
        live_reading_again(r);
        for (; (d = hear(r, &asked)) != NULL && !is_kind(d, "end"); json_free(d)) {
                ck_assert(is_kind(d, "frame"));
                check_frame(d);
                frames++;
        }
        json_free(d);
        ck_assert_int_eq(frames, 11);
        live_reading_close(r);
}

TEST(a_log_that_was_cut_off_is_shown_to_its_cut)
{
        struct live_asked none = { 0 };
        size_t whole = recording.log_len;

        for (size_t cut = whole; cut > 0; cut -= cut < 7919 ? cut : 7919) {
                struct live_reading *r;
                double last_s = -1.0;
                struct json *d;

                recording.log_len = cut;
                r = live_reading_open(&recording);
                for (; r != NULL && (d = hear(r, &none)) != NULL; json_free(d))
                        if (is_kind(d, "frame")) {
                                ck_assert(json_number(d, "time_s") > last_s);
                                last_s = json_number(d, "time_s");
                        }
                live_reading_close(r);
        }
        recording.log_len = whole;
}

TEST(who_watches_gets_each_event_and_each_text_once)
{
        static const enum watched_kind wanted[] = { WATCHED_EVENT, WATCHED_TEXT };
        const struct watched *w;
        size_t len;

        for (int i = 0; i < 2; i++) {
                w = ring_front(&watched, &len);
                ck_assert_ptr_nonnull(w);
                ck_assert_int_eq(w->kind, wanted[i]);
                ck_assert_int_eq(w->t_ns, 401 * PERIOD_NS);
                if (w->kind == WATCHED_TEXT) {
                        ck_assert_str_eq((const char *)(w + 1), "a word");
                        ck_assert_int_eq(w->level, '4');
                }
                ring_release(&watched);
        }
        ck_assert_ptr_null(ring_front(&watched, &len));
}
