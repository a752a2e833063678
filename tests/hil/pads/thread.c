/* The thread that reads the motor pads: a capture that is lost is opened again, and what is another device is not
 * taken for it. The capture board is a thread at the other end of a Unix socket. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/pads/pads.h"
#include "io/capture/pad_queue.h"

#include "tests/suites.h"

PROCESS_EACH

/* What stands at the other end, as the test says. */
struct board {
        pthread_t thread;
        pthread_mutex_t lock; /* of the rest */
        pthread_cond_t asked; /* for a hello */
        bool stop, hang_up;
        uint32_t hz;
        uint8_t pads;
        int hellos; /* since it was told what to be */
        char path[64];
};

static struct board board;
static struct pads_config config;
static struct pads *pads;
static char folder[] = "/tmp/pads_thread_XXXXXX";

static struct link *listen_again(struct link *old)
{
        struct link_spec spec;
        struct link_error why;
        char text[80];
        struct link *l;

        if (old != NULL)
                link_close(old);
        snprintf(text, sizeof text, "unix-listen:%s", board.path);
        ck_assert(link_spec_parse(&spec, text, &why));
        l = link_open(&spec, &why);
        ck_assert_msg(l != NULL, "%s", why.text);
        return l;
}

static void say_hello(struct link *l)
{
        struct pad_message m = { .type = PAD_HELLO,
                                 .u.hello = { PAD_RECORD_VERSION, board.pads, board.hz, 1,
                                              "test" } };
        uint8_t payload[PAD_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        link_write(l, frame, hilp_frame_encode(payload, pad_encode(&m, payload), frame));
        board.hellos++;
        pthread_cond_signal(&board.asked);
}

/* False: the rig hung up. */
static bool hear(struct link *l, struct hilp_receiver *receiver)
{
        uint8_t bytes[64], payload[HILP_PAYLOAD_MAX];
        int n = link_read(l, bytes, sizeof bytes);

        for (int at = 0; at < n;) {
                struct pad_message m;
                size_t len;

                at += (int)hilp_receive(receiver, bytes + at, (size_t)(n - at), payload,
                                        &len);
                if (len > 0 && pad_decode(&m, payload, len) && m.type == PAD_ASK)
                        say_hello(l);
        }
        return n != LINK_GONE;
}

static void *run_board(void *arg)
{
        struct hilp_receiver receiver = { .len = 0 };
        struct link *l = listen_again(NULL);

        (void)arg;
        pthread_mutex_lock(&board.lock);
        pthread_cond_signal(&board.asked);
        while (!board.stop) {
                struct pollfd wait = { .fd = l->fd, .events = POLLIN };

                pthread_mutex_unlock(&board.lock);
                poll(&wait, 1, 5);
                pthread_mutex_lock(&board.lock);
                if (board.hang_up || !hear(l, &receiver)) {
                        board.hang_up = false;
                        l = listen_again(l);
                }
        }
        pthread_mutex_unlock(&board.lock);
        link_close(l);
        return NULL;
}

/* The board is pulled, and one like this stands in its place. */
static void become(uint32_t hz, uint8_t inputs)
{
        pthread_mutex_lock(&board.lock);
        board.hz = hz;
        board.pads = inputs;
        board.hellos = 0;
        board.hang_up = true;
        pthread_mutex_unlock(&board.lock);
}

static void await_hellos(int count)
{
        pthread_mutex_lock(&board.lock);
        while (board.hellos < count)
                pthread_cond_wait(&board.asked, &board.lock);
        pthread_mutex_unlock(&board.lock);
}

/* The thread wakes the loop for each of these. */
static void await_news(void)
{
        struct pollfd wait = { .fd = pads->event_fd, .events = POLLIN };
        uint64_t events;

        ck_assert_int_eq(poll(&wait, 1, -1), 1);
        ck_assert_int_eq(read(pads->event_fd, &events, sizeof events), sizeof events);
}

static void await_misfits(uint64_t count)
{
        while (atomic_load(&pads->misfits) < count)
                await_news();
}

static void await_state(enum pads_state state)
{
        while (pads_state(pads) != state)
                await_news();
}

/* Two rotors, on inputs 0 and 3, of a board with four and a timer of 84 MHz. */
static void put_up_board(void)
{
        struct link_error why;
        char text[100];

        ck_assert_ptr_nonnull(mkdtemp(folder));
        board = (struct board){ .hz = 84000000, .pads = 4 };
        pthread_mutex_init(&board.lock, NULL);
        pthread_cond_init(&board.asked, NULL);
        snprintf(board.path, sizeof board.path, "%s/board", folder);
        pthread_mutex_lock(&board.lock);
        ck_assert_int_eq(pthread_create(&board.thread, NULL, run_board, NULL), 0);
        pthread_cond_wait(&board.asked, &board.lock);
        pthread_mutex_unlock(&board.lock);
        config = (struct pads_config){ .rotors = 2,
                                       .pad_of_rotor = { 0, 3 },
                                       .range = { 1000, 2000, false },
                                       .silence_ns = 100 * NS_PER_MS };
        snprintf(text, sizeof text, "board:unix:%s", board.path);
        ck_assert(capture_spec_parse(&config.source, text, &why));
}

static void set_up(void)
{
        struct link_error why;

        put_up_board();
        pads = pads_open(&config, true, 0, &why);
        ck_assert_msg(pads != NULL, "%s", why.text);
}

static void take_down_board(void)
{
        pthread_mutex_lock(&board.lock);
        board.stop = true;
        pthread_mutex_unlock(&board.lock);
        pthread_join(board.thread, NULL);
}

static void tear_down(void)
{
        pads_close(pads);
        take_down_board();
        rmdir(folder);
}

TEST(one_that_is_as_before_is_taken_again)
{
        set_up();
        become(84000000, 4);
        await_state(PADS_GONE);
        await_state(PADS_LIVE);
        ck_assert_uint_eq(atomic_load(&pads->losses), 1);
        ck_assert_uint_eq(atomic_load(&pads->misfits), 0);
        tear_down();
}

TEST(one_with_another_rate_is_counted_once_and_not_taken)
{
        set_up();
        become(42000000, 4);
        await_misfits(1);
        ck_assert_int_eq(atomic_load(&pads->other_hz), 42000000);
        ck_assert_int_eq(atomic_load(&pads->other_pads), 4);
        /* It is tried again and again. */
        await_hellos(3);
        ck_assert_uint_eq(atomic_load(&pads->misfits), 1);
        ck_assert_int_eq(pads_state(pads), PADS_GONE);
        tear_down();
}

TEST(each_other_device_counts_and_the_right_one_is_taken_in_the_end)
{
        set_up();
        become(42000000, 4);
        await_misfits(1);
        become(84000000, 3);
        await_misfits(2);
        ck_assert_int_eq(atomic_load(&pads->other_hz), 84000000);
        ck_assert_int_eq(atomic_load(&pads->other_pads), 3);
        become(84000000, 8);
        await_state(PADS_LIVE);
        ck_assert_uint_eq(atomic_load(&pads->misfits), 2);
        tear_down();
}

/* It had been told of before another loss. */
TEST(after_another_loss_it_counts_again)
{
        set_up();
        become(42000000, 4);
        await_misfits(1);
        become(84000000, 4);
        await_state(PADS_LIVE);
        become(42000000, 4);
        await_misfits(2);
        ck_assert_uint_eq(atomic_load(&pads->losses), 2);
        tear_down();
}

TEST(one_that_cannot_be_opened_for_a_while_says_why_once)
{
        set_up();
        take_down_board();
        while (!atomic_load(&pads->refused))
                await_news();
        ck_assert_msg(strncmp(pads->refusal, "link: unix ", 11) == 0, "%s",
                      pads->refusal);
        ck_assert_int_eq(pads_state(pads), PADS_GONE);
        pads_close(pads);
        rmdir(folder);
}

/* A rig opens several links: whose this is must be told. */
TEST(one_that_does_not_open_is_said_to_be_the_pads)
{
        struct link_error why;

        config = (struct pads_config){ .rotors = 1 };
        ck_assert(capture_spec_parse(&config.source, "board:unix:/nowhere/board", &why));
        ck_assert_ptr_null(pads_open(&config, true, 0, &why));
        ck_assert_msg(strncmp(why.text, "pads: link: unix /nowhere/board: ", 33) == 0,
                      "%s", why.text);
}

TEST(one_without_an_input_that_is_in_use_is_refused)
{
        struct link_error why;

        put_up_board();
        config.pad_of_rotor[1] = 4;
        pads = pads_open(&config, true, 0, &why);
        ck_assert_ptr_null(pads);
        ck_assert_msg(strstr(why.text,
                             "has inputs 0 to 3, rotor 1 is to be on input 4") != NULL,
                      "%s", why.text);
        tear_down();
}
