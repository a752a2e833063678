#include "hil/port/fc_port.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BESIDE_NS 10000000
#define READS_MAX 32 /* of one channel in one go: 64 KiB */

bool fc_port_open(struct fc_port *port, const struct fc_config *config,
                  const struct codec_setup *setup, int vehicle, struct link_error *why)
{
        *port = (struct fc_port){ .config = config,
                                  .vehicle = vehicle,
                                  .lockstep = setup->lockstep,
                                  .shipped = codec_is_shipped(codec_find(config->codec),
                                                              config->dialect),
                                  .gravest = { .severity = FC_SAYS_NOTICE } };
        for (int i = 0; i < SONARS_MAX; i++)
                port->real_range_m[i] = (double)INFINITY;
        port->codec = codec_create(config->codec, setup);
        if (port->codec == NULL) {
                *why = (struct link_error){ "codec: out of memory" };
                return false;
        }
        assert(config->links <=
               port->codec->ops->channels); /* the configuration saw to it */
        if (setup->mission != NULL && port->codec->ops->mission == NULL) {
                snprintf(why->text, sizeof why->text,
                         "codec %s carries no mission to its firmware", config->codec);
                fc_port_close(port);
                return false;
        }
        port->links = (struct fc_links){ config, port->codec->ops, vehicle };
        if (!fc_links_open(&port->links, true, why)) {
                fc_port_close(port);
                return false;
        }
        fc_options_open(&port->options, config, port->codec);
        port->state = FC_PORT_GREETING;
        return true;
}

void fc_port_record(struct fc_port *port, struct recorder *recorder, const char *name,
                    bool wire, int64_t now_ns)
{
        port->recorder = recorder;
        port->name = name;
        port->links.recorder = wire ? recorder : NULL;
        port->links.start_ns = now_ns;
}

void fc_port_close(struct fc_port *port)
{
        fc_links_close(&port->links);
        port->options.codec = NULL;
        if (port->codec != NULL)
                port->codec->ops->destroy(port->codec);
        port->codec = NULL;
        port->state = FC_PORT_CLOSED;
}

/* A board that is gone or starts anew drives no motor and sees nothing. */
static void stop_motors(struct fc_port *port)
{
        memset(&port->command, 0, sizeof port->command);
        port->report.armed = port->report.can_arm = false;
        fc_news_forget_ranges(port);
}

void fc_port_begin_silence(struct fc_port *port, int64_t now_ns)
{
        port->talk.heard_ns = now_ns;
        port->talk.held_ns = 0;
        port->heard = fc_port_heard(port);
}

void fc_port_give_up(struct fc_port *port)
{
        port->loss = fc_port_loss(port);
        port->state = FC_PORT_GONE;
        stop_motors(port);
        fc_faults_stop_awaiting(&port->links.faults);
}

static void start_over(struct fc_port *port, int64_t now_ns)
{
        stop_motors(port);
        fc_talk_start_over(&port->talk, now_ns);
        fc_port_begin_silence(port, now_ns);
        port->state = FC_PORT_GREETING;
        fc_faults_start_over(&port->links.faults);
}

/* Hands over what the links had not taken. True: nothing is left. */
static bool flush_links(struct fc_port *port, int64_t now_ns)
{
        bool flushed = fc_links_flush(&port->links, now_ns);

        if (port->links.broken)
                fc_port_give_up(port);
        return flushed;
}

static bool put_packets(struct fc_port *port, int64_t now_ns, const struct packets *out)
{
        bool put = fc_links_put(&port->links, now_ns, out);

        if (port->links.broken)
                fc_port_give_up(port);
        return put;
}

static void decode_bytes(struct fc_port *port, int64_t now_ns, int channel,
                         const uint8_t *bytes, size_t len)
{
        uint64_t decoded = port->codec->counts.frames_decoded;

        while (len > 0) {
                size_t n;

                port->report.severity = FC_SAYS_INFO;
                n = port->codec->ops->decode(port->codec, channel, now_ns, bytes, len,
                                             &port->report);

                fc_news_take(port, now_ns);
                bytes += n;
                len -= n;
        }
        if (port->codec->counts.frames_decoded > decoded)
                fc_links_confirm(&port->links, channel);
}

/* Bounded: a board that sends without end must not keep the loop from its next tick. */
static void receive_channel(struct fc_port *port, int64_t now_ns, int channel,
                            bool until_answer)
{
        struct fc_links *l = &port->links;
        uint8_t bytes[2048];
        size_t n;

        for (int i = 0; i < READS_MAX || fc_links_readable(l, channel); i++) {
                n = fc_links_read(l, now_ns, channel, bytes, sizeof bytes);
                if (n == 0)
                        return;
                decode_bytes(port, now_ns, channel, bytes, n);
                /* A faulty wire gives no more than the tick's bytes by itself. */
                if (until_answer && l->faults.all == NULL &&
                    !fc_links_optional(l, channel) && fc_port_answered(port))
                        return;
        }
}

/* In lockstep what comes beside the answers is looked for now and then, when the answer is there: each look
 * costs as much as an answer. */
