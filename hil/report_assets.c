/* Files put into the program by the assembler. The page's own lie beside this file and are
 * found from the folder in which the compiler runs; dygraphs is the system's copy. */
#include "hil/report_assets.h"

#ifndef DYGRAPHS_DIR
#define DYGRAPHS_DIR "/usr/share/javascript/dygraphs"
#endif

#define ASSET(name, file)                                                                \
        __asm__(".section .rodata\n"                                                     \
                ".global report_asset_" #name "\n"                                       \
                "report_asset_" #name ":\n"                                              \
                ".incbin \"" file "\"\n"                                                 \
                ".global report_asset_" #name "_end\n"                                   \
                "report_asset_" #name "_end:\n"                                          \
                ".byte 0\n"                                                              \
                ".previous\n");                                                          \
        extern const char report_asset_##name[], report_asset_##name##_end[]

ASSET(page, "hil/report_page.html");
ASSET(css, "hil/report_page.css");
ASSET(js, "hil/report_page.js");
ASSET(dygraphs_css, DYGRAPHS_DIR "/dygraph.min.css");
ASSET(dygraphs_js, DYGRAPHS_DIR "/dygraph.min.js");

const char *report_asset(enum report_asset asset, size_t *len)
{
        static const struct {
                const char *from, *to;
        } file[] = {
                [REPORT_ASSET_PAGE] = { report_asset_page, report_asset_page_end },
                [REPORT_ASSET_CSS] = { report_asset_css, report_asset_css_end },
                [REPORT_ASSET_JS] = { report_asset_js, report_asset_js_end },
                [REPORT_ASSET_DYGRAPHS_CSS] = { report_asset_dygraphs_css,
                                                report_asset_dygraphs_css_end },
                [REPORT_ASSET_DYGRAPHS_JS] = { report_asset_dygraphs_js,
                                               report_asset_dygraphs_js_end },
        };

        *len = (size_t)(file[asset].to - file[asset].from);
        return file[asset].from;
}
