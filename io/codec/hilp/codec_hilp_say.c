/* What the rig says in HILP: hello until answered, then sensor frames and pilot input. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/hilp/codec_hilp.h"
#include "io/codec/hilp/hilp_si.h"

#define HELLO_PERIOD_NS     100000000
#define TIME_SYNC_PERIOD_NS 100000000
/* Each in a packet of its own, so that one lost datagram does not take all of them. */
#define GOODBYES 3

/* An empty packet at the end of the outbox; a call makes at most GOODBYES and a hello. */
static struct packet *packet_begin(struct packets *out)
{
        struct packet *p = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        p->channel = 0;
        p->len = 0;
        return p;
}

static size_t write_message(struct codec_hilp *h, struct hilp_message *m, uint8_t *frame)
{
        size_t len;

        m->sequence = h->sequence++;
        len = hilp_write(m, frame);
        assert(len > 0);
        h->codec.counts.frames_encoded++;
        return len;
}

static void append_bytes(struct packet *p, const uint8_t *frame, size_t len)
{
        assert(p->len + len <= PACKET_MAX);
        memcpy(p->bytes + p->len, frame, len);
        p->len = (uint16_t)(p->len + len);
}

/* In a packet of its own. */
static void say_alone(struct codec_hilp *h, struct hilp_message *m, struct packets *out)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len = write_message(h, m, frame);

        append_bytes(packet_begin(out), frame, len);
}

void codec_hilp_say(struct codec_hilp *h, struct hilp_message *m, struct packets *out)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len = write_message(h, m, frame);
        struct packet *last = out->count > 0 ? &out->packet[out->count - 1] : NULL;

        append_bytes(last == NULL || last->len + len > PACKET_MAX ? packet_begin(out)
                                                                  : last,
                     frame, len);
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
        for (int i = 0; i < HILP_HELLO_SENSORS; i++)
                hello->sensor_period_us[i] = period_us(h->setup.sensor_period_ns[i]);
        hello->units = h->units;
        snprintf(hello->name, sizeof hello->name, "hilrig");

        /* Ends whatever half frame the board may have from before. */
        p->bytes[p->len++] = 0;
        codec_hilp_say(h, &m, out);
}

static void say_time_sync(struct codec_hilp *h, int64_t t_ns, struct packets *out)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC };

        h->sync_id++;
        h->sync_ns = t_ns;
        h->sync_open = true;
        m.u.time_sync.id = h->sync_id;
        m.u.time_sync.rig_transmit_us = (uint64_t)t_ns / 1000 & HILP_TIME_MAX_US;
        say_alone(h, &m, out);
}

void codec_hilp_poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        struct codec_hilp *h = codec_hilp_self(c);

        out->count = 0;
        if (!h->ready) {
                if (!h->hello_sent || t_ns - h->hello_ns >= HELLO_PERIOD_NS) {
                        h->hello_sent = true;
                        h->hello_ns = t_ns;
                        say_hello(h, out);
                }
        } else if (!h->options_told) {
                codec_hilp_options_greet(h, t_ns, out);
        } else if (!h->setup.lockstep && t_ns - h->sync_ns >= TIME_SYNC_PERIOD_NS) {
                say_time_sync(h, t_ns, out);
        }
}

void codec_hilp_say_parts(struct codec_hilp *h, struct packets *out)
{
        const struct bmp180_params *words = &h->setup.bmp180;
        struct hilp_message m = { .type = HILP_PARTS };
        struct hilp_parts *parts = &m.u.parts;

        parts->sonars = (uint8_t)h->setup.sonars;
        parts->flow_period_us = period_us(h->setup.sensor_period_ns[SENSOR_FLOW]);
        parts->power_period_us = period_us(h->setup.sensor_period_ns[SENSOR_POWER]);
        parts->ins_period_us = period_us(h->setup.sensor_period_ns[SENSOR_INS]);
        parts->baro_oversampling = (uint8_t)words->oversampling;
        parts->baro = (struct hilp_baro_words){
                words->ac1, words->ac2, words->ac3, words->ac4, words->ac5, words->ac6,
                words->b1,  words->b2,  words->mb,  words->mc,  words->md,
        };
        codec_hilp_say(h, &m, out);
        if (h->setup.radios == 0)
                return;
        m.type = HILP_RADIO;
        m.u.radio = (struct hilp_radio){ (uint16_t)h->setup.radio_address,
                                         (uint16_t)h->setup.radios,
                                         (uint8_t)h->setup.radio_bytes_max };
        codec_hilp_say(h, &m, out);
}

