/* Which outputs of an ArduPilot log drive motors, and what their pulses mean, as its parameters say. */
#pragma once

#include "io/log/dataflash.h"

#define DATAFLASH_OUTPUTS 16

struct dataflash_outputs {
        bool named; /* else output n is motor n */
        int motor_of_output[DATAFLASH_OUTPUTS]; /* from 0; -1: none */
        double pwm_min, pwm_max;
};

void dataflash_outputs_init(struct dataflash_outputs *o);
/* A PARM message. */
void dataflash_outputs_take(struct dataflash_outputs *o,
                            const struct dataflash_message *m);
/* Which motor an output with that pulse drives, less than ROTORS_MAX; -1: none. */
int dataflash_outputs_motor(const struct dataflash_outputs *o, int output, double us);
/* 0 to 1 of the ESC's input. */
double dataflash_outputs_ratio(const struct dataflash_outputs *o, double us);
