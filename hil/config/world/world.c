/* World files: the origin, gravity, air, magnetic field, ground and what stands on it. */
#include "hil/config/world/world.h"

static const struct config_field origin_fields[] = {
        { "latitude_deg", CONFIG_NUMBER, "WGS-84, north positive.", BETWEEN(-90, 90),
          .scale = RAD_PER_DEG, AT(world_file, world.origin.lat_rad) },
        { "longitude_deg", CONFIG_NUMBER, "WGS-84, east positive.", BETWEEN(-180, 180),
          .scale = RAD_PER_DEG, AT(world_file, world.origin.lon_rad) },
        { "height_m", CONFIG_NUMBER, "Above the ellipsoid, taken as above sea level too.",
          BETWEEN(-1000, 9000), AT(world_file, world.origin.height_m) },
        { NULL },
};

static const struct config_table origin_table = {
        .name = "origin",
        .about = "Where on the earth north, east and down are 0.",
        .field = origin_fields,
};

static const struct config_field atmosphere_fields[] = {
        { "sea_level_pressure_hpa", CONFIG_NUMBER, "Pressure at sea level.",
          BETWEEN(800, 1200), .scale = 100.0, .preset = "1013.25",
          AT(world_file, world.atmosphere.sea_level_pressure_pa) },
        { "sea_level_temperature_degc", CONFIG_NUMBER, "Temperature at sea level.",
          BETWEEN(-60, 60), .shift = 273.15, .preset = "15",
          AT(world_file, world.atmosphere.sea_level_temperature_k) },
        { NULL },
};

static const struct config_table atmosphere_table = {
        .name = "atmosphere",
        .about = "International Standard Atmosphere on these values.",
        .field = atmosphere_fields,
};

static const struct config_field wind_fields[] = {
        { "north", CONFIG_NUMBER, "m/s, of the air towards north.", BETWEEN(-100, 100),
          .preset = "0", AT(world_file, world.wind.steady_ned_mps.x) },
        { "east", CONFIG_NUMBER, "m/s, of the air towards east.", BETWEEN(-100, 100),
          .preset = "0", AT(world_file, world.wind.steady_ned_mps.y) },
        { "down", CONFIG_NUMBER, "m/s, of the air downwards.", BETWEEN(-100, 100),
          .preset = "0", AT(world_file, world.wind.steady_ned_mps.z) },
        { NULL },
};

static const struct config_table wind_table = {
        .name = "wind",
        .about = "Steady wind: the velocity of the air.",
        .field = wind_fields,
};

static const struct config_field ground_fields[] = {
        { "down_m", CONFIG_NUMBER, "Where the ground is, below the origin.",
          BETWEEN(-10000, 10000), .preset = "0", AT(world_file, world.ground_down_m) },
        SURFACE_FIELDS(world_file, world.ground),
        { NULL },
};

static const struct config_table ground_table = {
        .name = "ground",
        .about = "A level plane.",
        .field = ground_fields,
};

static const struct config_field world_fields[] = {
        { "name", CONFIG_NAME, "What the world is called.", .size = NAME_MAX_LEN,
          AT(world_file, name) },
        { "origin", CONFIG_OBJECT, "Where it is.", .table = &origin_table },
        { "gravity_mps2", CONFIG_NUMBER, "Acceleration downwards.", BETWEEN(0, 100),
          .preset = "9.80665", AT(world_file, world.gravity_mps2) },
        { "atmosphere", CONFIG_OBJECT, "The air.", .table = &atmosphere_table,
          .preset = "{}" },
        { "wind_mps", CONFIG_OBJECT, "The wind.", .table = &wind_table, .preset = "{}" },
        { "gusts", CONFIG_OBJECTS, "Gusts added to the wind.",
          .table = &config_gust_table, .size = GUSTS_MAX, .stride = sizeof(struct gust),
          .preset = "[]", AT(world_file, world.wind.gust),
          .count = offsetof(struct world_file, world.wind.gusts) },
        { "turbulence", CONFIG_OBJECT, "Random motion added to the wind.",
          .table = &config_turbulence_table, .preset = "{}", AT(world_file, world.wind) },
        { "regions", CONFIG_OBJECTS, "Where the air moves or a force acts differently.",
          .table = &config_region_table, .size = REGIONS_MAX,
          .stride = sizeof(struct region_file), .preset = "[]", AT(world_file, region),
          .count = offsetof(struct world_file, regions) },
        EARTH_FIELDS(world_file, earth),
        { "ground", CONFIG_OBJECT, "The ground.", .table = &ground_table,
          .preset = "{}" },
        SCENE_FIELDS(world_file, scene),
        { NULL },
};

const struct config_table config_world_table = {
        .name = "world",
        .kind = "world",
        .about = "What is around the vehicles.",
        .field = world_fields,
};

bool config_build_world(struct world *world, const struct world_file *file,
                        const struct json *node, struct config_error *why)
{
        *world = file->world;
        config_build_regions(world, file->region, file->regions);
        return config_build_earth(world, &file->earth, node, why);
}
