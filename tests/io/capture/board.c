/* A capture board on a link in memory and on a pseudo-terminal: time, gaps, loss and silence. */
#include <stdlib.h>
#include <string.h>

#include "io/capture/board.h"
#include "io/capture/pad_queue.h"
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

#define HZ 1000000

/* The other end: what a board's firmware does. */
struct fake {
        struct link *link;
        struct pad_queue queue;
        struct capture *c;
        struct link_error why;
};

static void send_message(struct fake *f, const struct pad_message *m)
{
        uint8_t payload[PAD_PAYLOAD_MAX], frame[HILP_FRAME_MAX];
        size_t n = hilp_frame_encode(payload, pad_encode(m, payload), frame);

        ck_assert_int_eq(link_write(f->link, frame, n), (int)n);
}

static void say_hello(struct fake *f, uint8_t version, uint32_t unique)
{
        struct pad_message m = { .type = PAD_HELLO,
                                 .u.hello = { version, 4, HZ, unique, "fa\x1bke" } };

        send_message(f, &m);
}

static void say_batch(struct fake *f, uint64_t until)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t n = pad_queue_take(&f->queue, until, frame);

        ck_assert_int_eq(link_write(f->link, frame, n), (int)n);
}

static void lose_batch(struct fake *f, uint64_t until)
{
        uint8_t frame[HILP_FRAME_MAX];

        pad_queue_take(&f->queue, until, frame);
}

static void see_pulse(struct fake *f, uint8_t pad, uint32_t tick, uint32_t width)
{
        struct pad_record r = {
                .kind = PAD_PULSE, .pad = pad, .tick = tick, .width = width
        };

        pad_queue_put(&f->queue, &r);
}

static struct fake *begin(void)
{
        struct fake *f = calloc(1, sizeof *f);
        struct link *rig;

        ck_assert_ptr_nonnull(f);
        ck_assert(link_pair_open(&rig, &f->link, 8192));
        say_hello(f, PAD_RECORD_VERSION, 1);
        f->c = capture_board_start(rig, 1000, &f->why);
        ck_assert_msg(f->c != NULL, "%s", f->why.text);
        return f;
}

static void end(struct fake *f)
{
        if (f->c != NULL)
                capture_close(f->c);
        if (f->link != NULL)
                link_close(f->link);
        free(f);
}

static struct capture_block next(struct fake *f)
{
        struct capture_block block;

        ck_assert_int_eq(capture_read(f->c, 0, &block), 1);
        return block;
}

TEST(a_hello_makes_it_known)
{
        struct fake *f = begin();
        struct capture_block block;

        ck_assert_double_eq(f->c->tick_hz, HZ);
        ck_assert_int_eq(f->c->pads, 4);
        ck_assert(f->c->live);
        ck_assert_msg(strncmp(f->c->name, "capture board fa?ke on ", 23) == 0, "%s",
                      f->c->name);
        ck_assert_int_eq(capture_read(f->c, 0, &block), 0);
        end(f);
}

TEST(records_come_with_all_bits_of_their_time)
{
        struct fake *f = begin();
        struct pad_record frame = { .kind = PAD_DSHOT_INVERTED,
                                    .pad = 3,
                                    .protocol = 3,
                                    .raw = 0x82C9,
                                    .tick = 40,
                                    .width = 26 };
        struct capture_block b;

        see_pulse(f, 2, 0xFFFFFFF0, 1500);
        pad_queue_put(&f->queue, &frame);
        say_batch(f, 0x100000064);
        b = next(f);
        ck_assert(!b.gap);
        ck_assert(b.samples == NULL);
        ck_assert_uint_eq(b.count, 2);
        ck_assert_int_eq(b.until_tick, 0x100000064);
        ck_assert_int_gt(b.arrived_ns, 0);
        ck_assert_int_eq(b.records[0].kind, CAPTURE_PULSE);
        ck_assert_int_eq(b.records[0].tick, 0xFFFFFFF0);
        ck_assert_int_eq(b.records[0].width_ticks, 1500);
        ck_assert_int_eq(b.records[1].kind, CAPTURE_FRAME);
        ck_assert_int_eq(b.records[1].protocol, MOTOR_DSHOT600);
        ck_assert(b.records[1].inverted);
        ck_assert_uint_eq(b.records[1].raw, 0x82C9);
        ck_assert_int_eq(b.records[1].tick, 0x100000028);
        end(f);
}

