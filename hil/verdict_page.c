#include "hil/verdict_page.h"

#include "hil/markup.h"

static const char style[] =
        ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--paper:#fff;"
        "--line:#d8dee4;--good:#1a7f37;--bad:#c02626;--open:#9a6700;--a:#6e7781;"
        "--b:#0969da;--band:#0969da22}"
        "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9aa5b1;"
        "--paper:#0d1117;--line:#30363d;--good:#3fb950;--bad:#f85149;--open:#d29922;"
        "--a:#9aa5b1;--b:#58a6ff;--band:#58a6ff33}}"
        "*{box-sizing:border-box}"
        "body{margin:0 auto;padding:1rem;max-width:90rem;background:var(--paper);"
        "color:var(--ink);font:15px/1.45 system-ui,sans-serif}"
        "h1{font-size:1.3rem;margin:.2rem 0}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}"
        ".verdict{font-size:1.6rem;font-weight:650;margin:.2rem 0}"
        ".good{color:var(--good)}.bad{color:var(--bad)}.open{color:var(--open)}"
        ".soft{color:var(--soft)}p{margin:.3rem 0;max-width:70rem}"
        ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}"
        "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);"
        "vertical-align:middle}th{color:var(--soft);font-weight:500}"
        "td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
        "td.name,td.note{min-width:13rem}th.n{text-align:right}a{color:var(--b)}svg{"
        "display:block;width:15rem;height:3."
        "5rem}"
        "svg text{fill:var(--soft);font:9px system-ui,sans-serif}"
        ".pairs tr.numbers>td{border-bottom:0;padding-bottom:0}.pairs tr.below>td{"
        "padding-top:0}.side{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;"
        "align-items:center}.side .note{flex:1 1 13rem}"
        ".scroll a,.name,.note{overflow-wrap:anywhere}"
        /* A phone: a card for each row, a line for each number. */
        "@media(max-width:48rem){.pairs,.pairs tbody,.pairs tr,.pairs td{display:block}"
        ".pairs tr.heads,.pairs td:empty{display:none}"
        ".pairs tr.numbers>td{padding:.1rem 0}.pairs tr.below>td{padding:.1rem 0 .5rem}"
        ".pairs td.n{display:flex;justify-content:space-between;gap:1rem}"
        ".pairs td.n::before{content:attr(data-head);color:var(--soft)}"
        ".pairs td.n::before{white-space:normal;text-align:left}}"
        "@media print{body{max-width:none}.scroll{overflow:visible}}";

void verdict_page_head(FILE *f, const char *title, const char *tone, const char *verdict,
                       const char *explained)
{
        fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<title>",
              f);
        markup_text(f, title);
        fprintf(f, "</title>\n<style>%s</style>\n<body>\n<h1>", style);
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
