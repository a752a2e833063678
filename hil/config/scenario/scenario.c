/* Scenario files: steps in the order in which they fire, and requirements. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#define DAY_S 86400

static const struct config_field scenario_fields[] = {
        { "name", CONFIG_NAME, "What the scenario is called.", .size = NAME_MAX_LEN,
          AT(scenario_file, name) },
        { "duration_s", CONFIG_TIME, "Simulated time after which the run ends.",
          AT_LEAST(0.001), AT_MOST(DAY_S), .scale = S_TO_NS,
          AT(scenario_file, duration_ns) },
        { "payloads", CONFIG_OBJECTS, "What vehicles carry at the start.",
          .table = &config_payload_table, .size = SCENARIO_PAYLOADS_MAX,
          .stride = sizeof(struct payload_file), .preset = "[]",
          AT(scenario_file, payload), .count = offsetof(struct scenario_file, payloads) },
        { "steps", CONFIG_OBJECTS, "What is asked and done, and when.",
          .table = &config_step_table, .size = SCENARIO_STEPS_MAX,
          .stride = sizeof(struct step_file), .preset = "[]", AT(scenario_file, step),
          .count = offsetof(struct scenario_file, steps) },
        { "requirements", CONFIG_OBJECTS, "What makes the run pass.",
          .table = &config_requirement_table, .size = SCENARIO_REQUIREMENTS_MAX,
          .stride = sizeof(struct requirement_file), .preset = "[]",
          AT(scenario_file, requirement),
          .count = offsetof(struct scenario_file, requirements) },
        { NULL },
};

const struct config_table config_scenario_table = {
        .name = "scenario",
        .kind = "scenario",
        .about =
                "What is asked of the vehicles, what is done to them, and what must come "
                "of it.",
        .field = scenario_fields,
};

/* Of steps that fire at a time, the times may not go back: the step below waits for the one above, and
 * would fire later than it says. */
static bool check_order(const struct scenario *s, const struct json *list,
                        struct config_error *why)
{
        int64_t latest_ns = 0;

        for (int i = 0; i < s->steps; i++) {
                if (s->step[i].trigger != TRIGGER_TIME)
                        continue;
                if (s->step[i].t_ns < latest_ns)
                        return config_refuse_at(
                                why, json_item(list, i),
                                json_member(json_item(list, i), "at_s") ? "at_s"
                                                                        : "at_tick",
                                "must not be before a step above it, which is at %.15g s",
                                (double)latest_ns / S_TO_NS);
                latest_ns = s->step[i].t_ns;
        }
        return true;
}

static bool check_names(const struct scenario *s, const struct json *list,
                        struct config_error *why)
{
        for (int i = 0; i < s->requirements; i++)
                for (int j = 0; j < i; j++)
                        if (strcmp(s->requirement[i].name, s->requirement[j].name) == 0)
                                return config_refuse_at(
                                        why, json_item(list, i), "name",
                                        "is the name of an earlier requirement too");
        return true;
}

static bool build_steps(struct scenario *s, const struct scenario_file *file,
                        const struct rig_config *rig, const struct json *list,
                        struct config_error *why)
{
        for (int i = 0; i < file->steps; i++) {
                /* Counted first: what a step owns is freed even if it is not whole. */
                s->steps = i + 1;
                if (!config_build_step(&s->step[i], file, i, rig, json_item(list, i),
                                       why))
                        return false;
        }
        return check_order(s, list, why);
}

static bool build_requirements(struct scenario *s, const struct scenario_file *file,
                               int vehicles, const struct json *list,
                               struct config_error *why)
{
        for (int i = 0; i < file->requirements; i++) {
                s->requirements = i + 1;
                if (!config_build_requirement(&s->requirement[i], &file->requirement[i],
                                              vehicles, s->duration_ns,
                                              json_item(list, i), why))
                        return false;
        }
        return check_names(s, list, why);
}

bool config_build_scenario(struct scenario *s, const struct scenario_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        memcpy(s->name, file->name, sizeof(s->name));
        s->duration_ns = file->duration_ns;
        return build_steps(s, file, rig, json_member(node, "steps"), why) &&
               build_requirements(s, file, rig->vehicles,
                                  json_member(node, "requirements"), why);
}
