/* The whole rig on motor pads in real time, by a host clock that the test plays (tests/staged/played_clock.h): loop, capture
 * thread, libusb, board and analyzer each keep their deadlines, so that what a lost capture costs is a number. */
#include "tests/staged/pads_stage.h"
#include "tests/suites.h"

/* The clock is ours, and no period may be missed by it. (A goodbye has pauses of 20 ms.) */
#define STRICT                                                                           \
        "realtime={\"priority\":0,\"lock_memory\":false,\"hold_cpu_latency\":false,"     \
        "\"missed_max_percent\":0,\"stall_max_ms\":25}"

#define IN_FLIGHT 4883 /* frames: at 5 s, 2 m above the ground */

static void set_up_realtime(enum pad_fault fault, int64_t away_ns)
{
        set_up(fault, IN_FLIGHT);
        bench.scenario = "tests/usb/long_hop.json";
        bench.away_ns = away_ns;
        played_clock_begin(1000 * NS_PER_S);
        bench.begin_ns = clock_now_ns();
}

/* Flies for 10 s. */
static const struct pads *flown(const char *pads, bool reconnect)
{
        begin_with(pads, "seed=1", STRICT,
                   reconnect ? "vehicles.0.fc.reconnect=true"
                             : "vehicles.0.fc.reconnect=false");
        ck_assert_uint_eq(rig.missed, 0);
        return rig.vehicle[0].pads;
}

static void check_verdict(enum verdict wanted, const char *reason)
{
        char why[300];

        ck_assert_msg(rig_verdict(&rig, 0, why, sizeof why) == wanted, "%s", why);
        ck_assert_msg(strstr(why, reason) != NULL, "%s", why);
}

TEST(in_real_time_no_frame_is_lost_and_every_tick_has_a_command_of_the_transfer_before)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_NONE, -1);
        at_full_rate();
        p = flown("", false);
        check_verdict(VERDICT_PASSED, "3 of 3");
        ck_assert_uint_eq(p->now.gaps, 0);
        ck_assert_uint_eq(p->losses_said, 0);
        for (int i = 0; i < 4; i++) {
                const struct motor_pad *pad = &p->decode.words.pad[i];

                ck_assert_int_eq(motor_pad_protocol(pad), MOTOR_DSHOT600);
                ck_assert_uint_eq(motor_pad_counted(pad)->damaged, 0);
                ck_assert_uint_eq(p->rotor[i].silences, 0);
                /* One in each transfer, but for those that it was recognised by. */
                ck_assert_int_lt(llabs((int64_t)p->now.pad[i].words -
                                       p->now.until_tick / samples_of_transfer(&bench)),
                                 16);
        }
        /* A period is six transfers: the newest is full when the tick comes. */
        ck_assert_uint_ge(p->latency.whole.count + 16, 4 * (uint64_t)rig.tick);
        ck_assert_int_lt(p->latency.whole.max_ns,
                         (int64_t)sample_ns(&bench, samples_of_transfer(&bench)));
        end();
}

/* Four threads, by a clock that is not the machine's. */
TEST(the_same_flight_in_real_time_twice_is_the_same_bits)
{
        struct body_state first;

        set_up_realtime(PAD_FAULT_UNPLUG, 100 * NS_PER_MS);
        flown("", true);
        first = rig.vehicle[0].vehicle.body;
        end();
        set_up_realtime(PAD_FAULT_UNPLUG, 100 * NS_PER_MS);
        flown("", true);
        ck_assert_int_eq(memcmp(&first, &rig.vehicle[0].vehicle.body, sizeof first), 0);
        end();
}

/* The motors stop as soon as nothing is seen, start again when it is back, and the flight goes on. */
static void lost_and_back(const char *pads, enum verdict wanted, const char *reason)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_UNPLUG, 100 * NS_PER_MS);
        p = flown(pads, true);
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert_uint_eq(p->losses_said, 1);
        ck_assert(!p->gone_said);
        ck_assert_uint_eq(p->now.gaps, 1);
        for (int i = 0; i < 4; i++) {
                ck_assert_uint_eq(p->rotor[i].silences, 1);
                ck_assert_double_eq_tol((double)p->rotor[i].silent_ns * 1e-9, 5.15,
                                        0.005);
                ck_assert(!p->rotor[i].silent);
        }
        ck_assert_uint_eq(bench.analyzer.fx2.starts, 2);
        check_verdict(wanted, reason);
        end();
}

TEST(lost_once_and_back_is_one_gap_which_the_run_may_have)
{
        lost_and_back(",\"gaps_max\":1", VERDICT_PASSED, "3 of 3");
}

TEST(lost_once_and_back_is_one_gap_that_makes_the_run_void)
{
        lost_and_back("", VERDICT_VOID, "has 1 gaps, more than the budget of 0");
}

TEST(lost_without_leave_to_return_ends_the_run_and_makes_it_void)
{
        set_up_realtime(PAD_FAULT_UNPLUG, 100 * NS_PER_MS);
        flown(",\"gaps_max\":1", false);
        ck_assert_int_eq(rig.end, END_PADS_GONE);
        check_verdict(VERDICT_VOID, "fx2 gone at 5.0");
        end();
}

TEST(lost_for_good_is_a_flight_that_fails)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_UNPLUG, -1);
        p = flown(",\"gaps_max\":1", true);
        ck_assert(p->gone_said);
        check_verdict(VERDICT_FAILED, "2 of 3");
        end();
}

TEST(what_only_watches_may_be_lost_and_return)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_UNPLUG, 100 * NS_PER_MS);
        p = flown(",\"use\":\"watch\"", true);
        ck_assert_uint_eq(p->losses_said, 1);
        ck_assert(!p->gone_said);
        check_verdict(VERDICT_PASSED, "3 of 3");
        end();
}

/* It says nothing: 10 ms of silence tell. */
TEST(an_overrun_in_flight_is_noticed_and_one_gap)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_OVERRUN, -1);
        p = flown(",\"gaps_max\":1", false);
        ck_assert_uint_eq(p->now.gaps, 1);
        ck_assert_uint_eq(p->losses_said, 0);
        ck_assert_uint_eq(p->rotor[0].silences, 0);
        ck_assert_uint_eq(bench.analyzer.fx2.starts, 2);
        check_verdict(VERDICT_PASSED, "3 of 3");
        end();
}

TEST(transfers_that_are_lost_in_flight_are_one_gap)
{
        const struct pads *p;

        set_up_realtime(PAD_FAULT_LOSE, -1);
        p = flown("", false);
        ck_assert_uint_eq(p->now.gaps, 1);
        ck_assert_uint_eq(bench.analyzer.fx2.starts, 1);
        check_verdict(VERDICT_VOID, "has 1 gaps, more than the budget of 0");
        end();
}
