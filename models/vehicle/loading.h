/* What becomes of a vehicle whose mass changes: mass, centre of mass, inertia, and every place that
 * is told from the centre of mass. Nothing of the airframe moves by it. */
#pragma once

#include "models/plant/inertia.h"
#include "models/vehicle/vehicle.h"

/* Something that is fixed to the vehicle: a box of even density along forward, right, down, or a
 * point where its size is 0. */
struct load {
        char name[64];
        double mass_kg; /* > 0 */
        struct vec3 at_m; /* its own centre of mass, from that of the vehicle file */
        struct vec3 size_m; /* length, width, height */
};

/* Begins the sum, about the vehicle file's centre of mass, with the vehicle as it is. */
void loading_init(struct inertia_sum *sum, const struct vehicle_params *p);

/* sign: 1 puts it on, -1 takes it off again. */
void loading_add(struct inertia_sum *sum, const struct load *load, double sign);

/* Mass and inertia of the sum, and rotors, gear, hull, box and sensors from its centre;
 * vehicle_params_prepare() comes after it. shift_m: by how much the mass as a whole, with all that is on
 * the vehicle, lies elsewhere in the airframe, with the inertia about its own centre unchanged, as if
 * everything heavy had slid together. False, with p as it was: no body has such a mass or
 * inertia. */
bool loading_apply(struct vehicle_params *p, struct inertia_sum *sum,
                   struct vec3 shift_m);

/* The loads of a vehicle at its start: the three above. */
bool loading_put_on(struct vehicle_params *p, const struct load *const *load, int count);

/* The motion of the body seen from another centre, both from the vehicle file's. Every point of the
 * airframe stays where it is and as fast as it is: what comes onto the vehicle moved with it
 * before, and what leaves it moves on alone. So momentum and angular momentum of all parts
 * together are those before, but for a shift, whose push comes from inside and is over at
 * once. */
void loading_carry(struct body_state *s, struct vec3 from_m, struct vec3 to_m);
