/* NMEA 0183 sentences of a satellite receiver, version 4.0, talker GN (GP in GSV). Written with
 * integers only, independent of the locale. */
#pragma once

#include <stddef.h>

#include "io/device/gnss_epoch.h"

/* Longest output of any function below; GSV is several sentences. */
#define NMEA_MAX 700

/* From '$' to before the end of line: whether the checksum is there and right. */
bool nmea_is_sound(const char *line, size_t len);

/* Each writes a whole sentence with its end of line, and a terminating zero; returns the length
 * without it. Without a fix fields are empty, as in real receivers. */
size_t nmea_gga(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_gll(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_gsa(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_gsv(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_rmc(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_vtg(char out[NMEA_MAX], const struct gnss_epoch *e);
size_t nmea_zda(char out[NMEA_MAX], const struct gnss_epoch *e);
