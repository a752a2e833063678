/* NatNet against packets put together by the layout of NaturalPoint's SDK, versions 3.0, 4.0 and 4.1, and a conversation
 * with a server on loopback. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/le.h"
#include "io/twin/mocap.h"
#include "io/twin/natnet_packet.h"
#include "io/twin/source.h"

#include "tests/suites.h"

struct body {
        uint8_t bytes[4096];
        size_t len;
};

static void add(struct body *p, const void *bytes, size_t len)
{
        ck_assert_uint_le(p->len + len, sizeof p->bytes);
        memcpy(p->bytes + p->len, bytes, len);
        p->len += len;
}

static void add_int(struct body *p, int32_t value)
{
        uint8_t b[4];

        le_put_u32(b, (uint32_t)value);
        add(p, b, 4);
}

static void add_floats(struct body *p, const float *value, int count)
{
        for (int i = 0; i < count; i++) {
                uint8_t b[4];

                le_put_f32(b, value[i]);
                add(p, b, 4);
        }
}

static bool has_sizes(struct natnet_version v)
{
        return v.major == 4 && v.minor > 0;
}

/* A count, and from 4.1 on the size of what follows it, which add_size() puts. */
static size_t add_count(struct body *p, struct natnet_version v, int32_t count)
{
        add_int(p, count);
        if (has_sizes(v))
                add_int(p, 0);
        return p->len;
}

static void add_size(struct body *p, struct natnet_version v, size_t begin)
{
        if (has_sizes(v))
                le_put_u32(p->bytes + begin - 4, (uint32_t)(p->len - begin));
}

static void add_body(struct body *p, int32_t id, const float pose[7], bool tracked)
{
        add_int(p, id);
        add_floats(p, pose, 7);
        add_floats(p, (float[]){ 0.001F }, 1);
        add(p, (uint8_t[]){ tracked, 0 }, 2);
}

static const float wall[7] = { 9, 9, 9, 0, 0, 0, 1 };
/* A quarter turn about y, which is up, counter-clockwise seen from above. */
static const float drone[7] = { 1, 2, 3, 0, 0.70710678F, 0, 0.70710678F };

/* Something in every section. */
static void add_frame(struct body *p, struct natnet_version v, bool tracked)
{
        uint8_t times[50] = { 0 };
        size_t begin;

        add_int(p, 1234);
        begin = add_count(p, v, 1);
        add(p, "all", 4);
        add_int(p, 1);
        add_floats(p, (float[]){ 1, 2, 3 }, 3);
        add_size(p, v, begin);
        begin = add_count(p, v, 1);
        add_floats(p, (float[]){ 4, 5, 6 }, 3);
        add_size(p, v, begin);
        begin = add_count(p, v, 2);
        add_body(p, 7, wall, true);
        add_body(p, 42, drone, tracked);
        add_size(p, v, begin);
        begin = add_count(p, v, 1);
        add_int(p, 3);
        add_int(p, 1);
        add_body(p, 42, wall, true); /* a bone may have the same number */
        add_size(p, v, begin);
        if (has_sizes(v))
                add_size(p, v, add_count(p, v, 0));
        begin = add_count(p, v, 1);
        add(p, times, 26);
        add_size(p, v, begin);
        for (int i = 0; i < 2; i++) {
                begin = add_count(p, v, 1);
                add_int(p, 5);
                add_int(p, 1);
                add_int(p, 2);
                add_floats(p, (float[]){ 7, 8 }, 2);
                add_size(p, v, begin);
        }
        le_put_f64(times + 8, 12.5);
        le_put_u64(times + 16, 50000000);
        add(p, times, sizeof times);
}

static void add_models(struct body *p, struct natnet_version v)
{
        static const char *const names[] = { "Wall", "Drone" };
        static const int32_t ids[] = { 7, 42 };
        size_t begin;

        add_int(p, 3);
        begin = add_count(p, v, 0); /* a marker set */
        add(p, "all", 4);
        add_int(p, 1);
        add(p, "m", 2);
        add_size(p, v, begin);
        for (int i = 0; i < 2; i++) {
                begin = add_count(p, v, 1);
                add(p, names[i], strlen(names[i]) + 1);
                add_int(p, ids[i]);
                add_int(p, -1);
                add_floats(p, (float[]){ 0, 0, 0 }, 3);
                if (v.major == 4 && v.minor > 1) /* and which way it points */
                        add_floats(p, (float[]){ 0.5F, 0.5F, 0.5F, 0.5F }, 4);
                add_int(p, 1);
                add_floats(p, (float[]){ 1, 2, 3 }, 3);
                add_int(p, 1);
                if (v.major >= 4)
                        add(p, "m", 2);
                add_size(p, v, begin);
        }
}

static const struct natnet_version versions[] = {
        { 3, 0 }, { 3, 1 }, { 4, 0 }, { 4, 1 }, { 4, 2 }
};
#define VERSIONS (sizeof versions / sizeof versions[0])

