/* The pilot at the sticks of a rig's vehicle, and the devices at its further ports. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/table.h"
#include "io/device/device.h"

static const struct config_field pilot_fields[] = {
        { "period_ms", CONFIG_TIME, "How often the sticks move.", BETWEEN(1, 1000),
          .scale = MS_TO_NS, .preset = "20", AT(pilot_params, period_ns) },
        { "hover_percent", CONFIG_NUMBER,
          "Throttle at which the vehicle hovers; what it is wrong by is learnt.",
          BETWEEN(1, 99), .scale = 0.01, .preset = "50", AT(pilot_params, hover_ratio) },
        { "angle_full_deg", CONFIG_NUMBER,
          "Tilt that the firmware makes of a full stick in its angle mode.",
          BETWEEN(5, 89), .scale = RAD_PER_DEG, .preset = "60",
          AT(pilot_params, angle_full_rad) },
        { "yaw_full_dps", CONFIG_NUMBER, "Turn that it makes of a full yaw stick.",
          BETWEEN(1, 2000), .scale = RAD_PER_DEG, .preset = "200",
          AT(pilot_params, yaw_full_radps) },
        { "arm_channel", CONFIG_INTEGER,
          "RC channel with which it is armed, counted from 1; 0: none.", BETWEEN(0, 16),
          .preset = "5", .shift = -1, AT(pilot_params, arm_channel) },
        { "armed_us", CONFIG_INTEGER, "Arms the board.", BETWEEN(800, 2200),
          .preset = "1800", AT(pilot_params, armed_us) },
        { "disarmed_us", CONFIG_INTEGER, "Disarms it.", BETWEEN(800, 2200),
          .preset = "1000", AT(pilot_params, disarmed_us) },
        { "hold_channel", CONFIG_INTEGER,
          "RC channel with which the scenario lets the firmware hold place and height by "
          "itself (1500 us or more): the sticks then stay in the middle. 0: none.",
          BETWEEN(0, 16), .preset = "0", .shift = -1, AT(pilot_params, hold_channel) },
        { "position_p_per_s", CONFIG_NUMBER, "Speed asked for over distance.",
          BETWEEN(0, 10), .preset = "0.8", AT(pilot_params, position_p_per_s) },
        { "speed_max_mps", CONFIG_NUMBER, "Largest horizontal speed asked for.", ABOVE(0),
          AT_MOST(50), .preset = "2", AT(pilot_params, speed_max_mps) },
        { "velocity_p_per_s", CONFIG_NUMBER, "Acceleration asked for over speed error.",
          BETWEEN(0, 20), .preset = "1.5", AT(pilot_params, velocity_p_per_s) },
        { "velocity_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the speed error.", BETWEEN(0, 20),
          .preset = "0.4", AT(pilot_params, velocity_i_per_s2) },
        { "tilt_max_deg", CONFIG_NUMBER, "Largest tilt asked for.", ABOVE(0), AT_MOST(60),
          .scale = RAD_PER_DEG, .preset = "20", AT(pilot_params, tilt_max_rad) },
        { "height_p_per_s", CONFIG_NUMBER, "Climb asked for over height error.",
          BETWEEN(0, 10), .preset = "1", AT(pilot_params, height_p_per_s) },
        { "climb_max_mps", CONFIG_NUMBER, "Fastest climb and descent.", ABOVE(0),
          AT_MOST(20), .preset = "1.5", AT(pilot_params, climb_max_mps) },
        { "climb_p_per_s", CONFIG_NUMBER, "Acceleration asked for over climb error.",
          BETWEEN(0, 20), .preset = "2.5", AT(pilot_params, climb_p_per_s) },
        { "climb_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the climb error.", BETWEEN(0, 20),
          .preset = "1", AT(pilot_params, climb_i_per_s2) },
        { "land_mps", CONFIG_NUMBER, "Descent onto the ground.", ABOVE(0), AT_MOST(5),
          .preset = "0.5", AT(pilot_params, land_mps) },
        { "heading_p_per_s", CONFIG_NUMBER, "Turn asked for over heading error.",
          BETWEEN(0, 20), .preset = "1.5", AT(pilot_params, heading_p_per_s) },
        { "turn_max_dps", CONFIG_NUMBER, "Fastest turn asked for.", ABOVE(0),
          AT_MOST(720), .scale = RAD_PER_DEG, .preset = "60",
          AT(pilot_params, turn_max_radps) },
        { NULL },
};

const struct config_table config_pilot_table = {
        .name = "pilot",
        .about =
                "A pilot at the sticks, who sees where the vehicle is, for firmware that "
                "is flown by RC.",
        .field = pilot_fields,
};

/* The sticks have the first channels. */
static bool check_channel(int channel, const char *path, const struct json *node,
                          struct config_error *why)
{
        return channel < 0 || channel >= 4 ||
               config_refuse_at(why, node, path,
                                "must be 0 or above 4, where the sticks are, is %d",
                                channel + 1);
}

