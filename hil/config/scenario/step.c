/* One step of a scenario file: when it fires, what it asks of the pilot, what it does to the vehicle, the
 * wire or the host. */
#include "hil/config/fc/reach.h"
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/fc/fc.h"
#include "hil/formula/quantity.h"

#define DAY_S 86400

static const char *const mode_names[] = { "disarmed", "armed", "goto", "land", NULL };
static const char *const from_names[] = { "start", "origin", NULL };
static const char *const host_fault_names[] = { "stall", "clock_step", NULL };

_Static_assert(MODE_COUNT == 4, "mode_names has one for each");
_Static_assert(HOST_FAULT_KINDS == 2, "host_fault_names has one for each");

static const struct config_field hold_fields[] = {
        { "roll", CONFIG_NUMBER, "Right side down.", BETWEEN(-180, 180),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, roll_rad) },
        { "pitch", CONFIG_NUMBER, "Nose up.", BETWEEN(-90, 90), .scale = RAD_PER_DEG,
          .preset = "0", AT(mounting_file, pitch_rad) },
        { "yaw", CONFIG_NUMBER, "Clockwise from north.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, yaw_rad) },
        { NULL },
};

static const struct config_table hold_table = {
        .name = "hold",
        .about =
                "How a jig turns the vehicle, in degrees: by yaw, then pitch, then roll.",
        .field = hold_fields,
};

static const struct config_field host_fault_fields[] = {
        { "does", CONFIG_CHOICE,
          "stall: the loop stands still. clock_step: its clock jumps. Both mean "
          "something "
          "in real time only.",
          .names = host_fault_names, AT(host_fault, kind) },
        { "by_ms", CONFIG_TIME, "How long, or how far; a clock may jump back.",
          BETWEEN(-10000, 10000), .scale = MS_TO_NS, AT(host_fault, by_ns) },
        { NULL },
};

static const struct config_table host_fault_table = {
        .name = "host_fault",
        .about = "What is done to the rig's own host, to see whether the rig says so.",
        .field = host_fault_fields,
};

static const struct config_field fc_option_fields[] = {
        { "key", CONFIG_NAME, "Its name, as the firmware has it.",
          .size = CODEC_OPTION_MAX + 1, AT(fc_option, key) },
        { "value", CONFIG_TEXT,
          "Printable ASCII. Left out: what the rig file gives it, or else what the "
          "firmware does when nobody sets it.",
          .size = CODEC_OPTION_MAX + 1, .optional = true, AT(fc_option, value) },
        { NULL },
};

static const struct config_table fc_option_table = {
        .name = "fc_option",
        .about = "A setting of the flight controller's own.",
        .field = fc_option_fields,
};

