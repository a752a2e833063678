/* Ground effect of one rotor: Cheeseman and Bennett (1955), T/T_inf = 1/(1 - (R/4z)^2) at the same
 * power, weakened by forward speed. Valid from z = R/2; below that, the value at R/2 holds. */
#pragma once

#include <math.h>

/* Beyond this many radii the effect is left out: less than 0.4 %. */
#define GROUND_EFFECT_RADII 4.0

/* Thrust ratio, 1 to 4/3, of a rotor of radius_m whose hub is height_m above the ground. NaN and
 * INFINITY heights give 1; below R/2 the value at R/2 holds. Falls to exactly 1 at GROUND_EFFECT_RADII
 * without a jump. */
static inline double ground_effect_ratio(double radius_m, double height_m)
{
        double near, x, far;

        if (!(radius_m > 0.0) || !(height_m < GROUND_EFFECT_RADII * radius_m))
                return 1.0;
        near = height_m > 0.5 * radius_m ? height_m : 0.5 * radius_m;
        x = 0.25 * radius_m / near;
        far = 0.25 / GROUND_EFFECT_RADII;
        /* Shifted by the small rest at the upper end. */
        return 1.0 / (1.0 - (x * x - far * far));
}

/* Cosine of the tilt, 30 degrees, up to which the disk feels all of it. */
#define GROUND_EFFECT_LEVEL 0.8660254037844386

/* The same where the disk's axis, against its thrust, points down by axis_down: 1 level, 0 on edge, -1
 * upside down. The ground acts as the disk's image (Cheeseman and Bennett), whose flow comes straight up
 * through the disk: a share falls with the cosine. There is none where the jet does not go towards
 * the ground. */
static inline double ground_effect_tilted_ratio(double radius_m, double height_m,
                                                double axis_down)
{
        double ratio = ground_effect_ratio(radius_m, height_m);
        double share;

        if (!(axis_down < GROUND_EFFECT_LEVEL) || ratio == 1.0)
                return ratio;
        share = axis_down > 0.0 ? axis_down / GROUND_EFFECT_LEVEL : 0.0;
        return 1.0 / (1.0 - share * (1.0 - 1.0 / ratio));
}

/* The factor on the induced velocity that the disk feels, at the same thrust. In hover the thrust
 * goes with the square of v, the induced velocity far from the ground, and the power is T k v: with
 * k = ratio^-1.5 the same power gives `ratio` times the thrust, which is what ground_effect_ratio()
 * says. Forward flight induces less, so the effect fades. */
static inline double ground_effect_inflow_ratio(double thrust_ratio)
{
        return 1.0 / (thrust_ratio * sqrt(thrust_ratio));
}
