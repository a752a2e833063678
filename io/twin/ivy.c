/* Source "ivy": an aircraft of Paparazzi by its number on the bus, or by its name in a conf.xml. ROTORCRAFT_FP, ATTITUDE
 * and FINKEN_ROTORCRAFT_FP are read as messages.xml defines them; other messages are not asked for. Back go FINKEN_SONAR with the ranges in m,
 * and the simulated vehicles as ROTORCRAFT_FP. */
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/ivy_bus.h"
#include "io/twin/ivy_message.h"

#define NEVER_NS         (INT64_MIN / 2)
#define RANGES_PERIOD_NS INT64_C(50000000)
#define OTHERS_PERIOD_NS INT64_C(22000000) /* of the report's telemetry */

enum { FIRST_ID = 254 /* of simulated vehicles, downwards */, OTHERS_MAX = 256 };

struct ivy_source {
        struct twin_source source;
        struct ivy_bus bus;
        int aircraft;
        char pattern[128];
        int64_t ranges_ns, others_ns; /* told last, host time */
        int64_t ranges_every_ns, others_every_ns;
        struct ivy_layouts layouts;
        struct ivy_fleet fleet;
        int16_t id
                [OTHERS_MAX]; /* of each vehicle of the rig; 0: not given yet, -1: there is none left */
        bool taken[FIRST_ID + 1];
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
        switch (ivy_message_read(groups, s->aircraft, &s->layouts, word)) {
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

/* Its own in conf.xml, if that has its name, else the highest that is free. A vehicle keeps it. */
static int find_id(struct ivy_source *s, const struct twin_other *o)
{
        int id = o->number < OTHERS_MAX ? s->id[o->number] : -1;

        if (id != 0)
                return id;
        id = ivy_fleet_find(&s->fleet, o->name);
        for (int free = FIRST_ID; id == 0 && free > 0; free--)
                if (!s->taken[free] && !ivy_fleet_has(&s->fleet, free))
                        id = free;
        s->id[o->number] = (int16_t)(id != 0 ? id : -1);
        s->taken[id] = true;
        return s->id[o->number];
}

static void ivy_tell(struct twin_source *source, int64_t now_ns,
                     const struct twin_told *told)
{
        struct ivy_source *s = (struct ivy_source *)source;
        char text[IVY_TEXT_MAX];

        if (told->sonars > 0 && now_ns - s->ranges_ns >= s->ranges_every_ns) {
                s->ranges_ns = now_ns;
                ivy_message_write_ranges(text, sizeof text, s->aircraft, told);
                send_text(s, text);
        }
        if (now_ns - s->others_ns < s->others_every_ns)
                return;
        s->others_ns = now_ns;
        for (int i = 0; i < told->others; i++) {
                int id = find_id(s, &told->other[i]);

                if (id < 0)
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

/* By number, or by name in conf.xml; 0 with a reason. */
static int find_aircraft(const struct ivy_source *s, const struct twin_setup *setup,
                         struct link_error *why)
{
        const char *text = setup->aircraft != NULL ? setup->aircraft : "";
        char *end;
        long id = strtol(text, &end, 10);

        if (*end != '\0' || *text == '\0')
                id = ivy_fleet_find(&s->fleet, text);
        if (id >= 1 && id <= FIRST_ID)
                return (int)id;
        if (setup->conf != NULL)
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be its number on the bus, 1 to %d, or its name "
                         "in %.80s, is \"%.40s\"",
                         FIRST_ID, setup->conf, text);
        else
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be its number on the bus, 1 to %d, or with a "
                         "\"conf\" its name there, is \"%.40s\"",
                         FIRST_ID, text);
        return 0;
}

/* The expression for the messages that are defined. */
static void make_pattern(struct ivy_source *s)
{
        int at = snprintf(s->pattern, sizeof s->pattern, "^(%d) (", s->aircraft);

        for (int i = 0, some = 0; i < IVY_LAYOUTS; i++)
                if (s->layouts.of[i].fields > 0)
                        at += snprintf(s->pattern + at, sizeof s->pattern - (size_t)at,
                                       "%s%s", some++ > 0 ? "|" : "",
                                       s->layouts.of[i].name);
        snprintf(s->pattern + at, sizeof s->pattern - (size_t)at, ") (.*)");
}

static bool open_source(struct ivy_source *s, const struct twin_setup *setup,
                        struct link_error *why)
{
        s->ranges_ns = s->others_ns = NEVER_NS;
        s->ranges_every_ns = setup->paced ? 0 : RANGES_PERIOD_NS;
        s->others_every_ns = setup->paced ? 0 : OTHERS_PERIOD_NS;
        ivy_layouts_init(&s->layouts);
        if ((setup->messages != NULL &&
             !ivy_layouts_read(&s->layouts, setup->messages, why)) ||
            (setup->conf != NULL && !ivy_fleet_read(&s->fleet, setup->conf, why)))
                return false;
        s->aircraft = find_aircraft(s, setup, why);
        if (s->aircraft == 0)
                return false;
        s->taken[s->aircraft] = true;
        make_pattern(s);
        return ivy_bus_open(&s->bus, setup->where != NULL ? setup->where : "", "hilrig",
                            s->pattern, why);
}

struct twin_source *twin_ivy_open(const struct twin_setup *setup, struct link_error *why)
{
        struct ivy_source *s = calloc(1, sizeof *s);

        if (s == NULL) {
                snprintf(why->text, sizeof why->text, "ivy: no memory");
                return NULL;
        }
        if (!open_source(s, setup, why)) {
                free(s);
                return NULL;
        }
        s->source = (struct twin_source){ .ops = &twin_ivy_ops, .fd = s->bus.fd };
        return &s->source;
}
