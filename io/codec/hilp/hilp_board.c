/* The board's side of a HILP conversation: answers hello and time sync by itself, hands
 * on sensors, input and goodbye. It decides nothing about flying. */
#include "io/codec/hilp/hilp_board.h"

#include <assert.h>
#include <string.h>

#include "io/codec/hilp/hilp_si.h"

/* Between two requests for a hello, of the board's time. */
#define ASK_PERIOD_US 100000

/* As much as fits, terminated. By hand: firmware has better use for its flash than printf. */
static void copy_text(char *to, size_t cap, const char *text)
{
        size_t len = strnlen(text, cap - 1);

        memcpy(to, text, len);
        to[len] = '\0';
}

void hilp_board_init(struct hilp_board *b, const char *name, int rotors, int frame_every,
                     uint32_t unique)
{
        assert(rotors >= 1 && rotors <= HILP_ROTORS_MAX);
        assert(frame_every >= 1 && frame_every <= UINT8_MAX);

        memset(b, 0, sizeof *b);
        b->self.frame_every = (uint8_t)frame_every;
        b->self.rotors = (uint8_t)rotors;
        b->self.sensors_used = HILP_IMU | HILP_GPS | HILP_BARO | HILP_MAG | HILP_SONAR;
        b->self.unique = unique;
        copy_text(b->self.name, sizeof b->self.name, name);
}

bool hilp_board_lockstep(const struct hilp_board *b)
{
        return b->ready && (b->hello.flags & HILP_FLAG_LOCKSTEP) != 0;
}

static size_t say_message(struct hilp_board *b, struct hilp_message *m, uint8_t *out)
{
        size_t len;

        m->sequence = b->sequence;
        len = hilp_write(m, out);
        if (len > 0)
                b->sequence++;
        return len;
}

/* The highest version that both speak, 0 if there is none. */
static uint8_t agree(const struct hilp_hello *hello)
{
        uint8_t version = HILP_VERSION_MAX;

        if (hello->version_max < version)
                version = hello->version_max;
        return version >= hello->version_min && version >= HILP_VERSION_MIN ? version : 0;
}

/* A new conversation, whatever went before. */
static void take_hello(struct hilp_board *b, const struct hilp_message *m,
                       struct hilp_board_news *news)
{
        struct hilp_message ack = { .type = HILP_HELLO_ACK };

        b->hello = m->u.hello;
        b->frame_seen = false;
        b->sonars_heard = 0;
        memset(&b->parts, 0, sizeof b->parts);
        memset(&b->radio, 0, sizeof b->radio);
        memset(&b->frame, 0, sizeof b->frame);

        ack.u.hello_ack = b->self;
        ack.u.hello_ack.version = agree(&b->hello);
        b->ready = ack.u.hello_ack.version != 0;
        /* One that is refused is no reason to ask for the next one sooner. */
        if (b->ready) {
                b->asked = false;
                news->event = HILP_BOARD_HELLO;
        }
        news->out_len = say_message(b, &ack, news->out);
}

/* The rig talks as if a conversation were going on: this board has restarted in the
 * middle of it. */
static void ask_for_hello(struct hilp_board *b, uint64_t t_us,
                          struct hilp_board_news *news)
{
        struct hilp_message ack = { .type = HILP_HELLO_ACK };

        if (b->asked && t_us - b->asked_us < ASK_PERIOD_US)
                return;
        b->asked = true;
        b->asked_us = t_us;
        ack.u.hello_ack = b->self;
        ack.u.hello_ack.version = HILP_VERSION_MAX;
        ack.u.hello_ack.frame_every = 0;
        news->out_len = say_message(b, &ack, news->out);
}

static bool is_newer(const struct hilp_board *b, uint32_t number)
{
        return !b->frame_seen || (int32_t)(number - b->newest_frame) > 0;
}

/* They wait for their frame, or for the next one where that is lost. */
static void take_sonars(struct hilp_board *b, const struct hilp_sonars *wire)
{
        if (is_newer(b, wire->number))
                b->sonars_heard |= hilp_si_from_sonars(&b->frame, &b->hello.units, wire);
}

static void take_sensors(struct hilp_board *b, const struct hilp_sensors *wire,
                         struct hilp_board_news *news)
{
        if (!is_newer(b, wire->number))
                return;
        b->frame_seen = true;
        b->newest_frame = wire->number;
        hilp_si_from_sensors(&b->frame, &b->hello.units, wire);
        if (b->sonars_heard != 0)
                b->frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
        b->frame.fresh_sonars = b->sonars_heard;
        b->sonars_heard = 0;
        news->sensors = b->frame;
        news->event = HILP_BOARD_SENSORS;
}

/* The rig subtracts what it was held here. */
static void take_time_sync(struct hilp_board *b, struct hilp_message *m, uint64_t t_us,
                           struct hilp_board_news *news)
{
        m->u.time_sync.reply = 1;
        m->u.time_sync.board_receive_us =
                b->arrived_us_ago < t_us ? t_us - b->arrived_us_ago : 0;
        m->u.time_sync.board_transmit_us = t_us + b->leaves_us_later;
        news->out_len = say_message(b, m, news->out);
}

