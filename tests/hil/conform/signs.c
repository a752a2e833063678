/* Which way outputs push: every wrong order of four motors and every flipped axis is told from the right one, and what
 * is too weak to tell is not judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/conform/signs.h"
#include "tests/boards/conform_asked.h"
#include "tests/suites.h"

static const struct conform_rotor plus[] = {
        { 0.26, 0.0, 1.0, 0 },
        { 0.0, 0.26, -1.0, 1 },
        { -0.26, 0.0, 1.0, 2 },
        { 0.0, -0.26, -1.0, 3 },
};
static const struct conform_rotor cross[] = {
        { 0.1, 0.1, -1.0, 0 },
        { -0.1, 0.1, 1.0, 1 },
        { -0.1, -0.1, -1.0, 2 },
        { 0.1, -0.1, 1.0, 3 },
};
static const struct conform_rotor *const layouts[] = { plus, cross };

static double effect(const struct conform_rotor *r, int axis)
{
        return axis == 0   ? -r->right_m / 0.26
               : axis == 1 ? r->forward_m / 0.26
                           : -r->spin;
}

/* A board that pushes against angle and rate alike, with its output k on the rotor of output place[k], and with its
 * sign of each axis. */
static struct signs pushes(const struct conform_rotor *rotor, const int *place,
                           const double *sign)
{
        struct signs s = { .rotors = 4 };

        memcpy(s.rotor, rotor, 4 * sizeof *rotor);
        for (int axis = 0; axis < SIGNS_AXES; axis++)
                for (int k = 0; k < 4; k++) {
                        double duty = -0.03 * sign[axis] * effect(&rotor[place[k]], axis);

                        s.shaken[axis].with[k] = s.shaken[axis].beside[k] = duty + 0.2;
                        s.shaken[axis].noise = 0.002;
                        s.held[axis].with[k] = duty;
                }
        return s;
}

static const double right[SIGNS_AXES] = { 1.0, 1.0, 1.0 };

TEST_EACH(an_order_of_motors_is_right_or_named, 2)
{
        char text[CONFORM_TEXT_MAX], order[40];
        int tried = 0;

        for (int n = 0; n < 256; n++) {
                int place[4] = { n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3 }, driven[4];
                int seen = 0;
                struct signs s;

                for (int k = 0; k < 4; k++) {
                        seen |= 1 << place[k];
                        driven[place[k]] = k;
                }
                if (seen != 15)
                        continue;
                tried++;
                s = pushes(layouts[_i], place, right);
                if (n == (0 | 1 << 2 | 2 << 4 | 3 << 6)) {
                        ck_assert_int_eq(signs_describe(&s, text, sizeof text),
                                         SIGNS_RIGHT);
                        continue;
                }
                ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_WRONG);
                snprintf(order, sizeof order, "[%d, %d, %d, %d]", driven[0], driven[1],
                         driven[2], driven[3]);
                ck_assert_msg(strstr(text, order) != NULL, "%s: %s", order, text);
        }
        ck_assert_int_eq(tried, 24);
}

TEST_EACH(a_flipped_axis_is_named, 2)
{
        static const char *const names[] = { "roll: ", "pitch: ", "yaw: " };
        const int place[] = { 0, 1, 2, 3 };
        char text[CONFORM_TEXT_MAX];

        for (int axis = 0; axis < SIGNS_AXES; axis++) {
                double sign[SIGNS_AXES] = { 1.0, 1.0, 1.0 };
                struct signs s;

                sign[axis] = -1.0;
                s = pushes(layouts[_i], place, sign);
                ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_WRONG);
                for (int other = 0; other < SIGNS_AXES; other++)
                        ck_assert_msg((strstr(text, names[other]) != NULL) ==
                                              (other == axis),
                                      "%d: %s", axis, text);
                ck_assert_ptr_nonnull(strstr(text, "sign"));
        }
}

TEST_EACH(what_is_weak_or_mixed_once_is_not_judged, 2)
{
        const int place[] = { 0, 1, 2, 3 };
        char text[CONFORM_TEXT_MAX];
        struct signs s = pushes(layouts[_i], place, right);

        s.shaken[0].noise = 0.05;
        ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_UNKNOWN);
        ck_assert_ptr_nonnull(
                strstr(text, "roll shaken: the outputs' answer is too weak"));

        /* One experiment in which all goes to another axis may be a mixer at its limits. */
        s = pushes(layouts[_i], place, right);
        s.shaken[0] = s.shaken[1];
        ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_UNKNOWN);

        /* A heading that nobody holds is no fault. */
        s = pushes(layouts[_i], place, right);
        memset(&s.held[2], 0, sizeof s.held[2]);
        ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_RIGHT);
        ck_assert_ptr_nonnull(strstr(text, "its heading is not held"));
        memset(&s.held[1], 0, sizeof s.held[1]);
        ck_assert_int_eq(signs_describe(&s, text, sizeof text), SIGNS_UNKNOWN);
}

/* Whatever its gains: a third, as they are, and twice that, which drives motors to their limits. */
TEST_EACH(a_board_that_pushes_the_right_way_is_not_accused, 9)
{
        static const char *const files[] = {
                "rig_configs/flight_controllers/md4_200.json",
                "rig_configs/flight_controllers/quad_x_1kg.json",
                "rig_configs/flight_controllers/finken3.json",
        };
        static const double gains[] = { 0.33, 1.0, 2.0 };
        double gain = gains[_i % 3];
        const struct conform_result *r;
        struct config_error why;

        open_board(NONE, NULL);
        ck_assert(config_read_fc(&board->params, files[_i / 3], &why));
        tell_vehicle(&asked->options, &board->params);
        board->params.attitude_p_per_s = vec3_scale(gain, board->params.attitude_p_per_s);
        board->params.rate_p_nm_per_radps =
                vec3_scale(gain, board->params.rate_p_nm_per_radps);
        ask("hello");
        ask("arm");
        r = ask("signs");
        ck_assert_msg(r->is == CONFORM_PASSED || (gain > 1.0 && r->is == CONFORM_VOID),
                      "%s, %g: %s", files[_i / 3], gain, r->text);
        close_board();
}
