/* ULog as a log of a flight: PX4's topics, and those of this rig's own runs, of which the truth counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/log/flight_reader.h"
#include "io/log/ulog.h"

enum what {
        WHAT_POSITION,
        WHAT_ATTITUDE,
        WHAT_RATE,
        WHAT_COMBINED,
        WHAT_ACCEL,
        WHAT_MOTORS,
        WHAT_PULSES,
        WHAT_DUTY,
        WHAT_BATTERY,
        WHAT_STATUS,
        WHAT_ARMED,
        WHAT_RC
};

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
};
#define SUBJECTS (sizeof subjects / sizeof subjects[0])

struct flight_ulog {
        struct flight_log log;
        struct ulog_reader ulog;
        bool measured; /* as struct flight_open says */
        int vehicle; /* of an own run: the instance of its topics */
        int rotors; /* of an own run: most of any vehicle */
        uint32_t said; /* 1 << i: what subjects[i] would say, one before it says */
        uint32_t combined; /* enum flight_log_has that only sensor_combined says */
        int64_t tick_ns; /* of the vehicle's tick before */
        short subject[ULOG_TOPICS_MAX]; /* -1: not looked at yet; SUBJECTS: none */
};

static bool is_ulog(const uint8_t *bytes, size_t len)
{
        return len >= 7 && memcmp(bytes, "ULog\x01\x12\x35", 7) == 0;
}

