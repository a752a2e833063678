/* The live page's template with its parts filled in; the assembler puts them into the program, as those of a report. */
#include "hil/live/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/page.h"

#define ASSET(name, file)                                                                \
        __asm__(".section .rodata\n"                                                     \
                ".global live_asset_" #name "\n"                                         \
                "live_asset_" #name ":\n"                                                \
                ".incbin \"" file "\"\n"                                                 \
                ".global live_asset_" #name "_end\n"                                     \
                "live_asset_" #name "_end:\n"                                            \
                ".byte 0\n"                                                              \
                ".previous\n");                                                          \
        extern const char live_asset_##name[], live_asset_##name##_end[]

ASSET(html, "hil/live/live.html");
ASSET(css, "hil/live/live.css");
ASSET(js, "hil/live/live.js");
ASSET(sticks_js, "hil/live/live_sticks.js");
ASSET(film_js, "hil/live/live_film.js");
ASSET(store_js, "hil/live/live_store.js");
ASSET(curves_js, "hil/live/live_curves.js");
ASSET(lists_js, "hil/live/live_lists.js");

static const struct {
        const char *name, *from, *to;
} assets[] = {
        { "live_css", live_asset_css, live_asset_css_end },
        { "live_js", live_asset_js, live_asset_js_end },
        { "live_sticks_js", live_asset_sticks_js, live_asset_sticks_js_end },
        { "live_film_js", live_asset_film_js, live_asset_film_js_end },
        { "live_store_js", live_asset_store_js, live_asset_store_js_end },
        { "live_curves_js", live_asset_curves_js, live_asset_curves_js_end },
        { "live_lists_js", live_asset_lists_js, live_asset_lists_js_end },
};

static void put_asset(FILE *out, const char *name, size_t len)
{
        for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++)
                if (strlen(assets[i].name) == len &&
                    memcmp(assets[i].name, name, len) == 0) {
                        fwrite(assets[i].from, 1, (size_t)(assets[i].to - assets[i].from),
                               out);
                        return;
                }
        page_put_asset(out, name, len);
}

static void put_template(FILE *out)
{
        const char *at = live_asset_html, *end = live_asset_html_end, *open, *close;

        while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL &&
               (close = memmem(open, (size_t)(end - open), "}}", 2)) != NULL) {
                fwrite(at, 1, (size_t)(open - at), out);
                put_asset(out, open + 2, (size_t)(close - open - 2));
                at = close + 2;
        }
        fwrite(at, 1, (size_t)(end - at), out);
}

char *live_page_text(size_t *len)
{
        char *text = NULL;
        FILE *out = open_memstream(&text, len);

        if (out == NULL)
                return NULL;
        put_template(out);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}
