/* Casts the rays of a cone and weighs what comes back. */
#include "models/sensors/sonar_cone.h"

/* The opening angle is between the directions of half the power, for sending and for hearing; between
 * axis and edge the beam is Gaussian. */
#define EDGE_DB 3.0
/* Rotors and arms are mostly air: an estimate. */
#define NEIGHBOUR_REFLECTION 0.3
/* Closer than this, the sound is as loud as here. */
#define NEAREST_M 0.01

static const struct sonar_point nothing = { .range_m = INFINITY };

struct sonar_view sonar_view(const struct sonar_unit_params *u, struct vec3 pos_ned_m,
                             struct mat3 body_to_ned)
{
        return (struct sonar_view){
                .unit = u,
                .body_to_ned = body_to_ned,
                .pos_ned_m =
                        vec3_add(pos_ned_m, mat3_times(body_to_ned, u->lever_arm_body_m)),
                .axis_ned = mat3_times(body_to_ned, u->axis_body),
        };
}

bool sonar_cone_holds(const struct sonar_view *v, struct vec3 dir_ned)
{
        /* A ray on the edge is inside, however it was rounded. */
        return vec3_dot(v->axis_ned, dir_ned) >= v->unit->cos_half - 1e-12;
}

/* The direction in the cone that is nearest to dir. */
static struct vec3 into_cone(const struct sonar_view *v, struct vec3 dir_ned)
{
        double along = vec3_dot(v->axis_ned, dir_ned), cos_half = v->unit->cos_half;
        struct vec3 across = vec3_axpy(dir_ned, -along, v->axis_ned);
        double length = vec3_norm(across);

        if (along >= cos_half)
                return dir_ned;
        if (length < 1e-9)
                return v->axis_ned;
        return vec3_axpy(vec3_scale(cos_half, v->axis_ned),
                         sqrt(1.0 - cos_half * cos_half) / length, across);
}

/* What the beam loses off its axis, one way: 1 - cos grows as the angle's square. */
static double off_axis_db(const struct sonar_view *v, struct vec3 dir_ned)
{
        double edge = 1.0 - v->unit->cos_half;
        double off = 1.0 - vec3_dot(v->axis_ned, dir_ned);

        return edge > 1e-12 ? EDGE_DB * off / edge : 0.0;
}

/* A flat wall is a mirror: the sound has gone 2 r and is as loud as 1/r says. A ball of radius a is a
 * convex mirror, whose image is a/(r + a) as loud. */
static double level_db(const struct sonar_path *path, const struct sonar_point *by)
{
        const struct sonar_unit_params *u = path->to->unit;
        double r = fmax(0.5 * path->length_m, NEAREST_M);
        double gain = (by != NULL ? by->reflection : 1.0) / r;

        if (by != NULL && by->radius_m > 0.0)
                gain *= by->radius_m / (r + by->radius_m);
        return u->margin_db + 20.0 * log10(gain) - 2.0 * u->absorption_dbpm * (r - 1.0) -
               off_axis_db(path->from, path->out_ned) -
               off_axis_db(path->to, path->back_ned);
}

bool sonar_path_heard(const struct sonar_path *path, const struct sonar_point *by)
{
        const struct sonar_unit_params *u = path->to->unit;
        struct vec3 both = vec3_add(path->out_ned, path->back_ned);

        /* A vehicle has no one surface: it throws sound wherever it comes from. */
        if (by != NULL && by->radius_m == 0.0 &&
            -vec3_dot(both, by->normal_ned) <
                    (u->cos_incidence_max - 1e-12) * vec3_norm(both))
                return false;
        return u->margin_db == 0.0 ||
               ((by == NULL || by->reflection > 0.0) && level_db(path, by) >= 0.0);
}

static bool is_heard(const struct sonar_view *v, const struct sonar_point *point)
{
        struct sonar_path there_and_back = { v, v, point->dir_ned, point->dir_ned,
                                             2.0 * point->range_m };

        return point->range_m <= v->unit->beam_max_m &&
               sonar_path_heard(&there_and_back, point);
}

struct search {
        const struct sonar_view *view;
        const struct exposure *e;
        struct sonar_points *all;
        struct sonar_point nearest; /* that is heard */
        struct vec3 foot_ned; /* where a ray was sent last because it seemed nearer */
};

static void consider(struct search *s, const struct sonar_point *point)
{
        if (!(point->range_m <= s->view->unit->beam_max_m))
                return;
        if (s->all != NULL && s->all->count < SONAR_POINTS_MAX)
                s->all->at[s->all->count++] = *point;
        if (point->range_m < s->nearest.range_m && is_heard(s->view, point))
                s->nearest = *point;
}

/* How far the search goes: to the nearest echo, unless others' pings matter too. */
static double reach_m(const struct search *s)
{
        double beam_m = s->view->unit->beam_max_m;

        return s->all == NULL ? fmin(beam_m, s->nearest.range_m) : beam_m;
}

static struct sonar_point cast(const struct search *s, struct vec3 dir_ned)
{
        struct world_hit hit =
                world_hit(s->e->world, s->view->pos_ned_m, dir_ned, reach_m(s));

        if (hit.surface == NULL)
                return nothing;
        return (struct sonar_point){ .range_m = hit.range_m,
                                     .dir_ned = dir_ned,
                                     .normal_ned = hit.normal_ned,
                                     .reflection = hit.surface->sound_reflection };
}

/* The surface that a ray met may come nearer elsewhere in the cone: were it flat, straight along its
 * normal, or at the cone's edge on that side. So the reading does not hang on where the rays are. */
