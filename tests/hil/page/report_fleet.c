/* The page of a fleet has its worst and its median, not lists of all its vehicles. */
#include <stdlib.h>
#include <string.h>

#include "hil/page/report.h"
#include "tests/suites.h"

static const char summary[] =
        "{\"metrics\": [{\"name\": \"tilt\", \"vehicle\": \"b\", \"value\": 1}],"
        " \"wiring\": [\"wire one\"], \"pace\": \"lockstep\","
        " \"fleet\": {\"by\": \"tilt\", \"worst\": 7}}";
static const char config_text[] =
        "{\"vehicles\": [{\"name\": \"a\", \"x\": {\"same\": 1, \"other\": 2}},"
        " {\"name\": \"b\", \"x\": {\"same\": 1, \"other\": 3}, \"own\": 5}]}";

static char *page_of(const struct report *r)
{
        char *page = NULL;
        size_t len;
        FILE *out = open_memstream(&page, &len);

        ck_assert(report_page(out, r));
        fclose(out);
        return page;
}

TEST(the_page_has_no_list_of_all)
{
        const struct report_files files = { .summary = summary,
                                            .summary_len = strlen(summary),
                                            .config = config_text,
                                            .config_len = strlen(config_text) };
        struct report *r = calloc(1, sizeof *r);
        char *page;

        ck_assert(report_read(r, "folder", &files));
        page = page_of(r);
        ck_assert_ptr_nonnull(strstr(page, "\"metrics\":[]"));
        ck_assert_ptr_null(strstr(page, "wire one"));
        ck_assert_ptr_nonnull(strstr(page, "\"pace\":\"lockstep\""));
        ck_assert_ptr_nonnull(strstr(page, "\"config_brief\":true"));
        /* The log has no vehicle 7: nothing is said of it. */
        ck_assert_ptr_null(strstr(page, "\"worst\":7,"));
        free(page);
        report_free(r);
        free(r);
}

TEST(the_first_vehicle_is_whole_and_of_others_there_is_what_differs)
{
        struct json_error why;
        struct json *whole = json_parse(config_text, strlen(config_text), "x", &why);
        char *text = report_brief_config(whole);
        struct json *brief = json_parse(text, strlen(text), "x", &why);

        ck_assert_double_eq(json_number(brief, "vehicles.0.x.same"), 1.0);
        ck_assert_ptr_null(json_at(brief, "vehicles.1.x.same"));
        ck_assert_double_eq(json_number(brief, "vehicles.1.x.other"), 3.0);
        ck_assert_double_eq(json_number(brief, "vehicles.1.own"), 5.0);
        ck_assert_str_eq(json_string(brief, "vehicles.1.name"), "b");
        json_free(brief);
        json_free(whole);
        free(text);
}
