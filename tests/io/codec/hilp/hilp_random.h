/* Random HILP messages that are possible, with extreme values among the ordinary ones. For the
 * tests of HILP and the program that prints vectors. */
#pragma once

#include <string.h>

#include "io/codec/hilp/hilp.h"

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

static inline void dice_key(struct dice *d, char *key)
{
        dice_text(d, key, HILP_OPTION_MAX);
        if (key[0] == '\0')
                key[0] = 'k'; /* a zero follows */
}

static inline void random_hello(struct dice *d, struct hilp_hello *m)
{
        m->version_max = (uint8_t)(1 + dice_below(d, 255));
        m->version_min = (uint8_t)(1 + dice_below(d, m->version_max));
        m->flags = dice_u8(d);
        m->rotors = (uint8_t)(1 + dice_below(d, 255));
        m->frame_period_us = dice_at_least_1(d);
        for (int i = 0; i < HILP_HELLO_SENSORS; i++)
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
        m->sensors_used = dice_u8(d);
        m->unique = dice_u32(d);
        dice_text(d, m->name, HILP_NAME_MAX);
}

static inline void random_more_sensors(struct dice *d, struct hilp_sensors *m)
{
        if (m->fresh & HILP_FLOW) {
                m->flow.age_us = dice_u32(d);
                m->flow.interval_us = dice_u32(d);
                for (int i = 0; i < 2; i++) {
                        m->flow.flow_10nrad[i] = dice_i32(d);
                        m->flow.gyro_10nrad[i] = dice_i32(d);
                }
                m->flow.quality = dice_u8(d);
        }
        if (m->fresh & HILP_POWER) {
                m->power.age_us = dice_u32(d);
                m->power.voltage_uv = dice_i32(d);
                m->power.current_ua = dice_i32(d);
                m->power.charge_used_mc = dice_i32(d);
        }
        if (m->fresh & HILP_INS) {
                m->ins.age_us = dice_u32(d);
                for (int i = 0; i < 3; i++) {
                        m->ins.pos_ned_mm[i] = dice_i32(d);
                        m->ins.euler_urad[i] = dice_i32(d);
                }
        }
}

static inline void random_sensors(struct dice *d, struct hilp_sensors *m)
{
        m->number = dice_u32(d);
        m->time_us = dice_time(d);
        m->fresh = (uint16_t)dice_below(d, 256);
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
                m->baro.raw_temperature = dice_i32(d);
                m->baro.raw_pressure = dice_i32(d);
        }
        if (m->fresh & HILP_MAG) {
                m->mag.age_us = dice_u32(d);
                for (int i = 0; i < 3; i++)
                        m->mag.field[i] = dice_i32(d);
        }
        random_more_sensors(d, m);
}

/* Indices below HILP_SONARS_MAX, upward; returns how many of at most that many. */
static inline uint8_t random_indices(struct dice *d, uint8_t index[HILP_SONARS_MAX])
{
        uint32_t chosen = dice_below(d, 4) == 0 ? 0xFFFF : dice_u16(d);
        uint8_t count = 0;

        for (uint8_t i = 0; i < HILP_SONARS_MAX; i++)
                if (chosen >> i & 1)
                        index[count++] = i;
        return count;
}

static inline void random_sonars(struct dice *d, struct hilp_sonars *m)
{
        uint8_t index[HILP_SONARS_MAX] = { 0 };

        m->number = dice_u32(d);
        m->time_us = dice_time(d);
        m->count = random_indices(d, index);
        if (m->count == 0)
                m->count = 1;
        for (int i = 0; i < m->count; i++)
                m->sonar[i] = (struct hilp_sonar){ index[i], dice_u32(d), dice_i32(d),
                                                   (uint8_t)dice_below(d, 2) };
}

static inline void random_real_ranges(struct dice *d, struct hilp_real_ranges *m)
{
        uint8_t index[HILP_SONARS_MAX] = { 0 };

        m->count = random_indices(d, index);
        for (int i = 0; i < m->count; i++) {
                int32_t range = dice_i32(d);

                m->range[i].index = index[i];
                m->range[i].range_mm =
                        range < 0 && range != HILP_INVALID_I32 ? -range : range;
        }
}

static inline void random_parts(struct dice *d, struct hilp_parts *m)
{
        m->sonars = (uint8_t)dice_below(d, HILP_SONARS_MAX + 1);
        m->baro_oversampling = (uint8_t)dice_below(d, HILP_BARO_OVERSAMPLING_MAX + 1);
        m->flow_period_us = dice_u32(d);
        m->power_period_us = dice_u32(d);
        m->ins_period_us = dice_u32(d);
        m->baro.ac1 = dice_i16(d);
        m->baro.ac2 = dice_i16(d);
        m->baro.ac3 = dice_i16(d);
        m->baro.ac4 = dice_u16(d);
        m->baro.ac5 = dice_u16(d);
        m->baro.ac6 = dice_u16(d);
        m->baro.b1 = dice_i16(d);
        m->baro.b2 = dice_i16(d);
        m->baro.mb = dice_i16(d);
        m->baro.mc = dice_i16(d);
        m->baro.md = dice_i16(d);
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
        m->type = (uint8_t)(HILP_HELLO + dice_below(d, HILP_TYPE_MAX));
        m->sequence = dice_u8(d);
        switch (m->type) {
        case HILP_HELLO:
                random_hello(d, &m->u.hello);
                break;
        case HILP_HELLO_ACK:
                random_hello_ack(d, &m->u.hello_ack);
                break;
        case HILP_SENSORS_V2:
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
        case HILP_PARTS:
                random_parts(d, &m->u.parts);
                break;
        case HILP_SONARS:
                random_sonars(d, &m->u.sonars);
                break;
        case HILP_REAL_RANGES:
                random_real_ranges(d, &m->u.real_ranges);
                break;
        case HILP_OPTION:
                dice_key(d, m->u.option.key);
                dice_text(d, m->u.option.value, HILP_OPTION_MAX);
                break;
        case HILP_OPTION_ACK:
                dice_key(d, m->u.option_ack.key);
                m->u.option_ack.accepted = (uint8_t)dice_below(d, 2);
                break;
        case HILP_RADIO:
                m->u.radio.radios = (uint16_t)(1 + dice_below(d, UINT16_MAX));
                m->u.radio.address = (uint16_t)dice_below(d, m->u.radio.radios);
                m->u.radio.bytes_max = (uint8_t)(1 + dice_below(d, HILP_PEER_MAX));
                break;
        case HILP_PEER_SEND:
        case HILP_PEER:
                m->u.peer.peer = dice_u16(d);
                m->u.peer.power_dbm = dice_i16(d);
                m->u.peer.len = (uint8_t)(1 + dice_below(d, HILP_PEER_MAX));
                for (int i = 0; i < m->u.peer.len; i++)
                        m->u.peer.bytes[i] = dice_u8(d);
                break;
        default:
                break;
        }
}
