/* One's way through a recorded run: the scene, what became of the requirements, then the log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/live/recording.h"

enum stage { AT_SCENE, AT_VERDICTS, AT_LOG, AT_LATENCY, AT_END, AT_NOTHING };

struct live_reading {
        const struct live_recording *of;
        enum stage stage;
        int verdict; /* the next one */
        bool again; /* frames alone */
        struct topic_reader *reader;
        struct live_frame *frame;
        int64_t t_us; /* of the frame as far as it was read; -1: nothing was */
        int64_t frame_due_us;
        bool held; /* a record that belongs to the next tick */
        struct ulog_record record;
        const struct topic_source *source;
        bool armed_known; /* the log says whether a vehicle is, */
        size_t armed_at; /* there in its ticks */
        int64_t event_us; /* of the newest event, which the log says in words, too */
        struct live_latency *latency; /* of the first vehicle */
};

static bool begin_log(struct live_reading *r)
{
        bool readable;

        free(r->reader);
        r->reader = topic_reader_open(r->of->log, r->of->log_len, &readable);
        r->frame_due_us = 0;
        r->t_us = -1;
        r->event_us = -1;
        r->held = false;
        r->frame->number = 0;
        r->frame->vehicles = r->of->rig->vehicles;
        memset(r->frame->vehicle, 0,
               (size_t)r->frame->vehicles * sizeof r->frame->vehicle[0]);
        for (int i = 0; i < r->frame->vehicles; i++) {
                r->frame->vehicle[i].tick.truth.q_body_to_ned.w = 1.0;
                r->frame->vehicle[i].tick.truth.pos_ned_m =
                        r->of->rig->vehicle[i].start_ned_m;
        }
        return r->reader != NULL && readable;
}

struct live_reading *live_reading_open(const struct live_recording *of)
{
        struct live_reading *r = calloc(1, sizeof *r);

        if (r == NULL)
                return NULL;
        r->of = of;
        r->frame = calloc(1, live_frame_size(of->rig->vehicles));
        r->latency = calloc(1, sizeof *r->latency);
        if (r->frame != NULL && r->latency != NULL && begin_log(r))
                return r;
        live_reading_close(r);
        return NULL;
}

void live_reading_close(struct live_reading *r)
{
        if (r == NULL)
                return;
        free(r->reader);
        free(r->frame);
        free(r->latency);
        free(r);
}

void live_reading_again(struct live_reading *r)
{
        /* What has not been sent yet is still to come. */
        if (r->stage < AT_LOG)
                return;
        r->again = true;
        r->stage = begin_log(r) ? AT_LOG : AT_NOTHING;
}

/* As the summary has it. */
static char *verdict_text(struct live_reading *r)
{
        static const char *const number[] = { "value", "robustness", "at_s" };
        const struct json *q =
                json_item(json_member(r->of->summary, "requirements"), r->verdict);
        struct json *o, *row;

        if (q == NULL)
                return NULL;
        o = json_new_object();
        json_add_string(o, "kind", "verdict");
        row = json_add_object(json_add_array(o, "rows"), NULL);
        json_add_i64(row, "requirement", r->verdict++);
        json_add_string(row, "outcome", json_string(q, "outcome"));
        for (int i = 0; i < 3; i++)
                json_add_number(row, number[i], json_number(q, number[i]));
        json_add_string(row, "detail", json_string(q, "detail"));
        return json_print_line_free(o);
}

static char *frame_text(struct live_reading *r, const struct live_asked *asked)
{
        char *begin, *text = NULL;
        size_t len;
        FILE *out;

        r->frame->number++;
        r->frame->t_ns = r->t_us * 1000;
        begin = live_frame_text(r->frame, r->of->rig);
        out = begin != NULL ? open_memstream(&text, &len) : NULL;
        if (out != NULL) {
                fputs(begin, out);
                live_frame_end_put(out, r->frame, asked, 0);
                fclose(out);
        }
        free(begin);
        return text;
}

static char *said_text(const struct ulog_record *record)
{
        char text[1025];
        size_t len = record->len < sizeof text - 1 ? record->len : sizeof text - 1;

        memcpy(text, record->data, len);
        text[len] = '\0';
        return live_said_text((int64_t)(record->t_us * 1000), record->level, text);
}

static char *event_text(const struct live_reading *r)
{
        struct topic_record in = { 0 };

        if (r->source->unread)
                return NULL;
        topic_decode(r->source, r->record.data, &in);
        in.event.t_ns = (int64_t)(r->record.t_us * 1000);
        in.event.vehicle = r->source->vehicle;
        return live_event_text(&in.event);
}

