/* The tree of bounding boxes, from the top down: the solids of a node are sorted into bins by their
 * centres along the longest axis and split where the surface area heuristic expects the least work
 * (Wald 2007). No recursion, no randomness. */
#include "models/world/solid.h"

#define LEAF_MAX 4
#define BINS     16

/* Deeper than this, nodes are halved by number, so that no arrangement of solids makes the tree
 * deeper than SCENE_DEPTH_MAX. */
#define BINNED_DEPTH_MAX (SCENE_DEPTH_MAX - 32)

struct box {
        struct vec3 low, high;
};

static const struct box nothing = { { INFINITY, INFINITY, INFINITY },
                                    { -INFINITY, -INFINITY, -INFINITY } };

static void box_add(struct box *b, struct box o)
{
        b->low = (struct vec3){ fmin(b->low.x, o.low.x), fmin(b->low.y, o.low.y),
                                fmin(b->low.z, o.low.z) };
        b->high = (struct vec3){ fmax(b->high.x, o.high.x), fmax(b->high.y, o.high.y),
                                 fmax(b->high.z, o.high.z) };
}

static double box_area(struct box b)
{
        struct vec3 d = vec3_sub(b.high, b.low);

        return b.high.x < b.low.x ? 0.0 : d.x * d.y + d.y * d.z + d.z * d.x;
}

static struct box box_of(const struct solid *s)
{
        struct box b;

        solid_bounds(s, &b.low, &b.high);
        return b;
}

static double along(struct vec3 v, int axis)
{
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Where a node's solids are split. */
struct split {
        int axis;
        double start, per_m; /* bins: (centre - start) * per_m */
        int bin; /* the first of the right side; 0: a split does not help */
};

/* Twice the centre: only comparisons matter. */
static double centre_of(const struct solid *s, int axis)
{
        struct box b = box_of(s);

        return along(b.low, axis) + along(b.high, axis);
}

static int bin_of(const struct split *split, const struct solid *s)
{
        double bin = (centre_of(s, split->axis) - split->start) * split->per_m;

        return bin >= BINS ? BINS - 1 : bin > 0.0 ? (int)bin : 0;
}

static bool choose_axis(struct split *split, const struct solid *solid, int count)
{
        struct box centres = nothing;
        struct vec3 size;

        for (int i = 0; i < count; i++) {
                struct box b = box_of(&solid[i]);
                struct vec3 centre = vec3_add(b.low, b.high);

                box_add(&centres, (struct box){ centre, centre });
        }
        size = vec3_sub(centres.high, centres.low);
        split->axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        split->start = along(centres.low, split->axis);
        split->per_m = BINS / along(size, split->axis);
        return isfinite(split->per_m);
}

static void choose_bin(struct split *split, const struct solid *solid, int count)
{
        int in[BINS] = { 0 }, left_count = 0;
        struct box box[BINS], right[BINS + 1], left = nothing;
        double least = INFINITY;

        for (int k = 0; k < BINS; k++)
                box[k] = nothing;
        for (int i = 0; i < count; i++) {
                int k = bin_of(split, &solid[i]);

                in[k]++;
                box_add(&box[k], box_of(&solid[i]));
        }
        right[BINS] = nothing;
        for (int k = BINS - 1; k >= 0; k--) {
                right[k] = right[k + 1];
                box_add(&right[k], box[k]);
        }
        for (int k = 1; k < BINS; k++) {
                double work;

                box_add(&left, box[k - 1]);
                left_count += in[k - 1];
                work = box_area(left) * left_count +
                       box_area(right[k]) * (count - left_count);
                if (left_count > 0 && left_count < count && work < least) {
                        least = work;
                        split->bin = k;
                }
        }
}

/* Moves the solids of the left side to the front; returns how many. */
static int part(struct solid *solid, int count, int depth)
{
        struct split split = { .bin = 0 };
        int left = 0;

        if (depth < BINNED_DEPTH_MAX && choose_axis(&split, solid, count))
                choose_bin(&split, solid, count);
        if (split.bin == 0)
                return count / 2;
        for (int i = 0; i < count; i++) {
                if (bin_of(&split, &solid[i]) < split.bin) {
                        struct solid moved = solid[i];

                        solid[i] = solid[left];
                        solid[left++] = moved;
                }
        }
        return left;
}

static struct scene_node leaf_of(const struct solid *solid, int first, int count)
{
        struct box b = nothing;

        for (int i = 0; i < count; i++)
                box_add(&b, box_of(&solid[first + i]));
        return (struct scene_node){ b.low, b.high, first, count };
}

/* Distance of the farthest corner from the origin. */
static double farthest(const struct scene_node *n)
{
        return vec3_norm((struct vec3){ fmax(-n->low_m.x, n->high_m.x),
                                        fmax(-n->low_m.y, n->high_m.y),
                                        fmax(-n->low_m.z, n->high_m.z) });
}

static bool is_finite(struct vec3 v)
{
        return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool usable(const struct solid *s, int surfaces)
{
        struct box b = box_of(s);

        return is_finite(s->pos_ned_m) && is_finite(s->edge_m[0]) &&
               is_finite(s->edge_m[1]) && is_finite(s->size_m) && is_finite(b.low) &&
               is_finite(b.high) && s->size_m.x >= 0.0 && s->size_m.y >= 0.0 &&
               s->size_m.z >= 0.0 && s->surface >= 0 && s->surface < surfaces;
}

bool scene_build(struct scene *s, struct solid *solid, int solids,
                 struct scene_node *node, const struct surface *surface, int surfaces)
{
        struct {
                int node, depth;
        } todo[SCENE_DEPTH_MAX + 1];
        int waiting = 0;

        *s = (struct scene){ .solid = solid,
                             .solids = solids,
                             .node = node,
                             .surface = surface,
                             .surfaces = surfaces };
        for (int i = 0; i < solids; i++)
                if (!usable(&solid[i], surfaces))
                        return false;
        if (solids <= 0)
                return true;
        node[s->nodes++] = leaf_of(solid, 0, solids);
        s->reach_m = farthest(&node[0]);
        todo[waiting].depth = 0;
        todo[waiting++].node = 0;
        while (waiting > 0) {
                int depth = todo[--waiting].depth, children = s->nodes, left;
                struct scene_node *n = &node[todo[waiting].node];

                if (n->count <= LEAF_MAX)
                        continue;
                left = part(&solid[n->first], n->count, depth);
                node[children] = leaf_of(solid, n->first, left);
                node[children + 1] = leaf_of(solid, n->first + left, n->count - left);
                n->first = children;
                n->count = 0;
                s->nodes += 2;
                for (int k = 1; k >= 0; k--) {
                        todo[waiting].depth = depth + 1;
                        todo[waiting++].node = children + k;
                }
        }
        return true;
}
