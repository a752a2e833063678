/* The words of models/fc/peer_word.h as bytes of a packet by radio, little-endian. The rig does not read them.
 *
 *   place:  u32 time of its sensors, ms; i32 latitude and longitude, 1e-7 degrees; i32 height above the ellipsoid, mm; i16
 *           velocity north, east, down, cm/s
 *   state:  u8 1; u8, bit 0 flying; place; u8 number of obstacles, at most 4; of each i16 north, east, down, cm
 *   hub:    u8 2; u8, bit 0 go on, else pause; u8 behaviours, enum flock_behaviour; then a bit for each address that it is for,
 *           from 0 on, as far as there are any, or nothing: it is for all
 *   ranges: u8 3; place; u16 time reckoned, 0.1 s; u8 number of ranges, at most 8; of each u16 address, u16 age, ms before
 *           the place's time, u32 mm */
#pragma once

#include <stddef.h>

#include "models/fc/peer_word.h"

#define PEER_BYTES_LONGEST 90

/* Their number; 0: it says nothing. What does not fit a field is limited. */
size_t peer_bytes_pack(const struct peer_word *w, uint8_t out[PEER_BYTES_LONGEST]);
/* False: no such word. */
bool peer_bytes_unpack(struct peer_word *w, const uint8_t *bytes, size_t len);
