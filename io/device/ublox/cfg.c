/* The older messages of class CFG, which are equivalent to keys: PRT, MSG, RATE, NAV5, GNSS, and
 * records that are only stored. An empty message polls the current settings. */
#include "io/device/ublox/ublox.h"

#include <assert.h>
#include <string.h>

#include "io/le.h"

enum {
        CFG_PRT = 0x00,
        CFG_MSG = 0x01,
        CFG_RST = 0x04,
        CFG_RATE = 0x08,
        CFG_CFG = 0x09,
        CFG_NAV5 = 0x24,
        CFG_GNSS = 0x3E,
        CFG_VALSET = 0x8A,
        CFG_VALGET = 0x8B,
        CFG_VALDEL = 0x8C
};

/* 8 data bits, no parity, one stop bit, as CFG-PRT codes it. */
#define PORT_MODE      0x8D0
#define PORT_MODE_MASK 0x3EC0
#define PROTOCOL_UBX   1
#define PROTOCOL_NMEA  2

#define S_NS 1000000000LL

struct edit {
        uint64_t value[UBLOX_ITEMS];
};

static struct edit begin(const struct ublox *u)
{
        struct edit e;

        memcpy(e.value, u->config.value, sizeof e.value);
        return e;
}

static uint32_t value_of(const struct ublox *u, int item)
{
        return (uint32_t)u->config.value[item];
}

static void reply_port(struct ublox *u)
{
        uint8_t p[20] = { UBLOX_UART1 };

        le_put_u32(p + 4, PORT_MODE);
        le_put_u32(p + 8, value_of(u, UBLOX_BAUD));
        le_put_u16(p + 12, (uint16_t)(value_of(u, UBLOX_IN_UBX) * PROTOCOL_UBX |
                                      value_of(u, UBLOX_IN_NMEA) * PROTOCOL_NMEA));
        le_put_u16(p + 14, (uint16_t)(value_of(u, UBLOX_OUT_UBX) * PROTOCOL_UBX |
                                      value_of(u, UBLOX_OUT_NMEA) * PROTOCOL_NMEA));
        ublox_reply(u, UBX_CFG, CFG_PRT, p, sizeof p);
}

/* One block of 20 bytes for each port; only UART1 is wired. */
static bool set_port(struct ublox *u, const uint8_t *p, size_t len)
{
        struct edit e = begin(u);

        if (len % 20 != 0)
                return false;
        for (; len > 0; p += 20, len -= 20) {
                if (p[0] >= UBLOX_PORTS)
                        return false;
                if (p[0] != UBLOX_UART1)
                        continue;
                if ((le_get_u32(p + 4) & PORT_MODE_MASK) != (PORT_MODE & PORT_MODE_MASK))
                        return false;
                e.value[UBLOX_BAUD] = le_get_u32(p + 8);
                e.value[UBLOX_IN_UBX] = (p[12] & PROTOCOL_UBX) != 0;
                e.value[UBLOX_IN_NMEA] = (p[12] & PROTOCOL_NMEA) != 0;
                e.value[UBLOX_OUT_UBX] = (p[14] & PROTOCOL_UBX) != 0;
                e.value[UBLOX_OUT_NMEA] = (p[14] & PROTOCOL_NMEA) != 0;
        }
        return ublox_change(u, e.value);
}

static bool port(struct ublox *u, const uint8_t *p, size_t len)
{
        if (len > 1)
                return set_port(u, p, len);
        /* One byte polls the port of that number; the others are reported as absent. */
        if (len == 1 && p[0] != UBLOX_UART1)
                return false;
        reply_port(u);
        return true;
}

/* Two bytes poll; three set this port's rate, eight every port's. */
static bool message_rate(struct ublox *u, const uint8_t *p, size_t len)
{
        struct edit e = begin(u);
        int message = len >= 2 ? ublox_config_find_message(&u->config, p[0], p[1]) : -1;

        if (message < 0 || (len != 2 && len != 3 && len != 2 + UBLOX_PORTS))
                return false;
        if (len == 2) {
                uint8_t answer[2 + UBLOX_PORTS] = { p[0], p[1] };

                for (int i = 0; i < UBLOX_PORTS; i++)
                        answer[2 + i] =
                                (uint8_t)value_of(u, ublox_message_item(message, i));
                ublox_reply(u, UBX_CFG, CFG_MSG, answer, sizeof answer);
                return true;
        }
        if (len == 3)
                e.value[ublox_message_item(message, UBLOX_UART1)] = p[2];
        for (int i = 0; i < UBLOX_PORTS && len > 3; i++)
                e.value[ublox_message_item(message, i)] = p[2 + i];
        return ublox_change(u, e.value);
}

