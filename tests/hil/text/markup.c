/* Text that anybody wrote, in HTML, XML and scripts: it stays text, and whole UTF-8. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/json.h"
#include "hil/text/markup.h"
#include "models/rng.h"

#include "tests/suites.h"

static char *written(void (*write)(FILE *out, const char *text), const char *text)
{
        char *buffer = NULL;
        size_t len;
        FILE *out = open_memstream(&buffer, &len);

        ck_assert_ptr_nonnull(out);
        write(out, text);
        fclose(out);
        return buffer;
}

static const char hostile[] = "</script><img src=x onerror=alert(1)>\"'&\xE2\x80\xA8"
                              "<!--\x01\xFF\xC0\xAF\xED\xA0\x80\xE2\x80\xAE";

TEST(html_from_a_file_stays_text)
{
        char *html = written(markup_text, hostile);

        ck_assert_str_eq(html,
                         "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"
                         "&amp;\xE2\x80\xA8&lt;!--"
                         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
                         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
        free(html);
}

TEST(json_in_a_script_ends_no_script_and_reads_back)
{
        static const char text[] = "</script> \\ \" <!-- \xE2\x80\xA8 & \xC3\xA4\n";
        char *json = written(markup_json, text);
        struct json_error why;
        struct json *back;
        char object[300];

        ck_assert_ptr_null(strchr(json, '<'));
        ck_assert_ptr_null(strchr(json, '>'));
        ck_assert_ptr_null(strstr(json, "\xE2\x80\xA8"));
        snprintf(object, sizeof object, "{\"a\":%s}", json);
        back = json_parse(object, strlen(object), "x", &why);
        ck_assert_msg(back != NULL, "%s", why.text);
        ck_assert_str_eq(json_string(back, "a"), text);
        json_free(back);
        free(json);
}

TEST(every_byte_becomes_whole_utf8)
{
        for (int c = 1; c < 256; c++) {
                const char text[] = { (char)c, (char)0xBF, 'x', '\0' };
                char *json = written(markup_json, text), object[100];
                struct json_error why;
                struct json *back;

                snprintf(object, sizeof object, "{\"a\":%s}", json);
                back = json_parse(object, strlen(object), "x", &why);
                ck_assert_msg(back != NULL, "byte %d: %s", c, why.text);
                ck_assert_ptr_nonnull(strchr(json_string(back, "a"), 'x'));
                json_free(back);
                free(json);
        }
}

static void expect_printf(double value)
{
        char wanted[40], *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        snprintf(wanted, sizeof wanted, "%.6g", value);
        markup_json_number(out, value);
        fclose(out);
        ck_assert_msg(strcmp(text, wanted) == 0, "%a: %s, not %s", value, text, wanted);
        free(text);
}

/* With its neighbours, at which the rounding turns over. */
static void expect_printf_around(double value)
{
        double x = value;

        for (int i = 0; i < 4; i++)
                x = nextafter(x, -INFINITY);
        for (int i = 0; i < 9; i++, x = nextafter(x, INFINITY)) {
                expect_printf(x);
                expect_printf(-x);
        }
}

/* The C library rounds the exact value. */
TEST(numbers_of_a_plot_are_those_of_printf)
{
        static const double wanted[] = { 0.0,          1.0,      100.0,   123456.0,
                                         999999.0,     999999.5, 1e6,     1e-4,
                                         9.9999949e-5, 0.5,      0.15,    1e-5,
                                         1e15,         5e-324,   1.7e308, 0.1000005,
                                         100000.5,     99999.95, 2.5e-4 };
        struct rng rng = { { 1, 0 } };

        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
                expect_printf_around(wanted[i]);
        for (int e = -6; e <= 8; e++)
                expect_printf_around(pow(10.0, e));
        /* Of every size; then halves of the last digit, exact and as near as doubles come. */
        for (int i = 0; i < 200000; i++)
                expect_printf((rng_uniform(&rng) - 0.5) *
                              pow(10.0, 14.0 * rng_uniform(&rng) - 6.0));
        for (int i = 0; i < 20000; i++) {
                double half = 100000.5 + floor(899999.0 * rng_uniform(&rng));

                expect_printf_around(half * pow(10.0, -1.0 - (double)(i % 9)));
                expect_printf(half);
        }
}

TEST(what_is_no_number_is_null)
{
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        markup_json_number(out, NAN);
        markup_json_number(out, INFINITY);
        markup_json_number(out, -INFINITY);
        fclose(out);
        ck_assert_str_eq(text, "nullnullnull");
        free(text);
}

TEST(whole_numbers_are_written_to_their_ends)
{
        static const int64_t value[] = { 0, -1, 9, 10, -1000, INT64_MAX, INT64_MIN };
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
                markup_json_integer(out, value[i]);
                putc(' ', out);
        }
        fclose(out);
        ck_assert_str_eq(text, "0 -1 9 10 -1000 9223372036854775807 "
                               "-9223372036854775808 ");
        free(text);
}
