/* A board whose latency is known, for the shell tests:
 *
 *   virtual_board LINK DELAY_US CORNER_HZ [AXIS [ARMS_AFTER]]
 *
 * answers every frame with the gyroscope about one axis (0 roll, 1 pitch, 2 yaw), delayed, behind a first-order lag
 * (0: none). With a corner below 0 it answers with motors that never change. It is armed after so many frames. It ends when the rig hangs up. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/time/clock.h"
#include "io/link/link.h"
#include "tests/boards/virtual_fc.h"

static void put(struct link *link, const uint8_t *bytes, size_t len)
{
        while (len > 0) {
                int n = link_write(link, bytes, len);

                if (n == LINK_GONE)
                        exit(0);
                bytes += n;
                len -= (size_t)n;
        }
}

static void serve(struct link *link, struct virtual_fc *fc)
{
        static uint8_t out[64 * HILP_FRAME_MAX];

        for (;;) {
                struct pollfd fd = { .fd = link->fd, .events = POLLIN };
                uint8_t bytes[1024];
                int n = link_read(link, bytes, sizeof bytes);

                if (n == LINK_GONE)
                        return;
                put(link, out,
                    virtual_fc_receive(fc, bytes, (size_t)n,
                                       (uint64_t)(clock_now_ns() / NS_PER_US), out,
                                       sizeof out));
                if (n == 0)
                        poll(&fd, 1, 100);
        }
}

int main(int argc, char **argv)
{
        static struct virtual_fc fc;
        struct link_spec spec;
        struct link_error why;
        struct link *link;
        double corner_hz;

        if (argc < 4 || !link_spec_parse(&spec, argv[1], &why)) {
                fprintf(stderr, "usage: virtual_board LINK DELAY_US CORNER_HZ [AXIS]\n");
                return 2;
        }
        corner_hz = atof(argv[3]);
        virtual_fc_init(&fc, llround(atof(argv[2]) * 1e3), corner_hz);
        fc.axis = argc > 4 ? atoi(argv[4]) : 0;
        fc.arms_after = argc > 5 ? atoi(argv[5]) : 0;
        if (corner_hz < 0.0)
                fc.duty_per_radps = 0.0;
        link = link_open(&spec, &why);
        if (link == NULL) {
                fprintf(stderr, "virtual_board: %s\n", why.text);
                return 2;
        }
        serve(link, &fc);
        link_close(link);
        return 0;
}
