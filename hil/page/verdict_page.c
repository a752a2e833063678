#include "hil/page/verdict_page.h"

#include "hil/text/markup.h"
#include "hil/page/page_assets.h"

static const char policy[] =
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n";

static void put_style(FILE *f, bool plots)
{
        static const enum page_asset of_plots[] = { PAGE_ASSET_DYGRAPHS_CSS,
                                                    PAGE_ASSET_PLOTS_CSS,
                                                    PAGE_ASSET_COMPARE_CSS };

        fputs("<style>\n", f);
        page_asset_put(f, PAGE_ASSET_VERDICT_CSS);
        for (size_t i = 0; plots && i < sizeof of_plots / sizeof of_plots[0]; i++) {
                page_asset_put(f, of_plots[i]);
                putc('\n', f);
        }
        fputs("</style>\n", f);
}

void verdict_page_head(FILE *f, const char *title, const char *tone, const char *verdict,
                       const char *explained, bool plots)
{
        fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
              f);
        fputs(policy, f);
        fputs("<title>", f);
        markup_text(f, title);
        fputs("</title>\n", f);
        put_style(f, plots);
        fputs("<body>\n<h1>", f);
        markup_text(f, title);
        fprintf(f, "</h1>\n<p class=\"verdict %s\">", tone);
        markup_text(f, verdict);
        fputs("</p>\n<p>", f);
        markup_text(f, explained);
        fputs("</p>\n", f);
}

void verdict_page_tail(FILE *f)
{
        fputs("</body>\n</html>\n", f);
}
