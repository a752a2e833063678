/* The whole rig on motor pads, without hardware: the reference flight controller, its DShot600 outputs as a
 * waveform at 24 MHz, an emulated analyzer on the stage of usb_stage.h. Board and analyzer are a thread; the
 * rig is the caller's. For one program, which must include this once. */
#ifndef TESTS_PADS_STAGE_H
#define TESTS_PADS_STAGE_H

#include "tests/usb_stage.h"

#include <check.h>
#include <poll.h>

#include "hil/clock.h"
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
        int64_t begin_ns; /* real time: host time of the first sample; 0: in simulated time */
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

/* As the host's clock goes on, a transfer's worth at a time. */
static void feed_realtime(struct bench *b)
{
        double since_ns = (double)(clock_now_ns() - b->begin_ns);
        uint8_t samples[4096];

        while ((double)(b->board.sampled + 4096) * 1e9 / RATE_HZ <= since_ns) {
                pad_board_samples_to(&b->board, b->board.sampled + 4096, samples,
                                     sizeof samples);
                pthread_mutex_lock(&stage_mutex);
                emulated_fx2_feed(&b->analyzer, samples, sizeof samples);
                stage_run();
                pthread_mutex_unlock(&stage_mutex);
        }
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
                if (fresh && b->begin_ns == 0)
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
                struct timespec patience = clock_timespec(
                        b->begin_ns == 0 ? 10 * NS_PER_MS : 50 * NS_PER_US);
                int n;

                ppoll(&wait, 1, &patience, NULL);
                n = link_read(b->link, bytes, sizeof bytes);
                if (n > 0)
                        answer(b, bytes, (size_t)n);
                if (b->begin_ns != 0)
                        feed_realtime(b);
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
        bool realtime = bench.begin_ns != 0;
        const struct config_overrides overrides = {
                .sets = 8,
                .set = { realtime ? "pace=realtime" : "pace=lockstep", period,
                         "plant_step_us=512", link, stop, set, stop_after, other },
        };
        struct config_error error;
        char *resolved, why[300];

        snprintf(period, sizeof period, "period_us=%d", PERIOD_US);
        snprintf(link, sizeof link, "vehicles.0.fc.link=unix:%s/fc", folder);
        snprintf(set, sizeof set,
                 "vehicles.0.pads={\"source\":\"fx2\",\"clock\":\"%s\"%s}",
                 realtime ? "device" : "simulated", pads);
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

#endif
