/* Conformance: arming, and what then becomes of the outputs. All of it in lockstep, so that it takes simulated
 * seconds and no more of the host's than the board needs. */
#include "hil/conform_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REST_S      1.0 /* before anything is asked */
#define ASK_EVERY_S 0.25
#define DISARM_S    1.0 /* of simulated time, until an order to disarm is obeyed */
#define CLIMB_S     10.0
#define CLIMB_UP_M  3.0
#define RISE_RATIO  0.03 /* of an output's range, on average */
#define SWING_RAD   0.14
#define SWING_HZ    0.5
#define SWING_S     4.0
#define SWING_RATIO 0.01 /* of an output's range */
#define ALIKE       0.95 /* cosine between what roll and pitch do */
#define PI          3.14159265358979323846

static bool is_armed(const struct conform_talk *t)
{
        return (t->motors.flags & HILP_ARMED) != 0;
}

/* What it said of late, for a text. */
static const char *last_words(const struct conform_talk *t, char *text, size_t cap)
{
        int kept =
                t->text_lines < CONFORM_TEXT_LINES ? t->text_lines : CONFORM_TEXT_LINES;
        size_t used = 0;

        snprintf(text, cap, "it said nothing: TEXT is where a board tells why not");
        for (int i = t->text_lines - kept; i < t->text_lines && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s\"%s\"",
                                         used > 0 ? ", " : "it said ",
                                         t->text[i % CONFORM_TEXT_LINES]);
        return text;
}

static bool motors_fit(struct conform *c)
{
        const struct conform_heard *h = &c->talk.heard;
        char duties[100];

        if (h->turning > 0)
                conform_failed(
                        c, "MOTORS (4)",
                        "duty %s while the armed flag is 0, in %u answers: disarmed "
                        "means that all of them are 0",
                        conform_duties(&h->turning_motors, duties, sizeof duties),
                        h->turning);
        else if (h->muddled > 0)
                conform_failed(c, "MOTORS (4)",
                               "mode is %u with the armed flag %u, in %u answers: mode 0 "
                               "is disarmed, and the others are not",
                               h->muddled_motors.mode,
                               h->muddled_motors.flags & HILP_ARMED, h->muddled);
        else
                return true;
        return false;
}

enum conform_is conform_disarmed(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, true))
                return CONFORM_FAILED;
        conform_talk_ask(t, HILP_MODE_DISARMED, 0.0);
        if (!conform_fly(c, conform_frames(c, 2.0)) || !conform_answers_fit(c) ||
            !motors_fit(c))
                return CONFORM_FAILED;
        if (t->heard.armed > 0)
                return conform_failed(c, "INPUT (5)",
                                      "armed by itself: nobody asked for it");
        return conform_passed(c, "%u answers, all outputs 0", t->heard.answered);
}

/* Asks until it has armed. False: the step has failed, in words. */
static bool arm(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        int rounds = (int)(c->options.align_s / ASK_EVERY_S) + 1;
        char words[220];

        for (int i = 0; i < rounds; i++) {
                conform_talk_ask(t, HILP_MODE_ARMED, 0.0);
                if (!conform_fly(c, conform_frames(c, ASK_EVERY_S)))
                        return false;
                if (is_armed(t))
                        return true;
        }
        conform_failed(
                c, "INPUT (5)",
                "asked to arm (mode 1, channels 5 to 8 high) it did not within %.0f "
                "s of simulated time, at rest on level ground; %s",
                c->options.align_s, last_words(t, words, sizeof words));
        return false;
}

bool conform_begin_armed(struct conform *c, bool lockstep)
{
        if (!conform_begin(c, lockstep))
                return false;
        conform_talk_ask(&c->talk, HILP_MODE_DISARMED, 0.0);
        return conform_fly(c, conform_frames(c, REST_S)) && arm(c);
}

enum conform_is conform_arm(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        char duties[100];

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        c->armed_once = true;
        if (!conform_answers_fit(c) || !motors_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "armed after %.2f s of simulated time, duty %s",
                              (double)t->scene.t_ns * 1e-9,
                              conform_duties(&t->motors, duties, sizeof duties));
}

