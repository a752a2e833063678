/* Files put into the program by the assembler. The page's own lie beside this file and are
 * found from the folder in which the compiler runs; dygraphs is the system's copy. */
#include "hil/page/page_assets.h"

#include <string.h>

#ifndef DYGRAPHS_DIR
#define DYGRAPHS_DIR "/usr/share/javascript/dygraphs"
#endif

#define ASSET(name, file)                                                                \
        __asm__(".section .rodata\n"                                                     \
                ".global page_asset_" #name "\n"                                         \
                "page_asset_" #name ":\n"                                                \
                ".incbin \"" file "\"\n"                                                 \
                ".global page_asset_" #name "_end\n"                                     \
                "page_asset_" #name "_end:\n"                                            \
                ".byte 0\n"                                                              \
                ".previous\n");                                                          \
        extern const char page_asset_##name[], page_asset_##name##_end[]

ASSET(report, "hil/page/report_page.html");
ASSET(report_css, "hil/page/report_page.css");
ASSET(report_js, "hil/page/report_page.js");
ASSET(verdict_css, "hil/page/verdict_page.css");
ASSET(compare_css, "hil/page/compare_page.css");
ASSET(compare_js, "hil/page/compare_page.js");
ASSET(plots_css, "hil/page/time_plots.css");
ASSET(plots_js, "hil/page/time_plots.js");
ASSET(plots_tools, "hil/page/time_plots_tools.html");
ASSET(plots_hint, "hil/page/time_plots_hint.html");
ASSET(licence, "hil/page/dygraphs_licence.html");
ASSET(dygraphs_css, DYGRAPHS_DIR "/dygraph.min.css");
ASSET(dygraphs_js, DYGRAPHS_DIR "/dygraph.min.js");

static const struct {
        const char *from, *to;
} files[] = {
        [PAGE_ASSET_REPORT] = { page_asset_report, page_asset_report_end },
        [PAGE_ASSET_REPORT_CSS] = { page_asset_report_css, page_asset_report_css_end },
        [PAGE_ASSET_REPORT_JS] = { page_asset_report_js, page_asset_report_js_end },
        [PAGE_ASSET_VERDICT_CSS] = { page_asset_verdict_css, page_asset_verdict_css_end },
        [PAGE_ASSET_COMPARE_CSS] = { page_asset_compare_css, page_asset_compare_css_end },
        [PAGE_ASSET_COMPARE_JS] = { page_asset_compare_js, page_asset_compare_js_end },
        [PAGE_ASSET_PLOTS_CSS] = { page_asset_plots_css, page_asset_plots_css_end },
        [PAGE_ASSET_PLOTS_JS] = { page_asset_plots_js, page_asset_plots_js_end },
        [PAGE_ASSET_PLOTS_TOOLS] = { page_asset_plots_tools, page_asset_plots_tools_end },
        [PAGE_ASSET_PLOTS_HINT] = { page_asset_plots_hint, page_asset_plots_hint_end },
        [PAGE_ASSET_LICENCE] = { page_asset_licence, page_asset_licence_end },
        [PAGE_ASSET_DYGRAPHS_CSS] = { page_asset_dygraphs_css,
                                      page_asset_dygraphs_css_end },
        [PAGE_ASSET_DYGRAPHS_JS] = { page_asset_dygraphs_js, page_asset_dygraphs_js_end },
};

const char *page_asset(enum page_asset asset, size_t *len)
{
        static const char map[] = "# sourceMappingURL=";
        const char *from = files[asset].from, *end;

        *len = (size_t)(files[asset].to - from);
        end = memmem(from, *len, map, sizeof map - 1);
        /* The map is another file, which a page does not have. */
        if (end != NULL)
                *len = (size_t)(end - from) - 2;
        return from;
}

void page_asset_put(FILE *out, enum page_asset asset)
{
        size_t len;
        const char *text = page_asset(asset, &len);

        fwrite(text, 1, len, out);
}
