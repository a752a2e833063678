/* What no vehicle of a rig shows alone: its pace, its period, links and places of several. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <string.h>

/* The links of the flight controller, then those of the ports; NULL after the last. */
static const char *link_text(const struct vehicle_config *v, int i)
{
        if (i < v->fc.links)
                return v->fc.link_text[i];
        i -= v->fc.links;
        return i < v->ports ? v->port[i].link_text : NULL;
}

static const struct link_spec *link_spec(const struct vehicle_config *v, int i)
{
        return i < v->fc.links ? &v->fc.link[i] : &v->port[i - v->fc.links].link;
}

/* One port that is listened on twice, be it that one of them listens on every address. */
static bool listen_together(const struct link_spec *a, const struct link_spec *b)
{
        bool listens = a->kind == LINK_UDP_LISTEN || a->kind == LINK_TCP_LISTEN;
        const char *any = "0.0.0.0";

        return listens && a->kind == b->kind && a->port == b->port &&
               (strcmp(a->host, b->host) == 0 || strcmp(a->host, any) == 0 ||
                strcmp(b->host, any) == 0);
}

/* A new pseudo-terminal is another one each time, as is a flight controller inside; any other link has one user. The place of the one that b has, too, or
 * a itself before it; -1: they share none. */
static int shared_link(const struct vehicle_config *a, const struct vehicle_config *b)
{
        const char *one, *other;

        for (int i = 0; (one = link_text(a, i)) != NULL; i++)
                for (int j = 0; (a != b || j < i) && (other = link_text(b, j)) != NULL;
                     j++)
                        if ((strcmp(one, other) == 0 && strcmp(one, "pty") != 0 &&
                             strcmp(one, "inside") != 0) ||
                            listen_together(link_spec(a, i), link_spec(b, j)))
                                return i;
        return -1;
}

/* A vehicle, or a station behind them. */
static const struct json *board_node(const struct rig_config *rig,
                                     const struct json *node, int i)
{
        return i < rig->vehicles
                       ? json_item(json_member(node, "vehicles"), i)
                       : json_item(json_member(node, "stations"), i - rig->vehicles);
}

static bool check_links(const struct rig_config *rig, int i, int j, const char *other,
                        const struct json *node, struct config_error *why)
{
        int at = shared_link(&rig->vehicle[i], &rig->vehicle[j]);
        char key[32] = "fc.link";

        if (at < 0)
                return true;
        if (at >= rig->vehicle[i].fc.links)
                snprintf(key, sizeof key, "ports.%d.link", at - rig->vehicle[i].fc.links);
        if (i == j)
                return config_refuse_at(why, board_node(rig, node, i), key,
                                        "is used by another link of the vehicle too");
        return config_refuse_at(why, board_node(rig, node, i), key, "is used by %s too",
                                other);
}

/* A firmware may need its sensors more often than the loop comes round. */
static bool check_period(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const char *codec = rig->vehicle[i].fc.codec;
                int64_t most_ns = config_has_fc(&rig->vehicle[i])
                                          ? codec_find(codec)->period_max_ns
                                          : 0;

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

/* Inside the rig's process, in real time, it would take the loop's own time. */
static bool check_inside(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++)
                if (rig->pace != PACE_LOCKSTEP && config_has_fc(&rig->vehicle[i]) &&
                    rig->vehicle[i].fc.link[0].kind == LINK_INSIDE)
                        return config_refuse_at(why, node, "pace",
                                                "must be \"lockstep\" with the link "
                                                "\"inside\" of %s, is \"realtime\"",
                                                rig->vehicle[i].name);
        return true;
}

