/* What the rig says to PX4: sensor frames, and as its ground station heartbeats, time, sticks and
 * commands. All of it belongs to a frame, so that in lockstep PX4 hears the same at the same time of its
 * clock; only greeting and time sync go by the host's. */
#include <assert.h>
#include <string.h>

#include "io/codec/px4/px4.h"

#define SECOND_NS    1000000000LL
#define HEARTBEAT_NS SECOND_NS
#define STICKS_NS    (SECOND_NS / 10)
#define NAME_NS      (2 * SECOND_NS)
#define SYNC_NS      (SECOND_NS / 10)
/* In lockstep what PX4 says by telemetry comes in as the host has it: it is looked at only so often, so
 * that some us more or less seldom decide on a command's frame. */
#define LOOK_NS (SECOND_NS / 4)
/* Host time from a frame to what PX4 hears after it in lockstep: its threads rest, and its clock stands
 * still until they have done as they were told. */
#define QUIET_NS (SECOND_NS / 1000)
/* A message of a mission; its answer has come by the next. */
#define MISSION_NS (SECOND_NS / 50)

#define TYPE_GCS            6 /* MAV_TYPE */
#define AUTOPILOT_INVALID   8 /* MAV_AUTOPILOT: not one */
#define STATE_ACTIVE        4 /* MAV_STATE */
#define MAVLINK_DIALECT     3
#define DISARM_IN_FLIGHT    21196.0F /* MAV_CMD_COMPONENT_ARM_DISARM's magic number */
#define AUTOPILOT_COMPONENT 1

/* An empty packet at the end of the outbox. */
static struct packet *codec_px4_begin(struct packets *out, int channel)
{
        struct packet *packet = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        packet->channel = (uint8_t)channel;
        packet->len = 0;
        return packet;
}

void codec_px4_put(struct codec_px4 *p, struct packet *packet, uint32_t id,
                   const void *values)
{
        uint8_t frame[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&p->sender[packet->channel], id, values, frame);

        assert(len > 0 && packet->len + len <= PACKET_MAX);
        memcpy(packet->bytes + packet->len, frame, len);
        packet->len = (uint16_t)(packet->len + len);
        p->codec.counts.frames_encoded++;
}

void codec_px4_command(struct codec_px4 *p, struct packet *packet,
                       enum px4_command command, float param1, float param2)
{
        struct mavlink_command_long m = {
                .command = (uint16_t)command,
                .target_system = p->system,
                .target_component = AUTOPILOT_COMPONENT,
                .param1 = param1,
                .param2 = param2,
        };

        codec_px4_put(p, packet, MAVLINK_COMMAND_LONG, &m);
}

static void say_heartbeat(struct codec_px4 *p, struct packet *packet)
{
        struct mavlink_heartbeat m = {
                .type = TYPE_GCS,
                .autopilot = AUTOPILOT_INVALID,
                .system_status = STATE_ACTIVE,
                .mavlink_version = MAVLINK_DIALECT,
        };

        codec_px4_put(p, packet, MAVLINK_HEARTBEAT, &m);
}

static void ask_name(struct codec_px4 *p, struct packet *packet)
{
        codec_px4_command(p, packet, PX4_REQUEST_MESSAGE,
                          (float)MAVLINK_AUTOPILOT_VERSION, 0.0F);
}

/* True once a period, at multiples of it. */
static bool is_due(int64_t *next_ns, int64_t now_ns, int64_t period_ns)
{
        if (now_ns < *next_ns)
                return false;
        *next_ns = now_ns - now_ns % period_ns + period_ns;
        return true;
}

static void say_hello(struct codec_px4 *p, int64_t t_ns, struct packets *out)
{
        /* Wakes a board's USB port, too, which listens for a ground station before it speaks. */
        if (!p->board || (p->hello_sent && t_ns - p->hello_ns < HEARTBEAT_NS))
                return;
        p->hello_sent = true;
        p->hello_ns = t_ns;
        say_heartbeat(p, codec_px4_begin(out, 0));
}

static void ask_time(struct codec_px4 *p, int64_t t_ns, struct packets *out)
{
        struct mavlink_timesync m = { .tc1 = 0, .ts1 = t_ns };

        if (p->setup.lockstep || !p->ground_heard || t_ns - p->sync_ns < SYNC_NS)
                return;
        p->sync_ns = t_ns;
        p->sync_open = true;
        codec_px4_put(p, codec_px4_begin(out, codec_px4_ground(p)), MAVLINK_TIMESYNC, &m);
}

static void put_later(struct codec_px4 *p, struct packets *out)
{
        if (p->later.len > 0)
                out->packet[out->count++] = p->later;
        p->later.len = 0;
}

