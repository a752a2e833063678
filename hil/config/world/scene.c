/* Surfaces and obstacles of a world. */
#include "hil/config/world/world.h"

#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"

enum { BOX, SPHERE, CYLINDER, STAIRS, WALL, HALLWAY, MESH };

static const char *const shape_names[] = { "box",  "sphere",  "cylinder", "stairs",
                                           "wall", "hallway", "mesh",     NULL };
static const char *const up_names[] = { "z", "y", NULL };

static const struct config_field surface_fields[] = {
        { "name", CONFIG_NAME, "Its name, as obstacles refer to it.",
          .size = NAME_MAX_LEN, AT(surface_file, name) },
        SURFACE_FIELDS(surface_file, surface),
        { NULL },
};

const struct config_table config_surface_table = {
        .name = "surface",
        .about = "A material.",
        .field = surface_fields,
};

static const struct config_field obstacle_fields[] = {
        { "name", CONFIG_NAME, "What the obstacle is called.", .size = NAME_MAX_LEN,
          AT(obstacle_file, name) },
        { "shape", CONFIG_CHOICE,
          "stairs: steps that rise to the north. wall: boxes along a path. hallway: a "
          "wall "
          "on either side of a path. mesh: triangles from a file.",
          .names = shape_names, AT(obstacle_file, shape) },
        { "at_m", CONFIG_OBJECT,
          "The middle of its foot; of a sphere the centre; of a path and a mesh the "
          "place "
          "of their origin.",
          .table = &config_world_place_table, .preset = "{}", AT(obstacle_file, at_m) },
        { "yaw_deg", CONFIG_NUMBER, "How far it is turned clockwise from north.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(obstacle_file, yaw_rad) },
        { "pitch_deg", CONFIG_NUMBER, "Then how far its north end is raised.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(obstacle_file, pitch_rad) },
        { "roll_deg", CONFIG_NUMBER, "Then how far its east side is lowered.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(obstacle_file, roll_rad) },
        { "size_m", CONFIG_VECTOR,
          "Of a box or stairs: to the north, to the east, upwards, before it is turned.",
          ABOVE(0), AT_MOST(1e5), .size = 3, AT(obstacle_file, size_m),
          .optional = true },
        { "radius_m", CONFIG_NUMBER, "Of a sphere or cylinder.", ABOVE(0), AT_MOST(1e5),
          AT(obstacle_file, radius_m), .optional = true },
        { "height_m", CONFIG_NUMBER, "Of a cylinder, wall or hallway.", ABOVE(0),
          AT_MOST(1e5), AT(obstacle_file, height_m), .optional = true },
        { "width_m", CONFIG_NUMBER, "Of a hallway, between its walls.", ABOVE(0),
          AT_MOST(1e4), AT(obstacle_file, width_m), .optional = true },
        { "thickness_m", CONFIG_NUMBER,
          "Of a wall or of a hallway's walls. Left out: 0.2.", ABOVE(0), AT_MOST(100),
          AT(obstacle_file, thickness_m), .optional = true, .absent = "0.2" },
        { "path_m", CONFIG_OBJECTS,
          "Of a wall or hallway: the middle of its foot, from at_m.",
          .table = &config_world_place_table, .least = 2, .size = PATH_POINTS_MAX,
          .stride = sizeof(struct vec3), AT(obstacle_file, path_m),
          .count = offsetof(struct obstacle_file, path_points), .optional = true },
        { "steps", CONFIG_INTEGER, "Of stairs.", BETWEEN(1, 200),
          AT(obstacle_file, steps), .optional = true },
        { "file", CONFIG_TEXT, "Of a mesh: an .stl, .obj or .ply file.", .size = 256,
          AT(obstacle_file, file), .optional = true },
        { "scale_m", CONFIG_NUMBER, "Of a mesh: length of the file's unit. Left out: 1.",
          ABOVE(0), AT_MOST(1e4), AT(obstacle_file, scale_m), .optional = true,
          .absent = "1" },
        { "up_axis", CONFIG_CHOICE,
          "Of a mesh: z means axes of east, north, up; y of east, up, south. Left out: "
          "z.",
          .names = up_names, AT(obstacle_file, up_axis), .optional = true },
        { "surface", CONFIG_NAME,
          "One of the world's surfaces. Left out: one with default values.",
          .size = NAME_MAX_LEN, AT(obstacle_file, surface), .optional = true },
        { NULL },
};

static const struct config_rule obstacle_rules[] = {
        { { "size_m" }, { "shape" }, .must = CONFIG_IS(BOX) | CONFIG_IS(STAIRS) },
        { { "radius_m" }, { "shape" }, .must = CONFIG_IS(SPHERE) | CONFIG_IS(CYLINDER) },
        { { "height_m" },
          { "shape" },
          .must = CONFIG_IS(CYLINDER) | CONFIG_IS(WALL) | CONFIG_IS(HALLWAY) },
        { { "width_m" }, { "shape" }, .must = CONFIG_IS(HALLWAY) },
        { { "thickness_m" }, { "shape" }, .may = CONFIG_IS(WALL) | CONFIG_IS(HALLWAY) },
        { { "path_m" }, { "shape" }, .must = CONFIG_IS(WALL) | CONFIG_IS(HALLWAY) },
        { { "steps" }, { "shape" }, .must = CONFIG_IS(STAIRS) },
        { { "file" }, { "shape" }, .must = CONFIG_IS(MESH) },
        { { "scale_m", "up_axis" }, { "shape" }, .may = CONFIG_IS(MESH) },
        { { NULL } },
};

const struct config_table config_obstacle_table = {
        .name = "obstacle",
        .about = "An obstacle in the world.",
        .field = obstacle_fields,
        .rule = obstacle_rules,
};

static const struct surface plain = {
        .friction = 0.6, .restitution = 0.0, .sound_reflection = 1.0, .texture = 1.0
};

static bool find_surface(int *surface, const struct obstacle_file *o,
                         const struct scene_file *file, const struct json *node,
                         struct config_error *why)
{
        const struct json *surfaces = json_member(node->parent->parent, "surfaces");

        *surface = file->surfaces;
        for (int i = 0; o->surface[0] != '\0' && i < file->surfaces; i++)
                if (strcmp(o->surface, file->surface[i].name) == 0)
                        *surface = i;
        if (o->surface[0] == '\0' || *surface < file->surfaces)
                return true;
        if (!config_is_sound(surfaces))
                return false;
        return config_refuse_at(why, node, "surface",
                                "is none of the world's surfaces, is \"%s\"", o->surface);
}

/* Where the file that is named in a value is; freed by the caller. */
static char *path_of(const struct json *value)
{
        const char *name = value->text;

        return value->file ? config_file_beside(value->file, name) : strdup(name);
}

static bool add_mesh(struct scenery *s, const struct scenery_place *p,
                     const struct obstacle_file *o, const struct json *node,
                     struct config_error *why)
{
        char *path = path_of(json_member(node, "file")), reason[400];
        struct mesh mesh;
        bool ok;

        if (!path)
                return config_refuse_line(why, "out of memory");
        ok = mesh_file_read(&mesh, path, reason, sizeof(reason));
        free(path);
        if (!ok)
                return config_refuse_at(why, node, "file", "%s", reason);
        if (s->triangles + mesh.triangles > MESH_TRIANGLES_MAX)
                ok = config_refuse_at(
                        why, node, "file",
                        "with it the world has more than 1000000 triangles");
        else if (!scenery_mesh(s, p, &mesh, o->scale_m, o->up_axis == 1))
                ok = config_refuse_line(why, "out of memory");
        mesh_free(&mesh);
        return ok;
}

static bool add_walls(struct scenery *s, const struct scenery_place *p,
                      const struct obstacle_file *o, const struct json *node,
                      struct config_error *why)
{
        struct scenery_wall wall = {
                .points = o->path_points,
                .path_m = o->path_m,
                .thickness_m = o->thickness_m,
                .height_m = o->height_m,
        };
        const char *wrong;

        if (o->shape == WALL) {
                wrong = scenery_wall(s, p, &wall);
        } else {
                wall.right_m = 0.5 * (o->width_m + wall.thickness_m);
                wrong = scenery_wall(s, p, &wall);
                wall.right_m = -wall.right_m;
                wrong = wrong ? wrong : scenery_wall(s, p, &wall);
        }
        return !wrong || config_refuse_at(why, node, "path_m", "%s", wrong);
}

static bool add_obstacle(struct scenery *s, const struct scenery_place *p,
                         const struct obstacle_file *o, const struct json *node,
                         struct config_error *why)
{
        struct vec3 size = { o->size_m[0], o->size_m[1], o->size_m[2] };
        struct vec3 centre = { 0.0, 0.0, -0.5 * size.z };
        bool ok;

        switch (o->shape) {
        case BOX:
                ok = scenery_box(s, p, centre, size, 0.0);
                break;
        case SPHERE:
                ok = scenery_sphere(s, p, o->radius_m);
                break;
        case CYLINDER:
                ok = scenery_cylinder(s, p, o->radius_m, o->height_m);
                break;
        case STAIRS:
                ok = scenery_stairs(s, p, size, o->steps);
                break;
        case MESH:
                return add_mesh(s, p, o, node, why);
        default:
                return add_walls(s, p, o, node, why);
        }
        return ok || config_refuse_line(why, "out of memory");
}

static bool build_obstacle(struct scenery *s, const struct scene_file *file, int index,
                           double ground_down_m, const struct json *node,
                           struct config_error *why)
{
        const struct obstacle_file *o = &file->obstacle[index];
        struct scenery_place place = {
                .pos_ned_m = { o->at_m.x, o->at_m.y, ground_down_m - o->at_m.z },
                .own_to_ned = quat_to_mat3(
                        quat_from_euler(o->roll_rad, o->pitch_rad, o->yaw_rad)),
                .name = index,
        };

        memcpy(s->name[index], o->name, sizeof(o->name));
        return find_surface(&place.surface, o, file, node, why) &&
               add_obstacle(s, &place, o, node, why);
}

bool config_build_scene(struct scenery **scenery, const struct scene_file *file,
                        double ground_down_m, const struct json *node,
                        struct config_error *why)
{
        const struct json *list = json_member(node, "obstacles");
        struct scenery *s;
        bool ok = true;

        *scenery = NULL;
        if (file->obstacles == 0)
                return true;
        s = *scenery = scenery_new(file->obstacles, file->surfaces);
        if (!s)
                return config_refuse_line(why, "out of memory");
        for (int i = 0; i < file->surfaces; i++)
                s->surface[i] = file->surface[i].surface;
        s->surface[file->surfaces] = plain;
        for (int i = 0; i < file->obstacles; i++)
                ok = config_is_sound(json_item(list, i)) &&
                     build_obstacle(s, file, i, ground_down_m, json_item(list, i), why) &&
                     ok;
        if (!ok)
                return false;
        return scenery_finish(s, file->surfaces + 1) ||
               config_refuse_line(why, "out of memory");
}

void config_resolve_scene(struct json *resolved, const struct json *node)
{
        const struct json *from = json_member(node, "obstacles");
        struct json *to = json_member(resolved, "obstacles");

        for (int i = 0; from && i < from->count; i++) {
                const struct json *file = json_member(json_item(from, i), "file");
                struct json *out = json_item(to, i);
                char *path = file ? path_of(file) : NULL;
                char *whole = path ? realpath(path, NULL) : NULL;

                if (whole) {
                        json_free(json_detach(json_member(out, "file")));
                        json_add_string(out, "file", whole);
                }
                free(whole);
                free(path);
        }
}
