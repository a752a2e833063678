/* Height above the surface below, as a weighted mean of two sensors: sonar near the ground, pressure
 * high up (Micklisch, Hilliard and ElAarag 5.1, after Gageik, Rothe and Montenegro 2012). */
#pragma once

#include <stdbool.h>

struct height_fusion_params {
        double sonar_below_m; /* the sonar has a weight below this reading; 5.1: 5 m */
        double pressure_below_m; /* the pressure below this height; 5.1: 15 m */
        double sonar_max_m; /* M_u: its largest reading */
        double sonar_offset_m; /* R_u, by how much higher up it counts as much; 5.1: 1 m */
};

enum height_sensor { HEIGHT_BY_PRESSURE, HEIGHT_BY_SONAR };

struct height_fusion {
        double height_m; /* Alt */
        double sonar_weight, pressure_weight; /* W_u and W_p, 0 to 1; together 1 */
        enum height_sensor main; /* the one with the higher weight */
};

/* pressure_m: O_p, height by pressure. sonar_m: O_u, from 0; not read unless `echo`. */
void height_fusion_step(const struct height_fusion_params *p, double pressure_m,
                        double sonar_m, bool echo, struct height_fusion *out);
