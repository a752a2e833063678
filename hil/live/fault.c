/* A fault or a stimulus that somebody asks for on the page: a step in the language of scenario files, of which the moment
 * is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"
#include "hil/live/document.h"

/* To whom, what, for how long; a step may do more than that, but not by hand. */
static bool has_known_keys(const struct json *step, char *why, size_t cap)
{
        static const char *const known[] = { "name",          "vehicle",
                                             "for_s",         "sensor_fault",
                                             "vehicle_fault", "wire_fault",
                                             "host_fault",    "stimulus" };
        int faults = 0;

        for (const struct json *m = step->first; m != NULL; m = m->next) {
                size_t k = 0;

                while (k < sizeof known / sizeof known[0] &&
                       strcmp(known[k], m->key) != 0)
                        k++;
                if (k == sizeof known / sizeof known[0]) {
                        snprintf(why, cap,
                                 "%s: is none of name, vehicle, for_s, "
                                 "sensor_fault, vehicle_fault, wire_fault, host_fault, "
                                 "stimulus",
                                 m->key);
                        return false;
                }
                faults += k >= 3;
        }
        if (faults != 1)
                snprintf(why, cap,
                         "needs one of sensor_fault, vehicle_fault, wire_fault, "
                         "host_fault and stimulus");
        return faults == 1;
}

static bool build(struct scenario_step *step, const struct json *node,
                  const struct rig_config *rig, struct config_error *error)
{
        struct scenario_file *none = calloc(1, sizeof *none);
        struct step_file *file = calloc(1, sizeof *file);
        bool ok = none != NULL && file != NULL &&
                  config_table_read(&config_step_table, node, file, NULL, error) &&
                  config_build_step(step, 0, none, file, rig, node, error);

        free(none);
        free(file);
        return ok;
}

bool live_fault_read(struct live_order *order, const struct json *step,
                     const struct rig_config *rig, char *why, size_t cap)
{
        struct config_error *error;
        struct json *node;
        bool ok = false;

        if (!json_is(step, JSON_OBJECT)) {
                snprintf(why, cap, "the fault must be an object");
                return false;
        }
        if (!has_known_keys(step, why, cap))
                return false;
        snprintf(why, cap, "out of memory");
        error = calloc(1, sizeof *error);
        node = json_copy(step);
        if (error != NULL && node != NULL) {
                json_set_origin(node, "fault", 0);
                json_add_number(node, "at_tick", 0.0);
                ok = build(&order->step, node, rig, error);
                if (!ok && error->text[0] != '\0')
                        snprintf(why, cap, "%s", error->text);
        }
        order->text = ok ? json_print_line(step) : NULL;
        json_free(node);
        free(error);
        return ok && order->text != NULL;
}