/* What holds from the next frame on: said with the first frame and now and then again. */
static void say_standing(struct codec_hilp *h, struct packets *out)
{
        struct hilp_message m = { .type = HILP_INPUT };

        if (h->frames_to_parts-- == 0) {
                h->frames_to_parts = CODEC_HILP_REPEAT_EVERY - 1;
                codec_hilp_say_parts(h, out);
        }
        codec_hilp_options_say(h, out);
        if (h->have_input && h->frames_to_input-- == 0) {
                h->frames_to_input = CODEC_HILP_REPEAT_EVERY - 1;
                m.u.input = h->input;
                codec_hilp_say(h, &m, out);
        }
}

/* The sensors last: they are what the board answers. */
static void say_frame(struct codec_hilp *h, uint32_t number,
                      const struct sensor_frame *frame, struct packets *out)
{
        struct hilp_message m;

        if ((frame->fresh & SENSOR_BIT(SENSOR_SONAR)) && frame->fresh_sonars != 0) {
                m.type = HILP_SONARS;
                hilp_si_to_sonars(&m.u.sonars, &h->units, number, frame);
                codec_hilp_say(h, &m, out);
        }
        m.type = (uint8_t)hilp_sensors_type(h->board.version);
        hilp_si_to_sensors(&m.u.sensors, &h->units, number, frame);
        codec_hilp_say(h, &m, out);
}

void codec_hilp_encode(struct codec *c, uint32_t number, int64_t t_ns,
                       const struct sensor_frame *frame, const struct pilot_input *input,
                       struct packets *out)
{
        struct codec_hilp *h = codec_hilp_self(c);

        (void)t_ns;
        out->count = 0;
        if (input != NULL) {
                hilp_si_to_input(&h->input, input);
                h->have_input = true;
                h->frames_to_input = 0;
        }
        if (!h->ready || !h->options_told)
                return;

        say_standing(h, out);
        say_frame(h, number, frame, out);

        if (!h->frame_sent)
                h->first_frame = number;
        h->frame_sent = true;
        h->newest_frame = number;
}

void codec_hilp_goodbye(struct codec *c, struct packets *out)
{
        struct codec_hilp *h = codec_hilp_self(c);

        out->count = 0;
        for (int i = 0; i < GOODBYES; i++) {
                struct hilp_message m = { .type = HILP_GOODBYE };

                say_alone(h, &m, out);
        }
        if (h->goodbyes++ >= CODEC_HILP_GOODBYES_ALONE)
                say_hello(h, out);
}

/* Each may take a packet of its own at worst. */
int codec_hilp_hear_peers(struct codec *c, const struct peer_packet *packet, int count,
                          struct packets *out)
{
        struct codec_hilp *h = codec_hilp_self(c);
        int said = 0;

        out->count = 0;
        if (!h->ready)
                return count; /* nobody is there to hear them */
        for (; said < count && out->count < CODEC_PACKETS_MAX; said++) {
                struct hilp_message m = { .type = HILP_PEER };

                m.u.peer = (struct hilp_peer){
                        packet[said].peer, packet[said].power_dbm, packet[said].len, { 0 }
                };
                memcpy(m.u.peer.bytes, packet[said].bytes, packet[said].len);
                codec_hilp_say(h, &m, out);
        }
        return said;
}
