/* Wake-up lateness of a flight in real time, beside cyclictest (package rt-tests) at the same
 * priority and period, in alternating blocks: on a machine whose stalls come and go only the two
 * side by side say anything. */
#include <stdlib.h>

#include "hil/bench/bench.h"
#include "hil/host/cyclictest.h"
#include "hil/rig/rig.h"

#define BLOCKS  24
#define BLOCK_S 4

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
                "\"cyclictest_samples\": %llu, \"blocks\": %d, \"block_s\": %d, "
                "\"missing\": \"%s\"}\n",
                (double)wake->max_ns * 1e-3, c->max_us, (unsigned long long)c->count,
                BLOCKS, BLOCK_S, missing);
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
        struct config_overrides overrides = { .sets = 2, .set = { "pace=realtime" } };
        char stop[40];

        snprintf(stop, sizeof stop, "stop_after_s=%d", BLOCK_S);
        overrides.set[1] = stop;

        if (!bench_fly(b->rig, b->config, b->config_path, &overrides))
                return false;
        histogram_merge(&b->wake, &b->rig->wake);
        b->missed += b->rig->missed;
        bench_land(b->rig, b->config);
        return true;
}

static void peer_block(struct bench_run *b)
{
        const struct cyclictest_setup setup = { .threads = 1,
                                                .priority = b->config->realtime.priority,
                                                .period_ns = b->config->period_ns,
                                                .seconds = BLOCK_S };
        char said[200];

        if (!b->peer_runs || cyclictest_run(b->peer, &setup, said, sizeof said))
                return;
        fprintf(stderr,
                "hilrig bench: cyclictest (package rt-tests) did not measure: %s\n",
                said);
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
