/* What becomes of a step of a scenario file: when it fires, for whom, and what it does, against what the rig has. */
#include <stdio.h>
#include <string.h>

#include "hil/config/fc/fc.h"
#include "hil/config/fc/reach.h"
#include "hil/config/scenario/scenario.h"
#include "hil/formula/quantity.h"

static bool check_rc(const struct step_file *file, const struct json *node,
                     struct config_error *why)
{
        char path[32];

        for (int i = 0; i < file->channels; i++) {
                if (file->step.rc_us[i] == 0 || file->step.rc_us[i] >= 1000)
                        continue;
                snprintf(path, sizeof(path), "rc_us.%d", i);
                return config_refuse_at(why, node, path,
                                        "must be 0 or at least 1000, is %u",
                                        file->step.rc_us[i]);
        }
        return true;
}

static bool build_when(struct scenario_step *step, const struct step_file *file,
                       int vehicles, const struct json *node, struct config_error *why)
{
        struct formula_error error;
        struct quantity_names names;
        int home = scenario_step_first(step);

        if (!quantity_names_make(&names, vehicles, home))
                return config_refuse(why, node, NULL, "out of memory");
        step->when = formula_parse(file->when, &names.names, &error);
        quantity_names_free(&names);
        if (step->when == NULL)
                return config_refuse_at(why, node, "when", "%s", error.text);
        if (formula_is_number(step->when) || formula_is_temporal(step->when))
                return config_refuse_at(why, node, "when",
                                        "must hold or not at one moment: a comparison, "
                                        "without always, eventually and until");
        return true;
}

static bool build_trigger(struct scenario_step *step, const struct step_file *file,
                          const struct rig_config *rig, const struct json *node,
                          struct config_error *why)
{
        if (file->when[0] != '\0') {
                step->trigger = TRIGGER_WHEN;
                step->t_ns = file->latest_ns >= 0 ? file->latest_ns : INT64_MAX;
                return build_when(step, file, rig->vehicles, node, why);
        }
        if (file->at_ns >= 0 || file->at_tick >= 0) {
                step->trigger = TRIGGER_TIME;
                step->t_ns =
                        file->at_ns >= 0 ? file->at_ns : file->at_tick * rig->period_ns;
                return true;
        }
        step->trigger = TRIGGER_AFTER;
        step->t_ns = file->after_ns;
        return true;
}

static void build_jig(struct scenario_step *step, const struct step_file *file)
{
        step->jig = file->hold_given ? JIG_HOLD
                    : file->release  ? JIG_RELEASE
                                     : JIG_AS_BEFORE;
        step->q_body_to_ned = quat_from_euler(file->hold.roll_rad, file->hold.pitch_rad,
                                              file->hold.yaw_rad);
}

static bool check_host_fault(const struct host_fault *fault, const struct json *node,
                             struct config_error *why)
{
        if (fault->kind == HOST_STALL && fault->by_ns <= 0)
                return config_refuse_at(why, node, "host_fault.by_ms",
                                        "must be greater than 0 of a stall, is %.15g",
                                        (double)fault->by_ns / MS_TO_NS);
        return true;
}

/* A step for all passes over twins, but for faults of their sensors; one that names a twin is for nothing else. */
static bool check_twins(const struct scenario_step *step, const struct rig_config *rig,
                        const struct json *node, struct config_error *why)
{
        bool all = step->vehicle < 0 && !step->chooses;
        bool asks = step->flies || step->sends_rc || step->jig != JIG_AS_BEFORE ||
                    (step->action != ACTION_NONE && step->action != ACTION_SENSOR_FAULT &&
                     step->action != ACTION_HOST_FAULT);

        for (int i = 0; i < rig->vehicles && asks && !all; i++)
                if (scenario_step_is_for(step, i) && rig->vehicle[i].twin.used)
                        return config_refuse(
                                why, node, NULL,
                                "is for %s, which is a twin: it flies as its "
                                "telemetry has it, and only its sonars can "
                                "be broken",
                                rig->vehicle[i].name);
        return true;
}

/* The action on one vehicle, against what that vehicle has. */
static bool build_action(struct scenario_step *step, const struct step_file *file,
                         const struct vehicle_config *v, const struct json *node,
                         struct config_error *why)
{
        const struct json *fault;
        bool twin = v->twin.used;

