/* HILP messages to payloads and back, and what no message can say. Integers only, C99. */
#include "io/codec/hilp/hilp_wire.h"

/* How far a message may arrive behind a newer one and still be called late, not a long
 * loss. */
#define LATE_MAX 16

/* What no rig and no board says, whatever its length. Unknown flags of a hello are let
 * through: a later version may have set them, and is to be answered. */
static int hello_possible(const struct hilp_hello *m)
{
        const struct hilp_units *u = &m->units;

        return m->version_min >= 1 && m->version_min <= m->version_max &&
               m->frame_period_us >= 1 && u->accel >= 1 && u->gyro >= 1 &&
               u->pressure >= 1 && u->mag >= 1 && u->range >= 1;
}

enum hilp_type hilp_sensors_type(int version)
{
        return version <= 2 ? HILP_SENSORS_V2 : HILP_SENSORS;
}

int hilp_sensor_count(int version)
{
        return version <= 3 ? HILP_SENSOR_COUNT_V3 : HILP_SENSOR_COUNT;
}

/* A bit without a block that is known here, or that does not fit the layout, is nobody's. */
static int sensors_possible(uint8_t type, const struct hilp_sensors *m)
{
        int known = type == HILP_SENSORS_V2 ? HILP_SENSOR_COUNT_V3 : HILP_SENSOR_COUNT;

        return m->fresh >> known == 0 && m->time_us <= HILP_TIME_MAX_US &&
               (!(m->fresh & HILP_GPS) || (m->gps.fix != 1 && m->gps.fix <= 3));
}

static int sonars_possible(const struct hilp_sonars *m)
{
        if (m->time_us > HILP_TIME_MAX_US || m->count < 1 || m->count > HILP_SONARS_MAX)
                return 0;
        for (int i = 0; i < m->count; i++) {
                if (m->sonar[i].index >= HILP_SONARS_MAX || m->sonar[i].echo > 1)
                        return 0;
                if (i > 0 && m->sonar[i].index <= m->sonar[i - 1].index)
                        return 0;
        }
        return 1;
}

static int real_ranges_possible(const struct hilp_real_ranges *m)
{
        if (m->count > HILP_SONARS_MAX)
                return 0;
        for (int i = 0; i < m->count; i++) {
                int32_t range = m->range[i].range_mm;

                if (m->range[i].index >= HILP_SONARS_MAX ||
                    (range < 0 && range != HILP_INVALID_I32))
                        return 0;
                if (i > 0 && m->range[i].index <= m->range[i - 1].index)
                        return 0;
        }
        return 1;
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

/* Printable ASCII; a receiver has made sure that it ends. */
static int is_printable(const char *text)
{
        for (; *text != '\0'; text++)
                if (*text < ' ' || *text > '~')
                        return 0;
        return 1;
}

static int key_possible(const char *key)
{
        return key[0] != '\0' && is_printable(key);
}

static int possible(const struct hilp_message *m)
{
        switch (m->type) {
        case HILP_HELLO:
                return hello_possible(&m->u.hello);
        case HILP_SENSORS_V2:
        case HILP_SENSORS:
                return sensors_possible(m->type, &m->u.sensors);
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
        case HILP_PARTS:
                return m->u.parts.sonars <= HILP_SONARS_MAX &&
                       m->u.parts.baro_oversampling <= HILP_BARO_OVERSAMPLING_MAX;
        case HILP_SONARS:
                return sonars_possible(&m->u.sonars);
        case HILP_REAL_RANGES:
                return real_ranges_possible(&m->u.real_ranges);
        case HILP_OPTION:
                return key_possible(m->u.option.key) && is_printable(m->u.option.value);
        case HILP_OPTION_ACK:
                return key_possible(m->u.option_ack.key) && m->u.option_ack.accepted <= 1;
        case HILP_RADIO:
                return m->u.radio.address < m->u.radio.radios &&
                       m->u.radio.bytes_max >= 1 && m->u.radio.bytes_max <= HILP_PEER_MAX;
        case HILP_PEER_SEND:
        case HILP_PEER:
                return m->u.peer.len >= 1 && m->u.peer.len <= HILP_PEER_MAX;
        default:
                return m->type == HILP_HELLO_ACK || m->type == HILP_GOODBYE;
        }
}

size_t hilp_encode(const struct hilp_message *m, uint8_t *payload)
{
        struct hilp_wire w = { .len = HILP_PAYLOAD_MAX, .writing = 1, .fits = 1 };
        struct hilp_message copy = *m; /* a walk's fields are not const, for reading */

        if (!possible(m))
                return 0;
        hilp_walk(&w, &copy);
        if (!w.fits)
                return 0;
        memcpy(payload, w.bytes, w.at);
        return w.at;
}

int hilp_decode(struct hilp_message *m, const uint8_t *payload, size_t len)
{
        struct hilp_wire w = { .len = len, .writing = 0, .fits = 1 };

        memset(m, 0, sizeof *m);
        if (len > HILP_PAYLOAD_MAX)
                return 0;
        memcpy(w.bytes, payload, len);
        hilp_walk(&w, m);
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
