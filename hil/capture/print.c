/* A capture as a table that fits its terminal, or as lines. What fits is capture_page.c's business. */
#include <stdio.h>
#include <string.h>

#include "hil/capture/page.h"
#include "hil/capture/table.h"

/* In the order in which they stand. */
enum {
        PAD,
        PROTOCOL,
        RATE,
        VALUE,
        DUTY,
        JITTER,
        FRAMES,
        ERRORS,
        COMMANDS,
        ERPM,
        TEMPERATURE,
        VOLTAGE,
        CURRENT,
        COLUMNS
};

static const struct {
        const char *head, *narrow_head;
        int wide, narrow; /* negative: to the left */
        int rank; /* where there is no room the one of the highest rank is left out first; 0: never */
} columns[COLUMNS] = {
        [PAD] = { "pad", "pad", -15, -6, 0 },
        [PROTOCOL] = { "protocol", "protocol", -20, -15, 0 },
        [RATE] = { "rate Hz", "rate Hz", 9, 8, 1 },
        [VALUE] = { "value", "value", 12, 12, 0 },
        [DUTY] = { "duty", "duty", 7, 7, 3 },
        [JITTER] = { "jitter us", "jit us", 9, 7, 5 },
        [FRAMES] = { "frames", "frames", 10, 8, 2 },
        [ERRORS] = { "errors", "errors", 7, 6, 1 },
        [COMMANDS] = { "commands", "commands", 8, 8, 6 },
        [ERPM] = { "eRPM", "eRPM", 9, 7, 4 },
        [TEMPERATURE] = { "C", "C", 4, 4, 7 },
        [VOLTAGE] = { "V", "V", 6, 6, 8 },
        [CURRENT] = { "A", "A", 4, 4, 9 },
};

struct layout {
        bool narrow, has[COLUMNS];
};

static int width_of(const struct layout *l, int column)
{
        int width = l->narrow ? columns[column].narrow : columns[column].wide;

        return width < 0 ? -width : width;
}

static int line_width(const struct layout *l)
{
        int sum = -1;

        for (int i = 0; i < COLUMNS; i++)
                sum += l->has[i] ? width_of(l, i) + 1 : 0;
        return sum;
}

/* Of columns from TEMPERATURE on. */
static enum motor_extended telemetry_of(int column)
{
        static const enum motor_extended kind[] = { MOTOR_TEMPERATURE, MOTOR_VOLTAGE,
                                                    MOTOR_CURRENT };

        return kind[column - TEMPERATURE];
}

static bool has_telemetry(const struct capture_row *r, int column)
{
        return (r->has_telemetry & 1U << telemetry_of(column)) != 0;
}

/* What no pad has is left out, then what there is no room for. */
static struct layout lay_out(const struct capture_table *t, int room)
{
        struct layout l = { .narrow = false };

        for (int i = 0; i < COLUMNS; i++)
                l.has[i] = i < ERPM;
        for (int i = 0; i < t->rows; i++) {
                l.has[ERPM] |= t->row[i].has_erpm;
                for (int column = TEMPERATURE; column <= CURRENT; column++)
                        l.has[column] |= has_telemetry(&t->row[i], column);
        }
        if (room == 0 || line_width(&l) <= room)
                return l;
        l.narrow = true;
        while (line_width(&l) > room) {
                int last = 0;

                for (int i = 0; i < COLUMNS; i++)
                        if (l.has[i] && columns[i].rank > columns[last].rank)
                                last = i;
                if (columns[last].rank == 0)
                        break;
                l.has[last] = false;
        }
        return l;
}

static void put_cell(char line[CAPTURE_PAGE_LINE], const struct layout *l, int column,
                     const char *text)
{
        int width = width_of(l, column), used;
        bool left = columns[column].wide < 0;
        size_t n = left ? capture_page_fitting(text, width, &used)
                        : capture_page_fitting(text, CAPTURE_PAGE_LINE, &used);
        int blank = used < width ? width - used : 0;
        size_t len = strlen(line);

        snprintf(line + len, CAPTURE_PAGE_LINE - len, "%s%*s%.*s%*s", len > 0 ? " " : "",
                 left ? 0 : blank, "", (int)n, text, left ? blank : 0, "");
}

