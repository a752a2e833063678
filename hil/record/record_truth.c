/* The plant in the log: what every tick did, and the truth as often as the rig file asks. */
#include "hil/record/record_message.h"

/* PX4's constants for vehicle_status. */
#define ARMING_STATE_DISARMED 1
#define ARMING_STATE_ARMED    2
#define HIL_STATE_ON          1
#define TYPE_ROTARY_WING      1

#define STATUS_PERIOD_NS 1000000000

static void write_tick(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        record_begin(&m, tick->t_ns);
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
        record_write_topic(t, tick->vehicle, TOPIC_TICK, &m);
}

static void write_status(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        struct ulog_message m;

        if (tick->t_ns < v->status_next_ns && tick->armed == v->armed)
                return;
        v->status_next_ns = tick->t_ns + STATUS_PERIOD_NS;
        v->armed = tick->armed;
        record_begin(&m, tick->t_ns);
        ulog_put_u8(&m, tick->armed ? ARMING_STATE_ARMED : ARMING_STATE_DISARMED);
        ulog_put_u8(&m, HIL_STATE_ON);
        ulog_put_u8(&m, TYPE_ROTARY_WING);
        ulog_put_u8(&m, 0);
        record_write_topic(t, tick->vehicle, TOPIC_VEHICLE_STATUS, &m);
}

static void write_motors(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        record_begin(&m, tick->t_ns);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, tick->rotor_speed_radps[i]);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, tick->inflow_mps[i]);
        record_write_topic(t, tick->vehicle, TOPIC_ROTORS, &m);

        record_begin(&m, tick->t_ns);
        for (int i = 0; i < 16; i++)
                ulog_put_f32(&m, i < ROTORS_MAX ? tick->command.duty[i] : 0.0);
        ulog_put_u8(&m, (unsigned)t->rotors);
        record_write_topic(t, tick->vehicle, TOPIC_ACTUATOR_OUTPUTS, &m);
}

static void write_truth(struct record_topics *t, const struct tick_record *tick)
{
        const struct body_state *b = &tick->truth;
        struct ulog_message m;

        record_begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_quat_f32(&m, b->q_body_to_ned);
        record_write_topic(t, tick->vehicle, TOPIC_ATTITUDE_TRUTH, &m);

        record_begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_vec3_f32(&m, b->pos_ned_m);
        ulog_put_vec3_f32(&m, b->vel_ned_mps);
        ulog_put_vec3_f32(&m, b->accel_ned_mps2);
        ulog_put_f32(&m, quat_to_euler(b->q_body_to_ned).z);
        for (int i = 0; i < 4; i++)
                ulog_put_u8(&m, 1);
        record_write_topic(t, tick->vehicle, TOPIC_POSITION_TRUTH, &m);

        record_begin_sample(&m, tick->t_ns, tick->t_ns);
        ulog_put_vec3_f32(&m, b->rate_body_radps);
        ulog_put_vec3_f32(&m, b->rate_dot_body_radps2);
        record_write_topic(t, tick->vehicle, TOPIC_RATE_TRUTH, &m);
}

static void write_surroundings(struct record_topics *t, const struct tick_record *tick)
{
        struct ulog_message m;

        record_begin(&m, tick->t_ns);
        ulog_put_vec3_f32(&m, tick->wind_ned_mps);
        ulog_put_f32(&m, tick->battery_v);
        ulog_put_f32(&m, tick->current_a);
        ulog_put_f32(&m, tick->height_m);
        ulog_put_f32(&m, tick->impact_mps);
        ulog_put_i32(&m, tick->obstacle);
        record_write_topic(t, tick->vehicle, TOPIC_SURROUNDINGS, &m);
}

void record_topics_tick(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];

        write_tick(t, tick);
        write_status(t, tick);
        record_sensors_tick(t, tick);
        if (tick->t_ns < v->truth_next_ns)
                return;
        v->truth_next_ns = tick->t_ns + t->truth_period_ns;
        write_truth(t, tick);
        write_surroundings(t, tick);
        record_sensors_imu(t, tick);
        write_motors(t, tick);
}
