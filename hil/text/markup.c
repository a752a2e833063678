#include "hil/text/markup.h"

#include <math.h>

#include "hil/text/utf8.h"

static void put_utf8(FILE *out, unsigned code)
{
        if (code < 0x80) {
                putc((int)code, out);
        } else if (code < 0x800) {
                putc((int)(0xC0 | code >> 6), out);
                putc((int)(0x80 | (code & 0x3F)), out);
        } else if (code < 0x10000) {
                putc((int)(0xE0 | code >> 12), out);
                putc((int)(0x80 | (code >> 6 & 0x3F)), out);
                putc((int)(0x80 | (code & 0x3F)), out);
        } else {
                putc((int)(0xF0 | code >> 18), out);
                putc((int)(0x80 | (code >> 12 & 0x3F)), out);
                putc((int)(0x80 | (code >> 6 & 0x3F)), out);
                putc((int)(0x80 | (code & 0x3F)), out);
        }
}

void markup_text(FILE *out, const char *text)
{
        while (text != NULL && *text != '\0') {
                unsigned code = utf8_next(&text);

                if (code == '<')
                        fputs("&lt;", out);
                else if (code == '>')
                        fputs("&gt;", out);
                else if (code == '&')
                        fputs("&amp;", out);
                else if (code == '"')
                        fputs("&quot;", out);
                else if (code == '\'')
                        fputs("&#39;", out);
                else
                        put_utf8(out, utf8_is_control(code) ? UTF8_REPLACEMENT : code);
        }
}

void markup_json(FILE *out, const char *text)
{
        if (text == NULL) {
                fputs("null", out);
                return;
        }
        putc('"', out);
        while (*text != '\0') {
                unsigned code = utf8_next(&text);

                if (utf8_is_control(code))
                        code = UTF8_REPLACEMENT;
                /* "</script>" and "<!--" end or change a script wherever they stand; two line
                 * separators are none in JSON but are in older scripts. */
                if (code < 0x20 || code == '"' || code == '\\' || code == '<' ||
                    code == '>' || code == '&' || code == 0x2028 || code == 0x2029)
                        fprintf(out, "\\u%04x", code);
                else
                        put_utf8(out, code);
        }
        putc('"', out);
}

void markup_json_number(FILE *out, double value)
{
        if (isfinite(value))
                fprintf(out, "%.6g", value);
        else
                fputs("null", out);
}
