/* An fx2lafw analyzer on the stage of usb_stage.h, captured by the machine's own libusb: what the tests of its opening
 * and of its stream share. The host's clock is the test's. For one program, which must include this once. */
#pragma once

#include "tests/staged/usb_stage.h"

#include "io/capture/capture.h"
#include "tests/staged/fx2_blob.h"
#include "tests/io/link/link_ends.h"
#include "tests/usb/emulated_fx2.h"

static struct emulated_fx2 fx2;
static struct stage_device *port;
static uint8_t firmware[FX2_BLOB_BYTES];
static char folder[32];

static void set_up(void)
{
        char path[FX2_BLOB_PATH];

        make_folder(folder);
        fx2_blob_write(folder, path, firmware);
        played_clock_begin(1000000000);
}

static void tear_down(void)
{
        char command[64];

        played_clock_end();
        snprintf(command, sizeof command, "rm -r %s", folder);
        ck_assert_int_eq(system(command), 0);
}

static inline void plug(bool bare)
{
        emulated_fx2_init(&fx2, 0x0925, 0x3881, bare);
        fx2.firmware = firmware;
        fx2.firmware_len = sizeof firmware;
        port = stage_plug(&fx2.model, "1-4");
}

static inline struct capture *opened_at(const char *text, double rate_hz, bool simulated)
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

/* Plugged in, with its firmware, and sampling at 24 MHz. */
static inline struct capture *sampling(void)
{
        plug(false);
        return opened_at("fx2", 24e6, false);
}

static inline void refused_at(const char *text, double rate_hz, const char *reason)
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
static inline uint8_t level_at(uint64_t tick)
{
        return (uint8_t)(tick ^ tick >> 7 ^ tick >> 13);
}

/* So many samples go by, and the time that they take. */
static inline void feed(size_t count)
{
        uint8_t samples[4096];

        while (count > 0) {
                size_t n = count < sizeof samples ? count : sizeof samples;

                for (size_t i = 0; i < n; i++)
                        samples[i] = level_at(fx2.fed + i);
                emulated_fx2_feed(&fx2, samples, n);
                if (fx2.rate_hz > 0.0)
                        played.now_ns += (int64_t)((double)n * 1e9 / fx2.rate_hz);
                stage_run();
                count -= n;
        }
}

/* Reads all that is there; every sample must be the one of its tick. Ticks so far. */
static inline int64_t check_all(struct capture *c, int64_t from)
{
        struct capture_block b;
        uint64_t wrong = 0;

        while (capture_read(c, 0, &b) == 1) {
                if (!b.gap)
                        ck_assert_int_eq(b.first_tick, from);
                ck_assert_int_ge(b.first_tick, from);
                /* Check takes a note of every assertion. */
                for (size_t i = 0; i < b.count; i++)
                        wrong += b.samples[i] != level_at((uint64_t)b.first_tick + i);
                ck_assert_uint_eq(wrong, 0);
                ck_assert_int_eq(b.until_tick, b.first_tick + (int64_t)b.count);
                from = b.until_tick;
        }
        return from;
}
