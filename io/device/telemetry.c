/* A vehicle on a ground station's map, in MAVLink 2: two systems for each vehicle. The odd one is
 * the vehicle as it truly is, with its battery, receiver, motors and the flight controller's text;
 * the even one, which appears once the flight controller reports an estimate, is where that
 * believes it is. Refuses every command: the scenario is the pilot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/device/telemetry.h"
#include "io/codec/mavlink_values.h"

/* Rates that ground stations expect. */
#define ATTITUDE_NS 50000000LL
#define POSITION_NS 100000000LL
#define OUTPUTS_NS  200000000LL
#define STATUS_NS   1000000000LL
#define HOME_NS     5000000000LL

#define TEXT_ROOM sizeof((struct mavlink_statustext *)0)->text

enum { TRUTH, ESTIMATE, SYSTEMS };

enum stream { ATTITUDE, POSITION, OUTPUTS, STATUS, HOME, STREAMS };

struct telemetry {
        struct device device;
        struct device_setup setup;
        struct mavlink_sender sender[SYSTEMS];
        struct mavlink_stream heard;
        int64_t next_ns[STREAMS]; /* simulated time at which each is due */
        bool due[STREAMS]; /* at this tick */
        int64_t turned_ns; /* of the attitudes below */
        struct quat turned[SYSTEMS];
        struct telemetry_pose pose[SYSTEMS];
        bool estimated;
        uint32_t seen; /* SENSOR_BIT() of what has given a sample */
        char text[sizeof((struct fc_report *)0)->text]; /* the newest that went out */
        uint16_t long_texts; /* that went out in pieces */
};

static void look_what_is_due(struct telemetry *t, int64_t t_ns)
{
        static const int64_t period_ns[STREAMS] = { [ATTITUDE] = ATTITUDE_NS,
                                                    [POSITION] = POSITION_NS,
                                                    [OUTPUTS] = OUTPUTS_NS,
                                                    [STATUS] = STATUS_NS,
                                                    [HOME] = HOME_NS };

        for (int i = 0; i < STREAMS; i++) {
                t->due[i] = t_ns >= t->next_ns[i];
                if (t->due[i])
                        t->next_ns[i] = t_ns - t_ns % period_ns[i] + period_ns[i];
        }
}

/* Appends to the last packet, or to a new one; lost if there is room for neither. */
static void say(struct telemetry *t, int system, uint32_t id, const void *values,
                struct packets *out)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&t->sender[system], id, values, bytes);
        struct packet *p = out->count > 0 ? &out->packet[out->count - 1] : NULL;

        if (p == NULL || p->len + len > PACKET_MAX) {
                if (out->count == CODEC_PACKETS_MAX)
                        return;
                p = &out->packet[out->count++];
                p->channel = 0;
                p->len = 0;
        }
        memcpy(p->bytes + p->len, bytes, len);
        p->len = (uint16_t)(p->len + len);
        t->device.counts.messages_out++;
}

static void see(struct telemetry *t, const struct device_feed *feed)
{
        const struct fc_estimate *e = &feed->report->estimate;
        const struct pose_sample *pose = &feed->frame->pose;
        struct telemetry_pose *truth = &t->pose[TRUTH], *estimate = &t->pose[ESTIMATE];

        truth->q_body_to_ned = pose->q_body_to_ned;
        truth->from_start_m = vec3_sub(pose->pos_ned_m, t->setup.start_ned_m);
        truth->vel_ned_mps = pose->vel_ned_mps;

        /* An attitude that was never reported is zero. */
        t->estimated = t->estimated || e->q_body_to_ned.w != 0.0 ||
                       e->q_body_to_ned.x != 0.0 || e->q_body_to_ned.y != 0.0 ||
                       e->q_body_to_ned.z != 0.0;
        estimate->q_body_to_ned = e->q_body_to_ned;
        estimate->from_start_m = e->pos_ned_m;
        estimate->vel_ned_mps = e->vel_ned_mps;
        t->seen |= feed->frame->fresh;
}

/* From the turn since the last ATTITUDE; an estimate is not reported at every tick. */
static struct vec3 mean_rate(struct quat from, struct quat to, double dt_s)
{
        struct quat turn = quat_multiply(quat_conjugate(from), to);
        struct vec3 axis = { turn.x, turn.y, turn.z };
        double sine = vec3_norm(axis);
        double angle_rad = 2.0 * atan2(sine, fabs(turn.w));

        if (!(dt_s > 0.0) || !(sine > 0.0))
                return (struct vec3){ 0 };
        return vec3_scale(copysign(angle_rad / (sine * dt_s), turn.w), axis);
}

