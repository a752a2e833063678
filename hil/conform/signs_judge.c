#include "hil/conform/signs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LEAST_RATIO 0.002 /* of an output's range: less is no answer */
#define NOISE_TIMES 4.0 /* and less than so many standard errors */
/* How much of an answer is about the axis itself. Two rotors exchanged leave 0.5 of it, or none; a mixer at its limits
 * 0.82. */
#define PURE_RATIO   0.7
#define IMPURE_RATIO 0.6
#define LEVEL_RATIO  0.3 /* beside what it does about yaw */
/* What pushes against an angle and its rate leads the angle by 0 to 90 degrees, more where motors' lag is made up for,
 * less where the answer takes its time. */
#define LEAD_RAD   0.96
#define SURE_RIGHT 0.26 /* cosine of how far it is from that: by 75 degrees */
/* By 110: the right way round it would lead by 165 degrees, or come 77 ms late at 2 Hz. */
#define SURE_WRONG (-0.35)
#define MOVED      0.25 /* of the largest: an output that rises or falls */

static const char *const axis_names[SIGNS_AXES] = { "roll", "pitch", "yaw" };
static const char *const ways[SIGNS_AXES] = { "right side down", "nose up",
                                              "to the right" };

void signs_average(struct signs_response *mean, const struct signs_response *each,
                   int count, int rotors)
{
        double squares = 0.0;

        *mean = (struct signs_response){ .noise = 0.0 };
        for (int k = 0; k < rotors; k++)
                for (int i = 0; i < count; i++) {
                        mean->with[k] += each[i].with[k] / count;
                        mean->beside[k] += each[i].beside[k] / count;
                }
        for (int k = 0; k < rotors; k++)
                for (int i = 0; i < count; i++) {
                        double with = each[i].with[k] - mean->with[k];
                        double beside = each[i].beside[k] - mean->beside[k];

                        squares += with * with + beside * beside;
                }
        mean->noise = sqrt(squares / count / (count - 1));
}

/* Without what is common to all: they climb together for other reasons. */
static void centre(double *x, int n)
{
        double mean = 0.0;

        for (int k = 0; k < n; k++)
                mean += x[k] / n;
        for (int k = 0; k < n; k++)
                x[k] -= mean;
}

static double length_of(const double *x, int n)
{
        double squares = 0.0;

        for (int k = 0; k < n; k++)
                squares += x[k] * x[k];
        return sqrt(squares);
}

/* The direction among the outputs that turns the vehicle about an axis, if output k drives the rotor of output
 * place[k]; of length 1, or 0 where none does. */
static void turn_about(const struct signs *s, int axis, const int *place, double *e)
{
        double size;

        for (int k = 0; k < s->rotors; k++) {
                const struct conform_rotor *r = &s->rotor[place != NULL ? place[k] : k];

                e[k] = axis == 0 ? -r->right_m : axis == 1 ? r->forward_m : -r->spin;
        }
        centre(e, s->rotors);
        size = length_of(e, s->rotors);
        for (int k = 0; k < s->rotors; k++)
                e[k] = size > 0.0 ? e[k] / size : 0.0;
}

struct answer {
        double size; /* of an output's range, all together */
        double pure; /* how much of it is about the axis, 0 to 1 */
        double level; /* the same without what is about yaw */
        double against; /* cosine: 1 pushes against, -1 with the motion */
};

static struct answer answer_about(const struct signs *s, const struct signs_response *r,
                                  int axis, const int *place, double lead_rad)
{
        double e[HILP_ROTORS_MAX], with[HILP_ROTORS_MAX], beside[HILP_ROTORS_MAX];
        double x = 0.0, y = 0.0, along, yaw_with = 0.0, yaw_beside = 0.0, level;
        struct answer a;

        memcpy(with, r->with, sizeof with);
        memcpy(beside, r->beside, sizeof beside);
        centre(with, s->rotors);
        centre(beside, s->rotors);
        turn_about(s, axis, place, e);
        for (int k = 0; k < s->rotors; k++) {
                x -= e[k] * with[k];
                y -= e[k] * beside[k];
        }
        along = hypot(x, y);
        turn_about(s, 2, place, e);
        for (int k = 0; k < s->rotors; k++) {
                yaw_with += e[k] * with[k];
                yaw_beside += e[k] * beside[k];
        }
        a.size = hypot(length_of(with, s->rotors), length_of(beside, s->rotors));
        level = sqrt(fmax(a.size * a.size - yaw_with * yaw_with - yaw_beside * yaw_beside,
                          0.0));
        a.pure = a.size > 0.0 ? along / a.size : 0.0;
        a.level = level > 0.0 ? fmin(along / level, 1.0) : 0.0;
        a.against = along > 0.0 ? (x * cos(lead_rad) + y * sin(lead_rad)) / along : 0.0;
        return a;
}

