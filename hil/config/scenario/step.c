/* One step of a scenario file: when it fires, what it asks of the pilot, what it does to the vehicle, the
 * wire or the host. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/fc/fc.h"
#include "hil/formula/quantity.h"

#define DAY_S 86400

static const char *const mode_names[] = { "disarmed", "armed", "goto", "land", NULL };
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
          .names = host_fault_names, AT(host_fault_file, kind) },
        { "by_ms", CONFIG_TIME, "How long, or how far; a clock may jump back.",
          BETWEEN(-10000, 10000), .scale = MS_TO_NS, AT(host_fault_file, by_ns) },
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

#define GIVEN(member) .given = offsetof(struct step_file, member##_given)

static const struct config_field step_fields[] = {
        { "name", CONFIG_TEXT, "What it is called in the record and the report.",
          .size = NAME_MAX_LEN, .optional = true, AT(step_file, name) },
        { "at_s", CONFIG_TIME,
          "Fires at this simulated time. Every step waits for the one above it; left out, "
          "with the other three: fires with the one above it.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true, AT(step_file, at_ns),
          GIVEN(at) },
        { "at_tick", CONFIG_INTEGER, "Fires at this tick; the first is 1.",
          BETWEEN(0, 2147483647), .optional = true, AT(step_file, at_tick), GIVEN(tick) },
        { "after_s", CONFIG_TIME, "Fires so long after the step above it.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true, AT(step_file, after_ns),
          GIVEN(after) },
        { "when", CONFIG_TEXT,
          "Fires when this formula holds of the tick before: \"altitude_m > 4.5\".",
          .size = FORMULA_TEXT_MAX, .optional = true, AT(step_file, when), GIVEN(when) },
        { "at_latest_s", CONFIG_TIME,
          "With when: fires at this simulated time even if it never held.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true,
          AT(step_file, latest_ns), GIVEN(latest) },
        { "vehicle", CONFIG_INTEGER, "Index of the vehicle. Left out: every vehicle.",
          BETWEEN(0, VEHICLES_MAX - 1), .optional = true, AT(step_file, vehicle),
          GIVEN(vehicle) },
        { "mode", CONFIG_CHOICE, "What is asked of the flight controller from now on.",
          .names = mode_names, .optional = true, AT(step_file, mode), GIVEN(mode) },
        { "north_m", CONFIG_NUMBER, "Goto: from where the flight controller started.",
          BETWEEN(-1e5, 1e5), .preset = "0", AT(step_file, north_m) },
        { "east_m", CONFIG_NUMBER, "Goto: from where the flight controller started.",
          BETWEEN(-1e5, 1e5), .preset = "0", AT(step_file, east_m) },
        { "up_m", CONFIG_NUMBER, "Goto, and required for it: height above the start.",
          BETWEEN(-1e4, 1e4), .optional = true, AT(step_file, up_m), GIVEN(up) },
        { "yaw_deg", CONFIG_NUMBER, "Goto: heading, clockwise from north.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(step_file, yaw_rad) },
        { "rc_us", CONFIG_INTEGERS,
          "Pulse of each RC channel from now on, 1000 to 2000; 0: channel not sent.",
          BETWEEN(0, 2000), .size = RC_CHANNELS_MAX, .optional = true,
          AT(step_file, rc_us), .count = offsetof(struct step_file, channels),
          GIVEN(rc) },
        { "hold_deg", CONFIG_OBJECT,
          "A jig takes the vehicle where it is and holds it still in this attitude, "
          "until another step turns it or lets it go.",
          .table = &hold_table, .optional = true, AT(step_file, hold), GIVEN(hold) },
        { "release", CONFIG_BOOL, "The jig lets the vehicle go.", .preset = "false",
          AT(step_file, release) },
        { "for_s", CONFIG_TIME,
          "How long a fault or an fc_option lasts. Left out: to the end.",
          ABOVE(0), AT_MOST(DAY_S), .scale = S_TO_NS, .optional = true,
          AT(step_file, for_ns), GIVEN(for) },
        { "stimulus", CONFIG_OBJECT, "Adds a shape over time to an input of the loop.",
          .table = &config_stimulus_table, .optional = true, AT(step_file, stimulus),
          GIVEN(stimulus) },
        { "sensor_fault", CONFIG_OBJECT, "Makes a sensor faulty.",
          .table = &config_sensor_fault_table, .optional = true,
          AT(step_file, sensor_fault), GIVEN(sensor_fault) },
        { "vehicle_fault", CONFIG_OBJECT, "Makes the vehicle itself faulty.",
          .table = &config_vehicle_fault_table, .optional = true,
          AT(step_file, vehicle_fault), GIVEN(vehicle_fault) },
        { "wire_fault", CONFIG_OBJECT, "Makes the link to the flight controller faulty.",
          .table = &config_wire_fault_table, .optional = true, AT(step_file, wire_fault),
          GIVEN(wire_fault) },
        { "fc_option", CONFIG_OBJECT,
          "Sets one of the flight controller's own settings; when it is over, as it was "
          "before.",
          .table = &fc_option_table, .optional = true, AT(step_file, fc_option),
          GIVEN(fc_option) },
        { "drop", CONFIG_TEXT, "The vehicle drops the payload of this name.",
          .size = NAME_MAX_LEN, .optional = true, AT(step_file, drop), GIVEN(drop) },
        { "host_fault", CONFIG_OBJECT, "Upsets the rig's own host.",
          .table = &host_fault_table, .optional = true, AT(step_file, host_fault),
          GIVEN(host_fault) },
        { NULL },
};

const struct config_table config_step_table = {
        .name = "step",
        .about = "What is asked of the pilot, or done to the vehicle, from a moment on.",
        .field = step_fields,
};

static bool check_rc(const struct step_file *file, const struct json *node,
                     struct config_error *why)
{
        char path[32];

        for (int i = 0; i < file->channels; i++) {
                if (file->rc_us[i] == 0 || file->rc_us[i] >= 1000)
                        continue;
                snprintf(path, sizeof(path), "rc_us.%d", i);
                return config_refuse_at(why, node, path,
                                        "must be 0 or at least 1000, is %u",
                                        file->rc_us[i]);
        }
        return true;
}

static int actions(const struct step_file *f)
{
        return f->stimulus_given + f->sensor_fault_given + f->vehicle_fault_given +
               f->wire_fault_given + f->host_fault_given + f->drop_given +
               f->fc_option_given;
}

static bool check_trigger(const struct step_file *f, const struct json *node,
                          struct config_error *why)
{
        int triggers = f->at_given + f->tick_given + f->after_given + f->when_given;

        if (triggers > 1)
                return config_refuse(why, node, NULL,
                                     "must have one of at_s, at_tick, after_s and when, "
                                     "has %d of them",
                                     triggers);
        if (f->latest_given && !f->when_given)
                return config_refuse_at(why, node, "at_latest_s",
                                        "means nothing without when");
        return true;
}

static bool check_action(const struct step_file *f, const struct json *node,
                         struct config_error *why)
{
        bool lasts = f->sensor_fault_given || f->vehicle_fault_given ||
                     f->wire_fault_given || f->fc_option_given;

        if (actions(f) > 1)
                return config_refuse(why, node, NULL,
                                     "must have one of stimulus, sensor_fault, "
                                     "vehicle_fault, wire_fault, fc_option, drop and "
                                     "host_fault, "
                                     "has %d of them",
                                     actions(f));
        if (f->for_given && !lasts)
                return config_refuse_at(why, node, "for_s",
                                        "means something for a sensor_fault, a "
                                        "vehicle_fault, a wire_fault or an fc_option "
                                        "only");
        if (actions(f) == 0 && !f->mode_given && !f->rc_given && !f->hold_given &&
            !f->release)
                return config_refuse(why, node, NULL, "must do something, and does not");
        return true;
}

static bool check_pilot(const struct step_file *f, const struct json *node,
                        struct config_error *why)
{
        if (f->mode_given && f->mode == MODE_GOTO && !f->up_given)
                return config_refuse(why, node, "up_m",
                                     "is required, and missing, with \"mode\": \"goto\"");
        if (f->hold_given && f->release)
                return config_refuse_at(why, node, "release",
                                        "must be false in a step with hold_deg");
        return check_rc(f, node, why);
}

static bool build_when(struct scenario_step *step, const struct step_file *file,
                       int vehicles, const struct json *node, struct config_error *why)
{
        struct formula_error error;
        struct quantity_names names;
        int home = file->vehicle_given ? file->vehicle : 0;

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
        if (file->when_given) {
                step->trigger = TRIGGER_WHEN;
                step->t_ns = file->latest_given ? file->latest_ns : INT64_MAX;
                return build_when(step, file, rig->vehicles, node, why);
        }
        if (file->at_given || file->tick_given) {
                step->trigger = TRIGGER_TIME;
                step->t_ns =
                        file->at_given ? file->at_ns : file->at_tick * rig->period_ns;
                return true;
        }
        step->trigger = TRIGGER_AFTER;
        step->t_ns = file->after_ns;
        return true;
}

static void build_pilot(struct scenario_step *step, const struct step_file *file)
{
        step->flies = file->mode_given;
        step->setpoint.mode = (enum flight_mode)file->mode;
        step->setpoint.pos_ned_m =
                (struct vec3){ file->north_m, file->east_m, 0.0 - file->up_m };
        step->setpoint.yaw_rad = file->yaw_rad;
        step->sends_rc = file->rc_given;
        memcpy(step->rc_us, file->rc_us, sizeof(step->rc_us));
        step->jig = file->hold_given ? JIG_HOLD
                    : file->release  ? JIG_RELEASE
                                     : JIG_AS_BEFORE;
        step->q_body_to_ned = quat_from_euler(file->hold.roll_rad, file->hold.pitch_rad,
                                              file->hold.yaw_rad);
}

static bool build_host_fault(struct scenario_step *step, const struct step_file *file,
                             const struct json *node, struct config_error *why)
{
        step->host_fault.kind = (enum host_fault_kind)file->host_fault.kind;
        step->host_fault.by_ns = file->host_fault.by_ns;
        if (step->host_fault.kind == HOST_STALL && step->host_fault.by_ns <= 0)
                return config_refuse_at(why, node, "host_fault.by_ms",
                                        "must be greater than 0 of a stall, is %.15g",
                                        (double)step->host_fault.by_ns / MS_TO_NS);
        return true;
}

/* The action on one vehicle, against what that vehicle has. */
static bool build_action(struct scenario_step *step, const struct step_file *file,
                         const struct vehicle_config *v, const struct json *node,
                         struct config_error *why)
{
        if (file->sensor_fault_given) {
                step->action = ACTION_SENSOR_FAULT;
                return config_build_sensor_fault(&step->sensor_fault, &file->sensor_fault,
                                                 &v->params.sensors,
                                                 json_member(node, "sensor_fault"), why);
        }
        if (file->vehicle_fault_given) {
                step->action = ACTION_VEHICLE_FAULT;
                return config_build_vehicle_fault(
                        &step->vehicle_fault, &file->vehicle_fault, &v->params,
                        json_member(node, "vehicle_fault"), why);
        }
        if (file->wire_fault_given) {
                step->action = ACTION_WIRE_FAULT;
                return config_build_wire_fault(&step->wire_fault, &file->wire_fault,
                                               v->fc.codec,
                                               json_member(node, "wire_fault"), why) &&
                       config_check_wire_fault(&step->wire_fault, &v->fc,
                                               json_member(node, "wire_fault"), why);
        }
        if (file->fc_option_given) {
                step->action = ACTION_FC_OPTION;
                step->fc_option = file->fc_option;
                return config_check_fc_option(&file->fc_option, v, node, why);
        }
        if (file->host_fault_given) {
                step->action = ACTION_HOST_FAULT;
                return build_host_fault(step, file, node, why);
        }
        return true;
}

