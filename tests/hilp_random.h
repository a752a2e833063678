/* Random HILP messages that are possible, with extreme values among the ordinary ones,
 * and their fields as one line of JSON. For the tests of HILP and the program that prints
 * vectors. */
#ifndef TESTS_HILP_RANDOM_H
#define TESTS_HILP_RANDOM_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/hilp.h"

/* xorshift64*, Vigna 2016; the state is not 0. */
struct dice {
        uint64_t state;
};

static inline uint64_t dice_roll(struct dice *d)
{
        d->state ^= d->state >> 12;
        d->state ^= d->state << 25;
        d->state ^= d->state >> 27;
        return d->state * 0x2545F4914F6CDD1DULL;
}

/* 0 to n - 1 */
static inline uint32_t dice_below(struct dice *d, uint32_t n)
{
        return (uint32_t)((dice_roll(d) >> 32) * n >> 32);
}

/* Every fourth value is one of the edges of its type. */
static inline uint32_t dice_u32(struct dice *d)
{
        static const uint32_t edges[] = {
                0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFF
        };

        return dice_below(d, 4) == 0 ? edges[dice_below(d, 6)] : (uint32_t)dice_roll(d);
}

static inline uint16_t dice_u16(struct dice *d)
{
        return (uint16_t)(dice_below(d, 4) == 0 ? dice_u32(d) >> 16 : dice_u32(d));
}

static inline uint8_t dice_u8(struct dice *d)
{
        return (uint8_t)dice_u32(d);
}

static inline int32_t dice_i32(struct dice *d)
{
        return (int32_t)dice_u32(d);
}

static inline int16_t dice_i16(struct dice *d)
{
        return (int16_t)dice_u16(d);
}

static inline uint64_t dice_time(struct dice *d)
{
        if (dice_below(d, 8) == 0)
                return HILP_TIME_MAX_US;
        return dice_roll(d) & HILP_TIME_MAX_US >> dice_below(d, 53);
}

static inline uint32_t dice_at_least_1(struct dice *d)
{
        uint32_t value = dice_u32(d);

        return value == 0 ? 1 : value;
}

static inline void dice_text(struct dice *d, char *text, uint32_t max)
{
        uint32_t len = dice_below(d, 4) == 0 ? max : dice_below(d, max + 1);

        for (uint32_t i = 0; i < len; i++)
                text[i] = (char)(' ' + dice_below(d, 95));
        text[len] = '\0';
}

static inline void random_hello(struct dice *d, struct hilp_hello *m)
{
        m->version_max = (uint8_t)(1 + dice_below(d, 255));
        m->version_min = (uint8_t)(1 + dice_below(d, m->version_max));
        m->flags = dice_u8(d);
        m->rotors = (uint8_t)(1 + dice_below(d, 255));
        m->frame_period_us = dice_at_least_1(d);
        for (int i = 0; i < HILP_SENSOR_COUNT; i++)
                m->sensor_period_us[i] = dice_u32(d);
        m->units.accel = dice_at_least_1(d);
        m->units.gyro = dice_at_least_1(d);
        m->units.pressure = dice_at_least_1(d);
        m->units.mag = dice_at_least_1(d);
        m->units.range = dice_at_least_1(d);
        dice_text(d, m->name, HILP_NAME_MAX);
}

static inline void random_hello_ack(struct dice *d, struct hilp_hello_ack *m)
{
        m->version = dice_u8(d);
        m->frame_every = dice_u8(d);
        m->rotors = dice_u8(d);
        m->sensors_used = (uint8_t)dice_below(d, 32);
        m->unique = dice_u32(d);
        dice_text(d, m->name, HILP_NAME_MAX);
}

static inline void random_sensors(struct dice *d, struct hilp_sensors *m)
{
        m->number = dice_u32(d);
        m->time_us = dice_time(d);
        m->fresh = (uint8_t)dice_below(d, 32);
        if (m->fresh & HILP_IMU) {
                m->imu.age_us = dice_u16(d);
                for (int i = 0; i < 3; i++) {
                        m->imu.accel[i] = dice_i32(d);
                        m->imu.gyro[i] = dice_i32(d);
                }
        }
        if (m->fresh & HILP_GPS) {
                m->gps.age_us = dice_u32(d);
                m->gps.lat_1e7deg = dice_i32(d);
                m->gps.lon_1e7deg = dice_i32(d);
                m->gps.height_mm = dice_i32(d);
                for (int i = 0; i < 3; i++)
                        m->gps.vel_ned_mmps[i] = dice_i32(d);
                m->gps.h_acc_cm = dice_u16(d);
                m->gps.v_acc_cm = dice_u16(d);
                m->gps.s_acc_cmps = dice_u16(d);
                m->gps.fix = (const uint8_t[]){ 0, 2, 3 }[dice_below(d, 3)];
                m->gps.satellites = dice_u8(d);
        }
        if (m->fresh & HILP_BARO) {
                m->baro.age_us = dice_u32(d);
                m->baro.pressure = dice_i32(d);
                m->baro.temperature_cdegc = dice_i16(d);
        }
        if (m->fresh & HILP_MAG) {
                m->mag.age_us = dice_u32(d);
                for (int i = 0; i < 3; i++)
                        m->mag.field[i] = dice_i32(d);
        }
        if (m->fresh & HILP_SONAR) {
                m->sonar.age_us = dice_u32(d);
                m->sonar.range = dice_i32(d);
                m->sonar.echo = (uint8_t)dice_below(d, 2);
        }
}

