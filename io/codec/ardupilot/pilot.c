/* What the rig asks of ArduPilot on its console: to tell its state, and to do what the pilot wants, step by
 * step and again each second until it has. What it then leaves of its own accord (a fail-safe, a crash) is
 * not asked for again before the pilot wants another mode. Decided in simulated time from what was heard so far, so that
 * in lockstep the same flight asks the same at the same tick. Source: MAVLink's common.xml for the
 * commands; ArduCopter/mode_guided.cpp and GCS_MAVLink_Copter.cpp for what it takes in which mode. */
#include <assert.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"

#define LOOK_NS   50000000
#define REPEAT_NS 1000000000

/* MAV_CMD */
#define CMD_TAKE_OFF        22
#define CMD_SET_MODE        176
#define CMD_MISSION_START   300
#define CMD_ARM             400
#define CMD_REQUEST_MESSAGE 512

/* Param 2 of the arming command: whatever its checks say (AP_Arming, magic_force_arm_disarm_value). */
#define FORCE 21196

#define MAV_FRAME_LOCAL_NED 1
#define MAV_TYPE_GCS        6
#define MAV_AUTOPILOT_NONE  8
#define MAV_STATE_ACTIVE    4

/* POSITION_TARGET_TYPEMASK: no velocity, no acceleration, no yaw rate. */
#define POSITION_AND_YAW 0x9F8

#define LANDED_ON_GROUND 1 /* MAV_LANDED_STATE */
#define LANDED_IN_AIR    2

const struct mavlink_rate codec_ardupilot_rates[ARDUPILOT_RATES] = {
        { MAVLINK_HEARTBEAT, 200000 },          { MAVLINK_EKF_STATUS_REPORT, 500000 },
        { MAVLINK_SYS_STATUS, 500000 },         { MAVLINK_EXTENDED_SYS_STATE, 200000 },
        { MAVLINK_LOCAL_POSITION_NED, 100000 }, { MAVLINK_ATTITUDE_QUATERNION, 100000 },
        { MAVLINK_GPS_RAW_INT, 1000000 },       { MAVLINK_SERVO_OUTPUT_RAW, 50000 },
};

static void say(struct codec_ardupilot *a, uint32_t id, const void *values,
                struct packets *out)
{
        struct packet *p;

        if (out->count >= CODEC_PACKETS_MAX - 1) /* the last is for the frame */
                return;
        p = &out->packet[out->count++];
        p->channel = a->shipped ? 0 : ARDUPILOT_CONSOLE;
        p->len = (uint16_t)mavlink_send(&a->sender, id, values, p->bytes);
        a->codec.counts.frames_encoded++;
}

static void command(struct codec_ardupilot *a, uint16_t what, float p1, float p2,
                    float p7, struct packets *out)
{
        struct mavlink_command_long m = { .param1 = p1,
                                          .param2 = p2,
                                          .param7 = p7,
                                          .command = what,
                                          .target_system = a->status.system,
                                          .target_component = a->status.component };

        say(a, MAVLINK_COMMAND_LONG, &m, out);
}

static void go(struct codec_ardupilot *a, const struct setpoint *to, struct packets *out)
{
        struct mavlink_set_position_target_local_ned m = {
                .time_boot_ms = (uint32_t)(a->stamp_ps / 1000000000U),
                .x = (float)to->pos_ned_m.x,
                .y = (float)to->pos_ned_m.y,
                .z = (float)to->pos_ned_m.z,
                .yaw = (float)to->yaw_rad,
                .type_mask = POSITION_AND_YAW,
                .target_system = a->status.system,
                .target_component = a->status.component,
                .coordinate_frame = MAV_FRAME_LOCAL_NED,
        };

        say(a, MAVLINK_SET_POSITION_TARGET_LOCAL_NED, &m, out);
        a->pilot.told = *to;
}

/* Its own origin of local positions is where it stood when its receiver first had a fix: where the
 * set-points count from. */
static enum ardupilot_step next_step(const struct codec_ardupilot *a)
{
        const struct ardupilot_status *s = &a->status;
        bool guided = a->sticks || s->mode == ARDUPILOT_MODE_GUIDED;

