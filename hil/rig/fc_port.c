#include "hil/rig/fc_port.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/rig/fc_port_news.h"
#include "hil/rig/fc_port_wire.h"

#define OPTIONAL_CONNECT_MS 20
#define OPTIONAL_RETRY_NS   500000000
#define BESIDE_NS           10000000
#define READS_MAX           32 /* of one channel in one go: 64 KiB */

static bool is_optional(const struct fc_port *port, int channel)
{
        return port->codec->ops->channel[channel].optional;
}

/* Before the run there is time to wait for who starts late; later what is not there is tried again, and must
 * not hold up the rest. */
static bool open_one(struct fc_port *port, int channel, bool patient,
                     struct link_error *why)
{
        struct link_spec spec = port->config->link[channel];
        struct link *l;

        if (is_optional(port, channel))
                spec.connect_ms = OPTIONAL_CONNECT_MS;
        if (is_optional(port, channel) || !patient)
                spec.patience_ms = 0;
        l = link_open(&spec, why);
        if (l == NULL)
                return false;
        if (port->link[channel] == NULL)
                port->link[channel] = l;
        else
                link_faulty_plug(port->link[channel], l);
        return true;
}

/* An optional channel that cannot be opened is left silent. */
static bool open_links(struct fc_port *port, bool patient, struct link_error *why)
{
        for (int i = 0; i < port->config->links; i++) {
                bool open = open_one(port, i, patient, why);

                if (!open && !is_optional(port, i))
                        return false;
                port->silent[i] = !open;
        }
        return true;
}

/* A faulty wire stays, without the link that it was around. */
static void close_links(struct fc_port *port)
{
        for (int i = 0; i < CODEC_CHANNELS_MAX; i++) {
                port->outbox[i].len = 0;
                port->silent[i] = false;
                if (port->link[i] == NULL)
                        continue;
                if (port->faults != NULL) {
                        link_faulty_plug(port->link[i], NULL);
                } else {
                        link_close(port->link[i]);
                        port->link[i] = NULL;
                }
        }
}

bool fc_port_open(struct fc_port *port, const struct fc_config *config,
                  const struct codec_setup *setup, int vehicle, struct link_error *why)
{
        *port = (struct fc_port){ .config = config,
                                  .vehicle = vehicle,
                                  .lockstep = setup->lockstep };
        for (int i = 0; i < SONARS_MAX; i++)
                port->real_range_m[i] = (double)INFINITY;
        port->codec = codec_create(config->codec, setup);
        if (port->codec == NULL) {
                *why = (struct link_error){ "codec: out of memory" };
                return false;
        }
        assert(config->links <=
               port->codec->ops->channels); /* the configuration saw to it */
        if (!open_links(port, true, why)) {
                fc_port_close(port);
                return false;
        }
        for (int i = 0; i < config->options; i++)
                port->codec->ops->option(port->codec, config->option[i].key,
                                         config->option[i].value);
        port->state = FC_PORT_GREETING;
        return true;
}

void fc_port_record(struct fc_port *port, int64_t now_ns, enum wire_direction direction,
                    int channel, const void *bytes, size_t len)
{
        if (port->recorder != NULL && port->record_wire)
                recorder_bytes(port->recorder, now_ns - port->start_ns, direction,
                               port->vehicle, channel, bytes, len);
}

/* A board that is gone or starts anew drives no motor and sees nothing. */
static void stop_motors(struct fc_port *port)
{
        memset(&port->command, 0, sizeof port->command);
        port->report.armed = port->report.can_arm = false;
        fc_port_forget_ranges(port);
}

void fc_port_give_up(struct fc_port *port)
{
        port->state = FC_PORT_GONE;
        stop_motors(port);
        if (port->faults != NULL)
                port->faults->talk.awaiting = false;
}

