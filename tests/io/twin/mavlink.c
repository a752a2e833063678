/* The source "mavlink" at a socket of its own, and its words, in virtual time. */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/codec/mavlink_values.h"
#include "io/twin/mavlink_words.h"
#include "tests/suites.h"

static const struct codec_origin origin = { .lat_rad = 0.8,
                                            .lon_rad = 0.2,
                                            .height_m = 100.0,
                                            .north_m_per_rad = 6.37e6,
                                            .east_m_per_rad = 4.4e6 };

static enum mavlink_heard hear(struct mavlink_words *w, int64_t now_ns, uint8_t system,
                               uint32_t id, const void *values, struct twin_word *word)
{
        struct mavlink_frame frame = { .version = 2, .system = system, .component = 1 };

        mavlink_pack(&frame, mavlink_message_find(id), values);
        return mavlink_words_take(w, now_ns, &frame, word);
}

TEST(words_are_of_the_aircraft_alone)
{
        struct mavlink_local_position_ned m = { .x = 1.0f, .z = -2.0f, .vy = 3.0f };
        struct mavlink_words w;
        struct twin_word word;

        mavlink_words_init(&w, 7, &origin);
        ck_assert_int_eq(hear(&w, 0, 8, MAVLINK_LOCAL_POSITION_NED, &m, &word),
                         MAVLINK_OVERHEARD);
        ck_assert_int_eq(hear(&w, 5, 7, MAVLINK_LOCAL_POSITION_NED, &m, &word),
                         MAVLINK_WORD);
        ck_assert_uint_eq(word.said, TWIN_POSITION | TWIN_VELOCITY | TWIN_TIME);
        ck_assert(word.pos_ned_m.x == 1.0 && word.pos_ned_m.z == -2.0);
        ck_assert(word.vel_ned_mps.y == 3.0 && word.arrived_ns == 5);
}

TEST(odometry_is_position_and_attitude_at_once)
{
        /* Its nose points up. */
        struct mavlink_odometry m = { .time_usec = 5000000,
                                      .x = 1.0f,
                                      .z = -2.0f,
                                      .q = { 0.70710678f, 0.0f, 0.70710678f, 0.0f },
                                      .vx = 3.0f,
                                      .yawspeed = 0.5f,
                                      .frame_id = MAV_FRAME_LOCAL_NED,
                                      .child_frame_id = MAV_FRAME_BODY_FRD };
        struct mavlink_local_position_ned local = { .x = 9.0f };
        struct mavlink_words w;
        struct twin_word word;

        mavlink_words_init(&w, 1, &origin);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ODOMETRY, &m, &word), MAVLINK_WORD);
        ck_assert_uint_eq(word.said, TWIN_POSITION | TWIN_VELOCITY | TWIN_ATTITUDE |
                                             TWIN_RATE | TWIN_TIME);
        ck_assert_double_eq_tol(word.vel_ned_mps.z, -3.0, 1e-6);
        ck_assert_double_eq_tol(word.vel_ned_mps.x, 0.0, 1e-6);
        ck_assert(word.pos_ned_m.z == -2.0 && word.rate_body_radps.z == 0.5);
        ck_assert_int_eq(word.measured_ns, INT64_C(5000000000));
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_LOCAL_POSITION_NED, &local, &word),
                         MAVLINK_OVERHEARD);
        m.time_usec = UINT64_C(1700000000000000);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ODOMETRY, &m, &word), MAVLINK_WORD);
        ck_assert((word.said & TWIN_TIME) == 0);
        m.frame_id = MAV_FRAME_LOCAL_FRD;
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ODOMETRY, &m, &word), MAVLINK_OVERHEARD);
        m.frame_id = MAV_FRAME_LOCAL_NED;
        m.vy = NAN;
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ODOMETRY, &m, &word), MAVLINK_MALFORMED);
}

TEST(the_clock_goes_on_over_its_wrap)
{
        struct mavlink_attitude m = { .time_boot_ms = UINT32_MAX - 9 };
        struct mavlink_words w;
        struct twin_word word;
        int64_t before_ns;

        mavlink_words_init(&w, 1, &origin);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ATTITUDE, &m, &word), MAVLINK_WORD);
        before_ns = word.measured_ns;
        m.time_boot_ms += 22;
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ATTITUDE, &m, &word), MAVLINK_WORD);
        ck_assert_int_eq(word.measured_ns - before_ns, 22000000);
}

