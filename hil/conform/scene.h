/* What the conformance test's board is shown: a vehicle at rest on level ground under an open sky, with IMU,
 * GPS, barometer, magnetometer and a sonar that looks down, which a hand may turn. Simulated time runs
 * by its own steps alone. */
#pragma once

#include "io/codec/hilp/hilp.h"
#include "models/sensors/sensors.h"

#define CONFORM_LIFT_M 3.0
#define CONFORM_LIFT_S 3.0

struct conform_scene {
        int64_t t_ns, period_ns;
        int64_t lift_ns; /* when that began; 0: it stands on the ground */
        struct world world;
        struct sensors_params params;
        struct sensors sensors;
        struct body_state body;
        struct vibration vibration;
        struct neighbours others;
        double nothing_m[SONARS_MAX];
        struct sensor_frame frame;
};

/* At rest, heading north, at simulated time 0. The same noise every time. */
void conform_scene_init(struct conform_scene *s, int64_t period_ns);

/* What HELLO says of it. */
void conform_scene_hello(const struct conform_scene *s, struct hilp_hello *hello);

/* From the next step on it is turned so, about one axis alone, and turning so fast. */
void conform_scene_turn(struct conform_scene *s, struct vec3 angle_rad,
                        struct vec3 rate_radps);

/* From now on it is lifted, gently, in CONFORM_LIFT_S to CONFORM_LIFT_M above where it stood. */
void conform_scene_lift(struct conform_scene *s);

/* So many periods on; what the sensors measured in them, the newest of each. */
const struct sensor_frame *conform_scene_step(struct conform_scene *s, int periods);
