/* What a flight controller sends to its ESCs over one wire, and the vocabulary for it. The decoders
 * behind this (motor_edges, motor_pulse, motor_dshot, motor_proshot, motor_pad) are pure functions
 * on captured samples or edges: no clock, no file, no allocation.
 *
 * Time is counted in ticks of the capturing device (a sample of an analyzer, a count of a timer),
 * from its start; a pad is one of its inputs. Levels are those of the wire, true: high. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOTOR_PADS_MAX 8

enum motor_protocol {
        MOTOR_UNKNOWN, /* not recognised yet */
        MOTOR_PWM, /* 1000 to 2000 us */
        MOTOR_ONESHOT125, /* 125 to 250 us */
        MOTOR_ONESHOT42, /* 42 to 84 us */
        MOTOR_MULTISHOT, /* 5 to 25 us */
        MOTOR_PROSHOT1000, /* four nibbles of 4 us */
        MOTOR_DSHOT150,
        MOTOR_DSHOT300,
        MOTOR_DSHOT600,
        MOTOR_DSHOT1200,
        MOTOR_PROTOCOLS
};

/* The idle level of a pad. */
enum motor_polarity {
        MOTOR_POLARITY_AUTO, /* to be found out */
        MOTOR_POLARITY_NORMAL, /* low: pulses are high */
        MOTOR_POLARITY_INVERTED,
        MOTOR_POLARITIES
};

/* A change of level: the pad has it from tick on. */
struct motor_edge {
        int64_t tick;
        uint8_t pad;
        bool level;
};

enum motor_word_kind {
        MOTOR_THROTTLE, /* duty is valid; also a pulse of PWM and its relatives */
        MOTOR_STOP, /* digital 0: disarmed */
        MOTOR_COMMAND, /* digital 1 to 47: beeps, directions, settings; moves no motor */
        MOTOR_ERPM, /* the ESC's telemetry: speed */
        MOTOR_EXTENDED, /* the ESC's telemetry: temperature, voltage, current, ... */
        MOTOR_DAMAGED, /* looked like a frame, with a wrong CRC, bit count or code */
        MOTOR_ODD /* a pulse outside its protocol's range */
};

/* The type of an extended telemetry frame (its upper four bits). */
enum motor_extended {
        MOTOR_TEMPERATURE = 0x2, /* degree Celsius */
        MOTOR_VOLTAGE = 0x4, /* 0.25 V per count */
        MOTOR_CURRENT = 0x6, /* 1 A per count */
        MOTOR_DEBUG1 = 0x8,
        MOTOR_DEBUG2 = 0xa,
        MOTOR_STRESS = 0xc,
        MOTOR_STATUS = 0xe
};

/* One frame or pulse of one pad. */
struct motor_word {
        int64_t start_tick; /* first edge */
        int64_t end_tick; /* the edge that completes it */
        uint8_t pad;
        enum motor_protocol protocol;
        enum motor_word_kind kind;
        bool inverted; /* idles high: bidirectional DShot */
        bool telemetry; /* DShot, ProShot: the bit that asks for it */
        uint16_t
                raw; /* DShot, ProShot: all 16 bits; ESC's telemetry: its 12 without CRC */
        uint16_t value; /* the 11 bits; of MOTOR_COMMAND its number */
        double width_s; /* of a pulse */
        /* MOTOR_THROTTLE: 0 to 1. With motor_range.three_d -1 to 1, backwards negative. */
        double duty;
        double erpm; /* MOTOR_ERPM: electrical revolutions per minute, 0: stopped */
        enum motor_extended extended; /* MOTOR_EXTENDED, and its value in `value` */
};

/* Zero and full throttle of a PWM pulse; its relatives scale with it. All zero: 1000 and 2000 us. */
struct motor_range {
        double low, high; /* us */
        bool three_d; /* both directions: the middle is stop */
};

/* "DSHOT600"; "unknown". */
const char *motor_protocol_name(enum motor_protocol protocol);
/* By the same name, any case. False: unknown name. */
bool motor_protocol_find(const char *name, enum motor_protocol *protocol);
/* "auto", "normal", "inverted"; and the reverse, any case. */
const char *motor_polarity_name(enum motor_polarity polarity);
bool motor_polarity_find(const char *name, enum motor_polarity *polarity);
static inline bool motor_protocol_is_dshot(enum motor_protocol protocol)
{
        return protocol >= MOTOR_DSHOT150 && protocol <= MOTOR_DSHOT1200;
}
/* PWM, OneShot125, OneShot42 and Multishot: one pulse is one value. */
static inline bool motor_protocol_is_pulse(enum motor_protocol protocol)
{
        return protocol >= MOTOR_PWM && protocol <= MOTOR_MULTISHOT;
}
/* Of a DShot bit, nominal; 0 for others. */
double motor_protocol_bit_s(enum motor_protocol protocol);
/* Width of a pulse of zero throttle, and how much longer full throttle is; 0 for others. */
double motor_protocol_low_s(enum motor_protocol protocol);
double motor_protocol_span_s(enum motor_protocol protocol);
/* The lowest of the sample rates that analyzers offer at which frames are read without errors
 * (docs/performance.md); for pulses, at which one sample is less than a hundredth of the range. */
double motor_protocol_clean_hz(enum motor_protocol protocol);
