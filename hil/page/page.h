/* A page is one document, as JSON, in one file with the template, the style and the scripts that show it:
 *
 *   page      "report", "comparison", "history", "suite", "campaign"
 *   title     of the window;  name: the line above the verdict
 *   tone      "passed", "failed", "void", "error": colour and sign;  verdict, reason: in words
 *   warnings  [text]
 *   plots     true: the scripts that draw them are there;  space: those of a scene
 * of a report
 *   headline      what failed first, and when
 *   requirements  [{ tone, outcome, name, asked, detail, value, robustness, at_us, vehicle }], failed ones first, by when they failed
 *   metrics       [{ name, vehicle, value, unit }]; of a fleet none, summary.fleet.metrics has them
 *   summary, config_text, config_brief, config_why, seed
 *   log           what run.ulg says of itself, its delays as bins, and what was said
 *   map           { ground_up_m, wind_mps, solids, solids_more, regions, relief } of the world, where it is known
 *   scene         as hil/page/scene.h has it, where the configuration reads
 *   flight        { end_s, world, events, first, fleet: { by, worst, median, best }, vehicles: [{ name, few, tables }] };
 *                 a table is { n: records in the log, t: differences of times in us, v: [values by column],
 *                 stretch_us: of which the least and the most stay, if it was thinned }; few: of that vehicle there
 *                 are but some tables
 * of a comparison
 *   comparison    as compare.json;  flights: { first, all, groups, notes }
 *   pair          { group, name, scene: of the baseline, sides: [{ end_s, vehicles }] }, as in a flight, or null
 * of a history
 *   history       as history.json
 * of a suite
 *   suite         as suite.json; its runs with href, found
 * of a campaign
 *   campaign      as campaign.json; its flights with href
 *
 * Everything that comes from a file is text in it. The verdict and the requirements stand in the page's HTML too,
 * for who has no scripts. */
#pragma once

#include <stdio.h>

#include "hil/text/json.h"

/* A document. Memory that runs out shows when it is written. */
struct json *page_new(const char *kind, const char *tone, const char *verdict,
                      const char *reason);
__attribute__((format(printf, 3, 4))) void page_add_text(struct json *parent,
                                                         const char *key,
                                                         const char *format, ...);
/* Takes the part. */
void page_attach(struct json *page, const char *key, struct json *part);
__attribute__((format(printf, 2, 3))) void page_warn(struct json *page,
                                                     const char *format, ...);

/* "href": the way to a file, whatever its name is. */
void page_add_url(struct json *parent, const char *prefix, const char *path);

/* The page up to the document's end, whose last members may then be written as text: ,"key":... False:
 * there was no memory for the document, nothing is written. */
bool page_open(FILE *out, const struct json *page);
void page_close(FILE *out, const struct json *page);
/* A value within such text. */
void page_put(FILE *out, const struct json *value);
/* What every page is made of, by its name in the template: "css", "dygraphs_js". False: there is none of that name. */
bool page_put_asset(FILE *out, const char *name, size_t len);
/* A page that is whole without more; freed by the caller, the document is freed here. NULL: no memory. */
char *page_text(struct json *page);
