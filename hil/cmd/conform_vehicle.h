/* Which rotor each output of a board drives, out of the user's files. */
#pragma once

#include "hil/conform/conform.h"

/* path: a vehicle file, or a rig file, of which the first vehicle and its fc.motor_order count. False: it could not be
 * read, and that is printed. */
bool conform_read_vehicle(struct conform_options *o, const char *path);
