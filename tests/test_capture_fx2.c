/* Capture by an fx2lafw analyzer: the machine's own libusb on the stage of usb_stage.h, and the analyzer of
 * tests/usb/emulated_fx2.h. The host's clock is the test's. */
#include "tests/usb_stage.h"

#include "io/capture.h"
#include "tests/link_ends.h"
#include "tests/usb/emulated_fx2.h"

#define FW_BYTES 8120

static struct emulated_fx2 fx2, other;
static struct stage_device *port;
static uint8_t firmware[FW_BYTES];
static char folder[32];

/* Any bytes but a firmware: the emulated one runs what the test says. */
static void set_up(void)
{
        char path[64];
        FILE *f;

        for (size_t i = 0; i < sizeof firmware; i++)
                firmware[i] = (uint8_t)(i * 31 + i / 256);
        make_folder(folder);
        snprintf(path, sizeof path, "%s/fx2lafw-saleae-logic.fw", folder);
        f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(firmware, 1, sizeof firmware, f), sizeof firmware);
        fclose(f);
        setenv("SIGROK_FIRMWARE_DIR", folder, 1);
        stage.own_time = true;
        stage.time_ns = 1000000000;
}

static void tear_down(void)
{
        char command[64];

        snprintf(command, sizeof command, "rm -r %s", folder);
        ck_assert_int_eq(system(command), 0);
}

static void plug(bool bare)
{
        emulated_fx2_init(&fx2, 0x0925, 0x3881, bare);
        fx2.firmware = firmware;
        fx2.firmware_len = sizeof firmware;
        port = stage_plug(&fx2.model, "1-4");
}

static struct capture *opened_at(const char *text, double rate_hz, bool simulated)
{
        struct link_error why = { "" };
        struct capture_spec spec;
        struct capture *c;

        ck_assert_msg(capture_spec_parse(&spec, text, &why), "%s", why.text);
        spec.rate_hz = rate_hz;
        spec.simulated = simulated;
        c = capture_open(&spec, &why);
        ck_assert_msg(c != NULL, "%s", why.text);
        return c;
}

static void refused_at(const char *text, double rate_hz, const char *reason)
{
        struct link_error why = { "" };
        struct capture_spec spec;

        ck_assert_msg(capture_spec_parse(&spec, text, &why), "%s", why.text);
        spec.rate_hz = rate_hz;
        ck_assert_ptr_null(capture_open(&spec, &why));
        ck_assert_str_eq(why.text, reason);
        ck_assert_uint_eq(stage.memory_used, 0);
        for (int i = 0; i < STAGE_DEVICES; i++)
                ck_assert_int_eq(stage.device[i].node, 0);
}

/* What the pads are at a tick of the world: no two transfers alike. */
static uint8_t level_at(uint64_t tick)
{
        return (uint8_t)(tick ^ tick >> 7 ^ tick >> 13);
}

/* So many samples go by, and the time that they take. */
static void feed(size_t count)
{
        uint8_t samples[4096];

        while (count > 0) {
                size_t n = count < sizeof samples ? count : sizeof samples;

                for (size_t i = 0; i < n; i++)
                        samples[i] = level_at(fx2.fed + i);
                emulated_fx2_feed(&fx2, samples, n);
                if (fx2.rate_hz > 0.0)
                        stage.time_ns += (int64_t)((double)n * 1e9 / fx2.rate_hz);
                stage_run();
                count -= n;
        }
}

/* Reads all that is there; every sample must be the one of its tick. Ticks so far. */
static int64_t check_all(struct capture *c, int64_t from)
{
        struct capture_block b;

        while (capture_read(c, 0, &b) == 1) {
                if (!b.gap)
                        ck_assert_int_eq(b.first_tick, from);
                ck_assert_int_ge(b.first_tick, from);
                for (size_t i = 0; i < b.count; i++)
                        ck_assert_uint_eq(b.samples[i],
                                          level_at((uint64_t)b.first_tick + i));
                ck_assert_int_eq(b.until_tick, b.first_tick + (int64_t)b.count);
                from = b.until_tick;
        }
        return from;
}

