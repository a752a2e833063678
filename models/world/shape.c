#include "models/world/shape.h"

#define PI 3.14159265358979323846

/* Rounds between two cores: for lines and discs at 30 degrees to each other what is left halves with each
 * two. Nearer than this share of what rounds them, they count as crossing. */
#define NEAREST_ROUNDS 60
#define NEAREST_M      1e-9
#define CROSSING       0.05
/* Steps of a ray, and how near is met. */
#define RAY_STEPS 50
#define MET_M     1e-9

void shape_add(struct shape *s, const struct shape_part *part)
{
        double far_m = vec3_norm(part->at_m) + part->rod_m + part->disc_m + part->round_m;

        if (s->parts == SHAPE_PARTS_MAX)
                return;
        s->part[s->parts++] = *part;
        s->radius_m = fmax(s->radius_m, far_m);
}

void shape_add_rod(struct shape *s, struct vec3 from_m, struct vec3 to_m, double round_m)
{
        struct vec3 half = vec3_scale(0.5, vec3_sub(to_m, from_m));
        double rod_m = vec3_norm(half);
        struct shape_part part = { .at_m = vec3_add(from_m, half),
                                   .axis = { 0.0, 0.0, 1.0 },
                                   .rod_m = rod_m,
                                   .round_m = round_m };

        if (rod_m > 0.0)
                part.axis = vec3_scale(1.0 / rod_m, half);
        shape_add(s, &part);
}

static struct vec3 nearest_of_core(const struct shape_part *p, struct vec3 pos_m)
{
        struct vec3 to = vec3_sub(pos_m, p->at_m);
        double along = vec3_dot(to, p->axis), across;

        if (p->disc_m > 0.0) {
                to = vec3_axpy(to, -along, p->axis);
                across = vec3_norm(to);
                return across > p->disc_m ? vec3_axpy(p->at_m, p->disc_m / across, to)
                                          : vec3_add(p->at_m, to);
        }
        return vec3_axpy(p->at_m, fmax(-p->rod_m, fmin(along, p->rod_m)), p->axis);
}

double shape_part_distance_m(const struct shape_part *p, struct vec3 pos_m,
                             struct vec3 *core_m)
{
        *core_m = nearest_of_core(p, pos_m);
        return vec3_norm(vec3_sub(pos_m, *core_m)) - p->round_m;
}

double shape_part_ray_m(const struct shape_part *p, struct vec3 pos_m, struct vec3 dir,
                        double max_m)
{
        double range_m = 0.0;
        struct vec3 core_m;

        /* Along a line the distance to a part is convex: Newton's method from outside does not overshoot. */
        for (int i = 0; i < RAY_STEPS && range_m <= max_m; i++) {
                struct vec3 at_m = vec3_axpy(pos_m, range_m, dir);
                double free_m = shape_part_distance_m(p, at_m, &core_m), nearing;

                if (free_m < MET_M)
                        return range_m;
                nearing = -vec3_dot(vec3_sub(at_m, core_m), dir) / (free_m + p->round_m);
                if (!(nearing > 0.0))
                        return INFINITY;
                range_m += free_m / nearing;
        }
        return INFINITY;
}

double shape_part_seen_m(const struct shape_part *p, struct vec3 dir)
{
        double along = fabs(vec3_dot(p->axis, dir)), r = p->round_m, wide = p->disc_m + r;
        double across = sqrt(fmax(1.0 - along * along, 0.0));
        double area_m2 = PI * r * r + 4.0 * r * p->rod_m * across;

        if (p->disc_m > 0.0)
                area_m2 = PI * wide * wide * along + 4.0 * r * wide * across;
        return sqrt(area_m2 / PI);
}

static struct shape_part place_part(const struct shape_pose *s, int i)
{
        struct shape_part part = s->shape->part[i];

        part.at_m = vec3_add(s->pos_ned_m, mat3_times(s->body_to_ned, part.at_m));
        part.axis = mat3_times(s->body_to_ned, part.axis);
        return part;
}

