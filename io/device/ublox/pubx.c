/* u-blox's own NMEA commands: $PUBX,40 sets how often a sentence is sent, $PUBX,41 a port's
 * protocols and baud rate. Others are ignored. */
#include "io/device/ublox/ublox.h"

#include <string.h>

#define FIELDS_MAX 10

/* Digits of a base up to the next comma or the checksum; -1: anything else. */
static int64_t number(const char *s, const char *end, int base)
{
        int64_t n = 0;

        if (s == end)
                return -1;
        for (; s < end; s++) {
                int digit = *s >= '0' && *s <= '9'   ? *s - '0'
                            : *s >= 'A' && *s <= 'F' ? *s - 'A' + 10
                            : *s >= 'a' && *s <= 'f' ? *s - 'a' + 10
                                                     : 16;

                if (digit >= base || n > 100000000)
                        return -1;
                n = n * base + digit;
        }
        return n;
}

struct fields {
        int count;
        const char *begin[FIELDS_MAX], *end[FIELDS_MAX];
};

/* The fields between the commas after the sentence's name. */
static struct fields split(const char *s, const char *end)
{
        struct fields f = { 0 };

        while (s < end && *s == ',' && f.count < FIELDS_MAX) {
                f.begin[f.count] = ++s;
                while (s < end && *s != ',' && *s != '*')
                        s++;
                f.end[f.count++] = s;
        }
        return f;
}

static int64_t field(const struct fields *f, int i, int base)
{
        return i < f->count ? number(f->begin[i], f->end[i], base) : -1;
}

/* 40,name,I2C,UART1,UART2,USB,SPI,reserved */
static bool set_rates(struct ublox *u, const struct fields *f)
{
        static const char names[][4] = { "GGA", "GLL", "GSA", "GSV", "RMC",
                                         "VTG", "GRS", "GST", "ZDA" };
        uint64_t value[UBLOX_ITEMS];

        memcpy(value, u->config.value, sizeof value);
        for (size_t id = 0; id < sizeof names / sizeof names[0]; id++) {
                int message =
                        ublox_config_find_message(&u->config, UBX_NMEA, (uint8_t)id);

                if (f->end[1] - f->begin[1] != 3 ||
                    memcmp(f->begin[1], names[id], 3) != 0)
                        continue;
                for (int port = 0; port < UBLOX_PORTS; port++) {
                        int64_t rate = field(f, 2 + port, 10);

                        if (rate < 0 || rate > 255)
                                return false;
                        value[ublox_message_item(message, port)] = (uint64_t)rate;
                }
                return ublox_change(u, value);
        }
        return false;
}

/* 41,port,protocols in,out (hexadecimal),baud,autobauding */
static bool set_port(struct ublox *u, const struct fields *f)
{
        int64_t port = field(f, 1, 10), in = field(f, 2, 16), out = field(f, 3, 16);
        int64_t baud = field(f, 4, 10);
        uint64_t value[UBLOX_ITEMS];

        if (port < 0 || in < 0 || out < 0 || baud < 0)
                return false;
        if (port != UBLOX_UART1)
                return true;
        memcpy(value, u->config.value, sizeof value);
        value[UBLOX_BAUD] = (uint64_t)baud;
        value[UBLOX_IN_UBX] = in & 1;
        value[UBLOX_IN_NMEA] = in >> 1 & 1;
        value[UBLOX_OUT_UBX] = out & 1;
        value[UBLOX_OUT_NMEA] = out >> 1 & 1;
        return ublox_change(u, value);
}

bool ublox_pubx(struct ublox *u, const char *line, size_t len)
{
        struct fields f;

        if (len < 6 || memcmp(line, "$PUBX,", 6) != 0)
                return false;
        f = split(line + 5, line + len);
        if (field(&f, 0, 10) == 40 && f.count >= 8)
                return set_rates(u, &f);
        return field(&f, 0, 10) == 41 && f.count >= 5 && set_port(u, &f);
}
