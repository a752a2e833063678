/* Opening an fx2lafw analyzer: which one, at what rate, its firmware, and what is said when it cannot be. */
#include "tests/staged/fx2_stage.h"
#include "tests/suites.h"

PROCESS_EACH

static struct emulated_fx2 other;

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

FIXTURE(set_up, tear_down)

TEST_EACH(fx2_runs_at_the_rate_that_is_asked_for, sizeof rates / sizeof rates[0])
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

TEST(fx2_names_the_nearest_rate_for_one_that_it_cannot_do)
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
                         "capture: fx2: sampling rate: must be 48 MHz or 30 MHz "
                         "divided by a "
                         "whole number of 2 to 1536, 24 MHz at most, %s",
                         odd[i].is);
                refused_at("fx2", odd[i].rate_hz, reason);
        }
}

TEST(fx2_without_firmware_gets_it_first)
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

/* The blob that the distribution installs, where it does. */
TEST_EACH(fx2_of_every_kind_gets_its_own_firmware, 4)
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
        if (f == NULL) {
                ck_assert_msg(getenv("CI") == NULL || strcmp(getenv("CI"), "true") != 0,
                              "no %s: the package sigrok-firmware-fx2lafw is missing",
                              path);
                return;
        }
        emulated_fx2_init(&fx2, kinds[_i].vid, kinds[_i].pid, true);
        fx2.firmware = blob;
        fx2.firmware_len = fread(blob, 1, sizeof blob, f);
        fclose(f);
        port = stage_plug(&fx2.model, "1-4");
        snprintf(text, sizeof text, "fx2:%04x:%04x", kinds[_i].vid, kinds[_i].pid);
        capture_close(opened_at(text, 24e6, false));
        ck_assert(fx2.ready);
}

TEST(fx2_whose_firmware_is_not_installed_names_the_package)
{
        plug(true);
        setenv("SIGROK_FIRMWARE_DIR", "/nowhere", 1);
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): has no firmware yet and there is no "
                   "fx2lafw-saleae-logic.fw in /nowhere; the package "
                   "sigrok-firmware-fx2lafw has it");
}

TEST(fx2_that_does_not_come_back_is_not_waited_for_forever)
{
        int64_t begin_ns = played.now_ns;

        plug(true);
        fx2.firmware_len--;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4: did not come back within 3 s after its firmware "
                   "was loaded");
        ck_assert_int_ge(played.now_ns - begin_ns, 3000000000);
        ck_assert_int_lt(played.now_ns - begin_ns, 3200000000);
}

TEST(fx2_that_we_may_not_open_once_it_is_back_says_so)
{
        plug(true);
        port->open_after_replug = EACCES;
        refused_at(
                "fx2", 24e6,
                "capture: usb 1-4 (0925:3881): permission denied: make install, or copy "
                "scripts/60-hilrig.rules to /etc/udev/rules.d, then udevadm control "
                "--reload; udevadm trigger");
}

TEST(fx2_of_another_major_version_is_refused)
{
        plug(false);
        fx2.version[0] = 2;
        fx2.version[1] = 3;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): its firmware is version 2.3, must be "
                   "1.x: plug it in anew, so that the installed one is loaded");
}

TEST(fx2_that_does_not_start_says_so)
{
        plug(false);
        fx2.refuse_start = true;
        refused_at("fx2", 24e6,
                   "capture: usb 1-4 (0925:3881): did not take the command to start");
}

TEST(fx2_of_several_is_chosen_by_bus_path)
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

TEST(fx2_says_when_the_system_has_too_little_memory_for_transfers)
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
