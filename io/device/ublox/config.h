/* A u-blox receiver's configuration: one store of items, each addressed by its key (CFG-VALSET) or, the
 * same value, by a field of an older message (CFG-RATE, CFG-MSG, ...). It also has the saved values
 * (battery-backed RAM), and the defaults of two models. It knows which values are possible. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ublox_model { UBLOX_M8, UBLOX_M10, UBLOX_MODELS };

/* Items that the emulator itself uses; the others are only stored. */
enum ublox_item {
        UBLOX_BAUD,
        UBLOX_IN_UBX,
        UBLOX_IN_NMEA,
        UBLOX_OUT_UBX,
        UBLOX_OUT_NMEA,
        UBLOX_RATE_MEAS, /* ms */
        UBLOX_RATE_NAV, /* measurements per solution */
        UBLOX_RATE_TIMEREF,
        UBLOX_FIXMODE,
        UBLOX_UTC_STANDARD,
        UBLOX_DYNMODEL,
        UBLOX_FIXED_ALT,
        UBLOX_FIXED_ALT_VAR,
        UBLOX_DGNSS_TIMEOUT,
        UBLOX_MIN_ELEVATION,
        UBLOX_CNO_COUNT,
        UBLOX_CNO_THRESHOLD,
        UBLOX_PDOP,
        UBLOX_TDOP,
        UBLOX_PACC,
        UBLOX_TACC,
        UBLOX_HOLD_SPEED,
        UBLOX_HOLD_DISTANCE,
        UBLOX_GPS,
        UBLOX_SBAS,
        UBLOX_GALILEO,
        UBLOX_BEIDOU,
        UBLOX_BEIDOU_B1I,
        UBLOX_IMES, /* M8 only, without a key */
        UBLOX_QZSS,
        UBLOX_GLONASS,
        UBLOX_SBAS_USAGE_RANGING,
        UBLOX_SBAS_USAGE_CORRECTION,
        UBLOX_SBAS_USAGE_INTEGRITY,
        UBLOX_SBAS_TEST,
        UBLOX_SBAS_PRNS,
        UBLOX_NAMED_ITEMS
};

#define UBLOX_KEYS     72 /* the named and the stored ones */
#define UBLOX_MESSAGES 37
#define UBLOX_PORTS    6 /* I2C, UART1, UART2, USB, SPI, one reserved */
#define UBLOX_UART1    1
/* Then the rate of each message on each port, in solutions per message. */
#define UBLOX_ITEMS (UBLOX_KEYS + UBLOX_MESSAGES * UBLOX_PORTS)

struct ublox_config {
        enum ublox_model model;
        uint64_t value[UBLOX_ITEMS];
        uint64_t saved[UBLOX_ITEMS];
        bool is_saved[UBLOX_ITEMS];
        uint32_t baud; /* the default */
};

/* Everything at its default, nothing saved. */
void ublox_config_init(struct ublox_config *c, enum ublox_model model, uint32_t baud);
uint64_t ublox_config_default(const struct ublox_config *c, int item);

/* -1: this model has no such item. */
int ublox_config_find(const struct ublox_config *c, uint32_t key);
/* 0: no key. */
uint32_t ublox_config_key(const struct ublox_config *c, int item);
/* Bytes of a value: 1, 2, 4 or 8; 0: no key. */
size_t ublox_key_size(uint32_t key);

/* The i-th message's class and id; -1: no such message, or not of this model. */
int ublox_config_find_message(const struct ublox_config *c, uint8_t cls, uint8_t id);
uint8_t ublox_message_class(int message);
uint8_t ublox_message_id(int message);
/* The item of its rate on that port. */
int ublox_message_item(int message, int port);

/* Adopts all values, or none: false if one of them, or a combination, is impossible. */
bool ublox_config_change(struct ublox_config *c, const uint64_t value[UBLOX_ITEMS]);
