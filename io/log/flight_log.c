/* Logs of flights: finds the reader of a file, and refuses samples that are no numbers. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/flight_reader.h"

/* Any other text may be a table. */
static const struct flight_reader *const readers[] = { &flight_ulog_reader,
                                                       &flight_dataflash_reader,
                                                       &flight_blackbox_reader };

#define LOGS_MAX 1000

/* The number behind the last `mark`, which ends the text there; false: it is none of that range. */
static bool split_number(char *text, char mark, double low, double high, double *value)
{
        char *at = strrchr(text, mark), *end;
        double number;

        if (at == NULL || strchr(at, '/') != NULL)
                return true;
        errno = 0;
        number = strtod(at + 1, &end);
        if (end == at + 1 || *end != '\0' || errno != 0 ||
            !(number >= low && number <= high))
                return false;
        *value = number;
        *at = '\0';
        return true;
}

bool flight_log_place_parse(struct flight_log_place *place, const char *text, char *why,
                            size_t cap)
{
        double number = 1.0;

        *place = (struct flight_log_place){ .number = 1 };
        if (strlen(text) >= sizeof place->path) {
                snprintf(why, cap, "must be shorter than %zu characters",
                         sizeof place->path);
                return false;
        }
        strcpy(place->path, text);
        if (!split_number(place->path, '@', 0.0, 1e6, &place->from_s)) {
                snprintf(why, cap, "%s: behind @ must be seconds, 0 to 1000000", text);
                return false;
        }
        if (!split_number(place->path, '#', 1.0, LOGS_MAX, &number) ||
            number > (double)(int)number) {
                snprintf(why, cap, "%s: behind # must be the number of a log, 1 to %d",
                         text, LOGS_MAX);
                return false;
        }
        place->number = (int)number;
        if (place->path[0] != '\0')
                return true;
        snprintf(why, cap, "%s: must be the path of a log", text);
        return false;
}

struct flight_log *flight_log_refuse(const struct flight_open *of, const char *format,
                                     ...)
{
        va_list args;
        int n = snprintf(of->why, of->cap, "%s: ", of->name);

        va_start(args, format);
        if (n >= 0 && (size_t)n < of->cap)
                vsnprintf(of->why + n, of->cap - (size_t)n, format, args);
        va_end(args);
        return NULL;
}

void *flight_log_new(const struct flight_open *of, size_t size,
                     const struct flight_reader *reader)
{
        struct flight_log *log = calloc(1, size);

        if (log == NULL)
                return flight_log_refuse(of, "out of memory");
        log->reader = reader;
        log->bytes = of->bytes;
        log->len = of->len;
        return log;
}

void flight_log_name_firmware(struct flight_log *log, const uint8_t *text, size_t len)
{
        size_t n = 0;

        while (n < len && n + 1 < sizeof log->firmware && isprint(text[n])) {
                log->firmware[n] = (char)text[n];
                n++;
        }
        log->firmware[n] = '\0';
}

double flight_log_pulse_ratio(double us)
{
        double ratio = (us - 1000.0) / 1000.0;

        return ratio > 0.0 ? (ratio < 1.0 ? ratio : 1.0) : 0.0;
}

/* A log of text that is not even that. */
static bool is_text(const uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len && i < 512; i++)
                if (bytes[i] == 0 || (bytes[i] < 0x20 && !isspace(bytes[i])))
                        return false;
        return len > 0;
}

static struct flight_log *open_log(const struct flight_open *of)
{
        const struct flight_reader *reader =
                is_text(of->bytes, of->len) ? &flight_csv_reader : NULL;

        if (of->cap > 0)
                of->why[0] = '\0';
        for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
                if (readers[i]->is(of->bytes, of->len))
                        reader = readers[i];
        if (reader != NULL)
                return reader->open(of);
        return flight_log_refuse(of, "is no log of a flight: it begins neither as ULog, "
                                     "ArduPilot's DataFlash or Betaflight's blackbox "
                                     "nor as a table of text");
}

static struct flight_log *open_for(struct flight_open of, char *why)
{
        of.why = why;
        return open_log(&of); /* cppcheck-suppress returnDanglingLifetime */
}

struct flight_log *flight_log_open(const uint8_t *bytes, size_t len, const char *name,
                                   int number, char *why, size_t cap)
{
        return open_for((struct flight_open){ bytes, len, name, number, .cap = cap },
                        why);
}

