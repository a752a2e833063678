#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/formula/quantity.h"

#include "tests/suites.h"

/* A vehicle in flight, 2 m north and 1 m east of its start and 4 m above it. */
struct moment {
        struct vehicle truth;
        struct sensor_frame frame;
        struct motor_command command;
        struct fc_report report;
        struct pilot_input input;
        struct observation o;
};

static void set_up(struct moment *s)
{
        memset(s, 0, sizeof *s);
        s->truth.body.pos_ned_m = (struct vec3){ 12, 21, -4 };
        s->truth.body.vel_ned_mps = (struct vec3){ 3, 4, -12 };
        s->truth.body.q_body_to_ned = quat_from_euler(0.1, -0.2, 3.1);
        s->truth.body.rate_body_radps = (struct vec3){ 1, 2, M_PI };
        s->truth.around.surface_down_m = -1.5;
        s->report.estimate.q_body_to_ned = quat_from_euler(0.15, -0.2, -3.1);
        s->report.estimate.pos_ned_m = (struct vec3){ 2.5, 0.5, -4.25 };
        s->report.mode = MODE_GOTO;
        s->input.setpoint.mode = MODE_GOTO;
        s->input.setpoint.pos_ned_m = (struct vec3){ 2, 4, -8 };
        s->input.setpoint.yaw_rad = -3.1;
        s->o = (struct observation){ .t_ns = 1500000000,
                                     .truth = &s->truth,
                                     .frame = &s->frame,
                                     .command = &s->command,
                                     .report = &s->report,
                                     .input = &s->input,
                                     .start_ned_m = { 10, 20, 0 },
                                     .ground_down_m = 0.25,
                                     .loop_ns = 2500,
                                     .missed = true };
}

static double look(const struct moment *s, const char *name)
{
        int i = quantity_find(name);

        ck_assert_msg(i >= 0, "%s", name);
        return quantity_value(&quantities[i], &s->o);
}

static void expect(const struct moment *s, const char *name, double value)
{
        double is = look(s, name);

        ck_assert_msg(fabs(is - value) < 1e-9, "%s is %g, not %g", name, is, value);
}

TEST(names_are_unique_words_and_say_what_they_are)
{
        for (int i = 0; i < quantity_count; i++) {
                const struct quantity *q = &quantities[i];

                ck_assert_int_eq(quantity_find(q->name), i);
                ck_assert(strlen(q->name) < 32 && islower((unsigned char)q->name[0]));
                for (const char *c = q->name; *c != '\0'; c++)
                        ck_assert(islower((unsigned char)*c) ||
                                  isdigit((unsigned char)*c) || *c == '_');
                ck_assert(q->about[strlen(q->about) - 1] == '.');
        }
        ck_assert_int_eq(quantity_find("altitude_ft"), -1);
}

TEST(truth_is_in_the_units_of_its_names)
{
        struct moment s;
        const double deg = 180.0 / M_PI;

        set_up(&s);
        expect(&s, "time_s", 1.5);
        expect(&s, "north_m", 12);
        expect(&s, "altitude_m", 4.25);
        expect(&s, "height_m", 2.5);
        expect(&s, "speed_mps", 13);
        expect(&s, "climb_mps", 12);
        expect(&s, "vel_down_mps", -12);
        expect(&s, "roll_deg", 0.1 * deg);
        expect(&s, "pitch_deg", -0.2 * deg);
        expect(&s, "yaw_deg", 3.1 * deg);
        expect(&s, "yaw_rate_dps", 180);
        /* Of the turn's cosine, roll and pitch alone. */
        expect(&s, "tilt_deg", acos(cos(0.1) * cos(-0.2)) * deg);
}

TEST(errors_are_from_the_start_and_go_the_short_way_round)
{
        struct moment s;
        const double deg = 180.0 / M_PI;

        set_up(&s);
        expect(&s, "est_north_error_m", 0.5);
        expect(&s, "est_east_error_m", -0.5);
        expect(&s, "est_up_error_m", 0.25);
        expect(&s, "est_roll_error_deg", 0.05 * deg);
        expect(&s, "est_yaw_error_deg", (2 * M_PI - 6.2) * deg);
        expect(&s, "north_error_m", 0);
        expect(&s, "east_error_m", -3);
        expect(&s, "up_error_m", -4);
        expect(&s, "position_error_m", 5);
        expect(&s, "yaw_error_deg", (6.2 - 2 * M_PI) * deg);
        s.input.setpoint.mode = MODE_LAND;
        ck_assert_double_nan(look(&s, "position_error_m"));
}

TEST(the_angle_between_attitudes_is_the_turn_between_them)
{
        struct moment s;
        struct quat turn = quat_from_euler(0.0, 0.0, 0.3);

        set_up(&s);
        s.report.estimate.q_body_to_ned = quat_multiply(s.truth.body.q_body_to_ned, turn);
        expect(&s, "est_error_deg", 0.3 * 180.0 / M_PI);
        /* q and -q are one attitude. */
        turn = s.truth.body.q_body_to_ned;
        s.report.estimate.q_body_to_ned =
                (struct quat){ -turn.w, -turn.x, -turn.y, -turn.z };
        expect(&s, "est_error_deg", 0.0);
}

TEST(a_flight_controller_that_has_not_spoken_estimates_nothing)
{
        static const char *const name[] = { "est_roll_deg", "est_up_m", "est_error_deg",
                                            "est_yaw_error_deg", "est_north_error_m" };
        struct moment s;

        set_up(&s);
        memset(&s.report, 0, sizeof s.report);
        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
                ck_assert_double_nan(look(&s, name[i]));
}

TEST(arrays_go_by_their_index)
{
        struct moment s;
        char name[32];

        set_up(&s);
        for (int i = 0; i < ROTORS_MAX; i++) {
                s.command.duty[i] = 0.1 * i;
                s.truth.motor[i].speed_radps = 100 + i;
        }
        for (int i = 0; i < SONARS_MAX; i++)
                s.frame.sonar[i].range_m = 1 + i;
        for (int i = 0; i < ROTORS_MAX; i++) {
                snprintf(name, sizeof name, "duty_%d", i);
                expect(&s, name, 0.1 * i);
                snprintf(name, sizeof name, "rotor_radps_%d", i);
                expect(&s, name, 100 + i);
        }
        for (int i = 0; i < SONARS_MAX; i++) {
                snprintf(name, sizeof name, "sonar_%d_m", i);
                expect(&s, name, 1 + i);
        }
}

TEST(every_vehicle_has_its_names_and_the_home_one_plain_ones_too)
{
        struct quantity_names n;
        struct formula_error why;
        struct formula *f;
        int altitude = quantity_find("altitude_m");

        ck_assert(quantity_names_make(&n, 3, 1));
        f = formula_parse("altitude_m - v1.altitude_m", &n.names, &why);
        ck_assert_ptr_nonnull(f);
        ck_assert(formula_uses(f, quantity_count + altitude));
        ck_assert(!formula_uses(f, altitude));
        formula_free(f);
        f = formula_parse("v2.altitude_m", &n.names, &why);
        ck_assert(formula_uses(f, 2 * quantity_count + altitude));
        ck_assert_int_eq(quantity_vehicle(2 * quantity_count + altitude), 2);
        ck_assert_int_eq(quantity_of(2 * quantity_count + altitude), altitude);
        formula_free(f);
        ck_assert_ptr_null(formula_parse("v3.altitude_m", &n.names, &why));
        quantity_names_free(&n);
}
