/* A twin whose telemetry is a log of a flight, played at its own pace: "PATH#2@12.5" as flight_log_place_parse() has it.
 * The log's first sample from there on is time 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/log/flight_log.h"
#include "io/twin/source.h"

#define KNOWN                                                                            \
        (FLIGHT_LOG_POSITION | FLIGHT_LOG_VELOCITY | FLIGHT_LOG_ATTITUDE |               \
         FLIGHT_LOG_RATE | FLIGHT_LOG_MOTORS)

struct twin_log {
        struct twin_source source;
        struct flight_log *log;
        const uint8_t *bytes;
        size_t len;
        struct flight_log_sample next; /* not due yet */
        bool waiting;
        int64_t zero_ns; /* of the log, at which simulated time is 0 */
};

static void close_log(struct twin_source *source)
{
        struct twin_log *t = (struct twin_log *)source;

        flight_log_close(t->log);
        if (t->bytes != NULL)
                munmap((void *)t->bytes, t->len);
        free(t);
}

static bool map_file(struct twin_log *t, const char *path, struct link_error *why)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        struct stat st = { 0 };
        void *map = MAP_FAILED;

        if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
                map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (fd >= 0)
                close(fd);
        if (map == MAP_FAILED) {
                snprintf(why->text, sizeof why->text,
                         "%s: is not a file that can be read, or is empty", path);
                return false;
        }
        t->bytes = map;
        t->len = (size_t)st.st_size;
        return true;
}

/* Reads on to the next sample that a twin can use. */
static void find_next(struct twin_log *t)
{
        t->waiting = false;
        while (!t->waiting && flight_log_next(t->log, &t->next))
                t->waiting = (t->next.has & KNOWN) != 0;
        t->source.gone = !t->waiting;
        t->source.counts.errors = flight_log_skipped(t->log);
}

/* Read anew, up to the first sample that has what is needed. */
static bool has_needed(const struct twin_log *t, const struct flight_log_place *place,
                       uint32_t needs, struct link_error *why)
{
        uint32_t wanted = (needs & TWIN_POSITION ? FLIGHT_LOG_POSITION : 0) |
                          (needs & TWIN_ATTITUDE ? FLIGHT_LOG_ATTITUDE : 0);
        struct flight_log *log =
                flight_log_open(t->bytes, t->len, place->path, place->number, why->text,
                                sizeof why->text);
        struct flight_log_sample s;
        bool found = wanted == 0;

        if (log == NULL)
                return false;
        while (!found && flight_log_next(log, &s))
                found = (s.has & wanted) != 0;
        flight_log_close(log);
        if (!found)
                snprintf(why->text, sizeof why->text,
                         "%s: says no %s, which the twin's law needs", place->path,
                         needs & TWIN_POSITION ? "position" : "attitude");
        return found;
}

static bool find_begin(struct twin_log *t, double from_s)
{
        find_next(t);
        t->zero_ns = t->next.t_ns + (int64_t)(from_s * 1e9);
        while (t->waiting && t->next.t_ns < t->zero_ns)
                find_next(t);
        return t->waiting;
}

struct twin_source *twin_log_open(const struct twin_setup *setup, struct link_error *why)
{
        struct twin_log *t = calloc(1, sizeof *t);
        struct flight_log_place place;
        bool ok = t != NULL;

        if (!ok)
                snprintf(why->text, sizeof why->text, "out of memory");
        if (ok) {
                t->source.ops = &twin_log_ops;
                t->source.fd = -1;
                ok = flight_log_place_parse(&place, setup->where, why->text,
                                            sizeof why->text) &&
                     map_file(t, place.path, why);
        }
        if (ok)
                t->log = flight_log_open(t->bytes, t->len, place.path, place.number,
                                         why->text, sizeof why->text);
        ok = ok && t->log != NULL && has_needed(t, &place, setup->needs, why);
        if (ok && !find_begin(t, place.from_s)) {
                snprintf(why->text, sizeof why->text,
                         "%s: says nothing of a vehicle from %g s on", place.path,
                         place.from_s);
                ok = false;
        }
        if (ok)
                return &t->source;
        if (t != NULL)
                close_log(&t->source);
        return NULL;
}

/* The mean of its motors: what it lifts itself with. */
static double mean_ratio(const struct flight_log_sample *s)
{
        double sum = 0.0;

        for (int i = 0; i < s->motors; i++)
                sum += s->motor_ratio[i];
        return s->motors > 0 ? sum / s->motors : 0.0;
}

static void word_of_sample(const struct twin_log *t, struct twin_word *word)
{
        static const uint32_t said[][2] = { { FLIGHT_LOG_POSITION, TWIN_POSITION },
                                            { FLIGHT_LOG_VELOCITY, TWIN_VELOCITY },
                                            { FLIGHT_LOG_ATTITUDE, TWIN_ATTITUDE },
                                            { FLIGHT_LOG_RATE, TWIN_RATE },
                                            { FLIGHT_LOG_MOTORS, TWIN_THROTTLE } };
        const struct flight_log_sample *s = &t->next;

        *word = (struct twin_word){ .said = TWIN_TIME,
                                    .arrived_ns = s->t_ns - t->zero_ns,
                                    .measured_ns = s->t_ns,
                                    .pos_ned_m = s->pos_ned_m,
                                    .vel_ned_mps = s->vel_ned_mps,
                                    .q_body_to_ned = s->q_body_to_ned,
                                    .rate_body_radps = s->rate_body_radps,
                                    .throttle_ratio = mean_ratio(s) };
        for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
                if (s->has & said[i][0])
                        word->said |= said[i][1];
}

static bool take_log(struct twin_source *source, int64_t now_ns, struct twin_word *word)
{
        struct twin_log *t = (struct twin_log *)source;

        if (!t->waiting || t->next.t_ns - t->zero_ns > now_ns)
                return false;
        word_of_sample(t, word);
        t->source.counts.words++;
        find_next(t);
        return true;
}

const struct twin_source_ops twin_log_ops = {
        .name = "log",
        .what = "a log of a flight: ULog, DataFlash, blackbox or a table",
        .recorded = true,
        .open = twin_log_open,
        .take = take_log,
        .close = close_log,
};
