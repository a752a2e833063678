/* Two passes over the log: the first counts what each table will get, so that the second
 * can thin it on the way. */
#include "hil/record/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"

/* Numbers in the page, of about 8 bytes each; half of them for the moments. */
#define NUMBERS_MAX       800000u
#define FLEET_NUMBERS_MAX 600000u
#define FLEET_LEAST       5
#define ROWS_MAX          4000
#define ROWS_MIN          200
/* Of a fleet in which not every vehicle can be whole, for those that are not. */
#define FEW_NUMBERS_MAX (FLEET_NUMBERS_MAX / 2)

static const struct {
        const char *name;
        int columns;
} tables[REPORT_SONAR + 1] = {
        [REPORT_TICK] = { "tick", 4 },
        [REPORT_DUTY] = { "duty", 8 },
        [REPORT_ROTORS] = { "rotors", 8 },
        [REPORT_AROUND] = { "around", 6 },
        [REPORT_ATTITUDE_TRUTH] = { "attitude_truth", 3 },
        [REPORT_ATTITUDE] = { "attitude", 3 },
        [REPORT_POSITION_TRUTH] = { "position_truth", 3 },
        [REPORT_VELOCITY_TRUTH] = { "velocity_truth", 3 },
        [REPORT_POSITION] = { "position", 6 },
        [REPORT_SETPOINT] = { "setpoint", 4 },
        [REPORT_RATE_TRUTH] = { "rate_truth", 3 },
        [REPORT_GYRO] = { "gyro", 3 },
        [REPORT_ACCEL_TRUTH] = { "accel_truth", 3 },
        [REPORT_ACCEL] = { "accel", 3 },
        [REPORT_GPS] = { "gps", 9 },
        [REPORT_SATELLITES] = { "satellites", 2 },
        [REPORT_BARO] = { "baro", 2 },
        [REPORT_MAG_TRUTH] = { "mag_truth", 3 },
        [REPORT_MAG] = { "mag", 3 },
        [REPORT_BATTERY] = { "battery", 2 },
        [REPORT_TWIN_WRONG] = { "twin", 3 },
        [REPORT_SONAR] = { "sonar", 1 },
};

static int kind_of(int id)
{
        return id < REPORT_SONAR ? id : REPORT_SONAR;
}

const char *report_table_name(int id)
{
        return tables[kind_of(id)].name;
}

int report_table_columns(int id)
{
        return tables[kind_of(id)].columns;
}

double report_bin_ns(int bin)
{
        return 100.0 * exp2(bin / 8.0);
}

int report_bin(double ns)
{
        /* A hair more, so that an edge lies in its own bin. */
        double at = ns > 100.0 ? 8.0 * log2(ns / 100.0) + 1e-9 : 0.0;

        return at < REPORT_BINS - 1 ? (int)at : REPORT_BINS - 1;
}

static void note_extent(struct report_extent *e, uint64_t t_us)
{
        int64_t t = t_us > INT64_MAX ? INT64_MAX : (int64_t)t_us;

        if (e->rows++ == 0)
                e->first_us = e->last_us = t;
        if (t < e->first_us)
                e->first_us = t;
        if (t > e->last_us)
                e->last_us = t;
}

static void copy_text(char *to, size_t cap, const uint8_t *from, size_t len)
{
        len = len < cap - 1 ? len : cap - 1;
        memcpy(to, from, len);
        to[len] = '\0';
}

static void note_info(struct report_log *log, const struct ulog_record *r)
{
        uint64_t value = r->len == 8 ? le_get_u64(r->data) : 0;

        if (strcmp(r->key, "ver_sw") == 0)
                copy_text(log->version, sizeof log->version, r->data, r->len);
        else if (strcmp(r->key, "hilrig_config_sha256") == 0)
                copy_text(log->config_sha256, sizeof log->config_sha256, r->data, r->len);
        else if (strcmp(r->key, "hilrig_vehicles") == 0 && value <= VEHICLES_MAX)
                log->vehicles = (int)value;
        else if (strcmp(r->key, "hilrig_rotors") == 0 && value <= ROTORS_MAX)
                log->rotors = (int)value;
}

static void note_line(struct report_log *log, const struct ulog_record *r)
{
        struct report_line *line = &log->line[log->lines];

        if (log->lines == REPORT_LINES_MAX) {
                log->lines_more++;
                return;
        }
        log->lines++;
        line->t_us = r->t_us > INT64_MAX ? INT64_MAX : (int64_t)r->t_us;
        line->level = r->level;
        copy_text(line->text, sizeof line->text, r->data, r->len);
}

/* Its name once, however many vehicles have one. */
static void note_unread(struct report_log *log, const char *name)
{
        for (int i = 0; i < log->unread; i++)
                if (strcmp(log->unread_topic[i], name) == 0)
                        return;
        if (log->unread < REPORT_UNREAD_MAX)
                snprintf(log->unread_topic[log->unread++], ULOG_NAME_MAX, "%s", name);
}

/* What there is, and how much of each topic. */
static void count_records(struct report_log *log, struct topic_reader *reader,
                          struct report_extent *extent)
{
        struct ulog_reader *u = &reader->ulog;
        const struct topic_source *source;
        struct ulog_record r;