static inline void random_motors(struct dice *d, struct hilp_motors *m)
{
        m->answers = dice_u32(d);
        m->flags = (uint8_t)dice_below(d, 4);
        m->mode = (uint8_t)dice_below(d, 4);
        m->count = (uint8_t)(1 + dice_below(d, HILP_ROTORS_MAX));
        for (int i = 0; i < m->count; i++)
                m->duty[i] = dice_u16(d);
}

static inline void random_input(struct dice *d, struct hilp_input *m)
{
        m->mode = (uint8_t)dice_below(d, 4);
        for (int i = 0; i < 3; i++)
                m->pos_ned_mm[i] = dice_i32(d);
        m->yaw_mrad = dice_i16(d);
        m->channels = (uint8_t)dice_below(d, HILP_RC_MAX + 1);
        for (int i = 0; i < m->channels; i++)
                m->rc_us[i] = dice_u16(d);
}

static inline void random_time_sync(struct dice *d, struct hilp_time_sync *m)
{
        m->id = dice_u16(d);
        m->reply = (uint8_t)dice_below(d, 2);
        m->rig_transmit_us = dice_time(d);
        m->board_receive_us = dice_time(d);
        m->board_transmit_us = dice_time(d);
}

static inline void random_state(struct dice *d, struct hilp_state *m)
{
        for (int i = 0; i < 4; i++) {
                m->q_1e4[i] = dice_i16(d);
                if (m->q_1e4[i] == HILP_INVALID_I16)
                        m->q_1e4[i] = 1;
        }
        if (m->q_1e4[1] == 0 && m->q_1e4[2] == 0 && m->q_1e4[3] == 0)
                m->q_1e4[0] = 10000;
        for (int i = 0; i < 3; i++) {
                m->pos_ned_mm[i] = dice_i32(d);
                m->vel_ned_cmps[i] = dice_i16(d);
        }
}

static inline void random_message(struct dice *d, struct hilp_message *m)
{
        memset(m, 0, sizeof *m);
        m->type = (uint8_t)(HILP_HELLO + dice_below(d, HILP_GOODBYE));
        m->sequence = dice_u8(d);
        switch (m->type) {
        case HILP_HELLO:
                random_hello(d, &m->u.hello);
                break;
        case HILP_HELLO_ACK:
                random_hello_ack(d, &m->u.hello_ack);
                break;
        case HILP_SENSORS:
                random_sensors(d, &m->u.sensors);
                break;
        case HILP_MOTORS:
                random_motors(d, &m->u.motors);
                break;
        case HILP_INPUT:
                random_input(d, &m->u.input);
                break;
        case HILP_TIME_SYNC:
                random_time_sync(d, &m->u.time_sync);
                break;
        case HILP_STATE:
                random_state(d, &m->u.state);
                break;
        case HILP_TEXT:
                m->u.text.severity = (uint8_t)dice_below(d, 3);
                dice_text(d, m->u.text.text, HILP_TEXT_MAX);
                break;
        default:
                break;
        }
}

/* The fields as JSON, named as in docs/protocol.md. Characters are bytes: latin-1. */

static inline void json_text(FILE *f, const char *key, const char *text)
{
        fprintf(f, ",\"%s\":\"", key);
        for (; *text != '\0'; text++) {
                unsigned char c = (unsigned char)*text;

                if (c < ' ' || c > '~' || c == '"' || c == '\\')
                        fprintf(f, "\\u%04x", c);
                else
                        fputc(c, f);
        }
        fputc('"', f);
}

static inline void json_int(FILE *f, const char *key, int64_t value)
{
        fprintf(f, ",\"%s\":%" PRId64, key, value);
}

static inline void json_i32(FILE *f, const char *key, const int32_t *value, int n)
{
        fprintf(f, ",\"%s\":", key);
        for (int i = 0; i < n; i++)
                fprintf(f, "%c%" PRId32, i == 0 ? '[' : ',', value[i]);
        fputs("]", f);
}

static inline void json_u16(FILE *f, const char *key, const uint16_t *value, int n)
{
        fprintf(f, ",\"%s\":[", key);
        for (int i = 0; i < n; i++)
                fprintf(f, "%s%d", i == 0 ? "" : ",", value[i]);
        fputs("]", f);
}

