/* The twin of an aircraft that flies elsewhere: where its telemetry comes from, and what becomes of it here. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/place.h"
#include "io/twin/source.h"

static const char *const law_names[] = { "pose", "attitude", NULL };
static const char *const silent_names[] = { "hold", "leave", "end", NULL };

static const struct config_field expects_fields[] = {
        { "accel_mps2", CONFIG_NUMBER, "By how much it changes its velocity.", ABOVE(0),
          AT_MOST(100), .preset = "3", AT(pose_track_params, accel_mps2) },
        { "turn_accel_dps2", CONFIG_NUMBER, "By how much it changes its turn rate.",
          ABOVE(0), AT_MOST(1e5), .scale = RAD_PER_DEG, .preset = "600",
          AT(pose_track_params, turn_accel_radps2) },
        { "position_m", CONFIG_NUMBER, "Of a position that is said.", ABOVE(0),
          AT_MOST(100), .preset = "0.02", AT(pose_track_params, position_m) },
        { "velocity_mps", CONFIG_NUMBER, "Of a velocity that is said.", ABOVE(0),
          AT_MOST(100), .preset = "0.1", AT(pose_track_params, velocity_mps) },
        { "attitude_deg", CONFIG_NUMBER, "Of an attitude that is said.", ABOVE(0),
          AT_MOST(90), .scale = RAD_PER_DEG, .preset = "0.5",
          AT(pose_track_params, attitude_rad) },
        { "rate_dps", CONFIG_NUMBER, "Of a turn rate that is said.", ABOVE(0),
          AT_MOST(1e4), .scale = RAD_PER_DEG, .preset = "3",
          AT(pose_track_params, rate_radps) },
        { NULL },
};

static const struct config_table expects_table = {
        .name = "twin_expects",
        .about = "What the filter of \"law\": \"pose\" takes for granted: one standard "
                 "deviation each.",
        .field = expects_fields,
};

static const struct config_field align_fields[] = {
        { "at_m", CONFIG_OBJECT,
          "Where the telemetry's origin lies; up above the ground.",
          .table = &config_world_place_table, .preset = "{}", AT(twin_file, at_m) },
        { "yaw_deg", CONFIG_NUMBER,
          "Where the telemetry's north points, clockwise from ours.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(twin_file, twin.yaw_rad) },
        { "from_start", CONFIG_BOOL,
          "In place of at_m: the first position that is said is the vehicle's start.",
          .preset = "false", AT(twin_file, twin.from_start) },
        { NULL },
};

static const struct config_table align_table = {
        .name = "twin_align",
        .about = "How the telemetry's axes lie in the rig's.",
        .field = align_fields,
};

static const struct config_field twin_fields[] = {
        { "source", CONFIG_TEXT,
          "What its telemetry is: `hilrig check --sources` lists them.", .size = 32,
          AT(twin_file, twin.source) },
        { "where", CONFIG_TEXT,
          "The source's link, bus or file; source joystick: left out.",
          .size = TWIN_TEXT_MAX, .optional = true, AT(twin_file, twin.where) },
        { "aircraft", CONFIG_TEXT,
          "Which it is there, by name or number, as the source has it.",
          .size = TWIN_TEXT_MAX, .optional = true, AT(twin_file, twin.aircraft) },
        { "messages", CONFIG_TEXT,
          "source ivy: Paparazzi's messages.xml, in place of the fields that are known.",
          .size = TWIN_TEXT_MAX, .optional = true, AT(twin_file, twin.messages) },
        { "conf", CONFIG_TEXT,
          "source ivy: Paparazzi's conf.xml, which has the numbers of aircraft by name.",
          .size = TWIN_TEXT_MAX, .optional = true, AT(twin_file, twin.conf) },
        { "law", CONFIG_CHOICE,
          "pose: it is where the telemetry says, extrapolated to now. attitude: a "
          "simulated vehicle is flown by the "
          "telemetry's attitude and throttle.",
          .names = law_names, .preset = "\"pose\"", AT(twin_file, twin.law) },
        { "flight_controller", CONFIG_OBJECT, "Whose gains fly the simulated vehicle.",
          .table = &config_fc_table, .optional = true, AT(twin_file, controller),
          .given = offsetof(struct twin_file, controlled) },
        { "hover_percent", CONFIG_NUMBER,
          "law attitude: the throttle at which the aircraft hovers.", BETWEEN(1, 100),
          .scale = 0.01, .preset = "50", AT(twin_file, twin.hover_ratio) },
        { "align", CONFIG_OBJECT, "How the telemetry's axes lie in the rig's.",
          .table = &align_table, .preset = "{}" },
        { "beside", CONFIG_TEXT,
          "Another vehicle of the rig that is the same aircraft: how the two lie to each "
          "other is measured.",
          .size = NAME_MAX_LEN, .optional = true, AT(twin_file, twin.beside) },
        { "timeout_ms", CONFIG_TIME, "So long without a word: it is silent.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "200",
          AT(twin_file, twin.timeout_ns) },
        { "hello_timeout_ms", CONFIG_TIME,
          "How long to wait for who tells, and for the first word.", BETWEEN(1, 600000),
          .scale = MS_TO_NS, .preset = "5000", AT(twin_file, twin.hello_timeout_ns) },
        { "when_silent", CONFIG_CHOICE,
          "hold: it stays where it was. leave: nothing sees it until it is back. end: "
          "the run ends.",
          .names = silent_names, .preset = "\"hold\"", AT(twin_file, twin.when_silent) },
        { "delay_ms", CONFIG_TIME,
          "How old the fastest word is when it arrives, which cannot be measured from "
          "one end.",
          BETWEEN(0, 10000), .scale = MS_TO_NS, .preset = "0",
          AT(twin_file, twin.delay_ns) },
        { "tell_ms", CONFIG_TIME,
          "How often its sonars and the other vehicles are told to the source; 0: after "
          "a "
          "word, and as seldom as the source's protocol has it.",
          BETWEEN(0, 10000), .scale = MS_TO_NS, .preset = "0",
          AT(twin_file, twin.tell_ns) },
        { "expects", CONFIG_OBJECT, "What the filter takes for granted.",
          .table = &expects_table, .preset = "{}", AT(twin_file, twin.expects) },
        { NULL },
};

static const struct config_rule twin_rules[] = {
        { { "flight_controller" }, { "law" }, .must = CONFIG_IS(TWIN_AS_REPORTED) },
        { { NULL } },
};

const struct config_table config_twin_table = {
        .name = "twin",
        .about = "An aircraft that flies elsewhere, and is seen here as its telemetry "
                 "has it.",
        .field = twin_fields,
        .rule = twin_rules,
};

static const struct twin_source_ops *find_source(const char *name, char *all, size_t cap)
{
        size_t used = 0;

        all[0] = '\0';
        for (const struct twin_source_ops *const *s = twin_source_all(); *s != NULL;
             s++) {
                if (strcmp((*s)->name, name) == 0)
                        return *s;
                if (used < cap)
                        used += (size_t)snprintf(all + used, cap - used, "%s\"%s\"",
                                                 used > 0 ? ", " : "", (*s)->name);
        }
        return NULL;
}

/* A file lies beside the one that names it. */
static bool build_path(char path[TWIN_TEXT_MAX], const struct json *node, const char *key,
                       struct config_error *why)
{
        const struct json *named = json_member(node, key);
        char *beside = named != NULL && named->file != NULL
                               ? config_file_beside(named->file, path)
                               : NULL;
        bool fits = beside == NULL || strlen(beside) < TWIN_TEXT_MAX;

