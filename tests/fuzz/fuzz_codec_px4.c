/* The rig and whatever answers as PX4: each step of the input is an operation, raw bytes on a channel,
 * or a message of that id with a good checksum. Whatever comes, what is reported is sane. */
#include <assert.h>
#include <math.h>

#include "io/codec/px4/px4.h"
#include "tests/fuzz/fuzz.h"

enum step { RAW, MESSAGE, POLL, ENCODE, GOODBYE, RESTART, STEPS };

struct talk {
        struct codec *rig;
        struct fc_report report;
        int64_t t_ns;
        uint32_t number;
        uint8_t sequence;
};

static void check_report(const struct fc_report *report)
{
        for (int i = 0; i < ROTORS_MAX; i++)
                assert(report->motors.duty[i] >= 0.0 && report->motors.duty[i] <= 1.0);
        assert((int)report->mode <= MODE_OTHER);
        assert(memchr(report->text, '\0', sizeof report->text) != NULL);
        assert(memchr(report->name, '\0', sizeof report->name) != NULL);
        for (const char *c = report->text; *c != '\0'; c++)
                assert(*c >= ' ' && *c <= '~');
        assert(report->sync_round_trip_ns >= 0);
        assert(isfinite(report->estimate.pos_ned_m.x));
}

static void hear(struct talk *t, int channel, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                size_t n = t->rig->ops->decode(t->rig, channel, t->t_ns, bytes + used,
                                               len - used, &t->report);

                /* Behind damage a whole frame may have waited: it takes no new bytes. */
                assert(n <= len - used && (n > 0 || t->report.fresh != 0));
                used += n;
                check_report(&t->report);
                assert(t->report.fresh != 0 || used == len);
                t->report.fresh = 0;
        }
}

static void hear_message(struct talk *t, int channel, const uint8_t *bytes, size_t len)
{
        struct mavlink_frame frame = { .version = 2, .system = 1, .component = 1 };
        uint8_t out[MAVLINK_FRAME_MAX];
        const struct mavlink_message *all = mavlink_message_all();
        size_t n = 0;

        if (len == 0)
                return;
        while (all[n].name != NULL)
                n++;
        assert(n > 0);
        frame.id = all[bytes[0] % n].id;
        frame.len = all[bytes[0] % n].len;
        frame.sequence = t->sequence++;
        memcpy(frame.payload, bytes + 1,
               len - 1 < frame.len ? len - 1 : (size_t)frame.len);
        hear(t, channel, out, mavlink_encode(&frame, out));
}

static void check_packets(const struct talk *t, const struct packets *out)
{
        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];
                size_t used = 0;

                assert(p->len > 0 && p->len <= PACKET_MAX);
                assert(p->channel < t->rig->ops->channels);
                while (used < p->len) {
                        struct codec_frame frame;
                        size_t n = codec_px4_frame_find(p->bytes + used, p->len - used,
                                                        &frame);

                        assert(n > 0 && frame.type >= 0);
                        used += n;
                }
        }
}

static void encode(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };
        struct pilot_input input = { 0 };
        struct sensor_frame frame = { .t_ns = t->t_ns, .fresh = len > 0 ? bytes[0] : 1 };
        double values[4] = { 0 };

        /* Any doubles at all, NaN and infinite ones too. */
        memcpy(values, bytes, len < sizeof values ? len : sizeof values);
        frame.imu.accel_body_mps2.x = values[0];
        frame.gps.lat_rad = frame.gps.h_acc_m = frame.gps.vel_ned_mps.x = values[1];
        frame.baro.pressure_pa = frame.baro.temperature_k = values[2];
        frame.flow.flow_x_rad = values[2];
        frame.sonar[0].range_m = values[3];
        frame.fresh_sonars = 1;
        input.setpoint.mode = (enum flight_mode)(len % MODE_COUNT);
        input.setpoint.yaw_rad = values[0];
        input.setpoint.pos_ned_m = (struct vec3){ values[1], values[2], values[3] };
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                input.rc_us[i] = (uint16_t)(len > 4 ? bytes[4] * 16 : 0);
        t->rig->ops->encode(t->rig, t->number++, t->t_ns, &frame, len % 2 ? &input : NULL,
                            &out);
        check_packets(t, &out);
}

static void take_step(struct talk *t, uint8_t what, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };
        int channel = what / STEPS % 2;

        t->t_ns += 4000000;
        switch ((enum step)(what % STEPS)) {
        case RAW:
                hear(t, channel, bytes, len);
                break;
        case MESSAGE:
                hear_message(t, channel, bytes, len);
                break;
        case POLL:
                t->rig->ops->poll(t->rig, t->t_ns, &out);
                break;
        case ENCODE:
                encode(t, bytes, len);
                break;
        case GOODBYE:
                t->rig->ops->goodbye(t->rig, &out);
                break;
        default:
                t->rig->ops->restart(t->rig);
        }
        check_packets(t, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct codec_setup setup = { .period_ns = 1000000,
                                     .origin = { .lat_rad = 0.8,
                                                 .lon_rad = 0.2,
                                                 .north_m_per_rad = 6.37e6,
                                                 .east_m_per_rad = 4.4e6 },
                                     .sonars = 1,
                                     .rotors = 4,
                                     .motor_order = { 0, 3, 1, 2 } };
        struct talk t = { .t_ns = 1000000000 };
        size_t at = 1;

        if (size == 0)
                return 0;
        setup.lockstep = (data[0] & 1) != 0;
        setup.dialect = codec_px4_ops.dialects[data[0] / 2 % 4];
        t.rig = codec_px4_create(&setup);
        if (t.rig == NULL)
                abort();
        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                size_t len = data[at + 1];

                if (len > size - at - 2)
                        len = size - at - 2;
                take_step(&t, data[at], data + at + 2, len);
                assert(t.rig->ops->frame_every(t.rig) >= 0);
                assert(t.rig->ops->complaint(t.rig) != NULL);
                assert(t.rig->ops->patience(t.rig).least_ns >= 0);
                at += 2 + len;
        }
        t.rig->ops->destroy(t.rig);
        return 0;
}