TEST(frame_of_each_version_has_the_body)
{
        for (size_t i = 0; i < VERSIONS; i++) {
                struct body p = { .len = 0 };
                struct natnet_frame f;

                add_frame(&p, versions[i], true);
                ck_assert(natnet_read_frame(p.bytes, p.len, versions[i], 42, &f));
                ck_assert_int_eq(f.number, 1234);
                ck_assert(f.found && f.tracked && f.timed);
                ck_assert_int_eq(f.bodies, 2);
                ck_assert_double_eq(f.position[2], 3.0);
                ck_assert_double_eq_tol(f.orientation[1], 0.70710678, 1e-7);
                ck_assert_double_eq(f.software_s, 12.5);
                ck_assert_uint_eq(f.exposure_ticks, 50000000);
                ck_assert(natnet_read_frame(p.bytes, p.len, versions[i], 8, &f));
                ck_assert(!f.found);
        }
}

TEST(frame_cut_anywhere_is_malformed)
{
        for (size_t i = 0; i < VERSIONS; i++) {
                struct body p = { .len = 0 };
                struct natnet_frame f;

                add_frame(&p, versions[i], true);
                /* The last 26 bytes are not needed. */
                for (size_t len = 0; len < p.len - 26; len++)
                        ck_assert(!natnet_read_frame(p.bytes, len, versions[i], 42, &f));
        }
}

TEST(body_is_found_by_its_name)
{
        for (size_t i = 0; i < VERSIONS; i++) {
                struct body p = { .len = 0 };
                int32_t id = -1;

                add_models(&p, versions[i]);
                ck_assert_int_eq(
                        natnet_find_body(p.bytes, p.len, versions[i], "Drone", &id),
                        NATNET_FOUND);
                ck_assert_int_eq(id, 42);
                ck_assert_int_eq(
                        natnet_find_body(p.bytes, p.len, versions[i], "Dron", &id),
                        NATNET_ABSENT);
                ck_assert_int_eq(
                        natnet_find_body(p.bytes, p.len - 30, versions[i], "Dron", &id),
                        NATNET_MALFORMED);
        }
}

/* The server's end of a conversation. */
struct server {
        int fd;
        struct sockaddr_in client;
        char where[64];
};

/* A socket of its own at that address of the loopback. */
static int open_at(uint32_t host, struct sockaddr_in *at)
{
        socklen_t len = sizeof *at;
        int fd = socket(AF_INET, SOCK_DGRAM, 0);

        *at = (struct sockaddr_in){ .sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(host) };
        ck_assert_int_eq(bind(fd, (struct sockaddr *)at, sizeof *at), 0);
        getsockname(fd, (struct sockaddr *)at, &len);
        return fd;
}

static void server_open(struct server *s)
{
        struct sockaddr_in at;

        s->fd = open_at(INADDR_LOOPBACK, &at);
        snprintf(s->where, sizeof s->where, "udp:127.0.0.1:%d", ntohs(at.sin_port));
}

/* What the client asks next. */
static int server_hear(struct server *s)
{
        uint8_t bytes[512] = { 0 };
        socklen_t len = sizeof s->client;
        ssize_t got = recvfrom(s->fd, bytes, sizeof bytes, MSG_DONTWAIT,
                               (struct sockaddr *)&s->client, &len);

        if (got < NATNET_HEAD)
                return -1;
        ck_assert_int_eq(got - NATNET_HEAD, le_get_u16(bytes + 2));
        return le_get_u16(bytes);
}

static void server_say(const struct server *s, int message, const struct body *body)
{
        uint8_t bytes[4100];

        le_put_u16(bytes, (uint16_t)message);
        le_put_u16(bytes + 2, (uint16_t)body->len);
        memcpy(bytes + 4, body->bytes, body->len);
        ck_assert_int_eq(sendto(s->fd, bytes, body->len + 4, 0,
                                (const struct sockaddr *)&s->client, sizeof s->client),
                         (ssize_t)body->len + 4);
}

static void make_info(struct body *p, struct natnet_version v)
{
        *p = (struct body){ .len = 279 };
        memcpy(p->bytes, "Motive", 6);
        p->bytes[260] = (uint8_t)v.major;
        p->bytes[261] = (uint8_t)v.minor;
        le_put_u64(p->bytes + 264, 10000000);
}

