/* Ivy: lines and expressions of a peer, the messages of Paparazzi, and nodes that meet on a bus of their own. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/twin/ivy_layout.h"
#include "io/twin/ivy_message.h"
#include "io/twin/ivy_peer.h"
#include "tests/suites.h"

static const char *feed(struct ivy_peer *p, struct ivy_counts *counts, const char *text)
{
        const char *groups, *last = NULL;
        size_t len = strlen(text);

        while (len > 0) {
                size_t used = ivy_peer_take(p, counts, text, len, &groups);

                if (groups != NULL)
                        last = groups;
                text += used;
                len -= used;
        }
        return last;
}

TEST(the_sender_matches_and_sends_the_groups)
{
        struct ivy_peer *p = calloc(1, sizeof *p);
        struct ivy_counts counts = { 0 };

        feed(p, &counts, "6 4711\x02gcs\n1 3\x02^(\\S*) (A|B)( x)? (.*)\n");
        ck_assert(p->introduced && p->port == 4711);
        ck_assert_int_eq(ivy_peer_offer(p, &counts, "147 A 1 2"), 1);
        ck_assert_int_eq(ivy_peer_offer(p, &counts, "147 C 1 2"), 0);
        ck_assert_str_eq(p->out, "2 3\x02"
                                 "147\x03"
                                 "A\x03\x03"
                                 "1 2\x03\n");
        feed(p, &counts, "4 3\x02\n");
        ck_assert_int_eq(ivy_peer_offer(p, &counts, "147 A 1 2"), 0);
        ck_assert_uint_eq(counts.errors, 0);
        ivy_peer_clear(p);
        free(p);
}

TEST(an_expression_that_explodes_is_thrown_out)
{
        struct ivy_peer *p = calloc(1, sizeof *p);
        struct ivy_counts counts = { 0 };

        feed(p, &counts, "1 1\x02^(a+)+$\n1 2\x02(a*)b\n1 3\x02(\n");
        ck_assert_int_eq(p->regexps, 2);
        ck_assert_uint_eq(counts.errors, 1);
        ivy_peer_offer(p, &counts, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac");
        ck_assert_int_eq(p->regexps, 1);
        ck_assert_uint_eq(counts.errors, 2);
        ck_assert_ptr_nonnull(strstr(p->out, "3 1\x02"));
        ivy_peer_clear(p);
        free(p);
}

TEST(what_breaks_a_bound_is_counted_and_ends_the_peer)
{
        struct ivy_peer *p = calloc(1, sizeof *p);
        struct ivy_counts counts = { 0 };
        char many[64];

        for (int i = 0; i < IVY_REGEXPS_MAX + 10; i++) {
                snprintf(many, sizeof many, "1 %d\x02x%d\n", i, i);
                feed(p, &counts, many);
        }
        ck_assert_int_eq(p->regexps, IVY_REGEXPS_MAX);
        ck_assert_uint_eq(counts.errors, 10);
        feed(p, &counts, "8 0\x02\n9 5\x02\n");
        ck_assert(counts.dies == 1 && !p->over);
        ck_assert_ptr_nonnull(strstr(p->out, "10 5\x02\n"));
        feed(p, &counts, "nonsense\n99 0\x02\n2 77\x02x\n2\x02\n");
        ck_assert_uint_eq(counts.errors, 14);
        for (int i = 0; i < IVY_LINE_MAX && !p->over; i++)
                feed(p, &counts, "z");
        ck_assert(p->over);
        ivy_peer_clear(p);
        free(p);
}

static struct ivy_layouts known;

static void know(void)
{
        ivy_layouts_init(&known);
}

FIXTURE(know, NULL)

TEST(rotorcraft_fp_is_turned_to_north_east_down)
{
        static const char text[] = "147\x03ROTORCRAFT_FP\x03"
                                   "256 512 768 524288 0 -524288 0 409 -4096 0 0 0 0 "
                                   "4800 65535\x03";
        struct twin_word word;
        struct vec3 euler;

        ck_assert_int_eq(ivy_message_read(text, 147, &known, &word), IVY_MESSAGE_WORD);
        ck_assert(word.pos_ned_m.x == 2.0 && word.pos_ned_m.y == 1.0 &&
                  word.pos_ned_m.z == -3.0);
        ck_assert(word.vel_ned_mps.y == 1.0 && word.vel_ned_mps.z == 1.0);
        ck_assert(word.throttle_ratio == 0.5);
        euler = quat_to_euler(word.q_body_to_ned);
        ck_assert_double_eq_tol(euler.y, 409.0 / 4096.0, 1e-12);
        ck_assert_double_eq_tol(euler.z, -1.0, 1e-12);
        ck_assert_int_eq(ivy_message_read(text, 148, &known, &word),
                         IVY_MESSAGE_OVERHEARD);
}

TEST(attitude_has_yaw_before_pitch)
{
        struct twin_word word;
        struct vec3 euler;

        ck_assert_int_eq(ivy_message_read("1\x03"
                                          "ATTITUDE\x03"
                                          "0.1 0.2 0.3\x03",
                                          1, &known, &word),
                         IVY_MESSAGE_WORD);
        euler = quat_to_euler(word.q_body_to_ned);
        ck_assert_double_eq_tol(euler.z, 0.2, 1e-12);
        ck_assert_double_eq_tol(euler.y, 0.3, 1e-12);
}

TEST(fields_that_are_no_numbers_or_not_enough_are_malformed)
{
        static const char *const wrong[] = {
                "",
                "x",
                "1\x03",
                "1\x03"
                "ATTITUDE",
                "1\x03"
                "ATTITUDE\x03"
                "1 2\x03",
                "1\x03"
                "ATTITUDE\x03"
                "1 2 nan\x03",
                "1\x03"
                "ATTITUDE\x03"
                "1 2 inf\x03",
                "1\x03"
                "ATTITUDE\x03"
                "1 2 3 4\x03",
                "1\x03"
                "ROTORCRAFT_FP\x03"
                "1\x03",
        };
        struct twin_word word;

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                ck_assert_int_eq(ivy_message_read(wrong[i], 1, &known, &word),
                                 IVY_MESSAGE_MALFORMED);
}

/* A port for a bus that nobody else is on, held as long as the socket. */
static int hold_bus(char *where, size_t cap)
{
        struct sockaddr_in at = { .sin_family = AF_INET };
        int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
        socklen_t len = sizeof at;

        at.sin_addr.s_addr = inet_addr("127.255.255.255");
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
        snprintf(where, cap, "127.255.255.255:%d", ntohs(at.sin_port));
        return fd;
}

