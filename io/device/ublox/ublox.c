/* A u-blox satellite receiver at a board's serial port, M8 or M10: solutions from the rig's samples
 * at the rate and in the messages that the board has asked for, through a transmit buffer that
 * empties at its baud rate. It never reports a time later than the newest sample. */
#include "io/device/ublox/ublox.h"

#include <stdlib.h>
#include <string.h>

#define MS_NS        1000000LL
#define WAKE_NS      (500 * MS_NS) /* from power on to the first word */
#define GNSS_NS      (500 * MS_NS) /* without satellites after a change of systems */
#define PARTIAL_NS   (300 * MS_NS) /* then the rest of a frame is given up */
#define SLACK_NS     (2 * MS_NS) /* how early samples may come */
#define PATIENCE_NS  (300 * MS_NS)
#define SAMPLE_NS    (1000 * MS_NS) /* between samples, until two have come */
#define DEFAULT_BAUD 9600

void ublox_reply(struct ublox *u, uint8_t cls, uint8_t id, const uint8_t *payload,
                 size_t len)
{
        uint8_t frame[UBX_PAYLOAD_MAX + UBX_OVERHEAD];

        if (u->config.value[UBLOX_OUT_UBX] == 0)
                return;
        if (transmit_queue_put(&u->out, frame, ubx_frame(frame, cls, id, payload, len)))
                u->device.counts.messages_out++;
}

static void ublox_acknowledge(struct ublox *u, bool done, uint8_t cls, uint8_t id)
{
        const uint8_t payload[] = { cls, id };

        ublox_reply(u, UBX_ACK, done, payload, sizeof payload);
}

void ublox_blind(struct ublox *u, int64_t for_ns)
{
        u->blind_until_ns = u->now_ns + for_ns;
}

static int64_t period_ns(const struct ublox *u)
{
        const uint64_t *v = u->config.value;

        return (int64_t)(v[UBLOX_RATE_MEAS] * v[UBLOX_RATE_NAV]) * MS_NS;
}

bool ublox_change(struct ublox *u, const uint64_t value[UBLOX_ITEMS])
{
        uint64_t before[UBLOX_ITEMS];
        int64_t period = period_ns(u);

        memcpy(before, u->config.value, sizeof before);
        if (!ublox_config_change(&u->config, value))
                return false;
        transmit_queue_set_baud(&u->out, (uint32_t)value[UBLOX_BAUD]);
        if (period_ns(u) != period)
                u->due_ns = u->epoch_ns + period_ns(u);
        for (int i = UBLOX_GPS; i <= UBLOX_GLONASS; i++)
                if (value[i] != before[i])
                        ublox_blind(u, GNSS_NS);
        return true;
}

/* Writes a message, NMEA or UBX, into the transmit buffer. False: there is no such message. */
static bool say(struct ublox *u, uint8_t cls, uint8_t id)
{
        uint8_t payload[UBLOX_MESSAGE_MAX];
        size_t len = 0;

        if (cls == UBX_NMEA) {
                len = ublox_write_nmea(u, id, payload);
                if (len > 0 && u->config.value[UBLOX_OUT_NMEA] != 0 &&
                    transmit_queue_put(&u->out, payload, len))
                        u->device.counts.messages_out++;
                return len > 0;
        }
        if (cls == UBX_NAV)
                len = ublox_write_nav(u, id, payload);
        else if (cls == UBX_MON)
                len = ublox_write_mon(u, id, payload);
        if (len > 0)
                ublox_reply(u, cls, id, payload, len);
        return len > 0;
}

static void say_epoch(struct ublox *u)
{
        if (u->epoch.fix != GPS_NO_FIX && u->first_fix_ns < 0)
                u->first_fix_ns = u->now_ns;
        u->epochs++;
        for (int i = 0; i < UBLOX_MESSAGES; i++) {
                uint64_t every = u->config.value[ublox_message_item(i, UBLOX_UART1)];

                if (every == 0 || u->epochs % every != 0)
                        continue;
                /* A second's worth of bytes is already queued: more would only grow stale. */
                if (u->out.len >= u->out.baud / 10)
                        u->out.dropped++;
                else
                        say(u, ublox_message_class(i), ublox_message_id(i));
        }
}

/* The next epoch is due a period after the last one was, so that the average rate is kept, whatever
 * the rate of the samples. */
static void begin_epoch(struct ublox *u, int64_t t_ns)
{
        int64_t period = period_ns(u);

        u->epoch_ns = t_ns;
        if (t_ns - u->due_ns >= period || u->due_ns > t_ns + SLACK_NS)
                u->due_ns = t_ns;
        u->due_ns += period;
}

static void take_sample(struct ublox *u, const struct gps_sample *s)
{
        int64_t utc_ns = u->origin.utc_ns + s->t_ns;
        bool blind = u->now_ns < u->blind_until_ns;
        bool backwards = s->t_ns < u->epoch_ns;

        if (u->sample_ns > 0)
                u->sample_gap_ns = u->now_ns - u->sample_ns;
        u->sample_ns = u->now_ns;
        u->sample_age_ns = u->now_ns - s->t_ns;
        if (u->stopped || (s->t_ns + SLACK_NS < u->due_ns && !backwards))
                return;
        begin_epoch(u, s->t_ns);
        if (blind)
                gnss_epoch_lose(&u->epoch, utc_ns);
        else
                gnss_epoch_take(&u->epoch, s, utc_ns);
        say_epoch(u);
}