        switch (a->input.setpoint.mode) {
        case MODE_ARMED:
                return s->armed ? ARDUPILOT_REST
                       : guided ? ARDUPILOT_ARM
                                : ARDUPILOT_GUIDED;
        case MODE_GOTO:
                if (!guided)
                        return ARDUPILOT_GUIDED;
                if (!s->armed)
                        return ARDUPILOT_ARM;
                if (a->sticks)
                        return ARDUPILOT_REST;
                if (s->landed == LANDED_ON_GROUND)
                        return ARDUPILOT_TAKE_OFF;
                return s->landed == LANDED_IN_AIR ? ARDUPILOT_GO : ARDUPILOT_REST;
        case MODE_MISSION:
                if (s->mode == ARDUPILOT_MODE_AUTO && s->armed)
                        return ARDUPILOT_REST;
                return s->armed ? ARDUPILOT_MISSION
                       : guided ? ARDUPILOT_ARM
                                : ARDUPILOT_GUIDED;
        case MODE_LAND:
                return s->armed && s->mode != ARDUPILOT_MODE_LAND ? ARDUPILOT_LAND
                                                                  : ARDUPILOT_REST;
        default:
                return s->armed ? ARDUPILOT_DISARM : ARDUPILOT_REST;
        }
}

static void ask_mode(struct codec_ardupilot *a, uint32_t mode, struct packets *out)
{
        a->status.mode_asked = mode;
        command(a, CMD_SET_MODE, 1, (float)mode, 0, out);
}

static void take_step(struct codec_ardupilot *a, struct packets *out)
{
        const struct setpoint *to = &a->input.setpoint;

        switch (a->pilot.step) {
        case ARDUPILOT_DISARM:
                codec_ardupilot_disarm(a, out);
                break;
        case ARDUPILOT_GUIDED:
                ask_mode(a, ARDUPILOT_MODE_GUIDED, out);
                break;
        case ARDUPILOT_ARM:
                command(a, CMD_ARM, 1, 0, 0, out);
                a->status.arming = true;
                break;
        case ARDUPILOT_TAKE_OFF:
                command(a, CMD_TAKE_OFF, 0, 0, (float)-to->pos_ned_m.z, out);
                break;
        case ARDUPILOT_GO:
                go(a, to, out);
                break;
        case ARDUPILOT_MISSION:
                command(a, CMD_MISSION_START, 0, 0, 0, out);
                break;
        case ARDUPILOT_LAND:
                ask_mode(a, ARDUPILOT_MODE_LAND, out);
                break;
        case ARDUPILOT_REST:
                break;
        }
}

static bool same_target(const struct setpoint *a, const struct setpoint *b)
{
        return a->pos_ned_m.x == b->pos_ned_m.x && a->pos_ned_m.y == b->pos_ned_m.y &&
               a->pos_ned_m.z == b->pos_ned_m.z && a->yaw_rad == b->yaw_rad;
}

/* It was armed, or armed in the mode that was wanted, and is not any more. Before that it changes modes as it starts,
 * by the switch of a transmitter that is not there. Who flies by sticks changes modes by a switch. */
static bool goes_own_way(struct codec_ardupilot *a)
{
        struct ardupilot_pilot *p = &a->pilot;
        const struct ardupilot_status *s = &a->status;
        enum flight_mode wish = a->input.setpoint.mode;
        bool lands = wish == MODE_LAND;
        bool there = s->mode == (lands                  ? ARDUPILOT_MODE_LAND
                                 : wish == MODE_MISSION ? ARDUPILOT_MODE_AUTO
                                                        : ARDUPILOT_MODE_GUIDED);

        if (wish != p->wish)
                p->was_armed = p->was_there = p->own_way = false;
        p->wish = wish;
        p->own_way |= (p->was_armed && !s->armed) ||
                      (p->was_there && !there && (lands || !a->sticks));
        p->was_armed |= s->armed;
        p->was_there |= there && s->armed;
        return p->own_way && wish != MODE_DISARMED;
}

