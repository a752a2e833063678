/* The default suite with 64 seeds: flights a second, and a second of the processor; what of the runs' time was start, flight
 * and the rest. Beside it one of its runs again and again, in turn as the suite flies it and with the flight controller in a
 * process of its own over a Unix socket. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/bench/program.h"
#include "hil/config/load.h"
#include "hil/text/json.h"
#include "hil/text/tree.h"

#define SUITE "rig_configs/suites/default.json"
#define SEEDS 64
#define PAIRS 7

#define RIG      "rig_configs/default.json"
#define SCENARIO "rig_configs/scenarios/release_check.json"

struct suite_times {
        int flights;
        double start_s, flight_s; /* sums, of each run's own clock */
        double start_cpu_s;
};

static bool add_run(struct suite_times *t, const char *folder, int seed)
{
        struct config_error why;
        struct json_error error;
        char file[200], *text;
        struct json *root;
        size_t len;

        snprintf(file, sizeof file, "%s/default/release_check/%d-1/summary.json", folder,
                 seed);
        text = config_load_text(file, &len, &why);
        root = text != NULL ? json_parse(text, len, file, &error) : NULL;
        if (root != NULL) {
                t->flights++;
                t->start_s += json_number(root, "start.whole_ms") * 1e-3;
                t->start_cpu_s += json_number(root, "start.processor_ms") * 1e-3;
                t->flight_s += json_number(root, "wall_time_s");
        }
        json_free(root);
        free(text);
        return root != NULL;
}

struct pairs {
        double inside_ms[PAIRS], socket_ms[PAIRS], ratio[PAIRS];
};

/* Milliseconds of the processor; 0 after a message. */
static double fly_alone(const char *folder, int number, bool inside)
{
        char out[80], link[160];
        char *argv[] = { PROGRAM_SELF, "run",   RIG, "--scenario", SCENARIO, "--pace",
                         "lockstep",   "--out", out, "--set",      link,     NULL };
        struct program_cost cost;

        snprintf(out, sizeof out, "%s/%s%d", folder, inside ? "inside" : "socket",
                 number);
        if (inside)
                snprintf(link, sizeof link, "vehicles.0.fc.link=inside");
        else
                snprintf(link, sizeof link, "vehicles.0.fc.link=unix-listen:%s/socket",
                         folder);
        if (!program_run(argv, "/dev/null", &cost) || cost.status != 0)
                return 0.0;
        return (double)(cost.user_ns + cost.system_ns) * 1e-6;
}

static bool fly_pairs(struct pairs *p, const char *folder)
{
        for (int i = 0; i < PAIRS; i++) {
                p->inside_ms[i] = fly_alone(folder, i, true);
                p->socket_ms[i] = fly_alone(folder, i, false);
                if (p->inside_ms[i] <= 0.0 || p->socket_ms[i] <= 0.0)
                        return false;
                p->ratio[i] = p->socket_ms[i] / p->inside_ms[i];
        }
        return true;
}

static void print(FILE *out, const struct suite_times *t, const struct program_cost *cost,
                  struct pairs *p)
{
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        double wall_s = (double)cost->wall_ns * 1e-9, n = t->flights;
        double user_s = (double)cost->user_ns * 1e-9;
        double system_s = (double)cost->system_ns * 1e-9;

        fprintf(out,
                "{\"bench\": \"suite\", \"flights\": %d, \"wall_s\": %.2f, \"cores\": "
                "%ld, "
                "\"flights_per_s_and_core\": %.3f, \"flights_per_cpu_s\": %.3f, "
                "\"user_ms\": %.1f, \"system_ms\": %.1f, \"start_ms\": %.1f, "
                "\"start_cpu_ms\": %.1f, \"flight_ms\": %.1f, \"rest_ms\": %.1f, "
                "\"inside_cpu_ms\": %.1f, "
                "\"socket_cpu_ms\": %.1f, \"cpu_ratio\": %.2f, \"pairs\": %d}\n",
                t->flights, wall_s, cores, n / wall_s / (double)cores,
                n / (user_s + system_s), 1e3 * user_s / n, 1e3 * system_s / n,
                1e3 * t->start_s / n, 1e3 * t->start_cpu_s / n, 1e3 * t->flight_s / n,
                1e3 * ((double)cores * wall_s - t->start_s - t->flight_s) / n,
                bench_median(p->inside_ms, PAIRS), bench_median(p->socket_ms, PAIRS),
                bench_median(p->ratio, PAIRS), PAIRS);
        fflush(out);
}

int bench_suite(FILE *out)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX", seeds[20];
        char *argv[] = { PROGRAM_SELF, "suite", SUITE,  "--seeds",
                         seeds,        "--out", folder, NULL };
        struct suite_times t = { 0 };
        struct program_cost cost;
        struct pairs p;
        bool ok = mkdtemp(folder) != NULL;

        snprintf(seeds, sizeof seeds, "%d", SEEDS);
        ok = ok && program_run(argv, "/dev/null", &cost);
        for (int i = 1; ok && i <= SEEDS; i++)
                ok = add_run(&t, folder, i);
        ok = ok && fly_pairs(&p, folder);
        tree_remove(folder);
        if (ok)
                print(out, &t, &cost, &p);
        else
                fprintf(stderr, "hilrig bench: " SUITE ": not all flights have a "
                                "result\n");
        return ok ? 0 : -1;
}