/* A firmware that cannot wait flies in real time only. */
static bool check_pace(const struct rig_config *rig, const struct json *node,
                       struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const struct fc_config *fc = &rig->vehicle[i].fc;
                const char *name = rig->vehicle[i].name;

                if (rig->pace != PACE_LOCKSTEP || !config_has_fc(&rig->vehicle[i]))
                        continue;
                if (codec_find(fc->codec)->realtime_only)
                        return config_refuse_at(why, node, "pace",
                                                "must be \"realtime\" with the codec "
                                                "\"%s\" of %s: its firmware cannot wait "
                                                "for the rig, is \"lockstep\"",
                                                fc->codec, name);
                if (codec_lists(codec_find(fc->codec)->realtime_dialects, fc->dialect))
                        return config_refuse_at(why, node, "pace",
                                                "must be \"realtime\" with the codec "
                                                "\"%s\", dialect \"%s\", of %s: its "
                                                "firmware cannot wait for the rig, is "
                                                "\"lockstep\"",
                                                fc->codec, fc->dialect, name);
        }
        return true;
}

/* What is shipped has one link, and reports its motors too seldom to fly by. */
static bool check_shipped(const struct rig_config *rig, const struct json *node,
                          struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const struct vehicle_config *v = &rig->vehicle[i];
                const struct json *at = json_item(json_member(node, "vehicles"), i);
                bool driven = v->pads.used && v->pads.drives;

                if (!config_has_fc(v) ||
                    !codec_is_shipped(codec_find(v->fc.codec), v->fc.dialect))
                        continue;
                for (int k = 0; k < v->ports; k++)
                        driven |= v->port[k].drives;
                if (!driven)
                        return config_refuse_at(why, at, "fc.dialect",
                                                "\"%s\" needs motors that are seen: "
                                                "pads with \"use\": \"drive\", or a "
                                                "CAN bus with \"motors\": true; the "
                                                "vehicle has neither",
                                                v->fc.dialect);
                if (v->fc.links != 1)
                        return config_refuse_at(why, at, "fc.link",
                                                "must be one, its MAVLink, with the "
                                                "dialect \"%s\", are %d",
                                                v->fc.dialect, v->fc.links);
        }
        return true;
}

static bool check_distinct(const struct rig_config *rig, const struct json *node,
                           struct config_error *why)
{
        char other[32];

        for (int i = 0; i < config_boards(rig); i++) {
                for (int j = 0; j <= i; j++) {
                        /* One that is not sound is left zeroed. */
                        if (rig->vehicle[i].name[0] == '\0')
                                continue;
                        snprintf(other, sizeof other, "%s.%d",
                                 j < rig->vehicles ? "vehicles" : "stations",
                                 j < rig->vehicles ? j : j - rig->vehicles);
                        if (j < i &&
                            strcmp(rig->vehicle[i].name, rig->vehicle[j].name) == 0)
                                return config_refuse_at(why, board_node(rig, node, i),
                                                        "name", "is the name of %s too",
                                                        other);
                        if (!check_links(rig, i, j, other, node, why))
                                return false;
                }
        }
        return true;
}

/* MAVLink's system ids end at 255, and a vehicle's telemetry has two of them. */
#define TELEMETRY_VEHICLES 127

static bool check_devices(const struct rig_config *rig, const struct json *node,
                          struct config_error *why)
{
        bool ok = true;

