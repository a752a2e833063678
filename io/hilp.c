/* HILP messages to payloads and back. Each layout is written once, as a walk over its
 * fields that either writes or reads, so that the two cannot disagree. Integers only,
 * C99. */
#include "io/hilp.h"

#include <string.h>

/* How far a message may arrive behind a newer one and still be called late, not a long
 * loss. */
#define LATE_MAX 16

/* A payload being written or read. A read past its end gives 0 and clears `fits`. */
struct wire {
        uint8_t bytes[HILP_PAYLOAD_MAX];
        size_t at, len;
        int writing, fits;
};

static void uint_field(struct wire *w, uint64_t *value, size_t size)
{
        if (size > w->len - w->at) {
                w->fits = 0;
                *value = 0;
                return;
        }
        if (w->writing) {
                for (size_t i = 0; i < size; i++)
                        w->bytes[w->at + i] = (uint8_t)(*value >> (8 * i) & 0xFF);
        } else {
                *value = 0;
                for (size_t i = 0; i < size; i++)
                        *value |= (uint64_t)w->bytes[w->at + i] << (8 * i);
        }
        w->at += size;
}

static void u8(struct wire *w, uint8_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 1);
        *value = (uint8_t)wide;
}

static void u16(struct wire *w, uint16_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 2);
        *value = (uint16_t)wide;
}

static void u32(struct wire *w, uint32_t *value)
{
        uint64_t wide = *value;

        uint_field(w, &wide, 4);
        *value = (uint32_t)wide;
}

static void u64(struct wire *w, uint64_t *value)
{
        uint_field(w, value, 8);
}

/* Two's complement, which the intN_t types are: the bits are copied, nothing is
 * converted. */
static void i16(struct wire *w, int16_t *value)
{
        uint16_t bits;

        memcpy(&bits, value, sizeof bits);
        u16(w, &bits);
        memcpy(value, &bits, sizeof bits);
}

static void i32(struct wire *w, int32_t *value)
{
        uint32_t bits;

        memcpy(&bits, value, sizeof bits);
        u32(w, &bits);
        memcpy(value, &bits, sizeof bits);
}

static void i32_xyz(struct wire *w, int32_t *value)
{
        for (int i = 0; i < 3; i++)
                i32(w, &value[i]);
}

/* Length of a string within its array, which need not end in a zero. */
static size_t text_len(const char *text, size_t max)
{
        size_t n = 0;

        while (n < max && text[n] != '\0')
                n++;
        return n;
}

/* size bytes of characters; what follows a zero among them is nothing. */
static void chars(struct wire *w, char *text, size_t size)
{
        uint8_t *at = w->bytes + w->at;
        size_t used = 0;

        if (size > w->len - w->at) {
                w->fits = 0;
                return;
        }
        if (w->writing) {
                memset(at, 0, size);
                memcpy(at, text, text_len(text, size));
        } else {
                while (used < size && at[used] != 0)
                        used++;
                memcpy(text, at, used);
                text[used] = '\0';
        }
        w->at += size;
}

/* The layouts, in the order of enum hilp_type. docs/protocol.md gives their offsets. */

static void walk_hello(struct wire *w, struct hilp_hello *m)
{
        u8(w, &m->version_min);
        u8(w, &m->version_max);
        u8(w, &m->flags);
        u8(w, &m->rotors);
        u32(w, &m->frame_period_us);
        for (int i = 0; i < HILP_SENSOR_COUNT; i++)
                u32(w, &m->sensor_period_us[i]);
        u32(w, &m->units.accel);
        u32(w, &m->units.gyro);
        u32(w, &m->units.pressure);
        u32(w, &m->units.mag);
        u32(w, &m->units.range);
        chars(w, m->name, HILP_NAME_MAX);
}

static void walk_hello_ack(struct wire *w, struct hilp_hello_ack *m)
{
        u8(w, &m->version);
        u8(w, &m->frame_every);
        u8(w, &m->rotors);
        u8(w, &m->sensors_used);
        u32(w, &m->unique);
        chars(w, m->name, HILP_NAME_MAX);
}

static void walk_gps(struct wire *w, struct hilp_sensors *m)
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

static void walk_sensors(struct wire *w, struct hilp_sensors *m)
{
        u32(w, &m->number);
        u64(w, &m->time_us);
        u8(w, &m->fresh);
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
        }
        if (m->fresh & HILP_MAG) {
                u32(w, &m->mag.age_us);
                i32_xyz(w, m->mag.field);
        }
        if (m->fresh & HILP_SONAR) {
                u32(w, &m->sonar.age_us);
                i32(w, &m->sonar.range);
                u8(w, &m->sonar.echo);
        }
}

static void walk_motors(struct wire *w, struct hilp_motors *m)
{
        u32(w, &m->answers);
        u8(w, &m->flags);
        u8(w, &m->mode);
        u8(w, &m->count);
        for (int i = 0; i < m->count && i < HILP_ROTORS_MAX; i++)
                u16(w, &m->duty[i]);
}

static void walk_input(struct wire *w, struct hilp_input *m)
{
        u8(w, &m->mode);
        i32_xyz(w, m->pos_ned_mm);
        i16(w, &m->yaw_mrad);
        u8(w, &m->channels);
        for (int i = 0; i < m->channels && i < HILP_RC_MAX; i++)
                u16(w, &m->rc_us[i]);
}

