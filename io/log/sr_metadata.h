/* The text `metadata` of a sigrok session: an INI file that says what was captured. Pure functions. */
#pragma once

#include "io/log/sr_file.h"

#define SR_METADATA_MAX 65536 /* characters */
#define SR_CAPTURE_MAX  63
#define SR_UNIT_MAX     128 /* 1024 channels */
#define SR_RATE_MAX_HZ  1e12

/* The first device with logic channels. `capture`: the name that its entries begin with. False with
 * a reason that names the key and what was expected. */
bool sr_metadata_parse(const char *text, size_t len, struct sr_info *info,
                       char capture[SR_CAPTURE_MAX + 1], struct link_error *why);
/* "24 MHz", "1 Hz", "12.5 kHz", "500000": in Hz; 0: none of these. */
double sr_rate_parse(const char *text);
/* Writes up to cap characters, at least 1,024; returns the length. */
size_t sr_metadata_print(const struct sr_info *info, char *text, size_t cap);
