/* What a MEXO server at a port of a vehicle is told: which sensor it believes, its earth, its tolerances. */
#include "hil/config/rig/rig.h"

#include <string.h>

#include "hil/config/table.h"
#include "models/sensors/kinds.h"

/* As Gruber's XML file has them; the order of enum mexo_sensor. */
static const char *const sensor_names[] = { "SEN.GT", "SEN.GPS", "SEN.INS", NULL };
static const char *const earth_names[] = { "world", "printed", NULL };

static const struct config_field mexo_fields[] = {
        { "position_sensor", CONFIG_CHOICE,
          "What POSE says, and what decides whether a way-point was reached: the truth, "
          "the GPS receiver or the INS.",
          .names = sensor_names, .preset = "\"SEN.GT\"", AT(mexo_settings, sensor) },
        { "earth", CONFIG_CHOICE,
          "world: a degree is as long as in the rig's world; printed: 111200 m to the "
          "north and 71670 m to the east, as in Gruber's thesis.",
          .names = earth_names, .preset = "\"world\"", AT(mexo_settings, earth) },
        { "reference_latitude_deg", CONFIG_NUMBER,
          "Of the reference point; without it, that is the world's origin.",
          BETWEEN(-90, 90), .optional = true,
          .given = offsetof(struct mexo_settings, has_reference),
          AT(mexo_settings, at.reference.lat_deg) },
        { "reference_longitude_deg", CONFIG_NUMBER, "Of the reference point.",
          BETWEEN(-180, 180), .optional = true, AT(mexo_settings, at.reference.lon_deg) },
        { "reference_altitude_m", CONFIG_NUMBER,
          "Of the reference point, above sea level.", BETWEEN(-1000, 20000),
          .optional = true, AT(mexo_settings, at.reference.altitude_m) },
        { "reference_north_m", CONFIG_NUMBER,
          "Where the reference point lies in the world.", BETWEEN(-1e6, 1e6),
          .preset = "0", AT(mexo_settings, at.reference_ned_m.x) },
        { "reference_east_m", CONFIG_NUMBER, "The same, to the east.", BETWEEN(-1e6, 1e6),
          .preset = "0", AT(mexo_settings, at.reference_ned_m.y) },
        { "reference_down_m", CONFIG_NUMBER, "The same, downwards.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(mexo_settings, at.reference_ned_m.z) },
        { "sample_time_ms", CONFIG_TIME,
          "Interval between POSE messages, and between checks of the mission.",
          BETWEEN(1, 60000), .scale = MS_TO_NS, .preset = "100",
          AT(mexo_settings, sample_ns) },
        { "tolerance_m", CONFIG_NUMBER,
          "A way-point or height is reached within this distance.", ABOVE(0),
          AT_MOST(100), .preset = "0.5", AT(mexo_settings, reached_m) },
        { "tolerance_deg", CONFIG_NUMBER, "A heading is reached within this angle.",
          ABOVE(0), AT_MOST(180), .scale = RAD_PER_DEG, .preset = "5",
          AT(mexo_settings, reached_rad) },
        { NULL },
};

static const struct config_rule mexo_rules[] = {
        { { "reference_longitude_deg", "reference_altitude_m" },
          .with = { "reference_latitude_deg" },
          .must = CONFIG_THERE,
          .may = CONFIG_THERE },
        { { NULL } },
};

const struct config_table config_mexo_table = {
        .name = "mexo",
        .about = "How a \"mexo\" device sees its vehicle and the earth.",
        .field = mexo_fields,
        .rule = mexo_rules,
};

bool config_build_mexo(struct port_config *port, const struct vehicle_config *v,
                       const struct json *node, struct config_error *why)
{
        static const struct mexo_settings presets = { .sensor = MEXO_SEN_GT,
                                                      .sample_ns = 100 * 1000000LL,
                                                      .reached_m = 0.5,
                                                      .reached_rad = 5.0 * RAD_PER_DEG };
        const struct sensors_params *fitted = &v->params.sensors;

        if (strcmp(port->device, "mexo") != 0)
                return !port->has_mexo ||
                       config_refuse_at(why, node, "mexo",
                                        "is for a \"mexo\" alone, is at \"%s\"",
                                        port->device);
        if (!port->has_mexo)
                port->mexo = presets;
        /* Without rotors the vehicle is not sound, and its sensors are not known. */
        if (v->params.rotors > 0 && ((port->mexo.sensor == MEXO_SEN_GPS &&
                                      sensor_units(fitted, SENSOR_GPS) == 0) ||
                                     (port->mexo.sensor == MEXO_SEN_INS &&
                                      sensor_units(fitted, SENSOR_INS) == 0)))
                return config_refuse_at(why, node, "mexo.position_sensor",
                                        "must be a sensor that the vehicle has, is "
                                        "\"%s\"",
                                        sensor_names[port->mexo.sensor]);
        return true;
}