static enum signs_are judge(const struct signs *s, const struct signs_response *r,
                            int axis, const int *place, double lead_rad)
{
        struct answer a = answer_about(s, r, axis, place, lead_rad);

        if (!(a.size > LEAST_RATIO) || a.size < NOISE_TIMES * r->noise)
                return SIGNS_UNKNOWN;
        if (a.pure >= PURE_RATIO && a.against >= SURE_RIGHT)
                return SIGNS_RIGHT;
        /* A board that is wrong about its tilt is wrong about its heading, too, and turns. */
        if ((a.pure >= PURE_RATIO ||
             (axis < 2 && a.level >= PURE_RATIO && a.pure >= LEVEL_RATIO)) &&
            a.against <= SURE_WRONG)
                return SIGNS_WRONG;
        if (a.pure < IMPURE_RATIO)
                return SIGNS_MIXED;
        return SIGNS_UNKNOWN;
}

static enum signs_are signs_of_shake(const struct signs *s, int axis)
{
        return judge(s, &s->shaken[axis], axis, NULL, LEAD_RAD);
}

static enum signs_are signs_of_hold(const struct signs *s, int axis)
{
        return judge(s, &s->held[axis], axis, NULL, 0.0);
}

/* Heading is held by some boards alone, and by its own motors weakly: one experiment is enough there. */
static enum signs_are signs_of_axis(const struct signs *s, int axis)
{
        enum signs_are shaken = signs_of_shake(s, axis), held = signs_of_hold(s, axis);

        if (shaken == SIGNS_WRONG || held == SIGNS_WRONG ||
            (shaken == SIGNS_MIXED && held == SIGNS_MIXED))
                return SIGNS_WRONG;
        if (shaken == held)
                return shaken;
        return axis == 2 && (shaken == SIGNS_RIGHT || held == SIGNS_RIGHT)
                       ? SIGNS_RIGHT
                       : SIGNS_UNKNOWN;
}

/* ---- In words */

struct words {
        char *text;
        size_t cap, used;
};

static void __attribute__((format(printf, 2, 3)))
add(struct words *w, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        if (w->used < w->cap)
                w->used += (size_t)vsnprintf(w->text + w->used, w->cap - w->used, format,
                                             args);
        va_end(args);
}

/* Those of x that go beyond a share of the largest, up or down. */
static void add_outputs(struct words *w, const double *x, int n, int sign)
{
        double most = 0.0;
        int named = 0;

        for (int k = 0; k < n; k++)
                most = fmax(most, fabs(x[k]));
        for (int k = 0; k < n; k++)
                if (sign * x[k] > MOVED * most)
                        add(w, "%s%d", named++ > 0 ? ", " : "", k);
        if (named == 0)
                add(w, "none");
}

/* "roll: shaken right side down outputs 0, 1 rise and 2, 3 fall, and 2, 3 should rise". */
static void add_wrong(struct words *w, const struct signs *s, int axis, bool held)
{
        const struct signs_response *r = held ? &s->held[axis] : &s->shaken[axis];
        double lead = held ? 0.0 : LEAD_RAD, moved[HILP_ROTORS_MAX], e[HILP_ROTORS_MAX];

        for (int k = 0; k < s->rotors; k++)
                moved[k] = r->with[k] * cos(lead) + r->beside[k] * sin(lead);
        centre(moved, s->rotors);
        turn_about(s, axis, NULL, e);
        add(w, "%s%s: %s %s, outputs ", w->used > 0 ? "; " : "", axis_names[axis],
            held ? "held" : "shaken", ways[axis]);
        add_outputs(w, moved, s->rotors, 1);
        add(w, " rise, and ");
        add_outputs(w, e, s->rotors, -1);
        add(w, " should");
}

static void exchange_places(int *a, int *b)
{
        int held = *a;

        *a = *b;
        *b = held;
}

/* The next permutation in the order of numbers. False: that was the last. */
static bool permute(int *place, int n)
{
        int i = n - 2, k = n - 1;

        while (i >= 0 && place[i] > place[i + 1])
                i--;
        if (i < 0)
                return false;
        while (place[k] < place[i])
                k--;
        exchange_places(&place[i], &place[k]);
        for (i++, k = n - 1; i < k; i++, k--)
                exchange_places(&place[i], &place[k]);
        return true;
}

