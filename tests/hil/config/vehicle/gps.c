/* The GPS receiver of a vehicle file. */
#include <math.h>
#include <string.h>

#include "hil/config/vehicle/sensors.h"

#include "tests/suites.h"

static struct gps_params params;
static struct config_error why;

static bool read_gps(const char *keys)
{
        struct gps_file file = { .earth = 0 };
        struct json_error parse_why;
        char text[600];
        struct json *root;
        bool ok;

        snprintf(text, sizeof text, "{\"gps\":{\"rate_hz\":10%s}}", keys);
        root = json_parse(text, strlen(text), "x", &parse_why);
        ok = root != NULL &&
             config_table_read(&config_gps_table, json_member(root, "gps"), &file, NULL,
                               &why) &&
             config_build_gps(&params, &file, root, &why);
        json_free(root);
        return ok;
}

#define SAM_M10                                                                          \
        ",\"part\":{\"range_error_m\":2,\"range_jitter_m\":0.5,"                         \
        "\"range_rate_error_mps\":0.12}"

/* Half of a plane's white errors of sigma an axis are within sigma sqrt(2 ln 2): its data sheet's 1.5 m. */
TEST(white_noise_of_a_part_is_as_large_as_its_data_sheet_says)
{
        ck_assert_msg(read_gps(",\"model\":\"white\"" SAM_M10), "%s", why.text);
        ck_assert_double_eq_tol(params.position.sigma[0] * sqrt(2.0 * log(2.0)), 1.5,
                                0.02);
        ck_assert_double_eq(params.position.sigma[0], params.position.sigma[1]);
        ck_assert_double_gt(params.position.sigma[2], params.position.sigma[0]);
        ck_assert_double_gt(params.velocity.sigma[2], 0.05);
        ck_assert_double_lt(params.velocity.sigma[2], 0.2);
        /* gruber has white noise of the velocity too. */
        ck_assert_msg(read_gps(",\"model\":\"gruber\"" SAM_M10), "%s", why.text);
        ck_assert_double_gt(params.velocity.sigma[0], 0.05);
}

TEST(what_is_given_counts_beside_a_part_and_zero_is_given)
{
        ck_assert_msg(
                read_gps(",\"sigma_horizontal_m\":0.02,\"sigma_vertical_m\":0" SAM_M10),
                "%s", why.text);
        ck_assert_double_eq(params.position.sigma[1], 0.02);
        ck_assert_double_eq(params.position.sigma[2], 0.0);
        ck_assert_double_gt(params.velocity.sigma[1], 0.05);
}

TEST(without_a_part_a_receiver_is_as_good_as_it_is_told_to_be)
{
        ck_assert_msg(read_gps(""), "%s", why.text);
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq(params.position.sigma[i], 0.0);
                ck_assert_double_eq(params.velocity.sigma[i], 0.0);
        }
        ck_assert(!read_gps(",\"sigma_horizontal_m\":-1"));
        ck_assert_ptr_nonnull(strstr(why.text, "sigma_horizontal_m"));
}
