/* A rig and a board in a conversation that the input directs: each step is an operation, or bytes
 * or a payload with a good CRC thrown at either side. Whatever comes, what is reported is sane. */
#include <assert.h>

#include "io/codec/codec.h"
#include "io/codec/hilp/hilp_board.h"
#include "tests/fuzz/fuzz.h"

enum step {
        RAW_TO_RIG,
        PAYLOAD_TO_RIG,
        RAW_TO_BOARD,
        PAYLOAD_TO_BOARD,
        POLL,
        ENCODE,
        OTHER,
        OPTION
};

struct talk {
        struct codec *rig;
        struct hilp_board board;
        struct fc_report report;
        int64_t t_ns;
        uint32_t number;
};

static void check_report(const struct fc_report *report)
{
        for (int i = 0; i < ROTORS_MAX; i++)
                assert(report->motors.duty[i] >= 0.0 && report->motors.duty[i] <= 1.0);
        assert((int)report->mode < MODE_COUNT);
        assert(memchr(report->text, '\0', sizeof report->text) != NULL);
        assert(memchr(report->name, '\0', sizeof report->name) != NULL);
        for (const char *c = report->text; *c != '\0'; c++)
                assert(*c >= ' ' && *c <= '~');
        assert(report->sync_round_trip_ns >= 0);
        for (int i = 0; i < SONARS_MAX; i++)
                assert(report->real_range_m[i] >= 0.0);
}

static void to_rig(struct talk *t, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                size_t n = t->rig->ops->decode(t->rig, 0, t->t_ns, bytes + used,
                                               len - used, &t->report);

                assert(n > 0 && n <= len - used);
                used += n;
                check_report(&t->report);
                assert(t->report.fresh != 0 || used == len);
                t->report.fresh = 0;
        }
}

static void to_board(struct talk *t, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                uint8_t out[HILP_FRAME_MAX];
                struct hilp_board_news news;
                struct motor_command duty = { { 0.25, 1.0 } };
                size_t n = hilp_board_receive(&t->board, bytes + used, len - used,
                                              (uint64_t)t->t_ns / 1000, &news);

                assert(n > 0 && n <= len - used);
                used += n;
                to_rig(t, news.out, news.out_len);
                if (news.event == HILP_BOARD_SENSORS) {
                        assert((news.sensors.fresh_sonars != 0) ==
                               ((news.sensors.fresh & SENSOR_BIT(SENSOR_SONAR)) != 0));
                        n = hilp_board_motors(&t->board, &duty, 4, true, false,
                                              MODE_ARMED, out);
                        assert(n > 0);
                        to_rig(t, out, n);
                }
                if (news.event == HILP_BOARD_OPTION) {
                        n = hilp_board_option_ack(&t->board, news.option.key,
                                                  t->number % 2 == 0, out);
                        assert(n > 0);
                        to_rig(t, out, n);
                }
        }
}

static void send(struct talk *t, const struct packets *out)
{
        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                assert(out->packet[i].len > 0 && out->packet[i].len <= PACKET_MAX);
                to_board(t, out->packet[i].bytes, out->packet[i].len);
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
        frame.flow.flow_x_rad = frame.power.voltage_v = frame.ins.pos_ned_m.y = values[2];
        for (int i = 0; i < SONARS_MAX; i++)
                frame.sonar[i].range_m = values[3];
        if (len > 3)
                frame.fresh_sonars = bytes[2] | (uint32_t)bytes[3] << 8;
        input.setpoint.yaw_rad = values[0];
        input.setpoint.pos_ned_m.z = values[1];
        t->number += len > 1 ? bytes[1] : 1;
        t->rig->ops->encode(t->rig, t->number, 0, &frame, len % 2 ? &input : NULL, &out);
        send(t, &out);
}

/* Printable ASCII, as the configuration sees to; a few different keys. */
static void set_option(struct talk *t, const uint8_t *bytes, size_t len)
{
        char key[CODEC_OPTION_MAX + 1] = "k", value[CODEC_OPTION_MAX + 1] = "";

        if (len == 0)
                return;
        key[0] = (char)(' ' + bytes[0] % 95);
        for (size_t i = 1; i < len && i <= CODEC_OPTION_MAX; i++)
                value[i - 1] = (char)(' ' + bytes[i] % 95);
        t->rig->ops->option(t->rig, key, value);
}

static void other(struct talk *t, size_t len)
{
        struct packets out = { 0 };

        if (len % 4 == 0) {
                t->rig->ops->restart(t->rig);
        } else if (len % 4 == 1) {
                t->rig->ops->goodbye(t->rig, &out);
                send(t, &out);
        } else {
                hilp_board_init(&t->board, "board", 4, 1, (uint32_t)len);
        }
}

static void take_step(struct talk *t, enum step step, const uint8_t *bytes, size_t len)
{
        uint8_t frame[HILP_FRAME_MAX];
        struct packets out = { 0 };

        t->t_ns += 40000000;
        switch (step) {
        case RAW_TO_RIG:
                to_rig(t, bytes, len);
                break;
        case PAYLOAD_TO_RIG:
                to_rig(t, frame, hilp_frame_encode(bytes, len, frame));
                break;
        case RAW_TO_BOARD:
                to_board(t, bytes, len);
                break;
        case PAYLOAD_TO_BOARD:
                to_board(t, frame, hilp_frame_encode(bytes, len, frame));
                break;
        case POLL:
                t->rig->ops->poll(t->rig, t->t_ns, &out);
                send(t, &out);
                break;
        case ENCODE:
                encode(t, bytes, len);
                break;
        case OTHER:
                other(t, len);
                break;
        case OPTION:
                set_option(t, bytes, len);
                break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct codec_setup setup = { .period_ns = 1000000,
                                     .sonars = 10,
                                     .rotors = 4,
                                     .motor_order = { 0, 1, 2, 3 } };
        struct talk t = { .t_ns = 1000000000 };
        size_t at = 1;

        if (size == 0)
                return 0;
        setup.lockstep = (data[0] & 1) != 0;
        t.rig = codec_create("hilp", &setup);
        if (t.rig == NULL)
                abort();
        hilp_board_init(&t.board, "board", 4, 1, 1);

        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                size_t len = data[at + 1];

                if (len > size - at - 2)
                        len = size - at - 2;
                take_step(&t, (enum step)(data[at] % (OPTION + 1)), data + at + 2, len);
                assert(t.rig->ops->frame_every(t.rig) >= 0);
                assert(t.rig->ops->complaint(t.rig) != NULL);
                at += 2 + len;
        }
        t.rig->ops->destroy(t.rig);
        return 0;
}
