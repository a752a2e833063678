/* The rig's side of a HILP conversation: hello until answered, then sensor frames and
 * pilot input out, motor commands in. docs/protocol.md is what it promises; hilp_board.h
 * is the other side. */
#include "io/codec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hilp.h"
#include "io/hilp_si.h"

#define HELLO_PERIOD_NS     100000000
#define TIME_SYNC_PERIOD_NS 100000000
/* Input is repeated every so many frames: a lossy link must not swallow an order to land.
 */
#define INPUT_EVERY 250
/* Each in a packet of its own, so that one lost datagram does not take all of them. */
#define GOODBYES 3

struct codec_hilp {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        struct hilp_units units;
        int outputs; /* motor outputs that the FC must have */

        /* The conversation; forgotten by start_over() */
        bool ready; /* answered, and can fly this vehicle */
        bool hello_sent;
        int64_t hello_ns; /* host time of the last one */
        struct hilp_hello_ack board; /* its answer; all zero until then */
        struct hilp_sequence heard;
        bool frame_sent;
        uint32_t first_frame, newest_frame;
        bool motors_heard;
        uint32_t newest_answer;
        int frames_to_input; /* until the input is sent again */

        /* Time sync; sync_open while the answer to sync_id is awaited */
        bool sync_open;
        uint16_t sync_id;
        int64_t sync_ns;

        bool have_input;
        struct hilp_input input;
        uint8_t sequence; /* of the next message out */
        struct hilp_receiver receiver;
        bool bytes_heard, message_heard, echo_heard;
        char refusal[120]; /* why an answered hello was not enough */
};

static struct codec_hilp *self(struct codec *c)
{
        return (struct codec_hilp *)c;
}

static const struct codec_hilp *self_const(const struct codec *c)
{
        return (const struct codec_hilp *)c;
}

/* Out */

/* An empty packet at the end of the outbox; a call makes at most GOODBYES. */
static struct packet *packet_begin(struct packets *out)
{
        struct packet *p = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        p->channel = 0;
        p->len = 0;
        return p;
}

static void say(struct codec_hilp *h, struct hilp_message *m, struct packet *p)
{
        size_t len;

        assert(p->len + HILP_FRAME_MAX <= PACKET_MAX);
        m->sequence = h->sequence++;
        len = hilp_write(m, p->bytes + p->len);
        assert(len > 0);
        p->len = (uint16_t)(p->len + len);
        h->codec.counts.frames_encoded++;
}

/* A period in us: at least 1 for what there is, 0 for what there is not. */
static uint32_t period_us(int64_t period_ns)
{
        int64_t us = period_ns / 1000;

        if (period_ns <= 0)
                return 0;
        return us < 1 ? 1 : us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

static void say_hello(struct codec_hilp *h, struct packets *out)
{
        struct hilp_message m = { .type = HILP_HELLO };
        struct hilp_hello *hello = &m.u.hello;
        struct packet *p = packet_begin(out);

        hello->version_min = HILP_VERSION_MIN;
        hello->version_max = HILP_VERSION_MAX;
        hello->flags = h->setup.lockstep ? HILP_FLAG_LOCKSTEP : 0;
        hello->rotors = (uint8_t)h->setup.rotors;
        hello->frame_period_us = period_us(h->setup.period_ns);
        for (int i = 0; i < HILP_SENSOR_COUNT; i++)
                hello->sensor_period_us[i] = period_us(h->setup.sensor_period_ns[i]);
        hello->units = h->units;
        snprintf(hello->name, sizeof hello->name, "hilrig");

        /* Ends whatever half frame the board may have from before. */
        p->bytes[p->len++] = 0;
        say(h, &m, p);
}

static void say_time_sync(struct codec_hilp *h, int64_t t_ns, struct packets *out)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC };

        h->sync_id++;
        h->sync_ns = t_ns;
        h->sync_open = true;
        m.u.time_sync.id = h->sync_id;
        m.u.time_sync.rig_transmit_us = (uint64_t)t_ns / 1000 & HILP_TIME_MAX_US;
        say(h, &m, packet_begin(out));
}

