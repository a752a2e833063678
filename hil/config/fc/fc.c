/* Parameter files of the reference flight controller. */
#include "hil/config/fc/fc.h"
#include "models/fc/planted.h"

static const struct config_field airframe_fields[] = {
        { "mass_kg", CONFIG_NUMBER, "Take-off mass.", ABOVE(0), AT_MOST(1000),
          AT(fc_file, params.mass_kg) },
        ROTOR_LAYOUT_FIELDS(fc_file, layout),
        { "thrust_n_per_radps2", CONFIG_NUMBER, "Thrust over the square of the speed.",
          ABOVE(0), AT_MOST(1), AT(fc_file, params.thrust_n_per_radps2) },
        { "torque_nm_per_radps2", CONFIG_NUMBER,
          "Drag torque over the square of the speed.", ABOVE(0), AT_MOST(1),
          AT(fc_file, params.torque_nm_per_radps2) },
        { "speed_full_rpm", CONFIG_NUMBER, "Rotor speed that the full command asks for.",
          ABOVE(0), AT_MOST(200000), .scale = RADPS_PER_RPM,
          AT(fc_file, params.speed_full_radps) },
        { "speed_limit_rpm", CONFIG_NUMBER,
          "Rotor speed beyond which a command saturates.", ABOVE(0), AT_MOST(200000),
          .scale = RADPS_PER_RPM, AT(fc_file, params.speed_limit_radps) },
        { "motor_tau_s", CONFIG_NUMBER, "Lag of the motors.", BETWEEN(0, 10),
          AT(fc_file, params.motor_tau_s) },
        { "motor_tau_wanted_s", CONFIG_NUMBER,
          "Lag that remains after the mixer's lead; motor_tau_s means no lead.",
          BETWEEN(0, 10), AT(fc_file, params.motor_tau_wanted_s) },
        { "idle_percent", CONFIG_NUMBER, "Command when armed on the ground.",
          BETWEEN(0, 50), .scale = 0.01, .preset = "5", AT(fc_file, params.idle_duty) },
        { "magnetic_declination_deg", CONFIG_NUMBER,
          "Of magnetic from true north, east positive.", BETWEEN(-180, 180),
          .scale = RAD_PER_DEG, .preset = "0",
          AT(fc_file, params.magnetic_declination_rad) },
        { "linear_drag_per_s", CONFIG_NUMBER,
          "Deceleration by drag over speed, fed forward.", BETWEEN(0, 100), .preset = "0",
          AT(fc_file, params.linear_drag_per_s) },
        { NULL },
};

static const struct config_rule airframe_rules[] = {
        ROTOR_LAYOUT_RULES,
        { { NULL } },
};

static const struct config_table airframe_table = {
        .name = "fc_airframe",
        .about = "What the flight controller assumes about its airframe.",
        .field = airframe_fields,
        .rule = airframe_rules,
};

static const struct config_field estimator_fields[] = {
        { "accel_gain_per_s", CONFIG_NUMBER, "Tilt correction from the accelerometer.",
          BETWEEN(0, 100), .preset = "0.3", AT(fc_file, params.accel_gain_per_s) },
        { "mag_gain_per_s", CONFIG_NUMBER, "Heading correction from the magnetometer.",
          BETWEEN(0, 100), .preset = "0.5", AT(fc_file, params.mag_gain_per_s) },
        { "gyro_bias_gain_per_s2", CONFIG_NUMBER,
          "How fast the gyroscope's bias is learnt.", BETWEEN(0, 10), .preset = "0.01",
          AT(fc_file, params.gyro_bias_gain_per_s2) },
        { "baro_tau_s", CONFIG_NUMBER, "Time constant of height from the barometer.",
          ABOVE(0), AT_MOST(100), .preset = "1.5", AT(fc_file, params.baro_tau_s) },
        { "sonar_tau_s", CONFIG_NUMBER, "Time constant of height from the sonar.",
          ABOVE(0), AT_MOST(100), .preset = "0.3", AT(fc_file, params.sonar_tau_s) },
        { "sonar_min_m", CONFIG_NUMBER,
          "Shortest distance at which to trust the sonar. A sonar that is blind when the "
          "vehicle stands does not learn its height there and is not used.",
          BETWEEN(0, 1000), .preset = "0", AT(fc_file, params.sonar_min_m) },
        { "sonar_max_m", CONFIG_NUMBER,
          "Largest distance at which to trust the sonar; 0: do not use it.",
          BETWEEN(0, 1000), .preset = "0", AT(fc_file, params.sonar_max_m) },
        { "gps_pos_tau_s", CONFIG_NUMBER, "Time constant of position from GPS.", ABOVE(0),
          AT_MOST(100), .preset = "1.5", AT(fc_file, params.gps_pos_tau_s) },
        { "gps_vel_tau_s", CONFIG_NUMBER, "Time constant of velocity from GPS.", ABOVE(0),
          AT_MOST(100), .preset = "0.6", AT(fc_file, params.gps_vel_tau_s) },
        { "gps_delay_s", CONFIG_NUMBER, "Age of a fix on top of what its sample states.",
          BETWEEN(0, 2), .preset = "0", AT(fc_file, params.gps_delay_s) },
        { NULL },
};

