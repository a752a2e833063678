/* The tables of keys and messages. Key numbers: u-blox M10 SPG 5.10 interface description (UBX-21035062)
 * and the drivers of Betaflight, INAV, ArduPilot and PX4; defaults also from the M8 protocol description
 * (UBX-13003221). */
#include "io/device/ublox/config.h"

#include <string.h>

/* Stands for the default baud rate in the table. */
#define OWN_BAUD 0

struct key {
        uint32_t key; /* 0: addressed by older messages only */
        uint64_t preset[UBLOX_MODELS];
};

static const struct key keys[UBLOX_KEYS] = {
        [UBLOX_BAUD] = { 0x40520001, { OWN_BAUD, OWN_BAUD } },
        [UBLOX_IN_UBX] = { 0x10730001, { 1, 1 } },
        [UBLOX_IN_NMEA] = { 0x10730002, { 1, 1 } },
        [UBLOX_OUT_UBX] = { 0x10740001, { 1, 1 } },
        [UBLOX_OUT_NMEA] = { 0x10740002, { 1, 1 } },
        [UBLOX_RATE_MEAS] = { 0x30210001, { 1000, 1000 } },
        [UBLOX_RATE_NAV] = { 0x30210002, { 1, 1 } },
        [UBLOX_RATE_TIMEREF] = { 0x20210003, { 1, 1 } },
        [UBLOX_FIXMODE] = { 0x20110011, { 3, 3 } },
        [UBLOX_UTC_STANDARD] = { 0x2011001c, { 0, 0 } },
        [UBLOX_DYNMODEL] = { 0x20110021, { 0, 0 } },
        [UBLOX_FIXED_ALT] = { 0x401100c1, { 0, 0 } },
        [UBLOX_FIXED_ALT_VAR] = { 0x401100c2, { 10000, 10000 } },
        [UBLOX_DGNSS_TIMEOUT] = { 0x201100c4, { 60, 60 } },
        [UBLOX_MIN_ELEVATION] = { 0x201100a4, { 5, 5 } },
        [UBLOX_CNO_COUNT] = { 0x201100aa, { 0, 0 } },
        [UBLOX_CNO_THRESHOLD] = { 0x201100ab, { 0, 0 } },
        [UBLOX_PDOP] = { 0x301100b1, { 250, 250 } },
        [UBLOX_TDOP] = { 0x301100b2, { 250, 250 } },
        [UBLOX_PACC] = { 0x301100b3, { 100, 100 } },
        [UBLOX_TACC] = { 0x301100b4, { 350, 350 } },
        [UBLOX_HOLD_SPEED] = { 0x20250038, { 0, 0 } },
        [UBLOX_HOLD_DISTANCE] = { 0x3025003b, { 200, 200 } },
        [UBLOX_GPS] = { 0x1031001f, { 1, 1 } },
        [UBLOX_SBAS] = { 0x10310020, { 1, 1 } },
        [UBLOX_GALILEO] = { 0x10310021, { 0, 1 } },
        [UBLOX_BEIDOU] = { 0x10310022, { 0, 1 } },
        [UBLOX_BEIDOU_B1I] = { 0x1031000d, { 1, 1 } },
        [UBLOX_IMES] = { 0, { 0, 0 } },
        [UBLOX_QZSS] = { 0x10310024, { 1, 1 } },
        [UBLOX_GLONASS] = { 0x10310025, { 1, 0 } },
        [UBLOX_SBAS_USAGE_RANGING] = { 0x10360003, { 1, 1 } },
        [UBLOX_SBAS_USAGE_CORRECTION] = { 0x10360004, { 1, 1 } },
        [UBLOX_SBAS_USAGE_INTEGRITY] = { 0x10360005, { 0, 0 } },
        [UBLOX_SBAS_TEST] = { 0x10360002, { 0, 0 } },
        [UBLOX_SBAS_PRNS] = { 0x50360006, { 0, 0x3ab88 } },
        /* Only stored and read back. */
        { 0x20520002, { 1, 1 } }, /* UART1: stop bits, data bits, parity, enabled */
        { 0x20520003, { 0, 0 } },
        { 0x20520004, { 0, 0 } },
        { 0x10520005, { 1, 1 } },
        { 0x10310001, { 1, 1 } }, /* GPS L1C/A, SBAS L1C/A, Galileo E1 */
        { 0x10310005, { 1, 1 } },
        { 0x10310007, { 1, 1 } },
        { 0x1031000f, { 0, 0 } }, /* BeiDou B1C */
        { 0x10310012, { 1, 1 } }, /* QZSS L1C/A, L1S */
        { 0x10310014, { 0, 1 } },
        { 0x10310018, { 1, 1 } }, /* GLONASS L1 */
        { 0x10710001, { 1, 1 } }, /* I2C: UBX and NMEA in, out */
        { 0x10710002, { 1, 1 } },
        { 0x10720001, { 1, 1 } },
        { 0x10720002, { 1, 1 } },
        { 0x10790001, { 1, 1 } }, /* SPI, likewise */
        { 0x10790002, { 1, 1 } },
        { 0x107a0001, { 1, 1 } },
        { 0x107a0002, { 1, 1 } },
        { 0x20110022,
          { 0, 0 } }, /* NAVSPG: acknowledge assistance, PPP, weeks, satellites, C/N0 */
        { 0x10110013, { 0, 0 } },
        { 0x30110017, { 2117, 2117 } },
        { 0x201100a1, { 3, 3 } },
        { 0x201100a2, { 32, 32 } },
        { 0x201100a3, { 6, 6 } },
        { 0x10220001, { 0, 0 } }, /* odometer: on, course, low passes */
        { 0x10220002, { 0, 0 } },
        { 0x10220003, { 0, 0 } },
        { 0x10220004, { 0, 0 } },
        { 0x1041000d, { 0, 0 } }, /* jamming monitor */
        { 0x20d00001, { 0, 0 } }, /* power: full */
        { 0x10230001, { 0, 0 } }, /* AssistNow Autonomous */
        { 0x20930001, { 40, 42 } }, /* NMEA version, extended, main talker */
        { 0x10930004, { 1, 1 } },
        { 0x20930031, { 0, 0 } },
        { 0x10110025, { 0, 0 } }, /* NAVSPG: the first fix must be a 3D one */
};

