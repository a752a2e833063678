/* The topics' names and formats, and the log's opening. */
#include "hil/record/record_topics.h"

#include "hil/record/record_message.h"

#define STAMPS "uint64_t timestamp;uint64_t timestamp_sample;"

static const struct {
        const char *name, *fields;
} topics[TOPIC_COUNT] = {
        [TOPIC_TICK] = { "hilrig_tick",
                         "uint64_t timestamp;uint64_t tick;double[8] duty;int32_t "
                         "lateness_ns;"
                         "int32_t compute_ns;int32_t loop_ns;uint8_t vehicle;uint8_t "
                         "missed;"
                         "uint8_t frame_sent;uint8_t contact;uint8_t armed;" },
        [TOPIC_ROTORS] = { "hilrig_rotors", "uint64_t timestamp;float[8] speed_radps;"
                                            "float[8] inflow_mps;" },
        [TOPIC_SURROUNDINGS] = { "hilrig_surroundings",
                                 "uint64_t timestamp;float[3] wind_ned_mps;"
                                 "float battery_v;float battery_a;float height_m;"
                                 "float impact_mps;int32_t obstacle;" },
        [TOPIC_EVENT] = { "hilrig_event",
                          "uint64_t timestamp;double impact_mps;int32_t obstacle;"
                          "int32_t step;uint8_t kind;char[96] what;" },
        [TOPIC_RANGES] = { "hilrig_real_ranges",
                           "uint64_t timestamp;double[16] range_m;" },
        [TOPIC_PADS] = { "hilrig_pads",
                         "uint64_t timestamp;float[8] measured;float[8] reported;"
                         "float[8] age_s;uint32_t[8] words;uint8_t[8] silent;" },
        [TOPIC_ACTUATOR_OUTPUTS] = { "actuator_outputs",
                                     "uint64_t timestamp;float[16] output;"
                                     "uint8_t noutputs;" },
        [TOPIC_VEHICLE_STATUS] = { "vehicle_status",
                                   "uint64_t timestamp;uint8_t arming_state;uint8_t "
                                   "hil_state;"
                                   "uint8_t vehicle_type;bool is_vtol;" },
        [TOPIC_ATTITUDE_TRUTH] = { "vehicle_attitude_groundtruth", STAMPS "float[4] q;" },
        [TOPIC_POSITION_TRUTH] = { "vehicle_local_position_groundtruth", STAMPS
                                   "float x;float y;float z;float vx;float vy;float vz;"
                                   "float ax;float ay;float az;float heading;"
                                   "bool xy_valid;bool z_valid;bool v_xy_valid;"
                                   "bool v_z_valid;" },
        [TOPIC_RATE_TRUTH] = { "vehicle_angular_velocity_groundtruth",
                               STAMPS "float[3] xyz;float[3] xyz_derivative;" },
        [TOPIC_SENSOR_COMBINED] = { "sensor_combined",
                                    "uint64_t timestamp;float[3] gyro_rad;"
                                    "uint32_t gyro_integral_dt;"
                                    "int32_t accelerometer_timestamp_relative;"
                                    "float[3] accelerometer_m_s2;"
                                    "uint32_t accelerometer_integral_dt;" },
        [TOPIC_RATE] = { "vehicle_angular_velocity", STAMPS "float[3] xyz;" },
        [TOPIC_GPS] = { "vehicle_gps_position", STAMPS
                        "double latitude_deg;double longitude_deg;double altitude_msl_m;"
                        "double altitude_ellipsoid_m;float s_variance_m_s;float eph;"
                        "float epv;float vel_m_s;float vel_n_m_s;float vel_e_m_s;"
                        "float vel_d_m_s;float cog_rad;uint8_t fix_type;"
                        "uint8_t satellites_used;bool vel_ned_valid;" },
        [TOPIC_AIR_DATA] = { "vehicle_air_data",
                             STAMPS "float baro_alt_meter;float baro_pressure_pa;"
                                    "float ambient_temperature;" },
        [TOPIC_MAG] = { "sensor_mag", STAMPS "float x;float y;float z;" },
        [TOPIC_DISTANCE] = { "distance_sensor",
                             "uint64_t timestamp;float current_distance;"
                             "int8_t signal_quality;uint8_t type;" },
        [TOPIC_BARO_RAW] = { "hilrig_baro_raw",
                             STAMPS "int32_t raw_temperature;int32_t raw_pressure;" },
        [TOPIC_FLOW] = { "sensor_optical_flow",
                         STAMPS "float[2] pixel_flow;float[3] delta_angle;"
                                "float distance_m;uint32_t integration_timespan_us;"
                                "bool delta_angle_available;bool distance_available;"
                                "uint8_t quality;" },
        [TOPIC_BATTERY] = { "battery_status",
                            "uint64_t timestamp;float voltage_v;float current_a;"
                            "float discharged_mah;float remaining;bool connected;" },
        [TOPIC_INS] = { "hilrig_ins", STAMPS "float x;float y;float z;float roll;"
                                             "float pitch;float yaw;" },
        [TOPIC_ATTITUDE] = { "vehicle_attitude", STAMPS "float[4] q;" },
        [TOPIC_POSITION] = { "vehicle_local_position", STAMPS
                             "float x;float y;float z;float vx;float vy;float vz;"
                             "float heading;bool xy_valid;bool z_valid;bool v_xy_valid;"
                             "bool v_z_valid;" },
        [TOPIC_SETPOINT] = { "hilrig_setpoint", "uint64_t timestamp;double[3] pos_ned_m;"
                                                "double yaw_rad;uint8_t mode;" },
        [TOPIC_TIMESYNC] = { "timesync_status",
                             "uint64_t timestamp;int64_t observed_offset;"
                             "uint32_t round_trip_time;" },
        [TOPIC_SETPOINT_POSITION] = { "vehicle_local_position_setpoint",
                                      "uint64_t timestamp;float x;float y;float z;float "
                                      "yaw;"
                                      "float yawspeed;float vx;float vy;float vz;"
                                      "float[3] acceleration;float[3] thrust;" },
};

