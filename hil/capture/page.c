/* Lines of text on a terminal of so many columns and rows, whatever characters are in them. */
#include "hil/capture/page.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The bytes of the character at s, which is not the end, and how many columns a terminal gives it, or
 * more. */
static size_t character(const char *s, int *width)
{
        const unsigned char *b = (const unsigned char *)s;
        size_t n = 1;

        while ((b[n] & 0xC0) == 0x80)
                n++;
        /* From U+1100 on some are two wide; arrows and the like, U+2000 to U+2E7F, are not. */
        *width = b[0] < 0xE1 || (b[0] == 0xE1 && b[1] < 0x84) ||
                                 (b[0] == 0xE2 && b[1] < 0xBA)
                         ? 1
                         : 2;
        return n;
}

size_t capture_page_fitting(const char *text, int room, int *used)
{
        size_t n = 0;

        *used = 0;
        while (text[n] != '\0') {
                int width;
                size_t more = character(text + n, &width);

                if (*used + width > room)
                        break;
                *used += width;
                n += more;
        }
        return n;
}

int capture_page_room(const struct capture_view *view)
{
        return view->columns > 1 ? view->columns - 1 : view->columns;
}

void capture_page_line(struct capture_page *page, const char *text)
{
        int room = capture_page_room(page->view), used;
        size_t n = room > 0 ? capture_page_fitting(text, room, &used) : strlen(text);

        if (page->view->rows > 0 && page->lines >= page->view->rows - 1)
                return;
        fprintf(page->out, "%.*s%s\n", (int)n, text, page->view->clear ? "\x1b[K" : "");
        page->lines++;
}

void capture_page_words(struct capture_page *page, const char *text)
{
        int room = capture_page_room(page->view);
        bool first = true;

        for (;;) {
                char line[CAPTURE_PAGE_LINE];
                int used;
                size_t n = room > 0 ? capture_page_fitting(text, room - (first ? 0 : 2),
                                                           &used)
                                    : strlen(text);

                if (text[n] != '\0') {
                        size_t end = n;

                        while (end > 0 && text[end] != ' ')
                                end--;
                        n = end > 0 ? end : n;
                }
                snprintf(line, sizeof line, "%s%.*s", first ? "" : "  ", (int)n, text);
                capture_page_line(page, line);
                text += n;
                while (*text == ' ')
                        text++;
                if (*text == '\0' || n == 0)
                        return;
                first = false;
        }
}

struct capture_view capture_view_of(FILE *out)
{
        struct capture_view view = { .clear = isatty(fileno(out)) == 1 };
        struct winsize size;

        if (!view.clear)
                return view;
        view.columns = 80;
        view.rows = 24;
        if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
            size.ws_row > 0) {
                view.columns = size.ws_col;
                view.rows = size.ws_row;
        }
        return view;
}
