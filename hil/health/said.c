#include "hil/health/said.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_ENDS   " \t=:,;"
#define NAME_SHOWN  40
#define NAMES_SHOWN 4

struct lines {
        int count;
        char **line; /* sorted */
        char *text;
};

static int by_text(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Without what is empty. */
static bool split(struct lines *l, const char *text)
{
        char *rest, *line;
        int room = 1;

        for (const char *c = text; *c != '\0'; c++)
                room += *c == '\n' || *c == '\r';
        *l = (struct lines){ .text = strdup(text),
                             .line = calloc((size_t)room, sizeof *l->line) };
        if (l->text == NULL || l->line == NULL)
                return false;
        for (line = strtok_r(l->text, "\r\n", &rest); line != NULL;
             line = strtok_r(NULL, "\r\n", &rest))
                l->line[l->count++] = line;
        qsort(l->line, (size_t)l->count, sizeof *l->line, by_text);
        return true;
}

static void free_lines(struct lines *l)
{
        free(l->line);
        free(l->text);
}

static bool same_name(const char *a, const char *b)
{
        size_t len = strcspn(a, NAME_ENDS);

        return len > 0 && len == strcspn(b, NAME_ENDS) && memcmp(a, b, len) == 0;
}

static void add_name(char *names, size_t cap, int already, const char *line)
{
        size_t used = strlen(names);
        int len = (int)strcspn(line, NAME_ENDS);

        if (already > NAMES_SHOWN)
                return;
        if (already == NAMES_SHOWN)
                snprintf(names + used, cap - used, ", ...");
        else
                snprintf(names + used, cap - used, "%s%.*s", already > 0 ? ", " : "",
                         len < NAME_SHOWN ? len : NAME_SHOWN, line);
}

static int count_changes(const struct lines *a, const struct lines *b, char *names,
                         size_t cap)
{
        int i = 0, k = 0, changes = 0;

        while (i < a->count || k < b->count) {
                const char *x = i < a->count ? a->line[i] : NULL;
                const char *y = k < b->count ? b->line[k] : NULL;
                int order = x == NULL ? 1 : y == NULL ? -1 : strcmp(x, y);

                if (order != 0)
                        add_name(names, cap, changes++, order < 0 ? x : y);
                if (order != 0 && x != NULL && y != NULL && same_name(x, y))
                        order = 0;
                i += order <= 0;
                k += order >= 0;
        }
        return changes;
}

int said_lines_changed(const char *before, const char *after, char *names, size_t cap)
{
        struct lines a = { 0 }, b = { 0 };
        int changes = -1;

        names[0] = '\0';
        if (split(&a, before) && split(&b, after))
                changes = count_changes(&a, &b, names, cap);
        free_lines(&a);
        free_lines(&b);
        return changes;
}

static void take_number(const char *line, const char *name, double *value)
{
        size_t len = strlen(name);
        char *end;
        double v;

        if (strncmp(line, name, len) != 0 || strchr(" \t=:", line[len]) == NULL ||
            line[len] == '\0')
                return;
        line += len + strspn(line + len, " \t=:");
        if (!isdigit((unsigned char)*line))
                return;
        v = strtod(line, &end);
        if (isfinite(v) && strchr(" \t\r\n", *end) != NULL)
                *value = v;
}

void said_storage(const char *text, double *free_bytes, double *errors)
{
        *free_bytes = *errors = NAN;
        while (*text != '\0') {
                text += strspn(text, " \t\r\n");
                take_number(text, "free_bytes", free_bytes);
                take_number(text, "errors", errors);
                text += strcspn(text, "\n");
        }
}
