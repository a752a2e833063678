/* A table of text with a header as a log of a flight: columns are named with their units; names that PX4's ulog2csv
 * and Betaflight's blackbox_decode give are known where they say their unit. Other columns are not read. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/csv_column.h"
#include "io/log/flight_reader.h"

#define COLUMNS_MAX 512
#define CELL_MAX    64
#define LINE_MAX    16384

struct flight_csv {
        struct flight_log log;
        size_t at; /* of the next row */
        long line;
        char separator;
        int columns;
        struct {
                int part; /* -1: not read */
                double scale;
        } column[COLUMNS_MAX];
        char name[CSV_PARTS][CELL_MAX]; /* of the column that says it; "": none does */
        double value[CSV_PARTS];
        bool given[CSV_PARTS];
        double last_s;
        bool sensors; /* as struct flight_open says */
        char wrong[200]; /* with the row read last */
};

static struct csv_text trimmed(const char *at, size_t len)
{
        while (len > 0 && isspace((unsigned char)at[0])) {
                at++;
                len--;
        }
        while (len > 0 && isspace((unsigned char)at[len - 1]))
                len--;
        if (len > 1 && at[0] == '"' && at[len - 1] == '"') {
                at++;
                len -= 2;
        }
        return (struct csv_text){ at, len };
}

/* The next line; false: the file is over. */
static bool take_line(struct flight_csv *f, struct csv_text *line)
{
        const char *at = (const char *)f->log.bytes + f->at, *end;
        size_t left = f->log.len - f->at;

        if (left == 0)
                return false;
        end = memchr(at, '\n', left);
        line->at = at;
        line->len = end != NULL ? (size_t)(end - at) : left;
        f->at += line->len + (end != NULL);
        f->line++;
        return true;
}

/* The next cell off the front of the line; false: nothing is left. */
static bool take_cell(struct csv_text *line, char separator, struct csv_text *cell)
{
        const char *end;
        size_t len;

        if (line->at == NULL)
                return false;
        end = memchr(line->at, separator, line->len);
        len = end != NULL ? (size_t)(end - line->at) : line->len;
        *cell = trimmed(line->at, len);
        line->at = end != NULL ? end + 1 : NULL;
        line->len -= len + (end != NULL);
        return true;
}

