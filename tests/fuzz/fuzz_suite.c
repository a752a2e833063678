/* Any text as a suite file, and any as the summaries that its runs left in their folder, cut at zero bytes: each is refused
 * with a reason, or what comes of it adds up; the pages and texts can be made, and no text moves a terminal's cursor. */
#include <sys/stat.h>

#include "hil/suite/compare.h"
#include "hil/suite/suite.h"
#include "hil/text/json.h"
#include "tests/fuzz/fuzz.h"

#define RUNS 3

static void check_document(char *text)
{
        struct json_error why;
        struct json *root;

        expect(text != NULL);
        root = json_parse(text, strlen(text), "suite.json", &why);
        expect(root != NULL);
        json_free(root);
        free(text);
}

static void check_page(char *text, const char *end)
{
        expect(text != NULL && strstr(text, end) != NULL);
        free(text);
}

static void make_run(struct suite *s, struct suite_run *r, int i)
{
        char below[600];

        *r = (struct suite_run){ .seed = (uint64_t)i,
                                 .repeat = 1,
                                 .rig = strdup("rig.json") };
        if (s->file.variants > 0)
                r->variant = &s->file.variant[i % s->file.variants];
        snprintf(r->group, sizeof r->group, "rig/own");
        snprintf(r->folder, sizeof r->folder, "%s/rig/own/%d-1", s->folder, i);
        snprintf(below, sizeof below, "%s/rig", s->folder);
        mkdir(below, 0700);
        strcat(below, "/own");
        mkdir(below, 0700);
        mkdir(r->folder, 0700);
}

/* What the settings say goes onto a command line: each is whole. */
static void check_sets(const struct suite *s, const struct suite_run *r)
{
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX], where[400];
        int n = suite_run_sets(s, r, text);

        expect(n <= SUITE_ARGS_MAX);
        for (int i = 0; i < n; i++) {
                expect(strnlen(text[i], SUITE_ARG_MAX) < SUITE_ARG_MAX);
                suite_set_origin(s, r, i, where, sizeof where);
        }
}

static void check_counts(const struct suite *s)
{
        struct suite_count c = suite_count(s);
        int status = suite_exit_status(s);

        expect(c.verdict[0] + c.verdict[1] + c.verdict[2] + c.verdict[3] + c.open ==
               s->runs);
        expect((status == 0) == (c.verdict[RUN_PASSED] == s->runs));
        check_document(suite_json(s));
        check_page(suite_html(s, ""), "</html>");
        check_page(suite_junit(s), "</testsuite");
}

/* The same folder is its own twin. */
static void check_comparison(const char *folder)
{
        struct compare_options o = { .part = 1.0 };
        struct compared_side a = { 0 }, b = { 0 };
        struct comparison c = { 0 };
        char why[700], *text = NULL;
        size_t len;
        FILE *out;

        compare_usual_rules(&o.rules);
        if (compared_side_read(&a, folder, why, sizeof why) &&
            compared_side_read(&b, folder, why, sizeof why) &&
            compare_sides(&c, &o, &a, &b, why, sizeof why)) {
                out = open_memstream(&text, &len);
                expect(out != NULL);
                compare_print(out, &c);
                fclose(out);
                for (size_t i = 0; i < len; i++)
                        expect((unsigned char)text[i] >= ' ' || text[i] == '\n');
                expect(c.verdict != COMPARE_REGRESSED);
                free(text);
        } else {
                expect(why[0] != '\0');
        }
        comparison_free(&c);
        compared_side_free(&a);
        compared_side_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct suite *s = calloc(1, sizeof *s);
        char path[700], why[700] = "";
        const uint8_t *part;
        size_t len;

        expect(s != NULL);
        s->folder_fd = -1;
        s->options.file = path;
        snprintf(s->folder, sizeof s->folder, "%s", scratch());
        snprintf(path, sizeof path, "%s/suite.json", s->folder);
        part = take_part(&data, &size, &len);
        put_file(path, part, len);
        if (!suite_read(s, why, sizeof why)) {
                check_lines(why, sizeof why);
                free(s);
                return 0;
        }
        s->run = calloc(RUNS, sizeof *s->run);
        expect(s->run != NULL);
        for (s->runs = 0; s->runs < RUNS; s->runs++) {
                struct suite_run *r = &s->run[s->runs];
                char summary[600];

                make_run(s, r, s->runs);
                part = take_part(&data, &size, &len);
                snprintf(summary, sizeof summary, "%s/summary.json", r->folder);
                put_file(summary, part, len);
                if (suite_result_read(r, s->runs == 0))
                        r->state = s->runs == 0 ? SUITE_KEPT : SUITE_FLOWN;
                check_sets(s, r);
        }
        check_counts(s);
        check_comparison(s->folder);
        suite_free(s);
        free(s);
        return 0;
}
