/* A comparison as a page: what compare.json has, and the flights over each other. */
#include <stdlib.h>

#include "hil/page/compare_lines.h"
#include "hil/page/page.h"

char *compare_html(const struct comparison *c, const struct compared_side side[2])
{
        static const char *const tone[] = { [COMPARE_REGRESSED] = "failed",
                                            [COMPARE_IMPROVED] = "passed",
                                            [COMPARE_TOO_LITTLE] = "void",
                                            [COMPARE_SAME] = "passed" };
        /* Without a twin there is nothing to lay over each other. */
        bool plots = side != NULL && c->twins > c->unusable, ok;
        char explained[2000], *text = NULL;
        struct json *page;
        size_t len;
        FILE *f = open_memstream(&text, &len);

        compare_explain(c, explained, sizeof explained);
        page = page_new("comparison", tone[c->verdict], compare_verdict_name(c->verdict),
                        explained);
        json_add_string(page, "title", "Baseline against candidate");
        json_add_string(page, "name", "Baseline against candidate");
        json_add_bool(page, "plots", plots);
        json_add_bool(page, "space", plots);
        page_attach(page, "comparison", compare_document(c));
        ok = f != NULL && page_open(f, page);
        ok = ok && (!plots || compare_plots_put(f, c, side));
        if (ok)
                page_close(f, page);
        json_free(page);
        if (f != NULL && fclose(f) == 0 && ok)
                return text;
        free(text);
        return NULL;
}
