/* Everything that is there before the first tick: what a codec and a device are told of the rig, and their
 * links; and giving it back. */
#include "hil/rig/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/fc/reach.h"
#include "models/sensors/kinds.h"

_Static_assert(VEHICLES_MAX - 1 <= NEIGHBOURS_MAX, "each vehicle meets all others");

/* Of the fastest unit; 0: not fitted. */
static int64_t sensor_period_ns(const struct sensors_params *p, enum sensor which)
{
        int64_t fastest_ns = 0;

        for (int i = 0; i < sensor_units(p, which); i++) {
                int64_t period_ns = sensor_schedule(p, which, i)->period_ns;

                if (fastest_ns == 0 || period_ns < fastest_ns)
                        fastest_ns = period_ns;
        }
        return fastest_ns;
}

/* Seconds from 1970 to GPS time's beginning in 1980, and what GPS is ahead of UTC since 2017. */
#define GPS_EPOCH_S 315964800.0
#define GPS_AHEAD_S 18.0

static struct codec_origin codec_origin(const struct world *w)
{
        struct earth_position p = { w->origin.lat_rad + 1e-6, w->origin.lon_rad + 1e-6,
                                    w->origin.height_m };
        struct vec3 step_m = earth_to_ned(&w->origin, p);

        return (struct codec_origin){
                .lat_rad = w->origin.lat_rad,
                .lon_rad = w->origin.lon_rad,
                .height_m = w->origin.height_m,
                .north_m_per_rad = step_m.x * 1e6,
                .east_m_per_rad = step_m.y * 1e6,
                .utc_ns = (int64_t)((w->gps_time_s + GPS_EPOCH_S - GPS_AHEAD_S) * 1e9),
        };
}

static void codec_setup_fill(struct codec_setup *setup, const struct rig_config *config,
                             const struct vehicle_config *v)
{
        const struct sensors_params *s = &v->params.sensors;

        *setup = (struct codec_setup){
                .lockstep = config->pace == PACE_LOCKSTEP,
                .dialect = v->fc.dialect,
                .period_ns = config->period_ns,
                .origin = codec_origin(&config->world),
                .start_ned_m = v->start_ned_m,
                .sensor_lsb = { [SENSOR_IMU] = s->imu.accel.lsb,
                                [SENSOR_BARO] = s->baro.pressure.lsb,
                                [SENSOR_MAG] = s->mag.field.lsb,
                                [SENSOR_SONAR] = s->sonar.unit[0].range.lsb },
                .gyro_lsb_radps = s->imu.gyro.lsb,
                .sonars = s->sonar.count,
                .bmp180 =
                        s->baro.is_bmp180 ? s->baro.bmp180 : (struct bmp180_params){ 0 },
                .rotors = v->params.rotors,
                .mission = v->fc.mission,
                .receiver = reach_has_receiver(v),
                .external = reach_external(v),
        };
        if (config->has_radio) {
                setup->radio_address = (int)(v - config->vehicle);
                setup->radios = config_boards(config);
                setup->radio_bytes_max = config->radio.bytes_max;
        }
        for (enum sensor i = 0; i < SENSOR_COUNT; i++)
                setup->sensor_period_ns[i] = sensor_period_ns(s, i);
        memcpy(setup->motor_order, v->fc.motor_order, sizeof setup->motor_order);
        for (int i = 0; i < v->params.rotors; i++) {
                setup->rotor_pos_body_m[i] = v->params.rotor[i].pos_body_m;
                setup->rotor_spin[i] = v->params.rotor[i].spin;
        }
}

/* Of a port, or of the links to the FC: -1; with those that may yet be begun by hand. */
static int wire_faults(const struct scenario *s, int vehicle, int port)
{
        int count = s->reserve;

        for (int i = 0; i < s->steps; i++)
                count += s->step[i].action == ACTION_WIRE_FAULT &&
                         s->step[i].wire_fault.port == port &&
                         scenario_step_is_for(&s->step[i], vehicle);
        return count;
}

