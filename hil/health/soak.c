#include "hil/health/soak.h"

#include <math.h>
#include <string.h>

#include "hil/latency/latency.h"
#include "hil/time/clock.h"

#define GIVE_UP_NS     (2 * NS_PER_S)
#define GIVE_UP_FRAMES 1000 /* fewer than are kept */
#define OVERTAKEN_NS   (50 * NS_PER_MS) /* an answer may come behind a newer one */
#define LATE_MAX_RATIO 0.05
#define QUARTER_LEAST  20 /* round trips, for a median */

_Static_assert(GIVE_UP_FRAMES < CONFORM_WINDOW, "a frame is known until it is given up");

struct soak {
        struct conform_talk *talk;
        struct health_soak *out;
        int64_t sent_ns[CONFORM_WINDOW]; /* by number */
        bool seen[CONFORM_WINDOW]; /* its answer */
        uint32_t oldest; /* that may still be answered */
        uint32_t silent; /* given up since the last answer */
        struct latency_samples all, first, last;
        int64_t begin_ns, duration_ns;
};

static bool ended(const struct soak *s)
{
        return s->talk->wire->gone || s->out->silent || s->out->restarted;
}

static void add_round_trip(struct soak *s, int64_t sent_ns)
{
        double round_s = 1e-9 * (double)(s->talk->left_ns - sent_ns);
        int64_t at_ns = sent_ns - s->begin_ns;

        latency_add(&s->all, round_s);
        if (at_ns < s->duration_ns / 4)
                latency_add(&s->first, round_s);
        else if (at_ns >= s->duration_ns - s->duration_ns / 4)
                latency_add(&s->last, round_s);
}

/* Frames whose answers came with the last bytes, and those that have had none for too long. */
static void look_at_answers(struct soak *s, int64_t now_ns)
{
        struct conform_talk *t = s->talk;
        /* While this thread did not run, nobody listened. */
        int64_t patience_ns = GIVE_UP_NS + t->late_sum_ns;
        bool open = false;

        for (uint32_t n = s->oldest; n != t->next_number; n++) {
                uint32_t place = n % CONFORM_WINDOW;
                bool answered = t->window[place].answered;

                if (answered && !s->seen[place]) {
                        s->seen[place] = true;
                        s->silent = 0;
                        add_round_trip(s, s->sent_ns[place]);
                } else if (!answered && !open &&
                           (now_ns - s->sent_ns[place] > patience_ns ||
                            t->next_number - n > GIVE_UP_FRAMES)) {
                        s->silent++;
                        answered = true;
                }
                open |= !answered;
                if (!open)
                        s->oldest = n + 1;
        }
        s->out->silent |= s->silent >= GIVE_UP_FRAMES;
        s->out->restarted |= t->heard.acks > 0 && t->heard.ack.frame_every == 0;
}

static void listen(struct soak *s, int64_t until_ns)
{
        struct conform_talk *t = s->talk;
        int64_t now_ns = conform_wire_now(t->wire);

        /* Returns with each answer, so that each has its own time. */
        while (now_ns < until_ns && !ended(s)) {
                conform_talk_await(t, &t->heard.answered, t->heard.answered + 1,
                                   until_ns - now_ns);
                now_ns = conform_wire_now(t->wire);
                look_at_answers(s, now_ns);
        }
}

static void send_frame(struct soak *s)
{
        struct conform_talk *t = s->talk;
        uint32_t place = t->next_number % CONFORM_WINDOW;

        s->seen[place] = false;
        s->sent_ns[place] = conform_wire_now(t->wire);
        conform_talk_send_frame(t);
}

/* As many as there are periods in the duration. What the host was late for is not made up for, which would be a burst: it takes
 * longer. */
static void send_all(struct soak *s, int64_t period_ns)
{
        int64_t due_ns = s->begin_ns, now_ns;

        for (int64_t left = (s->duration_ns - 1) / period_ns; left >= 0 && !ended(s);
             left--) {
                send_frame(s);
                now_ns = conform_wire_now(s->talk->wire);
                due_ns = (now_ns > due_ns + period_ns ? now_ns : due_ns) + period_ns;
                listen(s, due_ns);
        }
}

static void settle(struct soak *s)
{
        const struct conform_talk *t = s->talk;

        while (!ended(s) && s->oldest != t->next_number &&
               !(t->any_answer && t->newest_answer == t->next_number - 1))
                listen(s, conform_wire_now(t->wire) + OVERTAKEN_NS);
        if (!ended(s) && s->oldest != t->next_number)
                listen(s, conform_wire_now(t->wire) + OVERTAKEN_NS);
}

static void take_counts(struct soak *s, uint32_t skipped)
{
        const struct conform_heard *h = &s->talk->heard;
        struct health_soak *out = s->out;

        out->sent = h->sent;
        out->answered = h->answered;
        out->unanswered = h->sent - h->answered;
        out->crc_errors = h->crc_errors;
        out->lost = h->lost;
        out->odd = h->malformed + h->twice + h->strange + h->disorder + h->repeated;
        out->dropped = s->talk->receiver.skipped - skipped;
        out->stopped = s->talk->wire->stopped;
        out->gone = s->talk->wire->gone && !out->stopped;
}

static double quantile(struct latency_samples *l, double p)
{
        return latency_quantile(l, p).s;
}

static void take_times(struct soak *s)
{
        struct health_soak *out = s->out;

        if (!health_soak_is_timely(out))
                return;
        latency_sort(&s->all);
        latency_sort(&s->first);
        latency_sort(&s->last);
        out->p50_s = quantile(&s->all, 0.5);
        out->p99_s = quantile(&s->all, 0.99);
        out->p999_s = quantile(&s->all, 0.999);
        if (s->first.count >= QUARTER_LEAST && s->last.count >= QUARTER_LEAST)
                out->drift_s = quantile(&s->last, 0.5) - quantile(&s->first, 0.5);
}

void health_soak(struct conform_talk *t, int64_t period_ns, double duration_s,
                 struct health_soak *out)
{
        static const struct health_soak none = {
                .p50_s = NAN, .p99_s = NAN, .p999_s = NAN, .drift_s = NAN
        };
        struct soak s = { .talk = t,
                          .out = out,
                          .begin_ns = conform_wire_now(t->wire),
                          .duration_ns = llround(duration_s * 1e9),
                          .oldest = t->next_number };
        uint32_t skipped = t->receiver.skipped;
        int every = t->board.frame_every > 0 ? t->board.frame_every : 1;
        int64_t taken_ns;

        *out = none;
        conform_talk_forget(t);
        conform_talk_punctual(t);
        send_all(&s, period_ns * every);
        taken_ns = conform_wire_now(t->wire) - s.begin_ns + 1;
        out->late_ratio = (double)t->late_sum_ns / (double)taken_ns;
        settle(&s);
        take_counts(&s, skipped);
        take_times(&s);
        latency_free(&s.all);
        latency_free(&s.first);
        latency_free(&s.last);
}

bool health_soak_is_clean(const struct health_soak *s)
{
        return s->sent > 0 && s->unanswered == 0 && s->crc_errors == 0 && s->lost == 0 &&
               s->odd == 0 && s->dropped == 0 && !s->gone && !s->silent && !s->restarted;
}

bool health_soak_is_timely(const struct health_soak *s)
{
        return s->late_ratio <= LATE_MAX_RATIO;
}
