/* What scripts and CI systems read of a run. */
#include <stdlib.h>
#include <string.h>

#include "hil/text/json.h"
#include "hil/summary/summary.h"

#include "tests/suites.h"

static struct rig_config config;
static struct child child;
static struct rig rig;
static struct summary summary = { .config_path = "a.json", .reason = "because" };

static void open_rig(void)
{
        const struct config_overrides overrides = { .sets = 1,
                                                    .set = { "vehicles.0.fc.link=pty" } };
        struct config_error error;
        char *resolved, why[300];

        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_msg(rig_open(&rig, &config, &child, why, sizeof why), "%s", why);
}

static void close_rig(void)
{
        rig_close(&rig);
        config_free(&config);
}

FIXTURE(open_rig, close_rig)

static struct json *read_summary(void)
{
        struct json_error why;
        char *text = summary_json(&summary, &rig);
        struct json *root = json_parse(text, strlen(text), "summary.json", &why);

        ck_assert_msg(root != NULL, "%s", why.text);
        free(text);
        return root;
}

TEST(every_promised_key_is_there_with_its_type)
{
        static const struct {
                const char *path;
                enum json_type type;
        } key[] = {
                { "verdict", JSON_STRING },
                { "end_reason", JSON_STRING },
                { "config", JSON_STRING },
                { "config_sha256", JSON_STRING },
                { "version", JSON_STRING },
                { "seed", JSON_NUMBER },
                { "pace", JSON_STRING },
                { "period_ns", JSON_NUMBER },
                { "sim_time_s", JSON_NUMBER },
                { "wall_time_s", JSON_NUMBER },
                { "processor_time_s", JSON_NUMBER },
                { "ticks", JSON_NUMBER },
                { "overruns", JSON_NUMBER },
                { "record_drops", JSON_NUMBER },
                { "signal_sha256", JSON_STRING },
                { "link.frames_sent", JSON_NUMBER },
                { "link.frames_received", JSON_NUMBER },
                { "link.crc_errors", JSON_NUMBER },
                { "link.lost", JSON_NUMBER },
                { "link.bytes_sent", JSON_NUMBER },
                { "link.bytes_received", JSON_NUMBER },
                { "warnings", JSON_ARRAY },
                { "flight_controllers.0.vehicle", JSON_STRING },
                { "flight_controllers.0.loss", JSON_STRING },
                { "flight_controllers.0.messages_received", JSON_NUMBER },
                { "flight_controllers.0.malformed", JSON_NUMBER },
                { "flight_controllers.0.out_of_step", JSON_NUMBER },
                { "flight_controllers.0.repeated", JSON_NUMBER },
                { "flight_controllers.0.jumps", JSON_NUMBER },
                { "flight_controllers.0.lost", JSON_NUMBER },
                { "flight_controllers.0.settings", JSON_ARRAY },
                { "flight_controllers.0.links.0.link", JSON_STRING },
                { "flight_controllers.0.links.0.strangers", JSON_NUMBER },
                { "flight_controllers.0.links.0.last_stranger", JSON_STRING },
                { "requirements.0.name", JSON_STRING },
                { "requirements.0.passed", JSON_BOOL },
                { "requirements.0.detail", JSON_STRING },
                { "requirements.0.outcome", JSON_STRING },
                { "metrics.0.name", JSON_STRING },
                { "metrics.0.vehicle", JSON_STRING },
                { "metrics.0.unit", JSON_STRING },
                { "wire_faults", JSON_ARRAY },
                { "firmware.0", JSON_STRING },
                { "realtime_missing", JSON_STRING },
        };
        static const char *const latency[] = { "loop", "wake", "compute" };
        static const char *const figure[] = { "count", "p50", "p99", "p99_9", "max" };
        struct json *root = read_summary();
        char path[60];

        for (size_t i = 0; i < sizeof key / sizeof key[0]; i++)
                ck_assert_msg(json_is(json_at(root, key[i].path), key[i].type), "%s",
                              key[i].path);
        for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 5; k++) {
                        snprintf(path, sizeof path, "latency_us.%s.%s", latency[i],
                                 figure[k]);
                        ck_assert_msg(json_is(json_at(root, path), JSON_NUMBER), "%s",
                                      path);
                }
        }
        ck_assert_int_eq(json_at(root, "requirements")->count,
                         config.scenario.requirements);
        json_free(root);
}

TEST(latencies_are_in_microseconds_and_of_every_vehicle)
{
        struct json *root;

        histogram_add(&rig.vehicle[0].port.talk.loop, 48000);
        histogram_add(&rig.wake, 2000000);
        root = read_summary();
        ck_assert_double_eq_tol(json_number(root, "latency_us.loop.max"), 48.0, 1e-9);
        ck_assert_double_eq_tol(json_number(root, "latency_us.wake.p50"), 2000.0, 1e-9);
        ck_assert_double_eq(json_number(root, "latency_us.compute.count"), 0.0);
        json_free(root);
}

