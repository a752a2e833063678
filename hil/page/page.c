/* The template with every {{name}} filled in. Its files are put into the program by the assembler, which finds
 * them from the folder in which the compiler runs; dygraphs and three.js are the system's copies. */
#include "hil/page/page.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/markup.h"

#ifndef DYGRAPHS_DIR
#define DYGRAPHS_DIR "/usr/share/javascript/dygraphs"
#endif

#ifndef THREE_DIR
#define THREE_DIR "/usr/share/javascript/three"
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

ASSET(html, "hil/page/page.html");
ASSET(css, "hil/page/page.css");
ASSET(js, "hil/page/page.js");
ASSET(drawing_js, "hil/page/page_drawing.js");
ASSET(tables_js, "hil/page/page_tables.js");
ASSET(plots_js, "hil/page/page_plots.js");
ASSET(records_js, "hil/page/page_records.js");
ASSET(map_js, "hil/page/page_map.js");
ASSET(timeline_js, "hil/page/page_timeline.js");
ASSET(player_js, "hil/page/page_player.js");
ASSET(pair_js, "hil/page/page_pair.js");
ASSET(bands_js, "hil/page/page_bands.js");
ASSET(scene_js, "hil/page/scene.js");
ASSET(scene_parts_js, "hil/page/scene_parts.js");
ASSET(scene_shapes_js, "hil/page/scene_shapes.js");
ASSET(space_js, "hil/page/page_space.js");
ASSET(flight_js, "hil/page/page_flight.js");
ASSET(flights_js, "hil/page/page_flights.js");
ASSET(licence, "hil/page/licences.html");
ASSET(dygraphs_css, DYGRAPHS_DIR "/dygraph.min.css");
ASSET(dygraphs_js, DYGRAPHS_DIR "/dygraph.min.js");
ASSET(three_js, THREE_DIR "/three.min.js");

/* What goes into the template as it is: into every page, into those that have plots, into those that have a scene. */
static const struct asset {
        const char *name, *from, *to;
        enum part { EVERY, PLOTS, SPACE } part;
} assets[] = {
        { "css", page_asset_css, page_asset_css_end, EVERY },
        { "js", page_asset_js, page_asset_js_end, EVERY },
        { "drawing_js", page_asset_drawing_js, page_asset_drawing_js_end, EVERY },
        { "tables_js", page_asset_tables_js, page_asset_tables_js_end, EVERY },
        { "plots_js", page_asset_plots_js, page_asset_plots_js_end, PLOTS },
        { "records_js", page_asset_records_js, page_asset_records_js_end, PLOTS },
        { "map_js", page_asset_map_js, page_asset_map_js_end, PLOTS },
        { "timeline_js", page_asset_timeline_js, page_asset_timeline_js_end, PLOTS },
        { "player_js", page_asset_player_js, page_asset_player_js_end, SPACE },
        { "pair_js", page_asset_pair_js, page_asset_pair_js_end, SPACE },
        { "bands_js", page_asset_bands_js, page_asset_bands_js_end, PLOTS },
        { "scene_js", page_asset_scene_js, page_asset_scene_js_end, SPACE },
        { "scene_parts_js", page_asset_scene_parts_js, page_asset_scene_parts_js_end,
          SPACE },
        { "scene_shapes_js", page_asset_scene_shapes_js, page_asset_scene_shapes_js_end,
          SPACE },
        { "space_js", page_asset_space_js, page_asset_space_js_end, SPACE },
        { "flight_js", page_asset_flight_js, page_asset_flight_js_end, PLOTS },
        { "flights_js", page_asset_flights_js, page_asset_flights_js_end, PLOTS },
        { "licence", page_asset_licence, page_asset_licence_end, PLOTS },
        { "dygraphs_css", page_asset_dygraphs_css, page_asset_dygraphs_css_end, PLOTS },
        { "dygraphs_js", page_asset_dygraphs_js, page_asset_dygraphs_js_end, PLOTS },
        { "three_js", page_asset_three_js, page_asset_three_js_end, SPACE },
};

