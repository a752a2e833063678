#include "hil/pads/pads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hil/capture/guess.h"
#include "hil/time/clock.h"

_Static_assert(ROTORS_MAX <= MOTOR_PADS_MAX, "each rotor has a pad of its own");

#define RING_BYTES (1 << 18)
/* Blocks come much more often than that, from whatever captures. */
#define UNSEEN_NS (50 * NS_PER_MS)

static void init_decode(struct pads *p)
{
        struct pads_decode_params params = { .tick_hz = p->capture->tick_hz,
                                             .protocol = p->config->protocol,
                                             .polarity = p->config->polarity,
                                             .range = p->config->range,
                                             .glitch_s = p->config->glitch_s,
                                             .host_clock = !p->config->simulated_clock &&
                                                           p->capture->live };

        for (int i = 0; i < p->config->rotors; i++)
                params.mask |= (uint8_t)(1U << p->config->pad_of_rotor[i]);
        pads_decode_init(&p->decode, &params);
}

/* An input that the device does not have. */
static bool has_inputs(const struct pads *p, struct link_error *why)
{
        for (int i = 0; i < p->config->rotors; i++) {
                if (p->config->pad_of_rotor[i] < p->capture->pads)
                        continue;
                snprintf(why->text, sizeof(why->text),
                         "pads: %s has inputs 0 to %d, rotor %d is to be on input %d",
                         p->capture->name, p->capture->pads - 1, i,
                         p->config->pad_of_rotor[i]);
                return false;
        }
        return true;
}

/* Too few samples for the protocol that the user names; a capture board reads frames itself. */
static bool is_readable(const struct pads *p, struct link_error *why)
{
        enum motor_protocol protocol = p->config->protocol;

        if (protocol == MOTOR_UNKNOWN || p->config->source.kind == CAPTURE_BOARD ||
            capture_guess_readable(protocol, p->capture->tick_hz))
                return true;
        snprintf(why->text, sizeof(why->text),
                 "pads: %s needs %g MHz or more, %s has %.6g MHz",
                 motor_protocol_name(protocol), motor_protocol_clean_hz(protocol) * 1e-6,
                 p->capture->name, p->capture->tick_hz * 1e-6);
        return false;
}

static bool start_capture(struct pads *p, struct link_error *why)
{
        struct link_error refused = { "" };

        p->capture = capture_open(&p->config->source, &refused);
        if (p->capture == NULL) {
                *why = refused;
                snprintf(why->text, sizeof(why->text), "pads: %.233s", refused.text);
        }
        if (p->capture == NULL || !has_inputs(p, why) || !is_readable(p, why))
                return false;
        p->ring_memory = aligned_alloc(RING_LINE, RING_BYTES);
        p->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (p->ring_memory == NULL || p->event_fd < 0) {
                snprintf(why->text, sizeof(why->text),
                         "pads: no memory or descriptor left");
                return false;
        }
        ring_init(&p->ring, p->ring_memory, RING_BYTES);
        init_decode(p);
        return pads_thread_start(p, why);
}

struct pads *pads_open(const struct pads_config *config, bool reconnect, int priority,
                       struct link_error *why)
{
        struct pads *p = aligned_alloc(RING_LINE, (sizeof(*p) + RING_LINE - 1) /
                                                          RING_LINE * RING_LINE);

        if (p == NULL) {
                snprintf(why->text, sizeof(why->text), "pads: out of memory");
                return NULL;
        }
        memset(p, 0, sizeof(*p));
        p->config = config;
        p->reconnect = reconnect;
        p->priority = priority;
        p->event_fd = -1;
        atomic_store(&p->skip_tick, -1);
        if (start_capture(p, why))
                return p;
        p->joined = true; /* there is no thread */
        pads_close(p);
        return NULL;
}

void pads_end(struct pads *p)
{
        if (p != NULL)
                atomic_store(&p->stop, true);
}

void pads_stop(struct pads *p)
{
        if (p == NULL || p->joined)
                return;
        pads_end(p);
        pthread_join(p->thread, NULL);
        p->joined = true;
}

void pads_close(struct pads *p)
{
        if (p == NULL)
                return;
        pads_stop(p);
        if (p->capture != NULL)
                capture_close(p->capture);
        if (p->event_fd >= 0)
                close(p->event_fd);
        free(p->ring_memory);
        free(p);
}

enum pads_state pads_state(const struct pads *p)
{
        return (enum pads_state)atomic_load(&p->state);
}

static int64_t ticks_of(const struct pads *p, int64_t ns)
{
        return (int64_t)floor((double)ns * 1e-9 * p->decode.params.tick_hz);
}

