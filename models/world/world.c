/* The ground plane and the scene together: rays, touches, clearance and heights. */
#include "models/world/world.h"

static const struct vec3 up = { 0.0, 0.0, -1.0 }, down = { 0.0, 0.0, 1.0 };

static double above_ground_m(const struct world *w, struct vec3 pos_ned_m)
{
        return w->ground_down_m - pos_ned_m.z;
}

static struct world_hit ground_hit(const struct world *w, struct vec3 pos_ned_m,
                                   struct vec3 dir_ned, double max_m)
{
        const struct world_hit nothing = { INFINITY, { 0.0, 0.0, 0.0 }, NULL };
        double above_m = above_ground_m(w, pos_ned_m), range_m;

        if (above_m <= 0.0)
                return (struct world_hit){ 0.0, vec3_scale(-1.0, dir_ned), &w->ground };
        if (!(dir_ned.z > 0.0))
                return nothing;
        range_m = above_m / dir_ned.z;
        return range_m < max_m ? (struct world_hit){ range_m, up, &w->ground } : nothing;
}

struct world_hit world_hit(const struct world *w, struct vec3 pos_ned_m,
                           struct vec3 dir_ned, double max_m)
{
        struct world_hit hit = ground_hit(w, pos_ned_m, dir_ned, max_m);
        struct scene_hit met;

        if (w->scene == NULL)
                return hit;
        met = scene_ray(w->scene, pos_ned_m, dir_ned, fmin(max_m, hit.range_m));
        if (met.solid < 0)
                return hit;
        return (struct world_hit){
                met.range_m,
                met.normal_ned,
                &w->scene->surface[w->scene->solid[met.solid].surface],
        };
}

/* Into the list, deepest first. */
static int insert(struct world_touch *out, int count, const struct world_touch *t)
{
        int at = count < WORLD_TOUCHES_MAX ? count++ : WORLD_TOUCHES_MAX - 1;

        while (at > 0 && out[at - 1].clearance_m > t->clearance_m) {
                out[at] = out[at - 1];
                at--;
        }
        out[at] = *t;
        return count;
}

static int scene_touched(const struct world *w, struct vec3 from_ned_m,
                         struct vec3 centre_ned_m, double radius_m,
                         struct world_touch *out)
{
        struct scene_touch found[WORLD_TOUCHES_MAX];
        int count = scene_touches(w->scene, from_ned_m, centre_ned_m, radius_m, found,
                                  WORLD_TOUCHES_MAX);

        for (int i = 0; i < count; i++) {
                const struct solid *solid = &w->scene->solid[found[i].solid];

                out[i] = (struct world_touch){
                        found[i].clearance_m - radius_m,
                        found[i].normal_ned,
                        &w->scene->surface[solid->surface],
                        solid->name,
                };
        }
        return count;
}

/* The point on a touched obstacle up to which the ground would have to reach. */
static bool under_ground(const struct world *w, const struct world_touch *t,
                         struct vec3 centre_ned_m, double radius_m)
{
        struct vec3 on =
                vec3_axpy(centre_ned_m, -(t->clearance_m + radius_m), t->normal_ned);

        return above_ground_m(w, on) <= 1e-9;
}

int world_touches(const struct world *w, struct vec3 from_ned_m, struct vec3 centre_ned_m,
                  double radius_m, struct world_touch out[WORLD_TOUCHES_MAX])
{
        struct world_touch ground = { above_ground_m(w, centre_ned_m) - radius_m, up,
                                      &w->ground, -1 };
        double skin_m = fmax(radius_m, WORLD_SKIN_M);
        int count = 0, kept = 0;

        if (w->scene != NULL)
                count = scene_touched(w, from_ned_m, centre_ned_m, skin_m, out);
        if (!(ground.clearance_m <= 0.0))
                return count;
        for (int i = 0; i < count; i++)
                if (!under_ground(w, &out[i], centre_ned_m, skin_m))
                        out[kept++] = out[i];
        return insert(out, kept, &ground);
}

double world_free_m(const struct world *w, struct vec3 pos_ned_m, double limit_m)
{
        double free_m = fmin(limit_m, above_ground_m(w, pos_ned_m));

        return w->scene == NULL ? free_m : scene_free_m(w->scene, pos_ned_m, free_m);
}

double world_height_m(const struct world *w, struct vec3 pos_ned_m)
{
        double above_m = above_ground_m(w, pos_ned_m);

        if (!(above_m >= 0.0))
                return INFINITY;
        if (w->scene == NULL)
                return above_m;
        return fmin(above_m, scene_ray(w->scene, pos_ned_m, down, above_m).range_m);
}
