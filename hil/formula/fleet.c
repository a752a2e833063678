#include "hil/formula/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "models/vehicle/presence.h"

#define SLOW_MPS 0.05

bool fleet_open(struct fleet *f, int count)
{
        *f = (struct fleet){ .count = count };
        f->member = calloc((size_t)count, sizeof *f->member);
        f->by_north = calloc((size_t)count, sizeof *f->by_north);
        f->north_m = calloc((size_t)count, sizeof *f->north_m);
        if (f->member == NULL || f->by_north == NULL || f->north_m == NULL) {
                fleet_close(f);
                return false;
        }
        for (int i = 0; i < count; i++)
                f->by_north[i] = i;
        return true;
}

void fleet_close(struct fleet *f)
{
        free(f->member);
        free(f->by_north);
        free(f->north_m);
        *f = (struct fleet){ 0 };
}

static struct fleet_member *from_south(const struct fleet *f, int rank)
{
        return &f->member[f->by_north[rank]];
}

static void sort_by_north(struct fleet *f)
{
        for (int i = 0; i < f->count; i++)
                f->north_m[i] = f->member[i].pos_ned_m.x;
        presence_order(f->by_north, f->north_m, f->count);
}

static double between_m(const struct fleet_member *a, const struct fleet_member *b)
{
        return vec3_norm(vec3_sub(a->pos_ned_m, b->pos_ned_m));
}

/* North or south of the rank-th, until what is left is farther by its latitude alone. */
static double nearest_beside(const struct fleet *f, int rank, int step, double nearest_m)
{
        const struct fleet_member *own = from_south(f, rank);

        for (int k = rank + step; k >= 0 && k < f->count; k += step) {
                const struct fleet_member *other = from_south(f, k);

                if (!other->counts)
                        continue;
                if (fabs(other->pos_ned_m.x - own->pos_ned_m.x) >= nearest_m)
                        break;
                nearest_m = fmin(nearest_m, between_m(own, other));
        }
        return nearest_m;
}

static void find_nearest(struct fleet *f)
{
        for (int i = 0; i < f->count; i++)
                from_south(f, i)->nearest_m =
                        from_south(f, i)->counts
                                ? nearest_beside(
                                          f, i, 1,
                                          nearest_beside(f, i, -1, (double)INFINITY))
                                : NAN;
}

static void choose_counted(struct fleet *f)
{
        int flying = 0;

        for (int i = 0; i < f->count; i++)
                flying += f->member[i].flies;
        for (int i = 0; i < f->count; i++)
                f->member[i].counts = flying == 0 || f->member[i].flies;
        f->counted = flying == 0 ? f->count : flying;
}

static void find_centre(struct fleet *f)
{
        struct vec3 sum = { 0.0, 0.0, 0.0 }, moves = sum, ways = sum;
        int moving = 0;

        for (int i = 0; i < f->count; i++) {
                const struct fleet_member *m = &f->member[i];
                double speed_mps = vec3_norm(m->vel_ned_mps);

                if (!m->counts)
                        continue;
                sum = vec3_add(sum, m->pos_ned_m);
                moves = vec3_add(moves, m->vel_ned_mps);
                if (speed_mps < SLOW_MPS)
                        continue;
                ways = vec3_axpy(ways, 1.0 / speed_mps, m->vel_ned_mps);
                moving++;
        }
        f->centre_ned_m = vec3_scale(1.0 / f->counted, sum);
        f->speed_mps = vec3_norm(moves) / f->counted;
        f->order = moving > 0 ? vec3_norm(ways) / moving : NAN;
}

static void find_spread(struct fleet *f)
{
        double sum_m = 0.0;

        f->separation_m = (double)INFINITY;
        f->radius_m = f->lattice_m = 0.0;
        for (int i = 0; i < f->count; i++) {
                struct fleet_member *m = &f->member[i];

                m->centre_m = m->counts
                                      ? vec3_norm(vec3_sub(m->pos_ned_m, f->centre_ned_m))
                                      : NAN;
                if (!m->counts)
                        continue;
                f->radius_m = fmax(f->radius_m, m->centre_m);
                f->separation_m = fmin(f->separation_m, m->nearest_m);
                sum_m += m->nearest_m;
        }
        for (int i = 0; i < f->count; i++)
                if (f->member[i].counts)
                        f->lattice_m = fmax(f->lattice_m, fabs(f->member[i].nearest_m -
                                                               sum_m / f->counted));
}

void fleet_measure(struct fleet *f)
{
        choose_counted(f);
        sort_by_north(f);
        find_nearest(f);
        find_centre(f);
        find_spread(f);
}

double fleet_range_m(const struct fleet *f)
{
        double reach_m
                [f->count]; /* from the tree; negative: in it, or it does not count */
        double longest_m = 0.0;
        int last = 0;

        for (int i = 0; i < f->count; i++) {
                reach_m[i] = f->member[i].counts ? (double)INFINITY : -1.0;
                if (f->member[i].counts)
                        last = i;
        }
        for (int joined = 1; joined < f->counted; joined++) {
                int next = last;

                reach_m[last] = -1.0;
                for (int i = 0; i < f->count; i++) {
                        if (reach_m[i] < 0.0)
                                continue;
                        reach_m[i] = fmin(reach_m[i],
                                          between_m(&f->member[last], &f->member[i]));
                        if (next == last || reach_m[i] < reach_m[next])
                                next = i;
                }
                longest_m = fmax(longest_m, reach_m[next]);
                last = next;
        }
        return f->counted > 1 ? longest_m : (double)INFINITY;
}
