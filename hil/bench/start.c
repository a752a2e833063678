/* From the command to the first frame of a lockstep flight, by parts, as the flight's own summary.json says them; beside the
 * start of a program that does nothing, in alternating runs. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/bench/program.h"
#include "hil/config/load.h"
#include "hil/text/json.h"
#include "hil/text/tree.h"

#define RUNS 21

static const char *const parts[] = {
        "configuration_ms", "links_ms",       "processes_ms",
        "handshake_ms",     "first_frame_ms", "processor_ms"
};

#define PARTS ((int)(sizeof parts / sizeof parts[0]))

struct starts {
        double whole_ms[RUNS], program_ms[RUNS], part_ms[PARTS][RUNS], empty_ms[RUNS];
};

static bool take_summary(struct starts *s, int run, const char *file,
                         const struct program_cost *cost)
{
        struct config_error why;
        struct json_error error;
        struct json *root;
        double main_ms;
        size_t len;
        char *text = config_load_text(file, &len, &why);

        root = text != NULL ? json_parse(text, len, file, &error) : NULL;
        main_ms = json_number(root, "start.main_monotonic_ns") * 1e-6;
        s->program_ms[run] = main_ms - (double)cost->begin_ns * 1e-6;
        s->whole_ms[run] = s->program_ms[run] + json_number(root, "start.whole_ms");
        for (int i = 0; i < PARTS; i++) {
                char path[40];

                snprintf(path, sizeof path, "start.%s", parts[i]);
                s->part_ms[i][run] = json_number(root, path);
        }
        json_free(root);
        free(text);
        return isfinite(s->whole_ms[run]);
}

static bool start_once(struct starts *s, int run, const char *config_path,
                       const char *folder)
{
        char out[100], file[100];
        char *flight[] = { PROGRAM_SELF, "run",      (char *)(uintptr_t)config_path,
                           "--pace",     "lockstep", "--seconds",
                           "0.001",      "--out",    out,
                           "--json",     NULL };
        char *empty[] = { "/bin/true", NULL };
        struct program_cost cost;

        snprintf(out, sizeof out, "%s/%d", folder, run);
        snprintf(file, sizeof file, "%s/%d.json", folder, run);
        if (!program_run(flight, file, &cost))
                return false;
        if (!take_summary(s, run, file, &cost)) {
                fprintf(stderr, "hilrig bench: %s: no frame was sent\n", config_path);
                return false;
        }
        if (!program_run(empty, "/dev/null", &cost))
                return false;
        s->empty_ms[run] = (double)cost.wall_ns * 1e-6;
        return true;
}

static double least(const double *value)
{
        double l = value[0];

        for (int i = 1; i < RUNS; i++)
                l = fmin(l, value[i]);
        return l;
}

static void print(FILE *out, struct starts *s)
{
        fprintf(out,
                "{\"bench\": \"start\", \"first_frame_ms\": %.2f, "
                "\"first_frame_min_ms\": %.2f, \"empty_program_ms\": %.2f, "
                "\"empty_program_min_ms\": %.2f, \"runs\": %d, "
                "\"parts\": {\"program_ms\": %.2f",
                bench_median(s->whole_ms, RUNS), least(s->whole_ms),
                bench_median(s->empty_ms, RUNS), least(s->empty_ms), RUNS,
                bench_median(s->program_ms, RUNS));
        for (int i = 0; i < PARTS; i++)
                fprintf(out, ", \"%s\": %.2f", parts[i],
                        bench_median(s->part_ms[i], RUNS));
        fprintf(out, "}}\n");
        fflush(out);
}

int bench_start(FILE *out, const char *config_path)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX";
        struct starts s;
        bool ok = mkdtemp(folder) != NULL;

        for (int i = 0; ok && i < RUNS; i++)
                ok = start_once(&s, i, config_path, folder);
        tree_remove(folder);
        if (ok)
                print(out, &s);
        return ok ? 0 : -1;
}
