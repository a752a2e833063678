/* The ULog topics of a run. Every record's fields are put in its format's order; ULog
 * allows any alignment, but larger fields stand before smaller ones for readers that
 * assume it. */
#include "hil/record_topics.h"

#include <math.h>

#include "io/ulog_message.h"
#include "models/atmosphere.h"

#define GAUSS_PER_T      1e4
#define KELVIN_AT_0_DEGC 273.15
#define DEG_PER_RAD      (180.0 / 3.14159265358979323846)
#define STATUS_PERIOD_NS 1000000000
#define NEVER_NS         INT64_MIN

/* PX4's constants for vehicle_status and distance_sensor. */
#define ARMING_STATE_DISARMED 1
#define ARMING_STATE_ARMED    2
#define HIL_STATE_ON          1
#define TYPE_ROTARY_WING      1
#define SENSOR_ULTRASOUND     1

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
        [TOPIC_ROTORS] = { "hilrig_rotors", "uint64_t timestamp;float[8] speed_radps;" },
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
                                     .truth_period_ns = setup->truth_period_ns };
        for (int i = 0; i < VEHICLES_MAX; i++) {
                t->vehicle[i].imu_fresh_ns = t->vehicle[i].imu_logged_ns = NEVER_NS;
                for (int k = 0; k < SENSOR_COUNT; k++)
                        t->vehicle[i].sample_ns[k] = NEVER_NS;
        }
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

/* Subscribes at a topic's first record, so that a log lists only what it holds. */
static void write_topic(struct record_topics *t, int vehicle, enum record_topic topic,
                        const struct ulog_message *m)
{
        uint16_t *id = &t->vehicle[vehicle].id[topic];

        if (*id == 0)
                *id = (uint16_t)(1 + ulog_subscribe(&t->ulog, topics[topic].name,
                                                    (uint8_t)vehicle));
        ulog_data(&t->ulog, (uint16_t)(*id - 1), m->bytes, m->len);
}

/* A message that has begun with its time, and with its sample's time where PX4's has one.
 */
static void begin(struct ulog_message *m, int64_t t_ns)
{
        m->len = 0;
        ulog_put_u64(m, record_us(t_ns));
}

static void begin_sample(struct ulog_message *m, int64_t t_ns, int64_t sample_ns)
{
        begin(m, t_ns);
        ulog_put_u64(m, record_us(sample_ns));
}

static void write_tick(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        begin(&m, tick->t_ns);
        ulog_put_u64(&m, (uint64_t)tick->tick);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f64(&m, tick->command.duty[i]);
        ulog_put_i32(&m, tick->lateness_ns);
        ulog_put_i32(&m, tick->compute_ns);
        ulog_put_i32(&m, tick->loop_ns);
        ulog_put_u8(&m, (unsigned)tick->vehicle);
        ulog_put_u8(&m, tick->missed);
        ulog_put_u8(&m, tick->frame_sent);
        ulog_put_u8(&m, tick->contact);
        ulog_put_u8(&m, tick->armed);
        write_topic(t, tick->vehicle, TOPIC_TICK, &m);
}

static void write_motors(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        begin(&m, tick->t_ns);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, tick->rotor_speed_radps[i]);
        write_topic(t, tick->vehicle, TOPIC_ROTORS, &m);

        begin(&m, tick->t_ns);
        for (int i = 0; i < 16; i++)
                ulog_put_f32(&m, i < ROTORS_MAX ? tick->command.duty[i] : 0.0);
        ulog_put_u8(&m, (unsigned)t->rotors);
        write_topic(t, tick->vehicle, TOPIC_ACTUATOR_OUTPUTS, &m);
}

static void write_truth(struct record_topics *t, const struct tick_record *tick)
{
        const struct body_state *b = &tick->truth;
        struct ulog_message m;

        begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_quat_f32(&m, b->q_body_to_ned);
        write_topic(t, tick->vehicle, TOPIC_ATTITUDE_TRUTH, &m);

        begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_vec3_f32(&m, b->pos_ned_m);
        ulog_put_vec3_f32(&m, b->vel_ned_mps);
        ulog_put_vec3_f32(&m, b->accel_ned_mps2);
        ulog_put_f32(&m, quat_to_euler(b->q_body_to_ned).z);
        for (int i = 0; i < 4; i++)
                ulog_put_u8(&m, 1);
        write_topic(t, tick->vehicle, TOPIC_POSITION_TRUTH, &m);

        begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_vec3_f32(&m, b->rate_body_radps);
        ulog_put_vec3_f32(&m, b->rate_dot_body_radps2);
        write_topic(t, tick->vehicle, TOPIC_RATE_TRUTH, &m);
}