TEST(the_global_frame_waits_until_the_local_one_is_silent)
{
        struct mavlink_local_position_ned local = { .x = 1.0f };
        struct mavlink_global_position_int global = {
                .lat = (int32_t)lrint((0.8 + 10.0 / 6.37e6) * DEG_PER_RAD * 1e7),
                .lon = (int32_t)lrint((0.2 - 5.0 / 4.4e6) * DEG_PER_RAD * 1e7),
                .alt = 103000,
                .vz = -150,
        };
        const int64_t s = 1000000000;
        struct mavlink_words w;
        struct twin_word word;

        mavlink_words_init(&w, 1, &origin);
        hear(&w, 0, 1, MAVLINK_LOCAL_POSITION_NED, &local, &word);
        ck_assert_int_eq(hear(&w, s, 1, MAVLINK_GLOBAL_POSITION_INT, &global, &word),
                         MAVLINK_OVERHEARD);
        ck_assert_int_eq(hear(&w, 3 * s, 1, MAVLINK_GLOBAL_POSITION_INT, &global, &word),
                         MAVLINK_WORD);
        ck_assert_double_eq_tol(word.pos_ned_m.x, 10.0, 0.02);
        ck_assert_double_eq_tol(word.pos_ned_m.y, -5.0, 0.02);
        ck_assert_double_eq_tol(word.pos_ned_m.z, -3.0, 1e-9);
        ck_assert_double_eq_tol(word.vel_ned_mps.z, -1.5, 1e-9);
}

TEST(what_is_no_number_is_malformed)
{
        struct mavlink_local_position_ned local = { .vz = NAN };
        struct mavlink_attitude_quaternion zero = { .q1 = 0.0f };
        struct mavlink_attitude euler = { .yaw = INFINITY };
        struct mavlink_vfr_hud hud = { .throttle = 101 };
        struct mavlink_words w;
        struct twin_word word;

        mavlink_words_init(&w, 1, &origin);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_LOCAL_POSITION_NED, &local, &word),
                         MAVLINK_MALFORMED);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ATTITUDE_QUATERNION, &zero, &word),
                         MAVLINK_MALFORMED);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_ATTITUDE, &euler, &word),
                         MAVLINK_MALFORMED);
        ck_assert_int_eq(hear(&w, 0, 1, MAVLINK_VFR_HUD, &hud, &word), MAVLINK_MALFORMED);
}

/* An aircraft at the other end of a source's socket. */
struct aircraft {
        int fd;
        struct mavlink_sender sender;
        struct mavlink_stream stream;
};

/* Where its sonars look: down, and around as a ring counts, not quite along the axes. */
static const struct vec3 look[] = {
        { 0.0, 0.1, 0.99 },   { 0.99, 0.1, 0.05 }, { 0.0, 1.0, 0.0 },
        { -1.0, -1e-9, 0.0 }, { 0.1, -0.99, 0.0 }, { 0.7, 0.7, 0.14 },
        { 0.0, 0.0, -1.0 },
};

static struct twin_source *open_source(struct aircraft *a)
{
        struct sockaddr_in at = { .sin_family = AF_INET };
        socklen_t len = sizeof at;
        struct link_error why;
        struct twin_source *s;
        char where[40];

        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        *a = (struct aircraft){ .fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0),
                                .sender = { 2, 7, 1, 0 } };
        ck_assert_int_eq(bind(a->fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_eq(getsockname(a->fd, (struct sockaddr *)&at, &len), 0);
        snprintf(where, sizeof where, "udp:127.0.0.1:%d", ntohs(at.sin_port));
        s = twin_source_open("mavlink",
                             &(struct twin_setup){ .where = where,
                                                   .aircraft = "7",
                                                   .origin = origin,
                                                   .sonars = sizeof look / sizeof look[0],
                                                   .sonar_axis_body = look },
                             &why);
        ck_assert_ptr_nonnull(s);
        return s;
}

/* The next frame that the source sent. */
static bool next_frame(struct aircraft *a, struct mavlink_frame *frame)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        ssize_t n = recv(a->fd, bytes, sizeof bytes, 0);
        bool got = false;

        if (n > 0)
                mavlink_stream_take(&a->stream, bytes, (size_t)n, frame, &got);
        return got;
}

/* To who asked first. */
static void say(struct aircraft *a, uint32_t id, const void *values,
                struct twin_source *s)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&a->sender, id, values, bytes);
        struct sockaddr_in to;
        socklen_t to_len = sizeof to;

        ck_assert_int_eq(getsockname(s->fd, (struct sockaddr *)&to, &to_len), 0);
        ck_assert_int_eq(sendto(a->fd, bytes, len, 0, (struct sockaddr *)&to, to_len),
                         (ssize_t)len);
}

