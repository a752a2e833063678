/* Whatever comes from a CAN adapter or a multicast group: lines, datagrams, and the transfers in their frames. A frame that
 * is read is written again as it was read, and whatever is in a transfer is read without harm. */
#include <assert.h>

#include "io/can/dronecan_message.h"
#include "io/device/device.h"
#include "tests/fuzz/fuzz.h"

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

/* The node that hears all this, and has samples of any value. */
static void run_device(const char *name, const uint8_t *data, size_t size)
{
        static const struct fc_report report;
        static const struct motor_command command;
        static const struct pilot_input input;
        const struct device_setup setup = { .period_ns = 1000000,
                                            .rotors = 8,
                                            .drives = true };
        struct device *d = device_create(name, &setup);
        struct sensor_frame frame = { 0 };
        const double rotor_radps[ROTORS_MAX] = { 100.0 };
        struct device_feed feed = { 0, &frame, &input, &report, &command, rotor_radps };
        struct motor_command motors;

        assert(d != NULL);
        while (size > 0) {
                size_t n = data[0] % 61U + 1U;
                struct packets out = { 0 };

                n = n > size ? size : n;
                d->ops->take(d, data, n, &out);
                assert(out.count == 0);
                memcpy(&frame.gps.lat_rad, data, n < 8 ? n : 8);
                frame.gps.height_m = frame.imu.accel_body_mps2.z = frame.gps.lat_rad;
                frame.baro.pressure_pa = frame.sonar[0].range_m = frame.gps.lat_rad;
                frame.fresh = data[0];
                frame.fresh_sonars = data[n - 1];
                feed.t_ns += data[0] * 20000LL;
                d->ops->feed(d, &feed, &out);
                assert(out.count >= 0 && out.count <= CODEC_PACKETS_MAX);
                d->ops->motors(d, &motors);
                for (int i = 0; i < setup.rotors; i++)
                        assert(motors.duty[i] >= 0.0 && motors.duty[i] <= 1.0);
                data += n;
                size -= n;
        }
        d->ops->destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct dronecan_reader r = { .node = 42 };
        struct can_frame frame;

        run_device("dronecan_slcan", data, size);
        run_device("dronecan_mcast", data, size);
        run_device("dronecan_socketcan", data, size);
        read_lines(&r, data, size);
        read_frames(&r, data, size);
        if (can_datagram_decode(data, size, &frame)) {
                uint8_t out[CAN_DATAGRAM_MAX];

                assert(can_datagram_encode(&frame, out) == size);
                assert(memcmp(out, data, size) == 0);
        }
        can_socket_decode(data, size, &frame);
        return 0;
}
