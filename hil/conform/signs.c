/* Conformance: the outputs push against what the board feels. It is tilted before it starts and stays so, which tells of
 * accelerometer and heading, and shaken in the air, which tells of the gyroscope; what the outputs do is compared with
 * where the vehicle's rotors are. Nothing is said of an axis whose answer is weak, or half one and half another. */
#include "hil/conform/signs.h"

#include <math.h>
#include <string.h>

#include "hil/conform/step.h"

#define PI           3.14159265358979323846
#define RAD_PER_DEG  (PI / 180.0)
#define SHAKE_RAD    (4.0 * RAD_PER_DEG)
#define SHAKE_HZ     2.0
#define SHAKE_MIN    8 /* frames in a cycle, or it is shaken more slowly */
#define CYCLES       10
#define SETTLE_S     0.5
#define LOOK_S       1.0
#define TRIM_S       10.0
#define TRIM_EVERY_S 0.05
#define TRIM_M       1.0
#define TRIM_FROM    0.35 /* of the way from idling to climbing */
#define TRIM_TO      0.65

static const double tilt_rad[SIGNS_AXES] = { 8.0 * RAD_PER_DEG, 8.0 * RAD_PER_DEG,
                                             12.0 * RAD_PER_DEG };

static struct vec3 about(int axis, double value)
{
        return (struct vec3){ axis == 0 ? value : 0.0, axis == 1 ? value : 0.0,
                              axis == 2 ? value : 0.0 };
}

/* A controller that climbs nowhere, or is lifted, drives its outputs to an end, where they answer to nothing. It is asked
 * to go down and up until they stand between the ends. */
static bool trim(struct conform *c, double idle, double most)
{
        struct conform_talk *t = &c->talk;

        for (int i = 0; i < (int)(TRIM_S / TRIM_EVERY_S); i++) {
                double share = (conform_duty_sum(&t->motors) - idle) / (most - idle);

                if (share > TRIM_FROM && share < TRIM_TO)
                        break;
                conform_talk_ask(t, HILP_MODE_GOTO,
                                 CONFORM_LIFT_M + (share > 0.5 ? -TRIM_M : TRIM_M));
                if (!conform_fly(c, conform_frames(c, TRIM_EVERY_S)))
                        return false;
        }
        conform_talk_ask(t, HILP_MODE_GOTO, CONFORM_LIFT_M);
        return conform_fly(c, conform_frames(c, SETTLE_S));
}

/* Up in the air, and at rest there. False: the step has failed, in words. */
static bool begin_in_air(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        double idle, most;

        if (!conform_begin_armed(c, true) || !conform_fly(c, conform_frames(c, 0.5)))
                return false;
        idle = conform_duty_sum(&t->motors);
        if (!conform_climb(c))
                return false;
        most = conform_duty_sum(&t->motors);
        conform_scene_lift(&t->scene);
        conform_talk_ask(t, HILP_MODE_GOTO, CONFORM_LIFT_M);
        return conform_fly(c, conform_frames(c, CONFORM_LIFT_S)) && trim(c, idle, most);
}

/* The outputs on average, for a while. */
static bool average(struct conform *c, double *mean)
{
        int frames = conform_frames(c, LOOK_S);

        memset(mean, 0, HILP_ROTORS_MAX * sizeof *mean);
        for (int i = 0; i < frames; i++) {
                if (!conform_fly(c, 1))
                        return false;
                for (int k = 0; k < c->options.rotors; k++)
                        mean[k] += c->talk.motors.duty[k] / 65535.0 / frames;
        }
        return true;
}

/* Tilted from the start one way and the other: what the outputs do differently. */
static bool hold(struct conform *c, int axis, struct signs_response *r)
{
        double mean[2][HILP_ROTORS_MAX];
        bool held = true;

        for (int way = 0; way < 2 && held; way++) {
                c->talk.rest_rad =
                        about(axis, way == 0 ? tilt_rad[axis] : -tilt_rad[axis]);
                held = begin_in_air(c) && average(c, mean[way]);
        }
        c->talk.rest_rad = about(axis, 0.0);
        for (int k = 0; k < c->options.rotors && held; k++)
                r->with[k] = 0.5 * (mean[0][k] - mean[1][k]);
        return held;
}

static bool shake_once(struct conform *c, int axis, int frames, double hz,
                       struct signs_response *r)
{
        struct conform_talk *t = &c->talk;
        double w = 2.0 * PI * hz;

        for (int i = 0; i < frames; i++) {
                double phase = 2.0 * PI * i / frames;

                conform_scene_turn(&t->scene, about(axis, SHAKE_RAD * sin(phase)),
                                   about(axis, SHAKE_RAD * w * cos(phase)));
                if (!conform_fly(c, 1))
                        return false;
                for (int k = 0; k < c->options.rotors; k++) {
                        double duty = t->motors.duty[k] / 65535.0;

                        r->with[k] += 2.0 / frames * duty * sin(phase);
                        r->beside[k] += 2.0 / frames * duty * cos(phase);
                }
        }
        return true;
}

/* To and fro; the first cycle only sets it going. */
static bool shake(struct conform *c, int axis, struct signs_response *r)
{
        struct vec3 level = { 0.0, 0.0, 0.0 };
        double frame_s = 1e-9 * (double)c->options.period_ns * c->talk.board.frame_every;
        double hz = fmin(SHAKE_HZ, 1.0 / (SHAKE_MIN * frame_s));
        int frames = (int)lround(1.0 / (hz * frame_s));
        struct signs_response cycle[CYCLES];

        memset(cycle, 0, sizeof cycle);
        for (int i = -1; i < CYCLES; i++) {
                struct signs_response unused = { .with = { 0.0 } };

                if (!shake_once(c, axis, frames, hz, i < 0 ? &unused : &cycle[i]))
                        return false;
        }
        conform_scene_turn(&c->talk.scene, level, level);
        signs_average(r, cycle, CYCLES, c->options.rotors);
        return conform_fly(c, conform_frames(c, SETTLE_S));
}

static bool shake_all(struct conform *c, struct signs *s)
{
        if (!begin_in_air(c))
                return false;
        for (int axis = 0; axis < SIGNS_AXES; axis++)
                if (!shake(c, axis, &s->shaken[axis]))
                        return false;
        return conform_answers_fit(c) && conform_motors_fit(c);
}

enum conform_is conform_signs(struct conform *c)
{
        struct signs s = { .rotors = c->options.rotors };
        char text[CONFORM_TEXT_MAX];

        memcpy(s.rotor, c->options.rotor, sizeof s.rotor);
        if (!shake_all(c, &s))
                return CONFORM_FAILED;
        for (int axis = 0; axis < SIGNS_AXES; axis++)
                if (!hold(c, axis, &s.held[axis]))
                        return conform_unjudged(
                                c,
                                "it was to start tilted by %.0f degrees, and would "
                                "not fly",
                                tilt_rad[axis] / RAD_PER_DEG);
        switch (signs_describe(&s, text, sizeof text)) {
        case SIGNS_RIGHT:
                return conform_passed(c, "%s", text);
        case SIGNS_WRONG:
                return conform_failed(c, "MOTORS (4)", "%s", text);
        default:
                return conform_unjudged(c, "%s", text);
        }
}