static const struct config_table estimator_table = {
        .name = "fc_estimator",
        .about = "From sensor samples to attitude, position and velocity.",
        .field = estimator_fields,
};

static const struct config_field control_fields[] = {
        { "attitude_p_per_s", CONFIG_VECTOR, "Rate asked for over angle error, x, y, z.",
          ABOVE(0), AT_MOST(100), .size = 3, AT(fc_file, params.attitude_p_per_s) },
        { "rate_max_dps", CONFIG_VECTOR, "Largest rate asked for, x, y, z.", ABOVE(0),
          AT_MOST(5000), .size = 3, .scale = RAD_PER_DEG,
          AT(fc_file, params.rate_max_radps) },
        { "rate_p_nm_per_radps", CONFIG_VECTOR, "Torque over rate error, x, y, z.",
          BETWEEN(0, 1000), .size = 3, AT(fc_file, params.rate_p_nm_per_radps) },
        { "rate_i_nm_per_rad", CONFIG_VECTOR,
          "Torque over the integral of the rate error, x, y, z.", BETWEEN(0, 1000),
          .size = 3, AT(fc_file, params.rate_i_nm_per_rad) },
        { "rate_damping_nm_per_radps", CONFIG_VECTOR,
          "The airframe's damping, fed forward, x, y, z.", BETWEEN(0, 1000), .size = 3,
          .preset = "[0, 0, 0]", AT(fc_file, params.rate_damping_nm_per_radps) },
        { "torque_max_nm", CONFIG_VECTOR, "Largest torque asked for, x, y, z.", ABOVE(0),
          AT_MOST(1000), .size = 3, AT(fc_file, params.torque_max_nm) },
        { "tilt_max_deg", CONFIG_NUMBER, "Largest tilt asked for.", ABOVE(0), AT_MOST(60),
          .scale = RAD_PER_DEG, .preset = "20", AT(fc_file, params.tilt_max_rad) },
        { "position_p_per_s", CONFIG_NUMBER, "Speed asked for over distance.",
          BETWEEN(0, 10), .preset = "0.6", AT(fc_file, params.position_p_per_s) },
        { "speed_max_mps", CONFIG_NUMBER, "Largest horizontal speed asked for.", ABOVE(0),
          AT_MOST(50), .preset = "2", AT(fc_file, params.speed_max_mps) },
        { "velocity_p_per_s", CONFIG_NUMBER, "Acceleration asked for over speed error.",
          BETWEEN(0, 50), .preset = "1", AT(fc_file, params.velocity_p_per_s) },
        { "velocity_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the speed error.", BETWEEN(0, 50),
          .preset = "0.1", AT(fc_file, params.velocity_i_per_s2) },
        { "altitude_p_per_s", CONFIG_NUMBER, "Climb asked for over height error.",
          BETWEEN(0, 10), .preset = "1", AT(fc_file, params.altitude_p_per_s) },
        { "climb_max_mps", CONFIG_NUMBER, "Fastest climb.", ABOVE(0), AT_MOST(20),
          .preset = "1.5", AT(fc_file, params.climb_max_mps) },
        { "descend_max_mps", CONFIG_NUMBER, "Fastest descent.", ABOVE(0), AT_MOST(20),
          .preset = "1", AT(fc_file, params.descend_max_mps) },
        { "land_mps", CONFIG_NUMBER, "Descent onto the ground.", ABOVE(0), AT_MOST(5),
          .preset = "0.5", AT(fc_file, params.land_mps) },
        { "climb_p_per_s", CONFIG_NUMBER, "Acceleration asked for over climb error.",
          BETWEEN(0, 50), .preset = "2", AT(fc_file, params.climb_p_per_s) },
        { "climb_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the climb error.", BETWEEN(0, 50),
          .preset = "0.5", AT(fc_file, params.climb_i_per_s2) },
        { NULL },
};

