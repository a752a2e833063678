#include "hil/live/stream.h"

#include <stdlib.h>
#include <string.h>

/* A flight that says more than this is not shown to its end, but for that. */
#define SAID_MAX 400000

/* Of one order. */
#define STEPS_MAX 1e6
#define PACE_MAX  1e3

/* What a document is the newest of. */
static int about_verdict(int requirement)
{
        return requirement;
}

static int about_latency(int vehicle)
{
        return SCENARIO_REQUIREMENTS_MAX + vehicle;
}

#define ABOUT_HANDS (SCENARIO_REQUIREMENTS_MAX + VEHICLES_MAX)

bool live_stream_open(struct live_stream *s, const struct rig_config *rig,
                      struct ring *orders)
{
        *s = (struct live_stream){ .rig = rig, .orders = orders };
        if (rig == NULL)
                return true;
        s->scene = live_scene_text(rig, orders != NULL);
        s->frame = calloc(1, live_frame_size(rig->vehicles));
        return s->scene != NULL && s->frame != NULL;
}

void live_stream_close(struct live_stream *s)
{
        for (size_t i = 0; i < s->count; i++)
                free(s->said[i].text);
        for (int i = 0; i < s->recordings; i++)
                live_recording_close(&s->recording[i]);
        free(s->recording);
        free(s->said);
        free(s->scene);
        free(s->frame);
        free(s->frame_text);
        *s = (struct live_stream){ 0 };
}

static bool has_room(struct live_stream *s)
{
        size_t room = s->room > 0 ? 2 * s->room : 256;
        struct live_said *more;

        if (s->count < s->room)
                return true;
        more = realloc(s->said, room * sizeof *more);
        if (more == NULL)
                return false;
        s->said = more;
        s->room = room;
        return true;
}

void live_stream_say(struct live_stream *s, int about, char *text)
{
        if (text == NULL || s->count >= SAID_MAX || !has_room(s)) {
                free(text);
                return;
        }
        for (size_t i = s->count; about >= 0 && i-- > 0;)
                if (s->said[i].about == about) {
                        free(s->said[i].text);
                        s->said[i] = (struct live_said){ NULL, -1 };
                        break;
                }
        s->said[s->count++] = (struct live_said){ text, about };
}

static bool holds(size_t len, size_t body)
{
        return len >= sizeof(struct watched) + body;
}

void live_stream_take_word(struct live_stream *s, const struct watched *w, size_t len)
{
        const void *body = w + 1;

        if (w->kind == WATCHED_EVENT && holds(len, sizeof(struct event_record)))
                live_stream_say(s, -1, live_event_text(body));
        else if (w->kind == WATCHED_TEXT && holds(len, 1))
                live_stream_say(s, -1, live_said_text(w->t_ns, w->level, body));
        else if (w->kind == LIVE_VERDICT && holds(len, sizeof(struct live_verdict))) {
                const struct live_verdict *v = body;

                live_stream_say(s, about_verdict(v->requirement), live_verdict_text(v));
        } else if (w->kind == LIVE_LATENCY && holds(len, sizeof(struct live_latency))) {
                const struct live_latency *l = body;

                live_stream_say(s, about_latency(l->vehicle), live_latency_text(l));
        } else if (w->kind == LIVE_HANDS && holds(len, sizeof(struct live_hands))) {
                live_stream_say(s, ABOUT_HANDS, live_hands_text(body));
        } else if (w->kind == LIVE_END && holds(len, sizeof(struct live_end))) {
                const struct live_end *end = body;

                live_stream_say(s, -1,
                                live_end_text(verdict_name(end->verdict), end->reason));
                s->ended = true;
        }
}

void live_stream_take_frame(struct live_stream *s, const struct live_frame *f)
{
        memcpy(s->frame, f, live_frame_size(f->vehicles));
        free(s->frame_text);
        s->frame_text = NULL;
}

static char *next_said(struct live_viewer *v, const struct live_stream *s)
{
        while (v->sent < s->count) {
                const struct live_said *said = &s->said[v->sent++];

                if (said->text != NULL)
                        return strdup(said->text);
        }
        return NULL;
}

