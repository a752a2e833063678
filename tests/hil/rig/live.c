/* The live line: the newest figures, once more at the end on a terminal. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/rig/live.h"

#include "tests/suites.h"

static const struct live_figures figures = { .sim_ns = 1500000000,
                                             .host_ns = 1000000000,
                                             .roll_deg = -12.3,
                                             .altitude_m = 4.56,
                                             .loop_ns = 78000,
                                             .missed = 9,
                                             .armed = true };

TEST(a_terminal_is_left_with_the_newest_figures)
{
        int master = posix_openpt(O_RDWR | O_NOCTTY);
        char text[1000] = { 0 };
        struct live *l;
        FILE *out;

        ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
        out = fopen(ptsname(master), "w");
        l = live_start(out, 60000000000);
        live_set(l, &(struct live_figures){ .roll_deg = 45.0 });
        live_set(l, &figures);
        live_stop(l);
        ck_assert_int_gt(read(master, text, sizeof text - 1), 0);
        ck_assert(strstr(text, "1.50 of 60 s") != NULL);
        ck_assert(strstr(text, "1.5x") != NULL);
        ck_assert(strstr(text, "roll  -12.3") != NULL);
        ck_assert(strstr(text, "4.56 m") != NULL);
        ck_assert(strstr(text, "78 us  missed 9  armed") != NULL);
        fclose(out);
        close(master);
}

TEST(a_fleet_is_told_by_its_worst_and_its_median)
{
        struct live_figures fleet = figures;
        int master = posix_openpt(O_RDWR | O_NOCTTY);
        char text[1000] = { 0 };
        struct live *l;
        FILE *out;

        ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
        out = fopen(ptsname(master), "w");
        fleet.fleet = (struct live_fleet){ 16, 15, "quad_7", 23.4, 5.6, -0.1, 7.8 };
        l = live_start(out, 60000000000);
        live_set(l, &fleet);
        live_stop(l);
        ck_assert_int_gt(read(master, text, sizeof text - 1), 0);
        ck_assert(strstr(text,
                         "16 vehicles  tilt worst  23.4 (quad_7), median   5.6 deg  "
                         "altitude -0.10 to 7.80 m") != NULL);
        ck_assert(strstr(text, "15 armed") != NULL);
        ck_assert(strstr(text, "roll") == NULL);
        fclose(out);
        close(master);
}

TEST(a_short_run_leaves_no_line_in_a_file)
{
        FILE *out = tmpfile();
        struct live *l = live_start(out, 1000000000);

        live_set(l, &figures);
        live_stop(l);
        fseek(out, 0, SEEK_END);
        ck_assert_int_eq(ftell(out), 0);
        fclose(out);
}

TEST(no_line_is_no_trouble)
{
        live_set(NULL, &figures);
        live_stop(NULL);
}
