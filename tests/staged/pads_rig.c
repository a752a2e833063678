/* The whole rig on motor pads: a flight by what an emulated analyzer sees, and what happens when a part of it
 * breaks. In lockstep: the analyzer's samples count simulated time. */
#include "tests/staged/pads_stage.h"

#include "hil/summary/summary.h"
#include "tests/staged/fx2_blob.h"
#include "tests/suites.h"

#define SAMPLES 24576 /* of a period, at the full rate */

static double height_m(void)
{
        return config.world.ground_down_m - rig.vehicle[0].vehicle.body.pos_ned_m.z;
}

/* What summary.json says of a flight without a flaw. */
static void check_summary(void)
{
        struct json *root = json_new_object();
        char path[60];
        uint64_t n;

        summary_pads_json(root, &rig);
        ck_assert_str_eq(json_string(root, "pads.0.source"), "fx2");
        ck_assert_str_eq(json_string(root, "pads.0.use"), "drive");
        ck_assert(json_u64(root, "pads.0.gaps", &n) && n == 0);
        ck_assert(json_u64(root, "pads.0.losses", &n) && n == 0);
        /* Simulated time: nothing of the host's is known. */
        ck_assert(json_u64(root, "pads.0.latency_us.whole.count", &n) && n == 0);
        for (int i = 0; i < 4; i++) {
                snprintf(path, sizeof path, "pads.0.rotors.%d.protocol", i);
                ck_assert_str_eq(json_string(root, path), "DSHOT600");
                snprintf(path, sizeof path, "pads.0.rotors.%d.frames", i);
                ck_assert(json_u64(root, path, &n) && n > 13000);
                snprintf(path, sizeof path, "pads.0.rotors.%d.damaged", i);
                ck_assert(json_u64(root, path, &n) && n == 0);
                snprintf(path, sizeof path, "pads.0.rotors.%d.moves_as_rotor", i);
                ck_assert_double_eq(json_number(root, path), i);
                snprintf(path, sizeof path, "pads.0.rotors.%d.difference_max", i);
                ck_assert_double_lt(json_number(root, path), 1e-3);
        }
        json_free(root);
}

TEST(a_flight_by_its_pads_differs_from_the_report_by_half_a_step_of_dshot)
{
        struct pads *p;

        set_up(PAD_FAULT_NONE, 0);
        at_full_rate();
        begin("", "stop_after_s=14");
        p = rig.vehicle[0].pads;
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert_double_gt(height_m(), 4.0);
        ck_assert_double_lt(height_m(), 6.0);
        for (int i = 0; i < 4; i++) {
                ck_assert_int_eq(motor_pad_protocol(&p->decode.words.pad[i]),
                                 MOTOR_DSHOT600);
                ck_assert_uint_eq(motor_pad_counted(&p->decode.words.pad[i])->damaged, 0);
                ck_assert_uint_gt(p->comparison.of[i][i].ticks, 13000);
                ck_assert_double_le(p->comparison.of[i][i].max,
                                    0.5 / 1999.0 + 0.5 / 65535.0 + 1e-9);
                ck_assert_int_eq(motor_comparison_better(&p->comparison, 4, i), -1);
        }
        ck_assert_uint_eq(p->now.gaps, 0);
        ck_assert_int_eq(p->now.until_tick, (rig.tick + 1) * SAMPLES);
        check_summary();
        end();
}

/* The thread, the transfers and the socket are the host's; the flight is not. */
TEST(the_same_flight_twice_is_the_same_bits)
{
        struct body_state first;

        set_up(PAD_FAULT_NONE, 0);
        begin("", "stop_after_s=6");
        first = rig.vehicle[0].vehicle.body;
        end();
        set_up(PAD_FAULT_NONE, 0);
        begin("", "stop_after_s=6");
        ck_assert_int_eq(memcmp(&first, &rig.vehicle[0].vehicle.body, sizeof first), 0);
        end();
}

TEST(firmware_is_loaded_first_into_a_bare_analyzer)
{
        char path[FX2_BLOB_PATH];
        uint8_t blob[FX2_BLOB_BYTES];

        set_up(PAD_FAULT_NONE, 0);
        fx2_blob_write(folder, path, blob);
        ck_assert(pad_analyzer_option(&bench.analyzer, "--firmware", path));
        begin("", "stop_after_s=1");
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert(bench.analyzer.fx2.ready);
        ck_assert(!bench.analyzer.fx2.misloaded);
        unlink(path);
        end();
}