TEST(client_says_hello_asks_for_the_body_and_keeps_alive)
{
        struct twin_setup setup = { .aircraft = "Drone" };
        struct link_error why = { "" };
        struct twin_source *source;
        struct body p;
        struct server s;
        struct twin_word word;
        int64_t now_ns = 1000000000;

        server_open(&s);
        setup.where = s.where;
        source = twin_natnet_open(&setup, &why);
        ck_assert_msg(source != NULL, "%s", why.text);
        ck_assert(!source->ops->take(source, now_ns, &word));
        ck_assert_int_eq(server_hear(&s), NATNET_CONNECT);
        ck_assert_int_eq(server_hear(&s), -1);
        /* A frame before its version is known cannot be read. */
        p.len = 0;
        add_frame(&p, versions[3], true);
        server_say(&s, NATNET_FRAME, &p);
        ck_assert(!source->ops->take(source, now_ns, &word));
        ck_assert_uint_eq(source->counts.overheard, 1);
        make_info(&p, versions[3]);
        server_say(&s, NATNET_SERVER_INFO, &p);
        ck_assert(!source->ops->take(source, now_ns, &word));
        ck_assert_int_eq(server_hear(&s), NATNET_REQUEST_MODELS);
        p.len = 0;
        add_models(&p, versions[3]);
        server_say(&s, NATNET_MODELS, &p);
        p.len = 0;
        add_frame(&p, versions[3], true);
        server_say(&s, NATNET_FRAME, &p);
        ck_assert(source->ops->take(source, now_ns, &word));
        ck_assert_uint_eq(word.said, TWIN_POSITION | TWIN_ATTITUDE | TWIN_TIME);
        ck_assert_int_eq(word.arrived_ns, now_ns);
        ck_assert_int_eq(word.measured_ns, 5000000000);
        ck_assert_double_eq(word.pos_ned_m.x, 1.0);
        ck_assert_double_eq(word.pos_ned_m.y, 3.0);
        ck_assert_double_eq(word.pos_ned_m.z, -2.0);
        ck_assert_double_eq_tol(DEG_PER_RAD * quat_to_euler(word.q_body_to_ned).z, -90.0,
                                1e-4);
        /* Lost from sight: no word. */
        p.len = 0;
        add_frame(&p, versions[3], false);
        server_say(&s, NATNET_FRAME, &p);
        ck_assert(!source->ops->take(source, now_ns + 600000000, &word));
        ck_assert_int_eq(server_hear(&s), NATNET_KEEP_ALIVE);
        ck_assert_uint_eq(source->counts.words, 1);
        ck_assert_uint_eq(source->counts.errors, 0);
        p.len = 20;
        server_say(&s, NATNET_FRAME, &p);
        ck_assert(!source->ops->take(source, now_ns + 600000000, &word));
        ck_assert_uint_eq(source->counts.errors, 1);
        source->ops->close(source);
        close(s.fd);
}

/* Another system in the same network, whose body has the same number. */
TEST(frames_at_a_port_of_their_own_count_from_the_host_alone)
{
        struct twin_setup setup = { .aircraft = "42" };
        struct link_error why = { "" };
        struct twin_source *source;
        struct sockaddr_in data, at;
        struct server s, other;
        struct twin_word word;
        struct body p;
        char where[100];

        server_open(&s);
        close(open_at(INADDR_LOOPBACK, &data));
        snprintf(where, sizeof where, "%s data=%d", s.where, ntohs(data.sin_port));
        setup.where = where;
        source = twin_natnet_open(&setup, &why);
        ck_assert_msg(source != NULL, "%s", why.text);
        source->ops->take(source, 1, &word);
        ck_assert_int_eq(server_hear(&s), NATNET_CONNECT);
        make_info(&p, versions[3]);
        server_say(&s, NATNET_SERVER_INFO, &p);
        source->ops->take(source, 1, &word);
        p.len = 0;
        add_frame(&p, versions[3], true);
        other = (struct server){ .fd = open_at(INADDR_LOOPBACK + 1, &at),
                                 .client = data };
        server_say(&other, NATNET_FRAME, &p);
        ck_assert(!source->ops->take(source, 1, &word));
        ck_assert_uint_eq(source->counts.words, 0);
        ck_assert_uint_eq(source->counts.overheard, 1);
        s.client = data;
        server_say(&s, NATNET_FRAME, &p);
        ck_assert(source->ops->take(source, 1, &word));
        source->ops->close(source);
        close(s.fd);
        close(other.fd);
}

TEST(wrong_places_are_refused_by_what_they_should_be)
{
        static const char *const wrong[][2] = {
                { "tcp:127.0.0.1:1510", "must be udp:HOST:PORT" },
                { "udp:127.0.0.1:1510 axes=x-up", "axes=y-up" },
                { "udp:127.0.0.1:1510 data=70000", "data=PORT" },
                { "udp:127.0.0.1:1510 data=127.0.0.1:1511", "data=GROUP:PORT" },
                { "udp:127.0.0.1", "port" },
        };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                struct twin_setup setup = { .where = wrong[i][0], .aircraft = "1" };
                struct link_error why = { "" };

                ck_assert_ptr_null(twin_natnet_open(&setup, &why));
                ck_assert_msg(strstr(why.text, wrong[i][1]) != NULL, "%s", why.text);
        }
}

/* Both systems are right-handed, and so is what they are turned to. */
TEST(axes_turn_to_north_east_down)
{
        static const double x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 }, z[3] = { 0, 0, 1 };

        for (int i = 0; i < 2; i++) {
                enum mocap_axes axes = i == 0 ? MOCAP_Y_UP : MOCAP_Z_UP;
                struct vec3 cross =
                        vec3_cross(mocap_to_ned(axes, x), mocap_to_ned(axes, y));

                ck_assert_double_eq(vec3_norm(vec3_sub(cross, mocap_to_ned(axes, z))),
                                    0.0);
                ck_assert_double_eq(mocap_to_ned(axes, i == 0 ? y : z).z, -1.0);
        }
}
