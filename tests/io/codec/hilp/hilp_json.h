/* The fields of a HILP message as one line of JSON, named as in docs/protocol.md. Characters are
 * bytes: latin-1. */
#pragma once

#include <inttypes.h>
#include <stdio.h>

#include "io/codec/hilp/hilp.h"

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

static inline void json_u8(FILE *f, const char *key, const uint8_t *value, int n)
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

static inline void json_more_sensors(FILE *f, const struct hilp_sensors *m)
{
        if (m->fresh & HILP_FLOW) {
                json_int(f, "flow_age_us", m->flow.age_us);
                json_int(f, "interval_us", m->flow.interval_us);
                json_i32(f, "flow", m->flow.flow_10nrad, 2);
                json_i32(f, "flow_gyro", m->flow.gyro_10nrad, 2);
                json_int(f, "quality", m->flow.quality);
        }
        if (m->fresh & HILP_POWER) {
                json_int(f, "power_age_us", m->power.age_us);
                json_int(f, "voltage", m->power.voltage_uv);
                json_int(f, "current", m->power.current_ua);
                json_int(f, "charge_used", m->power.charge_used_mc);
        }
        if (m->fresh & HILP_INS) {
                json_int(f, "ins_age_us", m->ins.age_us);
                json_i32(f, "ins_pos", m->ins.pos_ned_mm, 3);
                json_i32(f, "euler", m->ins.euler_urad, 3);
        }
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
                json_int(f, "raw_temperature", m->baro.raw_temperature);
                json_int(f, "raw_pressure", m->baro.raw_pressure);
        }
        if (m->fresh & HILP_MAG) {
                json_int(f, "mag_age_us", m->mag.age_us);
                json_i32(f, "field", m->mag.field, 3);
        }
        json_more_sensors(f, m);
}

static inline void json_sonars(FILE *f, const struct hilp_sonars *m)
{
        json_int(f, "number", m->number);
        json_int(f, "time_us", (int64_t)m->time_us);
        fputs(",\"sonars\":[", f);
        for (int i = 0; i < m->count; i++) {
                fprintf(f, "%s{\"index\":%d", i == 0 ? "" : ",", m->sonar[i].index);
                json_int(f, "age_us", m->sonar[i].age_us);
                json_int(f, "range", m->sonar[i].range);
                json_int(f, "echo", m->sonar[i].echo);
                fputs("}", f);
        }
        fputs("]", f);
}

static inline void json_real_ranges(FILE *f, const struct hilp_real_ranges *m)
{
        fputs(",\"ranges\":[", f);
        for (int i = 0; i < m->count; i++) {
                fprintf(f, "%s{\"index\":%d", i == 0 ? "" : ",", m->range[i].index);
                json_int(f, "range", m->range[i].range_mm);
                fputs("}", f);
        }
        fputs("]", f);
}

static inline void json_parts(FILE *f, const struct hilp_parts *m)
{
        json_int(f, "sonars", m->sonars);
        json_int(f, "baro_oversampling", m->baro_oversampling);
        json_int(f, "flow_period_us", m->flow_period_us);
        json_int(f, "power_period_us", m->power_period_us);
        json_int(f, "ins_period_us", m->ins_period_us);
        json_int(f, "ac1", m->baro.ac1);
        json_int(f, "ac2", m->baro.ac2);
        json_int(f, "ac3", m->baro.ac3);
        json_int(f, "ac4", m->baro.ac4);
        json_int(f, "ac5", m->baro.ac5);
        json_int(f, "ac6", m->baro.ac6);
        json_int(f, "b1", m->baro.b1);
        json_int(f, "b2", m->baro.b2);
        json_int(f, "mb", m->baro.mb);
        json_int(f, "mc", m->baro.mc);
        json_int(f, "md", m->baro.md);
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
        case HILP_SENSORS_V2:
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
        case HILP_PARTS:
                json_parts(f, &m->u.parts);
                break;
        case HILP_SONARS:
                json_sonars(f, &m->u.sonars);
                break;
        case HILP_REAL_RANGES:
                json_real_ranges(f, &m->u.real_ranges);
                break;
        case HILP_OPTION:
                json_text(f, "key", m->u.option.key);
                json_text(f, "value", m->u.option.value);
                break;
        case HILP_OPTION_ACK:
                json_text(f, "key", m->u.option_ack.key);
                json_int(f, "accepted", m->u.option_ack.accepted);
                break;
        case HILP_RADIO:
                json_int(f, "address", m->u.radio.address);
                json_int(f, "radios", m->u.radio.radios);
                json_int(f, "bytes_max", m->u.radio.bytes_max);
                break;
        case HILP_PEER_SEND:
        case HILP_PEER:
                json_int(f, "peer", m->u.peer.peer);
                json_int(f, "power", m->u.peer.power_dbm);
                json_u8(f, "bytes", m->u.peer.bytes, m->u.peer.len);
                break;
        default:
                break;
        }
        fputs("}", f);
}
