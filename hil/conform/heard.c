#include "hil/conform/heard.h"

#include <stdlib.h>
#include <string.h>

#include "hil/conform/talk.h"

static void take_text(struct conform_talk *t, const struct hilp_text *m)
{
        char *to = t->text[t->text_lines++ % CONFORM_TEXT_LINES];
        size_t n = 0;

        for (; m->text[n] != '\0'; n++)
                to[n] = m->text[n] >= ' ' && m->text[n] <= '~' ? m->text[n] : '?';
        to[n] = '\0';
        t->heard.texts++;
}

static void first(uint32_t *count, uint32_t *kept, uint32_t number)
{
        if (++*count == 1)
                *kept = number;
}

static void first_motors(uint32_t *count, struct hilp_motors *kept,
                         const struct hilp_motors *m)
{
        if (++*count == 1)
                *kept = *m;
}

static bool any_duty(const struct hilp_motors *m)
{
        for (int i = 0; i < m->count; i++)
                if (m->duty[i] != 0)
                        return true;
        return false;
}

/* Against the duties of the message before. */
static void note_unrest(struct conform_heard *h, const struct hilp_motors *m)
{
        for (int i = 0; i < m->count; i++) {
                uint16_t now = m->duty[i], before = h->newest.duty[i];

                h->unrest += (uint64_t)abs(now - before);
                h->unrest_swapped +=
                        (uint64_t)abs(__builtin_bswap16(now) - __builtin_bswap16(before));
        }
}

static void look_at(struct conform_talk *t, const struct hilp_motors *m)
{
        struct conform_heard *h = &t->heard;
        bool armed = (m->flags & HILP_ARMED) != 0;

        if (m->count < t->rotors || (t->board.rotors > 0 && m->count > t->board.rotors))
                first_motors(&h->few, &h->few_motors, m);
        if (armed && h->armed > 0)
                note_unrest(h, m);
        h->armed += armed;
        h->failsafe += (m->flags & HILP_FAILSAFE) != 0;
        if (!armed && any_duty(m))
                first_motors(&h->turning, &h->turning_motors, m);
        if (armed != (m->mode != HILP_MODE_DISARMED))
                first_motors(&h->muddled, &h->muddled_motors, m);
}

static bool is_open(const struct conform_talk *t, uint32_t number)
{
        uint32_t place = number % CONFORM_WINDOW;

        return t->window[place].open && t->window[place].number == number;
}

static void take_motors(struct conform_talk *t, const struct hilp_motors *m)
{
        struct conform_heard *h = &t->heard;
        uint32_t place = m->answers % CONFORM_WINDOW;

        h->motors++;
        look_at(t, m);
        h->newest = *m;
        if (!is_open(t, m->answers)) {
                first(&h->strange, &h->strange_number, m->answers);
                if (is_open(t, __builtin_bswap32(m->answers)))
                        first(&h->swapped, &h->swapped_number,
                              __builtin_bswap32(m->answers));
                return;
        }
        if (t->window[place].answered) {
                first(&h->twice, &h->twice_number, m->answers);
                return;
        }
        if (t->any_answer && (int32_t)(m->answers - t->newest_answer) < 0)
                first(&h->disorder, &h->disorder_number, m->answers);
        else
                t->newest_answer = m->answers;
        t->any_answer = true;
        t->window[place].answered = true;
        t->motors = *m;
        h->answered++;
}

static void take_message(struct conform_talk *t, const struct hilp_message *m,
                         int64_t now_ns)
{
        struct conform_heard *h = &t->heard;

        switch (m->type) {
        case HILP_HELLO_ACK:
                h->acks++;
                h->ack = m->u.hello_ack;
                break;
        case HILP_MOTORS:
                take_motors(t, &m->u.motors);
                break;
        case HILP_TIME_SYNC:
                h->syncs++;
                h->sync = m->u.time_sync;
                h->sync_ns = now_ns;
                break;
        case HILP_STATE:
                h->states++;
                h->state = m->u.state;
                break;
        case HILP_REAL_RANGES:
        case HILP_PEER_SEND:
                break;
        case HILP_TEXT:
                take_text(t, &m->u.text);
                break;
        case HILP_OPTION_ACK:
                h->option_acks++;
                h->option_ack = m->u.option_ack;
                break;
        default:
                h->echoes++;
        }
}

/* Whether sequence numbers count all messages by one. False: this one is what came before, once more. */
static bool take_sequence(struct conform_talk *t, const uint8_t *payload, size_t len)
{
        struct conform_heard *h = &t->heard;
        uint8_t type = payload[0], step = (uint8_t)(payload[1] - t->order.newest);
        bool begins = !t->order.known;

        if (!begins && step == 0)
                h->stuck++;
        if (!hilp_sequence_take(&t->order, payload, len)) {
                h->stuck--;
                h->repeated++;
                return false;
        }
        if (h->sequenced < CONFORM_SEQUENCES)
                h->sequences[h->sequenced] = payload[1];
        h->sequenced++;
        h->jumps += !begins && step > 1;
        h->back += !begins && step > 128;
        h->own_jumps +=
                t->heard_type[type] && (uint8_t)(payload[1] - t->last_of_type[type]) != 1;
        t->heard_type[type] = true;
        t->last_of_type[type] = payload[1];
        return true;
}

/* A board that starts anew begins with any sequence number. */
static void take_payload(struct conform_talk *t, const uint8_t *payload, size_t len,
                         int64_t now_ns)
{
        struct conform_heard *h = &t->heard;
        struct hilp_message m;
        uint32_t lost;

        if (!hilp_decode(&m, payload, len)) {
                h->malformed++;
                h->malformed_len = len;
                memcpy(h->malformed_payload, payload, len);
                return;
        }
        if (m.type == HILP_HELLO_ACK) {
                memset(&t->order, 0, sizeof t->order);
                memset(t->heard_type, 0, sizeof t->heard_type);
        }
        h->messages++;
        lost = t->order.lost;
        if (take_sequence(t, payload, len))
                take_message(t, &m, now_ns);
        h->lost += t->order.lost - lost;
}

/* Before the receiver gets it: at a zero it holds what may be a frame. */
static void keep(struct conform_talk *t, uint8_t byte)
{
        if (byte != 0 || t->receiver.overlong || t->receiver.len == 0)
                return;
        t->odd_len = t->receiver.len;
        memcpy(t->odd, t->receiver.buf, t->odd_len);
}

void conform_heard_bytes(struct conform_talk *t, const uint8_t *bytes, size_t len,
                         int64_t now_ns)
{
        uint32_t errors = t->receiver.crc_errors;
        size_t used = 0;

        t->heard.bytes += len;
        while (used < len) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                size_t n;

                keep(t, bytes[used]);
                hilp_receive(&t->receiver, bytes + used, 1, payload, &n);
                used++;
                if (n > 0)
                        take_payload(t, payload, n, now_ns);
        }
        t->heard.crc_errors += t->receiver.crc_errors - errors;
}