static const struct config_field step_fields[] = {
        { "name", CONFIG_TEXT, "What it is called in the record and the report.",
          .size = NAME_MAX_LEN, .optional = true, AT(step_file, step.name) },
        { "at_s", CONFIG_TIME,
          "Fires at this simulated time, or with the step above it, if that fires later; "
          "left out, with the other three: fires with the one above it.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true, AT(step_file, at_ns),
          .absent = "-1" },
        { "at_tick", CONFIG_INTEGER, "Fires at this tick; the first is 1.",
          BETWEEN(0, 2147483647), .optional = true, AT(step_file, at_tick),
          .absent = "-1" },
        { "after_s", CONFIG_TIME,
          "Fires so long after the step above it; the first one: after the start.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true,
          AT(step_file, after_ns) },
        { "when", CONFIG_TEXT,
          "Fires when this formula holds of the tick before: \"altitude_m > 4.5\".",
          .size = FORMULA_TEXT_MAX, .optional = true, AT(step_file, when) },
        { "at_latest_s", CONFIG_TIME,
          "With when: fires at this simulated time even if it never held.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true, AT(step_file, latest_ns),
          .absent = "-1" },
        { "vehicle", CONFIG_INTEGER, "Index of the vehicle. Left out: every vehicle.",
          BETWEEN(0, VEHICLES_MAX - 1), .optional = true, AT(step_file, step.vehicle),
          .absent = "-1" },
        { "vehicles", CONFIG_OBJECT,
          "Which vehicles it is for, where it is not one and not every one.",
          .table = &config_step_vehicles_table, .optional = true, AT(step_file, vehicles),
          .given = offsetof(struct step_file, step.chooses) },
        { "mode", CONFIG_CHOICE, "What is asked of the flight controller from now on.",
          .names = mode_names, .optional = true, AT(step_file, step.setpoint.mode),
          .given = offsetof(struct step_file, step.flies) },
        { "north_m", CONFIG_NUMBER, "Goto: as `from` counts.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(step_file, step.setpoint.pos_ned_m.x) },
        { "east_m", CONFIG_NUMBER, "Goto: as `from` counts.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(step_file, step.setpoint.pos_ned_m.y) },
        { "up_m", CONFIG_NUMBER, "Goto, and required for it: height, as `from` counts.",
          BETWEEN(-1e4, 1e4), .optional = true, .scale = -1,
          AT(step_file, step.setpoint.pos_ned_m.z) },
        { "from", CONFIG_CHOICE,
          "Goto: from where its distances count. start: where the vehicle's flight "
          "controller started. origin: the world's, on the ground, which is one place "
          "for "
          "all vehicles.",
          .names = from_names, .preset = "\"start\"", AT(step_file, step.from) },
        { "yaw_deg", CONFIG_NUMBER, "Goto: heading, clockwise from north.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(step_file, step.setpoint.yaw_rad) },
        { "rc_us", CONFIG_INTEGERS,
          "Pulse of each RC channel from now on, 1000 to 2000; 0: channel not sent.",
          BETWEEN(0, 2000), .size = RC_CHANNELS_MAX, .optional = true,
          AT(step_file, step.rc_us), .count = offsetof(struct step_file, channels),
          .given = offsetof(struct step_file, step.sends_rc) },
        { "hold_deg", CONFIG_OBJECT,
          "A jig takes the vehicle where it is and holds it still in this attitude, "
          "until another step turns it or lets it go.",
          .table = &hold_table, .optional = true, AT(step_file, hold),
          .given = offsetof(struct step_file, hold_given) },
        { "release", CONFIG_BOOL, "The jig lets the vehicle go.", .preset = "false",
          AT(step_file, release) },
        { "end", CONFIG_BOOL,
          "The run ends here, before duration_s; steps that have not fired are not "
          "missed.",
          .preset = "false", AT(step_file, step.ends) },
        { "for_s", CONFIG_TIME,
          "How long a fault or an fc_option lasts. Left out: to the end. Of a stimulus: "
          "when it is cut off, at most after its own for_s.",
          ABOVE(0), AT_MOST(DAY_S), .scale = S_TO_NS, .optional = true,
          AT(step_file, step.for_ns) },
        { "stimulus", CONFIG_OBJECT, "Adds a shape over time to an input of the loop.",
          .table = &config_stimulus_table, .optional = true, AT(step_file, stimulus) },
        { "sensor_fault", CONFIG_OBJECT, "Makes a sensor faulty.",
          .table = &config_sensor_fault_table, .optional = true,
          AT(step_file, sensor_fault) },
        { "vehicle_fault", CONFIG_OBJECT, "Makes the vehicle itself faulty.",
          .table = &config_vehicle_fault_table, .optional = true,
          AT(step_file, vehicle_fault) },
        { "wire_fault", CONFIG_OBJECT, "Makes the link to the flight controller faulty.",
          .table = &config_wire_fault_table, .optional = true,
          AT(step_file, wire_fault) },
        { "fc_option", CONFIG_OBJECT,
          "Sets one of the flight controller's own settings; when it is over, as it was "
          "before.",
          .table = &fc_option_table, .optional = true, AT(step_file, fc_option) },
        { "drop", CONFIG_TEXT, "The vehicle drops the payload of this name.",
          .size = NAME_MAX_LEN, .optional = true, AT(step_file, drop) },
        { "host_fault", CONFIG_OBJECT, "Upsets the rig's own host.",
          .table = &host_fault_table, .optional = true, AT(step_file, host_fault) },
        { NULL },
};

#define ACTIONS                                                                          \
        "stimulus", "sensor_fault", "vehicle_fault", "wire_fault", "fc_option", "drop",  \
                "host_fault"

static const struct config_rule step_rules[] = {
        { { "at_s", "at_tick", "after_s", "when" }, .most = 1 },
        { { "at_latest_s" }, { "when" }, .may = CONFIG_THERE },
        { { ACTIONS }, .most = 1 },
        { { "vehicle", "vehicles" }, .most = 1 },
        { { "for_s" },
          { "stimulus", "sensor_fault", "vehicle_fault", "wire_fault", "fc_option" },
          .may = CONFIG_THERE },
        { { "mode", "rc_us", "hold_deg", "release", "end", ACTIONS }, .least = 1 },
        { { "up_m" },
          { "mode" },
          .must = CONFIG_IS(MODE_GOTO),
          .may = ~CONFIG_IS(MODE_GOTO) },
        { { "hold_deg", "release" }, .most = 1 },
        { { NULL } },
};

const struct config_table config_step_table = {
        .name = "step",
        .about = "What is asked of the pilot, or done to the vehicle, from a moment on.",
        .field = step_fields,
        .rule = step_rules,
};

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
