#include "models/world/wind.h"

#include <math.h>

#define SENSOR_WIND 101
#define M_PER_FT    0.3048
#define LOWEST_M    3.0
#define HIGHEST_M   (1000.0 * M_PER_FT)
#define PI          3.14159265358979323846

/* Streams; the number of a stream never changes. */
enum { AXIS_U, AXIS_V1, AXIS_V2, AXIS_W1, AXIS_W2, AXES };

void wind_init(struct wind *w, const struct wind_params *p, uint64_t seed,
               uint32_t vehicle)
{
        *w = (struct wind){ .now_ned_mps = p->steady_ned_mps };
        for (uint32_t axis = 0; axis < AXES; axis++)
                rng_init(&w->rng[axis], seed, vehicle, SENSOR_WIND, axis);
        if (!(p->turbulence_mps > 0.0))
                return;

        /* From the stationary distribution: see across_step(). */
        w->u = rng_normal(&w->rng[AXIS_U]);
        w->v[0] = rng_normal(&w->rng[AXIS_V1]);
        w->v[1] = 0.5 * (w->v[0] + rng_normal(&w->rng[AXIS_V2]));
        w->w[0] = rng_normal(&w->rng[AXIS_W1]);
        w->w[1] = 0.5 * (w->w[0] + rng_normal(&w->rng[AXIS_W2]));
}

/* MIL-F-8785C 3.7.3.4; the fits are in feet. */
struct wind_scale wind_dryden_scale(double turbulence_mps, double height_m)
{
        double low_m = height_m > LOWEST_M ? height_m : LOWEST_M;
        double clamped_m = low_m < HIGHEST_M ? low_m : HIGHEST_M;
        double share = 0.177 + 0.000823 * (clamped_m / M_PER_FT);
        double share_0_4 = pow(share, 0.4);
        double share_1_2 = share_0_4 * share_0_4 * share_0_4;
        double sigma_w = 0.1 * turbulence_mps;
        double sigma = sigma_w / share_0_4;
        double length_m = clamped_m / share_1_2;

        return (struct wind_scale){ .sigma_mps = { sigma, sigma, sigma_w },
                                    .length_m = { length_m, length_m, clamped_m } };
}

/* The decay of a filter of scale length L over a distance s through the air, and the Cholesky
 * factor of the noise that replaces what decayed; a = s/L. */
struct forgetting {
        double a, kept;
        double noise11, noise21, noise22;
};

/* The lower incomplete gamma function of 3 and b, e_b = exp(-b). */
static double gamma3(double b, double e_b)
{
        double sum = 1.0;

        if (b > 1.0 / 16.0)
                return 2.0 - e_b * (2.0 + 2.0 * b + b * b);
        /* Here the difference would lose its digits; eight terms leave an error of 1e-17. */
        for (int k = 11; k > 3; k--)
                sum = 1.0 + b * (1.0 / k) * sum;
        return e_b * b * b * b * (1.0 / 3.0) * sum;
}

/* The covariance of the noise is P - F P F^T with P and F of across_step(), whose entries are
 * incomplete gamma functions of 1, 2 and 3 at b = 2a, over 1, 2 and 4. With their recurrence from
 * the third to the first, no step subtracts. */
static struct forgetting forgetting_over(double a)
{
        double b = 2.0 * a;
        double kept = exp(-a);
        double e_b = kept * kept;
        double g3 = gamma3(b, e_b);
        double g2 = 0.5 * (g3 + b * b * e_b);
        double g1 = g2 + b * e_b;
        struct forgetting f = { .a = a, .kept = kept };

        if (!(g3 > 0.0))
                return f;
        f.noise11 = sqrt(g1);
        f.noise21 = 0.5 * g2 / f.noise11;
        f.noise22 = sqrt(0.25 * g3 - f.noise21 * f.noise21);
        return f;
}

