/* From SI units to a receiver's: time scales, degrees, millimetres, dilution of precision. */
#include "io/device/gnss_epoch.h"

#include <math.h>

#define S_NS         1000000000LL
#define DAY_S        86400
#define WEEK_MS      604800000LL
#define GPS_EPOCH_S  315964800LL /* 1980-01-06 */
#define HEADING_MMPS 100 /* below this the course is noise */
#define UNKNOWN_MM   10000000U
#define UNKNOWN_MMPS 100000U
#define UNKNOWN_DOP  9999

/* When GPS time gained another second on UTC: IERS Bulletin C, since 1980. */
static const int64_t leap_unix_s[] = {
        362793600, 394329600,  425865600,  489024000,  567993600,  631152000,
        662688000, 709948800,  741484800,  773020800,  820454400,  867715200,
        915148800, 1136073600, 1230768000, 1341100800, 1435708800, 1483228800,
};

#define LEAPS ((int)(sizeof leap_unix_s / sizeof leap_unix_s[0]))

/* The Gregorian date of a day since 1970-01-01, by eras of 400 years that begin in March. */
static void date_of(int64_t day, struct gnss_time *t)
{
        int64_t since = day + 719468;
        int64_t era = since / 146097;
        int64_t of_era = since - era * 146097;
        int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
        int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
        int64_t month = (5 * of_year + 2) / 153; /* 0: March */

        t->day = (uint8_t)(of_year - (153 * month + 2) / 5 + 1);
        t->month = (uint8_t)(month < 10 ? month + 3 : month - 9);
        t->year = (uint16_t)(year + era * 400 + (t->month <= 2));
}

struct gnss_time gnss_time_of(int64_t utc_ns)
{
        struct gnss_time t = { 0 };
        int64_t unix_s, gps_ns, ms;

        if (utc_ns < GPS_EPOCH_S * S_NS)
                utc_ns = GPS_EPOCH_S * S_NS;
        unix_s = utc_ns / S_NS;
        while (t.leap_s < LEAPS && unix_s >= leap_unix_s[t.leap_s])
                t.leap_s++;

        gps_ns = utc_ns - (GPS_EPOCH_S - t.leap_s) * S_NS;
        ms = (gps_ns + 500000) / 1000000;
        t.ftow_ns = (int32_t)(gps_ns - ms * 1000000);
        t.week = (uint16_t)(ms / WEEK_MS);
        t.itow_ms = (uint32_t)(ms % WEEK_MS);

        date_of(unix_s / DAY_S, &t);
        t.hour = (uint8_t)(unix_s % DAY_S / 3600);
        t.minute = (uint8_t)(unix_s % 3600 / 60);
        t.second = (uint8_t)(unix_s % 60);
        t.nano = (uint32_t)(utc_ns % S_NS);
        return t;
}

/* Rounded, and clamped to the field's range; NaN becomes `low`. */
static double within(double value, double low, double high)
{
        if (!(value >= low))
                return low;
        return nearbyint(value < high ? value : high);
}

static int32_t to_i32(double value)
{
        return (int32_t)within(value, -2147483647.0, 2147483647.0);
}

static uint32_t to_u32(double value, uint32_t most)
{
        return value >= 0.0 ? (uint32_t)within(value, 0.0, most) : most;
}

static bool makes_sense(const struct gps_sample *s)
{
        return isfinite(s->vel_ned_mps.x) && isfinite(s->vel_ned_mps.y) &&
               isfinite(s->vel_ned_mps.z) && isfinite(s->height_m) &&
               fabs(s->lat_rad) <= M_PI_2 && fabs(s->lon_rad) <= 2.0 * M_PI;
}

static uint16_t dop(double value)
{
        return (uint16_t)within(value * 100.0, 50.0, UNKNOWN_DOP);
}

/* The sample has no geometry: typical values for a clear sky with this many satellites. */
static void find_dops(struct gnss_epoch *e)
{
        double pdop = 0.8 + 9.0 / (e->satellites > 0 ? e->satellites : 1);

        e->pdop = dop(pdop);
        e->tdop = dop(0.5 * pdop);
        e->gdop = dop(hypot(pdop, 0.5 * pdop));
        e->hdop = dop(0.53 * pdop);
        e->vdop = dop(0.848 * pdop);
        e->ndop = e->edop = dop(0.53 * M_SQRT1_2 * pdop);
}

static void find_course(struct gnss_epoch *e)
{
        double north = e->vel_ned_mmps[0], east = e->vel_ned_mmps[1];
        double speed = hypot(north, east);
        double heading = atan2(east, north) * 180.0 / M_PI;

        e->speed_mmps = to_u32(speed, UINT32_MAX);
        if (speed >= HEADING_MMPS)
                e->heading_e5 = to_i32((heading < 0.0 ? heading + 360.0 : heading) * 1e5);
        if (e->heading_e5 >= 36000000)
                e->heading_e5 = 0;
        e->heading_acc_e5 =
                to_u32(e->s_acc_mmps / fmax(speed, 1.0) * 180.0 / M_PI * 1e5, 18000000);
}

