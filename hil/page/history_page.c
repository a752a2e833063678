/* A history as a page: what history.json has. */
#include <stdio.h>

#include "hil/history/history.h"
#include "hil/page/page.h"

char *history_html(const struct history *h)
{
        int worse = history_newly_worse(h), changed = 0;
        const char *newest = h->release[h->releases - 1].name;
        char explained[1000];
        struct json *page;

        for (int k = 0; k < h->rows; k++)
                changed += h->row[k].changes.count > 0;
        if (worse > 0)
                snprintf(explained, sizeof explained,
                         "With %s, %d of %d rows are newly found worse.", newest, worse,
                         h->rows);
        else
                snprintf(explained, sizeof explained,
                         "%s is no worse than what came before it. %d of %d rows have "
                         "changed at some time.",
                         newest, changed, h->rows);
        page = page_new("history", worse > 0 ? "failed" : "passed",
                        worse > 0 ? "worse" : "no worse", explained);
        json_add_string(page, "title", "Releases");
        page_add_text(page, "name", "%d releases, %s to %s", h->releases,
                      h->release[0].name, newest);
        if (h->left_out > 0)
                page_warn(page, "%d releases have no finished flight and are left out",
                          h->left_out);
        if (h->unreadable > 0)
                page_warn(page, "%d summaries could not be read: %s", h->unreadable,
                          h->problem);
        page_attach(page, "history", history_document(h));
        return page_text(page);
}