#define M8  (1 << UBLOX_M8)
#define M10 (1 << UBLOX_M10)

struct message {
        uint8_t cls, id;
        uint8_t models;
        bool preset; /* sent once per solution by default, on every port */
        uint32_t key; /* of port 0; the other ports' follow */
};

/* In the order of sending: NMEA first, then UBX. */
static const struct message messages[UBLOX_MESSAGES] = {
        { 0xF0, 0x04, M8 | M10, true, 0x209100ab }, /* RMC VTG GGA GSA GSV GLL */
        { 0xF0, 0x05, M8 | M10, true, 0x209100b0 },
        { 0xF0, 0x00, M8 | M10, true, 0x209100ba },
        { 0xF0, 0x02, M8 | M10, true, 0x209100bf },
        { 0xF0, 0x03, M8 | M10, true, 0x209100c4 },
        { 0xF0, 0x01, M8 | M10, true, 0x209100c9 },
        { 0xF0, 0x08, M8 | M10, false, 0x209100d8 }, /* ZDA */
        { 0xF0, 0x06, M8 | M10, false,
          0x209100ce }, /* GRS GST GBS DTM GNS VLW: never sent */
        { 0xF0, 0x07, M8 | M10, false, 0x209100d3 },
        { 0xF0, 0x09, M8 | M10, false, 0x209100dd },
        { 0xF0, 0x0A, M8 | M10, false, 0x209100a6 },
        { 0xF0, 0x0D, M8 | M10, false, 0x209100b5 },
        { 0xF0, 0x0F, M8 | M10, false, 0x209100e7 },
        { 0xF1, 0x00, M8 | M10, false, 0x209100ec }, /* PUBX 00 03 04: never sent */
        { 0xF1, 0x03, M8 | M10, false, 0x209100f1 },
        { 0xF1, 0x04, M8 | M10, false, 0x209100f6 },
        { 0x01, 0x02, M8 | M10, false,
          0x20910029 }, /* NAV-POSLLH STATUS DOP SOL PVT VELNED */
        { 0x01, 0x03, M8 | M10, false, 0x2091001a },
        { 0x01, 0x04, M8 | M10, false, 0x20910038 },
        { 0x01, 0x06, M8, false, 0 },
        { 0x01, 0x07, M8 | M10, false, 0x20910006 },
        { 0x01, 0x12, M8 | M10, false, 0x20910042 },
        { 0x01, 0x20, M8 | M10, false, 0x20910047 }, /* TIMEGPS TIMEUTC CLOCK */
        { 0x01, 0x21, M8 | M10, false, 0x2091005b },
        { 0x01, 0x22, M8 | M10, false, 0x20910065 },
        { 0x01, 0x30, M8, false, 0 }, /* SVINFO */
        { 0x01, 0x35, M8 | M10, false, 0x20910015 }, /* SAT SIG EOE */
        { 0x01, 0x43, M10, false, 0x20910345 },
        { 0x0A, 0x09, M8 | M10, false, 0 }, /* MON-HW HW2 RF */
        { 0x0A, 0x0B, M8 | M10, false, 0 },
        { 0x0A, 0x38, M10, false, 0x20910359 },
        { 0x02, 0x15, M8 | M10, false,
          0 }, /* RXM-RAWX SFRBX, TIM-TM2, MON-RXBUF, TXBUF: never sent */
        { 0x02, 0x13, M8 | M10, false, 0x20910231 },
        { 0x0D, 0x03, M8 | M10, false, 0x20910178 },
        { 0x0A, 0x07, M8 | M10, false, 0x209101a0 },
        { 0x0A, 0x08, M8 | M10, false, 0x2091019b },
        { 0x01, 0x61, M8 | M10, false, 0x2091015f }, /* NAV-EOE, the last */
};

