#include "hil/config_sonar.h"

static const struct config_field sonar_fields[] = {
        CONFIG_RATE_AND_PHASE(sonar_file),
        CONFIG_DELAY(sonar_file, 1000000),
        { "lever_arm_m", CONFIG_VECTOR, "From the centre of mass: forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]",
          AT(sonar_file, lever_arm_m) },
        { "axis", CONFIG_VECTOR,
          "Direction of the beam in body axes, of any length but 0.", BETWEEN(-1, 1),
          .size = 3, .preset = "[0, 0, 1]", AT(sonar_file, axis) },
        { "beam_max_m", CONFIG_NUMBER, "Nothing echoes from farther away.", ABOVE(0),
          AT_MOST(1000), AT(sonar_file, beam_max_m) },
        { "reported_min_m", CONFIG_NUMBER, "Smallest reading.", BETWEEN(0, 1000),
          .preset = "0", AT(sonar_file, range.min) },
        { "reported_max_m", CONFIG_NUMBER,
          "Largest reading, and what it says when nothing echoes.", ABOVE(0),
          AT_MOST(1000), AT(sonar_file, range.max) },
        { "bias_m", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), .preset = "0",
          AT(sonar_file, range.bias) },
        { "sigma_m", CONFIG_NUMBER, "Standard deviation of one sample.", BETWEEN(0, 100),
          .preset = "0", AT(sonar_file, range.sigma) },
        { "lsb_m", CONFIG_NUMBER, "Step of the output, rounded to 1 nm.", AT_LEAST(1e-6),
          AT_MOST(4), .preset = "0.001", AT(sonar_file, range.lsb) },
        { "incidence_max_deg", CONFIG_NUMBER,
          "No echo from a surface hit at a larger angle to its normal.", ABOVE(0),
          AT_MOST(90), .scale = RAD_PER_DEG, .preset = "30",
          AT(sonar_file, incidence_max_rad) },
        { NULL },
};

const struct config_table config_sonar_table = {
        .name = "sonar",
        .about = "Sonar range finder.",
        .field = sonar_fields,
};

bool config_build_sonar(struct sonar_params *p, const struct sonar_file *file,
                        const struct json *node, struct config_error *why)
{
        double length = vec3_norm(file->axis);

        if (!(length > 1e-3))
                return config_refuse_at(why, node, "sonar.axis", "must have a direction");
        if (!(file->range.min < file->range.max))
                return config_refuse_at(
                        why, node, "sonar.reported_min_m",
                        "must be less than reported_max_m, which is %.15g",
                        file->range.max);
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->axis_body = (struct vec3){ file->axis.x / length, file->axis.y / length,
                                      file->axis.z / length };
        p->beam_max_m = file->beam_max_m;
        p->incidence_max_rad = file->incidence_max_rad;
        config_build_scalar(&p->range, &file->range);
        return true;
}