/* Optional channels that are not there, when the FC starts. */
static void open_silent(struct fc_port *port, int64_t now_ns)
{
        struct link_error why;

        if (now_ns - port->retried_ns < OPTIONAL_RETRY_NS)
                return;
        port->retried_ns = now_ns;
        for (int c = 0; c < port->config->links; c++) {
                if (!port->silent[c])
                        continue;
                if (port->faults == NULL && port->link[c] != NULL) {
                        link_close(port->link[c]);
                        port->link[c] = NULL;
                }
                port->silent[c] = !open_one(port, c, false, &why);
        }
}

/* A board that starts drives no motor and will not answer what was sent before. */
static void start_over(struct fc_port *port, int64_t now_ns)
{
        stop_motors(port);
        port->answered_number = port->next_number;
        port->owed_ns = 0;
        port->blocked = false;
        port->heard_ns = now_ns;
        port->state = FC_PORT_GREETING;
        fc_port_wire_start_over(port);
}

/* A link broke. The run goes on without an optional one. False: the FC is gone. */
static bool lose(struct fc_port *port, int channel)
{
        if (port->codec->ops->channel[channel].optional) {
                port->silent[channel] = true;
                port->fell_silent |= 1U << channel;
                port->outbox[channel].len = 0;
                return true;
        }
        fc_port_give_up(port);
        return false;
}

static void flush(struct fc_port *port, int64_t now_ns, int channel)
{
        struct fc_outbox *box = &port->outbox[channel];
        int n;

        if (!fc_port_wire_push(port, now_ns)) {
                fc_port_give_up(port);
                return;
        }
        if (box->len == 0)
                return;
        n = link_write(port->link[channel], box->bytes, box->len);
        if (n == LINK_GONE) {
                lose(port, channel);
                return;
        }
        box->len -= (size_t)n;
        memmove(box->bytes, box->bytes + n, box->len);
        fc_port_wire_record(port, now_ns);
}

/* Hands over what the links had not taken. True: nothing is left. */
static bool clear(struct fc_port *port, int64_t now_ns)
{
        size_t left = 0;

        for (int c = 0; c < port->config->links && port->state != FC_PORT_GONE; c++) {
                flush(port, now_ns, c);
                if (!port->codec->ops->channel[c].optional)
                        left += port->outbox[c].len;
        }
        return left == 0 && port->state != FC_PORT_GONE && fc_port_wire_pushed(port);
}

/* All of the packet or nothing of it is on its way afterwards. */
static bool put_whole(struct fc_port *port, int64_t now_ns, const struct packet *p)
{
        struct fc_outbox *box = &port->outbox[p->channel];
        int n = 0;

        if (port->state == FC_PORT_GONE || box->len + p->len > sizeof box->bytes)
                return false;
        if (box->len == 0)
                n = link_write(port->link[p->channel], p->bytes, p->len);
        if (n == LINK_GONE)
                return lose(port, p->channel);
        if (n < p->len && port->link[p->channel]->packets)
                return false;
        memcpy(box->bytes + box->len, p->bytes + n, p->len - (size_t)n);
        box->len += p->len - (size_t)n;
        port->bytes_sent += p->len;
        if (port->faults == NULL)
                fc_port_record(port, now_ns, WIRE_TO_FC, p->channel, p->bytes, p->len);
        else
                fc_port_wire_record(port, now_ns);
        return true;
}

/* What an optional channel cannot take, or has nowhere to go, is let go. */
static bool put(struct fc_port *port, int64_t now_ns, const struct packet *p)
{
        if (p->channel >= port->config->links || port->silent[p->channel])
                return true;
        return put_whole(port, now_ns, p) ||
               (port->state != FC_PORT_GONE &&
                port->codec->ops->channel[p->channel].optional);
}

static bool put_all(struct fc_port *port, int64_t now_ns, const struct packets *out)
{
        bool all = true;

        for (int i = 0; i < out->count; i++)
                if (!put(port, now_ns, &out->packet[i]))
                        all = false;
        return all;
}

/* The FC is gone, but its links may still carry something: it may only be us who hear nothing. */
static void call_after(struct fc_port *port, int64_t now_ns, const struct packets *out)
{
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];
                struct link *l =
                        p->channel < port->config->links ? port->link[p->channel] : NULL;

                if (l != NULL && !port->silent[p->channel] &&
                    link_write(l, p->bytes, p->len) == p->len)
                        fc_port_record(port, now_ns, WIRE_TO_FC, p->channel, p->bytes,
                                       p->len);
        }
}

