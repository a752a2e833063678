/* Radio receivers that only send: SBUS, whose flags say that the radio is silent, and IBUS, which
 * falls silent with it. */
#include "io/device/device_rc.h"

#include <stdlib.h>
#include <string.h>

#define MS_NS       1000000LL
#define S_NS        (1000 * MS_NS)
#define SBUS_BAUD   100000
#define SBUS_NS     (14 * MS_NS) /* Futaba; the high speed mode takes half */
#define SBUS_BITS   (12 * SBUS_FRAME_BYTES) /* 8E2 */
#define FAILSAFE_NS S_NS /* after which lost frames become a failsafe */
#define IBUS_BAUD   115200
#define IBUS_NS     (7 * MS_NS)
#define IBUS_BITS   (10 * IBUS_FRAME_BYTES)

struct rc_beat rc_beat_of(int64_t period_ns, int bits, uint32_t baud)
{
        int64_t least_ns = (bits * S_NS + baud - 1) / baud;

        return (struct rc_beat){ .period_ns =
                                         period_ns > least_ns ? period_ns : least_ns };
}

bool rc_beat_is_due(struct rc_beat *beat, int64_t t_ns)
{
        if (t_ns < beat->due_ns)
                return false;
        beat->due_ns += beat->period_ns;
        if (beat->due_ns <= t_ns)
                beat->due_ns = t_ns + beat->period_ns;
        return true;
}

bool rc_is_heard(const struct pilot_input *input)
{
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                if (input->rc_us[i] != 0)
                        return true;
        return false;
}

uint16_t rc_channel_us(const struct pilot_input *input, int channel)
{
        return input->rc_us[channel] != 0 ? input->rc_us[channel] : 1500;
}

bool rc_give(struct device *d, const uint8_t *frame, size_t len, struct packets *out)
{
        struct packet *p = &out->packet[out->count];

        if (out->count == CODEC_PACKETS_MAX)
                return false;
        p->channel = 0;
        p->len = (uint16_t)len;
        memcpy(p->bytes, frame, len);
        out->count++;
        d->counts.messages_out++;
        return true;
}

struct sbus {
        struct device device;
        struct rc_beat beat;
        struct sbus_frame frame; /* the last from the radio */
        int64_t heard_ns;
        bool heard; /* ever: before that it is not bound and sends nothing */
};

static void listen(struct sbus *s, const struct pilot_input *input, int64_t t_ns)
{
        s->heard = true;
        s->heard_ns = t_ns;
        s->frame.flags = 0;
        for (int i = 0; i < RC_PACKED; i++)
                s->frame.ticks[i] = rc_ticks_of_us(rc_channel_us(input, i));
}

static void sbus_feed(struct device *d, const struct device_feed *feed,
                      struct packets *out)
{
        struct sbus *s = (struct sbus *)d;
        uint8_t bytes[SBUS_FRAME_BYTES];

        if (!rc_beat_is_due(&s->beat, feed->t_ns))
                return;
        if (rc_is_heard(feed->input))
                listen(s, feed->input, feed->t_ns);
        else if (feed->t_ns - s->heard_ns >= FAILSAFE_NS)
                s->frame.flags = SBUS_FRAME_LOST | SBUS_FAILSAFE;
        else
                s->frame.flags = SBUS_FRAME_LOST;
        if (!s->heard)
                return;
        sbus_encode(&s->frame, bytes);
        rc_give(d, bytes, sizeof bytes, out);
}

struct ibus {
        struct device device;
        struct rc_beat beat;
};

static void ibus_feed(struct device *d, const struct device_feed *feed,
                      struct packets *out)
{
        struct ibus *s = (struct ibus *)d;
        uint16_t us[IBUS_CHANNELS_MAX] = { 0 };
        uint8_t bytes[IBUS_FRAME_BYTES];

        if (!rc_beat_is_due(&s->beat, feed->t_ns) || !rc_is_heard(feed->input))
                return;
        for (int i = 0; i < IBUS_CHANNELS; i++)
                us[i] = rc_channel_us(feed->input, i);
        ibus_encode(us, bytes);
        rc_give(d, bytes, sizeof bytes, out);
}

static void rc_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_sbus_ops = {
        .name = "sbus",
        .carries = { .rc = RC_CHANNELS_MAX },
        .heard_first = true,
        .what = "RC receiver, SBUS, 16 channels, 8E2 inverted",
        .baud = SBUS_BAUD,
        .framing = "8E2",
        .inverted = true,
        .feed = sbus_feed,
        .destroy = rc_destroy,
};

const struct device_ops device_ibus_ops = {
        .name = "ibus",
        .carries = { .rc = IBUS_CHANNELS },
        .heard_first = true,
        .what = "RC receiver, FlySky IBUS, 14 channels",
        .baud = IBUS_BAUD,
        .framing = "8N1",
        .feed = ibus_feed,
        .destroy = rc_destroy,
};

struct device *device_sbus_create(const struct device_setup *setup)
{
        struct sbus *s = calloc(1, sizeof *s);

        if (s == NULL)
                return NULL;
        s->device.ops = &device_sbus_ops;
        s->beat =
                rc_beat_of(SBUS_NS, SBUS_BITS, setup->baud > 0 ? setup->baud : SBUS_BAUD);
        return &s->device;
}

struct device *device_ibus_create(const struct device_setup *setup)
{
        struct ibus *s = calloc(1, sizeof *s);

        if (s == NULL)
                return NULL;
        s->device.ops = &device_ibus_ops;
        s->beat =
                rc_beat_of(IBUS_NS, IBUS_BITS, setup->baud > 0 ? setup->baud : IBUS_BAUD);
        return &s->device;
}
