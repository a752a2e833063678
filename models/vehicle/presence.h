/* What a vehicle is to the others near it, and what they do to its air. */
#pragma once

#include "models/vehicle/vehicle.h"

/* Balls of the hull, rods from the middle of the airframe to hubs and gear, discs of the rotors; about the centre of
 * mass, where the parameters' places count from. */
void vehicle_shape(struct shape *out, const struct vehicle_params *p);

/* As it is now; it refers to p. washes: whether it moves air, too. */
void vehicle_presence(struct presence *out, const struct vehicle *v,
                      const struct vehicle_params *p, const struct world *world,
                      bool washes);

/* Adds the others' wash to the surroundings of the period: its mean over the rotors' discs to the wind, and what each
 * rotor meets beyond that to its hub. With blade elements that is part of their inflow; without, each hub has an equal share
 * of the airframe's linear drag, in which the fitted damping of the rotors is, and what differs turns the vehicle. Returns
 * whether any reaches it. */
bool vehicle_feel_wash(struct vehicle *v, const struct vehicle_params *p,
                       const struct neighbours *others);

/* Sorts the numbers of several from the south to the north, each at north_m[number]. They hardly change places from one
 * period to the next: costs little where the order still holds. */
void presence_order(int *by_north, const double *north_m, int count);