START_TEST(fx2_gives_what_the_pads_were)
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
END_TEST

START_TEST(fx2_stamps_each_block_with_its_arrival)
{
        struct capture_block b;
        struct capture *c;
        int64_t before_ns;

        plug(false);
        c = opened_at("fx2", 24e6, false);
        for (int i = 0; i < 3; i++) {
                before_ns = stage.time_ns;
                feed(4096);
                ck_assert_int_eq(capture_read(c, 0, &b), 1);
                ck_assert_int_ge(b.arrived_ns, before_ns);
                ck_assert_int_le(b.arrived_ns, stage.time_ns);
        }
        capture_close(c);
}
END_TEST

static const struct {
        double rate_hz;
        uint8_t command[3];
        size_t transfer_bytes;
} rates[] = {
        { 24e6, { 0x40, 0, 1 }, 4096 },    { 16e6, { 0x40, 0, 2 }, 2560 },
        { 15e6, { 0x00, 0, 1 }, 2560 },    { 12e6, { 0x40, 0, 3 }, 2048 },
        { 8e6, { 0x40, 0, 5 }, 1024 },     { 3e6, { 0x40, 0, 15 }, 512 },
        { 1e6, { 0x40, 0, 47 }, 512 },     { 500e3, { 0x40, 0, 95 }, 512 },
        { 100e3, { 0x40, 1, 0xDF }, 512 }, { 20e3, { 0x00, 5, 0xDB }, 512 },
};

START_TEST(fx2_runs_at_the_rate_that_is_asked_for)
{
        struct capture *c;

        plug(false);
        c = opened_at("fx2", rates[_i].rate_hz, false);
        ck_assert_mem_eq(fx2.start, rates[_i].command, 3);
        ck_assert_double_eq_tol(fx2.rate_hz, rates[_i].rate_hz, 1e-6);
        ck_assert_double_eq_tol(c->tick_hz, rates[_i].rate_hz, 1e-6);
        feed(rates[_i].transfer_bytes);
        ck_assert_int_eq(check_all(c, 0), (int64_t)rates[_i].transfer_bytes);
        capture_close(c);
}
END_TEST

START_TEST(fx2_names_the_nearest_rate_for_one_that_it_cannot_do)
{
        static const struct {
                double rate_hz;
                const char *is;
        } odd[] = {
                { 7e6, "is 7000000; the nearest is 6857142.857" },
                { 25e6, "is 25000000; the nearest is 24000000" },
                { 48e6, "is 48000000; the nearest is 24000000" },
                { 1.0, "is 1; the nearest is 19531.25" },
                { -5.0, "is -5; the nearest is 24000000" },
        };
        char reason[240];

        plug(false);
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
                snprintf(reason, sizeof reason,
                         "capture: fx2: rate_hz: must be 48 MHz or 30 MHz divided by a "
                         "whole number of 2 to 1536, 24 MHz at most, %s",
                         odd[i].is);
                refused_at("fx2", odd[i].rate_hz, reason);
        }
}
END_TEST

START_TEST(fx2_without_firmware_gets_it_first)
{
        struct capture *c;
        int before;

        plug(true);
        port->back_after = 4;
        before = port->address;
        c = opened_at("fx2", 24e6, false);
        ck_assert(fx2.ready && !fx2.misloaded);
        ck_assert_uint_eq(fx2.loaded, sizeof firmware);
        ck_assert_int_eq(port->address, before + 1);
        ck_assert_str_eq(c->name, "fx2lafw 1-4");
        ck_assert_str_eq(c->note, "firmware fx2lafw-saleae-logic.fw loaded");
        feed(8192);
        ck_assert_int_eq(check_all(c, 0), 8192);
        capture_close(c);
        c = opened_at("fx2:1-4", 24e6, false);
        ck_assert_str_eq(c->note, "");
        capture_close(c);
}
END_TEST