TEST(a_source_and_a_station_meet_on_the_bus)
{
        struct twin_other other = { .number = 0, .pose.q_body_to_ned.w = 1.0 };
        struct twin_told told = { .t_ns = 3000000000,
                                  .sonars = 2,
                                  .range_m = { 1.25, INFINITY },
                                  .others = 1,
                                  .other = &other };
        struct link_error why = { .text = "" };
        const char *groups = NULL;
        struct twin_source *s;
        struct ivy_bus station;
        struct twin_word word;
        char where[40];
        int held = hold_bus(where, sizeof where);

        s = twin_source_open(
                "ivy", &(struct twin_setup){ .where = where, .aircraft = "147" }, &why);
        ck_assert_msg(s != NULL, "%s", why.text);
        ck_assert_msg(ivy_bus_open(&station, where, "station",
                                   "^(hilrig FINKEN_SONAR|254 ROTORCRAFT_FP) (.*)", &why),
                      "%s", why.text);
        /* The handshakes of TCP and Ivy take a few looks. */
        for (int i = 0; ivy_bus_send(&station, "147 ATTITUDE 0 1 0") == 0; i++) {
                ck_assert_int_lt(i, 10000);
                ck_assert_ptr_null(ivy_bus_take(&station, 0));
                ck_assert(!s->ops->take(s, 0, &word));
        }
        for (int i = 0; !s->ops->take(s, 0, &word); i++)
                ck_assert_int_lt(i, 10000);
        ck_assert_uint_eq(word.said, TWIN_ATTITUDE);
        ck_assert_int_eq(ivy_bus_subscribers(&station), 1);
        ck_assert_int_eq(ivy_bus_send(&station, "148 ATTITUDE 0 1 0"), 0);

        s->ops->tell(s, 0, &told);
        ck_assert_uint_eq(s->counts.told, 2);
        for (int i = 0; i < 10000 && groups == NULL; i++)
                groups = ivy_bus_take(&station, i);
        ck_assert_str_eq(groups, "hilrig FINKEN_SONAR\x03"
                                 "147 1.250 10.000\x03");
        groups = ivy_bus_take(&station, 0);
        ck_assert_str_eq(groups, "254 ROTORCRAFT_FP\x03"
                                 "0 0 0 0 0 0 0 0 0 0 0 0 0 0 3\x03");
        s->ops->close(s);
        ivy_bus_close(&station);
        close(held);
}