static bool is_read_of(const struct flight_ulog *f, const struct subject *s)
{
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
        f->combined = FLIGHT_LOG_ACCEL | (f->log.own ? 0 : FLIGHT_LOG_RATE);
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

/* Numbers of fields side by side; false: the topic has them not. */
static bool read_floats(const struct flight_ulog *f, const struct ulog_record *r,
                        const char *const names[], int count, double *out)
{
        for (int i = 0; i < count; i++) {
                size_t at;

                if (!ulog_field(&f->ulog, r->topic, names[i], "float", &at))
                        return false;
                out[i] = (double)le_get_f32(r->data + at);
        }
        return true;
}

static bool read_array(const struct flight_ulog *f, const struct ulog_record *r,
                       const char *name, int count, double *out)
{
        char type[20];
        size_t at;

        snprintf(type, sizeof type, "float[%d]", count);
        if (!ulog_field(&f->ulog, r->topic, name, type, &at))
                return false;
        for (int i = 0; i < count; i++)
                out[i] = (double)le_get_f32(r->data + at + 4 * (size_t)i);
        return true;
}

static struct vec3 vector_of(const double v[3])
{
        return (struct vec3){ v[0], v[1], v[2] };
}

/* PX4's flags for what of a position is an estimate; without them it all is. */
static bool is_valid(const struct flight_ulog *f, const struct ulog_record *r,
                     const char *flag)
{
        size_t at;

        return !ulog_field(&f->ulog, r->topic, flag, "bool", &at) || r->data[at] != 0;
}

static void read_position(const struct flight_ulog *f, const struct ulog_record *r,
                          struct flight_log_sample *s)
{
        double at[3], moves[3];

        if (read_floats(f, r, (const char *[]){ "x", "y", "z" }, 3, at) &&
            is_valid(f, r, "xy_valid") && is_valid(f, r, "z_valid")) {
                s->has |= FLIGHT_LOG_POSITION;
                s->pos_ned_m = vector_of(at);
        }
        if (read_floats(f, r, (const char *[]){ "vx", "vy", "vz" }, 3, moves) &&
            is_valid(f, r, "v_xy_valid") && is_valid(f, r, "v_z_valid")) {
                s->has |= FLIGHT_LOG_VELOCITY;
                s->vel_ned_mps = vector_of(moves);
        }
}

static void read_attitude(const struct flight_ulog *f, const struct ulog_record *r,
                          struct flight_log_sample *s)
{
        double q[4];

        if (!read_array(f, r, "q", 4, q))
                return;
        s->has = FLIGHT_LOG_ATTITUDE;
        s->q_body_to_ned = (struct quat){ q[0], q[1], q[2], q[3] };
}

static void read_vector(const struct flight_ulog *f, const struct ulog_record *r,
                        const char *name, enum flight_log_has what, struct vec3 *out,
                        uint32_t *has)
{
        double v[3];

        if (!read_array(f, r, name, 3, v))
                return;
        *has |= (uint32_t)what;
        *out = vector_of(v);
}

static void read_combined(const struct flight_ulog *f, const struct ulog_record *r,
                          struct flight_log_sample *s)
{
        if (f->combined & FLIGHT_LOG_RATE)
                read_vector(f, r, "gyro_rad", FLIGHT_LOG_RATE, &s->rate_body_radps,
                            &s->has);
        if (f->combined & FLIGHT_LOG_ACCEL)
                read_vector(f, r, "accelerometer_m_s2", FLIGHT_LOG_ACCEL,
                            &s->accel_body_mps2, &s->has);
}

/* 12 controls of -1 to 1; one without a motor is NaN. */
static void read_motors(const struct flight_ulog *f, const struct ulog_record *r,
                        struct flight_log_sample *s)
{
        double control[12];

        if (!read_array(f, r, "control", 12, control))
                return;
        for (int i = 0; i < ROTORS_MAX && control[i] == control[i]; i++)
                s->motor_ratio[s->motors++] = control[i] > 0.0 ? control[i] : 0.0;
        s->has = s->motors > 0 ? FLIGHT_LOG_MOTORS : 0;
}

/* Pulses, or of a simulation what is 0 to 1 already. */
static void read_pulses(const struct flight_ulog *f, const struct ulog_record *r,
                        struct flight_log_sample *s)
{
        double output[16];
        size_t at;

        if (!read_array(f, r, "output", 16, output) ||
            !ulog_field(&f->ulog, r->topic, "noutputs", "uint32_t", &at))
                return;
        s->motors = le_get_u32(r->data + at) < ROTORS_MAX ? (int)le_get_u32(r->data + at)
                                                          : ROTORS_MAX;
        for (int i = 0; i < s->motors; i++)
                s->motor_ratio[i] =
                        output[i] <= 1.0 ? output[i] : flight_log_pulse_ratio(output[i]);
        s->has = s->motors > 0 ? FLIGHT_LOG_MOTORS : 0;
}

/* What a tick of the rig ended with had driven it since the one before. */
static void read_duty(struct flight_ulog *f, const struct ulog_record *r,
                      struct flight_log_sample *s)
{
        size_t duty;
        int64_t t_ns = s->t_ns;

        if (!ulog_field(&f->ulog, r->topic, "duty", "double[8]", &duty))
                return;
        for (s->motors = 0; s->motors < f->rotors; s->motors++)
                s->motor_ratio[s->motors] =
                        le_get_f64(r->data + duty + 8 * (size_t)s->motors);
        s->has = FLIGHT_LOG_MOTORS;
        s->t_ns = f->tick_ns;
        f->tick_ns = t_ns;
}

static void read_battery(const struct flight_ulog *f, const struct ulog_record *r,
                         struct flight_log_sample *s)
{
        if (read_floats(f, r, (const char *[]){ "voltage_v" }, 1, &s->voltage_v))
                s->has |= FLIGHT_LOG_VOLTAGE;
        if (read_floats(f, r, (const char *[]){ "current_a" }, 1, &s->current_a))
                s->has |= FLIGHT_LOG_CURRENT;
}

static void read_armed(const struct flight_ulog *f, const struct ulog_record *r,
                       const char *name, const char *type, uint8_t armed,
                       struct flight_log_sample *s)
{
        size_t at;

        if (!ulog_field(&f->ulog, r->topic, name, type, &at))
                return;
        s->has = FLIGHT_LOG_ARMED;
        s->armed = r->data[at] == armed;
}

static void read_rc(const struct flight_ulog *f, const struct ulog_record *r,
                    struct flight_log_sample *s)
{
        size_t values, count;

        if (!ulog_field(&f->ulog, r->topic, "values", "uint16_t[18]", &values) ||
            !ulog_field(&f->ulog, r->topic, "channel_count", "uint8_t", &count))
                return;
        for (int i = 0; i < RC_CHANNELS_MAX && i < r->data[count]; i++)
                s->rc_us[i] = le_get_u16(r->data + values + 2 * (size_t)i);
        s->has = FLIGHT_LOG_RC;
}

/* PX4 also says when it was measured, which is what counts. */
static int64_t time_of(const struct flight_ulog *f, const struct ulog_record *r)
{
        uint64_t t_us = r->t_us, sampled_us;
        size_t at;

        if (ulog_field(&f->ulog, r->topic, "timestamp_sample", "uint64_t", &at)) {
                sampled_us = le_get_u64(r->data + at);
                if (sampled_us > 0 && sampled_us <= t_us && t_us - sampled_us < 1000000)
                        t_us = sampled_us;
        }
        return t_us < INT64_MAX / 1000 ? (int64_t)t_us * 1000 : -1;
}

static void read_subject(struct flight_ulog *f, enum what what,
                         const struct ulog_record *r, struct flight_log_sample *s)
{
        switch (what) {
        case WHAT_POSITION:
                read_position(f, r, s);
                break;
        case WHAT_ATTITUDE:
                read_attitude(f, r, s);
                break;
        case WHAT_RATE:
                read_vector(f, r, "xyz", FLIGHT_LOG_RATE, &s->rate_body_radps, &s->has);
                break;
        case WHAT_COMBINED:
                read_combined(f, r, s);
                break;
        case WHAT_ACCEL:
                read_vector(f, r, "xyz", FLIGHT_LOG_ACCEL, &s->accel_body_mps2, &s->has);
                break;
        case WHAT_MOTORS:
                read_motors(f, r, s);
                break;
        case WHAT_PULSES:
                read_pulses(f, r, s);
                break;
        case WHAT_DUTY:
                read_duty(f, r, s);
                break;
        case WHAT_BATTERY:
                read_battery(f, r, s);
                break;
        case WHAT_STATUS:
                read_armed(f, r, "arming_state", "uint8_t", 2, s);
                break;
        case WHAT_ARMED:
                read_armed(f, r, "armed", "bool", 1, s);
                break;
        case WHAT_RC:
                read_rc(f, r, s);
                break;
        }
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
                *sample = (struct flight_log_sample){ .t_ns = time_of(f, &record) };
                read_subject(f, subjects[subject].what, &record, sample);
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
