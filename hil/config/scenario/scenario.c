/* Scenario files: steps in the order in which they fire, and requirements. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#define DAY_S 86400

static const struct config_field track_fields[] = {
        { "name", CONFIG_NAME, "What the track is called; unique in the scenario.",
          .size = NAME_MAX_LEN, AT(track_file, name) },
        { "steps", CONFIG_OBJECTS, "Its steps; after_s of the first is from the start.",
          .table = &config_step_table, .least = 1, .size = SCENARIO_STEPS_MAX,
          .stride = sizeof(struct step_file), .on_heap = true, AT(track_file, step),
          .count = offsetof(struct track_file, steps) },
        { NULL },
};

static const struct config_table track_table = {
        .name = "track",
        .about = "Steps that fire one after the other, independently of other tracks.",
        .field = track_fields,
};

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
          .stride = sizeof(struct step_file), .on_heap = true, .preset = "[]",
          AT(scenario_file, track[0].step),
          .count = offsetof(struct scenario_file, track[0].steps) },
        { "tracks", CONFIG_OBJECTS,
          "Further lists of steps that run beside steps and beside each other.",
          .table = &track_table, .size = SCENARIO_TRACKS_MAX,
          .stride = sizeof(struct track_file), .preset = "[]",
          AT(scenario_file, track[1]), .count = offsetof(struct scenario_file, tracks) },
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
        .about = "What the vehicles are asked to do, what is done to them, and what the "
                 "flight is required to show.",
        .field = scenario_fields,
};

/* Of steps that fire at a time, the times may not go back: the step below waits for the one above, and
 * would fire later than it says. */
static bool check_order(const struct scenario_step *step, int steps,
                        const struct json *list, struct config_error *why)
{
        int64_t latest_ns = 0;

        for (int i = 0; i < steps; i++) {
                if (step[i].trigger != TRIGGER_TIME)
                        continue;
                if (step[i].t_ns < latest_ns)
                        return config_refuse_at(
                                why, json_item(list, i),
                                json_member(json_item(list, i), "at_s") ? "at_s"
                                                                        : "at_tick",
                                "must not be before a step above it, which is at %.15g s",
                                (double)latest_ns / S_TO_NS);
                latest_ns = step[i].t_ns;
        }
        return true;
}

static bool check_requirement_names(const struct scenario *s, const struct json *list,
                                    struct config_error *why)
{
        bool ok = true;

        for (int i = 0; i < s->requirements; i++)
                for (int j = 0; j < i; j++)
                        if (s->requirement[i].name[0] != '\0' &&
                            strcmp(s->requirement[i].name, s->requirement[j].name) == 0)
                                ok = config_refuse_at(
                                        why, json_item(list, i), "name",
                                        "is the name of an earlier requirement too");
        return ok;
}

static bool check_track_names(const struct scenario_file *file, const struct json *list,
                              struct config_error *why)
{
        bool ok = true;

        for (int i = 1; i <= file->tracks; i++)
                for (int j = 1; j < i; j++)
                        if (file->track[i].name[0] != '\0' &&
                            strcmp(file->track[i].name, file->track[j].name) == 0)
                                ok = config_refuse_at(
                                        why, json_item(list, i - 1), "name",
                                        "is the name of an earlier track too");
        return ok;
}

/* Those of one track, behind those that are there. */
static bool build_track(struct scenario *s, const struct scenario_file *all, int track,
                        const struct rig_config *rig, const struct json *list,
                        struct config_error *why)
{
        const struct track_file *file = &all->track[track];
        struct scenario_step *step = &s->step[s->steps];

        if (s->steps + file->steps > SCENARIO_STEPS_MAX)
                return config_refuse(why, list, NULL,
                                     "with those before them there are more than %d "
                                     "steps",
                                     SCENARIO_STEPS_MAX);
        for (int i = 0; i < file->steps; i++) {
                const struct json *item = json_item(list, i);

                /* Counted first: what a step owns is freed even if it is not whole. */
                s->steps++;
                if (config_is_sound(item))
                        config_build_step(&step[i], s->steps - 1, all, &file->step[i],
                                          rig, item, why);
                step[i].track = track;
        }
        return config_is_sound(list) && check_order(step, file->steps, list, why);
}

static bool build_steps(struct scenario *s, const struct scenario_file *file,
                        const struct rig_config *rig, const struct json *node,
                        struct config_error *why)
{
        const struct json *list = json_member(node, "tracks");
        bool ok = build_track(s, file, 0, rig, json_member(node, "steps"), why);