/* What is held need not be known, but must not speak against it. */
static bool explains(const struct signs *s, const int *place)
{
        for (int axis = 0; axis < SIGNS_AXES; axis++) {
                enum signs_are held = judge(s, &s->held[axis], axis, place, 0.0);

                if (judge(s, &s->shaken[axis], axis, place, LEAD_RAD) != SIGNS_RIGHT ||
                    held == SIGNS_WRONG || held == SIGNS_MIXED)
                        return false;
        }
        return true;
}

/* The order with the fewest outputs elsewhere that explains what they do. False: none does. */
static bool find_order(const struct signs *s, int *best)
{
        int place[HILP_ROTORS_MAX], least = s->rotors + 1;

        for (int k = 0; k < s->rotors; k++)
                place[k] = k;
        while (permute(place, s->rotors)) {
                int elsewhere = 0;

                for (int k = 0; k < s->rotors; k++)
                        elsewhere += place[k] != k;
                if (elsewhere >= least || !explains(s, place))
                        continue;
                least = elsewhere;
                memcpy(best, place, sizeof place);
        }
        return least <= s->rotors;
}

/* What to look at. */
static void add_reason(struct words *w, const struct signs *s)
{
        int place[HILP_ROTORS_MAX], output_of[HILP_ROTORS_MAX];
        bool gyro = false, held = false, mixed = false;

        for (int axis = 0; axis < SIGNS_AXES; axis++) {
                gyro |= signs_of_shake(s, axis) == SIGNS_WRONG;
                held |= signs_of_hold(s, axis) == SIGNS_WRONG;
                mixed |= signs_of_shake(s, axis) == SIGNS_MIXED;
        }
        if (find_order(s, place)) {
                for (int k = 0; k < s->rotors; k++)
                        output_of[s->rotor[place[k]].number] = k;
                add(w, ". With fc.motor_order [");
                for (int i = 0; i < s->rotors; i++)
                        add(w, "%s%d", i > 0 ? ", " : "", output_of[i]);
                add(w, "] they would push against it%s",
                    mixed ? "" : ", or with the sign the other way in IMU or mixer");
                return;
        }
        add(w, ". No other order of the outputs explains it: %s",
            mixed          ? "axes of the IMU, or of the mixer, are exchanged"
            : gyro && held ? "an axis of the IMU, or of the mixer, has the wrong sign"
            : gyro         ? "an axis of the gyroscope has the wrong sign"
                           : "an axis of the accelerometer, or the heading, has the "
                             "wrong sign");
}

static void describe_wrong(const struct signs *s, struct words *w)
{
        for (int axis = 0; axis < SIGNS_AXES; axis++)
                if (signs_of_axis(s, axis) == SIGNS_WRONG)
                        add_wrong(w, s, axis,
                                  signs_of_shake(s, axis) == SIGNS_RIGHT ||
                                          signs_of_shake(s, axis) == SIGNS_UNKNOWN);
        add_reason(w, s);
}

/* The axes of which nothing is known. */
static void describe_unknown(const struct signs *s, struct words *w)
{
        for (int axis = 0; axis < SIGNS_AXES; axis++)
                if (signs_of_axis(s, axis) == SIGNS_UNKNOWN)
                        add(w, "%s%s%s", w->used > 0 ? ", " : "", axis_names[axis],
                            signs_of_shake(s, axis) == SIGNS_RIGHT  ? " held"
                            : signs_of_hold(s, axis) == SIGNS_RIGHT ? " shaken"
                                                                    : "");
        add(w, ": the outputs' answer is too weak, or too mixed, to tell its sign");
}

enum signs_are signs_describe(const struct signs *s, char *text, size_t cap)
{
        struct words w = { .text = text, .cap = cap };
        int of[SIGNS_MIXED + 1] = { 0 };

        for (int axis = 0; axis < SIGNS_AXES; axis++)
                of[signs_of_axis(s, axis)]++;
        if (of[SIGNS_WRONG] > 0) {
                describe_wrong(s, &w);
                return SIGNS_WRONG;
        }
        if (of[SIGNS_RIGHT] < SIGNS_AXES) {
                describe_unknown(s, &w);
                return SIGNS_UNKNOWN;
        }
        snprintf(text, cap, "outputs push against roll, pitch and yaw; %s",
                 signs_of_hold(s, 2) == SIGNS_RIGHT ? "it turns back to its heading"
                                                    : "its heading is not held");
        return SIGNS_RIGHT;
}
