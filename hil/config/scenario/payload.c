/* What vehicles carry at the start of a scenario, and can drop. */
#include "hil/config/place.h"
#include "hil/config/scenario/scenario.h"

#include <string.h>

static const struct config_field payload_fields[] = {
        { "name", CONFIG_NAME, "Its name, for the step that drops it.",
          .size = NAME_MAX_LEN, AT(payload_file, load.name) },
        { "vehicle", CONFIG_INTEGER,
          "Index of the vehicle that carries it. Left out: each carries one.",
          BETWEEN(0, VEHICLES_MAX - 1), .optional = true, AT(payload_file, vehicle),
          .absent = "-1" },
        { "mass_kg", CONFIG_NUMBER, "On top of the vehicle file's mass.", ABOVE(0),
          AT_MOST(1000), AT(payload_file, load.mass_kg) },
        { "at_m", CONFIG_OBJECT, "Its middle, from the vehicle file's centre of mass.",
          .table = &config_body_place_table, AT(payload_file, load.at_m) },
        { "size_m", CONFIG_VECTOR,
          "Length, width, height of a box of uniform density; 0, 0, 0 is a point.",
          BETWEEN(0, 10), .size = 3, .preset = "[0, 0, 0]",
          AT(payload_file, load.size_m) },
        { NULL },
};

const struct config_table config_payload_table = {
        .name = "payload",
        .about = "What a vehicle carries from the start, until a step drops it.",
        .field = payload_fields,
};

static const struct payload_file *find_payload(const struct payload_file *file, int count,
                                               const char *name)
{
        for (int i = 0; i < count; i++)
                if (strcmp(file[i].load.name, name) == 0)
                        return &file[i];
        return NULL;
}

bool config_check_payloads(const struct payload_file *file, int count, int vehicles,
                           const struct json *list, struct config_error *why)
{
        for (int i = 0; i < count; i++) {
                const struct json *item = json_item(list, i);

                if (find_payload(file, i, file[i].load.name) != NULL)
                        return config_refuse_at(why, item, "name",
                                                "is the name of an earlier payload too");
                if (file[i].vehicle >= vehicles)
                        return config_refuse_at(
                                why, item, "vehicle",
                                "must be less than %d, the number of vehicles, is %d",
                                vehicles, file[i].vehicle);
        }
        return true;
}

bool config_load_payloads(struct vehicle_params *params, const struct payload_file *file,
                          int count, int vehicle, const struct json *list,
                          struct config_error *why)
{
        for (int i = 0; i < count; i++) {
                if (file[i].vehicle >= 0 && file[i].vehicle != vehicle)
                        continue;
                if (!loading_put_on(params, &(const struct load *){ &file[i].load }, 1))
                        return config_refuse(why, json_item(list, i), NULL,
                                             "gives the vehicle a mass or an inertia "
                                             "that no body has");
        }
        return true;
}

bool config_build_drop(struct vehicle_fault *out, const char *name,
                       const struct payload_file *file, int count,
                       const struct scenario_step *step, const struct json *node,
                       struct config_error *why)
{
        const struct payload_file *payload = find_payload(file, count, name);
        const struct json *scenario = node;

        while (scenario != NULL && json_member(scenario, "payloads") == NULL)
                scenario = scenario->parent;
        if (payload == NULL && !config_is_sound(json_member(scenario, "payloads")))
                return false;
        if (payload == NULL)
                return config_refuse_at(why, node, "drop",
                                        "must be the name of one of the scenario's "
                                        "payloads, is \"%s\"",
                                        name);
        if (payload->vehicle >= 0 && (step->chooses || payload->vehicle != step->vehicle))
                return config_refuse_at(why, node, "drop",
                                        "is \"%s\", which vehicle %d alone carries: the "
                                        "step needs \"vehicle\": %d",
                                        name, payload->vehicle, payload->vehicle);
        *out = (struct vehicle_fault){ .kind = PAYLOAD_DROP, .load = payload->load };
        return true;
}