static void say_attitude(struct telemetry *t, int system, const struct device_feed *feed,
                         struct packets *out)
{
        double dt_s = (double)(feed->t_ns - t->turned_ns) * 1e-9;
        struct telemetry_pose *p = &t->pose[system];
        struct mavlink_attitude m;

        p->rate_body_radps = mean_rate(t->turned[system], p->q_body_to_ned, dt_s);
        t->turned[system] = p->q_body_to_ned;
        telemetry_attitude(&m, p, feed->t_ns);
        say(t, system, MAVLINK_ATTITUDE, &m, out);
}

static void say_position(struct telemetry *t, int system, const struct device_feed *feed,
                         struct packets *out)
{
        struct mavlink_local_position_ned local;
        struct mavlink_global_position_int global;

        telemetry_local_position(&local, &t->pose[system], feed->t_ns);
        say(t, system, MAVLINK_LOCAL_POSITION_NED, &local, out);
        telemetry_global_position(&global, &t->pose[system], &t->setup, feed->t_ns);
        say(t, system, MAVLINK_GLOBAL_POSITION_INT, &global, out);
}

static void say_hud(struct telemetry *t, int system, const struct device_feed *feed,
                    struct packets *out)
{
        struct mavlink_vfr_hud m;

        telemetry_vfr_hud(&m, &t->pose[system], &t->setup, feed->command);
        say(t, system, MAVLINK_VFR_HUD, &m, out);
}

static void say_heartbeat(struct telemetry *t, int system, const struct device_feed *feed,
                          struct packets *out)
{
        struct mavlink_heartbeat m;

        telemetry_heartbeat(&m, feed->report, t->setup.rotors);
        say(t, system, MAVLINK_HEARTBEAT, &m, out);
}

/* The messages of both systems, each with its own pose. */
static void say_poses(struct telemetry *t, const struct device_feed *feed,
                      struct packets *out)
{
        for (int i = 0; i < (t->estimated ? SYSTEMS : 1); i++) {
                if (t->due[STATUS])
                        say_heartbeat(t, i, feed, out);
                if (t->due[ATTITUDE])
                        say_attitude(t, i, feed, out);
                if (t->due[POSITION])
                        say_position(t, i, feed, out);
                if (t->due[OUTPUTS])
                        say_hud(t, i, feed, out);
        }
        if (t->due[ATTITUDE])
                t->turned_ns = feed->t_ns;
}

static void say_outputs(struct telemetry *t, const struct device_feed *feed,
                        struct packets *out)
{
        struct mavlink_servo_output_raw servos;
        struct mavlink_rc_channels rc;

        telemetry_servos(&servos, feed->command, t->setup.rotors, feed->t_ns);
        say(t, TRUTH, MAVLINK_SERVO_OUTPUT_RAW, &servos, out);
        telemetry_rc(&rc, feed->input, feed->t_ns);
        say(t, TRUTH, MAVLINK_RC_CHANNELS, &rc, out);
}

static void say_status(struct telemetry *t, const struct device_feed *feed,
                       struct packets *out)
{
        struct mavlink_sys_status status;
        struct mavlink_system_time clock = {
                .time_boot_ms = (uint32_t)(feed->t_ns / 1000000),
                .time_unix_usec =
                        (uint64_t)((t->setup.origin.utc_ns + feed->t_ns) / 1000),
        };

        telemetry_sys_status(&status, feed->frame, t->seen);
        say(t, TRUTH, MAVLINK_SYS_STATUS, &status, out);
        say(t, TRUTH, MAVLINK_SYSTEM_TIME, &clock, out);
}

/* The flight controller's text when it changes, in as many pieces as needed: the last one ends with
 * a zero. */
static void say_text(struct telemetry *t, const char *text, struct packets *out)
{
        size_t len = strnlen(text, sizeof t->text);
        struct mavlink_statustext m = { .severity = MAV_SEVERITY_INFO };

        if (len == strnlen(t->text, sizeof t->text) && memcmp(t->text, text, len) == 0)
                return;
        memcpy(t->text, text, sizeof t->text);
        if (len >= TEXT_ROOM) {
                t->long_texts = (uint16_t)(t->long_texts % UINT16_MAX + 1);
                m.id = t->long_texts;
        }
        for (size_t at = 0; at <= len; at += TEXT_ROOM, m.chunk_seq++) {
                size_t n = len - at < TEXT_ROOM ? len - at : TEXT_ROOM;

                memset(m.text, 0, sizeof m.text);
                memcpy(m.text, text + at, n);
                say(t, TRUTH, MAVLINK_STATUSTEXT, &m, out);
        }
}

static void telemetry_feed(struct device *d, const struct device_feed *feed,
                           struct packets *out)
{
        struct telemetry *t = (struct telemetry *)d;

