/* What is to be said of a capture beside its figures. */
#include <stdio.h>

#include "hil/capture/table.h"

/* Its level does not change, and no capture board tells of frames. */
bool capture_row_rests(const struct capture_row *r)
{
        return r->counts.edges == 0 && r->counts.recognitions == 0 &&
               r->looks_like == MOTOR_UNKNOWN;
}

/* Protocols that so many samples a second do not show: "DSHOT600, DSHOT1200"; empty: all are seen. */
static void list_unreadable(double tick_hz, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        for (int i = MOTOR_UNKNOWN + 1; i < MOTOR_PROTOCOLS && used < cap; i++) {
                enum motor_protocol p = (enum motor_protocol)i;

                if (!capture_guess_readable(p, tick_hz))
                        used += (size_t)snprintf(text + used, cap - used, "%s%s",
                                                 used > 0 ? ", " : "",
                                                 motor_protocol_name(p));
        }
}

/* So many edges are enough for any protocol to be recognised. */
#define SURE_EDGES 300

static const char *found_instead(const struct capture_table *t,
                                 const struct capture_row *r, char *text, size_t cap)
{
        char slow[120] = "";

        text[0] = '\0';
        if (r->looks_like != MOTOR_UNKNOWN) {
                snprintf(text, cap, "; looks like %s%s at %.1f Hz",
                         motor_protocol_name(r->looks_like),
                         r->looks_inverted ? " inverted" : "", r->looks_rate_hz);
                return text;
        }
        if (t->sampled)
                list_unreadable(t->tick_hz, slow, sizeof slow);
        snprintf(text, cap, "%s%s%s",
                 t->asked != MOTOR_UNKNOWN && r->counts.edges >= SURE_EDGES
                         ? "; nor any other protocol"
                         : "",
                 slow[0] != '\0' ? "; sampled too slowly for " : "", slow);
        return text;
}

/* It spoke, and does no more: silent, or it says what nobody knows. */
static void note_was(const struct capture_table *t, const struct capture_row *r,
                     char *text, size_t cap)
{
        char rate[40] = "", since[40] = "", instead[200] = "";

        if (r->was_rate_hz > 0.0)
                snprintf(rate, sizeof rate, " at %.1f Hz", r->was_rate_hz);
        if (r->heard)
                snprintf(since, sizeof since, " until %.2f s",
                         (double)(r->heard_tick - t->first_tick) / t->tick_hz);
        if (r->looks_like != MOTOR_UNKNOWN)
                found_instead(t, r, instead, sizeof instead);
        if (r->silent)
                snprintf(text, cap, "silent for %.2f s; spoke%s%s", r->age_s, rate,
                         since);
        else
                snprintf(text, cap, "was %s%s%s%s", motor_protocol_name(r->was), rate,
                         since, instead[0] != '\0' ? instead : ", then nothing known");
}

bool capture_table_note(const struct capture_table *t, const struct capture_row *r,
                        char *text, size_t cap)
{
        char instead[200], edges[40] = "";

        if (r->silent || (r->protocol == MOTOR_UNKNOWN && r->counts.recognitions > 0)) {
                note_was(t, r, text, cap);
                return true;
        }
        if (r->ambiguous) {
                snprintf(text, cap,
                         "taken for normal, but would fit inverted as well; "
                         "--polarity settles it");
                return true;
        }
        if (r->protocol != MOTOR_UNKNOWN || capture_row_rests(r))
                return false;
        found_instead(t, r, instead, sizeof instead);
        /* That it is not recognised stands in its row. */
        if (t->asked == MOTOR_UNKNOWN && instead[0] == '\0')
                return false;
        if (r->counts.edges > 0)
                snprintf(edges, sizeof edges, " in %llu edges",
                         (unsigned long long)r->counts.edges);
        snprintf(text, cap, "no %s%s%s",
                 t->asked != MOTOR_UNKNOWN ? motor_protocol_name(t->asked) : "protocol",
                 edges, instead);
        return true;
}

struct phrases {
        char *text;
        size_t cap, used;
};

/* "3 batches lost" behind what is there; nothing of none. */
static void add_phrase(struct phrases *p, uint64_t count, const char *one,
                       const char *many)
{
        int n;

        if (count == 0 || p->used >= p->cap)
                return;
        n = snprintf(p->text + p->used, p->cap - p->used, "%s", p->used > 0 ? ", " : "");
        p->used += (size_t)n;
        if (p->used >= p->cap)
                return;
        n = snprintf(p->text + p->used, p->cap - p->used, "%llu %s",
                     (unsigned long long)count, count == 1 ? one : many);
        p->used += (size_t)n;
}

bool capture_table_device_note(const struct capture_table *t, char *text, size_t cap)
{
        const struct capture_counts *c = &t->counts;
        struct phrases p = { .text = text, .cap = cap };

        text[0] = '\0';
        if (t->still_s > 0.0)
                p.used = (size_t)snprintf(text, cap, "nothing has come for %.1f s",
                                          t->still_s);
        else if (t->stood_s > 0.0)
                p.used = (size_t)snprintf(text, cap, "nothing came for %.1f s in all",
                                          t->stood_s);
        if (t->board) {
                add_phrase(&p, c->short_blocks, "batch lost", "batches lost");
                add_phrase(&p, c->overruns, "record that it had no room for",
                           "records that it had no room for");
                add_phrase(&p, c->failed, "damaged frame", "damaged frames");
                add_phrase(&p, c->stalls, "time silent for a second or more",
                           "times silent for a second or more");
                add_phrase(&p, c->restarts, "restart", "restarts");
        } else {
                add_phrase(&p, c->overruns, "overrun: samples were lost",
                           "overruns: samples were lost");
                add_phrase(&p, c->short_blocks, "transfer cut short",
                           "transfers cut short");
                add_phrase(&p, c->failed, "transfer failed", "transfers failed");
                add_phrase(&p, c->stalls, "stall", "stalls");
                add_phrase(&p, c->restarts, "restart of the stream",
                           "restarts of the stream");
        }
        return text[0] != '\0';
}
