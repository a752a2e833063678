/* Rangefinders, an InertialLabs unit and the port of MSP sensors, fed with samples of any value at any time, from a board that says anything:
 * every byte that goes out is part of a whole message of that part, within the bounds of its data sheet. */
#include <assert.h>

#include "io/codec/msp.h"
#include "io/device/device.h"
#include "io/le.h"
#include "tests/fuzz/fuzz.h"

#define STREAM_MAX 512

/* What went out and is no whole message yet. */
struct stream {
        size_t len;
        uint8_t bytes[STREAM_MAX + PACKET_MAX];
};

/* Bytes of the message at the beginning; 0: more are needed. */
typedef size_t read_message(const uint8_t *bytes, size_t len);

static size_t read_tfmini(const uint8_t *bytes, size_t len)
{
        uint8_t sum = 0;

        if (len < 9)
                return 0;
        for (int i = 0; i < 8; i++)
                sum = (uint8_t)(sum + bytes[i]);
        assert(bytes[0] == 0x59 && bytes[1] == 0x59 && bytes[8] == sum);
        assert(le_get_u16(bytes + 2) <= 1200 || le_get_u16(bytes + 2) == 0xFFFF);
        return 9;
}

static int digits_of(const uint8_t *bytes, size_t len)
{
        int value = 0;

        assert(bytes[0] == 'R');
        for (size_t i = 1; i < len; i++) {
                assert(bytes[i] >= '0' && bytes[i] <= '9');
                value = 10 * value + bytes[i] - '0';
        }
        return value;
}

static size_t read_inches(const uint8_t *bytes, size_t len)
{
        if (len < 5)
                return 0;
        assert(digits_of(bytes, 4) >= 6 && digits_of(bytes, 4) <= 254 &&
               bytes[4] == '\r');
        return 5;
}

static size_t read_cm(const uint8_t *bytes, size_t len)
{
        if (len < 5)
                return 0;
        assert(digits_of(bytes, 4) >= 20 && digits_of(bytes, 4) <= 765 &&
               bytes[4] == '\r');
        return 5;
}

static size_t read_msp(const uint8_t *bytes, size_t len)
{
        struct msp_frame frame;
        enum msp_found found;
        size_t n = msp_find(bytes, len, &frame, &found);

        assert(found == MSP_FRAME || found == MSP_INCOMPLETE);
        if (found == MSP_FRAME)
                assert(frame.version == MSP_V2 && frame.kind == MSP_REQUEST &&
                       frame.command >= 0x1F01 && frame.command <= 0x1F06);
        return found == MSP_FRAME ? n : 0;
}

static size_t read_inertiallabs(const uint8_t *bytes, size_t len)
{
        size_t size = len < 6 ? SIZE_MAX : 2U + le_get_u16(bytes + 4);
        uint16_t sum = 0;

        if (len < size)
                return 0;
        for (size_t i = 2; i < size - 2; i++)
                sum = (uint16_t)(sum + bytes[i]);
        assert(memcmp(bytes, "\xAA\x55\x01\x95", 4) == 0 && size == 162);
        assert(bytes[6] == 23 && le_get_u16(bytes + size - 2) == sum);
        return size;
}

static void take_out(struct stream *s, const struct packets *out, read_message *message)
{
        size_t n;

        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                assert(out->packet[i].len > 0 && out->packet[i].len <= PACKET_MAX);
                memcpy(s->bytes + s->len, out->packet[i].bytes, out->packet[i].len);
                s->len += out->packet[i].len;
                while (s->len > 0 && (n = message(s->bytes, s->len)) > 0)
                        memmove(s->bytes, s->bytes + n, s->len -= n);
                assert(s->len <= STREAM_MAX);
        }
}

/* Any numbers, none of them of the right size. */
static void fill_frame(struct sensor_frame *frame, const uint8_t *bytes, size_t len)
{
        double x[8] = { 0 };

        memcpy(x, bytes, len < sizeof x ? len : sizeof x);
        frame->fresh = len > 0 ? bytes[0] : 0;
        frame->fresh_sonars = len > 1 ? bytes[1] : 0;
        frame->sonar[0] = (struct sonar_sample){ frame->t_ns, x[0], len & 1 };
        frame->flow.flow_x_rad = x[0];
        frame->flow.flow_y_rad = x[1];
        frame->flow.interval_ns = len > 2 ? bytes[2] * 1000000LL : 0;
        frame->flow.quality = len > 3 ? (int8_t)bytes[3] : 0;
        frame->baro = (struct baro_sample){ .t_ns = frame->t_ns, .pressure_pa = x[0] };
        frame->baro.temperature_k = x[1];
        frame->imu = (struct imu_sample){ frame->t_ns - (int64_t)len * 100000,
                                          { x[0], x[1], x[2] },
                                          { x[3], x[4], x[5] } };
        frame->mag.field_body_t = (struct vec3){ x[0], x[1], x[2] };
        frame->gps.lat_rad = x[0];
        frame->gps.lon_rad = x[1];
        frame->gps.height_m = x[2];
        frame->gps.vel_ned_mps = (struct vec3){ x[3], x[4], x[5] };
        frame->gps.h_acc_m = x[6];
        frame->gps.fix = len & 2 ? GPS_FIX_3D : GPS_NO_FIX;
        frame->pose.dynamic_pressure_pa = x[7];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const struct {
                const char *name;
                read_message *message;
        } parts[] = { { "tfmini", read_tfmini },
                      { "maxsonar", read_inches },
                      { "maxsonar_xl", read_cm },
                      { "msp_sensors", read_msp },
                      { "inertiallabs", read_inertiallabs } };
        static const struct fc_report report;
        static const struct motor_command command;
        static const struct pilot_input input;
        int part = size == 0 ? 0 : data[0] & 8 ? 4 : data[0] & 3;
        struct device_setup setup = { .period_ns = 1000000,
                                      .baud = size > 0 && data[0] & 4 ? 9600 : 0,
                                      .range_max_m = 4.0 };
        struct device *d = device_create(parts[part].name, &setup);
        struct sensor_frame frame = { 0 };
        struct device_feed feed = { 0, &frame, &input, &report, &command };
        struct stream stream = { 0 };

        assert(d != NULL);
        /* A step: how long after the last and how many bytes; these are what the board says, and the samples. */
        for (size_t at = 1; at + 1 < size;) {
                size_t len = data[at + 1] % 65U, left = size - at - 2;
                struct packets out = { 0 };

                len = len < left ? len : left;
                feed.t_ns = frame.t_ns += data[at] * 500000LL;
                if (d->ops->take != NULL)
                        d->ops->take(d, data + at + 2, len, &out);
                assert(out.count == 0);
                fill_frame(&frame, data + at + 2, len);
                d->ops->feed(d, &feed, &out);
                take_out(&stream, &out, parts[part].message);
                at += 2 + len;
        }
        d->ops->destroy(d);
        return 0;
}
