/* What `hilrig check` prints of a rig: what would run. */
#include <stdio.h>
#include <string.h>

#include "hil/cmd/check.h"
#include "hil/config/fc/motor_layout.h"
#include "hil/config/fc/reach.h"
#include "hil/config/world/scenery.h"
#include "hil/text/terminal.h"
#include "hil/time/clock.h"
#include "io/device/device.h"
#include "models/sensors/kinds.h"

/* A sensor measures at the end of the plant step in which its time falls. */
static double first_ms(const struct schedule_params *s, int64_t step_ns)
{
        int64_t steps = (s->phase_ns + step_ns - 1) / step_ns;

        return (double)(steps > 0 ? steps * step_ns : step_ns) * 1e-6;
}

static bool reaches(const struct vehicle_config *v, enum sensor sensor, int unit)
{
        static const enum codec_sample sample[SENSOR_COUNT] = {
                [SENSOR_IMU] = SAMPLE_GYRO,          [SENSOR_GPS] = SAMPLE_GPS,
                [SENSOR_BARO] = SAMPLE_BARO,         [SENSOR_MAG] = SAMPLE_MAG,
                [SENSOR_SONAR] = SAMPLE_SONAR,       [SENSOR_FLOW] = SAMPLE_FLOW,
                [SENSOR_POWER] = SAMPLE_VOLTAGE,     [SENSOR_INS] = SAMPLE_INS,
                [SENSOR_RELATIVE] = SAMPLE_RELATIVE,
        };

        return reach_firmware(v, &(struct reach){ sample[sensor], CARRIES_VALUE, unit });
}

static void print_sensor(const struct rig_config *c, const char *name,
                         const struct schedule_params *s, bool reaches_firmware)
{
        printf("    %-8s every %.6g ms, first at %.6g ms, delayed %.6g ms%s%s\n", name,
               (double)s->period_ns * 1e-6, first_ms(s, c->plant_step_ns),
               (double)s->delay_ns * 1e-6,
               s->period_ns < c->period_ns ? "; a frame takes the newest alone" : "",
               reaches_firmware ? ""
                                : "; it does not reach the firmware: neither the codec "
                                  "nor a port carries it");
}

static void print_sensors(const struct rig_config *c, const struct vehicle_config *v)
{
        const struct sensors_params *p = &v->params.sensors;

        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                for (int unit = 0; unit < sensor_units(p, i); unit++) {
                        char number[8] = "", name[24];

                        /* Its aircraft has its own. */
                        if (v->twin.used && !reaches(v, i, unit))
                                continue;
                        if (sensor_kinds[i].units_max > 1)
                                snprintf(number, sizeof number, " %d", unit);
                        snprintf(name, sizeof name, "%s%s", sensor_kinds[i].name, number);
                        print_sensor(c, name, sensor_schedule(p, i, unit),
                                     reaches(v, i, unit));
                }
}

static void print_battery(const struct battery_params *b)
{
        if (b->capacity_c > 0.0)
                printf("    battery %.6g mAh, %.4g V full, %.4g mohm, empty below %.4g "
                       "V\n",
                       b->capacity_c / 3.6, battery_open_circuit_v(b, 1.0),
                       1e3 * b->resistance_ohm, b->cutoff_v);
}

static void print_usual(const struct motor_layout *layout, enum motor_layout_fit fit,
                        const uint8_t usual[ROTORS_MAX])
{
        printf("    motors in an order of the rig file's own, not that of %s",
               layout->name);
        if (fit != MOTOR_LAYOUT_NOT_X)
                printf(", which would be [%d, %d, %d, %d]%s", usual[0], usual[1],
                       usual[2], usual[3],
                       fit == MOTOR_LAYOUT_OTHER_SPIN ? " with every rotor turning the "
                                                        "other way"
                                                      : "");
        printf("\n");
}

/* Which order the outputs are in, as the firmware's own manual would say. */
static void print_motor_layout(const struct vehicle_config *v)
{
        const struct motor_layout *layout = motor_layout_of(v->fc.codec);
        uint8_t usual[ROTORS_MAX];
        enum motor_layout_fit fit;

        if (layout == NULL)
                return;
        fit = motor_layout_order(layout, &v->params, usual);
        if (fit == MOTOR_LAYOUT_FITS &&
            memcmp(usual, v->fc.motor_order, (size_t)v->params.rotors) == 0)
                printf("    motors in the order of %s\n", layout->name);
        else
                print_usual(layout, fit, usual);
}

static void print_left_out(const struct vehicle_config *v)
{
        const struct codec_ops *ops = codec_find(v->fc.codec);

        for (int i = v->fc.links;
             i < ops->channels && !codec_is_shipped(ops, v->fc.dialect); i++)
                printf("    without link %d, %s: %s\n", i, ops->channel[i].name,
                       ops->channel[i].without);
}

