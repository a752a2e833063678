/* The navigation messages, class NAV and NMEA, of the current epoch. Layouts: u-blox M8 protocol
 * description UBX-13003221, M10 interface description UBX-21035062. */
#include "io/device/ublox/ublox.h"

#include <math.h>
#include <string.h>

#include "io/le.h"

#define T_ACC_NS 25U /* of time, with a fix */
#define UNKNOWN  0xFFFFFFFFU

static bool has_fix(const struct ublox *u)
{
        return u->epoch.fix != GPS_NO_FIX;
}

static uint32_t time_accuracy(const struct ublox *u)
{
        return has_fix(u) ? T_ACC_NS : UNKNOWN;
}

static void put_i32(uint8_t *p, int32_t v)
{
        le_put_u32(p, (uint32_t)v);
}

/* mm to cm and the like, rounded. */
static int32_t tenth(int32_t v)
{
        return (v + (v < 0 ? -5 : 5)) / 10;
}

static size_t put_posllh(const struct ublox *u, uint8_t *p)
{
        const struct gnss_epoch *e = &u->epoch;

        put_i32(p + 4, e->lon_e7);
        put_i32(p + 8, e->lat_e7);
        put_i32(p + 12, e->height_mm);
        put_i32(p + 16, e->height_mm);
        le_put_u32(p + 20, e->h_acc_mm);
        le_put_u32(p + 24, e->v_acc_mm);
        return 28;
}

static size_t put_status(const struct ublox *u, uint8_t *p)
{
        p[4] = (uint8_t)u->epoch.fix;
        p[5] = (uint8_t)((has_fix(u) ? 0x01 : 0) | (u->epoch.time_known ? 0x0C : 0));
        le_put_u32(p + 8,
                   u->first_fix_ns < 0 ? 0 : (uint32_t)(u->first_fix_ns / 1000000));
        le_put_u32(p + 12, (uint32_t)(u->now_ns / 1000000));
        return 16;
}

static size_t put_dop(const struct ublox *u, uint8_t *p)
{
        const struct gnss_epoch *e = &u->epoch;
        const uint16_t dops[] = { e->gdop, e->pdop, e->tdop, e->vdop,
                                  e->hdop, e->ndop, e->edop };

        for (int i = 0; i < 7; i++)
                le_put_u16(p + 4 + 2 * i, dops[i]);
        return 18;
}

static size_t put_sol(const struct ublox *u, uint8_t *p)
{
        const struct gnss_epoch *e = &u->epoch;
        int32_t pos_cm[3], vel_cmps[3];

        gnss_epoch_ecef(e, pos_cm, vel_cmps);
        put_i32(p + 4, e->time.ftow_ns);
        le_put_u16(p + 8, e->time.week);
        p[10] = (uint8_t)e->fix;
        p[11] = (uint8_t)((has_fix(u) ? 0x01 : 0) | (e->time_known ? 0x0C : 0));
        for (int i = 0; i < 3; i++) {
                put_i32(p + 12 + 4 * i, pos_cm[i]);
                put_i32(p + 28 + 4 * i, vel_cmps[i]);
        }
        le_put_u32(p + 24, (uint32_t)(hypot(e->h_acc_mm, e->v_acc_mm) / 10.0));
        le_put_u32(p + 40, (e->s_acc_mmps + 5) / 10);
        le_put_u16(p + 44, e->pdop);
        p[47] = (uint8_t)e->satellites;
        return 52;
}

static void put_utc(const struct ublox *u, uint8_t *p)
{
        const struct gnss_time *t = &u->epoch.time;

        le_put_u16(p, t->year);
        p[2] = t->month;
        p[3] = t->day;
        p[4] = t->hour;
        p[5] = t->minute;
        p[6] = t->second;
}

static size_t put_pvt(const struct ublox *u, uint8_t *p)
{
        const struct gnss_epoch *e = &u->epoch;

        put_utc(u, p + 4);
        p[11] = e->time_known ? 0x07 : 0; /* date, time, fully resolved */
        le_put_u32(p + 12, time_accuracy(u));
        le_put_u32(p + 16, e->time.nano);
        p[20] = (uint8_t)e->fix;
        p[21] = has_fix(u) ? 0x01 : 0;
        p[22] = e->time_known ? 0xE0 : 0; /* date and time confirmed */
        p[23] = (uint8_t)e->satellites;
        put_i32(p + 24, e->lon_e7);
        put_i32(p + 28, e->lat_e7);
        put_i32(p + 32, e->height_mm);
        put_i32(p + 36, e->height_mm);
        le_put_u32(p + 40, e->h_acc_mm);
        le_put_u32(p + 44, e->v_acc_mm);
        for (int i = 0; i < 3; i++)
                put_i32(p + 48 + 4 * i, e->vel_ned_mmps[i]);
        le_put_u32(p + 60, e->speed_mmps);
        put_i32(p + 64, e->heading_e5);
        le_put_u32(p + 68, e->s_acc_mmps);
        le_put_u32(p + 72, e->heading_acc_e5);
        le_put_u16(p + 76, e->pdop);
        p[78] = has_fix(u) ? 0 : 1; /* position invalid */
        return 92;
}