        s->tracks = file->tracks;
        for (int i = 1; i <= file->tracks; i++)
                ok = build_track(s, file, i, rig,
                                 json_member(json_item(list, i - 1), "steps"), why) &&
                     ok;
        return check_track_names(file, list, why) && ok;
}

/* When each step of a track fires, -1: that depends on the flight. */
static void find_begins(const struct scenario *s, int64_t begin_ns[SCENARIO_STEPS_MAX])
{
        for (int k = 0; k < s->steps; k++) {
                const struct scenario_step *step = &s->step[k];
                bool first = k == 0 || s->step[k - 1].track != step->track;
                int64_t before_ns = first ? 0 : begin_ns[k - 1];

                if (before_ns < 0 || step->trigger == TRIGGER_WHEN)
                        begin_ns[k] = -1;
                else
                        begin_ns[k] = step->trigger == TRIGGER_AFTER
                                              ? before_ns + step->t_ns
                                              : step->t_ns;
        }
}

/* Whether the step's wire fault is in force at t_ns, at the links of that vehicle. */
static bool is_in_force(const struct scenario_step *step, int64_t begin_ns, int vehicle,
                        int64_t t_ns)
{
        return step->action == ACTION_WIRE_FAULT && begin_ns >= 0 && begin_ns <= t_ns &&
               t_ns - begin_ns < step->for_ns && scenario_step_is_for(step, vehicle);
}

static bool check_wire_faults(const struct scenario *s, int vehicles,
                              const struct json *node, struct config_error *why)
{
        int64_t begin_ns[SCENARIO_STEPS_MAX];

        find_begins(s, begin_ns);
        for (int k = 0; k < s->steps; k++)
                for (int v = 0; v < vehicles; v++) {
                        int at_once = 0;

                        if (!is_in_force(&s->step[k], begin_ns[k], v, begin_ns[k]))
                                continue;
                        for (int j = 0; j < s->steps; j++)
                                at_once += is_in_force(&s->step[j], begin_ns[j], v,
                                                       begin_ns[k]);
                        if (at_once > WIRE_IN_FORCE_MAX)
                                return config_refuse_at(
                                        why, node,
                                        s->step[k].track == 0 ? "steps" : "tracks",
                                        "must have at most %d wire faults of one vehicle "
                                        "at once, has %d at %.15g s",
                                        WIRE_IN_FORCE_MAX, at_once,
                                        (double)begin_ns[k] / S_TO_NS);
                }
        return true;
}

static bool build_requirements(struct scenario *s, const struct scenario_file *file,
                               int vehicles, const struct json *list,
                               struct config_error *why)
{
        for (int i = 0; i < file->requirements; i++) {
                const struct json *item = json_item(list, i);

                s->requirements = i + 1;
                if (config_is_sound(item))
                        config_build_requirement(&s->requirement[i],
                                                 &file->requirement[i], vehicles,
                                                 s->duration_ns, item, why);
        }
        return check_requirement_names(s, list, why) && config_is_sound(list);
}

bool config_build_scenario(struct scenario *s, const struct scenario_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        bool ok;

        if (!node || node->refused)
                return false;
        memcpy(s->name, file->name, sizeof(s->name));
        s->duration_ns = file->duration_ns;
        ok = build_steps(s, file, rig, node, why);
        ok = ok && check_wire_faults(s, rig->vehicles, node, why);
        /* Windows are measured by the scenario's end. */
        return s->duration_ns > 0 &&
               build_requirements(s, file, rig->vehicles,
                                  json_member(node, "requirements"), why) &&
               ok;
}

void config_resolve_scenario(struct json *resolved, const struct scenario *s)
{
        const struct json *tracks = json_member(resolved, "tracks");
        int first = 0;

        for (int k = 0; k < s->steps; k++) {
                int track = s->step[k].track;
                const struct json *own =
                        track == 0 ? resolved : json_item(tracks, track - 1);

                if (k > 0 && s->step[k - 1].track != track)
                        first = k;
                config_resolve_step(json_item(json_member(own, "steps"), k - first),
                                    &s->step[k]);
        }
        for (int i = 0; i < s->requirements; i++)
                config_resolve_requirement(
                        json_item(json_member(resolved, "requirements"), i),
                        &s->requirement[i]);
}