static bool refuse_row(struct flight_csv *f, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

static bool refuse_row(struct flight_csv *f, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        vsnprintf(f->wrong, sizeof f->wrong, format, args);
        va_end(args);
        return false;
}

static bool take_column(struct flight_csv *f, struct csv_text name)
{
        int i = f->columns;

        if (i == COLUMNS_MAX)
                return refuse_row(f, "line 1: has more than %d columns", COLUMNS_MAX);
        f->column[i].part = csv_find_part(name, &f->column[i].scale);
        f->columns++;
        if (f->column[i].part < 0)
                return true;
        if (f->name[f->column[i].part][0] != '\0')
                return refuse_row(f, "line 1: %.*s and %s say the same", (int)name.len,
                                  name.at, f->name[f->column[i].part]);
        snprintf(f->name[f->column[i].part], CELL_MAX, "%.*s", (int)name.len, name.at);
        return true;
}

static bool is_said(const struct flight_csv *f, int part)
{
        return f->name[part][0] != '\0';
}

/* Parts of a group that the header names, of so many. */
static int count_said(const struct flight_csv *f, int first, int count)
{
        int said = 0;

        for (int i = 0; i < count; i++)
                said += is_said(f, first + i);
        return said;
}

static bool check_groups(struct flight_csv *f)
{
        static const struct {
                enum csv_part first;
                int count;
                const char *what;
        } group[] = { { CSV_NORTH, 3, "north_m, east_m and down_m" },
                      { CSV_VEL_NORTH, 3,
                        "vel_north_mps, vel_east_mps and vel_down_mps" },
                      { CSV_QW, 4, "qw, qx, qy and qz" },
                      { CSV_ROLL, 3, "roll_deg, pitch_deg and yaw_deg" },
                      { CSV_P, 3, "p_radps, q_radps and r_radps" },
                      { CSV_AX, 3, "ax_mps2, ay_mps2 and az_mps2" },
                      { CSV_LAT, 3, "gps_lat_deg, gps_lon_deg and gps_height_m" },
                      { CSV_FIX_VEL_NORTH, 3,
                        "gps_vel_north_mps, gps_vel_east_mps and gps_vel_down_mps" } };

        if (!is_said(f, CSV_TIME))
                return refuse_row(f, "line 1: must name a column t_s (or time_us)");
        for (size_t i = 0; i < sizeof group / sizeof group[0]; i++) {
                int said = count_said(f, (int)group[i].first, group[i].count);

                if (said > 0 && said < group[i].count)
                        return refuse_row(f, "line 1: must name all of %s, or none",
                                          group[i].what);
        }
        for (int i = 1; i < ROTORS_MAX; i++)
                if (is_said(f, CSV_MOTOR + i) && !is_said(f, CSV_MOTOR + i - 1))
                        return refuse_row(f, "line 1: motor_%d must have motor_%d too", i,
                                          i - 1);
        if (count_said(f, CSV_NORTH, CSV_PARTS - CSV_NORTH) == 0)
                return refuse_row(
                        f, "line 1: names no column of a flight, as north_m, roll_deg, "
                           "p_radps, ax_mps2 or motor_0");
        return true;
}

static bool read_header(struct flight_csv *f)
{
        struct csv_text line, cell;

        if (!take_line(f, &line) || line.len > LINE_MAX)
                return refuse_row(f, "line 1: must be a header of at most %d characters",
                                  LINE_MAX);
        f->separator = ',';
        if (memchr(line.at, ',', line.len) == NULL)
                f->separator = memchr(line.at, ';', line.len) != NULL ? ';' : '\t';
        while (take_cell(&line, f->separator, &cell))
                if (!take_column(f, cell))
                        return false;
        return check_groups(f);
}

/* An empty cell and "nan" say nothing. */
static bool take_value(struct flight_csv *f, int column, struct csv_text cell)
{
        int part = f->column[column].part;
        char text[CELL_MAX], *end;
        double value;

        if (part < 0 || cell.len == 0)
                return true;
        snprintf(text, sizeof text, "%.*s",
                 cell.len < CELL_MAX ? (int)cell.len : CELL_MAX, cell.at);
        value = strtod(text, &end);
        if (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0)
                value = text[0] == 't' || text[0] == 'T';
        else if (cell.len >= CELL_MAX || end == text || *end != '\0' || isinf(value))
                return refuse_row(f, "line %ld, column %s: must be a number, is \"%s\"",
                                  f->line, f->name[part], text);
        f->given[part] = !isnan(value);
        f->value[part] = value * f->column[column].scale;
        return true;
}

/* 1: a row was read; 0: the file is over; -1: something is wrong with it. */
static int read_row(struct flight_csv *f)
{
        struct csv_text line, cell;
        int n = 0;

        do {
                if (!take_line(f, &line))
                        return 0;
        } while (trimmed(line.at, line.len).len == 0);
        memset(f->given, 0, sizeof f->given);
        for (; take_cell(&line, f->separator, &cell); n++)
                if (n < f->columns && !take_value(f, n, cell))
                        return -1;
        if (n != f->columns) {
                refuse_row(f, "line %ld: must have %d columns as the header has, has %d",
                           f->line, f->columns, n);
                return -1;
        }
        if (f->given[CSV_TIME] && f->value[CSV_TIME] >= f->last_s &&
            f->value[CSV_TIME] <= 1e9) {
                f->last_s = f->value[CSV_TIME];
                return 1;
        }
        refuse_row(f,
                   "line %ld, column %s: must be a time from the row before on, at most "
                   "1e9 s",
                   f->line, f->name[CSV_TIME]);
        return -1;
}

/* Behind the header, for the rows. */
static void rewind_rows(struct flight_csv *f)
{
        struct csv_text line;

        f->at = 0;
        f->line = 0;
        f->last_s = 0.0;
        take_line(f, &line);
}

static struct flight_log *open_csv(const struct flight_open *of)
{
        struct flight_csv *f;
        bool ok;
        int row = 1;

        if (of->number > 1)
                return flight_log_refuse(of, "holds one log: there is no #%d",
                                         of->number);
        f = flight_log_new(of, sizeof *f, &flight_csv_reader);
        if (f == NULL)
                return NULL;
        f->sensors = of->sensors;
        ok = read_header(f);
        while (ok && row > 0)
                row = read_row(f);
        if (!ok || row < 0) {
                flight_log_refuse(of, "%s", f->wrong);
                free(f);
                return NULL;
        }
        rewind_rows(f);
        return &f->log;
}

static bool are_given(const struct flight_csv *f, int first, int count)
{
        for (int i = 0; i < count; i++)
                if (!f->given[first + i])
                        return false;
        return true;
}

static struct vec3 vector(const struct flight_csv *f, int first)
{
        return (struct vec3){ f->value[first], f->value[first + 1], f->value[first + 2] };
}

static void read_motion(const struct flight_csv *f, struct flight_log_sample *s)
{
        const double *v = f->value;

        if (are_given(f, CSV_NORTH, 3)) {
                s->has |= FLIGHT_LOG_POSITION;
                s->pos_ned_m = vector(f, CSV_NORTH);
        }
        if (are_given(f, CSV_VEL_NORTH, 3)) {
                s->has |= FLIGHT_LOG_VELOCITY;
                s->vel_ned_mps = vector(f, CSV_VEL_NORTH);
        }
        if (are_given(f, CSV_QW, 4)) {
                s->has |= FLIGHT_LOG_ATTITUDE;
                s->q_body_to_ned =
                        (struct quat){ v[CSV_QW], v[CSV_QX], v[CSV_QY], v[CSV_QZ] };
        } else if (are_given(f, CSV_ROLL, 3)) {
                s->has |= FLIGHT_LOG_ATTITUDE;
                s->q_body_to_ned = quat_from_euler(v[CSV_ROLL], v[CSV_PITCH], v[CSV_YAW]);
        }
        if (are_given(f, CSV_P, 3)) {
                s->has |= FLIGHT_LOG_RATE;
                s->rate_body_radps = vector(f, CSV_P);
        }
        if (are_given(f, CSV_AX, 3)) {
                s->has |= FLIGHT_LOG_ACCEL;
                s->accel_body_mps2 = vector(f, CSV_AX);
        }
}

static void read_rest(const struct flight_csv *f, struct flight_log_sample *s)
{
        s->voltage_v = f->given[CSV_VOLTAGE] ? f->value[CSV_VOLTAGE] : 0.0;
        s->current_a = f->given[CSV_CURRENT] ? f->value[CSV_CURRENT] : 0.0;
        s->armed = f->given[CSV_ARMED] && f->value[CSV_ARMED] != 0.0;
        s->has |= (f->given[CSV_VOLTAGE] ? (uint32_t)FLIGHT_LOG_VOLTAGE : 0) |
                  (f->given[CSV_CURRENT] ? (uint32_t)FLIGHT_LOG_CURRENT : 0) |
                  (f->given[CSV_ARMED] ? (uint32_t)FLIGHT_LOG_ARMED : 0);
        for (; s->motors < ROTORS_MAX && f->given[CSV_MOTOR + s->motors]; s->motors++)
                s->motor_ratio[s->motors] = f->value[CSV_MOTOR + s->motors];
        s->has |= s->motors > 0 ? (uint32_t)FLIGHT_LOG_MOTORS : 0;
        for (int i = 0; i < RC_CHANNELS_MAX; i++) {
                double us = f->given[CSV_RC + i] ? f->value[CSV_RC + i] : 0.0;

                s->rc_us[i] = us > 0.0 && us < 65536.0 ? (uint16_t)us : 0;
                s->has |= f->given[CSV_RC + i] ? (uint32_t)FLIGHT_LOG_RC : 0;
        }
}

static void read_sensors(const struct flight_csv *f, struct flight_log_sample *s)
{
        if (f->given[CSV_PRESSURE]) {
                s->has |= FLIGHT_LOG_PRESSURE;
                s->pressure_pa = f->value[CSV_PRESSURE];
        }
        if (are_given(f, CSV_LAT, 3)) {
                s->has |= FLIGHT_LOG_FIX;
                s->fix_lat_deg = f->value[CSV_LAT];
                s->fix_lon_deg = f->value[CSV_LON];
                s->fix_height_m = f->value[CSV_HEIGHT];
        }
        if (are_given(f, CSV_FIX_VEL_NORTH, 3)) {
                s->has |= FLIGHT_LOG_FIX_VELOCITY;
                s->fix_vel_ned_mps = vector(f, CSV_FIX_VEL_NORTH);
        }
}

static void read_stand(const struct flight_csv *f, struct flight_log_sample *s)
{
        static const struct {
                enum csv_part part;
                enum flight_log_has has;
                size_t at;
        } of[] = { { CSV_THRUST, FLIGHT_LOG_THRUST,
                     offsetof(struct flight_log_sample, thrust_n) },
                   { CSV_TORQUE, FLIGHT_LOG_TORQUE,
                     offsetof(struct flight_log_sample, torque_nm) },
                   { CSV_SPEED, FLIGHT_LOG_SPEED,
                     offsetof(struct flight_log_sample, speed_radps) } };

        for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
                if (f->given[of[i].part]) {
                        s->has |= (uint32_t)of[i].has;
                        memcpy((char *)s + of[i].at, &f->value[of[i].part],
                               sizeof(double));
                }
}

static bool next_csv(struct flight_log *log, struct flight_log_sample *s)
{
        struct flight_csv *f = (struct flight_csv *)log;

        do {
                if (read_row(f) <= 0)
                        return false;
                *s = (struct flight_log_sample){ .t_ns = llround(f->value[CSV_TIME] *
                                                                 1e9) };
                read_motion(f, s);
                read_rest(f, s);
                if (f->sensors) {
                        read_sensors(f, s);
                        read_stand(f, s);
                }
        } while (s->has == 0);
        return true;
}

const struct flight_reader flight_csv_reader = {
        .format = "CSV",
        .open = open_csv,
        .next = next_csv,
};
