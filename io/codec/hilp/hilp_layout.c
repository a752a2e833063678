/* The layout of every HILP message. docs/protocol.md gives the offsets. Integers only, C99. */
#include "io/codec/hilp/hilp_wire.h"

static void walk_hello(struct hilp_wire *w, struct hilp_hello *m)
{
        u8(w, &m->version_min);
        u8(w, &m->version_max);
        u8(w, &m->flags);
        u8(w, &m->rotors);
        u32(w, &m->frame_period_us);
        for (int i = 0; i < HILP_HELLO_SENSORS; i++)
                u32(w, &m->sensor_period_us[i]);
        u32(w, &m->units.accel);
        u32(w, &m->units.gyro);
        u32(w, &m->units.pressure);
        u32(w, &m->units.mag);
        u32(w, &m->units.range);
        chars(w, m->name, HILP_NAME_MAX);
}

static void walk_baro_words(struct hilp_wire *w, struct hilp_baro_words *m)
{
        i16(w, &m->ac1);
        i16(w, &m->ac2);
        i16(w, &m->ac3);
        u16(w, &m->ac4);
        u16(w, &m->ac5);
        u16(w, &m->ac6);
        i16(w, &m->b1);
        i16(w, &m->b2);
        i16(w, &m->mb);
        i16(w, &m->mc);
        i16(w, &m->md);
}

static void walk_parts(struct hilp_wire *w, struct hilp_parts *m)
{
        u8(w, &m->sonars);
        u8(w, &m->baro_oversampling);
        u32(w, &m->flow_period_us);
        u32(w, &m->power_period_us);
        u32(w, &m->ins_period_us);
        walk_baro_words(w, &m->baro);
}

static void walk_hello_ack(struct hilp_wire *w, struct hilp_hello_ack *m)
{
        u8(w, &m->version);
        u8(w, &m->frame_every);
        u8(w, &m->rotors);
        u8(w, &m->sensors_used);
        u32(w, &m->unique);
        chars(w, m->name, HILP_NAME_MAX);
}

static void walk_gps(struct hilp_wire *w, struct hilp_sensors *m)
{
        u32(w, &m->gps.age_us);
        i32(w, &m->gps.lat_1e7deg);
        i32(w, &m->gps.lon_1e7deg);
        i32(w, &m->gps.height_mm);
        i32_xyz(w, m->gps.vel_ned_mmps);
        u16(w, &m->gps.h_acc_cm);
        u16(w, &m->gps.v_acc_cm);
        u16(w, &m->gps.s_acc_cmps);
        u8(w, &m->gps.fix);
        u8(w, &m->gps.satellites);
}

static void walk_flow(struct hilp_wire *w, struct hilp_sensors *m)
{
        u32(w, &m->flow.age_us);
        u32(w, &m->flow.interval_us);
        for (int i = 0; i < 2; i++)
                i32(w, &m->flow.flow_10nrad[i]);
        for (int i = 0; i < 2; i++)
                i32(w, &m->flow.gyro_10nrad[i]);
        u8(w, &m->flow.quality);
}

/* The sensors that a small vehicle has not. */
static void walk_more_sensors(struct hilp_wire *w, struct hilp_sensors *m)
{
        if (m->fresh & HILP_FLOW)
                walk_flow(w, m);
        if (m->fresh & HILP_POWER) {
                u32(w, &m->power.age_us);
                i32(w, &m->power.voltage_uv);
                i32(w, &m->power.current_ua);
                i32(w, &m->power.charge_used_mc);
        }
        if (m->fresh & HILP_INS) {
                u32(w, &m->ins.age_us);
                i32_xyz(w, m->ins.pos_ned_mm);
                i32_xyz(w, m->ins.euler_urad);
        }
        if (m->fresh & HILP_RELATIVE) {
                u32(w, &m->relative.age_us);
                u16(w, &m->relative.peer);
                i32(w, &m->relative.range_mm);
                i32(w, &m->relative.azimuth_urad);
                i32(w, &m->relative.elevation_urad);
        }
}

/* sensors_possible() has made sure that nothing is cut off. */
static void walk_fresh(struct hilp_wire *w, uint8_t type, uint16_t *fresh)
{
        uint8_t low = (uint8_t)*fresh;

        if (type == HILP_SENSORS) {
                u16(w, fresh);
                return;
        }
        u8(w, &low);
        *fresh = low;
}

static void walk_sensors(struct hilp_wire *w, uint8_t type, struct hilp_sensors *m)
{
        u32(w, &m->number);
        u64(w, &m->time_us);
        walk_fresh(w, type, &m->fresh);
        if (m->fresh & HILP_IMU) {
                u16(w, &m->imu.age_us);
                i32_xyz(w, m->imu.accel);
                i32_xyz(w, m->imu.gyro);
        }
        if (m->fresh & HILP_GPS)
                walk_gps(w, m);
        if (m->fresh & HILP_BARO) {
                u32(w, &m->baro.age_us);
                i32(w, &m->baro.pressure);
                i16(w, &m->baro.temperature_cdegc);
                i32(w, &m->baro.raw_temperature);
                i32(w, &m->baro.raw_pressure);
        }
        if (m->fresh & HILP_MAG) {
                u32(w, &m->mag.age_us);
                i32_xyz(w, m->mag.field);
        }
        if (m->fresh & (HILP_FLOW | HILP_POWER | HILP_INS | HILP_RELATIVE))
                walk_more_sensors(w, m);
}

