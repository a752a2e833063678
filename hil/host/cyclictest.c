#include "hil/host/cyclictest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"

/* The next number of a line, none of which is negative. */
static bool take_count(const char **at, long *n)
{
        char *end;

        *n = strtol(*at, &end, 10);
        if (end == *at || *n < 0 || *n > UINT32_MAX)
                return false;
        *at = end;
        return true;
}

static void add(struct cyclictest *c, long us, long n)
{
        c->bin[us] += (uint32_t)n;
        c->count += (uint64_t)n;
}

static const char *behind(const char *line, const char *title)
{
        size_t len = strlen(title);

        return strncmp(line, title, len) == 0 ? line + len : NULL;
}

void cyclictest_read_line(struct cyclictest *c, int threads, const char *line, char *said,
                          size_t cap)
{
        const char *worst = behind(line, "# Max Latencies:"),
                   *over = behind(line, "# Histogram Overflows:"), *at = line;
        long us, n;

        if (worst != NULL) {
                for (int i = 0; i < threads && take_count(&worst, &n); i++)
                        c[i].max_us = n > c[i].max_us ? n : c[i].max_us;
        } else if (over != NULL) {
                for (int i = 0; i < threads && take_count(&over, &n); i++)
                        add(&c[i], CYCLICTEST_BINS, n);
        } else if (line[0] != '#' && take_count(&at, &us) && us < CYCLICTEST_BINS) {
                for (int i = 0; i < threads && take_count(&at, &n); i++)
                        add(&c[i], us, n);
        } else if (line[0] != '#' && strspn(line, " \t\r\n") < strlen(line)) {
                snprintf(said, cap, "%.*s", (int)strcspn(line, "\n"), line);
        }
}

/* "-a0,2,3 -t3", or "-t1". */
static void name_threads(const struct cyclictest_setup *setup, char *text, size_t cap)
{
        size_t used = 0;

        for (int i = 0; setup->cpu != NULL && i < setup->threads && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%d",
                                         i > 0 ? "," : "-a", setup->cpu[i]);
        if (used < cap)
                snprintf(text + used, cap - used, " -t%d", setup->threads);
}

bool cyclictest_run(struct cyclictest *c, const struct cyclictest_setup *setup,
                    char *said, size_t cap)
{
        char command[6000], threads[5000], *line = NULL;
        uint64_t before = c->count;
        size_t room = 0;
        FILE *pipe;

        name_threads(setup, threads, sizeof threads);
        snprintf(command, sizeof command,
                 "cyclictest -q -m %s -d0 -p%d -i%lld -D%d -h%d 2>&1", threads,
                 setup->priority, (long long)(setup->period_ns / NS_PER_US),
                 setup->seconds, CYCLICTEST_BINS);
        snprintf(said, cap, "it said nothing");
        pipe = popen(command, "re");
        if (pipe == NULL)
                return false;
        while (getline(&line, &room, pipe) >= 0)
                cyclictest_read_line(c, setup->threads, line, said, cap);
        free(line);
        return pclose(pipe) == 0 && c->count > before;
}

double cyclictest_us(const struct cyclictest *c, double p)
{
        uint64_t wanted = (uint64_t)(p * (double)c->count), sum = 0;

        for (int i = 0; c->count > 0 && i <= CYCLICTEST_BINS; i++) {
                sum += c->bin[i];
                if (sum > wanted)
                        return i;
        }
        return c->count > 0 ? CYCLICTEST_BINS : 0;
}
