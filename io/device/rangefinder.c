/* Rangefinders with a serial port: Benewake's TFmini and MaxBotix' sonars. Each sends the newest
 * sample of its sonar at a rate of its own; without a sample for long it is dead and silent. */
#include "io/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/codec/transmit_queue.h"

#define MS_NS       1000000LL
#define SLACK_NS    (MS_NS / 2)
#define PATIENCE_NS (500 * MS_NS)

struct part {
        int64_t period_ns;
        /* Writes the message for the sample and returns the length. */
        size_t (*write)(char out[16], const struct sonar_sample *s);
};

struct rangefinder {
        struct device device;
        const struct part *part;
        struct transmit_queue out;
        int index;
        int64_t due_ns;
        bool alive; /* there was a sample */
        int64_t fresh_ns, gap_ns; /* when, and the interval since the one before */
        struct sonar_sample sample;
};

/* In steps of unit_m from `least` to `most`; `none` for no distance. */
static int steps(const struct sonar_sample *s, double unit_m, int least, int most,
                 int none)
{
        if (!s->echo || !(s->range_m >= 0.0))
                return none;
        return (int)nearbyint(fmin(fmax(s->range_m / unit_m, least), most));
}

/* SJ-PM-TFmini-T-01 A03, 5.3 and 5.4: cm to 1200; FFFF where the strength is below 20. */
static size_t write_tfmini(char out[16], const struct sonar_sample *s)
{
        int range_cm = steps(s, 0.01, 0, 1200, 0xFFFF);
        int strength = range_cm == 0xFFFF ? 12 : 2000 * 100 / (range_cm + 100);
        uint8_t *frame = (uint8_t *)out, sum = 0;

        frame[0] = frame[1] = 0x59;
        le_put_u16(frame + 2, (uint16_t)range_cm);
        le_put_u16(frame + 4, (uint16_t)strength);
        frame[6] = range_cm < 200 ? 2 : 7; /* short or long distance */
        frame[7] = 0;
        for (int i = 0; i < 8; i++)
                sum = (uint8_t)(sum + frame[i]);
        frame[8] = sum;
        return 9;
}

/* LV-MaxSonar-EZ data sheet: R, three digits of inches, CR; 6 to 254. */
static size_t write_inches(char out[16], const struct sonar_sample *s)
{
        return (size_t)snprintf(out, 16, "R%03d\r", steps(s, 0.0254, 6, 254, 254));
}

/* XL-MaxSonar-EZ data sheet (MB12xx): R, three digits of cm, CR; 20 to 765. */
static size_t write_cm(char out[16], const struct sonar_sample *s)
{
        return (size_t)snprintf(out, 16, "R%03d\r", steps(s, 0.01, 20, 765, 765));
}

static void see(struct rangefinder *r, const struct device_feed *feed)
{
        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_SONAR)) == 0 ||
            (feed->frame->fresh_sonars >> r->index & 1) == 0)
                return;
        r->gap_ns = r->alive ? feed->t_ns - r->fresh_ns : 0;
        r->fresh_ns = feed->t_ns;
        r->alive = true;
        r->sample = feed->frame->sonar[r->index];
}

static bool is_dead(const struct rangefinder *r, int64_t t_ns)
{
        int64_t patience_ns = 3 * r->gap_ns;

        if (patience_ns < PATIENCE_NS)
                patience_ns = PATIENCE_NS;
        return !r->alive || t_ns - r->fresh_ns > patience_ns;
}

static void rangefinder_feed(struct device *d, const struct device_feed *feed,
                             struct packets *out)
{
        struct rangefinder *r = (struct rangefinder *)d;
        char message[16];

        r->out.now_ns = feed->t_ns;
        see(r, feed);
        if (feed->t_ns + SLACK_NS >= r->due_ns && !is_dead(r, feed->t_ns)) {
                r->due_ns += r->part->period_ns;
                if (r->due_ns <= feed->t_ns)
                        r->due_ns = feed->t_ns + r->part->period_ns;
                /* It does not measure again before it has sent the last measurement. */
                if (r->out.len == 0 &&
                    transmit_queue_put(&r->out, message,
                                       r->part->write(message, &r->sample)))
                        d->counts.messages_out++;
        }
        transmit_queue_send(&r->out, feed->t_ns, out);
}

/* Commands for a TFmini's rate and format are ignored. */
static void tfmini_take(struct device *d, const uint8_t *bytes, size_t len,
                        struct packets *out)
{
        (void)out;
        for (size_t i = 0; i + 1 < len; i++)
                if (bytes[i] == 0x42 && bytes[i + 1] == 0x57)
                        d->counts.messages_in++;
}

static void rangefinder_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_tfmini_ops = {
        .name = "tfmini",
        .heard_first = true,
        .carries = { .of = { [SAMPLE_SONAR] = CARRIES_VALUE } },
        .what = "rangefinder, Benewake TFmini, 100 Hz, 12 m",
        .baud = 115200,
        .feed = rangefinder_feed,
        .take = tfmini_take,
        .destroy = rangefinder_destroy,
};

const struct device_ops device_maxsonar_ops = {
        .name = "maxsonar",
        .heard_first = true,
        .carries = { .of = { [SAMPLE_SONAR] = CARRIES_VALUE } },
        .what = "rangefinder, LV-MaxSonar-EZ (MB10x0), 20 Hz, inches",
        .baud = 9600,
        .feed = rangefinder_feed,
        .destroy = rangefinder_destroy,
};

const struct device_ops device_maxsonar_xl_ops = {
        .name = "maxsonar_xl",
        .heard_first = true,
        .carries = { .of = { [SAMPLE_SONAR] = CARRIES_VALUE } },
        .what = "rangefinder, XL-MaxSonar-EZ (MB12x0), 10 Hz, cm",
        .baud = 9600,
        .feed = rangefinder_feed,
        .destroy = rangefinder_destroy,
};

static const struct part tfmini = { 10 * MS_NS, write_tfmini };
static const struct part maxsonar = { 50 * MS_NS, write_inches };
static const struct part maxsonar_xl = { 100 * MS_NS, write_cm };

static struct device *create(const struct device_ops *ops, const struct part *part,
                             const struct device_setup *setup)
{
        struct rangefinder *r = calloc(1, sizeof *r);

        if (r == NULL)
                return NULL;
        r->device.ops = ops;
        r->part = part;
        r->index = setup->index;
        r->out.baud = setup->baud > 0 ? setup->baud : ops->baud;
        return &r->device;
}

struct device *device_tfmini_create(const struct device_setup *setup)
{
        return create(&device_tfmini_ops, &tfmini, setup);
}

struct device *device_maxsonar_create(const struct device_setup *setup)
{
        return create(&device_maxsonar_ops, &maxsonar, setup);
}

struct device *device_maxsonar_xl_create(const struct device_setup *setup)
{
        return create(&device_maxsonar_xl_ops, &maxsonar_xl, setup);
}
