/* Played joysticks: events at their time, written as they were read, and files that are none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/joystick/joystick.h"
#include "tests/suites.h"

#define S 1000000000LL

static char source[64];

static struct joystick *play(const char *text, char why[300])
{
        struct joystick *j;
        FILE *file;
        int fd;

        strcpy(source, "played:/tmp/joystick-XXXXXX");
        fd = mkstemp(source + 7);
        ck_assert_int_ge(fd, 0);
        file = fdopen(fd, "w");
        fputs(text, file);
        fclose(file);
        j = joystick_open(source, why, 300);
        unlink(source + 7);
        return j;
}

static const char flight[] = "# name\naxis ABS_X -100 100 7\naxis BTN_TRIGGER 0 1 0\n"
                             "0.500000000 ABS_X 50\n1.250000000 BTN_TRIGGER 1\n"
                             "1.250000000 ABS_X -100\n";

TEST(events_come_at_their_time_and_once)
{
        struct joystick_event e[8];
        struct joystick_range range;
        struct joystick_code x;
        char why[300];
        struct joystick *j = play(flight, why);

        ck_assert_msg(j != NULL, "%s", why);
        ck_assert(joystick_code_from_name("ABS_X", &x));
        ck_assert(joystick_range(j, x, &range));
        ck_assert_int_eq(range.least, -100);
        ck_assert_int_eq(range.now, 7);
        ck_assert_int_eq(joystick_read(j, S / 2 - 1, 0, e, 8), 0);
        ck_assert_int_eq(joystick_read(j, S / 2, 0, e, 8), 1);
        ck_assert_int_eq(e[0].value, 50);
        ck_assert_int_eq(joystick_read(j, 2 * S, 0, e, 1), 1);
        ck_assert_int_eq(joystick_read(j, 2 * S, 0, e, 8), 1);
        ck_assert_int_eq(e[0].value, -100);
        ck_assert_int_eq(joystick_read(j, 9 * S, 0, e, 8), 0);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_THERE);
        joystick_close(j);
}

TEST(what_is_written_plays_the_same)
{
        char why[300], text[1000] = "";
        struct joystick *j = play(flight, why);
        FILE *out = fmemopen(text, sizeof text, "w");

        ck_assert(joystick_write(j, out));
        fclose(out);
        joystick_close(j);
        ck_assert_str_eq(strchr(text, '\n'), strchr(flight, '\n'));
}

TEST(that_it_was_unplugged_is_played_too)
{
        static const char *const unplugged = "# Pad\naxis ABS_X -100 100 7\n"
                                             "1.000000000 ABS_X 50\n"
                                             "2.000000000 lost\n"
                                             "3.000000000 back\n"
                                             "3.000000000 ABS_X 20\n";
        struct joystick_event e[8];
        char why[300], text[1000] = "";
        struct joystick *j = play(unplugged, why);
        FILE *out = fmemopen(text, sizeof text, "w");

        ck_assert_msg(j != NULL, "%s", why);
        ck_assert_int_eq(joystick_read(j, 2 * S - 1, 0, e, 8), 1);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_THERE);
        ck_assert_int_eq(joystick_read(j, 2 * S, 0, e, 8), 0);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_LOST);
        ck_assert_int_eq(joystick_read(j, 3 * S, 0, e, 8), 1);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_THERE);
        ck_assert(joystick_write(j, out));
        fclose(out);
        joystick_close(j);
        ck_assert_str_eq(strchr(text, '\n'), strchr(unplugged, '\n'));
}

TEST(a_file_that_is_none_is_refused_with_its_line)
{
        static const char *const wrong[] = {
                "axis ABS_X 5 5 5\n",
                "axis ABS_NO 0 5 5\n",
                "axis ABS_X 0 5 5\naxis ABS_X 0 5 5\n",
                "0.5 ABS_X 5\n",
                "axis ABS_X 0 5 5\n-1 ABS_X 5\n",
                "axis ABS_X 0 5 5\nnan ABS_X 5\n",
                "axis ABS_X 0 5 5\n2 ABS_X 5\n1 ABS_X 5\n",
                "axis ABS_X 0 5 5\n2 ABS_X\n",
                "axis ABS_X 0 5 5\n2 lost 3\n",
                "nothing\n",
        };
        char why[300];

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                ck_assert_msg(play(wrong[i], why) == NULL, "taken: %s", wrong[i]);
                ck_assert_ptr_nonnull(strstr(why, ": expected \"axis NAME"));
        }
        ck_assert_ptr_null(joystick_open("played:/nonexistent", why, sizeof why));
        ck_assert_str_eq(why, "/nonexistent: No such file or directory");
        ck_assert_ptr_null(joystick_open("/nonexistent", why, sizeof why));
        ck_assert_ptr_null(joystick_open("ffff:ffff", why, sizeof why));
}

/* Lost until somebody holds them, and when nobody has for two seconds of host time; then all of it is said anew. */
TEST(sticks_on_a_page_are_there_while_somebody_holds_them)
{
        static const double none[] = { NAN, 1001, -1001, INFINITY };
        struct joystick_event e[16];
        struct joystick_code x;
        char why[300], text[600] = "";
        struct joystick *j = joystick_open("page", why, sizeof why);
        FILE *out = fmemopen(text, sizeof text, "w");

        ck_assert_ptr_nonnull(j);
        ck_assert(joystick_code_from_name("ABS_X", &x));
        ck_assert_int_eq(joystick_read(j, 0, 5 * S, e, 16), 0);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_LOST);
        for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
                ck_assert(!joystick_feed(j, "ABS_X", none[i], 5 * S));
        ck_assert(!joystick_feed(j, "ABS_Z", 0, 5 * S));
        ck_assert(!joystick_feed(j, "", 0, 5 * S));
        ck_assert_int_eq(joystick_read(j, 1, 5 * S, e, 16), 0);
        ck_assert(joystick_feed(j, "ABS_X", -300, 5 * S));
        ck_assert_int_eq(joystick_read(j, 1 * S, 5 * S, e, 16), 9);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_THERE);
        ck_assert_int_eq(joystick_read(j, 1 * S + 1, 7 * S, e, 16), 0);
        ck_assert(joystick_feed(j, "ABS_X", -300, 7 * S));
        ck_assert_int_eq(joystick_read(j, 2 * S, 8 * S, e, 16), 0);
        ck_assert(joystick_feed(j, "ABS_X", 1000, 8 * S));
        ck_assert_int_eq(joystick_read(j, 2 * S, 8 * S, e, 16), 1);
        ck_assert(e[0].of.code == x.code && e[0].value == 1000);
        ck_assert_int_eq(joystick_read(j, 3 * S, 10 * S, e, 16), 0);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_THERE);
        ck_assert_int_eq(joystick_read(j, 3 * S, 10 * S + 1, e, 16), 0);
        ck_assert_int_eq(joystick_state(j), JOYSTICK_LOST);
        ck_assert(joystick_write(j, out));
        fclose(out);
        ck_assert_ptr_nonnull(strstr(text, "0.000000000 lost\n1.000000000 back\n"
                                           "1.000000000 ABS_X -300\n"));
        ck_assert_ptr_nonnull(strstr(text, "2.000000000 ABS_X 1000\n3.000000000 lost\n"));
        joystick_close(j);
        j = play(text, why);
        ck_assert_msg(j != NULL, "%s", why);
        ck_assert(!joystick_feed(j, "ABS_X", 0, 0));
        joystick_close(j);
}
