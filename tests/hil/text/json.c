/* JSON: what is refused and where, and numbers that survive being written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/text/json.h"
#include "models/rng.h"

#include "tests/suites.h"

static struct json *parse(const char *text)
{
        struct json_error why;

        return json_parse(text, strlen(text), "t.json", &why);
}

/* From memory that ends with the text, so that a sanitizer sees a step beyond. */
static void refused(const char *text, size_t len, const char *words)
{
        struct json_error why = { "" };
        char *copy = malloc(len ? len : 1);
        struct json *root;

        if (len)
                memcpy(copy, text, len);
        root = json_parse(copy, len, "t.json", &why);
        free(copy);

        ck_assert_msg(!root, "was read: %s", text);
        ck_assert_msg(strstr(why.text, words) != NULL, "%s: %s, not %s", text, why.text,
                      words);
}

static void bad(const char *text, const char *words)
{
        refused(text, strlen(text), words);
}

TEST(grammar_is_that_of_rfc_8259)
{
        static const char *const good[] = { "0",
                                            "-0",
                                            "1.5e-7",
                                            "[]",
                                            "{}",
                                            "null",
                                            "true",
                                            "\"\"",
                                            " [1 ,2 ] ",
                                            "\"\\u00e4\\n\\\"\"",
                                            "{\"a\":{\"b\":[null]}}",
                                            "\"\xc3\xa4\"" };
        static const char *const wrong[] = { "",
                                             " ",
                                             "01",
                                             "1.",
                                             ".5",
                                             "+1",
                                             "-",
                                             "1e",
                                             "0x10",
                                             "1,2",
                                             "[1,]",
                                             "{a:1}",
                                             "{\"a\"}",
                                             "{\"a\":1,}",
                                             "'a'",
                                             "tru",
                                             "n",
                                             "[1}",
                                             "]",
                                             "\"\\x\"",
                                             "// c",
                                             "[1 2]",
                                             "{\"a\" 1}",
                                             "\"\\ud800\"",
                                             "\"\t\"",
                                             "\x01",
                                             "[\"a\"",
                                             "\"\xff\"",
                                             "\"\xc0\xaf\"",
                                             "\"\xed\xa0\x80\"",
                                             "\xef\xbb\xbf{}" };

        for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
                struct json *root = parse(good[i]);

                ck_assert_msg(root != NULL, "refused: %s", good[i]);
                json_free(root);
        }
        for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
                bad(wrong[i], "line 1, column ");
}

TEST(errors_name_line_and_column)
{
        bad("{\n  \"a\": 1e999\n}", "line 2, column 8: number is too large");
        bad("{\n  \"a\": -1e999\n}", "line 2, column 8: number is too large");
        bad("[\n1,\n NaN]", "line 3, column 2: a number must be finite");
        bad("[Infinity]", "line 1, column 2: a number must be finite");
        bad("{} x", "line 1, column 4: something follows");
        bad("{\n\"a\": 1", "line 2, column 7: ends too early");
        bad("{\n\"a", "line 2, column 1: string does not end");
}

TEST(zero_bytes_do_not_end_a_text)
{
        refused("1\0", 2, "line 1, column 2");
        refused("\"a\0b\"", 5, "control character");
        bad("\"\\u0000\"", "zero character");
}

TEST(a_text_cut_anywhere_is_refused)
{
        struct config_error why;
        size_t len;
        char *text = config_load_text("rig_configs/scenarios/hover_and_waypoints.json",
                                      &len, &why);

        ck_assert_ptr_nonnull(text);
        while (len > 0 && strchr(" \n", text[len - 1]))
                len--;
        for (size_t cut = 0; cut < len; cut++)
                refused(text, cut, "line ");
        free(text);
}

TEST(a_key_given_twice_is_named_with_its_path)
{
        bad("{\"a\": [{\"b\": {\"c\": 1, \"d\": 2, \"c\": 3}}]}", "a.0.b.c: given twice");
}

/* n brackets, and as many that close them. */
static char *nest(int n)
{
        char *text = calloc(1, 2 * (size_t)n + 1);

        memset(text, '[', (size_t)n);
        memset(text + n, ']', (size_t)n);
        return text;
}

TEST(nesting_and_number_of_values_are_bounded)
{
        char *deepest = nest(JSON_DEPTH_MAX), *deeper = nest(JSON_DEPTH_MAX + 1);
        char *flood = nest(1000000);
        size_t len = 2 * JSON_VALUES_MAX + 3;
        char *many = malloc(len + 1);
        struct json *root = parse(deepest);

        ck_assert_ptr_nonnull(root);
        bad(deeper, "nested too deep");
        bad(flood, "line 1, column 33: nested too deep");
        for (size_t i = 0; i < len; i++)
                many[i] = i % 2 ? '1' : ',';
        many[0] = '[';
        many[len - 1] = ']';
        refused(many, len, "more than 400000 values");
        json_free(root);
        free(deepest);
        free(deeper);
        free(flood);
        free(many);
}

static uint64_t bits_of(double x)
{
        uint64_t bits;

        memcpy(&bits, &x, sizeof(bits));
        return bits;
}

/* Any bits that are a finite number. */
static double any_double(struct rng *rng)
{
        uint64_t bits = (uint64_t)(rng_uniform(rng) * 0x1p32) << 32 |
                        (uint64_t)(rng_uniform(rng) * 0x1p32);
        double x;

        memcpy(&x, &bits, sizeof(x));
        return isfinite(x) ? x : 0.1;
}

