/* Latency to motor pads: a command counts from when its pad showed it, not from the tick that saw it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/latency/measure.h"
#include "tests/hil/record/record_folder.h"
#include "tests/suites.h"

#define BEGIN_TICK 100
#define CHIPS      63
#define TICKS      (BEGIN_TICK + 40 * CHIPS + 50)

#define LATE_S    100e-6 /* of every wake-up */
#define COMPUTE_S 20e-6
#define CAPTURE_S 300e-6 /* from a pad's edge until the rig can know of it */

static const char rig[] =
        "{\"include\": \"%1$s/rig_configs/default.json\", \"pace\": \"realtime\", "
        "\"vehicles\": [{\"name\": \"quad\", \"vehicle\": "
        "\"%1$s/rig_configs/vehicles/md4_200.json\", "
        "\"fc\": {\"codec\": \"hilp\", \"link\": \"pty\"}, "
        "\"pads\": {\"source\": \"fx2\", \"use\": \"%2$s\", \"rotors\": [0, 1, 2, 3]}}], "
        "\"scenario\": {\"name\": \"s\", \"duration_s\": 4, \"requirements\": [], "
        "\"steps\": [{\"at_s\": 0, \"hold_deg\": {\"roll\": 0}}, {\"at_s\": 0.1, "
        "\"mode\": \"disarmed\", \"stimulus\": {\"input\": "
        "\"gyro_x_dps\", \"shape\": \"prbs\", \"amplitude\": 5, \"bits\": 6, "
        "\"chip_us\": 1000, \"for_s\": 2.52}}]}}";

static void name_config(const struct folder *f, char path[PATH_MAX])
{
        snprintf(path, PATH_MAX, "%s/config.json", f->path);
}

static void write_config(const struct folder *f, const char *use)
{
        char path[PATH_MAX], cwd[400];
        FILE *out;

        name_config(f, path);
        out = fopen(path, "we");
        ck_assert(out != NULL && getcwd(cwd, sizeof cwd) != NULL);
        fprintf(out, rig, cwd, use);
        fclose(out);
}

/* When the pads show the answer to the frame of a tick. */
static double shown_s(int64_t tick, double delay_s)
{
        return 1e-9 * (double)(tick * PERIOD_NS) + LATE_S + COMPUTE_S + delay_s;
}

/* The rig's rotors 1 and 3 are right and left. */
static void command(struct motor_command *c, double rate_radps)
{
        double roll = -0.5 * rate_radps;

        *c = (struct motor_command){ .duty = { 0.5, 0.5 - roll, 0.5, 0.5 + roll } };
}

static void record_flight(struct folder *f, const struct stimulus *s, double delay_s)
{
        for (int64_t n = 0; n < TICKS; n++) {
                double wake_s = 1e-9 * (double)(n * PERIOD_NS) + LATE_S;
                struct tick_record tick = { .tick = n,
                                            .t_ns = n * PERIOD_NS,
                                            .frame_sent = true,
                                            .lateness_ns = (int32_t)(LATE_S * 1e9),
                                            .compute_ns = (int32_t)(COMPUTE_S * 1e9),
                                            .truth.q_body_to_ned.w = 1.0 };
                struct pads_record pads = { .t_ns = n * PERIOD_NS };
                int64_t seen = n;

                while (shown_s(seen, delay_s) + CAPTURE_S > wake_s)
                        seen--;
                command(&tick.command,
                        seen < BEGIN_TICK
                                ? 0.0
                                : stimulus_value(s, (seen - BEGIN_TICK) * PERIOD_NS));
                for (int i = 0; i < 4; i++)
                        pads.age_ns[i] =
                                (int32_t)(1e9 * (wake_s - shown_s(seen, delay_s)) + 0.5);
                ck_assert(recorder_tick(f->recorder, &tick));
                ck_assert(recorder_pads(f->recorder, &pads));
        }
}

static double measured_us(const char *use, double delay_s)
{
        struct response_model model = { 0 };
        struct latency_run run;
        struct latency_result result = { 0 };
        char config[PATH_MAX];
        struct folder f;
        double us;

        folder_make(&f);
        write_config(&f, use);
        f.setup.truth_period_ns = PERIOD_NS;
        folder_open(&f);
        /* The stimulus as the run has it. */
        ck_assert(!latency_run_open(&run, f.path, 0));
        record_flight(&f, &run.stimulus, delay_s);
        latency_run_close(&run);
        folder_close(&f);
        ck_assert_msg(latency_run_open(&run, f.path, 0), "%s", run.why);
        ck_assert(response_model_parse(&model, "none"));
        ck_assert_msg(latency_measure(&run, &model, &result), "%s", result.why);
        us = 1e6 * result.fit.s;
        latency_result_free(&result);
        latency_run_close(&run);
        name_config(&f, config);
        unlink(config);
        folder_remove(&f);
        return us;
}

TEST(a_command_counts_from_when_its_pad_showed_it)
{
        ck_assert_double_eq_tol(measured_us("drive", 700e-6), 700.0, 5.0);
        ck_assert_double_eq_tol(measured_us("drive", 1830e-6), 1830.0, 5.0);
}

/* What does not drive the vehicle is not measured: the tick that took the report is. */
TEST(pads_that_are_watched_do_not_count)
{
        ck_assert_double_eq_tol(measured_us("watch", 700e-6), 1980.0, 5.0);
}
