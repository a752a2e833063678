/* The page: its template with every {{name}} filled in. */
#include "hil/report_page.h"

#include <string.h>

#include "hil/markup.h"
#include "hil/report_assets.h"

void report_seconds(FILE *out, int64_t t_us)
{
        fprintf(out, "%.3f s", (double)t_us / 1e6);
}

static void put_asset(FILE *out, enum report_asset asset)
{
        static const char map[] = "# sourceMappingURL=";
        size_t len;
        const char *text = report_asset(asset, &len);
        const char *end = memmem(text, len, map, sizeof map - 1);

        /* The map is another file, which the page does not have. */
        if (end != NULL)
                len = (size_t)(end - text) - 2;
        fwrite(text, 1, len, out);
}

static void put_css(FILE *out, const struct report *r)
{
        (void)r;
        put_asset(out, REPORT_ASSET_DYGRAPHS_CSS);
        putc('\n', out);
        put_asset(out, REPORT_ASSET_CSS);
}

static void put_dygraphs(FILE *out, const struct report *r)
{
        (void)r;
        put_asset(out, REPORT_ASSET_DYGRAPHS_JS);
}

static void put_js(FILE *out, const struct report *r)
{
        (void)r;
        put_asset(out, REPORT_ASSET_JS);
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
        { "dygraphs", put_dygraphs },
        { "js", put_js },
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

static void put_place(FILE *out, const struct report *r, const char *name, size_t len)
{
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
                if (strlen(places[i].name) == len &&
                    memcmp(places[i].name, name, len) == 0)
                        places[i].put(out, r);
}

void report_page(FILE *out, const struct report *r)
{
        size_t len;
        const char *at = report_asset(REPORT_ASSET_PAGE, &len);
        const char *end = at + len, *open, *close;

        while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL &&
               (close = memmem(open, (size_t)(end - open), "}}", 2)) != NULL) {
                fwrite(at, 1, (size_t)(open - at), out);
                put_place(out, r, open + 2, (size_t)(close - open - 2));
                at = close + 2;
        }
        fwrite(at, 1, (size_t)(end - at), out);
}
