/* Devices on a board's further ports, as rig files give them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

#include "tests/suites.h"

static struct rig_config rig;
static char *resolved;
static struct config_error why;

static bool read_port(const char *device, const char *link, const char *more)
{
        struct config_overrides o = { .sets = 2 };
        char set[300];

        snprintf(set, sizeof set,
                 "vehicles.0.ports=[{\"device\": \"%s\", \"link\": \"%s\"%s}]", device,
                 link, more);
        o.set[0] = set;
        o.set[1] = "vehicles.0.fc.spawn=false";
        free(resolved);
        resolved = NULL;
        config_free(&rig);
        return config_read(&rig, "rig_configs/default.json", &o, &resolved, &why);
}

static const struct link_spec *link_of(const char *device, const char *link)
{
        ck_assert_msg(read_port(device, link, ""), "%s", why.text);
        return &rig.vehicle[0].port[0].link;
}

static void end(void)
{
        free(resolved);
        resolved = NULL;
        config_free(&rig);
}

/* 100000 8E2 without a word: a board hears no SBUS of 8N1. */
TEST(a_receivers_line_is_as_its_protocol_has_it)
{
        const struct link_spec *l = link_of("sbus", "uart:/dev/ttyUSB1");

        ck_assert_uint_eq(l->baud, 100000);
        ck_assert_int_eq(l->parity, LINK_PARITY_EVEN);
        ck_assert_int_eq(l->stop_bits, 2);
        l = link_of("sbus", "uart:/dev/ttyUSB1@100000");
        ck_assert_int_eq(l->parity, LINK_PARITY_EVEN);
        l = link_of("sbus", "uart:/dev/ttyUSB1@100000,8E2");
        ck_assert_int_eq(l->stop_bits, 2);
        l = link_of("crsf", "uart:/dev/ttyUSB1");
        ck_assert_uint_eq(l->baud, 420000);
        ck_assert_int_eq(l->parity, LINK_PARITY_NONE);
        l = link_of("ublox_m10", "uart:/dev/ttyUSB1");
        ck_assert_uint_eq(l->baud, 9600);
        ck_assert_msg(read_port("ublox_m10", "uart:/dev/ttyUSB1", ", \"baud\": 115200"),
                      "%s", why.text);
        ck_assert_uint_eq(rig.vehicle[0].port[0].link.baud, 115200);
        end();
}

TEST(another_framing_is_refused_by_file_key_and_value)
{
        ck_assert(!read_port("sbus", "uart:/dev/ttyUSB1@100000,8N1", ""));
        ck_assert_str_eq(why.text,
                         "--set: vehicles.0.ports.0.link: framing after the baud rate: "
                         "must be 8E2, as the device's line is, or left out, is \"8N1\"");
        ck_assert(!read_port("crsf", "uart:/dev/ttyUSB1@420000,8E2", ""));
        ck_assert(!read_port("ibus", "uart:/dev/ttyUSB1@115200,8E2", ""));
        ck_assert_msg(read_port("nmea", "uart:/dev/ttyUSB1@9600,7E1", ", \"baud\": 9600"),
                      "%s", why.text);
        end();
}

/* It would run at the device's all the same. */
TEST(another_speed_is_refused_unless_the_device_has_it)
{
        ck_assert(!read_port("sbus", "uart:/dev/ttyUSB1@200000", ""));
        ck_assert_str_eq(why.text,
                         "--set: vehicles.0.ports.0.link: baud rate after @: must be "
                         "100000, at which the device starts (\"baud\" sets another), or "
                         "left out, is 200000");
        ck_assert_msg(read_port("sbus", "uart:/dev/ttyUSB1@200000", ", \"baud\": 200000"),
                      "%s", why.text);
        ck_assert_uint_eq(rig.vehicle[0].port[0].link.baud, 200000);
        ck_assert(!read_port("ublox_m8", "uart:/dev/ttyUSB1@115200", ""));
        end();
}

TEST(where_there_is_no_line_there_is_nothing_to_say)
{
        ck_assert_int_eq(link_of("sbus", "pty")->kind, LINK_PTY);
        ck_assert_int_eq(link_of("sbus", "tcp:127.0.0.1:5762")->kind, LINK_TCP);
        ck_assert_int_eq(link_of("sbus", "unix:/tmp/rc")->kind, LINK_UNIX);
        end();
}

/* Their drivers listen: nobody would speak first. */
TEST(a_part_whose_driver_never_speaks_does_not_wait_for_it)
{
        static const char *const part[] = { "tfmini", "maxsonar", "maxsonar_xl",
                                            "sbus",   "ibus",     "msp_sensors" };

        for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
                ck_assert(!read_port(part[i], "udp-listen:127.0.0.1:9003", ""));
                ck_assert_ptr_nonnull(strstr(why.text, "give udp:HOST:PORT"));
                ck_assert_msg(read_port(part[i], "udp:127.0.0.1:9003", ""), "%s",
                              why.text);
        }
        ck_assert_msg(read_port("ublox_m8", "udp-listen:127.0.0.1:9003", ""), "%s",
                      why.text);
}

/* As the flight controller's own link: a firmware's ports open one after the other. */
TEST(ports_have_the_flight_controllers_patience)
{
        ck_assert_int_eq(link_of("sbus", "tcp:127.0.0.1:5762")->patience_ms, 5000);
        ck_assert_int_eq(rig.vehicle[0].fc.link[0].patience_ms, 5000);
        end();
        /* For one that the rig starts itself only after its links are open there is nothing to wait. */
        ck_assert(config_read(&rig, "rig_configs/default.json",
                              &(struct config_overrides){ 0 }, &resolved, &why));
        ck_assert_int_eq(rig.vehicle[0].fc.link[0].patience_ms, 0);
        end();
}

/* Firmware as shipped reports its motors too seldom to fly by. */
TEST(what_is_shipped_needs_motors_that_are_seen_and_has_one_link)
{
        struct config_overrides o = { .sets = 3 };
        char bus[200];

        snprintf(
                bus, sizeof bus,
                "vehicles.0.ports=[{\"device\": \"dronecan_slcan\", \"link\": \"pty\"}]");
        o.set[0] = bus;
        o.set[1] = "vehicles.0.fc={\"codec\": \"ardupilot\", \"dialect\": \"shipped\", "
                   "\"motor_order\": [0, 1, 2, 3], "
                   "\"link\": \"pty\"}";
        o.set[2] = "pace=realtime";
        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, &resolved, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "vehicles.0.fc.dialect: \"shipped\" needs "
                                               "motors that are seen"));
        snprintf(bus, sizeof bus,
                 "vehicles.0.ports=[{\"device\": \"dronecan_slcan\", \"link\": \"pty\", "
                 "\"motors\": true}]");
        ck_assert_msg(config_read(&rig, "rig_configs/default.json", &o, &resolved, &why),
                      "%s", why.text);
        end();
        o.set[2] = "pace=lockstep";
        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, &resolved, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "pace: must be \"realtime\""));
        o.set[1] = "vehicles.0.fc={\"codec\": \"ardupilot\", \"dialect\": \"shipped\", "
                   "\"motor_order\": [0, 1, 2, 3], "
                   "\"link\": [\"pty\", \"pty\"]}";
        o.set[2] = "pace=realtime";
        ck_assert(!config_read(&rig, "rig_configs/default.json", &o, &resolved, &why));
        ck_assert_ptr_nonnull(
                strstr(why.text, "vehicles.0.fc.link: must be one, its MAVLink"));
        end();
}
