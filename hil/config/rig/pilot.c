#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/table.h"
#include "io/device/device.h"

#define PILOT(member) AT(pilot_file, params.member)

static const struct config_field pilot_fields[] = {
        { "period_ms", CONFIG_TIME, "How often the sticks move.", BETWEEN(1, 1000),
          .scale = MS_TO_NS, .preset = "20", PILOT(period_ns) },
        { "hover_percent", CONFIG_NUMBER,
          "Throttle at which the vehicle hovers; what it is wrong by is learnt.",
          BETWEEN(1, 99), .scale = 0.01, .preset = "50", PILOT(hover_ratio) },
        { "angle_full_deg", CONFIG_NUMBER,
          "Tilt that the firmware makes of a full stick in its angle mode.",
          BETWEEN(5, 89), .scale = RAD_PER_DEG, .preset = "60", PILOT(angle_full_rad) },
        { "yaw_full_dps", CONFIG_NUMBER, "Turn that it makes of a full yaw stick.",
          BETWEEN(1, 2000), .scale = RAD_PER_DEG, .preset = "200",
          PILOT(yaw_full_radps) },
        { "arm_channel", CONFIG_INTEGER,
          "RC channel with which it is armed, counted from 1; 0: none.", BETWEEN(0, 16),
          .preset = "5", AT(pilot_file, arm_channel) },
        { "armed_us", CONFIG_INTEGER, "Arms the board.", BETWEEN(800, 2200),
          .preset = "1800", PILOT(armed_us) },
        { "disarmed_us", CONFIG_INTEGER, "Disarms it.", BETWEEN(800, 2200),
          .preset = "1000", PILOT(disarmed_us) },
        { "hold_channel", CONFIG_INTEGER,
          "RC channel with which the scenario lets the firmware hold place and height by "
          "itself (1500 us or more): the sticks then stay in the middle. 0: none.",
          BETWEEN(0, 16), .preset = "0", AT(pilot_file, hold_channel) },
        { "position_p_per_s", CONFIG_NUMBER, "Speed asked for over distance.",
          BETWEEN(0, 10), .preset = "0.8", PILOT(position_p_per_s) },
        { "speed_max_mps", CONFIG_NUMBER, "Largest horizontal speed asked for.", ABOVE(0),
          AT_MOST(50), .preset = "2", PILOT(speed_max_mps) },
        { "velocity_p_per_s", CONFIG_NUMBER, "Acceleration asked for over speed error.",
          BETWEEN(0, 20), .preset = "1.5", PILOT(velocity_p_per_s) },
        { "velocity_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the speed error.", BETWEEN(0, 20),
          .preset = "0.4", PILOT(velocity_i_per_s2) },
        { "tilt_max_deg", CONFIG_NUMBER, "Largest tilt asked for.", ABOVE(0), AT_MOST(60),
          .scale = RAD_PER_DEG, .preset = "20", PILOT(tilt_max_rad) },
        { "height_p_per_s", CONFIG_NUMBER, "Climb asked for over height error.",
          BETWEEN(0, 10), .preset = "1", PILOT(height_p_per_s) },
        { "climb_max_mps", CONFIG_NUMBER, "Fastest climb and descent.", ABOVE(0),
          AT_MOST(20), .preset = "1.5", PILOT(climb_max_mps) },
        { "climb_p_per_s", CONFIG_NUMBER, "Acceleration asked for over climb error.",
          BETWEEN(0, 20), .preset = "2.5", PILOT(climb_p_per_s) },
        { "climb_i_per_s2", CONFIG_NUMBER,
          "Acceleration over the integral of the climb error.", BETWEEN(0, 20),
          .preset = "1", PILOT(climb_i_per_s2) },
        { "land_mps", CONFIG_NUMBER, "Descent onto the ground.", ABOVE(0), AT_MOST(5),
          .preset = "0.5", PILOT(land_mps) },
        { "heading_p_per_s", CONFIG_NUMBER, "Turn asked for over heading error.",
          BETWEEN(0, 20), .preset = "1.5", PILOT(heading_p_per_s) },
        { "turn_max_dps", CONFIG_NUMBER, "Fastest turn asked for.", ABOVE(0),
          AT_MOST(720), .scale = RAD_PER_DEG, .preset = "60", PILOT(turn_max_radps) },
        { NULL },
};

