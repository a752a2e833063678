/* Throttle and height -> thrust as the FINken does it (Maeurer and Velinov 3.1.2, 3.1.3).
 *
 *   stream = 22.175 throttle/100 + 2 e - 2 v                                             (3.5)
 *
 * is printed without units. It is the air stream behind each rotor in m/s: half of 22.175 is
 * 11.0875, and (3.1) finds 11.0774 m/s for hover. e is the height error, v the climb, up positive.
 * Thrust is proportional to the square of the stream (2.12, 2.13), so it is the weight times
 * (stream/stream_hover)^2, for any rotors. As in the original, tilt is not compensated.
 *
 * (3.6), the throttle curve that makes the middle flat, is a picture that says "logistic curve";
 * what the program calls a logit-like function (github.com/ovgu-FINken/Simulation,
 * vrep/scripts/finkenCore.lua, tuneThrottle) is
 *
 *   50 + a d/(a + 50 - |d|),  d = throttle - 50,  a below the middle and b above, 1 and 1.
 *
 * The choice made here keeps 0, 50 and 100, rises everywhere, is odd about the middle for a = b,
 * and has a slope of a/(a + 50) in the middle (0.0196 for 1: flat) and (a + 50)/a at the ends. A
 * large a leaves the throttle unchanged. */
#pragma once

#include "models/fc/laws/params.h"

/* The height that (3.5) is to reach: that of a target or, if a climb is given instead, as in a
 * landing, one that moves with the climb. */
struct finken_height {
        double down_m;
        bool known;
};

/* is_down_m: the present position. Returns the height error, up positive. */
double finken_height_missing_m(struct finken_height *c, double is_down_m,
                               double target_down_m);

/* The same along a climb, up positive. */
double finken_height_along_m(struct finken_height *c, double is_down_m, double climb_mps,
                             double dt_s);

/* The throttle curve, % to %; clamped outside 0 to 100. */
double finken_throttle(const struct finken_params *p, double throttle_percent);

/* (3.5), m/s, 0 or more. throttle_percent: before the curve. */
double finken_stream_mps(const struct finken_params *p, double throttle_percent,
                         double missing_m, double climb_mps);

/* Thrust of all rotors together. */
double finken_thrust_n(const struct fc_params *p, double stream_mps);
