/* What pages are made of: their own files and the plot library, as they were when hilrig was built. */
#ifndef HIL_PAGE_PAGE_ASSETS_H
#define HIL_PAGE_PAGE_ASSETS_H

#include <stddef.h>
#include <stdio.h>

enum page_asset {
        PAGE_ASSET_REPORT, /* HTML with {{names}} where something goes */
        PAGE_ASSET_REPORT_CSS,
        PAGE_ASSET_REPORT_JS,
        PAGE_ASSET_VERDICT_CSS, /* of suites and comparisons */
        PAGE_ASSET_COMPARE_CSS,
        PAGE_ASSET_COMPARE_JS,
        PAGE_ASSET_PLOTS_CSS, /* plots over time, on any page */
        PAGE_ASSET_PLOTS_JS,
        PAGE_ASSET_PLOTS_TOOLS, /* the buttons that move them */
        PAGE_ASSET_PLOTS_HINT, /* how to, in words */
        PAGE_ASSET_LICENCE, /* dygraphs' */
        PAGE_ASSET_DYGRAPHS_CSS,
        PAGE_ASSET_DYGRAPHS_JS
};

/* Not terminated. */
const char *page_asset(enum page_asset asset, size_t *len);
void page_asset_put(FILE *out, enum page_asset asset);

#endif