/* Three times for all, since some may come too seldom, then for what does not come. */
TEST(what_does_not_come_is_asked_for)
{
        const int64_t s_ns = 1000000000;
        struct mavlink_heartbeat beat = { .autopilot = MAV_AUTOPILOT_ARDUPILOTMEGA };
        struct mavlink_attitude attitude = { .yaw = 1.0f };
        int asked[2] = { 0, 0 };
        struct mavlink_frame frame;
        struct twin_word word;
        struct aircraft a;
        struct twin_source *s = open_source(&a);

        ck_assert(!s->ops->take(s, 0, &word));
        ck_assert(next_frame(&a, &frame) && frame.id == MAVLINK_HEARTBEAT);
        ck_assert(!next_frame(&a, &frame));
        say(&a, MAVLINK_HEARTBEAT, &beat, s);
        say(&a, MAVLINK_ATTITUDE, &attitude, s);
        ck_assert(s->ops->take(s, s_ns / 2, &word) && word.said & TWIN_ATTITUDE);
        for (int i = 1; i <= 6; i++) {
                ck_assert(!s->ops->take(s, i * s_ns, &word));
                say(&a, MAVLINK_ATTITUDE, &attitude, s);
                ck_assert(s->ops->take(s, i * s_ns + s_ns / 2, &word));
        }
        while (next_frame(&a, &frame)) {
                struct mavlink_command_long c;

                if (frame.id != MAVLINK_COMMAND_LONG)
                        continue;
                mavlink_unpack(&frame, mavlink_message_find(frame.id), &c);
                ck_assert_int_eq(c.command, MAV_CMD_SET_MESSAGE_INTERVAL);
                asked[0] += c.param1 == (float)MAVLINK_LOCAL_POSITION_NED;
                asked[1] += c.param1 == (float)MAVLINK_ATTITUDE_QUATERNION;
        }
        ck_assert_int_eq(asked[0], 6);
        ck_assert_int_eq(asked[1], 3);
        s->ops->close(s);
        close(a.fd);
}

TEST(ranges_and_other_vehicles_are_told)
{
        struct twin_other other = { .name = "Virtual", .number = 1 };
        struct twin_told told = { .t_ns = 50000000,
                                  .sonars = 7,
                                  .range_m = { 1.5, INFINITY, NAN, 2.0, 3.0, 4.0, 5.0 },
                                  .others = 1,
                                  .other = &other };
        static const int cm[] = { 150, 6001, 6001, 200, 300, 400, 500 };
        static const int way[] = { 25, 0, 2, 4, 6, 1, 24 };
        struct mavlink_global_position_int at;
        struct mavlink_frame frame;
        struct aircraft a;
        struct twin_source *s = open_source(&a);

        other.pose.q_body_to_ned = quat_from_euler(0.0, 0.0, -M_PI / 2.0);
        other.pose.pos_ned_m = (struct vec3){ 0.0, 0.0, -4.0 };
        s->ops->tell(s, 0, &told);
        s->ops->tell(s, 1000000, &told);
        for (int i = 0; i < 7; i++) {
                struct mavlink_distance_sensor m;

                ck_assert(next_frame(&a, &frame) && frame.id == MAVLINK_DISTANCE_SENSOR);
                mavlink_unpack(&frame, mavlink_message_find(frame.id), &m);
                ck_assert_int_eq(m.current_distance, cm[i]);
                ck_assert_int_eq(m.orientation, way[i]);
        }
        ck_assert(next_frame(&a, &frame) && frame.id == MAVLINK_HEARTBEAT);
        ck_assert(next_frame(&a, &frame) && frame.id == MAVLINK_GLOBAL_POSITION_INT);
        ck_assert_int_eq(frame.system, 253);
        mavlink_unpack(&frame, mavlink_message_find(frame.id), &at);
        ck_assert(at.hdg == 27000 && at.relative_alt == 4000 && at.alt == 104000);
        ck_assert(!next_frame(&a, &frame));
        ck_assert_uint_eq(s->counts.told, 9);
        s->ops->close(s);
        close(a.fd);
}

TEST(an_aircraft_is_a_system_id)
{
        static const char *const wrong[] = { NULL, "", "0", "255", "7x", "Lia" };
        struct link_error why;

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                struct twin_setup setup = { .where = "udp:127.0.0.1:9",
                                            .aircraft = wrong[i] };

                ck_assert_ptr_null(twin_source_open("mavlink", &setup, &why));
                ck_assert_ptr_nonnull(strstr(why.text, "system id, 1 to 254"));
        }
}
