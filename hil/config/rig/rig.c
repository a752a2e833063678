/* Rig files. */
#include "hil/config/rig/rig.h"
#include "hil/config/rig/campaign.h"
#include "hil/config/rig/farm.h"
#include "hil/config/rig/suite.h"

#include <stdlib.h>
#include <string.h>

#define STEP_MAX_NS INT64_C(10000000)

static const struct config_field realtime_fields[] = {
        { "priority", CONFIG_INTEGER,
          "SCHED_FIFO priority; 0: leave the scheduler alone.", BETWEEN(0, 99),
          .preset = "80", AT(realtime_config, priority) },
        { "cpu", CONFIG_INTEGER, "Processor that the loop stays on; -1: any.",
          BETWEEN(-1, 1023), .preset = "-1", AT(realtime_config, cpu) },
        { "lock_memory", CONFIG_BOOL, "Keep all memory resident.", .preset = "true",
          AT(realtime_config, lock_memory) },
        { "hold_cpu_latency", CONFIG_BOOL,
          "Keep the processors out of deep sleep through /dev/cpu_dma_latency.",
          .preset = "true", AT(realtime_config, hold_cpu_latency) },
        { "threads", CONFIG_INTEGER,
          "Number of threads that step the vehicles; 0: as many as pay off on this host. "
          "Results do not depend on it.",
          BETWEEN(0, 64), .preset = "0", AT(realtime_config, threads) },
        { "missed_max_percent", CONFIG_NUMBER,
          "Largest share of missed periods; more make the run void.", BETWEEN(0, 100),
          .scale = 0.01, .preset = "10", AT(realtime_config, missed_max_ratio) },
        { "stall_max_ms", CONFIG_TIME,
          "Largest lateness of a period; more makes the run void.", BETWEEN(0, 60000),
          .scale = MS_TO_NS, .preset = "250", AT(realtime_config, stall_max_ns) },
        { "starved_max_percent", CONFIG_NUMBER,
          "Largest share of the flight for which the process of a firmware on this host "
          "waits for a processor or a disk, of its thread that waits longest; with more, "
          "a flight that fails is void.",
          BETWEEN(0, 100), .scale = 0.01, .preset = "25",
          AT(realtime_config, starved_max_ratio) },
        { NULL },
};

static const struct config_table realtime_table = {
        .name = "realtime",
        .about = "What the loop asks of the host, and how late it may be.",
        .field = realtime_fields,
};

static const struct config_field log_fields[] = {
        { "truth_rate_hz", CONFIG_RATE, "Largest rate of truth and sensors in the log.",
          BETWEEN(0.1, 10000), .preset = "250", AT(log_config, truth_period_ns) },
        { "wire", CONFIG_BOOL, "Write every byte both ways to wire.cap.",
          .preset = "true", AT(log_config, wire) },
        { NULL },
};

static const struct config_table log_table = {
        .name = "log",
        .about = "What is recorded.",
        .field = log_fields,
};

/* Light frames of plastic and foam. */
static const struct config_field meeting_fields[] = {
        { "restitution", CONFIG_NUMBER, "Share of the closing speed that bounces back.",
          BETWEEN(0, 1), .preset = "0.3", AT(meeting_config, restitution) },
        { "friction", CONFIG_NUMBER, "Coefficient of sliding friction.", BETWEEN(0, 10),
          .preset = "0.3", AT(meeting_config, friction) },
        { NULL },
};

static const struct config_table meeting_table = {
        .name = "meeting",
        .about = "Between two vehicles that touch.",
        .field = meeting_fields,
};

static const char *const pace_names[] = { "realtime", "lockstep", NULL };

