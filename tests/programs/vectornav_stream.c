/* A VectorNav unit flown past known samples. From standard input: lines that begin with $ go to it, numbers are ticks of
 * 1.25 ms. Prints a line of JSON for each tick: its samples, and what it said in hexadecimal.
 *
 *   vectornav_stream DEVICE */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/device/device.h"
#include "models/sensors/unit_attitude.h"

#include "tests/programs/tick_json.h"

#define PERIOD_NS 1250000LL

static const struct device_setup setup = {
        .period_ns = PERIOD_NS,
        .origin = { .lat_rad = 0.8267,
                    .lon_rad = 0.1493,
                    .north_m_per_rad = 6.37e6,
                    .east_m_per_rad = 4.33e6,
                    .utc_ns = 1785153600LL * 1000000000LL },
};

/* Nothing stands still, so that each field has a value of its own. */
static void measure(int64_t tick, struct sensor_frame *f)
{
        double t_s = (double)tick * 1.25e-3;

        f->t_ns = tick * PERIOD_NS;
        f->fresh = SENSOR_BIT(SENSOR_IMU);
        f->imu.t_ns = f->t_ns;
        f->imu.accel_body_mps2 =
                (struct vec3){ 0.4 * sin(7.0 * t_s), -0.3 * cos(5.0 * t_s),
                               -9.80665 + 0.2 * sin(11.0 * t_s) };
        f->imu.gyro_body_radps =
                (struct vec3){ 0.2 * sin(9.0 * t_s), 0.1 * cos(8.0 * t_s), 0.3 };
        if (tick % 8 == 0) {
                f->fresh |= SENSOR_BIT(SENSOR_MAG);
                f->mag.field_body_t =
                        (struct vec3){ 21e-6 * cos(t_s), -21e-6 * sin(t_s), 43e-6 };
        }
        if (tick % 16 == 0) {
                f->fresh |= SENSOR_BIT(SENSOR_BARO);
                f->baro.pressure_pa = 96500.0 + 20.0 * sin(t_s);
                f->baro.temperature_k = 291.15 + 0.01 * t_s;
        }
        if (tick % 80 == 0) {
                f->fresh |= SENSOR_BIT(SENSOR_GPS);
                f->gps = (struct gps_sample){ .t_ns = f->t_ns,
                                              .lat_rad = 0.8267 + 1e-6 * t_s,
                                              .lon_rad = 0.1493 - 1e-6 * t_s,
                                              .height_m = 353.0 + t_s,
                                              .vel_ned_mps = { 6.37, -4.33, -1.0 },
                                              .h_acc_m = 0.9,
                                              .v_acc_m = 1.3,
                                              .s_acc_mps = 0.2,
                                              .satellites = 14,
                                              .fix = GPS_FIX_3D };
        }
}

static void print_tick(const struct sensor_frame *f, const struct packets *out)
{
        printf("{\"t_ns\": %" PRId64 ", ", f->t_ns);
        print_xyz("accel", f->imu.accel_body_mps2);
        print_xyz("gyro", f->imu.gyro_body_radps);
        print_xyz("mag", f->mag.field_body_t);
        printf("\"pressure\": %.17g, \"temperature\": %.17g, ", f->baro.pressure_pa,
               f->baro.temperature_k);
        printf("\"gps_t_ns\": %" PRId64 ", \"lat\": %.17g, \"lon\": %.17g, "
               "\"height\": %.17g, ",
               f->gps.t_ns, f->gps.lat_rad, f->gps.lon_rad, f->gps.height_m);
        print_packets("said", out);
}

int main(int argc, char **argv)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct device *d = argc == 2 ? device_create(argv[1], &setup) : NULL;
        struct sensor_frame frame = { 0 };
        struct unit_attitude attitude = { 0 };
        struct device_feed feed = { 0, &frame, &input, &report, &command };
        static struct packets out;
        int64_t tick = 0;
        char line[300];

        if (d == NULL)
                return 2;
        while (fgets(line, sizeof line, stdin) != NULL) {
                out.count = 0;
                if (line[0] == '$')
                        d->ops->take(d, (const uint8_t *)line, strlen(line), &out);
                for (long n = line[0] == '$' ? 0 : strtol(line, NULL, 10); n > 0; n--) {
                        measure(tick++, &frame);
                        feed.t_ns = frame.t_ns;
                        unit_attitude_step(&attitude, &frame);
                        feed.attitude = &attitude.q_body_to_ned;
                        out.count = 0;
                        d->ops->feed(d, &feed, &out);
                        print_tick(&frame, &out);
                }
        }
        d->ops->destroy(d);
        return ferror(stdout) || fflush(stdout) == EOF;
}
