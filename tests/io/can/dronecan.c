/* DroneCAN's transfers and messages, held against the bytes of another implementation (pydronecan 1.0.27 with the
 * public definitions made every pasted byte), and transfers whose frames get lost. */
#include "io/can/dronecan_message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/suites.h"

#define NODE 42

static struct dronecan_reader reader;

static void check_payload(const struct dronecan_transfer *t, const char *hex)
{
        char text[2 * DRONECAN_PAYLOAD_MAX + 1] = "";

        for (size_t i = 0; i < t->len; i++)
                snprintf(text + 2 * i, 3, "%02x", t->payload[i]);
        ck_assert_str_eq(text, hex);
}

TEST(messages_are_those_of_pydronecan)
{
        const double deg = M_PI / 180.0;
        const struct gps_sample gps = {
                .lat_rad = -47.06543210 * deg,
                .lon_rad = 15.43210987 * deg,
                .height_m = -12.345,
                .vel_ned_mps = { 1.5, -2.25, 0.125 },
                .h_acc_m = 2.0,
                .v_acc_m = 4.0,
                .s_acc_mps = 0.5,
                .satellites = 17,
                .fix = GPS_FIX_3D,
        };
        const struct imu_sample imu = { .gyro_body_radps = { 0.5, -1.25, 3.0 },
                                        .accel_body_mps2 = { 0.125, -0.0625, -9.8 } };
        const struct mag_sample mag = { .field_body_t = { 20e-6, -5e-6, 45e-6 } };
        const struct baro_sample baro = { .pressure_pa = 95123.25,
                                          .temperature_k = 288.15 };
        const struct sonar_sample sonar = { .range_m = 2.345, .echo = true };
        const struct power_sample power = { .voltage_v = 16.2, .current_a = 12.5 };
        const struct dronecan_esc esc = { 2, 16.5, 5432.0 * M_PI / 30.0, 0.55 };
        struct dronecan_transfer t;

        dronecan_write_fix2(&t, &gps, 1700000000123456);
        check_payload(&t, "0000000000000040222018240a06400025eb87fb5b04b6cbbf3fb1f3fffe"
                          "3e7fff0000c03f000010c00000003e47000600440044004c003400340034"
                          "003c");
        dronecan_write_auxiliary(&t, &gps);
        check_payload(&t, "003c003c003c003c003c003c003c2288");
        dronecan_write_imu(&t, &imu, 123456789);
        check_payload(&t, "15cd5b0700000000000000003800bd004200000000000000000000000000"
                          "3000ace6c8000000000000000000000000");
        dronecan_write_mag(&t, &mag, 1);
        check_payload(&t, "01663266aa3337");
        dronecan_write_pressure(&t, &baro);
        check_payload(&t, "a0c9b9470000");
        dronecan_write_temperature(&t, &baro);
        check_payload(&t, "815c0000");
        dronecan_write_range(&t, &sonar, 2);
        check_payload(&t, "00000000000000020000000009b140");
        dronecan_write_battery(&t, &power);
        check_payload(&t, "ff7f0d4c404aff7fff7fff7fff7f011fc0000000000000");
        dronecan_write_esc(&t, &esc);
        check_payload(&t, "00000000204cff7fff7f38151b88");
        dronecan_write_status(&t, 77);
        check_payload(&t, "4d000000000000");
}

static struct dronecan_transfer make_info(void)
{
        struct dronecan_node node = { .uptime_s = 77, .name = "org.hilrig.sensors" };
        struct dronecan_transfer t = { .source = NODE, .destination = 10, .number = 3 };

        for (int i = 0; i < DRONECAN_UNIQUE_BYTES; i++)
                node.unique_id[i] = (uint8_t)(i + 1);
        dronecan_write_info(&t, &node);
        return t;
}