/* What is the same for all, then what is this one's. */
static char *next_frame(struct live_viewer *v, struct live_stream *s)
{
        const struct live_frame *f = s->frame;
        char *text = NULL;
        size_t len;
        FILE *out;

        if (f->number <= v->seen)
                return NULL;
        if (s->frame_text == NULL)
                s->frame_text = live_frame_text(f, s->rig);
        out = s->frame_text != NULL ? open_memstream(&text, &len) : NULL;
        if (out == NULL)
                return NULL;
        if (v->seen > 0)
                v->lost += f->number - v->seen - 1;
        v->seen = f->number;
        fputs(s->frame_text, out);
        live_frame_end_put(out, f, &v->asked, v->lost);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

static char *runs_text(const struct live_stream *s)
{
        struct json *o = json_new_object(), *list;
        char *text;

        json_add_string(o, "kind", "runs");
        list = json_add_array(o, "runs");
        for (int i = 0; i < s->recordings; i++)
                json_add_string(list, NULL, s->recording[i].folder);
        text = o != NULL ? json_print_line(o) : NULL;
        json_free(o);
        return text;
}

static char *next_recorded(struct live_viewer *v, const struct live_stream *s)
{
        if (!v->greeted) {
                v->greeted = true;
                return runs_text(s);
        }
        if (v->reading == NULL)
                v->reading = live_reading_open(&s->recording[v->run]);
        return v->reading != NULL ? live_reading_next(v->reading, &v->asked) : NULL;
}

char *live_viewer_next(struct live_viewer *v, struct live_stream *s)
{
        char *said;

        said = v->refused;
        v->refused = NULL;
        if (said != NULL)
                return said;
        if (s->rig == NULL)
                return next_recorded(v, s);
        if (!v->greeted) {
                v->greeted = true;
                return strdup(s->scene);
        }
        said = next_said(v, s);
        return said != NULL ? said : next_frame(v, s);
}

bool live_viewer_is_done(const struct live_viewer *v, const struct live_stream *s)
{
        return s->rig == NULL || (v->greeted && v->sent == s->count);
}

static int vehicles_of(const struct live_viewer *v, const struct live_stream *s)
{
        return s->rig != NULL ? s->rig->vehicles : s->recording[v->run].rig->vehicles;
}

static void choose_run(struct live_viewer *v, const struct live_stream *s,
                       const struct json *asked)
{
        uint64_t run;

        if (!json_u64(asked, "run", &run) || run >= (uint64_t)s->recordings)
                return;
        live_reading_close(v->reading);
        v->reading = NULL;
        v->asked.count = 0;
        v->run = (int)run;
}

/* More than the loop takes is not kept for later. */
static bool push_order(struct live_stream *s, const struct live_order *order)
{
        struct live_order *to = ring_claim(s->orders, sizeof *order);

        if (to == NULL)
                return false;
        *to = *order;
        ring_publish(s->orders);
        return true;
}

static bool order_fault(struct live_viewer *v, struct live_stream *s,
                        const struct json *step)
{
        struct live_order order = { .kind = LIVE_FAULT };
        char why[CONFIG_ERROR_SIZE] = "no more faults are taken in this flight";

        if (s->faults < LIVE_FAULTS_MAX &&
            live_fault_read(&order, step, s->rig, why, sizeof why)) {
                if (push_order(s, &order)) {
                        s->faults++;
                        return true;
                }
                free(order.text);
                snprintf(why, sizeof why, "the loop takes no orders");
        }
        free(v->refused);
        v->refused = live_refused_text(why);
        return false;
}

/* Of a vehicle whose sticks are on the page. */
static bool read_sticks(struct live_sticks *sticks, const struct live_stream *s,
                        const struct json *heard)
{
        const struct json *at = json_member(heard, "at");
        uint64_t vehicle;

        if (!json_u64(heard, "vehicle", &vehicle) ||
            vehicle >= (uint64_t)s->rig->vehicles ||
            !config_joystick_on_page(&s->rig->vehicle[vehicle].joystick) ||
            !json_is(at, JSON_OBJECT))
                return false;
        sticks->vehicle = (int)vehicle;
        for (const struct json *m = at->first; m != NULL; m = m->next) {
                if (sticks->count == LIVE_STICKS_MAX || !json_is(m, JSON_NUMBER))
                        return false;
                snprintf(sticks->at[sticks->count].input,
                         sizeof sticks->at[sticks->count].input, "%s", m->key);
                sticks->at[sticks->count++].value = json_number(at, m->key);
        }
        return sticks->count > 0;
}

/* False: nothing that may be ordered, or nobody may. */
static bool give_order(struct live_viewer *v, struct live_stream *s,
                       const struct json *heard)
{
        static const char *const word[] = {
                [LIVE_ABORT] = "abort",  [LIVE_HOLD] = "hold", [LIVE_GO] = "go",
                [LIVE_STEP] = "step",    [LIVE_PACE] = "pace", [LIVE_LIFT] = "lift",
                [LIVE_STICKS] = "sticks"
        };
        const char *what = json_string(heard, "what");
        struct live_order order = { .value = json_number(heard, "value") };
        size_t kind = 0;

        if (s->orders == NULL || what == NULL)
                return false;
        if (strcmp(what, "fault") == 0)
                return order_fault(v, s, json_member(heard, "step"));
        while (kind < sizeof word / sizeof word[0] && strcmp(word[kind], what) != 0)
                kind++;
        if (kind == sizeof word / sizeof word[0])
                return false;
        order.kind = (enum live_order_kind)kind;
        if ((order.kind == LIVE_STEP &&
             !(order.value >= 1.0 && order.value <= STEPS_MAX)) ||
            (order.kind == LIVE_PACE &&
             !(order.value >= 0.0 && order.value <= PACE_MAX)) ||
            (order.kind == LIVE_LIFT &&
             !(order.value >= 0.0 && order.value < SCENARIO_STEPS_MAX)) ||
            (order.kind == LIVE_STICKS && !read_sticks(&order.sticks, s, heard)))
                return false;
        return push_order(s, &order);
}

void live_viewer_hear(struct live_viewer *v, struct live_stream *s, const char *text,
                      size_t len)
{
        struct json_error why;
        struct json *heard = json_parse(text, len, NULL, &why);
        const char *kind = json_string(heard, "kind");

        if (kind != NULL && strcmp(kind, "ask") == 0) {
                if (!live_asked_read(&v->asked, heard, vehicles_of(v, s)))
                        v->misheard++;
                else if (v->reading != NULL)
                        live_reading_again(v->reading);
        } else if (kind != NULL && strcmp(kind, "run") == 0)
                choose_run(v, s, heard);
        else if (kind == NULL || strcmp(kind, "do") != 0 || !give_order(v, s, heard))
                v->misheard++;
        json_free(heard);
}

void live_viewer_close(struct live_viewer *v)
{
        live_reading_close(v->reading);
        free(v->refused);
        *v = (struct live_viewer){ 0 };
}
