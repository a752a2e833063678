/* The rows of a capture: filled from words and counts, printed as a table or as lines. */
#include "hil/capture_table.h"

#include <stdio.h>
#include <string.h>

void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask,
                        enum motor_protocol asked)
{
        *t = (struct capture_table){ .tick_hz = c->tick_hz, .asked = asked };
        snprintf(t->source, sizeof t->source, "%s", c->name);
        for (uint8_t i = 0; i < MOTOR_PADS_MAX; i++)
                if (mask & 1U << i)
                        t->row[t->rows++].pad = i;
}

void capture_table_take(struct capture_table *t, const struct motor_word *w)
{
        struct capture_row *r = t->row;

        while (r->pad != w->pad)
                r++;
        switch (w->kind) {
        case MOTOR_THROTTLE:
        case MOTOR_STOP:
                r->throttle = *w;
                r->has_throttle = true;
                break;
        case MOTOR_COMMAND:
                r->command = *w;
                r->has_command = true;
                break;
        case MOTOR_ERPM:
                r->erpm = *w;
                r->has_erpm = true;
                break;
        case MOTOR_EXTENDED:
                r->extended = *w;
                r->has_extended = true;
                break;
        default:
                break;
        }
}

/* `asked` itself is what it is about to be taken for. */
static void take_guess(struct capture_row *r, enum motor_protocol asked,
                       const struct motor_pad *pad)
{
        if (pad != NULL && motor_pad_protocol(pad) == asked)
                pad = NULL;
        r->looks_like = pad != NULL ? motor_pad_protocol(pad) : MOTOR_UNKNOWN;
        r->looks_inverted = pad != NULL && motor_pad_inverted(pad);
        r->looks_rate_hz = pad != NULL ? motor_pad_rate_hz(pad) : 0.0;
}

void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words,
                          const struct capture_guess *guess)
{
        t->counts = c->counts;
        for (int i = 0; i < t->rows; i++) {
                struct capture_row *r = &t->row[i];
                const struct motor_pad *pad = &words->pad[r->pad];

                r->protocol = motor_pad_protocol(pad);
                r->inverted = motor_pad_inverted(pad);
                r->rate_hz = motor_pad_rate_hz(pad);
                r->jitter_s = motor_pad_jitter_s(pad);
                r->counts = *motor_pad_counted(pad);
                if (guess != NULL)
                        take_guess(r, t->asked, capture_guess_pad(guess, r->pad));
        }
}

static bool is_digital(enum motor_protocol protocol)
{
        return motor_protocol_is_dshot(protocol) || protocol == MOTOR_PROSHOT1000;
}

/* "1046" of DShot, "1500.25 us" of a pulse. */
static void print_value(const struct capture_row *r, char *text, size_t cap)
{
        if (!r->has_throttle)
                snprintf(text, cap, "-");
        else if (is_digital(r->throttle.protocol))
                snprintf(text, cap, "%u", r->throttle.value);
        else
                snprintf(text, cap, "%.2f us", r->throttle.width_s * 1e6);
}

static void print_duty(const struct capture_row *r, char *text, size_t cap)
{
        if (!r->has_throttle)
                snprintf(text, cap, "-");
        else if (r->throttle.kind == MOTOR_STOP)
                snprintf(text, cap, "stop");
        else
                snprintf(text, cap, "%.4f", r->throttle.duty);
}

static uint64_t errors(const struct capture_row *r)
{
        return r->counts.damaged + r->counts.odd + r->counts.telemetry_damaged;
}

struct cells {
        char pad[48], protocol[40], rate[24], value[24], duty[16], jitter[24], erpm[24];
};

/* Its level does not change, and no capture board tells of frames. */
static bool rests(const struct capture_row *r)
{
        return r->counts.edges == 0 && r->looks_like == MOTOR_UNKNOWN;
}

static void print_protocol(const struct capture_row *r, enum motor_protocol asked,
                           char *text, size_t cap)
{
        if (r->protocol != MOTOR_UNKNOWN)
                snprintf(text, cap, "%s%s", motor_protocol_name(r->protocol),
                         r->inverted ? " inverted" : "");
        else if (rests(r))
                snprintf(text, cap, "no edges");
        else if (asked == MOTOR_UNKNOWN)
                snprintf(text, cap, "not recognised");
        else
                snprintf(text, cap, "not %s", motor_protocol_name(asked));
}

