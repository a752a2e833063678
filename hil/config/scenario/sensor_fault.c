/* Which keys a fault takes follows from its sensor and its kind; the table knows all of them. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

const char *const sensor_fault_sensors[] = {
        [FAULT_ACCEL] = "accel",     [FAULT_GYRO] = "gyro",
        [FAULT_GPS] = "gps",         [FAULT_BARO] = "baro",
        [FAULT_MAG] = "mag",         [FAULT_SONAR] = "sonar",
        [FAULT_FLOW] = "flow",       [FAULT_VOLTAGE] = "voltage",
        [FAULT_CURRENT] = "current", [FAULT_IMU] = "imu",
        [FAULT_POWER] = "power",     [SENSOR_FAULT_TARGETS] = NULL,
};

const char *const sensor_fault_kinds[] = {
        [SENSOR_STUCK] = "stuck",
        [SENSOR_ZERO] = "zero",
        [SENSOR_DROPOUT] = "dropout",
        [SENSOR_DELAY] = "delay",
        [SENSOR_SPIKE] = "spike",
        [SENSOR_DRIFT] = "drift",
        [SENSOR_BIAS] = "bias",
        [SENSOR_NOISE] = "noise",
        [SENSOR_SCALE] = "scale",
        [SENSOR_SATURATE] = "saturate",
        [SENSOR_NAN] = "nan",
        [SENSOR_SWAP_AXES] = "swap_axes",
        [SENSOR_FLIP_AXES] = "flip_axes",
        [GPS_LOSS] = "loss",
        [GPS_JUMP] = "jump",
        [GPS_SPOOF] = "spoof",
        [GPS_FEW_SATELLITES] = "few_satellites",
        [GPS_TIME_JUMP] = "time_jump",
        [SONAR_BLIND] = "blind",
        [SONAR_GHOST] = "ghost",
        [SENSOR_FAULT_KINDS] = NULL,
};

const struct sensor_fault_unit sensor_fault_units[AMOUNT_UNITS] = {
        [AMOUNT_MPS2] = { "amount_mps2", "amount_mps2_per_s", "m/s^2", 1.0 },
        [AMOUNT_DPS] = { "amount_dps", "amount_dps_per_s", "deg/s", RAD_PER_DEG },
        [AMOUNT_M] = { "amount_m", "amount_m_per_s", "m", 1.0 },
        [AMOUNT_PA] = { "amount_pa", "amount_pa_per_s", "Pa", 1.0 },
        [AMOUNT_UT] = { "amount_ut", "amount_ut_per_s", "uT", 1e-6 },
        [AMOUNT_RAD] = { "amount_rad", "amount_rad_per_s", "rad", 1.0 },
        [AMOUNT_V] = { "amount_v", "amount_v_per_s", "V", 1.0 },
        [AMOUNT_A] = { "amount_a", "amount_a_per_s", "A", 1.0 },
};

/* clang-format off */
#define AMOUNT(key, which, most, factor, about)                                          \
        { key, CONFIG_NUMBER, about, BETWEEN(-(most), most), .scale = (factor),          \
          .optional = true, AT(sensor_fault_file, amount[which].value),                  \
          .given = offsetof(struct sensor_fault_file, amount[which].given) }
#define DRIFT_AMOUNT(key, which, most, factor)                                           \
        AMOUNT(key, AMOUNT_UNITS + (which), most, factor, "The same, of a drift.")
/* clang-format on */

