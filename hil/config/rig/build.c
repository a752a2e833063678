/* From a rig file's image to struct rig_config, with the checks between fields. */
#include "hil/config/rig/rig.h"
#include "hil/config/fc/fc.h"
#include "hil/config/fc/motor_layout.h"

#include <stdio.h>
#include <string.h>

static bool build_times(struct rig_config *rig, const struct rig_file *file,
                        const struct json *node, struct config_error *why)
{
        rig->period_ns = file->period_ns;
        rig->stop_after_ns = file->stop_after_given ? file->stop_after_ns : INT64_MAX;
        rig->plant_step_ns =
                file->plant_step_given ? file->plant_step_ns : file->period_ns;
        if (file->period_ns % 1000 != 0)
                return config_refuse_at(why, node, "period_us", "must be a whole number");
        if (!file->plant_step_given && file->period_ns > 10000000)
                return config_refuse(
                        why, node, "plant_step_us",
                        "is required, and missing, with a period of more than "
                        "10000 us");
        if (rig->plant_step_ns < 1 || rig->period_ns % rig->plant_step_ns != 0)
                return config_refuse_at(why, node, "plant_step_us",
                                        "must divide period_us, which is %.15g, is %.15g",
                                        (double)rig->period_ns / US_TO_NS,
                                        (double)rig->plant_step_ns / US_TO_NS);
        return true;
}

static bool is_known_codec(const char *name, char *all, size_t cap)
{
        size_t used = 0;

        all[0] = '\0';
        for (const char *const *known = codec_names(); *known; known++) {
                if (strcmp(*known, name) == 0)
                        return true;
                if (used < cap)
                        used += (size_t)snprintf(all + used, cap - used, "%s\"%s\"",
                                                 used ? ", " : "", *known);
        }
        return false;
}

/* The one that the file names, or the codec's first. */
static bool build_dialect(struct fc_config *fc, const struct rig_vehicle_file *file,
                          const struct json *node, struct config_error *why)
{
        const char *const *known = codec_find(fc->codec)->dialects;
        char all[200] = "";
        size_t used = 0;

        if (!file->fc.dialect_given) {
                if (known != NULL)
                        snprintf(fc->dialect, sizeof(fc->dialect), "%s", known[0]);
                return true;
        }
        for (int i = 0; known != NULL && known[i] != NULL; i++) {
                if (strcmp(known[i], file->fc.dialect) == 0) {
                        memcpy(fc->dialect, file->fc.dialect, sizeof(fc->dialect));
                        return true;
                }
                if (used < sizeof(all))
                        used += (size_t)snprintf(all + used, sizeof(all) - used,
                                                 "%s\"%s\"", used ? ", " : "", known[i]);
        }
        return config_refuse_at(why, node, "fc.dialect",
                                "the codec \"%s\" has no \"%s\"; known: %s", fc->codec,
                                file->fc.dialect, known ? all : "none");
}

/* A link for each channel, but for the last ones that may be left out. */
static bool check_links(const struct fc_config *fc, const struct json *node,
                        struct config_error *why)
{
        const struct codec_ops *ops = codec_find(fc->codec);
        int least = ops->channels;
        char most[16] = "";

        while (least > 0 && ops->channel[least - 1].optional)
                least--;
        if (fc->links >= least && fc->links <= ops->channels)
                return true;
        if (least < ops->channels)
                snprintf(most, sizeof(most), " to %d", ops->channels);
        return config_refuse_at(why, node, "fc.link",
                                "must name %d%s link%s with the codec \"%s\", one a "
                                "channel, names %d",
                                least, most, ops->channels == 1 ? "" : "s", ops->name,
                                fc->links);
}

static bool build_links(struct fc_config *fc, const struct rig_vehicle_file *file,
                        const struct json *node, struct config_error *why)
{
        struct link_error link_why;
        char path[32];

        fc->links = file->fc.links;
        for (int i = 0; i < fc->links; i++) {
                memcpy(fc->link_text[i], file->fc.link[i], sizeof(fc->link_text[i]));
                snprintf(path, sizeof(path),
                         json_is(json_at(node, "fc.link"), JSON_ARRAY) ? "fc.link.%d"
                                                                       : "fc.link",
                         i);
                if (!link_spec_parse(&fc->link[i], fc->link_text[i], &link_why))
                        return config_refuse_at(why, node, path, "%s",
                                                link_why.text + link_why.reason);
                /* One that the rig starts itself is there, or nobody comes. */
                if (!file->fc.spawn)
                        fc->link[i].patience_ms =
                                (int)(fc->hello_timeout_ns / (int64_t)MS_TO_NS);
        }
        return check_links(fc, node, why);
}

