/* A board that misbehaves in one chosen way, for the shell tests:
 *
 *   fake_board LINK silent            opens the link and says nothing
 *   fake_board LINK garbage           answers everything with bytes that mean nothing
 *   fake_board LINK vanish FRAMES     answers so many sensor frames, then hangs up
 *   fake_board LINK mute FRAMES       answers so many, then answers no frame more
 *   fake_board LINK still FRAMES      answers so many, then says nothing at all
 *   fake_board LINK garble FRAMES     answers so many, then with bytes that mean nothing
 *   fake_board LINK astray FRAMES     answers so many, then for the first one again and again
 *   fake_board LINK words FRAMES      answers so many, then says words alone
 *   fake_board LINK drop FRAMES       answers all but each of so many, the last of them
 *   fake_board LINK damage FRAMES     answers all, and of so many the last with a wrong byte
 *   fake_board LINK restart FRAMES    answers so many, then starts anew, knowing nothing
 *   fake_board LINK old               speaks no version that the rig offers
 *   fake_board LINK slow FRAMES       takes every fourth frame, and answers so many of them
 *   fake_board LINK few               has fewer motor outputs than the vehicle has rotors
 *   fake_board LINK twice             answers each frame twice
 *   fake_board LINK jump              numbers its messages at random
 *   fake_board LINK unknown           says a message of no known type beside each answer
 *   fake_board LINK late              answers each frame 100 frames later
 *   fake_board LINK options           has every option, with any value but "bad"
 *   fake_board LINK pieces            says what it does not say of a frame in two pieces, 2 ms apart
 *
 * It ends when the rig hangs up. */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/codec/hilp/hilp_board.h"
#include "io/link/link.h"

struct fake {
        struct link *link;
        const char *way;
        long frames_left, frames_done;
        struct hilp_board board;
        uint32_t noise;
};

static void put(struct fake *f, const uint8_t *bytes, size_t len)
{
        while (len > 0) {
                int n = link_write(f->link, bytes, len);

                if (n == LINK_GONE)
                        exit(0);
                bytes += n;
                len -= (size_t)n;
        }
}

static void put_pieces(struct fake *f, const uint8_t *bytes, size_t len)
{
        const struct timespec pause = { .tv_nsec = 2000000 };

        put(f, bytes, len / 2);
        nanosleep(&pause, NULL);
        put(f, bytes + len / 2, len - len / 2);
}

static uint8_t draw(struct fake *f)
{
        f->noise = f->noise * 1664525U + 1013904223U;
        return (uint8_t)(f->noise >> 24);
}

static void put_garbage(struct fake *f)
{
        uint8_t bytes[200];

        for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = draw(f);
        put(f, bytes, sizeof bytes);
}

static bool has_way(const struct fake *f, const char *way)
{
        return strcmp(f->way, way) == 0;
}

/* For a frame that came so many frames ago. */
static void put_motors(struct fake *f, uint32_t ago)
{
        const struct motor_command idle = { { 0 } };
        uint8_t out[HILP_FRAME_MAX];
        uint32_t newest = f->board.newest_frame;

        if (newest < ago)
                return;
        f->board.newest_frame -= ago;
        put(f, out,
            hilp_board_motors(&f->board, &idle, 4, false, false, MODE_DISARMED, out));
        f->board.newest_frame = newest;
}

static void answer_frame(struct fake *f)
{
        uint8_t out[HILP_FRAME_MAX], unknown[] = { 200, f->board.sequence };

        if (has_way(f, "unknown")) {
                f->board.sequence++;
                put(f, out, hilp_frame_encode(unknown, sizeof unknown, out));
        }
        if (has_way(f, "jump"))
                f->board.sequence = draw(f);
        put_motors(f, has_way(f, "late") ? 100 : 0);
        if (has_way(f, "twice"))
                put_motors(f, 0);
}

static void put_damaged(struct fake *f)
{
        const struct motor_command idle = { { 0 } };
        uint8_t out[HILP_FRAME_MAX];
        size_t len =
                hilp_board_motors(&f->board, &idle, 4, false, false, MODE_DISARMED, out);

        /* No zero, which would end the frame. */
        out[len - 2] = out[len - 2] == 1 ? 2 : 1;
        put(f, out, len);
}

