/* What is read of single runs and of folders of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/suite/compare.h"

#include "tests/scratch.h"

static char why[700];

TEST(names_say_which_way_is_better)
{
        ck_assert_int_eq(compared_better_of("position_error_rms"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("RMS of the roll rate"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("settling_time_s"), BETTER_LESS);
        ck_assert_int_eq(compared_better_of("phase margin"), BETTER_MORE);
        ck_assert_int_eq(compared_better_of("error margin"), BETTER_MORE);
        ck_assert_int_eq(compared_better_of("lateral_speed"), BETTER_NEITHER);
        ck_assert_int_eq(compared_better_of("terrain"), BETTER_NEITHER);
        ck_assert_int_eq(compared_better_of("est_roll_error_mean_deg"), BETTER_ZERO);
}

TEST(a_metric_may_say_itself_which_way_is_better)
{
        static const char text[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"metrics\": ["
                "{\"name\": \"speed\", \"value\": 1, \"better\": \"more\"},"
                "{\"name\": \"error\", \"value\": 1, \"better\": \"neither\"}]}";
        struct compared_result r;

        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 3);
        ck_assert_int_eq(r.value[1].better, BETTER_MORE);
        ck_assert_int_eq(r.value[2].better, BETTER_NEITHER);
        free(r.value);
}

TEST(latency_counts_in_real_time_alone)
{
        static const char format[] =
                "{\"verdict\": \"passed\", \"seed\": 1, \"pace\": \"%s\", "
                "\"latency_us\": {\"loop\": {\"count\": 5, \"p50\": 80, \"p99\": 90, "
                "\"p99_9\": 95, \"max\": 99}}}";
        struct compared_result r;
        char text[300];

        snprintf(text, sizeof text, format, "lockstep");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 1);
        free(r.value);
        snprintf(text, sizeof text, format, "realtime");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 4);
        ck_assert_double_eq(r.value[1].value, 80.0);
        ck_assert_str_eq(r.value[1].unit, "us");
        free(r.value);
}

static const struct compared_value *value_named(const struct compared_result *r,
                                                const char *name)
{
        for (int i = 0; i < r->values; i++)
                if (strcmp(r->value[i].name, name) == 0)
                        return &r->value[i];
        return NULL;
}

/* One that jumps back to its first way-point; the second item asks for a speed. */
#define MISSION                                                                          \
        "{\"verdict\": \"failed\", \"seed\": 1, \"mission\": { \"items\": ["             \
        "{\"item\": 1, \"what\": \"way-point\", \"outcome\": \"passed\", "               \
        "\"asked_s\": 2, \"reached_s\": 5, \"error_m\": 1, \"cross_track_m\": 0.5}, "    \
        "{\"item\": 2, \"what\": \"speed\", \"outcome\": \"\", \"asked_s\": 5, "         \
        "\"reached_s\": 5, \"error_m\": null, \"cross_track_m\": null}, "                \
        "{\"item\": 1, \"what\": \"way-point\", \"outcome\": \"%s\", \"asked_s\": 5, "   \
        "\"reached_s\": 9, \"error_m\": 2, \"cross_track_m\": 0.25}], "                  \
        "\"fence_outcome\": \"passed\" } }"

TEST(a_mission_is_compared_item_by_item)
{
        struct compared_result r;
        char text[1000];

        snprintf(text, sizeof text, MISSION, "passed");
        ck_assert_msg(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why),
                      "%s", why);
        ck_assert_int_eq(r.values, 1 + 2 + 1 + 3);
        ck_assert_double_eq(value_named(&r, "mission item 1: way-point")->value, 1.0);
        ck_assert_double_eq(value_named(&r, "mission item 1: way-point, stop 3")->value,
                            1.0);
        ck_assert_int_eq(value_named(&r, "mission: fence")->kind, COMPARED_OUTCOME);
        ck_assert_double_eq(value_named(&r, "mission, furthest beside a leg")->value,
                            0.5);
        ck_assert_double_eq(value_named(&r, "mission, off its last item")->value, 2.0);
        ck_assert_double_eq(
                value_named(&r, "mission, from its first item to its last")->value, 7.0);
        free(r.value);
}

/* How well a part was flown says nothing beside a whole one. */
TEST(a_mission_that_failed_has_no_figures)
{
        struct compared_result r;
        char text[1000];

        snprintf(text, sizeof text, MISSION, "FAILED");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_int_eq(r.values, 1 + 2 + 1);
        ck_assert_double_eq(value_named(&r, "mission item 1: way-point")->value, 1.0);
        ck_assert_double_eq(value_named(&r, "mission item 1: way-point, stop 3")->value,
                            0.0);
        free(r.value);
        snprintf(text, sizeof text, MISSION, "not judged");
        ck_assert(compared_result_parse(&r, text, strlen(text), "x", why, sizeof why));
        ck_assert_double_nan(value_named(&r, "mission item 1: way-point, stop 3")->value);
        free(r.value);
}

TEST(what_is_no_summary_is_refused_in_words)
{
        static const char *const text[] = { "{}", "[]", "{\"verdict\": \"good\"}",
                                            "{\"verdict\": \"passed\"}", "" };
        struct compared_result r;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                ck_assert(!compared_result_parse(&r, text[i], strlen(text[i]), "a.json",
                                                 why, sizeof why));
                ck_assert_ptr_nonnull(strstr(why, "a.json: "));
                free(r.value);
        }
}

static void put(const char *folder, const char *path, const char *text)
{
        char name[400];
        FILE *f;

        snprintf(name, sizeof name, "%s/%s", folder, path);
        for (char *slash = name + strlen(folder) + 1; (slash = strchr(slash, '/'));
             slash++) {
                *slash = '\0';
                mkdir(name, 0777);
                *slash = '/';
        }
        f = fopen(name, "w");
        ck_assert_ptr_nonnull(f);
        fputs(text, f);
        fclose(f);
}

TEST(a_folder_is_read_by_its_paths)
{
        static const char text[] = "{\"verdict\": \"passed\", \"seed\": 9, \"config\": "
                                   "\"rigs/x.json\"}";
        char folder[] = "/tmp/hilrig_compare_XXXXXX";
        struct compared_side s;

        scratch_make(folder);
        ck_assert(!compared_side_read(&s, folder, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "no finished run"));
        compared_side_free(&s);
        put(folder, "rig/flight/12-3/summary.json", text);
        put(folder, "rig/flight/2-1/summary.json", text);
        put(folder, "rig/flight/2-2/config.json", "{}");
        put(folder, "20260101T000000Z-x/summary.json", text);
        put(folder, "20260102T000000Z-x/summary.json", text);
        put(folder, "rig/flight/7-1/summary.json", "{");
        ck_assert_msg(compared_side_read(&s, folder, why, sizeof why), "%s", why);
        ck_assert_int_eq(s.runs, 4);
        ck_assert_int_eq(s.unreadable, 1);
        ck_assert_str_eq(s.run[0].group, "rig/flight");
        ck_assert_int_eq((int)s.run[0].seed, 2);
        ck_assert_int_eq((int)s.run[1].seed, 12);
        ck_assert_int_eq(s.run[1].repeat, 3);
        ck_assert_str_eq(s.run[2].group, "rigs/x.json");
        ck_assert_int_eq((int)s.run[2].seed, 9);
        ck_assert_int_eq(s.run[3].repeat, s.run[2].repeat + 1);
        compared_side_free(&s);
        scratch_remove(folder);
}
