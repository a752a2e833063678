/* The Betaflight codec and a SITL in a conversation that the input directs: each step is time, frames of any
 * values, motors, an MSP reply with a good checksum, or bytes thrown at a channel. Whatever comes, what is
 * reported is sane, and packets have the lengths that the firmware takes. */
#include <assert.h>
#include <math.h>

#include "io/codec/codec.h"
#include "io/codec/msp.h"
#include "tests/fuzz/fuzz.h"

enum step { RAW, MOTORS, REPLY, TIME, ENCODE, GREET, OTHER, STEPS };

static const struct {
        const char *dialect, *version;
} kinds[] = { { "4.5", "\4\5\6" }, { "2025.12", "\31\14\5" }, { "2026.6", "\32\6\2" } };

struct talk {
        int kind;
        struct codec *rig;
        struct fc_report report;
        int64_t t_ns;
        uint32_t number;
        uint16_t asked; /* the newest question on the MSP channel */
        bool answers; /* questions at once */
};

static void to_rig(struct talk *t, int channel, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                size_t n = t->rig->ops->decode(t->rig, channel, t->t_ns, bytes + used,
                                               len - used, &t->report);

                assert(n > 0 && n <= len - used);
                used += n;
                for (int i = 0; i < ROTORS_MAX; i++)
                        assert(t->report.motors.duty[i] >= 0.0 &&
                               t->report.motors.duty[i] <= 1.0);
                assert(memchr(t->report.text, '\0', sizeof t->report.text) != NULL);
                assert(memchr(t->report.name, '\0', sizeof t->report.name) != NULL);
                t->report.fresh = 0;
        }
}

static void reply(struct talk *t, uint16_t command, const void *payload, size_t len)
{
        struct msp_frame m = { .version = MSP_V2,
                               .kind = MSP_REPLY,
                               .command = command,
                               .len = (uint16_t)len };
        uint8_t bytes[MSP_FRAME_MAX];

        memcpy(m.payload, payload, len);
        to_rig(t, 3, bytes, msp_encode(&m, bytes));
}

static void answer_well(struct talk *t)
{
        static const uint8_t status[24] = { [16] = 26 };

        switch (t->asked) {
        case 1:
                reply(t, 1, "\0\1\56", 3);
                break;
        case 2:
                reply(t, 2, "BTFL", 4);
                break;
        case 3:
                reply(t, 3, kinds[t->kind].version, 3);
                break;
        case 4:
                reply(t, 4, "SITL", 4);
                break;
        case 119:
                reply(t, 119, "\0\1\2\33", 4);
                break;
        default:
                reply(t, t->asked, status, sizeof status);
        }
}

static void send(struct talk *t, const struct packets *out)
{
        static const size_t length[] = { 144, 40 };
        static const uint8_t idle[16];

        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];
                struct codec_frame f;

                assert(p->channel == 3 ||
                       (p->channel < 2 && p->len == length[p->channel]));
                assert(t->rig->ops->frame_find(p->bytes, p->len, &f) == p->len);
                assert(f.type >= 0);
                if (p->channel == 3)
                        t->asked = (uint16_t)(p->bytes[4] | p->bytes[5] << 8);
                if (p->channel == 3 && t->answers)
                        answer_well(t);
                if (p->channel == 0 && t->answers)
                        to_rig(t, 2, idle, sizeof idle);
        }
}

static void encode(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };
        struct pilot_input input = { 0 };
        struct sensor_frame frame = { .t_ns = t->t_ns, .gps.fix = GPS_FIX_3D };
        double values[4] = { 0 };

        /* Any doubles at all, NaN and infinite ones too. */
        memcpy(values, bytes, len < sizeof values ? len : sizeof values);
        frame.imu.accel_body_mps2.x = frame.imu.gyro_body_radps.y = values[0];
        frame.gps.lat_rad = frame.gps.vel_ned_mps.x = values[1];
        frame.baro.pressure_pa = values[2];
        frame.pose.q_body_to_ned.w = frame.pose.pos_ned_m.x = values[3];
        memcpy(input.rc_us, bytes, len < sizeof input.rc_us ? len : sizeof input.rc_us);
        input.setpoint.mode = (enum flight_mode)(len % MODE_COUNT);
        t->rig->ops->encode(t->rig, t->number++, t->t_ns, &frame, len % 2 ? &input : NULL,
                            &out);
        send(t, &out);
}

static void poll_for(struct talk *t, int ms)
{
        struct packets out = { 0 };

        for (; ms > 0; ms--) {
                t->t_ns += 1000000;
                t->rig->ops->poll(t->rig, t->t_ns, &out);
                send(t, &out);
        }
}

static void take_step(struct talk *t, enum step step, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };
        struct codec_frame f;

        switch (step) {
        case RAW:
                if (len > 1)
                        to_rig(t, bytes[0] % 5, bytes + 1, len - 1);
                t->rig->ops->frame_find(bytes, len, &f);
                break;
        case MOTORS:
                to_rig(t, len % 2 ? 2 : 4, bytes, len);
                break;
        case REPLY:
                reply(t, t->asked, bytes, len);
                break;
        case TIME:
                t->t_ns += 20000000LL * (int64_t)len;
                break;
        case ENCODE:
                encode(t, bytes, len);
                break;
        case GREET:
                t->answers = len % 4 != 0;
                poll_for(t, 200);
                break;
        default:
                if (len % 2)
                        t->rig->ops->restart(t->rig);
                else
                        t->rig->ops->goodbye(t->rig, &out);
                send(t, &out);
        }
        poll_for(t, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct codec_setup setup = { .period_ns = 1000000,
                                     .origin = { .north_m_per_rad = 6e6,
                                                 .east_m_per_rad = 6e6 },
                                     .sensor_period_ns = { 1, 1, 1 },
                                     .rotors = 4,
                                     .motor_order = { 0, 3, 1, 2 } };
        struct talk t = { .t_ns = 1000000000 };
        size_t at = 1;

        if (size == 0)
                return 0;
        t.kind = data[0] % 3;
        setup.dialect = kinds[t.kind].dialect;
        t.rig = codec_create("betaflight", &setup);
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
