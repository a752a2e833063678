/* A capture board behind any link: frames of records into blocks, on a 64-bit time line that
 * continues when the board restarts. Interpreting records is left to the decoder. */
#include "io/capture/board.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/capture/pad_record.h"

_Static_assert(PAD_RECORD_PADS_MAX == MOTOR_PADS_MAX, "a board's pads are all decoded");

#define NS_PER_MS   1000000LL
#define ASK_EVERY   (200 * NS_PER_MS)
#define NO_FD_SLEEP NS_PER_MS
#define READ_MAX    512

struct board {
        struct capture c;
        struct link *link;
        struct hilp_receiver receiver;
        uint32_t crc_errors; /* of the receiver, already counted */
        uint8_t bytes[READ_MAX];
        size_t len, at; /* of bytes that wait to be processed */
        int64_t arrived_ns; /* of those */
        struct pad_hello self;
        bool greeted;
        bool in_step; /* sequence, dropped and board_tick are of the previous batch */
        bool silent; /* already reported */
        uint8_t sequence;
        uint32_t dropped;
        int64_t board_tick; /* its newest time */
        int64_t offset; /* our time minus its own */
        int64_t heard_ns, asked_ns;
        int asked_again; /* for the first hello: answers that are still to come */
        bool gap; /* before the next block */
        struct capture_record record[PAD_RECORD_BATCH_MAX];
};

static int64_t now_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A link that takes nothing now is asked again. */
static void ask_hello(struct board *b, int64_t now)
{
        struct pad_message m = { .type = PAD_ASK };
        uint8_t payload[PAD_PAYLOAD_MAX], frame[HILP_FRAME_MAX];
        size_t n = hilp_frame_encode(payload, pad_encode(&m, payload), frame);

        (void)link_write(b->link, frame, n);
        b->asked_ns = now;
}

/* Waits until there may be bytes, or until until_ns. */
static void wait_for_bytes(const struct board *b, int64_t now, int64_t until_ns)
{
        int64_t left = until_ns - now;
        struct pollfd p = { .fd = b->link->fd, .events = POLLIN };
        struct timespec t;

        if (p.fd < 0 && left > NO_FD_SLEEP)
                left = NO_FD_SLEEP;
        if (left <= 0)
                return;
        t = (struct timespec){ .tv_sec = left / 1000000000,
                               .tv_nsec = left % 1000000000 };
        (void)ppoll(&p, p.fd >= 0 ? 1 : 0, &t, NULL);
}

/* The next received message. 1; 0: nothing more has arrived; CAPTURE_GONE. */
static int next_message(struct board *b, struct pad_message *m)
{
        uint8_t payload[HILP_PAYLOAD_MAX];

        for (;;) {
                size_t len;

                if (b->at == b->len) {
                        int n;

                        link_at(b->link, now_ns());
                        n = link_read(b->link, b->bytes, sizeof b->bytes);
                        if (n <= 0)
                                return n == 0 ? 0 : CAPTURE_GONE;
                        b->arrived_ns = now_ns();
                        b->c.counts.bytes += (uint64_t)n;
                        b->len = (size_t)n;
                        b->at = 0;
                }
                b->at += hilp_receive(&b->receiver, b->bytes + b->at, b->len - b->at,
                                      payload, &len);
                b->c.counts.failed += b->receiver.crc_errors - b->crc_errors;
                b->crc_errors = b->receiver.crc_errors;
                if (len == 0)
                        continue;
                if (pad_decode(m, payload, len)) {
                        link_confirm(b->link);
                        return 1;
                }
                b->c.counts.failed++;
        }
}

/* A hello: false if it comes from another board than the one that was greeted. */
static bool greet(struct board *b, const struct pad_hello *hello)
{
        if (b->greeted &&
            (hello->tick_hz != b->self.tick_hz || hello->pads != b->self.pads ||
             hello->version != b->self.version))
                return false;
        if (b->greeted && hello->unique != b->self.unique) {
                b->in_step = false;
                b->gap = true;
                b->c.counts.restarts++;
        }
        b->self = *hello;
        b->greeted = true;
        return true;
}

/* The earliest time in this batch. */
static int64_t first_tick(const struct pad_batch *batch)
{
        uint64_t first = batch->until_tick;

        for (uint8_t i = 0; i < batch->count; i++)
                if (pad_tick(batch, &batch->record[i]) < first)
                        first = pad_tick(batch, &batch->record[i]);
        return (int64_t)first;
}

