#include <math.h>
#include <string.h>

#include "hil/judge/answer.h"

#include "tests/suites.h"

#define PERIOD_NS INT64_C(1000000)
#define BEGIN_NS  INT64_C(500000000)
#define ARM_M     0.25

/* A quadrotor in a plus, whose flight controller is an impulse response. */
struct flight {
        struct scenario_step step;
        struct action action;
        struct actions actions;
        struct vehicle_params params;
        struct answer answer;
        double impulse[8]; /* duty against the rate, per rad/s, by ticks */
        double trim; /* duty of every rotor, and as much again between left and right */
};

static void begin(struct flight *f, int axis, int chip_ticks)
{
        memset(f, 0, sizeof *f);
        f->step.action = ACTION_STIMULUS;
        f->step.stimulus =
                (struct stimulus){ .input = STIMULUS_GYRO,
                                   .index = axis,
                                   .shape = STIMULUS_PRBS,
                                   .amplitude = 0.1,
                                   .bits = 9,
                                   .chip_ns = chip_ticks * PERIOD_NS,
                                   .for_ns = 4 * 511 * chip_ticks * PERIOD_NS };
        f->action = (struct action){ .of = &f->step,
                                     .begin_ns = BEGIN_NS,
                                     .end_ns = BEGIN_NS + f->step.stimulus.for_ns };
        f->actions =
                (struct actions){ .count = 1, .list = &f->action, .stimulates = true };
        f->params.rotors = 4;
        f->params.rotor[0].pos_body_m.x = ARM_M;
        f->params.rotor[1].pos_body_m.y = ARM_M;
        f->params.rotor[2].pos_body_m.x = -ARM_M;
        f->params.rotor[3].pos_body_m.y = -ARM_M;
        for (int i = 0; i < 4; i++)
                f->params.rotor[i].spin = i % 2 ? -1.0 : 1.0;
        answer_init(&f->answer, &f->params, &f->actions, PERIOD_NS, ANSWER_ANY_AXIS);
}

static double asked(const struct flight *f, int64_t t_ns)
{
        double against = 0.0;

        for (int lag = 0; lag < 8; lag++)
                against += f->impulse[lag] *
                           stimulus_value(&f->step.stimulus,
                                          t_ns - lag * PERIOD_NS - BEGIN_NS);
        return against;
}

/* Half of it by each of two rotors: what turns the vehicle against a roll to the right is more of the
 * right one (1) and less of the left one (3). */
static void fly(struct flight *f)
{
        int64_t to_ns = f->action.end_ns + 100 * PERIOD_NS;

        for (int64_t t_ns = PERIOD_NS; t_ns < to_ns; t_ns += PERIOD_NS) {
                struct motor_command command = { 0 };
                double half = 0.5 * asked(f, t_ns);
                int more = f->step.stimulus.index == 1 ? 2 : 1;

                f->action.on = t_ns >= BEGIN_NS && t_ns < f->action.end_ns;
                f->actions.in_force = f->action.on;
                for (int i = 0; i < 4; i++)
                        command.duty[i] = f->trim;
                command.duty[1] += f->trim;
                command.duty[more] += half;
                command.duty[more == 1 ? 3 : 0] -= half;
                answer_observe(&f->answer, t_ns, &command);
        }
}

TEST(a_gain_and_a_delay_are_found)
{
        struct flight f;

        begin(&f, 0, 1);
        f.impulse[3] = 0.4;
        f.trim = 0.3;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 0.4, 1e-9);
        ck_assert_double_eq_tol(answer_delay_s(&f.answer), 0.003, 1e-9);
}

TEST(pitch_is_as_good_as_roll)
{
        struct flight f;

        begin(&f, 1, 1);
        f.impulse[2] = 0.7;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 0.7, 1e-9);
        ck_assert_double_eq_tol(answer_delay_s(&f.answer), 0.002, 1e-9);
}

TEST(the_sequence_of_another_axis_is_none_of_its_own)
{
        struct flight f;

        begin(&f, 1, 1);
        f.impulse[2] = 0.7;
        f.answer.axis = 1;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 0.7, 1e-9);
        begin(&f, 1, 1);
        f.impulse[2] = 0.7;
        f.answer.axis = 2;
        fly(&f);
        ck_assert_double_nan(answer_gain_s(&f.answer));
}

/* 250 us at 1 kHz is a quarter of the next sample. */
TEST(a_delay_between_two_samples_is_a_mean_of_both)
{
        struct flight f;

        begin(&f, 0, 1);
        f.impulse[1] = 0.75;
        f.impulse[2] = 0.25;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 1.0, 1e-9);
        ck_assert_double_eq_tol(answer_delay_s(&f.answer), 0.00125, 1e-9);
}

TEST(a_controller_that_leads_has_less_delay)
{
        struct flight f;

        begin(&f, 0, 1);
        f.impulse[1] = 1.0;
        f.impulse[4] = -0.2;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 0.8, 1e-9);
        ck_assert_double_eq_tol(answer_delay_s(&f.answer), (1.0 - 0.8) / 0.8 * 1e-3,
                                1e-9);
}

TEST(long_chips_give_the_same_figures)
{
        struct flight f;

        begin(&f, 0, 5);
        f.impulse[1] = 0.3;
        f.impulse[2] = 0.5;
        f.impulse[6] = 0.2;
        f.trim = 0.3;
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 1.0, 1e-9);
        ck_assert_double_eq_tol(answer_delay_s(&f.answer), 0.0025, 0.0001);
}

TEST(without_a_sequence_there_is_no_figure)
{
        struct flight f;

        begin(&f, 0, 1);
        f.step.stimulus.shape = STIMULUS_STEP;
        f.impulse[1] = 1.0;
        fly(&f);
        ck_assert_double_nan(answer_gain_s(&f.answer));
        ck_assert_double_nan(answer_delay_s(&f.answer));
        begin(&f, 0, 1);
        ck_assert_double_nan(answer_gain_s(&f.answer));
        ck_assert_double_nan(answer_delay_s(&f.answer));
}

TEST(motors_that_do_not_answer_have_no_delay)
{
        struct flight f;

        begin(&f, 0, 1);
        fly(&f);
        ck_assert_double_eq_tol(answer_gain_s(&f.answer), 0.0, 1e-12);
        ck_assert_double_nan(answer_delay_s(&f.answer));
}

/* More ticks a chip than lags: what would be summed up is not the answer. */
TEST(chips_that_are_too_long_give_none)
{
        struct flight f;

        begin(&f, 0, 200);
        f.impulse[1] = 1.0;
        fly(&f);
        ck_assert_double_nan(answer_gain_s(&f.answer));
        ck_assert_double_nan(answer_delay_s(&f.answer));
}
