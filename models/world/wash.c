#include "models/world/wash.h"

#define PI 3.14159265358979323846

/* Of R: the core's length, and how far up the air that a rotor draws in is followed. */
#define CORE_RADII  6.0
#define ABOVE_RADII 4.0
/* The core's share of the jet's radius at the disc: no edge is sharp. */
#define CORE_SHARE 0.8
/* tan 6 degrees: the radius at which a round turbulent jet has 1/e of its velocity grows by 0.10 to 0.11. */
#define SPREAD 0.10510423526567646
/* Edges end here, in their own width: exp(-9). */
#define EDGE_WIDTHS 3.0
/* The wall jet's thickness over the width of what comes down, and its growth along the wall. With these it is as
 * fast, within 20 %, as Poreh, Tsuei and Cermak measured it (1967: 1.32 (r/H)^-0.1 sqrt(K)/r). */
#define WALL_SHARE  0.36
#define WALL_SPREAD 0.1
/* Jets fade out over this share of their end. */
#define FADE 0.1
/* Integral of exp(-2 x^2) from 0. */
#define ROOT_PI_8 0.62665706865775012560

double wash_induced_mps(double thrust_over_density_m4ps2, double radius_m,
                        double climb_mps, double across_mps)
{
        double hover2 = thrust_over_density_m4ps2 / (2.0 * PI * radius_m * radius_m);
        double v, across2 = across_mps * across_mps;

        if (!(hover2 > 0.0))
                return 0.0;
        /* Newton's method from above, the root without speed across: it falls towards the root. */
        v = sqrt(0.25 * climb_mps * climb_mps + hover2) - 0.5 * climb_mps;
        for (int i = 0; i < 20; i++) {
                double axial = climb_mps + v, speed = sqrt(across2 + axial * axial);
                double less = (v * speed - hover2) / (speed + v * axial / speed);

                v -= less;
                if (!(less > 1e-9 * v))
                        break;
        }
        return v;
}

void wash_begin(struct wash *w, double radius_m, struct vec3 axis_ned,
                struct vec3 vel_ned_mps)
{
        double climb_mps = -vec3_dot(vel_ned_mps, axis_ned);
        struct vec3 across = vec3_axpy(vel_ned_mps, climb_mps, axis_ned);

        w->jets = 0;
        w->radius_m = radius_m;
        w->axis_ned = axis_ned;
        w->climb_mps = fmax(climb_mps, 0.0);
        w->across_mps = vec3_norm(across);
        /* wash_finish() makes it the way: for now what the air is left behind by. */
        w->way_ned = vec3_axpy(vec3_scale(-1.0, across), w->climb_mps, axis_ned);
        w->middle_ned_m = (struct vec3){ 0.0, 0.0, 0.0 };
}

void wash_add_rotor(struct wash *w, struct vec3 hub_ned_m, double induced_mps)
{
        if (!(2.0 * induced_mps > WASH_STILL_MPS))
                return;
        w->jet[w->jets++] = (struct wash_jet){ hub_ned_m, induced_mps };
}

/* How much wider than its core's end a jet is. */
static double spread_at(const struct wash *w, double s_m)
{
        double spread = 1.0 + SPREAD * (s_m / w->radius_m - CORE_RADII);

        return spread > 1.0 ? spread : 1.0;
}

/* Where a jet's edge ends at most, without a look at the section. Above a disc the air comes from as far as 6 R, and its
 * edge ends at 10.1 R. In fast flight a jet does not shrink: its edge is as wide as sqrt(2) R at the end of the core. */
static double widest_above_m(const struct wash *w)
{
        return 10.1 * w->radius_m;
}

static double widest_below_m(const struct wash *w, double s_m)
{
        double spread_m = w->radius_m + SPREAD * (s_m - CORE_RADII * w->radius_m);

        return 1.1 * 1.415 * EDGE_WIDTHS *
               (spread_m > w->radius_m ? spread_m : w->radius_m);
}

/* A jet's section: the core, the width of its edge, the speed in the middle. */
struct section {
        double core_m, edge_m, speed_mps;
};

static struct section section_at(const struct wash *w, double induced_mps, double s_m)
{
        const double radius2 = w->radius_m * w->radius_m;
        double v = induced_mps * (1.0 + s_m / sqrt(s_m * s_m + radius2));
        double through =
                sqrt(w->across_mps * w->across_mps +
                     (w->climb_mps + induced_mps) * (w->climb_mps + induced_mps));
        double along = sqrt(w->across_mps * w->across_mps +
                            (w->climb_mps + v) * (w->climb_mps + v));
        double tube_m = w->radius_m * sqrt(through / along);
        double share =
                CORE_SHARE * (1.0 - (s_m > 0.0 ? s_m : 0.0) / (CORE_RADII * w->radius_m));
        double spread = spread_at(w, s_m), core, half;

