/* Throughput of the plant and of the plant with its sensors, per second of one CPU's time: how much
 * slack a period of the rig has. All fly the first vehicle of a rig file in its world. Each prints
 * one JSON object on a line of its own and returns 0, or -1 after a message. */
#pragma once

#include <stdio.h>

#include "hil/config/config.h"

/* vehicle_move() alone: RK4 in double precision, flying. */
int bench_plant(FILE *out, const char *config_path);

/* vehicle_step(): surroundings, battery, plant and every sensor of the vehicle, one step a period. */
int bench_sensors(FILE *out, const char *config_path);

/* 64 plants together, with each set of vector instructions that the processor has, beside the same plants one by one; and
 * their periods, with every sensor. */
int bench_batch(FILE *out, const char *config_path);

/* Speed at which the rotors carry the vehicle, near enough: a bench need not hover. */
double bench_hover_radps(const struct vehicle_params *p, const struct world *w);
/* About the duty that hovers, a few per cent either way, the same every time. */
void bench_hover_commands(struct motor_command *command, int count,
                          const struct vehicle_params *p, const struct world *w);
/* The plant is back where it started; time and sensors, which are many times as large, go on. */
void bench_start_again(struct vehicle *v, const struct vehicle *start);
/* The thread's own time: what other programs take of this CPU is not the plant's cost. */
double bench_cpu_s(void);

/* What questions to the world cost: a ray, a touch, a ring of sonars, over terrain of so many
 * triangles. One JSON object a line for each number of triangles. 0, or -1 after a message. */
int bench_world(FILE *out);

/* What each model costs when it runs: nanoseconds of one CPU a call, for what the first vehicle of a
 * rig file has fitted and for its world. One JSON object a line for each model; how often it runs is
 * in `per_s`, so that their product is its share of a second. 0, or -1 after a message. */
int bench_models(FILE *out, const char *config_path);