static bool has_bytes_left(const struct fc_port *port)
{
        for (int c = 0; c < port->config->links; c++)
                if (!is_optional(port, c) && port->outbox[c].len > 0)
                        return true;
        return false;
}

bool fc_port_goodbye(struct fc_port *port, int64_t now_ns)
{
        struct link_error why;
        struct packets out;

        out.count = 0;
        if (port->state == FC_PORT_CLOSED)
                return false;
        fc_port_wire_finish(port);
        /* Unplugged by a fault, which is over now. */
        if (port->unplugged > 0)
                open_links(port, false, &why);
        port->unplugged = 0;
        port->codec->ops->goodbye(port->codec, &out);
        if (port->state == FC_PORT_GONE) {
                call_after(port, now_ns, &out);
                return true;
        }
        clear(port, now_ns);
        put_all(port, now_ns, &out);
        return port->report.armed || has_bytes_left(port);
}

void fc_port_close(struct fc_port *port)
{
        close_links(port);
        fc_port_wire_close(port);
        if (port->codec != NULL)
                port->codec->ops->destroy(port->codec);
        port->codec = NULL;
        port->state = FC_PORT_CLOSED;
}

static void decode(struct fc_port *port, int64_t now_ns, int channel,
                   const uint8_t *bytes, size_t len)
{
        uint64_t decoded = port->codec->counts.frames_decoded;

        while (len > 0) {
                size_t n = port->codec->ops->decode(port->codec, channel, now_ns, bytes,
                                                    len, &port->report);

                fc_port_take_news(port, now_ns);
                bytes += n;
                len -= n;
        }
        if (port->codec->counts.frames_decoded > decoded)
                link_confirm(port->link[channel]);
}

/* A frame waits for its answer, or for the link. */
static bool owes(const struct fc_port *port)
{
        return port->blocked || !fc_port_answered(port);
}

/* Bounded: a board that sends without end must not keep the loop from its next tick. False: gone. */
static bool take_channel(struct fc_port *port, int64_t now_ns, int channel,
                         bool until_answer)
{
        uint8_t buf[2048];

        for (int i = 0; i < READS_MAX || fc_port_wire_readable(port, channel); i++) {
                int n = link_read(port->link[channel], buf, sizeof buf);

                if (n <= 0)
                        return n != LINK_GONE;
                port->bytes_received += (uint64_t)n;
                fc_port_record(port, now_ns, WIRE_FROM_FC, channel, buf, (size_t)n);
                decode(port, now_ns, channel, buf, (size_t)n);
                /* A faulty wire gives no more than the tick's bytes by itself. */
                if (until_answer && port->faults == NULL && !is_optional(port, channel) &&
                    fc_port_answered(port))
                        break;
        }
        return true;
}

/* In lockstep what comes beside the answers is looked for now and then, when the answer is there: each look
 * costs as much as an answer. */
static bool is_due(struct fc_port *port, int channel, bool until_answer)
{
        if (!until_answer || !is_optional(port, channel))
                return true;
        if (owes(port) || (port->sim_ns != port->beside_ns &&
                           port->sim_ns - port->beside_ns < BESIDE_NS))
                return false;
        port->beside_ns = port->sim_ns;
        return true;
}

void fc_port_receive(struct fc_port *port, int64_t now_ns, bool until_answer)
{
        if (port->state == FC_PORT_GONE || port->state == FC_PORT_CLOSED)
                return;
        for (int c = 0; c < port->config->links; c++) {
                if (port->silent[c] || !is_due(port, c, until_answer))
                        continue;
                if (!take_channel(port, now_ns, c, until_answer) && !lose(port, c))
                        return;
        }
        fc_port_wire_heard(port, now_ns);
        if (port->sim_ns - port->ranges_ns > FC_RANGES_NS)
                fc_port_forget_ranges(port);
        if (port->codec->ops->frame_every(port->codec) > 0)
                fc_port_be_ready(port);
        else if (port->state == FC_PORT_READY) {
                port->restarts++;
                start_over(port, now_ns);
                open_silent(port, now_ns);
        }
}