static bool make_faulty(struct rig_vehicle *v, const struct scenario *s, int index,
                        bool lockstep)
{
        bool ok =
                fc_links_make_faulty(&v->port.links, wire_faults(s, index, -1), lockstep);

        for (int i = 0; ok && i < v->config->ports; i++)
                ok = device_port_make_faulty(&v->device[i], wire_faults(s, index, i));
        return ok;
}

static bool open_devices(struct rig_vehicle *v, const struct codec_setup *setup,
                         int index, struct link_error *why)
{
        const struct sonar_params *sonar = &v->config->params.sensors.sonar;

        for (int i = 0; i < v->config->ports; i++) {
                const struct port_config *port = &v->config->port[i];
                struct device_setup device = {
                        .period_ns = setup->period_ns,
                        .origin = setup->origin,
                        .start_ned_m = setup->start_ned_m,
                        .vehicle = index,
                        .rotors = setup->rotors,
                        .drives = port->drives,
                        .radio_bytes_max = setup->radio_bytes_max,
                        .index = port->sonar,
                        .range_max_m = sonar->count > 0
                                               ? sonar->unit[port->sonar].beam_max_m
                                               : 0.0,
                        .baud = port->baud,
                        .vehicle_name = v->config->name,
                        .battery_c = v->config->params.battery.capacity_c *
                                     v->config->params.battery.charge_ratio,
                        .mexo = &port->mexo,
                };

                memcpy(device.motor_order, setup->motor_order, sizeof device.motor_order);
                if (!device_port_open(&v->device[i], port, &device, index, i, why))
                        return false;
        }
        return true;
}

/* The loop needs more than the thread that feeds it. */
static bool open_pads(struct rig_vehicle *v, const struct rig_config *config,
                      struct link_error *why)
{
        int below = config->realtime.priority - 1;

        if (!v->config->pads.used)
                return true;
        v->pads = pads_open(&v->config->pads, v->config->fc.reconnect,
                            config->pace == PACE_REALTIME && below > 0 ? below : 0, why);
        v->port.mute = v->config->pads.drives && config->pace == PACE_REALTIME &&
                       !v->port.shipped;
        return v->pads != NULL;
}

static bool vehicle_open(struct rig_vehicle *v, const struct rig_config *config,
                         int index, char *why, size_t cap)
{
        struct codec_setup setup;
        struct link_error error;

        if (!rig_vehicle_init(v, config, index, why, cap) ||
            !rig_joystick_open(v, why, cap))
                return false;
        codec_setup_fill(&setup, config, v->config);
        /* The port of a twin stays closed. */
        v->port.config = v->port.links.config = &v->config->fc;
        v->port.vehicle = index;
        if (v->twin != NULL && !twin_open(v->twin, &setup.origin, &error)) {
                snprintf(why, cap, "vehicles.%d.twin: %s", index, error.text);
                return false;
        }
        if ((v->twin == NULL &&
             !fc_port_open(&v->port, &v->config->fc, &setup, index, &error)) ||
            !open_devices(v, &setup, index, &error) || !open_pads(v, config, &error)) {
                snprintf(why, cap, "%s", error.text);
                return false;
        }
        if (!make_faulty(v, &config->scenario, index, setup.lockstep)) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        return true;
}

/* A board without a vehicle: nothing of it moves, and nothing of it is measured. */
static bool station_open(struct rig_vehicle *v, const struct rig_config *config,
                         int index, char *why, size_t cap)
{
        struct codec_setup setup;
        struct link_error error;

        v->config = &config->vehicle[index];
        v->gone_ns = v->arm_asked_ns = -1;
        codec_setup_fill(&setup, config, v->config);
        if ((v->config->fc.links > 0 &&
             !fc_port_open(&v->port, &v->config->fc, &setup, index, &error)) ||
            !open_devices(v, &setup, index, &error)) {
                snprintf(why, cap, "%s", error.text);
                return false;
        }
        /* One of ports alone stays closed. */
        v->port.config = v->port.links.config = &v->config->fc;
        v->port.vehicle = index;
        return true;
}

