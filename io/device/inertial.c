#include "io/device/inertial.h"

#define S_NS            1000000000LL
#define SLACK_NS        (S_NS / 10000) /* how early a sample may come */
#define GPS_PATIENCE_NS S_NS
#define GAUSS_PER_T     1e4
#define ZERO_C_IN_K     273.15

void inertial_init(struct inertial *in, const struct codec_origin *origin, bool receiver)
{
        *in = (struct inertial){ .receiver = receiver,
                                 .origin = *origin,
                                 .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
}

static void take_gps(struct inertial *in, const struct device_feed *feed)
{
        const struct gps_sample *gps = &feed->frame->gps;

        if ((feed->frame->fresh & SENSOR_BIT(SENSOR_GPS)) != 0) {
                in->gps = *gps;
                in->gps_seen_ns = feed->t_ns;
                gnss_epoch_take(&in->epoch, gps, in->origin.utc_ns + gps->t_ns);
        } else if (feed->t_ns - in->gps_seen_ns > GPS_PATIENCE_NS &&
                   in->epoch.fix != GPS_NO_FIX) {
                gnss_epoch_lose(&in->epoch, in->origin.utc_ns + feed->t_ns);
        }
}

static void take_imu(struct inertial *in, const struct device_feed *feed,
                     struct inertial_sum *sum, int sums)
{
        const struct imu_sample *imu = &feed->frame->imu;
        double dt_s = in->measured && imu->t_ns > in->t_ns
                              ? (double)(imu->t_ns - in->t_ns) * 1e-9
                              : 0.0;

        for (; sums > 0; sums--, sum++) {
                sum->interval_s += dt_s;
                sum->dvel_mps = vec3_axpy(sum->dvel_mps, dt_s, imu->accel_body_mps2);
                sum->dtheta_rad = vec3_axpy(sum->dtheta_rad, dt_s, imu->gyro_body_radps);
        }
        if (feed->attitude != NULL)
                in->q_body_to_ned = *feed->attitude;
        in->imu = *imu;
        in->t_ns = imu->t_ns;
        in->measured = true;
}

void inertial_take(struct inertial *in, const struct device_feed *feed,
                   struct inertial_sum *sum, int sums)
{
        const struct sensor_frame *f = feed->frame;

        if ((f->fresh & SENSOR_BIT(SENSOR_MAG)) != 0)
                in->mag_gauss = vec3_scale(GAUSS_PER_T, f->mag.field_body_t);
        if ((f->fresh & SENSOR_BIT(SENSOR_BARO)) != 0) {
                in->pressure_pa = f->baro.pressure_pa;
                in->temperature_c = f->baro.temperature_k - ZERO_C_IN_K;
        }
        if (in->receiver)
                take_gps(in, feed);
        if ((f->fresh & SENSOR_BIT(SENSOR_IMU)) != 0)
                take_imu(in, feed, sum, sums);
}

static struct vec3 mean(const struct inertial_sum *s, struct vec3 sum, struct vec3 newest)
{
        return s->interval_s > 0.0 ? vec3_scale(1.0 / s->interval_s, sum) : newest;
}

struct vec3 inertial_accel_mps2(const struct inertial *in, const struct inertial_sum *s)
{
        return mean(s, s->dvel_mps, in->imu.accel_body_mps2);
}

struct vec3 inertial_gyro_radps(const struct inertial *in, const struct inertial_sum *s)
{
        return mean(s, s->dtheta_rad, in->imu.gyro_body_radps);
}

struct inertial_place inertial_place(const struct inertial *in)
{
        const struct gps_sample *g = &in->gps;
        struct inertial_place p = { g->lat_rad, g->lon_rad, g->height_m };
        double age_s = (double)(in->t_ns - g->t_ns) * 1e-9;

        if (in->epoch.fix != GPS_FIX_3D || in->origin.north_m_per_rad <= 0.0 ||
            in->origin.east_m_per_rad <= 0.0)
                return p;
        p.lat_rad += g->vel_ned_mps.x * age_s / in->origin.north_m_per_rad;
        p.lon_rad += g->vel_ned_mps.y * age_s / in->origin.east_m_per_rad;
        p.height_m -= g->vel_ned_mps.z * age_s;
        return p;
}

bool inertial_is_due(int64_t *due_ns, int64_t t_ns, int64_t period_ns)
{
        if (t_ns + SLACK_NS < *due_ns && *due_ns - t_ns <= period_ns)
                return false;
        *due_ns += period_ns;
        if (*due_ns <= t_ns || *due_ns - t_ns > period_ns + SLACK_NS)
                *due_ns = t_ns + period_ns;
        return true;
}
