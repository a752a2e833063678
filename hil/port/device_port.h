/* A device on one of the board's own ports: fed at every tick, its bytes on a link of their own. What
 * breaks here never ends a run: it is counted, said once, and the link is opened again. Its wire may be faulty: then a
 * fault acts on each packet of the device, and on what came from the board at once. */
#pragma once

#include "hil/config/config.h"
#include "hil/judge/motor_comparison.h"
#include "hil/port/fc_faults.h"
#include "hil/record/record.h"
#include "io/device/device.h"

/* Channels of wire.cap from here on are ports. */
#define DEVICE_PORT_CHANNEL 16
#define DEVICE_OUTBOX_BYTES 4096

struct device_port {
        const struct port_config *config;
        int vehicle, index;
        struct device_setup setup;
        struct device *device;
        struct link *link; /* NULL: lost, not opened again yet */
        struct link *
                wire; /* a link_faulty, which then is the link while there is one; NULL: none */
        struct fc_faults faults; /* of the wire */
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
        struct motor_comparison motors; /* of those that the device hears commanded */
};

/* False: why says what and where; nothing stays open. */
bool device_port_open(struct device_port *port, const struct port_config *config,
                      const struct device_setup *setup, int vehicle, int index,
                      struct link_error *why);
void device_port_close(struct device_port *port);

/* Makes the wire faulty, for so many different faults; once. False: no memory. */
bool device_port_make_faulty(struct device_port *port, int faults);
/* As fc_faults_begin(). While it is unplugged the device has no power: it begins anew. */
bool device_port_fault_begin(struct device_port *port, const struct wire_fault *fault,
                             int id, uint64_t seed, int64_t end_ns);
/* As fc_faults_end_due(). */
int device_port_fault_end_due(struct device_port *port, int64_t t_ns);

/* One tick: takes what the board said, then gives what is due. record NULL: keeps no bytes; record_ns:
 * host time since the record began. */
void device_port_tick(struct device_port *port, const struct device_feed *feed,
                      int64_t now_ns, struct recorder *record, int64_t record_ns);
