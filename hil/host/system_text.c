#include "hil/host/system_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A whole number below `end`; moves on behind it. */
static bool take_number(const char **at, long end, long *number)
{
        char *after;

        if (!isdigit((unsigned char)**at))
                return false;
        errno = 0;
        *number = strtol(*at, &after, 10);
        *at = after;
        return errno == 0 && *number < end;
}

/* "3", "0-7", "0-31:2/4". */
static bool take_range(struct cpu_list *list, const char **at)
{
        long first, last, used = 1, group = 1;

        if (!take_number(at, HOST_CPUS_MAX, &first))
                return false;
        last = first;
        if (**at == '-' && ((*at)++, !take_number(at, HOST_CPUS_MAX, &last)))
                return false;
        if (**at == ':' &&
            ((*at)++, !take_number(at, HOST_CPUS_MAX, &used) || *(*at)++ != '/' ||
                              !take_number(at, HOST_CPUS_MAX, &group)))
                return false;
        if (last < first || group < 1 || used > group)
                return false;
        for (long i = first; i <= last; i++)
                if ((i - first) % group < used)
                        list->has[i] = true;
        return true;
}

bool cpu_list_read(struct cpu_list *list, const char *text)
{
        struct cpu_list read = { { false } };

        *list = read;
        text += strspn(text, " \t\n");
        if (strncmp(text, "(null)", 6) == 0)
                text += 6;
        while (*text != '\0' && !isspace((unsigned char)*text)) {
                if (!take_range(&read, &text))
                        return false;
                if (*text == ',' && isdigit((unsigned char)text[1]))
                        text++;
                else if (*text != '\0' && !isspace((unsigned char)*text))
                        return false;
        }
        if (text[strspn(text, " \t\n")] != '\0')
                return false;
        *list = read;
        return true;
}

int cpu_list_count(const struct cpu_list *list)
{
        int count = 0;

        for (int i = 0; i < HOST_CPUS_MAX; i++)
                count += list->has[i];
        return count;
}

bool cpu_list_write(const struct cpu_list *list, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        for (int i = 0; i < HOST_CPUS_MAX; i++) {
                int first = i, n;

                if (!list->has[i])
                        continue;
                while (i + 1 < HOST_CPUS_MAX && list->has[i + 1])
                        i++;
                n = i > first ? snprintf(text + used, cap - used, "%s%d-%d",
                                         used > 0 ? "," : "", first, i)
                              : snprintf(text + used, cap - used, "%s%d",
                                         used > 0 ? "," : "", first);
                if ((size_t)n >= cap - used)
                        return false;
                used += (size_t)n;
        }
        return true;
}

bool system_text_chosen(const char *text, char *chosen, size_t cap)
{
        const char *open = strpbrk(text, "[("), *close;

        if (open == NULL || (close = strpbrk(open, "])")) == NULL)
                return false;
        return snprintf(chosen, cap, "%.*s", (int)(close - open - 1), open + 1) <
               (int)cap;
}

bool system_text_has(const char *text, const char *word)
{
        size_t len = strlen(word);

        while (*(text += strspn(text, " \t\n,")) != '\0') {
                size_t n = strcspn(text, " \t\n,");

                if (n == len && memcmp(text, word, n) == 0)
                        return true;
                text += n;
        }
        return false;
}

bool system_text_option(const char *cmdline, const char *name, char *value, size_t cap)
{
        size_t len = strlen(name);

        while (*(cmdline += strspn(cmdline, " \n")) != '\0') {
                size_t n = strcspn(cmdline, " \n");

                if (n > len && memcmp(cmdline, name, len) == 0 && cmdline[len] == '=')
                        return snprintf(value, cap, "%.*s", (int)(n - len - 1),
                                        cmdline + len + 1) < (int)cap;
                cmdline += n;
        }
        return false;
}

/* Behind the name of the line that begins with it; NULL: there is none. */
static const char *find_line(const char *table, const char *name)
{
        size_t len = strlen(name);

        while (*table != '\0') {
                const char *line = table + strspn(table, " ");

                if (strncmp(line, name, len) == 0 &&
                    (line[len] == ':' || line[len] == ' ' || line[len] == '\t'))
                        return line + len + (line[len] == ':');
                table += strcspn(table, "\n");
                table += *table == '\n';
        }
        return NULL;
}

bool system_text_number(const char *table, const char *name, int base, uint64_t *number)
{
        const char *at = find_line(table, name);
        char *end;

        if (at == NULL)
                return false;
        at += strspn(at, " \t");
        if (strncmp(at, "unlimited", 9) == 0) {
                *number = UINT64_MAX;
                return true;
        }
        if (!isxdigit((unsigned char)*at))
                return false;
        errno = 0;
        *number = strtoull(at, &end, base);
        return end != at && errno == 0;
}

/* Column of "CPU3" in the first line, from 0; -1: it has none. */
static int column_of(const char *table, int cpu)
{
        char wanted[16];
        int column = 0;

        snprintf(wanted, sizeof wanted, "CPU%d", cpu);
        while (*(table += strspn(table, " \t")) != '\n' && *table != '\0') {
                size_t n = strcspn(table, " \t\n");

                if (n == strlen(wanted) && memcmp(table, wanted, n) == 0)
                        return column;
                table += n;
                column++;
        }
        return -1;
}

uint64_t system_text_interrupts(const char *table, const char *name, int cpu)
{
        const char *at = find_line(table, name);
        int column = column_of(table, cpu);

        for (; at != NULL && column >= 0; column--) {
                at += strspn(at, " \t");
                if (!isdigit((unsigned char)*at))
                        return 0;
                if (column == 0)
                        return strtoull(at, NULL, 10);
                at += strcspn(at, " \t\n");
        }
        return 0;
}
