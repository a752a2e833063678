/* How long a rig flies, and what its run is worth when the host or the board let it down. */
#include <stdlib.h>
#include <string.h>

#include "hil/rig/loop.h"

#include "tests/suites.h"

PROCESS_EACH

static struct rig_config config;
static struct child child;
static struct rig rig;
static char why[300];

#define REQUIREMENTS                                                                     \
        "scenario.requirements=[{\"name\":\"climbs\",\"kind\":\"eventually\","           \
        "\"signal\":\"altitude_m\",\"min\":1},{\"name\":\"not too far\","                \
        "\"kind\":\"always\",\"signal\":\"altitude_m\",\"max\":10}]"

static void open_with(const char *set, const char *other)
{
        const struct config_overrides overrides = {
                .sets = 4,
                .set = { "vehicles.0.fc.link=pty", set, other, REQUIREMENTS },
        };
        struct config_error error;
        char *resolved;

        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_msg(rig_open(&rig, &config, &child, why, sizeof why), "%s", why);
}

/* So many ticks more at this height. */
static void hover(double altitude_m, int64_t ticks)
{
        struct vehicle *v = &rig.vehicle[0].vehicle;
        struct observation o = { .truth = v,
                                 .frame = &rig.vehicle[0].frame,
                                 .ground_down_m = config.world.ground_down_m };

        v->body.pos_ned_m.z = config.world.ground_down_m - altitude_m;
        for (; ticks > 0; ticks--) {
                o.t_ns = ++rig.tick * config.period_ns;
                judge_observe(&rig.judge, &o);
        }
        judge_finish(&rig.judge, rig.tick * config.period_ns);
        /* As if the scenario had been followed. */
        rig.timeline.track[0].next = config.scenario.steps;
}

static void close_rig(void)
{
        rig_close(&rig);
        config_free(&config);
}

FIXTURE(NULL, close_rig)

TEST(a_flight_that_held_without_all_of_its_steps_is_void)
{
        open_with("pace=lockstep", "seed=1");
        hover(5.0, rig.ticks);
        rig.timeline.track[0].next = config.scenario.steps - 2;
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
        ck_assert_msg(strstr(why, "2 of 6 steps of the scenario never fired") != NULL,
                      "%s", why);
        rig.timeline.track[0].next = config.scenario.steps;
        rig.refused = 1;
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
}

/* The whole flight, in which every requirement holds, or the first does not. */
static void fly(bool first_broken)
{
        hover(first_broken ? 0.5 : 5.0, rig.ticks);
}

static enum verdict verdict(uint64_t drops)
{
        return rig_verdict(&rig, drops, why, sizeof why);
}

TEST(a_flight_reaches_its_end_when_the_period_does_not_divide_it)
{
        const int64_t period_us[] = { 1000, 3000, 7000 };
        char set[40];

        for (int i = 0; i < 3; i++) {
                snprintf(set, sizeof set, "period_us=%lld", (long long)period_us[i]);
                open_with(set, "plant_step_us=1000");
                ck_assert_int_ge(rig.ticks * config.period_ns,
                                 config.scenario.duration_ns);
                ck_assert_int_lt((rig.ticks - 1) * config.period_ns,
                                 config.scenario.duration_ns);
                close_rig();
        }
}

TEST(stopping_early_is_the_shorter_of_the_two)
{
        open_with("pace=lockstep", "stop_after_s=2.5");
        ck_assert_int_eq(rig.ticks, 2500);
}

TEST(a_flight_passes_when_every_requirement_is_met)
{
        open_with("pace=realtime", "seed=1");
        fly(false);
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
        close_rig();
        open_with("pace=realtime", "seed=1");
        fly(true);
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
}