static void walk_time_sync(struct wire *w, struct hilp_time_sync *m)
{
        u16(w, &m->id);
        u8(w, &m->reply);
        u64(w, &m->rig_transmit_us);
        u64(w, &m->board_receive_us);
        u64(w, &m->board_transmit_us);
}

static void walk_state(struct wire *w, struct hilp_state *m)
{
        for (int i = 0; i < 4; i++)
                i16(w, &m->q_1e4[i]);
        i32_xyz(w, m->pos_ned_mm);
        for (int i = 0; i < 3; i++)
                i16(w, &m->vel_ned_cmps[i]);
}

/* The one body of variable length: the words fill the payload. */
static void walk_text(struct wire *w, struct hilp_text *m)
{
        size_t len;

        u8(w, &m->severity);
        len = w->writing ? text_len(m->text, HILP_TEXT_MAX) : w->len - w->at;
        if (len > HILP_TEXT_MAX)
                w->fits = 0;
        else
                chars(w, m->text, len);
}

static void walk(struct wire *w, struct hilp_message *m)
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
        case HILP_SENSORS:
                walk_sensors(w, &m->u.sensors);
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
        default:
                w->fits = 0;
        }
}

/* What no rig and no board says, whatever its length. Unknown flags of a hello are let
 * through: a later version may have set them, and is to be answered. */
static int hello_possible(const struct hilp_hello *m)
{
        const struct hilp_units *u = &m->units;

        return m->version_min >= 1 && m->version_min <= m->version_max &&
               m->rotors >= 1 && m->frame_period_us >= 1 && u->accel >= 1 &&
               u->gyro >= 1 && u->pressure >= 1 && u->mag >= 1 && u->range >= 1;
}

static int sensors_possible(const struct hilp_sensors *m)
{
        if (m->time_us > HILP_TIME_MAX_US || m->fresh >> HILP_SENSOR_COUNT != 0)
                return 0;
        if ((m->fresh & HILP_GPS) && (m->gps.fix == 1 || m->gps.fix > 3))
                return 0;
        return !(m->fresh & HILP_SONAR) || m->sonar.echo <= 1;
}

static int motors_possible(const struct hilp_motors *m)
{
        return (m->flags & ~(HILP_ARMED | HILP_FAILSAFE)) == 0 &&
               m->mode <= HILP_MODE_LAND && m->count >= 1 && m->count <= HILP_ROTORS_MAX;
}

static int time_sync_possible(const struct hilp_time_sync *m)
{
        return m->reply <= 1 && m->rig_transmit_us <= HILP_TIME_MAX_US &&
               m->board_receive_us <= HILP_TIME_MAX_US &&
               m->board_transmit_us <= HILP_TIME_MAX_US;
}

/* An attitude has a direction: not all zero, none of it invalid. */
static int state_possible(const struct hilp_state *m)
{
        int any = 0;

        for (int i = 0; i < 4; i++) {
                if (m->q_1e4[i] == HILP_INVALID_I16)
                        return 0;
                any |= m->q_1e4[i] != 0;
        }
        return any;
}

static int possible(const struct hilp_message *m)
{

        switch (m->type) {
        case HILP_HELLO:
                return hello_possible(&m->u.hello);
        case HILP_HELLO_ACK:
                return m->u.hello_ack.sensors_used >> HILP_SENSOR_COUNT == 0;
        case HILP_SENSORS:
                return sensors_possible(&m->u.sensors);
        case HILP_MOTORS:
                return motors_possible(&m->u.motors);
        case HILP_INPUT:
                return m->u.input.mode <= HILP_MODE_LAND &&
                       m->u.input.channels <= HILP_RC_MAX;
        case HILP_TIME_SYNC:
                return time_sync_possible(&m->u.time_sync);
        case HILP_STATE:
                return state_possible(&m->u.state);
        case HILP_TEXT:
                return m->u.text.severity <= 2;
        default:
                return m->type == HILP_GOODBYE;
        }
}

size_t hilp_encode(const struct hilp_message *m, uint8_t *payload)
{
        struct wire w = { .len = HILP_PAYLOAD_MAX, .writing = 1, .fits = 1 };
        struct hilp_message copy = *m; /* a walk's fields are not const, for reading */

        if (!possible(m))
                return 0;
        walk(&w, &copy);
        if (!w.fits)
                return 0;
        memcpy(payload, w.bytes, w.at);
        return w.at;
}

int hilp_decode(struct hilp_message *m, const uint8_t *payload, size_t len)
{
        struct wire w = { .len = len, .writing = 0, .fits = 1 };

        memset(m, 0, sizeof *m);
        if (len > HILP_PAYLOAD_MAX)
                return 0;
        memcpy(w.bytes, payload, len);
        walk(&w, m);
        return w.fits && w.at == len && possible(m);
}

int hilp_sequence_take(struct hilp_sequence *s, const uint8_t *payload, size_t len)
{
        uint16_t crc = hilp_crc16(payload, len);
        uint8_t ahead = (uint8_t)(payload[1] - s->newest);

        if (s->known && ahead == 0 && crc == s->crc)
                return 0;
        if (s->known && ahead >= 256 - LATE_MAX)
                return 1;
        if (s->known && ahead > 0)
                s->lost += ahead - 1U;
        s->known = 1;
        s->newest = payload[1];
        s->crc = crc;
        return 1;
}

size_t hilp_write(const struct hilp_message *m, uint8_t *out)
{
        uint8_t payload[HILP_PAYLOAD_MAX];

        return hilp_frame_encode(payload, hilp_encode(m, payload), out);
}
