/* Gusts, turbulence and regions of a world. */
#include "hil/config/world/world.h"

#define DAY_S 86400

static const struct config_field gust_fields[] = {
        { "at_s", CONFIG_TIME, "When it begins, in simulated time.", BETWEEN(0, DAY_S),
          .scale = S_TO_NS, AT(gust, at_ns) },
        { "length_s", CONFIG_TIME, "Its length, from calm to calm.", AT_LEAST(0.001),
          AT_MOST(DAY_S), .scale = S_TO_NS, AT(gust, length_ns) },
        { "north_mps", CONFIG_NUMBER, "Its peak speed, half-way through, towards north.",
          BETWEEN(-100, 100), .preset = "0", AT(gust, amplitude_ned_mps.x) },
        { "east_mps", CONFIG_NUMBER, "The same towards east.", BETWEEN(-100, 100),
          .preset = "0", AT(gust, amplitude_ned_mps.y) },
        { "down_mps", CONFIG_NUMBER, "The same downwards.", BETWEEN(-100, 100),
          .preset = "0", AT(gust, amplitude_ned_mps.z) },
        { NULL },
};

const struct config_table config_gust_table = {
        .name = "gust",
        .about = "A gust of the form 1 - cos on top of the wind, everywhere at once.",
        .field = gust_fields,
};

static const struct config_field turbulence_fields[] = {
        { "wind_at_6m_mps", CONFIG_NUMBER,
          "Mean wind 6 m (20 ft) above the ground, which sets the intensity: 7.7 is "
          "light, "
          "15.4 moderate, 23.1 severe; 0: none.",
          BETWEEN(0, 100), .preset = "0", AT(wind_params, turbulence_mps) },
        { NULL },
};

const struct config_table config_turbulence_table = {
        .name = "turbulence",
        .about = "Dryden turbulence of MIL-F-8785C at low altitude.",
        .field = turbulence_fields,
};

static const struct config_field air_fields[] = {
        { "north", CONFIG_NUMBER, "m/s, of the air towards north.", BETWEEN(-100, 100),
          .preset = "0", AT(vec3, x) },
        { "east", CONFIG_NUMBER, "m/s, of the air towards east.", BETWEEN(-100, 100),
          .preset = "0", AT(vec3, y) },
        { "down", CONFIG_NUMBER, "m/s, of the air downwards.", BETWEEN(-100, 100),
          .preset = "0", AT(vec3, z) },
        { NULL },
};

static const struct config_table air_table = {
        .name = "region_wind",
        .about = "What a region adds to the velocity of the air.",
        .field = air_fields,
};

static const struct config_field force_fields[] = {
        { "north", CONFIG_NUMBER, "N, towards north.", BETWEEN(-1e5, 1e5), .preset = "0",
          AT(vec3, x) },
        { "east", CONFIG_NUMBER, "N, towards east.", BETWEEN(-1e5, 1e5), .preset = "0",
          AT(vec3, y) },
        { "down", CONFIG_NUMBER, "N, downwards.", BETWEEN(-1e5, 1e5), .preset = "0",
          AT(vec3, z) },
        { NULL },
};

static const struct config_table force_table = {
        .name = "region_force",
        .about = "The force of a region on a vehicle that is wholly inside.",
        .field = force_fields,
};

static const struct config_field region_fields[] = {
        { "name", CONFIG_NAME, "What the region is called.", .size = NAME_MAX_LEN,
          AT(region_file, name) },
        { "at_m", CONFIG_OBJECT, "Its middle.", .table = &config_world_place_table,
          AT(region_file, at_m) },
        { "size_m", CONFIG_VECTOR,
          "Its edges along north, east and down before the turn.", ABOVE(0), AT_MOST(1e5),
          .size = 3, AT(region_file, size_m) },
        { "yaw_deg", CONFIG_NUMBER, "How far it is turned clockwise from north.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(region_file, yaw_rad) },
        { "wind_mps", CONFIG_OBJECT, "Added to the wind.", .table = &air_table,
          .preset = "{}", AT(region_file, wind_ned_mps) },
        { "force_n", CONFIG_OBJECT, "Acts on the vehicle.", .table = &force_table,
          .preset = "{}", AT(region_file, force_ned_n) },
        { NULL },
};

const struct config_table config_region_table = {
        .name = "region",
        .about = "A box in which the air moves, or in which a force acts on the part of "
                 "a vehicle that is inside.",
        .field = region_fields,
};

void config_build_regions(struct world *world, const struct region_file *file, int count)
{
        world->regions = count;
        for (int i = 0; i < count; i++) {
                const struct region_file *f = &file[i];

                world->region[i] = (struct region){
                        .centre_ned_m = { f->at_m.x, f->at_m.y,
                                          world->ground_down_m - f->at_m.z },
                        .half_m = { 0.5 * f->size_m[0], 0.5 * f->size_m[1],
                                    0.5 * f->size_m[2] },
                        .q_region_to_ned = quat_from_euler(0.0, 0.0, f->yaw_rad),
                        .wind_ned_mps = f->wind_ned_mps,
                        .force_ned_n = f->force_ned_n,
                };
        }
}
