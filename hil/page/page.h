/* A page is one document, as JSON, in one file with the template, the style and the scripts that show it:
 *
 *   page      "report", "comparison", "suite"
 *   title     of the window;  name: the line above the verdict
 *   tone      "passed", "failed", "void", "error": colour and sign;  verdict, reason: in words
 *   warnings  [text]
 *   figures   [[label, text]]
 *   plots     true: the scripts that draw them are there
 *   sections  [{ id, title, parts }], where a part is one of
 *     { kind: "note" | "warning" | "words" | "code", text }
 *     { kind: "fold", text, parts }
 *     { kind: "table", look, columns, rows }
 *         columns   heads; the first character marks one: # a number, * the row's own head, @ a moment
 *         rows      [{ tone, at_us, vehicle, cells, note, drawing }], of which only cells is always there
 *         cells     each a text, { text, asks: [[key, text]] }, { text, tone }, or a list of
 *                   { text, href, tone, title, before, after }
 *         drawing   { a, b, mean, margin, shift }: pairs of a comparison, the numbers of a row
 *     { kind: "histogram", name, text, count, counted, max_us, bins: [[from_ns, to_ns, count]], quantiles: [[name, us]] }
 *     { kind: "plots" }: here they go
 *   flight    of a report: { end_s, world, events, vehicles: [{ name, tables }] }; a table is
 *             { n: records in the log, t: differences of times in us, v: [values by column] }
 *   flights   of a comparison: { first, all, groups, notes }
 *
 * Everything that comes from a file is text in it. The verdict, the words and the tables stand in the page's
 * HTML too, for who has no scripts. */
#ifndef HIL_PAGE_PAGE_H
#define HIL_PAGE_PAGE_H

#include <stdio.h>

#include "hil/text/json.h"

/* Parts of the document. Memory that runs out shows when it is written. */
struct json *page_new(const char *kind);
/* The section's parts. */
struct json *page_section(struct json *page, const char *id, const char *title);
__attribute__((format(printf, 3, 4))) void page_say(struct json *parts, const char *kind,
                                                    const char *format, ...);
__attribute__((format(printf, 2, 3))) void page_warn(struct json *page,
                                                     const char *format, ...);
__attribute__((format(printf, 3, 4))) void page_figure(struct json *page,
                                                       const char *label,
                                                       const char *format, ...);
/* A section with the plots of the flight, or of the flights. */
struct json *page_plots(struct json *page, const char *id, const char *title);
struct json *page_fold(struct json *parts, const char *title);
/* The table's rows. Heads up to a NULL. */
__attribute__((sentinel)) struct json *page_table(struct json *parts, const char *look,
                                                  ...);
struct json *page_row(struct json *rows, const char *tone);
__attribute__((format(printf, 2, 3))) void page_cell(struct json *row, const char *format,
                                                     ...);
/* A cell that has more than a text. */
struct json *page_cell_object(struct json *row, const char *text);
struct json *page_cell_list(struct json *row);
/* Five digits; a dash for what is no number. */
void page_cell_number(struct json *row, double value);

/* The page up to the document's end, whose last members may then be written as text: ,"key":... False:
 * there was no memory for the document, nothing is written. */
bool page_open(FILE *out, const struct json *page);
void page_close(FILE *out, const struct json *page);

#endif