static bool is_quiet(const struct codec_px4 *p, int64_t t_ns)
{
        bool owes = p->answered && p->answer_due && p->answered_us < p->newest.time_usec;

        return !owes && t_ns - p->frame_host_ns >= QUIET_NS;
}

void codec_px4_poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        struct codec_px4 *p = codec_px4_self(c);

        out->count = 0;
        if (!p->ready) {
                say_hello(p, t_ns, out);
                return;
        }
        ask_time(p, t_ns, out);
        if (is_quiet(p, t_ns))
                put_later(p, out);
}

static void say_time(struct codec_px4 *p, int64_t now_ns, struct packet *packet)
{
        struct mavlink_system_time m = {
                .time_unix_usec = (uint64_t)(p->setup.origin.utc_ns + now_ns) / 1000,
                .time_boot_ms = (uint32_t)(now_ns / 1000000),
        };

        codec_px4_put(p, packet, MAVLINK_SYSTEM_TIME, &m);
}

/* 1 and not 0 at the start: PX4 takes 0 for a question. */
static void answer_time(struct codec_px4 *p, int64_t now_ns, struct packet *packet)
{
        for (int i = 0; i < p->syncs; i++) {
                struct mavlink_timesync m = { .tc1 = now_ns > 0 ? now_ns : 1,
                                              .ts1 = p->sync_asked[i] };

                codec_px4_put(p, packet, MAVLINK_TIMESYNC, &m);
        }
        p->syncs = 0;
}

static bool has_sticks(const struct pilot_input *input)
{
        return input->rc_us[0] != 0 && input->rc_us[1] != 0 && input->rc_us[2] != 0 &&
               input->rc_us[3] != 0;
}

static void say_sticks(struct codec_px4 *p, struct packet *packet)
{
        struct mavlink_manual_control m;

        codec_px4_sticks(&m, p->pilot.input.rc_us);
        m.target = p->system;
        codec_px4_put(p, packet, MAVLINK_MANUAL_CONTROL, &m);
}

/* As soon as it has said what it can do. */
static void give_mission(struct codec_px4 *p, int64_t now_ns, struct packet *packet)
{
        struct mavlink_mission_rules rules = mavlink_mission_px4;
        struct mavlink_mission_words words;

        if (p->setup.mission != NULL && p->mission.plan == NULL && p->named) {
                rules.capabilities = p->capabilities;
                mavlink_mission_begin(&p->mission, p->setup.mission, &rules, p->system,
                                      AUTOPILOT_COMPONENT, &p->sender[packet->channel]);
        }
        if (mavlink_mission_under_way(&p->mission) &&
            is_due(&p->mission_ns, now_ns, MISSION_NS) &&
            mavlink_mission_poll(&p->mission, now_ns, &words))
                codec_px4_put(p, packet, words.id, &words.as);
}

const struct mavlink_rate codec_px4_rates[PX4_RATES] = {
        { MAVLINK_HEARTBEAT, 200000 },          { MAVLINK_SYS_STATUS, 500000 },
        { MAVLINK_EXTENDED_SYS_STATE, 200000 }, { MAVLINK_ATTITUDE_QUATERNION, 50000 },
        { MAVLINK_LOCAL_POSITION_NED, 50000 },  { MAVLINK_HOME_POSITION, 1000000 },
        { MAVLINK_SERVO_OUTPUT_RAW, 50000 },
};

static void ask_rate(struct codec_px4 *p, struct packet *packet)
{
        int which = p->rate_asked++ % PX4_RATES;
        struct mavlink_command_long m;

        if (mavlink_rates_ask(&p->rates, codec_px4_rates, which, &m))
                codec_px4_command(p, packet, (enum px4_command)m.command, m.param1,
                                  m.param2);
}

/* The ground station's part of a frame. */
static void say_ground(struct codec_px4 *p, int64_t now_ns, struct packet *packet)
{
        bool looks = is_due(&p->status_ns, now_ns, LOOK_NS);

        if (looks || !p->setup.lockstep)
                p->known = p->heard;
        if (p->ground_heard)
                give_mission(p, now_ns, packet);
        if (looks && p->ground_heard && p->shipped)
                ask_rate(p, packet);
        if (looks && p->ground_heard && !p->armed)
                codec_px4_ask_params(p, packet);
        if (has_sticks(&p->pilot.input))
                codec_px4_judge_sticks(p);
        if (is_due(&p->heartbeat_ns, now_ns, HEARTBEAT_NS)) {
                say_heartbeat(p, packet);
                say_time(p, now_ns, packet);
        }
        if (p->ground_heard && !p->named && is_due(&p->name_ns, now_ns, NAME_NS))
                ask_name(p, packet);
        if (has_sticks(&p->pilot.input) && !(p->shipped && p->setup.receiver) &&
            is_due(&p->sticks_ns, now_ns, STICKS_NS))
                say_sticks(p, packet);
        codec_px4_fly(p, now_ns, packet);
}

