/* NMEA 0183 sentences, written and checked. */
#include "io/device/nmea.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned sum_of(const char *text, size_t len)
{
        unsigned sum = 0;

        for (size_t i = 0; i < len; i++)
                sum ^= (unsigned char)text[i];
        return sum;
}

static int hex(char c)
{
        if (c >= '0' && c <= '9')
                return c - '0';
        if (c >= 'A' && c <= 'F')
                return c - 'A' + 10;
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool nmea_is_sound(const char *line, size_t len)
{
        int high, low;

        while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == '\n'))
                len--;
        if (len < 5 || line[0] != '$' || line[len - 3] != '*')
                return false;
        high = hex(line[len - 2]);
        low = hex(line[len - 1]);
        return high >= 0 && low >= 0 &&
               sum_of(line + 1, len - 4) == (unsigned)(high << 4 | low);
}

/* A sentence, or several, being written. */
struct draft {
        char *text;
        size_t len, begin; /* begin: of the sentence */
};

static struct draft draft(char *text)
{
        struct draft d = { 0 };

        d.text = text;
        return d;
}

static void add(struct draft *d, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

static void add(struct draft *d, const char *format, ...)
{
        va_list args;
        int n;

        va_start(args, format);
        n = vsnprintf(d->text + d->len, NMEA_MAX - d->len, format, args);
        va_end(args);
        assert(n >= 0 && d->len + (size_t)n < NMEA_MAX);
        d->len += (size_t)n;
}

static void start(struct draft *d, const char *name)
{
        d->begin = d->len;
        add(d, "$%s", name);
}

static void finish(struct draft *d)
{
        unsigned sum = sum_of(d->text + d->begin + 1, d->len - d->begin - 1);

        add(d, "*%02X\r\n", sum);
}

static void add_time(struct draft *d, const struct gnss_epoch *e)
{
        const struct gnss_time *t = &e->time;

        if (e->time_known)
                add(d, ",%02d%02d%02d.%02u", t->hour, t->minute, t->second,
                    (unsigned)(t->nano / 10000000));
        else
                add(d, ",");
}

/* ddmm.mmmmm and a letter for the side; degrees of two digits or three. */
static void add_angle(struct draft *d, int32_t degrees_e7, int digits, const char *sides)
{
        int64_t magnitude = llabs((long long)degrees_e7);
        int64_t minutes_e5 = (magnitude % 10000000 * 60 + 50) / 100;
        int64_t degrees = magnitude / 10000000;

        if (minutes_e5 == 6000000) {
                minutes_e5 = 0;
                degrees++;
        }
        add(d, ",%0*d%02d.%05d,%c", digits, (int)degrees, (int)(minutes_e5 / 100000),
            (int)(minutes_e5 % 100000), sides[degrees_e7 < 0]);
}

static void add_position(struct draft *d, const struct gnss_epoch *e)
{
        if (e->fix == GPS_NO_FIX) {
                add(d, ",,,,");
                return;
        }
        add_angle(d, e->lat_e7, 2, "NS");
        add_angle(d, e->lon_e7, 3, "EW");
}

/* x 1000, with three decimals. */
static void add_thousandths(struct draft *d, int64_t value)
{
        add(d, ",%s%d.%03d", value < 0 ? "-" : "", (int)(llabs(value) / 1000),
            (int)(llabs(value) % 1000));
}

static void add_course(struct draft *d, const struct gnss_epoch *e)
{
        /* Receivers omit the course when it is noise. */
        if (e->speed_mmps >= 100)
                add(d, ",%d.%02d", (int)(e->heading_e5 / 100000),
                    (int)(e->heading_e5 % 100000 / 1000));
        else
                add(d, ",");
}

/* 1 knot is 1,852 m in an hour. */
static int64_t knots_e3(const struct gnss_epoch *e)
{
        return ((int64_t)e->speed_mmps * 3600 + 926) / 1852;
}

static void add_dop(struct draft *d, uint16_t dop)
{
        add(d, ",%d.%02d", dop / 100, dop % 100);
}

size_t nmea_gga(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNGGA");
        add_time(&d, e);
        add_position(&d, e);
        /* Only this field can hold more than 12, and only two digits. */
        add(&d, ",%d,%02d", e->fix != GPS_NO_FIX, e->satellites);
        add_dop(&d, e->hdop);
        if (e->fix != GPS_NO_FIX) {
                add_thousandths(&d, e->height_mm);
                add(&d, ",M,0.0,M,,");
        } else {
                add(&d, ",,,,,,");
        }
        finish(&d);
        return d.len;
}

size_t nmea_gll(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNGLL");
        add_position(&d, e);
        add_time(&d, e);
        add(&d, e->fix != GPS_NO_FIX ? ",A,A" : ",V,N");
        finish(&d);
        return d.len;
}

size_t nmea_gsa(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNGSA");
        add(&d, ",A,%d", e->fix == GPS_NO_FIX ? 1 : (int)e->fix);
        for (int i = 0; i < 12; i++) {
                if (e->fix != GPS_NO_FIX && i < e->satellites)
                        add(&d, ",%02d", gnss_satellite(e, i).number);
                else
                        add(&d, ",");
        }
        add_dop(&d, e->pdop);
        add_dop(&d, e->hdop);
        add_dop(&d, e->vdop);
        finish(&d);
        return d.len;
}

size_t nmea_gsv(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);
        int sentences = e->satellites > 0 ? (e->satellites + 3) / 4 : 1;

        for (int s = 0; s < sentences; s++) {
                start(&d, "GPGSV");
                add(&d, ",%d,%d,%02d", sentences, s + 1, e->satellites);
                for (int i = 4 * s; i < 4 * s + 4 && i < e->satellites; i++) {
                        struct gnss_satellite v = gnss_satellite(e, i);

                        add(&d, ",%02d,%02d,%03d,%02d", v.number, v.elevation_deg,
                            v.azimuth_deg, v.cn0_dbhz);
                }
                finish(&d);
        }
        return d.len;
}

size_t nmea_rmc(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNRMC");
        add_time(&d, e);
        add(&d, e->fix != GPS_NO_FIX ? ",A" : ",V");
        add_position(&d, e);
        if (e->fix != GPS_NO_FIX) {
                add_thousandths(&d, knots_e3(e));
                add_course(&d, e);
        } else {
                add(&d, ",,");
        }
        if (e->time_known)
                add(&d, ",%02d%02d%02d", e->time.day, e->time.month, e->time.year % 100);
        else
                add(&d, ",");
        add(&d, e->fix != GPS_NO_FIX ? ",,,A" : ",,,N");
        finish(&d);
        return d.len;
}

size_t nmea_vtg(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNVTG");
        if (e->fix != GPS_NO_FIX) {
                add_course(&d, e);
                add(&d, ",T,,M");
                add_thousandths(&d, knots_e3(e));
                add(&d, ",N");
                add_thousandths(&d, ((int64_t)e->speed_mmps * 36 + 5) / 10);
                add(&d, ",K,A");
        } else {
                add(&d, ",,T,,M,,N,,K,N");
        }
        finish(&d);
        return d.len;
}

size_t nmea_zda(char out[NMEA_MAX], const struct gnss_epoch *e)
{
        struct draft d = draft(out);

        start(&d, "GNZDA");
        add_time(&d, e);
        if (e->time_known)
                add(&d, ",%02d,%02d,%04d,00,00", e->time.day, e->time.month,
                    e->time.year);
        else
                add(&d, ",,,,00,00");
        finish(&d);
        return d.len;
}
