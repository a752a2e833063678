/* What the conformance test's board is shown: a vehicle at rest on level ground under an open sky, with IMU,
 * GPS, barometer, magnetometer and a sonar that looks down, which a hand may turn. Simulated time runs
 * by its own steps alone. */
#ifndef HIL_CONFORM_SCENE_H
#define HIL_CONFORM_SCENE_H

#include "io/codec/hilp/hilp.h"
#include "models/sensors/sensors.h"

struct conform_scene {
        int64_t t_ns, period_ns;
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

/* From the next step on it is turned so, about one axis of the two, and turning so fast. */
void conform_scene_turn(struct conform_scene *s, double roll_rad, double pitch_rad,
                        double roll_radps, double pitch_radps);

/* So many periods on; what the sensors measured in them, the newest of each. */
const struct sensor_frame *conform_scene_step(struct conform_scene *s, int periods);

#endif
