/* Quantities that are worked out; i: which component or figure, as the table of quantity.c numbers them. NaN: not known. */
#pragma once

#include "hil/formula/quantity.h"

double quantity_altitude(const struct observation *o, int i);
double quantity_height(const struct observation *o, int i);
double quantity_speed(const struct observation *o, int i);
double quantity_tilt(const struct observation *o, int i);
double quantity_attitude(const struct observation *o, int i);
double quantity_charge(const struct observation *o, int i);
double quantity_est_attitude(const struct observation *o, int i);
double quantity_est_position(const struct observation *o, int i);
double quantity_est_attitude_error(const struct observation *o, int i);
double quantity_est_position_error(const struct observation *o, int i);
double quantity_est_error(const struct observation *o, int i);
double quantity_asked_position(const struct observation *o, int i);
double quantity_goto_error(const struct observation *o, int i);
double quantity_yaw_error(const struct observation *o, int i);
double quantity_position_error(const struct observation *o, int i);
double quantity_nearest(const struct observation *o, int i);
double quantity_centre_distance(const struct observation *o, int i);
double quantity_fleet_centre(const struct observation *o, int i);
double quantity_fleet_figure(const struct observation *o, int i);