/* A board that was not heard again is not blamed, but nothing is passed with it. */
TEST_EACH(a_board_that_is_left_armed_comes_first_and_lets_nothing_pass, 4)
{
        static const struct {
                enum left_armed left;
                bool broken;
                enum verdict verdict;
                const char *begins;
        } ends[] = {
                { LEFT_ARMED, false, VERDICT_FAILED, "md4_200: left armed" },
                { LEFT_ARMED, true, VERDICT_FAILED, "md4_200: left armed" },
                { LEFT_UNHEARD, false, VERDICT_VOID, "md4_200: perhaps left armed" },
                { LEFT_UNHEARD, true, VERDICT_FAILED, "md4_200: perhaps left armed" },
        };

        open_with("pace=realtime", "seed=1");
        fly(ends[_i].broken);
        rig.vehicle[0].left = ends[_i].left;
        ck_assert_int_eq(verdict(0), ends[_i].verdict);
        ck_assert_ptr_eq(strstr(why, ends[_i].begins), why);
        ck_assert_ptr_nonnull(strstr(why, "requirements met"));
        /* And where the run was an error, it stays one. */
        rig.end = END_ARMED;
        ck_assert_int_eq(verdict(0), VERDICT_ERROR);
        ck_assert_ptr_eq(strstr(why, ends[_i].begins), why);
}

TEST(a_flight_of_which_nothing_was_judged_is_void)
{
        open_with("pace=lockstep", "stop_after_s=0.1");
        judge_finish(&rig.judge, 0);
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_msg(strstr(why,
                             "0 of 2 requirements met, 0 failed, 2 not judged (climbs: "
                             "the flight ended before its window did)") != NULL,
                      "%s", why);
}

TEST(a_flight_of_which_something_was_not_judged_is_void_unless_it_failed)
{
        open_with("pace=lockstep", "stop_after_s=0.1");
        hover(5.0, 50);
        ck_assert_int_eq(judge_result(&rig.judge, 0), JUDGE_PASSED);
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        hover(20.0, 50);
        ck_assert_int_eq(judge_result(&rig.judge, 1), JUDGE_FAILED);
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
}

/* Of a flight from whose first second on the vehicle was asked to arm. */
static void ask_to_arm(void)
{
        rig.vehicle[0].arm_asked_ns = 3000000000;
        snprintf(rig.vehicle[0].words, sizeof rig.vehicle[0].words, "PreArm: no compass");
}

TEST(raw_sticks_ask_to_arm_by_the_channel_of_the_rig_files_pilot_alone)
{
        static struct vehicle_config sticks;
        static struct rig_vehicle v = { .config = &sticks };

        v.asked.setpoint.mode = MODE_DISARMED;
        v.asked.rc_us[5] = 1800;
        ck_assert(!loop_asks_to_arm(&v));
        sticks.pilot = (struct pilot_params){
                .period_ns = 1, .arm_channel = 5, .armed_us = 1800, .disarmed_us = 1000
        };
        ck_assert(loop_asks_to_arm(&v));
        v.asked.rc_us[5] = 1300;
        ck_assert(!loop_asks_to_arm(&v));
        v.asked.rc_us[5] = 0;
        ck_assert(!loop_asks_to_arm(&v));
        v.asked.setpoint.mode = MODE_ARMED;
        ck_assert(loop_asks_to_arm(&v));
}

TEST(a_board_that_never_armed_is_the_first_thing_that_is_said)
{
        open_with("pace=lockstep", "seed=1");
        fly(true);
        ask_to_arm();
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        ck_assert_msg(
                strncmp(why,
                        "md4_200: asked to arm at 3 s, never did, said \"PreArm: no "
                        "compass\"; 1 of 2 requirements met",
                        80) == 0,
                "%s", why);
        rig.vehicle[0].was_armed = true;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        ck_assert_msg(strncmp(why, "1 of 2", 6) == 0, "%s", why);
        close_rig();
        /* It was to refuse, and did. */
        open_with("pace=lockstep", "seed=1");
        fly(false);
        ask_to_arm();
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
        ck_assert_msg(strncmp(why, "2 of 2", 6) == 0, "%s", why);
}

