/* A log as a twin's telemetry: at its pace, from where it is asked to begin, and over at its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/twin/source.h"

#include "tests/suites.h"

static const char table[] = "t_s,north_m,east_m,down_m,motor_0,motor_1,battery_v\n"
                            "10,1,0,0,0.25,0.75,\n"
                            "10.1,,,,,,12\n" /* nothing that a twin can use */
                            "10.2,2,0,0,,,\n"
                            "10.5,3,0,0,,,\n";

static void write_table(char path[32])
{
        int fd;

        strcpy(path, "/tmp/twin_log_XXXXXX");
        fd = mkstemp(path);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write(fd, table, sizeof table - 1), sizeof table - 1);
        close(fd);
}

static struct twin_source *open_log(const char *where, struct link_error *why)
{
        struct twin_setup setup = { .where = where, .aircraft = "any" };

        return twin_log_open(&setup, why);
}

TEST(log_is_played_at_its_own_pace)
{
        struct link_error why = { "" };
        struct twin_source *s;
        struct twin_word w;
        char path[32];

        write_table(path);
        s = open_log(path, &why);
        ck_assert_msg(s != NULL, "%s", why.text);
        ck_assert(s->ops->recorded);
        ck_assert(s->ops->take(s, 0, &w));
        ck_assert_uint_eq(w.said, TWIN_TIME | TWIN_POSITION | TWIN_THROTTLE);
        ck_assert_int_eq(w.arrived_ns, 0);
        ck_assert_int_eq(w.measured_ns, 10000000000);
        ck_assert_double_eq(w.throttle_ratio, 0.5);
        ck_assert(!s->ops->take(s, 199999999, &w));
        ck_assert(s->ops->take(s, 200000000, &w));
        ck_assert_double_eq(w.pos_ned_m.x, 2.0);
        ck_assert(!s->gone);
        ck_assert(s->ops->take(s, 900000000, &w));
        ck_assert_int_eq(w.arrived_ns, 500000000);
        ck_assert(s->gone);
        ck_assert(!s->ops->take(s, 900000000, &w));
        ck_assert_uint_eq(s->counts.words, 3);
        s->ops->close(s);
        unlink(path);
}

TEST(log_begins_where_it_is_asked_to)
{
        struct link_error why = { "" };
        struct twin_source *s;
        struct twin_word w;
        char path[32], where[48];

        write_table(path);
        snprintf(where, sizeof where, "%s@0.3", path);
        s = open_log(where, &why);
        ck_assert_msg(s != NULL, "%s", why.text);
        ck_assert(!s->ops->take(s, 0, &w));
        ck_assert(s->ops->take(s, 200000000, &w));
        ck_assert_int_eq(w.arrived_ns, 200000000);
        ck_assert_double_eq(w.pos_ned_m.x, 3.0);
        s->ops->close(s);
        snprintf(where, sizeof where, "%s@9", path);
        ck_assert_ptr_null(open_log(where, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "says nothing of a vehicle from 9 s on"));
        snprintf(where, sizeof where, "%s#2", path);
        ck_assert_ptr_null(open_log(where, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "there is no #2"));
        unlink(path);
        ck_assert_ptr_null(open_log(path, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "is not a file"));
}