TEST(a_long_transfer_has_the_frames_of_pydronecan)
{
        static const uint8_t expected[][CAN_DATA_MAX] = {
                { 0x2D, 0xE1, 0x4D, 0, 0, 0, 0, 0x83 },
                { 0, 0, 1, 0, 0, 0, 0, 0x23 },
                { 0, 0, 0, 0, 0, 0, 0, 0x03 },
                { 0, 0, 0, 1, 0, 1, 2, 0x23 },
                { 3, 4, 5, 6, 7, 8, 9, 0x03 },
                { 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x23 },
                { 0, 'o', 'r', 'g', '.', 'h', 'i', 0x03 },
                { 'l', 'r', 'i', 'g', '.', 's', 'e', 0x23 },
                { 'n', 's', 'o', 'r', 's', 0x43 },
        };
        struct dronecan_transfer t = make_info();
        struct can_frame frames[DRONECAN_FRAMES_MAX];

        ck_assert_int_eq(dronecan_split(&t, frames), 9);
        for (int i = 0; i < 9; i++) {
                ck_assert_uint_eq(frames[i].id, 0x18010AAA);
                ck_assert_uint_eq(frames[i].len, i < 8 ? 8 : 6);
                ck_assert_mem_eq(frames[i].data, expected[i], CAN_DATA_MAX);
        }
}

/* How often frame i goes out: not if it is in `lost` (bit i of the first 32), twice if in `doubled`. */
static int times_sent(int i, uint32_t lost, uint32_t doubled)
{
        if (i >= 32)
                return 1;
        return lost >> i & 1 ? 0 : 1 + (int)(doubled >> i & 1);
}

/* Returns whether it arrived, whole and once. */
static bool arrives(const struct dronecan_transfer *t, uint32_t lost, uint32_t doubled)
{
        struct can_frame frames[DRONECAN_FRAMES_MAX];
        struct dronecan_transfer out;
        int count = dronecan_split(t, frames), whole = 0;

        for (int i = 0; i < count; i++)
                for (int n = times_sent(i, lost, doubled); n > 0; n--)
                        whole += dronecan_read(&reader, &frames[i], 0, &out);
        if (whole != 1)
                return false;
        ck_assert_uint_eq(out.len, t->len);
        ck_assert_mem_eq(out.payload, t->payload, t->len);
        ck_assert_int_eq(out.kind, t->kind);
        ck_assert_int_eq(out.type, t->type);
        ck_assert_uint_eq(out.source, t->source);
        ck_assert_uint_eq(out.destination, t->destination);
        ck_assert_uint_eq(out.number, t->number);
        ck_assert_uint_eq(out.priority, t->priority);
        return true;
}

TEST(transfers_of_every_length_arrive_as_they_were)
{
        struct dronecan_transfer t = { .source = 7, .type = DRONECAN_FIX2 };

        reader = (struct dronecan_reader){ .node = NODE };
        for (t.len = 0; t.len <= DRONECAN_PAYLOAD_MAX; t.len++) {
                for (size_t i = 0; i < t.len; i++)
                        t.payload[i] = (uint8_t)(i * 31 + t.len);
                t.number = t.len % 32;
                ck_assert(arrives(&t, 0, 0));
        }
        ck_assert_uint_eq(reader.counts.transfers, DRONECAN_PAYLOAD_MAX + 1);
        ck_assert_uint_eq(reader.counts.broken, 0);
}

TEST(a_lost_frame_costs_its_transfer_and_no_other)
{
        struct dronecan_transfer t = make_info();

        t.destination = NODE;
        t.source = 10;
        reader = (struct dronecan_reader){ .node = NODE };
        for (int i = 0; i < 9; i++) {
                ck_assert(!arrives(&t, 1U << i, 0));
                t.number = (uint8_t)((t.number + 1) % 32);
                ck_assert(arrives(&t, 0, 0));
                t.number = (uint8_t)((t.number + 1) % 32);
        }
        ck_assert_uint_eq(reader.counts.transfers, 9);
        ck_assert_uint_ge(reader.counts.broken, 9);
}

TEST(a_frame_that_came_twice_is_taken_once)
{
        struct dronecan_transfer t = make_info();

        t.destination = NODE;
        reader = (struct dronecan_reader){ .node = NODE };
        for (int i = 1; i < 8; i++)
                ck_assert(arrives(&t, 0, 1U << i));
        ck_assert_uint_eq(reader.counts.repeated, 7);
}