TEST(a_flight_of_which_nothing_was_required_is_void)
{
        open_with("pace=lockstep", "seed=1");
        fly(false);
        config.scenario.requirements = 0;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_str_eq(why, NOTHING_REQUIRED);
}

static void put_nan(double *x)
{
        *x = (double)NAN;
}

TEST(a_plant_that_becomes_no_number_is_an_error_and_no_frame)
{
        const struct lateness late = { 0 };

        open_with("pace=lockstep", "seed=1");
        loop_begin_tick(&rig, &late);
        loop_fly_tick(&rig, &late);
        ck_assert(loop_running(&rig));
        ck_assert(rig.observed[0].frame_sent || rig.vehicle[0].unsent_fresh != 0);
        put_nan(&rig.vehicle[0].vehicle.battery.charge_used_c);
        loop_begin_tick(&rig, &late);
        loop_fly_tick(&rig, &late);
        ck_assert_int_eq(rig.end, END_PLANT_LOST);
        ck_assert(!rig.observed[0].frame_sent);
        fly(true);
        ck_assert_int_eq(verdict(0), VERDICT_ERROR);
        ck_assert_msg(strstr(why,
                             "md4_200: its battery became no number at tick 2, 0.002 "
                             "s") != NULL,
                      "%s", why);
        ck_assert_int_eq(judge_result(&rig.judge, 0), JUDGE_OPEN);
}

TEST(a_vehicle_above_the_modelled_air_is_an_error)
{
        const struct lateness late = { 0 };

        open_with("pace=lockstep", "seed=1");
        rig.vehicle[0].vehicle.body.pos_ned_m.z = -ATMOSPHERE_HIGHEST_M;
        loop_begin_tick(&rig, &late);
        loop_fly_tick(&rig, &late);
        ck_assert_int_eq(rig.end, END_PLANT_LOST);
        fly(true);
        ck_assert_int_eq(verdict(0), VERDICT_ERROR);
        ck_assert_msg(strstr(why, "the air is modelled up to 20000 m") != NULL, "%s",
                      why);
}

TEST(a_lost_record_voids_what_passed)
{
        open_with("pace=lockstep", "seed=1");
        fly(false);
        ck_assert_int_eq(verdict(1), VERDICT_VOID);
        rig.end = END_RECORD_FAILED;
        snprintf(rig.end_reason, sizeof rig.end_reason, "disk full");
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
}

TEST(a_late_host_voids_what_passed_and_what_failed)
{
        open_with("pace=realtime", "realtime.missed_max_percent=1");
        fly(false);
        rig.missed = (uint64_t)(rig.tick / 100);
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
        rig.missed++;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        rig.end = END_FC_GONE;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        rig.missed = 0;
        rig.longest_late_ns = config.realtime.stall_max_ns;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        rig.longest_late_ns++;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
}

TEST(a_lost_board_fails_and_one_that_never_came_is_an_error)
{
        open_with("pace=lockstep", "seed=1");
        fly(false);
        rig.end = END_FC_GONE;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        rig.end = END_NO_HELLO;
        ck_assert_int_eq(verdict(0), VERDICT_ERROR);
        rig.end = END_INTERRUPTED;
        snprintf(rig.end_reason, sizeof rig.end_reason, "interrupted");
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
}

/* The longer stall has no harsher verdict. */
TEST(firmware_that_the_host_kept_from_running_is_void_however_long)
{
        struct rig_vehicle *v;

        open_with("pace=realtime", "seed=1");
        fly(true);
        v = rig.vehicle;
        v->watched = true;
        v->held_ns = config.realtime.stall_max_ns + 1;
        snprintf(v->held, sizeof v->held, "was stopped for 0.900 s");
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_msg(strstr(why, "process was stopped for 0.900 s") != NULL, "%s", why);
        rig.end = END_FC_HELD;
        snprintf(rig.end_reason, sizeof rig.end_reason, "was stopped for 1.3 s");
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_str_eq(why, "was stopped for 1.3 s");
}