static void look_nearer(struct search *s, const struct sonar_point *point)
{
        struct vec3 inwards = vec3_scale(-1.0, point->normal_ned);
        struct vec3 foot_ned = into_cone(s->view, inwards);
        double height_m = point->range_m * vec3_dot(point->dir_ned, inwards);
        double cosine = vec3_dot(foot_ned, inwards);
        struct sonar_point there;

        if (!(cosine > 0.0 && height_m < cosine * (s->nearest.range_m - 1e-9)) ||
            vec3_dot(foot_ned, s->foot_ned) > 1.0 - 1e-13)
                return;
        s->foot_ned = foot_ned;
        there = cast(s, foot_ned);
        consider(s, &there);
}

static void look_along_rays(struct search *s)
{
        const struct sonar_unit_params *u = s->view->unit;

        for (int i = 0; i < u->rays; i++) {
                struct vec3 dir_ned = mat3_times(s->view->body_to_ned, u->ray_body[i]);
                struct sonar_point point = cast(s, dir_ned);

                if (point.range_m == INFINITY)
                        continue;
                consider(s, &point);
                if (u->rays > 1)
                        look_nearer(s, &point);
        }
}

/* The nearest point of a ball in the cone. */
static struct sonar_point meet_ball(const struct sonar_view *v, struct vec3 centre_ned_m,
                                    double radius_m)
{
        struct vec3 to_ned_m = vec3_sub(centre_ned_m, v->pos_ned_m);
        double away2 = vec3_dot(to_ned_m, to_ned_m), away_m = sqrt(away2);
        struct vec3 dir_ned = v->axis_ned;
        double along_m, half2;

        if (away_m > 1e-9)
                dir_ned = into_cone(v, vec3_scale(1.0 / away_m, to_ned_m));
        along_m = vec3_dot(dir_ned, to_ned_m);
        half2 = radius_m * radius_m - (away2 - along_m * along_m);
        if (away_m > radius_m && (half2 < 0.0 || along_m < 0.0))
                return nothing;
        return (struct sonar_point){
                .range_m = away_m > radius_m ? along_m - sqrt(half2) : 0.0,
                .dir_ned = dir_ned,
                .normal_ned = vec3_scale(-1.0, dir_ned),
                .reflection = NEIGHBOUR_REFLECTION,
                .radius_m = radius_m,
        };
}

/* The nearest point of a part in the cone, from a place in the neighbour's axes. */
static struct sonar_point meet_part(const struct sonar_view *v, struct vec3 from_m,
                                    const struct mat3 *body_to_ned,
                                    const struct shape_part *part)
{
        struct vec3 core_m, way, seen_body;
        double away_m = shape_part_distance_m(part, from_m, &core_m);
        struct sonar_point point = { .range_m = 0.0,
                                     .dir_ned = v->axis_ned,
                                     .reflection = NEIGHBOUR_REFLECTION };

        if (away_m > 0.0) {
                way = mat3_times(*body_to_ned, vec3_sub(core_m, from_m));
                way = vec3_scale(1.0 / vec3_norm(way), way);
                point.dir_ned = into_cone(v, way);
                point.range_m = away_m;
        }
        seen_body = mat3_transpose_times(*body_to_ned, point.dir_ned);
        if (away_m > 0.0 && !sonar_cone_holds(v, way))
                point.range_m =
                        shape_part_ray_m(part, from_m, seen_body, v->unit->beam_max_m);
        point.normal_ned = vec3_scale(-1.0, point.dir_ned);
        point.radius_m = shape_part_seen_m(part, seen_body);
        return point;
}

/* The nearest of its parts that is heard. */
static struct sonar_point meet_shape(const struct sonar_view *v,
                                     const struct neighbour *other)
{
        const struct mat3 *m = &other->presence->body_to_ned;
        struct vec3 from_m =
                mat3_transpose_times(*m, vec3_sub(v->pos_ned_m, other->pos_ned_m));
        struct sonar_point nearest = nothing;

        for (int i = 0; i < other->presence->shape->parts; i++) {
                struct sonar_point point =
                        meet_part(v, from_m, m, &other->presence->shape->part[i]);

                if (point.range_m < nearest.range_m && is_heard(v, &point))
                        nearest = point;
        }
        return nearest;
}

static void look_at_neighbours(struct search *s)
{
        const struct neighbours *others = s->e->others;

        for (int i = 0; others != NULL && i < others->count; i++) {
                struct sonar_point point = meet_ball(s->view, others->at[i].pos_ned_m,
                                                     others->at[i].radius_m);

                if (point.range_m <= s->view->unit->beam_max_m &&
                    others->at[i].presence != NULL)
                        point = meet_shape(s->view, &others->at[i]);
                if (!(point.range_m <= s->view->unit->beam_max_m))
                        continue;
                if (world_hit(s->e->world, s->view->pos_ned_m, point.dir_ned,
                              point.range_m)
                            .surface == NULL)
                        consider(s, &point);
        }
}

struct sonar_point sonar_cone_echo(const struct sonar_view *v, const struct exposure *e,
                                   struct sonar_points *all)
{
        struct search s = { .view = v, .e = e, .all = all, .nearest = nothing };

        if (all != NULL)
                all->count = 0;
        look_along_rays(&s);
        look_at_neighbours(&s);
        return s.nearest;
}

double sonar_cone_beyond_m(const struct sonar_view *v, const struct sonar_points *points,
                           double from_m)
{
        double nearest_m = INFINITY;

        for (int k = 0; k < points->count; k++)
                if (points->at[k].range_m >= from_m &&
                    points->at[k].range_m < nearest_m && is_heard(v, &points->at[k]))
                        nearest_m = points->at[k].range_m;
        return nearest_m;
}