/* Looks until all of the text has come back. */
static void hear(struct ivy_bus *bus, int fd, const char *text)
{
        char heard[512] = "";
        size_t len = 0;

        for (int i = 0; strstr(heard, text) == NULL; i++) {
                ssize_t n = recv(fd, heard + len, sizeof heard - 1 - len, MSG_DONTWAIT);

                ck_assert_int_lt(i, 100000);
                ck_assert_ptr_null(ivy_bus_take(bus, 0));
                if (n > 0)
                        heard[len += (size_t)n] = '\0';
        }
}

/* What is said before it is lost: a player waits for it. */
TEST(a_peer_without_an_expression_is_no_subscriber)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        struct link_error why = { .text = "" };
        struct ivy_bus bus;
        char where[40];
        int held = hold_bus(where, sizeof where), fd = socket(AF_INET, SOCK_STREAM, 0);
        static const char introduction[] = "6 4711\x02late\n9 1\x02\n",
                          subscription[] = "1 3\x02^(\\w+)\n9 2\x02\n";

        ck_assert_msg(ivy_bus_open(&bus, where, "here", "^nothing", &why), "%s",
                      why.text);
        at.sin_port = htons(bus.port);
        ck_assert_int_eq(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_gt(send(fd, introduction, sizeof introduction - 1, 0), 0);
        hear(&bus, fd, "10 1\x02");
        ck_assert_int_eq(ivy_bus_subscribers(&bus), 0);
        ck_assert_int_gt(send(fd, subscription, sizeof subscription - 1, 0), 0);
        hear(&bus, fd, "10 2\x02");
        ck_assert_int_eq(ivy_bus_subscribers(&bus), 1);
        close(fd);
        ivy_bus_close(&bus);
        close(held);
}

/* Its own announcement comes back to it. */
TEST(a_node_does_not_meet_itself_whatever_its_name)
{
        struct link_error why = { .text = "" };
        struct ivy_bus bus;
        char where[40];
        int held = hold_bus(where, sizeof where);

        ck_assert_msg(ivy_bus_open(&bus, where, "here and there", "^(\\w+)", &why), "%s",
                      why.text);
        for (int i = 0; i < 100; i++)
                ivy_bus_take(&bus, 0);
        ck_assert_uint_eq(bus.counts.peers, 0);
        ck_assert_int_eq(ivy_bus_subscribers(&bus), 0);
        ivy_bus_close(&bus);
        close(held);
}

/* One that never pauses has every other turn. */
TEST(a_node_that_floods_leaves_turns_to_others)
{
        struct ivy_bus here, node[2];
        struct link_error why = { .text = "" };
        char where[40];
        int held = hold_bus(where, sizeof where);

        ck_assert_msg(ivy_bus_open(&here, where, "here", "^(\\w+)", &why), "%s",
                      why.text);
        ck_assert(ivy_bus_open(&node[0], where, "one", "^nothing", &why));
        ck_assert(ivy_bus_open(&node[1], where, "other", "^nothing", &why));
        for (int i = 0;
             ivy_bus_send(&node[0], "hello") == 0 || ivy_bus_send(&node[1], "hello") == 0;
             i++) {
                ck_assert_int_lt(i, 100000);
                ivy_bus_take(&here, 0);
                ivy_bus_take(&node[0], 0);
                ivy_bus_take(&node[1], 0);
        }
        /* Of two connections between the same nodes one goes. */
        for (int i = 0; i < 100; i++) {
                ivy_bus_take(&here, 0);
                ivy_bus_take(&node[0], 0);
                ivy_bus_take(&node[1], 0);
        }
        /* Twice each: whose turn it is at first depends on what was before. */
        for (int i = 0; i < 4; i++) {
                int role = i / 2, heard = 0;

                for (int k = 0; k < 3000; k++)
                        ivy_bus_take(&here, 0);
                for (int k = 0; k < 1000; k++)
                        ivy_bus_send(&node[role], "noise");
                ck_assert_int_eq(ivy_bus_send(&node[1 - role], "word"), 1);
                /* The loopback has both at once. */
                for (int k = 0; k < 100; k++) {
                        const char *groups = ivy_bus_take(&here, 0);

                        heard += groups != NULL && strcmp(groups, "word\x03") == 0;
                }
                ck_assert_int_eq(heard, 1);
        }
        ivy_bus_close(&here);
        ivy_bus_close(&node[0]);
        ivy_bus_close(&node[1]);
        close(held);
}

