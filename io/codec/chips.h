/* The board's own chips that still count though a device at one of its ports is to give what they measure: they know
 * nothing of the flight. Known from the firmware's parameters: of each sensor its number and whether it is used. A sensor's
 * number, as ArduPilot (AP_HAL/Device.h) and PX4 (lib/drivers/device/Device.hpp) both make it, has in bits 0 to 2 how it is
 * attached. Nothing is said of what is not told, nor of sensors behind CAN or a serial port, or of a simulator's. */
#pragma once

#include <stddef.h>

#include "models/signals.h"

#define CHIPS_MAX     12
#define CHIP_UNLESS_0 (-1)
#define CHIP_PARAM_LENGTH                                                                \
        16 /* of a name, in PARAM_VALUE: without an end if it is that long */

/* A firmware's. */
struct chip_table {
        int rows; /* to CHIPS_MAX */
        struct chip_params {
                const char *id, *use; /* names of parameters */
                int counts_at; /* the value of `use` at which it counts; CHIP_UNLESS_0: every other */
                const char *what; /* "IMU 1" */
                enum sensor kind;
        } row[CHIPS_MAX];
};

/* All zero: nothing is known. */
struct chips {
        struct {
                bool id_known, use_known;
                int64_t id, use;
        } chip[CHIPS_MAX];
};

/* Parameter `which` of 2 * rows; NULL: it is known. */
const char *chips_param(const struct chips *c, const struct chip_table *t, int which);
/* One is told: a row whose chip counts, as is known by it; -1: none. */
int chips_take(struct chips *c, const struct chip_table *t, const char *name,
               double value);
/* Which chip that is, and what to set. */
void chips_say(const struct chips *c, const struct chip_table *t, int row, char *text,
               size_t cap);
