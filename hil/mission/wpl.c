/* "QGC WPL 110": a line an item, twelve columns, item 0 is home (mavlink.io, "Mission Plain-Text File Format"; as
 * Mission Planner writes it). It holds neither fence nor rally points. */
#include "hil/mission/mission.h"
#include "hil/text/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS  12
#define LINE_MAX 1000

static const char *const column_name[COLUMNS] = {
        "index",   "current", "frame",    "command",   "param 1",  "param 2",
        "param 3", "param 4", "latitude", "longitude", "altitude", "autocontinue"
};

static bool refuse_line(struct mission_error *why, const char *file, int line,
                        const char *what)
{
        snprintf(why->text, sizeof why->text, "%s: line %d: %s", file, line, what);
        return false;
}

static bool refuse_column(struct mission_error *why, const char *file, int line,
                          int column, const char *expected, double is)
{
        snprintf(why->text, sizeof why->text, "%s: line %d: %s: must be %s, is %.10g",
                 file, line, column_name[column], expected, is);
        return false;
}

/* Columns are separated by tabs; older files have blanks. *bad: the column that is no number. */
static int split_columns(const char *line, double value[COLUMNS], const char **bad)
{
        int n = 0;

        for (;;) {
                char *end;

                line += strspn(line, " \t");
                if (*line == '\0')
                        return n;
                if (n == COLUMNS)
                        return COLUMNS + 1;
                value[n] = strtod(line, &end);
                *bad = line;
                if (end == line || (*end != '\0' && *end != ' ' && *end != '\t'))
                        return -1 - n;
                n++;
                line = end;
        }
}

static bool is_whole(double v, double most)
{
        return v >= 0.0 && v <= most && v == floor(v);
}

static bool check_columns(const double v[COLUMNS], const char *file, int line, int count,
                          struct mission_error *why)
{
        struct mission_item item = { .command =
                                             (uint16_t)fmin(fmax(v[3], 0.0), 65535.0) };
        bool flies_there = count == 0 || mission_has_place(&item);
        char expected[40];

        snprintf(expected, sizeof expected, "%d", count);
        if (v[0] != count)
                return refuse_column(why, file, line, 0, expected, v[0]);
        if (!is_whole(v[2], 255))
                return refuse_column(why, file, line, 2, "0 to 255", v[2]);
        if (!is_whole(v[3], 65535))
                return refuse_column(why, file, line, 3, "0 to 65535", v[3]);
        /* NaN: not given. */
        for (int i = 4; i < 8; i++)
                if (fabs(v[i]) > 1e9)
                        return refuse_column(why, file, line, i, "-1e9 to 1e9", v[i]);
        /* Without a place they are parameters, too. */
        if (!(fabs(v[8]) <= (flies_there ? 90.0 : 1e9)))
                return refuse_column(why, file, line, 8,
                                     flies_there ? "-90 to 90" : "-1e9 to 1e9", v[8]);
        if (!(fabs(v[9]) <= (flies_there ? 180.0 : 1e9)))
                return refuse_column(why, file, line, 9,
                                     flies_there ? "-180 to 180" : "-1e9 to 1e9", v[9]);
        if (!(fabs(v[10]) <= 1e5))
                return refuse_column(why, file, line, 10, "-100000 to 100000", v[10]);
        return true;
}

static bool take_line(struct mission_plan *p, const char *file, char *text, int line,
                      int count, struct mission_error *why)
{
        double v[COLUMNS];
        const char *bad = "";
        int n = split_columns(text, v, &bad);
        char what[120];
        struct mission_item *item;

        if (n < 0) {
                snprintf(what, sizeof what, "%s: must be a number, is \"%.*s\"",
                         column_name[-1 - n],
                         (int)fmin((double)strcspn(bad, " \t"), 40.0), bad);
                return refuse_line(why, file, line, what);
        }
        if (n != COLUMNS) {
                snprintf(what, sizeof what, "must have 12 columns, has %s%d",
                         n > COLUMNS ? "more than " : "", n > COLUMNS ? COLUMNS : n);
                return refuse_line(why, file, line, what);
        }
        if (!check_columns(v, file, line, count, why))
                return false;
        if (count == 0) {
                p->has_home = v[8] != 0.0 || v[9] != 0.0;
                p->home_lat_deg = v[8];
                p->home_lon_deg = v[9];
                p->home_altitude_m = v[10];
                return true;
        }
        item = mission_add(p, MISSION_LIST_ITEMS);
        if (item == NULL)
                return refuse_line(why, file, line, "is one item too many, at most 5000");
        item->frame = (uint8_t)v[2];
        item->command = (uint16_t)v[3];
        memcpy(item->param, v + 4, sizeof item->param);
        item->lat_deg = v[8];
        item->lon_deg = v[9];
        item->altitude_m = v[10];
        item->autocontinue = v[11] != 0.0;
        return true;
}