static void hilp_poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        struct codec_hilp *h = self(c);

        out->count = 0;
        if (!h->ready) {
                if (!h->hello_sent || t_ns - h->hello_ns >= HELLO_PERIOD_NS) {
                        h->hello_sent = true;
                        h->hello_ns = t_ns;
                        say_hello(h, out);
                }
        } else if (!h->setup.lockstep && t_ns - h->sync_ns >= TIME_SYNC_PERIOD_NS) {
                say_time_sync(h, t_ns, out);
        }
}

static void hilp_encode_frame(struct codec *c, uint32_t number,
                              const struct sensor_frame *frame,
                              const struct pilot_input *input, struct packets *out)
{
        struct codec_hilp *h = self(c);
        struct hilp_message m = { .type = HILP_INPUT };
        struct packet *p;

        out->count = 0;
        if (input != NULL) {
                hilp_si_to_input(&h->input, input);
                h->have_input = true;
                h->frames_to_input = 0;
        }
        if (!h->ready)
                return;

        /* Input first: the board flies by it from this frame on. */
        p = packet_begin(out);
        if (h->have_input && h->frames_to_input-- == 0) {
                h->frames_to_input = INPUT_EVERY - 1;
                m.u.input = h->input;
                say(h, &m, p);
        }
        m.type = HILP_SENSORS;
        hilp_si_to_sensors(&m.u.sensors, &h->units, number, frame);
        say(h, &m, p);

        if (!h->frame_sent)
                h->first_frame = number;
        h->frame_sent = true;
        h->newest_frame = number;
}

static void hilp_goodbye(struct codec *c, struct packets *out)
{
        out->count = 0;
        for (int i = 0; i < GOODBYES; i++) {
                struct hilp_message m = { .type = HILP_GOODBYE };

                say(self(c), &m, packet_begin(out));
        }
}

/* In. Each take returns the news it put into the report. Before the hello is answered,
 * most of what comes is left over from another conversation. */

/* Back to hello; the input is kept for the first frame that follows. */
static void start_over(struct codec_hilp *h)
{
        h->ready = false;
        h->hello_sent = false;
        h->frame_sent = false;
        h->motors_heard = false;
        h->sync_open = false;
        h->frames_to_input = 0;
        h->refusal[0] = '\0';
        memset(&h->board, 0, sizeof h->board);
        memset(&h->heard, 0, sizeof h->heard);
}

/* What a board says is shown to the user: printable ASCII only. */
static void copy_printable(char *to, size_t cap, const char *from)
{
        size_t n = 0;

        for (; from[n] != '\0' && n + 1 < cap; n++)
                to[n] = from[n] >= ' ' && from[n] <= '~' ? from[n] : '?';
        to[n] = '\0';
}

/* Whether this vehicle can fly with a board that answered so; h->refusal says why not. */
static bool acceptable(struct codec_hilp *h, const struct hilp_hello_ack *ack)
{
        h->refusal[0] = '\0';
        if (ack->version == 0)
                snprintf(h->refusal, sizeof h->refusal,
                         "board speaks none of versions %d to %d", HILP_VERSION_MIN,
                         HILP_VERSION_MAX);
        else if (ack->version < HILP_VERSION_MIN || ack->version > HILP_VERSION_MAX)
                snprintf(h->refusal, sizeof h->refusal,
                         "board answered with version %d, not one of %d to %d",
                         ack->version, HILP_VERSION_MIN, HILP_VERSION_MAX);
        else if (ack->rotors < h->outputs)
                snprintf(h->refusal, sizeof h->refusal,
                         "board has %d motor outputs, this vehicle needs %d", ack->rotors,
                         h->outputs);
        return h->refusal[0] == '\0';
}

static uint32_t take_hello_ack(struct codec_hilp *h, const struct hilp_hello_ack *ack,
                               struct fc_report *report)
{
        bool wants_hello = ack->frame_every == 0;

