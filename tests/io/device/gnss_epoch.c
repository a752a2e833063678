/* A receiver's time scales and units. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "io/device/gnss_epoch.h"

#include "tests/suites.h"

#define S 1000000000LL

static const struct gps_sample flying = { .lat_rad = 47.3977 * M_PI / 180.0,
                                          .lon_rad = 8.5455 * M_PI / 180.0,
                                          .height_m = 488.25,
                                          .vel_ned_mps = { 3.0, -4.0, -1.5 },
                                          .h_acc_m = 0.9,
                                          .v_acc_m = 1.3,
                                          .s_acc_mps = 0.2,
                                          .satellites = 14,
                                          .fix = GPS_FIX_3D };

TEST(dates_are_the_c_library_s)
{
        for (int64_t s = 315964800; s < 4102444800; s += 86400 * 11 + 12345) {
                struct gnss_time t = gnss_time_of(s * S + 123456789);
                time_t unix_s = s;
                struct tm tm;

                gmtime_r(&unix_s, &tm);
                ck_assert_int_eq(t.year, tm.tm_year + 1900);
                ck_assert_int_eq(t.month, tm.tm_mon + 1);
                ck_assert_int_eq(t.day, tm.tm_mday);
                ck_assert_int_eq(t.hour, tm.tm_hour);
                ck_assert_int_eq(t.minute, tm.tm_min);
                ck_assert_int_eq(t.second, tm.tm_sec);
                ck_assert_uint_eq(t.nano, 123456789);
        }
}

/* 2017-01-01 00:00 UTC: week 1930, day 0, and 18 seconds; the second before had 17. */
TEST(gps_time_is_ahead_by_the_leap_seconds)
{
        struct gnss_time t = gnss_time_of(1483228800 * S);

        ck_assert_int_eq(t.leap_s, 18);
        ck_assert_uint_eq(t.week, 1930);
        ck_assert_uint_eq(t.itow_ms, 18000);
        t = gnss_time_of(1483228799 * S);
        ck_assert_int_eq(t.leap_s, 17);
        ck_assert_uint_eq(t.itow_ms, 16000);
        t = gnss_time_of(315964800 * S);
        ck_assert_int_eq(t.leap_s, 0);
        ck_assert_uint_eq(t.week, 0);
        ck_assert_uint_eq(t.itow_ms, 0);
        /* Before GPS there is none. */
        t = gnss_time_of(0);
        ck_assert_uint_eq(t.week, 0);
        ck_assert_uint_eq(t.year, 1980);
}

TEST(milliseconds_and_the_rest_are_the_whole_time)
{
        for (int64_t ns = 0; ns < 4000000; ns += 49999) {
                int64_t utc_ns = 1700000000 * S + ns;
                struct gnss_time t = gnss_time_of(utc_ns);
                int64_t gps_ns = utc_ns - 315964800 * S + 18 * S;

                ck_assert_int_eq((t.week * 604800000LL + t.itow_ms) * 1000000 + t.ftow_ns,
                                 gps_ns);
                ck_assert_int_le(t.ftow_ns, 500000);
                ck_assert_int_ge(t.ftow_ns, -500000);
        }
}

TEST(units_are_the_receiver_s)
{
        struct gnss_epoch e = { 0 };

        gnss_epoch_take(&e, &flying, 1700000000 * S);
        ck_assert_int_eq(e.lat_e7, 473977000);
        ck_assert_int_eq(e.lon_e7, 85455000);
        ck_assert_int_eq(e.height_mm, 488250);
        ck_assert_int_eq(e.vel_ned_mmps[1], -4000);
        ck_assert_uint_eq(e.speed_mmps, 5000);
        ck_assert_int_eq(e.heading_e5, 30686990);
        ck_assert_uint_eq(e.h_acc_mm, 900);
        ck_assert_uint_eq(e.s_acc_mmps, 200);
        ck_assert_int_eq(e.fix, GPS_FIX_3D);
        ck_assert_int_eq(e.satellites, 14);
        /* The squares of horizontal and vertical add up. */
        ck_assert_double_eq_tol(hypot(e.hdop, e.vdop), e.pdop, 1.5);
        ck_assert_double_eq_tol(hypot(e.ndop, e.edop), e.hdop, 1.5);
}