static bool rate(struct ublox *u, const uint8_t *p, size_t len)
{
        struct edit e = begin(u);
        uint8_t answer[6];

        if (len == 0) {
                le_put_u16(answer, (uint16_t)value_of(u, UBLOX_RATE_MEAS));
                le_put_u16(answer + 2, (uint16_t)value_of(u, UBLOX_RATE_NAV));
                le_put_u16(answer + 4, (uint16_t)value_of(u, UBLOX_RATE_TIMEREF));
                ublox_reply(u, UBX_CFG, CFG_RATE, answer, sizeof answer);
                return true;
        }
        if (len != 6)
                return false;
        e.value[UBLOX_RATE_MEAS] = le_get_u16(p);
        e.value[UBLOX_RATE_NAV] = le_get_u16(p + 2);
        e.value[UBLOX_RATE_TIMEREF] = le_get_u16(p + 4);
        return ublox_change(u, e.value);
}

/* Fields of CFG-NAV5, each used if its bit of the mask is set. */
static const struct {
        uint8_t at, size, bit;
        enum ublox_item item;
} nav5_fields[] = {
        { 2, 1, 0, UBLOX_DYNMODEL },       { 12, 1, 1, UBLOX_MIN_ELEVATION },
        { 3, 1, 2, UBLOX_FIXMODE },        { 4, 4, 2, UBLOX_FIXED_ALT },
        { 8, 4, 2, UBLOX_FIXED_ALT_VAR },  { 14, 2, 4, UBLOX_PDOP },
        { 16, 2, 4, UBLOX_TDOP },          { 18, 2, 4, UBLOX_PACC },
        { 20, 2, 4, UBLOX_TACC },          { 22, 1, 6, UBLOX_HOLD_SPEED },
        { 28, 2, 6, UBLOX_HOLD_DISTANCE }, { 23, 1, 7, UBLOX_DGNSS_TIMEOUT },
        { 24, 1, 8, UBLOX_CNO_COUNT },     { 25, 1, 8, UBLOX_CNO_THRESHOLD },
        { 30, 1, 10, UBLOX_UTC_STANDARD },
};

#define NAV5_FIELDS ((int)(sizeof nav5_fields / sizeof nav5_fields[0]))

static bool nav5(struct ublox *u, const uint8_t *p, size_t len)
{
        struct edit e = begin(u);
        uint8_t answer[36] = { 0xFF, 0xFF };

        if (len != 0 && len != sizeof answer)
                return false;
        for (int i = 0; i < NAV5_FIELDS; i++) {
                int at = nav5_fields[i].at, item = (int)nav5_fields[i].item;

                for (int b = 0; b < nav5_fields[i].size; b++) {
                        answer[at + b] = (uint8_t)(u->config.value[item] >> 8 * b);
                        if (len == 0 || (le_get_u16(p) >> nav5_fields[i].bit & 1) == 0)
                                continue;
                        e.value[item] &= ~(0xFFULL << 8 * b);
                        e.value[item] |= (uint64_t)p[at + b] << 8 * b;
                }
        }
        if (len > 0)
                return ublox_change(u, e.value);
        ublox_reply(u, UBX_CFG, CFG_NAV5, answer, sizeof answer);
        return true;
}

/* CFG-GNSS: a block for each system, with channels that the M8 reserves by default. */
static const struct {
        uint8_t id, reserved, most;
        enum ublox_item item;
} systems[] = {
        { 0, 8, 16, UBLOX_GPS },     { 1, 1, 3, UBLOX_SBAS }, { 2, 4, 8, UBLOX_GALILEO },
        { 3, 8, 16, UBLOX_BEIDOU },  { 4, 0, 8, UBLOX_IMES }, { 5, 0, 3, UBLOX_QZSS },
        { 6, 8, 14, UBLOX_GLONASS },
};

#define SYSTEMS  ((int)(sizeof systems / sizeof systems[0]))
#define CHANNELS 32

static void reply_gnss(struct ublox *u)
{
        uint8_t p[4 + 8 * SYSTEMS] = { 0, CHANNELS, CHANNELS, SYSTEMS };

        for (int i = 0; i < SYSTEMS; i++) {
                uint8_t *at = p + 4 + 8 * i;

                at[0] = systems[i].id;
                at[1] = systems[i].reserved;
                at[2] = systems[i].most;
                le_put_u32(at + 4, 0x10000U | value_of(u, (int)systems[i].item));
        }
        ublox_reply(u, UBX_CFG, CFG_GNSS, p, sizeof p);
}