static int64_t longest(int64_t a, int64_t b)
{
        return a > b ? a : b;
}

/* No sample for long: a receiver that has lost all satellites keeps reporting that. */
static void do_without_sample(struct ublox *u)
{
        int64_t patience = longest(PATIENCE_NS, u->sample_gap_ns * 5 / 2);
        int64_t t_ns = u->now_ns - u->sample_age_ns;

        if (u->stopped || t_ns < u->due_ns ||
            (u->sample_ns > 0 && u->now_ns - u->sample_ns < patience))
                return;
        begin_epoch(u, t_ns);
        gnss_epoch_lose(&u->epoch, u->origin.utc_ns + t_ns);
        say_epoch(u);
}

static bool obey(struct ublox *u, const struct ubx_found *f)
{
        bool reset = f->cls == UBX_CFG && f->id == 0x04;
        bool done;

        if (f->kind == UBX_SENTENCE)
                return u->config.value[UBLOX_IN_NMEA] != 0 &&
                       ublox_pubx(u, (const char *)f->payload, f->len);
        if (u->config.value[UBLOX_IN_UBX] == 0)
                return false;
        if (f->cls != UBX_CFG)
                /* An empty message polls the same message. */
                return f->len == 0 && f->cls != UBX_NMEA &&
                       (f->cls != UBX_NAV ||
                        ublox_config_find_message(&u->config, f->cls, f->id) >= 0) &&
                       say(u, f->cls, f->id);
        done = ublox_configure(u, f->id, f->payload, f->len);
        if (!reset || !done)
                ublox_acknowledge(u, done, f->cls, f->id);
        return done;
}

static void ublox_take(struct device *d, const uint8_t *bytes, size_t len,
                       struct packets *out)
{
        struct ublox *u = (struct ublox *)d;
        uint64_t broken = u->in.broken;
        struct ubx_found found;
        size_t used = 0;

        (void)out; /* its output waits for its time on the wire */
        u->heard_ns = u->now_ns;
        do {
                used += ubx_receive(&u->in, bytes + used, len - used, &found);
                if (found.kind == UBX_NONE)
                        continue;
                if (obey(u, &found))
                        d->counts.messages_in++;
                else
                        d->counts.errors++;
        } while (used < len || found.kind != UBX_NONE);
        d->counts.errors += u->in.broken - broken;
}

static void ublox_feed(struct device *d, const struct device_feed *feed,
                       struct packets *out)
{
        struct ublox *u = (struct ublox *)d;

        u->now_ns = feed->t_ns;
        u->out.now_ns = feed->t_ns;
        if (!u->awake) {
                u->awake = true;
                u->blind_until_ns = feed->t_ns + WAKE_NS;
                u->due_ns = u->blind_until_ns;
        }
        if (u->in.len > u->in.taken && u->now_ns - u->heard_ns > PARTIAL_NS) {
                ubx_give_up(&u->in);
                d->counts.errors++;
                ublox_take(d, (const uint8_t *)"", 0, out);
        }
        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_GPS)) != 0)
                take_sample(u, &feed->frame->gps);
        else
                do_without_sample(u);
        transmit_queue_send(&u->out, feed->t_ns, out);
}

static uint32_t ublox_speed(const struct device *d)
{
        return (uint32_t)((const struct ublox *)d)->config.value[UBLOX_BAUD];
}

static void ublox_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_ublox_m8_ops = {
        .name = "ublox_m8",
        .carries = { .of = { [SAMPLE_GPS] =
                                     CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME } },
        .what = "GPS receiver, u-blox NEO-M8N: UBX and NMEA",
        .baud = DEFAULT_BAUD,
        .feed = ublox_feed,
        .take = ublox_take,
        .speed = ublox_speed,
        .destroy = ublox_destroy,
};

const struct device_ops device_ublox_m10_ops = {
        .name = "ublox_m10",
        .carries = { .of = { [SAMPLE_GPS] =
                                     CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME } },
        .what = "GPS receiver, u-blox MAX-M10S: UBX with CFG-VALSET, and NMEA",
        .baud = DEFAULT_BAUD,
        .feed = ublox_feed,
        .take = ublox_take,
        .speed = ublox_speed,
        .destroy = ublox_destroy,
};

static struct device *create(const struct device_ops *ops, enum ublox_model model,
                             const struct device_setup *setup)
{
        struct ublox *u = calloc(1, sizeof *u);

        if (u == NULL)
                return NULL;
        u->device.ops = ops;
        u->origin = setup->origin;
        u->model = model;
        ublox_config_init(&u->config, model, setup->baud > 0 ? setup->baud : ops->baud);
        ublox_reset_records(u);
        u->out.baud = (uint32_t)u->config.value[UBLOX_BAUD];
        u->sample_gap_ns = SAMPLE_NS;
        u->first_fix_ns = -1;
        return &u->device;
}

struct device *device_ublox_m8_create(const struct device_setup *setup)
{
        return create(&device_ublox_m8_ops, UBLOX_M8, setup);
}

struct device *device_ublox_m10_create(const struct device_setup *setup)
{
        return create(&device_ublox_m10_ops, UBLOX_M10, setup);
}