/* The time of a board that restarted, announced or not, continues where it stopped. False: time
 * overflow. */
static bool follow_time(struct board *b, const struct pad_batch *batch)
{
        int64_t tick = (int64_t)batch->until_tick, offset = b->offset;
        bool again = b->c.counts.blocks > 0 && (!b->in_step || tick < b->board_tick);

        if (again)
                offset = b->board_tick + b->offset - first_tick(batch);
        if (tick > (int64_t)PAD_TICK_LIMIT - offset)
                return false;
        if (again) {
                b->gap = true;
        } else if (b->in_step) {
                uint32_t dropped = batch->dropped - b->dropped;
                uint8_t lost = (uint8_t)(batch->sequence - b->sequence - 1);

                b->gap |= lost != 0 || dropped != 0;
                b->c.counts.overruns += dropped;
                b->c.counts.short_blocks += lost;
        }
        b->in_step = true;
        b->offset = offset;
        b->sequence = batch->sequence;
        b->dropped = batch->dropped;
        b->board_tick = tick;
        return true;
}

static void take_record(const struct board *b, struct capture_record *out,
                        const struct pad_batch *batch, const struct pad_record *r)
{
        static const enum motor_protocol dshot[] = { MOTOR_UNKNOWN, MOTOR_DSHOT150,
                                                     MOTOR_DSHOT300, MOTOR_DSHOT600,
                                                     MOTOR_DSHOT1200 };

        *out = (struct capture_record){ .kind = r->kind == PAD_EDGE    ? CAPTURE_EDGE
                                                : r->kind == PAD_PULSE ? CAPTURE_PULSE
                                                                       : CAPTURE_FRAME,
                                        .pad = r->pad,
                                        .level = r->level != 0,
                                        .inverted = r->kind == PAD_DSHOT_INVERTED ||
                                                    r->low != 0,
                                        .protocol = dshot[r->protocol],
                                        .raw = r->raw,
                                        .tick = (int64_t)pad_tick(batch, r) + b->offset,
                                        .width_ticks = r->width };
}

static bool take_batch(struct board *b, const struct pad_batch *batch,
                       struct capture_block *out)
{
        size_t count = 0;

        if (!follow_time(b, batch)) {
                b->c.counts.failed++;
                return false;
        }
        for (uint8_t i = 0; i < batch->count; i++) {
                if (batch->record[i].pad < b->self.pads)
                        take_record(b, &b->record[count++], batch, &batch->record[i]);
                else
                        b->c.counts.failed++;
        }
        *out = (struct capture_block){ .gap = b->gap,
                                       .first_tick = count > 0
                                                             ? b->record[0].tick
                                                             : b->board_tick + b->offset,
                                       .count = count,
                                       .records = b->record,
                                       .until_tick = b->board_tick + b->offset,
                                       .arrived_ns = b->arrived_ns };
        b->gap = false;
        b->c.counts.blocks++;
        return true;
}

/* Whenever it is asked, a board discards what is queued: before an answer that came late there is a gap.
 *
 * What came up to now. 1: a block; 0: none; or CAPTURE_GONE. */
static int look_at_records(struct board *b, struct capture_block *out)
{
        struct pad_message m;
        int result;

        while ((result = next_message(b, &m)) == 1) {
                b->heard_ns = b->arrived_ns;
                b->silent = false;
                if (m.type == PAD_BATCH && b->greeted && take_batch(b, &m.u.batch, out))
                        return 1;
                if (m.type != PAD_HELLO)
                        continue;
                if (b->asked_again > 0) {
                        b->asked_again--;
                        b->gap = true;
                }
                if (!greet(b, &m.u.hello)) {
                        snprintf(b->c.note, sizeof b->c.note,
                                 "another board answered: version %u, %u pads, %u Hz",
                                 m.u.hello.version, m.u.hello.pads, m.u.hello.tick_hz);
                        return CAPTURE_GONE;
                }
        }
        return result;
}

/* Silence is a stall, counted once; the board is asked until it answers. */
static void notice_silence(struct board *b, int64_t now)
{
        if (now - b->heard_ns < CAPTURE_BOARD_SILENCE_MS * NS_PER_MS)
                return;
        if (!b->silent) {
                b->silent = true;
                b->gap = true;
                b->c.counts.stalls++;
        }
        if (now - b->asked_ns >= ASK_EVERY)
                ask_hello(b, now);
}

