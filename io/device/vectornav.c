/* A VectorNav unit at a board's serial port, VN-100 or VN-300: it is what the rig's samples say, in the binary packets that
 * the board has asked for. It never sends a packet without a new IMU sample, and says nothing before it is spoken to. */
#include "io/device/vectornav.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S_NS 1000000000LL

static const struct vectornav_model vn100 = { .number = "VN-100T-CR",
                                              .revision = "7",
                                              .serial = "100043215",
                                              .firmware = "3.1.0.0" };
static const struct vectornav_model vn300 = { .number = "VN-300T-CR",
                                              .revision = "7",
                                              .serial = "100043300",
                                              .firmware = "1.3.0.0",
                                              .gnss = true };

static void enqueue(struct vectornav *v, const uint8_t *bytes, size_t len)
{
        struct vectornav_queue *q = &v->queue;

        if (q->count == VECTORNAV_QUEUE) {
                q->dropped++;
                return;
        }
        /* An idle wire does not save up time. */
        if (q->count == 0 && q->free_ns < v->now_ns)
                q->free_ns = v->now_ns;
        memcpy(q->bytes[q->count], bytes, len);
        q->len[q->count++] = (uint16_t)len;
        v->device.counts.messages_out++;
}

/* A message leaves as a whole when its first byte is due: a serial port spreads it. */
static void send_due(struct vectornav *v, struct packets *out)
{
        struct vectornav_queue *q = &v->queue;

        while (q->count > 0 && q->free_ns <= v->now_ns &&
               out->count < CODEC_PACKETS_MAX) {
                struct packet *p = &out->packet[out->count++];

                p->channel = 0;
                p->len = q->len[0];
                memcpy(p->bytes, q->bytes[0], p->len);
                q->free_ns += (p->len * 10 * S_NS + v->line_baud - 1) / v->line_baud;
                q->count--;
                memmove(q->len, q->len + 1, (size_t)q->count * sizeof q->len[0]);
                memmove(q->bytes, q->bytes + 1, (size_t)q->count * sizeof q->bytes[0]);
        }
}

static uint8_t checksum(const char *body)
{
        uint8_t sum = 0;

        for (; *body != '\0'; body++)
                sum = (uint8_t)(sum ^ *body);
        return sum;
}

void vectornav_say(struct vectornav *v, const char *body)
{
        char line[VECTORNAV_LINE_MAX + 8];
        int len = snprintf(line, sizeof line, "$%s*%02X\r\n", body, checksum(body));

        if (len > 0 && (size_t)len < sizeof line)
                enqueue(v, (const uint8_t *)line, (size_t)len);
}

void vectornav_restart(struct vectornav *v)
{
        v->now = v->saved;
        v->paused = false;
        v->startup_ns = v->now_ns;
        memset(v->sum, 0, sizeof v->sum);
        memset(v->due_ns, 0, sizeof v->due_ns);
}

static int hex_digit(char c)
{
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                      : -1;
}

/* After the star: XX, two digits of the sum, or four of the CRC. */
static bool is_sound(const char *body, const char *sum)
{
        size_t len = strlen(sum);
        unsigned value = 0;

        if (strcmp(sum, "XX") == 0)
                return true;
        for (size_t i = 0; i < len; i++) {
                if (hex_digit(sum[i]) < 0)
                        return false;
                value = value << 4 | (unsigned)hex_digit(sum[i]);
        }
        if (len == 4)
                return value == vectornav_crc((const uint8_t *)body, strlen(body));
        return len == 2 && value == checksum(body);
}

static const char *words_of(enum vectornav_error error)
{
        static const char *const words[] = {
                [VECTORNAV_BAD_CHECKSUM] = "wrong checksum",
                [VECTORNAV_BAD_COMMAND] = "unknown command",
                [VECTORNAV_TOO_FEW] = "too few parameters",
                [VECTORNAV_TOO_MANY] = "too many parameters",
                [VECTORNAV_BAD_PARAMETER] = "impossible parameter",
                [VECTORNAV_BAD_REGISTER] = "unknown register",
                [VECTORNAV_READ_ONLY] = "register that cannot be written",
                [VECTORNAV_TOO_SLOW] = "baud rate too low for its outputs",
        };

        return words[error];
}

static void end_line(struct vectornav *v)
{
        enum vectornav_error error = VECTORNAV_BAD_CHECKSUM;
        char *star, text[16], whole[sizeof v->line];

        v->line[v->len] = '\0';
        memcpy(whole, v->line, sizeof whole);
        star = strchr(v->line, '*');
        if (star != NULL) {
                *star = '\0';
                if (is_sound(v->line, star + 1))
                        error = vectornav_obey(v, v->line);
        }
        if (error == VECTORNAV_DONE) {
                v->device.counts.messages_in++;
                v->asked = true;
                return;
        }
        v->device.counts.errors++;
        snprintf(text, sizeof text, "VNERR,%02X", (unsigned)error);
        vectornav_say(v, text);
        device_refuse(&v->device, words_of(error), whole);
}

/* Noise, such as a board that talks at another speed: an error each time that it begins. */
static void take_noise(struct vectornav *v)
{
        if (v->in_noise)
                return;
        v->in_noise = true;
        v->device.counts.errors++;
        device_refuse(&v->device, "bytes that are no command", "");
}

