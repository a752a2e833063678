/* Tables, reader and schemas agree: what the committed schemas say is what the reader does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/rig/rig.h"
#include "hil/config/table.h"

#include "tests/suites.h"

#define DEFAULT "rig_configs/default.json"

static struct rig_config rig;
static struct config_error why;

/* text is freed. */
static void expect_committed(char *text, const char *path, const char *option)
{
        size_t len;
        char *committed = config_load_text(path, &len, &why);

        ck_assert_ptr_nonnull(text);
        ck_assert_msg(committed != NULL, "%s", why.text);
        ck_assert_msg(strcmp(text, committed) == 0, "%s is old: hilrig check %s > %s",
                      path, option, path);
        free(text);
        free(committed);
}

TEST(committed_schemas_are_what_the_tables_give)
{
        for (int i = 0; config_kinds[i]; i++) {
                const char *kind = config_kinds[i]->kind;
                char path[100], option[60];

                snprintf(path, sizeof(path), "rig_configs/schema/%s.schema.json", kind);
                snprintf(option, sizeof(option), "--schema %s", kind);
                expect_committed(config_schema_text(kind), path, option);
        }
        ck_assert_ptr_null(config_schema_text("kitchen"));
}

TEST(the_committed_page_of_keys_is_what_the_tables_give)
{
        expect_committed(config_keys_text("page"), "docs/keys.md", "--keys page");
        ck_assert_ptr_null(config_keys_text("book"));
}

/* Calls visit for every table below, kinds of their own included. */
static void for_each_table(const struct config_table *t,
                           void (*visit)(const struct config_table *t))
{
        visit(t);
        for (const struct config_field *f = t->field; f->key; f++)
                if (f->type == CONFIG_OBJECT || f->type == CONFIG_OBJECTS)
                        for_each_table(f->table, visit);
}

static bool is_number(const struct config_field *f)
{
        switch (f->type) {
        case CONFIG_NUMBER:
        case CONFIG_VECTOR:
        case CONFIG_TIME:
        case CONFIG_RATE:
        case CONFIG_INTEGER:
        case CONFIG_SEED:
        case CONFIG_INTEGERS:
                return true;
        default:
                return false;
        }
}

static void check_table(const struct config_table *t)
{
        for (const struct config_field *f = t->field; f->key; f++) {
                size_t len = strlen(f->about);

                ck_assert_msg(len > 5 && f->about[len - 1] == '.', "%s.%s: about",
                              t->name, f->key);
                ck_assert_msg(!is_number(f) || (f->lower && f->upper && f->min <= f->max),
                              "%s.%s: bounds", t->name, f->key);
                ck_assert_msg(config_table_find(t, f->key) == f, "%s.%s: twice", t->name,
                              f->key);
        }
}

TEST(every_number_is_bounded_and_every_key_described)
{
        for_each_table(&config_rig_table, check_table);
}

/* More than any image takes. */
static char scratch[sizeof(struct rig_file) + 4096];

static void check_presets(const struct config_table *t)
{
        for (const struct config_field *f = t->field; f->key; f++) {
                struct json_error parse_why;
                struct json *preset;
                bool ok;

                if (!f->preset)
                        continue;
                preset = json_parse(f->preset, strlen(f->preset), NULL, &parse_why);
                ck_assert_msg(preset != NULL, "%s.%s: %s", t->name, f->key,
                              parse_why.text);
                memset(scratch, 0, sizeof(scratch));
                ok = f->type == CONFIG_OBJECT
                             ? config_table_read(f->table, preset, scratch, NULL, &why)
                     : f->type == CONFIG_OBJECTS
                             ? config_value_count(f, preset, &why)
                             : config_value_read(f, preset, scratch, &why);
                ck_assert_msg(ok, "%s.%s: %s", t->name, f->key, why.text);
                if (f->type == CONFIG_OBJECT)
                        config_table_free(f->table, scratch);
                json_free(preset);
        }
}

TEST(every_default_is_allowed)
{
        for_each_table(&config_rig_table, check_presets);
}

/* `path=value` on the default rig must be refused at that path. */
static void expect_refused(const char *path, const char *value)
{
        char set[300], start[300];
        struct config_overrides o = { .sets = 1, .set = { set } };

        snprintf(set, sizeof(set), "%s=%s", path, value);
        snprintf(start, sizeof(start), "--set: %s: must ", path);
        config_free(&rig);
        ck_assert_msg(!config_read(&rig, DEFAULT, &o, NULL, &why), "was read: %s", set);
        ck_assert_msg(strncmp(why.text, start, strlen(start)) == 0, "%s: %s", set,
                      why.text);
}

static void check_bounds(const struct config_field *f, const char *path)
{
        char value[60];

        snprintf(value, sizeof(value), "%.17g",
                 f->lower == CONFIG_OPEN ? f->min : f->min - 1.0);
        expect_refused(path, value);
        snprintf(value, sizeof(value), "%.17g",
                 f->upper == CONFIG_OPEN ? f->max : nextafter(f->max, INFINITY));
        expect_refused(path, value);
}

static void check_field(const struct config_field *f, const char *path)
{
        static const char *const not_this[] = {
                [CONFIG_BOOL] = "1",     [CONFIG_TEXT] = "[]",  [CONFIG_NAME] = "[]",
                [CONFIG_TEXTS] = "{}",   [CONFIG_CHOICE] = "0", [CONFIG_OBJECT] = "[]",
                [CONFIG_OBJECTS] = "{}",
        };
        bool scalar =
                is_number(f) && f->type != CONFIG_VECTOR && f->type != CONFIG_INTEGERS;

        expect_refused(path, is_number(f) ? "\"1\"" : not_this[f->type]);
        if (scalar)
                check_bounds(f, path);
}

static int fields;

/* Down the tables and the default rig together, into the first entry of each array. */
static void walk(const struct config_table *t, const struct json *node, const char *path)
{
        for (const struct config_field *f = t->field; f->key; f++) {
                char below[200];
                const struct json *value = json_member(node, f->key);

                snprintf(below, sizeof(below), "%s%s%s", path, path[0] ? "." : "",
                         f->key);
                check_field(f, below);
                fields++;
                if (f->type == CONFIG_OBJECT && value)
                        walk(f->table, value, below);
                if (f->type == CONFIG_OBJECTS && value && value->first) {
                        strncat(below, ".0", sizeof(below) - strlen(below) - 1);
                        walk(f->table, value->first, below);
                }
        }
}

TEST(every_field_refuses_another_type_and_what_is_out_of_bounds)
{
        char *text;
        struct json_error parse_why;
        struct json *root;

        config_free(&rig);
        ck_assert(config_read(&rig, DEFAULT, NULL, &text, &why));
        root = json_parse(text, strlen(text), "x", &parse_why);
        walk(&config_rig_table, root, "");
        ck_assert_int_gt(fields, 150);
        json_free(root);
        free(text);
}

TEST(units_follow_from_the_longest_suffix)
{
        ck_assert_str_eq(config_unit("thrust_n_per_radps2"), "N/(rad/s)^2");
        ck_assert_str_eq(config_unit("angular_damping_nm_per_radps"), "N m/(rad/s)");
        ck_assert_str_eq(config_unit("accel_gain_per_s"), "1/s");
        ck_assert_str_eq(config_unit("period_us"), "us");
        ck_assert_ptr_null(config_unit("name"));
        ck_assert_ptr_null(config_unit("m"));
}