void fc_port_poll(struct fc_port *port, int64_t now_ns)
{
        struct packets out;

        out.count = 0;
        if (port->state == FC_PORT_GONE || port->state == FC_PORT_CLOSED)
                return;
        if (port->state == FC_PORT_GREETING)
                open_silent(port, now_ns);
        /* Behind bytes that nobody reads yet, hellos would only pile up. */
        if (!clear(port, now_ns))
                return;
        port->codec->ops->poll(port->codec, now_ns, &out);
        put_all(port, now_ns, &out);
}

static bool carries_frame(const struct fc_port *port, const struct packets *out)
{
        for (int i = 0; i < out->count; i++)
                if (!port->codec->ops->channel[out->packet[i].channel].optional)
                        return true;
        return false;
}

bool fc_port_send(struct fc_port *port, int64_t now_ns, const struct sensor_frame *frame,
                  const struct pilot_input *input)
{
        struct packets out;
        uint32_t number = port->next_number;

        out.count = 0;
        if (port->state != FC_PORT_READY)
                return false;
        /* The FC owes nothing, so its silence begins here: a host that stalled, or a board that
         * takes few frames, must not look like a board that is gone. */
        if (!owes(port))
                port->heard_ns = now_ns;
        /* Asked before the codec is, which takes an encoded frame for a sent one. */
        port->blocked = !clear(port, now_ns);
        if (!port->blocked) {
                port->codec->ops->encode(port->codec, number, now_ns, frame, input, &out);
                port->sent_ns[number % FC_SENT_MAX] = now_ns;
                port->blocked = !put_all(port, now_ns, &out);
                if (!carries_frame(port, &out))
                        return false;
        }
        if (port->blocked) {
                port->frames_blocked++;
                return false;
        }
        if (port->owed_ns == 0)
                port->owed_ns = now_ns;
        port->next_number++;
        port->frames_sent++;
        port->excused = false;
        return true;
}

bool fc_port_patient(struct fc_port *port, int64_t waited_ns)
{
        const struct codec_ops *ops = port->codec->ops;
        struct codec_patience patience = { 0, INT64_MAX };

        if (port->state != FC_PORT_READY)
                return true;
        if (ops->patience != NULL)
                patience = ops->patience(port->codec);
        if (waited_ns > patience.most_ns)
                port->excused = true;
        return waited_ns >= patience.least_ns;
}

bool fc_port_answered(const struct fc_port *port)
{
        if (port->faults != NULL)
                return !port->faults->talk.awaiting;
        return port->excused || port->answered_number == port->next_number;
}

bool fc_port_settled(const struct fc_port *port)
{
        for (int c = 0; c < port->config->links; c++)
                if (!is_optional(port, c) &&
                    (port->outbox[c].len > 0 || fc_port_wire_readable(port, c)))
                        return false;
        return fc_port_answered(port) && fc_port_wire_pushed(port);
}

uint32_t fc_port_unanswered(const struct fc_port *port)
{
        return port->next_number - port->answered_number;
}

void fc_port_check_silence(struct fc_port *port, int64_t now_ns)
{
        int64_t silent_ns = now_ns - port->heard_ns;

        if (port->state == FC_PORT_READY && owes(port) && !port->mute &&
            silent_ns > port->config->timeout_ns)
                fc_port_give_up(port);
        /* A board that starts needs as long as it does at the start of a run. */
        if (port->state == FC_PORT_GREETING && silent_ns > port->config->hello_timeout_ns)
                fc_port_give_up(port);
}

bool fc_port_reopen(struct fc_port *port, int64_t now_ns)
{
        struct link_error why;

        close_links(port);
        if (port->unplugged > 0)
                return false;
        if (!open_links(port, false, &why)) {
                close_links(port);
                return false;
        }
        port->codec->ops->restart(port->codec);
        start_over(port, now_ns);
        return true;
}