static bool given_up_as_held(const char *pace, int64_t silent_ns, int64_t held_ns,
                             int64_t crowded_ns)
{
        struct rig_vehicle *v;

        open_with(pace, "vehicles.0.fc.timeout_ms=1000");
        v = rig.vehicle;
        v->port.state = FC_PORT_READY;
        v->port.talk.held_ns = held_ns;
        v->crowded_ns = crowded_ns;
        loop_notice_held(&rig, v, silent_ns);
        close_rig();
        return rig.end == END_FC_HELD;
}

/* A few tenths of a second that it waited for a processor explain no silence of five seconds. */
TEST(a_silence_is_the_hosts_where_the_firmware_had_no_time_to_end_it)
{
        const char *pace = "pace=realtime";

        ck_assert(!given_up_as_held(pace, 2 * NS_PER_S, 1999 * NS_PER_MS, 0));
        ck_assert(given_up_as_held(pace, 2 * NS_PER_S + 1, 1001 * NS_PER_MS, 0));
        ck_assert(!given_up_as_held(pace, 2 * NS_PER_S + 1, 999 * NS_PER_MS, 0));
        ck_assert(!given_up_as_held(pace, 1001 * NS_PER_MS, 300 * NS_PER_MS, 0));
        ck_assert(!given_up_as_held(pace, 5 * NS_PER_S, 300 * NS_PER_MS, 4 * NS_PER_S));
}

TEST(in_lockstep_it_is_so_too_and_where_no_processor_was_idle)
{
        const char *pace = "pace=lockstep";

        ck_assert(!given_up_as_held(pace, 1300 * NS_PER_MS, 299 * NS_PER_MS, 0));
        ck_assert(given_up_as_held(pace, 1300 * NS_PER_MS, 301 * NS_PER_MS, 0));
        ck_assert(!given_up_as_held(pace, 5 * NS_PER_S, 300 * NS_PER_MS, 2 * NS_PER_S));
        ck_assert(given_up_as_held(pace, 5 * NS_PER_S, 300 * NS_PER_MS, 3 * NS_PER_S));
        ck_assert(given_up_as_held(pace, 10 * NS_PER_S, 9500 * NS_PER_MS, 0));
}

TEST(what_fails_while_firmware_hardly_runs_is_void_and_what_passes_counts)
{
        struct rig_vehicle *v;

        open_with("pace=realtime", "realtime.starved_max_percent=25");
        fly(false);
        v = rig.vehicle;
        v->flight_ns = 100;
        v->flight.starved_ns = 26;
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
        close_rig();
        open_with("pace=realtime", "realtime.starved_max_percent=25");
        fly(true);
        v = rig.vehicle;
        v->flight_ns = 100;
        v->flight.starved_ns = 25;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        v->flight.starved_ns = 26;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_msg(
                strstr(why, "26 % of the flight and more than the budget of 25 %") !=
                        NULL,
                "%s", why);
        /* What ends or begins anew is its own doing. */
        v->port.restarts = 1;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
}

TEST(firmware_that_was_silent_while_it_could_run_is_judged)
{
        struct rig_vehicle *v;

        open_with("pace=realtime", "seed=1");
        fly(true);
        v = rig.vehicle;
        v->port.talk.longest_owed_ns = config.realtime.stall_max_ns + 1;
        /* Nobody looked: it may have been the host. */
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        v->watched = true;
        v->held_ns = config.realtime.stall_max_ns;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        ck_assert_msg(strstr(why, "1 failed") != NULL, "%s", why);
}

