/* Conformance: what becomes of the outputs while it is armed. In lockstep, so that it takes simulated seconds and
 * no more of the host's than the board needs. */
#include "hil/conform/step.h"

#include <math.h>
#include <string.h>

#define CLIMB_S       10.0
#define CLIMB_FIRST_S 2.0 /* before anything is tried in the air */
#define CLIMB_UP_M    3.0
#define RISE_RATIO    0.03 /* of an output's range, on average */
#define SWING_RAD     0.14
#define SWING_HZ      0.5
#define SWING_S       4.0
#define SWING_RATIO   0.01 /* of an output's range */
#define SWAPPED_RATIO                                                                    \
        8 /* by which duties are smoother with their bytes the other way round */
#define ALIKE 0.95 /* cosine between what roll and pitch do */
#define PI    3.14159265358979323846

/* The largest sum of the outputs while it is asked to climb for so long, and until it is this. Less than 0: the step
 * has failed. */
static double climb(struct conform *c, double seconds, double until)
{
        double most = 0.0;
        int rounds = (int)(seconds / CONFORM_ASK_EVERY_S);
        int most_rounds = (int)(CLIMB_S / CONFORM_ASK_EVERY_S);

        for (int i = 0; i < rounds || (most < until && i < most_rounds); i++) {
                conform_talk_ask(&c->talk, HILP_MODE_GOTO, CLIMB_UP_M);
                if (!conform_fly(c, conform_frames(c, CONFORM_ASK_EVERY_S)))
                        return -1.0;
                most = fmax(most, conform_duty_sum(&c->talk.motors));
        }
        return most;
}

bool conform_climb(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        bool lockstep = (t->hello.flags & HILP_FLAG_LOCKSTEP) != 0;

        if (climb(c, CLIMB_FIRST_S,
                  conform_duty_sum(&t->motors) + RISE_RATIO * t->motors.count) < 0.0)
                return false;
        if (conform_is_armed(t))
                return true;
        conform_failed_in_time(c, lockstep ? INT64_MAX : CONFORM_SILENCE_NS, "INPUT (5)",
                               "disarmed by itself when it was to climb");
        return false;
}

bool conform_begin_climbing(struct conform *c, bool lockstep)
{
        return conform_begin_armed(c, lockstep) && conform_climb(c);
}

/* In % of an output's range. */
static double average_step(const struct conform_heard *h, uint64_t unrest)
{
        return 100.0 * (double)unrest / 65535.0 / fmax(h->armed, 1.0) / h->newest.count;
}

enum conform_is conform_duty(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        double idle, most;

        if (!conform_begin_armed(c, true) || !conform_fly(c, conform_frames(c, 1.0)))
                return CONFORM_FAILED;
        idle = conform_duty_sum(&t->motors);
        most = climb(c, CLIMB_S, 0.0);
        if (most < 0.0)
                return CONFORM_FAILED;
        if (t->heard.unrest > SWAPPED_RATIO * t->heard.unrest_swapped)
                return conform_failed(
                        c, "MOTORS (4)",
                        "in the climb its duties change by %.1f %% from one message to "
                        "the next, and by %.1f %% with the bytes of each in the other "
                        "order. Integers are little-endian",
                        average_step(&t->heard, t->heard.unrest),
                        average_step(&t->heard, t->heard.unrest_swapped));
        if (most < idle + RISE_RATIO * t->motors.count)
                return conform_failed(
                        c, "INPUT (5)",
                        "asked to climb to 3 m (mode 2, throttle 1650 us) its "
                        "outputs stayed at %.1f %% on average for %.0f s of "
                        "simulated time, %.1f %% before",
                        100.0 * most / t->motors.count, CLIMB_S,
                        100.0 * idle / t->motors.count);
        if (!conform_answers_fit(c) || !conform_motors_fit(c))
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
        struct vec3 level = { 0.0, 0.0, 0.0 };

        memset(s, 0, sizeof *s);
        for (int i = 0; i < frames; i++) {
                double phase = w * SWING_S * i / frames;
                double angle = SWING_RAD * sin(phase), rate = SWING_RAD * w * cos(phase);

                conform_scene_turn(
                        &t->scene,
                        (struct vec3){ pitch ? 0.0 : angle, pitch ? angle : 0.0, 0.0 },
                        (struct vec3){ pitch ? 0.0 : rate, pitch ? rate : 0.0, 0.0 });
                if (!conform_fly(c, 1))
                        return false;
                note(s, &t->motors, phase);
        }
        conform_scene_turn(&t->scene, level, level);
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

        if (!conform_begin_climbing(c, true) || !swing(c, false, &roll) ||
            !swing(c, true, &pitch))
                return CONFORM_FAILED;
        if (largest(&roll) < SWING_RATIO || largest(&pitch) < SWING_RATIO)
                return conform_failed(c, "SENSORS (15)",
                                      "turned by 8 degrees to and fro about %s, outputs "
                                      "swung by %.2f %% against each other: the IMU's "
                                      "samples do not reach the attitude's control",
                                      largest(&roll) < SWING_RATIO ? "roll" : "pitch",
                                      100.0 * fmin(largest(&roll), largest(&pitch)));
        alike = product(&roll, &pitch) /
                sqrt(product(&roll, &roll) * product(&pitch, &pitch));
        if (fabs(alike) > ALIKE)
                return conform_failed(
                        c, "SENSORS (15)",
                        "roll and pitch do the same to the outputs: two axes "
                        "of the IMU are taken for one");
        if (!conform_answers_fit(c) || !conform_motors_fit(c))
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
        if (!conform_is_armed(t))
                return conform_motors_fit(c)
                               ? conform_passed(c, "20 frames of invalid counts: it "
                                                   "disarmed")
                               : CONFORM_FAILED;
        if (climb(c, CLIMB_FIRST_S, 0.0) < 0.0 || !swing(c, false, &roll) ||
            !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (largest(&roll) < SWING_RATIO)
                return conform_failed(c, "Messages",
                                      "after 20 frames of invalid counts its outputs do "
                                      "not follow a tilt any more: invalid (0x80000000) "
                                      "became a number that stays in its estimate");
        return conform_passed(c,
                              "20 frames of invalid counts, and it controls as before");
}