/* The blob that the distribution installs, where it does. */
START_TEST(fx2_of_every_kind_gets_its_own_firmware)
{
        static const struct {
                uint16_t vid, pid;
                const char *file;
        } kinds[] = {
                { 0x0925, 0x3881, "fx2lafw-saleae-logic.fw" },
                { 0x08a9, 0x0014, "fx2lafw-cwav-usbeeax.fw" },
                { 0x04b4, 0x8613, "fx2lafw-cypress-fx2.fw" },
                { 0x1d50, 0x608c, "fx2lafw-sigrok-fx2-8ch.fw" },
        };
        static uint8_t blob[EMULATED_FX2_MEMORY];
        char path[100], text[20];
        FILE *f;

        unsetenv("SIGROK_FIRMWARE_DIR");
        snprintf(path, sizeof path, "/usr/share/sigrok-firmware/%s", kinds[_i].file);
        f = fopen(path, "r");
        if (f == NULL)
                return;
        emulated_fx2_init(&fx2, kinds[_i].vid, kinds[_i].pid, true);
        fx2.firmware = blob;
        fx2.firmware_len = fread(blob, 1, sizeof blob, f);
        fclose(f);
        port = stage_plug(&fx2.model, "1-4");
        snprintf(text, sizeof text, "fx2:%04x:%04x", kinds[_i].vid, kinds[_i].pid);
        capture_close(opened_at(text, 24e6, false));
        ck_assert(fx2.ready);
}
END_TEST

START_TEST(fx2_whose_firmware_is_not_installed_names_the_package)
{
        plug(true);
        setenv("SIGROK_FIRMWARE_DIR", "/nowhere", 1);
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): has no firmware yet and there is no "
                   "fx2lafw-saleae-logic.fw in /nowhere; the package "
                   "sigrok-firmware-fx2lafw has it");
}
END_TEST

START_TEST(fx2_that_does_not_come_back_is_not_waited_for_forever)
{
        int64_t begin_ns = stage.time_ns;

        plug(true);
        fx2.firmware_len--;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4: did not come back within 3 s after its firmware "
                   "was loaded");
        ck_assert_int_ge(stage.time_ns - begin_ns, 3000000000);
        ck_assert_int_lt(stage.time_ns - begin_ns, 3200000000);
}
END_TEST

START_TEST(fx2_that_we_may_not_open_once_it_is_back_says_so)
{
        plug(true);
        port->open_after_replug = EACCES;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): permission denied: put "
                   "scripts/60-hilrig.rules, with a line for these ids, into "
                   "/etc/udev/rules.d and run udevadm control --reload; udevadm trigger");
}
END_TEST

START_TEST(fx2_of_another_major_version_is_refused)
{
        plug(false);
        fx2.version[0] = 2;
        fx2.version[1] = 3;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): its firmware is version 2.3, must be "
                   "1.x: plug it in anew, so that the installed one is loaded");
}
END_TEST

START_TEST(fx2_that_does_not_start_says_so)
{
        plug(false);
        fx2.refuse_start = true;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): did not take the command to start");
}
END_TEST

START_TEST(fx2_of_several_is_chosen_by_bus_path)
{
        struct capture *c;

        refused_at("fx2", 0.0,
                   "capture: fx2lafw analyzer: none, no USB device is "
                   "plugged in");
        plug(false);
        emulated_fx2_init(&other, 0x1d50, 0x608c, false);
        stage_plug(&other.model, "1-5");
        refused_at("fx2", 0.0,
                   "capture: fx2lafw analyzer: 2 match, give the bus path of one: "
                   "1d50:608c at 1-5, 0925:3881 at 1-4");
        c = opened_at("fx2:1-5", 0.0, false);
        ck_assert_str_eq(c->name, "fx2lafw 1-5");
        capture_close(c);
        c = opened_at("fx2:0925:3881", 0.0, false);
        ck_assert_str_eq(c->name, "fx2lafw 1-4");
        capture_close(c);
}
END_TEST

