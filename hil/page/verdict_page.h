/* What the pages of suites and comparisons share: a head with the verdict, and their style. A page is
 * one file that opens from disk, in light and dark, on a phone and on paper. */
#ifndef HIL_PAGE_VERDICT_PAGE_H
#define HIL_PAGE_VERDICT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Up to and with <body> and its heading; `tone` colours the verdict: good, bad, open. With the styles of
 * plots over time, if there will be any. */
void verdict_page_head(FILE *f, const char *title, const char *tone, const char *verdict,
                       const char *explained, bool plots);
void verdict_page_tail(FILE *f);

#endif
