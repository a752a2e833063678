#include "hil/judge/wiring.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WINDOW_NS     INT64_C(1000000000)
#define WATCH_NS      INT64_C(5000000000) /* control that was lost later was had before */
#define UPRIGHT       0.7 /* cosine of the tilt that is lost control */
#define SPIN_RADPS    6.0 /* and the turn */
#define LEAN_BEGIN    0.05 /* sine of the lean on the ground that counts as flying */
#define LEAN_END      0.95
#define SAID_MAX      3
#define TICKS_MIN     50
#define TIE           0.01 /* that much more or less explains as well */
#define UNCERTAIN     0.3 /* and of what remains unexplained */
#define SHARE_MIN     0.6 /* of what is said to be found */
#define ROUNDS        60
#define SAME          1e-3 /* commands nearer than that */
#define LIMIT_TICKS   8
#define COMMAND_NOISE 0.02
#define SMOOTH_NS     15e6
#define MARGIN        0.25 /* by which it must be better than a right wiring */

enum { RATE_X, RATE_Y, RATE_Z, LEAN_X, LEAN_Y, TURN_Z, ONE };

static const int64_t delays_ns[WIRING_DELAYS] = { 0, 2000000, 5000000, 10000000,
                                                  20000000 };

void wiring_init(struct wiring *w, const struct vehicle_params *p, int64_t period_ns,
                 const uint8_t order[ROTORS_MAX], const uint8_t *usual)
{
        *w = (struct wiring){ .rotors = p->rotors,
                              .period_ns = period_ns,
                              .order_key = "fc.motor_order",
                              .has_usual = usual != NULL };
        memcpy(w->order, order, sizeof w->order);
        if (usual != NULL)
                memcpy(w->usual, usual, sizeof w->usual);
        for (int i = 0; i < p->rotors; i++) {
                w->pos_body_m[i] = p->rotor[i].pos_body_m;
                w->spin[i] = p->rotor[i].spin;
        }
}

/* Leaning: what gravity says along the body's axes, about 0 when level. */
static struct vec3 lean_of(const struct body_state *truth)
{
        struct vec3 down =
                quat_rotate_inverse(truth->q_body_to_ned, (struct vec3){ 0, 0, 1 });

        return (struct vec3){ down.y, -down.x, down.z };
}

static double smoothing(const struct wiring *w)
{
        return -expm1(-(double)w->period_ns / SMOOTH_NS);
}

static void keep(struct wiring *w, const struct body_state *truth, struct vec3 lean)
{
        double x[WIRING_TERMS];

        w->turned_rad += truth->rate_body_radps.z * 1e-9 * (double)w->period_ns;
        x[RATE_X] = truth->rate_body_radps.x;
        x[RATE_Y] = truth->rate_body_radps.y;
        x[RATE_Z] = truth->rate_body_radps.z;
        x[LEAN_X] = lean.x;
        x[LEAN_Y] = lean.y;
        x[TURN_Z] = w->turned_rad;
        x[ONE] = 1.0;
        for (int k = 0; k < WIRING_TERMS; k++)
                w->term[k] += (w->ticks == 0 ? 1.0 : smoothing(w)) * (x[k] - w->term[k]);
        memcpy(w->past[w->ticks % WIRING_HISTORY], w->term, sizeof w->term);
}

/* Every tick counts alike, so that the end of a crash does not drown its beginning. */
static void add(struct wiring_sums *s, const double *x, const double *y, int rotors)
{
        double square = COMMAND_NOISE * COMMAND_NOISE, weight;

        for (int i = 0; i < rotors; i++)
                square += y[i] * y[i];
        weight = 1.0 / square;
        for (int a = 0; a < WIRING_TERMS; a++) {
                for (int b = 0; b < WIRING_TERMS; b++)
                        s->xx[a][b] += weight * x[a] * x[b];
                for (int i = 0; i < rotors; i++)
                        s->xy[a][i] += weight * x[a] * y[i];
        }
        for (int i = 0; i < rotors; i++)
                s->yy += weight * y[i] * y[i];
}

/* Whether a command has come to a limit and stays there. */
static bool is_limited(struct wiring *w, const struct motor_command *command)
{
        double high = command->duty[0], low = high;

        for (int i = 1; i < w->rotors; i++) {
                high = fmax(high, command->duty[i]);
                low = fmin(low, command->duty[i]);
        }
        if (w->ticks == 0 || high > w->highest + SAME)
                w->at_highest = 0;
        if (w->ticks == 0 || low < w->lowest - SAME)
                w->at_lowest = 0;
        w->highest = w->ticks == 0 ? high : fmax(w->highest, high);
        w->lowest = w->ticks == 0 ? low : fmin(w->lowest, low);
        w->at_highest += high >= w->highest - SAME;
        w->at_lowest += low <= w->lowest + SAME;
        return (w->at_highest > LIMIT_TICKS && high >= w->highest - SAME) ||
               (w->at_lowest > LIMIT_TICKS && low <= w->lowest + SAME);
}

