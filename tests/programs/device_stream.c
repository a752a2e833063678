/* Flies a known path past a device that talks to a ground station, and prints a line of JSON for each
 * tick at which it says something: the truth, the estimate, and the bytes in hexadecimal.
 *
 *   device_stream DEVICE SECONDS */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/device/device.h"

#include "tests/programs/tick_json.h"

#define PERIOD_NS 1000000LL

static const struct device_setup setup = {
        .period_ns = PERIOD_NS,
        .origin = { .lat_rad = 0.8267,
                    .lon_rad = 0.1493,
                    .height_m = 488.0,
                    .north_m_per_rad = 6.37e6,
                    .east_m_per_rad = 4.33e6,
                    .utc_ns = 1700000000LL * 1000000000LL },
        .start_ned_m = { 10.0, -20.0, -1.0 },
        .rotors = 6,
};

/* A circle that climbs, banked, with a nose that goes its own way. */
static void fly(double t_s, struct sensor_frame *frame, struct fc_report *report,
                struct motor_command *command)
{
        const double turn_radps = 0.5, radius_m = 30.0;
        struct pose_sample *pose = &frame->pose;
        double angle_rad = turn_radps * t_s, speed_mps = radius_m * turn_radps;

        pose->pos_ned_m = (struct vec3){ radius_m * cos(angle_rad),
                                         radius_m * sin(angle_rad), -5.0 - 0.7 * t_s };
        pose->vel_ned_mps = (struct vec3){ -speed_mps * sin(angle_rad),
                                           speed_mps * cos(angle_rad), -0.7 };
        pose->q_body_to_ned =
                quat_from_euler(0.4 * sin(t_s), 0.3 * cos(1.3 * t_s), 0.9 * t_s);
        frame->imu.accel_body_mps2 = (struct vec3){ 1.0, -2.0, -9.5 };
        report->estimate.pos_ned_m = (struct vec3){ 1.0, 2.0, -3.0 - t_s };
        report->estimate.vel_ned_mps = (struct vec3){ 0.5, -0.5, -1.0 };
        report->estimate.q_body_to_ned = quat_from_euler(0.1, 0.2, -1.0);
        for (int i = 0; i < setup.rotors; i++)
                command->duty[i] = i == 2 ? 0.0 : 0.1 * (i + 1);
}

static void print_quat(const char *name, struct quat q)
{
        printf("\"%s\": [%.17g, %.17g, %.17g, %.17g], ", name, q.w, q.x, q.y, q.z);
}

static void print_tick(const struct device_feed *feed, const struct packets *out)
{
        const struct pose_sample *pose = &feed->frame->pose;

        printf("{\"t_ns\": %" PRId64 ", ", feed->t_ns);
        print_xyz("pos", pose->pos_ned_m);
        print_xyz("vel", pose->vel_ned_mps);
        print_quat("q", pose->q_body_to_ned);
        print_xyz("accel", feed->frame->imu.accel_body_mps2);
        print_xyz("estimated_pos", feed->report->estimate.pos_ned_m);
        print_quat("estimated_q", feed->report->estimate.q_body_to_ned);
        print_packets("packets", out);
}

int main(int argc, char **argv)
{
        double seconds = argc == 3 ? strtod(argv[2], NULL) : 0.0;
        struct device *d = argc == 3 ? device_create(argv[1], &setup) : NULL;
        struct sensor_frame frame = { 0 };
        struct fc_report report = { .armed = true,
                                    .text = "words of the flight controller" };
        struct motor_command command = { { 0 } };
        struct pilot_input input = { .rc_us = { 1500, 1400, 1300 } };

        if (d == NULL)
                return 2;
        for (int64_t t_ns = 0; (double)t_ns < seconds * 1e9; t_ns += PERIOD_NS) {
                struct device_feed feed = { t_ns, &frame, &input, &report, &command };
                static struct packets out;

                fly((double)t_ns * 1e-9, &frame, &report, &command);
                out.count = 0;
                d->ops->feed(d, &feed, &out);
                if (out.count > 0)
                        print_tick(&feed, &out);
        }
        d->ops->destroy(d);
        return ferror(stdout) || fflush(stdout) == EOF;
}
