/* When the others ping is known from their schedules, before or after: nothing is remembered. */
#include "models/sensors/sonar_crosstalk.h"

#define NS_PER_S 1e9

/* How one unit listens to another. */
struct pair {
        const struct sonar_view *ear;
        struct sonar_view mouth;
        const struct exposure *e;
        double head_start_m; /* how far sound goes from the ear's ping to the mouth's */
        double blind_m; /* the ear is deaf as long as its own ping rings */
        bool foreign; /* the mouth is on another vehicle */
        double nearest_m, deaf_m; /* so far */
};

/* Of its schedule: what counts between two pings is their own time, not the step at which they are
 * computed. */
static int64_t ping_ns(const struct schedule_params *s, int64_t t_ns)
{
        if (s->period_ns <= 0 || t_ns < s->phase_ns)
                return t_ns;
        return s->phase_ns + (t_ns - s->phase_ns) / s->period_ns * s->period_ns;
}

/* Whether nothing is in between. */
static bool sees(const struct sonar_view *v, const struct exposure *e,
                 struct vec3 dir_ned, double range_m)
{
        double up_to_m = range_m - 1e-6 * (1.0 + range_m);

        return up_to_m <= 0.0 ||
               world_hit(e->world, v->pos_ned_m, dir_ned, up_to_m).surface == NULL;
}

/* Most points are not in the other's cone: said without a root. */
static bool may_hold(const struct sonar_view *v, struct vec3 to)
{
        double along = vec3_dot(v->axis_ned, to), cosine = v->unit->cos_half;

        return along > 0.0 &&
               along * along >= (1.0 - 1e-9) * cosine * cosine * vec3_dot(to, to);
}

/* Whether sound that the ear would believe to be an echo from there changes what it hears. */
static bool matters(const struct pair *p, double believed_m)
{
        if (believed_m > p->blind_m)
                return believed_m < p->nearest_m;
        return p->foreign && believed_m + p->blind_m > fmax(p->blind_m, p->deaf_m);
}

/* A foreign ping rings in the ear as long as its own. Of its own vehicle's the ear's electronics know. */
static void hear(struct pair *p, double believed_m)
{
        if (believed_m > p->blind_m)
                p->nearest_m = believed_m;
        else
                p->deaf_m = believed_m + p->blind_m;
}

static void consider(struct pair *p, struct vec3 at_ned_m,
                     const struct sonar_point *surface)
{
        struct vec3 out = vec3_sub(at_ned_m, p->mouth.pos_ned_m);
        struct vec3 back = vec3_sub(at_ned_m, p->ear->pos_ned_m);
        double out_m, back_m, believed_m;
        struct sonar_path path = { .from = &p->mouth, .to = p->ear };

        if (!may_hold(&p->mouth, out))
                return;
        out_m = vec3_norm(out);
        back_m = vec3_norm(back);
        path.length_m = out_m + back_m;
        believed_m = 0.5 * (p->head_start_m + path.length_m);
        if (!matters(p, believed_m) || out_m < 1e-9 || back_m < 1e-9 ||
            (p->foreign && out_m > p->mouth.unit->beam_max_m))
                return;
        path.out_ned = vec3_scale(1.0 / out_m, out);
        path.back_ned = vec3_scale(1.0 / back_m, back);
        if (sonar_cone_holds(&p->mouth, path.out_ned) &&
            sonar_cone_holds(p->ear, path.back_ned) && sonar_path_heard(&path, surface) &&
            sees(&p->mouth, p->e, path.out_ned, out_m) &&
            sees(p->ear, p->e, path.back_ned, back_m))
                hear(p, believed_m);
}

/* Face to face. */
static void consider_straight(struct pair *p)
{
        struct vec3 way = vec3_sub(p->mouth.pos_ned_m, p->ear->pos_ned_m);
        double far_m = vec3_norm(way), believed_m = 0.5 * (p->head_start_m + far_m);
        struct sonar_path path = { .from = &p->mouth, .to = p->ear, .length_m = far_m };

        if (!matters(p, believed_m) || far_m < 1e-9 ||
            far_m > p->ear->unit->beam_max_m + p->mouth.unit->beam_max_m)
                return;
        path.back_ned = vec3_scale(1.0 / far_m, way);
        path.out_ned = vec3_scale(-1.0, path.back_ned);
        if (sonar_cone_holds(&p->mouth, path.out_ned) &&
            sonar_cone_holds(p->ear, path.back_ned) && sonar_path_heard(&path, NULL) &&
            sees(p->ear, p->e, path.back_ned, far_m))
                hear(p, believed_m);
}