TEST(a_bus_and_an_aircraft_are_named)
{
        struct twin_setup setup = { .where = "localhost:2010", .aircraft = "147" };
        struct link_error why;

        ck_assert_ptr_null(twin_source_open("ivy", &setup, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "an address and a port"));
        setup.aircraft = "Quad_Lia";
        ck_assert_ptr_null(twin_source_open("ivy", &setup, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "its number on the bus"));
        setup.conf = "rig_configs/twins/paparazzi_conf.xml";
        ck_assert_ptr_null(twin_source_open("ivy", &setup, &why));
        ck_assert_ptr_nonnull(
                strstr(why.text, "or its name in rig_configs/twins/paparazzi_conf.xml"));
}

/* A file in memory; closed by the end of the test's process. */
static const char *in_memory(const char *text)
{
        static char path[40];
        int fd = memfd_create("xml", 0);

        ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        return path;
}

TEST(the_users_own_fields_are_read)
{
        struct ivy_layouts l;
        struct link_error why = { .text = "" };
        struct twin_word word;
        struct vec3 euler;

        ivy_layouts_init(&l);
        ck_assert_msg(
                ivy_layouts_read(&l, "rig_configs/twins/paparazzi_messages.xml", &why),
                "%s", why.text);
        ck_assert_int_eq(ivy_message_read("5\x03"
                                          "FINKEN_ROTORCRAFT_FP\x03"
                                          "-512 1024 2048 7 55 130\x03",
                                          5, &l, &word),
                         IVY_MESSAGE_WORD);
        ck_assert_uint_eq(word.said, TWIN_ATTITUDE | TWIN_THROTTLE | TWIN_HEIGHT);
        euler = quat_to_euler(word.q_body_to_ned);
        ck_assert_double_eq_tol(euler.y, -512.0 / 4096.0, 1e-12);
        ck_assert_double_eq_tol(euler.z, 1024.0 / 4096.0, 1e-12);
        ck_assert_double_eq_tol(euler.x, 2048.0 / 4096.0, 1e-12);
        ck_assert_double_eq(word.throttle_ratio, 0.55);
        ck_assert_double_eq(word.height_m, 1.3);
        /* ATTITUDE is not in the file, and is what it was. */
        ck_assert_int_eq(l.of[1].fields, 3);
}

TEST(a_rounded_coefficient_is_the_power_that_it_was)
{
        static const struct {
                struct ivy_field_text text;
                double scale;
        } is[] = {
                { { "east", "int32", NULL, "m", "0.0039063" }, 0x1p-8 },
                { { "vup", "int32", NULL, "m/s", "0.0000019" }, 0x1p-19 },
                { { "phi", "int32", NULL, "deg", "0.0139882" }, 0x1p-12 },
                { { "up", "float", NULL, "m", "0.0039063" }, 0.0039063 },
                { { "up", "int32", NULL, "m", "0.02" }, 0.02 },
                { { "north", "int32", "cm", "m", NULL }, 0.01 },
                { { "psi", "float", "rad", "deg", NULL }, 1.0 },
                { { "thrust", "int32", NULL, NULL, NULL }, 1.0 / 9600.0 },
        };

        for (size_t i = 0; i < sizeof is / sizeof is[0]; i++) {
                struct ivy_field f;
                const char *expected;

                ck_assert(ivy_field_make(&f, &is[i].text, &expected));
                ck_assert_double_eq_tol(f.scale, is[i].scale, 1e-15 * is[i].scale);
        }
}

