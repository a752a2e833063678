/* VRPN against messages put together by its Format_Of_Protocol, in any pieces, and a server on loopback. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/twin/source.h"
#include "io/twin/vrpn_message.h"

#include "tests/suites.h"

#define COOKIE "vrpn: ver. 07.38  0\0\0\0\0\0"

struct sent {
        uint8_t bytes[2048];
        size_t len;
};

static void put_u32(uint8_t *p, uint32_t v)
{
        for (int i = 0; i < 4; i++)
                p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void put_f64(uint8_t *p, double value)
{
        uint64_t bits;

        memcpy(&bits, &value, sizeof bits);
        put_u32(p, (uint32_t)(bits >> 32));
        put_u32(p + 4, (uint32_t)bits);
}

static void add_message(struct sent *s, int32_t sender, int32_t type, const void *body,
                        size_t len)
{
        uint8_t *p = s->bytes + s->len;

        memset(p, 0, 24 + (len + 7) / 8 * 8);
        put_u32(p, (uint32_t)(24 + len));
        put_u32(p + 4, 1700000000);
        put_u32(p + 8, 250000);
        put_u32(p + 12, (uint32_t)sender);
        put_u32(p + 16, (uint32_t)type);
        memcpy(p + 24, body, len);
        s->len += 24 + (len + 7) / 8 * 8;
}

static void add_name(struct sent *s, int32_t id, int32_t type, const char *name)
{
        uint8_t body[64];
        size_t len = strlen(name) + 1;

        put_u32(body, (uint32_t)len);
        memcpy(body + 4, name, len);
        add_message(s, id, type, body, 4 + len);
}

static void add_pose(struct sent *s, int32_t sender, int32_t sensor, double x, double qz,
                     double qw)
{
        const double v[7] = { x, 2.0, 3.0, 0.0, 0.0, qz, qw };
        uint8_t body[64] = { 0 };

        put_u32(body, (uint32_t)sensor);
        for (int i = 0; i < 7; i++)
                put_f64(body + 8 + 8 * i, v[i]);
        add_message(s, sender, 5, body, sizeof body);
}

static void make_conversation(struct sent *s)
{
        uint8_t velocity[72] = { 0 };

        s->len = VRPN_COOKIE_LEN;
        memcpy(s->bytes, COOKIE, VRPN_COOKIE_LEN);
        add_name(s, 0, VRPN_SENDER, "VRPN Control");
        add_name(s, 1, VRPN_SENDER, "Wall");
        add_name(s, 2, VRPN_SENDER, "Drone");
        add_name(s, 5, VRPN_TYPE, "vrpn_Tracker Pos_Quat");
        add_name(s, 6, VRPN_TYPE, "vrpn_Tracker Velocity");
        add_pose(s, 1, 0, 9.0, 0.0, 1.0);
        add_pose(s, 2, 0, 8.0, 0.0, 1.0);
        add_pose(s, 2, 1, 1.0, 0.70710678118654752, 0.70710678118654752);
        put_u32(velocity, 1);
        put_f64(velocity + 8, 0.5);
        add_message(s, 2, 6, velocity, sizeof velocity);
        add_pose(s, 2, 1, 1.0, 0.0, 0.5); /* no attitude */
}

TEST(stream_is_read_in_any_pieces)
{
        static struct vrpn_stream stream;
        struct sent s;

        make_conversation(&s);
        for (size_t piece = 1; piece < 200; piece += 13) {
                struct vrpn_message m;
                int messages = 0;

                memset(&stream, 0, sizeof stream);
                for (size_t at = 0; at < s.len; at += piece) {
                        size_t room, len = at + piece > s.len ? s.len - at : piece;

                        memcpy(vrpn_stream_room(&stream, &room), s.bytes + at, len);
                        ck_assert_uint_le(len, room);
                        vrpn_stream_add(&stream, len);
                        while (vrpn_stream_next(&stream, &m) == VRPN_MESSAGE) {
                                ck_assert_int_eq(m.t_ns, 1700000000250000000);
                                messages++;
                        }
                }
                ck_assert_int_eq(messages, 10);
        }
}