_Static_assert(UBLOX_UART1 == 1, "keys of messages count ports from I2C");

static bool has_message(enum ublox_model model, int message)
{
        return (messages[message].models >> model & 1) != 0;
}

uint64_t ublox_config_default(const struct ublox_config *c, int item)
{
        if (item == UBLOX_BAUD)
                return c->baud;
        if (item < UBLOX_KEYS)
                return keys[item].preset[c->model];
        return messages[(item - UBLOX_KEYS) / UBLOX_PORTS].preset;
}

void ublox_config_init(struct ublox_config *c, enum ublox_model model, uint32_t baud)
{
        memset(c, 0, sizeof *c);
        c->model = model;
        c->baud = baud;
        for (int i = 0; i < UBLOX_ITEMS; i++)
                c->value[i] = ublox_config_default(c, i);
}

size_t ublox_key_size(uint32_t key)
{
        switch (key >> 28 & 7) {
        case 1:
        case 2:
                return 1;
        case 3:
                return 2;
        case 4:
                return 4;
        case 5:
                return 8;
        default:
                return 0;
        }
}

uint32_t ublox_config_key(const struct ublox_config *c, int item)
{
        int message = (item - UBLOX_KEYS) / UBLOX_PORTS;
        int port = (item - UBLOX_KEYS) % UBLOX_PORTS;

        if (item < UBLOX_KEYS)
                return keys[item].key;
        if (messages[message].key == 0 || !has_message(c->model, message) ||
            port == UBLOX_PORTS - 1)
                return 0;
        return messages[message].key + (uint32_t)port;
}

int ublox_config_find(const struct ublox_config *c, uint32_t key)
{
        if (ublox_key_size(key) == 0)
                return -1;
        for (int i = 0; i < UBLOX_ITEMS; i++)
                if (ublox_config_key(c, i) == key)
                        return i;
        return -1;
}

int ublox_config_find_message(const struct ublox_config *c, uint8_t cls, uint8_t id)
{
        for (int i = 0; i < UBLOX_MESSAGES; i++)
                if (messages[i].cls == cls && messages[i].id == id)
                        return has_message(c->model, i) ? i : -1;
        return -1;
}

uint8_t ublox_message_class(int message)
{
        return messages[message].cls;
}

uint8_t ublox_message_id(int message)
{
        return messages[message].id;
}

int ublox_message_item(int message, int port)
{
        return UBLOX_KEYS + message * UBLOX_PORTS + port;
}

static bool is_baud(uint64_t baud)
{
        static const uint32_t known[] = { 4800,   9600,   19200,  38400, 57600,
                                          115200, 230400, 460800, 921600 };

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                if (known[i] == baud)
                        return true;
        return false;
}

static bool value_is_possible(enum ublox_model model, int item, uint64_t v)
{
        switch (item) {
        case UBLOX_BAUD:
                return is_baud(v);
        case UBLOX_RATE_MEAS:
                /* Fastest rates: 18 Hz and 25 Hz with a single system, rounded as drivers do. */
                return v >= (model == UBLOX_M8 ? 50 : 25) && v <= 65535;
        case UBLOX_RATE_NAV:
                return v >= 1 && v <= 127;
        case UBLOX_RATE_TIMEREF:
                return v <= 4;
        case UBLOX_FIXMODE:
                return v >= 1 && v <= 3;
        case UBLOX_DYNMODEL:
                return v <= 12 && v != 1;
        default:
                break;
        }
        return item >= UBLOX_KEYS || keys[item].key >> 28 != 1 || v <= 1;
}

/* Both families have front ends for two of these: GPS with Galileo, BeiDou's B1I, GLONASS. */
static bool systems_fit(enum ublox_model model, const uint64_t v[UBLOX_ITEMS])
{
        bool b1i = v[UBLOX_BEIDOU] != 0 && v[UBLOX_BEIDOU_B1I] != 0;

        if (v[UBLOX_GPS] == 0 && v[UBLOX_GALILEO] == 0 && v[UBLOX_BEIDOU] == 0 &&
            v[UBLOX_GLONASS] == 0)
                return false;
        if (model == UBLOX_M10)
                return !(b1i && v[UBLOX_GLONASS] != 0);
        return !(b1i && v[UBLOX_GLONASS] != 0 &&
                 (v[UBLOX_GPS] != 0 || v[UBLOX_GALILEO] != 0));
}

bool ublox_config_change(struct ublox_config *c, const uint64_t value[UBLOX_ITEMS])
{
        for (int i = 0; i < UBLOX_ITEMS; i++)
                if (value[i] != c->value[i] && !value_is_possible(c->model, i, value[i]))
                        return false;
        if (!systems_fit(c->model, value))
                return false;
        memcpy(c->value, value, sizeof c->value);
        return true;
}