        for (int i = 0; i < rig->vehicles; i++) {
                const struct vehicle_config *v = &rig->vehicle[i];
                const struct json *list =
                        json_at(json_item(json_member(node, "vehicles"), i), "ports");

                for (int k = 0; k < v->ports; k++) {
                        const char *device = v->port[k].device;

                        if (strcmp(device, "radio") == 0 && !rig->has_radio)
                                ok = config_refuse(why, json_item(list, k), "device",
                                                   "\"radio\" needs the rig's \"radio\"");
                        if (strcmp(device, "telemetry") == 0 && i >= TELEMETRY_VEHICLES)
                                ok = config_refuse(
                                        why, json_item(list, k), "device",
                                        "\"telemetry\" is for the first %d vehicles: "
                                        "MAVLink has no system ids for more, is of "
                                        "vehicles.%d",
                                        TELEMETRY_VEHICLES, i);
                }
        }
        return ok;
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

/* How far its lowest point is in the ground, level. */
static double depth_m(const struct vehicle_config *v, const struct world *world)
{
        const struct contact_params *gear = &v->params.contact;
        double depth_m = -(double)INFINITY;

        for (int i = 0; i < gear->points; i++)
                depth_m = fmax(depth_m, v->start_ned_m.z + gear->point_body_m[i].z +
                                                gear->radius_m[i] - world->ground_down_m);
        return depth_m;
}

static bool check_start(const struct rig_config *rig, int i, const struct json *node,
                        struct config_error *why)
{
        const struct vehicle_config *v = &rig->vehicle[i];
        double depth = depth_m(v, &rig->world);
        double altitude_m = world_altitude_m(&rig->world, v->start_ned_m);
        const struct json *vehicle = json_item(json_member(node, "vehicles"), i);
        int obstacle;

        if (depth > 2.0 * WORLD_SKIN_M)
                return config_refuse_at(why, vehicle, "start.at_m.down",
                                        "must be at most %.6g, where its lowest point is "
                                        "on the ground, is %.6g",
                                        v->start_ned_m.z - depth, v->start_ned_m.z);
        if (altitude_m < ATMOSPHERE_LOWEST_M || altitude_m > ATMOSPHERE_HIGHEST_M)
                return config_refuse_at(why, vehicle, "start",
                                        "must be from %g to %g m above sea level, where "
                                        "the standard atmosphere is known, is at %.6g",
                                        ATMOSPHERE_LOWEST_M, ATMOSPHERE_HIGHEST_M,
                                        altitude_m);
        obstacle = rig->scenery ? obstructed_by(v, &rig->world) : -1;
        return obstacle < 0 ||
               config_refuse_at(why, vehicle, "start", "is inside the obstacle \"%s\"",
                                config_obstacle_name(rig, obstacle));
}

static bool check_starts(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++)
                if (config_is_built(&rig->vehicle[i]) && !check_start(rig, i, node, why))
                        return false;
        return true;
}

/* The same aircraft again is another vehicle of the rig. */
static bool check_beside(const struct rig_config *rig, const struct json *node,
                         struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const char *beside = rig->vehicle[i].twin.beside;
                bool found = beside[0] == '\0';

                for (int k = 0; k < rig->vehicles; k++)
                        found |= k != i && strcmp(rig->vehicle[k].name, beside) == 0;
                if (!found)
                        return config_refuse_at(
                                why, json_member(board_node(rig, node, i), "twin"),
                                "beside",
                                "must be the name of another vehicle of the rig, is "
                                "\"%s\"",
                                beside);
        }
        return true;
}

bool config_check_rig(const struct rig_config *rig, const struct json *node,
                      struct config_error *why)
{
        bool ok = check_pace(rig, node, why) && check_inside(rig, node, why) &&
                  check_shipped(rig, node, why);

        ok = check_period(rig, node, why) && ok;
        ok = check_distinct(rig, node, why) && ok;
        ok = check_beside(rig, node, why) && ok;
        ok = check_devices(rig, node, why) && ok;
        return (!config_is_sound(json_member(node, "world")) ||
                check_starts(rig, node, why)) &&
               ok;
}

bool config_check_hands(const struct rig_config *rig, const struct json *scenario,
                        struct config_error *why)
{
        const struct scenario *s = &rig->scenario;

        for (int i = 0; i < rig->vehicles; i++)
                for (int k = 0;
                     config_joystick_pilots(&rig->vehicle[i].joystick) && k < s->steps;
                     k++)
                        if (s->step[k].flies && scenario_step_is_for(&s->step[k], i))
                                return config_refuse(
                                        why, scenario, NULL,
                                        "step %d asks %s for a mode, which its joystick "
                                        "does: leave mode out",
                                        k, rig->vehicle[i].name);
        return true;
}