        /* The edge whose flux, with the core's, is that of the tube:
         * edge^2/4 + core edge sqrt(pi/8) + core^2/2 = tube^2/2. */
        core = share > 0.0 ? share : 0.0;
        half = 2.0 * ROOT_PI_8 * core;
        return (struct section){
                .core_m = core * tube_m,
                .edge_m = spread * tube_m *
                          (sqrt(half * half + 2.0 * (1.0 - core * core)) - half),
                .speed_mps = v / spread,
        };
}

static void find_middle(struct wash *w)
{
        for (int i = 0; i < w->jets; i++)
                w->middle_ned_m =
                        vec3_axpy(w->middle_ned_m, 1.0 / w->jets, w->jet[i].hub_ned_m);
}

/* How far the hubs are from the middle, and along the jets. */
static void measure_hubs(struct wash *w)
{
        w->arm_m = w->lift_m = 0.0;
        for (int i = 0; i < w->jets; i++) {
                struct vec3 arm = vec3_sub(w->jet[i].hub_ned_m, w->middle_ned_m);

                w->arm_m = fmax(w->arm_m, vec3_norm(arm));
                w->lift_m = fmax(w->lift_m, fabs(vec3_dot(arm, w->way_ned)));
        }
}

static void meet_surface(struct wash *w, const struct world *world)
{
        struct world_hit hit = world_hit(world, w->middle_ned_m, w->way_ned, w->length_m);
        struct section end;
        double spread2 = 0.0;

        w->stopped = hit.surface != NULL;
        if (!w->stopped)
                return;
        w->foot_ned_m = vec3_axpy(w->middle_ned_m, hit.range_m, w->way_ned);
        w->normal_ned = hit.normal_ned;
        w->flux_m4ps2 = 0.0;
        for (int i = 0; i < w->jets; i++) {
                double v = w->jet[i].induced_mps, axial = w->climb_mps + v;
                struct vec3 arm = vec3_sub(w->jet[i].hub_ned_m, w->middle_ned_m);

                w->flux_m4ps2 += 2.0 * PI * w->radius_m * w->radius_m * v *
                                 sqrt(w->across_mps * w->across_mps + axial * axial);
                spread2 += 2.0 * vec3_dot(arm, arm) / w->jets;
        }
        end = section_at(w, w->mean_mps, hit.range_m);
        w->width_m =
                sqrt((end.core_m + end.edge_m) * (end.core_m + end.edge_m) + spread2);
        w->far_m = sqrt(w->flux_m4ps2 / (2.0 * PI * WALL_SPREAD * ROOT_PI_8)) /
                   WASH_STILL_MPS;
}

void wash_finish(struct wash *w, const struct world *world)
{
        double mean_mps = 0.0, most_mps = 0.0;

        if (w->jets == 0)
                return;
        find_middle(w);
        for (int i = 0; i < w->jets; i++) {
                mean_mps += w->jet[i].induced_mps / w->jets;
                most_mps = fmax(most_mps, w->jet[i].induced_mps);
        }
        w->way_ned = vec3_axpy(w->way_ned, 2.0 * mean_mps, w->axis_ned);
        w->way_ned = vec3_scale(1.0 / vec3_norm(w->way_ned), w->way_ned);
        measure_hubs(w);
        w->mean_mps = mean_mps;
        w->length_m = w->radius_m *
                      (CORE_RADII + (2.0 * most_mps / WASH_STILL_MPS - 1.0) / SPREAD);
        meet_surface(w, world);
}

static double edge_end_m(const struct wash *w, double s_m)
{
        struct section at = section_at(w, w->mean_mps, s_m);

        /* Rotors that induce more or less have it a little elsewhere. */
        return 1.1 * (at.core_m + EDGE_WIDTHS * at.edge_m);
}

/* The same without a look at the section, of all jets. */
static double widest_m(const struct wash *w, double to_m)
{
        return w->arm_m + fmax(widest_above_m(w), widest_below_m(w, to_m + w->lift_m));
}

/* What all jets' edges stay within, between two places along them: a jet is narrowest at the disc. */
static double outer_m(const struct wash *w, double from_m, double to_m)
{
        from_m = fmax(from_m - w->lift_m, -ABOVE_RADII * w->radius_m);
        to_m = fmin(to_m + w->lift_m, w->length_m);
        return w->arm_m + fmax(edge_end_m(w, from_m), edge_end_m(w, to_m));
}

/* The wall jet where it is r from the foot. */
static double wall_thickness_m(const struct wash *w, double r_m)
{
        return WALL_SHARE * w->width_m + WALL_SPREAD * r_m;
}

double wash_reach_m(const struct wash *w)
{
        double end_m,
                along = sqrt(w->way_ned.x * w->way_ned.x + w->way_ned.y * w->way_ned.y);

        if (w->jets == 0)
                return 0.0;
        end_m = along * w->length_m + widest_m(w, w->length_m);
        return w->stopped ? fmax(end_m, along * w->length_m + w->far_m) : end_m;
}