TEST(what_is_no_vrpn_breaks_the_stream)
{
        static struct vrpn_stream stream;
        struct vrpn_message m;
        size_t room;

        memset(&stream, 0, sizeof stream);
        memcpy(vrpn_stream_room(&stream, &room), "HTTP/1.1 400 Bad Request\r\n", 24);
        vrpn_stream_add(&stream, 24);
        ck_assert_int_eq(vrpn_stream_next(&stream, &m), VRPN_BROKEN);
        memset(&stream, 0, sizeof stream);
        memcpy(vrpn_stream_room(&stream, &room), COOKIE, VRPN_COOKIE_LEN);
        memset(vrpn_stream_room(&stream, &room) + VRPN_COOKIE_LEN, 0xFF, 24);
        vrpn_stream_add(&stream, VRPN_COOKIE_LEN + 24);
        ck_assert_int_eq(vrpn_stream_next(&stream, &m), VRPN_BROKEN);
}

static int listen_on_loopback(char *where, size_t cap)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        socklen_t len = sizeof at;
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_eq(listen(fd, 1), 0);
        getsockname(fd, (struct sockaddr *)&at, &len);
        snprintf(where, cap, "tcp:127.0.0.1:%d", ntohs(at.sin_port));
        return fd;
}

/* Waits for bytes, not for time. */
static bool take(struct twin_source *source, struct twin_word *word)
{
        while (!source->ops->take(source, 7, word)) {
                struct pollfd wait = { .fd = source->fd, .events = POLLIN };

                if (source->gone || poll(&wait, 1, 10000) != 1)
                        return false;
        }
        return true;
}

TEST(tracker_and_sensor_are_found_by_name)
{
        struct twin_setup setup = { .aircraft = "Drone:1" };
        struct link_error why = { "" };
        uint8_t cookie[VRPN_COOKIE_LEN];
        struct twin_source *source;
        struct twin_word word;
        char where[64];
        struct sent s;
        int listener = listen_on_loopback(where, sizeof where), server;

        setup.where = where;
        source = twin_vrpn_open(&setup, &why);
        ck_assert_msg(source != NULL, "%s", why.text);
        server = accept(listener, NULL, NULL);
        ck_assert_int_eq(recv(server, cookie, sizeof cookie, MSG_WAITALL),
                         VRPN_COOKIE_LEN);
        ck_assert_int_eq(memcmp(cookie, "vrpn: ver. 07.", 14), 0);
        make_conversation(&s);
        ck_assert_int_eq(send(server, s.bytes, s.len, 0), (ssize_t)s.len);
        ck_assert(take(source, &word));
        ck_assert_uint_eq(word.said, TWIN_POSITION | TWIN_ATTITUDE | TWIN_TIME);
        ck_assert_int_eq(word.arrived_ns, 7);
        ck_assert_int_eq(word.measured_ns, 1700000000250000000);
        ck_assert_double_eq(word.pos_ned_m.x, 1.0);
        ck_assert_double_eq(word.pos_ned_m.y, -2.0);
        ck_assert_double_eq(word.pos_ned_m.z, -3.0);
        ck_assert_double_eq_tol(DEG_PER_RAD * quat_to_euler(word.q_body_to_ned).z, -90.0,
                                1e-9);
        ck_assert(take(source, &word));
        ck_assert_uint_eq(word.said, TWIN_VELOCITY | TWIN_TIME);
        ck_assert_double_eq(word.vel_ned_mps.x, 0.5);
        close(server);
        ck_assert(!take(source, &word));
        ck_assert(source->gone);
        ck_assert_uint_eq(source->counts.words, 2);
        ck_assert_uint_eq(source->counts.overheard, 2);
        ck_assert_uint_eq(source->counts.errors, 1);
        source->ops->close(source);
        close(listener);
}

TEST(wrong_places_and_sensors_are_refused)
{
        static const char *const wrong[][3] = {
                { "udp:127.0.0.1:3883", "Drone", "must be tcp:HOST:PORT" },
                { "tcp:127.0.0.1:3883 data=1511", "Drone", "without data=" },
                { "tcp:127.0.0.1:3883", "Drone:x", "a sensor's number" },
                { "tcp:127.0.0.1:3883", "", "a tracker's name" },
        };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                struct twin_setup setup = { .where = wrong[i][0],
                                            .aircraft = wrong[i][1] };
                struct link_error why = { "" };

                ck_assert_ptr_null(twin_vrpn_open(&setup, &why));
                ck_assert_msg(strstr(why.text, wrong[i][2]) != NULL, "%s", why.text);
        }
}
