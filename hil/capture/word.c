/* A capture's words, as lines and as JSON. */
#include <inttypes.h>

#include "hil/capture/table.h"

static const char *const kind_name[] = {
        [MOTOR_THROTTLE] = "throttle", [MOTOR_STOP] = "stop",
        [MOTOR_COMMAND] = "command",   [MOTOR_ERPM] = "erpm",
        [MOTOR_EXTENDED] = "extended", [MOTOR_DAMAGED] = "damaged",
        [MOTOR_ODD] = "odd",
};

/* By enum motor_extended; what has a unit has its key in JSON, too. */
static const struct {
        const char *name, *unit, *key;
} extended[16] = {
        [MOTOR_TEMPERATURE] = { "temperature", "C", "temperature_c" },
        [MOTOR_VOLTAGE] = { "voltage", "V", "voltage_v" },
        [MOTOR_CURRENT] = { "current", "A", "current_a" },
        [MOTOR_DEBUG1] = { "debug1", NULL, NULL },
        [MOTOR_DEBUG2] = { "debug2", NULL, NULL },
        [MOTOR_STRESS] = { "stress", NULL, NULL },
        [MOTOR_STATUS] = { "status", NULL, NULL },
};

double capture_word_telemetry(const struct motor_word *w)
{
        return w->extended == MOTOR_VOLTAGE ? 0.25 * w->value : w->value;
}

/* "extended  temperature 62 C", "extended  status 64". */
static void print_extended(FILE *out, const struct motor_word *w)
{
        unsigned type = (unsigned)w->extended % 16U;

        if (extended[type].name == NULL)
                fprintf(out, "  type %x %u", type, w->value);
        else if (extended[type].unit == NULL)
                fprintf(out, "  %s %u", extended[type].name, w->value);
        else
                fprintf(out, "  %s %g %s", extended[type].name, capture_word_telemetry(w),
                        extended[type].unit);
}

static void print_extended_json(FILE *out, const struct motor_word *w)
{
        unsigned type = (unsigned)w->extended % 16U;

        fprintf(out, ", \"extended_type\": %u", type);
        if (extended[type].name != NULL)
                fprintf(out, ", \"extended\": \"%s\"", extended[type].name);
        if (extended[type].key != NULL)
                fprintf(out, ", \"%s\": %g", extended[type].key,
                        capture_word_telemetry(w));
}

void capture_word_print(FILE *out, const struct motor_word *w, double tick_hz)
{
        fprintf(out, "%.9f s  pad %u  %s%s  %s", (double)w->start_tick / tick_hz, w->pad,
                motor_protocol_name(w->protocol), w->inverted ? " inverted" : "",
                kind_name[w->kind]);
        if (motor_protocol_is_pulse(w->protocol))
                fprintf(out, "  %.3f us", w->width_s * 1e6);
        else if (w->kind == MOTOR_EXTENDED)
                print_extended(out, w);
        else if (w->kind == MOTOR_ERPM)
                fprintf(out, "  %.1f eRPM", w->erpm);
        else
                fprintf(out, "  %u%s  raw %04x", w->value,
                        w->telemetry ? "  telemetry" : "", w->raw);
        if (w->kind == MOTOR_THROTTLE)
                fprintf(out, "  duty %.5f", w->duty);
        fputc('\n', out);
}

/* Numbers and names of our own: nothing in it needs an escape. */
void capture_word_print_json(FILE *out, const struct motor_word *w, double tick_hz)
{
        fprintf(out,
                "{\"t_s\": %.9f, \"tick\": %" PRId64 ", \"end_tick\": %" PRId64
                ", \"pad\": %u, \"protocol\": \"%s\", \"inverted\": %s, \"kind\": \"%s\"",
                (double)w->start_tick / tick_hz, w->start_tick, w->end_tick, w->pad,
                motor_protocol_name(w->protocol), w->inverted ? "true" : "false",
                kind_name[w->kind]);
        if (motor_protocol_is_pulse(w->protocol))
                fprintf(out, ", \"width_s\": %.9f", w->width_s);
        else
                fprintf(out, ", \"value\": %u, \"raw\": %u, \"telemetry\": %s", w->value,
                        w->raw, w->telemetry ? "true" : "false");
        if (w->kind == MOTOR_THROTTLE)
                fprintf(out, ", \"duty\": %.6f", w->duty);
        if (w->kind == MOTOR_ERPM)
                fprintf(out, ", \"erpm\": %.3f", w->erpm);
        if (w->kind == MOTOR_EXTENDED)
                print_extended_json(out, w);
        fputs("}\n", out);
}
