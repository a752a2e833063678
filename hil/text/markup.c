#include "hil/text/markup.h"

#include <math.h>
#include <stdbool.h>

#include "hil/text/utf8.h"

static void put_utf8(FILE *out, unsigned code)
{
        if (code < 0x80) {
                putc_unlocked((int)code, out);
        } else if (code < 0x800) {
                putc_unlocked((int)(0xC0 | code >> 6), out);
                putc_unlocked((int)(0x80 | (code & 0x3F)), out);
        } else if (code < 0x10000) {
                putc_unlocked((int)(0xE0 | code >> 12), out);
                putc_unlocked((int)(0x80 | (code >> 6 & 0x3F)), out);
                putc_unlocked((int)(0x80 | (code & 0x3F)), out);
        } else {
                putc_unlocked((int)(0xF0 | code >> 18), out);
                putc_unlocked((int)(0x80 | (code >> 12 & 0x3F)), out);
                putc_unlocked((int)(0x80 | (code >> 6 & 0x3F)), out);
                putc_unlocked((int)(0x80 | (code & 0x3F)), out);
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
        putc_unlocked('"', out);
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
        putc_unlocked('"', out);
}

/* A page has some hundred thousand numbers, and printf() takes a thousand instructions for each: it works in as many
 * digits as the exact value has. */
#define DIGITS 6

/* Of a number from 1e-4 to 1e6 the six digits that "%.6g" prints, and the exponent of the first. False: it is not, or so
 * near the middle between two that the one rounding of this product may decide. */
static bool six_digits(double value, uint32_t *digits, int *exponent)
{
        static const double power[] = { 1e-4, 1e-3, 1e-2, 1e-1, 1e0,
                                        1e1,  1e2,  1e3,  1e4,  1e5 };
        static const double to_whole[] = { 1e9, 1e8, 1e7, 1e6, 1e5,
                                           1e4, 1e3, 1e2, 1e1, 1e0 };
        double scaled, part;
        int i = 9;

        if (!(value >= 1e-4 && value < 1e6))
                return false;
        while (value < power[i])
                i--;
        scaled = value * to_whole[i];
        *digits = (uint32_t)scaled;
        part = scaled - *digits;
        if (fabs(part - 0.5) < 1e-6)
                return false;
        *digits += part > 0.5;
        *exponent = i - 4;
        /* Rounded up to the next power of ten. */
        if (*digits == 1000000) {
                *digits = 100000;
                (*exponent)++;
        }
        return *exponent < DIGITS;
}

/* Without the zeros at the end. */
static void put_digits(FILE *out, bool negative, uint32_t digits, int exponent)
{
        char text[24], figure[DIGITS];
        int used = 0, figures = DIGITS;

        for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
                figure[i] = (char)('0' + digits % 10);
        while (figures > 1 && figures > exponent + 1 && figure[figures - 1] == '0')
                figures--;
        if (negative)
                text[used++] = '-';
        if (exponent < 0) {
                text[used++] = '0';
                text[used++] = '.';
                for (int i = exponent + 1; i < 0; i++)
                        text[used++] = '0';
        }
        for (int i = 0; i < figures; i++) {
                text[used++] = figure[i];
                if (i == exponent && figures > i + 1)
                        text[used++] = '.';
        }
        fwrite_unlocked(text, 1, (size_t)used, out);
}

void markup_json_number(FILE *out, double value)
{
        uint32_t digits;
        int exponent;

        if (six_digits(fabs(value), &digits, &exponent))
                put_digits(out, value < 0.0, digits, exponent);
        else if (value == 0.0)
                fputs(signbit(value) ? "-0" : "0", out);
        else if (isfinite(value))
                fprintf(out, "%.6g", value);
        else
                fputs("null", out);
}

void markup_json_integer(FILE *out, int64_t value)
{
        uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
        char text[24];
        size_t at = sizeof text;

        do {
                text[--at] = (char)('0' + left % 10);
                left /= 10;
        } while (left > 0);
        if (value < 0)
                text[--at] = '-';
        fwrite_unlocked(text + at, 1, sizeof text - at, out);
}
