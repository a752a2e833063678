/* The table of sensors: that a row is complete, and agrees with the structs that it describes. */
#include <string.h>

#include "models/sensors/kinds.h"
#include "models/sensors/sensors.h"
#include "tests/suites.h"

static size_t type_size(enum sensor_field_type type)
{
        switch (type) {
        case FIELD_F64:
                return sizeof(double);
        case FIELD_I64:
                return sizeof(int64_t);
        case FIELD_I32:
                return sizeof(int32_t);
        default:
                return sizeof(bool);
        }
}

TEST(every_sensor_has_a_row_and_a_name_of_its_own)
{
        for (enum sensor i = 0; i < SENSOR_COUNT; i++) {
                const struct sensor_kind *k = &sensor_kinds[i];

                ck_assert_msg(k->name && k->init && k->step && k->field[0].name,
                              "sensor %d has no whole row in kinds.c", i);
                ck_assert_int_ge(k->units_max, 1);
                ck_assert_uint_ge(k->sample_size, sizeof(int64_t));
                ck_assert_uint_le(k->sample_size, sizeof(union sensor_sample));
                ck_assert(k->units_max == 1 || k->schedule_stride > 0);
                for (enum sensor other = 0; other < i; other++)
                        ck_assert_str_ne(k->name, sensor_kinds[other].name);
        }
}

/* What is not in the table is not in the signal's hash. */
TEST(fields_leave_out_of_a_sample_only_what_is_recorded_and_padding)
{
        for (enum sensor i = 0; i < SENSOR_COUNT; i++) {
                const struct sensor_kind *k = &sensor_kinds[i];
                size_t at = sizeof(int64_t); /* its time */

                for (const struct sensor_field *f = k->field; f->name; f++) {
                        ck_assert_msg(f->offset == at, "%s.%s", k->name, f->name);
                        at += (size_t)f->count * type_size(f->type);
                }
                at += k->recorded_size;
                ck_assert_msg(k->sample_size >= at &&
                                      k->sample_size - at < sizeof(int64_t),
                              "%s", k->name);
                ck_assert_ptr_null(k->field[SENSOR_FIELDS_MAX - 1].name);
        }
}

TEST(a_field_is_called_by_its_unit)
{
        static const char *const suffix[][2] = {
                { "m/s^2", "_mps2" }, { "rad/s", "_radps" }, { "m/s", "_mps" },
                { "rad", "_rad" },    { "m", "_m" },         { "Pa", "_pa" },
                { "K", "_k" },        { "T", "_t" },         { "ns", "_ns" },
                { "V", "_v" },        { "A", "_a" },         { "C", "_c" },
        };
        const size_t units = sizeof suffix / sizeof suffix[0];

        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                for (const struct sensor_field *f = sensor_kinds[i].field; f->name; f++) {
                        size_t u = 0;

                        while (u < units && strcmp(f->unit, suffix[u][0]) != 0)
                                u++;
                        ck_assert_msg(u < units || strcmp(f->unit, "1") == 0, "%s",
                                      f->name);
                        if (u < units)
                                ck_assert_str_eq(strrchr(f->name, '_'), suffix[u][1]);
                }
}

TEST(a_sample_is_copied_whole_and_no_other_is_touched)
{
        static struct sensor_frame from, to;

        memset(&from, 0xA5, sizeof from);
        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                for (int unit = 0; unit < sensor_kinds[i].units_max; unit++) {
                        size_t changed = 0;

                        memset(&to, 0, sizeof to);
                        sensor_sample_copy(&to, &from, i, unit);
                        for (size_t at = 0; at < sizeof to; at++)
                                changed += ((unsigned char *)&to)[at] != 0;
                        ck_assert_uint_eq(changed, sensor_kinds[i].sample_size);
                        ck_assert(sensor_sample_ns(&to, i, unit) != 0);
                }
}

TEST(samples_of_all_sensors_lie_apart)
{
        static struct sensor_frame f;

        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                for (int unit = 0; unit < sensor_kinds[i].units_max; unit++) {
                        unsigned char *at = sensor_sample(&f, i, unit);

                        for (size_t k = 0; k < sensor_kinds[i].sample_size; k++) {
                                ck_assert_uint_eq(at[k], 0);
                                at[k] = 1;
                        }
                }
}

TEST(a_sonar_s_bits_go_together)
{
        struct sensor_frame f = { 0 };

        sensor_set_fresh(&f, SENSOR_SONAR, 3, true);
        sensor_set_fresh(&f, SENSOR_SONAR, 5, true);
        sensor_set_fresh(&f, SENSOR_MAG, 0, true);
        ck_assert_uint_eq(f.fresh, SENSOR_BIT(SENSOR_SONAR) | SENSOR_BIT(SENSOR_MAG));
        ck_assert(sensor_is_fresh(&f, SENSOR_SONAR, 3));
        ck_assert(!sensor_is_fresh(&f, SENSOR_SONAR, 4));
        sensor_set_fresh(&f, SENSOR_SONAR, 3, false);
        ck_assert_uint_eq(f.fresh, SENSOR_BIT(SENSOR_SONAR) | SENSOR_BIT(SENSOR_MAG));
        sensor_set_fresh(&f, SENSOR_SONAR, 5, false);
        ck_assert_uint_eq(f.fresh, SENSOR_BIT(SENSOR_MAG));
}