static size_t put_velned(const struct ublox *u, uint8_t *p)
{
        const struct gnss_epoch *e = &u->epoch;

        for (int i = 0; i < 3; i++)
                put_i32(p + 4 + 4 * i, tenth(e->vel_ned_mmps[i]));
        le_put_u32(p + 16, (uint32_t)(hypot(e->speed_mmps, e->vel_ned_mmps[2]) / 10.0));
        le_put_u32(p + 20, (e->speed_mmps + 5) / 10);
        put_i32(p + 24, e->heading_e5);
        le_put_u32(p + 28, (e->s_acc_mmps + 5) / 10);
        le_put_u32(p + 32, e->heading_acc_e5);
        return 36;
}

static size_t put_timegps(const struct ublox *u, uint8_t *p)
{
        const struct gnss_time *t = &u->epoch.time;

        put_i32(p + 4, t->ftow_ns);
        le_put_u16(p + 8, t->week);
        p[10] = (uint8_t)t->leap_s;
        p[11] = u->epoch.time_known ? 0x07 : 0;
        le_put_u32(p + 12, time_accuracy(u));
        return 16;
}

static size_t put_timeutc(const struct ublox *u, uint8_t *p)
{
        le_put_u32(p + 4, time_accuracy(u));
        le_put_u32(p + 8, u->epoch.time.nano);
        put_utc(u, p + 12);
        p[19] = u->epoch.time_known ? 0x37 : 0; /* and the standard: USNO */
        return 20;
}

static size_t put_clock(const struct ublox *u, uint8_t *p)
{
        le_put_u32(p + 12, time_accuracy(u));
        le_put_u32(p + 16, has_fix(u) ? 100 : UNKNOWN);
        return 20;
}

static size_t put_svinfo(const struct ublox *u, uint8_t *p)
{
        p[4] = (uint8_t)u->epoch.satellites;
        p[5] = 4; /* the chip: u-blox 8 */
        for (int i = 0; i < u->epoch.satellites; i++) {
                struct gnss_satellite v = gnss_satellite(&u->epoch, i);
                uint8_t *at = p + 8 + 12 * i;

                at[0] = (uint8_t)i;
                at[1] = v.number;
                at[2] = 0x0D; /* used, orbit known, from its ephemeris */
                at[3] = 7;
                at[4] = v.cn0_dbhz;
                at[5] = (uint8_t)v.elevation_deg;
                le_put_u16(at + 6, (uint16_t)v.azimuth_deg);
        }
        return 8 + 12 * (size_t)u->epoch.satellites;
}

static size_t put_sat(const struct ublox *u, uint8_t *p)
{
        p[4] = 1;
        p[5] = (uint8_t)u->epoch.satellites;
        for (int i = 0; i < u->epoch.satellites; i++) {
                struct gnss_satellite v = gnss_satellite(&u->epoch, i);
                uint8_t *at = p + 8 + 12 * i;

                at[1] = v.number;
                at[2] = v.cn0_dbhz;
                at[3] = (uint8_t)v.elevation_deg;
                le_put_u16(at + 4, (uint16_t)v.azimuth_deg);
                /* Code and carrier locked, used, healthy, ephemeris. */
                le_put_u32(at + 8, 0x07 | 0x08 | 0x10 | 0x100 | 0x800);
        }
        return 8 + 12 * (size_t)u->epoch.satellites;
}

static size_t put_sig(const struct ublox *u, uint8_t *p)
{
        p[5] = (uint8_t)u->epoch.satellites;
        for (int i = 0; i < u->epoch.satellites; i++) {
                struct gnss_satellite v = gnss_satellite(&u->epoch, i);
                uint8_t *at = p + 8 + 16 * i;

                at[1] = v.number;
                at[6] = v.cn0_dbhz;
                at[7] = 7;
                at[9] = 1; /* Klobuchar's ionosphere */
                /* Healthy, range and Doppler used. */
                le_put_u16(at + 10, 0x01 | 0x08 | 0x20);
        }
        return 8 + 16 * (size_t)u->epoch.satellites;
}

static size_t put(const struct ublox *u, uint8_t id, uint8_t *p)
{
        switch (id) {
        case 0x02:
                return put_posllh(u, p);
        case 0x03:
                return put_status(u, p);
        case 0x04:
                return put_dop(u, p);
        case 0x06:
                return put_sol(u, p);
        case 0x07:
                return put_pvt(u, p);
        case 0x12:
                return put_velned(u, p);
        case 0x20:
                return put_timegps(u, p);
        case 0x21:
                return put_timeutc(u, p);
        case 0x22:
                return put_clock(u, p);
        case 0x30:
                return put_svinfo(u, p);
        case 0x35:
                return put_sat(u, p);
        case 0x43:
                return put_sig(u, p);
        case 0x61:
                return 4;
        default:
                return 0;
        }
}

size_t ublox_write_nav(const struct ublox *u, uint8_t id, uint8_t *out)
{
        memset(out, 0, UBLOX_MESSAGE_MAX);
        le_put_u32(out, u->epoch.time.itow_ms);
        return put(u, id, out);
}

size_t ublox_write_nmea(const struct ublox *u, uint8_t id, uint8_t *out)
{
        char *text = (char *)out;

        switch (id) {
        case 0x00:
                return nmea_gga(text, &u->epoch);
        case 0x01:
                return nmea_gll(text, &u->epoch);
        case 0x02:
                return nmea_gsa(text, &u->epoch);
        case 0x03:
                return nmea_gsv(text, &u->epoch);
        case 0x04:
                return nmea_rmc(text, &u->epoch);
        case 0x05:
                return nmea_vtg(text, &u->epoch);
        case 0x08:
                return nmea_zda(text, &u->epoch);
        default:
                return 0;
        }
}
