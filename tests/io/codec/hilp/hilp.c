/* HILP messages: layouts, what is refused, sequence numbers, the documented examples. */
#include <ctype.h>
#include <stdlib.h>

#include "tests/io/codec/hilp/hilp_json.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

/* A message as text, so that two can be compared field by field whatever their padding holds. */
static void describe(const struct hilp_message *m, char *text, size_t cap)
{
        FILE *f = fmemopen(text, cap, "w");

        ck_assert_ptr_nonnull(f);
        json_message(f, m);
        ck_assert_int_eq(fclose(f), 0);
}

#define DESCRIPTION_MAX 2048

TEST(random_messages_of_every_type_come_back)
{
        struct dice d = { 1 };
        int seen[HILP_TYPE_MAX + 1] = { 0 };

        for (int i = 0; i < 20000; i++) {
                char sent[DESCRIPTION_MAX], got[DESCRIPTION_MAX];
                uint8_t payload[HILP_PAYLOAD_MAX], again[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                describe(&m, sent, sizeof sent);
                seen[m.type]++;
                len = hilp_encode(&m, payload);
                ck_assert_uint_gt(len, 0);
                ck_assert_int_eq(hilp_decode(&m, payload, len), 1);
                describe(&m, got, sizeof got);
                ck_assert_str_eq(got, sent);
                ck_assert_uint_eq(hilp_encode(&m, again), len);
                ck_assert_mem_eq(again, payload, len);
        }
        for (int type = HILP_HELLO; type <= HILP_TYPE_MAX; type++)
                ck_assert_int_gt(seen[type], 1000);
}

TEST(a_shorter_or_longer_payload_is_refused)
{
        struct dice d = { 2 };

        for (int i = 0; i < 3000; i++) {
                uint8_t payload[HILP_PAYLOAD_MAX] = { 0 };
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                if (m.type == HILP_TEXT)
                        continue;
                len = hilp_encode(&m, payload);
                for (size_t other = 0; other < sizeof payload; other++)
                        ck_assert_int_eq(hilp_decode(&m, payload, other), other == len);
        }
}

TEST(a_text_is_as_long_as_its_payload_up_to_its_limit)
{
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;

        memset(payload, 'x', sizeof payload);
        payload[0] = HILP_TEXT;
        payload[2] = 1;
        for (size_t len = 3; len <= sizeof payload; len++) {
                ck_assert_int_eq(hilp_decode(&m, payload, len), len <= 3 + HILP_TEXT_MAX);
                if (len <= 3 + HILP_TEXT_MAX)
                        ck_assert_uint_eq(strlen(m.u.text.text), len - 3);
        }
}

TEST(a_decoded_payload_is_possible_whatever_it_was)
{
        struct dice d = { 3 };
        int decoded = 0;

        for (int i = 0; i < 200000; i++) {
                uint8_t payload[HILP_PAYLOAD_MAX], again[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                len = hilp_encode(&m, payload);
                payload[dice_below(&d, (uint32_t)len)] = dice_u8(&d);
                if (!hilp_decode(&m, payload, len))
                        continue;
                decoded++;
                ck_assert_uint_gt(hilp_encode(&m, again), 0);
        }
        ck_assert_int_gt(decoded, 1000);
}

/* A message of a type that is possible, for a test to spoil. */
static struct hilp_message example_of(uint8_t type)
{
        struct dice d = { 4 };
        struct hilp_message m;

        do
                random_message(&d, &m);
        while (m.type != type);
        return m;
}

static void refused(const struct hilp_message *m)
{
        uint8_t payload[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        ck_assert_uint_eq(hilp_encode(m, payload), 0);
        ck_assert_uint_eq(hilp_write(m, frame), 0);
}

TEST(what_cannot_be_is_not_encoded)
{
        struct hilp_message m = example_of(HILP_MOTORS);

        m.u.motors.count = HILP_ROTORS_MAX + 1;
        refused(&m);
        m.u.motors.count = 0;
        refused(&m);
        m = example_of(HILP_MOTORS);
        m.u.motors.mode = HILP_MODE_LAND + 1;
        refused(&m);
        m = example_of(HILP_INPUT);
        m.u.input.channels = HILP_RC_MAX + 1;
        refused(&m);
        m = example_of(HILP_SENSORS);
        m.u.sensors.time_us = HILP_TIME_MAX_US + 1;
        refused(&m);
        m = example_of(HILP_SENSORS);
        m.u.sensors.fresh = 1 << HILP_SENSOR_COUNT;
        refused(&m);
        m.type = HILP_SENSORS_V2;
        refused(&m);
        m = example_of(HILP_STATE);
        memset(m.u.state.q_1e4, 0, sizeof m.u.state.q_1e4);
        refused(&m);
        m = example_of(HILP_HELLO);
        m.u.hello.version_min = (uint8_t)(m.u.hello.version_max + 1);
        refused(&m);
        m = example_of(HILP_GOODBYE);
        m.type = HILP_TYPE_MAX + 1;
        refused(&m);
        m.type = 0;
        refused(&m);
}

TEST(sonars_and_ranges_stand_in_the_order_of_their_index)
{
        struct hilp_message m = { .type = HILP_SONARS };
        uint8_t payload[HILP_PAYLOAD_MAX];

        refused(&m); /* none at all: that message is not sent */
        m.u.sonars.count = HILP_SONARS_MAX + 1;
        refused(&m);
        m.u.sonars.count = 2;
        m.u.sonars.sonar[0].index = 3;
        m.u.sonars.sonar[1].index = 3;
        refused(&m);
        m.u.sonars.sonar[1].index = HILP_SONARS_MAX;
        refused(&m);
        m.u.sonars.sonar[1].index = HILP_SONARS_MAX - 1;
        ck_assert_uint_eq(hilp_encode(&m, payload), 15 + 2 * 10);
        m.u.sonars.sonar[1].echo = 2;
        refused(&m);

        memset(&m, 0, sizeof m);
        m.type = HILP_REAL_RANGES;
        ck_assert_uint_eq(hilp_encode(&m, payload), 3);
        m.u.real_ranges.count = 2;
        refused(&m);
        m.u.real_ranges.range[1].index = 1;
        m.u.real_ranges.range[1].range_mm = HILP_INVALID_I32;
        ck_assert_uint_eq(hilp_encode(&m, payload), 3 + 2 * 5);
        m.u.real_ranges.range[1].range_mm = -1;
        refused(&m);
        m.u.real_ranges.count = HILP_SONARS_MAX + 1;
        refused(&m);

        memset(&m, 0, sizeof m);
        m.type = HILP_PARTS;
        m.u.parts.sonars = HILP_SONARS_MAX + 1;
        refused(&m);
        m.u.parts.sonars = HILP_SONARS_MAX;
        m.u.parts.baro_oversampling = HILP_BARO_OVERSAMPLING_MAX + 1;
        refused(&m);
}

TEST(an_option_has_a_key_and_printable_characters)
{
        struct hilp_message m = { .type = HILP_OPTION };
        uint8_t payload[HILP_PAYLOAD_MAX];

        refused(&m); /* no key */
        m.u.option.key[0] = 'k';
        ck_assert_uint_eq(hilp_encode(&m, payload), 42);
        m.u.option.value[3] = '\n'; /* behind the end */
        ck_assert_uint_eq(hilp_encode(&m, payload), 42);
        memcpy(m.u.option.value, "one\n", 5);
        refused(&m);
        memset(m.u.option.value, '~', HILP_OPTION_MAX);
        ck_assert_uint_eq(hilp_encode(&m, payload), 42);
        ck_assert_int_eq(hilp_decode(&m, payload, 42), 1);
        ck_assert_uint_eq(strlen(m.u.option.value), HILP_OPTION_MAX);
        payload[2] = 0xE9;
        ck_assert_int_eq(hilp_decode(&m, payload, 42), 0);

        m = (struct hilp_message){ .type = HILP_OPTION_ACK };
        refused(&m);
        m.u.option_ack.key[0] = 'k';
        ck_assert_uint_eq(hilp_encode(&m, payload), 23);
        m.u.option_ack.accepted = 2;
        refused(&m);
}

/* The hello of any version reaches a board of any other, so that it can say no. */
TEST(hello_and_its_answer_have_the_layout_of_version_1)
{
        struct hilp_message m = example_of(HILP_HELLO);
        uint8_t payload[HILP_PAYLOAD_MAX];

        m.u.hello.version_min = m.u.hello.version_max = 1;
        memset(m.u.hello.name, 'x', HILP_NAME_MAX);
        ck_assert_uint_eq(hilp_encode(&m, payload), 82);
        ck_assert_uint_eq(payload[49], m.u.hello.units.range >> 24);
        ck_assert_uint_eq(payload[50], 'x');
        m = example_of(HILP_HELLO_ACK);
        ck_assert_uint_eq(hilp_encode(&m, payload), 42);
        ck_assert_uint_eq(payload[5], m.u.hello_ack.sensors_used);
}

TEST(the_largest_messages_have_the_documented_lengths)
{
        struct hilp_message m = { .type = HILP_SENSORS, .u.sensors.fresh = 0xFF };
        uint8_t payload[HILP_PAYLOAD_MAX];

        ck_assert_uint_eq(hilp_encode(&m, payload), 181);
        m.type = HILP_SENSORS_V2;
        ck_assert_uint_eq(hilp_encode(&m, payload), 180);
        memset(&m, 0, sizeof m);
        m.type = HILP_SONARS;
        m.u.sonars.count = HILP_SONARS_MAX;
        for (uint8_t i = 0; i < HILP_SONARS_MAX; i++)
                m.u.sonars.sonar[i].index = i;
        ck_assert_uint_eq(hilp_encode(&m, payload), 175);
}

TEST(gaps_in_the_sequence_are_counted_as_lost)
{
        struct dice d = { 5 };
        struct hilp_sequence s = { 0 };
        uint32_t lost = 0;
        uint8_t next = 200; /* any start */

        for (int i = 0; i < 5000; i++) {
                uint8_t payload[3] = { HILP_GOODBYE, next, dice_u8(&d) };
                uint8_t gap =
                        (uint8_t)(dice_below(&d, 10) == 0 ? dice_below(&d, 239) : 0);

                ck_assert_int_eq(hilp_sequence_take(&s, payload, 3), 1);
                ck_assert_uint_eq(s.lost, lost);
                next = (uint8_t)(next + 1 + gap);
                lost += gap;
        }
}

TEST(repetitions_are_told_from_messages_and_cost_nothing)
{
        struct hilp_sequence s = { 0 };
        const uint8_t first[2] = { HILP_GOODBYE, 7 }, second[2] = { HILP_GOODBYE, 8 };
        const uint8_t changed[2] = { HILP_MOTORS, 8 };

        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 1);
        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 0);
        ck_assert_int_eq(hilp_sequence_take(&s, second, 2), 1);
        /* A board that never counts is still heard. */
        ck_assert_int_eq(hilp_sequence_take(&s, changed, 2), 1);
        /* One that was overtaken. */
        ck_assert_int_eq(hilp_sequence_take(&s, first, 2), 1);
        ck_assert_uint_eq(s.lost, 0);
}

/* The examples of docs/protocol.md, in its order. */
#define EXAMPLES 19

static void examples(struct hilp_message m[EXAMPLES])
{
        memset(m, 0, EXAMPLES * sizeof m[0]);

        /* Framing */
        m[0].type = HILP_MOTORS;
        m[0].sequence = 5;
        m[0].u.motors = (struct hilp_motors){ .answers = 7,
                                              .flags = HILP_ARMED,
                                              .mode = HILP_MODE_GOTO,
                                              .count = 4,
                                              .duty = { 32768, 32768, 32000, 0 } };
        /* Messages */
        m[1].type = HILP_HELLO;
        m[1].u.hello = (struct hilp_hello){
                .version_min = 2,
                .version_max = 3,
                .flags = HILP_FLAG_LOCKSTEP,
                .rotors = 4,
                .frame_period_us = 1000,
                .sensor_period_us = { 1000, 100000, 20000, 10000, 0 },
                .units = { 4790000, 1064000, 10000000, 150, 1000000 },
                .name = "hilrig"
        };
        m[2].type = HILP_HELLO_ACK;
        m[2].u.hello_ack = (struct hilp_hello_ack){ .version = 3,
                                                    .frame_every = 1,
                                                    .rotors = 4,
                                                    .sensors_used = 0x0F,
                                                    .unique = 0xC0FFEE01,
                                                    .name = "myboard 0.3" };
        m[3].type = HILP_SENSORS;
        m[3].sequence = 9;
        m[3].u.sensors = (struct hilp_sensors){
                .number = 7,
                .time_us = 8000,
                .fresh = HILP_IMU,
                .imu = { .age_us = 250, .accel = { 0, 2, -2047 }, .gyro = { -1, 0, 3 } }
        };
        m[4] = m[3];
        m[4].type = HILP_SENSORS_V2;
        m[5] = m[0];
        m[6].type = HILP_INPUT;
        m[6].sequence = 8;
        m[6].u.input = (struct hilp_input){ .mode = HILP_MODE_GOTO,
                                            .pos_ned_mm = { 0, 1500, -5000 },
                                            .yaw_mrad = 1571,
                                            .channels = 5,
                                            .rc_us = { 1500, 1500, 1000, 1500, 1800 } };
        m[7].type = HILP_TIME_SYNC;
        m[7].sequence = 6;
        m[7].u.time_sync = (struct hilp_time_sync){ .id = 3,
                                                    .reply = 1,
                                                    .rig_transmit_us = 81000000,
                                                    .board_receive_us = 2500400,
                                                    .board_transmit_us = 2500430 };
        m[8].type = HILP_STATE;
        m[8].sequence = 7;
        m[8].u.state = (struct hilp_state){ .q_1e4 = { 10000, 0, -87, 0 },
                                            .pos_ned_mm = { 12, -40, -4987 },
                                            .vel_ned_cmps = { 0, 3, -1 } };
        m[9].type = HILP_TEXT;
        m[9].sequence = 8;
        m[9].u.text = (struct hilp_text){ .severity = 1, .text = "no GPS" };
        m[10].type = HILP_GOODBYE;
        m[10].sequence = 10;
        m[11].type = HILP_PARTS;
        m[11].sequence = 11;
        m[11].u.parts =
                (struct hilp_parts){ .sonars = 4,
                                     .flow_period_us = 20000,
                                     .power_period_us = 10000,
                                     .baro = { 408, -72, -14383, 32741, 32757, 23153,
                                               6190, 4, -32768, -8711, 2868 } };
        m[12].type = HILP_SONARS;
        m[12].sequence = 12;
        m[12].u.sonars = (struct hilp_sonars){ .number = 7,
                                               .time_us = 8000,
                                               .count = 2,
                                               .sonar = { { 0, 4000, 1234, 1 },
                                                          { 3, 6000, 2650, 0 } } };
        m[13].type = HILP_REAL_RANGES;
        m[13].sequence = 13;
        m[13].u.real_ranges = (struct hilp_real_ranges){
                .count = 2, .range = { { 1, 800 }, { 2, HILP_INVALID_I32 } }
        };
        m[14].type = HILP_OPTION;
        m[14].sequence = 13;
        m[14].u.option = (struct hilp_option){ "attitude_law", "dikmen" };
        m[15].type = HILP_OPTION_ACK;
        m[15].sequence = 14;
        m[15].u.option_ack = (struct hilp_option_ack){ "attitude_law", 1 };
        m[16].type = HILP_RADIO;
        m[16].sequence = 15;
        m[16].u.radio =
                (struct hilp_radio){ .address = 2, .radios = 8, .bytes_max = 110 };
        m[17].type = HILP_PEER_SEND;
        m[17].sequence = 16;
        m[17].u.peer = (struct hilp_peer){ HILP_PEER_ALL, 0, 2, { 0x68, 0x69 } };
        m[18].type = HILP_PEER;
        m[18].sequence = 17;
        m[18].u.peer = (struct hilp_peer){ 2, -71, 2, { 0x68, 0x69 } };
}

static char *load(const char *path)
{
        FILE *f = fopen(path, "r");
        char *text = calloc(1, 1 << 17);
        size_t n;

        ck_assert_msg(f != NULL, "%s: run the tests in the repository's root", path);
        ck_assert_ptr_nonnull(text);
        n = fread(text, 1, (1 << 17) - 1, f);
        ck_assert_uint_gt(n, 0);
        fclose(f);
        return text;
}

/* The bytes of a fenced block of hex, in lower case, without its white space. */
static void block_hex(const char *block, char *hex, size_t cap)
{
        const char *end = strstr(block, "```");
        size_t n = 0;

        ck_assert_ptr_nonnull(end);
        for (; block < end; block++) {
                if (isxdigit((unsigned char)*block) && n + 1 < cap)
                        hex[n++] = *block;
                else
                        ck_assert(isspace((unsigned char)*block));
        }
        hex[n] = '\0';
}

TEST(every_hex_block_of_the_protocol_document_is_what_the_encoder_writes)
{
        struct hilp_message m[EXAMPLES];
        char *text = load("docs/protocol.md"), *at = text;

        examples(m);
        for (int i = 0; i < EXAMPLES; i++) {
                uint8_t frame[HILP_FRAME_MAX];
                char expected[2 * HILP_FRAME_MAX + 1], found[2 * HILP_FRAME_MAX + 1];
                size_t len = hilp_write(&m[i], frame);

                for (size_t k = 0; k < len; k++)
                        snprintf(expected + 2 * k, 3, "%02x", frame[k]);
                at = strstr(at, "```hex\n");
                ck_assert_msg(at != NULL, "example %d, %s, is missing", i, expected);
                at += strlen("```hex\n");
                block_hex(at, found, sizeof found);
                ck_assert_str_eq(found, expected);
        }
        ck_assert_ptr_null(strstr(at, "```hex\n"));
        free(text);
}