static void write_imu(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        const struct imu_sample *s = &tick->frame.imu;
        struct ulog_message m;

        /* PX4's time of this topic is the gyroscope's, and it must not go backwards. */
        if (v->imu_fresh_ns <= v->imu_logged_ns)
                return;
        v->imu_logged_ns = v->imu_fresh_ns;
        begin(&m, s->t_ns);
        ulog_put_vec3_f32(&m, s->gyro_body_radps);
        ulog_put_u32(&m, v->imu_dt_us);
        ulog_put_i32(&m, 0);
        ulog_put_vec3_f32(&m, s->accel_body_mps2);
        ulog_put_u32(&m, v->imu_dt_us);
        write_topic(t, tick->vehicle, TOPIC_SENSOR_COMBINED, &m);

        begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_vec3_f32(&m, s->gyro_body_radps);
        write_topic(t, tick->vehicle, TOPIC_RATE, &m);
}

static void write_gps(struct record_topics *t, const struct tick_record *tick)
{
        const struct gps_sample *s = &tick->frame.gps;
        struct vec3 v = s->vel_ned_mps;
        struct ulog_message m;

        begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f64(&m, DEG_PER_RAD * s->lat_rad);
        ulog_put_f64(&m, DEG_PER_RAD * s->lon_rad);
        /* The rig's earth has no geoid: mean sea level is the ellipsoid. */
        ulog_put_f64(&m, s->height_m);
        ulog_put_f64(&m, s->height_m);
        ulog_put_f32(&m, s->s_acc_mps);
        ulog_put_f32(&m, s->h_acc_m);
        ulog_put_f32(&m, s->v_acc_m);
        ulog_put_f32(&m, sqrt(v.x * v.x + v.y * v.y));
        ulog_put_vec3_f32(&m, v);
        ulog_put_f32(&m, atan2(v.y, v.x));
        ulog_put_u8(&m, (unsigned)s->fix);
        ulog_put_u8(&m, s->satellites > 0 ? (unsigned)s->satellites : 0);
        ulog_put_u8(&m, s->fix == GPS_FIX_3D);
        write_topic(t, tick->vehicle, TOPIC_GPS, &m);
}

static void write_baro(struct record_topics *t, const struct tick_record *tick)
{
        static const struct atmosphere isa = { 101325.0, 288.15 };
        const struct baro_sample *s = &tick->frame.baro;
        struct ulog_message m;

        begin_sample(&m, tick->t_ns, s->t_ns);
        ulog_put_f32(&m, atmosphere_altitude_m(&isa, s->pressure_pa));
        ulog_put_f32(&m, s->pressure_pa);
        ulog_put_f32(&m, s->temperature_k - KELVIN_AT_0_DEGC);
        write_topic(t, tick->vehicle, TOPIC_AIR_DATA, &m);
}

static void write_mag(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        begin_sample(&m, tick->t_ns, tick->frame.mag.t_ns);
        ulog_put_vec3_f32(&m, vec3_scale(GAUSS_PER_T, tick->frame.mag.field_body_t));
        write_topic(t, tick->vehicle, TOPIC_MAG, &m);
}

static void write_sonar(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        begin(&m, tick->t_ns);
        ulog_put_f32(&m, tick->frame.sonar.range_m);
        ulog_put_u8(&m, tick->frame.sonar.echo ? 100 : 0);
        ulog_put_u8(&m, SENSOR_ULTRASOUND);
        write_topic(t, tick->vehicle, TOPIC_DISTANCE, &m);
}

/* The IMU is thinned with the truth; here its newest sample is only taken note of. */
static void note_imu(struct record_vehicle *v, int64_t t_ns)
{
        if (v->imu_fresh_ns != NEVER_NS)
                v->imu_dt_us = (uint32_t)record_us(t_ns - v->imu_fresh_ns);
        v->imu_fresh_ns = t_ns;
}