TEST(a_restart_is_the_firmwares_failure_whatever_stood_still_meanwhile)
{
        open_with("pace=realtime", "seed=1");
        fly(false);
        rig.longest_late_ns = config.realtime.stall_max_ns + 1;
        rig.vehicle[0].port.talk.longest_owed_ns = config.realtime.stall_max_ns + 1;
        rig.end = END_FC_GONE;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        rig.vehicle[0].lost = FC_LOST;
        rig.vehicle[0].failed = true;
        snprintf(rig.end_reason, sizeof rig.end_reason, "restarted");
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        ck_assert_str_eq(why, "restarted");

        /* Where it may come back, its silence is not the host's either. */
        rig.end = END_COMPLETED;
        rig.vehicle[0].lost = FC_NOT_LOST;
        rig.vehicle[0].failed = false;
        rig.longest_late_ns = 0;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        rig.vehicle[0].port.restarts = 1;
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
}

TEST(a_flight_that_went_on_without_a_board_is_not_passed)
{
        struct rig_vehicle *v;

        open_with("pace=lockstep", "seed=1");
        fly(false);
        v = &rig.vehicle[0];
        rig.end = END_COMPLETED;
        ck_assert_int_eq(verdict(0), VERDICT_PASSED);
        snprintf(v->lost_why, sizeof v->lost_why, "quad: silent at 3.000 s");
        v->lost = FC_LOST;
        ck_assert_int_eq(verdict(0), VERDICT_FAILED);
        ck_assert_msg(strstr(why, "quad: silent at 3.000 s; ") == why, "%s", why);
        /* The host's doing is no board's failure. */
        v->lost = FC_LOST_HELD;
        ck_assert_int_eq(verdict(0), VERDICT_VOID);
        ck_assert_str_eq(why, "quad: silent at 3.000 s");
}

TEST(a_frame_that_was_not_sent_stays_fresh_unless_its_period_was_missed)
{
        const struct motor_command idle = { { 0 } };
        struct rig_vehicle *v;

        open_with("pace=realtime", "seed=1");
        v = rig.vehicle;
        do {
                rig_vehicle_tick(v, 0, &config, &idle, false);
                rig_vehicle_sent(v, (v->frame.fresh & SENSOR_BIT(SENSOR_GPS)) == 0);
        } while (v->unsent_fresh == 0);
        rig_vehicle_tick(v, 0, &config, &idle, true);
        ck_assert(!(v->frame.fresh & SENSOR_BIT(SENSOR_GPS)));
        rig_vehicle_tick(v, 0, &config, &idle, false);
        ck_assert(v->frame.fresh & SENSOR_BIT(SENSOR_GPS));
        rig_vehicle_sent(v, true);
        rig_vehicle_tick(v, 0, &config, &idle, false);
        ck_assert(!(v->frame.fresh & SENSOR_BIT(SENSOR_GPS)));
}

TEST(what_a_stimulus_did_to_a_sample_goes_out_with_it_later)
{
        static const char steps[] =
                "scenario.steps=[{\"stimulus\":{\"input\":\"gyro_x_dps\",\"shape\":"
                "\"step\",\"amplitude\":100,\"for_s\":1}}]";
        const struct motor_command idle = { { 0 } };
        struct rig_vehicle *v;

        open_with("vehicles.0.vehicle.sensors.imu.rate_hz=500", steps);
        v = rig.vehicle;
        rig_vehicle_begin(v, 0, &config, 0, config.period_ns);
        for (int i = 0; i < 20; i++) {
                rig_vehicle_tick(v, 0, &config, &idle, false);
                ck_assert(v->frame.fresh & SENSOR_BIT(SENSOR_IMU));
                ck_assert_double_gt(v->frame.imu.gyro_body_radps.x, 1.5);
                rig_vehicle_sent(v, i % 4 == 3);
                if (i % 4 == 3) {
                        rig_vehicle_tick(v, 0, &config, &idle, false);
                        if (!(v->frame.fresh & SENSOR_BIT(SENSOR_IMU)))
                                rig_vehicle_tick(v, 0, &config, &idle, false);
                        rig_vehicle_sent(v, false);
                }
        }
}
