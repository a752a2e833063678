/* The stream of an fx2lafw analyzer: samples as the pads were, and what is lost is a gap of its size, whatever it was
 * lost by. */
#include "tests/staged/fx2_stage.h"
#include "tests/suites.h"

PROCESS_EACH

FIXTURE(set_up, tear_down)

TEST(fx2_gives_what_the_pads_were)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 0.0, false);
        ck_assert_str_eq(c->name, "fx2lafw 1-4");
        ck_assert_str_eq(c->note, "");
        ck_assert_double_eq(c->tick_hz, 24e6);
        ck_assert_int_eq(c->pads, 8);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        feed(4095);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        feed(1 + 300 * 4096);
        ck_assert_int_eq(check_all(c, 0), 301 * 4096);
        ck_assert_uint_eq(c->counts.blocks, 301);
        ck_assert_uint_eq(c->counts.bytes, 301 * 4096);
        ck_assert_uint_eq(c->counts.stalls + c->counts.overruns + c->counts.failed, 0);
        capture_close(c);
        ck_assert_int_eq(port->claimed, 0);
        ck_assert_uint_eq(stage.memory_used, 0);
}

TEST(fx2_stamps_each_block_with_its_arrival)
{
        struct capture_block b;
        struct capture *c = sampling();
        int64_t before_ns;

        for (int i = 0; i < 3; i++) {
                before_ns = played.now_ns;
                feed(4096);
                ck_assert_int_eq(capture_read(c, 0, &b), 1);
                ck_assert_int_ge(b.arrived_ns, before_ns);
                ck_assert_int_le(b.arrived_ns, played.now_ns);
        }
        capture_close(c);
}

TEST(fx2_shows_a_dead_channel_as_it_is)
{
        struct capture_block b;
        struct capture *c = sampling();

        fx2.stuck = 0x24;
        fx2.stuck_at = 0x20;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        for (size_t i = 0; i < b.count; i++)
                ck_assert_uint_eq(b.samples[i], (level_at(i) & 0xDB) | 0x20);
        capture_close(c);
}

/* Looks at it every 2 ms, until it has been started anew. */
static void read_until_restart(struct capture *c)
{
        uint64_t before = fx2.starts;
        struct capture_block b;

        for (int i = 0; i < 100 && fx2.starts == before; i++) {
                played.now_ns += 2000000;
                ck_assert_int_eq(capture_read(c, 0, &b), 0);
        }
        ck_assert_uint_eq(fx2.starts, before + 1);
        /* Its answer. */
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
}

TEST(fx2_that_stopped_silently_is_noticed_and_started_anew)
{
        struct capture_block b;
        struct capture *c = sampling();
        int64_t stopped_ns, since;

        for (int i = 0; i < 100; i++)
                feed(4096);
        stopped_ns = played.now_ns;
        ck_assert_int_eq(check_all(c, 0), 409600);
        emulated_fx2_overrun(&fx2);
        read_until_restart(c);
        ck_assert_int_le(played.now_ns - stopped_ns, 15000000);
        since = played.now_ns - stopped_ns;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        /* The ticks went on meanwhile, by the host's clock: to 50 us. */
        ck_assert_int_lt(llabs(b.first_tick - 409600 - since * 24 / 1000), 1200);
        ck_assert_uint_eq(c->counts.stalls, 1);
        ck_assert_uint_eq(c->counts.restarts, 1);
        ck_assert_uint_eq(c->counts.overruns, 0);
        capture_close(c);
}

TEST(fx2_that_nobody_read_in_time_has_overrun)
{
        struct capture_block b;
        struct capture *c = sampling();

        fx2.slack = 8191;
        feed(258 * 4096);
        ck_assert_uint_eq(fx2.overruns, 1);
        ck_assert_int_eq(check_all(c, 0), 256 * 4096);
        read_until_restart(c);
        ck_assert_uint_eq(c->counts.overruns, 1);
        fx2.slack = EMULATED_FX2_BUFFER;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        ck_assert_int_gt(b.first_tick, 258 * 4096);
        capture_close(c);
}

TEST(fx2_is_not_thought_silent_when_it_was_the_host_that_stood_still)
{
        struct capture_block b;
        struct capture *c = sampling();

        feed(40960);
        check_all(c, 0);
        played.now_ns += 1000000000;
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_uint_eq(c->counts.stalls, 0);
        feed(4096);
        ck_assert_int_eq(check_all(c, 40960), 45056);
        capture_close(c);
}

