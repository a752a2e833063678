/* From a sensor's keys to its parameters: mounting, error matrix, whole LSBs. */
#include "hil/config_kinds.h"

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

static void build_axes(struct error_params *p, const struct axes_file *file)
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

/* Limits become whole LSBs, inwards; never more than the wire holds. */
static void build_scalar(struct error_params *p, const struct scalar_file *file)
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

/* The Euler angles turn the body's axes into the sensor's; vectors go the other way. */
static struct quat build_mounting(const struct mounting_file *m)
{
        return quat_conjugate(quat_from_euler(m->roll_rad, m->pitch_rad, m->yaw_rad));
}

static bool check_schedule(const struct schedule_params *s, const char *sensor,
                           const struct json *node, struct config_error *why)
{
        const struct json *at = json_member(node, sensor);

        if (s->period_ns == 0)
                return true;
        if (s->phase_ns >= s->period_ns)
                return config_refuse(why, at, "phase_us",
                                     "must be less than the period, which is %.15g",
                                     (double)s->period_ns / NS_PER_US);
        if (s->delay_ns >= DELAY_SLOTS * s->period_ns)
                return config_refuse(why, at, "delay_us",
                                     "must be less than %d periods, which are %.15g",
                                     DELAY_SLOTS,
                                     DELAY_SLOTS * (double)s->period_ns / NS_PER_US);
        return true;
}

static void build_imu(struct imu_params *p, const struct imu_file *file)
{
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->q_body_to_sensor = build_mounting(&file->mounting);
        build_axes(&p->accel, &file->accel);
        build_axes(&p->gyro, &file->gyro);
}

static void build_gps(struct gps_params *p, const struct gps_file *file)
{
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->flat_earth = file->earth == 1;
        error_params_ideal(&p->position);
        error_params_ideal(&p->velocity);
        for (int i = 0; i < 3; i++) {
                p->position.bias[i] = file->bias_m[i];
                p->velocity.bias[i] = file->bias_velocity_mps[i];
                p->velocity.sigma[i] = file->sigma_velocity_mps;
        }
        p->position.sigma[0] = p->position.sigma[1] = file->sigma_horizontal_m;
        p->position.sigma[2] = file->sigma_vertical_m;
        p->satellites = file->satellites;
}

static bool build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why)
{
        struct scalar_file temperature = file->temperature;

        if (!(file->pressure.min < file->pressure.max))
                return config_refuse_at(
                        why, node, "baro.reported_min_pa",
                        "must be less than reported_max_pa, which is %.15g",
                        file->pressure.max);
        temperature.max = 600.0; /* K: what fits into 16 bits of 0.01 degrees Celsius */
        p->schedule = file->schedule;
        build_scalar(&p->pressure, &file->pressure);
        build_scalar(&p->temperature, &temperature);
        return true;
}

static void build_mag(struct mag_params *p, const struct mag_file *file)
{
        p->schedule = file->schedule;
        p->q_body_to_sensor = build_mounting(&file->mounting);
        build_axes(&p->field, &file->field);
}

static bool build_sonar(struct sonar_params *p, const struct sonar_file *file,
                        const struct json *node, struct config_error *why)
{
        double length = vec3_norm(file->axis);

        if (!(length > 1e-3))
                return config_refuse_at(why, node, "sonar.axis", "must have a direction");
        if (!(file->range.min < file->range.max))
                return config_refuse_at(
                        why, node, "sonar.reported_min_m",
                        "must be less than reported_max_m, which is %.15g",
                        file->range.max);
        p->schedule = file->schedule;
        p->lever_arm_body_m = file->lever_arm_m;
        p->axis_body = (struct vec3){ file->axis.x / length, file->axis.y / length,
                                      file->axis.z / length };
        p->beam_max_m = file->beam_max_m;
        p->incidence_max_rad = file->incidence_max_rad;
        build_scalar(&p->range, &file->range);
        return true;
}

bool config_build_sensors(struct sensors_params *p, const struct sensors_file *file,
                          const struct json *node, struct config_error *why)
{
        if (!check_schedule(&file->imu.schedule, "imu", node, why) ||
            !check_schedule(&file->gps.schedule, "gps", node, why) ||
            !check_schedule(&file->baro.schedule, "baro", node, why) ||
            !check_schedule(&file->mag.schedule, "mag", node, why) ||
            !check_schedule(&file->sonar.schedule, "sonar", node, why))
                return false;
        if (file->imu.schedule.period_ns)
                build_imu(&p->imu, &file->imu);
        if (file->gps.schedule.period_ns)
                build_gps(&p->gps, &file->gps);
        if (file->mag.schedule.period_ns)
                build_mag(&p->mag, &file->mag);
        if (file->baro.schedule.period_ns &&
            !build_baro(&p->baro, &file->baro, node, why))
                return false;
        return !file->sonar.schedule.period_ns ||
               build_sonar(&p->sonar, &file->sonar, node, why);
}
