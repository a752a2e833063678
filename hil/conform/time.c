/* Conformance: what is about the host's time. Each claim is one that a busy host does not break: a late frame is
 * late for the board too, and waiting costs nothing. */
#include "hil/conform/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Frame rates */

#define BLOCKED_MAX_RATIO 0.1 /* of the time, in which the line took nothing more */
#define TRIES             3
#define LATE_MAX_RATIO    0.05 /* of the time, in which the host did not let us run */
#define STARVED_MAX_RATIO 0.5 /* of the time, in which it had work left over */
#define LATE_MAX_NS       (50 * NS_PER_MS) /* at once */
#define BEHIND_MAX_S      0.2 /* of frames that are not answered yet */

/* One rate's outcome. */
struct rate {
        double hz;
        bool blocked; /* the line was full */
        bool behind; /* answers came later and later, or not at all */
        double sent_hz; /* what the line took */
        uint32_t sent, answered;
        double late_ms, late_ratio; /* the host: at worst, and of the time */
        double starved_ratio; /* of the time, in which somebody waited for a processor */
};

/* What the host was late for is not made up for, which would be a burst; that is not the board's. */
static void send_at(struct conform *c, struct rate *r, int frames)
{
        struct conform_talk *t = &c->talk;
        int64_t period_ns = (int64_t)(1e9 / r->hz), begin_ns = conform_wire_now(t->wire);
        int64_t due_ns = begin_ns, blocked_ns = 0, now_ns = begin_ns;

        for (int i = 0; i < frames && !t->wire->gone && !r->behind; i++) {
                int64_t before_ns;

                conform_talk_listen(t, due_ns);
                before_ns = conform_wire_now(t->wire);
                conform_talk_send_frame(t);
                now_ns = conform_wire_now(t->wire);
                if (now_ns - before_ns > period_ns / 2)
                        blocked_ns += now_ns - before_ns;
                due_ns = (now_ns > due_ns + period_ns ? now_ns : due_ns) + period_ns;
                r->behind =
                        t->heard.sent - t->heard.answered >
                        (uint32_t)fmin(r->hz * BEHIND_MAX_S + 8.0, CONFORM_WINDOW / 2.0);
        }
        r->blocked = (double)blocked_ns > BLOCKED_MAX_RATIO * (double)(now_ns - begin_ns);
        r->sent_hz = 1e9 * t->heard.sent / (double)(now_ns - begin_ns + 1);
}

/* Frames at that rate for so long. True: all of them went out and were answered. */
static bool keeps_up(struct conform *c, struct rate *r)
{
        int frames = (int)(r->hz * c->options.rate_s) + 1;
        bool settled;

        int64_t begin_ns, starved_ns = conform_wire_starved(c->talk.wire), taken_ns;

        conform_talk_forget(&c->talk);
        conform_talk_punctual(&c->talk);
        begin_ns = conform_wire_now(c->talk.wire);
        send_at(c, r, frames);
        settled = conform_talk_settle(&c->talk);
        r->behind |= !settled;
        r->sent = c->talk.heard.sent;
        r->answered = c->talk.heard.answered;
        r->late_ms = 1e-6 * (double)c->talk.late_ns;
        taken_ns = conform_wire_now(c->talk.wire) - begin_ns + 1;
        r->late_ratio = (double)c->talk.late_sum_ns / (double)taken_ns;
        r->starved_ratio = (double)(conform_wire_starved(c->talk.wire) - starved_ns) /
                           (double)taken_ns;
        return !r->blocked && !r->behind;
}

static bool host_was_late(const struct rate *r)
{
        return r->late_ms > 1e-6 * LATE_MAX_NS || r->late_ratio > LATE_MAX_RATIO ||
               r->starved_ratio > STARVED_MAX_RATIO;
}

static enum conform_is too_slow(struct conform *c, const struct rate *r, double due_hz)
{
        unsigned every = c->talk.board.frame_every;
        double period_us = (double)c->options.period_ns * 1e-3;

