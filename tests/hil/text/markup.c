/* Text that anybody wrote, in HTML, XML and scripts: it stays text, and whole UTF-8. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/json.h"
#include "hil/text/markup.h"

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

START_TEST(html_from_a_file_stays_text)
{
        char *html = written(markup_text, hostile);

        ck_assert_str_eq(html,
                         "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"
                         "&amp;\xE2\x80\xA8&lt;!--"
                         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
                         "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
        free(html);
}
END_TEST

START_TEST(json_in_a_script_ends_no_script_and_reads_back)
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
END_TEST

START_TEST(every_byte_becomes_whole_utf8)
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
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *s = suite_create("markup");
        TCase *t = tcase_create("text");

        tcase_add_test(t, html_from_a_file_stays_text);
        tcase_add_test(t, json_in_a_script_ends_no_script_and_reads_back);
        tcase_add_test(t, every_byte_becomes_whole_utf8);
        suite_add_tcase(s, t);
        suites_add(__FILE__, s);
}
