/* An IMU out of its part file and what a vehicle file says beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/vehicle/sensors.h"
#include "hil/config/load.h"

#include "tests/suites.h"

/* A vehicle file as far as it matters here. */
struct vehicle_image {
        struct imu_file imu;
};

static const struct config_field image_fields[] = {
        { "imu", CONFIG_OBJECT, "The IMU.", .table = &config_imu_table,
          AT(vehicle_image, imu) },
        { NULL },
};

static const struct config_table image_table = {
        .name = "image",
        .about = "A vehicle.",
        .field = image_fields,
};

static struct imu_params params;
static struct config_error why;
static char resolved[20000];

/* The object at the key "imu", read as a file in rig_configs/vehicles/ would be. */
static bool read_imu(const char *imu)
{
        struct config_document d = { 0 };
        struct vehicle_image image = { 0 };
        struct json *all = json_new_object();
        char text[1000];
        bool ok;

        snprintf(text, sizeof text, "{\"imu\": %s}", imu);
        config_error_clear(&why);
        ok = config_document_parse(&d, "rig_configs/vehicles/x.json", text, strlen(text),
                                   &image_table, &why) &&
             config_table_read(&image_table, d.root, &image, all, &why);
        if (ok) {
                char *printed = json_print(json_at(all, "imu"));

                params = (struct imu_params){ 0 };
                ok = config_build_imu(&params, &image.imu, d.root, &why);
                snprintf(resolved, sizeof resolved, "%s", printed);
                free(printed);
        }
        json_free(all);
        config_document_free(&d);
        return ok;
}

static void expect(const char *imu)
{
        bool ok = read_imu(imu);

        ck_assert_msg(ok, "%s", why.text);
}

#define PART "\"rate_hz\": 1000, \"part\": \"../parts/imu_mpu6000.json\""

TEST(an_imu_without_a_part_is_ideal)
{
        expect("{\"rate_hz\": 500}");
        ck_assert_int_eq(params.schedule.period_ns, 2000000);
        ck_assert_double_eq(params.gyro.scale[1][1], 1.0);
        ck_assert_double_eq(params.gyro.scale[1][0], 0.0);
        ck_assert_double_eq(params.accel.lsb, 1e-6);
        imu_params_prepare(&params, 0.001);
        ck_assert(!imu_follows(&params));
        ck_assert(!params.whitens && !params.thermal && !params.g_sensitive);
        ck_assert(!params.drift.flickers && !params.drift.walks);
}

/* PS-MPU-6000A-00: 400 ug/sqrt(Hz), 0.005 (degrees/s)/sqrt(Hz), 2048 and 16.4 LSB. */
TEST(a_part_is_in_si_units)
{
        expect("{" PART "}");
        ck_assert_double_eq_tol(params.accel_axes.density[2], 400e-6 * 9.80665, 1e-9);
        ck_assert_double_eq_tol(params.gyro_axes.density[0], 8.72665e-5, 1e-10);
        ck_assert_double_eq_tol(params.accel.lsb * 2048.0, 9.80665, 2e-6);
        ck_assert_double_eq_tol(params.gyro.lsb * 16.384, RAD_PER_DEG, 2e-8);
        ck_assert_double_eq_tol(params.gyro.min / params.gyro.lsb, -32768.0, 1e-6);
        ck_assert_double_eq_tol(params.gyro.max / params.gyro.lsb, 32767.0, 1e-6);
        ck_assert_double_eq(params.gyro_axes.bandwidth_hz, 188.0);
        /* 0.1 degrees/s at 1 g. */
        ck_assert_double_eq_tol(params.g_sensitivity[1][1] * 9.80665, 0.1 * RAD_PER_DEG,
                                1e-12);
        ck_assert_double_eq(params.g_sensitivity[0][1], 0.0);
}

TEST(a_number_beside_the_part_replaces_its_own)
{
        struct imu_params part;

        expect("{" PART "}");
        part = params;
        expect("{" PART ", \"gyro\": {\"bias_dps\": [1, 2, 3], \"bandwidth_hz\": 42}, "
               "\"heating_k\": 12}");
        ck_assert_double_eq_tol(params.gyro.bias[1], 2.0 * RAD_PER_DEG, 1e-12);
        ck_assert_double_eq(params.gyro_axes.bandwidth_hz, 42.0);
        ck_assert_double_eq(params.self_heating_k, 12.0);
        ck_assert_double_eq(params.gyro.lsb, part.gyro.lsb);
        ck_assert_double_eq(params.gyro_axes.density[0], part.gyro_axes.density[0]);
        ck_assert_mem_eq(&params.accel_axes, &part.accel_axes, sizeof part.accel_axes);
        ck_assert_mem_eq(&params.accel, &part.accel, sizeof part.accel);
}

TEST(a_part_can_stand_inline_or_include_a_file)
{
        expect("{\"rate_hz\": 1000, \"part\": {\"accel\": {\"bandwidth_hz\": 33}}}");
        ck_assert_double_eq(params.accel_axes.bandwidth_hz, 33.0);
        expect("{\"rate_hz\": 1000, \"part\": {\"include\": "
               "\"../parts/imu_bmi270.json\", "
               "\"accel\": {\"bandwidth_hz\": 33}}}");
        ck_assert_double_eq(params.accel_axes.bandwidth_hz, 33.0);
        ck_assert_double_eq(params.gyro_axes.bandwidth_hz, 751.0);
}