struct flight_log *flight_log_open_measured(const uint8_t *bytes, size_t len,
                                            const char *name, int number, char *why,
                                            size_t cap)
{
        return open_for((struct flight_open){ bytes, len, name, number, .cap = cap,
                                              .measured = true },
                        why);
}

struct flight_log *flight_log_open_sensors(const uint8_t *bytes, size_t len,
                                           const char *name, int number, char *why,
                                           size_t cap)
{
        return open_for((struct flight_open){ bytes, len, name, number, .cap = cap,
                                              .measured = true, .sensors = true },
                        why);
}

static bool are_within(const double *value, int count, double limit)
{
        for (int i = 0; i < count; i++)
                if (!(value[i] >= -limit && value[i] <= limit))
                        return false;
        return true;
}

static bool is_vector(struct vec3 v, double limit)
{
        return are_within((const double[]){ v.x, v.y, v.z }, 3, limit);
}

static bool is_attitude(struct quat q)
{
        double length = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;

        return length > 0.99 && length < 1.01;
}

#define TIME_MOST_NS INT64_C(1000000000000000000) /* 31 years */

bool flight_log_is_sane(const struct flight_log_sample *s)
{
        uint32_t has = s->has;

        return has != 0 && s->t_ns >= 0 && s->t_ns <= TIME_MOST_NS &&
               (!(has & FLIGHT_LOG_POSITION) || is_vector(s->pos_ned_m, 1e8)) &&
               (!(has & FLIGHT_LOG_VELOCITY) || is_vector(s->vel_ned_mps, 1e4)) &&
               (!(has & FLIGHT_LOG_ATTITUDE) || is_attitude(s->q_body_to_ned)) &&
               (!(has & FLIGHT_LOG_RATE) || is_vector(s->rate_body_radps, 1e3)) &&
               (!(has & FLIGHT_LOG_ACCEL) || is_vector(s->accel_body_mps2, 1e4)) &&
               (!(has & FLIGHT_LOG_MOTORS) ||
                are_within(s->motor_ratio, s->motors, 1.0)) &&
               (!(has & FLIGHT_LOG_VOLTAGE) || are_within(&s->voltage_v, 1, 1e4)) &&
               (!(has & FLIGHT_LOG_CURRENT) || are_within(&s->current_a, 1, 1e5)) &&
               (!(has & FLIGHT_LOG_PRESSURE) || are_within(&s->pressure_pa, 1, 1e6)) &&
               (!(has & FLIGHT_LOG_FIX) || (are_within(&s->fix_lat_deg, 1, 90.0) &&
                                            are_within(&s->fix_lon_deg, 1, 360.0) &&
                                            are_within(&s->fix_height_m, 1, 1e6))) &&
               (!(has & FLIGHT_LOG_FIX_VELOCITY) || is_vector(s->fix_vel_ned_mps, 1e4)) &&
               (!(has & FLIGHT_LOG_THRUST) || are_within(&s->thrust_n, 1, 1e5)) &&
               (!(has & FLIGHT_LOG_TORQUE) || are_within(&s->torque_nm, 1, 1e4)) &&
               (!(has & FLIGHT_LOG_SPEED) || are_within(&s->speed_radps, 1, 1e5));
}

bool flight_log_next(struct flight_log *log, struct flight_log_sample *sample)
{
        while (log->reader->next(log, sample)) {
                if (flight_log_is_sane(sample)) {
                        if (sample->has & FLIGHT_LOG_ATTITUDE)
                                sample->q_body_to_ned =
                                        quat_normalise(sample->q_body_to_ned);
                        return true;
                }
                log->skipped++;
        }
        return false;
}

const char *flight_log_format(const struct flight_log *log)
{
        return log->reader->format;
}

const char *flight_log_firmware(const struct flight_log *log)
{
        return log->firmware;
}

bool flight_log_is_own(const struct flight_log *log)
{
        return log->own;
}

uint64_t flight_log_skipped(const struct flight_log *log)
{
        return log->skipped;
}

void flight_log_close(struct flight_log *log)
{
        if (log == NULL)
                return;
        if (log->reader->close != NULL)
                log->reader->close(log);
        free(log);
}
