#include "hil/record/log_topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct field {
        const char *name, *type; /* "char[]": of any length */
};

static const struct topic {
        const char *name;
        int table[3]; /* 1 + its number; 0: no more */
        struct field field[REPORT_FIELDS_MAX];
} topics[REPORT_TOPIC_COUNT] = {
        [REPORT_TOPIC_TICK] = { "hilrig_tick",
                                { 1 + REPORT_TICK, 1 + REPORT_DUTY },
                                { { "duty", "double[8]" },
                                  { "lateness_ns", "int32_t" },
                                  { "compute_ns", "int32_t" },
                                  { "loop_ns", "int32_t" },
                                  { "missed", "uint8_t" },
                                  { "frame_sent", "uint8_t" } } },
        [REPORT_TOPIC_ROTORS] = { "hilrig_rotors",
                                  { 1 + REPORT_ROTORS },
                                  { { "speed_radps", "float[8]" } } },
        [REPORT_TOPIC_AROUND] = { "hilrig_surroundings",
                                  { 1 + REPORT_AROUND },
                                  { { "height_m", "float" },
                                    { "battery_v", "float" },
                                    { "battery_a", "float" },
                                    { "wind_ned_mps", "float[3]" } } },
        [REPORT_TOPIC_EVENT] = { "hilrig_event",
                                 { 0 },
                                 { { "impact_mps", "double" },
                                   { "obstacle", "int32_t" },
                                   { "kind", "uint8_t" },
                                   { "what", "char[]" },
                                   { "step", "int32_t" } } },
        [REPORT_TOPIC_ATTITUDE_TRUTH] = { "vehicle_attitude_groundtruth",
                                          { 1 + REPORT_ATTITUDE_TRUTH,
                                            1 + REPORT_MAG_TRUTH },
                                          { { "q", "float[4]" } } },
        [REPORT_TOPIC_POSITION_TRUTH] = { "vehicle_local_position_groundtruth",
                                          { 1 + REPORT_POSITION_TRUTH,
                                            1 + REPORT_ACCEL_TRUTH },
                                          { { "x", "float" },
                                            { "vx", "float" },
                                            { "ax", "float" } } },
        [REPORT_TOPIC_RATE_TRUTH] = { "vehicle_angular_velocity_groundtruth",
                                      { 1 + REPORT_RATE_TRUTH },
                                      { { "xyz", "float[3]" } } },
        [REPORT_TOPIC_IMU] = { "sensor_combined",
                               { 1 + REPORT_GYRO, 1 + REPORT_ACCEL },
                               { { "gyro_rad", "float[3]" },
                                 { "accelerometer_m_s2", "float[3]" } } },
        [REPORT_TOPIC_GPS] = { "vehicle_gps_position",
                               { 1 + REPORT_GPS },
                               { { "timestamp_sample", "uint64_t" },
                                 { "latitude_deg", "double" },
                                 { "longitude_deg", "double" },
                                 { "altitude_ellipsoid_m", "double" },
                                 { "vel_n_m_s", "float" },
                                 { "satellites_used", "uint8_t" },
                                 { "fix_type", "uint8_t" } } },
        [REPORT_TOPIC_BARO] = { "vehicle_air_data",
                                { 1 + REPORT_BARO },
                                { { "timestamp_sample", "uint64_t" },
                                  { "baro_pressure_pa", "float" } } },
        [REPORT_TOPIC_MAG] = { "sensor_mag",
                               { 1 + REPORT_MAG },
                               { { "timestamp_sample", "uint64_t" }, { "x", "float" } } },
        [REPORT_TOPIC_SONAR] = { "distance_sensor",
                                 { 1 + REPORT_SONAR },
                                 { { "current_distance", "float" },
                                   { "signal_quality", "int8_t" } } },
        [REPORT_TOPIC_BATTERY] = { "battery_status",
                                   { 1 + REPORT_BATTERY },
                                   { { "voltage_v", "float" },
                                     { "current_a", "float" } } },
        [REPORT_TOPIC_ATTITUDE] = { "vehicle_attitude",
                                    { 1 + REPORT_ATTITUDE },
                                    { { "timestamp_sample", "uint64_t" },
                                      { "q", "float[4]" } } },
        [REPORT_TOPIC_POSITION] = { "vehicle_local_position",
                                    { 1 + REPORT_POSITION },
                                    { { "timestamp_sample", "uint64_t" },
                                      { "x", "float" },
                                      { "vx", "float" } } },
        [REPORT_TOPIC_SETPOINT] = { "hilrig_setpoint",
                                    { 1 + REPORT_SETPOINT },
                                    { { "pos_ned_m", "double[3]" },
                                      { "yaw_rad", "double" },
                                      { "mode", "uint8_t" } } },
};

