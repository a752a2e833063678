/* Obstacles as solids, and the tree in which the world finds them. */
#include "hil/config/world/scenery.h"

#include <stdlib.h>

struct scenery *scenery_new(int obstacles, int surfaces)
{
        struct scenery *s = calloc(1, sizeof(*s));

        if (!s)
                return NULL;
        s->name = calloc((size_t)obstacles + 1, sizeof(*s->name));
        s->surface = calloc((size_t)surfaces + 1, sizeof(*s->surface));
        if (!s->name || !s->surface) {
                scenery_free(s);
                return NULL;
        }
        s->obstacles = obstacles;
        return s;
}

void scenery_free(struct scenery *s)
{
        if (!s)
                return;
        free(s->solid);
        free(s->node);
        free(s->surface);
        free(s->name);
        free(s);
}

bool scenery_finish(struct scenery *s, int surfaces)
{
        s->node = calloc((size_t)SCENE_NODES(s->solids), sizeof(*s->node));
        return s->node &&
               scene_build(&s->scene, s->solid, s->solids, s->node, s->surface, surfaces);
}

static bool make_room(struct scenery *s, int more)
{
        int room = s->room > 0 ? s->room : 64;
        struct solid *grown;

        while (room < s->solids + more)
                room *= 2;
        if (room == s->room)
                return true;
        grown = realloc(s->solid, (size_t)room * sizeof(*grown));
        if (!grown)
                return false;
        s->solid = grown;
        s->room = room;
        return true;
}

static bool add_solid(struct scenery *s, const struct scenery_place *p,
                      struct solid solid)
{
        if (!make_room(s, 1))
                return false;
        solid.surface = p->surface;
        solid.name = p->name;
        s->solid[s->solids++] = solid;
        return true;
}

static struct vec3 place_of(const struct scenery_place *p, struct vec3 own_m)
{
        return vec3_add(p->pos_ned_m, mat3_times(p->own_to_ned, own_m));
}

/* The columns turned about own down. */
static struct mat3 turned(struct mat3 m, double yaw_rad)
{
        double c = cos(yaw_rad), s = sin(yaw_rad);

        return (struct mat3){
                { c * m.x.x + s * m.x.y, c * m.x.y - s * m.x.x, m.x.z },
                { c * m.y.x + s * m.y.y, c * m.y.y - s * m.y.x, m.y.z },
                { c * m.z.x + s * m.z.y, c * m.z.y - s * m.z.x, m.z.z },
        };
}

bool scenery_box(struct scenery *s, const struct scenery_place *p, struct vec3 centre_m,
                 struct vec3 size_m, double yaw_rad)
{
        return add_solid(s, p,
                         (struct solid){ .shape = SOLID_BOX,
                                         .pos_ned_m = place_of(p, centre_m),
                                         .axes_to_ned = turned(p->own_to_ned, yaw_rad),
                                         .size_m = vec3_scale(0.5, size_m) });
}

bool scenery_sphere(struct scenery *s, const struct scenery_place *p, double radius_m)
{
        return add_solid(s, p,
                         (struct solid){ .shape = SOLID_SPHERE,
                                         .pos_ned_m = p->pos_ned_m,
                                         .axes_to_ned = p->own_to_ned,
                                         .size_m = { radius_m, 0.0, 0.0 } });
}

bool scenery_cylinder(struct scenery *s, const struct scenery_place *p, double radius_m,
                      double height_m)
{
        struct vec3 centre_m = { 0.0, 0.0, -0.5 * height_m };

        return add_solid(s, p,
                         (struct solid){ .shape = SOLID_CYLINDER,
                                         .pos_ned_m = place_of(p, centre_m),
                                         .axes_to_ned = p->own_to_ned,
                                         .size_m = { radius_m, 0.0, 0.5 * height_m } });
}

bool scenery_stairs(struct scenery *s, const struct scenery_place *p, struct vec3 size_m,
                    int steps)
{
        double tread_m = size_m.x / steps, riser_m = size_m.z / steps;

        for (int i = 0; i < steps; i++) {
                double high_m = riser_m * (i + 1);
                struct vec3 centre_m = { tread_m * (i + 0.5) - 0.5 * size_m.x, 0.0,
                                         -0.5 * high_m };

                if (!scenery_box(s, p, centre_m,
                                 (struct vec3){ tread_m, size_m.y, high_m }, 0.0))
                        return false;
        }
        return true;
}

static struct vec3 corner_of(const struct scenery_place *p, struct vec3 c, double scale,
                             bool y_up)
{
        struct vec3 own =
                y_up ? (struct vec3){ -c.z, c.x, -c.y } : (struct vec3){ c.y, c.x, -c.z };

        return place_of(p, vec3_scale(scale, own));
}

bool scenery_mesh(struct scenery *s, const struct scenery_place *p,
                  const struct mesh *mesh, double scale, bool y_up)
{
        if (!make_room(s, mesh->triangles))
                return false;
        for (int i = 0; i < mesh->triangles; i++) {
                const struct mesh_triangle *t = &mesh->triangle[i];
                struct vec3 a = corner_of(p, t->corner[0], scale, y_up);
                struct vec3 b = corner_of(p, t->corner[1], scale, y_up);
                struct vec3 c = corner_of(p, t->corner[2], scale, y_up);

                if (!add_solid(
                            s, p,
                            (struct solid){ .shape = SOLID_TRIANGLE,
                                            .pos_ned_m = a,
                                            .edge_m = { vec3_sub(b, a), vec3_sub(c, a) },
                                            .axes_to_ned = p->own_to_ned }))
                        return false;
        }
        s->triangles += mesh->triangles;
        return true;
}
