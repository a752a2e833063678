/* The 16 bits of a DShot or ProShot frame (value 11, telemetry 1, CRC 4; highest first), and the
 * meaning of a value or of the width of a pulse. */
#pragma once

#include "io/motor/signal.h"

#define MOTOR_VALUE_MAX     2047
#define MOTOR_VALUE_LOWEST  48 /* throttle; below are stop and commands */
#define MOTOR_VALUE_FORWARD 1048 /* with three_d: forward from here on */

/* inverted_crc: bidirectional DShot. */
uint16_t motor_value_pack(uint16_t value, bool telemetry, bool inverted_crc);
/* Fills raw, value, telemetry and kind: MOTOR_THROTTLE (and duty), MOTOR_STOP, MOTOR_COMMAND, or
 * MOTOR_DAMAGED if the CRC is wrong, then only raw is filled. */
void motor_value_unpack(uint16_t raw, bool inverted_crc, bool three_d,
                        struct motor_word *w);

/* A pulse's width <-> duty, clamped to the range. */
double motor_value_duty(enum motor_protocol protocol, const struct motor_range *range,
                        double width_s);
double motor_value_width_s(enum motor_protocol protocol, const struct motor_range *range,
                           double duty);