static void sum_up(struct wiring *w, const struct motor_command *command, bool limited)
{
        double y[ROTORS_MAX], mean = 0.0;

        for (int i = 0; i < w->rotors; i++)
                mean += command->duty[i] / w->rotors;
        for (int i = 0; i < w->rotors; i++)
                y[i] = w->command[i] += (w->ticks == 0 ? 1.0 : smoothing(w)) *
                                        (command->duty[i] - mean - w->command[i]);
        for (int d = 0; d < WIRING_DELAYS && !limited; d++) {
                int64_t ago = delays_ns[d] / w->period_ns;

                if (ago < WIRING_HISTORY && ago <= w->ticks)
                        add(&w->sums[d], w->past[(w->ticks - ago) % WIRING_HISTORY], y,
                            w->rotors);
        }
}

/* How a rotor's command must answer to a term: its thrust pushes against it. */
static double answer(const struct wiring *w, int term, int rotor)
{
        switch (term) {
        case RATE_X:
        case LEAN_X:
                return w->pos_body_m[rotor].y;
        case RATE_Y:
        case LEAN_Y:
                return -w->pos_body_m[rotor].x;
        default:
                return w->spin[rotor];
        }
}

/* One way in which a board may be wired: rotor i is commanded as if it stood where order[i] does, and a
 * term is felt as it is (1), the wrong way round (-1) or unknown, one or the other (0). */
struct guess {
        enum wiring_finding finding;
        uint8_t order[ROTORS_MAX];
        int sign[ONE];
};

/* The commands as sums of the terms, each with a gain of its own that is 0 or more: the normal equations of
 * the least squares. */
struct equations {
        double a[ONE][ONE], b[ONE];
        double all; /* squares of the commands about their means */
};

static double about_means(const struct wiring_sums *s, double sum, double x, double y)
{
        return sum - x * y / s->xx[ONE][ONE];
}

static void write_down(const struct wiring *w, const struct wiring_sums *s,
                       const struct guess *g, struct equations *e)
{
        double way[ONE][ROTORS_MAX];

        e->all = s->yy;
        for (int i = 0; i < w->rotors; i++)
                e->all -= s->xy[ONE][i] * s->xy[ONE][i] / s->xx[ONE][ONE];
        for (int k = 0; k < ONE; k++)
                for (int i = 0; i < w->rotors; i++)
                        way[k][i] = g->sign[k] * answer(w, k, g->order[i]);
        for (int k = 0; k < ONE; k++) {
                e->b[k] = 0.0;
                for (int i = 0; i < w->rotors; i++)
                        e->b[k] += way[k][i] * about_means(s, s->xy[k][i], s->xx[k][ONE],
                                                           s->xy[ONE][i]);
                for (int l = 0; l < ONE; l++) {
                        double along = 0.0;

                        for (int i = 0; i < w->rotors; i++)
                                along += way[k][i] * way[l][i];
                        e->a[k][l] = along * about_means(s, s->xx[k][l], s->xx[k][ONE],
                                                         s->xx[l][ONE]);
                }
        }
}

/* Share of the commands that the best gains explain: coordinate by coordinate, each at its best with the
 * others as they are, until nothing moves. */
static double explained(const struct equations *e)
{
        double gain[ONE] = { 0 }, share = 0.0;

        for (int round = 0; round < ROUNDS; round++)
                for (int k = 0; k < ONE; k++) {
                        double rest = e->b[k];

                        if (!(e->a[k][k] > 0.0))
                                continue;
                        for (int l = 0; l < ONE; l++)
                                rest -= l != k ? e->a[k][l] * gain[l] : 0.0;
                        gain[k] = fmax(rest / e->a[k][k], 0.0);
                }
        for (int k = 0; k < ONE; k++) {
                share += 2.0 * gain[k] * e->b[k];
                for (int l = 0; l < ONE; l++)
                        share -= gain[k] * gain[l] * e->a[k][l];
        }
        return e->all > 0.0 ? share / e->all : 0.0;
}

/* At the delay that suits it best. */
static double explained_share(const struct wiring *w, const struct guess *g)
{
        double best = 0.0;

        for (int d = 0; d < WIRING_DELAYS; d++) {
                struct equations e;

                if (!(w->sums[d].xx[ONE][ONE] > 0.0))
                        continue;
                write_down(w, &w->sums[d], g, &e);
                best = fmax(best, explained(&e));
        }
        return best;
}