TEST(settings_are_as_the_firmware_last_said_them)
{
        struct codec *codec = rig.vehicle[0].port.codec;
        char long_name[2 * CODEC_SETTING_MAX], name[20];
        struct json *root;

        memset(long_name, 'x', sizeof long_name - 1);
        long_name[sizeof long_name - 1] = '\0';
        codec_setting_heard(codec, "FRAME_CLASS", "1");
        codec_setting_heard(codec, long_name, "2");
        codec_setting_heard(codec, "FRAME_CLASS", "3");
        codec_setting_heard(codec, long_name, "4");
        root = read_summary();
        ck_assert_int_eq(json_at(root, "flight_controllers.0.settings")->count, 2);
        ck_assert_str_eq(json_string(root, "flight_controllers.0.settings.0.name"),
                         "FRAME_CLASS");
        ck_assert_str_eq(json_string(root, "flight_controllers.0.settings.0.value"), "3");
        ck_assert_str_eq(json_string(root, "flight_controllers.0.settings.1.value"), "4");
        json_free(root);
        for (int i = 0; i < 2 * CODEC_SETTINGS_MAX; i++) {
                snprintf(name, sizeof name, "name %d", i);
                codec_setting_heard(codec, name, "0");
        }
        ck_assert_int_eq(codec->settings, CODEC_SETTINGS_MAX);
        codec_setting_heard(codec, "FRAME_CLASS", "5");
        ck_assert_str_eq(codec->setting[0].value, "5");
}

static int count(const char *text, const char *what)
{
        int n = 0;

        while ((text = strstr(text, what)) != NULL) {
                text += strlen(what);
                n++;
        }
        return n;
}

static int attribute(const char *text, const char *name)
{
        const char *at = strstr(text, name);

        ck_assert_msg(at != NULL, "%s", name);
        return atoi(at + strlen(name) + 2);
}

TEST(junit_counts_what_it_lists)
{
        struct vehicle *v = &rig.vehicle[0].vehicle;
        struct observation o = { .truth = v,
                                 .frame = &rig.vehicle[0].frame,
                                 .report = &rig.vehicle[0].port.report,
                                 .ground_down_m = config.world.ground_down_m };
        char *text;

        /* It falls hard, is at 5 m in time, and then the board goes: one broken, one that
         * happened, others open. */
        v->impact_mps = 9.0;
        v->body.pos_ned_m.z = o.ground_down_m - 5.0;
        while (++rig.tick < 5000) {
                o.t_ns = rig.tick * config.period_ns;
                judge_observe(&rig.judge, &o);
        }
        judge_finish(&rig.judge, o.t_ns);
        rig.end = END_FC_GONE;
        summary.verdict = VERDICT_FAILED;
        text = summary_junit(&summary, &rig);
        ck_assert_int_eq(count(text, "<testcase "), config.scenario.requirements + 1);
        ck_assert_int_eq(attribute(text, " tests"), count(text, "<testcase "));
        ck_assert_int_eq(attribute(text, " failures"), count(text, "<failure "));
        ck_assert_int_eq(attribute(text, " errors"), count(text, "<error "));
        ck_assert_int_eq(attribute(text, " skipped"), count(text, "<skipped "));
        ck_assert_int_gt(count(text, "<failure "), 0);
        ck_assert_int_gt(count(text, "<skipped "), 0);
        /* The rig's suite holds the scenario's cases, each with a time of the flight. */
        ck_assert_ptr_nonnull(strstr(text, "<testsuite name=\"default\""));
        ck_assert_int_eq(count(text, "<testcase classname=\"hover_and_waypoints\" "),
                         config.scenario.requirements + 1);
        ck_assert_ptr_nonnull(strstr(text, "name=\"the run itself\" time=\"5.000\""));
        ck_assert_ptr_nonnull(
                strstr(text, "name=\"lands softly\" time=\"0.001\"><failure message="
                             "\"broken at 0.001 s; worst at 0.001 s, value 9, "));
        free(text);
}

TEST(junit_escapes_what_people_wrote)
{
        char *text;

        snprintf(config.scenario.requirement[0].name,
                 sizeof config.scenario.requirement[0].name, "<a> & \"b\"\x01");
        text = summary_junit(&summary, &rig);
        ck_assert(strstr(text, "name=\"&lt;a&gt; &amp; &quot;b&quot;\xEF\xBF\xBD\"") !=
                  NULL);
        free(text);
}