static inline void json_hello(FILE *f, const struct hilp_hello *m)
{
        json_int(f, "version_min", m->version_min);
        json_int(f, "version_max", m->version_max);
        json_int(f, "flags", m->flags);
        json_int(f, "rotors", m->rotors);
        json_int(f, "frame_period_us", m->frame_period_us);
        json_int(f, "imu_period_us", m->sensor_period_us[0]);
        json_int(f, "gps_period_us", m->sensor_period_us[1]);
        json_int(f, "baro_period_us", m->sensor_period_us[2]);
        json_int(f, "mag_period_us", m->sensor_period_us[3]);
        json_int(f, "sonar_period_us", m->sensor_period_us[4]);
        json_int(f, "accel_unit", m->units.accel);
        json_int(f, "gyro_unit", m->units.gyro);
        json_int(f, "pressure_unit", m->units.pressure);
        json_int(f, "mag_unit", m->units.mag);
        json_int(f, "range_unit", m->units.range);
        json_text(f, "name", m->name);
}

static inline void json_hello_ack(FILE *f, const struct hilp_hello_ack *m)
{
        json_int(f, "version", m->version);
        json_int(f, "frame_every", m->frame_every);
        json_int(f, "rotors", m->rotors);
        json_int(f, "sensors_used", m->sensors_used);
        json_int(f, "unique", m->unique);
        json_text(f, "name", m->name);
}

static inline void json_sensors(FILE *f, const struct hilp_sensors *m)
{
        json_int(f, "number", m->number);
        json_int(f, "time_us", (int64_t)m->time_us);
        json_int(f, "fresh", m->fresh);
        if (m->fresh & HILP_IMU) {
                json_int(f, "imu_age_us", m->imu.age_us);
                json_i32(f, "accel", m->imu.accel, 3);
                json_i32(f, "gyro", m->imu.gyro, 3);
        }
        if (m->fresh & HILP_GPS) {
                json_int(f, "gps_age_us", m->gps.age_us);
                json_int(f, "lat", m->gps.lat_1e7deg);
                json_int(f, "lon", m->gps.lon_1e7deg);
                json_int(f, "height", m->gps.height_mm);
                json_i32(f, "gps_vel", m->gps.vel_ned_mmps, 3);
                json_int(f, "h_acc", m->gps.h_acc_cm);
                json_int(f, "v_acc", m->gps.v_acc_cm);
                json_int(f, "s_acc", m->gps.s_acc_cmps);
                json_int(f, "fix", m->gps.fix);
                json_int(f, "satellites", m->gps.satellites);
        }
        if (m->fresh & HILP_BARO) {
                json_int(f, "baro_age_us", m->baro.age_us);
                json_int(f, "pressure", m->baro.pressure);
                json_int(f, "temperature", m->baro.temperature_cdegc);
        }
        if (m->fresh & HILP_MAG) {
                json_int(f, "mag_age_us", m->mag.age_us);
                json_i32(f, "field", m->mag.field, 3);
        }
        if (m->fresh & HILP_SONAR) {
                json_int(f, "sonar_age_us", m->sonar.age_us);
                json_int(f, "range", m->sonar.range);
                json_int(f, "echo", m->sonar.echo);
        }
}

static inline void json_state(FILE *f, const struct hilp_state *m)
{
        const int16_t *q = m->q_1e4, *v = m->vel_ned_cmps;

        fprintf(f, ",\"q\":[%d,%d,%d,%d]", q[0], q[1], q[2], q[3]);
        json_i32(f, "pos", m->pos_ned_mm, 3);
        fprintf(f, ",\"vel\":[%d,%d,%d]", v[0], v[1], v[2]);
}

static inline void json_message(FILE *f, const struct hilp_message *m)
{
        const struct hilp_motors *motors = &m->u.motors;
        const struct hilp_input *input = &m->u.input;
        const struct hilp_time_sync *sync = &m->u.time_sync;

        fprintf(f, "{\"type\":%d,\"sequence\":%d", m->type, m->sequence);
        switch (m->type) {
        case HILP_HELLO:
                json_hello(f, &m->u.hello);
                break;
        case HILP_HELLO_ACK:
                json_hello_ack(f, &m->u.hello_ack);
                break;
        case HILP_SENSORS:
                json_sensors(f, &m->u.sensors);
                break;
        case HILP_MOTORS:
                json_int(f, "answers", motors->answers);
                json_int(f, "flags", motors->flags);
                json_int(f, "mode", motors->mode);
                json_u16(f, "duty", motors->duty, motors->count);
                break;
        case HILP_INPUT:
                json_int(f, "mode", input->mode);
                json_i32(f, "pos", input->pos_ned_mm, 3);
                json_int(f, "yaw", input->yaw_mrad);
                json_u16(f, "rc", input->rc_us, input->channels);
                break;
        case HILP_TIME_SYNC:
                json_int(f, "id", sync->id);
                json_int(f, "reply", sync->reply);
                json_int(f, "rig_transmit", (int64_t)sync->rig_transmit_us);
                json_int(f, "board_receive", (int64_t)sync->board_receive_us);
                json_int(f, "board_transmit", (int64_t)sync->board_transmit_us);
                break;
        case HILP_STATE:
                json_state(f, &m->u.state);
                break;
        case HILP_TEXT:
                json_int(f, "severity", m->u.text.severity);
                json_text(f, "text", m->u.text.text);
                break;
        default:
                break;
        }
        fputs("}", f);
}

#endif