        if (h->ready && (wants_hello || ack->unique != h->board.unique)) {
                start_over(h);
                snprintf(report->text, sizeof report->text,
                         "flight controller restarted");
                return FC_TEXT;
        }
        if (h->ready || wants_hello || !acceptable(h, ack))
                return 0;
        h->ready = true;
        h->board = *ack;
        h->sync_ns = h->hello_ns;
        copy_printable(report->name, sizeof report->name, ack->name);
        return FC_HELLO;
}

/* Older than the newest known is stale and dropped; for a frame never sent is impossible.
 */
static uint32_t take_motors(struct codec_hilp *h, const struct hilp_motors *m,
                            struct fc_report *report)
{
        if (!h->frame_sent || (int32_t)(m->answers - h->first_frame) < 0)
                return 0;
        if ((int32_t)(h->newest_frame - m->answers) < 0 || m->count < h->outputs) {
                h->codec.counts.malformed++;
                return 0;
        }
        if (h->motors_heard && (int32_t)(m->answers - h->newest_answer) < 0)
                return 0;
        h->motors_heard = true;
        h->newest_answer = m->answers;

        memset(&report->motors, 0, sizeof report->motors);
        for (int i = 0; i < h->setup.rotors; i++)
                report->motors.duty[i] =
                        hilp_si_from_duty(m->duty[h->setup.motor_order[i]]);
        report->answers_frame = true;
        report->answered_frame = m->answers;
        report->armed = (m->flags & HILP_ARMED) != 0;
        report->failsafe = (m->flags & HILP_FAILSAFE) != 0;
        report->mode = (enum flight_mode)m->mode;
        return FC_MOTORS;
}

static uint32_t take_time_sync(struct codec_hilp *h, const struct hilp_time_sync *m,
                               int64_t t_ns, struct fc_report *report)
{
        int64_t receive_us = (int64_t)m->board_receive_us;
        int64_t held_us = (int64_t)m->board_transmit_us - receive_us;
        int64_t elapsed_ns = t_ns - h->sync_ns;

        /* An answer that was given up, or given twice. */
        if (!h->sync_open || m->id != h->sync_id || m->reply == 0)
                return 0;
        h->sync_open = false;
        /* The board cannot have held it for longer than it was away; 1 ms for its clock's
         * grain. */
        if (held_us < 0 || held_us > elapsed_ns / 1000 + 1000 ||
            m->rig_transmit_us != ((uint64_t)h->sync_ns / 1000 & HILP_TIME_MAX_US)) {
                h->codec.counts.malformed++;
                return 0;
        }
        report->sync_round_trip_ns = elapsed_ns - held_us * 1000;
        if (report->sync_round_trip_ns < 0)
                report->sync_round_trip_ns = 0;
        /* ((t2 - t1) + (t3 - t4)) / 2, arranged so that no sum overflows. */
        report->sync_offset_ns =
                (receive_us * 1000 - h->sync_ns) - (elapsed_ns - held_us * 1000) / 2;
        return FC_TIME_SYNC;
}

static uint32_t take(struct codec_hilp *h, const struct hilp_message *m, int64_t t_ns,
                     struct fc_report *report)
{
        switch (m->type) {
        case HILP_HELLO_ACK:
                return take_hello_ack(h, &m->u.hello_ack, report);
        case HILP_TEXT:
                copy_printable(report->text, sizeof report->text, m->u.text.text);
                return FC_TEXT;
        case HILP_MOTORS:
                return h->ready ? take_motors(h, &m->u.motors, report) : 0;
        case HILP_TIME_SYNC:
                return h->ready ? take_time_sync(h, &m->u.time_sync, t_ns, report) : 0;
        case HILP_STATE:
                if (!h->ready)
                        return 0;
                hilp_si_from_state(&report->estimate, &m->u.state);
                return FC_STATE;
        default:
                /* The rig's own message, come back. */
                h->echo_heard = true;
                h->codec.counts.malformed++;
                return 0;
        }
}

