/* The ESC's telemetry behind a bidirectional DShot frame: 12 bits and an inverted CRC of 4, each nibble as
 * five bits (GCR), a one of them a change of level, behind a low start bit: 21 bits of 4/5 of a
 * DShot bit each, some 30 us after the frame.
 *
 * The 12 bits are the period of an electrical turn, eeemmmmmmmmm: m << e us, written so that bit 8
 * is set wherever e is not 0. That leaves codes free for extended telemetry: upper nibble even, not
 * 0, then 8 bits (github.com/bird-sanctuary/extended-dshot-telemetry). An ESC that does not write
 * periods so is not told from one that sends extended telemetry. */
#pragma once

#include <stddef.h>

#include "io/motor/signal.h"

#define MOTOR_TELEMETRY_BITS      21
#define MOTOR_TELEMETRY_EDGES_MIN 10
#define MOTOR_TELEMETRY_EDGES     18 /* most */
#define MOTOR_TELEMETRY_STOPPED   0xfff

/* 21 bits, first the highest, 1: low. */
uint32_t motor_telemetry_encode(uint16_t raw12);
/* Refuses what is no code or has a wrong CRC. */
bool motor_telemetry_decode(uint32_t nrzi, uint16_t *raw12);

/* Of the ticks of the telemetry's edges, the first the falling one: the 21 bits. Refuses edges that do
 * not keep to one bit period, within a tenth of bit_ticks (nominal, of the telemetry). */
bool motor_telemetry_read(const int32_t *at, size_t count, double bit_ticks,
                          uint32_t *nrzi);

/* Fills kind (MOTOR_ERPM or MOTOR_EXTENDED, MOTOR_DAMAGED for a period of 0), raw, erpm or extended
 * and value. */
void motor_telemetry_word(uint16_t raw12, struct motor_word *w);
/* A speed as an ESC would write it; 0: stopped. */
uint16_t motor_telemetry_from_erpm(double erpm);