/* Looks at it every 2 ms, until it has been started anew. */
static void read_until_restart(struct capture *c)
{
        uint64_t before = fx2.starts;
        struct capture_block b;

        for (int i = 0; i < 100 && fx2.starts == before; i++) {
                stage.time_ns += 2000000;
                ck_assert_int_eq(capture_read(c, 0, &b), 0);
        }
        ck_assert_uint_eq(fx2.starts, before + 1);
        /* Its answer. */
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
}

START_TEST(fx2_that_stopped_silently_is_noticed_and_started_anew)
{
        struct capture_block b;
        struct capture *c;
        int64_t stopped_ns, since;

        plug(false);
        c = opened_at("fx2", 24e6, false);
        for (int i = 0; i < 100; i++)
                feed(4096);
        stopped_ns = stage.time_ns;
        ck_assert_int_eq(check_all(c, 0), 409600);
        emulated_fx2_overrun(&fx2);
        read_until_restart(c);
        ck_assert_int_le(stage.time_ns - stopped_ns, 15000000);
        since = stage.time_ns - stopped_ns;
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
END_TEST

START_TEST(fx2_that_nobody_read_in_time_has_overrun)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
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
END_TEST

START_TEST(fx2_is_not_thought_silent_when_it_was_the_host_that_stood_still)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
        feed(40960);
        check_all(c, 0);
        stage.time_ns += 1000000000;
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        ck_assert_uint_eq(c->counts.stalls, 0);
        feed(4096);
        ck_assert_int_eq(check_all(c, 40960), 45056);
        capture_close(c);
}
END_TEST

START_TEST(fx2_transfers_lost_on_the_wire_leave_a_gap_of_their_size)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
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
END_TEST

START_TEST(fx2_transfer_that_was_cut_gives_what_came_and_then_a_gap)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
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
END_TEST

START_TEST(fx2_halted_endpoint_is_cleared_and_sampling_started_anew)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
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
END_TEST

START_TEST(fx2_that_is_unplugged_gives_what_came_and_is_gone)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
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
        emulated_fx2_init(&fx2, 0x0925, 0x3881, true);
        stage_replug(port);
        c = opened_at("fx2:1-4", 0.0, false);
        ck_assert_ptr_nonnull(strstr(c->note, "loaded"));
        capture_close(c);
}
END_TEST

START_TEST(fx2_unplugged_while_it_is_started_anew_is_gone)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
        fx2.stall = true;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 0);
        stage_unplug(port);
        while (capture_read(c, 0, &b) == 0)
                ;
        ck_assert_int_eq(capture_read(c, 0, &b), CAPTURE_GONE);
        capture_close(c);
}
END_TEST

START_TEST(fx2_says_when_the_system_has_too_little_memory_for_transfers)
{
        struct capture *c;

        plug(false);
        stage.memory_limit = 100 * 4096 + 11;
        c = opened_at("fx2", 24e6, false);
        ck_assert_str_eq(c->note, "100 of 256 transfers could be queued, 17067 us of "
                                  "samples: usbcore's usbfs_memory_mb limits them");
        for (int i = 0; i < 10; i++) {
                feed(50 * 4096);
                ck_assert_int_eq(check_all(c, i * 50 * 4096), (i + 1) * 50 * 4096);
        }
        capture_close(c);
        stage.memory_limit = 7 * 4096;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): 7 transfers of 4096 bytes could be "
                   "queued, must be 8: /sys/module/usbcore/parameters/usbfs_memory_mb "
                   "limits them");
}
END_TEST

START_TEST(fx2_ticks_go_on_through_a_gap_though_the_clocks_drift)
{
        const double ns_per_tick =
                1e4 / (1.0 + 200e-6); /* the device's clock is too fast */
        struct capture_block b;
        struct capture *c;
        double begin_ns, world_tick;

        plug(false);
        c = opened_at("fx2", 100e3, false);
        begin_ns = (double)stage.time_ns;
        for (int i = 1; i <= 4000; i++) {
                feed(512);
                stage.time_ns = (int64_t)(begin_ns + i * 512 * ns_per_tick);
                while (capture_read(c, 0, &b) == 1)
                        ;
        }
        emulated_fx2_overrun(&fx2);
        read_until_restart(c);
        world_tick = ((double)stage.time_ns - begin_ns) / ns_per_tick;
        feed(512);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        ck_assert(b.gap);
        /* Nominal ticks alone would be wrong by 410. */
        ck_assert_double_eq_tol((double)b.first_tick, world_tick, 30.0);
        capture_close(c);
}
END_TEST

