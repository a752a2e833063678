/* Scenario files: steps in the order of their times, and requirements. */
#include "hil/config_kinds.h"

#include <stdio.h>
#include <string.h>

static const char *const mode_names[] = { "disarmed", "armed", "goto", "land", NULL };
static const char *const kind_names[] = { "always", "eventually", NULL };
static const char *const signal_names[] = {
        [SIGNAL_NORTH_M] = "north_m",
        [SIGNAL_EAST_M] = "east_m",
        [SIGNAL_ALTITUDE_M] = "altitude_m",
        [SIGNAL_SPEED_MPS] = "speed_mps",
        [SIGNAL_CLIMB_MPS] = "climb_mps",
        [SIGNAL_TILT_DEG] = "tilt_deg",
        [SIGNAL_YAW_DEG] = "yaw_deg",
        [SIGNAL_ARMED] = "armed",
        [SIGNAL_CONTACT] = "contact",
        [SIGNAL_IMPACT_MPS] = "impact_mps",
        [SIGNAL_COUNT] = NULL,
};

_Static_assert(MODE_COUNT == 4, "mode_names has one for each");

#define DAY_S 86400

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

static const struct config_field step_fields[] = {
        { "at_s", CONFIG_TIME, "Simulated time; steps stand in the order of their times.",
          BETWEEN(0, DAY_S), .scale = NS_PER_S, AT(step_file, at_ns) },
        { "vehicle", CONFIG_INTEGER, "Index of the vehicle. Left out: every vehicle.",
          BETWEEN(0, VEHICLES_MAX - 1), .optional = true, AT(step_file, vehicle),
          .given = offsetof(struct step_file, vehicle_given) },
        { "mode", CONFIG_CHOICE, "What is asked of the flight controller.",
          .names = mode_names, AT(step_file, mode) },
        { "north_m", CONFIG_NUMBER, "Goto: from where the flight controller started.",
          BETWEEN(-1e5, 1e5), .preset = "0", AT(step_file, north_m) },
        { "east_m", CONFIG_NUMBER, "Goto: from where the flight controller started.",
          BETWEEN(-1e5, 1e5), .preset = "0", AT(step_file, east_m) },
        { "up_m", CONFIG_NUMBER, "Goto, and required for it: height above the start.",
          BETWEEN(-1e4, 1e4), .optional = true, AT(step_file, up_m),
          .given = offsetof(struct step_file, up_given) },
        { "yaw_deg", CONFIG_NUMBER, "Goto: heading, clockwise from north.",
          BETWEEN(-360, 360), .scale = RAD_PER_DEG, .preset = "0",
          AT(step_file, yaw_rad) },
        { "rc_us", CONFIG_INTEGERS,
          "Pulse of each RC channel, 1000 to 2000; 0: channel not sent.",
          BETWEEN(0, 2000), .size = RC_CHANNELS_MAX, .preset = "[]", AT(step_file, rc_us),
          .count = offsetof(struct step_file, channels) },
        { "hold_deg", CONFIG_OBJECT,
          "A jig takes the vehicle where it is and holds it still in this attitude, "
          "until "
          "another step turns it or lets it go.",
          .table = &hold_table, .optional = true, AT(step_file, hold),
          .given = offsetof(struct step_file, hold_given) },
        { "release", CONFIG_BOOL, "The jig lets the vehicle go.", .preset = "false",
          AT(step_file, release) },
        { NULL },
};

static const struct config_table step_table = {
        .name = "step",
        .about = "What the pilot asks from a time on, and what a jig does.",
        .field = step_fields,
};

