/* Which way the outputs of a board push when the vehicle is tilted or shaken, against where its rotors are. Pure: what
 * was seen goes in, a judgement in words comes out. */
#pragma once

#include "hil/conform/conform.h"

#define SIGNS_AXES 3 /* roll, pitch, yaw */

/* By output: how far its duty goes with the angle, and with its rate. Of a tilt that is held the first alone. */
struct signs_response {
        double with[HILP_ROTORS_MAX], beside[HILP_ROTORS_MAX];
        double noise; /* of the outputs together: standard error */
};

struct signs {
        int rotors;
        struct conform_rotor rotor[HILP_ROTORS_MAX]; /* by output */
        struct signs_response shaken[SIGNS_AXES], held[SIGNS_AXES];
};

enum signs_are {
        SIGNS_UNKNOWN, /* too weak, or neither one nor the other */
        SIGNS_RIGHT,
        SIGNS_WRONG,
        SIGNS_MIXED /* of one experiment: strong, and mostly about other axes */
};

/* The mean of several, with its noise. */
void signs_average(struct signs_response *mean, const struct signs_response *each,
                   int count, int rotors);

/* Of all of them, in words. A heading that is not held says nothing against a board. */
enum signs_are signs_describe(const struct signs *s, char *text, size_t cap);