/* What nobody said: the order that the firmware has unless it is told otherwise. */
static bool usual_motor_order(struct fc_config *fc, const struct vehicle_params *p,
                              const struct json *node, struct config_error *why)
{
        const struct motor_layout *layout = motor_layout_of(fc->codec);

        for (int i = 0; i < p->rotors; i++)
                fc->motor_order[i] = (uint8_t)i;
        if (layout == NULL ||
            motor_layout_order(layout, p, fc->motor_order) == MOTOR_LAYOUT_FITS)
                return true;
        return config_refuse_at(
                why, node, "fc.motor_order",
                "is required, and missing: the vehicle is no quadrotor in "
                "X whose rotors turn as %s has them",
                layout->name);
}

/* Each of 0 to rotors - 1 once. */
static bool build_motor_order(struct fc_config *fc, const struct rig_vehicle_file *file,
                              const struct vehicle_params *p, const struct json *node,
                              struct config_error *why)
{
        bool used[ROTORS_MAX] = { false };
        int rotors = p->rotors;

        if (!file->fc.motor_order_given)
                return usual_motor_order(fc, p, node, why);
        if (file->fc.motors != rotors)
                return config_refuse_at(
                        why, node, "fc.motor_order",
                        "must have %d entries, one for each rotor, has %d", rotors,
                        file->fc.motors);
        for (int i = 0; i < rotors; i++) {
                unsigned output = file->fc.motor_order[i];

                if (output >= (unsigned)rotors || used[output])
                        return config_refuse_at(why, node, "fc.motor_order",
                                                "must hold each of 0 to %d once",
                                                rotors - 1);
                used[output] = true;
                fc->motor_order[i] = (uint8_t)output;
        }
        return true;
}

static bool build_reference(struct fc_config *fc, const struct rig_vehicle_file *file,
                            int rotors, const struct json *node, struct config_error *why)
{
        const struct json *reference = json_at(node, "fc.reference");

        fc->spawn = file->fc.spawn;
        if (fc->spawn && strcmp(file->fc.codec, "hilp") != 0)
                return config_refuse_at(
                        why, node, "fc.spawn",
                        "needs \"codec\": \"hilp\", which the reference flight "
                        "controller speaks, is with \"%s\"",
                        file->fc.codec);
        if (fc->spawn && !file->fc.reference_given)
                return config_refuse_at(why, node, "fc.reference",
                                        "is required, and missing, with \"spawn\": true");
        if (!file->fc.reference_given)
                return true;
        if (!config_build_fc(&fc->reference, &file->fc.reference, reference, why))
                return false;
        if (fc->spawn && fc->reference.rotors != rotors)
                return config_refuse_at(why, node, "fc.reference",
                                        "has %d rotors, the vehicle has %d",
                                        fc->reference.rotors, rotors);
        return true;
}

/* A new pseudo-terminal has another name each time: nobody would find the way back. */
static bool check_reconnect(const struct fc_config *fc, const struct json *node,
                            struct config_error *why)
{
        for (int i = 0; i < fc->links; i++)
                if (fc->reconnect && fc->link[i].kind == LINK_PTY &&
                    fc->link[i].path[0] == '\0')
                        return config_refuse_at(
                                why, node, "fc.reconnect",
                                "cannot be with the link \"pty\", which has "
                                "another path each time: use unix-listen");
        return true;
}

static bool build_fc(struct fc_config *fc, const struct rig_vehicle_file *file,
                     const struct vehicle_params *p, const struct json *node,
                     struct config_error *why)
{
        char known[200];

        memcpy(fc->codec, file->fc.codec, sizeof(fc->codec));
        fc->timeout_ns = file->fc.timeout_ns;
        fc->hello_timeout_ns = file->fc.hello_timeout_ns;
        fc->reconnect = file->fc.reconnect;
        fc->options = file->fc.options;
        memcpy(fc->option, file->fc.option, sizeof(fc->option));
        if (!is_known_codec(fc->codec, known, sizeof(known)))
                return config_refuse_at(why, node, "fc.codec",
                                        "no codec is called \"%s\"; known: %s", fc->codec,
                                        known);
        return build_dialect(fc, file, node, why) && build_links(fc, file, node, why) &&
               check_reconnect(fc, node, why) &&
               build_motor_order(fc, file, p, node, why) &&
               build_reference(fc, file, p->rotors, node, why) &&
               config_check_options(fc, node, why);
}

/* At rest with the lowest point of the gear at a height above the ground. */
static double down_for_height_m(const struct world *world,
                                const struct contact_params *gear, double height_m)
{
        double lowest_m = gear->point_body_m[0].z;

        for (int i = 1; i < gear->points; i++)
                lowest_m = fmax(lowest_m, gear->point_body_m[i].z + gear->radius_m[i]);
        return world->ground_down_m - lowest_m - height_m;
}

