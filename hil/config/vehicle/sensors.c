/* Sensors of a vehicle file: which there are. Each has its keys in a file of its own. */
#include "hil/config/vehicle/vehicle.h"

static const struct config_field sensors_fields[] = {
        { "imu", CONFIG_OBJECT, "Accelerometer and gyroscope.", .optional = true,
          .table = &config_imu_table, AT(vehicle_file, sensors.imu) },
        { "gps", CONFIG_OBJECT, "GPS receiver.", .optional = true,
          .table = &config_gps_table, AT(vehicle_file, sensors.gps) },
        { "baro", CONFIG_OBJECT, "Barometer.", .optional = true,
          .table = &config_baro_table, AT(vehicle_file, sensors.baro) },
        { "mag", CONFIG_OBJECT, "Magnetometer.", .optional = true,
          .table = &config_mag_table, AT(vehicle_file, sensors.mag) },
        { "sonar", CONFIG_OBJECT, "Sonar range finder.", .optional = true,
          .table = &config_sonar_table, AT(vehicle_file, sensors.sonar.first) },
        { "sonars", CONFIG_OBJECTS,
          "Further sonars, or rings of them; numbered after the one in \"sonar\".",
          .table = &config_sonar_listed_table, .size = SONARS_MAX,
          .stride = sizeof(struct sonar_file), .preset = "[]",
          AT(vehicle_file, sensors.sonar.list),
          .count = offsetof(struct vehicle_file, sensors.sonar.listed) },
        { "flow", CONFIG_OBJECT, "Optical flow sensor.", .optional = true,
          .table = &config_flow_table, AT(vehicle_file, sensors.flow) },
        { "power", CONFIG_OBJECT, "Power module.", .optional = true,
          .table = &config_power_module_table, AT(vehicle_file, sensors.power) },
        { "ins", CONFIG_OBJECT, "Inertial navigation system.", .optional = true,
          .table = &config_ins_table, AT(vehicle_file, sensors.ins) },
        { "relative", CONFIG_OBJECT, "Distance and direction of other vehicles.",
          .optional = true, .table = &config_relative_table,
          AT(vehicle_file, sensors.relative) },
        { NULL },
};

const struct config_table config_sensors_table = {
        .name = "sensors",
        .about = "Sensors; a sensor that is left out is not fitted.",
        .field = sensors_fields,
};

bool config_build_sensors(struct sensors_params *p, const struct sensors_file *file,
                          const struct json *node, struct config_error *why)
{
        const struct {
                const struct schedule_params *schedule;
                const char *key;
        } scheduled[] = {
                { &file->imu.params.schedule, "imu" },
                { &file->gps.params.schedule, "gps" },
                { &file->baro.params.schedule, "baro" },
                { &file->mag.params.schedule, "mag" },
                { &file->flow.params.schedule, "flow" },
                { &file->power.params.schedule, "power" },
                { &file->ins.schedule, "ins" },
                { &file->relative.params.schedule, "relative" },
        };
        bool ok = true;

        for (size_t i = 0; i < sizeof scheduled / sizeof scheduled[0]; i++)
                ok = config_check_schedule(scheduled[i].schedule, scheduled[i].key, node,
                                           why) &&
                     ok;
        p->ins = file->ins;
        if (config_member(node, "imu"))
                ok = config_build_imu(&p->imu, &file->imu, node, why) && ok;
        if (config_member(node, "mag"))
                config_build_mag(&p->mag, &file->mag, node);
        if (config_member(node, "gps"))
                ok = config_build_gps(&p->gps, &file->gps, node, why) && ok;
        if (config_member(node, "baro"))
                ok = config_build_baro(&p->baro, &file->baro, node, why) && ok;
        if (config_member(node, "flow"))
                ok = config_build_flow(&p->flow, &file->flow, node, why) && ok;
        if (config_member(node, "power"))
                ok = config_build_power_module(&p->power, &file->power, node, why) && ok;
        if (config_member(node, "relative"))
                ok = config_build_relative(&p->relative, &file->relative, node, why) &&
                     ok;
        return config_build_sonars(&p->sonar, &file->sonar, node, why) && ok;
}
