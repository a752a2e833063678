/* A firmware that starts after the rig: waited for before the run, and never in it. */
#include "tests/staged/late_peer.h"
#include "tests/hil/port/fc_port_stage.h"
#include "tests/suites.h"

#include "hil/port/device_port.h"

#define LONG_MS 600000 /* nobody waits for it: the peer comes at a number of tries */

static char folder[32];
static struct link_error why;

static void begin(void)
{
        make_folder(folder);
}

static void end(void)
{
        late_peer_end();
        rmdir(folder);
}

FIXTURE(begin, end)

static void configure(int comes_at, bool by_tcp)
{
        configure_fc();
        late_peer_set(comes_at, by_tcp, folder, config.link_text[0],
                      sizeof config.link_text[0]);
        ck_assert(link_spec_parse(&config.link[0], config.link_text[0], &why));
        config.link[0].patience_ms = LONG_MS;
}

TEST_EACH(a_firmware_that_starts_late_is_greeted, 2)
{
        configure(3, _i == 0);
        ck_assert_msg(fc_port_open(&port, &config, &setup, 0, &why), "%s", why.text);
        ck_assert_int_eq(late.tries, 3);
        board_link = late.link;
        hilp_board_init(&board, "board", 4, 1, 7);
        while (board_serve(false) == 0 && port.state != FC_PORT_READY) {
                fc_port_poll(&port, 0);
                fc_port_receive(&port, 0, false);
        }
        ck_assert_int_eq(port.state, FC_PORT_READY);
        fc_port_close(&port);
}

TEST_EACH(in_flight_one_look_is_all_that_it_gets, 2)
{
        configure(1, _i == 0);
        ck_assert_msg(fc_port_open(&port, &config, &setup, 0, &why), "%s", why.text);
        late_peer_end();
        late.tries = 0;
        fc_port_give_up(&port);
        ck_assert(!fc_port_reopen(&port, 0));
        ck_assert_int_eq(late.tries, 1);
        ck_assert(!fc_port_reopen(&port, MS));
        ck_assert_int_eq(late.tries, 2);
        fc_port_close(&port);
}

TEST_EACH(a_device_waits_for_the_boards_port_as_its_link_does, 2)
{
        const struct device_setup device = { .period_ns = MS };
        static struct port_config crsf;
        struct device_port d;

        configure(3, _i == 0);
        crsf = (struct port_config){ .device = "crsf", .link = config.link[0] };
        ck_assert_msg(device_port_open(&d, &crsf, &device, 0, 0, &why), "%s", why.text);
        ck_assert_int_eq(late.tries, 3);
        device_port_close(&d);
}
