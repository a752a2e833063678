/* What changes in a flight, as JSON. Written number by number: a tree for each of 60 frames a second would cost more than the
 * rest of the thread. */
#include "hil/live/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NaN and infinities are none in JSON. */
static void put_number(FILE *out, double value)
{
        if (isfinite(value))
                fprintf(out, "%.9g", value);
        else
                fputs("null", out);
}

static void put_numbers(FILE *out, const double *value, int count)
{
        putc('[', out);
        for (int i = 0; i < count; i++) {
                if (i > 0)
                        putc(',', out);
                put_number(out, value[i]);
        }
        putc(']', out);
}

static void put_vec3(FILE *out, struct vec3 v)
{
        put_numbers(out, (const double[]){ v.x, v.y, v.z }, 3);
}

static void put_quat(FILE *out, struct quat q)
{
        put_numbers(out, (const double[]){ q.w, q.x, q.y, q.z }, 4);
}

static void put_gps(FILE *out, const struct gps_sample *g, bool flat,
                    const struct earth_origin *origin)
{
        struct earth_position at = { g->lat_rad, g->lon_rad, g->height_m };

        fprintf(out,
                ",\"gps\":{\"lat_deg\":%.10g,\"lon_deg\":%.10g,\"height_m\":%.7g,"
                "\"h_acc_m\":",
                DEG_PER_RAD * g->lat_rad, DEG_PER_RAD * g->lon_rad, g->height_m);
        put_number(out, g->h_acc_m);
        fputs(",\"v_acc_m\":", out);
        put_number(out, g->v_acc_m);
        fprintf(out,
                ",\"satellites\":%d,\"used\":[%u,%u],\"fix\":%d,\"p\":", g->satellites,
                g->used_prn & 0xffff, g->used_prn >> 16, (int)g->fix);
        put_vec3(out, flat ? earth_to_ned_flat(origin, at) : earth_to_ned(origin, at));
        putc('}', out);
}

static void put_sonars(FILE *out, const struct live_vehicle *v, int sonars)
{
        fputs(",\"sonars\":[", out);
        for (int i = 0; i < sonars; i++) {
                const struct sonar_sample *s = &v->tick.frame.sonar[i];

                if (i > 0)
                        putc(',', out);
                put_number(out, s->echo ? s->range_m : (double)NAN);
        }
        putc(']', out);
}

static void put_vehicle(FILE *out, const struct live_vehicle *v,
                        const struct vehicle_config *config,
                        const struct earth_origin *origin)
{
        const struct tick_record *t = &v->tick;
        const struct setpoint *to = &v->setpoint.setpoint;

        fputs("{\"p\":", out);
        put_vec3(out, t->truth.pos_ned_m);
        fputs(",\"q\":", out);
        put_quat(out, t->truth.q_body_to_ned);
        fputs(",\"v\":", out);
        put_vec3(out, t->truth.vel_ned_mps);
        fputs(",\"rotors\":", out);
        put_numbers(out, t->rotor_speed_radps, config->params.rotors);
        fputs(",\"motors\":", out);
        put_numbers(out, t->command.duty, config->params.rotors);
        if (v->estimated) {
                fputs(",\"estimate\":{\"p\":", out);
                put_vec3(out, vec3_add(v->estimate.state.pos_ned_m, config->start_ned_m));
                fputs(",\"q\":", out);
                put_quat(out, v->estimate.state.q_body_to_ned);
                putc('}', out);
        }
        fputs(",\"setpoint\":", out);
        if (to->mode == MODE_GOTO)
                put_vec3(out, vec3_add(to->pos_ned_m, config->start_ned_m));
        else
                fputs("null", out);
        put_sonars(out, v, config->params.sensors.sonar.count);
        if (t->frame.gps.fix != GPS_NO_FIX)
                put_gps(out, &t->frame.gps, config->params.sensors.gps.flat_earth,
                        origin);
        fprintf(out, ",\"contact\":%s,\"armed\":%s,\"height_m\":",
                t->contact ? "true" : "false",
                v->arming_unknown ? "null"
                : t->armed        ? "true"
                                  : "false");
        put_number(out, t->height_m);
        fputs(",\"wind\":", out);
        put_vec3(out, t->wind_ned_mps);
        putc('}', out);
}

static void put_frame(FILE *out, const struct live_frame *f, const struct rig_config *rig)
{
        fprintf(out, "{\"kind\":\"frame\",\"number\":%llu,\"time_s\":%.9g,\"vehicles\":[",
                (unsigned long long)f->number, (double)f->t_ns * 1e-9);
        for (int i = 0; i < f->vehicles; i++) {
                if (i > 0)
                        putc(',', out);
                put_vehicle(out, &f->vehicle[i], &rig->vehicle[i], &rig->world.origin);
        }
        putc(']', out);
}

void live_frame_end_put(FILE *out, const struct live_frame *f, const struct live_asked *a,
                        uint64_t lost)
{
        if (a->count > 0)
                fputs(",\"values\":{", out);
        for (int i = 0; i < a->count; i++) {
                double value = live_quantity_value(&a->quantity[i], f);

                /* Of the names in the tables, no other letters. */
                fprintf(out, "%s\"%s\":", i > 0 ? "," : "", a->quantity[i].name);
                if (isfinite(value))
                        fprintf(out, "%.17g", value);
                else
                        fputs("null", out);
        }
        fprintf(out, "%s,\"lost\":%llu}", a->count > 0 ? "}" : "",
                (unsigned long long)lost);
}

