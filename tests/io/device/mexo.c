/* A MEXO server: answers in order, the queue with its time stamps, messages, and peers that mean no good. */
#include <stdio.h>

#include "tests/io/device/device_bench.h"

static struct device_bench bench;
static struct device_bench *const b = &bench;
static struct device_wish last; /* the newest set-point that it asked for */
static char told[4096]; /* for the record, a line each */

static const double degree = 111000.0;

static void begin(int sensor)
{
        static struct mexo_settings settings;
        struct device_setup setup = {
                .period_ns = MS,
                .origin = { .lat_rad = 0.8,
                            .lon_rad = 0.2,
                            .height_m = 100.0,
                            .north_m_per_rad = degree * 180.0 / M_PI,
                            .east_m_per_rad = degree * 180.0 / M_PI },
                .vehicle_name = "Drone1",
                .battery_c = 3600.0,
                .mexo = &settings,
        };

        settings = (struct mexo_settings){ .sensor = sensor,
                                           .has_reference = true,
                                           .at.reference = { 10.0, 20.0, 100.0 },
                                           .sample_ns = 100 * MS,
                                           .reached_m = 0.5,
                                           .reached_rad = 0.1 };
        bench_begin(b, "mexo", &setup);
        b->frame.pose.q_body_to_ned.w = 1.0;
        last = (struct device_wish){ 0 };
        told[0] = '\0';
}

/* Flies at once where it is asked to, unless it is held. */
static void run_ms(int ms, bool held)
{
        struct device_wish wish;

        for (int i = 0; i < ms; i++) {
                bench_tick(b);
                while (b->device->ops->ask(b->device, &wish)) {
                        if (wish.flies)
                                last = wish;
                        if (wish.what[0] != '\0')
                                snprintf(told + strlen(told), sizeof told - strlen(told),
                                         "%s\n", wish.what);
                }
                if (last.flies && last.setpoint.mode == MODE_GOTO && !held) {
                        b->frame.pose.pos_ned_m = last.setpoint.pos_ned_m;
                        b->frame.pose.q_body_to_ned =
                                quat_from_euler(0, 0, last.setpoint.yaw_rad);
                }
        }
}

static void send_bytes(const char *bytes, size_t len)
{
        struct packets out = { 0 };

        b->device->ops->take(b->device, (const uint8_t *)bytes, len, &out);
}

static void send_line(const char *line)
{
        send_bytes(line, strlen(line));
        send_bytes("\r\n", 2);
}

static const char *said(void)
{
        b->bytes[b->len] = '\0';
        return (const char *)b->bytes;
}

static void expect_answer(const char *line, const char *answer)
{
        bench_forget(b);
        send_line(line);
        bench_tick(b);
        ck_assert_msg(strncmp(said(), answer, strlen(answer)) == 0, "%s: %s", line,
                      said());
}

static void take_off(void)
{
        expect_answer("POWER", "ACK\r\n");
        expect_answer("STARTENGINE", "ACK\r\n");
        expect_answer("TAKEOFF {DestinationHeight 105}", "ACK\r\n");
        run_ms(500, false);
}

TEST(commands_are_carried_out_in_their_order)
{
        begin(MEXO_SEN_GT);
        take_off();
        ck_assert_double_eq_tol(last.setpoint.pos_ned_m.z, -5.0, 1e-9);
        send_line("GOTOWAYPOINT {Pose 10.001,20.002,110,90}");
        send_line("LAND");
        run_ms(400, true);
        ck_assert_double_eq_tol(last.setpoint.pos_ned_m.x, 111.0, 1e-6);
        ck_assert_double_eq_tol(last.setpoint.pos_ned_m.y, 222.0, 1e-6);
        ck_assert_double_eq_tol(last.setpoint.pos_ned_m.z, -10.0, 1e-6);
        ck_assert_double_eq_tol(last.setpoint.yaw_rad, 0.0,
                                1e-9); /* heading comes later */
        run_ms(1000, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_LAND);
        ck_assert_double_eq_tol(last.setpoint.yaw_rad, M_PI / 2, 1e-9);
        ck_assert_str_eq(told,
                         "POWER Drone1; STARTENGINE\nTAKEOFF\nGOTOWAYPOINT\nLAND\n");
        bench_end(b);
}