/* One payload with the right CRC. */
static uint32_t take_payload(struct codec_hilp *h, int64_t t_ns, const uint8_t *payload,
                             size_t len, struct fc_report *report)
{
        struct codec_counts *counts = &h->codec.counts;
        struct hilp_message m;
        uint32_t lost;

        if (!hilp_decode(&m, payload, len)) {
                counts->malformed++;
                return 0;
        }
        /* A board that has just started counts from a number of its own. */
        if (m.type == HILP_HELLO_ACK)
                memset(&h->heard, 0, sizeof h->heard);
        lost = h->heard.lost;
        h->message_heard = true;
        counts->frames_decoded++;
        if (!hilp_sequence_take(&h->heard, payload, len))
                return 0;
        if (h->ready)
                counts->lost += h->heard.lost - lost;
        return take(h, &m, t_ns, report);
}

static size_t hilp_decode_bytes(struct codec *c, int channel, int64_t t_ns,
                                const uint8_t *bytes, size_t len,
                                struct fc_report *report)
{
        struct codec_hilp *h = self(c);
        uint32_t news = 0;
        size_t used = 0;

        (void)channel;
        h->bytes_heard |= len > 0;
        while (used < len && news == 0) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                uint32_t errors = h->receiver.crc_errors, skipped = h->receiver.skipped;
                size_t n;

                used += hilp_receive(&h->receiver, bytes + used, len - used, payload, &n);
                c->counts.crc_errors += h->receiver.crc_errors - errors;
                c->counts.bytes_skipped += h->receiver.skipped - skipped;
                if (n > 0)
                        news = take_payload(h, t_ns, payload, n, report);
        }
        report->fresh |= news;
        return used;
}

/* The rest of the contract */

static int hilp_frame_every(const struct codec *c)
{
        const struct codec_hilp *h = self_const(c);

        return h->ready ? h->board.frame_every : 0;
}

static void hilp_restart(struct codec *c)
{
        struct codec_hilp *h = self(c);

        start_over(h);
        memset(&h->receiver, 0, sizeof h->receiver);
        h->bytes_heard = false;
        h->message_heard = false;
        h->echo_heard = false;
}

static const char *hilp_complaint(const struct codec *c)
{
        const struct codec_hilp *h = self_const(c);

        if (h->ready)
                return "";
        if (h->refusal[0] != '\0')
                return h->refusal;
        if (h->echo_heard)
                return "no hello from the board yet: the rig hears itself (TX wired to "
                       "RX?)";
        if (h->message_heard)
                return "no hello from the board yet: it speaks, but does not answer";
        if (h->bytes_heard)
                return "no hello from the board yet: it sends bytes that are no HILP "
                       "messages (baud rate?)";
        return "no hello from the board yet: it sends nothing";
}

static void hilp_destroy(struct codec *c)
{
        free(c);
}

static const struct codec_ops hilp_ops = {
        .name = "hilp",
        .channels = 1,
        .frame_every = hilp_frame_every,
        .poll = hilp_poll,
        .encode = hilp_encode_frame,
        .decode = hilp_decode_bytes,
        .goodbye = hilp_goodbye,
        .restart = hilp_restart,
        .complaint = hilp_complaint,
        .destroy = hilp_destroy,
};

struct codec *codec_hilp_create(const struct codec_setup *setup)
{
        struct codec_hilp *h = calloc(1, sizeof *h);

        if (h == NULL)
                return NULL;
        assert(setup->rotors >= 1 && setup->rotors <= ROTORS_MAX);
        h->codec.ops = &hilp_ops;
        h->setup = *setup;
        hilp_si_units(&h->units, setup->sensor_lsb, setup->gyro_lsb_radps);
        for (int i = 0; i < setup->rotors; i++) {
                assert(setup->motor_order[i] < HILP_ROTORS_MAX);
                if (h->outputs <= setup->motor_order[i])
                        h->outputs = setup->motor_order[i] + 1;
        }
        return &h->codec;
}