static const struct config_table control_table = {
        .name = "fc_control",
        .about = "Gains and limits, from the outermost loop's target to torque.",
        .field = control_fields,
};

static const struct config_field safety_fields[] = {
        { "failsafe_after_s", CONFIG_NUMBER,
          "After this long without a sensor frame it lands blind, then stops.", ABOVE(0),
          AT_MOST(60), .preset = "0.5", AT(fc_file, params.failsafe_after_s) },
        { "failsafe_descend_s", CONFIG_NUMBER,
          "How long it then descends before the motors stop.", BETWEEN(0, 600),
          .preset = "3", AT(fc_file, params.failsafe_descend_s) },
        { NULL },
};

static const struct config_table safety_table = {
        .name = "fc_safety",
        .about = "What it does when it hears nothing.",
        .field = safety_fields,
};

static const struct config_field planted_fields[] = {
        { "test_fault", CONFIG_CHOICE,
          "A firmware's fault from the start on; the option of this name plants it in "
          "flight.",
          .names = planted_test_names, .preset = "\"none\"",
          AT(fc_file, params.planted.test) },
        { "delay_us", CONFIG_NUMBER, "Delay of every output.", BETWEEN(0, 60000),
          .scale = 1e-6, .preset = "0", AT(fc_file, params.planted.delay_s) },
        { "gain_ratio", CONFIG_NUMBER,
          "Factor on the torque that the rate loop asks for.", BETWEEN(0, 10),
          .preset = "1", AT(fc_file, params.planted.gain_ratio) },
        { "gyro_bias_dps", CONFIG_VECTOR, "Added to the gyroscope's readings, x, y, z.",
          BETWEEN(-100, 100), .size = 3, .scale = RAD_PER_DEG, .preset = "[0, 0, 0]",
          AT(fc_file, params.planted.gyro_bias_radps) },
        { "accel_bias_mps2", CONFIG_VECTOR,
          "Added to the accelerometer's readings, x, y, z.", BETWEEN(-10, 10), .size = 3,
          .preset = "[0, 0, 0]", AT(fc_file, params.planted.accel_bias_mps2) },
        { "gps_stale_s", CONFIG_NUMBER, "How much older every fix is than it says.",
          BETWEEN(0, 5), .preset = "0", AT(fc_file, params.planted.gps_stale_s) },
        { NULL },
};

static const struct config_table planted_table = {
        .name = "fc_planted",
        .about = "Defects planted on purpose, to see whether a comparison finds them.",
        .field = planted_fields,
};

static const struct config_field fc_fields[] = {
        { "name", CONFIG_NAME, "What the parameter set is called.", .size = NAME_MAX_LEN,
          AT(fc_file, name) },
        { "airframe", CONFIG_OBJECT, "Its airframe.", .table = &airframe_table },
        { "estimator", CONFIG_OBJECT, "Its estimator.", .table = &estimator_table,
          .preset = "{}" },
        { "control", CONFIG_OBJECT, "Its control.", .table = &control_table },
        { "safety", CONFIG_OBJECT, "Its safety.", .table = &safety_table,
          .preset = "{}" },
        { "laws", CONFIG_OBJECT, "Which law it uses at each stage.",
          .table = &config_laws_table, .preset = "{}" },
        { "filters", CONFIG_OBJECT, "Filters on its measurements.",
          .table = &config_filters_table, .preset = "{}" },
        { "kemper", CONFIG_OBJECT, "Gains of Kemper's attitude laws.",
          .table = &config_kemper_table, .preset = "{}" },
        { "hoffmann", CONFIG_OBJECT, "Gains of Hoffmann's attitude law.",
          .table = &config_hoffmann_table, .preset = "{}" },
        { "dikmen", CONFIG_OBJECT, "Gains of Dikmen's attitude law.",
          .table = &config_dikmen_table, .preset = "{}" },
        { "finken", CONFIG_OBJECT, "Gains of the FINken's laws.",
          .table = &config_finken_table, .preset = "{}" },
        { "sticks", CONFIG_OBJECT, "What a pilot's sticks mean.",
          .table = &config_sticks_table, .preset = "{}" },
        { "height_fusion", CONFIG_OBJECT, "Its height above ground.",
          .table = &config_height_fusion_table, .preset = "{}" },
        { "takeoff_states", CONFIG_OBJECT, "Its take-off by states.",
          .table = &config_takeoff_states_table, .preset = "{}" },
        { "takeoff_thesis", CONFIG_OBJECT, "Its take-off by the thesis.",
          .table = &config_takeoff_thesis_table, .preset = "{}" },
        { "landing_states", CONFIG_OBJECT, "Its landing by states.",
          .table = &config_landing_states_table, .preset = "{}" },
        { "landing_thesis", CONFIG_OBJECT, "Its landing by the thesis.",
          .table = &config_landing_thesis_table, .preset = "{}" },
        { "position_thesis", CONFIG_OBJECT, "Its way-points by the thesis.",
          .table = &config_position_thesis_table, .preset = "{}" },
        { "sonar_ring", CONFIG_OBJECT, "Its ring of sonars.",
          .table = &config_sonar_ring_table, .preset = "{}" },
        { "avoid_states", CONFIG_OBJECT, "Its avoidance by states.",
          .table = &config_avoid_states_table, .preset = "{}" },
        { "avoid_levels", CONFIG_OBJECT, "Its avoidance by levels.",
          .table = &config_avoid_levels_table, .preset = "{}" },
        { "flock", CONFIG_OBJECT, "How it flies among other vehicles.",
          .table = &config_flock_table, .preset = "{}" },
        { "collective", CONFIG_OBJECT, "How it finds its position among other vehicles.",
          .table = &config_collective_table, .preset = "{}" },
        { "planted", CONFIG_OBJECT, "Its planted defects.", .table = &planted_table,
          .preset = "{}" },
        { NULL },
};