        if (beside != NULL && fits)
                snprintf(path, TWIN_TEXT_MAX, "%s", beside);
        free(beside);
        return fits || config_refuse(why, named, NULL,
                                     "must be shorter than %d characters with its folder",
                                     TWIN_TEXT_MAX);
}

static bool build_files(struct twin_config *t, bool recorded, const struct json *node,
                        struct config_error *why)
{
        bool ivy = strcmp(t->source, "ivy") == 0;

        for (int i = 0; i < 2; i++) {
                const char *key = i == 0 ? "messages" : "conf";

                if (!ivy && json_member(node, key) != NULL)
                        return config_refuse_at(why, node, key,
                                                "is for source \"ivy\", not for \"%s\"",
                                                t->source);
        }
        return (!recorded || build_path(t->where, node, "where", why)) &&
               build_path(t->messages, node, "messages", why) &&
               build_path(t->conf, node, "conf", why);
}

static bool build_controller(struct vehicle_config *v, const struct twin_file *file,
                             const struct json *node, struct config_error *why)
{
        const struct json *controller = config_member(node, "flight_controller");

        if (!controller)
                return true;
        return config_build_fc(&v->fc.reference, &file->controller, controller, why) &&
               (v->params.rotors == 0 || v->fc.reference.rotors == v->params.rotors ||
                config_refuse(why, controller, NULL, "has %d rotors, the vehicle has %d",
                              v->fc.reference.rotors, v->params.rotors));
}

