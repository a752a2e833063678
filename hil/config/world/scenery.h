/* What stands in a world, put together from boxes, walls, stairs and meshes: it owns the memory of
 * the scene. */
#pragma once

#include "hil/config/world/mesh_file.h"
#include "models/world/scene.h"

#define SCENERY_NAME_MAX 64

struct scenery {
        struct scene scene; /* by scenery_finish() */
        struct solid *solid;
        int solids, room;
        int triangles; /* of them */
        struct scene_node *node;
        struct surface *surface;
        char (*name)
                [SCENERY_NAME_MAX]; /* of the obstacles: solid.name and world_touch.obstacle count
                                           in it */
        int obstacles;
};

/* With room for that many names and surfaces; NULL: no memory. */
struct scenery *scenery_new(int obstacles, int surfaces);
void scenery_free(struct scenery *s); /* NULL is allowed */

/* Builds the tree. False: no memory, or a solid that is not finite. */
bool scenery_finish(struct scenery *s, int surfaces);

/* Where an obstacle is and what it is; its own axes are north, east, down before the turn. */
struct scenery_place {
        struct vec3 pos_ned_m;
        struct mat3 own_to_ned;
        int surface, name;
};

/* Each adds solids; false: no memory. A centre and a path are in own axes. */
bool scenery_box(struct scenery *s, const struct scenery_place *p, struct vec3 centre_m,
                 struct vec3 size_m, double yaw_rad);
bool scenery_sphere(struct scenery *s, const struct scenery_place *p, double radius_m);
/* Upright in own axes, its foot at the place. */
bool scenery_cylinder(struct scenery *s, const struct scenery_place *p, double radius_m,
                      double height_m);
/* Steps of the same size upwards to the north, as many as size_m holds, from its middle. */
bool scenery_stairs(struct scenery *s, const struct scenery_place *p, struct vec3 size_m,
                    int steps);
/* Scaled; the file's axes are east, north, up or, with y_up, east, up, south. */
bool scenery_mesh(struct scenery *s, const struct scenery_place *p,
                  const struct mesh *mesh, double scale, bool y_up);

struct scenery_wall {
        int points;
        const struct vec3 *path_m; /* north, east and up of its foot */
        double right_m; /* the wall's middle beside the path */
        double thickness_m, height_m;
};

/* Boxes along the path, mitred where it turns. NULL when it worked, otherwise why not. */
const char *scenery_wall(struct scenery *s, const struct scenery_place *p,
                         const struct scenery_wall *wall);