TEST(a_lost_batch_is_a_gap_and_counted)
{
        struct fake *f = begin();

        say_batch(f, 100);
        ck_assert(!next(f).gap);
        lose_batch(f, 200);
        lose_batch(f, 300);
        say_batch(f, 400);
        ck_assert(next(f).gap);
        ck_assert_uint_eq(f->c->counts.short_blocks, 2);
        say_batch(f, 500);
        ck_assert(!next(f).gap);
        end(f);
}

TEST(records_that_the_board_dropped_are_a_gap_and_counted)
{
        struct fake *f = begin();

        say_batch(f, 100);
        next(f);
        for (uint32_t i = 0; i < PAD_QUEUE_SIZE + 3; i++)
                see_pulse(f, 0, 101 + i, 1);
        say_batch(f, 500);
        ck_assert(next(f).gap);
        ck_assert_uint_eq(f->c->counts.overruns, 3);
        end(f);
}

/* The rig's end of a board that says hello when it has been asked twice, and answers both. */
struct slow_link {
        struct link link;
        struct link *rig;
        struct fake *board;
        int asked;
};

static int slow_write(struct link *l, const void *buf, size_t len)
{
        struct slow_link *s = (struct slow_link *)l;

        if (++s->asked == 2)
                say_hello(s->board, PAD_RECORD_VERSION, 1);
        return link_write(s->rig, buf, len);
}

static int slow_read(struct link *l, void *buf, size_t cap)
{
        return link_read(((struct slow_link *)l)->rig, buf, cap);
}

static void slow_close(struct link *l)
{
        link_close(((struct slow_link *)l)->rig);
}

TEST(what_a_board_discarded_when_it_was_asked_again_is_a_gap)
{
        static const struct link_ops ops = { .write = slow_write,
                                             .read = slow_read,
                                             .close = slow_close };
        struct fake f = { 0 };
        struct slow_link slow = { .link = { .ops = &ops, .fd = -1 }, .board = &f };

        ck_assert(link_pair_open(&slow.rig, &f.link, 8192));
        f.c = capture_board_start(&slow.link, PATIENCE_MS, &f.why);
        ck_assert_msg(f.c != NULL, "%s", f.why.text);
        say_batch(&f, 100);
        ck_assert(!next(&f).gap);
        see_pulse(&f, 0, 101, 1);
        pad_queue_clear(&f.queue);
        say_hello(&f, PAD_RECORD_VERSION, 1);
        say_batch(&f, 200);
        ck_assert(next(&f).gap);
        /* What it says every second is no answer. */
        say_hello(&f, PAD_RECORD_VERSION, 1);
        say_batch(&f, 300);
        ck_assert(!next(&f).gap);
        capture_close(f.c);
        link_close(f.link);
}

TEST(a_damaged_frame_costs_itself_alone)
{
        struct fake *f = begin();
        uint8_t frame[HILP_FRAME_MAX];
        size_t n;

        say_batch(f, 100);
        n = pad_queue_take(&f->queue, 200, frame);
        frame[5] ^= 0x40;
        ck_assert_int_eq(link_write(f->link, frame, n), (int)n);
        say_batch(f, 300);
        ck_assert(!next(f).gap);
        ck_assert(next(f).gap);
        ck_assert_uint_eq(f->c->counts.failed, 1);
        ck_assert_uint_eq(f->c->counts.blocks, 2);
        end(f);
}

TEST(time_goes_on_when_the_board_restarts)
{
        struct fake *f = begin();
        struct capture_block b;

        say_batch(f, 5000);
        next(f);
        memset(&f->queue, 0, sizeof f->queue);
        say_hello(f, PAD_RECORD_VERSION, 2);
        see_pulse(f, 0, 50, 10);
        say_batch(f, 150);
        b = next(f);
        ck_assert(b.gap);
        ck_assert_int_eq(b.records[0].tick, 5000);
        ck_assert_int_eq(b.until_tick, 5100);
        ck_assert_uint_eq(f->c->counts.restarts, 1);
        /* Once more, unannounced. */
        say_batch(f, 20);
        b = next(f);
        ck_assert(b.gap);
        ck_assert_int_eq(b.until_tick, 5100);
        end(f);
}