        if ((fault = config_member(node, "sensor_fault")) != NULL) {
                step->action = ACTION_SENSOR_FAULT;
                return config_build_sensor_fault(&step->sensor_fault, &file->sensor_fault,
                                                 v, fault, why);
        }
        if ((fault = config_member(node, "vehicle_fault")) != NULL) {
                step->action = ACTION_VEHICLE_FAULT;
                step->vehicle_fault = file->vehicle_fault;
                return config_check_vehicle_fault(&file->vehicle_fault, &v->params, fault,
                                                  why);
        }
        if ((fault = config_member(node, "wire_fault")) != NULL) {
                step->action = ACTION_WIRE_FAULT;
                return twin ||
                       (config_build_wire_fault(&step->wire_fault, &file->wire_fault,
                                                v->fc.codec, fault, why) &&
                        config_check_wire_fault(&step->wire_fault, v, fault, why));
        }
        if (config_member(node, "fc_option")) {
                step->action = ACTION_FC_OPTION;
                step->fc_option = file->fc_option;
                return twin || config_check_fc_option(&file->fc_option, v, node, why);
        }
        if (config_member(node, "host_fault")) {
                step->action = ACTION_HOST_FAULT;
                step->host_fault = file->host_fault;
                return check_host_fault(&file->host_fault, node, why);
        }
        return true;
}

static bool build_stimulus(struct scenario_step *step, const struct step_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        const struct json *stimulus = config_member(node, "stimulus");

        if (!stimulus)
                return true;
        step->action = ACTION_STIMULUS;
        if (!config_build_stimulus(&step->stimulus, &file->stimulus, rig->period_ns,
                                   stimulus, why))
                return false;
        if (step->for_ns > step->stimulus.for_ns)
                step->for_ns = step->stimulus.for_ns;
        return true;
}

/* A channel that its protocol has no room for would be moved in vain; 0 is not sent. */
static bool check_channels(const struct scenario_step *step, const struct json *node,
                           const struct vehicle_config *v, struct config_error *why)
{
        bool moved =
                step->action == ACTION_STIMULUS && step->stimulus.input == STIMULUS_RC;
        int last = moved ? step->stimulus.index : -1, room = reach_channels(v);

        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                if (step->rc_us[i] > 0 && i > last)
                        last = i;
        if (last < room)
                return true;
        return config_refuse_at(why, node, moved ? "stimulus.input" : "rc_us",
                                "must be of the first %d channels, which reach the "
                                "firmware of %s (codec \"%s\"), is of channel %d",
                                room, v->name, v->fc.codec, last + 1);
}

static bool build_actions(struct scenario_step *step, const struct scenario_file *all,
                          const struct step_file *file, const struct rig_config *rig,
                          const struct json *node, struct config_error *why)
{
        if (file->drop[0] != '\0') {
                step->action = ACTION_VEHICLE_FAULT;
                return config_build_drop(&step->vehicle_fault, file->drop, all->payload,
                                         all->payloads, step, node, why);
        }
        if (config_member(node, "vehicle_fault") && !rig->has_radio &&
            (file->vehicle_fault.kind == RADIO_LOST ||
             file->vehicle_fault.kind == RADIO_JAMMED))
                return config_refuse_at(why, node, "vehicle_fault.does",
                                        "needs the rig's \"radio\"");
        for (int i = 0; i < rig->vehicles; i++)
                if (scenario_step_is_for(step, i) && config_is_built(&rig->vehicle[i]) &&
                    !build_action(step, file, &rig->vehicle[i], node, why))
                        return false;
        if (!build_stimulus(step, file, rig, node, why))
                return false;
        for (int i = 0; i < rig->vehicles; i++)
                if (scenario_step_is_for(step, i) && config_has_fc(&rig->vehicle[i]) &&
                    !check_channels(step, node, &rig->vehicle[i], why))
                        return false;
        return check_twins(step, rig, node, why);
}

bool config_build_step(struct scenario_step *step, int index,
                       const struct scenario_file *all, const struct step_file *file,
                       const struct rig_config *rig, const struct json *node,
                       struct config_error *why)
{
        bool ok;

        *step = file->step;
        if (step->vehicle >= rig->vehicles)
                return config_refuse_at(why, node, "vehicle",
                                        "must be less than %d, the number of vehicles, "
                                        "is %d",
                                        rig->vehicles, step->vehicle);
        if (step->chooses &&
            !config_choose_vehicles(step, index, &file->vehicles, rig,
                                    config_member(node, "vehicles"), why))
                return false;
        if (step->for_ns == 0)
                step->for_ns = INT64_MAX;
        build_jig(step, file);
        ok = check_rc(file, node, why);
        ok = build_trigger(step, file, rig, node, why) && ok;
        return build_actions(step, all, file, rig, node, why) && ok;
}
