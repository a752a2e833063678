/* The law that the reference flight controller uses in each stage: its own, or one of the
 * documents'. The first of each is its own, and the default: all zero changes nothing. Every other
 * law is a module of its own, selected here; see docs/flight-controller.md. */
#pragma once

#include "models/fc/flock/flock.h"

/* Attitude -> torque. */
enum attitude_law {
        ATTITUDE_CASCADE, /* quaternion P, rate PI, filters */
        ATTITUDE_KEMPER_PID,
        ATTITUDE_KEMPER_PD,
        ATTITUDE_HOFFMANN, /* PID at low speed, PD at high speed */
        ATTITUDE_DIKMEN, /* sliding mode */
        ATTITUDE_FINKEN, /* PID (Maeurer and Velinov 3.1.2) */
        ATTITUDE_LAWS
};

/* Target -> tilt. */
enum position_law {
        POSITION_CASCADE, /* P, then PI on the velocity */
        POSITION_THESIS, /* P to body velocities; position first, then heading (Gruber A.8.3) */
        POSITION_FINKEN, /* PID to a target (Maeurer and Velinov 3.1.3) */
        POSITION_STICKS, /* none: roll, pitch, yaw and throttle from RC */
        POSITION_LAWS
};

/* Height -> thrust. */
enum height_law {
        HEIGHT_CASCADE,
        HEIGHT_FINKEN, /* (3.5) */
        HEIGHT_LAWS
};

enum takeoff_law {
        TAKEOFF_CLIMB,
        TAKEOFF_STATES, /* Micklisch 5.2 */
        TAKEOFF_THESIS, /* P to a height (Gruber A.8.8) */
        TAKEOFF_LAWS
};

enum landing_law {
        LANDING_SINK,
        LANDING_STATES, /* Micklisch 5.3 */
        LANDING_THESIS, /* a given velocity until the measured one is zero (Gruber A.8.6, B.2.7) */
        LANDING_LAWS
};

/* A ring of sonars bends the way to the target. */
enum avoidance_law {
        AVOIDANCE_OFF,
        AVOIDANCE_STATES, /* Micklisch method 1: (38), algorithms 4 and 5 */
        AVOIDANCE_LEVELS, /* method 2: algorithms 6 to 9 */
        AVOIDANCE_LAWS
};

/* Where position and velocity come from. */
enum navigation_law {
        NAVIGATION_SENSORS,
        NAVIGATION_INERTIAL, /* the IMU alone, from rest: Micklisch (39) to (45) */
        NAVIGATION_COLLECTIVE, /* and the distances to others, who tell theirs */
        NAVIGATION_LAWS
};

/* Height above the surface below, for take-off and landing. */
enum ground_law {
        GROUND_ESTIMATED,
        GROUND_WEIGHTED, /* sonar and pressure by weights: Micklisch (35) to (37) */
        GROUND_LAWS
};

struct law_params {
        enum attitude_law attitude;
        enum position_law position;
        enum height_law height;
        enum takeoff_law takeoff;
        enum landing_law landing;
        enum avoidance_law avoidance;
        enum navigation_law navigation;
        enum ground_law ground;
        enum flock_law flock;
};

/* Names in configurations and options: index by law, NULL at the end. */
extern const char *const attitude_law_names[];
extern const char *const position_law_names[];
extern const char *const height_law_names[];
extern const char *const takeoff_law_names[];
extern const char *const landing_law_names[];
extern const char *const avoidance_law_names[];
extern const char *const navigation_law_names[];
extern const char *const ground_law_names[];