static void print_repeats(const struct rig_config *c, const struct vehicle_config *v)
{
        const char *const *line = codec_find(v->fc.codec)->repeats_when;

        if (c->pace != PACE_LOCKSTEP || line == NULL)
                return;
        printf("    the same bits each time need:\n");
        for (; *line != NULL; line++)
                printf("      %s\n", *line);
}

static void print_pads(const struct pads_config *p)
{
        if (!p->used)
                return;
        terminal_print(stdout, "    motor pads by %s, %s; rotors on inputs",
                       p->source_text,
                       p->drives ? "which drive the vehicle" : "which are only compared");
        for (int i = 0; i < p->rotors; i++)
                printf(" %d", p->pad_of_rotor[i]);
        printf("; stopped after %.6g ms of silence\n", (double)p->silence_ns * 1e-6);
}

static void print_fc(const struct rig_config *c, const struct vehicle_config *v)
{
        print_motor_layout(v);
        terminal_print(stdout, "    flight controller by %s%s%s over", v->fc.codec,
                       v->fc.dialect[0] != '\0' ? " " : "", v->fc.dialect);
        for (int i = 0; i < v->fc.links; i++)
                terminal_print(stdout, " %s", v->fc.link_text[i]);
        printf("%s, time-out %.6g ms\n", v->fc.spawn ? ", the reference one" : "",
               (double)v->fc.timeout_ns * 1e-6);
        if (v->fc.start.used)
                terminal_print(stdout, "    started for each run: %s%s\n",
                               v->fc.start.command.word[0],
                               v->fc.start.command.words > 1 ? " ..." : "");
        for (int i = 0; i < v->fc.options; i++)
                terminal_print(stdout, "    its option %s = \"%s\"\n",
                               v->fc.option[i].key, v->fc.option[i].value);
        print_left_out(v);
        print_repeats(c, v);
}

static void print_twin(const struct twin_config *t)
{
        terminal_print(stdout, "    twin %s%s%sby %s, %s\n",
                       t->aircraft[0] != '\0' ? "of " : "", t->aircraft,
                       t->aircraft[0] != '\0' ? " " : "", t->source, t->where);
        printf("    %s; silent after %.6g ms\n",
               t->law == TWIN_POSE ? "where its telemetry says, extrapolated to now"
                                   : "flown by its telemetry's attitude and throttle",
               (double)t->timeout_ns * 1e-6);
}

/* Of a unit with an IMU of its own also how the board gets its samples: it asks for a part of the unit's rate. */
static void print_port(const struct rig_config *c, const struct vehicle_config *v,
                       const struct port_config *port)
{
        const struct device_ops *device = reach_device(port->device);
        int64_t period_ns = v->params.sensors.imu.schedule.period_ns;

        terminal_print(stdout, "    port %s over %s", port->device, port->link_text);
        if (period_ns < c->period_ns)
                period_ns = c->period_ns;
        if (device != NULL && device->imu_hz > 0)
                printf(", %d Hz or a part of it from samples every %.6g ms%s",
                       device->imu_hz, (double)period_ns * 1e-6,
                       period_ns * device->imu_hz == NS_PER_S
                               ? ""
                               : "; an IMU and a loop of that rate would be even");
        putchar('\n');
}

static void print_vehicle(const struct rig_config *c, const struct vehicle_config *v)
{
        const struct vehicle_params *p = &v->params;
        double thrust_n = vehicle_full_thrust_n(p, &c->world);

        terminal_print(stdout,
                       "  vehicle %s: %.6g kg, %d rotors%s, thrust to weight %.3g\n",
                       v->name, p->body.mass_kg, p->rotors,
                       p->blades.radius_m > 0.0 ? " of blade elements" : "",
                       thrust_n / (p->body.mass_kg * c->world.gravity_mps2));
        for (int i = 0; i < p->rotors; i++)
                printf("    rotor %d at (%+.3f, %+.3f, %+.3f) m, %s seen from above, "
                       "driven by "
                       "output %d\n",
                       i, p->rotor[i].pos_body_m.x, p->rotor[i].pos_body_m.y,
                       p->rotor[i].pos_body_m.z,
                       p->rotor[i].spin > 0.0 ? "clockwise" : "counter-clockwise",
                       v->fc.motor_order[i]);
        print_battery(&p->battery);
        print_sensors(c, v);
        if (config_has_fc(v))
                print_fc(c, v);
        else
                print_twin(&v->twin);
        if (v->pilot.period_ns > 0)
                printf("    pilot at the sticks every %.6g ms\n",
                       (double)v->pilot.period_ns * 1e-6);
        for (int i = 0; i < v->ports; i++)
                print_port(c, v, &v->port[i]);
        print_pads(&v->pads);
}

