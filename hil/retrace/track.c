/* Reads a log of a flight into memory, and says what it said at any moment of it. */
#include "hil/retrace/track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/files.h"

#define GAP_NS      500000000
#define SAMPLES_MAX 20000000 /* of all kinds together: 5 hours at 1 kHz */
#define QUATERNION  4

static const int columns[TRACK_KINDS] = { 3, 3, QUATERNION, 3, 3, ROTORS_MAX, 1,
                                          1, 3, 3,          1, 1, 1,          1 };

static bool make_room(struct track_samples *s)
{
        size_t room = s->room > 0 ? 2 * s->room : 1024;
        int64_t *times = realloc(s->t_ns, room * sizeof *times);
        double *values = NULL;

        if (times != NULL) {
                s->t_ns = times;
                values = realloc(s->value, room * (size_t)s->columns * sizeof *values);
        }
        if (values == NULL)
                return false;
        s->value = values;
        s->room = room;
        return true;
}

/* What comes late is left out: of two records of a moment the first one counts. */
static bool add(struct track *t, enum track_kind kind, int64_t t_ns, const double *value)
{
        struct track_samples *s = &t->of[kind];

        if (s->count > 0 && t_ns <= s->t_ns[s->count - 1]) {
                t->disordered++;
                return true;
        }
        if (s->count == s->room && !make_room(s))
                return false;
        s->t_ns[s->count] = t_ns;
        memcpy(s->value + s->count * (size_t)s->columns, value,
               (size_t)s->columns * sizeof *value);
        s->count++;
        return true;
}

static bool add_vector(struct track *t, enum track_kind kind, int64_t t_ns, struct vec3 v)
{
        return add(t, kind, t_ns, (const double[]){ v.x, v.y, v.z });
}

static bool add_sample(struct track *t, const struct flight_log_sample *s)
{
        struct quat q = s->q_body_to_ned;
        bool ok = true;

        if (s->has & FLIGHT_LOG_POSITION)
                ok = add_vector(t, TRACK_POSITION, s->t_ns, s->pos_ned_m);
        if (ok && s->has & FLIGHT_LOG_VELOCITY)
                ok = add_vector(t, TRACK_VELOCITY, s->t_ns, s->vel_ned_mps);
        if (ok && s->has & FLIGHT_LOG_ATTITUDE)
                ok = add(t, TRACK_ATTITUDE, s->t_ns,
                         (const double[]){ q.w, q.x, q.y, q.z });
        if (ok && s->has & FLIGHT_LOG_RATE)
                ok = add_vector(t, TRACK_RATE, s->t_ns, s->rate_body_radps);
        if (ok && s->has & FLIGHT_LOG_ACCEL)
                ok = add_vector(t, TRACK_ACCEL, s->t_ns, s->accel_body_mps2);
        if (ok && s->has & FLIGHT_LOG_MOTORS) {
                ok = add(t, TRACK_MOTORS, s->t_ns, s->motor_ratio);
                if (s->motors > t->motors)
                        t->motors = s->motors;
        }
        if (ok && s->has & FLIGHT_LOG_VOLTAGE)
                ok = add(t, TRACK_VOLTAGE, s->t_ns, &s->voltage_v);
        return ok;
}

/* What sensors and a thrust stand say. */
static bool add_measured(struct track *t, const struct flight_log_sample *s)
{
        bool ok = true;

        if (s->has & FLIGHT_LOG_PRESSURE)
                ok = add(t, TRACK_PRESSURE, s->t_ns, &s->pressure_pa);
        if (ok && s->has & FLIGHT_LOG_CURRENT)
                ok = add(t, TRACK_CURRENT, s->t_ns, &s->current_a);
        if (ok && s->has & FLIGHT_LOG_THRUST)
                ok = add(t, TRACK_THRUST, s->t_ns, &s->thrust_n);
        if (ok && s->has & FLIGHT_LOG_TORQUE)
                ok = add(t, TRACK_TORQUE, s->t_ns, &s->torque_nm);
        if (ok && s->has & FLIGHT_LOG_SPEED)
                ok = add(t, TRACK_SPEED, s->t_ns, &s->speed_radps);
        if (ok && s->has & FLIGHT_LOG_FIX)
                ok = add(t, TRACK_FIX, s->t_ns,
                         (const double[]){ s->fix_lat_deg, s->fix_lon_deg,
                                           s->fix_height_m });
        if (ok && s->has & FLIGHT_LOG_FIX_VELOCITY)
                ok = add_vector(t, TRACK_FIX_VELOCITY, s->t_ns, s->fix_vel_ned_mps);
        return ok;
}

static bool read_log(struct track *t, struct flight_log *log, double from_s, bool sensors)
{
        struct flight_log_sample s;
        int64_t first_ns = -1;
        size_t count = 0;

        while (count < SAMPLES_MAX && flight_log_next(log, &s)) {
                if (first_ns < 0)
                        t->first_ns = first_ns = s.t_ns;
                if ((double)(s.t_ns - first_ns) < from_s * 1e9)
                        continue;
                if (!add_sample(t, &s) || (sensors && !add_measured(t, &s)))
                        return false;
                count++;
        }
        return true;
}

typedef struct flight_log *(*open_log)(const uint8_t *bytes, size_t len, const char *name,
                                       int number, char *why, size_t cap);

