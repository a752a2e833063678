/* Plays a flight as an autopilot would tell it over MAVLink 2. */
#include <stdio.h>
#include <stdlib.h>

#include "io/codec/mavlink_messages.h"
#include "io/codec/mavlink_values.h"
#include "io/twin/player.h"

#define SECOND_NS INT64_C(1000000000)
#define READS_MAX 16 /* a call */

struct player_mavlink {
        struct twin_player player;
        struct link *link;
        struct mavlink_sender sender;
        struct mavlink_stream stream;
        int64_t alive_ns;
};

static struct twin_player *open_mavlink(const char *where, const char *aircraft,
                                        struct link_error *why)
{
        struct player_mavlink *p = calloc(1, sizeof *p);
        struct link_spec spec;
        char *end;
        long id = strtol(aircraft, &end, 10);

        if (p == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        if (id < 1 || id > 254 || *end != '\0')
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be a system id, 1 to 254, is \"%.40s\"",
                         aircraft);
        else if (link_spec_parse(&spec, where, why))
                p->link = link_open(&spec, why);
        if (p->link == NULL) {
                free(p);
                return NULL;
        }
        p->sender = (struct mavlink_sender){ 2, (uint8_t)id, MAV_COMP_ID_AUTOPILOT1, 0 };
        p->alive_ns = INT64_MIN / 2;
        return &p->player;
}

static bool send_message(struct player_mavlink *p, uint32_t id, const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&p->sender, id, values, bytes);

        return link_write(p->link, bytes, len) == (int)len;
}

static void send_word(struct player_mavlink *p, uint32_t id, const void *values)
{
        if (send_message(p, id, values))
                p->player.said++;
        else
                p->player.dropped++;
}

static void serve_mavlink(struct twin_player *player, int64_t now_ns)
{
        struct player_mavlink *p = (struct player_mavlink *)player;
        uint8_t bytes[2048];
        int got;

        link_at(p->link, now_ns);
        for (int i = 0; i < READS_MAX; i++) {
                got = link_read(p->link, bytes, sizeof bytes);
                if (got <= 0)
                        break;
                for (size_t at = 0; at < (size_t)got;) {
                        struct mavlink_frame frame;
                        bool is;

                        at += mavlink_stream_take(&p->stream, bytes + at,
                                                  (size_t)got - at, &frame, &is);
                        if (!is)
                                continue;
                        link_confirm(p->link);
                        player->heard = true;
                        player->told += frame.id != MAVLINK_HEARTBEAT &&
                                        frame.id != MAVLINK_COMMAND_LONG;
                }
        }
        if (now_ns - p->alive_ns < SECOND_NS)
                return;
        p->alive_ns = now_ns;
        send_message(p, MAVLINK_HEARTBEAT,
                     &(struct mavlink_heartbeat){ .type = MAV_TYPE_QUADROTOR,
                                                  .mavlink_version = 3 });
}

static void say_mavlink(struct twin_player *player, uint32_t now,
                        const struct twin_word *s)
{
        struct player_mavlink *p = (struct player_mavlink *)player;
        uint32_t boot_ms = (uint32_t)(s->measured_ns / 1000000);

        if (now & TWIN_POSITION) {
                struct mavlink_local_position_ned m = {
                        .time_boot_ms = boot_ms,
                        .x = (float)s->pos_ned_m.x,
                        .y = (float)s->pos_ned_m.y,
                        .z = (float)s->pos_ned_m.z,
                        .vx = (float)s->vel_ned_mps.x,
                        .vy = (float)s->vel_ned_mps.y,
                        .vz = (float)s->vel_ned_mps.z,
                };

                send_word(p, MAVLINK_LOCAL_POSITION_NED, &m);
        }
        if (now & TWIN_ATTITUDE) {
                struct mavlink_attitude_quaternion m = {
                        .time_boot_ms = boot_ms,
                        .q1 = (float)s->q_body_to_ned.w,
                        .q2 = (float)s->q_body_to_ned.x,
                        .q3 = (float)s->q_body_to_ned.y,
                        .q4 = (float)s->q_body_to_ned.z,
                        .rollspeed = (float)s->rate_body_radps.x,
                        .pitchspeed = (float)s->rate_body_radps.y,
                        .yawspeed = (float)s->rate_body_radps.z,
                };

                send_word(p, MAVLINK_ATTITUDE_QUATERNION, &m);
        }
        if (now & TWIN_THROTTLE) {
                struct mavlink_vfr_hud m = {
                        .throttle = (uint16_t)(100.0 * s->throttle_ratio + 0.5),
                };

                send_word(p, MAVLINK_VFR_HUD, &m);
        }
}

static void close_mavlink(struct twin_player *player)
{
        struct player_mavlink *p = (struct player_mavlink *)player;

        link_close(p->link);
        free(p);
}

const struct twin_player_ops twin_player_mavlink = {
        .name = "mavlink",
        .where = "udp:127.0.0.1:14550",
        .aircraft = "1",
        .open = open_mavlink,
        .serve = serve_mavlink,
        .say = say_mavlink,
        .close = close_mavlink,
};