TEST(standing_still_keeps_the_course)
{
        struct gps_sample still = flying;
        struct gnss_epoch e = { 0 };

        gnss_epoch_take(&e, &flying, 1700000000 * S);
        still.vel_ned_mps = (struct vec3){ 0.05, 0.05, 0.0 };
        gnss_epoch_take(&e, &still, 1700000000 * S);
        ck_assert_int_eq(e.heading_e5, 30686990);
        ck_assert_uint_eq(e.speed_mmps, 71);
}

TEST(without_a_fix_the_position_stays_and_the_time_goes_on)
{
        struct gps_sample lost = flying;
        struct gnss_epoch e = { 0 };

        lost.fix = GPS_NO_FIX;
        lost.satellites = 2;
        lost.lat_rad = 0.0;
        gnss_epoch_take(&e, &lost, 1700000000 * S);
        ck_assert(!e.time_known);
        gnss_epoch_take(&e, &flying, 1700000000 * S);
        gnss_epoch_take(&e, &lost, 1700000001 * S);
        ck_assert(e.time_known);
        ck_assert_int_eq(e.fix, GPS_NO_FIX);
        ck_assert_int_eq(e.satellites, 2);
        ck_assert_int_eq(e.lat_e7, 473977000);
        ck_assert_uint_eq(e.time.second, 21);
        ck_assert_uint_eq(e.pdop, 9999);
        ck_assert_uint_ge(e.h_acc_mm, 1000000);
        ck_assert_uint_eq(e.speed_mmps, 0);
}

TEST(what_is_no_number_is_no_fix)
{
        const double bad[] = { NAN, INFINITY, -INFINITY, 1e300 };

        for (int i = 0; i < 4; i++) {
                struct gps_sample s = flying;
                struct gnss_epoch e = { 0 };

                s.lat_rad = bad[i];
                gnss_epoch_take(&e, &s, 1700000000 * S);
                ck_assert_int_eq(e.fix, GPS_NO_FIX);
                s = flying;
                s.h_acc_m = s.s_acc_mps = bad[i];
                s.satellites = 1000;
                gnss_epoch_take(&e, &s, 1700000000 * S);
                ck_assert_uint_le(e.h_acc_mm, 10000000);
                ck_assert_int_eq(e.satellites, GNSS_SATELLITES_MAX);
        }
}

/* The axes' ends; a velocity turns with the place. */
TEST(earth_centred_is_where_it_should_be)
{
        struct gnss_epoch e = { .height_mm = 0, .vel_ned_mmps = { 0, 1000, 0 } };
        int32_t pos[3], vel[3];

        gnss_epoch_ecef(&e, pos, vel);
        ck_assert_int_eq(pos[0], 637813700);
        ck_assert_int_eq(pos[1], 0);
        ck_assert_int_eq(pos[2], 0);
        ck_assert_int_eq(vel[1], 100);
        e.lat_e7 = 900000000;
        e.vel_ned_mmps[1] = 0;
        e.vel_ned_mmps[2] = 1000;
        gnss_epoch_ecef(&e, pos, vel);
        ck_assert_int_eq(pos[2], 635675231);
        ck_assert_int_eq(vel[2], -100);
        e.lat_e7 = 0;
        e.lon_e7 = -900000000;
        e.height_mm = 1000000;
        gnss_epoch_ecef(&e, pos, vel);
        ck_assert_int_eq(pos[1], -637913700);
        ck_assert_int_eq(vel[1], 100);
}

TEST(satellites_are_all_different_and_above_the_horizon)
{
        struct gnss_epoch e = { .satellites = GNSS_SATELLITES_MAX };
        bool seen[33] = { false };

        for (int i = 0; i < e.satellites; i++) {
                struct gnss_satellite v = gnss_satellite(&e, i);

                ck_assert(v.number >= 1 && v.number <= 32 && !seen[v.number]);
                seen[v.number] = true;
                ck_assert(v.elevation_deg >= 5 && v.elevation_deg <= 90);
                ck_assert(v.azimuth_deg >= 0 && v.azimuth_deg < 360);
                ck_assert(v.cn0_dbhz >= 30 && v.cn0_dbhz <= 50);
        }
}
