/* What a satellite receiver reports at one navigation epoch, in receivers' units: from the rig's
 * sample, or from the time alone if there is none. UBX and NMEA encode it. */
#pragma once

#include "models/signals.h"

struct gnss_time {
        uint16_t week; /* since 1980-01-06, GPS time */
        uint32_t itow_ms; /* in that week, rounded */
        int32_t ftow_ns; /* the rounding remainder, -500,000 to 500,000 */
        int8_t leap_s; /* GPS time minus UTC */
        uint16_t year; /* UTC, and the rest */
        uint8_t month, day, hour, minute, second;
        uint32_t nano;
};

struct gnss_epoch {
        struct gnss_time time;
        bool time_known; /* there was a fix once */
        enum gps_fix fix;
        int satellites; /* used, 0 to GNSS_SATELLITES_MAX */
        int32_t lat_e7, lon_e7; /* degrees x 1e7 */
        int32_t height_mm; /* above the ellipsoid, which is sea level too */
        uint32_t h_acc_mm, v_acc_mm;
        int32_t vel_ned_mmps[3];
        uint32_t speed_mmps; /* over ground */
        int32_t heading_e5; /* degrees x 1e5, 0 to 360; stays below 0.1 m/s */
        uint32_t s_acc_mmps, heading_acc_e5;
        uint16_t gdop, pdop, tdop, vdop, hdop, ndop, edop; /* x 100; 9999 without a fix */
};

#define GNSS_SATELLITES_MAX 32

/* Only the number of satellites is known; their positions are made up, and always the same. */
struct gnss_satellite {
        uint8_t number; /* of GPS, 1 to 32 */
        uint8_t cn0_dbhz;
        int8_t elevation_deg;
        int16_t azimuth_deg;
};

/* utc_ns since 1970. */
struct gnss_time gnss_time_of(int64_t utc_ns);

/* The epoch after the one in e; utc_ns is the sample's time. A sample with NaN has no fix. Without
 * a fix the position stays. */
void gnss_epoch_take(struct gnss_epoch *e, const struct gps_sample *sample,
                     int64_t utc_ns);
/* No fix, and nothing but the time. */
void gnss_epoch_lose(struct gnss_epoch *e, int64_t utc_ns);

/* i: 0 to e->satellites - 1. */
struct gnss_satellite gnss_satellite(const struct gnss_epoch *e, int i);

/* Earth-centred position (cm) and velocity (cm/s). */
void gnss_epoch_ecef(const struct gnss_epoch *e, int32_t pos_cm[3], int32_t vel_cmps[3]);
