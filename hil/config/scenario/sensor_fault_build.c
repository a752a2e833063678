/* What no single key of a sensor fault shows: which keys it takes, and whether the vehicle can have it. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/fc/reach.h"
#include "models/sensors/kinds.h"

_Static_assert(SAMPLE_ACCEL == (int)FAULT_ACCEL && SAMPLE_CURRENT == (int)FAULT_CURRENT,
               "what is faulty by itself is a sample of its own");

static const char *amount_key(enum fault_amount which)
{
        if (which < AMOUNT_UNITS)
                return sensor_fault_units[which].key;
        if (which < AMOUNT_MPS)
                return sensor_fault_units[which - AMOUNT_UNITS].per_s_key;
        return which == AMOUNT_MPS ? "amount_mps" : "amount_ratio";
}

/* Which way, nobody can guess. */
static bool needs_axes(enum sensor_fault_target target, enum sensor_fault_kind kind)
{
        return sensor_fault_letters(target, kind) != NULL &&
               (target == FAULT_GPS || kind == SENSOR_SWAP_AXES ||
                kind == SENSOR_FLIP_AXES);
}

enum need { REFUSED, ALLOWED, REQUIRED };

static bool check_key(const char *key, bool given, enum need need,
                      const struct sensor_fault_file *file, const struct json *node,
                      struct config_error *why)
{
        const char *sensor = sensor_fault_sensors[file->fault.target],
                   *does = sensor_fault_kinds[file->fault.kind];

        if (need == REQUIRED && !given)
                return config_refuse(why, node, key,
                                     "is required, and missing, with \"sensor\": \"%s\", "
                                     "\"does\": \"%s\"",
                                     sensor, does);
        if (need == REFUSED && given)
                return config_refuse_at(why, node, key,
                                        "means nothing with \"sensor\": \"%s\", "
                                        "\"does\": \"%s\"",
                                        sensor, does);
        return true;
}

static bool check_amounts(const struct sensor_fault_file *file, const struct json *node,
                          struct config_error *why)
{
        enum fault_amount wanted =
                sensor_fault_amount(file->fault.target, file->fault.kind);

        for (int i = 0; i < AMOUNTS; i++) {
                if (!file->amount[i].given || i == (int)wanted)
                        continue;
                if (wanted == AMOUNTS)
                        return check_key(amount_key((enum fault_amount)i), true, REFUSED,
                                         file, node, why);
                return config_refuse_at(
                        why, node, amount_key((enum fault_amount)i),
                        "must be %s with \"sensor\": \"%s\", \"does\": \"%s\"",
                        amount_key(wanted), sensor_fault_sensors[file->fault.target],
                        sensor_fault_kinds[file->fault.kind]);
        }
        return wanted == AMOUNTS ||
               check_key(amount_key(wanted), file->amount[wanted].given, REQUIRED, file,
                         node, why);
}

/* What depends on sensor and kind together; the table's rules have the rest. */
static bool check_keys(const struct sensor_fault_file *file, const struct json *node,
                       struct config_error *why)
{
        enum sensor_fault_target target = file->fault.target;
        enum sensor_fault_kind kind = file->fault.kind;
        enum need axes = needs_axes(target, kind)                     ? REQUIRED
                         : sensor_fault_letters(target, kind) != NULL ? ALLOWED
                                                                      : REFUSED;

        return check_key("axes", file->axes[0] != '\0', axes, file, node, why) &&
               check_amounts(file, node, why);
}

static bool refuse_kind(const struct sensor_fault_file *file, const struct json *node,
                        struct config_error *why)
{
        char fitting[240] = "";
        size_t used = 0;