/* "1046" of DShot, "1500.25 us" of a pulse; in brackets what is of the past. */
static void print_value(const struct capture_row *r, char *text, size_t cap)
{
        bool old = r->silent || r->protocol == MOTOR_UNKNOWN;

        if (!r->has_throttle)
                snprintf(text, cap, "-");
        else if (!motor_protocol_is_pulse(r->throttle.protocol))
                snprintf(text, cap, old ? "(%u)" : "%u", r->throttle.value);
        else
                snprintf(text, cap, old ? "(%.2f us)" : "%.2f us",
                         r->throttle.width_s * 1e6);
}

static void print_duty(const struct capture_row *r, char *text, size_t cap)
{
        if (!r->has_throttle || r->silent || r->protocol == MOTOR_UNKNOWN)
                snprintf(text, cap, "-");
        else if (r->throttle.kind == MOTOR_STOP)
                snprintf(text, cap, "stop");
        else
                snprintf(text, cap, "%.4f", r->throttle.duty);
}

static void print_protocol(const struct capture_row *r, enum motor_protocol asked,
                           bool narrow, char *text, size_t cap)
{
        if (r->protocol != MOTOR_UNKNOWN)
                snprintf(text, cap, "%s%s", motor_protocol_name(r->protocol),
                         !r->inverted ? ""
                         : narrow     ? " inv"
                                      : " inverted");
        else if (r->counts.recognitions > 0 && r->was != MOTOR_UNKNOWN)
                snprintf(text, cap, "was %s", motor_protocol_name(r->was));
        else if (capture_row_rests(r))
                snprintf(text, cap, "no edges");
        else if (asked == MOTOR_UNKNOWN)
                snprintf(text, cap, "not recognised");
        else
                snprintf(text, cap, "not %s", motor_protocol_name(asked));
}

static uint64_t errors(const struct capture_row *r)
{
        return r->counts.damaged + r->counts.odd + r->counts.telemetry_damaged;
}

struct cells {
        char text[COLUMNS][48];
};

static void print_count(char text[48], uint64_t count)
{
        snprintf(text, 48, "%llu", (unsigned long long)count);
}

static void fill(const struct capture_row *r, enum motor_protocol asked, bool narrow,
                 struct cells *c)
{
        snprintf(c->text[PAD], sizeof c->text[PAD], r->name[0] != '\0' ? "%u %s" : "%u",
                 r->pad, r->name);
        print_protocol(r, asked, narrow, c->text[PROTOCOL], sizeof c->text[PROTOCOL]);
        snprintf(c->text[RATE], sizeof c->text[RATE], r->rate_hz > 0.0 ? "%.1f" : "-",
                 r->rate_hz);
        print_value(r, c->text[VALUE], sizeof c->text[VALUE]);
        print_duty(r, c->text[DUTY], sizeof c->text[DUTY]);
        snprintf(c->text[JITTER], sizeof c->text[JITTER], r->rate_hz > 0.0 ? "%.2f" : "-",
                 r->jitter_s * 1e6);
        print_count(c->text[FRAMES], r->counts.throttles + r->counts.stops);
        print_count(c->text[ERRORS], errors(r));
        print_count(c->text[COMMANDS], r->counts.commands);
        snprintf(c->text[ERPM], sizeof c->text[ERPM], r->has_erpm ? "%.0f" : "-",
                 r->erpm.erpm);
        for (int i = TEMPERATURE; i <= CURRENT; i++)
                snprintf(c->text[i], sizeof c->text[i],
                         !has_telemetry(r, i) ? "-"
                         : i == VOLTAGE       ? "%.2f"
                                              : "%.0f",
                         r->telemetry[telemetry_of(i)]);
}

