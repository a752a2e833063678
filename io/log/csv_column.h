/* Which columns of a table of text say what of a flight. */
#pragma once

#include <stddef.h>

#include "models/signals.h"

/* What a row may say; groups are said whole or not at all. */
enum csv_part {
        CSV_TIME,
        CSV_NORTH,
        CSV_EAST,
        CSV_DOWN,
        CSV_VEL_NORTH,
        CSV_VEL_EAST,
        CSV_VEL_DOWN,
        CSV_QW,
        CSV_QX,
        CSV_QY,
        CSV_QZ,
        CSV_ROLL,
        CSV_PITCH,
        CSV_YAW,
        CSV_P,
        CSV_Q,
        CSV_R,
        CSV_AX,
        CSV_AY,
        CSV_AZ,
        CSV_VOLTAGE,
        CSV_CURRENT,
        CSV_ARMED,
        CSV_THRUST, /* of a thrust stand */
        CSV_TORQUE,
        CSV_SPEED,
        CSV_PRESSURE,
        CSV_LAT,
        CSV_LON,
        CSV_HEIGHT,
        CSV_FIX_VEL_NORTH,
        CSV_FIX_VEL_EAST,
        CSV_FIX_VEL_DOWN,
        CSV_MOTOR,
        CSV_RC = CSV_MOTOR + ROTORS_MAX,
        CSV_PARTS = CSV_RC + RC_CHANNELS_MAX
};

struct csv_text {
        const char *at;
        size_t len;
};

/* An enum csv_part, and what its numbers are multiplied by; -1: a column that is not read. */
int csv_find_part(struct csv_text name, double *scale);
