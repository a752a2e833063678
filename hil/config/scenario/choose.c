/* Which vehicles a step of a scenario is for: by name, by number, each k-th, or by chance. */
#include "hil/config/scenario/scenario.h"

#include <string.h>

#include "models/rng.h"

_Static_assert(VEHICLES_MAX == SCENARIO_VEHICLES_MAX, "a bit for each");

/* Of the noise streams one that is no sensor's. */
#define STREAM_CHOICE 96

static const struct config_field vehicles_fields[] = {
        { "named", CONFIG_TEXTS, "Those of these names.", .least = 1,
          .size = NAME_MAX_LEN, .stride = sizeof(((struct step_vehicles_file *)0)->name),
          .optional = true, AT(step_vehicles_file, name),
          .count = offsetof(struct step_vehicles_file, names) },
        { "numbers", CONFIG_INTEGERS, "Those of these indices.",
          BETWEEN(0, VEHICLES_MAX - 1), .least = 1, .size = VEHICLES_MAX,
          .optional = true, AT(step_vehicles_file, number),
          .count = offsetof(struct step_vehicles_file, numbers) },
        { "every", CONFIG_INTEGER,
          "Every n-th vehicle: 3 means the first, the fourth, ...",
          BETWEEN(1, VEHICLES_MAX), .optional = true, AT(step_vehicles_file, every) },
        { "from", CONFIG_INTEGER, "With every: index of the first.",
          BETWEEN(0, VEHICLES_MAX - 1), .optional = true, AT(step_vehicles_file, from) },
        { "random", CONFIG_INTEGER,
          "This many, drawn from the rig's seed and the step's number; config.json in "
          "the run folder names them.",
          BETWEEN(1, VEHICLES_MAX), .optional = true, AT(step_vehicles_file, random) },
        { NULL },
};

static const struct config_rule vehicles_rules[] = {
        { { "named", "numbers", "every", "random" }, .least = 1, .most = 1 },
        { { "from" }, { "every" }, .may = CONFIG_THERE },
        { { NULL } },
};

const struct config_table config_step_vehicles_table = {
        .name = "vehicles",
        .about = "Several vehicles of a fleet.",
        .field = vehicles_fields,
        .rule = vehicles_rules,
};

static void choose_vehicle(struct scenario_step *step, int vehicle)
{
        step->chosen[vehicle / 32] |= 1U << vehicle % 32;
}

static bool choose_named(struct scenario_step *step,
                         const struct step_vehicles_file *file,
                         const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int k = 0; k < file->names; k++) {
                int i = 0;

                while (i < rig->vehicles &&
                       strcmp(rig->vehicle[i].name, file->name[k]) != 0)
                        i++;
                if (i == rig->vehicles)
                        return config_refuse_at(
                                why, node, "named",
                                "must be names of vehicles: none is called \"%s\"",
                                file->name[k]);
                choose_vehicle(step, i);
        }
        return true;
}

/* One after the other, each of those that are left with the same chance. */
static void choose_by_chance(struct scenario_step *step, int index, int count,
                             const struct rig_config *rig)
{
        struct rng rng;
        int left = rig->vehicles;

        rng_init(&rng, rig->seed, (uint32_t)index, STREAM_CHOICE, 0);
        for (int i = 0; i < rig->vehicles; i++, left--)
                if (rng_uniform(&rng) * left < count) {
                        choose_vehicle(step, i);
                        count--;
                }
}

static bool refuse_beyond(const struct rig_config *rig, const char *key, int value,
                          const struct json *node, struct config_error *why)
{
        return config_refuse_at(why, node, key,
                                "must be less than %d, the number of vehicles, is %d",
                                rig->vehicles, value);
}

bool config_choose_vehicles(struct scenario_step *step, int index,
                            const struct step_vehicles_file *file,
                            const struct rig_config *rig, const struct json *node,
                            struct config_error *why)
{
        if (!config_is_sound(node))
                return false;
        if (file->random > rig->vehicles)
                return config_refuse_at(
                        why, node, "random",
                        "must be at most %d, the number of vehicles, is %d",
                        rig->vehicles, file->random);
        for (int k = 0; k < file->numbers; k++) {
                if (file->number[k] >= rig->vehicles)
                        return refuse_beyond(rig, "numbers", file->number[k], node, why);
                choose_vehicle(step, file->number[k]);
        }
        if (file->from >= rig->vehicles)
                return refuse_beyond(rig, "from", file->from, node, why);
        for (int i = file->from; file->every > 0 && i < rig->vehicles; i += file->every)
                choose_vehicle(step, i);
        choose_by_chance(step, index, file->random, rig);
        return choose_named(step, file, rig, node, why);
}

void config_resolve_step(struct json *resolved, const struct scenario_step *step)
{
        struct json *drawn = json_at(resolved, "vehicles.random");
        struct json *list;

        if (drawn == NULL)
                return;
        list = json_add_array(json_member(resolved, "vehicles"), "numbers");
        for (int i = 0; i < SCENARIO_VEHICLES_MAX; i++)
                if (scenario_step_is_for(step, i))
                        json_add_i64(list, NULL, i);
        json_free(json_detach(drawn));
}
