/* Errors of axes and of single quantities: mounting, error matrix, whole LSBs. */
#include "hil/config/vehicle/sensors.h"

static const struct config_field cross_fields[] = {
        { "xy", CONFIG_NUMBER, "Share of y that shows in x.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.xy) },
        { "xz", CONFIG_NUMBER, "Share of z that shows in x.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.xz) },
        { "yx", CONFIG_NUMBER, "Share of x that shows in y.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.yx) },
        { "yz", CONFIG_NUMBER, "Share of z that shows in y.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.yz) },
        { "zx", CONFIG_NUMBER, "Share of x that shows in z.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.zx) },
        { "zy", CONFIG_NUMBER, "Share of y that shows in z.", BETWEEN(-1, 1),
          .preset = "0", AT(axes_file, cross.zy) },
        { NULL },
};

const struct config_table config_cross_table = {
        .name = "cross_axis",
        .about = "Misalignment of the axes (Gruber 2.2.2.1).",
        .field = cross_fields,
};

static const struct config_field mounting_fields[] = {
        { "roll", CONFIG_NUMBER, "Degrees about the sensor's x.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, roll_rad) },
        { "pitch", CONFIG_NUMBER, "Degrees about y.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, pitch_rad) },
        { "yaw", CONFIG_NUMBER, "Degrees about z.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, yaw_rad) },
        { NULL },
};

const struct config_table config_mounting_table = {
        .name = "mounting",
        .about = "How the sensor is turned from the body's axes: yaw, then pitch, then "
                 "roll.",
        .field = mounting_fields,
};

/* Counts that the wire holds. */
#define COUNTS_MAX 2147483648.0

/* A whole number of nano units, at least one. */
static double whole_lsb(double lsb)
{
        double nano = round(lsb * 1e9);

        return (nano < 1.0 ? 1.0 : nano) / 1e9;
}

static bool is_power_of_two(double n)
{
        int exponent;

        return frexp(n, &exponent) == 0.5;
}

/* Symmetric, or short of one count at the top as two's complement is. */
static void set_range(struct error_params *p, double range, bool given)
{
        double n = given ? round(range / p->lsb) : COUNTS_MAX;

        n = n < 1.0 ? 1.0 : n < COUNTS_MAX ? n : COUNTS_MAX;
        p->min = -n * p->lsb;
        p->max = (is_power_of_two(n) ? n - 1.0 : n) * p->lsb;
}

void config_build_axes(struct error_params *p, const struct axes_file *file)
{
        const double m[3][3] = {
                { file->scale[0], file->cross.xy, file->cross.xz },
                { file->cross.yx, file->scale[1], file->cross.yz },
                { file->cross.zx, file->cross.zy, file->scale[2] },
        };

        for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                        p->scale[i][j] = m[i][j];
                p->bias[i] = file->bias[i];
                p->sigma[i] = file->sigma[i];
        }
        p->lsb = whole_lsb(file->lsb);
        set_range(p, file->range, file->range_given);
}

void config_build_scalar(struct error_params *p, const struct scalar_file *file)
{
        double low, high;

        error_params_ideal(p);
        p->bias[0] = file->bias;
        p->sigma[0] = file->sigma;
        p->lsb = whole_lsb(file->lsb);
        /* A limit that is a whole number of LSBs but for rounding stays one. */
        low = ceil(file->min / p->lsb - 1e-6);
        high = floor(file->max / p->lsb + 1e-6);
        p->min = low * p->lsb;
        p->max = (high < COUNTS_MAX ? high : COUNTS_MAX - 1.0) * p->lsb;
}

struct quat config_build_mounting(const struct mounting_file *m)
{
        return quat_conjugate(quat_from_euler(m->roll_rad, m->pitch_rad, m->yaw_rad));
}

bool config_check_schedule(const struct schedule_params *s, const char *sensor,
                           const struct json *node, struct config_error *why)
{
        return config_check_schedule_at(s, json_member(node, sensor), why);
}

bool config_check_schedule_at(const struct schedule_params *s, const struct json *at,
                              struct config_error *why)
{
        if (s->period_ns == 0)
                return true;
        if (s->phase_ns >= s->period_ns)
                return config_refuse(why, at, "phase_us",
                                     "must be less than the period, which is %.15g",
                                     (double)s->period_ns / US_TO_NS);
        if (s->delay_ns >= DELAY_SLOTS * s->period_ns)
                return config_refuse(why, at, "delay_us",
                                     "must be less than %d periods, which are %.15g",
                                     DELAY_SLOTS,
                                     DELAY_SLOTS * (double)s->period_ns / US_TO_NS);
        return true;
}
