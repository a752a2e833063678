/* The page: its template with every {{name}} filled in. */
#include "hil/page/report_page.h"

#include <string.h>

#include "hil/text/markup.h"
#include "hil/page/page_assets.h"

void report_seconds(FILE *out, int64_t t_us)
{
        fprintf(out, "%.3f s", (double)t_us / 1e6);
}

static void put_css(FILE *out, const struct report *r)
{
        (void)r;
        page_asset_put(out, PAGE_ASSET_DYGRAPHS_CSS);
        putc('\n', out);
        page_asset_put(out, PAGE_ASSET_PLOTS_CSS);
        page_asset_put(out, PAGE_ASSET_REPORT_CSS);
}

static void put_title(FILE *out, const struct report *r)
{
        const char *name = json_string(r->config, "name");

        markup_text(out, report_verdict(r));
        fputs(": ", out);
        markup_text(out, name != NULL ? name : "run");
}

static void put_name(FILE *out, const struct report *r)
{
        const char *name = json_string(r->config, "name");
        const char *scenario = json_string(r->config, "scenario.name");

        markup_text(out, name != NULL ? name : "unnamed rig");
        if (scenario != NULL) {
                fputs(" \xC2\xB7 ", out);
                markup_text(out, scenario);
        }
}

static const struct {
        const char *name;
        void (*put)(FILE *out, const struct report *r);
} places[] = {
        { "css", put_css },
        { "title", put_title },
        { "name", put_name },
        { "verdict_word", report_put_verdict_word },
        { "verdict", report_put_verdict },
        { "figures", report_put_figures },
        { "requirements", report_put_requirements },
        { "metrics", report_put_metrics },
        { "events", report_put_events },
        { "lines", report_put_lines },
        { "latency", report_put_latency },
        { "host", report_put_host },
        { "link", report_put_link },
        { "versions", report_put_versions },
        { "config", report_put_config },
        { "data", report_put_data },
};

/* That are the same whatever flew. */
static const struct {
        const char *name;
        enum page_asset asset;
} fixed[] = {
        { "window_tools", PAGE_ASSET_PLOTS_TOOLS },
        { "window_hint", PAGE_ASSET_PLOTS_HINT },
        { "licence", PAGE_ASSET_LICENCE },
        { "dygraphs", PAGE_ASSET_DYGRAPHS_JS },
        { "time_plots", PAGE_ASSET_PLOTS_JS },
        { "js", PAGE_ASSET_REPORT_JS },
};

static bool is_named(const char *place, const char *name, size_t len)
{
        return strlen(place) == len && memcmp(place, name, len) == 0;
}

static void put_place(FILE *out, const struct report *r, const char *name, size_t len)
{
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
                if (is_named(places[i].name, name, len))
                        places[i].put(out, r);
        for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
                if (is_named(fixed[i].name, name, len))
                        page_asset_put(out, fixed[i].asset);
}

void report_page(FILE *out, const struct report *r)
{
        size_t len;
        const char *at = page_asset(PAGE_ASSET_REPORT, &len);
        const char *end = at + len, *open, *close;

        while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL &&
               (close = memmem(open, (size_t)(end - open), "}}", 2)) != NULL) {
                fwrite(at, 1, (size_t)(open - at), out);
                put_place(out, r, open + 2, (size_t)(close - open - 2));
                at = close + 2;
        }
        fwrite(at, 1, (size_t)(end - at), out);
}
