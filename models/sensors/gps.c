/* From the antenna's truth to the receiver's report. */
#include "models/sensors/gps.h"

/* Streams of the sensor; gps_errors.c has those from 6 on. */
enum { AXIS_POSITION = 0, AXIS_VELOCITY = 3, AXES = 6 };

void gps_params_prepare(struct gps_params *p)
{
        gps_errors_prepare(&p->errors, p->schedule.period_ns);
}

void gps_init(struct gps *gps, const struct gps_params *p, uint64_t seed,
              uint32_t vehicle)
{
        (void)p;
        *gps = (struct gps){ 0 };
        for (uint32_t i = 0; i < AXES; i++)
                rng_init(&gps->rng[i], seed, vehicle, SENSOR_GPS, i);
        gps_errors_init(&gps->errors, seed, vehicle);
        gps_tracking_init(&gps->tracking);
}

static struct vec3 measure(const struct error_params *p, struct rng *rng, struct vec3 ned)
{
        double value[3] = { ned.x, ned.y, ned.z };

        error_apply(p, rng, 3, value);
        return (struct vec3){ value[0], value[1], value[2] };
}

/* The antenna's position and velocity. */
struct antenna {
        struct vec3 pos_ned_m, vel_ned_mps;
};

static struct antenna antenna_of(const struct gps_params *p, const struct body_state *b)
{
        struct vec3 arm_m = p->lever_arm_body_m;
        struct vec3 swing_mps = vec3_cross(b->rate_body_radps, arm_m);

        return (struct antenna){
                vec3_add(b->pos_ned_m, quat_rotate(b->q_body_to_ned, arm_m)),
                vec3_add(b->vel_ned_mps, quat_rotate(b->q_body_to_ned, swing_mps)),
        };
}

static void report_place(struct gps_sample *out, const struct gps_params *p,
                         const struct world *world, struct vec3 pos_ned_m)
{
        struct earth_position at =
                p->flat_earth ? earth_from_ned_flat(&world->origin, pos_ned_m)
                              : earth_from_ned(&world->origin, pos_ned_m);

        out->lat_rad = at.lat_rad;
        out->lon_rad = at.lon_rad;
        out->height_m = at.height_m;
}

static double speed_sigma(const struct gps_params *p)
{
        const double *sigma = p->velocity.sigma;

        return sqrt(sigma[0] * sigma[0] + sigma[1] * sigma[1] + sigma[2] * sigma[2]);
}

/* Gruber 2.2.1. */
static void step_white(struct gps *gps, const struct gps_params *p,
                       const struct world *world, const struct antenna *a,
                       struct gps_sample *out)
{
        const double *sigma = p->position.sigma;

        report_place(out, p, world,
                     measure(&p->position, &gps->rng[AXIS_POSITION], a->pos_ned_m));
        out->vel_ned_mps =
                measure(&p->velocity, &gps->rng[AXIS_VELOCITY], a->vel_ned_mps);
        /* What the receiver believes of itself: the sigmas it was given. */
        out->h_acc_m = sqrt(sigma[0] * sigma[0] + sigma[1] * sigma[1]);
        out->v_acc_m = sigma[2];
        out->s_acc_mps = speed_sigma(p);
        out->satellites = p->satellites;
        out->fix = p->satellites < 4 ? GPS_NO_FIX : GPS_FIX_3D;
}

/* The last fix, without its accuracy. */
static void report_no_fix(struct gps *gps, const struct gps_params *p,
                          const struct world *world, struct gps_sample *out)
{
        if (!gps->has_fix)
                report_place(&gps->last, p, world, (struct vec3){ 0.0, 0.0, 0.0 });
        *out = gps->last;
        out->h_acc_m = out->v_acc_m = GPS_UNKNOWN_M;
        out->s_acc_mps = GPS_UNKNOWN_MPS;
        out->fix = GPS_NO_FIX;
}

double gps_gruber_sigma_m(const struct gps_params *p, int satellites)
{
        int n = satellites > 12 ? 12 : satellites;

        return p->sigma_four_m + (p->sigma_twelve_m - p->sigma_four_m) * (n - 4) / 8.0;
}

static struct vec3 add_bias(struct vec3 v, const double bias[3])
{
        return (struct vec3){ v.x + bias[0], v.y + bias[1], v.z + bias[2] };
}

/* Gruber 5.2.7.2, with the altitude that he added to it. */
static void step_gruber(struct gps *gps, const struct gps_params *p,
                        const struct world *world, const struct antenna *a,
                        struct gps_sample *out)
{
        int satellites = gps->tracking.used.count;
        double sigma_m = gps_gruber_sigma_m(p, satellites);
        struct vec3 pos_ned_m = add_bias(a->pos_ned_m, p->position.bias);
        struct vec3 vel_ned_mps =
                measure(&p->velocity, &gps->rng[AXIS_VELOCITY], a->vel_ned_mps);

