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
          "Further sonars, or rings of them; counted on from the one of \"sonar\".",
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
        { NULL },
};

const struct config_table config_sensors_table = {
        .name = "sensors",
        .about = "Sensors; what is left out is not fitted.",
        .field = sensors_fields,
};

bool config_build_sensors(struct sensors_params *p, const struct sensors_file *file,
                          const struct json *node, struct config_error *why)
{
        if (!config_check_schedule(&file->imu.params.schedule, "imu", node, why) ||
            !config_check_schedule(&file->gps.params.schedule, "gps", node, why) ||
            !config_check_schedule(&file->baro.params.schedule, "baro", node, why) ||
            !config_check_schedule(&file->mag.params.schedule, "mag", node, why) ||
            !config_check_schedule(&file->flow.params.schedule, "flow", node, why) ||
            !config_check_schedule(&file->power.params.schedule, "power", node, why) ||
            !config_check_schedule(&file->ins.schedule, "ins", node, why))
                return false;
        p->ins = file->ins;
        if (config_member(node, "imu"))
                config_build_imu(&p->imu, &file->imu);
        if (config_member(node, "mag"))
                config_build_mag(&p->mag, &file->mag, node);
        if (config_member(node, "gps") &&
            !config_build_gps(&p->gps, &file->gps, node, why))
                return false;
        if (config_member(node, "baro") &&
            !config_build_baro(&p->baro, &file->baro, node, why))
                return false;
        if (config_member(node, "flow") &&
            !config_build_flow(&p->flow, &file->flow, node, why))
                return false;
        if (config_member(node, "power") &&
            !config_build_power_module(&p->power, &file->power, node, why))
                return false;
        return config_build_sonars(&p->sonar, &file->sonar, node, why);
}