static bool jets_reach(const struct wash *w, struct vec3 pos_ned_m, double radius_m)
{
        struct vec3 to_m = vec3_sub(pos_ned_m, w->middle_ned_m);
        double s = vec3_dot(to_m, w->way_ned),
               wide = widest_m(w, s + radius_m) + radius_m;
        double across2 = vec3_dot(to_m, to_m) - s * s;

        if (across2 >= wide * wide ||
            s <= -ABOVE_RADII * w->radius_m - w->lift_m - radius_m ||
            s >= w->length_m + w->lift_m + radius_m)
                return false;
        wide = outer_m(w, s - radius_m, s + radius_m) + radius_m;
        return across2 < wide * wide;
}

static bool wall_jet_reaches(const struct wash *w, struct vec3 pos_ned_m, double radius_m)
{
        struct vec3 from_foot = vec3_sub(pos_ned_m, w->foot_ned_m);
        double high = vec3_dot(from_foot, w->normal_ned), wide = w->far_m + radius_m;
        double along2 = vec3_dot(from_foot, from_foot) - high * high;

        return along2 < wide * wide &&
               high < radius_m + EDGE_WIDTHS * wall_thickness_m(w, sqrt(along2));
}

bool wash_reaches(const struct wash *w, struct vec3 pos_ned_m, double radius_m)
{
        return w->jets > 0 && (jets_reach(w, pos_ned_m, radius_m) ||
                               (w->stopped && wall_jet_reaches(w, pos_ned_m, radius_m)));
}

/* 1, and towards `end` down to 0. */
static double fading(double at, double end)
{
        return fmin(1.0, fmax(0.0, (end - at) / (FADE * end)));
}

static void add_jet(const struct wash *w, const struct wash_jet *jet,
                    struct vec3 pos_ned_m, double high_m, struct vec3 *flux)
{
        struct vec3 to_m = vec3_sub(pos_ned_m, jet->hub_ned_m);
        double s = vec3_dot(to_m, w->way_ned), across2 = vec3_dot(to_m, to_m) - s * s;
        double most_m, off_m, u;
        struct section at;

        if (s < -ABOVE_RADII * w->radius_m || s > w->length_m)
                return;
        most_m = s < 0.0 ? widest_above_m(w) : widest_below_m(w, s);
        if (across2 > most_m * most_m)
                return;
        at = section_at(w, jet->induced_mps, s);
        off_m = sqrt(fmax(across2, 0.0)) - at.core_m;
        if (off_m > EDGE_WIDTHS * at.edge_m)
                return;
        u = at.speed_mps * fading(s, w->length_m);
        if (off_m > 0.0)
                u *= exp(-off_m * off_m / (at.edge_m * at.edge_m));
        /* Above a surface it slows down over its own width: none flows through. */
        if (w->stopped) {
                double turn = high_m / (at.core_m + at.edge_m);

                u *= -expm1(-turn * turn);
        }
        *flux = vec3_axpy(*flux, u * u, w->axis_ned);
}

/* As much momentum as came down within r flows outwards there. */
static void add_wall_jet(const struct wash *w, struct vec3 along_m, double high_m,
                         struct vec3 *flux)
{
        double r = vec3_norm(along_m), thick = wall_thickness_m(w, r);
        double near = r / w->width_m, up = high_m / thick, u2;

        if (!(r > 1e-9) || r > w->far_m || up > EDGE_WIDTHS)
                return;
        u2 = -w->flux_m4ps2 * expm1(-2.0 * near * near) * exp(-2.0 * up * up) /
             (2.0 * PI * r * thick * ROOT_PI_8);
        *flux = vec3_axpy(*flux, u2 * fading(r, w->far_m) / r, along_m);
}

void wash_add_flux(const struct wash *w, struct vec3 pos_ned_m,
                   struct vec3 *flux_ned_m2ps2)
{
        struct vec3 from_foot, along;
        double high = 0.0;

        if (w->stopped) {
                from_foot = vec3_sub(pos_ned_m, w->foot_ned_m);
                high = vec3_dot(from_foot, w->normal_ned);
                along = vec3_axpy(from_foot, -high, w->normal_ned);
                if (high <= 0.0)
                        return;
                add_wall_jet(w, along, high, flux_ned_m2ps2);
        }
        for (int i = 0; i < w->jets; i++)
                add_jet(w, &w->jet[i], pos_ned_m, high, flux_ned_m2ps2);
}

struct vec3 wash_velocity_mps(struct vec3 flux_ned_m2ps2)
{
        double flux = vec3_norm(flux_ned_m2ps2);

        return flux > 0.0 ? vec3_scale(1.0 / sqrt(flux), flux_ned_m2ps2) : flux_ned_m2ps2;
}