static const struct config_field fault_fields[] = {
        { "sensor", CONFIG_CHOICE,
          "Whose samples are faulty; imu is accelerometer and gyroscope together, power "
          "is voltage and current, which share a sample.",
          .names = sensor_fault_sensors, AT(sensor_fault_file, fault.target) },
        { "does", CONFIG_CHOICE, "What is wrong with them.", .names = sensor_fault_kinds,
          AT(sensor_fault_file, fault.kind) },
        { "axes", CONFIG_TEXT,
          "Which axes: letters of xyz, of a flow sensor xy, of the GPS n, e and d. Left "
          "out: all.",
          .size = sizeof(((struct sensor_fault_file *)0)->axes), .optional = true,
          AT(sensor_fault_file, axes) },
        { "sonar", CONFIG_INTEGER, "Which sonar. Left out: all.",
          BETWEEN(0, SONARS_MAX - 1), .optional = true,
          AT(sensor_fault_file, fault.sonar), .absent = "-1" },
        AMOUNT("amount_mps2", AMOUNT_MPS2, 1e5, 1.0, "How much, of the accelerometer."),
        AMOUNT("amount_dps", AMOUNT_DPS, 1e6, RAD_PER_DEG, "How much, of the gyroscope."),
        AMOUNT("amount_m", AMOUNT_M, 1e5, 1.0, "How much, of a sonar or the GPS."),
        AMOUNT("amount_pa", AMOUNT_PA, 1e6, 1.0, "How much, of the barometer."),
        AMOUNT("amount_ut", AMOUNT_UT, 1e6, 1e-6, "How much, of the magnetometer."),
        AMOUNT("amount_rad", AMOUNT_RAD, 1e3, 1.0,
               "How much, of the flow sensor's angles of a sample."),
        AMOUNT("amount_v", AMOUNT_V, 1e4, 1.0, "How much, of the voltage."),
        AMOUNT("amount_a", AMOUNT_A, 1e5, 1.0, "How much, of the current."),
        DRIFT_AMOUNT("amount_mps2_per_s", AMOUNT_MPS2, 1e5, 1.0),
        DRIFT_AMOUNT("amount_dps_per_s", AMOUNT_DPS, 1e6, RAD_PER_DEG),
        DRIFT_AMOUNT("amount_m_per_s", AMOUNT_M, 1e4, 1.0),
        DRIFT_AMOUNT("amount_pa_per_s", AMOUNT_PA, 1e6, 1.0),
        DRIFT_AMOUNT("amount_ut_per_s", AMOUNT_UT, 1e6, 1e-6),
        DRIFT_AMOUNT("amount_rad_per_s", AMOUNT_RAD, 1e3, 1.0),
        DRIFT_AMOUNT("amount_v_per_s", AMOUNT_V, 1e4, 1.0),
        DRIFT_AMOUNT("amount_a_per_s", AMOUNT_A, 1e5, 1.0),
        AMOUNT("amount_mps", AMOUNT_MPS, 1e4, 1.0,
               "How fast a spoofed position creeps away."),
        AMOUNT("amount_ratio", AMOUNT_RATIO, 1e6, 1.0,
               "What a scaled value is multiplied by."),
        { "probability", CONFIG_NUMBER, "Of a dropout or spike, for each sample.",
          ABOVE(0), AT_MOST(1), .optional = true,
          AT(sensor_fault_file, fault.probability) },
        { "delay_ms", CONFIG_TIME, "How late delayed samples come.", ABOVE(0),
          AT_MOST(1e6), .scale = MS_TO_NS, .optional = true,
          AT(sensor_fault_file, fault.delay_ns) },
        { "offset_ms", CONFIG_TIME, "How far the time jumps ahead; less than 0: back.",
          BETWEEN(-1e9, 1e9), .scale = MS_TO_NS, .optional = true,
          AT(sensor_fault_file, fault.delay_ns) },
        { "count", CONFIG_INTEGER, "How many satellites are left.", BETWEEN(0, 60),
          .optional = true, AT(sensor_fault_file, fault.count) },
        { NULL },
};

static const struct config_rule fault_rules[] = {
        { { "sonar" }, { "sensor" }, .may = CONFIG_IS(FAULT_SONAR) },
        { { "probability" },
          { "does" },
          .must = CONFIG_IS(SENSOR_DROPOUT) | CONFIG_IS(SENSOR_SPIKE) },
        { { "delay_ms" }, { "does" }, .must = CONFIG_IS(SENSOR_DELAY) },
        { { "offset_ms" }, { "does" }, .must = CONFIG_IS(GPS_TIME_JUMP) },
        { { "count" }, { "does" }, .must = CONFIG_IS(GPS_FEW_SATELLITES) },
        { { NULL } },
};

const struct config_table config_sensor_fault_table = {
        .name = "sensor_fault",
        .about = "What is wrong with a sensor, between it and the flight controller. "
                 "docs/faults.md says which keys a fault takes.",
        .field = fault_fields,
        .rule = fault_rules,
};

/* The unit of the sensor's amounts; AMOUNT_UNITS: it has none. */
static enum fault_amount unit_of(enum sensor_fault_target target)
{
        static const enum fault_amount unit[] = {
                [FAULT_ACCEL] = AMOUNT_MPS2,  [FAULT_GYRO] = AMOUNT_DPS,
                [FAULT_GPS] = AMOUNT_M,       [FAULT_BARO] = AMOUNT_PA,
                [FAULT_MAG] = AMOUNT_UT,      [FAULT_SONAR] = AMOUNT_M,
                [FAULT_FLOW] = AMOUNT_RAD,    [FAULT_VOLTAGE] = AMOUNT_V,
                [FAULT_CURRENT] = AMOUNT_A,   [FAULT_IMU] = AMOUNT_UNITS,
                [FAULT_POWER] = AMOUNT_UNITS,
        };

        return unit[target];
}

enum fault_amount sensor_fault_amount(enum sensor_fault_target target,
                                      enum sensor_fault_kind kind)
{
        switch (kind) {
        case SENSOR_SPIKE:
        case SENSOR_BIAS:
        case SENSOR_NOISE:
        case SENSOR_SATURATE:
        case GPS_JUMP:
        case SONAR_GHOST:
                return unit_of(target);
        case SENSOR_DRIFT:
                return (enum fault_amount)(AMOUNT_UNITS + unit_of(target));
        case SENSOR_SCALE:
                return AMOUNT_RATIO;
        case GPS_SPOOF:
                return AMOUNT_MPS;
        default:
                return AMOUNTS;
        }
}

const char *sensor_fault_letters(enum sensor_fault_target target,
                                 enum sensor_fault_kind kind)
{
        switch (target) {
        case FAULT_GPS:
                return kind == SENSOR_SPIKE || kind == SENSOR_DRIFT ||
                                       kind == SENSOR_NOISE || kind == GPS_JUMP ||
                                       kind == GPS_SPOOF
                               ? "ned"
                               : NULL;
        case FAULT_ACCEL:
        case FAULT_GYRO:
        case FAULT_MAG:
        case FAULT_IMU:
                return kind == SENSOR_DROPOUT || kind == SENSOR_DELAY ? NULL : "xyz";
        case FAULT_FLOW:
                return kind == SENSOR_DROPOUT || kind == SENSOR_DELAY ? NULL : "xy";
        default:
                return NULL;
        }
}
