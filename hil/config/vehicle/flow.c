/* The optical flow sensor, and the part that it is. */
#include "hil/config/vehicle/sensors.h"

static const struct config_field gyro_fields[] = {
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),
          .size = 3, .preset = "[1, 1, 1]", AT(axes_file, scale) },
        { "bias_dps", CONFIG_VECTOR, "Constant offset of x, y, z.",
          BETWEEN(-10000, 10000), .scale = RAD_PER_DEG, .size = 3, .preset = "[0, 0, 0]",
          AT(axes_file, bias) },
        { "sigma_dps", CONFIG_VECTOR,
          "Standard deviation of the mean rate over one interval, of x, y, z.",
          BETWEEN(0, 10000), .scale = RAD_PER_DEG, .size = 3, .preset = "[0, 0, 0]",
          AT(axes_file, sigma) },
        { "lsb_dps", CONFIG_NUMBER,
          "Step of the mean rate, rounded to 1 nrad/s; at least 50 nrad/s.",
          AT_LEAST(2.8648e-6), AT_MOST(200), .scale = RAD_PER_DEG,
          .preset = "5.729578e-5", AT(axes_file, lsb) },
        { "range_dps", CONFIG_NUMBER, CONFIG_RANGE_ABOUT, ABOVE(0), AT_MOST(100000),
          .scale = RAD_PER_DEG, .optional = true, AT(axes_file, range),
          .given = offsetof(struct axes_file, range_given) },
        { NULL },
};

static const struct config_table gyro_table = {
        .name = "flow_gyro",
        .about = "Gyroscope of the flow sensor; its mean rate over the interval is what "
                 "has these errors.",
        .field = gyro_fields,
};

static const struct config_field part_fields[] = {
        { "range_min_m", CONFIG_NUMBER, "Sees nothing nearer, along its axis.",
          BETWEEN(0.001, 100), .preset = "0.08", AT(flow_file, params.range_min_m) },
        { "range_max_m", CONFIG_NUMBER, "Sees nothing farther.", ABOVE(0), AT_MOST(1000),
          .preset = "30", AT(flow_file, params.range_max_m) },
        { "incidence_max_deg", CONFIG_NUMBER,
          "Sees nothing on a surface met farther off its normal.", ABOVE(0), AT_MOST(90),
          .scale = RAD_PER_DEG, .preset = "60", AT(flow_file, params.incidence_max_rad) },
        { "blur_radps", CONFIG_NUMBER,
          "Rate of the picture at which smearing halves the quality; 0: never.",
          BETWEEN(0, 1000), .preset = "0", AT(flow_file, params.blur_radps) },
        { "rate_max_radps", CONFIG_NUMBER, "Largest flow that an axis reports.", ABOVE(0),
          AT_MOST(1000), .preset = "7.4", AT(flow_file, params.rate_max_radps) },
        { "quality_min", CONFIG_INTEGER,
          "Quality below which nothing is tracked: it is reported as 0, and so is the "
          "flow.",
          BETWEEN(1, 255), .preset = "1", AT(flow_file, params.quality_min) },
        { "sigma_rad", CONFIG_NUMBER,
          "Standard deviation of the flow of one sample at full quality.", BETWEEN(0, 10),
          .preset = "0", AT(flow_file, params.sigma_rad) },
        { "lsb_rad", CONFIG_NUMBER, "Angle of one count of the flow; 0: not rounded.",
          BETWEEN(0, 1), .preset = "0", AT(flow_file, params.lsb_rad) },
        { "gyro", CONFIG_OBJECT,
          "Gyroscope of its own. Left out: it has none, and reports no angles.",
          .optional = true, .table = &gyro_table, AT(flow_file, gyro),
          .given = offsetof(struct flow_file, params.has_gyro) },
        { NULL },
};

const struct config_table config_flow_part_table = {
        .name = "flow_part",
        .kind = "flow_part",
        .about = "An optical flow sensor as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field flow_fields[] = {
        CONFIG_RATE_AND_PHASE(flow_file, params.schedule),
        CONFIG_DELAY(flow_file, params.schedule, 1000000),
        { "at_m", CONFIG_OBJECT, "Where it is, from the centre of mass.",
          .was = "lever_arm_m", .table = &config_body_place_table, .preset = "{}",
          AT(flow_file, params.lever_arm_body_m) },
        { "mounting_deg", CONFIG_OBJECT,
          "How it is turned. Unturned it looks down, with its x axis forward.",
          .table = &config_mounting_table, .preset = "{}", AT(flow_file, mounting) },
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",
          .table = &config_flow_part_table, .preset = "{}" },
        { "scale", CONFIG_VECTOR, "Scale factors of the flow about x and y.",
          BETWEEN(-10, 10), .size = 2, .preset = "[1, 1]", AT(flow_file, params.scale) },
        { NULL },
};

const struct config_table config_flow_table = {
        .name = "flow",
        .about = "Optical flow sensor.",
        .field = flow_fields,
};

bool config_build_flow(struct flow_params *p, const struct flow_file *file,
                       const struct json *node, struct config_error *why)
{
        *p = file->params;
        if (!(p->range_min_m < p->range_max_m))
                return config_refuse_at(why, node, "flow.part.range_min_m",
                                        "must be less than range_max_m, which is %.15g",
                                        p->range_max_m);
        p->q_body_to_sensor = config_build_mounting(&file->mounting);
        if (p->has_gyro)
                config_build_axes(&p->gyro, &file->gyro);
        return true;
}
