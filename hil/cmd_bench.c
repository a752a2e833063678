/* `hilrig bench`: one JSON object a line. */
#include <stdio.h>
#include <string.h>

#include "hil/bench.h"
#include "hil/bench_models.h"
#include "hil/bench_plant.h"
#include "hil/commands.h"
#include "hil/options.h"

#define DEFAULT_CONFIG "rig_configs/default.json"

static const struct option_spec specs[] = {
        { "--config", "FILE",
          "rig that plant, sensors, link and realtime fly (" DEFAULT_CONFIG ")" },
        { NULL },
};

static const struct options options = {
        .command = "bench",
        .specs = specs,
        .usage = "bench [--config FILE] [plant|sensors|decode|link|realtime]...\n\n"
                 "Without a name: all of them, in this order.",
};

static const char *const names[] = { "plant", "sensors", "decode", "link", "realtime" };

#define BENCHES ((int)(sizeof names / sizeof names[0]))

static int run_one(int bench, const char *config)
{
        switch (bench) {
        case 0:
                return bench_plant(stdout, config);
        case 1:
                return bench_sensors(stdout, config);
        case 2:
                return bench_decode(stdout);
        case 3:
                return bench_link(stdout, config);
        default:
                return bench_realtime(stdout, config);
        }
}

static int find(const char *name)
{
        for (int i = 0; i < BENCHES; i++)
                if (strcmp(name, names[i]) == 0)
                        return i;
        fprintf(stderr, "hilrig bench: %s: no such bench; see hilrig bench --help\n",
                name);
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
                if (run_one(i, config) != 0)
                        return 2;
        for (int i = 0; i < count; i++)
                if (run_one(chosen[i], config) != 0)
                        return 2;
        return 0;
}