static const struct config_field requirement_fields[] = {
        { "name", CONFIG_TEXT, "What it is called in the result.", .size = NAME_MAX_LEN,
          AT(requirement_file, name) },
        { "vehicle", CONFIG_INTEGER, "Index of the vehicle.",
          BETWEEN(0, VEHICLES_MAX - 1), .preset = "0", AT(requirement_file, vehicle) },
        { "kind", CONFIG_CHOICE,
          "always: at every tick from from_s to to_s; eventually: at one of them at "
          "least.",
          .names = kind_names, AT(requirement_file, kind) },
        { "signal", CONFIG_CHOICE,
          "The quantity: the vehicle's true motion, except armed (0 or 1), which the "
          "flight "
          "controller reports. contact is 0 or 1; impact_mps is the speed into the "
          "ground.",
          .names = signal_names, AT(requirement_file, signal) },
        { "min", CONFIG_NUMBER, "Least that is allowed, in the signal's unit.",
          BETWEEN(-1e6, 1e6), .optional = true, AT(requirement_file, min),
          .given = offsetof(struct requirement_file, min_given) },
        { "max", CONFIG_NUMBER, "Most that is allowed, in the signal's unit.",
          BETWEEN(-1e6, 1e6), .optional = true, AT(requirement_file, max),
          .given = offsetof(struct requirement_file, max_given) },
        { "from_s", CONFIG_TIME, "Start of the window.", BETWEEN(0, DAY_S),
          .scale = NS_PER_S, .preset = "0", AT(requirement_file, from_ns) },
        { "to_s", CONFIG_TIME, "End of the window. Left out: the end of the scenario.",
          BETWEEN(0, DAY_S), .scale = NS_PER_S, .optional = true,
          AT(requirement_file, to_ns),
          .given = offsetof(struct requirement_file, to_given) },
        { NULL },
};

static const struct config_table requirement_table = {
        .name = "requirement",
        .about = "What must be true of the flight: min <= signal <= max.",
        .field = requirement_fields,
};

static const struct config_field scenario_fields[] = {
        { "name", CONFIG_NAME, "What the scenario is called.", .size = NAME_MAX_LEN,
          AT(scenario_file, name) },
        { "duration_s", CONFIG_TIME, "Simulated time after which the run ends.",
          AT_LEAST(0.001), AT_MOST(DAY_S), .scale = NS_PER_S,
          AT(scenario_file, duration_ns) },
        { "steps", CONFIG_OBJECTS, "What is asked and when.", .table = &step_table,
          .size = SCENARIO_STEPS_MAX, .stride = sizeof(struct step_file), .preset = "[]",
          AT(scenario_file, step), .count = offsetof(struct scenario_file, steps) },
        { "requirements", CONFIG_OBJECTS, "What makes the run pass.",
          .table = &requirement_table, .size = SCENARIO_REQUIREMENTS_MAX,
          .stride = sizeof(struct requirement_file), .preset = "[]",
          AT(scenario_file, requirement),
          .count = offsetof(struct scenario_file, requirements) },
        { NULL },
};

const struct config_table config_scenario_table = {
        .name = "scenario",
        .kind = "scenario",
        .about = "What the pilot asks, and what must come of it.",
        .field = scenario_fields,
};

static bool check_vehicle(int vehicle, int vehicles, const struct json *item,
                          struct config_error *why)
{
        if (vehicle < vehicles)
                return true;
        return config_refuse_at(why, item, "vehicle",
                                "must be less than %d, the number of vehicles, is %d",
                                vehicles, vehicle);
}

static bool check_rc(const struct step_file *file, const struct json *item,
                     struct config_error *why)
{
        char path[32];

        for (int i = 0; i < file->channels; i++) {
                if (file->rc_us[i] == 0 || file->rc_us[i] >= 1000)
                        continue;
                snprintf(path, sizeof(path), "rc_us.%d", i);
                return config_refuse_at(why, item, path,
                                        "must be 0 or at least 1000, is %u",
                                        file->rc_us[i]);
        }
        return true;
}

static enum scenario_jig jig(const struct step_file *file)
{
        return file->hold_given ? JIG_HOLD : file->release ? JIG_RELEASE : JIG_AS_BEFORE;
}