/* The order that would suit what the board does. */
static void suit(const struct wiring *w, const struct wiring_explanation *e,
                 uint8_t order[ROTORS_MAX])
{
        for (int i = 0; i < w->rotors; i++)
                order[e->meant_for[i]] = w->order[i];
}

/* How far an explanation is fetched: the order that the firmware usually has least of all, then what
 * leaves every motor where it is. */
static int fetched(const struct wiring *w, const struct wiring_explanation *e)
{
        uint8_t order[ROTORS_MAX];
        int count = 0;

        suit(w, e, order);
        if (w->has_usual && e->finding == WIRING_MOTOR_ORDER &&
            memcmp(order, w->usual, (size_t)w->rotors) == 0)
                return -1;

        for (int i = 0; i < w->rotors; i++)
                count += e->meant_for[i] != i;
        return count;
}

static bool is_known(const struct wiring *w, const struct wiring_explanation *e)
{
        for (int i = 0; i < w->explanations; i++)
                if (w->explanation[i].finding == e->finding &&
                    memcmp(w->explanation[i].meant_for, e->meant_for,
                           (size_t)w->rotors) == 0)
                        return true;
        return false;
}

static void consider(struct wiring *w, const struct guess *g)
{
        struct wiring_explanation e = { .finding = g->finding,
                                        .share = explained_share(w, g) };

        memcpy(e.meant_for, g->order, sizeof e.meant_for);
        if (g->finding == WIRING_RIGHT)
                w->right_share = e.share;
        if (w->explanations < WIRING_EXPLANATIONS && !is_known(w, &e))
                w->explanation[w->explanations++] = e;
}

static struct guess plain(enum wiring_finding finding)
{
        struct guess g = { .finding = finding };

        for (int i = 0; i < ROTORS_MAX; i++)
                g.order[i] = (uint8_t)i;
        for (int k = 0; k < ONE; k++)
                g.sign[k] = 1;
        return g;
}

/* A board that feels a rate the wrong way round may take its lean from that, or from elsewhere. */
static void consider_flips(struct wiring *w)
{
        static const struct {
                enum wiring_finding finding;
                int first, second;
        } flips[] = {
                { WIRING_GYRO_X, RATE_X, -1 },     { WIRING_GYRO_X, RATE_X, LEAN_X },
                { WIRING_GYRO_Y, RATE_Y, -1 },     { WIRING_GYRO_Y, RATE_Y, LEAN_Y },
                { WIRING_GYRO_Z, RATE_Z, -1 },     { WIRING_GYRO_Z, RATE_Z, TURN_Z },
                { WIRING_ATTITUDE_X, LEAN_X, -1 }, { WIRING_ATTITUDE_Y, LEAN_Y, -1 },
        };

        for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
                struct guess g = plain(flips[i].finding);

                g.sign[flips[i].first] = -1;
                if (flips[i].second >= 0)
                        g.sign[flips[i].second] = -1;
                consider(w, &g);
        }
}

static void swap(uint8_t *order, int i, int j)
{
        uint8_t was = order[i];

        order[i] = order[j];
        order[j] = was;
}

/* Every order of four rotors; of more, those in which two are exchanged. */
static void consider_orders(struct wiring *w, struct guess *g, int from)
{
        bool all = w->rotors <= 4;

        for (int i = from; all && i < w->rotors; i++) {
                swap(g->order, from, i);
                if (from + 1 < w->rotors)
                        consider_orders(w, g, from + 1);
                else
                        consider(w, g);
                swap(g->order, from, i);
        }
        for (int i = 0; !all && i < w->rotors; i++)
                for (int j = i + 1; j < w->rotors; j++) {
                        swap(g->order, i, j);
                        consider(w, g);
                        swap(g->order, i, j);
                }
}

/* Leaves what explains the flight about as well as the best does, the simplest first, and of those that are
 * as simple the better. What nothing explains (limits, what the board does besides) makes shares uncertain. */
static void keep_best(struct wiring *w)
{
        double most = 0.0;
        int kept = 0;

        for (int i = 0; i < w->explanations; i++)
                most = fmax(most, w->explanation[i].share);
        for (int i = 0; i < w->explanations; i++) {
                struct wiring_explanation e = w->explanation[i];
                int at = kept;

                if (e.share < most - TIE - UNCERTAIN * (1.0 - most))
                        continue;
                for (; at > 0; at--) {
                        const struct wiring_explanation *before = &w->explanation[at - 1];
                        int further = fetched(w, before) - fetched(w, &e);

                        if (further < 0 || (further == 0 && before->share >= e.share))
                                break;
                        w->explanation[at] = *before;
                }
                w->explanation[at] = e;
                kept++;
        }
        w->explanations = kept;
}

