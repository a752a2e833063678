/* What the pages of suites and comparisons share: their head and style, and text made safe. A page is
 * one file that opens from disk, in light and dark, on a phone and on paper. */
#ifndef HIL_SUITE_MARKUP_H
#define HIL_SUITE_MARKUP_H

#include <stdio.h>

/* With the characters escaped that mean something in HTML and XML; control characters are spaces. */
void markup_text(FILE *f, const char *text);

/* Up to and with <body> and its heading; `tone` colours the verdict: good, bad, open. */
void markup_head(FILE *f, const char *title, const char *tone, const char *verdict,
                 const char *explained);
void markup_tail(FILE *f);

#endif
