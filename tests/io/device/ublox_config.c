/* The receiver's tables hang together. */
#include <string.h>

#include "io/device/ublox/config.h"

#include "tests/suites.h"

static struct ublox_config config;

TEST_EACH(every_key_leads_to_its_own_item, UBLOX_MODELS)
{
        int keys = 0;

        ublox_config_init(&config, (enum ublox_model)_i, 9600);
        for (int i = 0; i < UBLOX_ITEMS; i++) {
                uint32_t key = ublox_config_key(&config, i);

                if (key == 0)
                        continue;
                ck_assert_int_eq(ublox_config_find(&config, key), i);
                ck_assert_uint_ne(ublox_key_size(key), 0);
                keys += i < UBLOX_KEYS;
        }
        /* IMES has none. */
        ck_assert_int_eq(keys, UBLOX_KEYS - 1);
        ck_assert_int_eq(ublox_config_find(&config, 0), -1);
        ck_assert_int_eq(ublox_config_find(&config, 0xFFFFFFFF), -1);
}

TEST_EACH(every_message_is_found, UBLOX_MODELS)
{
        ublox_config_init(&config, (enum ublox_model)_i, 9600);
        for (int i = 0; i < UBLOX_MESSAGES; i++) {
                int found = ublox_config_find_message(&config, ublox_message_class(i),
                                                      ublox_message_id(i));

                ck_assert_uint_ne(ublox_message_class(i), 0);
                ck_assert(found == i || found == -1);
        }
        ck_assert_int_ge(ublox_config_find_message(&config, 0x01, 0x07), 0);
        /* NAV-SOL went with the M8, NAV-SIG came with the M10. */
        ck_assert_int_eq(ublox_config_find_message(&config, 0x01, 0x06) >= 0,
                         _i == UBLOX_M8);
        ck_assert_int_eq(ublox_config_find_message(&config, 0x01, 0x43) >= 0,
                         _i == UBLOX_M10);
}

/* Keys of ports follow each other: PX4 counts on it. Numbers from its ubx.h and from INAV's. */
TEST(keys_of_messages_are_the_drivers)
{
        static const struct {
                uint32_t key;
                uint8_t cls, id;
                int port;
        } known[] = {
                { 0x20910006, 1, 0x07, 0 }, { 0x20910007, 1, 0x07, 1 },
                { 0x20910016, 1, 0x35, 1 }, { 0x20910346, 1, 0x43, 1 },
                { 0x2091001b, 1, 0x03, 1 }, { 0x20910039, 1, 0x04, 1 },
                { 0x2091005c, 1, 0x21, 1 }, { 0x20910043, 1, 0x12, 1 },
                { 0x2091002a, 1, 0x02, 1 }, { 0x2091035a, 0x0A, 0x38, 1 },
                { 0x209100bb, 0xF0, 0, 1 }, { 0x209100ca, 0xF0, 1, 1 },
                { 0x209100c0, 0xF0, 2, 1 }, { 0x209100ac, 0xF0, 4, 1 },
                { 0x209100b1, 0xF0, 5, 1 }, { 0x2091000a, 1, 0x07, 4 },
        };

        ublox_config_init(&config, UBLOX_M10, 9600);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
                int m = ublox_config_find_message(&config, known[i].cls, known[i].id);

                ck_assert_int_ge(m, 0);
                ck_assert_int_eq(ublox_config_find(&config, known[i].key),
                                 ublox_message_item(m, known[i].port));
        }
}

TEST_EACH(defaults_are_possible, UBLOX_MODELS)
{
        uint64_t value[UBLOX_ITEMS];

        ublox_config_init(&config, (enum ublox_model)_i, 38400);
        memcpy(value, config.value, sizeof value);
        memset(config.value, 0xEE, sizeof config.value);
        ck_assert(ublox_config_change(&config, value));
        ck_assert_uint_eq(config.value[UBLOX_BAUD], 38400);
}