static bool read_place(struct track *t, const struct flight_log_place *place,
                       open_log open, char *why, size_t cap)
{
        struct flight_log *log;
        const char *reason;
        const void *bytes;
        size_t len;
        bool ok;

        *t = (struct track){ .motors = 0 };
        for (int i = 0; i < TRACK_KINDS; i++)
                t->of[i].columns = columns[i];
        bytes = mapped_file_open(place->path, &len, &reason);
        if (bytes == NULL) {
                snprintf(why, cap, "%s: %s", place->path, reason);
                return false;
        }
        log = open(bytes, len, place->path, place->number, why, cap);
        ok = log != NULL &&
             read_log(t, log, place->from_s, open == flight_log_open_sensors);
        if (log != NULL) {
                if (!ok)
                        snprintf(why, cap, "%s: out of memory", place->path);
                t->own = flight_log_is_own(log);
                t->skipped = flight_log_skipped(log);
                snprintf(t->format, sizeof t->format, "%s", flight_log_format(log));
                snprintf(t->firmware, sizeof t->firmware, "%s", flight_log_firmware(log));
                flight_log_close(log);
        }
        mapped_file_close(bytes, len);
        return ok;
}

bool track_read(struct track *t, const struct flight_log_place *place, char *why,
                size_t cap)
{
        return read_place(t, place, flight_log_open, why, cap);
}

bool track_read_measured(struct track *t, const struct flight_log_place *place, char *why,
                         size_t cap)
{
        return read_place(t, place, flight_log_open_measured, why, cap);
}

bool track_read_sensors(struct track *t, const struct flight_log_place *place, char *why,
                        size_t cap)
{
        return read_place(t, place, flight_log_open_sensors, why, cap);
}

void track_free(struct track *t)
{
        for (int i = 0; i < TRACK_KINDS; i++) {
                free(t->of[i].t_ns);
                free(t->of[i].value);
        }
        *t = (struct track){ .motors = 0 };
}

/* The last sample that is not after the time; count: all are. */
static size_t find_sample(const struct track_samples *s, int64_t t_ns)
{
        size_t low = 0, high = s->count;

        while (low < high) {
                size_t middle = low + (high - low) / 2;

                if (s->t_ns[middle] <= t_ns)
                        low = middle + 1;
                else
                        high = middle;
        }
        return low > 0 ? low - 1 : s->count;
}

/* Quaternions q and -q are one attitude. */
static void blend_attitude(const double *a, const double *b, double part, double *out)
{
        double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        struct quat q;

        for (int i = 0; i < QUATERNION; i++)
                out[i] = a[i] + part * ((dot < 0.0 ? -b[i] : b[i]) - a[i]);
        q = quat_normalise((struct quat){ out[0], out[1], out[2], out[3] });
        out[0] = q.w;
        out[1] = q.x;
        out[2] = q.y;
        out[3] = q.z;
}

bool track_at(const struct track *t, enum track_kind kind, int64_t t_ns, double value[])
{
        const struct track_samples *s = &t->of[kind];
        size_t at = find_sample(s, t_ns), size = (size_t)s->columns;
        const double *a, *b;
        double part;

        if (at == s->count)
                return false;
        a = s->value + at * size;
        b = a + size;
        if (t_ns == s->t_ns[at]) {
                memcpy(value, a, size * sizeof *value);
                return true;
        }
        if (at + 1 == s->count || s->t_ns[at + 1] - s->t_ns[at] > GAP_NS)
                return false;
        part = (double)(t_ns - s->t_ns[at]) / (double)(s->t_ns[at + 1] - s->t_ns[at]);
        if (kind == TRACK_ATTITUDE) {
                blend_attitude(a, b, part, value);
                return true;
        }
        for (size_t i = 0; i < size; i++)
                value[i] = a[i] + part * (b[i] - a[i]);
        return true;
}

const double *track_motors(const struct track *t, int64_t t_ns)
{
        const struct track_samples *s = &t->of[TRACK_MOTORS];
        size_t at = find_sample(s, t_ns);

        return s->value + (at < s->count ? at * (size_t)s->columns : 0);
}

bool track_motors_known(const struct track *t, int64_t t_ns)
{
        const struct track_samples *s = &t->of[TRACK_MOTORS];
        size_t at = find_sample(s, t_ns);

        return at < s->count && t_ns - s->t_ns[at] <= GAP_NS;
}

static int compare_times(const void *a, const void *b)
{
        int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

        return x < y ? -1 : x > y;
}

double track_interval_s(const struct track *t, enum track_kind kind, int64_t from_ns,
                        int64_t to_ns)
{
        const struct track_samples *s = &t->of[kind];
        int64_t gap_ns[1001];
        size_t n = 0, middle, first = find_sample(s, from_ns);

        /* It may begin later than that. */
        for (size_t i = first < s->count ? first : 0; i + 1 < s->count && n < 1001; i++)
                if (s->t_ns[i + 1] <= to_ns)
                        gap_ns[n++] = s->t_ns[i + 1] - s->t_ns[i];
        if (n < 2)
                return 0.0;
        qsort(gap_ns, n, sizeof gap_ns[0], compare_times);
        middle = n / 2;
        return (double)gap_ns[middle] * 1e-9;
}

struct vec3 track_vector(const double value[3])
{
        return (struct vec3){ value[0], value[1], value[2] };
}
