/* A position is moved on the ellipsoid at its own height; good to a metre within 50 km. */
#include "models/faults/sensor_fault_change.h"

#include "models/world/earth.h"

/* The chosen axes' share of an amount: north, east, down. */
static struct vec3 along(unsigned axes, double amount)
{
        return (struct vec3){ axes & FAULT_AXIS_X ? amount : 0.0,
                              axes & FAULT_AXIS_Y ? amount : 0.0,
                              axes & FAULT_AXIS_Z ? amount : 0.0 };
}

/* A plane that touches the ellipsoid leaves it: the height is kept by hand. */
static void move(struct gps_sample *now, const struct gps_params *receiver,
                 struct vec3 by_m)
{
        struct earth_origin here = { now->lat_rad, now->lon_rad, now->height_m };
        struct vec3 level_m = { by_m.x, by_m.y, 0.0 };

        now->height_m -= by_m.z;
        if (by_m.x != 0.0 || by_m.y != 0.0) {
                struct earth_position there =
                        receiver->flat_earth ? earth_from_ned_flat(&here, level_m)
                                             : earth_from_ned(&here, level_m);

                now->lat_rad = there.lat_rad;
                now->lon_rad = there.lon_rad;
        }
}

static struct vec3 noise(struct rng *rng, unsigned axes, double sigma_m)
{
        struct vec3 v = { 0.0, 0.0, 0.0 };

        if (axes & FAULT_AXIS_X)
                v.x = sigma_m * rng_normal(rng);
        if (axes & FAULT_AXIS_Y)
                v.y = sigma_m * rng_normal(rng);
        if (axes & FAULT_AXIS_Z)
                v.z = sigma_m * rng_normal(rng);
        return v;
}

/* As the receiver's own model reports it. Before anything was said, 0, 0 is the last position. */
static void lose_fix(const struct gps_sample *last, int satellites,
                     struct gps_sample *now)
{
        int64_t t_ns = now->t_ns;

        *now = *last;
        now->t_ns = t_ns;
        now->h_acc_m = now->v_acc_m = GPS_UNKNOWN_M;
        now->s_acc_mps = GPS_UNKNOWN_MPS;
        now->satellites = satellites;
        now->used_prn = 0;
        now->fix = GPS_NO_FIX;
}

/* Median of chi-squared (Wilson and Hilferty 1931). */
static double chi_squared_median(int freedom)
{
        double root = 1.0 - 2.0 / (9.0 * freedom);

        return freedom * root * root * root;
}

/* What an accuracy is multiplied by when `left` of `had` satellites are left. For lines of sight like
 * independent normal draws, what n of them tell of one coordinate, 1/(G^T G)^-1_jj, is chi-squared
 * with n - 3 degrees of freedom (Muirhead, Aspects of Multivariate Statistical Theory, 3.2.12): the
 * accuracy is the root of one over it, and its median is taken. With three, the height is given
 * instead of found. */
static double growth(int had, int left)
{
        return sqrt(chi_squared_median(had - 3) /
                    chi_squared_median(left > 3 ? left - 3 : 1));
}

static void grow_accuracy(struct gps_sample *now, const struct gps_params *r, int left)
{
        double factor;

        if (r->model == GPS_GRUBER) {
                now->h_acc_m = gps_gruber_sigma_m(r, left) * M_SQRT2;
                now->v_acc_m = gps_gruber_sigma_m(r, left);
                return;
        }
        factor = growth(now->satellites, left);
        now->h_acc_m *= factor;
        now->v_acc_m *= factor;
        now->s_acc_mps *= factor;
}

/* Standard deviation of what must come to an error for it to grow so. */
static double added(double before, double after)
{
        double square = after * after - before * before;

        return square > 0.0 ? sqrt(square) : 0.0;
}

/* Errors that wander as the receiver's own do. Draws the same number whatever is seen. */
static void wander(struct sensor_fault_state *s, const struct gps_params *r)
{
        bool white = r->model != GPS_SATELLITES;

        for (int i = 0; i < 6; i++) {
                double hold = i < 3 ? r->errors.range_hold : r->errors.rate_hold;
                double fresh = i < 3 ? r->errors.range_new : r->errors.rate_new;
                double normal = rng_normal(&s->rng);

                s->wander[i] = white || !s->wanders
                                       ? normal
                                       : hold * s->wander[i] + fresh * normal;
        }
        s->wanders = true;
}