TEST(a_command_waits_for_its_time_stamp_and_for_the_engines)
{
        begin(MEXO_SEN_GT);
        expect_answer("POWER", "ACK");
        expect_answer("TAKEOFF {TimeStamp 2000} {DestinationHeight 105}", "ACK");
        run_ms(3000, false);
        ck_assert(!last.flies);
        expect_answer("STARTENGINE", "ACK");
        run_ms(1900, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_ARMED);
        run_ms(300, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_GOTO);
        bench_end(b);
}

TEST(hold_ends_with_its_time_stamp_and_clear_ends_all)
{
        begin(MEXO_SEN_GT);
        take_off();
        send_line("HOLD {TimeStamp 5000}");
        send_line("LAND");
        run_ms(4000, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_GOTO);
        b->frame.pose.pos_ned_m.x = 7.0;
        run_ms(1, true);
        expect_answer("CLEAR", "ACK");
        run_ms(4000, true);
        ck_assert_int_eq(last.setpoint.mode, MODE_GOTO);
        ck_assert_double_eq(last.setpoint.pos_ned_m.x, 7.0);
        bench_end(b);
}

TEST(errors_have_the_numbers_of_the_print)
{
        begin(MEXO_SEN_GT);
        expect_answer("STARTENGINE", "ERR 1 Expected POWER");
        expect_answer("POWER {RobotName Other}",
                      "ERR 1 RobotName of this port is Drone1");
        run_ms(1, false);
        expect_answer("POWER {StartingPose 20.01,10,100,0,0,0}", "ERR 5004 Robot broke");
        expect_answer("POWER {StartingPose 20,10,100,0,0,0}", "ACK\r\n");
        expect_answer("POWER", "ERR 5001 Robot name already exists\r\n");
        expect_answer("TAKEOFF", "ERR 5003 Not enough Parameters specified");
        expect_answer("PAUSE Delay 10", "ERR 1 Unknown command PAUSE");
        bench_end(b);
}

TEST(stat_and_pose_say_what_the_print_says)
{
        begin(MEXO_SEN_GT);
        b->frame.gps = (struct gps_sample){ .fix = GPS_FIX_3D, .satellites = 8 };
        b->frame.power =
                (struct power_sample){ .current_a = 4.0, .charge_used_c = 1600.0 };
        b->frame.fresh = SENSOR_BIT(SENSOR_GPS) | SENSOR_BIT(SENSOR_POWER);
        b->frame.pose.pos_ned_m = (struct vec3){ 11.1, -22.2, -5.0 };
        bench_tick(b);
        expect_answer("POWER",
                      "ACK\r\n"
                      "STAT {Batt 500} {OpTime 1}\r\n"
                      "POSE {Location 10.00010000,19.99980000,105.000} "
                      "{Orientation 0.000,0.000,0.000} {GPSfix 1} {OpTime 1}\r\n");
        expect_answer("STARTENGINE", "ACK\r\n");
        bench_forget(b);
        run_ms(100, false);
        ck_assert_ptr_nonnull(strstr(said(), "{GPSfix 1} {FlightTime "));
        bench_end(b);
}

TEST(without_a_valid_sample_of_its_sensor_it_says_no_pose)
{
        begin(MEXO_SEN_GPS);
        expect_answer("POWER", "ACK");
        run_ms(1000, false);
        ck_assert_ptr_null(strstr(said(), "POSE"));
        b->frame.gps = (struct gps_sample){ .fix = GPS_FIX_3D,
                                            .satellites = 5,
                                            .lat_rad = 0.8,
                                            .lon_rad = 0.2,
                                            .height_m = 103.0 };
        b->frame.fresh = SENSOR_BIT(SENSOR_GPS);
        run_ms(1000, false);
        ck_assert_ptr_nonnull(
                strstr(said(), "POSE {Location 10.00000000,20.00000000,103"));
        /* One sample, one message. */
        ck_assert_ptr_null(strstr(strstr(said(), "POSE") + 4, "POSE"));
        bench_end(b);
}

