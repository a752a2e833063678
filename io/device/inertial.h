/* What an inertial unit at a board's port knows: the newest samples of its parts, in the units of such units, and sums of
 * its IMU's since a packet. */
#pragma once

#include "io/device/device.h"
#include "io/device/gnss_epoch.h"

/* Samples since a packet: their mean is what a packet of a lower rate has, so that it loses nothing. */
struct inertial_sum {
        struct vec3 dvel_mps, dtheta_rad;
        double interval_s;
};

struct inertial {
        int64_t t_ns; /* of the newest IMU sample, simulated time */
        bool measured; /* there was one */
        bool receiver; /* for GNSS */
        struct imu_sample imu;
        struct vec3 mag_gauss;
        double pressure_pa, temperature_c;
        struct quat q_body_to_ned; /* its own attitude */
        struct gps_sample gps;
        struct gnss_epoch epoch; /* of it; no fix: none came, or none for long */
        int64_t gps_seen_ns;
        struct codec_origin origin;
};

/* Level and still, without samples. */
void inertial_init(struct inertial *in, const struct codec_origin *origin, bool receiver);

/* What is fresh in the feed; sum[0] to sum[sums - 1] grow by the IMU's sample. A time that goes back or stands still adds
 * nothing. */
void inertial_take(struct inertial *in, const struct device_feed *feed,
                   struct inertial_sum *sum, int sums);

/* Means since the packet, or the newest sample if no time has passed. */
struct vec3 inertial_accel_mps2(const struct inertial *in, const struct inertial_sum *s);
struct vec3 inertial_gyro_radps(const struct inertial *in, const struct inertial_sum *s);

/* The receiver's last solution, carried on by its velocity to the newest IMU sample; without a fix as it was. */
struct inertial_place {
        double lat_rad, lon_rad, height_m;
};
struct inertial_place inertial_place(const struct inertial *in);

/* Whether a packet is due at a sample of t_ns. The next is due a period after the last one was, so that the average rate
 * is kept, whatever the rate of the samples. */
bool inertial_is_due(int64_t *due_ns, int64_t t_ns, int64_t period_ns);