bool mission_read_wpl(struct mission_plan *p, const char *file, const char *text,
                      size_t len, struct mission_error *why)
{
        const char *end = text + len;
        char line[LINE_MAX];
        int number = 0, count = 0;

        while (text < end) {
                const char *stop = memchr(text, '\n', (size_t)(end - text));
                size_t n = (size_t)((stop ? stop : end) - text);

                number++;
                if (n >= sizeof line || memchr(text, '\0', n) != NULL)
                        return refuse_line(why, file, number,
                                           "must be text of fewer than 1000 bytes");
                memcpy(line, text, n);
                while (n > 0 && strchr("\r \t", line[n - 1]) != NULL)
                        n--;
                line[n] = '\0';
                text = stop ? stop + 1 : end;
                if (number == 1 && strcmp(line, "QGC WPL 110") != 0)
                        return refuse_line(why, file, 1, "must be \"QGC WPL 110\"");
                if (number == 1 || n == 0)
                        continue;
                if (!take_line(p, file, line, number, count, why))
                        return false;
                count++;
        }
        return p->list[MISSION_LIST_ITEMS].count > 0 ||
               refuse_line(why, file, number,
                           "must be followed by an item: there is none");
}

/* What is not given is 0 in this format. */
static void write_number(FILE *out, double v, char end)
{
        char text[40];

        json_format_number(text, sizeof text, isfinite(v) ? v : 0.0);
        fprintf(out, "%s%c", text, end);
}

static void write_item(FILE *out, int n, const struct mission_item *item)
{
        fprintf(out, "%d\t%d\t%d\t%d\t", n, n == 0, item->frame, item->command);
        for (int i = 0; i < 4; i++)
                write_number(out, item->param[i], '\t');
        write_number(out, item->lat_deg, '\t');
        write_number(out, item->lon_deg, '\t');
        write_number(out, item->altitude_m, '\t');
        fprintf(out, "%d\n", item->autocontinue);
}

char *mission_write_wpl(const struct mission_plan *p, struct mission_losses *losses)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS];
        struct mission_item home = { .command = MISSION_WAYPOINT, .autocontinue = true };
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);
        int yaws = 0;

        if (out == NULL)
                return NULL;
        if (p->has_home) {
                home.lat_deg = p->home_lat_deg;
                home.lon_deg = p->home_lon_deg;
                home.altitude_m = p->home_altitude_m;
        } else {
                mission_lose(losses, false, "home: is not given, item 0 is at 0, 0");
        }
        fputs("QGC WPL 110\n", out);
        write_item(out, 0, &home);
        for (int i = 0; i < items->count; i++) {
                const struct mission_item *item = &items->item[i];

                write_item(out, i + 1, item);
                yaws += item->command == MISSION_WAYPOINT && isnan(item->param[3]);
        }
        if (yaws > 0)
                mission_lose(
                        losses, false,
                        "the yaw of %d way-points, which was left to the firmware, is 0: "
                        "ArduPilot flies none of way-points, PX4 and hilp turn north",
                        yaws);
        if (p->list[MISSION_LIST_FENCE].count > 0)
                mission_lose(losses, true, "the fence (%d corners and circles)",
                             p->list[MISSION_LIST_FENCE].count);
        if (p->list[MISSION_LIST_RALLY].count > 0)
                mission_lose(losses, true, "%d rally points",
                             p->list[MISSION_LIST_RALLY].count);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}
