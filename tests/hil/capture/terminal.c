/* The live table on terminals of several sizes: a pseudo-terminal's line discipline, and behind it a screen
 * that moves its cursor, wraps and scrolls as terminals do. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "hil/capture/live.h"

#include "tests/suites.h"

#define MOST 200

struct screen {
        int columns, rows, x, y;
        int scrolled; /* lines that left at the top */
        int frames; /* tables that were finished */
        char cell[MOST][MOST + 1];
        char sequence[16]; /* an escape sequence, as far as it has come */
};

static struct capture_table table;

static void resize(struct screen *s, int columns, int rows)
{
        s->columns = columns;
        s->rows = rows;
        s->y = s->y < rows ? s->y : rows - 1;
        s->x = s->x < columns ? s->x : columns;
}

static void blank(struct screen *s, int y, int from)
{
        memset(s->cell[y] + from, ' ', (size_t)(MOST - from));
}

static void clear(struct screen *s)
{
        for (int y = 0; y < MOST; y++)
                blank(s, y, 0);
}

static void line_feed(struct screen *s)
{
        if (s->y < s->rows - 1) {
                s->y++;
                return;
        }
        memmove(s->cell[0], s->cell[1], sizeof s->cell[0] * (MOST - 1));
        blank(s, MOST - 1, 0);
        s->scrolled++;
}

/* What stands in the last column waits for the next character to wrap; a cleared line clears it. */
static void act(struct screen *s, char final)
{
        int n = atoi(s->sequence + 2);
        int x = s->x < s->columns ? s->x : s->columns - 1;

        if (final == 'A')
                s->y = s->y > (n > 0 ? n : 1) ? s->y - (n > 0 ? n : 1) : 0;
        else if (final == 'H')
                s->x = s->y = 0;
        else
                blank(s, s->y, x);
        if (final != 'J')
                return;
        for (int y = s->y + 1; y < MOST; y++)
                blank(s, y, 0);
        s->frames++;
}

static void show(struct screen *s, char c)
{
        size_t len = strlen(s->sequence);

        if (len > 0) {
                s->sequence[len] = c;
                if (len >= 2 && c >= '@') {
                        ck_assert_msg(strchr("AHJK", c) != NULL, "sequence %c", c);
                        act(s, c);
                        memset(s->sequence, 0, sizeof s->sequence);
                }
        } else if (c == '\x1b') {
                s->sequence[0] = c;
        } else if (c == '\r') {
                s->x = 0;
        } else if (c == '\n') {
                line_feed(s);
        } else {
                if (s->x == s->columns) {
                        s->x = 0;
                        line_feed(s);
                }
                s->cell[s->y][s->x++] = c;
        }
}

static const char *line_of(struct screen *s, int y)
{
        static char text[MOST + 1];
        int n = s->columns;

        while (n > 0 && s->cell[y][n - 1] == ' ')
                n--;
        snprintf(text, sizeof text, "%.*s", n, s->cell[y]);
        return text;
}

/* On to so many frames more: a blocking read, however long they take. */
static void watch(struct screen *s, int master, int more)
{
        int until = s->frames + more;
        char c;

        while (s->frames < until) {
                ck_assert_int_eq(read(master, &c, 1), 1);
                show(s, c);
        }
}

static void set_size(int master, int columns, int rows)
{
        const struct winsize size = { .ws_col = (unsigned short)columns,
                                      .ws_row = (unsigned short)rows };

        ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
}

static FILE *open_terminal(int *master, int columns, int rows)
{
        FILE *out;

        *master = posix_openpt(O_RDWR | O_NOCTTY);
        ck_assert(*master >= 0 && grantpt(*master) == 0 && unlockpt(*master) == 0);
        out = fopen(ptsname(*master), "w");
        ck_assert_ptr_nonnull(out);
        set_size(*master, columns, rows);
        return out;
}

static void fill_table(int rows)
{
        table = (struct capture_table){ .source = "capture board fake on pty:/run/board",
                                        .tick_hz = 84e6,
                                        .time_s = 12.5,
                                        .rows = rows };
        for (int i = 0; i < rows; i++)
                table.row[i] = (struct capture_row){
                        .pad = (uint8_t)i,
                        .name = "motor pad",
                        .protocol = MOTOR_DSHOT1200,
                        .inverted = true,
                        .rate_hz = 32000.0,
                        .has_throttle = true,
                        .throttle = { .protocol = MOTOR_DSHOT1200,
                                      .kind = MOTOR_THROTTLE,
                                      .value = 1046,
                                      .duty = 0.499 },
                        .counts = { .edges = 10000000,
                                    .recognitions = 1,
                                    .throttles = 9999999 },
                };
        table.row[0].silent = true;
        table.row[0].age_s = 4.0;
        table.row[0].heard = true;
        table.row[0].was_rate_hz = 32000.0;
}

/* Some frames; then the size changes; what stands there in the end is the last table alone. */
static struct screen *draw(int columns, int rows, int columns_then, int rows_then)
{
        static struct screen s;
        struct capture_live *l;
        int master;
        FILE *out = open_terminal(&master, columns, rows);

        s = (struct screen){ 0 };
        clear(&s);
        resize(&s, columns, rows);
        s.y = rows - 1; /* as behind a shell's prompt */
        l = capture_live_start(out, CAPTURE_LIVE_TABLE);
        while (!capture_live_set(l, &table))
                continue;
        watch(&s, master, 1);
        s.scrolled = 0;
        watch(&s, master, 2);
        if (columns_then > 0) {
                set_size(master, columns_then, rows_then);
                resize(&s, columns_then, rows_then);
                /* One may have been on its way. */
                watch(&s, master, 2);
                s.scrolled = 0;
                watch(&s, master, 2);
        }
        capture_live_stop(l);
        fclose(out);
        close(master);
        return &s;
}

