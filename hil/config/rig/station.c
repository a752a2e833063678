/* A station of a rig: a radio that stands at a place and belongs to no vehicle, and what is connected to it. */
#include "hil/config/rig/rig.h"

#include <string.h>

#include "hil/config/place.h"

static const struct config_field station_fields[] = {
        { "name", CONFIG_NAME, "What it is called; unique in the rig.",
          .size = NAME_MAX_LEN, AT(rig_station_file, board.config.name) },
        { "at_m", CONFIG_OBJECT, "Where its antenna stands.",
          .table = &config_world_place_table, .preset = "{ \"up\": 1 }",
          AT(rig_station_file, at_m) },
        { "fc", CONFIG_OBJECT,
          "Its board, which speaks hilp: it gets frames with the time, and says and "
          "hears "
          "what goes by radio. Left out: with a hub, one over a new pseudo-terminal; "
          "else it has "
          "ports alone.",
          .table = &config_rig_fc_table, .optional = true, AT(rig_station_file, board),
          .given = offsetof(struct rig_station_file, has_fc) },
        { "hub", CONFIG_OBJECT,
          "That it is the hub of a fleet, which the rig starts as a process of its own.",
          .table = &config_hub_table, .optional = true, AT(rig_station_file, hub),
          .given = offsetof(struct rig_station_file, has_hub) },
        { "ports", CONFIG_OBJECTS,
          "Devices radio: bytes as they are, to and from all others.",
          .table = &config_port_table, .size = PORTS_MAX,
          .stride = sizeof(struct port_config), .preset = "[]",
          AT(rig_station_file, board.config.port),
          .count = offsetof(struct rig_station_file, board.config.ports) },
        { NULL },
};

static const struct config_rule station_rules[] = {
        { { "fc", "hub", "ports" }, .least = 1 },
        { { NULL } },
};

const struct config_table config_rig_station_table = {
        .name = "station",
        .about = "A radio at a fixed place that belongs to no vehicle.",
        .field = station_fields,
        .rule = station_rules,
};

static bool check_board(const struct rig_station_file *file, const struct json *node,
                        struct config_error *why)
{
        const struct fc_config *fc = &file->board.config.fc;

        if (strcmp(fc->codec, "hilp") != 0)
                return config_refuse_at(why, node, "fc.codec",
                                        "must be \"hilp\" at a station, is \"%s\"; what "
                                        "speaks another protocol is connected by a port "
                                        "with the device \"radio\"",
                                        fc->codec);
        if (fc->spawn)
                return config_refuse_at(why, node, "fc.spawn",
                                        "cannot be at a station, which has no motors: "
                                        "give it a hub");
        if (file->has_hub && fc->start.used)
                return config_refuse_at(why, node, "fc.start",
                                        "cannot be with a hub, which the rig starts "
                                        "itself");
        return true;
}

/* The board of a hub that says nothing of it. */
static const struct fc_config hub_board = { .codec = "hilp",
                                            .links = 1,
                                            .link = { { .kind = LINK_PTY } },
                                            .link_text = { "pty" },
                                            .timeout_ns = 1000000000,
                                            .hello_timeout_ns = 5000000000,
                                            .disarm_timeout_ns = 5000000000 };

static bool check_hub(const struct rig_config *rig, const struct hub_params *p,
                      const struct json *node, struct config_error *why)
{
        int last = 0;

        for (int g = 0; g < p->groups; g++)
                for (int i = 0; i < p->group[g].members; i++) {
                        const struct json *of = json_item(json_at(node, "hub.groups"), g);

                        if (p->group[g].member[i] >= rig->vehicles)
                                return config_refuse_at(
                                        why, of, "members",
                                        "must be less than %d, the number of vehicles, "
                                        "is %d",
                                        rig->vehicles, p->group[g].member[i]);
                        last = p->group[g].member[i] > last ? p->group[g].member[i]
                                                            : last;
                }
        if (rig->has_radio && 4 + last / 8 > rig->radio.bytes_max)
                return config_refuse_at(why, node, "hub.groups",
                                        "a word to member %d has %d bytes, and the "
                                        "radio takes %d",
                                        last, 4 + last / 8, rig->radio.bytes_max);
        return true;
}

static bool check_ports(const struct vehicle_config *v, const struct json *node,
                        struct config_error *why)
{
        for (int i = 0; i < v->ports; i++)
                if (strcmp(v->port[i].device, "radio") != 0)
                        return config_refuse(
                                why, json_item(json_member(node, "ports"), i), "device",
                                "must be \"radio\" at a station, is \"%s\"",
                                v->port[i].device);
        return true;
}

bool config_build_station(struct rig_config *rig, const struct rig_station_file *file,
                          int i, const struct json *node, struct config_error *why)
{
        struct vehicle_config *v = &rig->vehicle[rig->vehicles + i];
        const struct json *own = json_item(json_member(node, "stations"), i);
        bool ok = true;

        *v = file->board.config;
        v->start_ned_m = (struct vec3){ file->at_m.x, file->at_m.y,
                                        rig->world.ground_down_m - file->at_m.z };
        if (!rig->has_radio)
                return config_refuse(why, own, NULL, "needs the rig's \"radio\"");
        if (!config_is_sound(own))
                return false;
        if (file->has_fc)
                ok = check_board(file, own, why) &&
                     config_build_rig_fc(&v->fc, &file->board, &v->params, own, why);
        else if (file->has_hub)
                v->fc = hub_board;
        if (file->has_hub) {
                v->fc.spawn = true;
                ok = config_build_hub(&rig->hub[i], &file->hub, json_member(own, "hub"),
                                      why) &&
                     check_hub(rig, &rig->hub[i], own, why) && ok;
        }
        return config_build_ports(v, own, why) && check_ports(v, own, why) && ok;
}

void config_resolve_station(struct json *resolved, const struct vehicle_config *v)
{
        struct json *fc = json_member(resolved, "fc");

        if (fc && v->fc.start.used)
                config_resolve_fc_start(fc, &v->fc);
}