void wiring_decide(struct wiring *w)
{
        struct guess right = plain(WIRING_RIGHT), order = plain(WIRING_MOTOR_ORDER);
        double most = 0.0;

        w->done = true;
        w->explanations = 0;
        if (w->ticks < TICKS_MIN)
                return;
        consider(w, &right);
        consider_flips(w);
        consider_orders(w, &order, 0);
        keep_best(w);
        for (int i = 0; i < w->explanations; i++)
                most = fmax(most, w->explanation[i].share);
        /* A board that is wired wrong loses the vehicle at once: one that keeps it is not, whatever its commands
         * look like. */
        if (w->lost && most - w->right_share >= MARGIN && most >= SHARE_MIN)
                return;
        w->explanations = w->right_share >= SHARE_MIN;
        w->explanation[0] = (struct wiring_explanation){ .finding = WIRING_RIGHT,
                                                         .share = w->right_share };
}

enum wiring_finding wiring_found(const struct wiring *w)
{
        return w->explanations > 0 ? w->explanation[0].finding : WIRING_UNKNOWN;
}

void wiring_observe(struct wiring *w, const struct body_state *truth,
                    const struct motor_command *command, bool touching, int64_t t_ns)
{
        struct vec3 lean = lean_of(truth);
        double leans = hypot(lean.x, lean.y);
        bool turns = false;

        if (w->done)
                return;
        for (int i = 0; i < w->rotors; i++)
                turns |= command->duty[i] > 0.0;
        if (!w->flying && (!turns || (touching && leans < LEAN_BEGIN)))
                return;
        if (!w->flying) {
                w->flying = true;
                w->begin_ns = t_ns;
        }
        if (!w->seen) {
                keep(w, truth, lean);
                sum_up(w, command, !turns || is_limited(w, command));
                w->ticks++;
                w->seen = t_ns - w->begin_ns >= WINDOW_NS || leans > LEAN_END ||
                          lean.z < 0.0;
        }
        w->lost |= lean.z < UPRIGHT || fabs(truth->rate_body_radps.z) > SPIN_RADPS;
        w->done = (w->seen && w->lost) || t_ns - w->begin_ns >= WATCH_NS;
}

void wiring_disturb(struct wiring *w)
{
        w->done = true;
}

static int words(char *text, size_t cap, const uint8_t *order, int rotors)
{
        int n = 0;

        for (int i = 0; i < rotors && (size_t)n < cap; i++)
                n += snprintf(text + n, cap - (size_t)n, "%s%d", i > 0 ? ", " : "",
                              order[i]);
        return n;
}

static void describe(const struct wiring *w, const struct wiring_explanation *e,
                     char *text, size_t cap)
{
        static const char *const said[] = {
                [WIRING_GYRO_X] =
                        "the board feels the roll rate the wrong way round: its "
                        "gyroscope's x axis is flipped",
                [WIRING_GYRO_Y] = "the board feels the pitch rate the wrong way round: "
                                  "its gyroscope's y axis is flipped",
                [WIRING_GYRO_Z] =
                        "the board pushes the wrong way about yaw: its "
                        "gyroscope's z axis is flipped, or it takes every rotor "
                        "to turn the other way",
                [WIRING_ATTITUDE_X] =
                        "the board takes roll the wrong way round: the sign "
                        "of its attitude about x is flipped",
                [WIRING_ATTITUDE_Y] = "the board takes pitch the wrong way round: the "
                                      "sign of its attitude about y is flipped",
        };
        uint8_t better[ROTORS_MAX];
        char is[48], fits[48];

        if (e->finding != WIRING_MOTOR_ORDER) {
                snprintf(text, cap, "%s", said[e->finding]);
                return;
        }
        suit(w, e, better);
        words(is, sizeof is, w->order, w->rotors);
        words(fits, sizeof fits, better, w->rotors);
        snprintf(text, cap,
                 "the motors are in the wrong order: %s is [%s], and the board "
                 "flies as if it were [%s]",
                 w->order_key, is, fits);
}

void wiring_describe(const struct wiring *w, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        if (wiring_found(w) == WIRING_UNKNOWN || wiring_found(w) == WIRING_RIGHT)
                return;
        for (int i = 0; i < w->explanations && i < SAID_MAX; i++) {
                char one[220];

                describe(w, &w->explanation[i], one, sizeof one);
                if (used < cap)
                        used += (size_t)snprintf(text + used, cap - used, "%s%s",
                                                 i > 0 ? "; or " : "", one);
        }
}