const struct config_table config_pilot_table = {
        .name = "pilot",
        .about =
                "A pilot at the sticks, who sees where the vehicle is, for firmware that "
                "is flown by RC.",
        .field = pilot_fields,
};

bool config_build_pilot(struct pilot_params *p, const struct pilot_file *file,
                        const struct json *node, struct config_error *why)
{
        static const char *const names[] = { "arm_channel", "hold_channel" };
        const int channel[] = { file->arm_channel, file->hold_channel };

        *p = (struct pilot_params){ 0 };
        if (!file->given)
                return true;
        for (int i = 0; i < 2; i++) {
                char path[40];

                snprintf(path, sizeof(path), "pilot.%s", names[i]);
                if (channel[i] >= 1 && channel[i] <= 4)
                        return config_refuse_at(why, node, path,
                                                "must be 0 or above 4, where the sticks "
                                                "are, is %d",
                                                channel[i]);
        }
        if (file->arm_channel != 0 && file->arm_channel == file->hold_channel)
                return config_refuse_at(why, node, "pilot.hold_channel",
                                        "is the arm_channel too");
        *p = file->params;
        p->arm_channel = file->arm_channel - 1;
        p->hold_channel = file->hold_channel - 1;
        return true;
}

static const struct config_field port_fields[] = {
        { "device", CONFIG_TEXT,
          "The part that the rig emulates, or who listens: `hilrig check --devices` "
          "lists them.",
          .size = 32, AT(port_file, device) },
        { "link", CONFIG_TEXT, "How its bytes travel, as fc.link.", .size = 160,
          AT(port_file, link) },
        { "baud", CONFIG_INTEGER, "Speed that it starts with; 0: the device's own.",
          BETWEEN(0, 4000000), .preset = "0", AT(port_file, baud) },
        { "sonar", CONFIG_INTEGER, "Which of the vehicle's sonars a rangefinder is.",
          BETWEEN(0, SONARS_MAX - 1), .preset = "0", AT(port_file, sonar) },
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

static bool build_port(struct port_config *port, const struct port_file *file,
                       const struct vehicle_config *v, const struct json *node,
                       struct config_error *why)
{
        const struct device_ops *device;
        struct link_line line = { 0 };
        struct link_error link_why;
        char known[400];

        memcpy(port->device, file->device, sizeof(port->device));
        memcpy(port->link_text, file->link, sizeof(port->link_text));
        port->baud = (uint32_t)file->baud;
        port->sonar = file->sonar;
        device = find_device(port->device, known, sizeof(known));
        if (device == NULL)
                return config_refuse_at(why, node, "device",
                                        "no device is called \"%s\"; known: %s",
                                        port->device, known);
        line.baud = port->baud != 0 ? port->baud : device->baud;
        line.framing = device->framing;
        if (!link_spec_parse_line(&port->link, port->link_text, &line, &link_why))
                return config_refuse_at(why, node, "link", "%s",
                                        link_why.text + link_why.reason);
        if (port->link.kind == LINK_UART && line.baud != 0 &&
            port->link.baud != line.baud)
                return config_refuse_at(why, node, "link",
                                        "baud rate after @: must be %u, at which the "
                                        "device starts (\"baud\" sets another), or left "
                                        "out, is %u",
                                        line.baud, port->link.baud);
        port->link.patience_ms = v->fc.links > 0 ? v->fc.link[0].patience_ms : 0;
        if (port->sonar > 0 && port->sonar >= v->params.sensors.sonar.count)
                return config_refuse_at(why, node, "sonar",
                                        "must be below %d, which is how many the vehicle "
                                        "has, is %d",
                                        v->params.sensors.sonar.count, port->sonar);
        return true;
}

bool config_build_ports(struct vehicle_config *v, const struct port_file *file, int ports,
                        const struct json *node, struct config_error *why)
{
        v->ports = ports;
        for (int i = 0; i < ports; i++)
                if (!build_port(&v->port[i], &file[i], v,
                                json_item(json_member(node, "ports"), i), why))
                        return false;
        return true;
}
