/* Flights for benches: as `hilrig run` would, but the run folder is thrown away. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/rig/rig.h"
#include "hil/rig/spawn.h"
#include "io/sort.h"

double bench_median(double *value, int n)
{
        sort_doubles(value, (size_t)n);
        return n % 2 ? value[n / 2] : 0.5 * (value[n / 2 - 1] + value[n / 2]);
}

static void remove_folder(const char *folder)
{
        static const char *const file[] = { "run.ulg", "wire.cap" };
        char path[512];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", folder, file[i]);
                unlink(path);
        }
        rmdir(folder);
}

static bool fly(struct rig *rig, const char *folder, char *why, size_t cap)
{
        struct recorder_setup setup = {
                .folder = folder,
                .config_sha256 = "",
                .version = "",
                .seed = rig->config->seed,
                .rotors = rig_most_rotors(rig->config),
                .vehicles = rig->config->vehicles,
                .period_ns = rig->config->period_ns,
                .truth_period_ns = rig->config->log.truth_period_ns,
                .wait = rig->config->pace == PACE_LOCKSTEP,
        };
        struct record_totals totals;

        if (!rig_spawn(rig, why, cap))
                return false;
        rig->recorder = recorder_open(&setup, why, cap);
        if (rig->recorder == NULL)
                return false;
        rig_run(rig);
        recorder_close(rig->recorder, &totals);
        snprintf(why, cap, "%s", rig->end_reason);
        return rig->end == END_COMPLETED;
}

bool bench_fly(struct rig *rig, struct rig_config *config, const char *config_path,
               const struct config_overrides *overrides)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX";
        struct config_error error;
        struct child *child;
        char *resolved, why[400];
        bool ok;

        if (!config_read(config, config_path, overrides, &resolved, &error)) {
                fprintf(stderr, "hilrig bench: %s\n", error.text);
                config_free(config);
                return false;
        }
        free(resolved);
        if (mkdtemp(folder) == NULL) {
                fprintf(stderr, "hilrig bench: %s: cannot be made\n", folder);
                return false;
        }
        child = calloc((size_t)config->vehicles, sizeof *child);
        snprintf(why, sizeof why, "out of memory");
        ok = child != NULL && rig_open(rig, config, child, why, sizeof why);
        if (ok && !fly(rig, folder, why, sizeof why)) {
                rig_close(rig);
                rig_reap(child, config);
                ok = false;
        }
        if (!ok) {
                fprintf(stderr, "hilrig bench: %s\n", why);
                free(child);
                config_free(config);
        }
        remove_folder(folder);
        return ok;
}

void bench_land(struct rig *rig, struct rig_config *config)
{
        rig_close(rig);
        rig_reap(rig->child, config);
        free(rig->child);
        config_free(config);
}
