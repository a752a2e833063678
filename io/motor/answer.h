/* The ESC's answer to a bidirectional DShot frame: 12 bits and an inverted CRC of 4 bits, each
 * nibble encoded as five bits (GCR) in which a one is a change of level, after a low start bit: 21
 * bits of 4/5 of a DShot bit each, some 30 us after the frame.
 *
 * The 12 bits are the period of an electrical turn, eeemmmmmmmmm: m << e us, encoded so that bit 8
 * is set whenever e is not 0. That leaves codes free for extended telemetry: upper nibble even, not
 * 0, then 8 bits (github.com/bird-sanctuary/extended-dshot-telemetry). An ESC that does not encode
 * periods in this way cannot be distinguished from one that sends extended telemetry. */
#ifndef IO_MOTOR_ANSWER_H
#define IO_MOTOR_ANSWER_H

#include <stddef.h>

#include "io/motor/signal.h"

#define MOTOR_ANSWER_BITS      21
#define MOTOR_ANSWER_EDGES_MIN 10
#define MOTOR_ANSWER_EDGES     18 /* most */
#define MOTOR_ANSWER_STOPPED   0xfff

/* 21 bits, highest first, 1: low. */
uint32_t motor_answer_encode(uint16_t raw12);
/* Rejects invalid codes and a wrong CRC. */
bool motor_answer_decode(uint32_t nrzi, uint16_t *raw12);

/* The ticks of an answer's edges, beginning with the falling one -> the 21 bits. Rejects edges that
 * do not fit one bit period, within a tenth of bit_ticks (nominal, of the answer). */
bool motor_answer_read(const int32_t *at, size_t count, double bit_ticks, uint32_t *nrzi);

/* Fills kind (MOTOR_ERPM or MOTOR_EXTENDED, MOTOR_DAMAGED for a period of 0), raw, erpm or extended
 * and value. */
void motor_answer_word(uint16_t raw12, struct motor_word *w);
/* A speed as an ESC would encode it; 0: stopped. */
uint16_t motor_answer_from_erpm(double erpm);

#endif
