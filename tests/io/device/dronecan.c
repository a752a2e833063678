/* The DroneCAN node: what it sends of a vehicle's samples, how fast, and what it hears. */
#include "io/can/dronecan_message.h"
#include "tests/io/device/device_bench.h"
#include "tests/suites.h"

static struct device_bench bench;
static struct device_bench *const b = &bench;
static const struct device_setup setup = { .period_ns = MS,
                                           .rotors = 4,
                                           .motor_order = { 0, 3, 1, 2 } };

/* Of every transfer in what the device said so far. */
static struct dronecan_transfer last[DRONECAN_TYPES];
static int heard[DRONECAN_TYPES];
static struct dronecan_reader reader;

static void hear(const struct can_frame *frame, int64_t t_ns)
{
        struct dronecan_transfer t;

        ck_assert_uint_eq(frame->id & 127, 42);
        if (!dronecan_read(&reader, frame, t_ns, &t))
                return;
        heard[t.type]++;
        last[t.type] = t;
}

static void hear_datagrams(void)
{
        struct can_frame frame;

        memset(heard, 0, sizeof heard);
        reader = (struct dronecan_reader){ .node = 10 };
        for (int i = 0; i < b->count; i++) {
                const struct packet *p = &b->said[i].packet;

                ck_assert(can_datagram_decode(p->bytes, p->len, &frame));
                hear(&frame, b->said[i].t_ns);
        }
        ck_assert_uint_eq(reader.counts.broken, 0);
}

enum carrier { SLCAN, MCAST, SOCKETCAN };
static const char *const device_of[] = { "dronecan_slcan", "dronecan_mcast",
                                         "dronecan_socketcan" };

static void say(const struct dronecan_transfer *t, enum carrier carrier)
{
        struct can_frame frames[DRONECAN_FRAMES_MAX];
        struct packets out = { 0 };

        for (int i = 0, n = dronecan_split(t, frames); i < n; i++) {
                uint8_t bytes[SLCAN_LINE_MAX];
                size_t len = CAN_SOCKET_BYTES;

                if (carrier == SLCAN)
                        len = slcan_encode(&frames[i], (char *)bytes);
                else if (carrier == MCAST)
                        len = can_datagram_encode(&frames[i], bytes);
                else
                        can_socket_encode(&frames[i], bytes);
                b->device->ops->take(b->device, bytes, len, &out);
        }
}

static struct dronecan_transfer make_command(void)
{
        struct dronecan_transfer t = { .source = 10,
                                       .type = DRONECAN_RAW_COMMAND,
                                       .len = 7 };
        struct dronecan_bits bits = { t.payload, 56, 0, false };
        const double value[] = { 819.0, 1638.0, 4095.0, 8191.0 };

        for (int i = 0; i < 4; i++)
                dronecan_put_signed(&bits, value[i], 14);
        return t;
}

TEST(every_fresh_sample_is_sent_once_and_a_status_each_second)
{
        bench_begin(b, "dronecan_mcast", &setup);
        for (int i = 0; i < 1000; i++) {
                b->frame.fresh = SENSOR_BIT(SENSOR_IMU);
                b->frame.fresh |= i % 200 == 0 ? SENSOR_BIT(SENSOR_GPS) : 0;
                b->frame.fresh |= i % 50 == 0 ? SENSOR_BIT(SENSOR_BARO) : 0;
                b->frame.fresh |= i % 100 == 0 ? SENSOR_BIT(SENSOR_MAG) : 0;
                bench_tick(b);
        }
        hear_datagrams();
        ck_assert_int_eq(heard[DRONECAN_FIX2], 5);
        ck_assert_int_eq(heard[DRONECAN_AUXILIARY], 5);
        ck_assert_int_eq(heard[DRONECAN_PRESSURE], 20);
        ck_assert_int_eq(heard[DRONECAN_TEMPERATURE], 20);
        ck_assert_int_eq(heard[DRONECAN_MAG], 10);
        ck_assert_int_eq(heard[DRONECAN_NODE_STATUS], 1);
        ck_assert_int_ge(heard[DRONECAN_RAW_IMU], 245);
        ck_assert_int_le(heard[DRONECAN_RAW_IMU], 250);
        bench_end(b);
}

TEST(frames_leave_no_faster_than_the_bus_carries_them)
{
        bench_begin(b, "dronecan_mcast", &setup);
        for (int i = 0; i < 100; i++) {
                b->frame.fresh = SENSOR_BIT(SENSOR_GPS);
                bench_tick(b);
        }
        /* 111 bits of a full frame without its stuffed ones: no bus carries more in 100 ms than this. */
        ck_assert_int_le(b->count, 100000 / 111);
        ck_assert_int_ge(b->count, 600);
        bench_end(b);
}