/* A hand says no place, and lies nowhere. */
static bool check_hand(const struct vehicle_config *v,
                       const struct twin_source_ops *source, const struct json *node,
                       struct config_error *why)
{
        bool hand = source == &twin_hand_ops;

        if (hand != (v->twin.where[0] == '\0'))
                return config_refuse_at(
                        why, node, "where",
                        hand ? "must be left out with source \"%s\", which is "
                               "the vehicle's joystick"
                             : "must be given with source \"%s\"",
                        v->twin.source);
        if (!hand)
                return true;
        if (!v->joystick.used)
                return config_refuse_at(why, node, "source",
                                        "needs the vehicle's \"joystick\", is \"%s\"",
                                        v->twin.source);
        return v->twin.law == TWIN_AS_REPORTED ||
               config_refuse_at(why, node, "law",
                                "must be \"attitude\" with source \"%s\", which says no "
                                "place",
                                v->twin.source);
}

bool config_build_twin(struct vehicle_config *v, const struct twin_file *file,
                       const struct rig_config *rig, const struct json *node,
                       struct config_error *why)
{
        const struct json *twin = json_member(node, "twin");
        const struct twin_source_ops *source;
        struct twin_config *t = &v->twin;
        char known[200];

        if (!config_is_sound(twin))
                return false;
        *t = file->twin;
        t->offset_ned_m = (struct vec3){ file->at_m.x, file->at_m.y,
                                         rig->world.ground_down_m - file->at_m.z };
        source = find_source(t->source, known, sizeof known);
        if (source == NULL)
                return config_refuse_at(why, twin, "source",
                                        "no source is called \"%s\"; known: %s",
                                        t->source, known);
        if (!check_hand(v, source, twin, why) ||
            !build_files(t, source->recorded && t->where[0] != '\0', twin, why))
                return false;
        if (!source->recorded && rig->pace == PACE_LOCKSTEP)
                return config_refuse_at(
                        why, twin, "source",
                        "needs \"pace\": \"realtime\": nobody can make \"%s\" wait",
                        t->source);
        for (int i = 0; i < v->params.rotors; i++)
                v->fc.motor_order[i] = (uint8_t)i;
        return build_controller(v, file, twin, why);
}

/* Files by their whole paths, wherever the resolved one lies; what is no file stays. */
static void resolve_file(struct json *twin, const char *key, const char *path)
{
        char *whole = path[0] != '\0' ? realpath(path, NULL) : NULL;

        if (whole == NULL)
                return;
        json_free(json_detach(json_member(twin, key)));
        json_add_string(twin, key, whole);
        free(whole);
}

void config_resolve_twin(struct json *resolved, const struct vehicle_config *v)
{
        struct json *twin = json_member(resolved, "twin");

        resolve_file(twin, "where", v->twin.where);
        resolve_file(twin, "messages", v->twin.messages);
        resolve_file(twin, "conf", v->twin.conf);
}
