/* Text from files into a page: escaped for where it goes, and whole UTF-8 whatever it was. */
#ifndef HIL_REPORT_TEXT_H
#define HIL_REPORT_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Between tags or inside a quoted attribute. NULL writes nothing. */
void report_html(FILE *out, const char *text);
/* A JSON string with its quotes, safe inside <script>. NULL: null. */
void report_json(FILE *out, const char *text);
/* A number in as few digits as do for a plot; null for what is none. */
void report_json_number(FILE *out, double value);
/* "12.345 s" of a number of microseconds. */
void report_seconds(FILE *out, int64_t t_us);

#endif
