/* The page's own files and the plot library, as they were when hilrig was built. */
#ifndef HIL_REPORT_ASSETS_H
#define HIL_REPORT_ASSETS_H

#include <stddef.h>

enum report_asset {
        REPORT_ASSET_PAGE, /* HTML with {{names}} where something goes */
        REPORT_ASSET_CSS,
        REPORT_ASSET_JS,
        REPORT_ASSET_DYGRAPHS_CSS,
        REPORT_ASSET_DYGRAPHS_JS
};

/* Not terminated. */
const char *report_asset(enum report_asset asset, size_t *len);

#endif