static bool open_radio(struct rig *rig)
{
        const struct rig_config *config = rig->config;
        int boards = config_boards(config);
        void *memory = calloc(1, radio_size(boards));

        if (memory != NULL)
                rig->radio = radio_init(memory, &config->radio, boards, config->seed);
        rig->antenna = calloc((size_t)boards, sizeof *rig->antenna);
        for (int i = config->vehicles; rig->antenna != NULL && i < boards; i++)
                rig->antenna[i] = (struct radio_antenna){
                        .pos_ned_m = config->vehicle[i].start_ned_m,
                        .noise_dbm = -(double)INFINITY,
                };
        return rig->radio != NULL && rig->antenna != NULL;
}

/* Up to the end, which may lie within the last period: a requirement whose window ends there is
 * judged only when the flight has reached it. */
static int64_t flight_ticks(const struct rig_config *config)
{
        int64_t flight_ns = config->stop_after_ns < config->scenario.duration_ns
                                    ? config->stop_after_ns
                                    : config->scenario.duration_ns;

        return (flight_ns + config->period_ns - 1) / config->period_ns;
}

static bool open_mission(struct rig *rig)
{
        const struct mission_config *m = rig->config->mission;

        return m == NULL ||
               mission_flight_open(
                       &rig->mission, &m->route, &m->settings.limits,
                       rig->config->vehicle[m->settings.vehicle].start_yaw_rad);
}

bool rig_open(struct rig *rig, const struct rig_config *config, struct child *child,
              char *why, size_t cap)
{
        int boards = config_boards(config);

        *rig = (struct rig){ .config = config, .child = child, .stop_fd = -1 };
        rig->realtime.latency_fd = -1;
        rig->ticks = flight_ticks(config);
        rig->timeline.scenario = &config->scenario;
        rig->vehicle = calloc((size_t)boards, sizeof *rig->vehicle);
        rig->observed = calloc((size_t)config->vehicles, sizeof *rig->observed);
        rig->other = calloc((size_t)config->vehicles, sizeof *rig->other);
        rig->fds = calloc((size_t)boards * (CODEC_CHANNELS_MAX + 3), sizeof *rig->fds);
        if (rig->vehicle == NULL || rig->observed == NULL || rig->other == NULL ||
            rig->fds == NULL ||
            (config->vehicles > 1 && !fleet_open(&rig->fleet, config->vehicles)) ||
            (config->has_radio && !open_radio(rig)) || !open_mission(rig) ||
            !judge_conditions_open(&rig->conditions, &config->scenario,
                                   config->vehicles)) {
                snprintf(why, cap, "out of memory");
                rig_close(rig);
                return false;
        }
        if (!judge_open(&rig->judge, config->scenario.requirement,
                        config->scenario.requirements, config->vehicles,
                        config->period_ns, config->scenario.duration_ns, why, cap)) {
                rig_close(rig);
                return false;
        }
        for (int i = 0; i < boards; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (i < config->vehicles ? vehicle_open(v, config, i, why, cap)
                                         : station_open(v, config, i, why, cap))
                        continue;
                rig_close(rig);
                return false;
        }
        return true;
}

static void vehicle_close(struct rig_vehicle *v)
{
        pads_close(v->pads);
        v->pads = NULL;
        joystick_close(v->joystick);
        v->joystick = NULL;
        fc_port_close(&v->port);
        for (int i = 0; v->config != NULL && i < v->config->ports; i++)
                device_port_close(&v->device[i]);
}

void rig_close(struct rig *rig)
{
        for (int i = 0; rig->vehicle != NULL && i < config_boards(rig->config); i++)
                vehicle_close(&rig->vehicle[i]);
        for (int i = 0; rig->vehicle != NULL && i < rig->config->vehicles; i++)
                rig_vehicle_close(&rig->vehicle[i]);
        judge_close(&rig->judge);
        judge_values_close(&rig->conditions);
        mission_flight_close(&rig->mission);
        free(rig->vehicle);
        free(rig->observed);
        free(rig->other);
        free(rig->fds);
        fleet_close(&rig->fleet);
        free(rig->antenna);
        free(rig->radio);
        rig->vehicle = NULL;
        rig->observed = NULL;
        rig->other = NULL;
        rig->fds = NULL;
        rig->antenna = NULL;
        rig->radio = NULL;
}