/* With a mode that there is not, and a right CRC. */
static void ask_impossible(struct conform_talk *t)
{
        struct hilp_message m = { .type = HILP_INPUT };
        uint8_t payload[HILP_PAYLOAD_MAX], frame[HILP_FRAME_MAX];
        size_t len;

        m.sequence = t->sequence++;
        len = hilp_encode(&m, payload);
        payload[2] = 9;
        conform_talk_bytes(t, frame, hilp_frame_encode(payload, len, frame));
}

enum conform_is conform_input(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        for (int i = 0; i < 50; i++) {
                conform_talk_ask(t, HILP_MODE_ARMED, 0.0);
                if (!conform_fly(c, 2))
                        return CONFORM_FAILED;
                if (!is_armed(t))
                        return conform_failed(
                                c, "INPUT (5)",
                                "disarmed when the order to arm was "
                                "repeated: INPUT is idempotent, and the rig "
                                "repeats it");
        }
        ask_impossible(t);
        if (!conform_fly(c, 20))
                return CONFORM_FAILED;
        if (!is_armed(t))
                return conform_failed(
                        c, "Messages",
                        "disarmed on an INPUT with mode 9, which cannot be: "
                        "it is dropped as a whole");
        conform_talk_ask(t, HILP_MODE_DISARMED, 0.0);
        if (!conform_fly(c, conform_frames(c, DISARM_S)))
                return CONFORM_FAILED;
        if (is_armed(t))
                return conform_failed(c, "INPUT (5)",
                                      "still armed %.1f s of simulated time after mode 0",
                                      DISARM_S);
        if (!conform_answers_fit(c) || !motors_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "armed for as long as it was asked to, then disarmed");
}

/* The largest sum of the outputs while it is asked to climb for so long. Less than 0: the step has failed. */
static double climb(struct conform *c, double seconds)
{
        double most = 0.0;
        int rounds = (int)(seconds / ASK_EVERY_S);

        for (int i = 0; i < rounds; i++) {
                conform_talk_ask(&c->talk, HILP_MODE_GOTO, CLIMB_UP_M);
                if (!conform_fly(c, conform_frames(c, ASK_EVERY_S)))
                        return -1.0;
                most = fmax(most, conform_duty_sum(&c->talk.motors));
        }
        return most;
}

enum conform_is conform_duty(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        double idle, most;

        if (!conform_begin_armed(c, true) || !conform_fly(c, conform_frames(c, 1.0)))
                return CONFORM_FAILED;
        idle = conform_duty_sum(&t->motors);
        most = climb(c, CLIMB_S);
        if (most < 0.0)
                return CONFORM_FAILED;
        if (most < idle + RISE_RATIO * t->motors.count)
                return conform_failed(
                        c, "INPUT (5)",
                        "asked to climb to 3 m (mode 2, throttle 1650 us) its "
                        "outputs stayed at %.1f %% on average for %.0f s of "
                        "simulated time, %.1f %% before",
                        100.0 * most / t->motors.count, CLIMB_S,
                        100.0 * idle / t->motors.count);
        if (!conform_answers_fit(c) || !motors_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c,
                              "%.1f %% on average when armed, up to %.1f %% when it is "
                              "to climb",
                              100.0 * idle / t->motors.count,
                              100.0 * most / t->motors.count);
}

/* ---- Motion */

/* What a swing does to each output beyond what it does to all of them: amplitude in and out of phase. */
struct swing {
        double with[HILP_ROTORS_MAX], beside[HILP_ROTORS_MAX];
};

static void note(struct swing *s, const struct hilp_motors *m, double phase)
{
        double mean = conform_duty_sum(m) / m->count;

        for (int i = 0; i < m->count; i++) {
                s->with[i] += (m->duty[i] / 65535.0 - mean) * sin(phase);
                s->beside[i] += (m->duty[i] / 65535.0 - mean) * cos(phase);
        }
}