TEST(the_resolved_imu_reads_as_the_same)
{
        struct imu_params first;
        struct config_document d = { 0 };
        struct vehicle_image image = { 0 };
        static char text[sizeof resolved + 20];

        expect("{" PART ", \"accel\": {\"cross_axis\": {\"xy\": 0.01}}}");
        first = params;
        snprintf(text, sizeof text, "{\"imu\": %s}", resolved);
        ck_assert(config_document_parse(&d, "x.json", text, strlen(text), &image_table,
                                        &why) &&
                  config_table_read(&image_table, d.root, &image, NULL, &why));
        params = (struct imu_params){ 0 };
        ck_assert(config_build_imu(&params, &image.imu, d.root, &why));
        config_document_free(&d);
        ck_assert_mem_eq(&params, &first, sizeof first);
        ck_assert_double_eq(params.accel.scale[0][1], 0.01);
        ck_assert_double_eq(params.accel.scale[0][0], 1.0);
}

TEST(bends_and_dead_zones_are_read_in_the_units_of_the_file)
{
        expect("{" PART ", \"accel\": {\"dead_zone_mg\": [1, 2, 3]},"
               "\"gyro\": {\"scale_asymmetry_percent\": [0.1, 0, 0],"
               "\"square_percent\": [0, 0.2, 0], \"cube_percent\": [0, 0, -0.3],"
               "\"dead_zone_mdps\": [50, 0, 0]}}");
        ck_assert_double_eq_tol(params.accel_axes.dead_zone[1], 0.0196133, 1e-12);
        ck_assert_double_eq_tol(params.gyro_axes.asymmetry[0], 0.001, 1e-15);
        ck_assert_double_eq_tol(params.gyro_axes.square[1], 0.002, 1e-15);
        ck_assert_double_eq_tol(params.gyro_axes.cube[2], -0.003, 1e-15);
        ck_assert_double_eq_tol(params.gyro_axes.dead_zone[0], 0.05 * RAD_PER_DEG, 1e-12);
}

TEST(mistakes_name_the_key)
{
        ck_assert(!read_imu(
                "{\"rate_hz\": 1000, \"gyro\": {\"cube_percent\": [0, 1, 0]}}"));
        ck_assert_ptr_nonnull(
                strstr(why.text, "imu.gyro: must have range_dps beside square_percent"));
        ck_assert(!read_imu("{" PART ", \"gyro\": {\"bandwidth_hz\": -1}}"));
        ck_assert_ptr_nonnull(strstr(why.text, "imu.gyro.bandwidth_hz: must be"));
        ck_assert(!read_imu("{\"rate_hz\": 1000, \"part\": \"../parts/imu_none.json\"}"));
        ck_assert_ptr_nonnull(strstr(why.text, "imu_none.json"));
        ck_assert(
                !read_imu("{" PART ", \"gyro\": {\"noise_density_dps_rthz\": [1, 2]}}"));
        ck_assert_ptr_nonnull(strstr(why.text, "array of 3 numbers"));
        ck_assert(!read_imu("{" PART ", \"part\": 3}"));
}

static void check_part(const char *name, double samples_hz)
{
        const struct imu_axes_params *a = &params.accel_axes, *g = &params.gyro_axes;
        char imu[200];

        snprintf(imu, sizeof imu, "{\"rate_hz\": %g, \"part\": \"../parts/%s\"}",
                 samples_hz, name);
        expect(imu);
        for (int i = 0; i < 3; i++) {
                /* 10 ug to 1 mg and 1 mdps to 20 mdps a root Hz: MEMS of these years. */
                ck_assert_double_gt(a->density[i], 1e-4);
                ck_assert_double_lt(a->density[i], 1e-2);
                ck_assert_double_gt(g->density[i], 1e-3 * RAD_PER_DEG);
                ck_assert_double_lt(g->density[i], 2e-2 * RAD_PER_DEG);
                ck_assert_double_eq(params.accel.bias[i], 0.0);
                ck_assert_double_eq(params.gyro.scale[i][i], 1.0);
        }
        /* 16 bits. */
        ck_assert_double_eq_tol(params.accel.min / params.accel.lsb, -32768.0, 1e-6);
        ck_assert_double_eq_tol(params.accel.max / params.accel.lsb, 32767.0, 1e-6);
        ck_assert_double_eq_tol(params.gyro.min / params.gyro.lsb, -32768.0, 1e-6);
        ck_assert_double_eq_tol(params.gyro.max / params.gyro.lsb, 32767.0, 1e-6);
}

TEST(every_part_reads_and_is_of_its_kind)
{
        check_part("imu_mpu6000.json", 1000.0);
        check_part("imu_icm42688p.json", 1000.0);
        check_part("imu_bmi270.json", 1600.0);
        check_part("imu_minimu9_v3.json", 100.0);
}
