/* One flight controller's port against a board in the same program, over a Unix socket. Host time
 * is an argument, so nothing here waits. */
#pragma once

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/port/fc_port.h"
#include "io/codec/hilp/hilp_board.h"

#define MS INT64_C(1000000)

static struct fc_config config;
static struct fc_port port;
static struct link *board_link;
static struct hilp_board board;

static const struct codec_setup setup = {
        .period_ns = MS,
        .sensor_period_ns = { [SENSOR_IMU] = MS },
        .sensor_lsb = { [SENSOR_IMU] = 1e-3 },
        .gyro_lsb_radps = 1e-3,
        .sonars = 3,
        .rotors = 4,
        .motor_order = { 0, 1, 2, 3 },
};

static const struct sensor_frame frame = { .fresh = SENSOR_BIT(SENSOR_IMU) };

/* The board takes what waits and answers hello and time sync; returns sensor frames seen. */
static inline int board_serve(bool with_motors)
{
        const struct motor_command command = { { 0.25, 0.5, 0.75, 1.0 } };
        uint8_t bytes[4096], out[HILP_FRAME_MAX];
        int n = link_read(board_link, bytes, sizeof bytes), frames = 0;

        for (size_t at = 0; n > 0 && at < (size_t)n;) {
                struct hilp_board_news news;

                at += hilp_board_receive(&board, bytes + at, (size_t)n - at, 0, &news);
                link_write(board_link, news.out, news.out_len);
                if (news.event != HILP_BOARD_SENSORS)
                        continue;
                frames++;
                if (with_motors)
                        link_write(board_link, out,
                                   hilp_board_motors(&board, &command, 4, true, false,
                                                     MODE_ARMED, out));
        }
        return frames;
}

static inline void board_connect(void)
{
        struct link_spec spec;
        struct link_error why;
        char text[160];

        snprintf(text, sizeof text, "unix:/tmp/test_fc_port-%d.sock", getpid());
        ck_assert(link_spec_parse(&spec, text, &why));
        board_link = link_open(&spec, &why);
        ck_assert_msg(board_link != NULL, "%s", why.text);
        hilp_board_init(&board, "board", 4, 1, 7);
}

static inline void greet(int64_t now_ns)
{
        fc_port_receive(&port, now_ns, false);
        fc_port_poll(&port, now_ns);
        board_serve(false);
        fc_port_receive(&port, now_ns, false);
        ck_assert_int_eq(port.state, FC_PORT_READY);
        port.talk.heard_ns = now_ns;
}

/* But for its link. */
static inline void configure_fc(void)
{
        config = (struct fc_config){ .codec = "hilp",
                                     .links = 1,
                                     .motor_order = { 0, 1, 2, 3 },
                                     .timeout_ns = 100 * MS,
                                     .hello_timeout_ns = 1000 * MS,
                                     .reconnect = true };
}

static inline void open_all(void)
{
        struct link_error why;

        configure_fc();
        snprintf(config.link_text[0], sizeof config.link_text[0],
                 "unix-listen:/tmp/test_fc_port-%d.sock", getpid());
        ck_assert(link_spec_parse(&config.link[0], config.link_text[0], &why));
        ck_assert_msg(fc_port_open(&port, &config, &setup, 0, &why), "%s", why.text);
        board_connect();
}

static inline void close_all(void)
{
        fc_port_close(&port);
        if (board_link != NULL)
                link_close(board_link);
        board_link = NULL;
}
