/* NMEA sentences: fields, checksums, lengths. That a reader which is not ours takes them is
 * tests/run/gps_device.sh's. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "io/device/nmea.h"

#include "tests/suites.h"

#define S 1000000000LL

static struct gnss_epoch flying(void)
{
        struct gnss_epoch e = { .time = gnss_time_of(1700000000 * S + 250000000),
                                .time_known = true,
                                .fix = GPS_FIX_3D,
                                .satellites = 9,
                                .lat_e7 = 473977000,
                                .lon_e7 = 85455000,
                                .height_mm = 488250,
                                .speed_mmps = 1852,
                                .heading_e5 = 4512345,
                                .pdop = 180,
                                .hdop = 95,
                                .vdop = 153 };

        return e;
}

static void says(size_t (*write)(char *, const struct gnss_epoch *),
                 const struct gnss_epoch *e, const char *expected)
{
        char text[NMEA_MAX];
        size_t len = write(text, e);

        ck_assert_uint_eq(len, strlen(text));
        ck_assert(nmea_is_sound(text, len));
        ck_assert_uint_le(len, 82);
        /* The checksum has been looked at. */
        ck_assert_int_eq(text[len - 5], '*');
        text[len - 5] = '\0';
        ck_assert_str_eq(text, expected);
}

TEST(sentences_say_where_when_and_how_fast)
{
        struct gnss_epoch e = flying();

        says(nmea_gga, &e,
             "$GNGGA,221320.25,4723.86200,N,00832.73000,E,1,09,0.95,488.250,M,0.0,M,,");
        says(nmea_rmc, &e,
             "$GNRMC,221320.25,A,4723.86200,N,00832.73000,E,3.600,45.12,141123,,,A");
        says(nmea_vtg, &e, "$GNVTG,45.12,T,,M,3.600,N,6.667,K,A");
        says(nmea_gll, &e, "$GNGLL,4723.86200,N,00832.73000,E,221320.25,A,A");
        says(nmea_gsa, &e, "$GNGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.80,0.95,1.53");
        says(nmea_zda, &e, "$GNZDA,221320.25,14,11,2023,00,00");
}

TEST(the_other_hemispheres_have_letters_not_signs)
{
        struct gnss_epoch e = flying();

        e.lat_e7 = -335000001;
        e.lon_e7 = -1799999999;
        e.height_mm = -1005;
        says(nmea_gga, &e,
             "$GNGGA,221320.25,3330.00001,S,17959.99999,W,1,09,0.95,-1.005,M,0.0,M,,");
}

TEST(minutes_never_reach_sixty)
{
        struct gnss_epoch e = flying();

        e.lat_e7 = 479999999;
        e.lon_e7 = 0;
        says(nmea_gll, &e, "$GNGLL,4759.99999,N,00000.00000,E,221320.25,A,A");
        for (int32_t i = -20; i < 20; i++) {
                char text[NMEA_MAX];

                e.lat_e7 = 480000000 + i;
                nmea_gll(text, &e);
                ck_assert(strstr(text, "60.0") == NULL);
        }
}

TEST(without_a_fix_fields_are_empty)
{
        struct gnss_epoch e = flying();

        e.fix = GPS_NO_FIX;
        e.satellites = 0;
        e.hdop = e.vdop = e.pdop = 9999;
        says(nmea_gga, &e, "$GNGGA,221320.25,,,,,0,00,99.99,,,,,,");
        says(nmea_rmc, &e, "$GNRMC,221320.25,V,,,,,,,141123,,,N");
        says(nmea_vtg, &e, "$GNVTG,,T,,M,,N,,K,N");
        says(nmea_gll, &e, "$GNGLL,,,,,221320.25,V,N");
        says(nmea_gsa, &e, "$GNGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99");
        e.time_known = false;
        says(nmea_rmc, &e, "$GNRMC,,V,,,,,,,,,,N");
        says(nmea_gsv, &e, "$GPGSV,1,1,00");
}

TEST(satellites_in_view_come_four_in_a_sentence)
{
        for (int n = 1; n <= GNSS_SATELLITES_MAX; n++) {
                struct gnss_epoch e = { .satellites = n };
                char text[NMEA_MAX], *line = text, *end;
                int sentences = 0, fields = 0;

                ck_assert_uint_lt(nmea_gsv(text, &e), NMEA_MAX);
                for (; *line != '\0'; line = end + 2) {
                        end = strstr(line, "\r\n");
                        ck_assert_ptr_nonnull(end);
                        ck_assert(nmea_is_sound(line, (size_t)(end - line)));
                        ck_assert_int_le(end - line, 80);
                        sentences++;
                        for (char *c = line; c < end; c++)
                                fields += *c == ',';
                }
                ck_assert_int_eq(sentences, (n + 3) / 4);
                ck_assert_int_eq(fields, 3 * sentences + 4 * n);
        }
}

TEST(a_locale_with_a_decimal_comma_changes_nothing)
{
        struct gnss_epoch e = flying();

        if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
                setlocale(LC_ALL, "");
        says(nmea_vtg, &e, "$GNVTG,45.12,T,,M,3.600,N,6.667,K,A");
        setlocale(LC_ALL, "C");
}

/* The first is the example of many NMEA pages. */
TEST(checksums_are_looked_at)
{
        char good[] = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47";

        ck_assert(nmea_is_sound(good, strlen(good)));
        ck_assert(nmea_is_sound("$PUBX,41,1,0003,0001,115200,0*1E\r\n", 34));
        ck_assert(nmea_is_sound("$PUBX,41,1,0003,0001,115200,0*1e", 32));
        for (size_t i = 0; i < strlen(good); i++) {
                good[i] ^= 4;
                ck_assert(!nmea_is_sound(good, strlen(good)));
                good[i] ^= 4;
        }
        for (size_t len = 0; len < strlen(good); len++)
                ck_assert(!nmea_is_sound(good, len));
}