static bool build_vehicle(struct vehicle_config *v, const struct rig_vehicle_file *file,
                          const struct rig_config *rig, const struct json *node,
                          struct config_error *why)
{
        const struct world *world = &rig->world;

        memcpy(v->name, file->name, sizeof(v->name));
        if (!config_build_vehicle(&v->params, &file->vehicle,
                                  json_member(node, "vehicle"), why))
                return false;
        if (file->start.down_given && file->start.height_given)
                return config_refuse_at(why, node, "start.height_m",
                                        "means nothing beside down_m: leave one out");
        v->start_ned_m = (struct vec3){ file->start.north_m, file->start.east_m,
                                        file->start.down_m };
        if (!file->start.down_given)
                v->start_ned_m.z = down_for_height_m(world, &v->params.contact,
                                                     file->start.height_m);
        v->start_yaw_rad = file->start.yaw_rad;
        return build_fc(&v->fc, file, &v->params, node, why) &&
               config_build_pilot(&v->pilot, &file->pilot, node, why) &&
               config_build_ports(v, file->port, file->ports, node, why) &&
               config_build_pads(v, &file->pads, rig->pace, node, why);
}

/* By the dialect, where others of the codec can wait. */
static bool is_realtime_dialect(const struct fc_config *fc)
{
        const char *const *of = codec_find(fc->codec)->realtime_dialects;

        for (; of != NULL && *of != NULL; of++)
                if (strcmp(*of, fc->dialect) == 0)
                        return true;
        return false;
}

/* A new pseudo-terminal is another one each time; any other link has one user. */
static bool shares_link(const struct fc_config *a, const struct fc_config *b)
{
        for (int i = 0; i < a->links; i++)
                for (int j = 0; j < b->links; j++)
                        if (strcmp(a->link_text[i], b->link_text[j]) == 0 &&
                            strcmp(a->link_text[i], "pty") != 0)
                                return true;
        return false;
}

/* A firmware may need its sensors more often than the loop comes round. */
static bool check_period(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const char *codec = rig->vehicle[i].fc.codec;
                int64_t most_ns = codec_find(codec)->period_max_ns;

                if (most_ns > 0 && rig->period_ns > most_ns)
                        return config_refuse_at(why, node, "period_us",
                                                "must be at most %d with the codec "
                                                "\"%s\" of %s, is %.15g",
                                                (int)(most_ns / 1000), codec,
                                                rig->vehicle[i].name,
                                                (double)rig->period_ns / US_TO_NS);
        }
        return true;
}

/* A firmware that cannot wait flies in real time only. */
static bool check_pace(const struct rig_config *rig, const struct json *node,
                       struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const struct fc_config *fc = &rig->vehicle[i].fc;
                const char *name = rig->vehicle[i].name;

                if (rig->pace != PACE_LOCKSTEP)
                        continue;
                if (codec_find(fc->codec)->realtime_only)
                        return config_refuse_at(why, node, "pace",
                                                "must be \"realtime\" with the codec "
                                                "\"%s\" of %s: its firmware cannot wait "
                                                "for the rig, is \"lockstep\"",
                                                fc->codec, name);
                if (is_realtime_dialect(fc))
                        return config_refuse_at(why, node, "pace",
                                                "must be \"realtime\" with the codec "
                                                "\"%s\", dialect \"%s\", of %s: its "
                                                "firmware cannot wait for the rig, is "
                                                "\"lockstep\"",
                                                fc->codec, fc->dialect, name);
        }
        return true;
}

static bool check_distinct(const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        const struct json *list = json_member(node, "vehicles");

        for (int i = 0; i < rig->vehicles; i++) {
                for (int j = 0; j < i; j++) {
                        if (strcmp(rig->vehicle[i].name, rig->vehicle[j].name) == 0)
                                return config_refuse_at(why, json_item(list, i), "name",
                                                        "is the name of vehicles.%d too",
                                                        j);
                        if (shares_link(&rig->vehicle[i].fc, &rig->vehicle[j].fc))
                                return config_refuse_at(why, json_item(list, i),
                                                        "fc.link",
                                                        "is used by vehicles.%d too", j);
                }
        }
        return true;
}

/* The obstacle that a vehicle would start in, -1: none. The gear and hull must not overlap it, and
 * nothing may stand between them and the centre of mass. */
