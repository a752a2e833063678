/* ArduPilot's codec in a conversation that the input directs: each step is a call, or bytes on a channel, or
 * a request or a MAVLink message that is whole. Whatever comes, what is reported is sane, packets fit, and
 * no request is answered twice in real time. */
#include <assert.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "io/codec/mavlink_messages.h"
#include "tests/fuzz/fuzz.h"

enum step {
        RAW_SENSORS,
        RAW_CONSOLE,
        REQUEST,
        MESSAGE,
        POLL,
        ENCODE,
        WAIT,
        OTHER,
        STEPS
};

struct talk {
        struct codec *rig;
        struct fc_report report;
        int64_t t_ns, sim_ns;
        uint32_t number;
        bool lockstep, shipped, answered;
        struct mavlink_sender firmware;
};

static void check_words(const char *words, size_t cap)
{
        assert(memchr(words, '\0', cap) != NULL);
        for (const char *c = words; *c != '\0'; c++)
                assert(*c >= ' ' && *c <= '~');
}

static void to_rig(struct talk *t, int channel, const uint8_t *bytes, size_t len)
{
        size_t used = 0;
        int idle = 0;

        while (used < len) {
                size_t n = t->rig->ops->decode(t->rig, channel, t->t_ns, bytes + used,
                                               len - used, &t->report);

                /* A frame may have stood in what was kept. */
                assert(n <= len - used && (n > 0 || ++idle < 1000));
                used += n;
                for (int i = 0; i < ROTORS_MAX; i++)
                        assert(t->report.motors.duty[i] >= 0.0 &&
                               t->report.motors.duty[i] <= 1.0);
                assert((int)t->report.mode <= MODE_OTHER);
                check_words(t->report.text, sizeof t->report.text);
                check_words(t->report.name, sizeof t->report.name);
                if (t->report.fresh & FC_MOTORS && t->report.answers_frame)
                        assert(t->report.answered_frame < t->number);
                t->report.fresh = 0;
        }
        t->answered = t->answered && channel != 0;
}

static void check_packets(const struct talk *t, const struct packets *out)
{
        struct codec_frame f;

        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                assert(p->channel < t->rig->ops->channels);
                assert(p->len > 0 && p->len <= PACKET_MAX);
                assert(t->rig->ops->frame_find(p->bytes, p->len, &f) == p->len);
                assert(f.type >= 0 && f.asks == (p->channel == 0 && !t->shipped));
        }
}

static void encode(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct sensor_frame frame = { .t_ns = t->sim_ns += 1000000 };
        struct pilot_input input = { 0 };
        double values[4] = { 0 };
        struct packets out;
        bool frame_said = false;

        /* Any doubles at all, NaN and infinite ones too. */
        memcpy(values, bytes, len < sizeof values ? len : sizeof values);
        frame.imu.accel_body_mps2.x = frame.pose.pos_ned_m.y = values[0];
        frame.imu.gyro_body_radps.z = frame.pose.vel_ned_mps.z = values[1];
        frame.pose.q_body_to_ned = (struct quat){ values[0], values[1], values[2], 1.0 };
        frame.power.voltage_v = frame.power.current_a = values[2];
        for (int i = 0; i < SONARS_MAX; i++)
                frame.sonar[i].range_m = values[3];
        if (len > 0)
                input.setpoint.mode = (enum flight_mode)(bytes[0] % MODE_COUNT);
        input.setpoint.pos_ned_m.z = values[2];
        memcpy(input.rc_us, bytes, len < sizeof input.rc_us ? len : sizeof input.rc_us);
        t->rig->ops->encode(t->rig, t->number, t->t_ns, &frame, len % 2 ? &input : NULL,
                            &out);
        check_packets(t, &out);
        for (int i = 0; i < out.count; i++)
                frame_said |= out.packet[i].channel == 0 && !t->shipped;
        t->number += frame_said;
        assert(t->lockstep || !frame_said || !t->answered);
        t->answered |= frame_said;
}