/* Lines that are not empty, from the top; each begins what it should. */
static void expect_one_table(struct screen *s, int pads)
{
        int top = 0, titles = 0, heads = 0, rows = 0;

        ck_assert_int_eq(s->scrolled, 0);
        while (top < s->rows && line_of(s, top)[0] == '\0')
                top++;
        for (int y = top; y < s->rows; y++) {
                const char *text = line_of(s, y);

                titles += strncmp(text, "capture", 7) == 0;
                heads += strncmp(text, "pad ", 4) == 0 && strstr(text, "value") != NULL;
                rows += text[0] >= '0' && text[0] < '8';
        }
        ck_assert_int_eq(titles, 1);
        ck_assert_int_eq(heads, 1);
        ck_assert_int_eq(rows, pads);
        ck_assert_ptr_nonnull(strstr(line_of(s, top), "84.000 MHz  12.50 s  gaps 0"));
}

TEST(at_80_columns_a_row_is_a_line_and_says_what_counts)
{
        struct screen *s;
        int y = 0;

        fill_table(4);
        s = draw(80, 24, 0, 0);
        expect_one_table(s, 4);
        while (strncmp(line_of(s, y), "1 ", 2) != 0)
                y++;
        ck_assert_str_eq(line_of(s, y), "1 moto DSHOT1200 inv    32000.0         1046  "
                                        "0.4990    0.00  9999999      0");
        ck_assert_str_eq(line_of(s, y + 3),
                         "pad 0: silent for 4.00 s; spoke at 32000.0 Hz until 0.00 s");
}

TEST(at_80_columns_speed_takes_the_place_of_jitter)
{
        struct screen *s;
        int y = 0;

        fill_table(4);
        table.row[2].has_erpm = true;
        table.row[2].erpm.erpm = 78947;
        s = draw(80, 24, 0, 0);
        expect_one_table(s, 4);
        while (strncmp(line_of(s, y), "pad ", 4) != 0)
                y++;
        ck_assert_ptr_nonnull(strstr(line_of(s, y), "   eRPM"));
        ck_assert_ptr_null(strstr(line_of(s, y), "jit us"));
        ck_assert_ptr_nonnull(strstr(line_of(s, y + 3), "  78947"));
}

TEST(at_130_columns_nothing_is_left_out)
{
        struct screen *s;
        int y = 0;

        fill_table(8);
        table.row[2].has_erpm = true;
        s = draw(130, 40, 0, 0);
        expect_one_table(s, 8);
        while (strncmp(line_of(s, y), "pad ", 4) != 0)
                y++;
        ck_assert_str_eq(
                line_of(s, y),
                "pad             protocol               rate Hz        value    duty "
                "jitter us     frames  errors commands      eRPM");
}

TEST(a_narrow_terminal_still_has_a_line_for_each)
{
        fill_table(8);
        ck_assert_int_eq(draw(30, 24, 0, 0)->scrolled, 0);
        ck_assert_int_eq(draw(3, 24, 0, 0)->scrolled, 0);
}

TEST(a_low_terminal_shows_what_fits)
{
        fill_table(8);
        for (int i = 1; i < 8; i++) {
                table.row[i].protocol = MOTOR_UNKNOWN;
                table.row[i].was = MOTOR_DSHOT1200;
        }
        expect_one_table(draw(80, 14, 0, 0), 8);
        ck_assert_int_eq(draw(80, 4, 0, 0)->scrolled, 0);
        ck_assert_int_eq(draw(80, 1, 0, 0)->scrolled, 0);
}

TEST(a_terminal_that_changes_its_size_is_followed)
{
        fill_table(8);
        expect_one_table(draw(130, 40, 80, 24), 8);
        expect_one_table(draw(80, 24, 130, 40), 8);
        expect_one_table(draw(130, 40, 80, 12), 8);
}

TEST(long_notes_are_broken_between_words)
{
        struct screen *s;
        int y = 0;

        fill_table(1);
        table.asked = MOTOR_PWM;
        table.row[0].silent = false;
        table.row[0].protocol = MOTOR_UNKNOWN;
        table.row[0].counts.recognitions = 0;
        table.row[0].looks_like = MOTOR_DSHOT1200;
        table.row[0].looks_inverted = true;
        table.row[0].looks_rate_hz = 32000;
        s = draw(60, 24, 0, 0);
        while (strncmp(line_of(s, y), "pad 0:", 6) != 0)
                y++;
        ck_assert_str_eq(line_of(s, y),
                         "pad 0: no PWM in 10000000 edges; looks like DSHOT1200");
        ck_assert_str_eq(line_of(s, y + 1), "  inverted at 32000.0 Hz");
}

TEST(names_beyond_ascii_are_cut_between_characters)
{
        struct screen *s;
        int y = 0;

        fill_table(1);
        snprintf(table.row[0].name, sizeof table.row[0].name,
                 "M\xc3\xb6t\xc3\xb6r\xc3\xb6s");
        s = draw(80, 24, 0, 0);
        while (strncmp(line_of(s, y), "0 ", 2) != 0)
                y++;
        /* The screen here counts bytes: two more than columns. */
        ck_assert_int_eq(strncmp(line_of(s, y), "0 M\xc3\xb6t\xc3\xb6 DSHOT1200", 18), 0);
}
