/* What questions to the world cost: a ray, a touch, a ring of sonars, over terrain of so many
 * triangles. One JSON object a line for each number of triangles. */
#ifndef HIL_BENCH_WORLD_H
#define HIL_BENCH_WORLD_H

#include <stdio.h>

/* 0, or -1 after a message. */
int bench_world(FILE *out);

#endif
