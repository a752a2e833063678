/* What measures the other vehicles. */
#include "hil/config/vehicle/sensors.h"

static const struct config_field range_fields[] = {
        { "bias_m", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), .preset = "0",
          AT(relative_file, range.bias) },
        { "sigma_m", CONFIG_NUMBER, "Standard deviation of one range.", BETWEEN(0, 100),
          .preset = "0", AT(relative_file, range.sigma) },
        { "lsb_m", CONFIG_NUMBER, "Step of the output, rounded to 1 nm.", AT_LEAST(1e-6),
          AT_MOST(10), .preset = "0.001", AT(relative_file, range.lsb) },
        { "loss_percent", CONFIG_NUMBER, "Share of the ranges that fail.",
          BETWEEN(0, 100), .scale = 0.01, .preset = "0",
          AT(relative_file, params.loss_ratio) },
        { "multipath_percent", CONFIG_NUMBER,
          "Share of the ranges that come by a longer path.", BETWEEN(0, 100),
          .scale = 0.01, .preset = "0", AT(relative_file, params.multipath_ratio) },
        { "multipath_m", CONFIG_NUMBER,
          "Mean of the extra length, exponentially distributed.", BETWEEN(0, 1000),
          .preset = "0", AT(relative_file, params.multipath_m) },
        { "wall_m", CONFIG_NUMBER,
          "Extra length through an obstacle; 0: nothing comes through.", BETWEEN(0, 1000),
          .preset = "0", AT(relative_file, params.wall_m) },
        { NULL },
};

static const struct config_table range_table = {
        .name = "relative_range",
        .about = "Distance, by two-way ranging.",
        .field = range_fields,
};

static const struct config_field bearing_fields[] = {
        { "bias_deg", CONFIG_NUMBER, "Constant offset of azimuth and elevation.",
          BETWEEN(-180, 180), .scale = RAD_PER_DEG, .preset = "0",
          AT(relative_file, bearing.bias) },
        { "sigma_deg", CONFIG_NUMBER, "Standard deviation of each.", BETWEEN(0, 180),
          .scale = RAD_PER_DEG, .preset = "0", AT(relative_file, bearing.sigma) },
        { "lsb_deg", CONFIG_NUMBER, "Step of the output, rounded to 1 nrad.",
          AT_LEAST(1e-6), AT_MOST(90), .scale = RAD_PER_DEG, .preset = "0.001",
          AT(relative_file, bearing.lsb) },
        { "axis", CONFIG_VECTOR, "Direction in which it looks, in body axes.",
          BETWEEN(-1, 1), .size = 3, .preset = "[1, 0, 0]",
          AT(relative_file, params.axis_body) },
        { "opening_deg", CONFIG_NUMBER,
          "Full angle of the cone in which it sees; 360: all round.", ABOVE(0),
          AT_MOST(360), .scale = RAD_PER_DEG, .preset = "360",
          AT(relative_file, params.opening_rad) },
        { NULL },
};

static const struct config_table bearing_table = {
        .name = "relative_bearing",
        .about = "Direction, by sight.",
        .field = bearing_fields,
};

static const struct config_field part_fields[] = {
        { "reach_m", CONFIG_NUMBER, "Largest distance at which it measures.", ABOVE(0),
          AT_MOST(10000), .preset = "50", AT(relative_file, params.reach_m) },
        { "range", CONFIG_OBJECT, "It measures the distance, with these errors.",
          .optional = true, .table = &range_table,
          .given = offsetof(struct relative_file, params.ranging) },
        { "bearing", CONFIG_OBJECT, "It measures the direction, with these errors.",
          .optional = true, .table = &bearing_table,
          .given = offsetof(struct relative_file, params.sighting) },
        { NULL },
};

const struct config_table config_relative_part_table = {
        .name = "relative_part",
        .kind = "relative_part",
        .about = "A sensor that measures other vehicles, as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field relative_fields[] = {
        CONFIG_RATE_AND_PHASE(relative_file, params.schedule),
        CONFIG_DELAY(relative_file, params.schedule, 1000000),
        { "at_m", CONFIG_OBJECT, "Where it is, from the centre of mass.",
          .table = &config_body_place_table, .preset = "{}",
          AT(relative_file, params.lever_arm_body_m) },
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",
          .table = &config_relative_part_table, .preset = "{}" },
        { NULL },
};

const struct config_table config_relative_table = {
        .name = "relative",
        .about = "Measures the other vehicles near it, one per sample, in the order of "
                 "their numbers.",
        .field = relative_fields,
};

bool config_build_relative(struct relative_params *p, const struct relative_file *file,
                           const struct json *node, struct config_error *why)
{
        double length = vec3_norm(file->params.axis_body);
        struct scalar_file range = file->range, bearing = file->bearing;

        *p = file->params;
        if (!p->ranging && !p->sighting)
                return config_refuse_at(why, node, "relative.part",
                                        "must have range, bearing or both");
        if (p->sighting && !(length > 1e-3))
                return config_refuse_at(why, node, "relative.part.bearing.axis",
                                        "must have a direction");
        p->axis_body = vec3_scale(1.0 / length, p->axis_body);
        range.max = 1e6;
        bearing.min = -3.0 * M_PI; /* wrapped afterwards */
        bearing.max = 3.0 * M_PI;
        config_build_scalar(&p->range, &range);
        config_build_scalar(&p->bearing, &bearing);
        p->bearing.scale[1][1] = 1.0;
        p->bearing.bias[1] = p->bearing.bias[0];
        p->bearing.sigma[1] = p->bearing.sigma[0];
        return true;
}