void gnss_epoch_lose(struct gnss_epoch *e, int64_t utc_ns)
{
        e->time = gnss_time_of(utc_ns);
        e->fix = GPS_NO_FIX;
        e->satellites = 0;
        e->h_acc_mm = e->v_acc_mm = UNKNOWN_MM;
        e->s_acc_mmps = UNKNOWN_MMPS;
        e->heading_acc_e5 = 18000000;
        for (int i = 0; i < 3; i++)
                e->vel_ned_mmps[i] = 0;
        e->speed_mmps = 0;
        e->gdop = e->pdop = e->tdop = e->vdop = UNKNOWN_DOP;
        e->hdop = e->ndop = e->edop = UNKNOWN_DOP;
}

static int satellites_of(const struct gps_sample *s)
{
        if (s->satellites < 0)
                return 0;
        return s->satellites < GNSS_SATELLITES_MAX ? s->satellites : GNSS_SATELLITES_MAX;
}

void gnss_epoch_take(struct gnss_epoch *e, const struct gps_sample *s, int64_t utc_ns)
{
        double lon_deg = s->lon_rad * 180.0 / M_PI;

        if (s->fix == GPS_NO_FIX || !makes_sense(s)) {
                gnss_epoch_lose(e, utc_ns);
                e->satellites = satellites_of(s);
                return;
        }
        e->time = gnss_time_of(utc_ns);
        e->time_known = true;
        e->fix = s->fix;
        e->satellites = satellites_of(s);
        e->lat_e7 = to_i32(s->lat_rad * 180.0 / M_PI * 1e7);
        if (fabs(lon_deg) > 180.0)
                lon_deg -= copysign(360.0, lon_deg);
        e->lon_e7 = to_i32(lon_deg * 1e7);
        e->height_mm = to_i32(s->height_m * 1e3);
        e->h_acc_mm = to_u32(s->h_acc_m * 1e3, UNKNOWN_MM);
        e->v_acc_mm = to_u32(s->v_acc_m * 1e3, UNKNOWN_MM);
        e->s_acc_mmps = to_u32(s->s_acc_mps * 1e3, UNKNOWN_MMPS);
        e->vel_ned_mmps[0] = to_i32(s->vel_ned_mps.x * 1e3);
        e->vel_ned_mmps[1] = to_i32(s->vel_ned_mps.y * 1e3);
        e->vel_ned_mmps[2] = to_i32(s->vel_ned_mps.z * 1e3);
        find_course(e);
        find_dops(e);
}

struct gnss_satellite gnss_satellite(const struct gnss_epoch *e, int i)
{
        /* By the golden angle, so that any number of satellites surrounds the receiver. */
        int elevation = 20 + i * 37 % 66;

        (void)e;
        return (struct gnss_satellite){
                .number = (uint8_t)(i + 1),
                .cn0_dbhz = (uint8_t)(32 + elevation / 6),
                .elevation_deg = (int8_t)elevation,
                .azimuth_deg = (int16_t)(i * 137 % 360),
        };
}

/* WGS-84: semi-major axis and eccentricity squared (NIMA TR8350.2). */
void gnss_epoch_ecef(const struct gnss_epoch *e, int32_t pos_cm[3], int32_t vel_cmps[3])
{
        const double a_m = 6378137.0, e2 = 6.69437999014e-3;
        double lat = e->lat_e7 * 1e-7 * M_PI / 180.0;
        double lon = e->lon_e7 * 1e-7 * M_PI / 180.0;
        double h_m = e->height_mm * 1e-3;
        double n_m = a_m / sqrt(1.0 - e2 * sin(lat) * sin(lat));
        double north = e->vel_ned_mmps[0] * 0.1, east = e->vel_ned_mmps[1] * 0.1;
        double down = e->vel_ned_mmps[2] * 0.1;
        double outward = -north * sin(lat) - down * cos(lat);

        pos_cm[0] = to_i32((n_m + h_m) * cos(lat) * cos(lon) * 100.0);
        pos_cm[1] = to_i32((n_m + h_m) * cos(lat) * sin(lon) * 100.0);
        pos_cm[2] = to_i32((n_m * (1.0 - e2) + h_m) * sin(lat) * 100.0);
        vel_cmps[0] = to_i32(outward * cos(lon) - east * sin(lon));
        vel_cmps[1] = to_i32(outward * sin(lon) + east * cos(lon));
        vel_cmps[2] = to_i32(north * cos(lat) - down * sin(lat));
}
