/* A capture's table as JSON. */
#include <stdlib.h>

#include "hil/capture/table.h"
#include "hil/text/json.h"

static void add_counts(struct json *o, const struct motor_pad_counts *c)
{
        json_add_u64(o, "edges", c->edges);
        json_add_u64(o, "glitches", c->glitches);
        json_add_u64(o, "throttles", c->throttles);
        json_add_u64(o, "stops", c->stops);
        json_add_u64(o, "commands", c->commands);
        json_add_u64(o, "telemetry", c->telemetry);
        json_add_u64(o, "telemetry_damaged", c->telemetry_damaged);
        json_add_u64(o, "damaged", c->damaged);
        json_add_u64(o, "odd", c->odd);
        json_add_u64(o, "recognitions", c->recognitions);
}

static void add_looks(struct json *row, const struct capture_row *r)
{
        struct json *o;

        if (r->looks_like == MOTOR_UNKNOWN)
                return;
        o = json_add_object(row, "looks_like");
        json_add_string(o, "protocol", motor_protocol_name(r->looks_like));
        json_add_bool(o, "inverted", r->looks_inverted);
        json_add_number(o, "rate_hz", r->looks_rate_hz);
}

/* When it spoke last, and what, where that is not what it says now. */
static void add_age(struct json *row, const struct capture_table *t,
                    const struct capture_row *r)
{
        struct json *o;

        json_add_bool(row, "silent", r->silent);
        if (!r->heard)
                return;
        json_add_number(row, "heard_s",
                        (double)(r->heard_tick - t->first_tick) / t->tick_hz);
        json_add_number(row, "age_s", r->age_s);
        if (!r->silent && r->protocol != MOTOR_UNKNOWN)
                return;
        o = json_add_object(row, "was");
        json_add_string(o, "protocol", motor_protocol_name(r->was));
        json_add_bool(o, "inverted", r->was_inverted);
        json_add_number(o, "rate_hz", r->was_rate_hz);
}

/* Of the ESC, the newest of each. */
static void add_telemetry(struct json *row, const struct capture_row *r)
{
        static const struct {
                enum motor_extended kind;
                const char *key;
        } kinds[] = { { MOTOR_TEMPERATURE, "temperature_c" },
                      { MOTOR_VOLTAGE, "voltage_v" },
                      { MOTOR_CURRENT, "current_a" } };

        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
                if (r->has_telemetry & 1U << kinds[i].kind)
                        json_add_number(row, kinds[i].key, r->telemetry[kinds[i].kind]);
}

static void add_row(struct json *pads, const struct capture_table *t,
                    const struct capture_row *r)
{
        struct json *o = json_add_object(pads, NULL);
        char note[300];

        json_add_u64(o, "pad", r->pad);
        json_add_string(o, "name", r->name);
        json_add_string(o, "protocol",
                        r->protocol != MOTOR_UNKNOWN ? motor_protocol_name(r->protocol)
                                                     : NULL);
        json_add_bool(o, "inverted", r->inverted);
        json_add_bool(o, "ambiguous_polarity", r->ambiguous);
        json_add_number(o, "rate_hz", r->rate_hz);
        json_add_number(o, "jitter_s", r->jitter_s);
        add_age(o, t, r);
        if (r->has_throttle) {
                json_add_number(o, "duty", r->throttle.duty);
                if (motor_protocol_is_pulse(r->throttle.protocol))
                        json_add_number(o, "width_s", r->throttle.width_s);
                else
                        json_add_u64(o, "value", r->throttle.value);
        }
        if (r->has_command)
                json_add_u64(o, "command", r->command.value);
        if (r->has_erpm)
                json_add_number(o, "erpm", r->erpm.erpm);
        add_telemetry(o, r);
        if (r->has_extended) {
                json_add_u64(o, "extended_type", (uint64_t)r->extended.extended);
                json_add_u64(o, "extended_value", r->extended.value);
        }
        add_looks(o, r);
        if (capture_table_note(t, r, note, sizeof note))
                json_add_string(o, "note", note);
        add_counts(o, &r->counts);
}

bool capture_table_print_json(FILE *out, const struct capture_table *t)
{
        struct json *root = json_new_object(), *counts;
        char *text;
        bool ok;

        json_add_string(root, "source", t->source);
        json_add_number(root, "tick_hz", t->tick_hz);
        if (t->asked != MOTOR_UNKNOWN)
                json_add_string(root, "asked_protocol", motor_protocol_name(t->asked));
        json_add_number(root, "time_s", t->time_s);
        json_add_number(root, "still_s", t->still_s);
        json_add_number(root, "stood_s", t->stood_s);
        json_add_u64(root, "gaps", t->gaps);
        counts = json_add_object(root, "device");
        json_add_u64(counts, "blocks", t->counts.blocks);
        json_add_u64(counts, "bytes", t->counts.bytes);
        json_add_u64(counts, "short_blocks", t->counts.short_blocks);
        json_add_u64(counts, "failed", t->counts.failed);
        json_add_u64(counts, "overruns", t->counts.overruns);
        json_add_u64(counts, "stalls", t->counts.stalls);
        json_add_u64(counts, "restarts", t->counts.restarts);
        counts = json_add_array(root, "pads");
        for (int i = 0; i < t->rows; i++)
                add_row(counts, t, &t->row[i]);
        text = json_print_line(root);
        json_free(root);
        ok = text != NULL && fprintf(out, "%s\n", text) > 0 && fflush(out) == 0;
        free(text);
        return ok;
}
