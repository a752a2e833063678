/* `hilrig bench`: one JSON object a line. */
#include <stdio.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/bench/plant.h"
#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/text/terminal.h"

#define DEFAULT_CONFIG "rig_configs/default.json"

static const struct option_spec specs[] = {
        { "--config", "FILE",
          "rig that all but world, decode, motor_frames, hil_sensor and suite fly "
          "(" DEFAULT_CONFIG ")" },
        { NULL },
};

static const struct options options = {
        .command = "bench",
        .specs = specs,
        .usage = "bench [--config FILE] "
                 "[plant|sensors|batch|models|world|decode|motor_frames|hil_sensor|"
                 "start|suite|link|fleet|realtime|twin]...\n\n"
                 "Without a name: all of them, in this order.",
};

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

static int find(const char *name)
{
        for (int i = 0; i < BENCHES; i++)
                if (strcmp(name, benches[i].name) == 0)
                        return i;
        terminal_complain("bench", "%s: no such bench; see hilrig bench --help", name);
        return -1;
}

int bench_command(int argc, char **argv)
{
        const char *config = DEFAULT_CONFIG, *value;
        int chosen[16], count = 0, at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3)
                        return 2;
                if (opt == 0) {
                        config = value;
                        continue;
                }
                if (count == 16 || (chosen[count++] = find(value)) < 0)
                        return 2;
        }
        for (int i = 0; count == 0 && i < BENCHES; i++)
                if (benches[i].run(stdout, config) != 0)
                        return 2;
        for (int i = 0; i < count; i++)
                if (benches[chosen[i]].run(stdout, config) != 0)
                        return 2;
        return 0;
}
