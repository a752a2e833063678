/* Many plants: the same vehicles through the same commands one by one and together, in turn. What comes out has to be the
 * same to the bit. */
#include "hil/bench/plant.h"

#include <stdlib.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "models/isa.h"
#include "models/vehicle/batch.h"

#define VEHICLES 64
#define BATCHES  (VEHICLES / BATCH_LANES)
#define REPEATS  9
#define STEP_NS  1000000
#define PERIOD   4 /* steps for which a command holds, as in the fleets of rig_configs/ */
#define PERIODS  300
#define HEIGHT_M 50.0

struct fleet {
        struct rig_config config;
        struct vehicle_params params[VEHICLES];
        struct motor_command command[VEHICLES];
        struct vehicle start[VEHICLES], alone[VEHICLES], together[VEHICLES];
        struct vehicle_turn turn[VEHICLES];
        struct batch batch[BATCHES];
};

static const struct neighbours none;

static void take_off(struct fleet *f)
{
        const struct world *world = &f->config.world;

        for (int i = 0; i < VEHICLES; i++) {
                struct vehicle_params *p = &f->params[i];

                *p = f->config.vehicle[0].params;
                vehicle_params_prepare(p, STEP_NS, 1, (uint32_t)i);
                vehicle_init(&f->start[i], p, world, 1, (uint32_t)i,
                             (struct vec3){ 0.0, 0.0, world->ground_down_m - HEIGHT_M },
                             0.3);
                for (int r = 0; r < p->rotors; r++)
                        f->start[i].motor[r].speed_radps = bench_hover_radps(p, world);
                f->turn[i] = (struct vehicle_turn){ &f->together[i], p, &none,
                                                    &f->command[i] };
        }
        bench_hover_commands(f->command, VEHICLES, &f->params[0], world);
}

static struct motor_command *command_of(struct fleet *f, int period, int vehicle)
{
        return &f->command[(period + vehicle) % VEHICLES];
}

static void move_alone(struct fleet *f)
{
        for (int n = 0; n < PERIODS * PERIOD; n++)
                for (int i = 0; i < VEHICLES; i++)
                        vehicle_move(&f->alone[i], &f->params[i], &f->config.world,
                                     command_of(f, n / PERIOD, i));
}

static void move_together(struct fleet *f)
{
        for (int i = 0; i < VEHICLES; i++) {
                if (i % BATCH_LANES == 0)
                        batch_init(&f->batch[i / BATCH_LANES], STEP_NS);
                batch_take(&f->batch[i / BATCH_LANES], i % BATCH_LANES, &f->together[i],
                           &f->params[i]);
        }
        for (int n = 0; n < PERIODS * PERIOD; n++)
                for (int k = 0; k < BATCHES; k++) {
                        for (int i = 0; n % PERIOD == 0 && i < BATCH_LANES; i++)
                                batch_command(
                                        &f->batch[k], i,
                                        command_of(f, n / PERIOD, k * BATCH_LANES + i));
                        batch_move(&f->batch[k], &f->config.world);
                }
        for (int i = 0; i < VEHICLES; i++)
                batch_put(&f->batch[i / BATCH_LANES], i % BATCH_LANES);
}

static void step_alone(struct fleet *f)
{
        for (int n = 0; n < PERIODS; n++)
                for (int i = 0; i < VEHICLES; i++)
                        vehicle_step(&f->alone[i], &f->params[i], &f->config.world, &none,
                                     command_of(f, n, i), PERIOD);
}

static void step_together(struct fleet *f)
{
        for (int n = 0; n < PERIODS; n++)
                for (int i = 0; i < VEHICLES; i += BATCH_LANES) {
                        for (int k = i; k < i + BATCH_LANES; k++)
                                f->turn[k].command = command_of(f, n, k);
                        vehicles_step(&f->turn[i], BATCH_LANES, &f->config.world, PERIOD);
                }
}

static bool same_bits(const struct fleet *f)
{
        bool same = true;

        for (int i = 0; i < VEHICLES; i++)
                same = same && memcmp(&f->alone[i].body, &f->together[i].body,
                                      sizeof f->alone[i].body) == 0;
        return same;
}

static double time_ns(struct fleet *f, void (*fly)(struct fleet *f))
{
        double begin_s = bench_cpu_s();

        fly(f);
        return 1e9 * (bench_cpu_s() - begin_s) / (PERIODS * PERIOD * VEHICLES);
}

static bool compare(FILE *out, struct fleet *f, const char *name,
                    void (*alone)(struct fleet *f), void (*together)(struct fleet *f))
{
        double one_ns[REPEATS], ns[REPEATS], ratio[REPEATS];

        for (int i = 0; i < REPEATS; i++) {
                memcpy(f->alone, f->start, sizeof f->start);
                memcpy(f->together, f->start, sizeof f->start);
                one_ns[i] = time_ns(f, alone);
                ns[i] = time_ns(f, together);
                ratio[i] = one_ns[i] / ns[i];
                if (same_bits(f))
                        continue;
                fprintf(stderr, "hilrig bench: %s: not the bits of one by one\n", name);
                return false;
        }
        fprintf(out,
                "{\"bench\": \"%s\", \"vehicles\": %d, \"instructions\": \"%s\", "
                "\"steps_per_s\": %.0f, \"ns_per_step\": %.1f, "
                "\"one_by_one_ns_per_step\": %.1f, \"times_as_fast\": %.2f, ",
                name, VEHICLES, isa_name(isa_used), 1e9 / bench_median(ns, REPEATS),
                bench_median(ns, REPEATS), bench_median(one_ns, REPEATS),
                bench_median(ratio, REPEATS));
        /* They are in order now. */
        fprintf(out,
                "\"best_ns_per_step\": %.1f, \"best_one_by_one_ns_per_step\": %.1f, "
                "\"repeats\": %d, \"clock\": \"thread_cpu\"}\n",
                ns[0], one_ns[0], REPEATS);
        return fflush(out) == 0;
}

static bool compare_all(FILE *out, struct fleet *f)
{
        const enum isa best = isa_used;
        bool ok = true;

        for (isa_used = ISA_ANY; ok && isa_used < ISA_COUNT; isa_used++)
                if (isa_available(isa_used))
                        ok = compare(out, f, "batch", move_alone, move_together);
        isa_used = best;
        return ok && compare(out, f, "batch_sensors", step_alone, step_together);
}

int bench_batch(FILE *out, const char *config_path)
{
        const struct config_overrides none_set = { 0 };
        struct fleet *f = aligned_alloc(64, sizeof *f);
        struct config_error error;
        char *resolved;
        bool ok;

        if (f == NULL ||
            !config_read(&f->config, config_path, &none_set, &resolved, &error)) {
                fprintf(stderr, "hilrig bench: %s\n",
                        f == NULL ? "out of memory" : error.text);
                free(f);
                return -1;
        }
        free(resolved);
        take_off(f);
        ok = compare_all(out, f);
        config_free(&f->config);
        free(f);
        return ok ? 0 : -1;
}
