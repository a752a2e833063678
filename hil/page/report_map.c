/* The world as the top view draws it: the outline of each solid from above, with its heights; meshes as a grid of
 * heights near the flight; regions, and the steady wind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/report.h"

#define SOLIDS_SHOWN   2000
#define ROUND_CORNERS  32 /* of a circle; it is 0.5 % smaller then */
#define OUTLINE_MAX    (2 * ROUND_CORNERS)
#define RELIEF_CELLS   96 /* along its longer side */
#define BESIDE_LEAST_M 10.0 /* of the flight, in which a mesh is drawn */
#define EDGE_PARTS     20000.0 /* of one edge of a triangle, at most */

struct outline {
        int corners;
        struct vec3 corner_ned_m[OUTLINE_MAX];
        double low_up_m, high_up_m;
};

static void add_corner(struct outline *o, const struct solid *s, double x, double y,
                       double z)
{
        struct vec3 own = { x, y, z };
        struct vec3 at = vec3_add(s->pos_ned_m, mat3_times(s->axes_to_ned, own));

        o->low_up_m = fmin(o->low_up_m, -at.z);
        o->high_up_m = fmax(o->high_up_m, -at.z);
        o->corner_ned_m[o->corners++] = at;
}

static void add_rim(struct outline *o, const struct solid *s, double z)
{
        for (int i = 0; i < ROUND_CORNERS; i++) {
                double turn = 2.0 * M_PI * i / ROUND_CORNERS;

                add_corner(o, s, s->size_m.x * cos(turn), s->size_m.x * sin(turn), z);
        }
}

static int by_place(const void *a, const void *b)
{
        const struct vec3 *p = a, *q = b;

        if (p->x != q->x)
                return p->x < q->x ? -1 : 1;
        return (p->y > q->y) - (p->y < q->y);
}

/* To the right of the way from a to b, or on it. */
static bool turns_back(struct vec3 a, struct vec3 b, struct vec3 c)
{
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) <= 1e-9;
}

/* The convex hull of the corners, seen from above (Andrew 1979). */
static void wrap_outline(struct outline *o)
{
        struct vec3 hull[2 * OUTLINE_MAX];
        int kept = 0, first;

        qsort(o->corner_ned_m, (size_t)o->corners, sizeof o->corner_ned_m[0], by_place);
        for (int side = 0; side < 2; side++) {
                first = kept;
                for (int i = 0; i < o->corners; i++) {
                        struct vec3 at =
                                o->corner_ned_m[side == 0 ? i : o->corners - 1 - i];

                        while (kept >= first + 2 &&
                               turns_back(hull[kept - 2], hull[kept - 1], at))
                                kept--;
                        hull[kept++] = at;
                }
                /* The next side begins with it. */
                kept--;
        }
        o->corners = kept < OUTLINE_MAX ? kept : OUTLINE_MAX;
        memcpy(o->corner_ned_m, hull, (size_t)o->corners * sizeof hull[0]);
}

static struct outline outline_of(const struct solid *s)
{
        struct outline o = { .low_up_m = INFINITY, .high_up_m = -INFINITY };
        struct vec3 half = s->size_m;

