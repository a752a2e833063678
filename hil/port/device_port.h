/* A device on one of the board's own ports: fed at every tick, its bytes on a link of their own. What
 * breaks here never ends a run: it is counted, said once, and the link is opened again. */
#ifndef HIL_PORT_DEVICE_PORT_H
#define HIL_PORT_DEVICE_PORT_H

#include "hil/config/config.h"
#include "hil/record/record.h"
#include "io/device/device.h"

/* Channels of wire.cap from here on are ports. */
#define DEVICE_PORT_CHANNEL 16
#define DEVICE_OUTBOX_BYTES 4096

struct device_port {
        const struct port_config *config;
        int vehicle, index;
        struct device *device;
        struct link *link; /* NULL: lost, not opened again yet */
        uint32_t speed; /* that the link was last told; 0: none */
        uint64_t losses; /* of the link */
        struct link_strangers strangers;
        int64_t retry_ns; /* host time of the next try to open */
        size_t len;
        uint8_t outbox[DEVICE_OUTBOX_BYTES]; /* not yet taken by the link */
        uint64_t bytes_sent, bytes_received;
        uint64_t bytes_dropped; /* to a link that was full or gone */
        uint64_t
                bytes_misheard; /* either way while the board listened at another speed */
};

/* False: why says what and where; nothing stays open. */
bool device_port_open(struct device_port *port, const struct port_config *config,
                      const struct device_setup *setup, int vehicle, int index,
                      struct link_error *why);
void device_port_close(struct device_port *port);

/* One tick: takes what the board said, then gives what is due. record NULL: keeps no bytes; record_ns:
 * host time since the record began. */
void device_port_tick(struct device_port *port, const struct device_feed *feed,
                      int64_t now_ns, struct recorder *record, int64_t record_ns);

#endif