static void fill(const struct capture_row *r, enum motor_protocol asked, struct cells *c)
{
        snprintf(c->pad, sizeof c->pad, r->name[0] != '\0' ? "%u %.12s" : "%u", r->pad,
                 r->name);
        print_protocol(r, asked, c->protocol, sizeof c->protocol);
        snprintf(c->rate, sizeof c->rate, r->rate_hz > 0.0 ? "%.1f" : "-", r->rate_hz);
        snprintf(c->jitter, sizeof c->jitter, r->rate_hz > 0.0 ? "%.2f" : "-",
                 r->jitter_s * 1e6);
        print_value(r, c->value, sizeof c->value);
        print_duty(r, c->duty, sizeof c->duty);
        snprintf(c->erpm, sizeof c->erpm, r->has_erpm ? "%.0f" : "-", r->erpm.erpm);
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

bool capture_table_note(const struct capture_table *t, const struct capture_row *r,
                        char *text, size_t cap)
{
        char instead[200], edges[40] = "";

        if (r->protocol != MOTOR_UNKNOWN || rests(r))
                return false;
        found_instead(t, r, instead, sizeof instead);
        /* That it is not recognised stands in its row. */
        if (t->asked == MOTOR_UNKNOWN && instead[0] == '\0')
                return false;
        if (r->counts.edges > 0)
                snprintf(edges, sizeof edges, " in %llu edges",
                         (unsigned long long)r->counts.edges);
        snprintf(text, cap, "no %s%s%s%s",
                 t->asked != MOTOR_UNKNOWN ? motor_protocol_name(t->asked) : "protocol",
                 r->counts.recognitions > 0 ? " any more" : "", edges, instead);
        return true;
}

static int print_notes(FILE *out, const struct capture_table *t, const char *end)
{
        char note[300];
        int lines = 0;

        for (int i = 0; i < t->rows; i++)
                if (capture_table_note(t, &t->row[i], note, sizeof note)) {
                        fprintf(out, "pad %u: %s%s", t->row[i].pad, note, end);
                        lines++;
                }
        return lines;
}

int capture_table_print(FILE *out, const struct capture_table *t, bool clear)
{
        const char *end = clear ? "\x1b[K\n" : "\n";
        int lines = t->rows + 2;

        fprintf(out, "%.60s  %.3f MHz  %.2f s  gaps %llu%s", t->source, t->tick_hz * 1e-6,
                t->time_s, (unsigned long long)t->gaps, end);
        fprintf(out, "%-15s %-19s %9s %11s %7s %9s %10s %7s %8s %9s%s", "pad", "protocol",
                "rate Hz", "value", "duty", "jitter us", "frames", "errors", "commands",
                "eRPM", end);
        for (int i = 0; i < t->rows; i++) {
                const struct capture_row *r = &t->row[i];
                struct cells c = { .pad = "" };

                fill(r, t->asked, &c);
                fprintf(out, "%-15s %-19s %9s %11s %7s %9s %10llu %7llu %8llu %9s%s",
                        c.pad, c.protocol, c.rate, c.value, c.duty, c.jitter,
                        (unsigned long long)(r->counts.throttles + r->counts.stops),
                        (unsigned long long)errors(r),
                        (unsigned long long)r->counts.commands, c.erpm, end);
        }
        lines += print_notes(out, t, end);
        if (clear)
                fputs("\x1b[J", out);
        return lines;
}

void capture_table_print_lines(FILE *out, const struct capture_table *t)
{
        for (int i = 0; i < t->rows; i++) {
                const struct capture_row *r = &t->row[i];
                struct cells c = { .pad = "" };
                char note[300] = "";

                fill(r, t->asked, &c);
                capture_table_note(t, r, note, sizeof note);
                fprintf(out,
                        "%.2f s  pad %s  %s  %s Hz  value %s  duty %s  jitter %s us  "
                        "frames %llu  errors %llu  commands %llu  eRPM %s%s%s\n",
                        t->time_s, c.pad, c.protocol, c.rate, c.value, c.duty, c.jitter,
                        (unsigned long long)(r->counts.throttles + r->counts.stops),
                        (unsigned long long)errors(r),
                        (unsigned long long)r->counts.commands, c.erpm,
                        note[0] != '\0' ? "  " : "", note);
        }
}
