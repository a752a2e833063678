/* Whatever comes from a CAN adapter or a multicast group: lines, datagrams, and the transfers in their frames. A frame that
 * is read is written again as it was read, and whatever is in a transfer is read without harm. */
#include <assert.h>
#include <string.h>

#include "io/can/dronecan_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(struct dronecan_reader *r, const struct can_frame *frame, int64_t t_ns)
{
        struct dronecan_transfer t;
        struct can_frame again[DRONECAN_FRAMES_MAX];
        double duty[DRONECAN_ESC_MAX];
        bool armed;

        assert(frame->len <= CAN_DATA_MAX && frame->id <= CAN_ID_MASK);
        if (!dronecan_read(r, frame, t_ns, &t))
                return;
        assert(t.len <= DRONECAN_PAYLOAD_MAX && t.type >= 0 && t.type < DRONECAN_TYPES);
        if (t.source > 0) {
                int count = dronecan_split(&t, again);

                assert(count > 0 && count <= DRONECAN_FRAMES_MAX);
                assert(again[count - 1].id == frame->id);
        }
        assert(dronecan_read_raw_command(&t, duty) <= DRONECAN_ESC_MAX);
        dronecan_read_arming(&t, &armed);
}

static void read_lines(struct dronecan_reader *r, const uint8_t *data, size_t size)
{
        enum slcan_found found = SLCAN_NOISE;
        struct can_frame frame, twice;
        char line[SLCAN_LINE_MAX];

        for (size_t used = 0, n; found != SLCAN_INCOMPLETE; used += n) {
                n = slcan_find(data + used, size - used, &frame, &found);
                assert(used + n <= size && (n > 0) == (found != SLCAN_INCOMPLETE));
                if (found != SLCAN_FRAME)
                        continue;
                n = slcan_encode(&frame, line);
                slcan_find((const uint8_t *)line, n, &twice, &found);
                assert(found == SLCAN_FRAME && frame.id == twice.id &&
                       frame.len == twice.len);
                assert(memcmp(frame.data, twice.data, CAN_DATA_MAX) == 0);
                n = slcan_find(data + used, size - used, &frame, &found);
                take(r, &frame, (int64_t)used * 1000000);
        }
}

/* Frames as they are, so that the fuzzer need not find a CRC: length, identifier, data. */
static void read_frames(struct dronecan_reader *r, const uint8_t *data, size_t size)
{
        for (size_t at = 0; at + 13 <= size; at += 13) {
                struct can_frame frame = { .len = data[at] % 9 };

                memcpy(&frame.id, data + at + 1, 4);
                frame.id &= CAN_ID_MASK;
                memcpy(frame.data, data + at + 5, frame.len);
                take(r, &frame, (int64_t)at * 1000000);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct dronecan_reader r = { .node = 42 };
        struct can_frame frame;

        read_lines(&r, data, size);
        read_frames(&r, data, size);
        if (can_datagram_decode(data, size, &frame)) {
                uint8_t out[CAN_DATAGRAM_MAX];

                assert(can_datagram_encode(&frame, out) == size);
                assert(memcmp(out, data, size) == 0);
        }
        return 0;
}
