/* Gains of the laws that say where to fly. */
#include "hil/config/fc/fc.h"

#define IN(member) AT(fc_file, params.member)

static const struct config_field height_fusion_fields[] = {
        { "sonar_below_m", CONFIG_NUMBER, "The sonar has a weight below this reading.",
          ABOVE(0), AT_MOST(1000), .preset = "5", IN(height_fusion.sonar_below_m) },
        { "pressure_below_m", CONFIG_NUMBER,
          "The pressure has a weight beside the sonar's below this height.", ABOVE(0),
          AT_MOST(10000), .preset = "15", IN(height_fusion.pressure_below_m) },
        { "sonar_max_m", CONFIG_NUMBER, "The sonar's largest reading, M_u.", ABOVE(0),
          AT_MOST(1000), .preset = "4", IN(height_fusion.sonar_max_m) },
        { "sonar_offset_m", CONFIG_NUMBER, "Taken off the sonar's reading in (36), R_u.",
          BETWEEN(0, 1000), .preset = "1", IN(height_fusion.sonar_offset_m) },
        { NULL },
};

const struct config_table config_height_fusion_table = {
        .name = "fc_height_fusion",
        .about = "Height from sonar and pressure by weights (Micklisch 5.1), for ground "
                 "weighted.",
        .field = height_fusion_fields,
};

static const struct config_field takeoff_states_fields[] = {
        { "spool_s", CONFIG_NUMBER, "Time in which the motors spool up from rest.",
          BETWEEN(0, 60), .preset = "0.8", IN(takeoff_states.spool_s) },
        { "first_m", CONFIG_NUMBER,
          "Desired height above the ground while it stands on it.", ABOVE(0),
          AT_MOST(1000), .preset = "10", IN(takeoff_states.first_m) },
        { "off_ground_m", CONFIG_NUMBER,
          "Above this height it has left the ground: the second state.", ABOVE(0),
          AT_MOST(1000), .preset = "1.65", IN(takeoff_states.off_ground_m) },
        { "height_m", CONFIG_NUMBER,
          "Where the take-off ends and it hovers, above the ground.", ABOVE(0),
          AT_MOST(1000), .preset = "5", IN(takeoff_states.height_m) },
        { "tolerance_m", CONFIG_NUMBER,
          "It has arrived when it is no farther below that height than this.",
          BETWEEN(0, 100), .preset = "0.25", IN(takeoff_states.tolerance_m) },
        { NULL },
};

const struct config_table config_takeoff_states_table = {
        .name = "fc_takeoff_states",
        .about = "Take-off in three states (Micklisch 5.2), for takeoff states.",
        .field = takeoff_states_fields,
};

static const struct config_field takeoff_thesis_fields[] = {
        { "gain_per_s", CONFIG_NUMBER, "Climb over height error.", ABOVE(0), AT_MOST(10),
          .preset = "0.7", IN(takeoff_thesis.gain_per_s) },
        { "tolerance_m", CONFIG_NUMBER, "The take-off is complete within this distance.",
          ABOVE(0), AT_MOST(100), .preset = "0.3", IN(takeoff_thesis.tolerance_m) },
        { NULL },
};

const struct config_table config_takeoff_thesis_table = {
        .name = "fc_takeoff_thesis",
        .about = "Take-off proportional to a height (Gruber A.8.8), for takeoff thesis.",
        .field = takeoff_thesis_fields,
};

static const struct config_field landing_states_fields[] = {
        { "slow_m", CONFIG_NUMBER, "The second state begins below it.", ABOVE(0),
          AT_MOST(1000), .preset = "1", IN(landing_states.slow_m) },
        { "flare_m", CONFIG_NUMBER, "The third state begins below it.", ABOVE(0),
          AT_MOST(1000), .preset = "0.5", IN(landing_states.flare_m) },
        { "off_m", CONFIG_NUMBER, "Motors off below it.", BETWEEN(0, 1000),
          .preset = "0.1", IN(landing_states.off_m) },
        { "high_below_m", CONFIG_NUMBER,
          "How far below itself the commanded position is in the first state.", ABOVE(0),
          AT_MOST(1000), .preset = "4", IN(landing_states.high_below_m) },
        { "slow_below_m", CONFIG_NUMBER, "In the second.", ABOVE(0), AT_MOST(1000),
          .preset = "2", IN(landing_states.slow_below_m) },
        { "flare_below_m", CONFIG_NUMBER, "In the third.", ABOVE(0), AT_MOST(1000),
          .preset = "0.1", IN(landing_states.flare_below_m) },
        { NULL },
};

const struct config_table config_landing_states_table = {
        .name = "fc_landing_states",
        .about = "Landing in four states (Micklisch 5.3), for landing states. Heights "
                 "are above the landing position, as the ground law gives them.",
        .field = landing_states_fields,
};

static const struct config_field landing_thesis_fields[] = {
        { "sink_mps", CONFIG_NUMBER, "Downward velocity.", ABOVE(0), AT_MOST(20),
          .preset = "0.5", IN(landing_thesis.sink_mps) },
        { "every_s", CONFIG_NUMBER,
          "Interval between the ten measurements that must show no velocity.", ABOVE(0),
          AT_MOST(10), .preset = "0.1", IN(landing_thesis.every_s) },
        { "zero_mps", CONFIG_NUMBER, "A measured velocity below this counts as zero.",
          ABOVE(0), AT_MOST(10), .preset = "0.2", IN(landing_thesis.zero_mps) },
        { NULL },
};

