#include "hil/text/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/utf8.h"

/* Bytes that are no character, one by one; a replacement character that was written as such is one. */
static void print_escaped(FILE *out, const char *text, size_t len, bool lines)
{
        const char *end = text + len;

        while (text < end) {
                const char *from = text;
                unsigned code = utf8_next(&text);

                if (text - from == 1 && (code != '\n' || !lines) &&
                    (code == UTF8_REPLACEMENT || code < 0x20 || code == 0x7F))
                        fprintf(out, "\\x%02x", (unsigned char)*from);
                else if (utf8_is_control(code))
                        fprintf(out, "\\u%04x", code);
                else
                        fwrite(from, 1, (size_t)(text - from), out);
        }
}

static void print_format(FILE *out, bool lines, const char *format, va_list args)
{
        size_t before = strspn(format, "\n"), len = strlen(format), after = 0;
        char *text = NULL;
        int size;

        while (after < len - before && format[len - 1 - after] == '\n')
                after++;
        size = vasprintf(&text, format, args);
        if (size >= 0) {
                fwrite(text, 1, before, out);
                print_escaped(out, text + before, (size_t)size - before - after, lines);
                fwrite(text + (size_t)size - after, 1, after, out);
                free(text);
        }
}

void terminal_print(FILE *out, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        print_format(out, false, format, args);
        va_end(args);
}

bool terminal_complain(const char *command, const char *format, ...)
{
        va_list args;

        terminal_print(stderr, "hilrig %s: ", command);
        va_start(args, format);
        print_format(stderr, true, format, args);
        va_end(args);
        fputc('\n', stderr);
        return false;
}