static void add_words(struct json *parent, const char *key, const char *format,
                      va_list args)
{
        char *text = NULL;

        json_add_string(parent, key, vasprintf(&text, format, args) < 0 ? NULL : text);
        free(text);
}

struct json *page_new(const char *kind, const char *tone, const char *verdict,
                      const char *reason)
{
        struct json *page = json_new_object();

        json_add_string(page, "page", kind);
        json_add_string(page, "tone", tone);
        json_add_string(page, "verdict", verdict);
        json_add_string(page, "reason", reason);
        json_add_array(page, "warnings");
        return page;
}

void page_add_text(struct json *parent, const char *key, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        add_words(parent, key, format, args);
        va_end(args);
}

void page_attach(struct json *page, const char *key, struct json *part)
{
        if (page == NULL)
                json_free(part);
        else
                json_attach(page, key, part);
}

void page_warn(struct json *page, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        add_words(json_member(page, "warnings"), NULL, format, args);
        va_end(args);
}

/* A path as a URL: whatever could mean something else is written in hex. */
static void put_url(FILE *f, const char *path)
{
        for (; *path != '\0'; path++) {
                if (isalnum((unsigned char)*path) || strchr("/._-+~", *path))
                        fputc(*path, f);
                else
                        fprintf(f, "%%%02X", (unsigned char)*path);
        }
}

void page_add_url(struct json *parent, const char *prefix, const char *path)
{
        char *url = NULL;
        size_t len;
        FILE *f = open_memstream(&url, &len);

        if (f == NULL)
                return;
        put_url(f, prefix);
        put_url(f, path);
        fclose(f);
        json_add_string(parent, "href", url);
        free(url);
}

static void put_json(FILE *out, const struct json *value);

static void put_members(FILE *out, const struct json *parent)
{
        for (const struct json *m = parent->first; m != NULL; m = m->next) {
                fputs(m == parent->first ? "" : ",", out);
                fputs(m->type == JSON_OBJECT ? "\n" : "", out);
                if (m->key != NULL) {
                        markup_json(out, m->key);
                        putc(':', out);
                }
                put_json(out, m);
        }
}

static void put_json(FILE *out, const struct json *value)
{
        char digits[40];

        switch (value->type) {
        case JSON_OBJECT:
        case JSON_ARRAY:
                putc(value->type == JSON_OBJECT ? '{' : '[', out);
                put_members(out, value);
                putc(value->type == JSON_OBJECT ? '}' : ']', out);
                break;
        case JSON_STRING:
                markup_json(out, value->text);
                break;
        case JSON_NUMBER:
                json_format_number(digits, sizeof digits, value->number);
                fputs(value->text != NULL ? value->text : digits, out);
                break;
        case JSON_BOOL:
                fputs(value->number != 0.0 ? "true" : "false", out);
                break;
        case JSON_NULL:
                fputs("null", out);
        }
}

/* What is required, without scripts. */
static void put_plain(FILE *out, const struct json *page)
{
        static const char *const column[] = { "outcome", "name", "detail" };
        const struct json *list = json_member(page, "requirements");

        fputs("<table>\n", out);
        for (const struct json *q = list != NULL ? list->first : NULL; q != NULL;
             q = q->next) {
                fputs("<tr>", out);
                for (int i = 0; i < 3; i++) {
                        fputs("<td>", out);
                        markup_text(out, json_string(q, column[i]));
                        fputs("</td>", out);
                }
                fputs("</tr>\n", out);
        }
        fputs("</table>\n", out);
}

