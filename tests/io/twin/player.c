/* Each player and the source that understands it, over this machine's loopback: what is said is what is heard. */
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/twin/player.h"
#include "tests/suites.h"

#define MS         INT64_C(1000000)
#define ROUNDS_MAX 20000 /* of both ends; each gives the kernel time */

/* One that was free a moment ago. */
static int free_port(int type)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t len = sizeof at;
        int fd = socket(AF_INET, type, 0);

        ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
        close(fd);
        return ntohs(at.sin_port);
}

static const struct {
        const char *name, *player, *source, *aircraft;
        int type;
        double m, mps, rad; /* how well its protocol can say it */
} kinds[] = {
        { "mavlink", "udp:127.0.0.1:%d", "udp-listen:127.0.0.1:%d", "7", SOCK_DGRAM, 1e-6,
          1e-6, 1e-6 },
        { "natnet", "udp-listen:127.0.0.1:%d", "udp:127.0.0.1:%d", "Kite", SOCK_DGRAM,
          1e-6, 0.0, 1e-6 },
        { "vrpn", "tcp-listen:127.0.0.1:%d", "tcp:127.0.0.1:%d", "Kite", SOCK_STREAM,
          1e-15, 1e-15, 1e-12 },
        { "ivy", "127.255.255.255:%d", "127.255.255.255:%d", "7", SOCK_DGRAM, 0.002, 2e-6,
          2e-4 },
};

struct pair {
        struct twin_player *player;
        struct twin_source *source;
        int64_t now_ns;
};

static void open_pair(struct pair *p, int kind)
{
        char at[2][64];
        struct link_error why;
        struct twin_setup setup = { .where = at[1], .aircraft = kinds[kind].aircraft };
        int port = free_port(kinds[kind].type);

        snprintf(at[0], sizeof at[0], kinds[kind].player, port);
        snprintf(at[1], sizeof at[1], kinds[kind].source, port);
        p->now_ns = 0;
        p->player = twin_player_open(kinds[kind].name, at[0], kinds[kind].aircraft, &why);
        ck_assert_msg(p->player != NULL, "%s", why.text);
        p->source = twin_source_open(kinds[kind].name, &setup, &why);
        ck_assert_msg(p->source != NULL, "%s", why.text);
}

/* Adds up what is heard until all of `wanted` has been. */
static struct twin_word hear_until(struct pair *p, uint32_t wanted)
{
        struct twin_word sum = { .said = 0 }, word;

        for (int i = 0; i < ROUNDS_MAX && (sum.said & wanted) != wanted; i++) {
                p->now_ns += MS;
                p->player->ops->serve(p->player, p->now_ns);
                while (p->source->ops->take(p->source, p->now_ns, &word)) {
                        sum.said |= word.said;
                        if (word.said & TWIN_POSITION)
                                sum.pos_ned_m = word.pos_ned_m;
                        if (word.said & TWIN_VELOCITY)
                                sum.vel_ned_mps = word.vel_ned_mps;
                        if (word.said & TWIN_ATTITUDE)
                                sum.q_body_to_ned = word.q_body_to_ned;
                }
                usleep(100);
        }
        ck_assert_uint_eq(sum.said & wanted, wanted);
        return sum;
}

static void meet(struct pair *p)
{
        struct twin_word word;

        for (int i = 0; i < ROUNDS_MAX && !p->player->heard; i++) {
                p->now_ns += MS;
                p->source->ops->take(p->source, p->now_ns, &word);
                p->player->ops->serve(p->player, p->now_ns);
                usleep(100);
        }
        ck_assert(p->player->heard);
}

static double apart(struct vec3 a, struct vec3 b)
{
        return vec3_norm(vec3_sub(a, b));
}

/* rad */
static double turn_between(struct quat a, struct quat b)
{
        double dot = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);

        return 2.0 * acos(dot < 1.0 ? dot : 1.0);
}

TEST_EACH(what_is_said_is_what_is_heard, sizeof kinds / sizeof kinds[0])
{
        struct twin_word said = {
                .said = TWIN_POSITION | TWIN_VELOCITY | TWIN_ATTITUDE | TWIN_TIME,
                .measured_ns = INT64_C(12345678000),
                .pos_ned_m = { 12.5, -3.25, -40.125 },
                .vel_ned_mps = { 1.5, 2.5, -0.5 },
                .q_body_to_ned = quat_from_euler(0.1, -0.2, 2.5),
        };
        uint32_t wanted = TWIN_POSITION | TWIN_ATTITUDE;
        struct twin_word heard;
        struct pair p;

        if (kinds[_i].mps > 0.0)
                wanted |= TWIN_VELOCITY;
        open_pair(&p, _i);
        meet(&p);
        /* A stranger's words are heard once it is known who the aircraft is. */
        for (int i = 0; i < 3000 && p.source->counts.words == 0; i++) {
                struct twin_word word;

                p.now_ns += MS;
                twin_player_say(p.player, &said);
                p.player->ops->serve(p.player, p.now_ns);
                p.source->ops->take(p.source, p.now_ns, &word);
                usleep(100);
        }
        twin_player_say(p.player, &said);
        heard = hear_until(&p, wanted);
        ck_assert_double_le(apart(heard.pos_ned_m, said.pos_ned_m), kinds[_i].m);
        if (kinds[_i].mps > 0.0)
                ck_assert_double_le(apart(heard.vel_ned_mps, said.vel_ned_mps),
                                    kinds[_i].mps);
        ck_assert_double_le(turn_between(heard.q_body_to_ned, said.q_body_to_ned),
                            kinds[_i].rad);
        ck_assert_uint_eq(p.source->counts.errors, 0);
        p.source->ops->close(p.source);
        p.player->ops->close(p.player);
}

TEST(what_cannot_be_played_is_refused)
{
        struct link_error why;

        ck_assert_ptr_null(twin_player_open("telepathy", NULL, NULL, &why));
        ck_assert_str_eq(
                why.text,
                "\"telepathy\" cannot be played; ivy, mavlink, natnet, vrpn can");
        ck_assert_ptr_null(twin_player_open("mavlink", "udp:127.0.0.1:9", "255", &why));
        ck_assert_str_eq(why.text, "aircraft: must be a system id, 1 to 254, is \"255\"");
        ck_assert_ptr_null(twin_player_open("vrpn", "udp:127.0.0.1:9", NULL, &why));
        ck_assert_str_eq(why.text, "udp:127.0.0.1:9: must be tcp-listen:HOST:PORT");
}