static bool build_step(struct scenario_step *step, const struct step_file *file,
                       int vehicles, const struct json *item, struct config_error *why)
{
        if (file->vehicle_given && !check_vehicle(file->vehicle, vehicles, item, why))
                return false;
        if (file->mode == MODE_GOTO && !file->up_given)
                return config_refuse(why, item, "up_m",
                                     "is required, and missing, with \"mode\": \"goto\"");
        if (file->hold_given && file->release)
                return config_refuse_at(why, item, "release",
                                        "must be false in a step with hold_deg");
        if (!check_rc(file, item, why))
                return false;
        step->t_ns = file->at_ns;
        step->vehicle = file->vehicle_given ? file->vehicle : -1;
        step->setpoint.mode = (enum flight_mode)file->mode;
        step->setpoint.pos_ned_m =
                (struct vec3){ file->north_m, file->east_m, 0.0 - file->up_m };
        step->setpoint.yaw_rad = file->yaw_rad;
        memcpy(step->rc_us, file->rc_us, sizeof(step->rc_us));
        step->jig = jig(file);
        step->q_body_to_ned = quat_from_euler(file->hold.roll_rad, file->hold.pitch_rad,
                                              file->hold.yaw_rad);
        return true;
}

static bool build_steps(struct scenario *s, const struct scenario_file *file,
                        int vehicles, const struct json *node, struct config_error *why)
{
        s->steps = file->steps;
        for (int i = 0; i < file->steps; i++) {
                const struct json *item = json_item(json_member(node, "steps"), i);

                if (!build_step(&s->step[i], &file->step[i], vehicles, item, why))
                        return false;
                if (i > 0 && s->step[i].t_ns < s->step[i - 1].t_ns)
                        return config_refuse_at(why, item, "at_s",
                                                "must not be before the step above it, "
                                                "which is at %.15g s",
                                                (double)s->step[i - 1].t_ns / NS_PER_S);
        }
        return true;
}

static bool check_window(const struct scenario_requirement *r, const struct scenario *s,
                         const struct json *item, struct config_error *why)
{
        const char *end = r->to_ns > s->duration_ns ? "to_s" : "from_s";

        if (r->to_ns > s->duration_ns || r->from_ns > s->duration_ns)
                return config_refuse_at(
                        why, item, end,
                        "must not be after the end of the scenario, which "
                        "is at %.15g s",
                        (double)s->duration_ns / NS_PER_S);
        if (r->from_ns > r->to_ns)
                return config_refuse_at(why, item, "from_s",
                                        "must not be after to_s, which is %.15g s",
                                        (double)r->to_ns / NS_PER_S);
        return true;
}

static bool build_requirement(struct scenario_requirement *r, const struct scenario *s,
                              const struct requirement_file *file, int vehicles,
                              const struct json *item, struct config_error *why)
{
        if (!check_vehicle(file->vehicle, vehicles, item, why))
                return false;
        if (!file->min_given && !file->max_given)
                return config_refuse(why, item, NULL, "must have min or max, or both");
        memcpy(r->name, file->name, sizeof(r->name));
        r->vehicle = file->vehicle;
        r->quantifier = (enum scenario_quantifier)file->kind;
        r->signal = (enum scenario_signal)file->signal;
        r->min = file->min_given ? file->min : -INFINITY;
        r->max = file->max_given ? file->max : INFINITY;
        r->from_ns = file->from_ns;
        r->to_ns = file->to_given ? file->to_ns : s->duration_ns;
        if (r->min > r->max)
                return config_refuse_at(why, item, "min",
                                        "must not be greater than max, which is %.15g",
                                        r->max);
        return check_window(r, s, item, why);
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

bool config_build_scenario(struct scenario *s, const struct scenario_file *file,
                           int vehicles, const struct json *node,
                           struct config_error *why)
{
        const struct json *list = json_member(node, "requirements");

        memcpy(s->name, file->name, sizeof(s->name));
        s->duration_ns = file->duration_ns;
        if (!build_steps(s, file, vehicles, node, why))
                return false;
        s->requirements = file->requirements;
        for (int i = 0; i < file->requirements; i++)
                if (!build_requirement(&s->requirement[i], s, &file->requirement[i],
                                       vehicles, json_item(list, i), why))
                        return false;
        return check_names(s, list, why);
}