/* Half of what a core measures along a direction. */
static double extent_m(const struct shape_part *p, struct vec3 dir)
{
        double along = vec3_dot(p->axis, dir);

        return p->rod_m * fabs(along) + p->disc_m * sqrt(fmax(1.0 - along * along, 0.0));
}

/* Both ways along a direction of any length. */
static void try_way_out(const struct shape_part *a, const struct shape_part *b,
                        struct vec3 way, struct shape_contact *out)
{
        double length = vec3_norm(way), between_m, depth_m;

        if (!(length > 1e-9))
                return;
        way = vec3_scale(1.0 / length, way);
        between_m = vec3_dot(vec3_sub(a->at_m, b->at_m), way);
        if (between_m < 0.0) {
                way = vec3_scale(-1.0, way);
                between_m = -between_m;
        }
        depth_m =
                extent_m(a, way) + extent_m(b, way) + a->round_m + b->round_m - between_m;
        if (depth_m < out->depth_m) {
                out->depth_m = depth_m;
                out->normal_ned = way;
        }
}

/* The cores cross, or it takes too long to tell: the shortest of some ways out. */
static void leave_crossing(const struct shape_part *a, const struct shape_part *b,
                           struct shape_contact *out)
{
        const struct vec3 down = { 0.0, 0.0, 1.0 };

        out->depth_m = INFINITY;
        try_way_out(a, b, vec3_sub(a->at_m, b->at_m), out);
        if (a->disc_m > 0.0)
                try_way_out(a, b, a->axis, out);
        if (b->disc_m > 0.0)
                try_way_out(a, b, b->axis, out);
        if (a->rod_m > 0.0 || b->rod_m > 0.0)
                try_way_out(a, b, vec3_cross(a->axis, b->axis), out);
        /* Two in one place. */
        if (out->depth_m == INFINITY)
                try_way_out(a, b, down, out);
}

static bool parts_meet(const struct shape_part *a, const struct shape_part *b,
                       struct shape_contact *out)
{
        struct vec3 way = vec3_sub(a->at_m, b->at_m), on_a = a->at_m, on_b, was;
        double reach_m =
                a->rod_m + a->disc_m + a->round_m + b->rod_m + b->disc_m + b->round_m;
        double far_m, moved_m = INFINITY;

        if (vec3_dot(way, way) >= reach_m * reach_m)
                return false;
        for (int i = 0; i < NEAREST_ROUNDS && moved_m > NEAREST_M; i++) {
                was = on_a;
                on_b = nearest_of_core(b, on_a);
                on_a = nearest_of_core(a, on_b);
                moved_m = vec3_norm(vec3_sub(on_a, was));
        }
        way = vec3_sub(on_a, on_b);
        far_m = vec3_norm(way);
        out->depth_m = a->round_m + b->round_m - far_m;
        if (out->depth_m <= 0.0)
                return false;
        if (moved_m <= NEAREST_M && far_m > CROSSING * (a->round_m + b->round_m))
                out->normal_ned = vec3_scale(1.0 / far_m, way);
        else
                leave_crossing(a, b, out);
        out->at_ned_m =
                vec3_axpy(on_b, b->round_m - 0.5 * (a->round_m + b->round_m - far_m),
                          out->normal_ned);
        return true;
}

bool shapes_meet(const struct shape_pose *a, const struct shape_pose *b,
                 struct shape_contact *out)
{
        struct vec3 way = vec3_sub(a->pos_ned_m, b->pos_ned_m);
        double reach_m = a->shape->radius_m + b->shape->radius_m;
        struct shape_contact here;

        *out = (struct shape_contact){ 0 };
        if (vec3_dot(way, way) >= reach_m * reach_m)
                return false;
        for (int i = 0; i < a->shape->parts; i++) {
                struct shape_part of_a = place_part(a, i);

                for (int k = 0; k < b->shape->parts; k++) {
                        struct shape_part of_b = place_part(b, k);

                        if (parts_meet(&of_a, &of_b, &here) &&
                            here.depth_m > out->depth_m)
                                *out = here;
                }
        }
        return out->depth_m > 0.0;
}
