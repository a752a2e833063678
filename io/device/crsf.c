/* A Crossfire receiver: channels at 150 Hz, radio link statistics at 10 Hz, and its name on
 * request. Without a pilot at the sticks the channels stop and the link quality is 0. */
#include <stdlib.h>
#include <string.h>

#include "io/device/device_rc.h"

#define S_NS     1000000000LL
#define BAUD     420000
#define RC_NS    (S_NS / 150)
#define LINK_NS  (S_NS / 10)
#define APART_NS 2000000LL /* from the channels: boards buffer one frame at a time */
#define RC_BITS  (10 * (RC_PACKED_BYTES + 4))
#define NAME     "hilrig RX"

struct crsf {
        struct device device;
        struct rc_beat channels, link;
        int64_t sent_ns; /* the last channels */
        bool pinged; /* and not answered yet */
        uint8_t asker;
        size_t len;
        uint8_t in[CRSF_FRAME_MAX];
};

static bool give(struct crsf *c, const struct crsf_frame *frame, struct packets *out)
{
        uint8_t bytes[CRSF_FRAME_MAX];

        return rc_give(&c->device, bytes, crsf_encode(frame, bytes), out);
}

static void give_channels(struct crsf *c, const struct device_feed *feed,
                          struct packets *out)
{
        struct crsf_frame frame = {
                CRSF_FLIGHT_CONTROLLER, CRSF_RC_CHANNELS_PACKED, RC_PACKED_BYTES, { 0 }
        };
        uint16_t ticks[RC_PACKED];

        for (int i = 0; i < RC_PACKED; i++)
                ticks[i] = rc_ticks_of_us(rc_channel_us(feed->input, i));
        rc_pack(frame.payload, ticks);
        c->sent_ns = feed->t_ns;
        give(c, &frame, out);
}

static void give_link(struct crsf *c, bool heard, struct packets *out)
{
        static const struct crsf_link good = { { 62, 65 }, 100, 9, 0, 2, 3, 60, 100, 8 };
        static const struct crsf_link lost = {
                { 130, 130 }, 0, -20, 0, 2, 0, 130, 0, -20
        };
        struct crsf_frame frame = {
                CRSF_FLIGHT_CONTROLLER, CRSF_LINK_STATISTICS, CRSF_LINK_BYTES, { 0 }
        };

        crsf_put_link(frame.payload, heard ? &good : &lost);
        give(c, &frame, out);
}

/* Destination, origin, name, serial number, hardware and software version, number of parameters, version
 * of the parameter protocol. */
static void give_name(struct crsf *c, struct packets *out)
{
        static const uint8_t rest[] = {
                'H', 'I', 'L', '1', 0, 0, 0, 1, 0, 0, 3, 72, 0, 0
        };
        struct crsf_frame frame = { CRSF_FLIGHT_CONTROLLER,
                                    CRSF_DEVICE_INFO,
                                    2 + sizeof NAME + sizeof rest,
                                    { 0 } };

        frame.payload[0] = c->asker;
        frame.payload[1] = CRSF_RECEIVER;
        memcpy(frame.payload + 2, NAME, sizeof NAME);
        memcpy(frame.payload + 2 + sizeof NAME, rest, sizeof rest);
        c->pinged = !give(c, &frame, out);
}

/* One frame per tick, and none right behind the channels. */
static void crsf_feed(struct device *d, const struct device_feed *feed,
                      struct packets *out)
{
        struct crsf *c = (struct crsf *)d;
        bool heard = rc_is_heard(feed->input);

        if (rc_beat_is_due(&c->channels, feed->t_ns) && heard)
                give_channels(c, feed, out);
        else if (heard && feed->t_ns - c->sent_ns < APART_NS)
                return;
        else if (c->pinged)
                give_name(c, out);
        else if (rc_beat_is_due(&c->link, feed->t_ns))
                give_link(c, heard, out);
}

static void obey(struct crsf *c, const struct crsf_frame *frame)
{
        c->device.counts.messages_in++;
        if (frame->type != CRSF_DEVICE_PING || frame->len < 2 ||
            (frame->payload[0] != CRSF_BROADCAST && frame->payload[0] != CRSF_RECEIVER))
                return;
        c->pinged = true;
        c->asker = frame->payload[1];
}

/* Takes frames from the front of the received bytes. */
static void sort(struct crsf *c)
{
        struct crsf_frame frame;
        enum crsf_found found;
        size_t used = 0;

        do {
                used += crsf_find(c->in + used, c->len - used, &frame, &found);
                if (found == CRSF_FRAME)
                        obey(c, &frame);
                else if (found != CRSF_INCOMPLETE)
                        c->device.counts.errors++;
        } while (found != CRSF_INCOMPLETE);
        c->len -= used;
        memmove(c->in, c->in + used, c->len);
}

static void crsf_take(struct device *d, const uint8_t *bytes, size_t len,
                      struct packets *out)
{
        struct crsf *c = (struct crsf *)d;

        (void)out; /* answers go out between two of its own frames */
        while (len > 0) {
                size_t n = sizeof c->in - c->len;

                if (n > len)
                        n = len;
                memcpy(c->in + c->len, bytes, n);
                c->len += n;
                bytes += n;
                len -= n;
                sort(c);
        }
}

static void crsf_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_crsf_ops = {
        .name = "crsf",
        .carries = { .rc = RC_CHANNELS_MAX },
        .what = "RC receiver, CRSF (Crossfire, ExpressLRS), 16 channels",
        .baud = BAUD,
        .framing = "8N1",
        .feed = crsf_feed,
        .take = crsf_take,
        .destroy = crsf_destroy,
};

struct device *device_crsf_create(const struct device_setup *setup)
{
        struct crsf *c = calloc(1, sizeof *c);

        if (c == NULL)
                return NULL;
        c->device.ops = &device_crsf_ops;
        c->channels = rc_beat_of(RC_NS, RC_BITS, setup->baud > 0 ? setup->baud : BAUD);
        c->link.period_ns = LINK_NS;
        c->sent_ns = -S_NS;
        return &c->device;
}
