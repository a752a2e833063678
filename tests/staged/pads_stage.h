/* The whole rig on motor pads, without hardware: the board and the analyzer of tests/usb/pad_analyzer.h on the stage of
 * usb_stage.h. These two are a thread; the rig is the caller's. In lockstep the samples follow the rig's frames; in
 * real time, from begin_ns on, the host's clock, which may be the test's. For one program, which must include this
 * once. */
#pragma once

#include "tests/staged/usb_stage.h"

#include <check.h>
#include <stdatomic.h>

#include "hil/time/clock.h"
#include "hil/rig/loop.h"
#include "tests/usb/pad_analyzer.h"

#define PERIOD_US 1024
#define FULL_HZ   24e6 /* DShot600; six transfers of 4,096 samples in a period */
#define SLOW_HZ   1e6 /* DShot150; two of 512 */

struct bench {
        struct pad_analyzer analyzer;
        struct stage_device *plugged;
        const char *scenario; /* NULL: the default rig's */
        pthread_t thread;
        atomic_bool stop;
        int64_t begin_ns; /* real time: host time of the first sample; 0: lockstep */
        int64_t away_ns; /* unplugged, it is back so much later, by the host's clock; -1: never */
        int64_t back_ns; /* and then; 0: it is there */
};

static struct bench bench;
static struct rig_config config;
static struct child child;
static struct rig rig;
static char folder[40];

static int64_t samples_of_transfer(const struct bench *b)
{
        return b->analyzer.rate_hz < FULL_HZ ? 512 : 4096;
}

static double sample_ns(const struct bench *b, int64_t samples)
{
        return (double)samples * 1e9 / b->analyzer.rate_hz;
}

/* As the host's clock goes on, a transfer's worth at a time. */
static void sample_by_clock(struct bench *b)
{
        struct pad_analyzer *a = &b->analyzer;
        double since_ns = (double)(clock_now_ns() - b->begin_ns);

        while (sample_ns(b, a->board.sampled + samples_of_transfer(b)) <= since_ns) {
                pad_analyzer_sample(a, a->board.sampled + samples_of_transfer(b));
                stage_run();
        }
}

static void plug_and_unplug(struct bench *b)
{
        if (b->analyzer.pull) {
                stage_unplug(b->plugged);
                b->back_ns = b->away_ns < 0 ? INT64_MAX : clock_now_ns() + b->away_ns;
        }
        b->analyzer.pull = false;
        if (b->back_ns == 0 || clock_now_ns() < b->back_ns)
                return;
        stage_replug(b->plugged);
        b->back_ns = 0;
}

/* Until the next transfer is full, if nothing comes before. */
static struct timespec patience(const struct bench *b)
{
        double next_ns = sample_ns(b, b->analyzer.board.sampled + samples_of_transfer(b));
        int64_t left_ns = b->begin_ns + (int64_t)next_ns + 1 - clock_now_ns();

        return clock_timespec(b->begin_ns == 0 ? 10 * NS_PER_MS
                              : left_ns > 0    ? left_ns
                                               : 0);
}

static void *run_board(void *arg)
{
        struct bench *b = arg;

        while (!atomic_load(&b->stop)) {
                struct pollfd wait = { .fd = pad_analyzer_fd(&b->analyzer),
                                       .events = POLLIN };
                struct timespec left = patience(b);

                ppoll(&wait, 1, &left, NULL);
                pthread_mutex_lock(&stage_mutex);
                pad_analyzer_fly(&b->analyzer);
                stage_run();
                if (b->begin_ns != 0)
                        sample_by_clock(b);
                plug_and_unplug(b);
                pthread_mutex_unlock(&stage_mutex);
        }
        return NULL;
}

/* At the slow rate, which has a third of the transfers: what goes wrong with an analyzer is the same. */
static void set_up(enum pad_fault fault, uint64_t at)
{
        static const char params[] = "rig_configs/flight_controllers/md4_200.json";
        char link[60];

        memset(&bench, 0, sizeof bench);
        memset(&stage, 0, sizeof stage);
        strcpy(folder, "/tmp/pads_rig_XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(link, sizeof link, "unix-listen:%s/fc", folder);
        pad_analyzer_init(&bench.analyzer);
        ck_assert(pad_analyzer_option(&bench.analyzer, "--link", link));
        ck_assert(pad_analyzer_option(&bench.analyzer, "--params", params));
        bench.analyzer.rate_hz = SLOW_HZ;
        bench.analyzer.protocol = MOTOR_DSHOT150;
        bench.analyzer.fault = fault;
        bench.analyzer.fault_at = at;
        bench.away_ns = -1;
}

static inline void at_full_rate(void)
{
        bench.analyzer.rate_hz = FULL_HZ;
        bench.analyzer.protocol = MOTOR_DSHOT600;
}

/* pads: more keys of vehicles[].pads, each with a comma before. */
static void begin_with(const char *pads, const char *stop_after, const char *other,
                       const char *another)
{
        char link[160], set[400], period[40];
        bool realtime = bench.begin_ns != 0;
        const struct config_overrides overrides = {
                .scenario = bench.scenario,
                .sets = 9,
                .set = { realtime ? "pace=realtime" : "pace=lockstep", period,
                         "plant_step_us=512", link, "vehicles.0.fc.spawn=false", set,
                         stop_after, other, another },
        };
        struct config_error error;
        char *resolved, why[300];

        snprintf(period, sizeof period, "period_us=%d", PERIOD_US);
        snprintf(link, sizeof link, "vehicles.0.fc.link=unix:%s/fc", folder);
        snprintf(set, sizeof set,
                 "vehicles.0.pads={\"source\":\"fx2\",\"rate_mhz\":%g,\"clock\":"
                 "\"%s\"%s}",
                 bench.analyzer.rate_hz * 1e-6, realtime ? "device" : "simulated", pads);
        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        bench.analyzer.by_clock = realtime;
        ck_assert(pad_analyzer_open(&bench.analyzer));
        bench.plugged = stage_plug(&bench.analyzer.fx2.model, "1-4");
        ck_assert_int_eq(pthread_create(&bench.thread, NULL, run_board, &bench), 0);
        ck_assert_msg(rig_open(&rig, &config, &child, why, sizeof why), "%s", why);
        rig_run(&rig);
}

static inline void begin(const char *pads, const char *stop_after)
{
        begin_with(pads, stop_after, "seed=1", "realtime={}");
}

static void end(void)
{
        atomic_store(&bench.stop, true);
        pthread_join(bench.thread, NULL);
        rig_close(&rig);
        config_free(&config);
        pad_analyzer_close(&bench.analyzer);
        rmdir(folder);
        if (bench.begin_ns != 0)
                played_clock_end();
}
