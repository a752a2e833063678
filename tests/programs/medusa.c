/* MEDUSA for scripts/medusa.mjs: the arena's length and width and the sonars' maximum on the command line; lines "t yaw
 * front right back left" (s, rad, m; 0: none) on standard input become "t north east weight" where a place is told. */
#include <stdio.h>
#include <stdlib.h>

#include "models/fc/estimate/medusa.h"

#define QUARTER_RAD 1.5707963267948966

int main(int argc, char **argv)
{
        struct medusa_params p = {
                .sonars = 4,
                .bearing_rad = { 0.0, QUARTER_RAD, 2 * QUARTER_RAD, 3 * QUARTER_RAD },
                .offset_m = { 0.04, 0.04, 0.04, 0.04 },
                .sigma_m = 0.05,
                .speed_max_mps = 3.0,
        };
        double t_s, last_s = 0.0, yaw_rad, range_m[4];
        struct medusa m = { 0 };

        if (argc != 4) {
                fprintf(stderr, "usage: medusa LENGTH WIDTH MAXIMUM\n");
                return 2;
        }
        p.length_m = atof(argv[1]);
        p.width_m = atof(argv[2]);
        p.range_max_m = atof(argv[3]);
        while (scanf("%lf %lf %lf %lf %lf %lf", &t_s, &yaw_rad, &range_m[0], &range_m[1],
                     &range_m[2], &range_m[3]) == 6) {
                if (medusa_step(&m, &p, yaw_rad, range_m, t_s - last_s))
                        printf("%.3f %.4f %.4f %.4g\n", t_s, m.north_m, m.east_m,
                               m.weight);
                last_s = t_s;
        }
        return 0;
}
