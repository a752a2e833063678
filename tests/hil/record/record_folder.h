/* A run folder for one test, and what the recorder left in it. */
#pragma once

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/record/record.h"
#include "io/le.h"
#include "io/log/ulog.h"

#define PERIOD_NS 1000000

struct folder {
        char path[PATH_MAX - 16];
        struct recorder_setup setup;
        struct recorder *recorder;
        struct record_totals totals;
};

static inline void folder_make(struct folder *f)
{
        const char *tmp = getenv("TMPDIR");

        *f = (struct folder){ 0 };
        snprintf(f->path, sizeof f->path, "%s/hilrig-record-XXXXXX", tmp ? tmp : "/tmp");
        ck_assert_ptr_nonnull(mkdtemp(f->path));
        f->setup = (struct recorder_setup){ .folder = f->path,
                                            .config_sha256 = "c0ffee",
                                            .version = "v1.2.3",
                                            .seed = 0xFEDCBA9876543210,
                                            .rotors = 4,
                                            .vehicles = 2,
                                            .period_ns = PERIOD_NS,
                                            .truth_period_ns = 10 * PERIOD_NS,
                                            .wait = true };
}

static inline void folder_open(struct folder *f)
{
        char why[240] = "";

        f->recorder = recorder_open(&f->setup, why, sizeof why);
        ck_assert_msg(f->recorder != NULL, "%s", why);
}

static inline void folder_close(struct folder *f)
{
        recorder_close(f->recorder, &f->totals);
        f->recorder = NULL;
}

static inline void folder_remove(struct folder *f)
{
        static const char *const names[] = { "run.ulg", "wire.cap" };
        char path[PATH_MAX];

        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", f->path, names[i]);
                unlink(path);
        }
        ck_assert_int_eq(rmdir(f->path), 0);
}

/* The bytes of a file in it, freed by the caller; NULL: there is none. */
static inline uint8_t *folder_load(const struct folder *f, const char *name, size_t *len)
{
        size_t cap = 64 * 1024 * 1024;
        char path[PATH_MAX];
        uint8_t *bytes;
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", f->path, name);
        file = fopen(path, "rb");
        if (!file)
                return NULL;
        bytes = malloc(cap);
        ck_assert_ptr_nonnull(bytes);
        *len = fread(bytes, 1, cap, file);
        ck_assert_uint_lt(*len, cap);
        fclose(file);
        return bytes;
}

/* A tick with something in every part, different for every tick and vehicle. */
static inline struct tick_record tick_of(int64_t n, int vehicle)
{
        struct tick_record t = { .tick = n,
                                 .t_ns = (n + 1) * PERIOD_NS,
                                 .vehicle = vehicle,
                                 .frame_sent = n % 7 != 3,
                                 .missed = n % 7 == 3,
                                 .contact = n % 5 == 0,
                                 .armed = n >= 50,
                                 .lateness_ns = (int32_t)(1000 + n),
                                 .compute_ns = (int32_t)(2000 + n),
                                 .loop_ns = (int32_t)(3000 + n) };

        for (int i = 0; i < ROTORS_MAX; i++) {
                t.command.duty[i] = (double)(n + 1) / (3.0 + i + vehicle);
                t.rotor_speed_radps[i] = 100.0 * i + (double)n;
                t.inflow_mps[i] = 4.0 + i;
        }
        t.truth.pos_ned_m = (struct vec3){ (double)n, 2.0 * (double)n, -3.0 };
        t.truth.q_body_to_ned = quat_from_euler(0.0, 0.0, 0.5);
        t.wind_ned_mps = (struct vec3){ 3.0, -1.0, 0.5 };
        t.battery_v = 14.5;
        t.current_a = 12.25;
        t.height_m = 2.5;
        t.impact_mps = 0.75;
        t.obstacle = -2;
        t.frame.t_ns = t.t_ns;
        t.frame.fresh = SENSOR_BIT(SENSOR_IMU);
        t.frame.imu.t_ns = t.t_ns;
        t.frame.imu.accel_body_mps2 = (struct vec3){ 0.1, 0.2, -9.8 };
        t.frame.imu.gyro_body_radps.z = (double)n;
        return t;
}