static int obstructed_by(const struct vehicle_config *v, const struct world *world)
{
        const struct contact_params *gear = &v->params.contact;
        struct quat q = quat_from_euler(0.0, 0.0, v->start_yaw_rad);

        for (int i = 0; i < gear->points; i++) {
                struct vec3 arm = quat_rotate(q, gear->point_body_m[i]);
                struct vec3 at = vec3_add(v->start_ned_m, arm);
                struct world_touch touch[WORLD_TOUCHES_MAX];
                int touches = world_touches(world, v->start_ned_m, at, gear->radius_m[i],
                                            touch);

                /* What the feet stand on is not in the way. */
                for (int k = 0; k < touches; k++)
                        if (touch[k].obstacle >= 0 &&
                            touch[k].clearance_m < -2.0 * WORLD_SKIN_M)
                                return touch[k].obstacle;
        }
        return -1;
}

static bool check_starts(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; rig->scenery && i < rig->vehicles; i++) {
                int obstacle = obstructed_by(&rig->vehicle[i], &rig->world);

                if (obstacle >= 0)
                        return config_refuse_at(
                                why, json_item(json_member(node, "vehicles"), i), "start",
                                "is inside the obstacle \"%s\"",
                                config_obstacle_name(rig, obstacle));
        }
        return true;
}

static bool load_payloads(struct rig_config *rig, const struct scenario_file *file,
                          const struct json *list, struct config_error *why)
{
        if (!config_check_payloads(file->payload, file->payloads, rig->vehicles, list,
                                   why))
                return false;
        for (int i = 0; i < rig->vehicles; i++) {
                struct vehicle_config *v = &rig->vehicle[i];
                struct quat q = quat_from_euler(0.0, 0.0, v->start_yaw_rad);

                if (!config_load_payloads(&v->params, file->payload, file->payloads, i,
                                          list, why))
                        return false;
                /* The airframe stays; its centre of mass has moved in it. */
                v->start_ned_m =
                        vec3_add(v->start_ned_m, quat_rotate(q, v->params.centre_body_m));
        }
        return true;
}

bool config_build_rig(struct rig_config *rig, const struct rig_file *file,
                      const struct json *node, struct config_error *why)
{
        memset(rig, 0, sizeof(*rig));
        memcpy(rig->name, file->name, sizeof(rig->name));
        rig->seed = file->seed;
        rig->pace = file->pace == 0 ? PACE_REALTIME : PACE_LOCKSTEP;
        rig->realtime = file->realtime;
        rig->log = file->log;
        if (!build_times(rig, file, node, why) ||
            !config_build_world(&rig->world, &file->world, json_member(node, "world"),
                                why) ||
            !config_build_scene(&rig->scenery, &file->world.scene,
                                rig->world.ground_down_m, json_member(node, "world"),
                                why))
                return false;
        if (rig->scenery)
                rig->world.scene = &rig->scenery->scene;
        rig->vehicles = file->vehicles;
        for (int i = 0; i < file->vehicles; i++)
                if (!build_vehicle(&rig->vehicle[i], &file->vehicle[i], rig,
                                   json_item(json_member(node, "vehicles"), i), why))
                        return false;
        return load_payloads(rig, &file->scenario, json_at(node, "scenario.payloads"),
                             why) &&
               check_pace(rig, node, why) && check_period(rig, node, why) &&
               check_distinct(rig, node, why) && check_starts(rig, node, why) &&
               config_build_scenario(&rig->scenario, &file->scenario, rig,
                                     json_member(node, "scenario"), why);
}

static void resolve_vehicle(struct json *resolved, const struct rig_vehicle_file *file,
                            const struct vehicle_config *v)
{
        struct json *fc = json_member(resolved, "fc"), *order;
        struct json *start = json_member(resolved, "start");

        if (!file->fc.dialect_given && v->fc.dialect[0] != '\0')
                json_add_string(fc, "dialect", v->fc.dialect);
        if (!file->fc.motor_order_given) {
                order = json_add_array(fc, "motor_order");
                for (int i = 0; i < v->params.rotors; i++)
                        json_add_number(order, NULL, v->fc.motor_order[i]);
        }
        if (!file->start.down_given && !file->start.height_given)
                json_add_number(start, "height_m", 0.0);
}

void config_resolve_rig(struct json *resolved, const struct json *node,
                        const struct rig_file *file, const struct rig_config *rig)
{
        const struct scenario *s = &rig->scenario;
        const struct json *list = json_at(resolved, "scenario.requirements");

        config_resolve_scene(json_member(resolved, "world"), json_member(node, "world"));
        if (!file->plant_step_given)
                json_add_number(resolved, "plant_step_us",
                                (double)rig->plant_step_ns / US_TO_NS);
        for (int i = 0; i < rig->vehicles; i++)
                resolve_vehicle(json_item(json_member(resolved, "vehicles"), i),
                                &file->vehicle[i], &rig->vehicle[i]);
        for (int i = 0; i < s->requirements; i++)
                config_resolve_requirement(json_item(list, i),
                                           &file->scenario.requirement[i],
                                           &s->requirement[i]);
}