        pos_ned_m.x += sigma_m * rng_normal(&gps->rng[AXIS_POSITION]);
        pos_ned_m.y += sigma_m * rng_normal(&gps->rng[AXIS_POSITION + 1]);
        pos_ned_m.z += sigma_m * rng_normal(&gps->rng[AXIS_POSITION + 2]);
        if (satellites < 4) {
                report_no_fix(gps, p, world, out);
        } else {
                report_place(out, p, world, pos_ned_m);
                out->vel_ned_mps = vel_ned_mps;
                out->h_acc_m = sigma_m * M_SQRT2;
                out->v_acc_m = sigma_m;
                out->s_acc_mps = speed_sigma(p);
                out->fix = GPS_FIX_3D;
        }
        out->satellites = satellites;
}

/* spread times a vector of independent errors; the clock's row is nobody's here. */
static struct vec3 spread_out(const struct sky *sky, const double error[4])
{
        double ned[3] = { 0.0 };

        for (int i = 0; i < 3; i++)
                for (int j = 0; j <= i; j++)
                        ned[i] += sky->spread[i][j] * error[j];
        return (struct vec3){ ned[0], ned[1], ned[2] };
}

static struct vec3 position_error(const struct gps *gps, const struct gps_params *p)
{
        const struct gps_errors *e = &gps->errors;
        double error[4];

        for (int i = 0; i < 4; i++)
                error[i] = p->errors.range_m * e->range[i] +
                           p->errors.range_jitter_m * e->range_white[i];
        return spread_out(&gps->tracking.used, error);
}

static struct vec3 velocity_error(const struct gps *gps, const struct gps_params *p)
{
        double error[4] = { 0.0 };

        for (int i = 0; i < 3; i++)
                error[i] = p->errors.rate_mps * gps->errors.rate[i];
        return spread_out(&gps->tracking.used, error);
}

/* Three satellites place it on the height that it last knew; a wrong one moves it sideways. */
static struct vec3 on_last_height(const struct gps *gps, struct vec3 pos_ned_m,
                                  double true_down_m)
{
        const struct sky *sky = &gps->tracking.used;
        double wrong_m = gps->fix_down_m - true_down_m;

        return (struct vec3){ pos_ned_m.x + sky->hold[0] * wrong_m,
                              pos_ned_m.y + sky->hold[1] * wrong_m, gps->fix_down_m };
}

static void estimate_accuracy(struct gps_sample *out, const struct gps_errors_params *p,
                              const struct sky *sky)
{
        double range_m =
                sqrt(p->range_m * p->range_m + p->range_jitter_m * p->range_jitter_m);

        out->h_acc_m = sky->hdop * range_m;
        out->v_acc_m = out->fix == GPS_FIX_3D ? sky->vdop * range_m : GPS_UNKNOWN_M;
        out->s_acc_mps = sky->pdop * p->rate_mps;
}

static void step_satellites(struct gps *gps, const struct gps_params *p,
                            const struct world *world, const struct antenna *a,
                            struct gps_sample *out)
{
        const struct sky *sky = &gps->tracking.used;
        struct vec3 pos_ned_m = vec3_add(add_bias(a->pos_ned_m, p->position.bias),
                                         position_error(gps, p));

        if (sky->hdop == 0.0) {
                report_no_fix(gps, p, world, out);
        } else {
                out->fix = sky->count >= 4 ? GPS_FIX_3D : GPS_FIX_2D;
                if (out->fix == GPS_FIX_2D)
                        pos_ned_m = on_last_height(gps, pos_ned_m, a->pos_ned_m.z);
                gps->fix_down_m = pos_ned_m.z;
                report_place(out, p, world, pos_ned_m);
                out->vel_ned_mps = vec3_add(add_bias(a->vel_ned_mps, p->velocity.bias),
                                            velocity_error(gps, p));
                if (out->fix == GPS_FIX_2D)
                        out->vel_ned_mps.z = 0.0;
                estimate_accuracy(out, &p->errors, sky);
        }
        out->satellites = sky->count;
}

static uint32_t prn_bits(const struct sky *sky)
{
        uint32_t bits = 0;

        for (int i = 0; i < sky->count; i++)
                bits |= UINT32_C(1) << (sky->satellite[i].prn - 1);
        return bits;
}

void gps_step(struct gps *gps, const struct gps_params *p, const struct exposure *e,
              struct gps_sample *out)
{
        struct antenna a = antenna_of(p, e->body);

        if (p->model == GPS_WHITE) {
                step_white(gps, p, e->world, &a, out);
                return;
        }
        gps_tracking_step(&gps->tracking, &p->tracking, e->world, a.pos_ned_m,
                          e->body->q_body_to_ned, e->t_ns);
        gps_errors_step(&gps->errors, &p->errors);
        if (p->model == GPS_GRUBER)
                step_gruber(gps, p, e->world, &a, out);
        else
                step_satellites(gps, p, e->world, &a, out);
        out->used_prn = prn_bits(&gps->tracking.used);
        if (out->fix == GPS_NO_FIX)
                return;
        gps->last = *out;
        gps->has_fix = true;
}
