/* gps_stream DEVICE SECONDS [HEX]: the bytes that a GPS device says on its own in so many simulated
 * seconds, at 115200, after it was sent HEX at 0.7 s; to standard output, for decoders that are not ours. The
 * vehicle flies a circle of 100 m around 47.3977 N 8.5455 E at 20 m/s, clockwise, 488.25 m above the sea; from
 * 6 to 8 s there are no samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/device/device.h"

#define MS       1000000LL
#define RADIUS_M 100.0
#define RATE_RPS 0.2
#define EARTH_M  6371000.0

static struct gps_sample sample_at(int64_t t_ns)
{
        double lat_rad = 47.3977 * M_PI / 180.0, angle = RATE_RPS * (double)t_ns * 1e-9;

        return (struct gps_sample){
                .t_ns = t_ns,
                .lat_rad = lat_rad + RADIUS_M * cos(angle) / EARTH_M,
                .lon_rad = 8.5455 * M_PI / 180.0 +
                           RADIUS_M * sin(angle) / EARTH_M / cos(lat_rad),
                .height_m = 488.25,
                .vel_ned_mps = { -RADIUS_M * RATE_RPS * sin(angle),
                                 RADIUS_M * RATE_RPS * cos(angle), 0.0 },
                .h_acc_m = 0.9,
                .v_acc_m = 1.3,
                .s_acc_mps = 0.2,
                .satellites = 14,
                .fix = GPS_FIX_3D,
        };
}

static void send_hex(struct device *d, const char *hex)
{
        uint8_t bytes[1024];
        size_t len = 0;
        struct packets out = { 0 };
        unsigned value;

        for (; len < sizeof bytes && sscanf(hex, "%2x", &value) == 1; hex += 2)
                bytes[len++] = (uint8_t)value;
        if (d->ops->take != NULL)
                d->ops->take(d, bytes, len, &out);
}

static void tick(struct device *d, int64_t t_ns)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct sensor_frame frame = { .t_ns = t_ns };
        struct device_feed feed = { t_ns, &frame, &input, &report, &command };
        struct packets out = { 0 };

        if (t_ns % (100 * MS) == 0 && (t_ns < 6000 * MS || t_ns >= 8000 * MS)) {
                frame.fresh = SENSOR_BIT(SENSOR_GPS);
                frame.gps = sample_at(t_ns);
        }
        d->ops->feed(d, &feed, &out);
        for (int i = 0; i < out.count; i++)
                fwrite(out.packet[i].bytes, 1, out.packet[i].len, stdout);
}

int main(int argc, char **argv)
{
        struct device_setup setup = { .period_ns = MS,
                                      .origin = { .utc_ns = 1700000000000000000LL },
                                      .baud = 115200 };
        struct device *d = argc > 2 ? device_create(argv[1], &setup) : NULL;
        int64_t end_ns;

        if (d == NULL) {
                fprintf(stderr, "usage: gps_stream DEVICE SECONDS [HEX]\n");
                return 2;
        }
        end_ns = atoi(argv[2]) * 1000 * MS;
        for (int64_t t_ns = 0; t_ns < end_ns; t_ns += MS) {
                if (t_ns == 700 * MS && argc > 3)
                        send_hex(d, argv[3]);
                tick(d, t_ns);
        }
        d->ops->destroy(d);
        return 0;
}
