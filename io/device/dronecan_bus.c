#include "io/device/dronecan_bus.h"

#include <string.h>

/* With stuffed bits, as many as random data has at the most likely. */
static int64_t frame_ns(const struct can_frame *f)
{
        return (67 + 8 * f->len) * INT64_C(1150);
}

bool dronecan_bus_queue(struct dronecan_bus *b, const struct can_frame *frames, int count)
{
        if (b->waiting + (size_t)count > DRONECAN_BUS_FRAMES)
                return false;
        for (int i = 0; i < count; i++)
                b->frame[(b->first + b->waiting++) % DRONECAN_BUS_FRAMES] = frames[i];
        return true;
}

static void put_packet(struct packets *out, const void *bytes, size_t len, bool join)
{
        struct packet *p = &out->packet[out->count > 0 ? out->count - 1 : 0];

        if (!join || out->count == 0 || p->len + len > PACKET_MAX) {
                if (out->count == CODEC_PACKETS_MAX)
                        return;
                p = &out->packet[out->count++];
                p->len = p->channel = 0;
        }
        memcpy(p->bytes + p->len, bytes, len);
        p->len = (uint16_t)(p->len + len);
}

static size_t encode_frame(enum dronecan_carrier carrier, const struct can_frame *f,
                           uint8_t bytes[SLCAN_LINE_MAX])
{
        if (carrier == BY_SLCAN)
                return slcan_encode(f, (char *)bytes);
        if (carrier == BY_DATAGRAM)
                return can_datagram_encode(f, bytes);
        can_socket_encode(f, bytes);
        return CAN_SOCKET_BYTES;
}

void dronecan_bus_give(struct dronecan_bus *b, int64_t now_ns, int64_t period_ns,
                       struct packets *out)
{
        if (b->carrier == BY_SLCAN && !b->opened) {
                put_packet(out, SLCAN_OPEN, strlen(SLCAN_OPEN), true);
                b->opened = true;
        }
        if (b->free_ns < now_ns - period_ns)
                b->free_ns = now_ns - period_ns;
        while (b->waiting > 0 && b->free_ns <= now_ns && out->count < CODEC_PACKETS_MAX) {
                const struct can_frame *f = &b->frame[b->first];
                uint8_t bytes[SLCAN_LINE_MAX];
                size_t len = encode_frame(b->carrier, f, bytes);

                put_packet(out, bytes, len, b->carrier == BY_SLCAN);
                b->free_ns += frame_ns(f);
                b->first = (b->first + 1) % DRONECAN_BUS_FRAMES;
                b->waiting--;
        }
}

/* A byte at a time: what ends a line is its last one. */
static size_t take_text(struct dronecan_bus *b, const uint8_t *bytes, size_t len,
                        struct can_frame *frame, enum slcan_found *found)
{
        size_t used = 0;

        while (used < len) {
                b->line[b->line_len++] = bytes[used++];
                if (slcan_find(b->line, b->line_len, frame, found) == 0)
                        continue;
                b->line_len = 0;
                return used;
        }
        *found = SLCAN_INCOMPLETE;
        return used;
}

size_t dronecan_bus_take(struct dronecan_bus *b, const uint8_t *bytes, size_t len,
                         struct can_frame *frame, enum slcan_found *found)
{
        bool whole;

        if (b->carrier == BY_SLCAN)
                return take_text(b, bytes, len, frame, found);
        whole = b->carrier == BY_DATAGRAM ? can_datagram_decode(bytes, len, frame)
                                          : can_socket_decode(bytes, len, frame);
        *found = whole ? SLCAN_FRAME : SLCAN_NOISE;
        return len;
}

void dronecan_bus_left(struct dronecan_bus *b)
{
        b->opened = false;
        b->line_len = 0;
}