static void check_motors(enum carrier carrier)
{
        struct dronecan_transfer t = make_command();
        struct motor_command motors;

        bench_begin(b, device_of[carrier], &setup);
        ck_assert(!b->device->ops->motors(b->device, &motors));
        bench_tick(b);
        say(&t, carrier);
        ck_assert(b->device->ops->motors(b->device, &motors));
        ck_assert_double_eq(motors.duty[0], 819.0 / 8191.0);
        ck_assert_double_eq(motors.duty[1], 1.0);
        ck_assert_double_eq(motors.duty[2], 1638.0 / 8191.0);
        ck_assert_double_eq(motors.duty[3], 4095.0 / 8191.0);
        bench_run(b, 150 * MS);
        ck_assert(b->device->ops->motors(b->device, &motors));
        bench_run(b, 100 * MS);
        ck_assert(!b->device->ops->motors(b->device, &motors));
        ck_assert_double_eq(motors.duty[1], 0.0);
        bench_end(b);
}

TEST(motors_follow_raw_command_in_the_rotors_order_and_stop_without)
{
        for (enum carrier carrier = SLCAN; carrier <= SOCKETCAN; carrier++)
                check_motors(carrier);
}

/* 50 times a second each, by the number that it is commanded by; nothing before the first command. */
TEST(the_escs_that_it_plays_tell_their_speed)
{
        struct device_setup drives = setup;
        struct dronecan_transfer command = make_command();

        for (int playing = 0; playing < 2; playing++) {
                struct dronecan_bits bits = { last[DRONECAN_ESC_STATUS].payload, 8 * 14,
                                              80, false };

                drives.drives = playing;
                bench_begin(b, "dronecan_mcast", &drives);
                b->rotor_radps[3] =
                        5432.0 * M_PI / 30.0; /* rotor 3 is ESC 2, and the last */
                bench_run(b, 100 * MS);
                hear_datagrams();
                ck_assert_int_eq(heard[DRONECAN_ESC_STATUS], 0);
                say(&command, MCAST);
                bench_run(b, 200 * MS);
                hear_datagrams();
                ck_assert_int_eq(heard[DRONECAN_ESC_STATUS], playing ? 4 * 10 : 0);
                if (playing) {
                        ck_assert_int_eq(dronecan_get_signed(&bits, 18), 5432);
                        ck_assert_uint_eq(dronecan_get(&bits, 7), 0);
                        ck_assert_uint_eq(dronecan_get(&bits, 5), 2);
                }
                bench_end(b);
        }
}

TEST(who_asks_is_told_who_it_is)
{
        struct dronecan_transfer t = { .kind = DRONECAN_REQUEST,
                                       .type = DRONECAN_GET_NODE_INFO,
                                       .source = 10,
                                       .destination = 42,
                                       .number = 9 };

        bench_begin(b, "dronecan_mcast", &setup);
        bench_tick(b);
        say(&t, MCAST);
        bench_run(b, 10 * MS);
        hear_datagrams();
        ck_assert_int_eq(heard[DRONECAN_GET_NODE_INFO], 1);
        ck_assert_int_eq(last[DRONECAN_GET_NODE_INFO].kind, DRONECAN_RESPONSE);
        ck_assert_uint_eq(last[DRONECAN_GET_NODE_INFO].number, 9);
        ck_assert_uint_eq(last[DRONECAN_GET_NODE_INFO].destination, 10);
        bench_end(b);
}

TEST(an_adapter_is_opened_before_anything_else)
{
        bench_begin(b, "dronecan_slcan", &setup);
        bench_tick(b);
        ck_assert_uint_gt(b->len, strlen(SLCAN_OPEN));
        ck_assert_mem_eq(b->bytes, SLCAN_OPEN, strlen(SLCAN_OPEN));
        ck_assert_uint_eq(b->bytes[strlen(SLCAN_OPEN)], 'T');
        bench_end(b);
}

TEST(another_node_of_its_number_is_an_error_with_a_name)
{
        struct dronecan_transfer t = make_command();
        struct motor_command motors;

        bench_begin(b, "dronecan_mcast", &setup);
        t.source = 42;
        say(&t, MCAST);
        ck_assert_uint_eq(b->device->counts.errors, 1);
        ck_assert_str_eq(b->device->refused, "another node has its number, 42");
        ck_assert(!b->device->ops->motors(b->device, &motors));
        bench_end(b);
}
