/* Gains of the documents' attitude laws, and the filters before them. */
#include "hil/config/fc/fc.h"

#define NO_GAIN "[0, 0, 0]"
#define XYZ     BETWEEN(0, 1000), .size = 3, .preset = NO_GAIN

static const struct config_field filters_fields[] = {
        { "gyro_lowpass_hz", CONFIG_NUMBER,
          "Butterworth low-pass of the second order; 0: none.", BETWEEN(0, 10000),
          .preset = "0", AT(fc_file, params.filter.gyro_lowpass_hz) },
        { "gyro_notch_hz", CONFIG_NUMBER,
          "Removes this frequency, such as that of the rotors in hover; 0: none.",
          BETWEEN(0, 10000), .preset = "0", AT(fc_file, params.filter.gyro_notch_hz) },
        { "gyro_notch_width_hz", CONFIG_NUMBER, "Between its -3 dB points.",
          BETWEEN(0, 10000), .preset = "0",
          AT(fc_file, params.filter.gyro_notch_width_hz) },
        { "rate_d_kgm2", CONFIG_VECTOR,
          "Torque against angular acceleration (the cascade's D), x, y, z.", XYZ,
          AT(fc_file, params.filter.rate_d_kgm2) },
        { "rate_d_tau_s", CONFIG_NUMBER, "Smooths that acceleration.", BETWEEN(0, 10),
          .preset = "0.005", AT(fc_file, params.filter.rate_d_tau_s) },
        { NULL },
};

const struct config_table config_filters_table = {
        .name = "fc_filters",
        .about = "Filters on the gyroscope before the rate loop, and the cascade's D "
                 "term. Off by default.",
        .field = filters_fields,
};

static const struct config_field kemper_fields[] = {
        { "p_nm_per_rad", CONFIG_VECTOR, "Torque over angle error, x, y, z.", XYZ,
          AT(fc_file, params.kemper.p_nm_per_rad) },
        { "i_nm_per_rads", CONFIG_VECTOR,
          "Torque over the integral of the angle error, x, y, z; kemper_pd goes without.",
          XYZ, AT(fc_file, params.kemper.i_nm_per_rads) },
        { "d_nm_per_radps", CONFIG_VECTOR, "Torque against the rate, x, y, z.", XYZ,
          AT(fc_file, params.kemper.d_nm_per_radps) },
        { NULL },
};

const struct config_table config_kemper_table = {
        .name = "fc_kemper",
        .about = "Attitude laws kemper_pid and kemper_pd.",
        .field = kemper_fields,
};

static const struct config_field hoffmann_fields[] = {
        { "p_nm_per_rad", CONFIG_VECTOR, "Torque over angle error, x, y, z.", XYZ,
          AT(fc_file, params.hoffmann.p_nm_per_rad) },
        { "i_nm_per_rads", CONFIG_VECTOR,
          "Torque over the integral of the angle error, x, y, z, while it is slow.", XYZ,
          AT(fc_file, params.hoffmann.i_nm_per_rads) },
        { "d_nm_per_radps", CONFIG_VECTOR, "Torque against the rate, x, y, z.", XYZ,
          AT(fc_file, params.hoffmann.d_nm_per_radps) },
        { "accel_kgm2", CONFIG_VECTOR,
          "Torque against the angular acceleration, x, y, z.", XYZ,
          AT(fc_file, params.hoffmann.a_kgm2) },
        { "accel_tau_s", CONFIG_NUMBER, "Smooths that acceleration.", BETWEEN(0, 10),
          .preset = "0.005", AT(fc_file, params.hoffmann.accel_tau_s) },
        { "pid_below_mps", CONFIG_NUMBER, "Horizontal speed up to which it is a PID.",
          BETWEEN(0, 100), .preset = "1", AT(fc_file, params.hoffmann.pid_below_mps) },
        { "pd_above_mps", CONFIG_NUMBER,
          "Speed from which it is a PD; in between the integral counts in part.",
          BETWEEN(0, 100), .preset = "2", AT(fc_file, params.hoffmann.pd_above_mps) },
        { NULL },
};

const struct config_table config_hoffmann_table = {
        .name = "fc_hoffmann",
        .about = "Attitude law hoffmann.",
        .field = hoffmann_fields,
};

static const struct config_field dikmen_fields[] = {
        { "inertia_kgm2", CONFIG_VECTOR,
          "Assumed inertia, x, y, z. Where slow motors have to overcome strong damping, "
          "add their lag times the damping.",
          XYZ, AT(fc_file, params.dikmen.inertia_kgm2) },
        { "surface_per_s", CONFIG_VECTOR,
          "Rate asked for over angle error on the surface, x, y, z.", XYZ,
          AT(fc_file, params.dikmen.surface_per_s) },
        { "reach_dps2", CONFIG_VECTOR,
          "Constant acceleration towards the surface, x, y, z.", BETWEEN(0, 1e5),
          .size = 3, .scale = RAD_PER_DEG, .preset = NO_GAIN,
          AT(fc_file, params.dikmen.reach_radps2) },
        { "reach_per_s", CONFIG_VECTOR,
          "Acceleration towards the surface over the distance to it, x, y, z.", XYZ,
          AT(fc_file, params.dikmen.reach_per_s) },
        { "width_dps", CONFIG_VECTOR,
          "Of the boundary layer, in which the constant part shrinks, x, y, z; 0: none, "
          "and it switches.",
          BETWEEN(0, 1e5), .size = 3, .scale = RAD_PER_DEG, .preset = NO_GAIN,
          AT(fc_file, params.dikmen.width_radps) },
        { NULL },
};

const struct config_table config_dikmen_table = {
        .name = "fc_dikmen",
        .about = "Attitude law dikmen.",
        .field = dikmen_fields,
};