static const struct config_field rig_fields[] = {
        { "name", CONFIG_NAME, "What the rig is called; part of its runs' folder names.",
          .size = NAME_MAX_LEN, AT(rig_file, rig.name) },
        { "seed", CONFIG_SEED, "Of every noise source.", BETWEEN(0, 9007199254740992.0),
          .preset = "1", AT(rig_file, rig.seed) },
        { "pace", CONFIG_CHOICE,
          "realtime: simulated time is wall time. lockstep: the next period waits for "
          "the "
          "flight controller's answer.",
          .names = pace_names, .preset = "\"realtime\"", AT(rig_file, rig.pace) },
        { "period_us", CONFIG_TIME, "Period of the loop, a whole number.",
          BETWEEN(100, 100000), .scale = US_TO_NS, .preset = "1000",
          AT(rig_file, rig.period_ns) },
        { "plant_step_us", CONFIG_TIME,
          "Step of the plant; divides the period. Left out: the period, or its largest "
          "divisor up to 10000 us.",
          ABOVE(0), AT_MOST(10000), .scale = US_TO_NS, .optional = true,
          AT(rig_file, rig.plant_step_ns) },
        { "world", CONFIG_OBJECT, "What is around the vehicles.",
          .table = &config_world_table, AT(rig_file, world) },
        { "scenario", CONFIG_OBJECT, "What is flown.", .table = &config_scenario_table,
          AT(rig_file, scenario) },
        { "mission", CONFIG_OBJECT,
          "What a vehicle flies in place of a pilot: an object, or the name of a mission "
          "file.",
          .table = &config_mission_table, .optional = true, .named = true,
          AT(rig_file, mission), .given = offsetof(struct rig_file, has_mission) },
        { "stop_after_s", CONFIG_TIME,
          "Simulated time at which the run ends early; requirements not decided by then "
          "are not judged. Left out: the scenario's duration.",
          AT_LEAST(0.001), AT_MOST(86400), .scale = S_TO_NS, .optional = true,
          AT(rig_file, rig.stop_after_ns) },
        { "vehicles", CONFIG_OBJECTS, "The vehicles.", .table = &config_rig_vehicle_table,
          .least = 1, .size = VEHICLES_MAX, .stride = sizeof(struct rig_vehicle_file),
          .on_heap = true, AT(rig_file, vehicle),
          .count = offsetof(struct rig_file, rig.vehicles) },
        { "stations", CONFIG_OBJECTS,
          "Radios at fixed places that belong to no vehicle; their addresses follow "
          "those of the vehicles.",
          .table = &config_rig_station_table, .size = STATIONS_MAX, .preset = "[]",
          .stride = sizeof(struct rig_station_file), .on_heap = true,
          AT(rig_file, station), .count = offsetof(struct rig_file, rig.stations) },
        { "realtime", CONFIG_OBJECT, "Real-time behaviour.", .table = &realtime_table,
          .preset = "{}", AT(rig_file, rig.realtime) },
        { "meeting", CONFIG_OBJECT, "What happens when vehicles touch each other.",
          .table = &meeting_table, .preset = "{}", AT(rig_file, rig.meeting) },
        { "radio", CONFIG_OBJECT,
          "Radio by which vehicles reach each other. Left out: none.",
          .table = &config_radio_table, .optional = true, AT(rig_file, rig.radio),
          .given = offsetof(struct rig_file, rig.has_radio) },
        { "wash", CONFIG_BOOL,
          "Whether vehicles feel the air that the rotors of others move.",
          .preset = "true", AT(rig_file, rig.wash) },
        { "log", CONFIG_OBJECT, "The record.", .table = &log_table, .preset = "{}",
          AT(rig_file, rig.log) },
        { NULL },
};

const struct config_table config_rig_table = {
        .name = "rig",
        .kind = "rig",
        .about = "A rig: vehicles with their flight controllers, in a world, and a "
                 "scenario.",
        .field = rig_fields,
};

const struct config_table *const config_kinds[] = {
        &config_rig_table,
        &config_vehicle_table,
        &config_world_table,
        &config_scenario_table,
        &config_fc_table,
        &config_sonar_part_table,
        &config_baro_part_table,
        &config_mag_part_table,
        &config_flow_part_table,
        &config_gps_part_table,
        &config_relative_part_table,
        &config_imu_part_table,
        &config_radio_table,
        &config_hub_table,
        &config_suite_table,
        &config_campaign_table,
        &config_farm_table,
        NULL,
};

/* The largest step that divides the period and is no longer than that. */
static int64_t dividing_step_ns(int64_t period_ns, int64_t most_ns)
{
        int64_t step_ns = most_ns < period_ns ? most_ns : period_ns;

        while (period_ns % step_ns != 0)
                step_ns--;
        return step_ns;
}

static bool build_times(struct rig_config *rig, const struct json *node,
                        struct config_error *why)
{
        if (rig->stop_after_ns == 0)
                rig->stop_after_ns = INT64_MAX;
        if (rig->period_ns % 1000 != 0)
                return config_refuse_at(why, node, "period_us", "must be a whole number");
        if (rig->plant_step_ns == 0)
                rig->plant_step_ns = dividing_step_ns(rig->period_ns, STEP_MAX_NS);
        if (rig->period_ns % rig->plant_step_ns != 0)
                return config_refuse_at(
                        why, node, "plant_step_us",
                        "must divide period_us, which is %.15g, is %.15g: leave it out, "
                        "or give %.15g",
                        (double)rig->period_ns / US_TO_NS,
                        (double)rig->plant_step_ns / US_TO_NS,
                        (double)dividing_step_ns(rig->period_ns, rig->plant_step_ns) /
                                US_TO_NS);
        return true;
}

