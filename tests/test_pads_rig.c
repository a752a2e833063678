/* The whole rig on motor pads, without hardware: the reference flight controller, its DShot600 outputs as
 * a waveform at 24 MHz, an emulated analyzer on a stage for the machine's own libusb, the decoders, the
 * plant; and what happens when one of them breaks. In lockstep: the analyzer's samples count
 * simulated time. */
#include "tests/usb_stage.h"

#include <check.h>
#include <poll.h>

#include "hil/loop.h"
#include "tests/pad_board.h"
#include "tests/usb/emulated_fx2.h"

#define RATE_HZ    24e6
#define PERIOD_US  1024 /* six transfers of 4,096 samples */
#define SAMPLES    24576
#define ALL_FRAMES (1 << 30)

/* The board and the analyzer on its pads, in a thread of their own. */
struct bench {
        struct pad_board board;
        struct emulated_fx2 analyzer;
        struct stage_device *plugged;
        struct link *link;
        pthread_t thread;
        atomic_bool stop;
        int frames; /* answered so far */
        int act_at; /* frames after which act() is called once */
        void (*act)(struct bench *b);
};

static struct bench bench;
static struct rig_config config;
static struct rig rig;
static char folder[] = "/tmp/pads_rig_XXXXXX";

static void feed(struct bench *b)
{
        static uint8_t samples[8 * SAMPLES];
        size_t count = pad_board_samples(&b->board, samples, sizeof samples);

        pthread_mutex_lock(&stage_mutex);
        emulated_fx2_feed(&b->analyzer, samples, count);
        if (b->frames++ == b->act_at)
                b->act(b);
        stage_run();
        pthread_mutex_unlock(&stage_mutex);
}

static void answer(struct bench *b, const uint8_t *bytes, size_t len)
{
        uint8_t out[FC_BOARD_OUT_MAX];

        while (len > 0) {
                size_t out_len = 0, used;
                bool fresh = false;

                used = pad_board_receive(&b->board, bytes, len, 0, out, &out_len, &fresh);
                bytes += used;
                len -= used;
                if (fresh)
                        feed(b);
                for (size_t at = 0; at < out_len;) {
                        int n = link_write(b->link, out + at, out_len - at);

                        if (n == LINK_GONE)
                                return;
                        at += (size_t)n;
                }
        }
}

static void *run_board(void *arg)
{
        struct bench *b = arg;
        uint8_t bytes[4096];

        while (!atomic_load(&b->stop)) {
                struct pollfd wait = { .fd = b->link->fd, .events = POLLIN };
                int n;

                poll(&wait, 1, 10);
                n = link_read(b->link, bytes, sizeof bytes);
                if (n > 0)
                        answer(b, bytes, (size_t)n);
        }
        return NULL;
}

static void set_up(bool bare)
{
        struct link_error why;
        struct config_error error;
        struct link_spec spec;
        struct fc_params params;
        static struct fc_params kept;
        char text[160];

        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(text, sizeof text, "unix-listen:%s/fc", folder);
        ck_assert(link_spec_parse(&spec, text, &why));
        bench.link = link_open(&spec, &why);
        ck_assert_msg(bench.link != NULL, "%s", why.text);
        ck_assert(config_read_fc(&params, "rig_configs/flight_controllers/md4_200.json",
                                 &error));
        kept = params;
        pad_board_init(&bench.board, &kept, MOTOR_DSHOT600, RATE_HZ);
        emulated_fx2_init(&bench.analyzer, 0x0925, 0x3881, bare);
        bench.plugged = stage_plug(&bench.analyzer.model, "1-4");
        bench.act_at = ALL_FRAMES;
}

static void begin_with(const char *pads, const char *stop_after, const char *other)
{
        char link[160], set[400], stop[] = "vehicles.0.fc.spawn=false", period[40];
        const struct config_overrides overrides = {
                .sets = 8,
                .set = { "pace=lockstep", period, "plant_step_us=512", link, stop, set,
                         stop_after, other },
        };
        struct config_error error;
        char *resolved, why[300];

        snprintf(period, sizeof period, "period_us=%d", PERIOD_US);
        snprintf(link, sizeof link, "vehicles.0.fc.link=unix:%s/fc", folder);
        snprintf(set, sizeof set,
                 "vehicles.0.pads={\"source\":\"fx2\",\"clock\":\"simulated\"%s}", pads);
        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_int_eq(pthread_create(&bench.thread, NULL, run_board, &bench), 0);
        ck_assert_msg(rig_open(&rig, &config, why, sizeof why), "%s", why);
        rig_run(&rig);
}

