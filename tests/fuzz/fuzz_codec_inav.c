/* The INAV codec and a board in a conversation that the input directs: each step is time, a frame of any
 * values, an answer of the board, or bytes or a message with good checksums thrown at the codec.
 * Whatever comes, what is reported is sane, and no frame that would reboot a board goes out. */
#include <assert.h>
#include <math.h>

#include "tests/boards/inav_board.h"
#include "tests/fuzz/fuzz.h"

enum step { RAW, MESSAGE, ANSWER, BOARD, TIME, ENCODE, OTHER, STEPS };

struct talk {
        struct codec *rig;
        struct inav_board board;
        struct fc_report report;
        int64_t t_ns;
        uint32_t number;
        uint16_t asked; /* the newest command that went out */
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
        for (const char *c = report->name; *c != '\0'; c++)
                assert(*c >= ' ' && *c <= '~');
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

static void send(struct talk *t, const struct packets *out, bool deliver)
{
        assert(out->count >= 0 && out->count <= CODEC_PACKETS_MAX);
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];
                uint8_t back[8 * MSP_FRAME_MAX];
                struct codec_frame seen;

                assert(p->len >= 9 && p->len <= PACKET_MAX && p->channel == 0);
                assert(t->rig->ops->frame_find(p->bytes, p->len, &seen) == p->len);
                assert(seen.type >= 0);
                t->asked = le_get_u16(p->bytes + 4);
                if (deliver)
                        to_rig(t, back, board_take(&t->board, p->bytes, p->len, back));
        }
        assert(t->board.reboots == 0);
}

static void message(struct talk *t, uint16_t command, const uint8_t *bytes, size_t len)
{
        struct msp_frame m = { .version = (enum msp_version)(len % 3),
                               .kind = len % 7 == 0 ? MSP_ERROR : MSP_REPLY,
                               .command = command,
                               .len = (uint16_t)len };
        uint8_t frame[MSP_FRAME_MAX];

        memcpy(m.payload, bytes, len);
        to_rig(t, frame, msp_encode(&m, frame));
}

static void change_board(struct talk *t, const uint8_t *bytes, size_t len)
{
        struct inav_board *b = &t->board;

        if (len < 8)
                return;
        b->mute = bytes[0] & 1;
        b->swallow = bytes[0] >> 4;
        b->uptime_s = bytes[1];
        b->blockers = le_get_u32(bytes + 2) & 0x7FFDFFC0;
        b->boxes = bytes[6];
        b->arming_flags = bytes[7] & 0x1C;
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
        frame.imu.gyro_body_radps.y = values[1];
        frame.gps.lat_rad = frame.gps.height_m = frame.gps.vel_ned_mps.x = values[1];
        frame.baro.pressure_pa = frame.power.current_a = values[2];
        frame.mag.field_body_t.x = frame.power.voltage_v = values[2];
        frame.mag.field_body_t.y = frame.sonar[0].range_m = values[3];
        frame.sonar[0].echo = true;
        input.setpoint.mode = (enum flight_mode)(len % MODE_COUNT);
        for (size_t i = 0; i < len && i < RC_CHANNELS_MAX; i++)
                input.rc_us[i] = (uint16_t)(bytes[i] * 8);
        t->rig->ops->encode(t->rig, t->number, t->t_ns, &frame, len % 2 ? &input : NULL,
                            &out);
        t->number += out.count > 0;
        send(t, &out, true);
}

static void take_step(struct talk *t, enum step step, const uint8_t *bytes, size_t len)
{
        struct packets out = { 0 };

        switch (step) {
        case RAW:
                to_rig(t, bytes, len);
                break;
        case MESSAGE:
                if (len >= 2)
                        message(t, le_get_u16(bytes), bytes + 2, len - 2);
                break;
        case ANSWER:
                message(t, t->asked, bytes, len);
                break;
        case BOARD:
                change_board(t, bytes, len);
                break;
        case ENCODE:
                encode(t, bytes, len);
                break;
        case OTHER:
                if (len % 4 == 0)
                        t->rig->ops->restart(t->rig);
                if (len % 4 == 1)
                        t->rig->ops->goodbye(t->rig, &out);
                send(t, &out, true);
                break;
        default:
                t->t_ns += (int64_t)(len * len) * 100000;
        }
}

#define ITEMS 5

/* Items of a plan out of any bytes; returns how many of them. */
static size_t make_plan(struct mission_plan *plan, const uint8_t *data, size_t size)
{
        static const uint16_t commands[] = { 16, 17, 18, 19, 20, 21, 22, 93, 177, 178 };
        struct mission_list *l = &plan->list[MISSION_LIST_ITEMS];
        double values[4] = { 0 };
        size_t used = 0;

        while (l->count < ITEMS && used + 5 <= size) {
                for (size_t i = 0; i < 4; i++)
                        values[i] = data[used + 1] >= 250
                                            ? (double)INFINITY
                                            : (data[used + 1 + i] - 100) * 3.7;
                l->item[l->count++] = (struct mission_item){
                        .command = commands[data[used] % 10],
                        .frame = data[used] / 10 % 4,
                        .param = { values[0], values[1], 0.0, values[3] },
                        .lat_deg = values[1] / 10.0,
                        .lon_deg = values[2] / 10.0,
                        .altitude_m = data[used + 3] == 0 ? (double)NAN : values[2]
                };
                used += 5;
        }
        return used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mission_item items[ITEMS];
        struct mission_plan plan = { .list = { { 0, items } } };
        struct codec_setup setup = { .period_ns = MS,
                                     .sensor_period_ns = { MS, 100 * MS, MS, MS, MS },
                                     .sonars = 1,
                                     .rotors = 4,
                                     .motor_order = { 1, 0, 2, 7 } };
        struct talk t = { .t_ns = 1000 * MS };
        size_t at = 1;

        if (size == 0)
                return 0;
        setup.dialect = data[0] & 1 ? "v2" : "v3";
        setup.origin.north_m_per_rad = setup.origin.east_m_per_rad = 6.4e6;
        if (data[0] & 2) {
                at += make_plan(&plan, data + 1, size - 1);
                setup.mission = plan.list[MISSION_LIST_ITEMS].count > 0 ? &plan : NULL;
        }
        t.rig = codec_create("inav", &setup);
        if (t.rig == NULL)
                abort();
        board_begin(&t.board);

        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                size_t len = data[at + 1];
                struct packets out = { 0 };

                if (len > size - at - 2)
                        len = size - at - 2;
                take_step(&t, (enum step)(data[at] % STEPS), data + at + 2, len);
                t.t_ns += MS;
                t.rig->ops->poll(t.rig, t.t_ns, &out);
                /* Answers may be awaited from the input. */
                send(&t, &out, (data[at] & 0x80) == 0);
                assert(t.rig->ops->frame_every(t.rig) >= 0);
                assert(t.rig->ops->complaint(t.rig) != NULL);
                assert(t.rig->ops->mission(t.rig)->current < ITEMS);
                at += 2 + len;
        }
        t.rig->ops->destroy(t.rig);
        return 0;
}