/* Lateral and vertical component: (1 + sqrt(3) T s)/(1 + T s)^2 on white noise, T = L/V (MIL-F-8785C
 * 3.7.1.2). Two lags in series, x' = (n - x)/T and y' = (x - y)/T, with the transition and
 * stationary covariance
 *
 *      F = exp(-a) [ 1 0 ; a 1 ],   P = [ 1 1/2 ; 1/2 1/2 ],
 *
 * from which across() takes sqrt(3) x + (1 - sqrt(3)) y, of variance 2. */
static void across_step(double x[2], const struct forgetting *f, struct rng rng[2])
{
        double n0 = rng_normal(&rng[0]);
        double n1 = rng_normal(&rng[1]);

        x[1] = f->kept * (x[1] + f->a * x[0]) + f->noise21 * n0 + f->noise22 * n1;
        x[0] = f->kept * x[0] + f->noise11 * n0;
}

static double across(const double x[2])
{
        return 1.224744871391589 * x[0] - 0.5176380902050414 * x[1];
}

/* Where the turbulence's u points: unit, horizontal. */
static struct vec3 along_ned(struct vec3 wind_ned_mps)
{
        double square = wind_ned_mps.x * wind_ned_mps.x + wind_ned_mps.y * wind_ned_mps.y;
        double per_speed;

        if (!(square > 0.0))
                return (struct vec3){ 1.0, 0.0, 0.0 };
        per_speed = 1.0 / sqrt(square);
        return (struct vec3){ per_speed * wind_ned_mps.x, per_speed * wind_ned_mps.y,
                              0.0 };
}

static struct vec3 turbulence_step(struct wind *w, const struct wind_params *p,
                                   double dt_s, double height_m, double airspeed_mps)
{
        struct wind_scale scale = wind_dryden_scale(p->turbulence_mps, height_m);
        double speed_mps = airspeed_mps > WIND_FLOOR_MPS ? airspeed_mps : WIND_FLOOR_MPS;
        double way_m = speed_mps * dt_s;
        /* Beyond 40 scale lengths nothing of the old state is left; this keeps infinity out of the
         * sums. */
        struct forgetting level = forgetting_over(fmin(way_m / scale.length_m[0], 40.0));
        struct forgetting down = forgetting_over(fmin(way_m / scale.length_m[2], 40.0));
        struct vec3 along = along_ned(p->steady_ned_mps);
        double u_mps, v_mps;

        /* u: 1/(1 + T s) (3.7.1.2). */
        w->u = level.kept * w->u + level.noise11 * rng_normal(&w->rng[AXIS_U]);
        across_step(w->v, &level, &w->rng[AXIS_V1]);
        across_step(w->w, &down, &w->rng[AXIS_W1]);

        u_mps = scale.sigma_mps[0] * w->u;
        v_mps = scale.sigma_mps[1] * across(w->v);
        return (struct vec3){ u_mps * along.x - v_mps * along.y,
                              u_mps * along.y + v_mps * along.x,
                              scale.sigma_mps[2] * across(w->w) };
}

/* 0 at both ends and 1 between: (1 - cos(2 pi x))/2, without the difference. */
static double gust_share(const struct gust *g, int64_t t_ns)
{
        double s;

        if (t_ns < g->at_ns || t_ns - g->at_ns >= g->length_ns)
                return 0.0;
        s = sin(PI * ((double)(t_ns - g->at_ns) / (double)g->length_ns));
        return s * s;
}

void wind_stir(struct wind *w, const struct wind_params *p, int64_t t_ns, double dt_s,
               double height_m, double airspeed_mps)
{
        struct vec3 now = w->now_ned_mps;

        for (int i = 0; i < p->gusts; i++)
                now = vec3_axpy(now, gust_share(&p->gust[i], t_ns),
                                p->gust[i].amplitude_ned_mps);
        if (p->turbulence_mps > 0.0)
                now = vec3_add(now, turbulence_step(w, p, dt_s, height_m, airspeed_mps));
        w->now_ned_mps = now;
}