static void begin(const char *pads, const char *stop_after)
{
        begin_with(pads, stop_after, "seed=1");
}

static void end(void)
{
        atomic_store(&bench.stop, true);
        pthread_join(bench.thread, NULL);
        rig_close(&rig);
        config_free(&config);
        link_close(bench.link);
        rmdir(folder);
}

static double height_m(void)
{
        return config.world.ground_down_m - rig.vehicle[0].vehicle.body.pos_ned_m.z;
}

START_TEST(a_flight_by_its_pads_differs_from_the_report_by_half_a_step_of_dshot)
{
        struct pads *p;

        set_up(false);
        begin("", "stop_after_s=14");
        p = rig.vehicle[0].pads;
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert_double_gt(height_m(), 4.0);
        ck_assert_double_lt(height_m(), 6.0);
        for (int i = 0; i < 4; i++) {
                ck_assert_int_eq(motor_pad_protocol(&p->decode.pad[i]), MOTOR_DSHOT600);
                ck_assert_uint_eq(motor_pad_counted(&p->decode.pad[i])->damaged, 0);
                ck_assert_uint_gt(p->rotor[i].difference[i].ticks, 13000);
                ck_assert_double_le(p->rotor[i].difference[i].max,
                                    0.5 / 1999.0 + 0.5 / 65535.0 + 1e-9);
                ck_assert_int_eq(pads_better_rotor(p, i), -1);
        }
        ck_assert_uint_eq(p->now.gaps, 0);
        ck_assert_int_eq(p->now.until_tick, (rig.tick + 1) * SAMPLES);
        end();
}
END_TEST

/* The thread, the transfers and the socket are the host's; the flight is not. */
START_TEST(the_same_flight_twice_is_the_same_bits)
{
        struct body_state first;

        set_up(false);
        begin("", "stop_after_s=6");
        first = rig.vehicle[0].vehicle.body;
        end();
        memset(&bench, 0, sizeof bench);
        memset(&stage, 0, sizeof stage);
        strcpy(folder, "/tmp/pads_rig_XXXXXX");
        set_up(false);
        begin("", "stop_after_s=6");
        ck_assert_int_eq(memcmp(&first, &rig.vehicle[0].vehicle.body, sizeof first), 0);
        end();
}
END_TEST

START_TEST(firmware_is_loaded_first_into_a_bare_analyzer)
{
        set_up(true);
        begin("", "stop_after_s=1");
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert(bench.analyzer.ready);
        ck_assert(!bench.analyzer.misloaded);
        end();
}
END_TEST

static void swap_order(const char *order, int own, int better)
{
        char set[60];

        set_up(false);
        snprintf(set, sizeof set, ",\"use\":\"watch\",\"rotors\":%s", order);
        begin(set, "stop_after_s=8");
        ck_assert_str_eq(rig.end_reason, "completed");
        ck_assert_int_eq(pads_better_rotor(rig.vehicle[0].pads, own), better);
        end();
}

START_TEST(pads_that_are_watched_only_fly_nothing_and_tell_which_are_swapped)
{
        swap_order("[1,0,2,3]", 0, 1);
}
END_TEST

static void kill_pad(struct bench *b)
{
        b->board.dead_pad = 2;
}

START_TEST(a_dead_channel_stops_its_motor_after_the_silence)
{
        set_up(false);
        bench.act_at = 9000;
        bench.act = kill_pad;
        begin(",\"silence_ms\":20", "stop_after_s=9.4");
        ck_assert_uint_eq(rig.vehicle[0].pads->rotor[2].silences, 1);
        ck_assert_double_eq(rig.vehicle[0].command.duty[2], 0.0);
        ck_assert_double_gt(rig.vehicle[0].command.duty[0], 0.0);
        ck_assert_double_eq_tol((double)rig.vehicle[0].pads->rotor[2].silent_ns * 1e-9,
                                9000 * 1.024e-3 + 0.020, 0.0025);
        end();
}
END_TEST

