/* Throughput of the plant and of the plant with its sensors, per second of one CPU's time: how much
 * slack a period of the rig has. Both fly the first vehicle of a rig file in its world. Each prints
 * one JSON object on a line of its own and returns 0, or -1 after a message. */
#ifndef HIL_BENCH_PLANT_H
#define HIL_BENCH_PLANT_H

#include <stdio.h>

/* vehicle_move() alone: RK4 in double precision, flying. */
int bench_plant(FILE *out, const char *config_path);

/* vehicle_step(): surroundings, battery, plant and every sensor of the vehicle, one step a period. */
int bench_sensors(FILE *out, const char *config_path);

#endif