char *live_frame_text(const struct live_frame *f, const struct rig_config *rig)
{
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        if (out == NULL)
                return NULL;
        put_frame(out, f, rig);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}

bool live_asked_read(struct live_asked *a, const struct json *ask, int vehicles)
{
        const struct json *list = json_member(ask, "quantities");

        if (!json_is(list, JSON_ARRAY))
                return false;
        a->count = 0;
        for (const struct json *q = list->first; q != NULL; q = q->next)
                if (a->count < LIVE_ASKED_MAX && json_is(q, JSON_STRING) &&
                    live_quantity_find(&a->quantity[a->count], q->text, vehicles))
                        a->count++;
        return true;
}

static struct json *new_document(const char *kind, int64_t t_ns)
{
        struct json *o = json_new_object();

        json_add_string(o, "kind", kind);
        if (t_ns >= 0)
                json_add_number(o, "time_s", (double)t_ns * 1e-9);
        return o;
}

char *live_event_text(const struct event_record *e)
{
        static const char *const word[] = {
                [EVENT_COLLISION] = "collision",
                [EVENT_MEETING] = "meeting",
                [EVENT_STEP] = "step",
                [EVENT_ACTION_BEGINS] = "begins",
                [EVENT_ACTION_OVER] = "over",
                [EVENT_OWN_WAY] = "own way",
                [EVENT_BOARD_LOST] = "board lost",
                [EVENT_TWIN] = "twin",
        };
        struct json *o = new_document("event", e->t_ns);
        bool known = e->kind >= 0 && (size_t)e->kind < sizeof word / sizeof word[0];

        json_add_string(o, "event", known ? word[e->kind] : "other");
        json_add_i64(o, "vehicle", e->vehicle);
        json_add_string(o, "what", e->what);
        if (e->step >= 0)
                json_add_i64(o, "step", e->step);
        if (e->impact_mps > 0.0)
                json_add_number(o, "impact_mps", e->impact_mps);
        return json_print_line_free(o);
}

char *live_said_text(int64_t t_ns, char level, const char *text)
{
        struct json *o = new_document("event", t_ns);

        json_add_string(o, "event", "said");
        json_add_i64(o, "level", level - '0');
        json_add_string(o, "what", text);
        return json_print_line_free(o);
}

char *live_verdict_text(const struct live_verdict *v)
{
        /* The words of summary.json. */
        static const char *const outcome[] = { [JUDGE_PASSED] = "passed",
                                               [JUDGE_FAILED] = "failed",
                                               [JUDGE_OPEN] = "not judged" };
        struct json *o = new_document("verdict", -1), *row;

        row = json_add_object(json_add_array(o, "rows"), NULL);
        json_add_i64(row, "requirement", v->requirement);
        json_add_string(row, "outcome", v->open ? "open" : outcome[v->outcome]);
        json_add_number(row, "value", v->value);
        json_add_number(row, "robustness", v->robustness);
        json_add_number(row, "at_s",
                        v->at_ns >= 0 ? (double)v->at_ns * 1e-9 : (double)NAN);
        json_add_string(row, "detail", v->detail);
        return json_print_line_free(o);
}

/* An eighth of an octave each, so that a few numbers say it: [[lower edge in us, count], ...]. */
#define EDGES_PER_OCTAVE 8.0

static void add_bin(struct json *bins, int edge, uint64_t count)
{
        struct json *pair;

        if (count == 0)
                return;
        pair = json_add_array(bins, NULL);
        json_add_number(pair, NULL, exp2(edge / EDGES_PER_OCTAVE) * 1e-3);
        json_add_u64(pair, NULL, count);
}

char *live_latency_text(const struct live_latency *l)
{
        struct json *o = new_document("latency", -1), *bins;
        uint64_t count = 0;
        int edge = 0;

        json_add_i64(o, "vehicle", l->vehicle);
        json_add_u64(o, "count", l->loop.count);
        json_add_number(o, "p50_us", (double)histogram_quantile_ns(&l->loop, 0.5) * 1e-3);
        json_add_number(o, "p99_us",
                        (double)histogram_quantile_ns(&l->loop, 0.99) * 1e-3);
        json_add_number(o, "max_us", (double)l->loop.max_ns * 1e-3);
        bins = json_add_array(o, "bins");
        for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
                double ns = fmax((double)histogram_edge_ns(i), 1.0);
                int at = (int)floor(EDGES_PER_OCTAVE * log2(ns) + 1e-9);

                if (at != edge) {
                        add_bin(bins, edge, count);
                        count = 0;
                        edge = at;
                }
                count += l->loop.bucket[i];
        }
        add_bin(bins, edge, count);
        return json_print_line_free(o);
}

char *live_hands_text(const struct live_hands *h)
{
        struct json *o = new_document("hands", -1);

        json_add_bool(o, "held", h->held);
        json_add_number(o, "pace", h->pace);
        return json_print_line_free(o);
}

char *live_refused_text(const char *why)
{
        struct json *o = new_document("refused", -1);

        json_add_string(o, "why", why);
        return json_print_line_free(o);
}

char *live_end_text(const char *verdict, const char *reason)
{
        struct json *o = new_document("end", -1);

        json_add_string(o, "verdict", verdict);
        json_add_string(o, "reason", reason);
        return json_print_line_free(o);
}
