/* A board that says anything at all to a VectorNav unit, in bytes or in whole lines with the right sum, while samples of
 * any value come and go. Whatever it does, what leaves is whole lines and packets with the right CRC, and keeps to the speed. */
#include <assert.h>

#include "io/device/vectornav.h"
#include "tests/fuzz/fuzz.h"

#define MS 1000000LL

struct talk {
        struct device *device;
        int64_t t_ns;
        int64_t bits, since_ns; /* sent at this speed */
        uint32_t baud;
        double sample; /* any value at all, in every field */
};

static void check_message(const struct packet *p)
{
        assert(p->channel == 0 && p->len >= 4 && p->len <= VECTORNAV_PACKET_MAX);
        if (p->bytes[0] == 0xFA)
                assert(vectornav_crc(p->bytes + 1, p->len - 1U) == 0);
        else
                assert(p->bytes[0] == '$' && p->bytes[p->len - 1] == '\n' &&
                       memchr(p->bytes, '*', p->len) != NULL);
}

static void fill(struct sensor_frame *f, double x)
{
        f->imu = (struct imu_sample){ f->t_ns, { x, -x, x }, { -x, x, x } };
        f->mag.field_body_t = (struct vec3){ x, x, -x };
        f->baro = (struct baro_sample){ .pressure_pa = x, .temperature_k = x };
        f->gps = (struct gps_sample){ .t_ns = f->t_ns,
                                      .lat_rad = x,
                                      .lon_rad = -x,
                                      .height_m = x,
                                      .vel_ned_mps = { x, x, -x },
                                      .h_acc_m = x,
                                      .v_acc_m = -x,
                                      .s_acc_mps = x,
                                      .satellites = (int)(f->t_ns / MS % 50) - 2,
                                      .fix = GPS_FIX_3D };
}

static void tick(struct talk *t, int64_t for_ns, uint32_t fresh, int64_t imu_age_ns)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct sensor_frame frame = { .fresh = fresh, .t_ns = t->t_ns + for_ns };
        struct device_feed feed = { frame.t_ns, &frame, &input, &report, &command };
        struct packets out = { 0 };
        char text[DEVICE_TELL_MAX];

        t->t_ns += for_ns;
        fill(&frame, t->sample);
        frame.imu.t_ns -= imu_age_ns;
        t->device->ops->feed(t->device, &feed, &out);
        if (t->device->ops->speed(t->device) != t->baud) {
                t->baud = t->device->ops->speed(t->device);
                t->since_ns = t->t_ns;
                t->bits = 0;
        }
        assert(t->baud >= 9600 && t->baud <= 921600);
        assert(out.count >= 0 && out.count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out.count; i++) {
                check_message(&out.packet[i]);
                t->bits += 10 * out.packet[i].len;
        }
        /* One message is given out when its first byte is due. */
        assert(t->bits <= (t->t_ns - t->since_ns) / 1000 * t->baud / 1000000 +
                                  10 * (VECTORNAV_PACKET_MAX + 1));
        t->device->ops->tell(t->device, text, sizeof text);
        assert(memchr(text, '\0', sizeof text) != NULL);
}

static void take(struct talk *t, const void *bytes, size_t len)
{
        struct packets out = { 0 };

        t->device->ops->take(t->device, bytes, len, &out);
        assert(out.count == 0);
}

static void take_line(struct talk *t, const uint8_t *body, size_t len)
{
        char line[300];
        uint8_t sum = 0;

        for (size_t i = 0; i < len; i++)
                sum = (uint8_t)(sum ^ body[i]);
        line[0] = '$';
        memcpy(line + 1, body, len);
        take(t, line,
             1 + len + (size_t)snprintf(line + 1 + len, 8, "*%02X\r\n", (unsigned)sum));
}

/* Steps of an opcode, a length and so many bytes. */
static void step(struct talk *t, uint8_t op, const uint8_t *bytes, size_t len)
{
        switch (op % 4) {
        case 0:
                take(t, bytes, len);
                break;
        case 1:
                take_line(t, bytes, len);
                break;
        default:
                memcpy(&t->sample, bytes,
                       len < sizeof t->sample ? len : sizeof t->sample);
                for (int i = 0; i < 4; i++)
                        tick(t, (int64_t)(len + 1) * MS / 4, op >> 2,
                             op % 4 == 3 ? (int64_t)len * MS : 0);
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct device_setup setup = { .period_ns = MS,
                                      .origin = { .utc_ns = 1700000000000000000LL,
                                                  .north_m_per_rad = 6.4e6,
                                                  .east_m_per_rad = 4.3e6 } };
        struct talk t = { .sample = 0.5 };

        if (size == 0)
                return 0;
        setup.baud = data[0] & 2 ? 115200 : 0;
        t.device = device_create(data[0] & 1 ? "vectornav_vn300" : "vectornav_vn100",
                                 &setup);
        assert(t.device != NULL);
        t.baud = t.device->ops->speed(t.device);
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
