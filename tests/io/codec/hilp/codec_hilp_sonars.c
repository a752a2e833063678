/* What a conversation in HILP says of sonars, virtual and real ones, and of the parts of a vehicle. */
#include "tests/boards/hilp_pair.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

TEST(parts_come_before_the_first_frame_and_every_250_frames)
{
        static const struct hilp_parts none;
        struct codec_setup setup = setup_plain;
        struct pair p;

        setup.bmp180 = (struct bmp180_params){ 408,  -72, -14383, 32741, 32757, 23153,
                                               6190, 4,   -32768, -8711, 2868,  3 };
        pair_ready(&p, &setup);
        ck_assert_mem_eq(&p.board.parts, &none, sizeof none);
        tick(&p, 0, NULL);
        ck_assert_uint_eq(p.board.parts.sonars, 5);
        ck_assert_uint_eq(p.board.parts.flow_period_us, 0);
        ck_assert_uint_eq(p.board.parts.power_period_us, 40000);
        ck_assert_uint_eq(p.board.parts.baro_oversampling, 3);
        ck_assert_int_eq(p.board.parts.baro.ac3, -14383);
        ck_assert_uint_eq(p.board.parts.baro.ac4, 32741);
        ck_assert_int_eq(p.board.parts.baro.mb, -32768);
        ck_assert_int_eq(p.board.parts.baro.md, 2868);

        /* One that got lost is made up for. */
        p.board.parts = none;
        for (uint32_t n = 1; n <= 250; n++) {
                ck_assert_uint_eq(p.board.parts.sonars, 0);
                tick(&p, n, NULL);
        }
        ck_assert_uint_eq(p.board.parts.sonars, 5);
        pair_end(&p);
}

/* A frame with the IMU and these sonars, whose ranges tell frame and sonar. */
static uint32_t sonar_tick(struct pair *p, uint32_t number, uint32_t sonars)
{
        struct sensor_frame frame = { .t_ns = number * MS,
                                      .fresh = SENSOR_BIT(SENSOR_IMU) };

        frame.imu.t_ns = frame.t_ns;
        frame.fresh_sonars = sonars;
        if (sonars != 0)
                frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
        for (int i = 0; i < SONARS_MAX; i++)
                frame.sonar[i] = (struct sonar_sample){ frame.t_ns - i * MS,
                                                        number + i * 0.001, i % 2 == 0 };
        p->rig->ops->encode(p->rig, number, 0, &frame, NULL, &p->out);
        return exchange(p);
}

TEST(every_fresh_sonar_arrives_with_its_frame)
{
        struct dice d = { 11 };
        struct pair p;
        uint32_t newest[SONARS_MAX] = { 0 };

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 1; n < 2000; n++) {
                /* All, one or none. */
                uint32_t sonars = n % 7 == 0 ? 0xFFFF : 1U << dice_below(&d, 18) & 0xFFFF;

                ck_assert_uint_eq(sonar_tick(&p, n, sonars), FC_MOTORS | FC_ARMING);
                ck_assert_uint_eq(p.seen.fresh_sonars, sonars);
                ck_assert_int_eq((p.seen.fresh & SENSOR_BIT(SENSOR_SONAR)) != 0,
                                 sonars != 0);
                for (int i = 0; i < SONARS_MAX; i++) {
                        if (sonars >> i & 1)
                                newest[i] = n;
                        if (newest[i] == 0)
                                continue;
                        ck_assert_double_eq_tol(p.seen.sonar[i].range_m,
                                                newest[i] + i * 0.001, 1e-9);
                        ck_assert_int_eq(p.seen.sonar[i].t_ns,
                                         (int64_t)newest[i] * MS - i * MS);
                        ck_assert_int_eq(p.seen.sonar[i].echo, i % 2 == 0);
                }
        }
        pair_end(&p);
}

TEST(sonars_whose_frame_is_lost_come_with_the_next)
{
        struct sensor_frame frame = { .t_ns = 2 * MS,
                                      .fresh = SENSOR_BIT(SENSOR_SONAR),
                                      .fresh_sonars = 1 << 3 };
        struct pair p;

        pair_ready(&p, &setup_plain);
        sonar_tick(&p, 1, 0);
        frame.sonar[3] = (struct sonar_sample){ MS, 1.25, true };
        p.rig->ops->encode(p.rig, 2, 0, &frame, NULL, &p.out);
        /* The sensors stand last: spoilt, their frame is none. */
        p.out.packet[0].bytes[p.out.packet[0].len - 2] ^= 0x55;
        ck_assert_uint_eq(exchange(&p), 0);
        ck_assert_uint_eq(sonar_tick(&p, 3, 1), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.seen.fresh_sonars, 1 << 3 | 1);
        ck_assert_double_eq(p.seen.sonar[3].range_m, 1.25);
        ck_assert_int_eq(p.seen.sonar[3].t_ns, MS);
        ck_assert_uint_eq(sonar_tick(&p, 4, 0), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.seen.fresh_sonars, 0);
        pair_end(&p);
}

TEST(the_fullest_packet_fits)
{
        struct sensor_frame frame = { .fresh = 0xFF, .fresh_sonars = 0xFFFF };
        struct pilot_input input = { .rc_us[RC_CHANNELS_MAX - 1] = 1000 };
        struct pair p;

        pair_ready(&p, &setup_plain);
        p.rig->ops->encode(p.rig, 0, 0, &frame, &input, &p.out);
        ck_assert_int_eq(p.out.count, 1);
        /* PARTS, INPUT, SONARS and SENSORS, as docs/protocol.md counts them. */
        ck_assert_uint_eq(p.out.packet[0].len, 42 + 54 + 179 + 185);
        ck_assert_uint_eq(exchange(&p), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.seen.fresh, 0xFF);
        pair_end(&p);
}

TEST(real_ranges_arrive_and_each_message_replaces_the_last)
{
        uint8_t frame[HILP_FRAME_MAX];
        double range_m[SONARS_MAX];
        struct pair p;

        for (int i = 0; i < SONARS_MAX; i++)
                range_m[i] = INFINITY;
        pair_begin(&p, &setup_plain, 4);
        range_m[1] = 0.8;
        ck_assert_uint_eq(hilp_board_real_ranges(&p.board, range_m, frame), 0);
        poll_once(&p);
        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_real_ranges(&p.board, range_m, frame)),
                FC_RANGES);
        ck_assert_double_eq(p.report.real_range_m[1], 0.8);
        ck_assert(isinf(p.report.real_range_m[0]));
        range_m[1] = INFINITY;
        range_m[4] = 2.5;
        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_real_ranges(&p.board, range_m, frame)),
                FC_RANGES);
        ck_assert(isinf(p.report.real_range_m[1]));
        ck_assert_double_eq(p.report.real_range_m[4], 2.5);

        /* The vehicle has five sonars. */
        range_m[5] = 1.0;
        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_real_ranges(&p.board, range_m, frame)), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 1);
        ck_assert_double_eq(p.report.real_range_m[4], 2.5);
        pair_end(&p);
}
