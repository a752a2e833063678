/* A satellite receiver that speaks nothing but NMEA 0183 and cannot be configured: RMC, GGA, GSA and VTG
 * at every solution, GSV once a second. */
#include "io/device/device.h"

#include <stdlib.h>

#include "io/device/nmea.h"
#include "io/codec/transmit_queue.h"

#define MS_NS        1000000LL
#define S_NS         (1000 * MS_NS)
#define SLACK_NS     (2 * MS_NS)
#define DEFAULT_BAUD 115200

struct nmea_device {
        struct device device;
        struct codec_origin origin;
        struct transmit_queue out;
        int64_t period_ns;
        int64_t now_ns, due_ns, gsv_ns; /* gsv_ns: the next GSV is due */
        int64_t sample_ns, sample_age_ns;
        struct gnss_epoch epoch;
};

static void say(struct nmea_device *n, size_t (*write)(char *, const struct gnss_epoch *))
{
        char text[NMEA_MAX];
        size_t len = write(text, &n->epoch);

        if (transmit_queue_put(&n->out, text, len))
                n->device.counts.messages_out++;
}

static void say_epoch(struct nmea_device *n, int64_t t_ns)
{
        n->due_ns = (t_ns - n->due_ns >= n->period_ns ? t_ns : n->due_ns) + n->period_ns;
        say(n, nmea_rmc);
        say(n, nmea_gga);
        say(n, nmea_gsa);
        say(n, nmea_vtg);
        if (t_ns + SLACK_NS < n->gsv_ns)
                return;
        n->gsv_ns = t_ns + S_NS;
        say(n, nmea_gsv);
}

static void take_sample(struct nmea_device *n, const struct gps_sample *s)
{
        n->sample_ns = n->now_ns;
        n->sample_age_ns = n->now_ns - s->t_ns;
        if (s->t_ns + SLACK_NS < n->due_ns)
                return;
        gnss_epoch_take(&n->epoch, s, n->origin.utc_ns + s->t_ns);
        say_epoch(n, s->t_ns);
}

/* Without samples for more than a second it has lost the satellites, and reports that. */
static void do_without_sample(struct nmea_device *n)
{
        int64_t t_ns = n->now_ns - n->sample_age_ns;

        if (n->now_ns - n->sample_ns < S_NS + S_NS / 2 || t_ns < n->due_ns)
                return;
        gnss_epoch_lose(&n->epoch, n->origin.utc_ns + t_ns);
        say_epoch(n, t_ns);
}

static void nmea_feed(struct device *d, const struct device_feed *feed,
                      struct packets *out)
{
        struct nmea_device *n = (struct nmea_device *)d;

        n->now_ns = feed->t_ns;
        n->out.now_ns = feed->t_ns;
        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_GPS)) != 0)
                take_sample(n, &feed->frame->gps);
        else
                do_without_sample(n);
        transmit_queue_send(&n->out, feed->t_ns, out);
}

static void nmea_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_nmea_ops = {
        .name = "nmea",
        .carries = { .of = { [SAMPLE_GPS] =
                                     CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME } },
        .what = "GPS receiver that speaks NMEA 0183 alone",
        .baud = DEFAULT_BAUD,
        .feed = nmea_feed,
        .destroy = nmea_destroy,
};

struct device *device_nmea_create(const struct device_setup *setup)
{
        struct nmea_device *n = calloc(1, sizeof *n);

        if (n == NULL)
                return NULL;
        n->device.ops = &device_nmea_ops;
        n->origin = setup->origin;
        n->out.baud = setup->baud > 0 ? setup->baud : DEFAULT_BAUD;
        /* As fast as the wire can carry the sentences (some 330 bytes, 700 with GSV). */
        n->period_ns = n->out.baud >= 57600   ? 100 * MS_NS
                       : n->out.baud >= 19200 ? 200 * MS_NS
                                              : S_NS;
        return &n->device;
}