/* What a new word's way was made of. */
static void add_latency(struct pads *p, const struct pads_reading *r, int64_t ready_ns,
                        int64_t now_ns)
{
        int64_t block_ns = r->end_ns + r->fill_ns;

        histogram_add(&p->latency.fill, r->fill_ns);
        histogram_add(&p->latency.transfer, r->arrived_ns - block_ns);
        histogram_add(&p->latency.decode, ready_ns - r->arrived_ns);
        histogram_add(&p->latency.wait, now_ns - ready_ns);
        histogram_add(&p->latency.whole, now_ns - r->end_ns);
}

static const struct pads_reading *reading_of(const struct pads *p, int i)
{
        return &p->now.pad[p->config->pad_of_rotor[i]];
}

/* As an ESC does it: without a signal the motor stops. */
static void watch_silence(struct pads *p, int i, bool unseen, int64_t sim_ns)
{
        const struct pads_reading *r = reading_of(p, i);
        struct pads_rotor *rotor = &p->rotor[i];
        bool silent =
                !r->heard || unseen ||
                p->now.until_tick - r->end_tick > ticks_of(p, p->config->silence_ns);

        if (silent && !rotor->silent && r->heard) {
                rotor->silences++;
                rotor->silent_ns = sim_ns;
                rotor->news = true;
        }
        rotor->silent = silent;
        p->command.duty[i] = silent ? 0.0 : r->duty;
}

/* The next snapshot. False: there is none. */
static bool pop_snapshot(struct pads *p)
{
        size_t len;
        const struct pads_snapshot *front = ring_front(&p->ring, &len);

        if (front == NULL)
                return false;
        for (int i = 0; i < p->config->rotors; i++)
                if (front->pad[p->config->pad_of_rotor[i]].words !=
                    reading_of(p, i)->words)
                        p->rotor[i].ready_ns = front->ready_ns;
        p->now = *front;
        ring_release(&p->ring);
        return true;
}

/* Before the ring is looked at: what comes in between wakes the next wait. */
static void fall_asleep(const struct pads *p)
{
        uint64_t events;

        if (read(p->event_fd, &events, sizeof(events)) < 0)
                return;
}

/* One by one: what is said of silences must not depend on when the loop looks. */
static bool take_all(struct pads *p, int64_t sim_ns)
{
        bool any = false;

        for (; pop_snapshot(p); any = true)
                for (int i = 0; i < p->config->rotors; i++)
                        watch_silence(p, i, false, sim_ns);
        return any;
}

/* words: how many there were of this rotor at the tick before. */
static void time_command(struct pads *p, int i, uint64_t words, int64_t now_ns)
{
        const struct pads_reading *r = reading_of(p, i);

        if (r->end_ns == 0)
                return;
        if (r->words != words) {
                add_latency(p, r, p->rotor[i].ready_ns, now_ns);
                p->latency.overtaken += r->words - words - 1;
        }
        if (!p->rotor[i].silent)
                histogram_add(&p->latency.age, now_ns - r->end_ns);
}

void pads_take(struct pads *p, int64_t now_ns, int64_t sim_ns)
{
        bool realtime = p->decode.params.host_clock;
        uint64_t words[ROTORS_MAX];

        for (int i = 0; i < p->config->rotors; i++)
                words[i] = reading_of(p, i)->words;
        fall_asleep(p);
        p->taken_ns = now_ns;
        if (take_all(p, sim_ns))
                p->news_ns = now_ns;
        else if (realtime && now_ns - p->news_ns > p->config->silence_ns + UNSEEN_NS)
                for (int i = 0; i < p->config->rotors; i++)
                        watch_silence(p, i, true, sim_ns);
        for (int i = 0; i < p->config->rotors; i++)
                time_command(p, i, words[i], now_ns);
}

void pads_pass_over(struct pads *p, int64_t now_ns)
{
        fall_asleep(p);
        while (pop_snapshot(p))
                ;
        p->news_ns = now_ns;
}

bool pads_reached(const struct pads *p, int64_t sim_ns)
{
        return p->now.until_tick >= ticks_of(p, sim_ns);
}

void pads_skip(struct pads *p, int64_t sim_ns)
{
        atomic_store(&p->skip_tick, ticks_of(p, sim_ns));
}

void pads_compare(struct pads *p, const struct motor_command *reported)
{
        /* What the pads do now nobody sees. */
        if (pads_state(p) == PADS_GONE)
                return;
        for (int i = 0; i < p->config->rotors; i++) {
                if (!p->now.pad[p->config->pad_of_rotor[i]].heard)
                        continue;
                motor_comparison_take(&p->comparison, p->config->rotors, i,
                                      p->command.duty[i], reported);
        }
}