const struct config_table config_fc_table = {
        .name = "flight_controller",
        .kind = "flight_controller",
        .about = "Parameters of the reference flight controller.",
        .field = fc_fields,
};

static bool ring_fits(const struct fc_params *p, const struct json *node,
                      struct config_error *why)
{
        if (p->sonar_ring.first + p->sonar_ring.count > SONARS_MAX)
                return config_refuse_at(why, node, "sonar_ring.count",
                                        "must be at most %d after the first, is %d",
                                        SONARS_MAX - p->sonar_ring.first,
                                        p->sonar_ring.count);
        if (p->law.avoidance != AVOIDANCE_OFF && p->sonar_ring.count == 0)
                return config_refuse_at(why, node, "laws.avoidance",
                                        "needs a sonar_ring with a count");
        if (p->law.flock == FLOCK_FINKEN && p->sonar_ring.count == 0)
                return config_refuse_at(why, node, "laws.flock",
                                        "\"finken\" needs a sonar_ring with a count");
        if (p->law.flock == FLOCK_FORMATION && p->flock.formation.places == 0)
                return config_refuse_at(why, node, "laws.flock",
                                        "\"formation\" needs flock.formation.places_m");
        return true;
}

/* Else the motors stop while it still comes down. */
static bool landing_fits(const struct fc_params *p, const struct json *node,
                         struct config_error *why)
{
        if (p->landing_thesis.zero_mps >= p->landing_thesis.sink_mps)
                return config_refuse_at(why, node, "landing_thesis.zero_mps",
                                        "must be less than sink_mps, which is %.15g",
                                        p->landing_thesis.sink_mps);
        if (p->landing_states.off_m > p->landing_states.flare_m)
                return config_refuse_at(why, node, "landing_states.off_m",
                                        "must be at most flare_m, which is %.15g",
                                        p->landing_states.flare_m);
        if (p->landing_states.flare_m > p->landing_states.slow_m)
                return config_refuse_at(why, node, "landing_states.flare_m",
                                        "must be at most slow_m, which is %.15g",
                                        p->landing_states.slow_m);
        return true;
}

bool config_build_fc(struct fc_params *p, const struct fc_file *file,
                     const struct json *node, struct config_error *why)
{
        struct rotor_places places;

        config_build_layout(&places, &file->layout);
        if (file->params.motor_tau_wanted_s > file->params.motor_tau_s)
                return config_refuse_at(why, node, "airframe.motor_tau_wanted_s",
                                        "must be at most motor_tau_s, which is %.15g",
                                        file->params.motor_tau_s);
        if (!ring_fits(&file->params, node, why) ||
            !landing_fits(&file->params, node, why))
                return false;
        *p = file->params;
        p->rotors = places.rotors;
        for (int i = 0; i < places.rotors; i++) {
                p->rotor_pos_body_m[i] = places.pos_body_m[i];
                p->rotor_spin[i] = places.spin[i];
        }
        return config_build_laws(p, node, why);
}