const struct config_table config_landing_thesis_table = {
        .name = "fc_landing_thesis",
        .about = "Landing until the velocity is zero (Gruber A.8.6, B.2.7), for landing "
                 "thesis.",
        .field = landing_thesis_fields,
};

static const struct config_field position_thesis_fields[] = {
        { "gain_per_s", CONFIG_NUMBER, "Velocity over distance.", ABOVE(0), AT_MOST(10),
          .preset = "0.7", IN(position_thesis.gain_per_s) },
        { "speed_max_mps", CONFIG_NUMBER, "Largest horizontal velocity.", ABOVE(0),
          AT_MOST(50), .preset = "1", IN(position_thesis.speed_max_mps) },
        { "tolerance_m", CONFIG_NUMBER,
          "The way-point is reached within this distance; then the heading is corrected.",
          ABOVE(0), AT_MOST(100), .preset = "0.3", IN(position_thesis.tolerance_m) },
        { "yaw_gain_per_s", CONFIG_NUMBER, "Yaw rate over heading error.", ABOVE(0),
          AT_MOST(10), .preset = "1", IN(position_thesis.yaw_gain_per_s) },
        { "yaw_rate_max_dps", CONFIG_NUMBER, "Fastest turn.", ABOVE(0), AT_MOST(1000),
          .scale = RAD_PER_DEG, .preset = "40", IN(position_thesis.yaw_rate_max_radps) },
        { "yaw_tolerance_deg", CONFIG_NUMBER, "The heading is reached within this angle.",
          ABOVE(0), AT_MOST(180), .scale = RAD_PER_DEG, .preset = "5",
          IN(position_thesis.yaw_tolerance_rad) },
        { NULL },
};

const struct config_table config_position_thesis_table = {
        .name = "fc_position_thesis",
        .about = "Way-points, position before heading (Gruber A.8.3), for position "
                 "thesis.",
        .field = position_thesis_fields,
};

static const struct config_field sonar_ring_fields[] = {
        { "first", CONFIG_INTEGER,
          "Number of the first, as the vehicle file counts them.",
          BETWEEN(0, SONARS_MAX - 1), .preset = "1", IN(sonar_ring.first) },
        { "count", CONFIG_INTEGER, "How many there are. 0: there is no ring.",
          BETWEEN(0, SONARS_MAX), .preset = "0", IN(sonar_ring.count) },
        { "first_angle_deg", CONFIG_NUMBER,
          "Direction of the first, clockwise from forward; the others follow evenly "
          "around the circle.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "15",
          IN(sonar_ring.first_angle_rad) },
        { "silent_s", CONFIG_NUMBER, "A sonar that is silent for longer is ignored.",
          ABOVE(0), AT_MOST(60), .preset = "0.3", IN(sonar_ring.silent_s) },
        { NULL },
};

const struct config_table config_sonar_ring_table = {
        .name = "fc_sonar_ring",
        .about = "Which of the sonars look around (Micklisch 34), for avoidance.",
        .field = sonar_ring_fields,
};

static const struct config_field avoid_states_fields[] = {
        { "near_m", CONFIG_NUMBER, "Distance below which an obstacle is dangerous, a.",
          ABOVE(0), AT_MOST(1000), .preset = "1.5", IN(avoid_states.near_m) },
        { "far_m", CONFIG_NUMBER, "Distance below which an obstacle is close, b.",
          BETWEEN(0, 1000), .preset = "1.5", IN(avoid_states.far_m) },
        { "slow_ratio", CONFIG_NUMBER,
          "Share of the way to the commanded position that is left when close.",
          BETWEEN(0, 1), .preset = "0.4", IN(avoid_states.slow_ratio) },
        { "leash_m", CONFIG_NUMBER, "Longest way that is reduced.", ABOVE(0),
          AT_MOST(10000), .preset = "1.5", IN(avoid_states.leash_m) },
        { NULL },
};

const struct config_table config_avoid_states_table = {
        .name = "fc_avoid_states",
        .about = "Obstacles by three states (Micklisch 6.1), for avoidance states.",
        .field = avoid_states_fields,
};

static const struct config_field avoid_levels_fields[] = {
        { "front_m", CONFIG_NUMBER, "Stop when something ahead is nearer than this.",
          ABOVE(0), AT_MOST(1000), .preset = "1.5", IN(avoid_levels.front_m) },
        { "sides_m", CONFIG_NUMBER,
          "Keep to the middle when obstacles on both sides are nearer than this.",
          ABOVE(0), AT_MOST(1000), .preset = "4", IN(avoid_levels.sides_m) },
        { "leash_m", CONFIG_NUMBER, "Longest way ahead.", ABOVE(0), AT_MOST(10000),
          .preset = "1", IN(avoid_levels.leash_m) },
        { "arrived_m", CONFIG_NUMBER,
          "Within this distance of the commanded position it goes straight there.",
          ABOVE(0), AT_MOST(1000), .preset = "0.5", IN(avoid_levels.arrived_m) },
        { NULL },
};

const struct config_table config_avoid_levels_table = {
        .name = "fc_avoid_levels",
        .about = "Obstacles by two levels (Micklisch 6.2), for avoidance levels.",
        .field = avoid_levels_fields,
};