/* How much room a text has changes from version to version. */
static bool text_found(const struct ulog_reader *r, int at, const char *name,
                       struct report_source *s, size_t *offset)
{
        const char *fields = r->format[r->topic[at].format].fields, *place;
        size_t len = r->format[r->topic[at].format].fields_len;
        char declared[80], type[32];

        /* What this finds of another field, ulog_field() refuses. */
        snprintf(declared, sizeof declared, "] %s;", name);
        place = memmem(fields, len, declared, strlen(declared));
        while (place != NULL && place > fields && place[-1] >= '0' && place[-1] <= '9')
                place--;
        if (place == NULL)
                return false;
        s->text_len = strtoul(place, NULL, 10);
        snprintf(type, sizeof type, "char[%zu]", s->text_len);
        return ulog_field(r, at, name, type, offset);
}

static bool fields_found(const struct ulog_reader *r, int at, struct report_source *s)
{
        for (int i = 0; i < REPORT_FIELDS_MAX; i++) {
                const struct field *f = &topics[s->topic].field[i];

                if (f->name == NULL)
                        continue;
                if (!(strcmp(f->type, "char[]") == 0
                              ? text_found(r, at, f->name, s, &s->offset[i])
                              : ulog_field(r, at, f->name, f->type, &s->offset[i])))
                        return false;
        }
        return true;
}

/* x y z, and vx vy vz, are three fields: they are read as one where they lie side by side. */
static bool side_by_side(const struct ulog_reader *r, int at, const char *const name[3])
{
        size_t first, second, third;

        return ulog_field(r, at, name[0], "float", &first) &&
               ulog_field(r, at, name[1], "float", &second) &&
               ulog_field(r, at, name[2], "float", &third) && second == first + 4 &&
               third == first + 8;
}

static bool triples_found(const struct ulog_reader *r, int at, int topic)
{
        static const char *const triple[][3] = { { "x", "y", "z" },
                                                 { "vx", "vy", "vz" },
                                                 { "ax", "ay", "az" },
                                                 { "vel_n_m_s", "vel_e_m_s",
                                                   "vel_d_m_s" } };

        for (int i = 0; i < REPORT_FIELDS_MAX; i++)
                for (size_t k = 0; k < sizeof triple / sizeof triple[0]; k++) {
                        const char *name = topics[topic].field[i].name;

                        if (name != NULL && strcmp(name, triple[k][0]) == 0 &&
                            !side_by_side(r, at, triple[k]))
                                return false;
                }
        return true;
}

struct report_source report_source_find(const struct ulog_reader *r, int at)
{
        struct report_source s = { .topic = -1 };
        const char *name = r->format[r->topic[at].format].name;
        int instance = r->topic[at].instance;

        for (int i = 0; i < REPORT_TOPIC_COUNT; i++)
                if (strcmp(topics[i].name, name) == 0)
                        s.topic = i;
        if (s.topic < 0)
                return s;
        s.vehicle = s.topic == REPORT_TOPIC_SONAR ? instance / SONARS_MAX : instance;
        s.sonar = s.topic == REPORT_TOPIC_SONAR ? instance % SONARS_MAX : 0;
        if (s.vehicle >= VEHICLES_MAX || !fields_found(r, at, &s) ||
            !triples_found(r, at, s.topic)) {
                s.topic = -1;
                s.unread = true;
        }
        return s;
}

int report_topic_table(const struct report_source *s, int n)
{
        int id = n < 3 ? topics[s->topic].table[n] - 1 : -1;

        return id == REPORT_SONAR ? id + s->sonar : id;
}