        if (r->blocked && !r->behind)
                return conform_failed(
                        c, "Bytes",
                        "the line took %.0f frames a second of %.0f. The board asks for "
                        "%.0f (frame_every %u, period %.0f us): take a faster line, or "
                        "ask "
                        "for fewer",
                        r->sent_hz, r->hz, due_hz, every, period_us);
        return conform_failed(
                c, "Conversation",
                "fell behind at %.0f frames a second: %u of %u answered in "
                "the end. It asks for %.0f (frame_every %u, period %.0f us): "
                "ask for fewer, answer faster, or take a faster line",
                r->hz, r->answered, r->sent, due_hz, every, period_us);
}

enum conform_is conform_rates(struct conform *c)
{
        const struct conform_talk *t = &c->talk;
        double due_hz, kept_hz = 0.0;

        if (!conform_begin(c, false) || !conform_fly(c, 10))
                return CONFORM_FAILED;
        due_hz = 1e9 / ((double)c->options.period_ns * t->board.frame_every);
        for (double hz = due_hz / 8.0; hz <= 4.0 * due_hz; hz *= 2.0) {
                struct rate r, judged = { .hz = 0.0 };
                bool kept = false;

                /* A host that was busy is not the board's mistake. */
                for (int i = 0; i < TRIES && !kept; i++) {
                        r = (struct rate){ .hz = hz };
                        kept = keeps_up(c, &r);
                        if (!kept && !host_was_late(&r))
                                judged = r;
                }

                if (!kept && hz <= due_hz && judged.hz == 0.0)
                        return conform_unjudged(
                                c,
                                "this host was up to %.0f ms late, and late for %.0f %% "
                                "of the time, and for %.0f %% of it somebody waited for "
                                "a processor, each time that it sent %.0f frames a "
                                "second",
                                r.late_ms, 100.0 * r.late_ratio,
                                100.0 * fmin(r.starved_ratio, 1.0), hz);
                if (!kept && hz <= due_hz)
                        return too_slow(c, &judged, due_hz);
                if (!kept)
                        break;
                if (!conform_answers_fit(c))
                        return CONFORM_FAILED;
                kept_hz = hz;
        }
        return conform_passed(c,
                              "every frame answered at %.0f to %.0f a second, of which "
                              "it asks for %.0f",
                              due_hz / 8.0, kept_hz, due_hz);
}

/* ---- Time sync */

#define EXCHANGES   21
#define EXCHANGE_NS (100 * NS_PER_MS)
#define RATE_MAX_PPM                                                                     \
        20000.0 /* an RC oscillator out of tune; a wrong unit is far beyond */

struct exchange {
        double host_us,
                board_us; /* when it was asked; and what the board's clock said then */
        double round_trip_us;
};

static bool exchange(struct conform *c, uint16_t id, struct exchange *x)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m = { .type = HILP_TIME_SYNC };
        const struct hilp_time_sync *s = &t->heard.sync;
        int64_t asked_ns = conform_wire_now(t->wire);
        double held_us;

        conform_talk_forget(t);
        m.u.time_sync.id = id;
        m.u.time_sync.rig_transmit_us = (uint64_t)asked_ns / 1000;
        conform_talk_say(t, &m);
        if (!conform_talk_await(t, &t->heard.syncs, 1, t->patience_ns)) {
                conform_failed_in_time(c, t->patience_ns / 5, "TIME_SYNC (6)",
                                       "number %u was not answered", id);
                return false;
        }
        held_us = (double)s->board_transmit_us - (double)s->board_receive_us;
        x->round_trip_us = (double)(t->heard.sync_ns - asked_ns) * 1e-3 - held_us;
        x->host_us = (double)asked_ns * 1e-3;
        x->board_us = (double)s->board_receive_us - 0.5 * x->round_trip_us;
        if (s->reply != 1)
                conform_failed(c, "TIME_SYNC (6)", "reply is %u: of the board it is 1",
                               s->reply);
        else if (s->id != id)
                conform_failed(c, "TIME_SYNC (6)",
                               "id is %u in the answer to %u: the board returns it",
                               s->id, id);
        else if (s->rig_transmit_us != m.u.time_sync.rig_transmit_us)
                conform_failed(c, "TIME_SYNC (6)",
                               "rig_transmit came back as %llu, and was %llu: the board "
                               "returns it as it is",
                               (unsigned long long)s->rig_transmit_us,
                               (unsigned long long)m.u.time_sync.rig_transmit_us);
        else if (held_us < 0.0)
                conform_failed(c, "TIME_SYNC (6)",
                               "board_transmit is %.0f us before board_receive: it sends "
                               "after it has received",
                               -held_us);
        else if (x->round_trip_us < -1000.0)
                conform_failed(
                        c, "TIME_SYNC (6)",
                        "held it for %.0f us, and it was away for %.0f us: its clock "
                        "does not count microseconds",
                        held_us, x->round_trip_us + held_us);
        else
                return true;
        return false;
}