TEST(another_board_ends_it_in_words)
{
        struct fake *f = begin();
        struct capture_block b;
        struct pad_message m = { .type = PAD_HELLO, .u.hello = { 1, 8, HZ, 5, "other" } };

        send_message(f, &m);
        ck_assert_int_eq(capture_read(f->c, 0, &b), CAPTURE_GONE);
        ck_assert(strstr(f->c->note, "8 pads") != NULL);
        end(f);
}

TEST(an_unplugged_board_is_gone)
{
        struct fake *f = begin();
        struct capture_block b;

        say_batch(f, 100);
        link_close(f->link);
        f->link = NULL;
        ck_assert_int_eq(capture_read(f->c, 0, &b), 1);
        ck_assert_int_eq(capture_read(f->c, 0, &b), CAPTURE_GONE);
        end(f);
}

TEST(silence_instead_of_a_hello_is_told)
{
        struct link *rig, *other;
        struct link_error why;

        ck_assert(link_pair_open(&rig, &other, 8192));
        ck_assert_int_eq(link_write(other, "Arduino v3\r\n", 12), 12);
        ck_assert(capture_board_start(rig, 20, &why) == NULL);
        ck_assert_msg(strstr(why.text, "said no hello within 20 ms (12 bytes came") !=
                              NULL,
                      "%s", why.text);
        link_close(other);
}

TEST(another_version_is_told)
{
        struct link *rig;
        struct link_error why;
        struct fake f = { 0 };

        ck_assert(link_pair_open(&rig, &f.link, 8192));
        say_hello(&f, 2, 1);
        ck_assert(capture_board_start(rig, 20, &why) == NULL);
        ck_assert_msg(strstr(why.text, "speaks version 2") != NULL, "%s", why.text);
        link_close(f.link);
}

TEST(a_board_that_sends_to_a_listener_is_its_peer_from_its_hello_on)
{
        struct link_spec spec = { .kind = LINK_UDP, .usb_vid = -1, .host = "127.0.0.1" };
        struct link *rig = opened_listener(LINK_UDP_LISTEN, &spec.port);
        struct fake f = { .link = opened(&spec) };
        char byte;

        say_hello(&f, PAD_RECORD_VERSION, 1);
        f.c = capture_board_start(rig, PATIENCE_MS, &f.why);
        ck_assert_msg(f.c != NULL, "%s", f.why.text);
        ck_assert_int_eq(link_write(rig, "?", 1), 1);
        ck_assert_int_eq(read_soon(f.link, &byte, 1), 1);
        capture_close(f.c);
        link_close(f.link);
}

TEST(a_board_on_a_pseudo_terminal_is_asked_and_answers)
{
        struct link_spec spec;
        struct fake f = { 0 };
        uint8_t asked[16];
        char text[LINK_TEXT_MAX];
        struct link *rig;
        int n = 0;

        f.link = opened_text("pty");
        snprintf(text, sizeof text, "pty:%s", f.link->name);
        ck_assert(link_spec_parse(&spec, text, &f.why));
        rig = opened(&spec);
        /* The hello lies ready: both ends are in this thread. */
        say_hello(&f, PAD_RECORD_VERSION, 1);
        f.c = capture_board_start(rig, PATIENCE_MS, &f.why);
        ck_assert_msg(f.c != NULL, "%s", f.why.text);
        while (n == 0)
                n = link_read(f.link, asked, sizeof asked);
        ck_assert_int_ge(n, 5); /* COBS code, type, CRC, zero */
        ck_assert_uint_eq(asked[1], PAD_ASK);
        see_pulse(&f, 1, 10, 20);
        say_batch(&f, 100);
        for (int result = 0; result == 0;) {
                struct capture_block b;

                result = capture_read(f.c, 1000000, &b);
                ck_assert_int_ge(result, 0);
                if (result == 1)
                        ck_assert_int_eq(b.records[0].width_ticks, 20);
        }
        capture_close(f.c);
        link_close(f.link);
}

TEST(ticks_without_end_are_refused)
{
        struct fake *f = begin();
        struct capture_block b;

        say_batch(f, PAD_TICK_LIMIT - 1);
        next(f);
        say_batch(f, 10);
        next(f);
        say_batch(f, PAD_TICK_LIMIT - 1);
        ck_assert_int_eq(capture_read(f->c, 0, &b), 0);
        ck_assert_uint_eq(f->c->counts.failed, 1);
        end(f);
}