/* The words of the event before it. */
static bool says_event(struct live_reading *r)
{
        bool does = (int64_t)r->record.t_us == r->event_us;

        r->event_us = -1;
        return does;
}

/* Not among what every reader needs, so that it is looked for; every vehicle's ticks are alike. */
static void take_armed(struct live_reading *r, struct live_vehicle *v)
{
        if (!r->armed_known && r->armed_at == 0) {
                r->armed_known = ulog_field(&r->reader->ulog, r->record.topic, "armed",
                                            "uint8_t", &r->armed_at);
                r->armed_at += !r->armed_known;
        }
        v->arming_unknown = !r->armed_known;
        if (r->armed_known)
                v->tick.armed = r->record.data[r->armed_at] != 0;
}

/* Takes the record that is held; a document where it is one of its own. */
static char *take_record(struct live_reading *r)
{
        const struct topic_source *s = r->source;
        const struct tick_record *tick;

        r->held = false;
        if (r->record.type == 'L')
                return r->again || says_event(r) ? NULL : said_text(&r->record);
        if (s == NULL || s->vehicle >= r->frame->vehicles)
                return NULL;
        if (s->topic == TOPIC_EVENT) {
                r->event_us = (int64_t)r->record.t_us;
                return r->again ? NULL : event_text(r);
        }
        if (!live_vehicle_take(&r->frame->vehicle[s->vehicle], s, &r->record))
                return NULL;
        tick = &r->frame->vehicle[s->vehicle].tick;
        if (s->topic != TOPIC_TICK)
                return NULL;
        take_armed(r, &r->frame->vehicle[s->vehicle]);
        r->t_us = (int64_t)r->record.t_us;
        if (s->vehicle == 0 && tick->loop_ns > 0)
                histogram_add(&r->latency->loop, tick->loop_ns);
        return NULL;
}

/* No flight lasts longer: times beyond are of no flight. */
#define TIME_MAX_US (INT64_C(1) << 52)

/* The record that is held is of a later tick, so that the frame has all of its own. */
static bool is_frame_due(const struct live_reading *r)
{
        bool tells = r->record.type == 'L' ||
                     (r->source != NULL && (r->source->topic == TOPIC_TICK ||
                                            r->source->topic == TOPIC_EVENT));

        return tells && r->t_us >= 0 && (int64_t)r->record.t_us > r->t_us &&
               r->t_us >= r->frame_due_us;
}

static char *next_of_log(struct live_reading *r, const struct live_asked *asked)
{
        int64_t period_us = r->of->frame_ns / 1000;
        char *text = NULL;

        while (text == NULL) {
                if (!r->held && !topic_reader_next(r->reader, &r->record, &r->source))
                        break;
                r->held = r->record.t_us <= TIME_MAX_US;
                if (!r->held)
                        continue;
                if (is_frame_due(r)) {
                        r->frame_due_us = (r->t_us / period_us + 1) * period_us;
                        return frame_text(r, asked);
                }
                text = take_record(r);
        }
        if (text == NULL) {
                r->stage = AT_LATENCY;
                if (r->t_us >= 0)
                        text = frame_text(r, asked);
        }
        return text;
}

static char *end_text(const struct live_reading *r)
{
        const char *verdict = json_string(r->of->summary, "verdict");
        const char *reason = json_string(r->of->summary, "reason");

        return live_end_text(verdict != NULL ? verdict : "void",
                             verdict != NULL ? reason
                                             : "there is no summary.json: the run was "
                                               "cut off");
}

char *live_reading_next(struct live_reading *r, const struct live_asked *asked)
{
        char *text = NULL;

        switch (r->stage) {
        case AT_SCENE:
                r->stage = AT_VERDICTS;
                return strdup(r->of->scene);
        case AT_VERDICTS:
                text = verdict_text(r);
                if (text != NULL)
                        return text;
                r->stage = AT_LOG;
                /* fall through */
        case AT_LOG:
                text = next_of_log(r, asked);
                if (text != NULL)
                        return text;
                /* fall through */
        case AT_LATENCY:
                r->stage = AT_END;
                if (!r->again && r->latency->loop.count > 0)
                        return live_latency_text(r->latency);
                /* fall through */
        case AT_END:
                r->stage = AT_NOTHING;
                return end_text(r);
        case AT_NOTHING:
                break;
        }
        return NULL;
}
