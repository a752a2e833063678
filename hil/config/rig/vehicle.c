/* A vehicle of a rig: what it is, where it starts, and what is connected to it. */
#include "hil/config/rig/rig.h"

static const struct config_field start_place_fields[] = {
        { "north", CONFIG_NUMBER, "m from the world's origin.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(rig_vehicle_file, config.start_ned_m.x) },
        { "east", CONFIG_NUMBER, "m from the world's origin.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(rig_vehicle_file, config.start_ned_m.y) },
        { "up", CONFIG_NUMBER,
          "m, of the lowest point of the gear above the ground. Left out: 0.",
          BETWEEN(0, 1e4), .optional = true, AT(rig_vehicle_file, height_m) },
        { "down", CONFIG_NUMBER,
          "m, of the centre of mass below the world's origin, in place of up.",
          BETWEEN(-1e4, 1e4), .optional = true,
          AT(rig_vehicle_file, config.start_ned_m.z) },
        { NULL },
};

static const struct config_rule start_place_rules[] = {
        { { "up", "down" }, .most = 1 },
        { { NULL } },
};

static const struct config_table start_place_table = {
        .name = "start_place",
        .about = "A place to stand on, or to begin in the air.",
        .field = start_place_fields,
        .rule = start_place_rules,
};

static const struct config_field start_fields[] = {
        { "at_m", CONFIG_OBJECT, "Where.", .was = "north_m east_m down_m height_m",
          .table = &start_place_table, .preset = "{}" },
        { "yaw_deg", CONFIG_NUMBER, "Heading, clockwise from north.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0",
          AT(rig_vehicle_file, config.start_yaw_rad) },
        { NULL },
};

static const struct config_table start_table = {
        .name = "start",
        .about = "Where the vehicle stands at the start, level.",
        .field = start_fields,
};

static const struct config_field vehicle_fields[] = {
        { "name", CONFIG_NAME, "What it is called in results; unique in the rig.",
          .size = NAME_MAX_LEN, .numbered = true, AT(rig_vehicle_file, config.name) },
        { "vehicle", CONFIG_OBJECT, "The airframe and its sensors.",
          .table = &config_vehicle_table, AT(rig_vehicle_file, vehicle) },
        { "start", CONFIG_OBJECT, "Where it stands at the start.", .table = &start_table,
          .preset = "{}" },
        { "fc", CONFIG_OBJECT, "Its flight controller.", .table = &config_rig_fc_table,
          .optional = true },
        { "twin", CONFIG_OBJECT,
          "In place of a flight controller: an aircraft that flies elsewhere, whose "
          "telemetry drives it.",
          .table = &config_twin_table, .optional = true, AT(rig_vehicle_file, twin),
          .given = offsetof(struct rig_vehicle_file, twin.twin.used) },
        { "pilot", CONFIG_OBJECT,
          "Who moves the sticks as the scenario's modes ask. Left out: nobody does.",
          .table = &config_pilot_table, .optional = true,
          AT(rig_vehicle_file, config.pilot) },
        { "joystick", CONFIG_OBJECT,
          "A joystick that moves RC channels, by hand or played. Left out: there is "
          "none.",
          .table = &config_joystick_table, .optional = true,
          AT(rig_vehicle_file, config.joystick),
          .given = offsetof(struct rig_vehicle_file, config.joystick.used) },
        { "ports", CONFIG_OBJECTS, "What is connected to further ports of the board.",
          .table = &config_port_table, .size = PORTS_MAX,
          .stride = sizeof(struct port_config), .preset = "[]",
          AT(rig_vehicle_file, config.port),
          .count = offsetof(struct rig_vehicle_file, config.ports) },
        { "pads", CONFIG_OBJECT,
          "The board's motor pads, watched by a logic analyzer or a capture board. Left "
          "out: the motors are what the flight controller reports.",
          .table = &config_pads_table, .optional = true, AT(rig_vehicle_file, pads),
          .given = offsetof(struct rig_vehicle_file, pads.pads.used) },
        { "copies", CONFIG_OBJECT, "How many there are of it. Left out: one.",
          .table = &config_copies_table, .optional = true, AT(rig_vehicle_file, copies) },
        { NULL },
};

static const struct config_rule vehicle_rules[] = {
        { { "fc", "twin" }, .least = 1, .most = 1 },
        { { "pilot", "pads" }, { "twin" }, .may = CONFIG_ABSENT },
        { { NULL } },
};

const struct config_table config_rig_vehicle_table = {
        .name = "rig_vehicle",
        .about = "A vehicle of the rig with its flight controller, or a twin of one that "
                 "flies elsewhere.",
        .field = vehicle_fields,
        .rule = vehicle_rules,
};

/* At rest with the lowest point of the gear at a height above the ground. */
static double down_for_height_m(const struct world *world,
                                const struct contact_params *gear, double height_m)
{
        double lowest_m = gear->point_body_m[0].z;

        for (int i = 1; i < gear->points; i++)
                lowest_m = fmax(lowest_m, gear->point_body_m[i].z + gear->radius_m[i]);
        return world->ground_down_m - lowest_m - height_m;
}

bool config_build_rig_vehicle(struct vehicle_config *v,
                              const struct rig_vehicle_file *file,
                              const struct rig_config *rig, const struct json *node,
                              struct config_error *why)
{
        const struct json *vehicle = json_member(node, "vehicle");
        bool ok, stands;

        *v = file->config;
        stands = vehicle && config_is_sound(vehicle) &&
                 config_build_vehicle(&v->params, &file->vehicle, vehicle, why);
        if (!stands)
                v->params.rotors = 0;
        else if (!config_member(json_at(node, "start.at_m"), "down"))
                v->start_ned_m.z = down_for_height_m(&rig->world, &v->params.contact,
                                                     file->height_m);
        if (file->twin.twin.used)
                ok = config_build_twin(v, &file->twin, rig, node, why);
        else
                ok = config_build_rig_fc(&v->fc, file, stands ? &v->params : NULL, node,
                                         why);
        if (config_is_sound(json_member(node, "pilot")))
                ok = config_check_pilot(&v->pilot, node, why) && ok;
        if (config_is_sound(json_member(node, "joystick")))
                ok = config_build_joystick(v, rig->pace, node, why) && ok;
        ok = config_build_ports(v, node, why) && ok;
        return config_build_pads(&v->pads, &file->pads, v, rig->pace, node, why) && ok &&
               config_is_sound(node);
}

void config_resolve_rig_vehicle(struct json *resolved, const struct vehicle_config *v)
{
        struct json *fc = json_member(resolved, "fc"), *order;
        struct json *at = json_at(resolved, "start.at_m");

        if (config_has_fc(v) && !json_member(fc, "dialect") && v->fc.dialect[0] != '\0')
                json_add_string(fc, "dialect", v->fc.dialect);
        if (config_has_fc(v) && !json_member(fc, "motor_order")) {
                order = json_add_array(fc, "motor_order");
                for (int i = 0; i < v->params.rotors; i++)
                        json_add_number(order, NULL, v->fc.motor_order[i]);
        }
        if (v->fc.start.used)
                config_resolve_fc_start(fc, &v->fc);
        if (v->twin.used)
                config_resolve_twin(resolved, v);
        if (v->joystick.used)
                config_resolve_joystick(resolved, v);
        if (!json_member(at, "down") && !json_member(at, "up"))
                json_add_number(at, "up", 0.0);
}
