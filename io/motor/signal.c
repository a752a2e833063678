/* Names and times of the motor protocols. */
#include <strings.h>

#include "io/motor/signal.h"

#define NAMES 10
_Static_assert(NAMES == MOTOR_PROTOCOLS, "a protocol has no name");

static const struct {
        const char *name;
        double bit_s; /* DShot */
        double low_s, span_s; /* of a pulse: zero throttle, and from zero to full */
        double clean_hz;
} table[MOTOR_PROTOCOLS] = {
        [MOTOR_UNKNOWN] = { "unknown" },
        [MOTOR_PWM] = { "PWM", 0, 1000e-6, 1000e-6, 200e3 },
        [MOTOR_ONESHOT125] = { "ONESHOT125", 0, 125e-6, 125e-6, 1e6 },
        [MOTOR_ONESHOT42] = { "ONESHOT42", 0, 42e-6, 42e-6, 3e6 },
        [MOTOR_MULTISHOT] = { "MULTISHOT", 0, 5e-6, 20e-6, 8e6 },
        [MOTOR_PROSHOT1000] = { "PROSHOT1000", 0, 0, 0, 24e6 },
        [MOTOR_DSHOT150] = { "DSHOT150", 1 / 150e3, 0, 0, 1e6 },
        [MOTOR_DSHOT300] = { "DSHOT300", 1 / 300e3, 0, 0, 2e6 },
        [MOTOR_DSHOT600] = { "DSHOT600", 1 / 600e3, 0, 0, 4e6 },
        [MOTOR_DSHOT1200] = { "DSHOT1200", 1 / 1200e3, 0, 0, 8e6 },
};

const char *motor_protocol_name(enum motor_protocol protocol)
{
        return table[protocol < MOTOR_PROTOCOLS ? protocol : MOTOR_UNKNOWN].name;
}

bool motor_protocol_find(const char *name, enum motor_protocol *protocol)
{
        for (int i = 0; i < MOTOR_PROTOCOLS; i++) {
                if (strcasecmp(name, table[i].name) != 0)
                        continue;
                *protocol = (enum motor_protocol)i;
                return true;
        }
        return false;
}

static const char *const polarity_name[MOTOR_POLARITIES] = { "auto", "normal",
                                                             "inverted" };

const char *motor_polarity_name(enum motor_polarity polarity)
{
        return polarity_name[polarity < MOTOR_POLARITIES ? polarity
                                                         : MOTOR_POLARITY_AUTO];
}

bool motor_polarity_find(const char *name, enum motor_polarity *polarity)
{
        for (int i = 0; i < MOTOR_POLARITIES; i++) {
                if (strcasecmp(name, polarity_name[i]) != 0)
                        continue;
                *polarity = (enum motor_polarity)i;
                return true;
        }
        return false;
}

double motor_protocol_bit_s(enum motor_protocol protocol)
{
        return protocol < MOTOR_PROTOCOLS ? table[protocol].bit_s : 0.0;
}

double motor_protocol_low_s(enum motor_protocol protocol)
{
        return protocol < MOTOR_PROTOCOLS ? table[protocol].low_s : 0.0;
}

double motor_protocol_span_s(enum motor_protocol protocol)
{
        return protocol < MOTOR_PROTOCOLS ? table[protocol].span_s : 0.0;
}

double motor_protocol_clean_hz(enum motor_protocol protocol)
{
        return protocol < MOTOR_PROTOCOLS ? table[protocol].clean_hz : 0.0;
}
