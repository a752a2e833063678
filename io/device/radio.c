/* A radio at one of the board's own ports: what the board writes goes to all other vehicles as it is, in packets no longer
 * than the radio's, and what those send comes out of it. MAVLink passes from one autopilot to another in this way. */
#include "io/device/device.h"

#include <stdlib.h>
#include <string.h>

#define WAITING_MAX 16 /* packets from one tick to the next; more are lost */

struct radio_device {
        struct device device;
        int bytes_max;
        int first, waiting;
        struct peer_packet packet[WAITING_MAX];
};

static struct radio_device *self(struct device *d)
{
        return (struct radio_device *)d;
}

static bool put_packet(struct radio_device *r, const uint8_t *bytes, size_t len)
{
        struct peer_packet *p;

        if (r->waiting == WAITING_MAX)
                return false;
        p = &r->packet[(r->first + r->waiting++) % WAITING_MAX];
        *p = (struct peer_packet){ .peer = PEER_ALL, .len = (uint8_t)len };
        memcpy(p->bytes, bytes, len);
        return true;
}

static void radio_take_bytes(struct device *d, const uint8_t *bytes, size_t len,
                             struct packets *out)
{
        struct radio_device *r = self(d);

        (void)out;
        while (len > 0) {
                size_t n = len < (size_t)r->bytes_max ? len : (size_t)r->bytes_max;

                if (put_packet(r, bytes, n))
                        d->counts.messages_in++;
                else
                        d->counts.errors++;
                bytes += n;
                len -= n;
        }
}

static bool radio_send_peer(struct device *d, struct peer_packet *out)
{
        struct radio_device *r = self(d);

        if (r->waiting == 0)
                return false;
        *out = r->packet[r->first];
        r->first = (r->first + 1) % WAITING_MAX;
        r->waiting--;
        return true;
}

static void radio_feed(struct device *d, const struct device_feed *feed,
                       struct packets *out)
{
        for (int i = 0; i < feed->heards && out->count < CODEC_PACKETS_MAX; i++) {
                struct packet *p = &out->packet[out->count++];

                p->channel = 0;
                p->len = feed->heard[i].len;
                memcpy(p->bytes, feed->heard[i].bytes, p->len);
                d->counts.messages_out++;
        }
}

static void radio_destroy_device(struct device *d)
{
        free(d);
}

const struct device_ops device_radio_ops = {
        .name = "radio",
        .what = "radio to the other vehicles, transparent: bytes as they are",
        .feed = radio_feed,
        .take = radio_take_bytes,
        .send_peer = radio_send_peer,
        .destroy = radio_destroy_device,
};

struct device *device_radio_create(const struct device_setup *setup)
{
        struct radio_device *r = calloc(1, sizeof *r);

        if (r == NULL)
                return NULL;
        r->device.ops = &device_radio_ops;
        r->bytes_max = setup->radio_bytes_max;
        return &r->device;
}
