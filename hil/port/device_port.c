#include "hil/port/device_port.h"

#include <string.h>

#include "hil/time/clock.h"
#include "io/wire/link_faulty.h"

#define READS_MAX    8 /* in one tick: 4 KiB */
#define RETRY_GAP_NS (500 * NS_PER_MS)

static uint32_t speed_of(const struct device *d, const struct port_config *config)
{
        if (d->ops->speed != NULL)
                return d->ops->speed(d);
        return config->baud != 0 ? config->baud : d->ops->baud;
}

/* A link that has a speed starts with the device's, whatever the rig file says of it. */
static bool open_link(struct device_port *port, bool patient, struct link_error *why)
{
        struct link_spec spec = port->config->link;
        uint32_t baud = speed_of(port->device, port->config);

        if (!patient) {
                spec.connect_ms = 1;
                spec.patience_ms = 0;
        }
        if (spec.kind == LINK_UART && baud != 0)
                spec.baud = baud;
        port->link = link_open(&spec, why);
        if (port->link != NULL && port->wire != NULL) {
                link_faulty_plug(port->wire, port->link);
                port->link = port->wire;
        }
        port->speed = 0;
        port->len = 0;
        return port->link != NULL;
}

bool device_port_open(struct device_port *port, const struct port_config *config,
                      const struct device_setup *setup, int vehicle, int index,
                      struct link_error *why)
{
        *port = (struct device_port){
                .config = config, .vehicle = vehicle, .index = index, .setup = *setup
        };
        port->device = device_create(config->device, setup);
        if (port->device == NULL) {
                *why = (struct link_error){ "device: out of memory" };
                return false;
        }
        if (!open_link(port, true, why)) {
                device_port_close(port);
                return false;
        }
        return true;
}

/* A faulty wire stays, without the link that it was around. */
static void unlink_port(struct device_port *port)
{
        if (port->wire != NULL)
                link_faulty_plug(port->wire, NULL);
        else if (port->link != NULL)
                link_close(port->link);
        port->link = NULL;
        port->bytes_dropped += port->len;
        port->len = 0;
}

void device_port_close(struct device_port *port)
{
        unlink_port(port);
        if (port->wire != NULL)
                link_close(port->wire);
        port->wire = NULL;
        fc_faults_close(&port->faults);
        if (port->device != NULL)
                port->device->ops->destroy(port->device);
        port->device = NULL;
}

static void close_for_now(struct device_port *port, int64_t now_ns)
{
        unlink_port(port);
        port->retry_ns = now_ns + RETRY_GAP_NS;
        if (port->device->ops->peer_left != NULL)
                port->device->ops->peer_left(port->device);
}

static void lose(struct device_port *port, int64_t now_ns)
{
        port->losses++;
        close_for_now(port, now_ns);
}

/* The device has said its last, and all of it is on its way. */
static void hang_up_if_done(struct device_port *port, int64_t now_ns)
{
        const struct device *d = port->device;

        if (port->link != NULL && port->len == 0 && d->ops->hangs_up != NULL &&
            d->ops->hangs_up(d))
                close_for_now(port, now_ns);
}

/* From within the loop: a peer that does not answer at once is tried again later. */
static void reopen(struct device_port *port, int64_t now_ns)
{
        struct link_error why;

        if (now_ns < port->retry_ns || port->faults.unplugged > 0)
                return;
        if (!open_link(port, false, &why))
                port->retry_ns = now_ns + RETRY_GAP_NS;
}

static void flush_outbox(struct device_port *port, int64_t now_ns)
{
        int n;

        if (port->link == NULL || port->len == 0)
                return;
        n = link_write(port->link, port->outbox, port->len);
        if (n == LINK_GONE) {
                lose(port, now_ns);
                return;
        }
        port->bytes_sent += (uint64_t)n;
        port->len -= (size_t)n;
        memmove(port->outbox, port->outbox + n, port->len);
}

/* Ten bits are read right until the speeds differ by 5 %, of which both ends' clocks take their
 * share. ArduPilot reads CRSF, which is 420,000 baud, at 416,666. */
static bool is_near(uint32_t a, uint32_t b)
{
        int64_t apart = (int64_t)a - b;

        return (apart < 0 ? -apart : apart) * 100 <= 3LL * b;
}

/* Whether the board hears the device, once both have said at which speed they talk. Bytes that wait go
 * out at the speed that they were given for. */
static bool agree(struct device_port *port)
{
        uint32_t speed = speed_of(port->device, port->config), peer;

        if (speed == 0 || port->link->ops->speed == NULL)
                return true;
        if (port->len > 0 && port->speed != 0)
                speed = port->speed;
        peer = port->link->ops->speed(port->link, speed);
        port->speed = speed;
        return peer == 0 || is_near(peer, speed);
}

/* To a packet link whole or not at all; so too where the outbox has no room. */
static void give(struct device_port *port, const struct packet *p, int64_t now_ns)
{
        int n;

        flush_outbox(port, now_ns);
        if (port->link != NULL && port->link->packets) {
                n = link_write(port->link, p->bytes, p->len);
                if (n > 0)
                        port->bytes_sent += (uint64_t)n;
                else
                        port->bytes_dropped += p->len;
                if (n == LINK_GONE)
                        lose(port, now_ns);
        } else if (port->link == NULL || port->len + p->len > sizeof port->outbox) {
                port->bytes_dropped += p->len;
        } else {
                memcpy(port->outbox + port->len, p->bytes, p->len);
                port->len += p->len;
                flush_outbox(port, now_ns);
        }
}

