/* Writes a run folder's files by the recorder, with content that follows from the tick number, for
 * readers that are not ours: tests/node/ulog.mjs --sample knows the same rules.
 *
 *     ulog_sample FOLDER
 */
#include <stdio.h>

#include "hil/record/record.h"

#define TICKS     1000
#define PERIOD_NS 1000000
#define VEHICLES  2
#define ROTORS    4

/* Sonars 0 and 5 in turn, flow, power and INS with every twentieth tick. */
static void add_slow_sensors(struct sensor_frame *f, int64_t n)
{
        int sonar = n % 40 == 19 ? 0 : 5;

        if (n % 20 != 19)
                return;
        f->fresh |= SENSOR_BIT(SENSOR_SONAR) | SENSOR_BIT(SENSOR_FLOW) |
                    SENSOR_BIT(SENSOR_POWER) | SENSOR_BIT(SENSOR_INS) |
                    SENSOR_BIT(SENSOR_RELATIVE);
        f->fresh_sonars = 1U << sonar;
        f->sonar[sonar] = (struct sonar_sample){ f->t_ns, 0.5 + sonar, true };
        f->flow = (struct flow_sample){ f->t_ns, 20000000, 0.5, -0.25, 0.125, 0.0, 200 };
        f->power = (struct power_sample){ f->t_ns, 14.5, 8.25, 3.6 * (double)n };
        f->ins = (struct ins_sample){ f->t_ns, { 1.0, 2.0, -4.0 }, { 0.5, 0.0, -0.5 } };
        f->relative = (struct relative_sample){ f->t_ns, 5.5, -1.5, 0.25, 2, true, true };
}

static struct tick_record tick_of(int64_t n, int vehicle)
{
        double s = (double)n / 1024.0 + vehicle; /* exact in a double and in a float */
        struct tick_record t = { .tick = n,
                                 .t_ns = (n + 1) * PERIOD_NS,
                                 .vehicle = vehicle,
                                 .frame_sent = true,
                                 .armed = n >= 500,
                                 .lateness_ns = (int32_t)n,
                                 .command.duty = { s / 3.0, s / 7.0, 0.5, 1.0 } };

        t.truth.q_body_to_ned.w = 1.0;
        t.truth.pos_ned_m = (struct vec3){ s, 2.0 * s, -s };
        t.frame.t_ns = t.t_ns;
        t.frame.fresh = SENSOR_BIT(SENSOR_IMU);
        t.frame.imu = (struct imu_sample){ t.t_ns, { 0.0, 0.0, -9.5 }, { s, -s, 0.25 } };
        if (n % 100 == 99)
                t.frame.fresh |= SENSOR_BIT(SENSOR_GPS);
        t.frame.gps = (struct gps_sample){ .t_ns = t.t_ns,
                                           .fix = GPS_FIX_3D,
                                           .height_m = 64.5 };
        add_slow_sensors(&t.frame, n);
        t.wind_ned_mps.y = s;
        t.obstacle = -2;
        return t;
}

int main(int argc, char **argv)
{
        struct recorder_setup setup = { .config_sha256 = "0123456789abcdef",
                                        .version = "sample",
                                        .seed = UINT64_MAX,
                                        .rotors = ROTORS,
                                        .vehicles = VEHICLES,
                                        .period_ns = PERIOD_NS,
                                        .truth_period_ns = 10 * PERIOD_NS,
                                        .wait = true };
        struct record_totals totals;
        struct recorder *r;
        char why[240];

        if (argc != 2) {
                fprintf(stderr, "usage: ulog_sample FOLDER\n");
                return 2;
        }
        setup.folder = argv[1];
        r = recorder_open(&setup, why, sizeof why);
        if (!r) {
                fprintf(stderr, "ulog_sample: %s\n", why);
                return 2;
        }
        for (int64_t n = 0; n < TICKS; n++)
                for (int vehicle = 0; vehicle < VEHICLES; vehicle++) {
                        struct tick_record t = tick_of(n, vehicle);

                        recorder_tick(r, &t);
                        recorder_bytes(r, t.t_ns, n % 2 ? WIRE_FROM_FC : WIRE_TO_FC,
                                       vehicle, 0, "sample", 1 + (size_t)n % 6);
                }
        recorder_event(r, &(struct event_record){ .t_ns = TICKS * PERIOD_NS,
                                                  .vehicle = 1,
                                                  .obstacle = 7,
                                                  .step = -1,
                                                  .impact_mps = 3.25,
                                                  .what = "pole" });
        recorder_text(r, TICKS * PERIOD_NS, '4', "sample ended");
        recorder_close(r, &totals);
        if (totals.failure[0])
                fprintf(stderr, "ulog_sample: %s\n", totals.failure);
        printf("%s\n", totals.signal_sha256);
        return totals.failure[0] != 0 || totals.drops != 0;
}
