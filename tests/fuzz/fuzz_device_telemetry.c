/* Any bytes from a ground station into the telemetry device, and any numbers from the flight controller:
 * what it says is whole frames of MAVLink. */
#include <assert.h>

#include "io/device/device.h"
#include "io/codec/mavlink_messages.h"
#include "tests/fuzz/fuzz.h"

static void check(const struct packets *out)
{
        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                assert(p->len > 0 && p->len <= PACKET_MAX);
                for (size_t at = 0; at < p->len;) {
                        struct mavlink_frame f;
                        enum mavlink_found found;

                        at += mavlink_find(p->bytes + at, p->len - at, &f, &found);
                        assert(found == MAVLINK_FRAME && at <= p->len);
                }
        }
}

/* The estimate, the words and the samples are the input's bytes. */
static void feed(struct device *d, int64_t t_ns, const uint8_t *bytes, size_t len)
{
        struct sensor_frame frame = { .t_ns = t_ns };
        struct pilot_input input = { 0 };
        struct fc_report report = { 0 };
        struct motor_command command = { { 0 } };
        struct device_feed feed = { t_ns, &frame, &input, &report, &command };
        struct packets out = { 0 };

        frame.fresh = len > 0 ? bytes[0] : 0;
        memcpy(&report.estimate, bytes,
               len < sizeof report.estimate ? len : sizeof report.estimate);
        memcpy(&frame.gps.lat_rad, bytes, len < 32 ? len : 32);
        memcpy(&frame.power.voltage_v, bytes, len < 24 ? len : 24);
        memcpy(report.text, bytes, len < sizeof report.text ? len : sizeof report.text);
        d->ops->feed(d, &feed, &out);
        check(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct device_setup setup = {
                .period_ns = 1000000,
                .origin = { .north_m_per_rad = 6.37e6, .east_m_per_rad = 4.33e6 },
                .rotors = 4,
        };
        struct device *d = device_create("telemetry", &setup);
        int64_t t_ns = 0;

        if (d == NULL)
                abort();
        /* A step: to whom and how many bytes, the bytes. */
        for (size_t at = 0; at < size;) {
                size_t len = data[at] >> 1, left = size - at - 1;
                struct packets out = { 0 };

                if (len > left)
                        len = left;
                if (data[at] & 1) {
                        d->ops->take(d, data + at + 1, len, &out);
                        check(&out);
                } else {
                        feed(d, t_ns, data + at + 1, len);
                        t_ns += 150000000;
                }
                at += 1 + len;
        }
        d->ops->destroy(d);
        return 0;
}