/* GPS and the other slow ones before the frame that lets PX4's clock go on. */
static void say_sensors(struct codec_px4 *p, uint64_t time_us,
                        const struct sensor_frame *frame, struct packet *packet)
{
        if (frame->fresh & SENSOR_BIT(SENSOR_GPS)) {
                struct mavlink_hil_gps gps;

                codec_px4_hil_gps(&gps, &p->setup.origin, &frame->gps);
                codec_px4_put(p, packet, MAVLINK_HIL_GPS, &gps);
        }
        if (frame->fresh & SENSOR_BIT(SENSOR_FLOW)) {
                struct mavlink_hil_optical_flow flow;

                codec_px4_hil_flow(&flow, time_us, frame);
                codec_px4_put(p, packet, MAVLINK_HIL_OPTICAL_FLOW, &flow);
        }
        if ((frame->fresh & SENSOR_BIT(SENSOR_SONAR)) && (frame->fresh_sonars & 1)) {
                struct mavlink_distance_sensor distance;

                codec_px4_distance(&distance, time_us, &frame->sonar[0]);
                codec_px4_put(p, packet, MAVLINK_DISTANCE_SENSOR, &distance);
        }
        codec_px4_hil_sensor(&p->newest, time_us, frame);
        codec_px4_put(p, packet, MAVLINK_HIL_SENSOR, &p->newest);
}

static bool moved(const struct setpoint *a, const struct setpoint *b)
{
        return a->mode != b->mode || a->yaw_rad != b->yaw_rad ||
               a->pos_ned_m.x != b->pos_ned_m.x || a->pos_ned_m.y != b->pos_ned_m.y ||
               a->pos_ned_m.z != b->pos_ned_m.z;
}

static void take_input(struct px4_pilot *pilot, const struct pilot_input *input)
{
        if (!pilot->has_input || moved(&pilot->input.setpoint, &input->setpoint)) {
                pilot->reposition_due = input->setpoint.mode == MODE_GOTO;
                pilot->asked = PX4_NO_COMMAND; /* the new one at once */
        }
        pilot->input = *input;
        pilot->has_input = true;
}

/* PX4's clock never stands still or runs back. */
static uint64_t frame_time_us(const struct codec_px4 *p, const struct sensor_frame *frame)
{
        uint64_t us = frame->t_ns > 0 ? (uint64_t)frame->t_ns / 1000 : 0;

        if (p->frame_sent && us <= p->newest.time_usec)
                return p->newest.time_usec + 1;
        return us > 0 ? us : 1;
}

static void note_sent(struct codec_px4 *p, uint32_t number,
                      const struct sensor_frame *frame)
{
        uint32_t at = p->sent++ % PX4_SENT_MAX;

        if (!p->frame_sent)
                p->first_us = p->newest.time_usec;
        p->frame_sent = true;
        p->sent_us[at] = p->newest.time_usec;
        p->sent_number[at] = number;
        p->answer_due = (frame->fresh & SENSOR_BIT(SENSOR_IMU)) != 0;
}

void codec_px4_encode(struct codec *c, uint32_t number, int64_t t_ns,
                      const struct sensor_frame *frame, const struct pilot_input *input,
                      struct packets *out)
{
        struct codec_px4 *p = codec_px4_self(c);
        bool pauses = p->setup.lockstep && !p->fast;
        struct packet *ground;

        out->count = 0;
        if (input != NULL)
                take_input(&p->pilot, input);
        if (!p->ready)
                return;
        put_later(p, out);
        ground = codec_px4_begin(out, codec_px4_ground(p));
        answer_time(p, p->setup.lockstep ? frame->t_ns : t_ns, ground);
        p->later.channel = ground->channel;
        say_ground(p, frame->t_ns, pauses ? &p->later : ground);
        if (ground->len == 0)
                out->count--;
        p->pausing = p->later.len > 0;
        p->frame_host_ns = t_ns;
        if (p->shipped)
                return;
        say_sensors(p, frame_time_us(p, frame), frame, codec_px4_begin(out, 0));
        note_sent(p, number, frame);
}

/* Disarms in flight, too. */
void codec_px4_goodbye(struct codec *c, struct packets *out)
{
        struct codec_px4 *p = codec_px4_self(c);

        out->count = 0;
        codec_px4_command(p, codec_px4_begin(out, codec_px4_ground(p)), PX4_ARM_DISARM,
                          0.0F, DISARM_IN_FLIGHT);
}