static void write_formats(struct ulog_writer *w)
{
        char format[512];

        for (int i = 0; i < TOPIC_COUNT; i++) {
                snprintf(format, sizeof format, "%s:%s", topics[i].name,
                         topics[i].fields);
                ulog_format(w, format);
        }
}

void record_topics_begin(struct record_topics *t, FILE *file,
                         const struct recorder_setup *setup)
{
        char opening[160];

        *t = (struct record_topics){ .rotors = setup->rotors,
                                     .vehicles = setup->vehicles,
                                     .truth_period_ns = setup->truth_period_ns };
        for (int i = 0; i < VEHICLES_MAX; i++)
                record_sensors_begin(&t->vehicle[i]);
        ulog_begin(&t->ulog, file, 0);
        ulog_info_text(&t->ulog, "sys_name", "hilrig");
        ulog_info_text(&t->ulog, "ver_sw", setup->version);
        ulog_info_text(&t->ulog, "hilrig_config_sha256", setup->config_sha256);
        ulog_info_u64(&t->ulog, "hilrig_seed", setup->seed);
        ulog_info_u64(&t->ulog, "hilrig_period_ns", (uint64_t)setup->period_ns);
        ulog_info_u64(&t->ulog, "hilrig_vehicles", (uint64_t)setup->vehicles);
        ulog_info_u64(&t->ulog, "hilrig_rotors", (uint64_t)setup->rotors);
        write_formats(&t->ulog);
        /* Some readers want a data section even of a run that ended before its first
         * tick. */
        snprintf(opening, sizeof opening, "hilrig %.64s: %d vehicle%s, period %lld ns",
                 setup->version, setup->vehicles, setup->vehicles == 1 ? "" : "s",
                 (long long)setup->period_ns);
        ulog_text(&t->ulog, 0, '6', opening);
}

_Static_assert(VEHICLES_MAX *SONARS_MAX <= UINT8_MAX + 1, "a sonar's instance is a byte");
_Static_assert(VEHICLES_MAX *(TOPIC_COUNT + SONARS_MAX) <= ULOG_TOPICS_MAX,
               "a reader has room for every subscription");
_Static_assert(TOPIC_COUNT <= ULOG_FORMATS_MAX, "and for every format");

static void write_instance(struct record_topics *t, uint16_t *id, uint8_t instance,
                           enum record_topic topic, const struct ulog_message *m)
{
        if (*id == 0)
                *id = (uint16_t)(1 +
                                 ulog_subscribe(&t->ulog, topics[topic].name, instance));
        ulog_data(&t->ulog, (uint16_t)(*id - 1), m->bytes, m->len);
}

void record_write_topic(struct record_topics *t, int vehicle, enum record_topic topic,
                        const struct ulog_message *m)
{
        write_instance(t, &t->vehicle[vehicle].id[topic], (uint8_t)vehicle, topic, m);
}

void record_write_sonar(struct record_topics *t, int vehicle, int sonar,
                        const struct ulog_message *m)
{
        write_instance(t, &t->vehicle[vehicle].sonar_id[sonar],
                       (uint8_t)(vehicle * SONARS_MAX + sonar), TOPIC_DISTANCE, m);
}