static void take_char(struct vectornav *v, char c)
{
        if (c == '$') {
                if (v->in_line)
                        take_noise(v);
                v->in_line = true;
                v->in_noise = false;
                v->len = 0;
        } else if (!v->in_line) {
                if (c != '\r' && c != '\n')
                        take_noise(v);
        } else if (c == '\r' || c == '\n') {
                v->in_line = false;
                end_line(v);
        } else if (c < ' ' || c > '~' || v->len == VECTORNAV_LINE_MAX) {
                v->in_line = false;
                take_noise(v);
        } else {
                v->line[v->len++] = c;
        }
}

static void vectornav_take(struct device *d, const uint8_t *bytes, size_t len,
                           struct packets *out)
{
        struct vectornav *v = (struct vectornav *)d;

        (void)out; /* its answers wait for their time on the wire */
        for (size_t i = 0; i < len; i++)
                take_char(v, (char)bytes[i]);
}

static int64_t period_of(const struct vectornav *v, const struct vectornav_output *o)
{
        return o->divisor * S_NS / v->device.ops->imu_hz;
}

static void send_packet(struct vectornav *v, int i)
{
        const struct vectornav_output *o = &v->now.output[i];
        uint8_t bytes[VECTORNAV_PACKET_MAX];

        if (o->ports != 0 && o->divisor != 0 && !v->paused) {
                if (!inertial_is_due(&v->due_ns[i], v->samples.t_ns, period_of(v, o)))
                        return;
                enqueue(v, bytes,
                        vectornav_packet_write(o, &v->samples, v->startup_ns, &v->sum[i],
                                               bytes));
                v->packets[i]++;
        }
        v->sum[i] = (struct inertial_sum){ 0 };
}

static void vectornav_feed(struct device *d, const struct device_feed *feed,
                           struct packets *out)
{
        struct vectornav *v = (struct vectornav *)d;

        v->now_ns = feed->t_ns;
        /* What was said at the old speed is out. */
        if (v->queue.count == 0 && v->queue.free_ns <= v->now_ns)
                v->line_baud = v->now.baud;
        inertial_take(&v->samples, feed, v->sum, VECTORNAV_OUTPUTS);
        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_IMU)) != 0)
                for (int i = 0; i < VECTORNAV_OUTPUTS; i++)
                        send_packet(v, i);
        send_due(v, out);
}

static uint32_t vectornav_speed(const struct device *d)
{
        return ((const struct vectornav *)d)->line_baud;
}

static void vectornav_tell(const struct device *d, char *text, size_t cap)
{
        const struct vectornav *v = (const struct vectornav *)d;
        size_t used = 0;

        text[0] = '\0';
        if (!v->asked)
                snprintf(text, cap, "never spoken to");
        for (int i = 0; i < VECTORNAV_OUTPUTS && v->asked && used < cap; i++) {
                const struct vectornav_output *o = &v->now.output[i];

                if (o->ports != 0 && o->divisor > 0)
                        used += (size_t)snprintf(
                                text + used, cap - used,
                                "%s%llu packets of output %d at %.6g Hz",
                                used > 0 ? ", " : "", (unsigned long long)v->packets[i],
                                i + 1, (double)v->device.ops->imu_hz / o->divisor);
        }
        if (v->asked && used == 0)
                snprintf(text, cap, "no output was asked for");
        else if (v->queue.dropped > 0 && used < cap)
                snprintf(text + used, cap - used, ", %llu dropped",
                         (unsigned long long)v->queue.dropped);
}

static void vectornav_destroy(struct device *d)
{
        free(d);
}

#define CARRIED_BY_BOTH                                                                  \
        [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,                                    \
        [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,                                     \
        [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,                                     \
        [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_NAN

const struct device_ops device_vectornav_vn100_ops = {
        .name = "vectornav_vn100",
        .carries = { .of = { CARRIED_BY_BOTH } },
        .what = "inertial unit, VectorNav VN-100: IMU, compass, barometer, 800 Hz and "
                "parts of it",
        .imu_hz = 800,
        .baud = VECTORNAV_BAUD,
        .feed = vectornav_feed,
        .take = vectornav_take,
        .speed = vectornav_speed,
        .tell = vectornav_tell,
        .destroy = vectornav_destroy,
};

const struct device_ops device_vectornav_vn300_ops = {
        .name = "vectornav_vn300",
        .carries = { .of = { CARRIED_BY_BOTH, [SAMPLE_GPS] =
                                                      CARRIES_VALUE | CARRIES_FIX } },
        .what = "the same with a GNSS receiver, VectorNav VN-300: 400 Hz and parts of it",
        .imu_hz = 400,
        .baud = VECTORNAV_BAUD,
        .feed = vectornav_feed,
        .take = vectornav_take,
        .speed = vectornav_speed,
        .tell = vectornav_tell,
        .destroy = vectornav_destroy,
};

static struct device *create(const struct device_ops *ops,
                             const struct vectornav_model *model,
                             const struct device_setup *setup)
{
        struct vectornav *v = calloc(1, sizeof *v);

        if (v == NULL)
                return NULL;
        v->device.ops = ops;
        v->model = model;
        inertial_init(&v->samples, &setup->origin, model->gnss);
        vectornav_settings_init(&v->factory, setup->baud > 0 ? setup->baud : ops->baud);
        v->saved = v->factory;
        v->line_baud = v->factory.baud;
        vectornav_restart(v);
        return &v->device;
}

struct device *device_vectornav_vn100_create(const struct device_setup *setup)
{
        return create(&device_vectornav_vn100_ops, &vn100, setup);
}

struct device *device_vectornav_vn300_create(const struct device_setup *setup)
{
        return create(&device_vectornav_vn300_ops, &vn300, setup);
}