static bool is_due(struct fc_port *port, int channel, bool until_answer)
{
        if (!until_answer || !fc_links_optional(&port->links, channel))
                return true;
        if (fc_port_owes(port) || (port->sim_ns != port->beside_ns &&
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
                if (port->links.silent[c] || !is_due(port, c, until_answer))
                        continue;
                receive_channel(port, now_ns, c, until_answer);
                if (port->links.broken) {
                        fc_port_give_up(port);
                        return;
                }
        }
        /* An FC whose answers a fault keeps back is not silent. */
        if (fc_faults_heard(&port->links.faults))
                port->talk.heard_ns = now_ns;
        if (port->sim_ns - port->ranges_ns > FC_RANGES_NS)
                fc_news_forget_ranges(port);
        if (port->codec->ops->frame_every(port->codec) > 0) {
                port->state = FC_PORT_READY;
                fc_faults_be_ready(&port->links.faults);
        } else if (port->state == FC_PORT_READY) {
                port->restarts++;
                port->talk.arming.armed = false; /* as it began */
                start_over(port, now_ns);
                fc_links_retry(&port->links, now_ns);
        }
}

void fc_port_poll(struct fc_port *port, int64_t now_ns)
{
        struct packets out;

        out.count = 0;
        if (port->state == FC_PORT_GONE || port->state == FC_PORT_CLOSED)
                return;
        if (port->state == FC_PORT_GREETING)
                fc_links_retry(&port->links, now_ns);
        /* Behind bytes that nobody reads yet, hellos would only pile up. */
        if (!flush_links(port, now_ns))
                return;
        port->codec->ops->poll(port->codec, now_ns, &out);
        put_packets(port, now_ns, &out);
}

void fc_port_hear_peers(struct fc_port *port, int64_t now_ns,
                        const struct peer_packet *packet, int count)
{
        const struct codec_ops *ops = port->codec->ops;
        struct packets out;

        while (count > 0 && ops->hear_peers != NULL && port->state == FC_PORT_READY) {
                int said = ops->hear_peers(port->codec, packet, count, &out);

                packet += said;
                count -= said;
                put_packets(port, now_ns, &out);
        }
}

bool fc_port_send(struct fc_port *port, int64_t now_ns, const struct sensor_frame *frame,
                  const struct pilot_input *input)
{
        struct fc_talk *talk = &port->talk;
        uint32_t number = talk->next_number;
        struct packets out;

        out.count = 0;
        if (port->state != FC_PORT_READY)
                return false;
        /* The FC owes nothing, so its silence begins here: a host that stalled, or a board that
         * takes few frames, must not look like a board that is gone. */
        if (!fc_port_owes(port))
                fc_port_begin_silence(port, now_ns);
        /* Asked before the codec is, which takes an encoded frame for a sent one. */
        talk->blocked = !flush_links(port, now_ns);
        if (!talk->blocked) {
                port->codec->ops->encode(port->codec, number, now_ns, frame, input, &out);
                talk->sent_ns[number % FC_SENT_MAX] = now_ns;
                talk->blocked = !put_packets(port, now_ns, &out);
                if (!fc_links_carry_frame(&port->links, &out))
                        return false;
        }
        if (talk->blocked)
                talk->frames_blocked += !talk->over;
        else
                fc_talk_sent(talk, now_ns);
        return !talk->blocked;
}

int64_t fc_port_rest_ns(struct fc_port *port, int64_t waited_ns)
{
        struct codec_patience patience = { 0, INT64_MAX };

        if (port->state != FC_PORT_READY)
                return 0;
        if (port->codec->ops->patience != NULL)
                patience = port->codec->ops->patience(port->codec);
        if (waited_ns > patience.most_ns)
                port->talk.excused = true;
        return waited_ns < patience.least_ns ? patience.least_ns - waited_ns : 0;
}

bool fc_port_answered(const struct fc_port *port)
{
        const struct fc_faults *faults = &port->links.faults;

        return faults->all != NULL ? !fc_faults_awaiting(faults)
                                   : fc_talk_answered(&port->talk);
}

bool fc_port_settled(const struct fc_port *port)
{
        const struct fc_links *l = &port->links;

        for (int c = 0; c < port->config->links; c++)
                if (!fc_links_optional(l, c) && fc_links_readable(l, c))
                        return false;
        return !fc_links_waiting(l) && fc_port_answered(port) && fc_links_pushed(l);
}

bool fc_port_reopen(struct fc_port *port, int64_t now_ns)
{
        struct link_error why;

        fc_links_hang_up(&port->links);
        if (fc_port_unplugged(port))
                return false;
        if (!fc_links_open(&port->links, false, &why)) {
                fc_links_hang_up(&port->links);
                return false;
        }
        port->codec->ops->restart(port->codec);
        start_over(port, now_ns);
        return true;
}

bool fc_port_fault_begin(struct fc_port *port, const struct wire_fault *fault, int id,
                         uint64_t seed, int64_t end_ns)
{
        if (!fc_faults_begin(&port->links.faults, fault, id, seed, end_ns))
                return false;
        if (fault->kind == WIRE_UNPLUG)
                fc_port_give_up(port);
        return true;
}

void fc_port_tick(struct fc_port *port, int64_t tick, int64_t now_ns)
{
        if (port->links.faults.all == NULL)
                return;
        port->links.faults.all->tick = tick;
        if (port->state == FC_PORT_CLOSED || port->state == FC_PORT_GONE)
                return;
        /* It owed nothing, so its silence begins with what it gets now. */
        if (!fc_port_owes(port))
                fc_port_begin_silence(port, now_ns);
        if (!fc_links_push(&port->links, now_ns))
                fc_port_give_up(port);
}
