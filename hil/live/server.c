#include "hil/live/server.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "hil/live/page.h"
#include "hil/live/web.h"
#include "hil/time/clock.h"
#include "io/background.h"

#define FRAME_NS     (NS_PER_S / 60)
#define FRAMES_KEPT  4
#define WORDS_BYTES  ((size_t)1 << 20)
#define FRAMES_BYTES ((size_t)1 << 16) /* at least */
#define FAREWELL_NS  NS_PER_S
#define STACK_BYTES  (512 * 1024)

struct live_server {
        struct ring words, frames, orders;
        void *words_memory, *frames_memory, *orders_memory;
        pthread_t thread;
        _Atomic bool closing;
        char url[160];
        char *page;

        /* The loop's. */
        int vehicles;
        uint64_t number; /* of frames */
        int64_t due_ns; /* host time of the next */

        /* The thread's. */
        struct live_stream stream;
        struct live_web_setup setup;
        struct live_web *web;
};

static bool take_words(struct live_server *s)
{
        const void *word;
        bool any = false;
        size_t len;

        while ((word = ring_front(&s->words, &len)) != NULL) {
                live_stream_take_word(&s->stream, word, len);
                ring_release(&s->words);
                any = true;
        }
        return any;
}

/* The newest; those before it are lost to all. */
static bool take_frames(struct live_server *s)
{
        const void *frame;
        bool any = false;
        size_t len;

        while ((frame = ring_front(&s->frames, &len)) != NULL) {
                live_stream_take_frame(&s->stream, frame);
                ring_release(&s->frames);
                any = true;
        }
        return any;
}

static void *serve(void *server)
{
        struct live_server *s = server;
        int64_t leave_ns = 0;

        pthread_setname_np(pthread_self(), "live page");
        for (;;) {
                /* In this order: what was pushed before closing is then still found. */
                bool closing = atomic_load_explicit(&s->closing, memory_order_acquire);
                bool words = take_words(s), frame = take_frames(s);

                if (words || frame)
                        live_web_wake(s->web);
                if (closing && leave_ns == 0)
                        leave_ns = clock_now_ns() + FAREWELL_NS;
                if (closing && (live_web_is_done(s->web) || clock_now_ns() > leave_ns))
                        break;
                live_web_serve(s->web);
        }
        /* What was handed over is on its way before the connections are closed. */
        live_web_serve(s->web);
        return NULL;
}

static bool make_token(char token[LIVE_TOKEN_LEN + 1])
{
        unsigned char random[LIVE_TOKEN_LEN / 2];

        if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
                return false;
        for (size_t i = 0; i < sizeof random; i++)
                snprintf(token + 2 * i, 3, "%02x", random[i]);
        return true;
}

/* Touched now, so that the loop meets no page fault in it. */
static void *make_ring(struct ring *r, size_t at_least)
{
        size_t bytes = FRAMES_BYTES;
        void *memory;

        while (bytes < at_least)
                bytes *= 2;
        memory = malloc(bytes);
        if (memory != NULL) {
                memset(memory, 0, bytes);
                ring_init(r, memory, bytes);
        }
        return memory;
}

static bool open_runs(struct live_server *s, const struct live_setup *setup, char *why,
                      size_t cap)
{
        s->stream.recording = calloc((size_t)setup->runs, sizeof *s->stream.recording);
        for (int i = 0; s->stream.recording != NULL && i < setup->runs; i++) {
                if (!live_recording_open(&s->stream.recording[i], setup->run[i], why,
                                         cap))
                        return false;
                s->stream.recordings++;
        }
        return s->stream.recording != NULL;
}

static bool open_stream(struct live_server *s, const struct live_setup *setup, char *why,
                        size_t cap)
{
        snprintf(why, cap, "the live page: out of memory");
        s->vehicles = setup->rig != NULL ? setup->rig->vehicles : 0;
        s->words_memory = make_ring(&s->words, WORDS_BYTES);
        s->frames_memory =
                make_ring(&s->frames, FRAMES_KEPT * (live_frame_size(s->vehicles) + 64));
        s->orders_memory = make_ring(&s->orders, 0);
        s->page = live_page_text(&s->setup.page_len);
        return s->words_memory != NULL && s->frames_memory != NULL &&
               s->orders_memory != NULL && s->page != NULL &&
               live_stream_open(&s->stream, setup->rig,
                                setup->control ? &s->orders : NULL) &&
               (setup->rig != NULL || open_runs(s, setup, why, cap));
}