static void put_head(FILE *out, const struct json *page)
{
        static const char *const tone[] = {
                "passed", "\xE2\x9C\x93", "failed", "\xE2\x9C\x97", "void", "\xE2\x88\x85"
        };
        const char *word = json_string(page, "tone"), *sign = "!";

        for (size_t i = 0; word != NULL && i < sizeof tone / sizeof tone[0]; i += 2)
                if (strcmp(word, tone[i]) == 0)
                        sign = tone[i + 1];
        fputs("<p class=\"run\">", out);
        markup_text(out, json_string(page, "name"));
        fprintf(out, "</p>\n<h1><span class=\"sign\" aria-hidden=\"true\">%s</span> ",
                sign);
        markup_text(out, json_string(page, "verdict"));
        if (json_string(page, "headline") != NULL) {
                fputs(" <span class=\"first\">", out);
                markup_text(out, json_string(page, "headline"));
                fputs("</span>", out);
        }
        fputs("</h1>\n<p class=\"reason\">", out);
        markup_text(out, json_string(page, "reason"));
        fputs("</p>\n", out);
        for (const struct json *w = json_member(page, "warnings")->first; w != NULL;
             w = w->next) {
                fputs("<p class=\"warning\">", out);
                markup_text(out, w->text);
                fputs("</p>\n", out);
        }
}

static bool is_named(const char *place, const char *name, size_t len)
{
        return strlen(place) == len && memcmp(place, name, len) == 0;
}

static void put_asset(FILE *out, const struct asset *a)
{
        static const char map[] = "# sourceMappingURL=";
        size_t len = (size_t)(a->to - a->from);
        const char *end = memmem(a->from, len, map, sizeof map - 1);

        /* The map is another file, which a page does not have. */
        fwrite(a->from, 1, end != NULL ? (size_t)(end - a->from) - 2 : len, out);
        putc('\n', out);
}

bool page_put_asset(FILE *out, const char *name, size_t len)
{
        for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++)
                if (is_named(assets[i].name, name, len)) {
                        put_asset(out, &assets[i]);
                        return true;
                }
        return false;
}

static void put_place(FILE *out, const struct json *page, const char *name, size_t len)
{
        bool has[] = { [EVERY] = true,
                       [PLOTS] = json_bool(page, "plots", false),
                       [SPACE] = json_bool(page, "space", false) };

        for (size_t i = 0; i < sizeof assets / sizeof assets[0]; i++)
                if (is_named(assets[i].name, name, len) && has[assets[i].part])
                        put_asset(out, &assets[i]);
        if (is_named("head", name, len))
                put_head(out, page);
        else if (is_named("plain", name, len))
                put_plain(out, page);
        else if (is_named("title", name, len))
                markup_text(out, json_string(page, "title"));
        else if (is_named("tone", name, len))
                markup_text(out, json_string(page, "tone"));
}

/* From there to the place of the data, or to the end. */
static void put_template(FILE *out, const struct json *page, const char *at)
{
        const char *end = page_asset_html_end, *open, *close;

        while ((open = memmem(at, (size_t)(end - at), "{{", 2)) != NULL &&
               (close = memmem(open, (size_t)(end - open), "}}", 2)) != NULL) {
                fwrite(at, 1, (size_t)(open - at), out);
                if (is_named("data", open + 2, (size_t)(close - open - 2)))
                        return;
                put_place(out, page, open + 2, (size_t)(close - open - 2));
                at = close + 2;
        }
        fwrite(at, 1, (size_t)(end - at), out);
}

void page_put(FILE *out, const struct json *value)
{
        put_json(out, value);
}

bool page_open(FILE *out, const struct json *page)
{
        if (page == NULL || page->failed)
                return false;
        put_template(out, page, page_asset_html);
        putc('{', out);
        put_members(out, page);
        return true;
}

void page_close(FILE *out, const struct json *page)
{
        static const char data[] = "{{data}}";

        fputs("}\n", out);
        put_template(out, page, strstr(page_asset_html, data) + sizeof data - 1);
}

char *page_text(struct json *page)
{
        char *text = NULL;
        size_t len;
        FILE *f = open_memstream(&text, &len);
        bool ok = f != NULL && page_open(f, page);

        if (ok)
                page_close(f, page);
        json_free(page);
        if (f != NULL && fclose(f) == 0 && ok)
                return text;
        free(text);
        return NULL;
}