/* "  temperature 62 C  voltage 15.25 V", in a line of a log. */
static void print_telemetry(const struct capture_row *r, const struct cells *c,
                            char text[120])
{
        static const char *const name[] = { "  temperature %s C", "  voltage %s V",
                                            "  current %s A" };
        size_t used = 0;

        text[0] = '\0';
        for (int i = TEMPERATURE; i <= CURRENT; i++)
                if (has_telemetry(r, i))
                        used += (size_t)snprintf(text + used, 120 - used,
                                                 name[i - TEMPERATURE], c->text[i]);
}

static void put_cells(struct capture_page *page, const struct layout *l,
                      const struct cells *c)
{
        char line[CAPTURE_PAGE_LINE] = "";

        for (int i = 0; i < COLUMNS; i++)
                if (l->has[i])
                        put_cell(line, l, i, c->text[i]);
        capture_page_line(page, line);
}

/* Source, rate, time, gaps: the source has what the others leave. */
static void put_title(struct capture_page *page, const struct capture_table *t)
{
        int room = capture_page_room(page->view), used, most = 60;
        char figures[120], line[CAPTURE_PAGE_LINE];
        size_t n;

        n = (size_t)snprintf(figures, sizeof figures, "  %.3f MHz  %.2f s  gaps %llu",
                             t->tick_hz * 1e-6, t->time_s, (unsigned long long)t->gaps);
        if (room > 0 && room - (int)n < most)
                most = room - (int)n > 0 ? room - (int)n : 0;
        snprintf(line, sizeof line, "%.*s%s",
                 (int)capture_page_fitting(t->source, most, &used), t->source, figures);
        capture_page_line(page, line);
}

static void put_head(struct capture_page *page, const struct layout *l)
{
        struct cells c;

        for (int i = 0; i < COLUMNS; i++)
                snprintf(c.text[i], sizeof c.text[i], "%s",
                         l->narrow ? columns[i].narrow_head : columns[i].head);
        put_cells(page, l, &c);
}

static const char *device_word(const struct capture_table *t)
{
        return t->board ? "capture board" : "analyzer";
}

static void put_notes(struct capture_page *page, const struct capture_table *t)
{
        char note[300], line[CAPTURE_PAGE_LINE];

        if (capture_table_device_note(t, note, sizeof note)) {
                snprintf(line, sizeof line, "%s: %s", device_word(t), note);
                capture_page_words(page, line);
        }
        for (int i = 0; i < t->rows; i++)
                if (capture_table_note(t, &t->row[i], note, sizeof note)) {
                        snprintf(line, sizeof line, "pad %u: %s", t->row[i].pad, note);
                        capture_page_words(page, line);
                }
}

int capture_table_print(FILE *out, const struct capture_table *t,
                        const struct capture_view *view)
{
        struct capture_page page = { .out = out, .view = view };
        struct layout l = lay_out(t, capture_page_room(view));

        put_title(&page, t);
        put_head(&page, &l);
        for (int i = 0; i < t->rows; i++) {
                struct cells c;

                fill(&t->row[i], t->asked, l.narrow, &c);
                put_cells(&page, &l, &c);
        }
        put_notes(&page, t);
        if (view->clear)
                fputs("\x1b[J", out);
        return page.lines;
}

void capture_table_print_lines(FILE *out, const struct capture_table *t)
{
        char device[300];

        if (capture_table_device_note(t, device, sizeof device))
                fprintf(out, "%.2f s  %s: %s\n", t->time_s, device_word(t), device);
        for (int i = 0; i < t->rows; i++) {
                const struct capture_row *r = &t->row[i];
                struct cells c;
                char note[300] = "", telemetry[120];

                fill(r, t->asked, false, &c);
                print_telemetry(r, &c, telemetry);
                capture_table_note(t, r, note, sizeof note);
                fprintf(out,
                        "%.2f s  pad %s  %s  %s Hz  value %s  duty %s  jitter %s us  "
                        "frames %s  errors %s  commands %s  eRPM %s%s%s%s\n",
                        t->time_s, c.text[PAD], c.text[PROTOCOL], c.text[RATE],
                        c.text[VALUE], c.text[DUTY], c.text[JITTER], c.text[FRAMES],
                        c.text[ERRORS], c.text[COMMANDS], c.text[ERPM], telemetry,
                        note[0] != '\0' ? "  " : "", note);
        }
}
