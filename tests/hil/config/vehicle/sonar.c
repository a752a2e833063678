/* Sonars of a vehicle file: parts, lists and rings. */
#include <string.h>

#include "hil/config/vehicle/sensors.h"

#include "tests/suites.h"

#define DEG (3.14159265358979323846 / 180.0)
#define MS  INT64_C(1000000)

static struct sonar_params params;

static struct config_error why;

/* `text` holds the keys "sonar" and "sonars" as the object "sensors" of a vehicle does. */
static bool read_keys(const char *text)
{
        struct sonars_file file = { .listed = 0 };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        const struct json *first = json_member(root, "sonar");
        const struct json *list = json_member(root, "sonars");
        bool ok = root != NULL;

        config_error_clear(&why);
        if (ok && first != NULL)
                ok = config_table_read(&config_sonar_table, first, &file.first, NULL,
                                       &why);
        for (; ok && json_item(list, file.listed) != NULL; file.listed++)
                ok = config_table_read(&config_sonar_listed_table,
                                       json_item(list, file.listed),
                                       &file.list[file.listed], NULL, &why);
        memset(&params, 0, sizeof params);
        ok = ok && config_build_sonars(&params, &file, root, &why);
        json_free(root);
        return ok;
}

#define REQUIRED "\"rate_hz\":20,\"beam_max_m\":4,\"reported_max_m\":4"

/* Micklisch 34: psi = 2 pi i/c + 2 pi/(2 c), y forward and x to the right: l cos psi, l sin psi. */
TEST(ring_stands_where_micklisch_puts_it)
{
        ck_assert_msg(read_keys("{\"sonars\":[{" REQUIRED
                                ",\"at_m\":{ \"forward\": 1, \"right\": 2, \"down\": 3 },"
                                "\"ring\":{\"count\":12,\"radius_m\":0.25}}]}"),
                      "%s", why.text);
        ck_assert_int_eq(params.count, 12);
        for (int i = 0; i < 12; i++) {
                const struct sonar_unit_params *u = &params.unit[i];
                double psi_rad = (15.0 + 30.0 * i) * DEG;

                ck_assert_double_eq_tol(u->axis_body.x, cos(psi_rad), 1e-12);
                ck_assert_double_eq_tol(u->axis_body.y, sin(psi_rad), 1e-12);
                ck_assert_double_eq_tol(u->axis_body.z, 0.0, 1e-12);
                ck_assert_double_eq_tol(u->lever_arm_body_m.x, 1.0 + 0.25 * cos(psi_rad),
                                        1e-12);
                ck_assert_double_eq_tol(u->lever_arm_body_m.y, 2.0 + 0.25 * sin(psi_rad),
                                        1e-12);
                ck_assert_double_eq(u->lever_arm_body_m.z, 3.0);
                ck_assert_int_eq(u->schedule.phase_ns, 50 * MS * i / 12);
                ck_assert(u->crosstalk);
        }
}

TEST(ring_that_is_not_staggered_pings_at_once)
{
        ck_assert(read_keys("{\"sonars\":[{" REQUIRED ",\"phase_us\":7000,\"crosstalk\":"
                            "false,\"ring\":{\"count\":3,\"stagger\":false}}]}"));
        for (int i = 0; i < 3; i++) {
                ck_assert_int_eq(params.unit[i].schedule.phase_ns, 7 * MS);
                ck_assert(!params.unit[i].crosstalk);
        }
}

TEST(the_single_sonar_is_the_first_and_talks_to_nobody)
{
        ck_assert_msg(read_keys("{\"sonars\":[{" REQUIRED
                                ",\"ring\":{\"count\":2}},{" REQUIRED
                                ",\"axis\":[0.5,0,0]}],\"sonar\":{" REQUIRED "}}"),
                      "%s", why.text);
        ck_assert_int_eq(params.count, 4);
        ck_assert_double_eq(params.unit[0].axis_body.z, 1.0);
        ck_assert(!params.unit[0].crosstalk);
        ck_assert(params.unit[1].crosstalk);
        ck_assert_double_eq(params.unit[3].axis_body.x, 1.0);
        /* Nothing that a small file does not ask for. */
        ck_assert_double_eq(params.unit[0].opening_rad, 0.0);
        ck_assert_double_eq(params.unit[0].margin_db, 0.0);
        ck_assert_double_eq(params.unit[0].assumed_mps, 0.0);
}

TEST(numbers_beside_a_part_replace_its_own)
{
        const struct sonar_unit_params *u = params.unit;

        ck_assert_msg(
                read_keys("{\"sonar\":{\"rate_hz\":20,\"reported_max_m\":2.65,\"part\":{"
                          "\"opening_deg\":30,\"beam_max_m\":7.65,\"reported_max_m\":"
                          "7.65,\"lsb_m\":0.01}}}"),
                "%s", why.text);
        ck_assert_double_eq(u->beam_max_m, 7.65);
        ck_assert_double_eq_tol(u->range.max, 2.65, 1e-12);
        ck_assert_double_eq(u->range.lsb, 0.01);
        ck_assert_double_eq_tol(u->opening_rad, 30.0 * DEG, 1e-12);
        ck_assert_int_eq(u->rays, 25);
}

/* What is read, and what is said of it. */
static const char *const wrong[][2] = {
        { "{\"sonar\":{" REQUIRED ",\"axis\":[0,0,0]}}",
          "x: sonar.axis: must have a direction" },
        { "{\"sonar\":{" REQUIRED ",\"reported_min_m\":4}}",
          "x: sonar.reported_min_m: must be less than reported_max_m, which is 4" },
        { "{\"sonar\":{" REQUIRED ",\"phase_us\":50000}}",
          "x: sonar.phase_us: must be less than the period, which is 50000" },
        { "{\"sonars\":[{" REQUIRED "},{" REQUIRED ",\"ring\":{\"count\":16}}]}",
          "x: sonars.1: must leave at most 16 sonars, with it there are 17" },
        { "{\"sonars\":[{" REQUIRED ",\"ring\":{\"count\":17}}]}",
          "x: sonars.0.ring.count: must be" },
        { "{\"sonars\":[{" REQUIRED ",\"rays\":65}]}", "x: sonars.0.rays: must be" },
        { "{\"sonar\":{" REQUIRED ",\"ring\":{\"count\":2}}}",
          "x: sonar.ring: unknown key" },
        { "{\"sonar\":{\"rate_hz\":20}}",
          "x: sonar.beam_max_m: is required, and missing" },
};

TEST_EACH(wrong_sonars_are_refused_by_their_key, sizeof(wrong) / sizeof(wrong[0]))
{
        ck_assert(!read_keys(wrong[_i][0]));
        ck_assert_msg(strncmp(why.text, wrong[_i][1], strlen(wrong[_i][1])) == 0, "%s",
                      why.text);
}
