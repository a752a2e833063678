/* The rows of a capture: filled from words and counts, printed as a table or as lines. */
#include "hil/capture_table.h"

#include <stdio.h>
#include <string.h>

void capture_table_init(struct capture_table *t, const struct capture *c, uint8_t mask)
{
        *t = (struct capture_table){ .tick_hz = c->tick_hz };
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

void capture_table_update(struct capture_table *t, const struct capture *c,
                          const struct capture_words *words)
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

static void fill(const struct capture_row *r, struct cells *c)
{
        bool known = r->protocol != MOTOR_UNKNOWN;

        snprintf(c->pad, sizeof c->pad, r->name[0] != '\0' ? "%u %.12s" : "%u", r->pad,
                 r->name);
        snprintf(c->protocol, sizeof c->protocol, "%s%s",
                 known                 ? motor_protocol_name(r->protocol)
                 : r->counts.edges > 0 ? "not recognised"
                                       : "no edges",
                 known && r->inverted ? " inverted" : "");
        snprintf(c->rate, sizeof c->rate, r->rate_hz > 0.0 ? "%.1f" : "-", r->rate_hz);
        snprintf(c->jitter, sizeof c->jitter, r->rate_hz > 0.0 ? "%.2f" : "-",
                 r->jitter_s * 1e6);
        print_value(r, c->value, sizeof c->value);
        print_duty(r, c->duty, sizeof c->duty);
        snprintf(c->erpm, sizeof c->erpm, r->has_erpm ? "%.0f" : "-", r->erpm.erpm);
}

int capture_table_print(FILE *out, const struct capture_table *t, bool clear)
{
        const char *end = clear ? "\x1b[K\n" : "\n";

        fprintf(out, "%.60s  %.3f MHz  %.2f s  gaps %llu%s", t->source, t->tick_hz * 1e-6,
                t->time_s, (unsigned long long)t->gaps, end);
        fprintf(out, "%-15s %-19s %9s %11s %7s %9s %10s %7s %8s %9s%s", "pad", "protocol",
                "rate Hz", "value", "duty", "jitter us", "frames", "errors", "commands",
                "eRPM", end);
        for (int i = 0; i < t->rows; i++) {
                const struct capture_row *r = &t->row[i];
                struct cells c = { .pad = "" };

                fill(r, &c);
                fprintf(out, "%-15s %-19s %9s %11s %7s %9s %10llu %7llu %8llu %9s%s",
                        c.pad, c.protocol, c.rate, c.value, c.duty, c.jitter,
                        (unsigned long long)(r->counts.throttles + r->counts.stops),
                        (unsigned long long)errors(r),
                        (unsigned long long)r->counts.commands, c.erpm, end);
        }
        return t->rows + 2;
}

void capture_table_print_lines(FILE *out, const struct capture_table *t)
{
        for (int i = 0; i < t->rows; i++) {
                const struct capture_row *r = &t->row[i];
                struct cells c = { .pad = "" };

                fill(r, &c);
                fprintf(out,
                        "%.2f s  pad %s  %s  %s Hz  value %s  duty %s  jitter %s us  "
                        "frames %llu  errors %llu  commands %llu  eRPM %s\n",
                        t->time_s, c.pad, c.protocol, c.rate, c.value, c.duty, c.jitter,
                        (unsigned long long)(r->counts.throttles + r->counts.stops),
                        (unsigned long long)errors(r),
                        (unsigned long long)r->counts.commands, c.erpm);
        }
}
