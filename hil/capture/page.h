/* Where the table of a capture is printed: lines that no terminal breaks, and no more than it shows. Text is UTF-8 without
 * control characters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CAPTURE_PAGE_LINE 512 /* bytes */

struct capture_view {
        bool clear; /* a terminal: what stood there, and below, is cleared */
        int columns, rows; /* of it; 0: as many as it takes */
};

struct capture_page {
        FILE *out;
        const struct capture_view *view;
        int lines; /* that were printed */
};

/* Of a file as it is now; a terminal that does not know its size has 80 columns, 24 rows. */
struct capture_view capture_view_of(FILE *out);

/* Columns of a line; 0: as many as it has. A terminal's last one stays free: some clear it. */
int capture_page_room(const struct capture_view *view);
/* The bytes of text that fit into so many columns; how many of these they take. */
size_t capture_page_fitting(const char *text, int room, int *used);
/* What does not fit into the line, or below the last but one row, is left out. */
void capture_page_line(struct capture_page *page, const char *text);
/* In as many lines as it takes, broken between words, the others than the first indented. */
void capture_page_words(struct capture_page *page, const char *text);