TEST(what_needs_no_place_does_not_wait_for_a_pose)
{
        begin(MEXO_SEN_GPS);
        expect_answer("POWER", "ACK");
        expect_answer("STARTENGINE", "ACK");
        send_line("TAKEPICTURE {Tilt 90}");
        send_line("STOPENGINE");
        run_ms(500, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_DISARMED);
        bench_end(b);
}

TEST(shutdown_deletes_the_robot_and_hangs_up)
{
        begin(MEXO_SEN_GT);
        take_off();
        send_line("STOPENGINE");
        send_line("SHUTDOWN");
        run_ms(1000, true);
        ck_assert_int_eq(last.setpoint.mode, MODE_DISARMED);
        ck_assert_ptr_nonnull(strstr(said(), "DEL {Robotname Drone1}\r\n"));
        ck_assert(b->device->ops->hangs_up(b->device));
        b->device->ops->peer_left(b->device);
        ck_assert(!b->device->ops->hangs_up(b->device));
        expect_answer("POWER", "ACK");
        bench_end(b);
}

TEST(it_lands_when_its_executor_has_gone)
{
        begin(MEXO_SEN_GT);
        take_off();
        send_line("HOLD {TimeStamp 100000}");
        b->device->ops->peer_left(b->device);
        run_ms(200, false);
        ck_assert_int_eq(last.setpoint.mode, MODE_LAND);
        ck_assert_ptr_nonnull(strstr(told, "has gone"));
        bench_end(b);
}

TEST(a_drone_on_its_back_is_broken_and_deleted)
{
        begin(MEXO_SEN_GT);
        take_off();
        b->frame.pose.q_body_to_ned = quat_from_euler(3.1, 0, 0);
        run_ms(2500, true);
        ck_assert_ptr_nonnull(
                strstr(said(), "ERR 5004 Robot broke\r\nDEL {Robotname Drone1}\r\n"));
        ck_assert(b->device->ops->hangs_up(b->device));
        bench_end(b);
}

TEST(lines_end_in_any_of_the_ways_and_arrive_in_pieces)
{
        static const char all[] = "POWER\n\rHOLD\nHOLD\r\nHOLD\rHOLD\r\n\r\n";

        begin(MEXO_SEN_GT);
        for (size_t i = 0; i + 1 < sizeof all; i++)
                send_bytes(all + i, 1);
        bench_tick(b);
        ck_assert_int_eq(strncmp(said(), "ACK\r\nACK\r\nACK\r\nACK\r\nACK\r\nSTAT", 29),
                         0);
        bench_end(b);
}

TEST(a_peer_that_floods_is_bounded_and_counted)
{
        char flood[4096];
        uint64_t errors;

        begin(MEXO_SEN_GT);
        expect_answer("POWER", "ACK");
        memset(flood, 'x', sizeof flood);
        for (int i = 0; i < 100; i++)
                send_bytes(flood, sizeof flood);
        expect_answer("", "ERR 85 Line is longer than 512 characters\r\n");
        expect_answer("HOLD", "ACK\r\n");
        for (int i = 0; i < MEXO_QUEUE_MAX - 1; i++)
                send_line("HOLD");
        run_ms(1, true);
        expect_answer("HOLD", "ERR 2 Memory is full");
        errors = b->device->counts.errors;
        for (size_t i = 0; i < sizeof flood; i += 2)
                memcpy(flood + i, "A\n", 2);
        send_bytes(flood, sizeof flood);
        ck_assert_uint_ge(b->device->counts.errors, errors + sizeof flood / 2);
        run_ms(2, true);
        expect_answer("CLEAR", "ACK\r\n");
        expect_answer("HOLD", "ACK\r\n");
        bench_end(b);
}
