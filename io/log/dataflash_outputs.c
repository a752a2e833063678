/* ArduPilot's parameters SERVOn_FUNCTION and MOT_PWM_*. */
#include "io/log/dataflash_outputs.h"

#include <math.h>
#include <string.h>

#include "models/signals.h"

#define FUNCTION_MOTOR1 33 /* of SERVOn_FUNCTION; motors 5 to 8 are 82 to 85 */
#define FUNCTION_MOTOR5 82

void dataflash_outputs_init(struct dataflash_outputs *o)
{
        *o = (struct dataflash_outputs){ .pwm_min = 1000.0, .pwm_max = 2000.0 };
        for (int i = 0; i < DATAFLASH_OUTPUTS; i++)
                o->motor_of_output[i] = i;
}

static bool is_named(const uint8_t *name, size_t len, const char *wanted)
{
        return strlen(wanted) == len && memcmp(name, wanted, len) == 0;
}

static int motor_of(double function)
{
        if (function >= FUNCTION_MOTOR1 && function < FUNCTION_MOTOR1 + 4)
                return (int)function - FUNCTION_MOTOR1;
        if (function >= FUNCTION_MOTOR5 && function < FUNCTION_MOTOR5 + 4)
                return (int)function - FUNCTION_MOTOR5 + 4;
        return -1;
}

/* SERVO1_FUNCTION to SERVO16_FUNCTION. */
static void take_function(struct dataflash_outputs *o, const uint8_t *name, size_t len,
                          double value)
{
        int output = 0;
        size_t at = 5;

        if (len < 15 || memcmp(name, "SERVO", 5) != 0)
                return;
        for (; at < len && name[at] >= '0' && name[at] <= '9' && output < 100; at++)
                output = 10 * output + (name[at] - '0');
        if (!is_named(name + at, len - at, "_FUNCTION") || output < 1 ||
            output > DATAFLASH_OUTPUTS)
                return;
        o->motor_of_output[output - 1] = motor_of(value);
        o->named |= motor_of(value) >= 0;
}

void dataflash_outputs_take(struct dataflash_outputs *o,
                            const struct dataflash_message *m)
{
        int name_at = dataflash_field(m->format, "Name");
        double value = dataflash_number(m, dataflash_field(m->format, "Value"));
        size_t len = 0;
        const uint8_t *name = dataflash_text(m, name_at, &len);

        if (name == NULL || isnan(value))
                return;
        if (is_named(name, len, "MOT_PWM_MIN") && value >= 100.0)
                o->pwm_min = value;
        else if (is_named(name, len, "MOT_PWM_MAX") && value >= 100.0)
                o->pwm_max = value;
        else
                take_function(o, name, len, value);
}

int dataflash_outputs_motor(const struct dataflash_outputs *o, int output, double us)
{
        int motor = o->motor_of_output[output];

        return motor >= ROTORS_MAX || (!o->named && us == 0.0) ? -1 : motor;
}

double dataflash_outputs_ratio(const struct dataflash_outputs *o, double us)
{
        double ratio = (us - o->pwm_min) / (o->pwm_max - o->pwm_min);

        return ratio > 0.0 ? fmin(ratio, 1.0) : 0.0;
}
