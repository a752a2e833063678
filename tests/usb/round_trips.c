/* Round trips over a link to something that sends everything back:
 *
 *   round_trips LINK COUNT [BYTES]
 *
 * prints one JSON object. Every byte must come back, in order; it does not judge how fast. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"
#include "hil/time/histogram.h"
#include "io/link/link.h"

#define BYTES_MAX   4096
#define PATIENCE_NS (10 * NS_PER_S)

static bool write_all(struct link *link, const uint8_t *bytes, size_t len)
{
        int64_t give_up_ns = clock_now_ns() + PATIENCE_NS;

        while (len > 0) {
                int n = link_write(link, bytes, len);

                if (n == LINK_GONE || clock_now_ns() > give_up_ns)
                        return false;
                bytes += n;
                len -= (size_t)n;
        }
        return true;
}

static bool read_all(struct link *link, uint8_t *bytes, size_t len)
{
        int64_t give_up_ns = clock_now_ns() + PATIENCE_NS;

        while (len > 0) {
                struct pollfd fd = { .fd = link->fd, .events = POLLIN };
                int n = link_read(link, bytes, len);

                if (n == LINK_GONE || clock_now_ns() > give_up_ns)
                        return false;
                bytes += n;
                len -= (size_t)n;
                if (n == 0)
                        poll(&fd, 1, 10);
        }
        return true;
}

/* How many came back as they were sent. */
static long go(struct link *link, long count, size_t len, struct histogram *h)
{
        uint8_t sent[BYTES_MAX], back[BYTES_MAX];

        for (long i = 0; i < count; i++) {
                int64_t begin_ns = clock_now_ns();

                for (size_t k = 0; k < len; k++)
                        sent[k] = (uint8_t)((size_t)i * 31 + k);
                if (!write_all(link, sent, len) || !read_all(link, back, len) ||
                    memcmp(sent, back, len) != 0)
                        return i;
                histogram_add(h, clock_now_ns() - begin_ns);
        }
        return count;
}

int main(int argc, char **argv)
{
        static struct histogram h;
        long count = argc > 2 ? atol(argv[2]) : 0, came;
        size_t len = argc > 3 ? (size_t)atol(argv[3]) : 64;
        struct link_spec spec;
        struct link_error why;
        struct link *link;
        int64_t begin_ns;

        if (count <= 0 || len == 0 || len > BYTES_MAX) {
                fprintf(stderr, "usage: round_trips LINK COUNT [BYTES]\n");
                return 2;
        }
        if (!link_spec_parse(&spec, argv[1], &why) ||
            (link = link_open(&spec, &why)) == NULL) {
                fprintf(stderr, "round_trips: %s\n", why.text);
                return 2;
        }
        begin_ns = clock_now_ns();
        came = go(link, count, len, &h);
        printf("{\"link\": \"%s\", \"bytes\": %zu, \"round_trips\": %ld, \"per_s\": "
               "%.0f, "
               "\"p50_us\": %.1f, \"p99_us\": %.1f}\n",
               link->name, len, came,
               (double)came / ((double)(clock_now_ns() - begin_ns) * 1e-9),
               (double)histogram_quantile_ns(&h, 0.5) * 1e-3,
               (double)histogram_quantile_ns(&h, 0.99) * 1e-3);
        link_close(link);
        return came == count ? 0 : 1;
}