static bool build_stimulus(struct scenario_step *step, const struct step_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        if (!file->stimulus_given)
                return true;
        step->action = ACTION_STIMULUS;
        if (!config_build_stimulus(&step->stimulus, &file->stimulus, rig->period_ns,
                                   json_member(node, "stimulus"), why))
                return false;
        step->for_ns = step->stimulus.for_ns;
        return true;
}

static bool build_actions(struct scenario_step *step, const struct scenario_file *all,
                          const struct step_file *file, const struct rig_config *rig,
                          const struct json *node, struct config_error *why)
{
        if (file->drop_given) {
                step->action = ACTION_VEHICLE_FAULT;
                return config_build_drop(&step->vehicle_fault, file->drop, all->payload,
                                         all->payloads, step->vehicle, node, why);
        }
        for (int i = 0; i < rig->vehicles; i++)
                if ((step->vehicle < 0 || step->vehicle == i) &&
                    !build_action(step, file, &rig->vehicle[i], node, why))
                        return false;
        return build_stimulus(step, file, rig, node, why);
}

bool config_build_step(struct scenario_step *step, const struct scenario_file *all,
                       int index, const struct rig_config *rig, const struct json *node,
                       struct config_error *why)
{
        const struct step_file *file = &all->step[index];

        if (file->vehicle_given && file->vehicle >= rig->vehicles)
                return config_refuse_at(why, node, "vehicle",
                                        "must be less than %d, the number of vehicles, "
                                        "is %d",
                                        rig->vehicles, file->vehicle);
        if (!check_trigger(file, node, why) || !check_action(file, node, why) ||
            !check_pilot(file, node, why))
                return false;
        memcpy(step->name, file->name, sizeof(step->name));
        step->vehicle = file->vehicle_given ? file->vehicle : -1;
        step->for_ns = file->for_given ? file->for_ns : INT64_MAX;
        build_pilot(step, file);
        return build_trigger(step, file, rig, node, why) &&
               build_actions(step, all, file, rig, node, why);
}