        while (topic_reader_next(reader, &r, &source))
                if (r.type == 'I')
                        note_info(log, &r);
                else if (r.type == 'L')
                        note_line(log, &r);
                else if (r.type == 'O')
                        log->dropouts++;
                else if (source != NULL)
                        note_extent(&extent[r.topic], r.t_us);
        log->truncated = u->truncated;
        log->skipped = u->skipped;
        for (int i = 0; i < reader->known; i++) {
                source = &reader->source[i];
                if (source->unread)
                        note_unread(log, record_topic_table[source->topic].name);
                else if (source->topic >= 0 && source->vehicle >= log->vehicles)
                        log->vehicles = source->vehicle + 1;
        }
}

/* For each table of each vehicle, if all are whole. */
static size_t rows_if_whole(const struct report_log *log)
{
        size_t all = 0;

        for (int i = 0; i <= REPORT_SONAR; i++)
                all += (size_t)tables[i].columns + 1;
        return (log->vehicles < FLEET_LEAST ? NUMBERS_MAX : FLEET_NUMBERS_MAX) / 2 /
               (all * (size_t)(log->vehicles > 0 ? log->vehicles : 1));
}

static void thin_vehicles(struct report_log *log, const struct report_focus *focus)
{
        bool few = log->vehicles >= FLEET_LEAST && rows_if_whole(log) < ROWS_MIN;

        for (int i = 0; i < log->vehicles; i++)
                log->vehicle[i].few = few;
        for (int i = 0; i < focus->count; i++)
                log->vehicle[focus->vehicle[i]].few = false;
}

/* Where it was gets twice as many rows as how it lay, how fast it was and what it was asked. */
static size_t rows_if_few(const struct report_log *log, int id)
{
        size_t share = 2 * (3 + 1) + (3 + 1) + (3 + 1);
        size_t rows = FEW_NUMBERS_MAX / (share * (size_t)log->vehicles);

        switch (id) {
        case REPORT_POSITION_TRUTH:
                return 2 * rows;
        case REPORT_ATTITUDE_TRUTH:
        case REPORT_VELOCITY_TRUTH:
        case REPORT_SETPOINT:
                return rows;
        default:
                return 0;
        }
}

static size_t rows_of(const struct report_log *log, int id)
{
        size_t rows = rows_if_whole(log);

        rows = rows < ROWS_MAX ? rows : ROWS_MAX;
        /* There may be 16 sonars, and each says little. */
        rows = id >= REPORT_SONAR ? rows / 4 : rows;
        return rows > ROWS_MIN ? rows : ROWS_MIN;
}

static bool begin_tables(struct report_log *log, const struct topic_source *s,
                         const struct report_extent *extent,
                         const struct report_moments *moments)
{
        int id;

        if (s->topic < 0 || s->unread)
                return true;
        for (int n = 0; (id = report_topic_table(s, n)) >= 0; n++) {
                struct report_vehicle *v = &log->vehicle[s->vehicle];
                struct report_table *t = &v->table[id];
                size_t rows = v->few ? rows_if_few(log, id) : rows_of(log, id);

                /* A topic that is there twice under one number makes no sense. */
                if (t->columns != 0 || rows == 0)
                        continue;
                if (s->vehicle >= log->with_tables)
                        log->with_tables = s->vehicle + 1;
                if (!report_table_begin(t, report_table_columns(id), extent,
                                        v->few ? NULL : moments, rows))
                        return false;
        }
        return true;
}

static void end_tables(struct report_log *log)
{
        for (int i = 0; i < log->vehicles; i++)
                for (int id = 0; id < REPORT_TABLES; id++) {
                        struct report_table *t = &log->vehicle[i].table[id];

                        if (t->columns != 0)
                                report_table_end(t);
                        log->refused += t->refused;
                }
}

static bool fill_tables(struct report_log *log, const void *bytes, size_t len,
                        const struct report_world *world,
                        const struct report_moments *moments)
{
        struct report_filling f = { .log = log, .world = world, .moments = moments };
        const struct topic_source *source;
        struct ulog_record r;
        bool readable;
        struct topic_reader *reader = topic_reader_open(bytes, len, &readable);

        if (reader == NULL)
                return false;
        while (readable && topic_reader_next(reader, &r, &source))
                if (source != NULL && !source->unread)
                        report_topic_add(&f, source, &r);
        free(reader);
        return true;
}

bool report_log_read(struct report_log *log, const void *bytes, size_t len,
                     const struct report_world *world,
                     const struct report_moments *moments,
                     const struct report_focus *focus)
{
        struct report_extent *extent = calloc(ULOG_TOPICS_MAX, sizeof *extent);
        struct topic_reader *reader = topic_reader_open(bytes, len, &log->readable);
        bool ok = extent != NULL && reader != NULL;

        if (ok && log->readable) {
                count_records(log, reader, extent);
                thin_vehicles(log, focus);
                for (int i = 0; ok && i < reader->known; i++)
                        ok = begin_tables(log, &reader->source[i], &extent[i], moments);
                ok = ok && fill_tables(log, bytes, len, world, moments);
                end_tables(log);
        }
        free(reader);
        free(extent);
        return ok;
}

void report_log_free(struct report_log *log)
{
        for (int i = 0; i < log->with_tables; i++)
                for (int id = 0; id < REPORT_TABLES; id++)
                        report_table_free(&log->vehicle[i].table[id]);
}
