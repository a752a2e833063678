/* Rig files: the tables. What they become is config_build.c's. */
#include "hil/config/rig/rig.h"
#include "hil/config/rig/suite.h"

static const struct config_field start_fields[] = {
        { "north_m", CONFIG_NUMBER, "From the world's origin.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(rig_vehicle_file, start.north_m) },
        { "east_m", CONFIG_NUMBER, "From the world's origin.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(rig_vehicle_file, start.east_m) },
        { "down_m", CONFIG_NUMBER, "Of the centre of mass, from the world's origin.",
          BETWEEN(-1e4, 1e4), .optional = true, AT(rig_vehicle_file, start.down_m),
          .given = offsetof(struct rig_vehicle_file, start.down_given) },
        { "height_m", CONFIG_NUMBER,
          "Of the lowest point of the gear above the ground, in place of down_m. Both "
          "left "
          "out: 0.",
          BETWEEN(0, 1e4), .optional = true, AT(rig_vehicle_file, start.height_m),
          .given = offsetof(struct rig_vehicle_file, start.height_given) },
        { "yaw_deg", CONFIG_NUMBER, "Heading, clockwise from north.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(rig_vehicle_file, start.yaw_rad) },
        { NULL },
};

static const struct config_table start_table = {
        .name = "start",
        .about = "Where the vehicle stands at first, level.",
        .field = start_fields,
};

static const struct config_field fc_fields[] = {
        { "codec", CONFIG_TEXT, "The protocol it speaks: hilp, ...", .size = 32,
          AT(rig_vehicle_file, fc.codec) },
        { "dialect", CONFIG_TEXT,
          "The variant of its protocol, where there are several; `hilrig check` prints "
          "them. Left out: the codec's first.",
          .size = 16, .optional = true, AT(rig_vehicle_file, fc.dialect),
          .given = offsetof(struct rig_vehicle_file, fc.dialect_given) },
        { "link", CONFIG_TEXTS,
          "How its bytes travel: uart:/dev/ttyACM0@921600, pty, tcp:127.0.0.1:5760, "
          "unix:/run/fc.sock, ...; an array of them for codecs with more channels.",
          .least = 1, .size = 160, AT(rig_vehicle_file, fc.link),
          .count = offsetof(struct rig_vehicle_file, fc.links) },
        { "spawn", CONFIG_BOOL,
          "Start the reference flight controller as a process at the other end.",
          .preset = "false", AT(rig_vehicle_file, fc.spawn) },
        { "reference", CONFIG_OBJECT,
          "The reference flight controller's parameters; required with spawn.",
          .table = &config_fc_table, .optional = true, AT(rig_vehicle_file, fc.reference),
          .given = offsetof(struct rig_vehicle_file, fc.reference_given) },
        { "motor_order", CONFIG_INTEGERS,
          "For each rotor in the vehicle file's order, the flight controller's output "
          "that "
          "drives it, counted from 0. Left out: the firmware's usual order for a "
          "quadrotor in X, with hilp the same order.",
          BETWEEN(0, ROTORS_MAX - 1), .least = 1, .size = ROTORS_MAX, .optional = true,
          AT(rig_vehicle_file, fc.motor_order),
          .count = offsetof(struct rig_vehicle_file, fc.motors),
          .given = offsetof(struct rig_vehicle_file, fc.motor_order_given) },
        { "options", CONFIG_PAIRS,
          "Settings of its own that it begins with, as its firmware names them; the "
          "codec "
          "must have such: hilp.",
          .size = FC_OPTIONS_MAX, .stride = sizeof(struct fc_option), .preset = "{}",
          AT(rig_vehicle_file, fc.option),
          .count = offsetof(struct rig_vehicle_file, fc.options) },
        { "timeout_ms", CONFIG_TIME,
          "So long without an answer: it is gone; in lockstep ten times as long.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "1000",
          AT(rig_vehicle_file, fc.timeout_ns) },
        { "hello_timeout_ms", CONFIG_TIME, "How long to wait for it at the start.",
          BETWEEN(1, 600000), .scale = MS_TO_NS, .preset = "5000",
          AT(rig_vehicle_file, fc.hello_timeout_ns) },
        { "reconnect", CONFIG_BOOL, "Take it back when its link returns.",
          .preset = "false", AT(rig_vehicle_file, fc.reconnect) },
        { NULL },
};

static const struct config_table fc_table = {
        .name = "fc",
        .about = "A flight controller and how it is connected.",
        .field = fc_fields,
};

static const struct config_field vehicle_fields[] = {
        { "name", CONFIG_NAME, "What it is called in results; unique in the rig.",
          .size = NAME_MAX_LEN, AT(rig_vehicle_file, name) },
        { "vehicle", CONFIG_OBJECT, "The airframe and its sensors.",
          .table = &config_vehicle_table, AT(rig_vehicle_file, vehicle) },
        { "start", CONFIG_OBJECT, "Where it stands at first.", .table = &start_table,
          .preset = "{}" },
        { "fc", CONFIG_OBJECT, "Its flight controller.", .table = &fc_table },
        { "pilot", CONFIG_OBJECT,
          "Who moves the sticks as the scenario's modes ask. Left out: nobody does.",
          .table = &config_pilot_table, .optional = true, AT(rig_vehicle_file, pilot),
          .given = offsetof(struct rig_vehicle_file, pilot.given) },
        { "ports", CONFIG_OBJECTS, "What is connected to further ports of the board.",
          .table = &config_port_table, .size = PORTS_MAX,
          .stride = sizeof(struct port_file), .preset = "[]", AT(rig_vehicle_file, port),
          .count = offsetof(struct rig_vehicle_file, ports) },
        { "pads", CONFIG_OBJECT,
          "The board's motor pads, watched by a logic analyzer or a capture board. Left "
          "out: the motors are what the flight controller reports.",
          .table = &config_pads_table, .optional = true, AT(rig_vehicle_file, pads),
          .given = offsetof(struct rig_vehicle_file, pads.given) },
        { NULL },
};

static const struct config_table rig_vehicle_table = {
        .name = "rig_vehicle",
        .about = "A vehicle of the rig with its flight controller.",
        .field = vehicle_fields,
};

static const struct config_field realtime_fields[] = {
        { "priority", CONFIG_INTEGER, "Of SCHED_FIFO; 0: leave the scheduler alone.",
          BETWEEN(0, 99), .preset = "80", AT(realtime_config, priority) },
        { "cpu", CONFIG_INTEGER, "Processor that the loop stays on; -1: any.",
          BETWEEN(-1, 1023), .preset = "-1", AT(realtime_config, cpu) },
        { "lock_memory", CONFIG_BOOL, "Keep all memory resident.", .preset = "true",
          AT(realtime_config, lock_memory) },
        { "hold_cpu_latency", CONFIG_BOOL,
          "Keep the processors out of deep sleep through /dev/cpu_dma_latency.",
          .preset = "true", AT(realtime_config, hold_cpu_latency) },
        { "missed_max_percent", CONFIG_NUMBER, "More missed periods make the run void.",
          BETWEEN(0, 100), .scale = 0.01, .preset = "10",
          AT(realtime_config, missed_max_ratio) },
        { "stall_max_ms", CONFIG_TIME, "A longer lateness of one period makes it void.",
          BETWEEN(0, 60000), .scale = MS_TO_NS, .preset = "250",
          AT(realtime_config, stall_max_ns) },
        { NULL },
};

static const struct config_table realtime_table = {
        .name = "realtime",
        .about = "What the loop asks of the host, and how late it may be.",
        .field = realtime_fields,
};

static const struct config_field log_fields[] = {
        { "truth_rate_hz", CONFIG_RATE, "Truth and sensors in the log, at most so often.",
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

static const char *const pace_names[] = { "realtime", "lockstep", NULL };

static const struct config_field rig_fields[] = {
        { "name", CONFIG_NAME, "What the rig is called; part of its runs' folder names.",
          .size = NAME_MAX_LEN, AT(rig_file, name) },
        { "seed", CONFIG_SEED, "Of every noise source.", BETWEEN(0, 9007199254740992.0),
          .preset = "1", AT(rig_file, seed) },
        { "pace", CONFIG_CHOICE,
          "realtime: simulated time is wall time. lockstep: the next period waits for "
          "the "
          "flight controller's answer.",
          .names = pace_names, .preset = "\"realtime\"", AT(rig_file, pace) },
        { "period_us", CONFIG_TIME, "Period of the loop, a whole number.",
          BETWEEN(100, 100000), .scale = US_TO_NS, .preset = "1000",
          AT(rig_file, period_ns) },
        { "plant_step_us", CONFIG_TIME,
          "Step of the plant; divides the period. Left out: the period.", ABOVE(0),
          AT_MOST(10000), .scale = US_TO_NS, .optional = true,
          AT(rig_file, plant_step_ns),
          .given = offsetof(struct rig_file, plant_step_given) },
        { "world", CONFIG_OBJECT, "What is around the vehicles.",
          .table = &config_world_table, AT(rig_file, world) },
        { "scenario", CONFIG_OBJECT, "What is flown.", .table = &config_scenario_table,
          AT(rig_file, scenario) },
        { "stop_after_s", CONFIG_TIME,
          "Simulated time after which the run ends before its scenario does; what was "
          "not "
          "decided by then is not judged. Left out: the scenario's duration.",
          AT_LEAST(0.001), AT_MOST(86400), .scale = S_TO_NS, .optional = true,
          AT(rig_file, stop_after_ns),
          .given = offsetof(struct rig_file, stop_after_given) },
        { "vehicles", CONFIG_OBJECTS, "The vehicles.", .table = &rig_vehicle_table,
          .least = 1, .size = VEHICLES_MAX, .stride = sizeof(struct rig_vehicle_file),
          AT(rig_file, vehicle), .count = offsetof(struct rig_file, vehicles) },
        { "realtime", CONFIG_OBJECT, "Real-time behaviour.", .table = &realtime_table,
          .preset = "{}", AT(rig_file, realtime) },
        { "log", CONFIG_OBJECT, "The record.", .table = &log_table, .preset = "{}",
          AT(rig_file, log) },
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
        &config_imu_part_table,
        &config_suite_table,
        NULL,
};