START_TEST(fx2_in_simulated_time_is_started_anew_only_when_somebody_asks)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, true);
        feed(4096);
        ck_assert_int_eq(check_all(c, 0), 4096);
        for (int i = 0; i < 1000; i++) {
                stage.time_ns += 2000000;
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
END_TEST

START_TEST(fx2_shows_a_dead_channel_as_it_is)
{
        struct capture_block b;
        struct capture *c;

        plug(false);
        c = opened_at("fx2", 24e6, false);
        fx2.stuck = 0x24;
        fx2.stuck_at = 0x20;
        feed(4096);
        ck_assert_int_eq(capture_read(c, 0, &b), 1);
        for (size_t i = 0; i < b.count; i++)
                ck_assert_uint_eq(b.samples[i], (level_at(i) & 0xDB) | 0x20);
        capture_close(c);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("capture_fx2");
        TCase *tcase = tcase_create("fx2");

        tcase_set_timeout(tcase, 60);
        tcase_add_checked_fixture(tcase, set_up, tear_down);
        tcase_add_test(tcase, fx2_gives_what_the_pads_were);
        tcase_add_test(tcase, fx2_stamps_each_block_with_its_arrival);
        tcase_add_loop_test(tcase, fx2_runs_at_the_rate_that_is_asked_for, 0,
                            (int)(sizeof rates / sizeof rates[0]));
        tcase_add_test(tcase, fx2_names_the_nearest_rate_for_one_that_it_cannot_do);
        tcase_add_test(tcase, fx2_without_firmware_gets_it_first);
        tcase_add_loop_test(tcase, fx2_of_every_kind_gets_its_own_firmware, 0, 4);
        tcase_add_test(tcase, fx2_whose_firmware_is_not_installed_names_the_package);
        tcase_add_test(tcase, fx2_that_does_not_come_back_is_not_waited_for_forever);
        tcase_add_test(tcase, fx2_that_we_may_not_open_once_it_is_back_says_so);
        tcase_add_test(tcase, fx2_of_another_major_version_is_refused);
        tcase_add_test(tcase, fx2_that_does_not_start_says_so);
        tcase_add_test(tcase, fx2_of_several_is_chosen_by_bus_path);
        tcase_add_test(tcase, fx2_that_stopped_silently_is_noticed_and_started_anew);
        tcase_add_test(tcase, fx2_that_nobody_read_in_time_has_overrun);
        tcase_add_test(tcase,
                       fx2_is_not_thought_silent_when_it_was_the_host_that_stood_still);
        tcase_add_test(tcase, fx2_transfers_lost_on_the_wire_leave_a_gap_of_their_size);
        tcase_add_test(tcase, fx2_transfer_that_was_cut_gives_what_came_and_then_a_gap);
        tcase_add_test(tcase, fx2_halted_endpoint_is_cleared_and_sampling_started_anew);
        tcase_add_test(tcase, fx2_that_is_unplugged_gives_what_came_and_is_gone);
        tcase_add_test(tcase, fx2_unplugged_while_it_is_started_anew_is_gone);
        tcase_add_test(tcase,
                       fx2_says_when_the_system_has_too_little_memory_for_transfers);
        tcase_add_test(tcase, fx2_ticks_go_on_through_a_gap_though_the_clocks_drift);
        tcase_add_test(tcase,
                       fx2_in_simulated_time_is_started_anew_only_when_somebody_asks);
        tcase_add_test(tcase, fx2_shows_a_dead_channel_as_it_is);
        suite_add_tcase(suite, tcase);
        return run_suite(suite);
}