static void swap_order(const char *order, int own, int better)
{
        char set[60];

        set_up(PAD_FAULT_NONE, 0);
        snprintf(set, sizeof set, ",\"use\":\"watch\",\"rotors\":%s", order);
        begin(set, "stop_after_s=8");
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert_int_eq(
                motor_comparison_better(&rig.vehicle[0].pads->comparison, 4, own),
                better);
        end();
}

TEST(pads_that_are_watched_only_fly_nothing_and_tell_which_are_swapped)
{
        swap_order("[1,0,2,3]", 0, 1);
}

TEST(a_dead_channel_stops_its_motor_after_the_silence)
{
        set_up(PAD_FAULT_DEAD_PAD, 9000);
        begin(",\"silence_ms\":20", "stop_after_s=9.4");
        ck_assert_uint_eq(rig.vehicle[0].pads->rotor[2].silences, 1);
        ck_assert_double_eq(rig.vehicle[0].command.duty[2], 0.0);
        ck_assert_double_gt(rig.vehicle[0].command.duty[0], 0.0);
        ck_assert_double_eq_tol((double)rig.vehicle[0].pads->rotor[2].silent_ns * 1e-9,
                                9000 * 1.024e-3 + 0.020, 0.0025);
        end();
}

TEST(an_analyzer_that_is_unplugged_ends_the_run_and_makes_it_void)
{
        char why[300];

        set_up(PAD_FAULT_UNPLUG, 3000);
        begin("", "stop_after_s=6");
        ck_assert_int_eq(rig.end, END_PADS_GONE);
        ck_assert_msg(strstr(rig.end_reason, "fx2 gone at 3.07") != NULL, "%s",
                      rig.end_reason);
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
        end();
}

TEST(one_that_is_only_watching_may_be_lost)
{
        set_up(PAD_FAULT_UNPLUG, 3000);
        begin(",\"use\":\"watch\"", "stop_after_s=6");
        ck_assert_msg(rig.end == END_COMPLETED, "%s", rig.end_reason);
        ck_assert_uint_eq(rig.vehicle[0].pads->losses_said, 1);
        end();
}

/* What was on the pads meanwhile nobody knows: a gap. */
TEST(one_that_returns_drives_on_where_the_rig_may_reconnect)
{
        set_up(PAD_FAULT_UNPLUG, 11000);
        bench.away_ns = 0;
        begin_with(",\"gaps_max\":3", "stop_after_s=14", "seed=1",
                   "vehicles.0.fc.reconnect=true");
        ck_assert_msg(rig.end == END_COMPLETED, "%s", rig.end_reason);
        ck_assert_uint_eq(rig.vehicle[0].pads->losses_said, 1);
        ck_assert_uint_ge(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_double_gt(height_m(), 4.0);
        end();
}

TEST(lost_transfers_are_a_gap_and_the_run_is_void)
{
        char why[300];

        set_up(PAD_FAULT_LOSE, 3000);
        begin("", "stop_after_s=4");
        ck_assert_int_eq(rig.end, END_COMPLETED);
        ck_assert_uint_ge(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
        end();
}

TEST(an_overrun_is_noticed_counted_and_the_stream_goes_on)
{
        set_up(PAD_FAULT_OVERRUN, 3000);
        begin(",\"gaps_max\":1", "stop_after_s=4");
        ck_assert_int_eq(rig.end, END_COMPLETED);
        ck_assert_uint_eq(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_uint_eq(bench.analyzer.fx2.starts, 2);
        end();
}

TEST(a_protocol_that_the_samples_cannot_show_is_refused)
{
        struct pads_config slow = { .rotors = 4,
                                    .pad_of_rotor = { 0, 1, 2, 3 },
                                    .protocol = MOTOR_DSHOT600,
                                    .range = { 1000, 2000, false } };
        struct link_error why;

        set_up(PAD_FAULT_NONE, 0);
        ck_assert(pad_analyzer_open(&bench.analyzer));
        stage_plug(&bench.analyzer.fx2.model, "1-4");
        ck_assert(capture_spec_parse(&slow.source, "fx2", &why));
        slow.source.rate_hz = 1e6;
        ck_assert_ptr_null(pads_open(&slow, false, 0, &why));
        ck_assert_str_eq(why.text,
                         "pads: DSHOT600 needs 4 MHz or more, fx2lafw 1-4 has 1 "
                         "MHz");
        pad_analyzer_close(&bench.analyzer);
        rmdir(folder);
}
