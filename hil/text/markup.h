/* Text from files into HTML, XML and scripts: escaped for where it goes, and whole UTF-8 whatever it
 * was. What those cannot hold is the replacement character. A page has some hundred thousand numbers and separators, so the
 * file is not locked for each: `out` is its thread's own. */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* Between tags or inside a quoted attribute. NULL writes nothing. */
void markup_text(FILE *out, const char *text);
/* A JSON string with its quotes, safe inside <script>. NULL: null. */
void markup_json(FILE *out, const char *text);
/* A number in as few digits as do for a plot, those of "%.6g"; null for what is none. */
void markup_json_number(FILE *out, double value);
void markup_json_integer(FILE *out, int64_t value);
