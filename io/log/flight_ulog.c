/* ULog as a log of a flight: PX4's topics, and those of this rig's own runs, of which the truth counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/log/flight_ulog.h"

/* Which topics are read of whose logs. What several say, the one that stands first says. */
static const struct subject {
        const char *topic;
        enum what what;
        bool own, others; /* of a run of this rig, of anybody else */
        bool measured; /* of a run without its truth */
        enum flight_log_has has; /* that no topic above may say as well */
} subjects[] = {
        { "vehicle_local_position_groundtruth", WHAT_POSITION, true, false, false, 0 },
        { "vehicle_attitude_groundtruth", WHAT_ATTITUDE, true, false, false, 0 },
        { "vehicle_angular_velocity_groundtruth", WHAT_RATE, true, false, false, 0 },
        { "hilrig_tick", WHAT_DUTY, true, false, true, 0 },
        { "vehicle_local_position", WHAT_POSITION, false, true, true, 0 },
        { "vehicle_attitude", WHAT_ATTITUDE, false, true, true, 0 },
        { "vehicle_angular_velocity", WHAT_RATE, false, true, true, FLIGHT_LOG_RATE },
        { "vehicle_acceleration", WHAT_ACCEL, false, true, false, FLIGHT_LOG_ACCEL },
        { "sensor_combined", WHAT_COMBINED, true, true, true, 0 },
        { "actuator_motors", WHAT_MOTORS, false, true, false, FLIGHT_LOG_MOTORS },
        { "actuator_outputs", WHAT_PULSES, false, true, false, FLIGHT_LOG_MOTORS },
        { "battery_status", WHAT_BATTERY, true, true, true, 0 },
        { "actuator_armed", WHAT_ARMED, false, true, false, FLIGHT_LOG_ARMED },
        { "vehicle_status", WHAT_STATUS, true, true, true, FLIGHT_LOG_ARMED },
        { "input_rc", WHAT_RC, false, true, false, 0 },
        { "vehicle_air_data", WHAT_PRESSURE, false, false, true, FLIGHT_LOG_PRESSURE },
        { "vehicle_gps_position", WHAT_FIX, false, false, true, FLIGHT_LOG_FIX },
        { "sensor_gps", WHAT_FIX, false, false, true, FLIGHT_LOG_FIX },
};
#define SUBJECTS (sizeof subjects / sizeof subjects[0])

static bool is_ulog(const uint8_t *bytes, size_t len)
{
        return len >= 7 && memcmp(bytes, "ULog\x01\x12\x35", 7) == 0;
}

static bool is_read_of(const struct flight_ulog *f, const struct subject *s)
{
        if (s->what == WHAT_PRESSURE || s->what == WHAT_FIX)
                return f->sensors;
        /* Filtered, and less the biases that the estimator believes in. */
        if (f->sensors && (s->what == WHAT_RATE || s->what == WHAT_ACCEL))
                return false;
        if (!f->log.own)
                return s->others;
        return f->measured ? s->measured : s->own;
}

/* "vehicle_attitude" is also what an own run's second vehicle says, as an instance. */
static int find_subject(const struct flight_ulog *f, int topic)
{
        const char *name = f->ulog.format[f->ulog.topic[topic].format].name;
        int wanted = f->log.own ? f->vehicle : 0;

        if (f->ulog.topic[topic].instance != wanted)
                return SUBJECTS;
        for (size_t i = 0; i < SUBJECTS; i++)
                if (is_read_of(f, &subjects[i]) && strcmp(subjects[i].topic, name) == 0)
                        return (int)i;
        return SUBJECTS;
}

/* Reads the whole file once, for who wrote it and which topics it has. */
static void look_through(struct flight_ulog *f, const struct flight_open *of)
{
        struct ulog_record record;
        bool have[SUBJECTS] = { false };

        while (ulog_next(&f->ulog, &record)) {
                if (record.type == 'I' && strcmp(record.key, "sys_name") == 0)
                        f->log.own =
                                record.len == 6 && memcmp(record.data, "hilrig", 6) == 0;
                if (record.type == 'I' && strcmp(record.key, "ver_sw") == 0)
                        flight_log_name_firmware(&f->log, record.data, record.len);
                if (record.type == 'I' && strcmp(record.key, "hilrig_rotors") == 0 &&
                    record.len == 8 && le_get_u64(record.data) <= ROTORS_MAX)
                        f->rotors = (int)le_get_u64(record.data);
                if (record.type != 'D' || f->subject[record.topic] >= 0)
                        continue;
                f->subject[record.topic] = (short)find_subject(f, record.topic);
                if (f->subject[record.topic] < (int)SUBJECTS)
                        have[f->subject[record.topic]] = true;
        }
        f->log.skipped = f->ulog.skipped - f->ulog.nested;
        f->combined =
                FLIGHT_LOG_ACCEL | (f->log.own && !f->sensors ? 0 : FLIGHT_LOG_RATE);
        for (size_t i = 0; i < SUBJECTS; i++) {
                if (have[i])
                        f->combined &= ~(uint32_t)subjects[i].has;
                for (size_t k = 0; k < i; k++)
                        if (have[k] && subjects[i].has != 0 &&
                            subjects[i].has == subjects[k].has)
                                f->said |= 1U << i;
        }
        ulog_open(&f->ulog, of->bytes, of->len);
        memset(f->subject, -1, sizeof f->subject);
}

static struct flight_log *open_ulog(const struct flight_open *of)
{
        struct flight_ulog *f = flight_log_new(of, sizeof *f, &flight_ulog_reader);

        if (f == NULL)
                return NULL;
        if (!ulog_open(&f->ulog, of->bytes, of->len)) {
                free(f);
                return flight_log_refuse(of, "is a ULog file with data behind its end, "
                                             "or of a newer version");
        }
        f->measured = of->measured;
        f->sensors = of->sensors;
        f->vehicle = of->number - 1;
        f->rotors = ROTORS_MAX;
        memset(f->subject, -1, sizeof f->subject);
        look_through(f, of);
        if (of->number > 1 && !f->log.own) {
                free(f);
                return flight_log_refuse(of, "holds one log: there is no #%d",
                                         of->number);
        }
        return &f->log;
}

static bool next_ulog(struct flight_log *log, struct flight_log_sample *sample)
{
        struct flight_ulog *f = (struct flight_ulog *)log;
        struct ulog_record record;

        while (ulog_next(&f->ulog, &record)) {
                int subject;

                if (record.type != 'D')
                        continue;
                subject = f->subject[record.topic];
                if (subject < 0)
                        subject = f->subject[record.topic] =
                                (short)find_subject(f, record.topic);
                if (subject == SUBJECTS || (f->said & 1U << subject) != 0)
                        continue;
                *sample = (struct flight_log_sample){ .t_ns = flight_ulog_time(f,
                                                                               &record) };
                flight_ulog_read(f, subjects[subject].what, &record, sample);
                if (sample->has != 0)
                        return true;
        }
        return false;
}

const struct flight_reader flight_ulog_reader = {
        .format = "ULog",
        .is = is_ulog,
        .open = open_ulog,
        .next = next_ulog,
};