static void take_message(struct hilp_board *b, struct hilp_message *m, uint64_t t_us,
                         struct hilp_board_news *news)
{
        if (m->type == HILP_HELLO) {
                take_hello(b, m, news);
                return;
        }
        if (m->type == HILP_GOODBYE) {
                news->event = HILP_BOARD_GOODBYE;
                return;
        }
        if (!b->ready) {
                ask_for_hello(b, t_us, news);
                return;
        }
        switch (m->type) {
        case HILP_SENSORS_V2:
        case HILP_SENSORS:
                take_sensors(b, &m->u.sensors, news);
                break;
        case HILP_SONARS:
                take_sonars(b, &m->u.sonars);
                break;
        case HILP_PARTS:
                b->parts = m->u.parts;
                break;
        case HILP_RADIO:
                b->radio = m->u.radio;
                break;
        case HILP_PEER:
                news->peer = m->u.peer;
                news->event = HILP_BOARD_PEER;
                break;
        case HILP_INPUT:
                hilp_si_from_input(&news->input, &m->u.input);
                news->event = HILP_BOARD_INPUT;
                break;
        case HILP_OPTION:
                news->option = m->u.option;
                news->event = HILP_BOARD_OPTION;
                break;
        case HILP_TIME_SYNC:
                if (m->u.time_sync.reply == 0)
                        take_time_sync(b, m, t_us, news);
                break;
        default:
                /* A board's own message, come back: an echo on the line. */
                b->malformed++;
        }
}

size_t hilp_board_receive(struct hilp_board *b, const uint8_t *bytes, size_t len,
                          uint64_t board_time_us, struct hilp_board_news *news)
{
        size_t used = 0;

        news->event = HILP_BOARD_NOTHING;
        news->out_len = 0;
        while (used < len && news->event == HILP_BOARD_NOTHING && news->out_len == 0) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t n;

                used += hilp_receive(&b->receiver, bytes + used, len - used, payload, &n);
                if (n == 0)
                        continue;
                if (!hilp_decode(&m, payload, n)) {
                        b->malformed++;
                        continue;
                }
                if (m.type == HILP_HELLO)
                        memset(&b->heard, 0, sizeof b->heard);
                if (hilp_sequence_take(&b->heard, payload, n))
                        take_message(b, &m, board_time_us, news);
        }
        return used;
}

size_t hilp_board_motors(struct hilp_board *b, const struct motor_command *command,
                         int count, bool armed, bool failsafe, enum flight_mode mode,
                         uint8_t *out)
{
        struct hilp_message m = { .type = HILP_MOTORS };
        struct hilp_motors *motors = &m.u.motors;

        assert(count >= 1 && count <= HILP_ROTORS_MAX);
        if (!b->ready || !b->frame_seen)
                return 0;
        motors->answers = b->newest_frame;
        motors->flags =
                (uint8_t)((armed ? HILP_ARMED : 0) | (failsafe ? HILP_FAILSAFE : 0));
        motors->mode = (uint8_t)mode;
        motors->count = (uint8_t)count;
        for (int i = 0; i < count; i++)
                motors->duty[i] = hilp_si_to_duty(command->duty[i]);
        return say_message(b, &m, out);
}

size_t hilp_board_state(struct hilp_board *b, const struct fc_estimate *estimate,
                        uint8_t *out)
{
        struct hilp_message m = { .type = HILP_STATE };

        hilp_si_to_state(&m.u.state, estimate);
        return b->ready ? say_message(b, &m, out) : 0;
}

size_t hilp_board_real_ranges(struct hilp_board *b, const double range_m[SONARS_MAX],
                              uint8_t *out)
{
        struct hilp_message m = { .type = HILP_REAL_RANGES };

        hilp_si_to_real_ranges(&m.u.real_ranges, range_m);
        return b->ready ? say_message(b, &m, out) : 0;
}

size_t hilp_board_option_ack(struct hilp_board *b, const char *key, bool accepted,
                             uint8_t *out)
{
        struct hilp_message m = { .type = HILP_OPTION_ACK };

        copy_text(m.u.option_ack.key, sizeof m.u.option_ack.key, key);
        m.u.option_ack.accepted = accepted;
        return b->ready ? say_message(b, &m, out) : 0;
}

size_t hilp_board_peer_send(struct hilp_board *b, int to, const uint8_t *bytes,
                            size_t len, uint8_t *out)
{
        struct hilp_message m = { .type = HILP_PEER_SEND };

        if (!b->ready || len > b->radio.bytes_max)
                return 0;
        m.u.peer.peer = (uint16_t)to;
        m.u.peer.len = (uint8_t)len;
        memcpy(m.u.peer.bytes, bytes, len);
        return say_message(b, &m, out);
}

size_t hilp_board_text(struct hilp_board *b, int severity, const char *text, uint8_t *out)
{
        struct hilp_message m = { .type = HILP_TEXT };

        assert(severity >= 0 && severity <= 2);
        m.u.text.severity = (uint8_t)severity;
        copy_text(m.u.text.text, sizeof m.u.text.text, text);
        return b->ready ? say_message(b, &m, out) : 0;
}