bool config_check_pilot(const struct pilot_params *p, const struct json *node,
                        struct config_error *why)
{
        if (p->period_ns == 0)
                return true;
        if (!check_channel(p->arm_channel, "pilot.arm_channel", node, why) ||
            !check_channel(p->hold_channel, "pilot.hold_channel", node, why))
                return false;
        return p->arm_channel < 0 || p->arm_channel != p->hold_channel ||
               config_refuse_at(why, node, "pilot.hold_channel",
                                "is the arm_channel too");
}

static const struct config_field port_fields[] = {
        { "device", CONFIG_TEXT,
          "The part that the rig emulates, or who listens: `hilrig check --devices` "
          "lists them.",
          .size = 32, AT(port_config, device) },
        { "link", CONFIG_TEXT, "How its bytes travel, as fc.link.", .size = 160,
          AT(port_config, link_text) },
        { "baud", CONFIG_INTEGER, "Baud rate that it starts with; 0: the device's own.",
          BETWEEN(0, 4000000), .preset = "0", AT(port_config, baud) },
        { "sonar", CONFIG_INTEGER, "Which of the vehicle's sonars a rangefinder is.",
          BETWEEN(0, SONARS_MAX - 1), .preset = "0", AT(port_config, sonar) },
        { "motors", CONFIG_BOOL,
          "For a dronecan device: the motor commands that it hears drive the vehicle, in "
          "place of those that the flight controller reports.",
          .preset = "false", AT(port_config, drives) },
        { "mexo", CONFIG_OBJECT, "Of a \"mexo\": how it sees its vehicle and the earth.",
          .optional = true, .table = &config_mexo_table, AT(port_config, mexo),
          .given = offsetof(struct port_config, has_mexo) },
        { NULL },
};

const struct config_table config_port_table = {
        .name = "port",
        .about = "A part that the rig emulates on one of the board's own ports, fed with "
                 "the same samples.",
        .field = port_fields,
};

/* NULL: all of them are named instead. */
static const struct device_ops *find_device(const char *name, char *all, size_t cap)
{
        size_t used = 0;

        all[0] = '\0';
        for (const struct device_ops *const *d = device_all(); *d != NULL; d++) {
                if (strcmp((*d)->name, name) == 0)
                        return *d;
                if (used < cap)
                        used += (size_t)snprintf(all + used, cap - used, "%s\"%s\"",
                                                 used ? ", " : "", (*d)->name);
        }
        return NULL;
}

static bool build_port(struct port_config *port, const struct vehicle_config *v,
                       const struct json *node, struct config_error *why)
{
        const struct device_ops *device;
        struct link_line line = { 0 };
        struct link_error link_why;
        char known[400];

        device = find_device(port->device, known, sizeof(known));
        if (device == NULL)
                return config_refuse_at(why, node, "device",
                                        "no device is called \"%s\"; known: %s",
                                        port->device, known);
        if (port->drives && device->motors == NULL)
                return config_refuse_at(
                        why, node, "motors",
                        "must be false of a %s: it hears no motor commands",
                        device->name);
        if (!config_build_mexo(port, v, node, why))
                return false;
        line.baud = port->baud != 0 ? port->baud : device->baud;
        line.framing = device->framing;
        if (!link_spec_parse_line(&port->link, port->link_text, &line, &link_why))
                return config_refuse_at(why, node, "link", "%s",
                                        link_why.text + link_why.reason);
        if (port->link.kind == LINK_UDP_LISTEN && device->heard_first)
                return config_refuse_at(why, node, "link",
                                        "must not be \"udp-listen:\" of a %s: it answers "
                                        "who has spoken, and the board's driver never "
                                        "speaks first; give udp:HOST:PORT",
                                        device->name);
        if (port->link.kind == LINK_UART && line.baud != 0 &&
            port->link.baud != line.baud)
                return config_refuse_at(why, node, "link",
                                        "baud rate after @: must be %u, at which the "
                                        "device starts (\"baud\" sets another), or left "
                                        "out, is %u",
                                        line.baud, port->link.baud);
        port->link.patience_ms = v->fc.links > 0 ? v->fc.link[0].patience_ms : 0;
        /* Without rotors the vehicle is not sound, and how many it has not known. */
        if (v->params.rotors > 0 && port->sonar > 0 &&
            port->sonar >= v->params.sensors.sonar.count)
                return config_refuse_at(why, node, "sonar",
                                        "must be below %d, which is how many the vehicle "
                                        "has, is %d",
                                        v->params.sensors.sonar.count, port->sonar);
        return true;
}

bool config_build_ports(struct vehicle_config *v, const struct json *node,
                        struct config_error *why)
{
        const struct json *list = json_member(node, "ports");
        bool ok = true;

        for (int i = 0; i < v->ports; i++)
                ok = config_is_sound(json_item(list, i)) &&
                     build_port(&v->port[i], v, json_item(list, i), why) && ok;
        return ok;
}
