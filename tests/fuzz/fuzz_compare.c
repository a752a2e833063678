/* Two summaries, cut at the first zero byte, as sixteen pairs of runs: whatever they say, the
 * comparison has a verdict, its counts add up, and its texts can be made. */
#include "hil/suite/compare.h"
#include "tests/fuzz/fuzz.h"

#define PAIRS 16

static bool add(struct compared_side *s, const char *text, size_t len)
{
        char why[400];

        for (int i = 0; i < PAIRS; i++) {
                struct compared_result *r = &s->run[s->runs++];

                if (!compared_result_parse(r, text, len, "summary.json", why,
                                           sizeof why)) {
                        if (why[0] == '\0')
                                abort();
                        return false;
                }
                snprintf(r->group, sizeof r->group, "fuzz");
                r->seed = (uint64_t)i;
        }
        return true;
}

static void check(const struct comparison *c)
{
        char *json = compare_json(c), *html = compare_html(c, NULL);
        int rows = 0;

        for (int v = 0; v < COMPARE_VERDICTS; v++)
                rows += c->count[v];
        if (json == NULL || html == NULL || rows != c->rows)
                abort();
        for (int i = 0; i < c->rows; i++)
                if (c->row[i].kind != COMPARED_HOST &&
                    (!(c->row[i].p.among >= c->row[i].p.alone) ||
                     !(c->row[i].p.among <= 1.0)))
                        abort();
        free(json);
        free(html);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct compare_options o = { .part = 1.0 };
        const uint8_t *zero = len > 0 ? memchr(data, 0, len) : NULL;
        size_t first = zero ? (size_t)(zero - data) : len;
        size_t second = zero ? len - first - 1 : 0;
        struct compared_side a = { .run = calloc(PAIRS, sizeof *a.run) };
        struct compared_side b = { .run = calloc(PAIRS, sizeof *b.run) };
        struct comparison c = { 0 };
        char why[400];

        compare_usual_rules(&o.rules);
        if (add(&a, (const char *)data, first) &&
            add(&b, (const char *)data + (zero ? first + 1 : 0), zero ? second : len) &&
            compare_sides(&c, &o, &a, &b, why, sizeof why))
                check(&c);
        comparison_free(&c);
        compared_side_free(&a);
        compared_side_free(&b);
        return 0;
}
