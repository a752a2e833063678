/* A board that says anything at all to a u-blox receiver, in bytes or in whole frames, while samples come
 * and go. Whatever it does, what leaves keeps to the speed. */
#include <assert.h>
#include <math.h>

#include "io/device/device.h"
#include "io/device/ublox/ubx.h"
#include "tests/fuzz/fuzz.h"

#define MS 1000000LL

struct talk {
        struct device *device;
        int64_t t_ns;
        double sample; /* any value at all, in every field */
};

static void tick(struct talk *t, int64_t for_ns, bool fresh, enum gps_fix fix)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct sensor_frame frame = { .fresh = fresh ? SENSOR_BIT(SENSOR_GPS) : 0 };
        struct device_feed feed = { 0, &frame, &input, &report, &command };
        struct packets out = { 0 };
        uint32_t baud = t->device->ops->speed(t->device);
        int64_t bytes = 0;

        t->t_ns += for_ns;
        feed.t_ns = frame.t_ns = t->t_ns;
        frame.gps =
                (struct gps_sample){ .t_ns = t->t_ns - 40 * MS,
                                     .lat_rad = t->sample,
                                     .lon_rad = t->sample,
                                     .height_m = t->sample,
                                     .vel_ned_mps = { t->sample, t->sample, -t->sample },
                                     .h_acc_m = t->sample,
                                     .v_acc_m = -t->sample,
                                     .s_acc_mps = t->sample,
                                     .satellites = (int)(t->t_ns / MS % 50) - 2,
                                     .fix = fix };
        t->device->ops->feed(t->device, &feed, &out);
        assert(out.count >= 0 && out.count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out.count; i++) {
                assert(out.packet[i].len > 0 && out.packet[i].len <= PACKET_MAX);
                bytes += out.packet[i].len;
        }
        /* A byte more that was under way when the tick began. */
        assert(bytes <= for_ns * baud / 10000000000LL + 1);
}

static void take(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };
        uint32_t baud;

        t->device->ops->take(t->device, bytes, len, &out);
        assert(out.count == 0);
        baud = t->device->ops->speed(t->device);
        assert(baud >= 4800 && baud <= 921600);
}

/* Steps of an opcode, a length and so many bytes. */
static void step(struct talk *t, uint8_t op, const uint8_t *bytes, size_t len)
{
        uint8_t frame[256 + UBX_OVERHEAD];

        switch (op % 4) {
        case 0:
                take(t, bytes, len);
                break;
        case 1:
                if (len >= 1)
                        take(t, frame, ubx_frame(frame, 6, bytes[0], bytes + 1, len - 1));
                break;
        case 2:
                if (len >= 2)
                        take(t, frame,
                             ubx_frame(frame, bytes[0], bytes[1], bytes + 2, len - 2));
                break;
        default:
                memcpy(&t->sample, bytes,
                       len < sizeof t->sample ? len : sizeof t->sample);
                for (int i = 0; i < 3; i++)
                        tick(t, (int64_t)(len + 1) * MS, op >> 2 & 1,
                             op >> 3 & 1 ? GPS_FIX_3D : GPS_NO_FIX);
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct device_setup setup = { .period_ns = MS,
                                      .origin = { .utc_ns = 1700000000000000000LL } };
        struct talk t = { .sample = 0.5 };

        if (size == 0)
                return 0;
        t.device = data[0] % 2 == 0 ? device_ublox_m8_create(&setup)
                                    : device_ublox_m10_create(&setup);
        assert(t.device != NULL);
        tick(&t, MS, false, GPS_NO_FIX);
        for (size_t at = 1; at + 2 <= size;) {
                size_t len = data[at + 1];

                if (len > size - at - 2)
                        len = size - at - 2;
                step(&t, data[at], data + at + 2, len);
                at += 2 + len;
        }
        t.device->ops->destroy(t.device);
        return 0;
}
