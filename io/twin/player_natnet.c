/* Plays a flight as Motive 3 tells it in unicast, NatNet 4.0: one rigid body, y up. */
#include <stdio.h>
#include <stdlib.h>

#include "io/le.h"
#include "io/twin/mocap.h"
#include "io/twin/natnet_packet.h"
#include "io/twin/player.h"

#define BODY_ID      1
#define REQUESTS_MAX 16 /* a call */
#define SERVER_NAME  256

struct player_natnet {
        struct twin_player player;
        struct link *link;
        char body[64];
        int32_t frame;
        size_t len;
        uint8_t packet[1000];
};

static struct twin_player *open_natnet(const char *where, const char *aircraft,
                                       struct link_error *why)
{
        struct player_natnet *p = calloc(1, sizeof *p);
        struct link_spec spec;

        if (p == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        snprintf(p->body, sizeof p->body, "%s", aircraft);
        if (link_spec_parse(&spec, where, why)) {
                if (spec.kind == LINK_UDP_LISTEN)
                        p->link = link_open(&spec, why);
                else
                        snprintf(why->text, sizeof why->text,
                                 "%.100s: must be udp-listen:HOST:PORT", where);
        }
        if (p->link != NULL)
                return &p->player;
        free(p);
        return NULL;
}

static void put_bytes(struct player_natnet *p, const void *bytes, size_t len)
{
        memcpy(p->packet + p->len, bytes, len);
        p->len += len;
}

static void put_zeros(struct player_natnet *p, size_t len)
{
        memset(p->packet + p->len, 0, len);
        p->len += len;
}

static void put_int(struct player_natnet *p, int32_t value)
{
        le_put_u32(p->packet + p->len, (uint32_t)value);
        p->len += 4;
}

static void put_floats(struct player_natnet *p, const double *values, int count)
{
        for (int i = 0; i < count; i++, p->len += 4)
                le_put_f32(p->packet + p->len, (float)values[i]);
}

static void begin(struct player_natnet *p, enum natnet_message message)
{
        le_put_u16(p->packet, (uint16_t)message);
        p->len = NATNET_HEAD;
}

static bool end(struct player_natnet *p)
{
        le_put_u16(p->packet + 2, (uint16_t)(p->len - NATNET_HEAD));
        return link_write(p->link, p->packet, p->len) == (int)p->len;
}

static void say_server(struct player_natnet *p)
{
        static const uint8_t versions[] = { 3, 0, 0, 0, 4, 0, 0, 0 };
        static const char name[] = "hilrig twin play";
        uint8_t hz[8];

        begin(p, NATNET_SERVER_INFO);
        put_bytes(p, name, sizeof name);
        put_zeros(p, SERVER_NAME - sizeof name);
        put_bytes(p, versions, sizeof versions);
        le_put_u64(hz, 1000000000);
        put_bytes(p, hz, sizeof hz);
        end(p);
}

static void say_models(struct player_natnet *p)
{
        begin(p, NATNET_MODELS);
        put_int(p, 1);
        put_int(p, 1); /* a rigid body */
        put_bytes(p, p->body, strlen(p->body) + 1);
        put_int(p, BODY_ID);
        put_int(p, -1);
        put_zeros(p, 12); /* offset from its parent */
        put_int(p, 0); /* markers */
        end(p);
}

static void serve_natnet(struct twin_player *player, int64_t now_ns)
{
        struct player_natnet *p = (struct player_natnet *)player;
        uint8_t asked[NATNET_HEAD + NATNET_CONNECT_LEN];

        link_at(p->link, now_ns);
        for (int i = 0; i < REQUESTS_MAX; i++) {
                int got = link_read(p->link, asked, sizeof asked);

                if (got < NATNET_HEAD)
                        return;
                switch (le_get_u16(asked)) {
                case NATNET_CONNECT:
                        link_confirm(p->link);
                        player->heard = true;
                        say_server(p);
                        break;
                case NATNET_REQUEST_MODELS:
                        say_models(p);
                        break;
                default:
                        break;
                }
        }
}

static void say_natnet(struct twin_player *player, uint32_t now,
                       const struct twin_word *s)
{
        struct player_natnet *p = (struct player_natnet *)player;
        static const uint8_t tracked[] = { 1, 0 };
        double pose[8] = { 0.0 };
        uint8_t ticks[8];

        if (!player->heard || (now & (TWIN_POSITION | TWIN_ATTITUDE)) == 0)
                return;
        mocap_from_ned(MOCAP_Y_UP, s->pos_ned_m, pose);
        mocap_quat_from_ned(MOCAP_Y_UP, s->q_body_to_ned, pose + 3);
        begin(p, NATNET_FRAME);
        put_int(p, ++p->frame);
        put_int(p, 0); /* marker sets */
        put_int(p, 0); /* other markers */
        put_int(p, 1);
        put_int(p, BODY_ID);
        put_floats(p, pose, 8);
        put_bytes(p, tracked, sizeof tracked);
        put_zeros(p, 4 * 4); /* skeletons, labeled markers, force plates, devices */
        put_zeros(p, 8 + 8); /* time code, software's time */
        le_put_u64(ticks, (uint64_t)s->measured_ns);
        put_bytes(p, ticks, sizeof ticks);
        put_zeros(p, 16 + 2 + 4); /* other times, parameters, end */
        if (end(p))
                player->said++;
        else
                player->dropped++;
}

static void close_natnet(struct twin_player *player)
{
        struct player_natnet *p = (struct player_natnet *)player;

        link_close(p->link);
        free(p);
}

const struct twin_player_ops twin_player_natnet = {
        .name = "natnet",
        .where = "udp-listen:127.0.0.1:1510",
        .aircraft = "Drone",
        .open = open_natnet,
        .serve = serve_natnet,
        .say = say_natnet,
        .close = close_natnet,
};