/* How much faster than the host's the board's clock runs, by least squares over the exchanges that were away
 * for no longer than most; and how far off that may be. */
static double rate_ppm(const struct exchange *x, int count, double most_us,
                       double *uncertain_ppm)
{
        double host = 0.0, ahead = 0.0, above = 0.0, below = 0.0;
        int used = 0;

        for (int i = 0; i < count; i++) {
                if (x[i].round_trip_us > most_us)
                        continue;
                host += x[i].host_us - x[0].host_us;
                ahead += x[i].board_us - x[i].host_us;
                used++;
        }
        for (int i = 0; i < count; i++) {
                double at = x[i].host_us - x[0].host_us - host / used;

                if (x[i].round_trip_us > most_us)
                        continue;
                above += at * (x[i].board_us - x[i].host_us - ahead / used);
                below += at * at;
        }
        /* Each half of a round trip may have been all of it. */
        *uncertain_ppm =
                below > 0.0 ? 1e6 * most_us * sqrt(used / below) / 2.0 : (double)INFINITY;
        return below > 0.0 ? 1e6 * above / below : 0.0;
}

static int by_size(const void *a, const void *b)
{
        const double *x = a, *y = b;

        return (*x > *y) - (*x < *y);
}

static double median_round_trip_us(const struct exchange *x, int count)
{
        double sorted[EXCHANGES];

        for (int i = 0; i < count; i++)
                sorted[i] = x[i].round_trip_us;
        qsort(sorted, (size_t)count, sizeof sorted[0], by_size);
        return sorted[count / 2];
}

static bool goes_back(const struct exchange *x, int count)
{
        for (int i = 1; i < count; i++)
                if (x[i].board_us + 0.5 * x[i].round_trip_us <
                    x[i - 1].board_us + 0.5 * x[i - 1].round_trip_us)
                        return true;
        return false;
}

enum conform_is conform_time_sync(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct exchange x[EXCHANGES];
        double shortest_us = (double)INFINITY, longest_us = 0.0, ppm, uncertain_ppm;

        if (!conform_begin(c, false) || !conform_fly(c, 5))
                return CONFORM_FAILED;
        for (int i = 0; i < EXCHANGES; i++) {
                if (!exchange(c, (uint16_t)(65530 + i), &x[i]))
                        return CONFORM_FAILED;
                conform_talk_listen(t, conform_wire_now(t->wire) + EXCHANGE_NS);
                if (t->heard.syncs > 1)
                        return conform_failed(c, "TIME_SYNC (6)",
                                              "answered one TIME_SYNC %u times",
                                              t->heard.syncs);
                shortest_us = fmin(shortest_us, x[i].round_trip_us);
                longest_us = fmax(longest_us, x[i].round_trip_us);
        }
        if (goes_back(x, EXCHANGES))
                return conform_failed(
                        c, "TIME_SYNC (6)",
                        "its clock went back from one exchange to the next");
        ppm = rate_ppm(x, EXCHANGES, median_round_trip_us(x, EXCHANGES), &uncertain_ppm);
        if (!(fabs(ppm) < RATE_MAX_PPM + uncertain_ppm))
                return conform_failed(
                        c, "TIME_SYNC (6)",
                        "its clock runs at %.4f of the host's: it must count "
                        "microseconds",
                        fabs(1.0 + ppm * 1e-6));
        return conform_passed(c,
                              "%d exchanges, round trip %.0f to %.0f us; its clock runs "
                              "%+.0f ppm off the host's, give or take %.0f",
                              EXCHANGES, shortest_us, longest_us, ppm, uncertain_ppm);
}