static void add_wander(const struct sensor_fault_state *s, const struct gps_params *r,
                       const struct gps_sample *before, struct gps_sample *now)
{
        double h_m = added(before->h_acc_m, now->h_acc_m) / M_SQRT2;
        double v_m = added(before->v_acc_m, now->v_acc_m);
        double s_mps = added(before->s_acc_mps, now->s_acc_mps) / sqrt(3.0);
        const double *w = s->wander;

        move(now, r, (struct vec3){ h_m * w[0], h_m * w[1], v_m * w[2] });
        now->vel_ned_mps =
                vec3_axpy(now->vel_ned_mps, s_mps, (struct vec3){ w[3], w[4], w[5] });
}

/* Three satellites place it on the height that it last said, if its model knows that. */
static void few_satellites(struct sensor_fault_state *s, const struct sensor_fault *p,
                           const struct gps_params *r, struct gps_sample *now)
{
        const struct gps_sample before = *now, *last = &s->held.gps;
        int left = p->count < 0 ? 0 : p->count;

        wander(s, r);
        if (left >= now->satellites)
                return;
        if (now->fix == GPS_NO_FIX || left < 3 ||
            (left == 3 && r->model != GPS_SATELLITES)) {
                lose_fix(last, left, now);
                return;
        }
        grow_accuracy(now, r, left);
        add_wander(s, r, &before, now);
        now->satellites = left;
        /* How many, and not which. */
        now->used_prn = 0;
        if (left > 3)
                return;
        now->fix = GPS_FIX_2D;
        now->height_m = last->t_ns != 0 ? last->height_m : before.height_m;
        now->v_acc_m = GPS_UNKNOWN_M;
        now->vel_ned_mps.z = 0.0;
}

static void say_everywhere(struct gps_sample *now, double value)
{
        now->lat_rad = now->lon_rad = now->height_m = value;
        now->vel_ned_mps = (struct vec3){ value, value, value };
}

static void stick(const struct gps_sample *last, struct gps_sample *now)
{
        int64_t t_ns = now->t_ns;

        if (last->t_ns == 0)
                return;
        *now = *last;
        now->t_ns = t_ns;
}

static int64_t later(int64_t t_ns, int64_t by_ns)
{
        int64_t sum_ns;

        if (__builtin_add_overflow(t_ns, by_ns, &sum_ns))
                return by_ns > 0 ? INT64_MAX : INT64_MIN;
        return sum_ns;
}

static void spoof(struct gps_sample *now, const struct sensor_fault *p,
                  const struct gps_params *r, double since_s)
{
        move(now, r, along(p->axes, p->amount * since_s));
        now->vel_ned_mps = vec3_add(now->vel_ned_mps, along(p->axes, p->amount));
}

void sensor_fault_gps(struct sensor_fault_state *s, const struct sensor_fault *p,
                      const struct gps_params *r, double since_s, struct gps_sample *now)
{
        switch (p->kind) {
        case SENSOR_STUCK:
                stick(&s->held.gps, now);
                break;
        case SENSOR_ZERO:
                say_everywhere(now, 0.0);
                break;
        case SENSOR_NAN:
                say_everywhere(now, NAN);
                break;
        case SENSOR_SPIKE:
                if (rng_uniform(&s->rng) < p->probability)
                        move(now, r, along(p->axes, p->amount));
                break;
        case SENSOR_DRIFT:
                move(now, r, along(p->axes, p->amount * since_s));
                break;
        case SENSOR_NOISE:
                move(now, r, noise(&s->rng, p->axes, p->amount));
                break;
        case GPS_LOSS:
                lose_fix(&s->held.gps, 0, now);
                break;
        case GPS_JUMP:
                move(now, r, along(p->axes, p->amount));
                break;
        case GPS_SPOOF:
                spoof(now, p, r, since_s);
                break;
        case GPS_FEW_SATELLITES:
                few_satellites(s, p, r, now);
                break;
        case GPS_TIME_JUMP:
                now->t_ns = later(now->t_ns, p->delay_ns);
                break;
        default:
                break;
        }
}