        for (int i = 0; i < SENSOR_FAULT_KINDS; i++)
                if (sensor_fault_fits(file->fault.target, (enum sensor_fault_kind)i) &&
                    used < sizeof(fitting))
                        used += (size_t)snprintf(fitting + used, sizeof(fitting) - used,
                                                 "%s%s", used > 0 ? ", " : "",
                                                 sensor_fault_kinds[i]);
        return config_refuse_at(why, node, "does",
                                "must be one of these with \"sensor\": \"%s\": %s; is "
                                "\"%s\"",
                                sensor_fault_sensors[file->fault.target], fitting,
                                sensor_fault_kinds[file->fault.kind]);
}

static bool read_axes(unsigned *axes, const struct sensor_fault_file *file,
                      const struct json *node, struct config_error *why)
{
        const char *letters = sensor_fault_letters(file->fault.target, file->fault.kind);
        bool two = file->fault.kind == SENSOR_SWAP_AXES;

        *axes = FAULT_ALL_AXES;
        if (letters == NULL || file->axes[0] == '\0')
                return true;
        *axes = 0;
        for (const char *c = file->axes; *c; c++) {
                const char *at = strchr(letters, *c);
                unsigned bit = at != NULL ? 1U << (at - letters) : 0;

                if (bit == 0 || (*axes & bit))
                        return config_refuse_at(
                                why, node, "axes",
                                "must be letters of \"%s\", each once, is "
                                "\"%s\"",
                                letters, file->axes);
                *axes |= bit;
        }
        if (two && strlen(file->axes) != 2)
                return config_refuse_at(why, node, "axes",
                                        "must be two axes, which are swapped, is \"%s\"",
                                        file->axes);
        return true;
}

static bool read_amount(double *amount, const struct sensor_fault_file *file,
                        const struct json *node, struct config_error *why)
{
        enum sensor_fault_kind kind = file->fault.kind;
        enum fault_amount which = sensor_fault_amount(file->fault.target, kind);
        bool size =
                kind == SENSOR_NOISE || kind == SENSOR_SATURATE || kind == SONAR_GHOST;

        *amount = which == AMOUNTS ? 0.0 : file->amount[which].value;
        if (size && *amount < 0.0)
                return config_refuse_at(why, node, amount_key(which),
                                        "must be at least 0 with \"does\": \"%s\", is "
                                        "%.15g",
                                        sensor_fault_kinds[kind],
                                        json_number(node, amount_key(which)));
        return true;
}

static bool is_fitted(const struct sensors_params *fitted, enum sensor which)
{
        if (which == SENSOR_SONAR && fitted->sonar.count == 0)
                return false;
        return sensor_schedule(fitted, which, 0)->period_ns > 0;
}

/* At most how many of a sensor's samples wait at a time; one more, as ticks are coarse. */
static int64_t waiting(const struct sensors_params *fitted, enum sensor which, int unit,
                       int64_t delay_ns)
{
        return delay_ns / sensor_schedule(fitted, which, unit)->period_ns + 2;
}

static bool check_waiting(const struct sensor_fault *p,
                          const struct sensors_params *fitted, const struct json *node,
                          struct config_error *why)
{
        enum sensor which = sensor_fault_sensor(p->target);
        int units = p->target == FAULT_SONAR ? fitted->sonar.count : 1;
        int64_t sum = 0;

        for (int i = 0; i < units; i++)
                if (p->target != FAULT_SONAR || p->sonar < 0 || p->sonar == i)
                        sum += waiting(fitted, which, i, p->delay_ns);
        if (sum <= SENSOR_FAULT_WAITING_MAX)
                return true;
        return config_refuse_at(why, node, "delay_ms",
                                "must be so short that at most %d samples wait for it, "
                                "at the sensor's rate it may be %lld",
                                SENSOR_FAULT_WAITING_MAX, (long long)sum);
}

static bool check_fitted(const struct sensor_fault *p,
                         const struct sensors_params *fitted, const struct json *node,
                         struct config_error *why)
{
        const struct sonar_unit_params *u = fitted->sonar.unit;

