/* The keys of one step of a scenario file: when it fires, what it asks of the pilot, what it does to the vehicle, the
 * wire or the host. */
#include "hil/config/scenario/scenario.h"

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
          "Fires this long after the step above it; the first step, after the start.",
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
          "Which vehicles it is for, when it is for several but not all.",
          .table = &config_step_vehicles_table, .optional = true, AT(step_file, vehicles),
          .given = offsetof(struct step_file, step.chooses) },
        { "mode", CONFIG_CHOICE, "What is asked of the flight controller from now on.",
          .names = mode_names, .optional = true, AT(step_file, step.setpoint.mode),
          .given = offsetof(struct step_file, step.flies) },
        { "north_m", CONFIG_NUMBER, "Goto: measured from `from`.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(step_file, step.setpoint.pos_ned_m.x) },
        { "east_m", CONFIG_NUMBER, "Goto: measured from `from`.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(step_file, step.setpoint.pos_ned_m.y) },
        { "up_m", CONFIG_NUMBER,
          "Goto, and required for it: height, measured from `from`.", BETWEEN(-1e4, 1e4),
          .optional = true, .scale = -1, AT(step_file, step.setpoint.pos_ned_m.z) },
        { "from", CONFIG_CHOICE,
          "Goto: where its distances are measured from. start: where the vehicle's "
          "flight controller started. origin: the world's origin on the ground, the same "
          "place for all vehicles.",
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
          "A jig takes hold of the vehicle where it is and keeps it still in this "
          "attitude until another step turns it or releases it.",
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
          "Changes one of the flight controller's own settings, and changes it back when "
          "the step is over.",
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
