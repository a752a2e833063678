/* Wake-up lateness of a flight in real time, beside cyclictest (package rt-tests) at the same
 * priority and period, in alternating blocks: on a machine whose stalls come and go only the two
 * side by side say anything. */
#include <stdlib.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/time/clock.h"
#include "hil/rig/rig.h"

#define BLOCKS  24
#define BLOCK_S "4"
#define BINS    100000 /* microseconds of cyclictest's histogram */

struct cyclictest {
        uint64_t bin[BINS + 1]; /* the last: beyond */
        uint64_t count;
        long max_us;
        char said[200]; /* last, besides the histogram */
};

/* Lines of "<us> <count>" and comments; "# Histogram Overflows: n" and "# Max Latencies: n". */
static void read_line(struct cyclictest *c, const char *line)
{
        long us, n;

        if (sscanf(line, "%ld %ld", &us, &n) == 2 && us >= 0 && us < BINS && n >= 0) {
                c->bin[us] += (uint64_t)n;
                c->count += (uint64_t)n;
        } else if (sscanf(line, "# Max Latencies: %ld", &n) == 1 && n > c->max_us) {
                c->max_us = n;
        } else if (sscanf(line, "# Histogram Overflows: %ld", &n) == 1 && n > 0) {
                c->bin[BINS] += (uint64_t)n;
                c->count += (uint64_t)n;
        } else if (line[0] != '#' && strspn(line, " \t\r\n") < strlen(line)) {
                snprintf(c->said, sizeof c->said, "%.*s", (int)strcspn(line, "\n"), line);
        }
}

static bool run_cyclictest(struct cyclictest *c, int priority, int64_t period_ns)
{
        char command[200], line[200];
        FILE *pipe;

        snprintf(command, sizeof command,
                 "cyclictest -q -m -t1 -p%d -i%lld -D" BLOCK_S " -h%d 2>&1", priority,
                 (long long)(period_ns / NS_PER_US), BINS);
        pipe = popen(command, "re");
        if (pipe == NULL)
                return false;
        while (fgets(line, sizeof line, pipe) != NULL)
                read_line(c, line);
        return pclose(pipe) == 0 && c->count > 0;
}

static double cyclictest_us(const struct cyclictest *c, double p)
{
        uint64_t wanted = (uint64_t)(p * (double)c->count), sum = 0;

        for (int i = 0; i <= BINS; i++) {
                sum += c->bin[i];
                if (sum > wanted)
                        return i;
        }
        return BINS;
}

static void print(FILE *out, const struct histogram *wake, const struct cyclictest *c,
                  uint64_t missed, const char *missing)
{
        static const double p[] = { 0.5, 0.99, 0.999 };
        static const char *const name[] = { "p50", "p99", "p99_9" };

        fprintf(out, "{\"bench\": \"realtime\", \"periods\": %llu, \"missed\": %llu",
                (unsigned long long)wake->count, (unsigned long long)missed);
        for (int i = 0; i < 3; i++) {
                double ours = (double)histogram_quantile_ns(wake, p[i]) * 1e-3;
                double theirs = cyclictest_us(c, p[i]);

                fprintf(out, ", \"wake_%s_us\": %.1f", name[i], ours);
                if (c->count > 0)
                        fprintf(out, ", \"cyclictest_%s_us\": %.0f, \"ratio_%s\": %.2f",
                                name[i], theirs, name[i],
                                ours / (theirs > 0.0 ? theirs : 1.0));
        }
        fprintf(out,
                ", \"wake_max_us\": %.1f, \"cyclictest_max_us\": %ld, "
                "\"cyclictest_samples\": %llu, \"blocks\": %d, \"block_s\": " BLOCK_S
                ", \"missing\": \"%s\"}\n",
                (double)wake->max_ns * 1e-3, c->max_us, (unsigned long long)c->count,
                BLOCKS, missing);
        fflush(out);
}

struct bench_run {
        const char *config_path;
        struct rig_config *config;
        struct rig *rig;
        struct histogram wake;
        uint64_t missed;
        struct cyclictest *peer;
        bool peer_runs;
};

static bool fly_block(struct bench_run *b)
{
        const struct config_overrides overrides = {
                .sets = 2, .set = { "pace=realtime", "stop_after_s=" BLOCK_S }
        };

        if (!bench_fly(b->rig, b->config, b->config_path, &overrides))
                return false;
        histogram_merge(&b->wake, &b->rig->wake);
        b->missed += b->rig->missed;
        bench_land(b->rig, b->config);
        return true;
}

static void peer_block(struct bench_run *b)
{
        if (!b->peer_runs ||
            run_cyclictest(b->peer, b->config->realtime.priority, b->config->period_ns))
                return;
        fprintf(stderr,
                "hilrig bench: cyclictest (package rt-tests) did not measure: %s\n",
                b->peer->said[0] != '\0' ? b->peer->said : "it said nothing");
        b->peer_runs = false;
}

int bench_realtime(FILE *out, const char *config_path)
{
        struct bench_run b = { .config_path = config_path,
                               .config = calloc(1, sizeof *b.config),
                               .rig = calloc(1, sizeof *b.rig),
                               .peer = calloc(1, sizeof *b.peer),
                               .peer_runs = true };
        bool ok = b.config != NULL && b.rig != NULL && b.peer != NULL;

        /* Ours, theirs, theirs, ours: a drift of the machine falls on both alike. */
        for (int i = 0; ok && i < BLOCKS; i += 2) {
                ok = fly_block(&b);
                if (!ok)
                        break;
                peer_block(&b);
                peer_block(&b);
                ok = fly_block(&b);
        }
        if (ok)
                print(out, &b.wake, b.peer, b.missed, b.rig->realtime.missing);
        free(b.rig);
        free(b.config);
        free(b.peer);
        return ok ? 0 : -1;
}