        if (!is_fitted(fitted, sensor_fault_sensor(p->target)))
                return config_refuse_at(why, node, "sensor",
                                        "must be a sensor that the vehicle carries, is "
                                        "\"%s\"",
                                        sensor_fault_sensors[p->target]);
        if (p->target == FAULT_SONAR && p->sonar >= fitted->sonar.count)
                return config_refuse_at(why, node, "sonar",
                                        "must be less than %d, the number of sonars of "
                                        "the vehicle, is %d",
                                        fitted->sonar.count, p->sonar);
        if (p->kind == SENSOR_DELAY && !check_waiting(p, fitted, node, why))
                return false;
        for (int i = 0; p->kind == SONAR_GHOST && i < fitted->sonar.count; i++)
                if ((p->sonar < 0 || p->sonar == i) && p->amount > u[i].beam_max_m)
                        return config_refuse_at(
                                why, node, "amount_m",
                                "must be at most %.15g, as far as sonar %d "
                                "hears, is %.15g",
                                u[i].beam_max_m, i, p->amount);
        return true;
}

static unsigned needs_of(enum sensor_fault_kind kind)
{
        switch (kind) {
        case SENSOR_NAN:
                return CARRIES_NAN;
        case GPS_LOSS:
        case GPS_FEW_SATELLITES:
                return CARRIES_FIX;
        case GPS_TIME_JUMP:
                return CARRIES_TIME;
        case SENSOR_SCALE:
                return CARRIES_VALUE | CARRIES_DIRECTION;
        default:
                return CARRIES_VALUE;
        }
}

/* A sample of two quantities reaches the firmware when one of them does. */
static bool check_reach(const struct sensor_fault *p, const struct vehicle_config *v,
                        const struct json *node, struct config_error *why)
{
        bool imu = p->target == FAULT_IMU, power = p->target == FAULT_POWER;
        struct reach r = { .sample = imu     ? SAMPLE_ACCEL
                                     : power ? SAMPLE_VOLTAGE
                                             : (enum codec_sample)p->target,
                           .needs = needs_of(p->kind),
                           .sonar = p->target == FAULT_SONAR ? p->sonar : -1 };
        struct reach other = r;
        char could[200];

        other.sample = imu ? SAMPLE_GYRO : power ? SAMPLE_CURRENT : r.sample;
        if (reach_firmware(v, &r) || reach_firmware(v, &other))
                return true;
        if (v->twin.used)
                return config_refuse_at(why, node, "sensor",
                                        "must be \"sonar\" of %s, a twin: nothing else "
                                        "of it goes anywhere; is \"%s\"",
                                        v->name, sensor_fault_sensors[p->target]);
        reach_alternatives(&v->fc, &r, could, sizeof could);
        return config_refuse_at(
                why, node, "does",
                "cannot reach the firmware of %s: the frames of the "
                "codec \"%s\"%s%s%s have no field for it, and no "
                "device at its ports carries it; %s%s; is \"%s\" of \"%s\"",
                v->name, v->fc.codec, v->fc.dialect[0] != '\0' ? ", dialect \"" : "",
                v->fc.dialect, v->fc.dialect[0] != '\0' ? "\"," : "",
                could[0] != '\0' ? "what could: " : "nothing else could", could,
                sensor_fault_kinds[p->kind], sensor_fault_sensors[p->target]);
}

bool config_build_sensor_fault(struct sensor_fault *out,
                               const struct sensor_fault_file *file,
                               const struct vehicle_config *of, const struct json *node,
                               struct config_error *why)
{
        struct sensor_fault p = file->fault;

        if (!sensor_fault_fits(p.target, p.kind))
                return refuse_kind(file, node, why);
        if (!check_keys(file, node, why) || !read_axes(&p.axes, file, node, why) ||
            !read_amount(&p.amount, file, node, why) ||
            !check_fitted(&p, &of->params.sensors, node, why) ||
            !check_reach(&p, of, node, why))
                return false;
        *out = p;
        return true;
}