TEST(files_that_cannot_be_used_are_refused_with_their_line)
{
        static const struct {
                const char *text, *says;
        } wrong[] = {
                { "<protocol>\n<message name='ATTITUDE'>\n<field name='phi' "
                  "unit='furlong'/>",
                  ":3: ATTITUDE phi: its unit must be rad, deg or decideg" },
                { "<protocol>\n<message name='ATTITUDE'><field name='phi' type='float[]' "
                  "unit='rad'/>",
                  ":2: ATTITUDE phi: must be a number, is an array" },
                { "<protocol><message name='ROTORCRAFT_FP'><field name='east' "
                  "alt_unit='m' "
                  "alt_unit_coef='0'/>",
                  "with an alt_unit_coef above 0" },
                { "<protocol><message name='ROTORCRAFT_FP'><field name='east' "
                  "unit='m'/></message>",
                  "ROTORCRAFT_FP: must have east, north and up" },
                { "<protocol>\n<message", ":2: " },
                { "<protocol><message name='ATTITUDE'><field name='phi' "
                  "unit='rad'/>\n<message name='x'/>",
                  ":2: ATTITUDE: must end before the next message" },
                { "<conf/>", "has no <message>" },
                { "", "no element found" },
                { "<!DOCTYPE p [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b "
                  "'&a;&a;&a;&a;&a;&a;&a;&a;'>]><p/>",
                  "has no <message>" },
        };
        static const struct {
                const char *text, *says;
        } fleets[] = {
                { "<conf><aircraft name='a' ac_id='0'/></conf>",
                  "aircraft a: its ac_id must be 1 to 254" },
                { "<conf><aircraft ac_id='3'/></conf>", "must have a name" },
                { "<conf><aircraft name='a' ac_id='3'/><aircraft name='b' "
                  "ac_id='3'/></conf>",
                  "aircraft b: its name or its ac_id stands twice" },
                { "<conf></conf>", "has no <aircraft>" },
        };
        struct ivy_layouts l;
        static struct ivy_fleet f;
        struct link_error why;

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                ivy_layouts_init(&l);
                ck_assert(!ivy_layouts_read(&l, in_memory(wrong[i].text), &why));
                ck_assert_msg(strstr(why.text, wrong[i].says) != NULL, "%s", why.text);
        }
        for (size_t i = 0; i < sizeof fleets / sizeof fleets[0]; i++) {
                ck_assert(!ivy_fleet_read(&f, in_memory(fleets[i].text), &why));
                ck_assert_msg(strstr(why.text, fleets[i].says) != NULL, "%s", why.text);
        }
        ck_assert(!ivy_fleet_read(&f, "/nonexistent", &why));
        ck_assert_str_eq(why.text, "/nonexistent: No such file or directory");
}

TEST(simulated_vehicles_have_the_numbers_of_their_names)
{
        struct twin_other other[3] = { { .name = "Virtual_1", .number = 0 },
                                       { .name = "nobody", .number = 1 },
                                       { .name = "nobody else", .number = 2 } };
        struct twin_told told = { .others = 3, .other = other };
        struct twin_setup setup = { .aircraft = "Quad_Lia_ovgu_01",
                                    .messages =
                                            "rig_configs/twins/paparazzi_messages.xml",
                                    .conf = "rig_configs/twins/paparazzi_conf.xml" };
        struct link_error why = { .text = "" };
        struct ivy_bus station;
        struct twin_source *s;
        struct twin_word word;
        char where[40];
        int held = hold_bus(where, sizeof where);
        static const char *const ids[] = { "201", "254", "253" };

        for (int i = 0; i < 3; i++)
                other[i].pose.q_body_to_ned.w = 1.0;
        setup.where = where;
        s = twin_source_open("ivy", &setup, &why);
        ck_assert_msg(s != NULL, "%s", why.text);
        ck_assert(ivy_bus_open(&station, where, "station", "^(\\d+) ROTORCRAFT_FP (.*)",
                               &why));
        for (int i = 0;
             ivy_bus_send(&station, "147 FINKEN_ROTORCRAFT_FP 0 0 0 0 0 0") == 0; i++) {
                ck_assert_int_lt(i, 10000);
                ck_assert_ptr_null(ivy_bus_take(&station, 0));
                ck_assert(!s->ops->take(s, 0, &word));
        }
        s->ops->tell(s, 0, &told);
        for (int i = 0; i < 3; i++) {
                const char *groups = NULL;

                for (int k = 0; k < 10000 && groups == NULL; k++)
                        groups = ivy_bus_take(&station, k);
                ck_assert_ptr_nonnull(groups);
                ck_assert_int_eq(strncmp(groups, ids[i], 3), 0);
        }
        s->ops->close(s);
        ivy_bus_close(&station);
        close(held);
}
