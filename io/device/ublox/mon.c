/* The receiver's identification, class MON: version, systems, hardware. */
#include "io/device/ublox/ublox.h"

#include <string.h>

#include "io/le.h"

struct identity {
        const char *software, *hardware;
        const char *extensions[7]; /* NULL at the end */
        uint8_t gnss_default, gnss_concurrent; /* MON-GNSS */
};

/* As a NEO-M8N and a MAX-M10S report them; each extension has 30 bytes. */
static const struct identity identities[UBLOX_MODELS] = {
        [UBLOX_M8] = { "EXT CORE 3.01 (107900)",
                       "00080000",
                       { "ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER=18.00",
                         "MOD=NEO-M8N-0", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS" },
                       0x03,
                       3 },
        [UBLOX_M10] = { "ROM SPG 5.10 (7b202e)",
                        "000A0000",
                        { "FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S",
                          "GPS;GLO;GAL;BDS", "SBAS;QZSS" },
                        0x0D,
                        4 },
};

static size_t put_version(const struct ublox *u, uint8_t *p)
{
        const struct identity *me = &identities[u->model];
        size_t len = 40;

        memcpy(p, me->software, strlen(me->software));
        memcpy(p + 30, me->hardware, strlen(me->hardware));
        for (int i = 0; me->extensions[i] != NULL; i++, len += 30)
                memcpy(p + len, me->extensions[i], strlen(me->extensions[i]));
        return len;
}

/* Bits: GPS, GLONASS, BeiDou, Galileo. */
static size_t put_gnss(const struct ublox *u, uint8_t *p)
{
        const uint64_t *v = u->config.value;

        p[1] = 0x0F;
        p[2] = identities[u->model].gnss_default;
        p[3] = (uint8_t)((v[UBLOX_GPS] != 0) | (v[UBLOX_GLONASS] != 0) << 1 |
                         (v[UBLOX_BEIDOU] != 0) << 2 | (v[UBLOX_GALILEO] != 0) << 3);
        p[4] = identities[u->model].gnss_concurrent;
        return 8;
}

/* A quiet environment: little noise, medium gain, no jamming, antenna powered. */
#define NOISE     90
#define GAIN      4500
#define JAMMING   12
#define MAGNITUDE 150

static size_t put_hw(uint8_t *p)
{
        le_put_u16(p + 16, NOISE);
        le_put_u16(p + 18, GAIN);
        p[20] = 2;
        p[21] = 1;
        p[22] = 0x05; /* clock calibrated; no jamming */
        p[45] = JAMMING;
        return 60;
}

static size_t put_hw2(uint8_t *p)
{
        p[1] = p[3] = MAGNITUDE;
        p[4] = 111; /* configured from flash */
        return 28;
}

static size_t put_rf(uint8_t *p)
{
        p[1] = 1; /* blocks */
        p[5] = 1; /* no jamming */
        p[6] = 2;
        p[7] = 1;
        le_put_u16(p + 16, NOISE);
        le_put_u16(p + 18, GAIN);
        p[20] = JAMMING;
        p[22] = p[24] = MAGNITUDE;
        return 28;
}

size_t ublox_write_mon(const struct ublox *u, uint8_t id, uint8_t *out)
{
        memset(out, 0, UBLOX_MESSAGE_MAX);
        switch (id) {
        case 0x04:
                return put_version(u, out);
        case 0x09:
                return put_hw(out);
        case 0x0B:
                return put_hw2(out);
        case 0x28:
                return put_gnss(u, out);
        case 0x38:
                return u->model == UBLOX_M10 ? put_rf(out) : 0;
        default:
                return 0;
        }
}