TEST(numbers_read_back_to_the_same_bits)
{
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < 100000; i++) {
                double x = any_double(&rng), y;
                char text[40];

                json_format_number(text, sizeof(text), x);
                y = strtod(text, NULL);
                ck_assert_msg(bits_of(x) == bits_of(y), "%a became %s", x, text);
        }
}

TEST(numbers_are_as_short_as_a_person_writes_them)
{
        static const char *const as_written[] = { "0.1", "9.80665", "-1.2", "4590",
                                                  "1e+22" };
        char text[40];

        for (size_t i = 0; i < sizeof(as_written) / sizeof(as_written[0]); i++) {
                json_format_number(text, sizeof(text), strtod(as_written[i], NULL));
                ck_assert_str_eq(text, as_written[i]);
        }
}

/* An object with one of each, as summary.json has them. */
static struct json *build(void)
{
        struct json *root = json_new_object();
        struct json *list = json_add_array(root, "list");

        json_add_u64(root, "big", UINT64_MAX);
        json_add_i64(root, "small", INT64_MIN);
        json_add_number(root, "number", 0.1);
        json_add_number(root, "nothing", NAN);
        json_add_string(root, "text", "a \"b\"\n\t\x01\\ \xc3\xa4");
        json_add_bool(root, "yes", true);
        json_add_bool(json_add_object(list, NULL), "no", false);
        json_add_number(list, NULL, -3.0);
        json_add_object(root, "empty");
        return root;
}

TEST(what_is_built_prints_in_order)
{
        struct json *root = build();
        char *line = json_print_line(root);

        ck_assert_str_eq(line, "{\"list\": [{\"no\": false}, -3], "
                               "\"big\": 18446744073709551615, "
                               "\"small\": -9223372036854775808, \"number\": 0.1, "
                               "\"nothing\": null, "
                               "\"text\": \"a \\\"b\\\"\\n\\t\\u0001\\\\ \xc3\xa4\", "
                               "\"yes\": true, \"empty\": {}}");
        free(line);
        json_free(root);
}

TEST(what_is_printed_reads_back_the_same)
{
        struct json *root = build();
        char *lines = json_print(root), *again;
        struct json *read = parse(lines);

        ck_assert_ptr_nonnull(read);
        ck_assert_str_eq(json_string(read, "text"), json_string(root, "text"));
        ck_assert(!json_bool(read, "list.0.no", true));
        /* Digits beyond a double's are the printer's alone. */
        json_free(json_detach(json_member(root, "big")));
        json_free(json_detach(json_member(root, "small")));
        json_free(json_detach(json_member(read, "big")));
        json_free(json_detach(json_member(read, "small")));
        free(lines);
        lines = json_print(root);
        again = json_print(read);
        ck_assert_str_eq(lines, again);
        free(lines);
        free(again);
        json_free(root);
        json_free(read);
}

TEST(nothing_can_be_added_to_nothing)
{
        struct json *none = json_add_object(NULL, "a");

        ck_assert_ptr_null(none);
        json_add_number(none, "b", 1.0);
        json_add_string(json_add_array(none, "c"), NULL, "d");
        ck_assert_ptr_null(json_print(NULL));
        json_free(NULL);
}

TEST(absent_values_read_as_absent)
{
        struct json *root = parse("{\"a\": [1, {\"b\": \"x\"}], \"n\": 1.5, \"m\": -1}");
        uint64_t value = 7;
        char text[4];

        ck_assert(isnan(json_number(root, "a.2")));
        ck_assert(isnan(json_number(root, "a.1.b")));
        ck_assert(isnan(json_number(root, "a.-1")));
        ck_assert(isnan(json_number(root, "a.b")));
        ck_assert_ptr_null(json_string(root, "n"));
        ck_assert_ptr_null(json_string(NULL, "n"));
        ck_assert(json_bool(root, "n", true));
        ck_assert(!json_u64(root, "n", &value) && !json_u64(root, "m", &value));
        ck_assert_uint_eq(value, 7);
        ck_assert_str_eq(json_string(root, "a.1.b"), "x");
        json_copy_string(root, "a.1.b", text, sizeof text);
        ck_assert_str_eq(text, "x");
        json_copy_string(root, "n", text, sizeof text);
        ck_assert_str_eq(text, "");
        ck_assert_ptr_eq(json_at(root, ""), root);
        json_free(root);
}

static void check_paths(const struct json *root, const struct json *n)
{
        char path[200];

        json_path(n, path, sizeof(path));
        ck_assert_ptr_eq(json_at(root, path), n);
        for (const struct json *c = n->first; c; c = c->next)
                check_paths(root, c);
}

TEST(the_path_of_a_value_leads_back_to_it)
{
        struct config_error why;
        size_t len;
        char *text = config_load_text("rig_configs/vehicles/md4_200.json", &len, &why);
        struct json *root = parse(text);

        check_paths(root, root);
        json_free(root);
        free(text);
}

TEST(surgery_leaves_a_whole_list)
{
        struct json *root = parse("[1, 2, 3]");

        json_replace(json_item(root, 2), json_new_object());
        json_free(json_detach(json_item(root, 0)));
        json_add_number(root, NULL, 4.0);
        ck_assert_int_eq(root->count, 3);
        char *line = json_print_line(root);

        ck_assert_str_eq(line, "[2, {}, 4]");
        free(line);
        json_free(root);
}