/* Of so many frames the last is not answered as it should be. */
static void take_frame_in_turn(struct fake *f)
{
        f->frames_done++;
        if (f->frames_done % f->frames_left != 0)
                answer_frame(f);
        else if (has_way(f, "damage"))
                put_damaged(f);
}

static void take_frame(struct fake *f)
{
        uint8_t out[HILP_FRAME_MAX];

        if (has_way(f, "drop") || has_way(f, "damage"))
                take_frame_in_turn(f);
        else if (f->frames_left-- > 0)
                answer_frame(f);
        else if (has_way(f, "vanish"))
                exit(0);
        else if (has_way(f, "garble"))
                put_garbage(f);
        else if (has_way(f, "astray"))
                put_motors(f, f->board.newest_frame);
        else if (has_way(f, "words"))
                put(f, out, hilp_board_text(&f->board, 0, "still here", out));
}

static void take_option(struct fake *f, const struct hilp_option *option)
{
        uint8_t out[HILP_FRAME_MAX];

        put(f, out,
            hilp_board_option_ack(&f->board, option->key,
                                  strcmp(option->value, "bad") != 0, out));
}

static void put_no_version(struct fake *f)
{
        struct hilp_message ack = { .type = HILP_HELLO_ACK };
        uint8_t out[HILP_FRAME_MAX];

        ack.u.hello_ack.frame_every = 1;
        ack.u.hello_ack.rotors = 4;
        put(f, out, hilp_write(&ack, out));
}

static void start(struct fake *f, uint32_t unique)
{
        int rotors = has_way(f, "few") ? 2 : 4;
        int every = has_way(f, "slow") ? 4 : 1;

        hilp_board_init(&f->board, "fake board", rotors, every, unique);
}

static void take(struct fake *f, const uint8_t *bytes, size_t len)
{
        size_t at = 0;

        if (has_way(f, "silent") || (has_way(f, "still") && f->frames_left <= 0))
                return;
        if (has_way(f, "garbage")) {
                put_garbage(f);
                return;
        }
        if (has_way(f, "old")) {
                put_no_version(f);
                return;
        }
        while (at < len) {
                struct hilp_board_news news;

                at += hilp_board_receive(&f->board, bytes + at, len - at, 0, &news);
                if (news.out_len > 0 && has_way(f, "pieces"))
                        put_pieces(f, news.out, news.out_len);
                else
                        put(f, news.out, news.out_len);
                if (news.event == HILP_BOARD_SENSORS && has_way(f, "restart") &&
                    f->frames_left == 0) {
                        start(f, 2);
                        f->frames_left = LONG_MAX;
                        at = 0;
                } else if (news.event == HILP_BOARD_OPTION) {
                        if (has_way(f, "options"))
                                take_option(f, &news.option);
                } else if (news.event == HILP_BOARD_SENSORS) {
                        take_frame(f);
                }
        }
}

static void serve(struct fake *f)
{
        for (;;) {
                struct pollfd fd = { .fd = f->link->fd, .events = POLLIN };
                uint8_t bytes[1024];
                int n = link_read(f->link, bytes, sizeof bytes);

                if (n == LINK_GONE)
                        return;
                take(f, bytes, (size_t)n);
                if (n == 0)
                        poll(&fd, 1, 100);
        }
}

int main(int argc, char **argv)
{
        struct fake f = { .noise = 1 };
        struct link_spec spec;
        struct link_error why;

        if (argc < 3 || !link_spec_parse(&spec, argv[1], &why)) {
                fprintf(stderr, "usage: fake_board LINK WAY [FRAMES]\n");
                return 2;
        }
        spec.patience_ms =
                1000; /* the rig's socket is bound a moment before it listens */
        f.link = link_open(&spec, &why);
        if (f.link == NULL) {
                fprintf(stderr, "fake_board: %s\n", why.text);
                return 2;
        }
        f.way = argv[2];
        f.frames_left = argc > 3 ? atol(argv[3]) : LONG_MAX;
        start(&f, 1);
        serve(&f);
        link_close(f.link);
        return 0;
}
