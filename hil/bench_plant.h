/* Throughput of the plant and of the plant with its sensors, per second of one CPU's time:
 * how much slack a period of the rig has. Each prints one JSON object on a line of its own and returns 0,
 * or -1 when it could not write. */
#ifndef HIL_BENCH_PLANT_H
#define HIL_BENCH_PLANT_H

#include <stdio.h>

/* vehicle_move() alone: RK4 in double precision, four rotors, flying. */
int bench_plant(FILE *out);

/* vehicle_step() with every sensor fitted and noisy: IMU at 1 kHz, magnetometer at 100,
 * barometer at 50, sonar at 20 and GPS at 4 Hz. */
int bench_sensors(FILE *out);

#endif