TEST(a_wrong_bit_in_a_long_transfer_is_noticed)
{
        struct dronecan_transfer t = make_info(), out;
        struct can_frame frames[DRONECAN_FRAMES_MAX];

        t.destination = NODE;
        reader = (struct dronecan_reader){ .node = NODE };
        for (int bit = 0; bit < 7 * 8 * 9; bit++) {
                int count = dronecan_split(&t, frames), at = bit / 56;

                if (bit % 56 / 8 >= frames[at].len - 1)
                        continue;
                frames[at].data[bit % 56 / 8] ^= (uint8_t)(1 << bit % 8);
                for (int i = 0; i < count; i++)
                        ck_assert(!dronecan_read(&reader, &frames[i], 0, &out));
        }
}

TEST(two_nodes_may_speak_at_a_time)
{
        struct dronecan_transfer a = make_info(), b = make_info(), out;
        struct can_frame from_a[DRONECAN_FRAMES_MAX], from_b[DRONECAN_FRAMES_MAX];
        int whole = 0;

        a.destination = b.destination = NODE;
        b.source = 11;
        reader = (struct dronecan_reader){ .node = NODE };
        dronecan_split(&a, from_a);
        dronecan_split(&b, from_b);
        for (int i = 0; i < 9; i++) {
                whole += dronecan_read(&reader, &from_a[i], 0, &out);
                whole += dronecan_read(&reader, &from_b[i], 0, &out);
        }
        ck_assert_int_eq(whole, 2);
}

TEST(another_nodes_service_is_not_taken)
{
        struct dronecan_transfer t = make_info();

        reader = (struct dronecan_reader){ .node = NODE };
        ck_assert(!arrives(&t, 0, 0));
        ck_assert_uint_eq(reader.counts.foreign, 9);
}

TEST(raw_command_of_pydronecan_is_understood)
{
        /* 0, 8191, -8192, 4095 of node 10. */
        const struct can_frame frame = { .id = 0x1004060A,
                                         .len = 8,
                                         .data = { 0x00, 0x03, 0xFD, 0xF0, 0x08, 0x3F,
                                                   0xCF, 0xC5 } };
        struct dronecan_transfer t;
        double duty[DRONECAN_ESC_MAX];

        reader = (struct dronecan_reader){ 0 };
        ck_assert(dronecan_read(&reader, &frame, 0, &t));
        ck_assert_int_eq(t.type, DRONECAN_RAW_COMMAND);
        ck_assert_uint_eq(t.source, 10);
        ck_assert_int_eq(dronecan_read_raw_command(&t, duty), 4);
        ck_assert_double_eq(duty[0], 0.0);
        ck_assert_double_eq(duty[1], 1.0);
        ck_assert_double_eq(duty[2], -8192.0 / 8191.0);
        ck_assert_double_eq(duty[3], 4095.0 / 8191.0);
}

TEST(every_half_is_read_and_written_as_it_was)
{
        for (unsigned half = 0; half <= 0xFFFF; half++) {
                double value = dronecan_half_value((uint16_t)half);

                if (value == value)
                        ck_assert_uint_eq(dronecan_half(value), half);
                else
                        ck_assert(isnan(dronecan_half_value(dronecan_half(value))));
        }
        ck_assert_uint_eq(dronecan_half(65519.0), 0x7BFF);
        ck_assert_uint_eq(dronecan_half(65520.0), 0x7C00);
        ck_assert_uint_eq(dronecan_half(1.0 + 1.0 / 2048), 0x3C00); /* tie, to even */
        ck_assert_uint_eq(dronecan_half(1.0 + 3.0 / 2048), 0x3C02);
        ck_assert_uint_eq(dronecan_half(ldexp(1.0, -26)), 0);
}

TEST(signed_fields_saturate_and_nan_is_none)
{
        uint8_t bytes[16] = { 0 };
        struct dronecan_bits b = { bytes, 8 * sizeof bytes, 0, false };

        dronecan_put_signed(&b, 1e12, 27);
        dronecan_put_signed(&b, -1e12, 27);
        dronecan_put_signed(&b, NAN, 14);
        b.at = 0;
        ck_assert_int_eq(dronecan_get_signed(&b, 27), (1 << 26) - 1);
        ck_assert_int_eq(dronecan_get_signed(&b, 27), -(1 << 26));
        ck_assert_int_eq(dronecan_get_signed(&b, 14), 0);
        b.at = 8 * sizeof bytes - 3;
        ck_assert_uint_eq(dronecan_get(&b, 4), 0);
        ck_assert(b.over);
}
