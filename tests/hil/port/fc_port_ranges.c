/* What real sonars on the bench measure, from the board to the port: in force while the board tells
 * it, in the record as it changes. */
#include "tests/hil/port/fc_port_stage.h"
#include "tests/hil/record/record_log.h"
#include "tests/suites.h"

static void tell(int sonar, double seen_m)
{
        uint8_t out[HILP_FRAME_MAX];
        double range_m[SONARS_MAX];

        for (int i = 0; i < SONARS_MAX; i++)
                range_m[i] = i == sonar ? seen_m : (double)INFINITY;
        link_write(board_link, out, hilp_board_real_ranges(&board, range_m, out));
}

static int seen(void)
{
        int n = 0;

        for (int i = 0; i < SONARS_MAX; i++)
                n += port.real_range_m[i] < (double)INFINITY;
        return n;
}

FIXTURE(open_all, close_all)

TEST(ranges_are_infinite_until_the_board_tells_them)
{
        ck_assert_int_eq(seen(), 0);
        greet(0);
        ck_assert_int_eq(seen(), 0);
        tell(2, 0.75);
        fc_port_receive(&port, MS, false);
        ck_assert_int_eq(seen(), 1);
        ck_assert_double_eq(port.real_range_m[2], 0.75);
}

TEST(ranges_are_forgotten_when_the_board_no_longer_tells_them)
{
        greet(0);
        for (int64_t ms = 0; ms <= 2000; ms += 100) {
                port.sim_ns = ms * MS;
                if (ms <= 1000)
                        tell(1, 0.5);
                fc_port_receive(&port, ms * MS, false);
                ck_assert_int_eq(seen(), ms <= 1000 + FC_RANGES_NS / MS);
        }
}

TEST(ranges_of_a_lost_board_are_forgotten)
{
        greet(0);
        tell(1, 0.5);
        fc_port_receive(&port, MS, false);
        ck_assert_int_eq(seen(), 1);
        fc_port_give_up(&port);
        ck_assert_int_eq(seen(), 0);
}

TEST(ranges_of_a_restarted_board_are_forgotten)
{
        greet(0);
        tell(1, 0.5);
        fc_port_receive(&port, MS, false);
        hilp_board_init(&board, "board", 4, 1, 8);
        fc_port_send(&port, 2 * MS, &frame, NULL);
        board_serve(false);
        fc_port_receive(&port, 3 * MS, false);
        ck_assert_int_eq(port.state, FC_PORT_GREETING);
        ck_assert_int_eq(seen(), 0);
}

TEST(ranges_are_recorded_when_they_change)
{
        static const double expected[] = { 0.5, 0.25, INFINITY };
        struct ulog_record rec;
        struct ulog_reader r;
        struct folder f;

        folder_make(&f);
        folder_open(&f);
        greet(0);
        port.recorder = f.recorder;
        for (int n = 0; n < 6; n++) {
                port.sim_ns = (n + 1) * 10 * MS;
                tell(1, n < 3 ? 0.5 : 0.25);
                fc_port_receive(&port, n * MS, false);
        }
        fc_port_give_up(&port);
        port.recorder = NULL;
        folder_close(&f);
        r = log_open(&f);
        for (int n = 0; n < 3; n++) {
                ck_assert(log_next(&r, "hilrig_real_ranges", 0, &rec));
                ck_assert(le_get_f64(log_field(&r, &rec, "range_m", "double[16]") + 8) ==
                          expected[n]);
                ck_assert_uint_eq(rec.t_us, n == 0 ? 10000 : n == 1 ? 40000 : 60000);
        }
        ck_assert(!log_next(&r, "hilrig_real_ranges", 0, &rec));
        log_close(&r);
        folder_remove(&f);
}