        see(t, feed);
        look_what_is_due(t, feed->t_ns);
        say_poses(t, feed, out);
        if (feed->frame->fresh & SENSOR_BIT(SENSOR_GPS)) {
                struct mavlink_gps_raw_int gps;

                telemetry_gps(&gps, &feed->frame->gps);
                say(t, TRUTH, MAVLINK_GPS_RAW_INT, &gps, out);
        }
        if (t->due[OUTPUTS]) {
                say_outputs(t, feed, out);
                say_text(t, feed->report->text, out);
        }
        if (t->due[STATUS])
                say_status(t, feed, out);
        if (t->due[HOME]) {
                struct mavlink_home_position home;

                telemetry_home(&home, &t->setup, feed->t_ns);
                say(t, TRUTH, MAVLINK_HOME_POSITION, &home, out);
        }
}

/* Every command is refused, so that a ground station need not wait for a time-out. */
static void refuse_command(struct telemetry *t, int system, uint16_t command,
                           const struct mavlink_frame *from, struct packets *out)
{
        struct mavlink_command_ack ack = { .command = command,
                                           .result = MAV_RESULT_UNSUPPORTED,
                                           .target_system = from->system,
                                           .target_component = from->component };

        say(t, system, MAVLINK_COMMAND_ACK, &ack, out);
}

/* The only parameter: a ground station waits for a complete list. */
static void say_parameter(struct telemetry *t, int system, struct packets *out)
{
        struct mavlink_param_value m = { .param_value = t->sender[system].system,
                                         .param_count = 1,
                                         .param_id = "SYSID_THISMAV",
                                         .param_type = MAV_PARAM_TYPE_REAL32 };

        say(t, system, MAVLINK_PARAM_VALUE, &m, out);
}

static bool unpack(const struct mavlink_frame *f, uint32_t id, void *values)
{
        return f->id == id && mavlink_unpack(f, mavlink_message_find(id), values);
}

/* False: it is for another system, or asks nothing of this one. */
static bool answer_frame(struct telemetry *t, int system, const struct mavlink_frame *f,
                         struct packets *out)
{
        uint8_t own = t->sender[system].system;
        struct mavlink_command_long command;
        struct mavlink_command_int command_int;
        struct mavlink_param_request_list list;
        struct mavlink_param_request_read read;
        struct mavlink_ping ping;

        if (unpack(f, MAVLINK_COMMAND_LONG, &command) && command.target_system == own) {
                refuse_command(t, system, command.command, f, out);
        } else if (unpack(f, MAVLINK_COMMAND_INT, &command_int) &&
                   command_int.target_system == own) {
                refuse_command(t, system, command_int.command, f, out);
        } else if ((unpack(f, MAVLINK_PARAM_REQUEST_LIST, &list) &&
                    (list.target_system == own || list.target_system == 0)) ||
                   (unpack(f, MAVLINK_PARAM_REQUEST_READ, &read) &&
                    read.target_system == own)) {
                say_parameter(t, system, out);
        } else if (unpack(f, MAVLINK_PING, &ping) && ping.target_system == 0) {
                ping.target_system = f->system;
                ping.target_component = f->component;
                say(t, system, MAVLINK_PING, &ping, out);
        } else {
                return false;
        }
        return true;
}

static void telemetry_take(struct device *d, const uint8_t *bytes, size_t len,
                           struct packets *out)
{
        struct telemetry *t = (struct telemetry *)d;

        for (size_t at = 0; at < len;) {
                struct mavlink_frame f;
                bool got, answered = false;

                at += mavlink_stream_take(&t->heard, bytes + at, len - at, &f, &got);
                for (int i = 0; got && i < (t->estimated ? SYSTEMS : 1); i++)
                        answered |= answer_frame(t, i, &f, out);
                d->counts.messages_in += answered;
                d->counts.overheard += got && !answered;
        }
        d->counts.errors = t->heard.bad_crc;
}

static void telemetry_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_telemetry_ops = {
        .name = "telemetry",
        .what = "MAVLink 2 for ground stations: the truth, and the estimate",
        .feed = telemetry_feed,
        .take = telemetry_take,
        .destroy = telemetry_destroy,
};

struct device *device_telemetry_create(const struct device_setup *setup)
{
        struct telemetry *t = calloc(1, sizeof *t);

        if (t == NULL)
                return NULL;
        t->device.ops = &device_telemetry_ops;
        t->setup = *setup;
        for (int i = 0; i < SYSTEMS; i++)
                t->sender[i] = (struct mavlink_sender){
                        .version = 2,
                        .system = (uint8_t)(SYSTEMS * setup->vehicle + i + 1),
                        .component = MAV_COMP_ID_AUTOPILOT1,
                };
        return &t->device;
}
