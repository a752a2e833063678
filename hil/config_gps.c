#include "hil/config_gps.h"

static const char *const earth_names[] = { "wgs84", "flat", NULL };

static const struct config_field gps_fields[] = {
        CONFIG_RATE_AND_PHASE(gps_file),
        CONFIG_DELAY(gps_file, 5000000),
        { "lever_arm_m", CONFIG_VECTOR,
          "Antenna from the centre of mass: forward, right, down.", BETWEEN(-10, 10),
          .size = 3, .preset = "[0, 0, 0]", AT(gps_file, lever_arm_m) },
        { "earth", CONFIG_CHOICE,
          "wgs84, or flat: 111200 m a degree north and 71670 m a degree east (Gruber "
          "5.2.7.2).",
          .names = earth_names, .preset = "\"wgs84\"", AT(gps_file, earth) },
        { "sigma_horizontal_m", CONFIG_NUMBER, "Standard deviation of north and of east.",
          BETWEEN(0, 1000), .preset = "0", AT(gps_file, sigma_horizontal_m) },
        { "sigma_vertical_m", CONFIG_NUMBER, "Standard deviation of the height.",
          BETWEEN(0, 1000), .preset = "0", AT(gps_file, sigma_vertical_m) },
        { "sigma_velocity_mps", CONFIG_NUMBER,
          "Standard deviation of each component of the velocity.", BETWEEN(0, 100),
          .preset = "0", AT(gps_file, sigma_velocity_mps) },
        { "bias_m", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-10000, 10000), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_m) },
        { "bias_velocity_mps", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-100, 100), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_velocity_mps) },
        { "satellites", CONFIG_INTEGER, "Fewer than 4: no fix.", BETWEEN(0, 99),
          .preset = "12", AT(gps_file, satellites) },
        { NULL },
};

const struct config_table config_gps_table = {
        .name = "gps",
        .about = "GPS receiver.",
        .field = gps_fields,
};

void config_build_gps(struct gps_params *p, const struct gps_file *file)
{
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->flat_earth = file->earth == 1;
        error_params_ideal(&p->position);
        error_params_ideal(&p->velocity);
        for (int i = 0; i < 3; i++) {
                p->position.bias[i] = file->bias_m[i];
                p->velocity.bias[i] = file->bias_velocity_mps[i];
                p->velocity.sigma[i] = file->sigma_velocity_mps;
        }
        p->position.sigma[0] = p->position.sigma[1] = file->sigma_horizontal_m;
        p->position.sigma[2] = file->sigma_vertical_m;
        p->satellites = file->satellites;
}