TEST(fx2_transfers_lost_on_the_wire_leave_a_gap_of_their_size)
{
        struct capture_block b;
        struct capture *c = sampling();

        feed(4096);
        ck_assert_int_eq(check_all(c, 0), 4096);
        fx2.lose = 2;
        feed(3 * 4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        ck_assert_int_eq(b.first_tick, 3 * 4096);
        ck_assert_uint_eq(b.samples[5], level_at(3 * 4096 + 5));
        ck_assert_uint_eq(c->counts.failed, 2);
        ck_assert_uint_eq(c->counts.overruns, 2);
        ck_assert_uint_eq(c->counts.restarts, 0);
        capture_close(c);
}

TEST(fx2_transfer_that_was_cut_gives_what_came_and_then_a_gap)
{
        struct capture_block b;
        struct capture *c = sampling();

        fx2.cut = 1024;
        feed(2 * 4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(!b.gap);
        ck_assert_uint_eq(b.count, 1024);
        ck_assert_int_eq(b.until_tick, 1024);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        ck_assert_int_eq(b.first_tick, 4096);
        ck_assert_uint_eq(b.samples[0], level_at(4096));
        ck_assert_uint_eq(c->counts.short_blocks, 1);
        capture_close(c);
}

TEST(fx2_halted_endpoint_is_cleared_and_sampling_started_anew)
{
        struct capture_block b;
        struct capture *c = sampling();

        feed(4096);
        fx2.stall = true;
        feed(4096);
        ck_assert_int_eq(check_all(c, 0), 4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_uint_eq(port->clears, 1);
        ck_assert_uint_eq(fx2.starts, 2);
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        ck_assert_uint_eq(c->counts.stalls, 1);
        ck_assert_uint_eq(c->counts.restarts, 1);
        capture_close(c);
}

TEST(fx2_that_is_unplugged_gives_what_came_and_is_gone)
{
        struct capture_block b;
        struct capture *c;

        plug(true);
        c = opened_at("fx2", 24e6, false);
        feed(2 * 4096);
        stage_unplug(port);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert_int_eq(capture_read(c, 0, &b), CAPTURE_GONE);
        ck_assert_int_eq(capture_read(c, 0, &b), CAPTURE_GONE);
        capture_close(c);
        refused_at("fx2:1-4", 0.0,
                   "capture: usb 1-4: no such fx2lafw analyzer, no USB device is plugged "
                   "in");
        stage_replug(port);
        c = opened_at("fx2:1-4", 0.0, false);
        ck_assert_ptr_nonnull(strstr(c->note, "loaded"));
        capture_close(c);
}

/* Two that were lost on the wire are queued again behind the first, in one look; the third finds it gone. */
TEST(fx2_that_a_submission_finds_gone_gives_what_came)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        stage.memory_limit = 8 * 4096 + 11;
        c = opened_at("fx2", 24e6, false);
        feed(4096);
        fx2.lose = 2;
        feed(19 * 4096);
        port->unplug_after = port->submitted + 2;
        ck_assert_int_eq(check_all(c, 0), 10 * 4096);
        ck_assert(port->dead);
        ck_assert_int_eq(capture_read(c, 0, &b), CAPTURE_GONE);
        capture_close(c);
}

TEST(fx2_unplugged_while_it_is_started_anew_is_gone)
{
        struct capture_block b;
        struct capture *c = sampling();

        fx2.stall = true;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        stage_unplug(port);
        while (capture_read(c, 0, &b) == 0)
                ;
        ck_assert_int_eq(capture_read(c, 0, &b), CAPTURE_GONE);
        capture_close(c);
}

TEST(fx2_ticks_go_on_through_a_gap_though_the_clocks_drift)
{
        const double ns_per_tick =
                1e4 / (1.0 + 200e-6); /* the device's clock is too fast */
        struct capture_block b;
        struct capture *c;
        double begin_ns, world_tick;

        plug(false);
        c = opened_at("fx2", 100e3, false);
        begin_ns = (double)played.now_ns;
        for (int i = 1; i <= 4000; i++) {
                feed(512);
                played.now_ns = (int64_t)(begin_ns + i * 512 * ns_per_tick);
                while (capture_read(c, 0, &b) == 1)
                        ;
        }
        emulated_fx2_overrun(&fx2);
        read_until_restart(c);
        world_tick = ((double)played.now_ns - begin_ns) / ns_per_tick;
        feed(512);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        /* Nominal ticks alone would be wrong by 410. */
        ck_assert_double_eq_tol((double)b.first_tick, world_tick, 30.0);
        capture_close(c);
}

TEST(fx2_in_simulated_time_is_started_anew_only_when_somebody_asks)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, true);
        feed(4096);
        ck_assert_int_eq(check_all(c, 0), 4096);
        for (int i = 0; i < 1000; i++) {
                played.now_ns += 2000000;
                ck_assert_int_eq(capture_read(c, 1, &b), 0);
        }
        ck_assert_uint_eq(c->counts.stalls, 0);
        emulated_fx2_overrun(&fx2);
        feed(4096);
        c->ops->restart(c);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_uint_eq(fx2.starts, 2);
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        ck_assert_int_eq(b.first_tick, 4096);
        capture_close(c);
}