static void unplug(struct bench *b)
{
        stage_unplug(b->plugged);
}

START_TEST(an_analyzer_that_is_unplugged_ends_the_run_and_makes_it_void)
{
        char why[300];

        set_up(false);
        bench.act_at = 3000;
        bench.act = unplug;
        begin("", "stop_after_s=6");
        ck_assert_int_eq(rig.end, END_PADS_GONE);
        ck_assert_msg(strstr(rig.end_reason, "fx2 gone at 3.07") != NULL, "%s",
                      rig.end_reason);
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
        end();
}
END_TEST

START_TEST(one_that_is_only_watching_may_be_lost)
{
        set_up(false);
        bench.act_at = 3000;
        bench.act = unplug;
        begin(",\"use\":\"watch\"", "stop_after_s=6");
        ck_assert_msg(rig.end == END_COMPLETED, "%s", rig.end_reason);
        ck_assert_uint_eq(rig.vehicle[0].pads->losses_said, 1);
        end();
}
END_TEST

static void unplug_for_a_while(struct bench *b)
{
        stage_unplug(b->plugged);
        stage_replug(b->plugged);
}

/* What was on the pads meanwhile nobody knows: a gap. */
START_TEST(one_that_returns_drives_on_where_the_rig_may_reconnect)
{
        set_up(false);
        bench.act_at = 11000;
        bench.act = unplug_for_a_while;
        begin_with(",\"gaps_max\":3", "stop_after_s=14", "vehicles.0.fc.reconnect=true");
        ck_assert_msg(rig.end == END_COMPLETED, "%s", rig.end_reason);
        ck_assert_uint_eq(rig.vehicle[0].pads->losses_said, 1);
        ck_assert_uint_ge(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_double_gt(height_m(), 4.0);
        end();
}
END_TEST

static void lose_transfers(struct bench *b)
{
        b->analyzer.lose = 2;
}

START_TEST(lost_transfers_are_a_gap_and_the_run_is_void)
{
        char why[300];

        set_up(false);
        bench.act_at = 3000;
        bench.act = lose_transfers;
        begin("", "stop_after_s=4");
        ck_assert_int_eq(rig.end, END_COMPLETED);
        ck_assert_uint_ge(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_int_eq(rig_verdict(&rig, 0, why, sizeof why), VERDICT_VOID);
        end();
}
END_TEST

static void overrun(struct bench *b)
{
        emulated_fx2_overrun(&b->analyzer);
}

START_TEST(an_overrun_is_noticed_counted_and_the_stream_goes_on)
{
        set_up(false);
        bench.act_at = 3000;
        bench.act = overrun;
        begin(",\"gaps_max\":1", "stop_after_s=4");
        ck_assert_int_eq(rig.end, END_COMPLETED);
        ck_assert_uint_eq(rig.vehicle[0].pads->now.gaps, 1);
        ck_assert_uint_eq(bench.analyzer.starts, 2);
        end();
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("pads_rig");
        TCase *tcase = tcase_create("pads_rig");
        SRunner *runner;
        int failed;

        tcase_set_timeout(tcase, 300);
        tcase_add_test(
                tcase,
                a_flight_by_its_pads_differs_from_the_report_by_half_a_step_of_dshot);
        tcase_add_test(tcase, the_same_flight_twice_is_the_same_bits);
        tcase_add_test(tcase, firmware_is_loaded_first_into_a_bare_analyzer);
        tcase_add_test(tcase,
                       pads_that_are_watched_only_fly_nothing_and_tell_which_are_swapped);
        tcase_add_test(tcase, a_dead_channel_stops_its_motor_after_the_silence);
        tcase_add_test(tcase,
                       an_analyzer_that_is_unplugged_ends_the_run_and_makes_it_void);
        tcase_add_test(tcase, one_that_is_only_watching_may_be_lost);
        tcase_add_test(tcase, one_that_returns_drives_on_where_the_rig_may_reconnect);
        tcase_add_test(tcase, lost_transfers_are_a_gap_and_the_run_is_void);
        tcase_add_test(tcase, an_overrun_is_noticed_counted_and_the_stream_goes_on);
        suite_add_tcase(suite, tcase);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
