/* `hilrig bench`: one JSON object a line. */
#include <stdio.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/bench/plant.h"
#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/text/terminal.h"

#define DEFAULT_CONFIG "rig_configs/default.json"

static int world(FILE *out, const char *config_path)
{
        (void)config_path;
        return bench_world(out);
}

static int decode(FILE *out, const char *config_path)
{
        (void)config_path;
        return bench_decode(out) == 0 ? bench_capture(out) : -1;
}

static int motor_frames(FILE *out, const char *config_path)
{
        (void)config_path;
        return bench_motor_frames(out);
}

static int hil_sensor(FILE *out, const char *config_path)
{
        (void)config_path;
        return bench_hil_sensor(out);
}

static int suite(FILE *out, const char *config_path)
{
        (void)config_path;
        return bench_suite(out);
}

static const struct {
        const char *name;
        int (*run)(FILE *out, const char *config_path);
} benches[] = {
        { "plant", bench_plant },
        { "sensors", bench_sensors },
        { "batch", bench_batch },
        { "models", bench_models },
        { "world", world },
        { "decode", decode },
        { "motor_frames", motor_frames },
        { "hil_sensor", hil_sensor },
        { "start", bench_start },
        { "suite", suite },
        { "link", bench_link },
        { "fleet", bench_fleet },
        { "realtime", bench_realtime },
        { "twin", bench_twin },
};

#define BENCHES ((int)(sizeof benches / sizeof benches[0]))

struct bench_words {
        const char *config;
        int chosen[16], count;
};

static bool take_bench(void *of, const struct option_spec *spec, const char *value)
{
        struct bench_words *w = of;

        (void)spec;
        for (int i = 0; i < BENCHES; i++)
                if (strcmp(value, benches[i].name) == 0 && w->count < 16) {
                        w->chosen[w->count++] = i;
                        return true;
                }
        return terminal_complain("bench", "%s: no such bench; see hilrig bench --help",
                                 value);
}

static const struct option_spec specs[] = {
        { "--config", "FILE",
          "rig that all but world, decode, motor_frames, hil_sensor and suite fly "
          "(" DEFAULT_CONFIG ")",
          TEXT(bench_words, config) },
        { NULL },
};

static const struct options options = {
        .command = "bench",
        .specs = specs,
        .operand = { "bench", OTHER(take_bench) },
        .usage = "bench [--config FILE] "
                 "[plant|sensors|batch|models|world|decode|motor_frames|hil_sensor|"
                 "start|suite|link|fleet|realtime|twin]...\n\n"
                 "Without a name: all of them, in this order.",
};

int bench_command(int argc, char **argv)
{
        struct bench_words w = { .config = DEFAULT_CONFIG };
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        for (int i = 0; w.count == 0 && i < BENCHES; i++)
                if (benches[i].run(stdout, w.config) != 0)
                        return 2;
        for (int i = 0; i < w.count; i++)
                if (benches[w.chosen[i]].run(stdout, w.config) != 0)
                        return 2;
        return 0;
}