/* Onto those vehicles that could be built. */
static bool load_payloads(struct rig_config *rig, const struct scenario_file *file,
                          const struct json *list, struct config_error *why)
{
        if (!config_check_payloads(file->payload, file->payloads, rig->vehicles, list,
                                   why))
                return false;
        for (int i = 0; i < rig->vehicles; i++) {
                struct vehicle_config *v = &rig->vehicle[i];
                struct quat q = quat_from_euler(0.0, 0.0, v->start_yaw_rad);

                if (!config_is_built(v))
                        continue;
                if (!config_load_payloads(&v->params, file->payload, file->payloads, i,
                                          list, why))
                        return false;
                /* The airframe stays; its centre of mass has moved in it. */
                v->start_ned_m =
                        vec3_add(v->start_ned_m, quat_rotate(q, v->params.centre_body_m));
        }
        return true;
}

static void build_vehicles(struct rig_config *rig, const struct rig_file *file,
                           const struct json *list, struct config_error *why)
{
        for (int i = 0; i < rig->vehicles; i++) {
                struct vehicle_config *v = &rig->vehicle[i];
                const struct json *node = json_item(list, i);

                if (!config_build_rig_vehicle(v, &file->vehicle[i], rig, node, why))
                        memset(v, 0, sizeof *v);
        }
}

static void build_stations(struct rig_config *rig, const struct rig_file *file,
                           const struct json *node, struct config_error *why)
{
        for (int i = 0; i < rig->stations; i++)
                if (!config_build_station(rig, &file->station[i], i, node, why))
                        memset(&rig->vehicle[rig->vehicles + i], 0,
                               sizeof rig->vehicle[0]);
}

static bool build_surroundings(struct rig_config *rig, const struct world_file *file,
                               const struct json *node, struct config_error *why)
{
        bool ok = node && config_is_sound(node) &&
                  config_build_world(&rig->world, file, node, why);

        ok = config_build_scene(&rig->scenery, &file->scene, rig->world.ground_down_m,
                                node, why) &&
             ok;
        if (ok && rig->scenery)
                rig->world.scene = &rig->scenery->scene;
        return ok;
}

/* What vehicles and scenario are measured by. */
static bool are_times_sound(const struct json *node)
{
        return config_is_sound(json_member(node, "pace")) &&
               config_is_sound(json_member(node, "period_us")) &&
               config_is_sound(json_member(node, "plant_step_us")) &&
               config_is_sound(json_member(node, "stop_after_s"));
}

bool config_build_rig(struct rig_config *rig, const struct rig_file *file,
                      const struct json *node, struct config_error *why)
{
        const struct json *vehicles = json_member(node, "vehicles");
        const struct json *scenario = json_member(node, "scenario");
        bool timed = are_times_sound(node);

        if (!json_is(node, JSON_OBJECT))
                return false;
        *rig = file->rig;
        timed = timed && build_times(rig, node, why);
        build_surroundings(rig, &file->world, json_member(node, "world"), why);
        if (!timed || rig->vehicles == 0)
                return false;
        if (config_boards(rig) > VEHICLES_MAX)
                return config_refuse_at(why, node, "stations",
                                        "must be at most %d with the vehicles, are %d",
                                        VEHICLES_MAX, config_boards(rig));
        rig->vehicle = calloc((size_t)config_boards(rig), sizeof(*rig->vehicle));
        rig->hub = calloc((size_t)rig->stations + 1, sizeof *rig->hub);
        if (!rig->vehicle || !rig->hub)
                return config_refuse(why, vehicles, NULL, "out of memory for %d of them",
                                     config_boards(rig));
        build_vehicles(rig, file, vehicles, why);
        build_stations(rig, file, node, why);
        if (config_is_sound(json_member(scenario, "payloads")))
                load_payloads(rig, &file->scenario, json_member(scenario, "payloads"),
                              why);
        config_check_rig(rig, node, why);
        if (!config_build_scenario(&rig->scenario, &file->scenario, rig, scenario, why) ||
            !config_check_hands(rig, scenario, why) || why->count > 0)
                return false;
        return !file->has_mission || config_build_mission(rig, &file->mission, node, why);
}

void config_resolve_rig(struct json *resolved, const struct json *node,
                        const struct rig_config *rig)
{
        config_resolve_scene(json_member(resolved, "world"), json_member(node, "world"));
        if (!json_member(resolved, "plant_step_us"))
                json_add_number(resolved, "plant_step_us",
                                (double)rig->plant_step_ns / US_TO_NS);
        for (int i = 0; i < rig->vehicles; i++)
                config_resolve_rig_vehicle(
                        json_item(json_member(resolved, "vehicles"), i),
                        &rig->vehicle[i]);
        for (int i = 0; i < rig->stations; i++)
                config_resolve_station(json_item(json_member(resolved, "stations"), i),
                                       &rig->vehicle[rig->vehicles + i]);
        config_resolve_scenario(json_member(resolved, "scenario"), &rig->scenario);
}