static void write_status(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        struct ulog_message m;

        if (tick->t_ns < v->status_next_ns && tick->armed == v->armed)
                return;
        v->status_next_ns = tick->t_ns + STATUS_PERIOD_NS;
        v->armed = tick->armed;
        begin(&m, tick->t_ns);
        ulog_put_u8(&m, tick->armed ? ARMING_STATE_ARMED : ARMING_STATE_DISARMED);
        ulog_put_u8(&m, HIL_STATE_ON);
        ulog_put_u8(&m, TYPE_ROTARY_WING);
        ulog_put_u8(&m, 0);
        write_topic(t, tick->vehicle, TOPIC_VEHICLE_STATUS, &m);
}

/* A sample stays fresh until its frame is sent, which is some ticks for a board that takes few frames:
 * it is logged once. */
static bool is_new(struct record_vehicle *v, const struct sensor_frame *frame,
                   enum sensor sensor, int64_t sample_ns)
{
        if (!(frame->fresh & SENSOR_BIT(sensor)) || sample_ns <= v->sample_ns[sensor])
                return false;
        v->sample_ns[sensor] = sample_ns;
        return true;
}

void record_topics_tick(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        const struct sensor_frame *f = &tick->frame;

        write_tick(t, tick);
        write_status(t, tick);
        if (is_new(v, f, SENSOR_IMU, f->imu.t_ns))
                note_imu(v, tick->frame.imu.t_ns);
        if (is_new(v, f, SENSOR_GPS, f->gps.t_ns))
                write_gps(t, tick);
        if (is_new(v, f, SENSOR_BARO, f->baro.t_ns))
                write_baro(t, tick);
        if (is_new(v, f, SENSOR_MAG, f->mag.t_ns))
                write_mag(t, tick);
        if (is_new(v, f, SENSOR_SONAR, f->sonar.t_ns))
                write_sonar(t, tick);
        if (tick->t_ns < v->truth_next_ns)
                return;
        v->truth_next_ns = tick->t_ns + t->truth_period_ns;
        write_truth(t, tick);
        write_imu(t, tick);
        write_motors(t, tick);
}

void record_topics_estimate(struct record_topics *t, const struct estimate_record *e)
{
        struct record_vehicle *v = &t->vehicle[e->vehicle];
        struct ulog_message m;

        if (e->t_ns < v->estimate_next_ns)
                return;
        v->estimate_next_ns = e->t_ns + t->truth_period_ns;
        begin_sample(&m, e->t_ns, e->t_ns);
        ulog_put_quat_f32(&m, e->estimate.q_body_to_ned);
        write_topic(t, e->vehicle, TOPIC_ATTITUDE, &m);

        begin_sample(&m, e->t_ns, e->t_ns);
        ulog_put_vec3_f32(&m, e->estimate.pos_ned_m);
        ulog_put_vec3_f32(&m, e->estimate.vel_ned_mps);
        ulog_put_f32(&m, quat_to_euler(e->estimate.q_body_to_ned).z);
        for (int i = 0; i < 4; i++)
                ulog_put_u8(&m, 1);
        write_topic(t, e->vehicle, TOPIC_POSITION, &m);
}

void record_topics_setpoint(struct record_topics *t, const struct setpoint_record *s)
{
        bool flown = s->setpoint.mode == MODE_GOTO;
        struct vec3 none = { NAN, NAN, NAN };
        struct ulog_message m;

        begin(&m, s->t_ns);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.x);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.y);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.z);
        ulog_put_f64(&m, s->setpoint.yaw_rad);
        ulog_put_u8(&m, (unsigned)s->setpoint.mode);
        write_topic(t, s->vehicle, TOPIC_SETPOINT, &m);

        /* PX4's sign for "not controlled" is NaN. */
        begin(&m, s->t_ns);
        ulog_put_vec3_f32(&m, flown ? s->setpoint.pos_ned_m : none);
        ulog_put_f32(&m, flown ? s->setpoint.yaw_rad : (double)NAN);
        ulog_put_f32(&m, (double)NAN);
        ulog_put_vec3_f32(&m, none);
        ulog_put_vec3_f32(&m, none);
        ulog_put_vec3_f32(&m, none);
        write_topic(t, s->vehicle, TOPIC_SETPOINT_POSITION, &m);
}

void record_topics_sync(struct record_topics *t, const struct sync_record *s)
{
        struct ulog_message m;

        begin(&m, s->t_ns);
        ulog_put_u64(&m, (uint64_t)(s->offset_ns / 1000));
        ulog_put_u32(&m, (uint32_t)(s->round_trip_ns / 1000));
        write_topic(t, s->vehicle, TOPIC_TIMESYNC, &m);
}
