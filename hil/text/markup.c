#include "hil/text/markup.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define REPLACEMENT 0xFFFD

static bool is_tail(unsigned char c)
{
        return (c & 0xC0) == 0x80;
}

/* The next character's code; anything that is not UTF-8 counts byte by byte as the
 * replacement character. */
static unsigned next_code(const char **text)
{
        static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
        const unsigned char *p = (const unsigned char *)*text;
        int len = p[0] < 0x80             ? 1
                  : (p[0] & 0xE0) == 0xC0 ? 2
                  : (p[0] & 0xF0) == 0xE0 ? 3
                  : (p[0] & 0xF8) == 0xF0 ? 4
                                          : 0;
        unsigned code = len == 1 ? p[0] : p[0] & (0xFFU >> (len + 1));

        for (int i = 1; i < len; i++) {
                if (!is_tail(p[i]))
                        len = 0;
                else
                        code = code << 6 | (p[i] & 0x3FU);
        }
        if (len == 0 || code < least[len] || code > 0x10FFFF ||
            (code & ~0x7FFU) == 0xD800)
                len = 0;
        *text += len > 0 ? len : 1;
        return len > 0 ? code : REPLACEMENT;
}

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

/* Controls, and marks that turn the direction of what stands around them. */
static bool is_unfit(unsigned code)
{
        return (code < 0x20 && code != '\n' && code != '\t') ||
               (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
               (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}

void markup_text(FILE *out, const char *text)
{
        while (text != NULL && *text != '\0') {
                unsigned code = next_code(&text);

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
                        put_utf8(out, is_unfit(code) ? REPLACEMENT : code);
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
                unsigned code = next_code(&text);

                if (is_unfit(code))
                        code = REPLACEMENT;
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
