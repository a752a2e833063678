#include "models/fc/laws/rate_filter.h"

#define RATE_SHARE_MAX 0.45
#define DT_CHANGE      0.01 /* of the period: frames jitter */

static bool possible(double hz, double dt_s)
{
        return hz > 0.0 && hz * dt_s < RATE_SHARE_MAX;
}

/* H(s) = 1/(1 + sqrt(2) s/w + (s/w)^2) */
static void make_lowpass(struct rate_section *s, double hz, double dt_s)
{
        double k = tan(M_PI * hz * dt_s), scale = 1.0 / (1.0 + M_SQRT2 * k + k * k);

        s->b0 = s->b2 = k * k * scale;
        s->b1 = 2.0 * s->b0;
        s->a1 = 2.0 * (k * k - 1.0) * scale;
        s->a2 = (1.0 - M_SQRT2 * k + k * k) * scale;
}

/* H(s) = (1 + (s/w)^2)/(1 + (width/w) s/w + (s/w)^2) */
static void make_notch(struct rate_section *s, double hz, double width_hz, double dt_s)
{
        double k = tan(M_PI * hz * dt_s), damping = width_hz / hz;
        double scale = 1.0 / (1.0 + damping * k + k * k);

        s->b0 = s->b2 = (1.0 + k * k) * scale;
        s->b1 = s->a1 = 2.0 * (k * k - 1.0) * scale;
        s->a2 = (1.0 - damping * k + k * k) * scale;
}

/* As after this input for an infinite time. */
static void settle(struct rate_section *s, struct vec3 in)
{
        s->in1 = s->in2 = s->out1 = s->out2 = in;
}

static struct vec3 pass(struct rate_section *s, struct vec3 in)
{
        struct vec3 out = vec3_scale(s->b0, in);

        out = vec3_axpy(vec3_axpy(out, s->b1, s->in1), s->b2, s->in2);
        out = vec3_axpy(vec3_axpy(out, -s->a1, s->out1), -s->a2, s->out2);
        s->in2 = s->in1;
        s->in1 = in;
        s->out2 = s->out1;
        s->out1 = out;
        return out;
}

static void prepare(struct rate_filter *f, const struct filter_params *p,
                    struct vec3 rate_radps, double dt_s)
{
        bool notch = possible(p->gyro_notch_hz, dt_s) && p->gyro_notch_width_hz > 0.0;
        bool lowpass = possible(p->gyro_lowpass_hz, dt_s);

        f->dt_s = dt_s;
        if (notch)
                make_notch(&f->notch, p->gyro_notch_hz, p->gyro_notch_width_hz, dt_s);
        if (notch && !f->notch.on)
                settle(&f->notch, rate_radps);
        if (lowpass)
                make_lowpass(&f->lowpass, p->gyro_lowpass_hz, dt_s);
        if (lowpass && !f->lowpass.on)
                settle(&f->lowpass, rate_radps);
        f->notch.on = notch;
        f->lowpass.on = lowpass;
}

struct vec3 rate_filter_step(struct rate_filter *f, const struct filter_params *p,
                             struct vec3 rate_radps, double dt_s)
{
        if (dt_s > 0.0 && fabs(dt_s - f->dt_s) > DT_CHANGE * f->dt_s)
                prepare(f, p, rate_radps, dt_s);
        if (f->notch.on)
                rate_radps = pass(&f->notch, rate_radps);
        if (f->lowpass.on)
                rate_radps = pass(&f->lowpass, rate_radps);
        return rate_radps;
}
