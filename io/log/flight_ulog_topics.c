/* What the topics of a ULog say of a flight. */
#include "io/log/flight_ulog.h"

#include <string.h>

#include "io/le.h"

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

static void read_pressure(const struct flight_ulog *f, const struct ulog_record *r,
                          struct flight_log_sample *s)
{
        if (read_floats(f, r, (const char *[]){ "baro_pressure_pa" }, 1,
                        &s->pressure_pa) ||
            read_floats(f, r, (const char *[]){ "pressure" }, 1, &s->pressure_pa))
                s->has = FLIGHT_LOG_PRESSURE;
}

/* Degrees, or before PX4 1.15 1e-7 of them and mm. */
static bool read_place(const struct flight_ulog *f, const struct ulog_record *r,
                       struct flight_log_sample *s)
{
        size_t lat, lon, height;

        if (ulog_field(&f->ulog, r->topic, "latitude_deg", "double", &lat) &&
            ulog_field(&f->ulog, r->topic, "longitude_deg", "double", &lon) &&
            ulog_field(&f->ulog, r->topic, "altitude_msl_m", "double", &height)) {
                s->fix_lat_deg = le_get_f64(r->data + lat);
                s->fix_lon_deg = le_get_f64(r->data + lon);
                s->fix_height_m = le_get_f64(r->data + height);
                return true;
        }
        if (!ulog_field(&f->ulog, r->topic, "lat", "int32_t", &lat) ||
            !ulog_field(&f->ulog, r->topic, "lon", "int32_t", &lon) ||
            !ulog_field(&f->ulog, r->topic, "alt", "int32_t", &height))
                return false;
        s->fix_lat_deg = 1e-7 * (int32_t)le_get_u32(r->data + lat);
        s->fix_lon_deg = 1e-7 * (int32_t)le_get_u32(r->data + lon);
        s->fix_height_m = 1e-3 * (int32_t)le_get_u32(r->data + height);
        return true;
}

#define FIX_OF_THREE_DIMENSIONS 3

static void read_fix(const struct flight_ulog *f, const struct ulog_record *r,
                     struct flight_log_sample *s)
{
        double moves[3];
        size_t fix;

        if (!ulog_field(&f->ulog, r->topic, "fix_type", "uint8_t", &fix) ||
            r->data[fix] < FIX_OF_THREE_DIMENSIONS)
                return;
        if (read_place(f, r, s))
                s->has |= FLIGHT_LOG_FIX;
        if (read_floats(f, r, (const char *[]){ "vel_n_m_s", "vel_e_m_s", "vel_d_m_s" },
                        3, moves) &&
            is_valid(f, r, "vel_ned_valid")) {
                s->has |= FLIGHT_LOG_FIX_VELOCITY;
                s->fix_vel_ned_mps = vector_of(moves);
        }
}

int64_t flight_ulog_time(const struct flight_ulog *f, const struct ulog_record *r)
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

void flight_ulog_read(struct flight_ulog *f, enum what what, const struct ulog_record *r,
                      struct flight_log_sample *s)
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
        case WHAT_PRESSURE:
                read_pressure(f, r, s);
                break;
        case WHAT_FIX:
                read_fix(f, r, s);
                break;
        }
}
