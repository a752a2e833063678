/* How the vehicle moved through the air: the log's velocity is an estimate, late and too smooth, while the IMU knows how it
 * changed. In stretches of some seconds the IMU is integrated, and where it began is fitted to the log (flight path
 * reconstruction: Klein and Morelli 2006, chapter 10). */
#include <math.h>
#include <stdlib.h>

#include "hil/sysid/least.h"
#include "hil/sysid/samples.h"

#define STRETCH_S                                                                        \
        8.0 /* at most; of a short log a tenth, so that there are enough of them */
#define SLOW_S  0.025 /* blocks that are longer turn too far */
#define GRAVITY 9.80665

enum { MOVES, TILT = 3, TURNS = 6, FALLS = 9, PARAMETERS };

/* What is not known of a stretch's beginning, 1 sigma: m/s, rad, rad/s of the gyroscope's bias, m/s^2 of the accelerometer's. */
static const double scale[PARAMETERS] = { 1.0,  1.0,  1.0,  0.05, 0.05,
                                          0.05, 0.01, 0.01, 0.01, 0.1 };

struct stretch {
        const struct sysid_samples *samples;
        size_t first, count;
        struct quat q_body_to_ned; /* the log's, at the beginning */
        struct vec3 vel_ned_mps;
        struct vec3 *moved_mps; /* of each block, in body axes; owned */
};

/* A small turn of q, in the axes of the world. */
static struct quat turned(struct quat q, struct vec3 by_rad)
{
        struct quat small = { 1.0, 0.5 * by_rad.x, 0.5 * by_rad.y, 0.5 * by_rad.z };

        return quat_normalise(quat_multiply(small, q));
}

static struct quat rolled_on(struct quat q, struct vec3 rate_radps, double dt_s)
{
        struct vec3 h = vec3_scale(0.5 * dt_s, rate_radps);

        return quat_normalise(quat_multiply(q, (struct quat){ 1.0, h.x, h.y, h.z }));
}

/* least_residuals of a stretch: the log's velocity less the integrated one, NED; and the latter in body axes. */
static void integrate(const void *of, const double *p, double *out)
{
        const struct stretch *s = of;
        const struct sysid_samples *in = s->samples;
        struct quat q = turned(s->q_body_to_ned, track_vector(p + TILT));
        struct vec3 v = vec3_add(s->vel_ned_mps, track_vector(p + MOVES));

        for (size_t i = 0; i < s->count; i++) {
                size_t k = s->first + i;
                struct vec3 rate =
                        vec3_sub(in->rate_body_radps[k], track_vector(p + TURNS));
                struct quat middle = rolled_on(q, rate, 0.5 * in->block_s);
                struct vec3 a = quat_rotate(middle, in->accel_body_mps2[k]), at;

                a.z += GRAVITY - p[FALLS];
                at = vec3_axpy(v, 0.5 * in->block_s, a);
                s->moved_mps[i] = quat_rotate_inverse(middle, at);
                at = vec3_sub(in->vel_ned_mps[k], at);
                out[3 * i] = at.x;
                out[3 * i + 1] = at.y;
                out[3 * i + 2] = at.z;
                v = vec3_axpy(v, in->block_s, a);
                q = rolled_on(q, rate, in->block_s);
        }
}

static bool is_known(const struct sysid_samples *s, size_t k)
{
        return s->flies[k] && isfinite(s->vel_ned_mps[k].x);
}

/* Its velocities are replaced. */
static void rebuild(struct sysid_samples *s, size_t first, size_t count)
{
        static const double zero[PARAMETERS];
        double low[PARAMETERS], high[PARAMETERS];
        struct stretch stretch = { s,
                                   first,
                                   count,
                                   s->q_body_to_ned[first],
                                   s->vel_ned_mps[first],
                                   calloc(count, sizeof(struct vec3)) };
        const struct least_problem p = { PARAMETERS, 3,     0,   count, NULL,
                                         zero,       scale, low, high,  integrate,
                                         &stretch,   NULL,  true };
        double *unused = calloc(3 * count, sizeof *unused);
        struct least_result r;
        char why[100];

        for (int i = 0; i < PARAMETERS; i++)
                low[i] = -(high[i] = 10.0 * scale[i]);
        if (stretch.moved_mps != NULL && unused != NULL &&
            least_squares(&p, &r, why, sizeof why)) {
                integrate(&stretch, r.value, unused);
                for (size_t i = 0; i < count; i++)
                        s->vel_body_mps[first + i] = stretch.moved_mps[i];
        }
        free(stretch.moved_mps);
        free(unused);
}

void sysid_path_rebuild(struct sysid_samples *s)
{
        double long_s = fmin(STRETCH_S, 0.1 * (double)s->blocks * s->block_s);
        size_t most = s->block_s > SLOW_S ? 0 : (size_t)(long_s / s->block_s), first = 0;

        while (first < s->blocks) {
                size_t count = 0;

                while (first + count < s->blocks && count < most &&
                       is_known(s, first + count))
                        count++;
                if (count > 0 && count >= most / 4)
                        rebuild(s, first, count);
                for (size_t k = 0; k < count; k++)
                        s->stretch[first + k] = (int)first;
                if (count == 0)
                        s->stretch[first] = -1 - (int)(first / (2 * s->window));
                first += count > 0 ? count : 1;
        }
}