static int board_read(struct capture *c, int64_t timeout_ns, struct capture_block *out)
{
        struct board *b = (struct board *)c;
        int64_t now = now_ns(), until = now + timeout_ns;
        int result;

        while ((result = look_at_records(b, out)) == 0) {
                now = now_ns();
                notice_silence(b, now);
                if (now >= until)
                        return 0;
                wait_for_bytes(b, now, until);
        }
        return result;
}

static void board_close(struct capture *c)
{
        struct board *b = (struct board *)c;

        link_close(b->link);
        free(b);
}

/* What is queued on the board is outdated. */
static void board_restart(struct capture *c)
{
        struct board *b = (struct board *)c;

        ask_hello(b, now_ns());
        b->gap = true;
        b->c.counts.restarts++;
}

static const struct capture_ops ops = { .read = board_read,
                                        .restart = board_restart,
                                        .close = board_close };

static bool refuse_greeting(struct board *b, int hello_ms, struct link_error *why)
{
        char name[100];

        snprintf(name, sizeof name, "%s", b->link->name);
        if (b->greeted)
                snprintf(why->text, sizeof why->text,
                         "capture board %s: speaks version %u of the record format, must "
                         "be %d",
                         name, b->self.version, PAD_RECORD_VERSION);
        else
                snprintf(why->text, sizeof why->text,
                         "capture board %s: said no hello within %d ms (%llu bytes came, "
                         "%llu damaged frames); is it one, at this speed?",
                         name, hello_ms, (unsigned long long)b->c.counts.bytes,
                         (unsigned long long)b->c.counts.failed);
        return false;
}

static bool wait_for_hello(struct board *b, int hello_ms, struct link_error *why)
{
        int64_t now = now_ns(), until = now + hello_ms * NS_PER_MS;

        ask_hello(b, now);
        while (!b->greeted) {
                struct pad_message m;
                int result = next_message(b, &m);

                if (result == 1 && m.type == PAD_HELLO)
                        greet(b, &m.u.hello);
                if (result == CAPTURE_GONE) {
                        snprintf(why->text, sizeof why->text,
                                 "capture board %.100s: gone", b->link->name);
                        return false;
                }
                now = now_ns();
                if (result == 0 && now >= until)
                        return refuse_greeting(b, hello_ms, why);
                if (result == 0 && now - b->asked_ns >= ASK_EVERY) {
                        ask_hello(b, now);
                        b->asked_again++;
                }
                if (result == 0)
                        wait_for_bytes(b, now,
                                       now + ASK_EVERY < until ? now + ASK_EVERY : until);
        }
        return b->self.version == PAD_RECORD_VERSION || refuse_greeting(b, hello_ms, why);
}

/* Names come from outside and go to terminals. */
static void name_it(struct board *b)
{
        char name[PAD_NAME_MAX + 1];

        snprintf(name, sizeof name, "%s", b->self.name);
        for (char *p = name; *p != '\0'; p++)
                if (*p < ' ' || *p > '~')
                        *p = '?';
        snprintf(b->c.name, sizeof b->c.name, "capture board %s on %.80s", name,
                 b->link->name);
        snprintf(b->c.note, sizeof b->c.note, "%.159s", b->link->note);
}

struct capture *capture_board_start(struct link *link, int hello_ms,
                                    struct link_error *why)
{
        struct board *b = calloc(1, sizeof *b);

        if (b == NULL) {
                snprintf(why->text, sizeof why->text, "capture board: out of memory");
                link_close(link);
                return NULL;
        }
        b->link = link;
        b->c.ops = &ops;
        if (!wait_for_hello(b, hello_ms, why)) {
                board_close(&b->c);
                return NULL;
        }
        b->heard_ns = now_ns();
        b->c.tick_hz = b->self.tick_hz;
        b->c.pads = b->self.pads;
        b->c.live = true;
        name_it(b);
        return &b->c;
}

/* Discards what the system buffered before the port was opened. */
static void drain(struct link *link)
{
        uint8_t old[READ_MAX];

        for (int i = 0; i < 1000; i++)
                if (link_read(link, old, sizeof old) <= 0)
                        return;
}

struct capture *capture_board_open(const struct capture_spec *spec,
                                   struct link_error *why)
{
        struct link *link = link_open(&spec->link, why);

        if (link == NULL)
                return NULL;
        drain(link);
        return capture_board_start(link, CAPTURE_BOARD_HELLO_MS, why);
}