static void walk_sonars(struct hilp_wire *w, struct hilp_sonars *m)
{
        u32(w, &m->number);
        u64(w, &m->time_us);
        u8(w, &m->count);
        for (int i = 0; i < m->count && i < HILP_SONARS_MAX; i++) {
                u8(w, &m->sonar[i].index);
                u32(w, &m->sonar[i].age_us);
                i32(w, &m->sonar[i].range);
                u8(w, &m->sonar[i].echo);
        }
}

static void walk_real_ranges(struct hilp_wire *w, struct hilp_real_ranges *m)
{
        u8(w, &m->count);
        for (int i = 0; i < m->count && i < HILP_SONARS_MAX; i++) {
                u8(w, &m->range[i].index);
                i32(w, &m->range[i].range_mm);
        }
}

static void walk_motors(struct hilp_wire *w, struct hilp_motors *m)
{
        u32(w, &m->answers);
        u8(w, &m->flags);
        u8(w, &m->mode);
        u8(w, &m->count);
        for (int i = 0; i < m->count && i < HILP_ROTORS_MAX; i++)
                u16(w, &m->duty[i]);
}

static void walk_input(struct hilp_wire *w, struct hilp_input *m)
{
        u8(w, &m->mode);
        i32_xyz(w, m->pos_ned_mm);
        i16(w, &m->yaw_mrad);
        u8(w, &m->channels);
        for (int i = 0; i < m->channels && i < HILP_RC_MAX; i++)
                u16(w, &m->rc_us[i]);
}

static void walk_time_sync(struct hilp_wire *w, struct hilp_time_sync *m)
{
        u16(w, &m->id);
        u8(w, &m->reply);
        u64(w, &m->rig_transmit_us);
        u64(w, &m->board_receive_us);
        u64(w, &m->board_transmit_us);
}

static void walk_state(struct hilp_wire *w, struct hilp_state *m)
{
        for (int i = 0; i < 4; i++)
                i16(w, &m->q_1e4[i]);
        i32_xyz(w, m->pos_ned_mm);
        for (int i = 0; i < 3; i++)
                i16(w, &m->vel_ned_cmps[i]);
}

/* The one body of variable length: the words fill the payload. */
static void walk_text(struct hilp_wire *w, struct hilp_text *m)
{
        size_t len;

        u8(w, &m->severity);
        len = w->writing ? text_len(m->text, HILP_TEXT_MAX) : w->len - w->at;
        if (len > HILP_TEXT_MAX)
                w->fits = 0;
        else
                chars(w, m->text, len);
}

static void walk_option(struct hilp_wire *w, struct hilp_option *m)
{
        chars(w, m->key, HILP_OPTION_MAX);
        chars(w, m->value, HILP_OPTION_MAX);
}

static void walk_option_ack(struct hilp_wire *w, struct hilp_option_ack *m)
{
        chars(w, m->key, HILP_OPTION_MAX);
        u8(w, &m->accepted);
}

static void walk_radio(struct hilp_wire *w, struct hilp_radio *m)
{
        u16(w, &m->address);
        u16(w, &m->radios);
        u8(w, &m->bytes_max);
}

static void walk_peer(struct hilp_wire *w, struct hilp_peer *m)
{
        u16(w, &m->peer);
        i16(w, &m->power_dbm);
        u8(w, &m->len);
        for (int i = 0; i < m->len && i < HILP_PEER_MAX; i++)
                u8(w, &m->bytes[i]);
}

void hilp_walk(struct hilp_wire *w, struct hilp_message *m)
{
        u8(w, &m->type);
        u8(w, &m->sequence);
        switch (m->type) {
        case HILP_HELLO:
                walk_hello(w, &m->u.hello);
                break;
        case HILP_HELLO_ACK:
                walk_hello_ack(w, &m->u.hello_ack);
                break;
        case HILP_SENSORS_V2:
        case HILP_SENSORS:
                walk_sensors(w, m->type, &m->u.sensors);
                break;
        case HILP_MOTORS:
                walk_motors(w, &m->u.motors);
                break;
        case HILP_INPUT:
                walk_input(w, &m->u.input);
                break;
        case HILP_TIME_SYNC:
                walk_time_sync(w, &m->u.time_sync);
                break;
        case HILP_STATE:
                walk_state(w, &m->u.state);
                break;
        case HILP_TEXT:
                walk_text(w, &m->u.text);
                break;
        case HILP_GOODBYE:
                break;
        case HILP_PARTS:
                walk_parts(w, &m->u.parts);
                break;
        case HILP_SONARS:
                walk_sonars(w, &m->u.sonars);
                break;
        case HILP_REAL_RANGES:
                walk_real_ranges(w, &m->u.real_ranges);
                break;
        case HILP_OPTION:
                walk_option(w, &m->u.option);
                break;
        case HILP_OPTION_ACK:
                walk_option_ack(w, &m->u.option_ack);
                break;
        case HILP_RADIO:
                walk_radio(w, &m->u.radio);
                break;
        case HILP_PEER_SEND:
        case HILP_PEER:
                walk_peer(w, &m->u.peer);
                break;
        default:
                w->fits = 0;
        }
}