static bool gnss(struct ublox *u, const uint8_t *p, size_t len)
{
        struct edit e = begin(u);
        int reserved = 0;

        if (len == 0) {
                reply_gnss(u);
                return true;
        }
        if (len < 4 || p[0] != 0 || len != 4 + 8 * (size_t)p[3])
                return false;
        for (size_t at = 4; at < len; at += 8) {
                if (p[at] >= SYSTEMS)
                        return false;
                e.value[systems[p[at]].item] = p[at + 4] & 1;
                reserved += (p[at + 4] & 1) != 0 ? p[at + 1] : 0;
        }
        return reserved <= CHANNELS && ublox_change(u, e.value);
}

/* Stored unchanged, and read back: SBAS, ANT, NAVX5, TP5, ITFM, PMS. */
static const struct {
        uint8_t id, models;
        uint8_t len;
        uint8_t preset[UBLOX_RECORD_MAX];
} records[UBLOX_RECORDS] = {
        { 0x16, 1 << UBLOX_M8, 8, { 1, 3, 3, 0, 0x51, 0x62, 0x06 } },
        { 0x13, 1 << UBLOX_M8, 4, { 0x1B, 0, 0x0F, 0xA9 } },
        { 0x23, 1 << UBLOX_M8, 40, { 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 32, 6 } },
        { 0x31,
          1 << UBLOX_M8 | 1 << UBLOX_M10,
          32,
          { 0, 1, 0, 0, 50, 0,    0,    0, 0x40, 0x42, 0x0F, 0, 0x40, 0x42, 0x0F,
            0, 0, 0, 0, 0,  0xA0, 0x86, 1, 0,    0,    0,    0, 0,    0xF7 } },
        { 0x39, 1 << UBLOX_M8, 8, { 0xF3, 0xC8, 0xB1, 0x16, 0x3E, 0x43 } },
        { 0x86, 1 << UBLOX_M8, 8, { 0 } },
};

void ublox_reset_records(struct ublox *u)
{
        for (int i = 0; i < UBLOX_RECORDS; i++)
                memcpy(u->record[i], records[i].preset, sizeof u->record[i]);
}

static bool record(struct ublox *u, uint8_t id, const uint8_t *p, size_t len)
{
        for (int i = 0; i < UBLOX_RECORDS; i++) {
                if (records[i].id != id || (records[i].models >> u->model & 1) == 0)
                        continue;
                /* A time pulse can also be polled by its number. */
                if (len <= 1)
                        ublox_reply(u, UBX_CFG, id, u->record[i], records[i].len);
                else if (len == records[i].len)
                        memcpy(u->record[i], p, len);
                return len <= 1 || len == records[i].len;
        }
        return false;
}

/* Bits for what the receiver forgets: none is a hot start, all a cold one. Never acknowledged. */
static void reset(struct ublox *u, const uint8_t *p)
{
        uint16_t forget = le_get_u16(p);

        if (p[2] == 0x08 || p[2] == 0x09) {
                u->stopped = p[2] == 0x08;
                return;
        }
        /* All but "GNSS only" restart the processor, and with it the configuration. */
        if (p[2] != 0x02)
                ublox_load(u);
        if (forget != 0)
                u->epoch.time_known = false;
        ublox_blind(u, forget == 0 ? S_NS : forget == 0xFFFF ? 26 * S_NS : 3 * S_NS);
}

bool ublox_configure(struct ublox *u, uint8_t id, const uint8_t *p, size_t len)
{
        bool keyed = u->model == UBLOX_M10;

        switch (id) {
        case CFG_PRT:
                return port(u, p, len);
        case CFG_MSG:
                return message_rate(u, p, len);
        case CFG_RST:
                if (len == 4)
                        reset(u, p);
                return len == 4;
        case CFG_RATE:
                return rate(u, p, len);
        case CFG_CFG:
                return ublox_save(u, p, len);
        case CFG_NAV5:
                return nav5(u, p, len);
        case CFG_GNSS:
                return !keyed && gnss(u, p, len);
        case CFG_VALSET:
                return keyed && ublox_valset(u, p, len);
        case CFG_VALGET:
                return keyed && ublox_valget(u, p, len);
        case CFG_VALDEL:
                return keyed && ublox_valdel(u, p, len);
        default:
                return record(u, id, p, len);
        }
}
