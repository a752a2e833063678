/* The plant in the log: what every tick did, and the truth as often as the rig file asks. */
#include <string.h>

#include "hil/record/record_topics.h"

/* PX4's constants for vehicle_status. */
#define ARMING_STATE_DISARMED 1
#define ARMING_STATE_ARMED    2

#define STATUS_PERIOD_NS 1000000000

static void write_status(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];
        struct topic_status status = { tick->armed ? ARMING_STATE_ARMED
                                                   : ARMING_STATE_DISARMED };

        if (tick->t_ns < v->status_next_ns && tick->armed == v->armed)
                return;
        v->status_next_ns = tick->t_ns + STATUS_PERIOD_NS;
        v->armed = tick->armed;
        record_write_struct(t, tick->vehicle, TOPIC_VEHICLE_STATUS, tick->t_ns, &status);
}

static void write_motors(struct record_topics *t, const struct tick_record *tick)
{
        struct topic_motors motors = { .outputs = t->rotors };

        memcpy(motors.output, tick->command.duty, sizeof tick->command.duty);
        record_write_struct(t, tick->vehicle, TOPIC_ROTORS, tick->t_ns, tick);
        record_write_struct(t, tick->vehicle, TOPIC_ACTUATOR_OUTPUTS, tick->t_ns,
                            &motors);
}

static void write_truth(struct record_topics *t, const struct tick_record *tick)
{
        const struct topic_pose pose = { tick->truth,
                                         quat_to_euler(tick->truth.q_body_to_ned).z };

        for (int i = TOPIC_ATTITUDE_TRUTH; i <= TOPIC_RATE_TRUTH; i++)
                record_write_struct(t, tick->vehicle, (enum record_topic)i, tick->t_ns,
                                    &pose);
        record_write_struct(t, tick->vehicle, TOPIC_SURROUNDINGS, tick->t_ns, tick);
}

void record_topics_tick(struct record_topics *t, const struct tick_record *tick)
{
        struct record_vehicle *v = &t->vehicle[tick->vehicle];

        record_write_struct(t, tick->vehicle, TOPIC_TICK, tick->t_ns, tick);
        write_status(t, tick);
        record_sensors_tick(t, tick);
        if (tick->t_ns < v->truth_next_ns)
                return;
        v->truth_next_ns = tick->t_ns + t->truth_period_ns;
        write_truth(t, tick);
        record_sensors_imu(t, tick);
        write_motors(t, tick);
}
