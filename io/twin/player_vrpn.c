/* Plays a flight as a VRPN server's tracker: its pose and its velocity, over TCP, z up. */
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/mocap.h"
#include "io/twin/player.h"
#include "io/twin/vrpn_message.h"

enum { SENDER = 0, TYPE_POSE = 0, TYPE_VELOCITY = 1 };

struct player_vrpn {
        struct twin_player player;
        struct link *link;
        char tracker[100];
};

static struct twin_player *open_vrpn(const char *where, const char *aircraft,
                                     struct link_error *why)
{
        struct player_vrpn *p = calloc(1, sizeof *p);
        struct link_spec spec;

        if (p == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        snprintf(p->tracker, sizeof p->tracker, "%s", aircraft);
        if (link_spec_parse(&spec, where, why)) {
                if (spec.kind == LINK_TCP_LISTEN)
                        p->link = link_open(&spec, why);
                else
                        snprintf(why->text, sizeof why->text,
                                 "%.100s: must be tcp-listen:HOST:PORT", where);
        }
        if (p->link != NULL)
                return &p->player;
        free(p);
        return NULL;
}

static bool write_all(struct player_vrpn *p, const uint8_t *bytes, size_t len)
{
        return link_write(p->link, bytes, len) == (int)len;
}

static void say_name(struct player_vrpn *p, int32_t type, int32_t number,
                     const char *name)
{
        uint8_t bytes[VRPN_PACKET_MAX];

        write_all(p, bytes, vrpn_write_name(bytes, type, number, name));
}

/* What the client says first is its cookie; what it says later is of no concern to a tracker. */
static void serve_vrpn(struct twin_player *player, int64_t now_ns)
{
        struct player_vrpn *p = (struct player_vrpn *)player;
        uint8_t bytes[VRPN_COOKIE_LEN + 1000];
        int got;

        link_at(p->link, now_ns);
        got = link_read(p->link, bytes, sizeof bytes);
        if (got < VRPN_COOKIE_LEN || memcmp(bytes, "vrpn: ver. 07.", 14) != 0)
                return;
        link_confirm(p->link);
        player->heard = true;
        vrpn_write_cookie(bytes);
        write_all(p, bytes, VRPN_COOKIE_LEN);
        say_name(p, VRPN_SENDER, SENDER, p->tracker);
        say_name(p, VRPN_TYPE, TYPE_POSE, "vrpn_Tracker Pos_Quat");
        say_name(p, VRPN_TYPE, TYPE_VELOCITY, "vrpn_Tracker Velocity");
}

static void say_doubles(struct player_vrpn *p, int64_t t_ns, int32_t type,
                        const double *values, int count)
{
        uint8_t bytes[VRPN_PACKET_MAX];
        size_t len = vrpn_write_doubles(bytes, t_ns, SENDER, type, values, count);

        if (write_all(p, bytes, len))
                p->player.said++;
        else
                p->player.dropped++;
}

static void say_vrpn(struct twin_player *player, uint32_t now, const struct twin_word *s)
{
        struct player_vrpn *p = (struct player_vrpn *)player;
        double pose[7], velocity[8] = { [6] = 1.0 };

        if (!player->heard)
                return;
        if (now & (TWIN_POSITION | TWIN_ATTITUDE)) {
                mocap_from_ned(MOCAP_Z_UP, s->pos_ned_m, pose);
                mocap_quat_from_ned(MOCAP_Z_UP, s->q_body_to_ned, pose + 3);
                say_doubles(p, s->measured_ns, TYPE_POSE, pose, 7);
        }
        if (now & TWIN_VELOCITY) {
                mocap_from_ned(MOCAP_Z_UP, s->vel_ned_mps, velocity);
                say_doubles(p, s->measured_ns, TYPE_VELOCITY, velocity, 8);
        }
}

static void close_vrpn(struct twin_player *player)
{
        struct player_vrpn *p = (struct player_vrpn *)player;

        link_close(p->link);
        free(p);
}

const struct twin_player_ops twin_player_vrpn = {
        .name = "vrpn",
        .where = "tcp-listen:127.0.0.1:3883",
        .aircraft = "Drone",
        .open = open_vrpn,
        .serve = serve_vrpn,
        .say = say_vrpn,
        .close = close_vrpn,
};