/* A target is told once: no fail-safe lets it be forgotten. */
static void follow(struct codec_ardupilot *a, int64_t t_ns, struct packets *out)
{
        struct ardupilot_pilot *p = &a->pilot;
        enum ardupilot_step step = goes_own_way(a) ? ARDUPILOT_REST : next_step(a);
        bool other = step != p->step ||
                     (step == ARDUPILOT_GO && !same_target(&p->told, &a->input.setpoint));

        if (!other && (t_ns < p->repeat_ns || step == ARDUPILOT_GO))
                return;
        p->step = step;
        p->repeat_ns = t_ns + REPEAT_NS;
        take_step(a, out);
}

static void ask_for_param(struct codec_ardupilot *a, int which, struct packets *out)
{
        char name[ARDUPILOT_PARAM_NAME];
        struct mavlink_param_request_read m = { .param_index = -1,
                                                .target_system = a->status.system,
                                                .target_component = a->status.component };

        if (!codec_ardupilot_param_missing(a, which, name))
                return;
        memcpy(m.param_id, name, strnlen(name, sizeof m.param_id));
        say(a, MAVLINK_PARAM_REQUEST_READ, &m, out);
}

/* One thing at a time that is not known yet; a second later again. */
static void ask(struct codec_ardupilot *a, struct packets *out)
{
        struct ardupilot_status *s = &a->status;
        int params = codec_ardupilot_params(a);
        int rates = a->shipped ? ARDUPILOT_RATES : ARDUPILOT_RATES - 1;
        int what = a->pilot.asking++ % (rates + params + 1);

        if (what < rates) {
                struct mavlink_command_long m;

                if (mavlink_rates_ask(&s->rates, codec_ardupilot_rates, what, &m))
                        command(a, m.command, m.param1, m.param2, 0, out);
                return;
        }
        what -= rates;
        if (what == params && !s->named)
                command(a, CMD_REQUEST_MESSAGE, MAVLINK_AUTOPILOT_VERSION, 0, 0, out);
        if (what < params)
                ask_for_param(a, what, out);
}

static void greet(struct codec_ardupilot *a, int64_t t_ns, struct packets *out)
{
        struct mavlink_heartbeat m = { .type = MAV_TYPE_GCS,
                                       .autopilot = MAV_AUTOPILOT_NONE,
                                       .system_status = MAV_STATE_ACTIVE,
                                       .mavlink_version = 3 };

        if (t_ns < a->pilot.greet_ns)
                return;
        a->pilot.greet_ns = t_ns + REPEAT_NS;
        say(a, MAVLINK_HEARTBEAT, &m, out);
}

/* As soon as it has said what it can do and knows its attitude: before that it has no room for items. */
static void give_mission(struct codec_ardupilot *a, int64_t t_ns, struct packets *out)
{
        struct mavlink_mission_rules rules = mavlink_mission_ardupilot;
        struct mavlink_mission_words words;

        if (a->setup.mission != NULL && a->mission.plan == NULL && a->status.named &&
            (a->status.ekf_flags & 1)) {
                rules.capabilities = a->status.capabilities;
                mavlink_mission_begin(&a->mission, a->setup.mission, &rules,
                                      a->status.system, a->status.component, &a->sender);
        }
        if (mavlink_mission_poll(&a->mission, t_ns, &words))
                say(a, words.id, &words.as, out);
}

void codec_ardupilot_fly(struct codec_ardupilot *a, int64_t t_ns, struct packets *out)
{
        struct ardupilot_pilot *p = &a->pilot;

        if (a->status.heard)
                give_mission(a, t_ns, out);
        if (!a->status.heard || (p->begun && t_ns < p->next_ns))
                return;
        p->begun = true;
        p->next_ns = t_ns + LOOK_NS;
        greet(a, t_ns, out);
        ask(a, out);
        if (a->have_input)
                follow(a, t_ns, out);
        assert(out->count < CODEC_PACKETS_MAX);
}

void codec_ardupilot_disarm(struct codec_ardupilot *a, struct packets *out)
{
        command(a, CMD_ARM, 0, FORCE, 0, out);
        a->status.arming = false;
}
