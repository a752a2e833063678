/* A board that says anything at all to a radio receiver, samples and sticks of any value, and the decoders of
 * what receivers send. Frames that are read are written again as they were. */
#include <assert.h>

#include "io/device/device.h"
#include "io/device/rc_frames.h"
#include "tests/fuzz/fuzz.h"

static void read_crsf(const uint8_t *data, size_t size)
{
        struct crsf_frame frame;
        enum crsf_found found = CRSF_NOISE;
        uint8_t again[CRSF_FRAME_MAX];

        for (size_t used = 0, n; found != CRSF_INCOMPLETE; used += n) {
                n = crsf_find(data + used, size - used, &frame, &found);
                assert(used + n <= size && (n > 0) == (found != CRSF_INCOMPLETE));
                if (found != CRSF_FRAME)
                        continue;
                assert(crsf_encode(&frame, again) == n);
                assert(memcmp(again, data + used, n) == 0);
        }
}

static void read_sbus(const uint8_t *data, size_t size)
{
        uint8_t again[SBUS_FRAME_BYTES];
        struct sbus_frame frame;

        for (; size >= SBUS_FRAME_BYTES; data++, size--)
                if (sbus_decode(&frame, data)) {
                        sbus_encode(&frame, again);
                        assert(memcmp(again, data, SBUS_FRAME_BYTES - 1) == 0);
                }
}

static void read_ibus(const uint8_t *data, size_t size)
{
        uint16_t us[IBUS_CHANNELS_MAX], twice[IBUS_CHANNELS_MAX];
        uint8_t again[IBUS_FRAME_BYTES];

        for (; size >= IBUS_FRAME_BYTES; data++, size--)
                if (ibus_decode(us, data)) {
                        ibus_encode(us, again);
                        assert(ibus_decode(twice, again));
                        assert(memcmp(us, twice, sizeof us) == 0);
                }
}

/* Both ways of looking at the bytes: what the board says, and what is measured. */
static void run(const char *name, const uint8_t *data, size_t size)
{
        static const struct fc_report report;
        static const struct motor_command command;
        struct device_setup setup = { .period_ns = 1000000, .baud = size % 2 * 9600 };
        struct device *d = device_create(name, &setup);
        struct pilot_input input = { 0 };
        struct sensor_frame frame = { 0 };
        struct device_feed feed = { 0, &frame, &input, &report, &command };

        assert(d != NULL);
        while (size > 0) {
                size_t n = data[0] % 61U + 1U;
                struct packets out = { 0 };

                if (n > size)
                        n = size;
                if (d->ops->take != NULL)
                        d->ops->take(d, data, n, &out);
                assert(out.count == 0);
                memcpy(input.rc_us, data,
                       n < sizeof input.rc_us ? n : sizeof input.rc_us);
                memcpy(&frame.sonar[0].range_m, data,
                       n < sizeof(double) ? n : sizeof(double));
                frame.sonar[0].echo = data[n - 1] & 1;
                frame.flow.flow_x_rad = frame.baro.pressure_pa = frame.sonar[0].range_m;
                frame.gps.lat_rad = frame.mag.field_body_t.x = frame.sonar[0].range_m;
                frame.gps.fix = GPS_FIX_3D;
                frame.flow.interval_ns = frame.flow.quality = data[n - 1];
                frame.fresh = data[0];
                frame.fresh_sonars = data[n - 1];
                feed.t_ns += data[0] * 200000LL;
                d->ops->feed(d, &feed, &out);
                assert(out.count >= 0 && out.count <= CODEC_PACKETS_MAX);
                for (int i = 0; i < out.count; i++)
                        assert(out.packet[i].len > 0 && out.packet[i].len <= PACKET_MAX);
                data += n;
                size -= n;
        }
        d->ops->destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const char *const names[] = { "crsf", "sbus", "ibus" };

        read_crsf(data, size);
        read_sbus(data, size);
        read_ibus(data, size);
        if (size > 0)
                run(names[data[0] % 3], data + 1, size - 1);
        return 0;
}
