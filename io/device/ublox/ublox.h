/* Internals of the u-blox receiver: its state, and the functions of each file. */
#pragma once

#include "io/device/device.h"
#include "io/device/nmea.h"
#include "io/codec/transmit_queue.h"
#include "io/device/ublox/config.h"
#include "io/device/ublox/ubx.h"

enum { UBX_NAV = 0x01, UBX_ACK = 0x05, UBX_CFG = 0x06, UBX_MON = 0x0A, UBX_NMEA = 0xF0 };

/* The longest message that it sends: NAV-SIG with every satellite; NMEA's GSV is longer. */
#define UBLOX_MESSAGE_MAX NMEA_MAX

/* Older messages without keys, stored unchanged. */
#define UBLOX_RECORDS    6
#define UBLOX_RECORD_MAX 40

struct ublox {
        struct device device;
        struct codec_origin origin;
        enum ublox_model model;
        struct ublox_config config;
        uint8_t record[UBLOX_RECORDS][UBLOX_RECORD_MAX];
        struct ubx_receiver in;
        struct transmit_queue out;

        bool awake; /* there was a tick */
        int64_t now_ns; /* simulated time of the last one */
        int64_t heard_ns; /* when the board last sent something */
        int64_t blind_until_ns; /* searches satellites until then */
        bool stopped; /* CFG-RST stopped the search */

        /* Samples: when the last one came, how old it was, how far apart they are. */
        int64_t sample_ns, sample_age_ns, sample_gap_ns;
        int64_t due_ns; /* the measurement time at which the next epoch is due */
        struct gnss_epoch epoch;
        int64_t epoch_ns; /* simulated time of the epoch */
        uint32_t epochs; /* sent so far */
        int64_t first_fix_ns; /* -1: none yet */
};

/* One solution after the other (ublox.c). */
void ublox_reply(struct ublox *u, uint8_t cls, uint8_t id, const uint8_t *payload,
                 size_t len);
/* Adopts the configuration if it is possible, with its consequences. */
bool ublox_change(struct ublox *u, const uint64_t value[UBLOX_ITEMS]);
/* No satellites for this long. */
void ublox_blind(struct ublox *u, int64_t for_ns);

/* What leaves each epoch or when asked for (nav.c, mon.c). Writes the
 * payload (class F0: text) and returns its length; 0: it is never sent. */
size_t ublox_write_nav(const struct ublox *u, uint8_t id, uint8_t *out);
size_t ublox_write_nmea(const struct ublox *u, uint8_t id, uint8_t *out);
size_t ublox_write_mon(const struct ublox *u, uint8_t id, uint8_t *out);

/* Commands of class CFG: true when acknowledged (cfg.c, val.c). */
bool ublox_configure(struct ublox *u, uint8_t id, const uint8_t *payload, size_t len);
void ublox_reset_records(struct ublox *u);
bool ublox_valset(struct ublox *u, const uint8_t *payload, size_t len);
bool ublox_valget(struct ublox *u, const uint8_t *payload, size_t len);
bool ublox_valdel(struct ublox *u, const uint8_t *payload, size_t len);
/* CFG-CFG, and the start after CFG-RST: what was saved, or defaults. */
bool ublox_save(struct ublox *u, const uint8_t *payload, size_t len);
void ublox_load(struct ublox *u);

/* $PUBX,40 and 41: false if it is neither, or has impossible values (pubx.c). */
bool ublox_pubx(struct ublox *u, const char *line, size_t len);
