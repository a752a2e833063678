/* Source "ivy": an aircraft of Paparazzi by its number on the bus. ROTORCRAFT_FP in its usual fixed-point units and
 * ATTITUDE are read; other messages are not asked for. Back go FINKEN_SONAR with the ranges in m, and the simulated
 * vehicles as ROTORCRAFT_FP. */
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/ivy_bus.h"
#include "io/twin/ivy_message.h"

#define NEVER_NS         (INT64_MIN / 2)
#define RANGES_PERIOD_NS INT64_C(50000000)
#define OTHERS_PERIOD_NS INT64_C(22000000) /* of the report's telemetry */

enum { FIRST_ID = 254 /* of simulated vehicles, downwards */ };

struct ivy_source {
        struct twin_source source;
        struct ivy_bus bus;
        int aircraft;
        char pattern[64];
        int64_t ranges_ns, others_ns;
};

/* What the bus itself counted becomes the source's. */
static void count_bus(struct ivy_source *s, const struct ivy_counts *before)
{
        s->source.counts.errors += s->bus.counts.errors - before->errors;
        s->source.counts.dropped += s->bus.counts.dropped - before->dropped;
}

static bool ivy_take(struct twin_source *source, int64_t now_ns, struct twin_word *word)
{
        struct ivy_source *s = (struct ivy_source *)source;
        struct ivy_counts before = s->bus.counts;
        const char *groups = ivy_bus_take(&s->bus, now_ns);
        bool is_word = false;

        count_bus(s, &before);
        if (groups == NULL)
                return false;
        switch (ivy_message_read(groups, s->aircraft, word)) {
        case IVY_MESSAGE_WORD:
                word->arrived_ns = now_ns;
                source->counts.words++;
                is_word = true;
                break;
        case IVY_MESSAGE_OVERHEARD:
                source->counts.overheard++;
                break;
        case IVY_MESSAGE_MALFORMED:
                source->counts.errors++;
                break;
        }
        return is_word;
}

static void send_text(struct ivy_source *s, const char *text)
{
        struct ivy_counts before = s->bus.counts;

        if (ivy_bus_send(&s->bus, text) > 0)
                s->source.counts.told++;
        count_bus(s, &before);
}

static void ivy_tell(struct twin_source *source, int64_t now_ns,
                     const struct twin_told *told)
{
        struct ivy_source *s = (struct ivy_source *)source;
        char text[IVY_TEXT_MAX];

        if (told->sonars > 0 && now_ns - s->ranges_ns >= RANGES_PERIOD_NS) {
                s->ranges_ns = now_ns;
                ivy_message_write_ranges(text, sizeof text, s->aircraft, told);
                send_text(s, text);
        }
        if (now_ns - s->others_ns < OTHERS_PERIOD_NS)
                return;
        s->others_ns = now_ns;
        for (int i = 0; i < told->others; i++) {
                int id = FIRST_ID - told->other[i].number;

                /* A vehicle keeps its number, and so its id; the aircraft's is left out. */
                if (id <= s->aircraft)
                        id--;
                if (id < 1 || id > FIRST_ID)
                        continue;
                ivy_message_write_vehicle(text, sizeof text, id, told->t_ns,
                                          &told->other[i]);
                send_text(s, text);
        }
}

static void ivy_close(struct twin_source *source)
{
        struct ivy_source *s = (struct ivy_source *)source;

        ivy_bus_close(&s->bus);
        free(s);
}

const struct twin_source_ops twin_ivy_ops = {
        .name = "ivy",
        .what = "an aircraft of Paparazzi, over an Ivy bus",
        .open = twin_ivy_open,
        .take = ivy_take,
        .tell = ivy_tell,
        .close = ivy_close,
};

struct twin_source *twin_ivy_open(const struct twin_setup *setup, struct link_error *why)
{
        const char *text = setup->aircraft != NULL ? setup->aircraft : "";
        struct ivy_source *s;
        char *end;
        long aircraft = strtol(text, &end, 10);

        if (aircraft < 1 || aircraft > FIRST_ID || *end != '\0') {
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be its number on the bus, 1 to %d, is \"%s\"",
                         FIRST_ID, text);
                return NULL;
        }
        s = calloc(1, sizeof *s);
        if (s == NULL) {
                snprintf(why->text, sizeof why->text, "ivy: no memory");
                return NULL;
        }
        s->aircraft = (int)aircraft;
        s->ranges_ns = s->others_ns = NEVER_NS;
        snprintf(s->pattern, sizeof s->pattern, "^(%d) (ROTORCRAFT_FP|ATTITUDE) (.*)",
                 s->aircraft);
        if (!ivy_bus_open(&s->bus, setup->where != NULL ? setup->where : "", "hilrig",
                          s->pattern, why)) {
                free(s);
                return NULL;
        }
        s->source = (struct twin_source){ .ops = &twin_ivy_ops, .fd = s->bus.fd };
        return &s->source;
}