static void request(struct talk *t, const uint8_t *bytes, size_t len)
{
        uint8_t packet[72] = { 0 };

        le_put_u16(packet, len % 2 ? 29569 : 18458);
        memcpy(packet + 4, bytes, len < 68 ? len : 68);
        /* Few different numbers: repeated, lost, going back. */
        memset(packet + 5, 0, 3);
        to_rig(t, 0, packet, len % 2 ? 72 : 40);
}

static void message(struct talk *t, const uint8_t *bytes, size_t len)
{
        static const uint32_t ids[] = {
                0, 1, 22, 24, 31, 32, 77, 148, 193, 245, 253, 36
        };
        const struct mavlink_message *m;
        uint8_t values[512] = { 0 }, packet[MAVLINK_FRAME_MAX];

        if (len == 0)
                return;
        m = mavlink_message_find(ids[bytes[0] % (sizeof ids / sizeof ids[0])]);
        assert(m != NULL && m->size <= sizeof values);
        memcpy(values, bytes + 1, len - 1 < m->size ? len - 1 : m->size);
        to_rig(t, 1, packet, mavlink_send(&t->firmware, m->id, values, packet));
}

static void other(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct packets out;
        struct codec_frame f;

        if (len > 3) {
                size_t n = t->rig->ops->frame_find(bytes, len, &f);

                assert(n <= len && f.type >= -1 && f.type < CODEC_FRAME_TYPES_MAX);
        } else if (len % 2 == 0) {
                t->rig->ops->restart(t->rig);
                t->answered = false;
        } else {
                t->rig->ops->goodbye(t->rig, &out);
                check_packets(t, &out);
        }
}

static void take_step(struct talk *t, enum step step, const uint8_t *bytes, size_t len)
{
        struct packets out;

        t->t_ns += 1000000;
        switch (step) {
        case RAW_SENSORS:
                to_rig(t, 0, bytes, len);
                break;
        case RAW_CONSOLE:
                to_rig(t, 1, bytes, len);
                break;
        case REQUEST:
                request(t, bytes, len);
                break;
        case MESSAGE:
                message(t, bytes, len);
                break;
        case POLL:
                t->rig->ops->poll(t->rig, t->t_ns, &out);
                check_packets(t, &out);
                break;
        case ENCODE:
                encode(t, bytes, len);
                break;
        case WAIT:
                t->t_ns += 700000000;
                t->sim_ns += 1000000 * (int64_t)len;
                break;
        default:
                other(t, bytes, len);
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const char *const dialects[] = { NULL, "guided", "sticks", "shipped" };
        struct codec_setup setup = { .period_ns = 1000000,
                                     .rotors = 4,
                                     .motor_order = { 0, 1, 2, 3 } };
        struct talk t = { .t_ns = 1000000000, .firmware = { 2, 1, 1, 0 } };
        size_t at = 1;

        if (size == 0)
                return 0;
        setup.lockstep = t.lockstep = (data[0] & 1) != 0;
        setup.sonars = data[0] >> 1 & 7;
        setup.sensor_period_ns[SENSOR_POWER] = data[0] >> 4 & 1;
        setup.dialect = dialects[data[0] >> 5 & 3];
        t.shipped = (data[0] >> 5 & 3) == 3;
        t.rig = codec_create("ardupilot", &setup);
        if (t.rig == NULL)
                abort();
        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                size_t len = data[at + 1];

                if (len > size - at - 2)
                        len = size - at - 2;
                take_step(&t, (enum step)(data[at] % STEPS), data + at + 2, len);
                assert(t.rig->ops->frame_every(t.rig) >= 0);
                assert(t.rig->ops->complaint(t.rig) != NULL);
                at += 2 + len;
        }
        t.rig->ops->destroy(t.rig);
        return 0;
}