        if (s->shape == SOLID_BOX) {
                for (int i = 0; i < 8; i++)
                        add_corner(&o, s, i & 1 ? half.x : -half.x,
                                   i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        } else if (s->shape == SOLID_CYLINDER) {
                add_rim(&o, s, -half.z);
                add_rim(&o, s, half.z);
        } else {
                add_rim(&o, s, 0.0);
                o.low_up_m = -s->pos_ned_m.z - half.x;
                o.high_up_m = -s->pos_ned_m.z + half.x;
        }
        wrap_outline(&o);
        return o;
}

static void add_place(struct json *list, double north_m, double east_m)
{
        struct json *place = json_add_array(list, NULL);

        /* Millimetres do: they are drawn. */
        json_add_number(place, NULL, round(1e3 * north_m) / 1e3);
        json_add_number(place, NULL, round(1e3 * east_m) / 1e3);
}

static void add_outline(struct json *to, const struct outline *o, const char *name)
{
        struct json *places;

        json_add_string(to, "name", name);
        json_add_number(to, "low_m", round(1e3 * o->low_up_m) / 1e3);
        json_add_number(to, "high_m", round(1e3 * o->high_up_m) / 1e3);
        places = json_add_array(to, "outline");
        for (int i = 0; i < o->corners; i++)
                add_place(places, o->corner_ned_m[i].x, o->corner_ned_m[i].y);
}

static void add_solids(struct json *map, const struct rig_config *rig)
{
        const struct scene *scene = rig->world.scene;
        struct json *list = json_add_array(map, "solids");
        int left_out = 0;

        for (int i = 0; scene != NULL && i < scene->solids; i++) {
                const struct solid *s = &scene->solid[i];
                struct outline o;

                if (s->shape == SOLID_TRIANGLE)
                        continue;
                if (list->count == SOLIDS_SHOWN) {
                        left_out++;
                        continue;
                }
                o = outline_of(s);
                add_outline(json_add_object(list, NULL), &o,
                            config_obstacle_name(rig, s->name));
        }
        json_add_i64(map, "solids_more", left_out);
}

static void add_regions(struct json *map, const struct world *world)
{
        struct json *list = json_add_array(map, "regions");

        for (int i = 0; i < world->regions; i++) {
                const struct region *region = &world->region[i];
                const struct solid box = { .pos_ned_m = region->centre_ned_m,
                                           .axes_to_ned =
                                                   quat_to_mat3(region->q_region_to_ned),
                                           .size_m = region->half_m };
                struct outline o = outline_of(&box);
                struct json *to = json_add_object(list, NULL);

                add_outline(to, &o, NULL);
                add_place(json_add_array(to, "wind_mps"), region->wind_ned_mps.x,
                          region->wind_ned_mps.y);
        }
}

/* A grid over what is near the flight: in each cell the height of the highest piece of a mesh, NaN for none. */
struct relief {
        double north_m, east_m, cell_m; /* the south-western corner */
        int rows, columns; /* to the north, to the east */
        double up_m[RELIEF_CELLS * RELIEF_CELLS];
};

/* The columns of REPORT_POSITION_TRUTH. */
static void widen(double *low, double *high, const struct report_log *log, int column)
{
        for (int v = 0; v < log->vehicles; v++) {
                const struct report_table *t =
                        &log->vehicle[v].table[REPORT_POSITION_TRUTH];

                for (size_t i = 0; i < t->rows; i++) {
                        double at = t->value[i * (size_t)t->columns + (size_t)column];

                        *low = fmin(*low, at);
                        *high = fmax(*high, at);
                }
        }
}

static bool lay_grid(struct relief *r, const struct report_log *log)
{
        double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
        double side_m, beside_m;

        for (int i = 0; i < 2; i++)
                widen(&low[i], &high[i], log, i);
        if (!isfinite(low[0] + low[1] + high[0] + high[1]))
                return false;
        side_m = fmax(high[0] - low[0], high[1] - low[1]);
        beside_m = fmax(side_m / 2.0, BESIDE_LEAST_M);
        r->cell_m = (side_m + 2.0 * beside_m) / RELIEF_CELLS;
        r->north_m = low[0] - beside_m;
        r->east_m = low[1] - beside_m;
        r->rows = (int)fmin(ceil((high[0] + beside_m - r->north_m) / r->cell_m),
                            RELIEF_CELLS);
        r->columns = (int)fmin(ceil((high[1] + beside_m - r->east_m) / r->cell_m),
                               RELIEF_CELLS);
        for (int i = 0; i < r->rows * r->columns; i++)
                r->up_m[i] = NAN;
        return true;
}

static void raise_cell(struct relief *r, struct vec3 at)
{
        double row = floor((at.x - r->north_m) / r->cell_m);
        double column = floor((at.y - r->east_m) / r->cell_m);
        double *up_m;

        if (!(row >= 0.0 && row < r->rows && column >= 0.0 && column < r->columns))
                return;
        up_m = &r->up_m[(int)row * r->columns + (int)column];
        *up_m = fmax(*up_m, -at.z);
}

static void raise_edge(struct relief *r, struct vec3 from, struct vec3 along)
{
        int parts = (int)fmin(1.0 + 2.0 * vec3_norm(along) / r->cell_m, EDGE_PARTS);

        for (int i = 0; i <= parts; i++)
                raise_cell(r, vec3_add(from, vec3_scale((double)i / parts, along)));
}

static int cell_at(double places_m, double cell_m, int cells)
{
        return (int)fmin(fmax(floor(places_m / cell_m), 0.0), cells);
}

/* Where the middle of a cell lies within the triangle, seen from above. */
static void raise_face(struct relief *r, const struct solid *s)
{
        struct vec3 a = s->edge_m[0], b = s->edge_m[1];
        double from_m[2] = { s->pos_ned_m.x - r->north_m, s->pos_ned_m.y - r->east_m };
        int first_row =
                cell_at(from_m[0] + fmin(fmin(a.x, b.x), 0.0), r->cell_m, r->rows);
        int last_row =
                cell_at(from_m[0] + fmax(fmax(a.x, b.x), 0.0), r->cell_m, r->rows - 1);
        int first = cell_at(from_m[1] + fmin(fmin(a.y, b.y), 0.0), r->cell_m, r->columns);
        int last =
                cell_at(from_m[1] + fmax(fmax(a.y, b.y), 0.0), r->cell_m, r->columns - 1);
        double area = a.x * b.y - a.y * b.x;

        for (int row = first_row; row <= last_row; row++)
                for (int column = first; column <= last; column++) {
                        double x = (row + 0.5) * r->cell_m - from_m[0];
                        double y = (column + 0.5) * r->cell_m - from_m[1];
                        double u = (x * b.y - y * b.x) / area;
                        double v = (a.x * y - a.y * x) / area;

                        if (u >= 0.0 && v >= 0.0 && u + v <= 1.0)
                                raise_cell(r,
                                           vec3_add(s->pos_ned_m,
                                                    vec3_axpy(vec3_scale(u, a), v, b)));
                }
}

/* The edges, too: a wall that stands upright has no area from above. */
static void raise_triangle(struct relief *r, const struct solid *s)
{
        struct vec3 second = vec3_add(s->pos_ned_m, s->edge_m[0]);

        raise_face(r, s);
        raise_edge(r, s->pos_ned_m, s->edge_m[0]);
        raise_edge(r, s->pos_ned_m, s->edge_m[1]);
        raise_edge(r, second, vec3_sub(s->edge_m[1], s->edge_m[0]));
}

static void put_relief(struct json *map, const struct relief *r)
{
        struct json *to = json_add_object(map, "relief"), *list;

        json_add_number(to, "north_m", r->north_m);
        json_add_number(to, "east_m", r->east_m);
        json_add_number(to, "cell_m", r->cell_m);
        json_add_i64(to, "columns", r->columns);
        list = json_add_array(to, "up_m");
        for (int i = 0; i < r->rows * r->columns; i++)
                json_add_number(list, NULL, round(100.0 * r->up_m[i]) / 100.0);
}

static void add_relief(struct json *map, const struct scene *scene,
                       const struct report_log *log)
{
        struct relief *r = calloc(1, sizeof *r);
        bool meshes = false;

        if (r == NULL)
                map->failed = true;
        if (r != NULL && lay_grid(r, log))
                for (int i = 0; i < scene->solids; i++) {
                        if (scene->solid[i].shape != SOLID_TRIANGLE)
                                continue;
                        meshes = true;
                        raise_triangle(r, &scene->solid[i]);
                }
        if (meshes)
                put_relief(map, r);
        free(r);
}

static void add_round(struct json *places, const struct route_fence *f)
{
        for (int i = 0; i < ROUND_CORNERS; i++) {
                double turn = 2.0 * M_PI * i / ROUND_CORNERS;

                add_place(places, f->north_m + f->radius_m * cos(turn),
                          f->east_m + f->radius_m * sin(turn));
        }
}

/* The places of a mission in the order in which they are flown, and its fence. */
static void add_mission(struct json *map, const struct route *r)
{
        struct json *o = json_add_object(map, "mission"), *to;

        to = json_add_array(o, "route");
        add_place(to, r->home_ned_m.x, r->home_ned_m.y);
        for (int i = 0; i < r->stops && i < SOLIDS_SHOWN; i++)
                if (r->stop[i].moves)
                        add_place(to, r->stop[i].at_ned_m.x, r->stop[i].at_ned_m.y);
        to = json_add_array(o, "fence");
        for (int i = 0; i < r->fences; i++) {
                const struct route_fence *f = &r->fence[i];
                bool round = f->command == MISSION_FENCE_CIRCLE_INSIDE ||
                             f->command == MISSION_FENCE_CIRCLE_OUTSIDE;
                struct json *part = round || f->corners > 0 ? json_add_object(to, NULL)
                                                            : NULL,
                            *places = json_add_array(part, "outline");

                json_add_bool(part, "inside",
                              f->command == MISSION_FENCE_CIRCLE_INSIDE ||
                                      f->command == MISSION_FENCE_POLYGON_INSIDE);
                if (round && part != NULL)
                        add_round(places, f);
                for (int k = 0; k < f->corners; k++)
                        add_place(places, f[k].north_m, f[k].east_m);
        }
}

struct json *report_map(const struct report *r)
{
        const struct rig_config *rig = r->rig;
        struct json *map = json_new_object();
        const struct world *world = &rig->world;

        json_add_number(map, "ground_up_m", -world->ground_down_m);
        add_place(json_add_array(map, "wind_mps"), world->wind.steady_ned_mps.x,
                  world->wind.steady_ned_mps.y);
        add_solids(map, rig);
        add_regions(map, world);
        if (rig->mission != NULL)
                add_mission(map, &rig->mission->route);
        if (map != NULL && world->scene != NULL)
                add_relief(map, world->scene, &r->log);
        return map;
}