static bool open_web(struct live_server *s, const struct live_setup *setup, char *why,
                     size_t cap)
{
        int error;

        s->setup.address = setup->address;
        s->setup.page = s->page;
        s->setup.stream = &s->stream;
        if ((setup->address.beyond || setup->control) && !make_token(s->setup.token)) {
                snprintf(why, cap, "the live page: no random numbers for its token");
                return false;
        }
        s->web = live_web_open(&s->setup, why, cap);
        if (s->web == NULL)
                return false;
        snprintf(s->url, sizeof s->url, "http://%s:%d/%s%s", s->setup.address.ip,
                 s->setup.address.port, s->setup.token[0] != '\0' ? "?token=" : "",
                 s->setup.token);
        error = background_start(&s->thread, STACK_BYTES, serve, s);
        if (error != 0)
                snprintf(why, cap, "the live page: no thread: %s", strerror(error));
        return error == 0;
}

/* What nobody has taken. */
static void drop_orders(struct live_server *s)
{
        struct live_order order;

        while (s->orders_memory != NULL && live_server_order(s, &order))
                free(order.text);
}

static void free_server(struct live_server *s)
{
        drop_orders(s);
        live_web_close(s->web);
        live_stream_close(&s->stream);
        free(s->words_memory);
        free(s->frames_memory);
        free(s->orders_memory);
        free(s->page);
        free(s);
}

struct live_server *live_server_open(const struct live_setup *setup, char *why,
                                     size_t cap)
{
        struct live_server *s = NULL;

        if (posix_memalign((void **)&s, _Alignof(struct live_server), sizeof *s) != 0) {
                snprintf(why, cap, "the live page: out of memory");
                return NULL;
        }
        memset(s, 0, sizeof *s);
        if (open_stream(s, setup, why, cap) && open_web(s, setup, why, cap))
                return s;
        free_server(s);
        return NULL;
}

const char *live_server_url(const struct live_server *s)
{
        return s->url;
}

struct ring *live_server_words(struct live_server *s)
{
        return &s->words;
}

void live_server_tell(struct live_server *s, enum live_word kind, int64_t t_ns,
                      const void *body, size_t len)
{
        struct watched *w = ring_claim(&s->words, sizeof *w + len);

        if (w == NULL)
                return;
        *w = (struct watched){ .kind = (uint8_t)kind, .t_ns = t_ns };
        memcpy(w + 1, body, len);
        ring_publish(&s->words);
}

bool live_server_due(struct live_server *s, int64_t now_ns)
{
        if (now_ns < s->due_ns)
                return false;
        s->due_ns =
                now_ns - s->due_ns < FRAME_NS ? s->due_ns + FRAME_NS : now_ns + FRAME_NS;
        return true;
}

void live_server_hurry(struct live_server *s)
{
        s->due_ns = 0;
}

bool live_server_order(struct live_server *s, struct live_order *order)
{
        size_t len;
        const void *front = ring_front(&s->orders, &len);

        if (front == NULL)
                return false;
        memcpy(order, front, sizeof *order);
        ring_release(&s->orders);
        return true;
}

struct live_frame *live_server_frame(struct live_server *s, int64_t t_ns)
{
        struct live_frame *f = ring_claim(&s->frames, live_frame_size(s->vehicles));

        s->number++;
        if (f == NULL)
                return NULL;
        f->number = s->number;
        f->t_ns = t_ns;
        f->vehicles = s->vehicles;
        return f;
}

void live_server_publish(struct live_server *s)
{
        ring_publish(&s->frames);
}

void live_server_close(struct live_server *s)
{
        if (s == NULL)
                return;
        atomic_store_explicit(&s->closing, true, memory_order_release);
        pthread_join(s->thread, NULL);
        free_server(s);
}