static void give_all(struct device_port *port, const struct packets *out, bool heard,
                     int64_t now_ns, struct recorder *record, int64_t record_ns)
{
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                if (!heard) {
                        port->bytes_misheard += p->len;
                        continue;
                }
                give(port, p, now_ns);
                if (record != NULL && port->wire == NULL)
                        recorder_bytes(record, record_ns, WIRE_TO_FC, port->vehicle,
                                       DEVICE_PORT_CHANNEL + port->index, p->bytes,
                                       p->len);
        }
}

static uint64_t valid_messages(const struct device *d)
{
        return d->counts.messages_in + d->counts.overheard;
}

static void take_all(struct device_port *port, int64_t now_ns, struct recorder *record,
                     int64_t record_ns)
{
        uint8_t bytes[512];

        for (int i = 0; i < READS_MAX && port->link != NULL; i++) {
                uint64_t before = valid_messages(port->device);
                struct packets out;
                bool heard;
                int n;

                link_at(port->link, now_ns);
                n = link_read(port->link, bytes, sizeof bytes);
                link_strangers_take(&port->strangers, port->link);
                if (n == LINK_GONE)
                        lose(port, now_ns);
                if (n <= 0)
                        break;
                port->bytes_received += (uint64_t)n;
                heard = agree(port);
                if (!heard)
                        port->bytes_misheard += (uint64_t)n;
                if (record != NULL)
                        recorder_bytes(record, record_ns, WIRE_FROM_FC, port->vehicle,
                                       DEVICE_PORT_CHANNEL + port->index, bytes,
                                       (size_t)n);
                out.count = 0;
                if (heard && port->device->ops->take != NULL)
                        port->device->ops->take(port->device, bytes, (size_t)n, &out);
                if (valid_messages(port->device) > before)
                        link_confirm(port->link);
                give_all(port, &out, true, now_ns, record, record_ns);
        }
        /* A device that listens to nothing cannot tell who is meant: whoever came. */
        if (port->link != NULL && port->device->ops->take == NULL)
                link_confirm(port->link);
}

bool device_port_make_faulty(struct device_port *port, int faults)
{
        struct wire_faults *all;

        if (faults == 0)
                return true;
        all = wire_faults_create(faults, (uint32_t)port->vehicle, false);
        if (all == NULL)
                return false;
        port->wire = link_faulty_open(port->link, NULL, all, 0);
        port->faults = (struct fc_faults){ .all = all,
                                           .link = &port->wire,
                                           .links = port->wire != NULL };
        if (port->wire == NULL)
                return false;
        link_faulty_tap(port->wire, true);
        if (port->link != NULL)
                port->link = port->wire;
        return true;
}

/* Its counts are of the whole run. */
static void restart_device(struct device_port *port)
{
        struct device *anew = device_create(port->config->device, &port->setup);

        if (anew == NULL)
                return;
        anew->counts = port->device->counts;
        memcpy(anew->refused, port->device->refused, sizeof anew->refused);
        port->device->ops->destroy(port->device);
        port->device = anew;
}

bool device_port_fault_begin(struct device_port *port, const struct wire_fault *fault,
                             int id, uint64_t seed, int64_t end_ns)
{
        if (!fc_faults_begin(&port->faults, fault, id, seed, end_ns))
                return false;
        if (fault->kind == WIRE_UNPLUG) {
                unlink_port(port);
                restart_device(port);
        }
        return true;
}

int device_port_fault_end_due(struct device_port *port, int64_t t_ns)
{
        int id = fc_faults_end_due(&port->faults, t_ns);

        if (id >= 0 && port->faults.unplugged == 0)
                port->retry_ns = 0;
        return id;
}

/* What the wire lets through, as the board gets it. */
static void push_wire(struct device_port *port, int64_t now_ns, struct recorder *record,
                      int64_t record_ns)
{
        uint8_t bytes[1024];
        size_t n;

        if (port->wire == NULL)
                return;
        if (port->link != NULL && !link_faulty_push(port->wire))
                lose(port, now_ns);
        while ((n = link_faulty_tapped(port->wire, bytes, sizeof bytes)) > 0)
                if (record != NULL)
                        recorder_bytes(record, record_ns, WIRE_TO_FC, port->vehicle,
                                       DEVICE_PORT_CHANNEL + port->index, bytes, n);
}

void device_port_tick(struct device_port *port, const struct device_feed *feed,
                      int64_t now_ns, struct recorder *record, int64_t record_ns)
{
        struct packets out;

        if (port->faults.all != NULL)
                port->faults.all->tick = feed->t_ns / port->setup.period_ns;
        if (port->faults.unplugged > 0)
                return;
        if (port->link == NULL)
                reopen(port, now_ns);
        push_wire(port, now_ns, record, record_ns);
        take_all(port, now_ns, record, record_ns);
        out.count = 0;
        port->device->ops->feed(port->device, feed, &out);
        give_all(port, &out, port->link == NULL || agree(port), now_ns, record,
                 record_ns);
        push_wire(port, now_ns, record, record_ns);
        hang_up_if_done(port, now_ns);
}
