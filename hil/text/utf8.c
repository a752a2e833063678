#include "hil/text/utf8.h"

static bool is_tail(unsigned char c)
{
        return (c & 0xC0) == 0x80;
}

unsigned utf8_next(const char **text)
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
        return len > 0 ? code : UTF8_REPLACEMENT;
}

bool utf8_is_control(unsigned code)
{
        return (code < 0x20 && code != '\n' && code != '\t') ||
               (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
               (code >= 0x2066 && code <= 0x2069) || code == 0xFFFE || code == 0xFFFF;
}