static bool has_like_ports(const struct vehicle_config *a, const struct vehicle_config *b)
{
        if (a->ports != b->ports)
                return false;
        for (int i = 0; i < a->ports; i++)
                if (strcmp(a->port[i].device, b->port[i].device) != 0)
                        return false;
        return true;
}

/* But for name, place and links: a copy. */
static bool is_like(const struct vehicle_config *a, const struct vehicle_config *b)
{
        return memcmp(&a->params, &b->params, sizeof a->params) == 0 &&
               strcmp(a->fc.codec, b->fc.codec) == 0 &&
               strcmp(a->fc.dialect, b->fc.dialect) == 0 && !a->twin.used &&
               !b->twin.used && a->fc.spawn == b->fc.spawn &&
               a->fc.start.used == b->fc.start.used && a->fc.options == b->fc.options &&
               memcmp(a->fc.option, b->fc.option, sizeof a->fc.option) == 0 &&
               memcmp(a->fc.motor_order, b->fc.motor_order, sizeof a->fc.motor_order) ==
                       0 &&
               a->pads.used == b->pads.used && has_like_ports(a, b);
}

/* A row of copies once. */
static void print_vehicles(const struct rig_config *c)
{
        for (int i = 0; i < c->vehicles;) {
                int first = i++;

                print_vehicle(c, &c->vehicle[first]);
                while (i < c->vehicles && is_like(&c->vehicle[first], &c->vehicle[i]))
                        i++;
                if (i - first == 2)
                        terminal_print(stdout, "  vehicle %s: the same\n",
                                       c->vehicle[i - 1].name);
                if (i - first > 2)
                        terminal_print(stdout,
                                       "  vehicles %s to %s: the same, %d of them\n",
                                       c->vehicle[first + 1].name, c->vehicle[i - 1].name,
                                       i - first - 1);
        }
}

static void print_radio(const struct radio_params *p)
{
        printf("  radio %.6g kbit/s, up to %d bytes, the longest %.3g ms on the air, "
               "heard "
               "for %.3g m over free ground\n",
               p->rate_bps * 1e-3, p->bytes_max,
               (double)radio_airtime_ns(p, p->bytes_max) * 1e-6, radio_range_m(p));
}

static void print_station(const struct vehicle_config *v, const struct hub_params *hub)
{
        terminal_print(stdout, "  station %s at %.6g, %.6g m", v->name, v->start_ned_m.x,
                       v->start_ned_m.y);
        if (v->fc.links > 0)
                terminal_print(stdout, ", over %s", v->fc.link_text[0]);
        for (int g = 0; g < hub->groups; g++)
                terminal_print(stdout, "%s %s of %d", g == 0 ? ", hub of groups" : ",",
                               hub->group[g].name, hub->group[g].members);
        putchar('\n');
        for (int i = 0; i < v->ports; i++)
                terminal_print(stdout, "    port %s over %s\n", v->port[i].device,
                               v->port[i].link_text);
}

void check_print_rig(const char *path, const struct rig_config *c)
{
        terminal_print(stdout,
                       "%s: %s, seed %llu, %s, period %.6g us, plant step %.6g us\n",
                       path, c->name, (unsigned long long)c->seed,
                       c->pace == PACE_LOCKSTEP ? "lockstep" : "realtime",
                       (double)c->period_ns * 1e-3, (double)c->plant_step_ns * 1e-3);
        if (c->scenery)
                printf("  obstacles: %d, as %d solids, of which %d are triangles\n",
                       c->scenery->obstacles, c->scenery->solids, c->scenery->triangles);
        print_vehicles(c);
        if (c->has_radio)
                print_radio(&c->radio);
        for (int i = 0; i < c->stations; i++)
                print_station(&c->vehicle[c->vehicles + i], &c->hub[i]);
        terminal_print(stdout, "  scenario %s: %.6g s, %d step%s", c->scenario.name,
                       (double)c->scenario.duration_ns * 1e-9, c->scenario.steps,
                       c->scenario.steps == 1 ? "" : "s");
        if (c->scenario.tracks > 0)
                printf(" with those of %d track%s", c->scenario.tracks,
                       c->scenario.tracks == 1 ? "" : "s");
        printf(", %d requirement%s\n", c->scenario.requirements,
               c->scenario.requirements == 1 ? "" : "s");
        if (c->pace == PACE_REALTIME)
                printf("  void above %.6g %% missed periods or a stall of %.6g ms; void "
                       "instead of failed where a firmware's process waited more than "
                       "%.6g %% of the flight\n",
                       100.0 * c->realtime.missed_max_ratio,
                       (double)c->realtime.stall_max_ns * 1e-6,
                       100.0 * c->realtime.starved_max_ratio);
}