/* The shortest way by a flat surface is that of a mirror: straight to the mouth's image behind it. */
static void consider_mirror(struct pair *p, const struct sonar_point *surface)
{
        struct vec3 n = surface->normal_ned;
        double ear_m = -surface->range_m * vec3_dot(surface->dir_ned, n);
        struct vec3 to_mouth = vec3_sub(p->mouth.pos_ned_m, p->ear->pos_ned_m);
        double mouth_m = ear_m + vec3_dot(to_mouth, n);
        struct vec3 to_image = vec3_axpy(to_mouth, -2.0 * mouth_m, n);

        if (surface->radius_m > 0.0 || ear_m <= 0.0 || mouth_m <= 0.0)
                return;
        consider(p, vec3_axpy(p->ear->pos_ned_m, ear_m / (ear_m + mouth_m), to_image),
                 surface);
}

static void listen(struct pair *p, const struct sonar_points *points)
{
        if (p->foreign)
                consider_straight(p);
        for (int k = 0; k < points->count; k++) {
                const struct sonar_point *at = &points->at[k];

                consider_mirror(p, at);
                consider(p, vec3_axpy(p->ear->pos_ned_m, at->range_m, at->dir_ned), at);
        }
}

/* Every ping of the mouth that can reach the ear while it listens. */
static void listen_to(struct pair *p, const struct schedule_params *mouth, int64_t own_ns,
                      const struct sonar_points *points, double sound_mps)
{
        double ear_m = p->ear->unit->beam_max_m, mouth_m = p->mouth.unit->beam_max_m;
        int64_t early_ns = (int64_t)((ear_m + mouth_m) / sound_mps * NS_PER_S);
        int64_t late_ns = (int64_t)(2.0 * ear_m / sound_mps * NS_PER_S);
        int64_t t_ns = ping_ns(mouth, own_ns - early_ns);

        if (t_ns < mouth->phase_ns)
                t_ns = mouth->phase_ns;
        for (; t_ns < own_ns + late_ns; t_ns += mouth->period_ns) {
                p->head_start_m = (double)(t_ns - own_ns) / NS_PER_S * sound_mps;
                /* Even sound that came straight back would be too late. */
                if (0.5 * p->head_start_m >= p->nearest_m)
                        return;
                listen(p, points);
        }
}

/* All units of one vehicle, but for the ear itself. */
static void listen_to_all(struct pair *pair, const struct sonar_params *mouths,
                          const struct sonar_unit_params *ear, struct vec3 pos_ned_m,
                          const struct mat3 *body_to_ned,
                          const struct sonar_points *points, double sound_mps)
{
        const struct sonar_unit_params *own = pair->ear->unit;

        for (int j = 0; j < mouths->count; j++) {
                const struct sonar_unit_params *other = &mouths->unit[j];

                if (other == ear || !other->crosstalk || other->schedule.period_ns <= 0 ||
                    other->frequency_hz != own->frequency_hz)
                        continue;
                pair->mouth = sonar_view(other, pos_ned_m, *body_to_ned);
                listen_to(pair, &other->schedule, ping_ns(&own->schedule, pair->e->t_ns),
                          points, sound_mps);
        }
}

struct sonar_crosstalk sonar_crosstalk(const struct sonar_params *p, int i,
                                       const struct sonar_view *v,
                                       const struct exposure *e,
                                       const struct sonar_points *points,
                                       double sound_mps)
{
        const struct neighbours *others = e->others;
        const double beam_m = v->unit->beam_max_m;
        struct pair pair = { .ear = v,
                             .e = e,
                             .blind_m = fmax(v->unit->range.min, 0.0),
                             .nearest_m = beam_m };

        if (!(sound_mps > 0.0))
                return (struct sonar_crosstalk){ INFINITY, 0.0 };
        listen_to_all(&pair, p, &p->unit[i], e->body->pos_ned_m, &v->body_to_ned, points,
                      sound_mps);
        pair.foreign = true;
        for (int k = 0; others != NULL && k < others->count; k++) {
                const struct presence *other = others->at[k].presence;

                if (other != NULL && other->sonar != NULL)
                        listen_to_all(&pair, other->sonar, NULL, others->at[k].pos_ned_m,
                                      &other->body_to_ned, points, sound_mps);
        }
        return (struct sonar_crosstalk){ pair.nearest_m < beam_m ? pair.nearest_m
                                                                 : INFINITY,
                                         pair.deaf_m };
}