static bool swing(struct conform *c, bool pitch, struct swing *s)
{
        struct conform_talk *t = &c->talk;
        int frames = conform_frames(c, SWING_S) - 1;
        double w = 2.0 * PI * SWING_HZ;

        memset(s, 0, sizeof *s);
        for (int i = 0; i < frames; i++) {
                double phase = w * SWING_S * i / frames;
                double angle = SWING_RAD * sin(phase), rate = SWING_RAD * w * cos(phase);

                conform_scene_turn(&t->scene, pitch ? 0.0 : angle, pitch ? angle : 0.0,
                                   pitch ? 0.0 : rate, pitch ? rate : 0.0);
                if (!conform_fly(c, 1))
                        return false;
                note(s, &t->motors, phase);
        }
        conform_scene_turn(&t->scene, 0.0, 0.0, 0.0, 0.0);
        for (int i = 0; i < HILP_ROTORS_MAX; i++) {
                s->with[i] *= 2.0 / frames;
                s->beside[i] *= 2.0 / frames;
        }
        return true;
}

static double product(const struct swing *a, const struct swing *b)
{
        double sum = 0.0;

        for (int i = 0; i < HILP_ROTORS_MAX; i++)
                sum += a->with[i] * b->with[i] + a->beside[i] * b->beside[i];
        return sum;
}

static double largest(const struct swing *s)
{
        double most = 0.0;

        for (int i = 0; i < HILP_ROTORS_MAX; i++)
                most = fmax(most, hypot(s->with[i], s->beside[i]));
        return most;
}

enum conform_is conform_motion(struct conform *c)
{
        struct swing roll, pitch;
        double alike;

        if (!conform_begin_armed(c, true) || climb(c, 2.0) < 0.0 ||
            !swing(c, false, &roll) || !swing(c, true, &pitch))
                return CONFORM_FAILED;
        if (largest(&roll) < SWING_RATIO || largest(&pitch) < SWING_RATIO)
                return conform_failed(c, "SENSORS (3)",
                                      "turned by 8 degrees to and fro about %s, outputs "
                                      "swung by %.2f %% against each other: the IMU's "
                                      "samples do not reach the attitude's control",
                                      largest(&roll) < SWING_RATIO ? "roll" : "pitch",
                                      100.0 * fmin(largest(&roll), largest(&pitch)));
        alike = product(&roll, &pitch) /
                sqrt(product(&roll, &roll) * product(&pitch, &pitch));
        if (fabs(alike) > ALIKE)
                return conform_failed(
                        c, "SENSORS (3)",
                        "roll and pitch do the same to the outputs: two axes "
                        "of the IMU are taken for one");
        if (!conform_answers_fit(c) || !motors_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c,
                              "8 degrees to and fro: outputs swing by %.1f %% about "
                              "roll, %.1f %% about pitch, otherwise for each",
                              100.0 * largest(&roll), 100.0 * largest(&pitch));
}

/* ---- Samples that are no numbers */

static bool invalid_frame(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m;

        conform_talk_sensors(t, &m);
        t->batched = 0;
        m.u.sensors.fresh = HILP_IMU | HILP_MAG | HILP_BARO;
        for (int i = 0; i < 3; i++) {
                m.u.sensors.imu.accel[i] = m.u.sensors.imu.gyro[i] = HILP_INVALID_I32;
                m.u.sensors.mag.field[i] = HILP_INVALID_I32;
        }
        m.u.sensors.baro.pressure = HILP_INVALID_I32;
        m.u.sensors.baro.temperature_cdegc = HILP_INVALID_I16;
        conform_talk_expect(t, m.u.sensors.number);
        conform_talk_say(t, &m);
        return conform_talk_settle(t);
}

enum conform_is conform_recovery(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct swing roll;

        if (!conform_begin_armed(c, true))
                return CONFORM_FAILED;
        for (int i = 0; i < 20; i++)
                if (!invalid_frame(c))
                        return conform_failed(c, "Messages",
                                              "did not answer a SENSORS with invalid "
                                              "counts while armed");
        if (!conform_fly(c, conform_frames(c, 1.0)))
                return CONFORM_FAILED;
        if (!is_armed(t))
                return motors_fit(c)
                               ? conform_passed(c, "20 frames of invalid counts: it "
                                                   "disarmed")
                               : CONFORM_FAILED;
        if (climb(c, 2.0) < 0.0 || !swing(c, false, &roll) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (largest(&roll) < SWING_RATIO)
                return conform_failed(c, "Messages",
                                      "after 20 frames of invalid counts its outputs do "
                                      "not follow a tilt any more: invalid (0x80000000) "
                                      "became a number that stays in its estimate");
        return conform_passed(c,
                              "20 frames of invalid counts, and it controls as before");
}
